// SPDX-License-Identifier: Apache-2.0
// What a model says of its columns one at a time, and rows in which some of them have values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/question.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

// What a column can be asked for.
enum class Asks {
  cls,      // the class itself
  words,    // one of its values
  numbers,  // a range, or a density
  counts,   // a range, or one of them
  coins,    // whether it has a word
  draws,    // that a word was drawn
};

// [value][class], each times the weight of the column's block.
using LogShares = std::vector<std::vector<double>>;

class ModelColumns {
 public:
  // question: what errors begin with.
  ModelColumns(const Model& model, const Scorer& scorer, std::string question)
      : model_(model), scorer_(scorer), schema_(scorer.schema()), question_(std::move(question)) {}

  [[noreturn]] void refuse(const std::string& why) const;

  Asks asks(const std::string& name) const;
  std::size_t place_of(const std::string& name) const;  // in the schema
  std::size_t block_of(std::size_t column) const;       // among the model's blocks
  const std::string& name(std::size_t column) const { return schema_.columns[column].name; }
  std::vector<std::string> values_of(const std::string& name) const;  // of a column of words

  // The ranges between sorted bounds and the bounds themselves: [range][class], from below.
  LogShares ranges(std::size_t column, const std::vector<double>& bounds) const;
  // A number within each of these ranges.
  static std::vector<double> within(const std::vector<double>& bounds);
  // That a word is there, and that it is not.
  LogShares presence(const Expression& statement) const;

  Chunk missing_rows(std::size_t rows) const;
  // Puts numbers and words that were seen into all rows.
  void put_seen(const std::vector<Expression>& seen, Chunk& chunk) const;

 private:
  std::optional<double> number_in(std::size_t column, const std::string& text) const;
  [[noreturn]] void refuse_word(const std::string& word, const std::string& column) const;
  Bags words_of(const std::vector<Expression>& statements, std::size_t column,
                std::size_t rows) const;

  const Model& model_;
  const Scorer& scorer_;
  const Schema& schema_;
  std::string question_;
};

}  // namespace credence
