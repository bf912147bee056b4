// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bytes/stages.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "mail/headers.hpp"
#include "mail/mail_header.hpp"

namespace credence::data {
namespace {

// As many bytes as a document may have, and one more where there are more. False: damaged.
bool unpack(Packing packing, std::string_view packed, std::string& bytes) {
  bytes.clear();
  if (packed.size() > largest_document) return false;
  try {
    const auto stage = unpacked(packing, memory_bytes(packed), "");
    std::size_t filled = 0;
    bytes.resize(std::clamp<std::size_t>(4 * packed.size(), 1 << 16, largest_document + 1));
    while (true) {
      filled += stage->read(bytes.data() + filled, bytes.size() - filled);
      if (filled < bytes.size() || filled > largest_document) break;
      bytes.resize(std::min(2 * bytes.size(), largest_document + 1));
    }
    bytes.resize(filled);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    bytes.clear();
    return false;
  }
}

// A zip is no document, but may hold many.
Packing packing_of_document(std::string_view bytes) {
  const Packing packing = packing_of(bytes);
  return packing == Packing::zip || (packing == Packing::gzip && !bytes.starts_with("\x1F\x8B\x08"))
             ? Packing::none
             : packing;
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
  const Packing packing = packing_of_document(bytes);
  const bool packed = packing != Packing::none;
  const bool whole = !packed || unpack(packing, bytes, buffer_);
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
  is_text_ = whole && !is_too_large_ && (!binary || text::looks_like_mail(text_));
  text_ = text::without_header(text_, text::verdict_header, stripped_);
}

const text::Mail& DocumentReader::mail() {
  if (!mail_) mail_ = text::parse_mail(text_);
  return *mail_;
}

}  // namespace credence::data
