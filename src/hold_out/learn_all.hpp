// SPDX-License-Identifier: Apache-2.0
// All chunks into a model, on all threads.
#pragma once

#include <vector>

#include "credence/model.hpp"

namespace credence {

// The model after all rows of the chunks; `model` is the model before any. Refuses fewer than two
// classes.
Model learn_all(const Model& model, const std::vector<Chunk>& chunks, unsigned threads);

}  // namespace credence
