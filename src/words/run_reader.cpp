// SPDX-License-Identifier: Apache-2.0
#include "words/run_reader.hpp"

#include <cstring>

#include "core/utf8.hpp"

namespace credence::text {

RunReader::Found RunReader::next() {
  const Characters& characters = Characters::table();
  alone_ = true;
  raw_size_ = size_ = 0;
  char joiner = 0;  // seen behind the word; of it if a word character follows
  while (at_ < end_) {
    const char* const begin = at_;
    const std::uint32_t point = decode_utf8(at_);
    const auto entry = characters[point];
    switch (entry.role) {
      case Role::ignorable:
        break;
      case Role::word:
        if (raw_size_ == 0) first_ = begin;
        last_ = at_;
        if (joiner != 0) {
          if (raw_size_ < longest_unfolded) raw_[raw_size_] = folded_[size_++] = joiner;
          ++raw_size_;
          joiner = 0;
        }
        // Four bytes must fit in both; folding alone never makes more than three of two.
        if (raw_size_ + 4 <= longest_unfolded && size_ + 4 <= longest_unfolded) {
          std::memcpy(raw_.data() + raw_size_, begin, static_cast<std::size_t>(at_ - begin));
          if (entry.alone && alone_) {
            size_ += encode_utf8(entry.folded, folded_.data() + size_);
          } else {
            alone_ = false;
          }
          raw_size_ += static_cast<std::size_t>(at_ - begin);
        } else {
          raw_size_ = longest_unfolded + 1;
        }
        break;
      case Role::joiner:
        if (raw_size_ > 0 && joiner == 0 && joins(point)) {
          joiner = point < 0x80 ? static_cast<char>(point) : '\'';
          break;
        }
        [[fallthrough]];
      case Role::separator:
        if (raw_size_ > 0) return finish();
    }
  }
  return raw_size_ > 0 ? finish() : Found::end;
}

bool RunReader::joins(std::uint32_t point) const {
  return pattern_ == TokenPattern::words ||
         (pattern_ == TokenPattern::parts && (point == '@' || point == '.'));
}

RunReader::Found RunReader::finish() {
  if (raw_size_ > longest_unfolded) return Found::overlong;
  if (!fold_) {
    size_ = raw_size_;
    if (size_ > TokenOptions::longest) return Found::overlong;
    std::memcpy(folded_.data(), raw_.data(), size_);
  } else if (!alone_) {
    const auto folded = folder_({raw_.data(), raw_size_});
    size_ = folded.size();
    if (size_ > TokenOptions::longest) return Found::overlong;
    std::memcpy(folded_.data(), folded.data(), size_);
  }
  return size_ > TokenOptions::longest ? Found::overlong : Found::word;
}

}  // namespace credence::text
