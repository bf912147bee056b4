// SPDX-License-Identifier: Apache-2.0
// Sixty-four bytes of a table at once: where cells and records end, and where quotes stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace credence::data {

constexpr std::size_t separator_block = 64;

// Bit i is for byte i.
struct Separators {
  std::uint64_t delimiter = 0, newline = 0, quote = 0, carriage_return = 0;

  bool operator==(const Separators&) const = default;
};

// The definition.
inline Separators separators_by_byte(const char* bytes, char delimiter) {
  Separators found;
  for (std::size_t i = 0; i < separator_block; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (bytes[i] == delimiter) found.delimiter |= bit;
    if (bytes[i] == '\n') found.newline |= bit;
    if (bytes[i] == '"') found.quote |= bit;
    if (bytes[i] == '\r') found.carriage_return |= bit;
  }
  return found;
}

#if defined(__SSE2__)

inline Separators separators(const char* bytes, char delimiter) {
  Separators found;
  for (std::size_t part = 0; part < separator_block; part += 16) {
    const auto block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    const auto equal = [&](char c) {
      const auto same = _mm_cmpeq_epi8(block, _mm_set1_epi8(c));
      return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(same))) << part;
    };
    found.delimiter |= equal(delimiter);
    found.newline |= equal('\n');
    found.quote |= equal('"');
    found.carriage_return |= equal('\r');
  }
  return found;
}

#else

inline Separators separators(const char* bytes, char delimiter) {
  return separators_by_byte(bytes, delimiter);
}

#endif

// Spaces and all other bytes up to them.
inline std::uint64_t spaces_by_byte(const char* bytes) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < separator_block; ++i) {
    if (static_cast<unsigned char>(bytes[i]) <= ' ') found |= std::uint64_t{1} << i;
  }
  return found;
}

#if defined(__SSE2__)

inline std::uint64_t spaces(const char* bytes) {
  std::uint64_t found = 0;
  for (std::size_t part = 0; part < separator_block; part += 16) {
    const auto block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    const auto same = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(' ')), block);
    found |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(same))) << part;
  }
  return found;
}

#else

inline std::uint64_t spaces(const char* bytes) { return spaces_by_byte(bytes); }

#endif

// Steps through a record block by block and tells quoted bytes from others, as long as quotes stand
// where cells begin and end and nowhere else, with nothing before or behind them. All else is not
// `plain`, and for readers that look at every byte.
class QuoteTracker {
 public:
  struct Block {
    std::uint64_t delimiters = 0;  // outside of quotes
    std::uint64_t newlines = 0;
    std::uint64_t quoted_newlines = 0;
    std::uint64_t odd = 0;      // where quotes are not plain
    std::uint64_t doubled = 0;  // where a quote opens again: two of them, for one in the text
  };

  Block next(const Separators& at) {
    const std::uint64_t inside = up_to(at.quote) ^ (inside_ ? ~std::uint64_t{0} : 0);
    const std::uint64_t ends = at.delimiter | at.newline;
    const std::uint64_t opening = at.quote & inside, closing = at.quote & ~inside;
    const std::uint64_t may_open = (ends | at.quote) << 1 | may_open_;
    const std::uint64_t behind = closing << 1 | closed_;
    const std::uint64_t odd =
        (opening & ~may_open) | (behind & ~(ends | at.quote | at.carriage_return));
    inside_ = inside >> 63;
    may_open_ = (ends | at.quote) >> 63;
    closed_ = closing >> 63;
    return {at.delimiter & ~inside, at.newline & ~inside, at.newline & inside, odd,
            opening & behind};
  }

 private:
  // Bit i: whether there is an odd number of bits up to i.
  static std::uint64_t up_to(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
  }

  bool inside_ = false;
  std::uint64_t may_open_ = 1;  // for the first byte
  std::uint64_t closed_ = 0;
};

}  // namespace credence::data
