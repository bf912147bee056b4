// SPDX-License-Identifier: Apache-2.0
// Sixty-four bytes at once: which are word characters, which may join words, which are not ASCII.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace credence::text {

// Bit i is for byte i.
struct ByteMasks {
  std::uint64_t word = 0;    // ASCII letters, digits, "_"
  std::uint64_t joiner = 0;  // @ . - ', or @ and . alone
  std::uint64_t high = 0;    // not ASCII

  bool operator==(const ByteMasks&) const = default;
};

constexpr std::size_t block_bytes = 64;

// The definition. Copies the block to `out`, in lower case when fold. Joiners are only @ and . when
// parts.
template <bool fold, bool parts = false>
ByteMasks byte_masks_by_table(const char* in, char* out) {
  enum : std::uint8_t { word = 1, joiner = 2, high = 4 };
  static constexpr auto classes = [] {
    std::array<std::uint8_t, 256> result{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
          (byte >= '0' && byte <= '9') || byte == '_')
        result[byte] = word;
      const bool splits = parts && (byte == '-' || byte == '\'');
      if (byte == '@' || byte == '.' || byte == '-' || byte == '\'') {
        result[byte] = splits ? 0 : joiner;
      }
      if (byte >= 0x80) result[byte] = high;
    }
    return result;
  }();
  ByteMasks masks;
  for (std::size_t i = 0; i < block_bytes; ++i) {
    const char c = in[i];
    const std::uint64_t kind = classes[static_cast<unsigned char>(c)];
    masks.word |= (kind & 1) << i;
    masks.joiner |= (kind >> 1 & 1) << i;
    masks.high |= (kind >> 2) << i;
    out[i] = fold && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return masks;
}

#if defined(__SSE2__)

template <bool fold, bool parts = false>
ByteMasks byte_masks(const char* in, char* out) {
  // Moves low .. high to the bottom of the signed range, where one comparison finds it.
  const auto between = [](__m128i bytes, char low, char high) {
    const auto moved = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(-128 - low)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + (high - low + 1))));
  };
  const auto equal = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  const auto bits = [](__m128i bytes) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(bytes)));
  };
  ByteMasks masks;
  for (std::size_t part = 0; part < block_bytes; part += 16) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + part));
    const auto capital = between(bytes, 'A', 'Z');
    const auto lower = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8('a' - 'A')));
    const auto word = _mm_or_si128(_mm_or_si128(between(lower, 'a', 'z'), between(bytes, '0', '9')),
                                   equal(bytes, '_'));
    const auto joiner =
        parts ? _mm_or_si128(equal(bytes, '.'), equal(bytes, '@'))
              : _mm_or_si128(_mm_or_si128(between(bytes, '-', '.'), equal(bytes, '\'')),
                             equal(bytes, '@'));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + part), fold ? lower : bytes);
    masks.word |= bits(word) << part;
    masks.joiner |= bits(joiner) << part;
    masks.high |= bits(bytes) << part;
  }
  return masks;
}

#else

template <bool fold, bool parts = false>
ByteMasks byte_masks(const char* in, char* out) {
  return byte_masks_by_table<fold, parts>(in, out);
}

#endif

}  // namespace credence::text
