// SPDX-License-Identifier: Apache-2.0
#include "core/crew.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace credence {

unsigned usable_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

void run_crew(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < threads) others.emplace_back(work);
  } catch (const std::system_error&) {
    // As many as there are.
  }
  work();
}

}  // namespace credence
