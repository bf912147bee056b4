// SPDX-License-Identifier: Apache-2.0
#include "ask/describe.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

namespace credence {
namespace {

constexpr std::size_t no_class = static_cast<std::size_t>(-1);
constexpr std::size_t most_frequent = 5;

double plogp(double p) { return p > 0 ? p * std::log2(p) : 0; }

// Rows by value and class, for those that have a class.
class Crossed {
 public:
  explicit Crossed(std::size_t classes) : classes_(classes) {}

  void add(std::size_t value, std::size_t cls, double rows = 1) {
    if (cls == no_class) return;
    if (counts_.size() < (value + 1) * classes_) counts_.resize((value + 1) * classes_, 0.0);
    counts_[value * classes_ + cls] += rows;
  }
  // I(value; class), and the same less its expectation where they have nothing to do with each
  // other, (values - 1)(classes - 1) / 2N nats (Miller 1955).
  void finish(ColumnSummary& summary) const {
    std::vector<double> of_class(classes_, 0.0);
    double all = 0, joint = 0, of_values = 0, values = 0;
    for (std::size_t v = 0; v * classes_ < counts_.size(); ++v) {
      double rows = 0;
      for (std::size_t c = 0; c < classes_; ++c) {
        const double n = counts_[v * classes_ + c];
        rows += n;
        of_class[c] += n;
        joint += plogp(n);
      }
      of_values += plogp(rows);
      all += rows;
      values += rows > 0;
    }
    if (all == 0) return;
    double of_classes = 0, seen = 0;
    for (const double n : of_class) {
      of_classes += plogp(n);
      seen += n > 0;
    }
    const double bits = (joint - of_values - of_classes + plogp(all)) / all;
    const double chance = (values - 1) * (seen - 1) / (2 * all) / std::log(2.0);
    summary.information = std::max(0.0, bits);
    summary.beyond_chance = std::max(0.0, bits - chance);
  }

 private:
  std::size_t classes_;
  std::vector<double> counts_;
};

using Classes = std::vector<std::vector<std::size_t>>;  // by chunk and row

void keep_most_frequent(std::vector<std::pair<std::string, double>> values,
                        ColumnSummary& summary) {
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  values.resize(std::min(values.size(), most_frequent));
  summary.frequent = std::move(values);
}

// As many bins as the cube root of the rows, each with as many of them; equal numbers stay
// together.
void describe_numbers(const std::vector<Chunk>& chunks, std::size_t column, const Classes& classes,
                      std::size_t many, ColumnSummary& summary) {
  std::vector<std::pair<double, std::size_t>> rows;
  Crossed crossed(many);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& values = std::get<Numbers>(chunks[i].columns[column]).values;
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (std::isnan(values[r])) {
        summary.missing += 1;
        crossed.add(0, classes[i][r]);
      } else {
        rows.emplace_back(values[r], classes[i][r]);
      }
    }
  }
  summary.rows = static_cast<double>(rows.size());
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end());
  summary.low = rows.front().first;
  summary.high = rows.back().first;
  // Sums of what is left of a number without the first: no digits are lost to a far mean.
  double sum = 0, squares = 0;
  for (const auto& [value, cls] : rows) sum += (value - summary.low) / summary.rows;
  summary.mean = summary.low + sum;
  for (const auto& [value, cls] : rows) {
    squares += (value - summary.mean) * (value - summary.mean) / summary.rows;
  }
  summary.deviation = std::sqrt(squares);
  const std::size_t bins =
      std::max<std::size_t>(2, static_cast<std::size_t>(std::cbrt(summary.rows)));
  std::size_t bin = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool other = i == 0 || rows[i].first != rows[i - 1].first;
    summary.distinct += other;
    if (other) bin = 1 + i * bins / rows.size();
    crossed.add(bin, rows[i].second);
  }
  crossed.finish(summary);
}

void describe_words(const std::vector<Chunk>& chunks, std::size_t column, const Classes& classes,
                    std::size_t many, ColumnSummary& summary) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::pair<std::string, double>> values;
  Crossed crossed(many);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& words = std::get<Categories>(chunks[i].columns[column]);
    std::vector<std::size_t> place(words.dictionary.size(), no_class);
    for (std::size_t r = 0; r < words.codes.size(); ++r) {
      if (words.codes[r] < 0) {
        summary.missing += 1;
        crossed.add(0, classes[i][r]);
        continue;
      }
      const auto code = static_cast<std::size_t>(words.codes[r]);
      if (place[code] == no_class) {
        place[code] = places.emplace(words.dictionary[code], values.size()).first->second;
        if (place[code] == values.size()) values.emplace_back(words.dictionary[code], 0.0);
      }
      values[place[code]].second += 1;
      crossed.add(place[code] + 1, classes[i][r]);
      summary.rows += 1;
    }
  }
  summary.distinct = static_cast<double>(values.size());
  crossed.finish(summary);
  keep_most_frequent(std::move(values), summary);
}

// Every word by itself: whether it is there. The best one of many says something by chance, too.
void describe_bags(const std::vector<Chunk>& chunks, std::size_t column, const Classes& classes,
                   std::size_t many, ColumnSummary& summary) {
  std::unordered_map<std::string, std::vector<double>> rows_of;  // by word: rows of each class
  std::vector<double> all(many + 1, 0.0);                        // the last: without a class
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& bags = std::get<Bags>(chunks[i].columns[column]);
    std::vector<std::vector<double>*> of_word(bags.dictionary.size(), nullptr);
    for (std::size_t r = 0; r + 1 < bags.offsets.size(); ++r) {
      if (bags.missing[r] != 0) {
        summary.missing += 1;
        continue;
      }
      const auto cls = std::min(classes[i][r], many);
      summary.rows += 1;
      all[cls] += 1;
      for (std::size_t k = bags.offsets[r]; k < bags.offsets[r + 1]; ++k) {
        const auto code = static_cast<std::size_t>(bags.features[k]);
        if (!of_word[code]) {
          of_word[code] = &rows_of.try_emplace(bags.dictionary[code], many + 1, 0.0).first->second;
        }
        (*of_word[code])[cls] += 1;
      }
    }
  }
  summary.distinct = static_cast<double>(rows_of.size());
  std::vector<std::pair<std::string, double>> words;
  for (const auto& [word, rows] : rows_of) {
    words.emplace_back(word, std::accumulate(rows.begin(), rows.end(), 0.0));
    ColumnSummary one;
    Crossed crossed(many);
    for (std::size_t c = 0; c < many; ++c) {
      crossed.add(0, c, all[c] - rows[c]);
      crossed.add(1, c, rows[c]);
    }
    crossed.finish(one);
    const bool better = one.information > summary.information ||
                        (one.information == summary.information && word < summary.best_word);
    if (!better) continue;
    summary.information = one.information;
    summary.beyond_chance = one.beyond_chance;
    summary.best_word = word;
  }
  keep_most_frequent(std::move(words), summary);
}

}  // namespace

TableSummary describe(const Schema& schema, const std::vector<Chunk>& chunks) {
  TableSummary result;
  std::map<std::string, double> rows_of;
  for (const auto& chunk : chunks) {
    result.rows += static_cast<double>(chunk.rows);
    for (const auto code : chunk.labels.codes) {
      if (code >= 0) rows_of[chunk.labels.dictionary[static_cast<std::size_t>(code)]] += 1;
    }
  }
  std::map<std::string, std::size_t> places;
  double labelled = 0;
  for (const auto& [name, rows] : rows_of) {
    places.emplace(name, result.classes.size());
    result.classes.emplace_back(name, rows);
    labelled += rows;
  }
  for (const auto& [name, rows] : result.classes) result.entropy -= plogp(rows / labelled);
  Classes classes;
  for (const auto& chunk : chunks) {
    auto& of_rows = classes.emplace_back(chunk.rows, no_class);
    for (std::size_t r = 0; r < chunk.labels.codes.size(); ++r) {
      const auto code = chunk.labels.codes[r];
      if (code < 0) continue;
      of_rows[r] = places.at(chunk.labels.dictionary[static_cast<std::size_t>(code)]);
    }
  }
  const std::size_t many = places.size();
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    auto& summary = result.columns.emplace_back();
    const auto kind = schema.columns[c].kind;
    if (kind == ColumnKind::category) {
      describe_words(chunks, c, classes, many, summary);
    } else if (kind == ColumnKind::bag || kind == ColumnKind::text) {
      describe_bags(chunks, c, classes, many, summary);
    } else {
      describe_numbers(chunks, c, classes, many, summary);
    }
  }
  return result;
}

}  // namespace credence
