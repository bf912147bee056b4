// SPDX-License-Identifier: Apache-2.0
#include "words/characters.hpp"

#include <utf8proc.h>

#include <new>

namespace credence::text {
namespace {

constexpr auto folding =
    static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
constexpr std::uint32_t zero_width_space = 0x200B;
constexpr std::uint32_t right_quote = 0x2019;

bool is_mark(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME;
}

// Vowels and final consonants of Korean compose with the syllable before them.
bool is_jamo(std::uint32_t point) { return point >= 0x1100 && point <= 0x11FF; }

// The one code point that `point` folds to, or 0 where it folds to several.
std::uint16_t fold_alone(std::uint32_t point) {
  utf8proc_int32_t parts[8];
  auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(point), parts, 8, folding, nullptr);
  if (count < 1 || count > 8) return 0;
  count = utf8proc_normalize_utf32(parts, count, folding);
  return count == 1 && parts[0] < 0x10000 ? static_cast<std::uint16_t>(parts[0]) : 0;
}

}  // namespace

Role Characters::role(std::uint32_t point) {
  if (point == '_') return Role::word;
  if (point == '@' || point == '.' || point == '-' || point == '\'' || point == right_quote)
    return Role::joiner;
  const auto signed_point = static_cast<utf8proc_int32_t>(point);
  if (utf8proc_get_property(signed_point)->ignorable && point != zero_width_space)
    return Role::ignorable;
  const auto category = utf8proc_category(signed_point);
  if (is_mark(category)) return Role::word;
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return Role::word;
    default:
      return Role::separator;
  }
}

Characters::Characters() {
  basic_.reserve(0x10000);
  for (std::uint32_t point = 0; point < 0x10000; ++point) {
    Entry entry{role(point), false, 0};
    if (entry.role == Role::word && !is_jamo(point) &&
        !is_mark(utf8proc_category(static_cast<utf8proc_int32_t>(point)))) {
      entry.folded = fold_alone(point);
      entry.alone = entry.folded != 0;
    }
    basic_.push_back(entry);
  }
}

const Characters& Characters::table() {
  static const Characters characters;
  return characters;
}

std::string_view Folder::operator()(std::string_view utf8) {
  // No character folds to more than four, and re-encoding in place wants one place more.
  const std::size_t room = 4 * utf8.size() + 1;
  if (points_.size() < room) points_.resize(room);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
  const auto size = static_cast<utf8proc_ssize_t>(utf8.size());
  auto count = utf8proc_decompose(bytes, size, points_.data(),
                                  static_cast<utf8proc_ssize_t>(room - 1), folding);
  if (count >= 0) count = utf8proc_reencode(points_.data(), count, folding);
  if (count < 0) throw std::bad_alloc();  // valid UTF-8 that fits fails for no other reason
  return {reinterpret_cast<const char*>(points_.data()), static_cast<std::size_t>(count)};
}

}  // namespace credence::text
