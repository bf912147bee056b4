// SPDX-License-Identifier: Apache-2.0
#include "mail/gmime.hpp"

#include <gmime/gmime.h>

#include <memory>
#include <mutex>

#include "core/shared_library.hpp"
#include "core/strings.hpp"

namespace credence::text {
namespace {

// Loaded with the first mail. What GLib adds comes along with it.
struct GMimeLibrary {
#ifdef __APPLE__
  SharedLibrary library{"libgmime-3.0.0.dylib", "mail needs"};
#else
  SharedLibrary library{"libgmime-3.0.so.0", "mail needs"};
#endif

#define CREDENCE_GMIME(name, symbol) \
  decltype(&symbol) name = library.function<decltype(&symbol)>(#symbol)
  CREDENCE_GMIME(free, g_free);
  CREDENCE_GMIME(content_disposition_get_parameter, g_mime_content_disposition_get_parameter);
  CREDENCE_GMIME(content_disposition_parse, g_mime_content_disposition_parse);
  CREDENCE_GMIME(content_encoding_from_string, g_mime_content_encoding_from_string);
  CREDENCE_GMIME(content_type_get_media_subtype, g_mime_content_type_get_media_subtype);
  CREDENCE_GMIME(content_type_get_media_type, g_mime_content_type_get_media_type);
  CREDENCE_GMIME(content_type_get_parameter, g_mime_content_type_get_parameter);
  CREDENCE_GMIME(content_type_parse, g_mime_content_type_parse);
  CREDENCE_GMIME(filter_basic_new, g_mime_filter_basic_new);
  CREDENCE_GMIME(filter_complete, g_mime_filter_complete);
  CREDENCE_GMIME(filter_filter, g_mime_filter_filter);
  CREDENCE_GMIME(init, g_mime_init);
  CREDENCE_GMIME(parser_options_new, g_mime_parser_options_new);
  CREDENCE_GMIME(parser_options_set_fallback_charsets, g_mime_parser_options_set_fallback_charsets);
  CREDENCE_GMIME(utils_header_decode_text, g_mime_utils_header_decode_text);
  CREDENCE_GMIME(object_unref, g_object_unref);
#undef CREDENCE_GMIME
};

const GMimeLibrary& library() {
  static const GMimeLibrary loaded;
  return loaded;
}

struct Free {
  void operator()(char* text) const { library().free(text); }
};
struct Unref {
  void operator()(void* object) const { library().object_unref(object); }
};
using Chars = std::unique_ptr<char, Free>;
template <class T>
using Object = std::unique_ptr<T, Unref>;

// Initialises GMime on first use. The options are never changed afterwards, nor freed.
GMimeParserOptions* options() {
  static std::once_flag once;
  static GMimeParserOptions* made = nullptr;
  std::call_once(once, [] {
    library().init();
    made = library().parser_options_new();
    // The default has the locale's character set among them: mail must not depend on that.
    const char* charsets[] = {"utf-8", "iso-8859-1", nullptr};
    library().parser_options_set_fallback_charsets(made, charsets);
  });
  return made;
}

std::string text_of(const char* chars) { return chars ? chars : ""; }

}  // namespace

std::string decode_words(const std::string& value) {
  const Chars decoded(library().utils_header_decode_text(options(), value.c_str()));
  return text_of(decoded.get());
}

ContentType parse_content_type(const std::string& value) {
  const Object<GMimeContentType> parsed(library().content_type_parse(options(), value.c_str()));
  if (!parsed) return {};
  const auto parameter = [&](const char* name) {
    return text_of(library().content_type_get_parameter(parsed.get(), name));
  };
  ContentType result;
  // GMime calls what it cannot read application/octet-stream.
  if (value.find('/') != std::string::npos) {
    result.type = ascii_lower(text_of(library().content_type_get_media_type(parsed.get())));
    result.subtype = ascii_lower(text_of(library().content_type_get_media_subtype(parsed.get())));
  }
  result.charset = parameter("charset");
  result.boundary = parameter("boundary");
  result.name = parameter("name");
  return result;
}

std::string parse_file_name(const std::string& value) {
  const Object<GMimeContentDisposition> parsed(
      library().content_disposition_parse(options(), value.c_str()));
  return parsed ? text_of(library().content_disposition_get_parameter(parsed.get(), "filename"))
                : "";
}

std::string decode_content(std::string_view bytes, const std::string& encoding) {
  options();
  const GMimeContentEncoding known = library().content_encoding_from_string(encoding.c_str());
  if (known != GMIME_CONTENT_ENCODING_BASE64 && known != GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE &&
      known != GMIME_CONTENT_ENCODING_UUENCODE) {
    return std::string(bytes);
  }
  const Object<GMimeFilter> filter(library().filter_basic_new(known, FALSE));
  // A filter may write over the bytes before its input, so it gets a copy of its own.
  std::string input(bytes);
  std::string result;
  char* decoded = nullptr;
  std::size_t size = 0;
  std::size_t before = 0;
  // Only the first of the two looks for the "begin" of uuencode, only the second ends the last
  // line.
  library().filter_filter(filter.get(), input.data(), input.size(), 0, &decoded, &size, &before);
  result.append(decoded, size);
  library().filter_complete(filter.get(), nullptr, 0, 0, &decoded, &size, &before);
  return result.append(decoded, size);
}

}  // namespace credence::text
