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

// How good the model is on the rows that were given to the server, or on rows held out; and these
// rows, with what the model says of them.
Response judge_model(const Call& call);
Response rows(const Call& call);
// Answers to questions about probabilities.
Response query(const Call& call);
// Rows drawn from the model.
Response sample(const Call& call);
// What the model would say without one of its rows.
Response influence(const Call& call);
// Where two models say different things.
Response compare(const Call& call);

// Rows added, taken out, and put back; and what was done.
Response update(const Call& call);
Response forget(const Call& call);
Response undo(const Call& call);
Response changes(const Call& call);

// A model fitted to a table that was sent; how far it is.
Response fit_table(const Call& call);
Response job_state(const Call& call);
Response cancel_job(const Call& call);

}  // namespace credence::serve
