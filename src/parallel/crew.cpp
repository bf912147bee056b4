// SPDX-License-Identifier: Apache-2.0
#include "parallel/crew.hpp"

#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace credence {
namespace {

// Who works on a job and on all jobs within it.
struct Team {
  unsigned threads;  // at most
  unsigned busy = 1;
};
thread_local Team* team_here = nullptr;

struct Job {
  const std::function<void()>& work;
  Team& team;
  unsigned calls;        // that nobody has begun
  unsigned helpers = 0;  // at work on it

  bool has_room() const { return calls > 0 && team.busy < team.threads; }
};

class Crew {
 public:
  void run(unsigned calls, const std::function<void()>& work, Team& team) {
    Job job{work, team, calls - 1};
    post(job);
    work();
    for (unsigned late = take_back(job); late > 0; --late) work();
    std::unique_lock lock(mutex_);
    if (job.helpers == 0) return;
    // Meanwhile another may take a job that is part of this one.
    --team.busy;
    posted_.notify_one();
    left_.wait(lock, [&] { return job.helpers == 0; });
    ++team.busy;
  }

 private:
  void post(Job& job) {
    if (job.calls == 0) return;
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    for (unsigned i = job.team.busy; i < job.team.threads && i - job.team.busy < job.calls; ++i) {
      if (free_ <= i - job.team.busy) hire();
      posted_.notify_one();
    }
  }

  unsigned take_back(Job& job) {
    const std::lock_guard lock(mutex_);
    std::erase(jobs_, &job);
    return std::exchange(job.calls, 0);
  }

  void hire() {
    try {
      std::thread([this] { help(); }).detach();
      ++free_;
    } catch (const std::exception&) {
      // As many as there are.
    }
  }

  void help() {
    std::unique_lock lock(mutex_);
    while (true) {
      // The latest first: an earlier one may be waiting for it.
      const auto found = std::find_if(jobs_.rbegin(), jobs_.rend(),
                                      [](const Job* job) { return job->has_room(); });
      if (found == jobs_.rend()) {
        posted_.wait(lock);
        continue;
      }
      Job& job = **found;
      --free_;
      --job.calls;
      ++job.helpers;
      ++job.team.busy;
      team_here = &job.team;
      lock.unlock();
      job.work();
      lock.lock();
      team_here = nullptr;
      ++free_;
      --job.team.busy;
      if (--job.helpers == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable posted_, left_;
  std::vector<Job*> jobs_;
  unsigned free_ = 0;  // threads that work on no job
};

// Never destroyed: its threads wait for jobs until the process ends. A process that is forked has
// none of its parent's threads, and hires its own.
Crew& the_crew() {
  static Crew* crew = [] {
    ::pthread_atfork(nullptr, nullptr, [] { crew = new Crew; });
    return new Crew;
  }();
  return *crew;
}

}  // namespace

unsigned usable_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned threads_here() { return team_here ? team_here->threads : usable_cores(); }

void with_threads(unsigned threads, const std::function<void(std::size_t)>& work) {
  const unsigned count = threads == 0 ? threads_here() : std::min(threads, most_threads);
  if (team_here) return work(count);
  struct Joined {
    explicit Joined(Team& team) { team_here = &team; }
    ~Joined() { team_here = nullptr; }
  };
  Team team{count};
  const Joined joined(team);
  work(count);
}

void run_crew(unsigned calls, const std::function<void()>& work) {
  with_threads(calls, [&](std::size_t) { the_crew().run(std::max(calls, 1u), work, *team_here); });
}

}  // namespace credence
