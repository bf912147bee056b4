// SPDX-License-Identifier: Apache-2.0
// Work in parallel, results in order: what makes any number of threads give the same bits.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <exception>
#include <memory>
#include <optional>

namespace credence {

inline int arena_size(unsigned threads) {
  return threads == 0 ? oneapi::tbb::task_arena::automatic : static_cast<int>(threads);
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
  tbb::task_arena arena(arena_size(threads));
  arena.execute([&] {
    const auto tokens = static_cast<std::size_t>(2 * arena.max_concurrency());
    tbb::parallel_pipeline(
        tokens,
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
  oneapi::tbb::task_arena arena(arena_size(threads));
  arena.execute([&] { oneapi::tbb::parallel_for(std::size_t{0}, count, body); });
}

}  // namespace credence
