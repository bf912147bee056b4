// SPDX-License-Identifier: Apache-2.0
// The threads of the program, for jobs that share themselves out.
#pragma once

#include <cstddef>
#include <functional>

namespace credence {

// More are never of use.
constexpr unsigned most_threads = 1024;

// Those that this process may run on.
unsigned usable_cores();

// How many threads work that is done here may have: as many as the job that it is part of, or one
// per core.
unsigned threads_here();

// Runs `work`, where all that is done within it has so many threads in all (0: as many as here). It
// gets their number.
void with_threads(unsigned threads, const std::function<void(std::size_t)>& work);

// Calls `work` so often, and at least once: by the caller, and by whoever of the crew is free. It
// must not throw. A call that comes late finds nothing left to do, so no job waits for a thread
// that is busy elsewhere, and jobs may be part of one another. The crew is hired when it is first
// needed, all at once, and kept: a job is often over in a moment.
void run_crew(unsigned calls, const std::function<void()>& work);

}  // namespace credence
