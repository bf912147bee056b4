// SPDX-License-Identifier: Apache-2.0
// Eight numbers side by side, each by itself, of which the processor takes two, four or all at a
// time: a kernel is written once, and has the same bits on every processor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_MANY_TARGETS
#endif

namespace credence {

template <std::size_t bytes>
struct VectorOf;
template <>
struct VectorOf<16> {
  using Type = double __attribute__((vector_size(16)));
};
template <>
struct VectorOf<32> {
  using Type = double __attribute__((vector_size(32)));
};
template <>
struct VectorOf<64> {
  using Type = double __attribute__((vector_size(64)));
};

// In vectors of so many bytes.
template <std::size_t bytes>
struct Eights {
  using Vector = typename VectorOf<bytes>::Type;
  static constexpr std::size_t width = bytes / sizeof(double), parts = 8 / width;
  Vector part[parts]{};

  [[gnu::always_inline]] static Eights at(const double* numbers) {
    Eights result;
    for (std::size_t p = 0; p < parts; ++p) {
      std::memcpy(&result.part[p], numbers + p * width, bytes);
    }
    return result;
  }
  [[gnu::always_inline]] static Eights all(double number) {
    // A number less 0 is that number, and compiled into no subtraction.
    return each([&](std::size_t) __attribute__((always_inline)) { return number - Vector{}; });
  }
  [[gnu::always_inline]] void store(double* numbers) const {
    for (std::size_t p = 0; p < parts; ++p) std::memcpy(numbers + p * width, &part[p], bytes);
  }
  template <class Step>
  [[gnu::always_inline]] static Eights each(const Step& step) {
    Eights result;
    for (std::size_t p = 0; p < parts; ++p) result.part[p] = step(p);
    return result;
  }

  [[gnu::always_inline]] Eights operator-() const {
    return each([this](std::size_t p) __attribute__((always_inline)) { return -part[p]; });
  }
  [[gnu::always_inline]] Eights& operator+=(const Eights& other) { return *this = *this + other; }
  [[gnu::always_inline]] friend Eights operator+(const Eights& x, const Eights& y) {
    return each([&](std::size_t p)
                    __attribute__((always_inline)) { return x.part[p] + y.part[p]; });
  }
  [[gnu::always_inline]] friend Eights operator-(const Eights& x, const Eights& y) {
    return each([&](std::size_t p)
                    __attribute__((always_inline)) { return x.part[p] - y.part[p]; });
  }
  [[gnu::always_inline]] friend Eights operator*(const Eights& x, const Eights& y) {
    return each([&](std::size_t p)
                    __attribute__((always_inline)) { return x.part[p] * y.part[p]; });
  }
  [[gnu::always_inline]] friend Eights operator/(const Eights& x, const Eights& y) {
    return each([&](std::size_t p)
                    __attribute__((always_inline)) { return x.part[p] / y.part[p]; });
  }
};

// x y + z, rounded once; exact on processors that have no such instruction too.
[[gnu::always_inline]] inline double multiply_add(double x, double y, double z) {
  return std::fma(x, y, z);
}

template <std::size_t bytes>
[[gnu::always_inline]] inline Eights<bytes> multiply_add(const Eights<bytes>& x,
                                                         const Eights<bytes>& y,
                                                         const Eights<bytes>& z) {
  Eights<bytes> result;
  for (std::size_t p = 0; p < Eights<bytes>::parts; ++p) {
    for (std::size_t i = 0; i < Eights<bytes>::width; ++i) {
      result.part[p][i] = __builtin_fma(x.part[p][i], y.part[p][i], z.part[p][i]);
    }
  }
  return result;
}

// How many numbers at a time: as this processor does, or fewer where a test says so.
enum class Lanes { two, four, eight };
inline Lanes& lanes() {
  static Lanes found = [] {
#ifdef CREDENCE_MANY_TARGETS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
      return Lanes::eight;
    if (__builtin_cpu_supports("fma")) return Lanes::four;
#endif
    return Lanes::two;
  }();
  return found;
}

#ifdef CREDENCE_MANY_TARGETS
template <class Kernel>
[[gnu::target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512")]] void in_eights(
    const Kernel& kernel) {
  kernel(Eights<64>());
}
template <class Kernel>
[[gnu::target("fma")]] void in_fours(const Kernel& kernel) {
  kernel(Eights<32>());
}
#endif

// Calls kernel(Eights), compiled for what the processor has; the kernel must be always_inline.
// most: where more at a time was measured to be slower, as the compiler has too few registers left,
// or finds no way to spread a number over all of them.
template <Lanes most = Lanes::eight, class Kernel>
void with_eights(const Kernel& kernel) {
#ifdef CREDENCE_MANY_TARGETS
  const Lanes here = std::min(most, lanes());
  if constexpr (most == Lanes::eight) {
    if (here == Lanes::eight) return in_eights(kernel);
  }
  if (here == Lanes::four) return in_fours(kernel);
#endif
  kernel(Eights<16>());
}

}  // namespace credence
