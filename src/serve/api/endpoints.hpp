// SPDX-License-Identifier: Apache-2.0
// What can be asked for. Each takes a call and gives its answer, or throws HttpError or Error.
#pragma once

#include "serve/api/call.hpp"

namespace credence::serve {

// Probabilities and decisions for rows.
Response predict(const Call& call);
// Why a row gets its label.
Response explain(const Call& call);
Response board(const Call& call);
// What each value of each column is worth for one class against another.
Response nomogram(const Call& call);
// The nearest change of one column that changes the decision.
Response flip(const Call& call);
// A document with the weight of its words.
Response mark(const Call& call);

// The model as `show` has it, with its columns and what was done to it.
Response show_model(const Call& call);
// One column, class by class; two columns on a grid.
Response column(const Call& call);
Response plane(const Call& call);

}  // namespace credence::serve
