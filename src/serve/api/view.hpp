// SPDX-License-Identifier: Apache-2.0
// Models and columns as the server describes them, and as reports hold them.
#pragma once

#include <memory>
#include <vector>

#include "answers/json.hpp"
#include "plot/slice.hpp"
#include "serve/models/snapshot.hpp"

namespace credence::serve {

// What there is: one entry for every model.
Json entry_json(const Snapshot& snapshot, bool learns, bool has_data);
Json home_json(Json entries, bool learns);

// A model, with rows that say how far its columns reach. Both must outlive it.
class ModelView {
 public:
  ModelView(const Snapshot& snapshot, const std::vector<Chunk>& data)
      : snapshot_(snapshot), data_(data) {}

  // As `show` has it, with so many words of each text, and `schema`: what its columns may hold.
  Json model(std::size_t words);
  // A column class by class: a curve through so many places, a table, or so many words.
  Json column(std::size_t place, std::size_t points, std::size_t words);

 private:
  const plot::Slice& slice();  // made when it is first needed: rows are drawn for it
  Json columns();
  void add_densities(std::size_t place, std::size_t points, Json& json);

  const Snapshot& snapshot_;
  const std::vector<Chunk>& data_;
  std::unique_ptr<const plot::Slice> slice_;
};

}  // namespace credence::serve
