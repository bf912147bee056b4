// SPDX-License-Identifier: Apache-2.0
#include "measure/scored_rows.hpp"

#include <algorithm>

#include "families/statistics/domain.hpp"
#include "parallel/parallel.hpp"

namespace credence {

std::vector<ScoredRows::Row> rows_of(std::span<const Chunk> chunks,
                                     const std::vector<std::string>& classes, WhichRows which,
                                     std::vector<std::string>* unknown) {
  Domain known(classes);
  std::vector<ScoredRows::Row> rows;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& labels = chunks[i].labels;
    // By code; names nobody has yet take their places when a row has them.
    std::vector<std::size_t> place;
    for (const auto& label : labels.dictionary) place.push_back(known.find(label));
    for (std::size_t r = 0; r < chunks[i].rows; ++r) {
      std::size_t cls = Outcome::no_label;
      if (!labels.codes.empty() && labels.codes[r] >= 0) {
        const auto code = static_cast<std::size_t>(labels.codes[r]);
        if (place[code] == Domain::npos && which != WhichRows::known) {
          place[code] = known.insert(labels.dictionary[code]);
        }
        cls = place[code];
      }
      if (cls == Outcome::no_label && which != WhichRows::all) continue;
      rows.push_back({i, r, cls, 0, weight_of(chunks[i], r)});
    }
  }
  if (unknown) {
    unknown->assign(known.values().begin() + static_cast<std::ptrdiff_t>(classes.size()),
                    known.values().end());
  }
  return rows;
}

std::vector<ScoredRows::Row> labelled_rows(std::span<const Chunk> chunks,
                                           const std::vector<std::string>& classes) {
  return rows_of(chunks, classes, WhichRows::known);
}

std::vector<double> scores_of(const std::vector<ScoredRows::Row>& rows,
                              std::span<const Chunk> chunks, std::size_t classes, unsigned threads,
                              const std::function<std::vector<double>(const Chunk&)>& score) {
  std::vector<std::size_t> first(chunks.size() + 1, 0);  // of each chunk's rows
  for (const auto& row : rows) ++first[row.chunk + 1];
  for (std::size_t i = 0; i < chunks.size(); ++i) first[i + 1] += first[i];
  std::vector<double> result(rows.size() * classes);
  const auto score_chunk = [&](std::size_t i) {
    if (first[i] == first[i + 1]) return;
    const auto scores = score(chunks[i]);
    for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
      std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(rows[k].row * classes), classes,
                  result.begin() + static_cast<std::ptrdiff_t>(k * classes));
    }
  };
  if (chunks.size() == 1) {
    score_chunk(0);
  } else {
    parallel_for(threads, chunks.size(), score_chunk);
  }
  return result;
}

ScoredRows score_rows(const Classifier& classifier, std::span<const Chunk> chunks, WhichRows which,
                      unsigned threads) {
  ScoredRows result{classifier.classes()};
  result.rows = rows_of(chunks, result.classes, which, &result.unknown);
  result.log_joint = scores_of(result.rows, chunks, result.classes.size(), threads,
                               [&](const Chunk& chunk) { return classifier.log_scores(chunk); });
  return result;
}

std::vector<Outcome> judge(const ScoredRows& rows, const DecisionRule& rule) {
  std::vector<Outcome> result;
  result.reserve(rows.rows.size());
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto& row = rows.rows[i];
    const bool known = row.cls < rows.classes.size();
    result.push_back(judge(rows.scores(i), known ? row.cls : Outcome::no_label, row.weight, rule));
    result.back().truth = row.cls;
  }
  return result;
}

std::vector<double> log_odds(const ScoredRows& rows) {
  std::vector<double> result;
  result.reserve(rows.log_joint.size());
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto odds = log_odds(rows.scores(i));
    result.insert(result.end(), odds.begin(), odds.end());
  }
  return result;
}

}  // namespace credence
