// SPDX-License-Identifier: Apache-2.0
// Short plain decimals such as -12.5, which most cells are, eight digits at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace credence::data {

// From each cell on so many bytes must be readable for plain_decimal(), whatever its size.
inline constexpr std::size_t decimal_padding = 17;

namespace detail {

constexpr std::uint64_t each_byte(std::uint64_t byte) { return byte * 0x0101010101010101u; }

inline std::uint64_t eight_bytes(const char* from) {
  std::uint64_t bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// The first `size` bytes, up to eight, moved to the end of eight, with zeros before them.
inline std::uint64_t right_aligned(std::uint64_t bytes, std::size_t size) {
  const std::size_t half = 4 * (8 - size);  // a shift by 64 is no shift
  return bytes << half << half | each_byte('0') >> 4 * size >> 4 * size;
}

inline bool all_digits(std::uint64_t bytes) {
  const std::uint64_t high = each_byte(0xF0);
  return ((bytes & high) | ((bytes + each_byte(6)) & high) >> 4) == each_byte(0x33);
}

// The number that eight digits say, the first of them in the lowest byte: pairs are joined, then
// pairs of pairs, then those (after D. Lemire's description).
inline std::uint64_t eight_digits(std::uint64_t bytes) {
  bytes = (bytes & each_byte(0x0F)) * (10 * 256 + 1) >> 8;
  bytes = (bytes & 0x00FF00FF00FF00FFu) * (100 * 65536 + 1) >> 16;
  return (bytes & 0x0000FFFF0000FFFFu) * (10000 * (std::uint64_t{1} << 32) + 1) >> 32;
}

// Takes the point out of eight bytes: what stands before it moves up, and `first` comes in. How
// many bytes stood behind the point; 8: there is none.
inline std::size_t take_point(std::uint64_t& bytes, std::uint64_t first) {
  const std::uint64_t other = bytes ^ each_byte('.');
  const std::uint64_t found = (other - each_byte(1)) & ~other & each_byte(0x80);
  if (found == 0) return 8;
  const int at = std::countr_zero(found) & ~7;
  const std::uint64_t before = (std::uint64_t{1} << at) - 1;
  bytes = (bytes & ~before << 8 & ~(std::uint64_t{0xFF} << at)) | (bytes & before) << 8 | first;
  return 7 - static_cast<std::size_t>(at / 8);
}

}  // namespace detail

// `text` is digits with at most one point among them, after a minus or nothing, and holds no more
// than 16 of both; else false. Exact: a whole number below 2^53 over a power of ten up to 10^15 is
// one correctly rounded division (Clinger, 1990).
inline bool plain_decimal(std::string_view text, double& value) {
  static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::uint64_t zero = '0';
  const bool negative = text[0] == '-';
  const char* const data = text.data() + negative;
  const std::size_t size = text.size() - negative;
  if (size - 1 >= 16) return false;
  std::uint64_t high = detail::each_byte('0'), low;
  std::size_t decimals = 0;
  if (size <= 8) {
    low = detail::right_aligned(detail::eight_bytes(data), size);
    decimals = detail::take_point(low, zero);
    if (decimals == 8) {
      decimals = 0;
    } else if (size == 1) {
      return false;
    }
  } else {
    high = detail::right_aligned(detail::eight_bytes(data), size - 8);
    low = detail::eight_bytes(data + size - 8);
    decimals = detail::take_point(low, high >> 56);
    if (decimals < 8) {
      high = high << 8 | zero;
    } else {
      decimals += detail::take_point(high, zero);
      if (decimals == 16) decimals = 0;
    }
    if (!detail::all_digits(high)) return false;
  }
  if (!detail::all_digits(low)) return false;
  const std::uint64_t digits = detail::eight_digits(high) * 100000000 + detail::eight_digits(low);
  if (digits >= std::uint64_t{1} << 53) return false;
  const double number = static_cast<double>(digits) / powers[decimals];
  value = negative ? -number : number;
  return true;
}

}  // namespace credence::data
