// SPDX-License-Identifier: Apache-2.0
#include "answers/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/rows.hpp"
#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"

namespace credence {
namespace {

// Columns are named for rows that are this unusual, or as unusual as somebody asks for.
constexpr double named_below = 0.05;

void add_number(double value, std::string& text) {
  text += ',';
  append_number(value, text);
}

// The most probable classes and their probabilities.
std::string top_cells(const Judge& judge, const Posterior& row) {
  if (row.undecidable()) return std::string(2 * judge.top, ',');
  std::string text;
  for (const auto c : most_probable(row, judge.top)) {
    text.append(1, ',').append(csv_cell(judge.classifier.classes()[c]));
    add_number(row.probabilities[c], text);
  }
  return text;
}

void add_kept(const Judge& judge, const Chunk& chunk, std::size_t row, std::string& text) {
  const std::size_t first = judge.classifier.schema().columns.size();
  for (std::size_t k = 0; k < judge.kept.size(); ++k) {
    const auto& words = std::get<Categories>(chunk.columns[first + k]);
    const auto code = words.codes[row];
    if (code >= 0) text += csv_cell(words.dictionary[static_cast<std::size_t>(code)]);
    text += ',';
  }
}

// What stands in front of an answer: the row's number, its name, and what is kept of it.
void add_front(const Judge& judge, const Rows& rows, std::size_t row, std::string& text) {
  if (judge.numbered) text += fmt::format("{},", rows.numbers.of(rows.first + row));
  if (rows.named) {
    text += (row < rows.names.size() ? csv_cell(to_utf8(rows.names[row])) : "") + ",";
  }
  add_kept(judge, rows.chunk, row, text);
}

// Of the class that was decided on, or is the most probable one; with probabilities, of all of
// them.
void add_intervals(const Judge& judge, const Posterior& row, std::optional<std::size_t> label,
                   std::span<const Interval> intervals, std::string& text) {
  const auto add = [&](const Interval& interval) {
    for (const double end : {interval.low, interval.high}) {
      text += ',';
      if (!std::isnan(end)) append_number(end, text);
    }
  };
  const auto top = std::max_element(row.probabilities.begin(), row.probabilities.end());
  add(intervals[label ? *label : static_cast<std::size_t>(top - row.probabilities.begin())]);
  for (std::size_t c = 0; judge.proba && c < intervals.size(); ++c) add(intervals[c]);
}

void add_places(std::span<const double> places, std::string& text) {
  for (const double place : places) {
    text += ',';
    if (!std::isnan(place)) append_number(place, text);
  }
}

// Whether the most probable class is all that is asked for.
bool only_labels(const Judge& judge) {
  return !judge.proba && !judge.evidence && judge.top == 0 && !judge.coordinates &&
         !judge.novelty && !judge.uncertainty && judge.rule.plain();
}

}  // namespace

std::string header(const Judge& judge, bool named) {
  std::string line = judge.numbered ? "row," : "";
  if (named) line += "file,";
  for (const auto& name : judge.kept) line += csv_cell(name) + ",";
  line += "prediction";
  if (judge.proba) {
    for (const auto& label : judge.classifier.classes())
      line.append(1, ',').append(csv_cell(label));
  }
  if (judge.uncertainty) {
    line += ",low,high";
    for (std::size_t c = 0; judge.proba && c < judge.classifier.classes().size(); ++c) {
      const auto& label = judge.classifier.classes()[c];
      line.append(1, ',').append(csv_cell(label + " low"));
      line.append(1, ',').append(csv_cell(label + " high"));
    }
  }
  for (std::size_t k = 1; k <= judge.top; ++k) line += fmt::format(",top{0},probability{0}", k);
  if (judge.evidence) line += ",log_evidence";
  if (judge.rule.costs.given()) line += ",expected_cost";
  if (judge.novelty) line += ",novelty,strange";
  for (std::size_t k = 0; judge.coordinates && k < judge.coordinates->size(); ++k) {
    line.append(1, ',').append(Coordinates::name(k));
  }
  return line + "\n";
}

namespace {

Answers answer_at_once(const Judge& judge, const Rows& rows) {
  const Chunk& chunk = rows.chunk;
  const auto& labels = judge.classifier.classes();
  const auto scores = judge.classifier.log_scores(chunk);
  const std::size_t axes = judge.coordinates ? judge.coordinates->size() : 0;
  const auto places = judge.coordinates ? judge.coordinates->of(chunk) : std::vector<double>();
  const auto p_values = judge.novelty ? judge.novelty->p_values(chunk) : std::vector<double>();
  const auto intervals =
      judge.uncertainty ? judge.uncertainty->intervals(chunk) : std::vector<Interval>();
  std::vector<std::size_t> unusual;
  for (std::size_t r = 0; r < p_values.size(); ++r) {
    if (p_values[r] < std::max(named_below, judge.novel_below)) unusual.push_back(r);
  }
  const auto strange = unusual.empty() ? std::vector<std::vector<std::string>>()
                                       : judge.novelty->strange_columns(chunk, unusual);
  std::vector<std::string> written;
  for (const auto& label : labels) written.push_back(csv_cell(label));
  std::size_t next_unusual = 0;
  Answers result;
  Posterior row;
  const bool quick = only_labels(judge);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    add_front(judge, rows, r, result.text);
    const auto of_row = std::span(scores).subspan(r * labels.size(), labels.size());
    const auto winner = quick ? clear_winner(of_row) : std::nullopt;
    if (winner) {
      result.text.append(written[*winner]).append(1, '\n');
      continue;
    }
    posterior(of_row, row);
    const auto [label, expected_cost] = decide_by_cost(row, judge.rule);
    if (row.undecidable()) {
      result.undecidable.emplace_back(rows.numbers.of(rows.first + r),
                                      judge.classifier.zero_factors(chunk, r));
    }
    const bool novel = judge.novelty && p_values[r] < judge.novel_below;
    if (label && !novel) result.text += written[*label];
    if (judge.proba) {
      for (const double p : row.probabilities) add_number(p, result.text);
    }
    if (judge.uncertainty) {
      add_intervals(judge, row, label,
                    std::span(intervals).subspan(r * labels.size(), labels.size()), result.text);
    }
    result.text += top_cells(judge, row);
    if (judge.evidence) add_number(row.log_evidence, result.text);
    if (judge.rule.costs.given()) add_number(expected_cost, result.text);
    if (judge.novelty) {
      add_number(p_values[r], result.text);
      result.text += ',';
      if (next_unusual < unusual.size() && unusual[next_unusual] == r) {
        result.text += csv_cell(join(strange[next_unusual++], "; "));
      }
    }
    add_places(std::span(places).subspan(r * axes, axes), result.text);
    result.text += "\n";
  }
  return result;
}

}  // namespace

Answers answer(const Judge& judge, const Rows& rows) {
  Answers result;
  in_slices(
      rows.chunk, judge.classifier.classes().size(), [&](const Chunk& slice, std::size_t first) {
        const auto names = rows.names.subspan(std::min(first, rows.names.size()));
        auto part =
            answer_at_once(judge, {slice, rows.named, names, rows.numbers, rows.first + first});
        result.text += part.text;
        for (auto& row : part.undecidable) result.undecidable.push_back(std::move(row));
      });
  return result;
}

}  // namespace credence
