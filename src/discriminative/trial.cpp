// SPDX-License-Identifier: Apache-2.0
#include "discriminative/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "discriminative/model.hpp"

namespace credence {

Trial::Trial(const std::vector<Chunk>& chunks, const Schema& schema) : chunks_(chunks) {
  std::set<std::string> found;
  for (const auto& chunk : chunks) {
    for (std::size_t r = 0; r < chunk.labels.codes.size(); ++r) {
      const auto code = chunk.labels.codes[r];
      const bool counts = code >= 0 && (chunk.weights.empty() || chunk.weights[r] > 0);
      if (counts) found.insert(chunk.labels.dictionary[static_cast<std::size_t>(code)]);
    }
  }
  classes_.assign(found.begin(), found.end());
  std::sort(classes_.begin(), classes_.end(), natural_less);
  if (classes_.size() < 2) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": {}; a classifier needs at least two classes (is {} right?)",
                    schema.target,
                    classes_.empty() ? "no class at all" : "only the class \"" + classes_[0] + "\"",
                    setting("target")));
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto classes = classes_of(chunks[i], classes_);
    for (std::size_t r = 0; r < chunks[i].rows; ++r) {
      if (classes[r] >= 0) rows_.push_back({i, r, static_cast<std::size_t>(classes[r])});
    }
  }
}

std::vector<Chunk> Trial::select(std::span<const std::size_t> rows) const {
  std::vector<std::vector<std::size_t>> picked(chunks_.size());
  for (const auto row : rows) picked[rows_[row].chunk].push_back(rows_[row].row);
  std::vector<Chunk> result;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (!picked[i].empty()) result.push_back(select_rows(chunks_[i], picked[i]));
  }
  return result;
}

std::vector<Outcome> Trial::judge(const Contender& contender, std::span<const std::size_t> training,
                                  std::span<const std::size_t> held_out,
                                  const LogisticOptions& options) const {
  const auto seen = select(training);
  Model model = contender.model.empty();
  for (const auto& chunk : seen) model.observe(chunk);
  std::vector<std::vector<double>> joints;
  const auto unseen = select(held_out);
  if (contender.logistic && model.classes().size() > 1) {
    const auto twin = LogisticModel::fit(model, seen, options);
    for (const auto& chunk : unseen) joints.push_back(twin.log_posterior(chunk));
  } else {
    const Scorer scorer(model);
    for (const auto& chunk : unseen) joints.push_back(scorer.log_joint(chunk));
  }
  // A class without training rows is impossible, for every contender alike.
  std::vector<std::size_t> place;
  for (const auto& cls : model.classes()) {
    place.push_back(static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), cls) -
                                             classes_.begin()));
  }
  std::vector<Outcome> outcomes;
  std::vector<double> joint(classes_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < unseen.size(); ++i) {
    for (std::size_t r = 0; r < unseen[i].rows; ++r, ++next) {
      std::fill(joint.begin(), joint.end(), -infinity);
      for (std::size_t c = 0; c < place.size(); ++c) {
        joint[place[c]] = joints[i][r * place.size() + c];
      }
      const double weight = unseen[i].weights.empty() ? 1.0 : unseen[i].weights[r];
      outcomes.push_back(credence::judge(joint, class_of(held_out[next]), weight));
    }
  }
  return outcomes;
}

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

Figures figures(const Metrics& metrics) {
  return {metrics.accuracy, metrics.log_loss, metrics.brier};
}

Figures mean_of(const std::vector<Figures>& values) {
  Figures mean;
  const double count = static_cast<double>(values.size());
  for (const auto& v : values) {
    mean.accuracy += v.accuracy / count;
    mean.log_loss += v.log_loss / count;
    mean.brier += v.brier / count;
  }
  return mean;
}

Figures standard_error(const std::vector<Figures>& values) {
  const Figures mean = mean_of(values);
  const double count = static_cast<double>(values.size());
  const auto error = [&](double Figures::*member) {
    double squares = 0;
    for (const auto& v : values) squares += (v.*member - mean.*member) * (v.*member - mean.*member);
    return std::sqrt(squares / (count - 1) / count);
  };
  return {error(&Figures::accuracy), error(&Figures::log_loss), error(&Figures::brier)};
}

}  // namespace credence
