// SPDX-License-Identifier: Apache-2.0
// What rows are asked that their cells do not say as they stand: whether a set or a text has a
// word, which is a column like others with the values yes and no; and where a number lies whose
// cells are written otherwise, "1.234,50 €" or a date.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ask/question.hpp"
#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

class Presences {
 public:
  // The columns that hold sets, whose words are as they stand, and those that hold texts, whose
  // words are what texts are cut into; and how columns are written that hold numbers otherwise.
  Presences(std::vector<std::string> sets, std::vector<std::string> texts,
            std::map<std::string, std::string> readings = {})
      : sets_(std::move(sets)), texts_(std::move(texts)), readings_(std::move(readings)) {}

  // A text may be asked for as a whole, as words of other columns are; then it is no text here.
  void leave_whole(const Question& question);
  // The same question about such columns; a usage error where a set is asked for otherwise.
  Question asked(Question question);

  struct Word {
    std::string name;  // of the column: "words has free", "price as a number"
    std::string column;
    std::string word;     // as the rows have it
    std::string reading;  // of a number
    ColumnKind kind = ColumnKind::bag;
  };
  const std::vector<Word>& words() const { return words_; }
  const Word* find(const std::string& name) const;

 private:
  enum class Holds { one_value, set, text };
  Holds holds(const std::string& column) const;
  Expression about_columns(Expression expression, const std::string& question);
  std::string add(const Expression& statement, Holds what, const std::string& question);

  std::string add_number(const std::string& column);

  std::vector<std::string> sets_, texts_;
  std::map<std::string, std::string> readings_;
  std::vector<Word> words_;
};

// Of every row: has it the word?
Categories presence_of(const Bags& bags, const std::string& word);
// Numbers as tables of words hold them.
Categories as_words(const Numbers& numbers);

}  // namespace credence
