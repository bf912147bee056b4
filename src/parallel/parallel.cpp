// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>

namespace credence {

void parallel_for(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t failed = count;
  std::exception_ptr error;
  // Whatever is below one that failed was begun before it, and is done to its end.
  const auto share = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed) error = std::current_exception();
        failed = std::min(failed, i);
        next = count;
      }
    }
  };
  with_threads(threads, [&](std::size_t most) {
    run_crew(static_cast<unsigned>(std::min(most, count)), share);
  });
  if (error) std::rethrow_exception(error);
}

}  // namespace credence
