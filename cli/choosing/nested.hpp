// SPDX-License-Identifier: Apache-2.0
// What cv judges beyond a model: everything that is found from rows is found anew in every fold,
// from the rows that the fold may learn from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/plan.hpp"
#include "hold_out/dealt.hpp"

namespace credence::cli {

struct NestedOptions {
  bool best = false;
  std::string effort = "normal";
  bool discriminative = false;
  double penalty = 1;
  std::string calibrate;  // the method
  bool trust = false;     // --trust on

  bool asked() const { return best || discriminative || !calibrate.empty() || trust; }
  // Refuses what does not go together.
  void check() const;
};

void add_nested(CLI::App* command, NestedOptions& options);

// What is judged, with the rows it is judged by.
struct Judged {
  Schema schema;
  std::vector<Chunk> chunks;
  std::size_t beside = 0;  // where the chunks have the column that says how rows are held out
  std::optional<Model> model = {};  // to be judged by subtraction, else:
  Learner learn = {};
};

// Reads DATA and says what is to be judged.
Judged to_be_judged(PlanOptions& plan, const NestedOptions& nested, const FoldOptions& folds,
                    const Common& common);

}  // namespace credence::cli
