// SPDX-License-Identifier: Apache-2.0
// credence: generative classification. The table of contents of the library.
//
//   auto source = credence::open_source({"tennis.csv"});
//   credence::Plan plan;
//   plan.target = "PlayTennis";
//   const credence::Model model = credence::fit(*source, plan);
//   const credence::Scorer scorer(model);
//   const auto row = credence::parse_given(model.schema(), {"Outlook=Sunny, Wind=Strong"});
//   const auto answer = credence::posterior(scorer.log_joint(row));
#pragma once

#include "credence/adapt.hpp"            // class shares from rows without labels
#include "credence/calibrate.hpp"        // fitting a calibration
#include "credence/calibration.hpp"      // probabilities that mean what they say
#include "credence/chunk.hpp"            // rows as typed columns
#include "credence/classifier.hpp"       // what every classifier gives
#include "credence/decision.hpp"         // posterior -> label
#include "credence/error.hpp"            // the one exception
#include "credence/evaluate.hpp"         // metrics
#include "credence/evidence.hpp"         // parameters integrated out; families that rows speak for
#include "credence/hold_out.hpp"         // cross-validation
#include "credence/io.hpp"               // model files
#include "credence/journal.hpp"          // what was done to a model
#include "credence/memory.hpp"           // matrices and Arrow streams
#include "credence/model.hpp"            // statistics, update, forget, merge
#include "credence/novelty.hpp"          // rows that are like none before
#include "credence/rule.hpp"             // mle, m-estimate, laplace, map, bayes; class priors
#include "credence/schema.hpp"           // what columns are
#include "credence/scorer.hpp"           // probabilities, explanations, samples
#include "credence/semi_supervised.hpp"  // learning from rows without a class
#include "credence/source.hpp"           // CSV, TSV, JSON lines, libsvm
#include "credence/steps.hpp"            // the computation of a posterior, as on a board
