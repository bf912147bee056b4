// SPDX-License-Identifier: Apache-2.0
#include "answers/rows.hpp"

namespace credence {

std::string word_of(const Categories& column, std::size_t row) {
  return column.codes[row] < 0 ? ""
                               : column.dictionary[static_cast<std::size_t>(column.codes[row])];
}

Json to_json(const Chunk& chunk, const Schema& schema, std::size_t row) {
  Json json = Json::object();
  for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
    auto& cell = json[schema.columns[i].name];
    if (const auto* numbers = std::get_if<Numbers>(&chunk.columns[i])) {
      cell = count(numbers->values[row]);
    } else if (const auto* words = std::get_if<Categories>(&chunk.columns[i])) {
      cell = word_of(*words, row);
    } else {
      const auto& bags = std::get<Bags>(chunk.columns[i]);
      cell = Json::object();
      for (std::size_t k = bags.offsets[row]; k < bags.offsets[row + 1]; ++k) {
        cell[bags.dictionary[static_cast<std::size_t>(bags.features[k])]] = count(bags.counts[k]);
      }
    }
  }
  json[schema.target] = word_of(chunk.labels, row);
  return json;
}

}  // namespace credence
