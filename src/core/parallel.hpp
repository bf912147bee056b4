// SPDX-License-Identifier: Apache-2.0
// Work in parallel, results in order: what makes any number of threads give the same bits.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "core/crew.hpp"

namespace credence {

// Runs `work` where `threads` threads may help it (0: one per core).
template <typename Work>
void with_threads(unsigned threads, const Work& work) {
  namespace tbb = oneapi::tbb;
  const int count = threads == 0 ? tbb::info::default_concurrency()
                                 : static_cast<int>(std::min(threads, most_threads));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(count));
  tbb::task_arena arena(count);
  arena.execute([&] { work(static_cast<std::size_t>(count)); });
}

// produce() -> optional<In>, serial; work(In) -> Out, in parallel; consume(Out), serial, in the
// order of production. The first error in that order is the one thrown.
template <typename In, typename Out, typename Produce, typename Work, typename Consume>
void ordered_pipeline(unsigned threads, const Produce& produce, const Work& work,
                      const Consume& consume) {
  namespace tbb = oneapi::tbb;
  struct Item {
    std::optional<In> in;
    std::optional<Out> out;
    std::exception_ptr error;
  };
  // A pipeline that is thrown out of leaks what is in flight: it is drained instead.
  std::exception_ptr first_error;
  std::atomic<bool> failed = false;
  bool exhausted = false;
  const auto guarded = [](Item& item, const auto& step) {
    if (item.error) return;
    try {
      step();
    } catch (...) {
      item.error = std::current_exception();
    }
  };
  using Token = std::shared_ptr<Item>;
  const auto read = [&](tbb::flow_control& control) -> Token {
    auto item = std::make_shared<Item>();
    if (!failed && !exhausted) guarded(*item, [&] { item->in = produce(); });
    exhausted = !item->in;
    if (exhausted && !item->error) control.stop();
    return item;
  };
  const auto compute = [&](const Token& item) {
    guarded(*item, [&] { item->out.emplace(work(*item->in)); });
    item->in.reset();
    return item;
  };
  const auto take = [&](const Token& item) {
    if (failed) return;
    guarded(*item, [&] { consume(std::move(*item->out)); });
    if (!item->error) return;
    first_error = item->error;
    failed = true;
  };
  with_threads(threads, [&](std::size_t count) {
    constexpr auto in_order = tbb::filter_mode::serial_in_order;
    tbb::parallel_pipeline(2 * count,
                           tbb::make_filter<void, Token>(in_order, read) &
                               tbb::make_filter<Token, Token>(tbb::filter_mode::parallel, compute) &
                               tbb::make_filter<Token, void>(in_order, take));
  });
  if (first_error) std::rethrow_exception(first_error);
}

template <typename Body>
void parallel_for(unsigned threads, std::size_t count, const Body& body) {
  with_threads(threads,
               [&](std::size_t) { oneapi::tbb::parallel_for(std::size_t{0}, count, body); });
}

}  // namespace credence
