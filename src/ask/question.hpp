// SPDX-License-Identifier: Apache-2.0
// Questions about probabilities, as text: P(a=x or 1<b<=3 | c=z), p(b=2), P(a, b | c),
// independent(a, b | c).
// The grammar: docs/query.md
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// A statement about a row.
struct Expression {
  enum class Kind {
    equals,    // column = value
    below,     // column < value, both numbers
    at_most,   // column <= value
    has,       // column has the word `value`
    all,       // every one of the parts
    any,       // at least one of the parts
    opposite,  // not the one part
  };
  Kind kind = Kind::equals;
  std::string column;
  std::string value;
  std::vector<Expression> parts;

  bool operator==(const Expression&) const = default;
};

struct Question {
  enum class Kind {
    probability,   // of an event
    distribution,  // over the values of columns
    independence,  // of columns
  };
  Kind kind = Kind::probability;
  std::string text;                  // as asked
  Expression event;                  // of a probability
  std::vector<std::string> columns;  // of the other two
  std::vector<std::string> given;    // columns of the condition: for each of their values
  std::optional<Expression> condition;
  std::string condition_text;  // of `condition`
  bool density = false;        // p(...) rather than P(...)
};

// A usage error names the position and what was expected there.
Question parse_question(std::string_view text);

// Every column a question names, once, in the order of the text.
std::vector<std::string> columns_of(const Question& question);

// A name or value as a question has to spell it: quoted where it must be.
std::string spelled(const std::string& word, bool column = false);

}  // namespace credence
