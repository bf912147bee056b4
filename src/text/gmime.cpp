// SPDX-License-Identifier: Apache-2.0
#include "text/gmime.hpp"

#include <gmime/gmime.h>

#include <memory>
#include <mutex>

namespace credence::text {
namespace {

struct Free {
  void operator()(char* text) const { g_free(text); }
};
struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
using Chars = std::unique_ptr<char, Free>;
template <class T>
using Object = std::unique_ptr<T, Unref>;

// Initialises GMime on first use. The options are never changed afterwards, nor freed.
GMimeParserOptions* options() {
  static std::once_flag once;
  static GMimeParserOptions* made = nullptr;
  std::call_once(once, [] {
    g_mime_init();
    made = g_mime_parser_options_new();
    // The default has the locale's character set among them: mail must not depend on that.
    const char* charsets[] = {"utf-8", "iso-8859-1", nullptr};
    g_mime_parser_options_set_fallback_charsets(made, charsets);
  });
  return made;
}

std::string text_of(const char* chars) { return chars ? chars : ""; }

std::string lower(const char* chars) {
  std::string text = text_of(chars);
  for (char& c : text) c = g_ascii_tolower(c);
  return text;
}

}  // namespace

std::string decode_words(const std::string& value) {
  const Chars decoded(g_mime_utils_header_decode_text(options(), value.c_str()));
  return text_of(decoded.get());
}

ContentType parse_content_type(const std::string& value) {
  const Object<GMimeContentType> parsed(g_mime_content_type_parse(options(), value.c_str()));
  if (!parsed) return {};
  const auto parameter = [&](const char* name) {
    return text_of(g_mime_content_type_get_parameter(parsed.get(), name));
  };
  ContentType result;
  // GMime calls what it cannot read application/octet-stream.
  if (value.find('/') != std::string::npos) {
    result.type = lower(g_mime_content_type_get_media_type(parsed.get()));
    result.subtype = lower(g_mime_content_type_get_media_subtype(parsed.get()));
  }
  result.charset = parameter("charset");
  result.boundary = parameter("boundary");
  result.name = parameter("name");
  return result;
}

std::string parse_file_name(const std::string& value) {
  const Object<GMimeContentDisposition> parsed(
      g_mime_content_disposition_parse(options(), value.c_str()));
  return parsed ? text_of(g_mime_content_disposition_get_parameter(parsed.get(), "filename")) : "";
}

std::string decode_content(std::string_view bytes, const std::string& encoding) {
  options();
  const GMimeContentEncoding known = g_mime_content_encoding_from_string(encoding.c_str());
  if (known != GMIME_CONTENT_ENCODING_BASE64 && known != GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE &&
      known != GMIME_CONTENT_ENCODING_UUENCODE) {
    return std::string(bytes);
  }
  const Object<GMimeFilter> filter(g_mime_filter_basic_new(known, FALSE));
  // A filter may write over the bytes before its input, so it gets a copy of its own.
  std::string input(bytes);
  std::string result;
  char* decoded = nullptr;
  std::size_t size = 0;
  std::size_t before = 0;
  // Only the first of the two looks for the "begin" of uuencode, only the second ends the last
  // line.
  g_mime_filter_filter(filter.get(), input.data(), input.size(), 0, &decoded, &size, &before);
  result.append(decoded, size);
  g_mime_filter_complete(filter.get(), nullptr, 0, 0, &decoded, &size, &before);
  return result.append(decoded, size);
}

}  // namespace credence::text
