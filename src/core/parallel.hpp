// SPDX-License-Identifier: Apache-2.0
// Work in parallel, results in order: what makes any number of threads give the same bits.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <exception>
#include <memory>
#include <optional>

namespace credence {

// Runs `work` where `threads` threads may help it (0: one per core).
template <typename Work>
void with_threads(unsigned threads, const Work& work) {
  namespace tbb = oneapi::tbb;
  const int count = threads == 0 ? tbb::info::default_concurrency() : static_cast<int>(threads);
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
  struct Result {
    std::optional<Out> value;
    std::exception_ptr error;
  };
  with_threads(threads, [&](std::size_t count) {
    tbb::parallel_pipeline(
        2 * count,
        tbb::make_filter<void, std::shared_ptr<In>>(
            tbb::filter_mode::serial_in_order,
            [&](tbb::flow_control& control) -> std::shared_ptr<In> {
              std::optional<In> next = produce();
              if (!next) {
                control.stop();
                return nullptr;
              }
              return std::make_shared<In>(std::move(*next));
            }) &
            tbb::make_filter<std::shared_ptr<In>, std::shared_ptr<Result>>(
                tbb::filter_mode::parallel,
                [&](const std::shared_ptr<In>& in) {
                  auto result = std::make_shared<Result>();
                  try {
                    result->value.emplace(work(*in));
                  } catch (...) {
                    result->error = std::current_exception();
                  }
                  return result;
                }) &
            tbb::make_filter<std::shared_ptr<Result>, void>(
                tbb::filter_mode::serial_in_order, [&](const std::shared_ptr<Result>& result) {
                  if (result->error) std::rethrow_exception(result->error);
                  consume(std::move(*result->value));
                }));
  });
}

template <typename Body>
void parallel_for(unsigned threads, std::size_t count, const Body& body) {
  with_threads(threads,
               [&](std::size_t) { oneapi::tbb::parallel_for(std::size_t{0}, count, body); });
}

}  // namespace credence
