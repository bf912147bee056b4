// SPDX-License-Identifier: Apache-2.0
// What the values of columns are worth, and which of them would change a decision.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/reasons.hpp"
#include "answers/rows.hpp"
#include "core/chunk_rows.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"

namespace credence::serve {
namespace {

double weight_of(const Explanation& why, std::string_view column) {
  double sum = 0;
  for (const auto& line : why.lines) {
    if (line.column == column) sum += line.weight;
  }
  return sum;
}

}  // namespace

Response nomogram(const Call& call) {
  constexpr std::size_t points = 101, most_values = 300, most_columns = 300;
  auto fields = call.fields();
  const auto snapshot = call.model(fields.overrides());
  const auto& classifier = snapshot->classifier();
  const Model& model = snapshot->model("nomogram");
  const Chunk base = empty_row(*snapshot);
  const auto nothing = explain_for(classifier, base, 0, fields.text("class").value_or(""),
                                   fields.text("against").value_or(""));
  fields.finish();
  const plot::Slice slice(model, "");
  const auto data = call.store.data_of(call.names[0]);
  const auto& schema = model.schema();
  Json columns = Json::array();
  for (std::size_t i = 0; i < schema.columns.size() && columns.size() < most_columns; ++i) {
    const auto& spec = schema.columns[i];
    if (spec.kind == ColumnKind::text || spec.kind == ColumnKind::bag) continue;
    ColumnValues values;
    try {
      values = values_along(slice, chunks_of(data), i, points);
    } catch (const Error&) {
      continue;  // it never varies
    }
    if (values.words.size() > most_values) values.words.resize(most_values);
    if (values.size() == 0) continue;
    const Chunk rows = varied(base, i, values, schema);
    Json places = Json::array();
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const auto why = classifier.explain(rows, r, nothing.winner, nothing.other);
      places.push_back(
          {{"value", values.json(r)}, {"weight", log_number(weight_of(why, spec.name))}});
    }
    columns.push_back(
        {{"column", spec.name}, {"kind", kind_of(spec)}, {"points", std::move(places)}});
  }
  return json_response({{"class", snapshot->classes()[nothing.winner]},
                        {"against", snapshot->classes()[nothing.other]},
                        {"prior", log_number(nothing.log_odds)},
                        {"columns", std::move(columns)}});
}

namespace {

std::optional<std::size_t> label_of(const std::vector<double>& scores, std::size_t row,
                                    std::size_t classes) {
  return decide(posterior(std::span(scores).subspan(row * classes, classes)));
}

// Between a number that keeps the label and one that does not: the first that does not.
double crossing(const Classifier& classifier, const Chunk& row, std::size_t column, double keeps,
                double flips, std::optional<std::size_t> label) {
  Chunk chunk = row;
  for (int step = 0; step < 60; ++step) {
    const double middle = keeps / 2 + flips / 2;
    if (middle == keeps || middle == flips) break;
    chunk.columns[column] = Numbers{{middle}};
    const auto found = label_of(classifier.log_scores(chunk), 0, classifier.classes().size());
    (found == label ? keeps : flips) = middle;
  }
  return flips;
}

struct Change {
  std::size_t column;
  Json to;
  std::optional<std::size_t> label;
  Posterior posterior;
  double distance;       // as a share of the column's range; of words how far the log-odds go
  std::size_t rank = 0;  // among those of its column
};

// To both sides of the row's own number, the nearest place where the label is another.
void find_crossings(const Classifier& classifier, const Chunk& row, std::size_t column,
                    const ColumnValues& values, bool counts, std::vector<Change>& changes) {
  const std::size_t classes = classifier.classes().size();
  const auto label = label_of(classifier.log_scores(row), 0, classes);
  const double own = std::get<Numbers>(row.columns[column]).values[0];
  const auto scores = classifier.log_scores(varied(row, column, values, classifier.schema()));
  const double width = values.numbers.back() - values.numbers.front();
  for (const bool up : {false, true}) {
    std::optional<double> flips;
    double keeps = own;
    for (std::size_t k = 0; k < values.size() && !flips; ++k) {
      const std::size_t place = up ? k : values.size() - 1 - k;
      const double x = values.numbers[place];
      if (up ? x <= own : x >= own) continue;
      label_of(scores, place, classes) == label ? void(keeps = x) : void(flips = x);
    }
    if (!flips) continue;
    const double to = counts ? *flips : crossing(classifier, row, column, keeps, *flips, label);
    Chunk chunk = row;
    chunk.columns[column] = Numbers{{to}};
    const auto found = posterior(classifier.log_scores(chunk));
    changes.push_back({column, number(to), decide(found), found, std::abs(to - own) / width});
  }
}

void find_words(const Classifier& classifier, const Chunk& row, std::size_t column,
                const ColumnValues& values, std::vector<Change>& changes) {
  const std::size_t classes = classifier.classes().size();
  const auto label = label_of(classifier.log_scores(row), 0, classes);
  const auto scores = classifier.log_scores(varied(row, column, values, classifier.schema()));
  for (std::size_t v = 0; v < values.size(); ++v) {
    const auto found = posterior(std::span(scores).subspan(v * classes, classes));
    const auto now = decide(found);
    if (!now || now == label) continue;
    const double odds =
        label ? std::log(found.probabilities[*now]) - std::log(found.probabilities[*label]) : 0;
    changes.push_back({column, values.json(v), now, found, 1 / (1 + std::max(odds, 0.0))});
  }
}

}  // namespace

namespace {

// The nearest of every column before the second nearest of any: one with many values would fill the
// list.
void nearest_first(std::vector<Change>& changes, std::size_t columns) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.distance < b.distance; });
  std::vector<std::size_t> seen(columns, 0);
  for (auto& change : changes) change.rank = seen[change.column]++;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.rank < b.rank; });
}

}  // namespace

Response flip(const Call& call) {
  auto fields = call.fields();
  const auto snapshot = call.model(fields.overrides());
  const auto& classifier = snapshot->classifier();
  const Model& model = snapshot->model("flip");
  const Chunk row = row_in(fields, *snapshot);
  fields.finish();
  const plot::Slice slice(model, "");
  const auto data = call.store.data_of(call.names[0]);
  const auto& schema = model.schema();
  std::vector<Change> changes;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    ColumnValues values;
    try {
      values = values_along(slice, chunks_of(data), i, 201);
    } catch (const Error&) {
      continue;
    }
    if (values.size() == 0) continue;
    if (!values.words.empty()) {
      find_words(classifier, row, i, values, changes);
    } else if (has_value(row, i, 0)) {
      find_crossings(classifier, row, i, values, schema.columns[i].kind == ColumnKind::count,
                     changes);
    }
  }
  nearest_first(changes, schema.columns.size());
  const Json from = to_json(row, schema, 0);
  const auto now = posterior(classifier.log_scores(row));
  const auto label = decide(now);
  Json list = Json::array();
  const auto& classes = snapshot->classes();
  for (const auto& change : changes) {
    const auto& name = schema.columns[change.column].name;
    list.push_back({{"column", name},
                    {"from", has_value(row, change.column, 0) ? from[name] : Json()},
                    {"to", change.to},
                    {"label", change.label ? Json(classes[*change.label]) : Json()},
                    {"probabilities", by_class(classes, change.posterior.probabilities.data())}});
  }
  return json_response({{"label", label ? Json(classes[*label]) : Json()},
                        {"probabilities", by_class(classes, now.probabilities.data())},
                        {"changes", std::move(list)}});
}

}  // namespace credence::serve
