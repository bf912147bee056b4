// SPDX-License-Identifier: Apache-2.0
// Recursive descent, straight from the characters: where a name, a value or an operator may stand
// is known at every place, so that the words and, or and not may also be values.
#include "ask/question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "notation/moments_in_time.hpp"

namespace credence {
namespace {

// A number, a date as days since 1970-01-01, or a time of day as hours: what columns of such hold.
std::optional<double> bound_of(const std::string& text) {
  if (const auto number = to_number(text)) return number;
  if (const auto moment = data::parse_moment(text, data::DateOrder::ymd)) {
    const auto days = static_cast<double>(moment->day.time_since_epoch().count());
    return days + (moment->seconds - moment->zone.value_or(0)) / 86400;
  }
  const auto clock = data::parse_clock(text);
  return clock && clock->of_day ? std::optional(clock->seconds / 3600) : std::nullopt;
}

constexpr std::string_view reserved = ",()|=!\"";
constexpr std::size_t deepest = 200;  // parentheses within parentheses: the stack is finite

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(trim(text)) {
    // A message is one line, whatever the question was.
    std::replace_if(
        text_.begin(), text_.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  }

  Question parse() {
    Question question;
    question.text = text_;
    if (take_call("independent")) {
      question.kind = Question::Kind::independence;
      question.columns = names();
      if (question.columns.size() < 2) fail("a second column");
    } else if (take_call("P") || (question.density = take_call("p"))) {
      if (at_bare_name()) {
        question.kind = Question::Kind::distribution;
        question.columns = names();
      } else {
        question.event = disjunction();
      }
    } else {
      fail("P(...) or independent(...)");
    }
    if (take('|')) read_condition(question);
    if (!take(')')) {
      fail(question.condition                             ? "and, or, a comma or )"
           : question.kind == Question::Kind::probability ? "and, or, a comma, | or )"
                                                          : "a comma, | or )");
    }
    skip_spaces();
    if (at_ < text_.size()) fail("the end");
    return question;
  }

 private:
  // Columns, then a statement: for each value of these, where that holds.
  void read_condition(Question& question) {
    bool more = true;
    while (more && at_bare_name()) {
      question.given.push_back(word("a column", true));
      more = take(',') || take_word("and");
    }
    if (!more) return;
    skip_spaces();
    const auto start = at_;
    question.condition = disjunction();
    question.condition_text = trim(std::string_view(text_).substr(start, at_ - start));
  }

  Expression disjunction() {
    if (++depth_ > deepest) fail("fewer parentheses within parentheses");
    Expression result = conjunction();
    while (take_word("or")) join(result, Expression::Kind::any, conjunction());
    --depth_;
    return result;
  }

  Expression conjunction() {
    Expression result = factor();
    while (take(',') || take_word("and")) join(result, Expression::Kind::all, factor());
    return result;
  }

  Expression factor() {
    bool negated = false;
    while (at_not()) {
      at_ += 3;
      negated = !negated;
    }
    Expression result;
    if (take('(')) {
      result = disjunction();
      if (!take(')')) fail("and, or, a comma or )");
    } else {
      result = comparison();
    }
    return negated ? opposite(std::move(result)) : result;
  }

  Expression comparison() {
    skip_spaces();
    const bool plain = at_ < text_.size() && text_[at_] != '"';
    Expression result;
    result.column = word("a column", true);
    if (take_word("has")) {
      result.kind = Expression::Kind::has;
      result.value = word("a word");
      return result;
    }
    if (const bool less = take('<'); less || take('>')) {
      const bool or_equal = take('=');
      const auto after = at_;
      // A number in front is a bound, unless a column that is called so is compared with one.
      if (plain && bound_of(result.column) && !bound_of(word("a column", true))) {
        at_ = after;
        return between(result.column, less, or_equal);
      }
      at_ = after;
      return in_order(result.column, less, or_equal, word("a number"));
    }
    const bool unequal = take('!');
    if (!take('=')) {
      fail(unequal ? "= after !" : fmt::format("=, !=, <, > or has after \"{}\"", result.column));
    }
    result.value = word("a value");
    return unequal ? opposite(std::move(result)) : result;
  }

  // a > 3 is the opposite of a <= 3.
  Expression in_order(const std::string& column, bool less, bool or_equal,
                      const std::string& value) {
    const auto kind = less == or_equal ? Expression::Kind::at_most : Expression::Kind::below;
    const auto bound = bound_of(value);
    if (!bound) fail(fmt::format("a number in place of \"{}\"", value));
    Expression result{kind, column, to_number(value) ? value : format_number(*bound), {}};
    return less ? result : opposite(std::move(result));
  }

  // 60 < a, of which the first two have been read, and 60 < a <= 70.
  Expression between(const std::string& first, bool less, bool or_equal) {
    const auto column = word("a column", true);
    Expression result = in_order(column, !less, or_equal, first);
    const bool again = take('<');
    if (!again && !take('>')) return result;
    const bool with_end = take('=');
    join(result, Expression::Kind::all, in_order(column, again, with_end, word("a number")));
    return result;
  }

  static Expression opposite(Expression part) {
    return {Expression::Kind::opposite, "", "", {std::move(part)}};
  }

  static void join(Expression& left, Expression::Kind kind, Expression right) {
    if (left.kind != kind) left = {kind, "", "", {std::move(left)}};
    left.parts.push_back(std::move(right));
  }

  std::vector<std::string> names() {
    std::vector<std::string> result;
    do {
      result.push_back(word("a column", true));
      if (std::count(result.begin(), result.end(), result.back()) > 1) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: column \"{}\" is named twice", text_, result.back()));
      }
    } while (take(',') || take_word("and"));
    return result;
  }

  // A name with no comparison after it.
  bool at_bare_name() {
    const auto start = at_;
    skip_spaces();
    bool bare = !at_not() && at_ < text_.size() && (text_[at_] == '"' || !is_reserved(at_));
    if (bare) {
      word("a column", true);
      skip_spaces();
      bare = at_ < text_.size() && std::string_view("=!<>").find(text_[at_]) == std::string::npos &&
             !at_word("or") && !at_word("has");
    }
    at_ = start;
    return bare;
  }

  // "quoted", with "" for a quote in it, or plain up to a reserved character or an operator. A
  // column ends before < and >, which a value may hold, as ">50K" does.
  std::string word(const char* what, bool column = false) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const auto start = at_;
    while (at_ < text_.size() && !is_reserved(at_)) {
      if (column && (text_[at_] == '<' || text_[at_] == '>')) break;
      // An operator cannot stand first, so there the same letters are a word like any other.
      if (at_ > start && text_[at_ - 1] == ' ' &&
          (at_word("and") || at_word("or") || (column && at_word("has")))) {
        break;
      }
      ++at_;
    }
    const auto found = trim(std::string_view(text_).substr(start, at_ - start));
    if (found.empty()) fail(what);
    return std::string(found);
  }

  std::string quoted() {
    std::string result;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ == text_.size() || text_[at_] != '"') return result;
      }
      result += text_[at_];
    }
    fail("a closing \"");
  }

  bool take_call(std::string_view name) {
    skip_spaces();
    const auto start = at_;
    if (std::string_view(text_).substr(at_).starts_with(name)) {
      at_ += name.size();
      if (take('(')) return true;
    }
    at_ = start;
    return false;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view name) {
    skip_spaces();
    if (!at_word(name)) return false;
    at_ += name.size();
    return true;
  }

  bool at_word(std::string_view name) const {
    const auto rest = std::string_view(text_).substr(at_);
    if (!rest.starts_with(name)) return false;
    return rest.size() == name.size() || rest[name.size()] == ' ' ||
           reserved.find(rest[name.size()]) != reserved.npos;
  }

  // "not" as an operator; before = or != it is a column of that name.
  bool at_not() {
    skip_spaces();
    if (!at_word("not")) return false;
    const auto next = text_.find_first_not_of(' ', at_ + 3);
    return next == text_.npos || (text_[next] != '=' && text_[next] != '!');
  }

  bool is_reserved(std::size_t place) const { return reserved.find(text_[place]) != reserved.npos; }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  [[noreturn]] void fail(const std::string& expected) {
    skip_spaces();
    const auto rest = std::string_view(text_).substr(at_);
    // Characters, not bytes.
    const auto position =
        1 + std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_),
                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    std::string found = "the end";
    if (!rest.empty()) {
      const auto end =
          is_reserved(at_) ? 1 : std::min(rest.find_first_of(" ,()|=!\""), rest.size());
      found = fmt::format("{}", rest.substr(0, end));
    }
    throw Error(ErrorKind::usage, fmt::format("{}: expected {} at position {}, found {}", text_,
                                              expected, position, found));
  }

  std::string text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

void collect(const Expression& expression, std::vector<std::string>& names) {
  if (expression.parts.empty() &&
      std::find(names.begin(), names.end(), expression.column) == names.end()) {
    names.push_back(expression.column);
  }
  for (const auto& part : expression.parts) collect(part, names);
}

}  // namespace

Question parse_question(std::string_view text) { return Parser(text).parse(); }

std::vector<std::string> columns_of(const Question& question) {
  std::vector<std::string> names = question.columns;
  if (question.kind == Question::Kind::probability) collect(question.event, names);
  for (const auto& name : question.given) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (question.condition) collect(*question.condition, names);
  return names;
}

std::string spelled(const std::string& word, bool column) {
  const auto holds = [&](const char* operation) {
    return (" " + word + " ").find(operation) != std::string::npos;
  };
  const bool operators = holds(" and ") || holds(" or ") || (column && holds(" has "));
  if (!word.empty() && !operators && trim(word) == word &&
      word.find_first_of(reserved) == std::string::npos &&
      !(column && word.find_first_of("<>") != std::string::npos)) {
    return word;
  }
  std::string result = "\"";
  for (const char c : word) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace credence
