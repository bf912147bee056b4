// SPDX-License-Identifier: Apache-2.0
// The functions of Cairo that pictures are drawn with, loaded with the first picture.
#pragma once

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "core/shared_library.hpp"

namespace credence::plot {

struct CairoLibrary {
  static const CairoLibrary& loaded();

#ifdef __APPLE__
  SharedLibrary library{"libcairo.2.dylib", "pictures need"};
#else
  SharedLibrary library{"libcairo.so.2", "pictures need"};
#endif

#define CREDENCE_CAIRO(name) \
  decltype(&cairo_##name) name = library.function<decltype(&cairo_##name)>("cairo_" #name)
  CREDENCE_CAIRO(arc);
  CREDENCE_CAIRO(clip);
  CREDENCE_CAIRO(close_path);
  CREDENCE_CAIRO(create);
  CREDENCE_CAIRO(destroy);
  CREDENCE_CAIRO(fill);
  CREDENCE_CAIRO(fill_preserve);
  CREDENCE_CAIRO(font_options_create);
  CREDENCE_CAIRO(font_options_destroy);
  CREDENCE_CAIRO(font_options_set_antialias);
  CREDENCE_CAIRO(font_options_set_hint_metrics);
  CREDENCE_CAIRO(font_options_set_hint_style);
  CREDENCE_CAIRO(image_surface_create);
  CREDENCE_CAIRO(line_to);
  CREDENCE_CAIRO(move_to);
  CREDENCE_CAIRO(new_path);
  CREDENCE_CAIRO(pdf_surface_create_for_stream);
  CREDENCE_CAIRO(pdf_surface_set_metadata);
  CREDENCE_CAIRO(rectangle);
  CREDENCE_CAIRO(restore);
  CREDENCE_CAIRO(rotate);
  CREDENCE_CAIRO(save);
  CREDENCE_CAIRO(scale);
  CREDENCE_CAIRO(select_font_face);
  CREDENCE_CAIRO(set_dash);
  CREDENCE_CAIRO(set_fill_rule);
  CREDENCE_CAIRO(set_font_options);
  CREDENCE_CAIRO(set_font_size);
  CREDENCE_CAIRO(set_line_join);
  CREDENCE_CAIRO(set_line_width);
  CREDENCE_CAIRO(set_source_rgba);
  CREDENCE_CAIRO(show_text);
  CREDENCE_CAIRO(status);
  CREDENCE_CAIRO(status_to_string);
  CREDENCE_CAIRO(stroke);
  CREDENCE_CAIRO(surface_destroy);
  CREDENCE_CAIRO(surface_finish);
  CREDENCE_CAIRO(surface_status);
  CREDENCE_CAIRO(surface_write_to_png_stream);
  CREDENCE_CAIRO(svg_surface_create_for_stream);
  CREDENCE_CAIRO(svg_surface_set_document_unit);
  CREDENCE_CAIRO(text_extents);
  CREDENCE_CAIRO(translate);
#undef CREDENCE_CAIRO
};

}  // namespace credence::plot
