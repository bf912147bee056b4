// SPDX-License-Identifier: Apache-2.0
// Two hashes of bytes: a fast one for tables in memory, and a stable one for names.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace credence {

// Bytes with their hash. `head` has the first eight and `tail` the next eight, filled up with
// zeros: the two tell tokens of up to sixteen bytes apart, since no token has a NUL. The tail of
// longer ones is their last eight bytes.
struct HashedBytes {
  const char* data;
  std::size_t size;
  std::uint64_t head;
  std::uint64_t tail;
  std::uint64_t hash;

  std::string_view view() const { return {data, size}; }
  bool is_long() const { return size > 16; }
};

static_assert(std::endian::native == std::endian::little, "heads are made of bytes in this order");

namespace detail {

template <typename T>
std::uint64_t load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
inline std::uint64_t load8(const char* bytes) { return load<std::uint64_t>(bytes); }

// Both halves of the product, folded: one multiplication in which every bit reaches every other.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// `first`: eight bytes from data on, of which those behind the end may be anything. `last`: the
// eight bytes up to the end; anything where there are no more than eight. How long words are cannot
// be foreseen, so those of up to sixteen bytes go without a branch.
inline HashedBytes hashed(const char* data, std::size_t size, std::uint64_t first,
                          std::uint64_t last) {
  // Odd numbers without structure, which no text holds; neither factor may be 0 for all tokens of
  // some kind.
  constexpr std::uint64_t a = 0x9E3779B97F4A7C15u, b = 0xD1B54A32D192ED03u;
  const std::size_t in_head = size < 8 ? size : 8, in_tail = (size < 16 ? size : 16) - in_head;
  const std::uint64_t has_tail = in_tail > 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t head = first & (~std::uint64_t{0} >> ((64 - 8 * in_head) & 63));
  const std::uint64_t tail = (last >> ((64 - 8 * in_tail) & 63)) & has_tail;
  std::uint64_t state = mix(head ^ a, tail ^ b);
  if (size > 16) [[unlikely]] {
    state ^= size;
    for (std::size_t at = 8; at + 8 < size; at += 8) state = mix(state ^ load8(data + at), a);
  }
  return {data, size, head, tail, state};
}

}  // namespace detail

// Eight bytes from data on must be readable, whatever the size, which is not 0.
inline HashedBytes hash_padded(const char* data, std::size_t size) {
  return detail::hashed(data, size, detail::load8(data),
                        detail::load8(data + (size > 8 ? size - 8 : 0)));
}

inline HashedBytes hash(std::string_view bytes) {
  const char* const data = bytes.data();
  const std::size_t size = bytes.size();
  if (size >= 8) return hash_padded(data, size);
  const auto put = [](std::uint64_t value, std::size_t at) { return value << 8 * at; };
  if (size >= 4) {
    const std::uint64_t end = detail::load<std::uint32_t>(data + size - 4);
    return detail::hashed(data, size, detail::load<std::uint32_t>(data) | put(end, size - 4), 0);
  }
  if (size == 0) return {data, 0, 0, 0, 0};
  const auto byte = [&](std::size_t at) { return put(detail::load<std::uint8_t>(data + at), at); };
  return detail::hashed(data, size, byte(0) | byte(size / 2) | byte(size - 1), 0);
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
