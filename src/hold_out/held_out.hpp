// SPDX-License-Identifier: Apache-2.0
// Rows held out, some at a time: a million rows of a thousand classes have more scores than there
// is memory, and who judges them needs no two of them at once.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "hold_out/subtraction.hpp"
#include "parallel/pipeline.hpp"

namespace credence {

// What is said of some rows.
struct ScoredSlice {
  std::vector<std::size_t> places;          // in Dealt::rows
  std::vector<double> log_joint;            // rows x classes
  std::vector<std::vector<double>> blocks;  // if asked for, as in ScoredRows
};

// By subtraction. Scores do not depend on how rows are sliced.
class HeldOutScores {
 public:
  HeldOutScores(const Model& model, const Dealt& dealt, unsigned threads, bool by_block = false);

  // work(ScoredSlice) -> Out, in parallel; consume(Out), serial, sheet by sheet, in an order that
  // does not depend on the threads. May be asked for again.
  template <typename Out, typename Work, typename Consume>
  void stream(const Work& work, const Consume& consume) const {
    PipelineSteps<Task, Task, Out> steps;
    Task next;
    steps.produce = [&] { return take(next); };
    steps.refine = [](const Task& task) { return task; };
    steps.work = [&](Task&& task) -> Out { return work(score(task)); };
    steps.consume = [&](Out&& out) { consume(std::move(out)); };
    run_pipeline(threads_, steps);
  }

 private:
  // A sheet with its densities, made by whoever needs it first.
  struct Ready {
    std::once_flag made;
    std::shared_ptr<const Sheet> sheet;
    std::vector<Subtraction::AddScores> add;  // by block
  };
  struct Task {
    std::size_t sheet = 0, first = 0, count = 0;
    std::shared_ptr<Ready> ready = {};
  };
  std::optional<Task> take(Task& next) const;
  ScoredSlice score(const Task& task) const;

  const Subtraction subtraction_;
  const std::vector<std::string>& classes_;
  unsigned threads_;
  bool by_block_;
  std::vector<Subtraction::ScoresOf> scores_;  // by block
};

}  // namespace credence
