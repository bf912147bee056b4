// SPDX-License-Identifier: Apache-2.0
// Threads for a job that shares itself out.
#pragma once

#include <functional>

namespace credence {

// More are never of use.
constexpr unsigned most_threads = 1024;

// Those that this process may run on.
unsigned usable_cores();

// `work` on so many threads, of which the caller is one; fewer where the system has no more. It
// must not throw, and ends when all have ended.
void run_crew(unsigned threads, const std::function<void()>& work);

}  // namespace credence
