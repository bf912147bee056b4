// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "core/log_math.hpp"
#include "core/stream.hpp"
#include "core/text.hpp"
#include "credence/decision.hpp"
#include "credence/evaluate.hpp"
#include "families/domain.hpp"

namespace credence {

Outcome judge(std::span<const double> log_joint, std::size_t truth, double weight) {
  const Posterior row = posterior(log_joint);
  Outcome result;
  result.truth = truth;
  result.prediction = decide(row).value_or(Outcome::no_label);
  result.weight = weight;
  result.log_probability = -infinity;
  if (row.undecidable()) {
    result.brier = 1;
    return result;
  }
  // In logs: a probability may be too small for a double and still not 0.
  if (truth == Outcome::no_label) {
    result.brier = 1;
  } else {
    result.log_probability = log_joint[truth] - row.log_evidence;
  }
  for (std::size_t c = 0; c < row.probabilities.size(); ++c) {
    const double p = row.probabilities[c];
    const double miss = p - (c == truth ? 1.0 : 0.0);
    result.brier += miss * miss;
    result.confidence = std::max(result.confidence, p);
  }
  return result;
}

Metrics summarise(const std::vector<Outcome>& outcomes, const std::vector<std::string>& labels) {
  struct Bin {
    double weight = 0, right = 0, confidence = 0;
  };
  constexpr std::size_t bin_count = 15;
  std::array<Bin, bin_count> bins;
  Metrics result;
  result.labels = labels;
  result.confusion.assign(labels.size(), std::vector<double>(labels.size(), 0.0));
  double total = 0;
  for (const auto& outcome : outcomes) {
    const bool right = outcome.prediction == outcome.truth;
    const double w = outcome.weight;
    total += w;
    result.rows += 1;
    result.accuracy += right ? w : 0;
    result.brier += w * outcome.brier;
    result.log_loss -= w == 0 ? 0 : w * outcome.log_probability;
    result.impossible += outcome.log_probability == -infinity;
    if (outcome.prediction == Outcome::no_label) {
      result.undecided += 1;
    } else {
      result.confusion[outcome.truth][outcome.prediction] += w;
    }
    const auto bin = static_cast<std::size_t>(outcome.confidence * bin_count);
    auto& b = bins[std::min(bin, bin_count - 1)];
    b.weight += w;
    b.right += right ? w : 0;
    b.confidence += w * outcome.confidence;
  }
  if (total == 0) return result;
  result.accuracy /= total;
  result.brier /= total;
  result.log_loss /= total;
  for (const auto& bin : bins) result.ece += std::abs(bin.right - bin.confidence) / total;
  return result;
}

Metrics evaluate(const Model& model, Source& source, unsigned threads, const Progress& progress) {
  return evaluate(Scorer(model), source, threads, progress);
}

Metrics evaluate(const Classifier& classifier, Source& source, unsigned threads,
                 const Progress& progress) {
  Domain labels;
  for (const auto& label : classifier.classes()) labels.insert(label);
  const Domain labels_of_model = labels;
  struct Part {
    std::vector<Outcome> outcomes;  // truth: place in `dictionary`
    std::vector<std::string> dictionary;
  };
  std::vector<Outcome> outcomes;
  stream_chunks<Part>(
      source, threads, progress,
      [&](const Chunk& chunk) {
        const auto scores = classifier.log_scores(chunk);
        const std::size_t classes = classifier.classes().size();
        Part part{{}, chunk.labels.dictionary};
        std::vector<std::size_t> known;  // by code: the class, or no_label
        for (const auto& label : part.dictionary) {
          const std::size_t place = labels_of_model.find(label);
          known.push_back(place == Domain::npos ? Outcome::no_label : place);
        }
        for (std::size_t r = 0; r < chunk.rows; ++r) {
          if (chunk.labels.codes.empty() || chunk.labels.codes[r] < 0) continue;
          const auto code = static_cast<std::size_t>(chunk.labels.codes[r]);
          const auto truth = known[code];
          auto outcome = judge(std::span(scores).subspan(r * classes, classes), truth,
                               chunk.weights.empty() ? 1.0 : chunk.weights[r]);
          outcome.truth = code;
          part.outcomes.push_back(outcome);
        }
        return part;
      },
      [&](Part part) {
        for (auto& outcome : part.outcomes) {
          outcome.truth = labels.insert(part.dictionary[outcome.truth]);
          outcomes.push_back(outcome);
        }
      });
  // Classes the model does not know take their places among the sorted labels.
  auto sorted = labels.values();
  std::sort(sorted.begin(), sorted.end(), natural_less);
  std::vector<std::size_t> place;
  for (const auto& label : labels.values()) {
    place.push_back(
        static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), label) - sorted.begin()));
  }
  for (auto& outcome : outcomes) {
    outcome.truth = place[outcome.truth];
    if (outcome.prediction != Outcome::no_label) outcome.prediction = place[outcome.prediction];
  }
  return summarise(outcomes, sorted);
}

std::vector<Chunk> read_all(Source& source, unsigned threads, const Progress& progress) {
  std::vector<Chunk> chunks;
  for_each_chunk(source, threads, progress,
                 [&](Chunk chunk) { chunks.push_back(std::move(chunk)); });
  return chunks;
}

}  // namespace credence
