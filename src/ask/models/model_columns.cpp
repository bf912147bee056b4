// SPDX-License-Identifier: Apache-2.0
#include "ask/models/model_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/source.hpp"
#include "families/family.hpp"
#include "families/registry.hpp"
#include "notation/reading.hpp"

namespace credence {

void ModelColumns::refuse(const std::string& why) const {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", question_, why));
}

void ModelColumns::refuse_word(const std::string& word, const std::string& column) const {
  refuse(fmt::format("the model knows no word \"{}\" of column \"{}\"", word, column));
}

std::size_t ModelColumns::place_of(const std::string& name) const {
  std::vector<std::string> known{schema_.target};
  for (const auto& column : schema_.columns) known.push_back(column.name);
  const auto found = std::find(known.begin() + 1, known.end(), name);
  if (found == known.end()) {
    refuse(fmt::format("no column \"{}\"{}", name, suggestion(name, known)));
  }
  return static_cast<std::size_t>(found - known.begin()) - 1;
}

std::size_t ModelColumns::block_of(std::size_t column) const {
  const auto& blocks = model_.blocks();
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const BlockSpec& block) {
    return std::find(block.columns.begin(), block.columns.end(), column) != block.columns.end();
  });
  return static_cast<std::size_t>(found - blocks.begin());
}

Asks ModelColumns::asks(const std::string& name) const {
  if (name == schema_.target) return Asks::cls;
  const std::size_t column = place_of(name);
  const auto& block = model_.blocks()[block_of(column)];
  const Family& family = find_family(block.family);
  if (const auto score = family.score(block.parameters)) {
    refuse(fmt::format("column \"{}\": {} (use {})", name, score->what, score->instead));
  }
  const auto kind = schema_.columns[column].kind;
  if (kind == ColumnKind::bag || kind == ColumnKind::text) {
    if (family.presence_only(block.parameters)) return Asks::coins;
    if (family.kinds.front() != ColumnKind::count) return Asks::draws;
    refuse(fmt::format("column \"{}\" has a count of every word, which questions do not ask for",
                       name));
  }
  if (kind == ColumnKind::number || kind == ColumnKind::amount) return Asks::numbers;
  return kind == ColumnKind::count ? Asks::counts : Asks::words;
}

std::vector<std::string> ModelColumns::values_of(const std::string& name) const {
  const std::size_t column = place_of(name), block = block_of(column);
  const auto& own = model_.blocks()[block].columns;
  const auto place =
      static_cast<std::size_t>(std::find(own.begin(), own.end(), column) - own.begin());
  const auto table = scorer_.density(block).table();
  std::vector<std::string> result;
  for (const auto& row : table.rows) {
    if (!find_family(table.family).one_of_values || row.of.size() != own.size()) break;
    const auto& value = row.of[place];
    if (std::find(result.begin(), result.end(), value) == result.end()) result.push_back(value);
  }
  if (result.empty()) result = scorer_.density(block).words_of(column);
  if (!result.empty()) return result;
  refuse(fmt::format("the model does not say how probable values of \"{}\" are ({})", name,
                     model_.blocks()[block].family));
}

std::vector<double> ModelColumns::within(const std::vector<double>& bounds) {
  std::vector<double> result{std::nextafter(bounds.front(), -infinity)};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    result.push_back(bounds[i]);
    result.push_back(i + 1 < bounds.size() ? bounds[i] + (bounds[i + 1] - bounds[i]) / 2
                                           : std::nextafter(bounds[i], infinity));
  }
  return result;
}

LogShares ModelColumns::ranges(std::size_t column, const std::vector<double>& bounds) const {
  const std::size_t block = block_of(column);
  LogShares result;
  const auto add = [&](const NumberRange& range) {
    result.emplace_back();
    for (std::size_t c = 0; c < scorer_.classes().size(); ++c) {
      const double p = scorer_.density(block).probability(column, range, c);
      if (std::isnan(p)) {
        refuse(fmt::format("the model does not say how probable a range of \"{}\" is ({})",
                           name(column), model_.blocks()[block].family));
      }
      result.back().push_back(model_.blocks()[block].weight * std::log(p));
    }
  };
  add({-infinity, bounds.front()});
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    add({bounds[i], bounds[i], true, true});
    add({bounds[i], i + 1 < bounds.size() ? bounds[i + 1] : infinity});
  }
  return result;
}

LogShares ModelColumns::presence(const Expression& statement) const {
  const std::size_t column = place_of(statement.column), block = block_of(column);
  Chunk row = missing_rows(1);
  row.columns[column] = words_of({statement}, column, 1);
  std::vector<Term> terms;
  scorer_.density(block).explain(row, 0, terms);
  const auto& word = std::get<Bags>(row.columns[column]).dictionary[0];
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
    return !term.ignored && (term.of.empty() ? term.value : term.of) == word;
  });
  if (found == terms.end()) refuse_word(statement.value, statement.column);
  LogShares result{found->log_density, {}};
  for (const double log_p : found->log_density) {
    result[1].push_back(std::log1p(-std::min(1.0, std::exp(log_p))));
  }
  for (auto& side : result) {
    for (auto& value : side) value *= model_.blocks()[block].weight;
  }
  return result;
}

Chunk ModelColumns::missing_rows(std::size_t rows) const {
  Chunk chunk;
  chunk.rows = rows;
  for (const auto& column : schema_.columns) {
    if (column.kind == ColumnKind::category) {
      chunk.columns.emplace_back(
          Categories{std::vector<std::int32_t>(rows, Categories::missing_code), {}});
    } else if (column.kind == ColumnKind::bag || column.kind == ColumnKind::text) {
      Bags bags;
      bags.offsets.assign(rows + 1, 0);
      bags.missing.assign(rows, 1);
      chunk.columns.emplace_back(std::move(bags));
    } else {
      chunk.columns.emplace_back(Numbers{std::vector<double>(rows, not_a_number)});
    }
  }
  return chunk;
}

// In every row. A text's words are cut as the model cuts texts.
Bags ModelColumns::words_of(const std::vector<Expression>& statements, std::size_t column,
                            std::size_t rows) const {
  std::vector<std::string> words;
  std::vector<double> counts;
  for (const auto& statement : statements) {
    std::string word = statement.value;
    if (schema_.columns[column].kind == ColumnKind::text) {
      const auto cut = parse_given(schema_, {fmt::format("\"{}={}\"", name(column), word)});
      const auto& tokens = std::get<Bags>(cut.columns[column]);
      if (tokens.features.size() != 1) refuse_word(word, name(column));
      word = tokens.dictionary[static_cast<std::size_t>(tokens.features[0])];
    }
    const auto found = std::find(words.begin(), words.end(), word);
    const auto place = static_cast<std::size_t>(found - words.begin());
    if (found == words.end()) {
      words.push_back(word);
      counts.push_back(0);
    }
    counts[place] += 1;
  }
  Bags result;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      result.features.push_back(static_cast<std::int32_t>(i));
      result.counts.push_back(counts[i]);
    }
    result.offsets.push_back(result.features.size());
    result.missing.push_back(0);
  }
  result.dictionary = std::move(words);
  return result;
}

// As the cells of the column are written.
std::optional<double> ModelColumns::number_in(std::size_t column, const std::string& text) const {
  double value = 0;
  const auto reading = data::parse_reading(schema_.columns[column].reading);
  if (reading.number(text, value) == data::NumberState::finite) return value;
  return to_number(text);
}

void ModelColumns::put_seen(const std::vector<Expression>& seen, Chunk& chunk) const {
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    std::vector<Expression> words;
    for (const auto& one : seen) {
      if (one.column != name(i)) continue;
      if (one.kind == Expression::Kind::has) {
        words.push_back(one);
      } else if (const auto value = number_in(i, one.value)) {
        std::get<Numbers>(chunk.columns[i]).values.assign(chunk.rows, *value);
      } else {
        refuse(fmt::format("column \"{}\": \"{}\" is not a number", name(i), one.value));
      }
    }
    if (words.empty()) continue;
    chunk.columns[i] = words_of(words, i, chunk.rows);
    // A word that the model has never seen is no evidence, and has no probability either.
    std::vector<Term> terms;
    scorer_.density(block_of(i)).explain(chunk, 0, terms);
    for (const auto& term : terms) {
      if (term.ignored) refuse_word(term.value, name(i));
    }
  }
}

}  // namespace credence
