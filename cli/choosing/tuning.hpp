// SPDX-License-Identifier: Apache-2.0
// tune, which is also fit --best, and what others do as it does.
#pragma once

#include <string>
#include <vector>

#include "choose/race.hpp"
#include "cli/options/plan.hpp"
#include "credence/calibrate.hpp"

namespace credence::cli {

struct TuneCommandOptions {
  Common common;
  PlanOptions plan;
  std::vector<std::string> tries;  // none: the automatic choice
  std::string effort = "normal";
  std::string by = "log-loss";
  std::string costs;
  FoldOptions folds;
  bool fewer_folds = false;  // where rows are few and nobody could say how many folds
  std::string output;
  std::string when;
};

// `command` is what the model's journal will say.
void run_tune(TuneCommandOptions& options, const char* command);

// What is tried; `trusting`: with trust in columns alone.
Grid grid_of(const TuneCommandOptions& options, const Source& source, bool trusting);
// The options of fit that say at once what was chosen; `model` is the winner.
PlanOptions chosen_plan(const TuneCommandOptions& options, const Race& found, const Model& model);
// The command that fits the same model, bit for bit: nothing is magic.
std::string long_command(const TuneCommandOptions& options, const PlanOptions& chosen);
// The winner as fit learns and, if asked to, calibrates it.
Model fit_chosen(const TuneCommandOptions& options, const PlanOptions& chosen, const Race& found,
                 const std::vector<Chunk>& chunks, bool calibrated);

// All blocks of a model, each with the trust that rows held out have in it.
Candidate all_trusted(const Model& model);
// Says by options of fit what trust and prior were found for a model.
void say_found(const Model& model, PlanOptions& options);
// fit --trust on: rows held out say how often each column's evidence counts, and --trust says it.
void find_trust(PlanOptions& options, const FoldOptions& folds, const Common& common);

void add_effort(CLI::App* command, std::string& effort);

}  // namespace credence::cli
