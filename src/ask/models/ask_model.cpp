// SPDX-License-Identifier: Apache-2.0
// A question about a model becomes one about a weighted table. Its columns are axes: classes,
// words, and the ranges into which the question's own bounds cut numbers; its weights are what the
// model says of every combination. What was seen exactly, of numbers a density and of draws a word,
// is no axis but a factor of all weights.
#include "ask/models/ask_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ask/models/model_columns.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Kind = Expression::Kind;

constexpr double most_combinations = 5e6;

// One column of the table.
struct Axis {
  enum class Kind { cls, words, ranges, presence };
  Kind kind;
  std::string name;                 // as the question about the table calls it
  std::vector<std::string> values;  // what its cells are called
  std::size_t column = 0;           // of the schema
  LogShares logs = {};              // of ranges and presences
};

class AskedModel {
 public:
  AskedModel(const Question& question, const Model& model, const Scorer& scorer)
      : question_(question), scorer_(scorer), columns_(model, scorer, question.text) {}

  Answer reply() {
    Question asked = question_;
    add_axis(scorer_.schema().target);
    std::vector<Expression> seen, seen_with_event;
    if (asked.condition) asked.condition = without_seen(*asked.condition, seen);
    seen_with_event = seen;
    if (asked.kind == Question::Kind::probability) {
      asked.event = without_seen(asked.event, seen_with_event);
      for (std::size_t i = seen.size(); i < seen_with_event.size(); ++i) {
        const auto& one = seen_with_event[i];
        if (one.kind == Kind::equals && !question_.density) refuse_exact(one);
      }
      collect_bounds(asked.event);
    }
    if (asked.condition) {
      collect_bounds(*asked.condition);
      asked.condition = on_axes(*asked.condition);
    }
    if (asked.kind == Question::Kind::probability) asked.event = on_axes(asked.event);
    for (const auto& name : asked.columns) add_axis(name);
    for (const auto& name : asked.given) add_axis(name);
    refuse_parts_of_blocks(seen_with_event);
    // What a double could not hold is told relative to the largest, which quotients do not notice.
    auto logs = log_weights(seen);
    const double top = *std::max_element(logs.begin(), logs.end());
    if (top == -infinity) {
      throw Error(ErrorKind::data, question_.text + ": the condition has probability 0");
    }
    const double shift = std::isfinite(top) && std::abs(top) > 500 ? top : 0;
    const WeightedTable table = weighted(logs, shift);
    Answer result;
    if (seen_with_event.size() == seen.size()) {
      result = answer(asked, table);
    } else {
      const WeightedTable events = weighted(log_weights(seen_with_event), shift);
      result = answer(asked, table, &events);
    }
    result.question = question_;
    return result;
  }

 private:
  [[noreturn]] void refuse_exact(const Expression& one) const {
    columns_.refuse(
        fmt::format("one number out of all has probability 0: p({0}={1}) is its "
                    "density, and ranges such as {0}>{1} have probabilities",
                    spelled(one.column, true), one.value));
  }

  // Whether a statement is of something seen exactly, which is no event with a probability of its
  // own: a number, or a word among draws.
  bool is_seen(const Expression& one) const {
    if (one.kind == Kind::equals) return columns_.asks(one.column) == Asks::numbers;
    return one.kind == Kind::has && columns_.asks(one.column) == Asks::draws;
  }

  // Takes what was seen out of a conjunction; elsewhere it has no meaning.
  Expression without_seen(const Expression& expression, std::vector<Expression>& seen) const {
    const std::vector<Expression> parts =
        expression.kind == Kind::all ? expression.parts : std::vector<Expression>{expression};
    Expression result{Kind::all, "", "", {}};
    for (const auto& part : parts) {
      if (!part.parts.empty() || !is_seen(part)) {
        refuse_seen_within(part);
        result.parts.push_back(part);
        continue;
      }
      for (const auto& other : seen) {
        if (part.kind == Kind::equals && other.column == part.column) {
          columns_.refuse(fmt::format("column \"{}\" has two values", part.column));
        }
      }
      seen.push_back(part);
    }
    return result;
  }
  void refuse_seen_within(const Expression& expression) const {
    for (const auto& part : expression.parts) refuse_seen_within(part);
    if (!expression.parts.empty() || expression.kind == Kind::all || !is_seen(expression)) return;
    if (expression.kind == Kind::equals) refuse_exact(expression);
    columns_.refuse(
        fmt::format("column \"{}\" is drawn word by word: words go with and, not with "
                    "or and not",
                    expression.column));
  }

  // The bounds that the question names, column by column.
  void collect_bounds(const Expression& expression) {
    for (const auto& part : expression.parts) collect_bounds(part);
    const bool order = expression.kind == Kind::below || expression.kind == Kind::at_most;
    const bool equal = expression.kind == Kind::equals;
    if (!order && !(equal && columns_.asks(expression.column) == Asks::counts)) return;
    const auto value = to_number(expression.value);
    if (!value) {
      columns_.refuse(fmt::format("column \"{}\": \"{}\" is not a number", expression.column,
                                  expression.value));
    }
    bounds_[expression.column].push_back(*value);
  }

  // The same statement in terms of the table's columns.
  Expression on_axes(Expression expression) {
    for (auto& part : expression.parts) part = on_axes(std::move(part));
    if (!expression.parts.empty() || expression.kind == Kind::all) return expression;
    const auto what = columns_.asks(expression.column);
    const bool bag = what == Asks::coins || what == Asks::draws, has = expression.kind == Kind::has;
    if (has != bag) {
      columns_.refuse(fmt::format(
          "column \"{}\" is {} set of words: write {}{}{}", expression.column, bag ? "a" : "no",
          spelled(expression.column, true), bag ? " has " : "=", spelled(expression.value)));
    }
    if (has) return {Kind::equals, add_presence(expression), "yes", {}};
    if (what != Asks::numbers && what != Asks::counts) {
      add_axis(expression.column);
      return expression;
    }
    add_ranges(expression.column);
    expression.value = format_number(*to_number(expression.value));
    return expression;
  }

  bool known(const std::string& name) const {
    return std::any_of(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.name == name; });
  }

  // All values of a column of words, or all classes.
  void add_axis(const std::string& name) {
    if (known(name)) return;
    const auto what = columns_.asks(name);
    const auto spelled_name = spelled(name, true);
    if (what == Asks::cls) {
      axes_.push_back({Axis::Kind::cls, name, scorer_.classes()});
    } else if (what == Asks::words) {
      axes_.push_back({Axis::Kind::words, name, columns_.values_of(name), columns_.place_of(name)});
    } else if (what == Asks::coins || what == Asks::draws) {
      columns_.refuse(fmt::format(
          "column \"{}\" is not discrete: ask for a word, as in {} has free", name, spelled_name));
    } else {
      columns_.refuse(fmt::format("column \"{}\" is not discrete: ask for a range, as in {}>3",
                                  name, spelled_name));
    }
  }

  // The ranges between a column's bounds, and the bounds, each called by a number in it.
  void add_ranges(const std::string& name) {
    if (known(name)) return;
    auto& bounds = bounds_.at(name);
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    Axis axis{Axis::Kind::ranges, name, {}, columns_.place_of(name)};
    for (const double inside : ModelColumns::within(bounds)) {
      axis.values.push_back(format_number(inside));
    }
    axis.logs = columns_.ranges(axis.column, bounds);
    axes_.push_back(std::move(axis));
  }

  // Whether a word is there, as a column of its own.
  std::string add_presence(const Expression& one) {
    const std::string name = spelled(one.column, true) + " has " + spelled(one.value);
    if (known(name)) return name;
    axes_.push_back({Axis::Kind::presence,
                     name,
                     {"yes", "no"},
                     columns_.place_of(one.column),
                     columns_.presence(one)});
    return name;
  }

  // What a block says of its columns it says of them together: a range of one of them goes with no
  // other.
  void refuse_parts_of_blocks(const std::vector<Expression>& seen) const {
    std::vector<std::size_t> asked;
    for (const auto& one : seen) {
      if (one.kind == Kind::equals) asked.push_back(columns_.place_of(one.column));
    }
    for (const auto& axis : axes_) {
      if (axis.kind == Axis::Kind::words || axis.kind == Axis::Kind::ranges) {
        asked.push_back(axis.column);
      }
    }
    for (const auto& axis : axes_) {
      if (axis.kind != Axis::Kind::ranges) continue;
      if (std::count(asked.begin(), asked.end(), axis.column) > 1) {
        columns_.refuse(fmt::format("column \"{}\" is both given and asked for", axis.name));
      }
      for (const auto other : asked) {
        if (other == axis.column || columns_.block_of(other) != columns_.block_of(axis.column)) {
          continue;
        }
        columns_.refuse(
            fmt::format("columns \"{}\" and \"{}\" are one block: a range of one cannot "
                        "be asked for together with the other",
                        axis.name, columns_.name(other)));
      }
    }
  }

  // Of every combination of the axes but the first, and every class: [combination][class].
  std::vector<double> log_weights(const std::vector<Expression>& seen) const {
    const std::size_t classes = scorer_.classes().size();
    double combinations = 1;
    for (std::size_t i = 1; i < axes_.size(); ++i) {
      combinations *= static_cast<double>(axes_[i].values.size());
    }
    if (combinations * static_cast<double>(classes) > most_combinations) {
      columns_.refuse(fmt::format("{} combinations of values are too many (at most {})",
                                  format_number(combinations), format_number(most_combinations)));
    }
    Chunk chunk = columns_.missing_rows(static_cast<std::size_t>(combinations));
    columns_.put_seen(seen, chunk);
    for (std::size_t i = 1; i < axes_.size(); ++i) {
      if (axes_[i].kind == Axis::Kind::words) put_values(i, chunk);
    }
    auto logs = scorer_.log_joint(chunk);
    for (std::size_t i = 1; i < axes_.size(); ++i) {
      for (std::size_t r = 0; r < chunk.rows && !axes_[i].logs.empty(); ++r) {
        const auto& own = axes_[i].logs[place(r, i)];
        for (std::size_t c = 0; c < classes; ++c) logs[r * classes + c] += own[c];
      }
    }
    return logs;
  }

  // Which value of an axis a combination has.
  std::size_t place(std::size_t combination, std::size_t axis) const {
    for (std::size_t i = 1; i < axis; ++i) combination /= axes_[i].values.size();
    return combination % axes_[axis].values.size();
  }

  void put_values(std::size_t axis, Chunk& chunk) const {
    const auto& values = axes_[axis].values;
    auto& column = chunk.columns[axes_[axis].column];
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const std::size_t value = place(r, axis);
      if (auto* numbers = std::get_if<Numbers>(&column)) {
        numbers->values[r] = *to_number(values[value]);
      } else {
        auto& words = std::get<Categories>(column);
        words.dictionary = values;
        words.codes[r] = static_cast<std::int32_t>(value);
      }
    }
  }

  WeightedTable weighted(const std::vector<double>& logs, double shift) const {
    std::vector<std::string> names;
    for (const auto& axis : axes_) names.push_back(axis.name);
    WeightedTable table(names);
    const std::size_t classes = scorer_.classes().size();
    std::vector<std::string> values(axes_.size());
    for (std::size_t k = 0; k < logs.size(); ++k) {
      values[0] = axes_[0].values[k % classes];
      for (std::size_t i = 1; i < axes_.size(); ++i) {
        values[i] = axes_[i].values[place(k / classes, i)];
      }
      table.add(values, std::exp(logs[k] - shift));
    }
    return table;
  }

  const Question& question_;
  const Scorer& scorer_;
  ModelColumns columns_;
  std::map<std::string, std::vector<double>> bounds_;
  std::vector<Axis> axes_;  // the first is the class
};

}  // namespace

Answer answer(const Question& question, const Model& model, const Scorer& scorer) {
  return AskedModel(question, model, scorer).reply();
}

}  // namespace credence
