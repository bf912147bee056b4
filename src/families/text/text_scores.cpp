// SPDX-License-Identifier: Apache-2.0
#include "families/text/text_scores.hpp"

#include <algorithm>
#include <numeric>

#include "families/text/prefetch.hpp"

namespace credence {

TextScores::TextScores(const TextEstimate& text, std::size_t classes)
    : classes_(classes), text_(text), index_(*text.words) {
  const auto has_row = [&](std::size_t word) {
    return 2 * std::size_t{text.ends[word + 1] - text.ends[word]} > classes;
  };
  std::size_t all_rows = 0;
  for (std::size_t i = 0; i < text.size(); ++i) all_rows += has_row(i) ? 1 : 0;
  rows_.assign(all_rows * classes, 0.0);
  words_.reserve(text.size());
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t begin = text.ends[i], end = text.ends[i + 1];
    if (!has_row(i)) {
      words_.push_back({begin, end - begin});
      continue;
    }
    words_.push_back({rows++, in_row});
    text_.cells.add(begin, end - begin, 1, std::span(rows_).subspan((rows - 1) * classes, classes));
  }
}

TextScores::Known TextScores::look_up(const std::vector<std::string>& words) const {
  Known known{index_.find_all(words, *text_.words), std::vector<Word>(words.size())};
  const auto& numbers = known.numbers;
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + ahead < words.size() && numbers[i + ahead] >= 0) {
      __builtin_prefetch(&words_[static_cast<std::size_t>(numbers[i + ahead])]);
    }
    if (numbers[i] >= 0) known.words[i] = words_[static_cast<std::size_t>(numbers[i])];
  }
  return known;
}

// Several rows at a time, so that the sums are fetched and put back less often.
void TextScores::add_rows(std::span<const Part> rows, std::span<double> score) const {
  const std::size_t classes = score.size();
  double* const sums = score.data();
  const auto row = [&](const Part& part) { return rows_.data() + part.first * classes; };
  std::size_t i = 0;
  for (; i + 4 <= rows.size(); i += 4) {
    const double* const a = row(rows[i]);
    const double* const b = row(rows[i + 1]);
    const double* const c = row(rows[i + 2]);
    const double* const d = row(rows[i + 3]);
    const double in_a = rows[i].weight, in_b = rows[i + 1].weight;
    const double in_c = rows[i + 2].weight, in_d = rows[i + 3].weight;
#pragma GCC ivdep
    for (std::size_t k = 0; k < classes; ++k) {
      sums[k] += (in_a * a[k] + in_b * b[k]) + (in_c * c[k] + in_d * d[k]);
    }
  }
  for (; i < rows.size(); ++i) {
    const double* const a = row(rows[i]);
    for (std::size_t k = 0; k < classes; ++k) sums[k] += rows[i].weight * a[k];
  }
}

namespace {

// Several sums at a time: one would have to wait for the addition before.
double sum_of(std::span<const double> numbers) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += numbers[i + k];
  }
  for (; i < numbers.size(); ++i) sums[0] += numbers[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

// First the words with a row are told from the others, then each kind is added: which of them comes
// next cannot be foreseen.
TextScores::Sums TextScores::add(const Known& known, std::span<const std::int32_t> places,
                                 std::span<const double> weights, Parts& parts,
                                 std::span<double> score) const {
  if (parts.rows.size() < places.size()) {
    parts.rows.resize(2 * places.size());
    parts.others.resize(2 * places.size());
  }
  Part* const all_rows = parts.rows.data();
  Part* const all_others = parts.others.data();
  std::size_t rows = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Word& word = known.words[static_cast<std::size_t>(places[i])];
    const Part part{word.first, word.cells, weights[i]};
    all_rows[rows] = part;
    all_others[i - rows] = part;
    rows += word.cells == in_row ? 1 : 0;
  }
  add_rows(std::span(all_rows, rows), score);
  const std::span others(all_others, places.size() - rows);
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i + ahead < others.size()) {
      text_.cells.prefetch(others[i + ahead].first, others[i + ahead].cells);
    }
    text_.cells.add(others[i].first, others[i].cells, others[i].weight, score);
  }
  Sums sums{sum_of(weights), 0};
  if (text_.bases.empty()) sums.base = sums.weight * text_.common_base;
  for (std::size_t i = 0; !text_.bases.empty() && i < places.size(); ++i) {
    const auto number = known.numbers[static_cast<std::size_t>(places[i])];
    sums.base += weights[i] * text_.bases[static_cast<std::size_t>(number)];
  }
  return sums;
}

}  // namespace credence
