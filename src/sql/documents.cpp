// SPDX-License-Identifier: Apache-2.0
#include "sql/documents.hpp"

#include <fmt/format.h>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "words/options.hpp"
#include "words/stop_words.hpp"

namespace credence::sql {
namespace {

// What of the tokeniser's options no regular expression does; empty: nothing.
std::string unsaid(const text::TokenOptions& options) {
  if (options.chars_high > 0) return "chars";
  if (options.ngrams_high > 1) return "ngrams";
  if (!options.stem.empty()) return "stem";
  return options.hash_bits > 0 ? "hash" : "";
}

void refuse(Dialect dialect, const ColumnSpec& column, const text::TokenOptions& options) {
  const auto what = unsaid(options);
  if (!what.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\": SQL cannot cut texts by {} (learn it with {})",
                            column.name, what, setting("as", column.name + ": text(multinomial)")));
  }
  if (dialect == Dialect::spark) {
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\": Spark's SQL does not look words up for each row (score "
                            "it by credence.spark.predict)",
                            column.name));
  }
}

std::string pattern_of(Dialect dialect, const text::TokenOptions& options) {
  const std::string character = dialect == Dialect::duckdb ? R"([\p{L}\p{M}\p{N}_])" : R"(\w)";
  if (options.pattern == text::TokenPattern::plain) return fmt::format("{0}{0}+", character);
  const bool parts = options.pattern == text::TokenPattern::parts;
  return fmt::format("{0}+(?:[{1}]{0}+)*", character, parts ? "@." : "@.''-");
}

// A subquery with a row for every word of the document.
std::string words_of(const Expression& document, const text::TokenOptions& options) {
  const Dialect dialect = document.dialect;
  std::string source = document.text;
  if (options.pattern == text::TokenPattern::words) {
    source = fmt::format("replace({}, chr(8217), '''')", source);
  }
  if (options.fold) source = fmt::format("lower({})", source);
  const auto pattern = pattern_of(dialect, options);
  std::string found =
      dialect == Dialect::duckdb
          ? fmt::format("SELECT unnest(regexp_extract_all({}, '{}')) AS word", source, pattern)
          : fmt::format("SELECT found[1] AS word FROM regexp_matches({}, '({})', 'g') AS found",
                        source, pattern);
  std::vector<std::string> conditions{
      fmt::format("octet_length({}) <= {}", dialect == Dialect::duckdb ? "encode(word)" : "word",
                  text::TokenOptions::longest)};
  if (options.shortest > 1)
    conditions.push_back(fmt::format("length(word) >= {}", options.shortest));
  std::vector<std::string> stop;
  if (!options.stop.empty()) {
    for (const auto word : *text::built_in_stop_words(options.stop)) {
      stop.push_back(quoted_text(dialect, word));
    }
  }
  for (const auto& word : options.stop_words) {
    stop.push_back(quoted_text(dialect, options.fold ? ascii_lower(word) : word));
  }
  if (!stop.empty()) conditions.push_back(fmt::format("word NOT IN ({})", join(stop, ", ")));
  return fmt::format("SELECT word FROM ({}) AS found WHERE {}", found, join(conditions, " AND "));
}

// VALUES with the evidence of every word.
std::string rows_of(Dialect dialect, const WordTable& table, std::size_t classes) {
  std::string text = "VALUES";
  for (std::size_t w = 0; w < table.words.size(); ++w) {
    text += (w ? ",\n  (" : "\n  (") + quoted_text(dialect, table.words[w]);
    for (std::size_t c = 0; c < classes; ++c) {
      text += ", " + number(dialect, table.evidence[w * classes + c]).text;
    }
    text += ")";
  }
  return text;
}

}  // namespace

std::vector<Expression> sums_over_words(Query& query, std::size_t column, const WordTable& table,
                                        std::size_t classes) {
  const Dialect dialect = query.dialect();
  const auto options = text::parse_token_options(query.spec(column).tokens);
  refuse(dialect, query.spec(column), options);
  const auto document = query.raw_cell(column);
  if (table.words.empty()) return {classes, query.number(0)};
  query.remark(
      fmt::format("texts of \"{}\": a letter is what the database takes for one, which "
                  "beyond ASCII may differ",
                  query.spec(column).name));
  std::string names = "word";
  for (std::size_t c = 0; c < classes; ++c) names += fmt::format(", e{}", c + 1);
  const auto evidence = query.with(names, rows_of(dialect, table, classes));
  const auto words = words_of(document, options);
  std::string known, weight;
  if (table.counts == WordTable::Counts::log) {
    // Of unit length, and to so many digits: docs/families/text.md
    known = fmt::format(
        "SELECT word, (1 + ln({}))  AS weight FROM ({}) AS words WHERE word IN (SELECT word FROM "
        "{}) GROUP BY word",
        as_double({dialect, "count(*)"}).text, words, evidence);
    const auto length = query.beside(
        fmt::format("SELECT sqrt(sum(weight * weight)) AS length FROM ({}) AS words", known));
    weight = fmt::format("round(weight * (1073741824e0 / {}.length)) / 1073741824e0", length);
    known = fmt::format("SELECT word, {} AS weight FROM ({}) AS words",
                        as_double({dialect, weight}).text, known);
  } else {
    known = fmt::format("SELECT {}word, {} AS weight FROM ({}) AS words",
                        table.counts == WordTable::Counts::binary ? "DISTINCT " : "",
                        number(dialect, 1).text, words);
  }
  std::vector<std::string> sums;
  for (std::size_t c = 0; c < classes; ++c) {
    sums.push_back(
        fmt::format("COALESCE(sum(weight * e{0}), {1}) AS e{0}", c + 1, number(dialect, 0).text));
  }
  const auto found =
      query.beside(fmt::format("SELECT {} FROM ({}) AS words JOIN {} AS evidence ON "
                               "evidence.word = words.word",
                               join(sums, ", "), known, evidence));
  std::vector<Expression> result;
  for (std::size_t c = 0; c < classes; ++c) {
    result.push_back(table.scale * Expression{dialect, fmt::format("{}.e{}", found, c + 1)});
  }
  return result;
}

}  // namespace credence::sql
