// SPDX-License-Identifier: Apache-2.0
// Questions about a model: its classes, words, numbers in a range or seen exactly, and words of
// texts and bags. docs/query.md
#pragma once

#include "ask/query.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

// The scorer is the model's, without calibration: that is of posteriors, and no part of the joint
// distribution. Throws as answer() of a table does.
Answer answer(const Question& question, const Model& model, const Scorer& scorer);

}  // namespace credence
