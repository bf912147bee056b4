// SPDX-License-Identifier: Apache-2.0
#include "families/text/document.hpp"

#include <string>
#include <unordered_map>

namespace credence {
namespace {

// Words of several dictionaries as those of one.
class SharedDictionary {
 public:
  explicit SharedDictionary(std::vector<std::string>& words) : words_(words) {}

  std::vector<std::int32_t> places_of(const std::vector<std::string>& words) {
    std::vector<std::int32_t> result;
    result.reserve(words.size());
    for (const auto& word : words) {
      const auto [found, fresh] = places_.emplace(word, static_cast<std::int32_t>(words_.size()));
      if (fresh) words_.push_back(word);
      result.push_back(found->second);
    }
    return result;
  }

 private:
  std::vector<std::string>& words_;
  std::unordered_map<std::string, std::int32_t> places_;
};

Bags joined(const Chunk& chunk, const std::vector<std::size_t>& columns) {
  Bags result;
  SharedDictionary dictionary(result.dictionary);
  std::vector<std::vector<std::int32_t>> places;
  for (const auto column : columns) {
    places.push_back(dictionary.places_of(std::get<Bags>(chunk.columns[column]).dictionary));
  }
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t> at(result.dictionary.size(), nowhere);  // of a word in this row
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    bool missing = true;
    const std::size_t first = result.features.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& bags = std::get<Bags>(chunk.columns[columns[i]]);
      if (bags.missing[r]) continue;
      missing = false;
      for (std::size_t k = bags.offsets[r]; k < bags.offsets[r + 1]; ++k) {
        const auto word = places[i][static_cast<std::size_t>(bags.features[k])];
        auto& place = at[static_cast<std::size_t>(word)];
        if (place == nowhere) {
          place = result.features.size();
          result.features.push_back(word);
          result.counts.push_back(bags.counts[k]);
        } else {
          result.counts[place] += bags.counts[k];
        }
      }
    }
    for (std::size_t k = first; k < result.features.size(); ++k) {
      at[static_cast<std::size_t>(result.features[k])] = nowhere;
    }
    result.offsets.push_back(result.features.size());
    result.missing.push_back(missing);
  }
  return result;
}

}  // namespace

const Bags& document_of(const Chunk& chunk, const std::vector<std::size_t>& columns, Bags& room) {
  if (columns.size() == 1) return std::get<Bags>(chunk.columns[columns[0]]);
  room = joined(chunk, columns);
  return room;
}

Chunk as_one_document(const Chunk& chunk, const std::vector<std::size_t>& columns) {
  Chunk result = chunk;
  for (const auto column : columns) {
    Bags none;
    none.offsets.assign(chunk.rows + 1, 0);
    none.missing.assign(chunk.rows, 1);
    result.columns[column] = std::move(none);
  }
  result.columns[columns[0]] = joined(chunk, columns);
  return result;
}

}  // namespace credence
