// SPDX-License-Identifier: Apache-2.0
// Two hashes of bytes: a fast one for tables in memory, and a stable one for names.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace credence {

// Bytes with their hash. `head` has the first eight, filled up with zeros: it alone tells tokens of
// up to eight bytes apart, since no token has a NUL.
struct HashedBytes {
  const char* data;
  std::size_t size;
  std::uint64_t head;
  std::uint64_t hash;

  std::string_view view() const { return {data, size}; }
};

namespace detail {

inline std::uint64_t load8(const char* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, 8);
  return value;
}

// Both halves of the product, folded: one multiplication in which every bit reaches every other.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline HashedBytes hashed(const char* data, std::size_t size, std::uint64_t head) {
  // Odd numbers without structure; neither factor may be 0 for all tokens of some kind.
  constexpr std::uint64_t a = 0x9E3779B97F4A7C15u, b = 0xD1B54A32D192ED03u;
  if (size <= 8) return {data, size, head, mix(head ^ a, b)};
  std::uint64_t state = mix(head ^ a, b + size);
  std::size_t at = 8;
  for (; at + 8 < size; at += 8) state = mix(state ^ load8(data + at), b);
  return {data, size, head, mix(state ^ load8(data + size - 8), a)};
}

}  // namespace detail

// Eight bytes from data on must be readable, whatever the size.
inline HashedBytes hash_padded(const char* data, std::size_t size) {
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t kept = size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
    return detail::hashed(data, size, detail::load8(data) & kept);
  } else {
    std::uint64_t head = 0;
    std::memcpy(&head, data, size < 8 ? size : 8);
    return detail::hashed(data, size, head);
  }
}

inline HashedBytes hash(std::string_view bytes) {
  std::uint64_t head = 0;
  std::memcpy(&head, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
  return detail::hashed(bytes.data(), bytes.size(), head);
}

// FNV-1a of 64 bits, then the last step of MurmurHash3, because the low bits of FNV depend on the
// low bits of the text alone. Models keep names made from it: it is the same on every machine and
// must never change.
inline std::uint64_t stable_hash(std::string_view bytes) {
  std::uint64_t state = 0xCBF29CE484222325u;
  for (const char byte : bytes) {
    state = (state ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
  }
  state = (state ^ state >> 33) * 0xFF51AFD7ED558CCDu;
  state = (state ^ state >> 33) * 0xC4CEB9FE1A85EC53u;
  return state ^ state >> 33;
}

}  // namespace credence
