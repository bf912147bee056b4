// SPDX-License-Identifier: Apache-2.0
// How much of the time in which a model file is loaded goes into checking it.
//   check_model MODEL [REPEATS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "credence/io.hpp"

namespace {

template <typename Work>
double best_of(int repeats, const Work& work) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("check_model MODEL [REPEATS]"), 2;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
  const credence::Model model = credence::load(argv[1]);
  const double loading = best_of(repeats, [&] { credence::load(argv[1]); });
  const double checking = best_of(repeats, [&] { model.check(); });
  std::printf("%.1f MB: loaded in %.1f ms, of which the check takes %.1f ms, %.1f %%\n",
              static_cast<double>(std::filesystem::file_size(argv[1])) / 1e6, loading * 1e3,
              checking * 1e3, 100 * checking / loading);
}
