// SPDX-License-Identifier: Apache-2.0
// Work in parallel, results in order, where the work has to wait for something that is prepared
// meanwhile.
#pragma once

#include <oneapi/tbb/flow_graph.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"

namespace credence {

template <typename In, typename Middle, typename Out>
struct PreparedSteps {
  std::function<std::optional<In>()> produce;  // serial
  std::function<Middle(const In&)> refine;     // in parallel, while there may be nothing prepared
  std::function<void()> prepare;               // once, beside those two
  std::function<Out(const Middle&)> work;      // in parallel, when that is done
  std::function<void(const Out&)> consume;     // serial, in the order of production
};

// Nothing waits as long as there is anything to do, so that no more threads are needed than there
// are cores: with one more, the system may leave two of them on one core and another core idle.
// What prepare() throws is thrown before anything else, then the first error in the order of
// production.
template <typename In, typename Middle, typename Out>
void prepared_pipeline(unsigned threads, const PreparedSteps<In, Middle, Out>& steps) {
  namespace flow = oneapi::tbb::flow;
  struct Item {
    std::size_t number;
    std::optional<In> in = {};
    std::optional<Middle> middle = {};
    std::optional<Out> out = {};
    std::exception_ptr error = {};
  };
  using Token = std::shared_ptr<Item>;
  std::exception_ptr unprepared, first_error;
  std::atomic<bool> failed = false;
  std::size_t produced = 0;
  bool exhausted = false;
  const auto guarded = [](std::exception_ptr& error, const auto& step) {
    if (error) return;
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
  };
  with_threads(threads, [&](std::size_t count) {
    flow::graph graph;
    flow::input_node<Token> produce(graph, [&](oneapi::tbb::flow_control& control) {
      auto item = std::make_shared<Item>(Item{produced++});
      if (!failed && !exhausted) guarded(item->error, [&] { item->in = steps.produce(); });
      exhausted = !item->in;
      if (exhausted && !item->error) control.stop();
      return item;
    });
    flow::limiter_node<Token> limit(graph, 2 * count);
    flow::function_node<Token, Token> refine(graph, flow::unlimited, [&](const Token& item) {
      guarded(item->error, [&] { item->middle.emplace(steps.refine(*item->in)); });
      item->in.reset();
      return item;
    });
    flow::queue_node<Token> refined(graph);
    flow::function_node<flow::continue_msg, flow::continue_msg> prepare(
        graph, flow::serial, [&](flow::continue_msg done) {
          guarded(unprepared, steps.prepare);
          if (unprepared) failed = true;
          return done;
        });
    flow::write_once_node<flow::continue_msg> prepared(graph);
    using Both = std::tuple<Token, flow::continue_msg>;
    flow::join_node<Both, flow::reserving> both(graph);
    flow::function_node<Both, Token> work(graph, flow::unlimited, [&](const Both& ready) {
      const Token& item = std::get<0>(ready);
      if (!failed) guarded(item->error, [&] { item->out.emplace(steps.work(*item->middle)); });
      item->middle.reset();
      return item;
    });
    flow::sequencer_node<Token> in_order(graph, [](const Token& item) { return item->number; });
    flow::function_node<Token, flow::continue_msg> consume(
        graph, flow::serial, [&](const Token& item) {
          if (!failed) guarded(item->error, [&] { steps.consume(*item->out); });
          if (item->error && !failed) first_error = item->error;
          if (item->error) failed = true;
          return flow::continue_msg();
        });
    flow::make_edge(produce, limit);
    flow::make_edge(limit, refine);
    flow::make_edge(refine, refined);
    flow::make_edge(refined, flow::input_port<0>(both));
    flow::make_edge(prepare, prepared);
    flow::make_edge(prepared, flow::input_port<1>(both));
    flow::make_edge(both, work);
    flow::make_edge(work, in_order);
    flow::make_edge(in_order, consume);
    flow::make_edge(consume, limit.decrementer());
    prepare.try_put(flow::continue_msg());
    produce.activate();
    graph.wait_for_all();
  });
  if (unprepared) std::rethrow_exception(unprepared);
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace credence
