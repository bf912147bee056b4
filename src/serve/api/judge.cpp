// SPDX-License-Identifier: Apache-2.0
// How good a model is, and the rows that say so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "answers/metrics.hpp"
#include "answers/reasons.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "measure/evaluation.hpp"
#include "serve/api/columns.hpp"
#include "serve/api/endpoints.hpp"

namespace credence::serve {
namespace {

// Labelled rows and what the model, or one that has not seen them, says of them.
struct JudgedRows {
  ScoredRows rows;
  std::vector<std::size_t> first;  // of each chunk: the index of its first row
  std::vector<Posterior> posteriors;
  Json metrics;
};

struct Mode {
  bool cv = false;
  std::size_t folds = 10;
  std::string key() const { return cv ? fmt::format("cv {}", folds) : "data"; }
};

Mode mode_of(const Query& query) {
  const auto by = query.text("by").value_or("data");
  if (by != "data" && by != "cv") {
    throw HttpError(422, fmt::format("by={}: data or cv is wanted", by));
  }
  return {by == "cv", query.whole("folds", 10, 2, 1000000)};
}

JudgedRows judged_anew(const Snapshot& snapshot, const DataRows& data, const Mode& mode) {
  JudgedRows result;
  if (mode.cv) {
    Folds folds;
    folds.count = mode.folds;
    folds.at_most = true;
    const Model empty = snapshot.model("cross-validation").empty();
    result.rows = hold_out(empty, data.chunks, folds);
    result.metrics = to_json(cross_validate(empty, data.chunks, folds));
  } else {
    result.rows = score_rows(snapshot.classifier(), data.chunks);
    result.metrics = to_json(evaluate_chunks(snapshot.classifier(), data.chunks));
  }
  std::size_t before = 0;
  for (const auto& chunk : data.chunks) {
    result.first.push_back(before);
    before += chunk.rows;
  }
  for (std::size_t r = 0; r < result.rows.rows.size(); ++r) {
    result.posteriors.push_back(posterior(result.rows.scores(r)));
  }
  if (result.rows.rows.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("no row has a value of \"{}\"", snapshot.schema().target));
  }
  return result;
}

std::shared_ptr<const DataRows> data_for(const Call& call) {
  auto data = call.store.data_of(call.names[0]);
  if (!data) {
    throw HttpError(409, "the server was started without rows that this model can be judged by");
  }
  return data;
}

std::shared_ptr<const JudgedRows> judged(const Snapshot& snapshot, const DataRows& data,
                                         const Mode& mode) {
  return snapshot.cached("judged " + mode.key(), [&] { return judged_anew(snapshot, data, mode); });
}

const std::string& truth_of(const ScoredRows& rows, std::size_t row) {
  const auto cls = rows.rows[row].cls;
  return cls < rows.classes.size() ? rows.classes[cls] : rows.unknown[cls - rows.classes.size()];
}

// Of one class against the rest, from nothing called positive to everything. Points closer than a
// picture shows are left out.
Json roc_of(const JudgedRows& judged, std::size_t cls) {
  std::vector<std::pair<double, std::size_t>> order;
  double positives = 0, negatives = 0;
  for (std::size_t r = 0; r < judged.posteriors.size(); ++r) {
    const double p = judged.posteriors[r].probabilities[cls];
    if (std::isnan(p)) continue;
    order.emplace_back(p, r);
    const auto& row = judged.rows.rows[r];
    (row.cls == cls ? positives : negatives) += row.weight;
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Json fpr = Json::array({0.0}), tpr = Json::array({0.0}), thresholds = Json::array({nullptr});
  double right = 0, wrong = 0, last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& row = judged.rows.rows[order[i].second];
    (row.cls == cls ? right : wrong) += row.weight;
    const bool last = i + 1 == order.size();
    if (!last && order[i + 1].first == order[i].first) continue;
    const double x = negatives > 0 ? wrong / negatives : 0,
                 y = positives > 0 ? right / positives : 0;
    if (!last && std::abs(x - last_x) + std::abs(y - last_y) < 1e-3) continue;
    last_x = x;
    last_y = y;
    fpr.push_back(x);
    tpr.push_back(y);
    thresholds.push_back(order[i].first);
  }
  return {{"fpr", std::move(fpr)}, {"tpr", std::move(tpr)}, {"threshold", std::move(thresholds)}};
}

// Of the most probable class, in the bins of the calibration error.
Json reliability_of(const JudgedRows& judged) {
  constexpr std::size_t bins = 15;
  std::vector<double> weight(bins), right(bins), confidence(bins);
  for (std::size_t r = 0; r < judged.posteriors.size(); ++r) {
    const auto& p = judged.posteriors[r].probabilities;
    const auto top = std::max_element(p.begin(), p.end());
    if (std::isnan(*top)) continue;
    const auto& row = judged.rows.rows[r];
    const auto bin = std::min(static_cast<std::size_t>(*top * bins), bins - 1);
    weight[bin] += row.weight;
    confidence[bin] += row.weight * *top;
    if (static_cast<std::size_t>(top - p.begin()) == row.cls) right[bin] += row.weight;
  }
  Json result = Json::array();
  for (std::size_t b = 0; b < bins; ++b) {
    if (weight[b] == 0) continue;
    result.push_back({{"p", confidence[b] / weight[b]},
                      {"observed", right[b] / weight[b]},
                      {"n", count(weight[b])}});
  }
  return result;
}

// The largest thousandth that is not above p. Divided, as those are who ask: 0.57 is not 0.569.
std::size_t thousandth(double p) {
  auto k = static_cast<std::size_t>(p * 1000);
  while (k > 0 && static_cast<double>(k) / 1000 > p) --k;
  while (k < 1000 && static_cast<double>(k + 1) / 1000 <= p) ++k;
  return k;
}

// How many rows of a class, and how many others, are given a probability of it: by thousandths, so
// that what a threshold of thousandths does to all of them can be counted, however many they are.
Json scores_of(const JudgedRows& judged, std::size_t cls) {
  struct Count {
    double positives = 0, negatives = 0;
  };
  std::map<std::size_t, Count> counts;
  for (std::size_t r = 0; r < judged.posteriors.size(); ++r) {
    const double p = judged.posteriors[r].probabilities[cls];
    if (std::isnan(p)) continue;
    auto& at = counts[thousandth(p)];
    const auto& row = judged.rows.rows[r];
    (row.cls == cls ? at.positives : at.negatives) += row.weight;
  }
  Json result = Json::array();
  for (const auto& [k, at] : counts) {
    result.push_back({{"p", static_cast<double>(k) / 1000},
                      {"positives", count(at.positives)},
                      {"negatives", count(at.negatives)}});
  }
  return result;
}

Json curves_of(const JudgedRows& judged, const Json& metrics) {
  constexpr std::size_t most_classes = 30;
  Json roc = Json::object(), scores = Json::object(), reject = Json::array();
  for (std::size_t c = 0; c < judged.rows.classes.size() && c < most_classes; ++c) {
    roc[judged.rows.classes[c]] = roc_of(judged, c);
    scores[judged.rows.classes[c]] = scores_of(judged, c);
  }
  for (const auto& point : metrics.at("reject").at("points")) {
    reject.push_back({{"threshold", point.at("threshold")},
                      {"answered", point.at("coverage")},
                      {"error", point.at("error")}});
  }
  return {{"roc", std::move(roc)},
          {"reliability", reliability_of(judged)},
          {"reject", std::move(reject)},
          {"scores", std::move(scores)}};
}

}  // namespace

Response judge_model(const Call& call) {
  const auto snapshot = call.model(call.query.overrides());
  const auto mode = mode_of(call.query);
  call.query.finish();
  const auto data = data_for(call);
  const auto text = snapshot->cached("judge " + mode.key(), [&] {
    const auto rows = judged(*snapshot, *data, mode);
    Json json = rows->metrics;
    json["by"] = mode.cv ? "cv" : "data";
    json["curves"] = curves_of(*rows, rows->metrics);
    return compact(json);
  });
  Response response;
  response.body = *text;
  return response;
}

namespace {

// Of a row's documents, what each word says for the decision and against the truth; where the
// decision is right, against the second most probable class.
void add_marks(const Snapshot& snapshot, const DataRows& data, const ScoredRows::Row& place,
               const std::string& truth, const std::string& label, Json& json) {
  const Chunk& chunk = data.chunks[place.chunk];
  const auto& schema = snapshot.schema();
  data::DocumentTexts texts(schema.columns.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const auto* text = data.text(place.chunk, i, place.row)) texts[i] = *text;
  }
  const auto& classes = snapshot.classes();
  const bool known = std::find(classes.begin(), classes.end(), truth) != classes.end();
  const auto& against = known && truth != label ? truth : "";
  const auto& classifier = snapshot.classifier();
  const Json why = to_json(make_case(explain_for(classifier, chunk, place.row, label, against),
                                     classifier, chunk, place.row, &texts),
                           classifier);
  if (!why.contains("documents")) return;
  for (const auto* key : {"class", "against", "documents"}) json[key] = why.at(key);
}

}  // namespace

Response rows(const Call& call) {
  const auto snapshot = call.model(call.query.overrides());
  const auto data = data_for(call);
  const auto from = call.query.whole("from", 0, 0, 1000000000);
  const auto wanted = call.query.whole("count", 50, 0, 10000);
  const auto truth = call.query.text("true"), predicted = call.query.text("predicted");
  const bool marked = call.query.flag("marked");
  const auto mode = mode_of(call.query);
  call.query.finish();
  if (predicted && !predicted->empty()) {
    (void)class_named("predicted", *predicted, snapshot->classifier());
  }
  const auto all = judged(*snapshot, *data, mode);
  const auto& classes = all->rows.classes;
  std::size_t total = 0;
  Json list = Json::array();
  for (std::size_t r = 0; r < all->posteriors.size(); ++r) {
    const auto decision = decide(all->posteriors[r]);
    const std::string label = decision ? classes[*decision] : "";
    const auto& own = truth_of(all->rows, r);
    if (truth && *truth != own) continue;
    if (predicted && *predicted != label) continue;
    if (total++ < from || list.size() >= wanted) continue;
    const auto& place = all->rows.rows[r];
    Json one = {{"index", all->first[place.chunk] + place.row},
                {"label", own},
                {"predicted", decision ? Json(label) : Json()},
                {"probabilities", by_class(classes, all->posteriors[r].probabilities.data())},
                {"row", row_json(*data, place.chunk, snapshot->schema(), place.row)}};
    if (marked) add_marks(*snapshot, *data, place, own, label, one);
    list.push_back(std::move(one));
  }
  return json_response({{"total", total}, {"rows", std::move(list)}});
}

}  // namespace credence::serve
