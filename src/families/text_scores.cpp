// SPDX-License-Identifier: Apache-2.0
#include "families/text_scores.hpp"

namespace credence {

TextScores::TextScores(const TextEstimate& text, std::size_t classes)
    : classes_(classes), cells_(text.cells), index_(text.words) {
  words_.reserve(text.words.size());
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    const std::size_t begin = text.ends[i], end = text.ends[i + 1];
    if (2 * (end - begin) <= classes) {
      words_.push_back({text.base[i], static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end - begin)});
      continue;
    }
    words_.push_back({text.base[i], rows++, in_row});
    rows_.resize(rows_.size() + classes, 0.0);
    double* row = rows_.data() + rows_.size() - classes;
    for (auto k = begin; k < end; ++k) row[cells_[k].cls] = cells_[k].correction;
  }
}

std::vector<std::int32_t> TextScores::numbers(const std::vector<std::string>& words) const {
  constexpr std::size_t ahead = 16;
  std::vector<HashedBytes> hashes;
  hashes.reserve(words.size());
  for (const auto& word : words) hashes.push_back(hash(word));
  std::vector<std::int32_t> result;
  result.reserve(words.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + 2 * ahead < hashes.size()) index_.prefetch(hashes[i + 2 * ahead]);
    if (i + ahead < hashes.size()) index_.prefetch_tail(hashes[i + ahead]);
    result.push_back(index_.find(hashes[i]));
  }
  return result;
}

void TextScores::prefetch(const Word& word) const {
  const char* const from = word.cells == in_row
                               ? reinterpret_cast<const char*>(row(word))
                               : reinterpret_cast<const char*>(cells_.data() + word.first);
  const std::size_t bytes =
      word.cells == in_row ? classes_ * sizeof(double) : word.cells * sizeof(TextEstimate::Cell);
  constexpr std::size_t line = 64, most = 4;
  for (std::size_t i = 0; i < most && i * line < bytes; ++i) __builtin_prefetch(from + i * line);
}

TextScores::Sums TextScores::add(std::span<const std::int32_t> words,
                                 std::span<const double> weights, std::span<double> score) const {
  constexpr std::size_t ahead = 8;
  const auto word_at = [&](std::size_t i) -> const Word& {
    return words_[static_cast<std::size_t>(words[i])];
  };
  Sums sums;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + 2 * ahead < words.size()) __builtin_prefetch(&word_at(i + 2 * ahead));
    if (i + ahead < words.size()) prefetch(word_at(i + ahead));
    const Word& word = word_at(i);
    const double weight = weights[i];
    sums.weight += weight;
    sums.base += weight * word.base;
    if (word.cells == in_row) {
      const double* const from = row(word);
      for (std::size_t c = 0; c < score.size(); ++c) score[c] += weight * from[c];
    } else {
      const auto* const cells = cells_.data() + word.first;
      for (std::uint32_t k = 0; k < word.cells; ++k) {
        score[cells[k].cls] += weight * cells[k].correction;
      }
    }
  }
  return sums;
}

}  // namespace credence
