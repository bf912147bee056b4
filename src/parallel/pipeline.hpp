// SPDX-License-Identifier: Apache-2.0
// Work in parallel, results in order: what makes any number of threads give the same bits. The work
// may have to wait for something that is prepared meanwhile.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "parallel/crew.hpp"

namespace credence {

template <typename In, typename Middle, typename Out>
struct PipelineSteps {
  std::function<std::optional<In>()> produce;  // serial
  std::function<Middle(const In&)> refine;     // in parallel, while there may be nothing prepared
  std::function<void()> prepare;               // once, beside those two; empty: nothing to prepare
  std::function<Out(Middle&&)> work;           // in parallel, when that is done
  std::function<void(Out&&)> consume;          // serial, in the order of production
};

// Nobody waits as long as there is anything to do, so that no more threads are needed than there
// are cores: with one more, the system may leave two of them on one core and another core idle.
template <typename In, typename Middle, typename Out>
class Pipeline {
 public:
  explicit Pipeline(const PipelineSteps<In, Middle, Out>& steps)
      : steps_(steps), preparing_(!steps.prepare), prepared_(!steps.prepare) {}

  // What prepare() throws is thrown before anything else, then the first error in the order of
  // production.
  void run(unsigned threads) {
    with_threads(threads, [this](std::size_t count) {
      most_items_ = 2 * count;
      run_crew(static_cast<unsigned>(count), [this] { join_in(); });
    });
    if (unprepared_) std::rethrow_exception(unprepared_);
    if (first_error_) std::rethrow_exception(first_error_);
  }

 private:
  struct Item {
    std::size_t number;
    std::optional<In> in = {};
    std::optional<Middle> middle = {};
    std::optional<Out> out = {};
    std::exception_ptr error = {};
  };
  using Token = std::unique_ptr<Item>;
  using Lock = std::unique_lock<std::mutex>;

  // Only what keeps the items may throw here, when there is no memory left: then all go home.
  void join_in() {
    try {
      share();
    } catch (...) {
      const Lock lock(mutex_);
      unprepared_ = std::current_exception();
      aborted_ = true;
      changed_.notify_all();
    }
  }

  void share() {
    Lock lock(mutex_);
    while (!aborted_) {
      if (!taking_ && worked_.contains(taken_)) {
        take(lock);
      } else if (!preparing_) {
        prepare(lock);
      } else if (prepared_ && !refined_.empty()) {
        Token item = std::move(refined_.front());
        refined_.pop_front();
        work(lock, std::move(item));
      } else if (!producing_ && !exhausted_ && items_ < most_items_) {
        produce(lock);
      } else if (prepared_ && exhausted_ && items_ == 0) {
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  // Does something that others need not wait for; what it throws is kept.
  template <typename Step>
  void unlocked(Lock& lock, std::exception_ptr& error, const Step& step) {
    lock.unlock();
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    changed_.notify_all();
  }

  void prepare(Lock& lock) {
    preparing_ = true;
    unlocked(lock, unprepared_, steps_.prepare);
    prepared_ = true;
    if (unprepared_) fail();
  }

  void fail() {
    failed_ = true;
    exhausted_ = true;
  }

  void produce(Lock& lock) {
    auto item = std::make_unique<Item>(Item{produced_++});
    producing_ = true;
    ++items_;
    unlocked(lock, item->error, [&] { item->in = steps_.produce(); });
    producing_ = false;
    if (!item->in) exhausted_ = true;
    if (item->in) {
      unlocked(lock, item->error, [&] { item->middle.emplace(steps_.refine(*item->in)); });
      item->in.reset();
    } else if (!item->error) {
      --items_;
      return;
    }
    if (prepared_) return work(lock, std::move(item));
    refined_.push_back(std::move(item));
  }

  void work(Lock& lock, Token item) {
    if (!item->error && !failed_) {
      unlocked(lock, item->error,
               [&] { item->out.emplace(steps_.work(std::move(*item->middle))); });
    }
    item->middle.reset();
    const std::size_t number = item->number;
    worked_.emplace(number, std::move(item));
  }

  void take(Lock& lock) {
    Token item = std::move(worked_.extract(taken_).mapped());
    taking_ = true;
    if (!item->error && !failed_) {
      unlocked(lock, item->error, [&] { steps_.consume(std::move(*item->out)); });
    }
    if (item->error && !failed_) {
      first_error_ = item->error;
      fail();
    }
    taking_ = false;
    ++taken_;
    --items_;
    changed_.notify_all();
  }

  const PipelineSteps<In, Middle, Out>& steps_;
  std::size_t most_items_ = 0;  // at a time

  std::mutex mutex_;
  std::condition_variable changed_;
  bool preparing_, prepared_;
  bool producing_ = false, exhausted_ = false, taking_ = false, failed_ = false;
  bool aborted_ = false;
  std::size_t produced_ = 0, taken_ = 0, items_ = 0;
  std::deque<Token> refined_;
  std::map<std::size_t, Token> worked_;
  std::exception_ptr unprepared_, first_error_;
};

// With so many threads; 0: one per core.
template <typename In, typename Middle, typename Out>
void run_pipeline(unsigned threads, const PipelineSteps<In, Middle, Out>& steps) {
  Pipeline<In, Middle, Out>(steps).run(threads);
}

}  // namespace credence
