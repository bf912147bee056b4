// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/number_scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/log_math.hpp"

// Wider registers change nothing but the speed: no step is contracted or reordered.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_WITH_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define CREDENCE_WITH_AVX2
#endif

namespace credence {
namespace {

// Rows at a time: a fixed number, so that loops need no remainder.
constexpr std::size_t width = 256;

// log(1 + f) for 1 + f from sqrt(1/2) to sqrt(2), less f: the polynomial of fdlibm's log (Sun
// Microsystems, 1993), good to less than 1 unit in the last place of the logarithm.
[[gnu::always_inline]] inline double log_near_one(double f, double rest) {
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  const double odd = w * (3.999999999940941908e-01 +
                          w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double even = z * (6.666666666666735130e-01 +
                           w * (2.857142874366239149e-01 +
                                w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double square = 0.5 * f * f;
  return (square - (s * (square + odd + even) + rest)) - f;
}

// log(1 + u) for 0 <= u < 1e300, without a branch: 1 + u = 2^k (1 + f), and what was lost by
// rounding 1 + u is put back into f.
[[gnu::always_inline]] inline double log_one_plus(double u) {
  constexpr std::uint64_t one = 0x3ff0000000000000, half_root = 0x3fe6a09e00000000,
                          fraction = 0x000fffffffffffff, two_52 = 0x4330000000000000;
  const double y = 1 + u;
  const double lost = u - (y - 1);
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(y) + (one - half_root);
  const std::uint64_t biased = shifted >> 52;
  // Whole numbers below 2^52 become doubles by standing in the last bits of 2^52.
  const double k = std::bit_cast<double>(biased | two_52) - (0x1p52 + 1023);
  const double m = std::bit_cast<double>((shifted & fraction) + half_root);
  const double down = std::bit_cast<double>((2046 - biased) << 52);  // 2^-k
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  return k * ln2_high - log_near_one((m - 1) + lost * down, k * ln2_low);
}

CREDENCE_WITH_AVX2 void normal_terms(const double* __restrict x, const NumberDensity d,
                                     double weight, double* __restrict terms) {
  const double inverse = 1 / d.scale;
  for (std::size_t r = 0; r < width; ++r) {
    const double z = (x[r] - d.mean) * inverse;
    const double term = weight * (d.log_norm - 0.5 * z * z);
    terms[r] = x[r] == x[r] ? term : 0.0;
  }
}

enum Reach : std::uint64_t { near = 0, middle = 1, far = 3 };

// z^2 / freedom of each value, and how far out the farthest is.
CREDENCE_WITH_AVX2 std::uint64_t student_squares(const double* __restrict x, const NumberDensity d,
                                                 double* __restrict squares) {
  const double inverse = 1 / d.scale, inverse_freedom = 1 / d.freedom;
  std::uint64_t reach = near;
  for (std::size_t r = 0; r < width; ++r) {
    const double z = (x[r] - d.mean) * inverse;
    squares[r] = z * z * inverse_freedom;
    reach |= squares[r] > 0.41 ? middle : near;
    reach |= squares[r] > 1e290 ? far : near;
  }
  return reach;
}

// Both give the same bits where both hold: up to 1 + u = sqrt(2), f is u and k is 0.
template <bool is_near>
[[gnu::always_inline]] inline void finish_student(const double* __restrict x, const NumberDensity d,
                                                  double weight, double* __restrict terms) {
  const double power = 0.5 * (d.freedom + 1);
  for (std::size_t r = 0; r < width; ++r) {
    const double u = terms[r];
    const double log_square = is_near ? 0 - log_near_one(u, 0) : log_one_plus(u);
    const double term = weight * (d.log_norm - power * log_square);
    terms[r] = x[r] == x[r] ? term : 0.0;
  }
}

CREDENCE_WITH_AVX2 void near_student(const double* x, const NumberDensity d, double weight,
                                     double* terms) {
  finish_student<true>(x, d, weight, terms);
}

CREDENCE_WITH_AVX2 void middle_student(const double* x, const NumberDensity d, double weight,
                                       double* terms) {
  finish_student<false>(x, d, weight, terms);
}

void class_terms(const double* x, const NumberDensity& d, double weight, double* terms) {
  const bool usual = d.scale > 1e-280 && d.scale < 1e280 && d.freedom > 1e-100;
  if (usual && std::isinf(d.freedom)) return normal_terms(x, d, weight, terms);
  const auto reach = usual ? student_squares(x, d, terms) : far;
  if (reach == near) return near_student(x, d, weight, terms);
  if (reach == middle) return middle_student(x, d, weight, terms);
  // A square that overflows, or no density to speak of.
  for (std::size_t r = 0; r < width; ++r) {
    terms[r] = std::isnan(x[r]) ? 0 : weight * d.log_density(x[r]);
  }
}

}  // namespace

void add_number_scores(std::span<const double> values, std::span<const NumberDensity> classes,
                       double weight, std::span<double> joint) {
  double padded[width], terms[width], second[width];
  for (std::size_t start = 0; start < values.size(); start += width) {
    const std::size_t count = std::min(width, values.size() - start);
    const double* x = values.data() + start;
    if (count < width) {
      std::fill(std::copy_n(x, count, padded), padded + width, not_a_number);
      x = padded;
    }
    double* out = joint.data() + start * classes.size();
    if (classes.size() == 2) {  // the most frequent case: one pass over the sums
      class_terms(x, classes[0], weight, terms);
      class_terms(x, classes[1], weight, second);
      for (std::size_t r = 0; r < count; ++r) {
        out[2 * r] += terms[r];
        out[2 * r + 1] += second[r];
      }
      continue;
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      class_terms(x, classes[c], weight, terms);
      for (std::size_t r = 0; r < count; ++r) out[r * classes.size() + c] += terms[r];
    }
  }
}

}  // namespace credence
