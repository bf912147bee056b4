// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "core/utf8.hpp"
#include "documents/documents.hpp"
#include "mail/headers.hpp"
#include "mail/mail_header.hpp"

namespace credence::data {
namespace {

// False: damaged, or too large to be a document.
bool unpack(std::string_view packed, std::string& bytes) {
  z_stream stream{};
  constexpr int gzip = 15 + 16;
  bytes.clear();
  if (packed.size() > largest_document || ::inflateInit2(&stream, gzip) != Z_OK) return false;
  // zlib reads only; its parameter lacks the const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  bytes.resize(std::clamp<std::size_t>(4 * packed.size(), 1 << 16, 1 << 26));
  std::size_t filled = 0;
  int state = Z_OK;
  while (state == Z_OK && filled <= largest_document) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + filled);
    stream.avail_out = static_cast<uInt>(bytes.size() - filled);
    state = ::inflate(&stream, Z_NO_FLUSH);
    filled = bytes.size() - stream.avail_out;
    // Packed files one behind the other are one.
    const bool more = state == Z_STREAM_END && stream.avail_in > 0 && *stream.next_in == 0x1F;
    if (more) state = ::inflateReset(&stream);
  }
  bytes.resize(filled);
  ::inflateEnd(&stream);
  return state == Z_STREAM_END && filled <= largest_document;
}

// Without the blank lines that editors and concatenation leave before a mail.
std::string_view without_lead(std::string_view text) {
  if (!text.starts_with('\n') && !text.starts_with('\r')) return text;
  const auto rest = text.substr(std::min(text.find_first_not_of("\r\n"), text.size()));
  return text::looks_like_mail(rest) ? rest : text;
}

}  // namespace

void DocumentReader::read(std::string_view bytes) {
  mail_.reset();
  const bool packed = bytes.starts_with("\x1F\x8B\x08");
  const bool whole = !packed || unpack(bytes, buffer_);
  is_too_large_ = packed && std::max(bytes.size(), buffer_.size()) > largest_document;
  is_damaged_ = !whole && !is_too_large_;
  unpacked_ = packed ? std::string_view(buffer_) : bytes;
  text_ = without_utf16(unpacked_, utf8_);
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  text_ = without_lead(text_);
  text_.remove_prefix(text::envelope_size(text_));
  // What is no text shows it early. A mail is one, whatever bytes are in it: else a single one
  // would make a filter blind.
  const bool binary = text_.substr(0, 8192).find('\0') != std::string_view::npos;
  is_text_ = whole && (!binary || text::looks_like_mail(text_));
  text_ = text::without_header(text_, text::verdict_header, stripped_);
}

const text::Mail& DocumentReader::mail() {
  if (!mail_) mail_ = text::parse_mail(text_);
  return *mail_;
}

}  // namespace credence::data
