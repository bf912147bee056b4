// SPDX-License-Identifier: Apache-2.0
// All chunks into a model, on all threads.
#pragma once

#include <functional>
#include <vector>

#include "credence/model.hpp"
#include "model/statistics.hpp"

namespace credence {

// What `start` has observed and what each of the parts has, which are made on all threads and added
// up in their order. What cannot be added up is a data error.
Statistics add_up(Statistics start, std::size_t parts, unsigned threads,
                  const std::function<void(std::size_t part, Statistics& empty)>& observe);

// The model after all rows of the chunks; `model` is the model before any. Refuses fewer than two
// classes.
Model learn_all(const Model& model, const std::vector<Chunk>& chunks, unsigned threads);

}  // namespace credence
