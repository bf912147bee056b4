// SPDX-License-Identifier: Apache-2.0
#include "plot/report/mistakes.hpp"

#include <algorithm>

#include "core/chunk_rows.hpp"

namespace credence::plot {
namespace {

bool worse(const TellingRow& a, const TellingRow& b) {
  return a.wrong != b.wrong ? a.wrong : a.own < b.own;
}

// What a row's posterior makes of its label.
TellingRow judged_row(const Posterior& posterior, const std::string& truth,
                      const std::vector<std::string>& classes) {
  TellingRow result;
  result.truth = truth;
  const auto found = std::find(classes.begin(), classes.end(), truth);
  result.wrong = true;
  if (found == classes.end() || posterior.undecidable()) return result;
  const auto& p = posterior.probabilities;
  result.own = p[static_cast<std::size_t>(found - classes.begin())];
  result.wrong = result.own < *std::max_element(p.begin(), p.end());
  return result;
}

// The worst so far, of which one more is heard.
void take(std::vector<TellingRow>& worst, TellingRow row, std::size_t count) {
  if (worst.size() == count && !worse(row, worst.back())) return;
  worst.insert(std::upper_bound(worst.begin(), worst.end(), row, worse), std::move(row));
  if (worst.size() > count) worst.pop_back();
}

std::vector<TellingRow> first_rows(const std::vector<Chunk>& data, std::size_t count) {
  std::vector<TellingRow> result;
  for (std::size_t c = 0; c < data.size(); ++c) {
    for (std::size_t r = 0; r < data[c].rows && result.size() < count; ++r) {
      result.push_back({.chunk = c, .row = r, .number = result.size() + 1});
    }
  }
  return result;
}

}  // namespace

std::vector<TellingRow> telling_rows(const Classifier& classifier, const std::vector<Chunk>& data,
                                     std::size_t count) {
  std::vector<TellingRow> worst;
  if (count == 0) return worst;
  std::size_t before = 0;
  for (std::size_t c = 0; c < data.size(); before += data[c].rows, ++c) {
    if (data[c].labels.codes.empty()) continue;
    in_slices(data[c], classifier.classes().size(), [&](const Chunk& slice, std::size_t first) {
      const auto answers = posteriors(classifier, slice);
      for (std::size_t i = 0; i < slice.rows; ++i) {
        const auto code = slice.labels.codes[i];
        if (code < 0) continue;
        auto row = judged_row(answers[i], slice.labels.dictionary[static_cast<std::size_t>(code)],
                              classifier.classes());
        row.chunk = c;
        row.row = first + i;
        row.number = before + row.row + 1;
        take(worst, std::move(row), count);
      }
    });
  }
  if (worst.empty()) return first_rows(data, count);
  // What is right is shown only where nothing is wrong.
  if (worst.front().wrong) std::erase_if(worst, [](const TellingRow& row) { return !row.wrong; });
  return worst;
}

}  // namespace credence::plot
