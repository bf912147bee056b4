// SPDX-License-Identifier: Apache-2.0
// Settings chosen by cross-validation, in one pass over the data whatever the number of settings.
#pragma once

#include <string>
#include <vector>

#include "credence/calibrate.hpp"
#include "credence/chunk.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/model.hpp"

namespace credence {

// One choice of everything: which blocks, estimated how, and weighed or not.
struct Candidate {
  std::vector<std::size_t> blocks;  // places among the blocks of the model that holds them all
  Settings settings;
  bool weigh = false;  // factors get the weights under which held-out rows have least log-loss
};

enum class Objective { accuracy, log_loss, cost, macro_f1, roc_auc };
// "accuracy", "log-loss", "cost", "f1", "auc", in the order of the above.
const std::vector<std::string>& objective_names();
Objective parse_objective(const std::string& name);

struct TuneOptions {
  Folds folds;
  Objective objective = Objective::log_loss;
  Costs costs;  // cost: what decisions cost
  // The winner will be calibrated by a sample, as fit does it (calibrate_by_sample): candidates
  // without weights are judged as they are after that.
  bool calibrated = false;
  // To what a candidate is chosen by, not to the log-loss that is told, one imaginary row is added:
  // columns as of any row, and a class drawn by the shares. So who is sure of all pays for it.
  bool surprised = false;
  unsigned threads = 0;
  Progress progress;  // hears how much of the work is done, of how much
};

// What a candidate was worth on rows it had not seen.
struct Tried {
  double accuracy = 0;
  double log_loss = 0;
  double cost = 0;                    // mean cost of the decisions, if costs were given
  double macro_f1 = 0;                // of all rows together, if that is the objective
  double roc_auc = 0;                 // the same
  double value = 0;                   // what it is chosen by: the less the better
  std::vector<double> of_folds = {};  // the same of every fold; none where rows are left out singly
  // Of the factors of its blocks, one block behind the other, chosen from all rows held out; empty:
  // not weighed. And what was added to the log prior of each class; empty: nothing.
  std::vector<double> weights = {}, shifts = {};
  Message failure;  // why it cannot be estimated; else ""
};

struct Tuning {
  std::vector<Tried> tried;
  std::size_t best = 0;  // the first of equals
  Model whole;           // all blocks, after all rows
  std::vector<Message> notes;
};

// Cross-validates every candidate by subtraction. `model`, before any row, has all the blocks:
// their statistics are computed once per fold, their densities once per fold and rule, and a
// candidate is a sum of them. Throws where no candidate can be estimated.
Tuning tune(const Model& model, const std::vector<Candidate>& candidates,
            const std::vector<Chunk>& chunks, const TuneOptions& options);

// The candidate after all rows: a model of its own columns and blocks alone, as fit makes it. Its
// statistics were added up fold by fold, which can show in the last of 32 digits of a moment.
// `all_columns`: it keeps the columns of the whole, so that it judges the same chunks.
Model fit_candidate(const Model& whole, const Candidate& candidate, const Tried& found = {},
                    bool all_columns = false);

// The same, calibrated by some of the rows it was chosen by, where that helps: as fit does it.
Model fit_calibrated(const Model& whole, const Candidate& candidate, const Tried& found,
                     const std::vector<Chunk>& chunks, unsigned threads,
                     SampleCalibration* report = nullptr);

}  // namespace credence
