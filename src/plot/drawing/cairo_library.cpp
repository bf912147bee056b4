// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/cairo_library.hpp"

namespace credence::plot {

const CairoLibrary& CairoLibrary::loaded() {
  static const CairoLibrary library;
  return library;
}

}  // namespace credence::plot
