// SPDX-License-Identifier: Apache-2.0
// What rows are asked of sets and texts: whether one has a word. Every word asked for is a column
// like others, with the values yes and no.
#pragma once

#include <string>
#include <vector>

#include "ask/question.hpp"
#include "credence/chunk.hpp"

namespace credence {

class Presences {
 public:
  // The columns that hold sets, whose words are as they stand, and those that hold texts, whose
  // words are what texts are cut into.
  Presences(std::vector<std::string> sets, std::vector<std::string> texts)
      : sets_(std::move(sets)), texts_(std::move(texts)) {}

  // A text may be asked for as a whole, as words of other columns are; then it is no text here.
  void leave_whole(const Question& question);
  // The same question about such columns; a usage error where a set is asked for otherwise.
  Question asked(Question question);

  struct Word {
    std::string name;  // of the column: "words has free"
    std::string column;
    std::string word;  // as the rows have it
    bool text;
  };
  const std::vector<Word>& words() const { return words_; }
  const Word* find(const std::string& name) const;

 private:
  enum class Holds { one_value, set, text };
  Holds holds(const std::string& column) const;
  Expression about_columns(Expression expression, const std::string& question);
  std::string add(const Expression& statement, Holds what, const std::string& question);

  std::vector<std::string> sets_, texts_;
  std::vector<Word> words_;
};

// Of every row: has it the word?
Categories presence_of(const Bags& bags, const std::string& word);

}  // namespace credence
