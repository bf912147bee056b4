// SPDX-License-Identifier: Apache-2.0
// A row's p-value is its rank among rows held out. Under exchangeability ranks are uniform,
// whatever the model: it need not be true, only the same for both.
#include "credence/novelty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "model/novelty_parts.hpp"

namespace credence {
namespace {

// A column is called strange below this.
constexpr double strange_below = 0.05;
constexpr std::size_t most_strange = 3;
// So many rows of like expectation a row is compared with, where there are more.
constexpr std::ptrdiff_t neighbours = 500;

bool is_missing(const Column& column, std::size_t row) {
  if (const auto* numbers = std::get_if<Numbers>(&column)) return std::isnan(numbers->values[row]);
  if (const auto* words = std::get_if<Categories>(&column)) return words->codes[row] < 0;
  return std::get<Bags>(column).missing[row] != 0;
}

}  // namespace

double block_size(const BlockSpec& block, const Chunk& chunk, std::size_t row,
                  std::span<const double> log_density, const std::vector<bool>& known) {
  // What was never seen says nothing where no value is reserved for it: 0 of every class. It must
  // not be expected to say what a value seen says, or it would look more usual than any of them.
  const bool says_nothing =
      std::all_of(log_density.begin(), log_density.end(), [](double d) { return d == 0; });
  if (says_nothing && !std::holds_alternative<Numbers>(chunk.columns[block.columns[0]])) {
    return not_a_number;
  }
  double present = 0;
  for (const auto place : block.columns) {
    const auto& column = chunk.columns[place];
    if (is_missing(column, row)) continue;
    if (const auto* bags = std::get_if<Bags>(&column)) {
      for (auto i = bags->offsets[row]; i < bags->offsets[row + 1]; ++i) {
        const bool seen = known.empty() || known[static_cast<std::size_t>(bags->features[i])];
        present += seen ? bags->counts[i] : 0;
      }
      return present;
    }
    present += 1;
  }
  return present == 0 ? not_a_number : present / static_cast<double>(block.columns.size());
}

// A document of one word is as likely as one of none where the word was never seen.
std::vector<bool> known_words(const Scorer& scorer, const BlockSpec& spec, std::size_t block,
                              const Chunk& chunk) {
  const auto* bags = std::get_if<Bags>(&chunk.columns[spec.columns[0]]);
  if (spec.columns.size() != 1 || !bags) return {};
  Chunk words;
  words.columns.resize(chunk.columns.size());
  words.columns[spec.columns[0]] = Bags{};
  auto& alone = std::get<Bags>(words.columns[spec.columns[0]]);
  alone.dictionary = bags->dictionary;
  words.rows = bags->dictionary.size() + 1;
  alone.missing.assign(words.rows, 0);
  alone.offsets.push_back(0);  // the first has no word
  for (std::size_t i = 0; i < bags->dictionary.size(); ++i) {
    alone.features.push_back(static_cast<std::int32_t>(i));
    alone.counts.push_back(1);
    alone.offsets.push_back(i + 1);
  }
  const std::size_t classes = scorer.classes().size();
  const auto density = scorer.log_density(block, words);
  std::vector<bool> result;
  for (std::size_t i = 1; i < words.rows; ++i) {
    const auto of_word = density.begin() + static_cast<std::ptrdiff_t>(i * classes);
    result.push_back(
        !std::equal(of_word, of_word + static_cast<std::ptrdiff_t>(classes), density.begin()));
  }
  return result;
}

double mixed_evidence(std::span<const double> log_density, double weight,
                      const std::vector<double>& log_prior) {
  std::vector<double> joint = log_prior;
  for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += weight * log_density[c];
  return std::max(log_sum_exp(joint), std::numeric_limits<double>::lowest());
}

bool has_surprises(const Schema& schema, const BlockSpec& block) {
  return block.columns.size() > 1 &&
         std::all_of(block.columns.begin(), block.columns.end(), [&](std::size_t place) {
           const auto kind = schema.columns[place].kind;
           return kind == ColumnKind::number || kind == ColumnKind::amount ||
                  kind == ColumnKind::count || kind == ColumnKind::binary;
         });
}

std::vector<double> surprises(const Scorer& scorer, const BlockSpec& spec, std::size_t block,
                              const std::vector<double>& log_prior, const Chunk& rows) {
  const std::size_t classes = log_prior.size();
  const auto evidence = [&](const Chunk& some) {
    const auto density = scorer.log_density(block, some);
    std::vector<double> result;
    for (std::size_t r = 0; r < some.rows; ++r) {
      result.push_back(
          mixed_evidence(std::span(density).subspan(r * classes, classes), 1, log_prior));
    }
    return result;
  };
  const auto whole = evidence(rows);
  Chunk gapped = rows;
  std::vector<double> result(rows.rows * spec.columns.size(), not_a_number);
  for (std::size_t j = 0; j < spec.columns.size(); ++j) {
    auto& values = std::get<Numbers>(gapped.columns[spec.columns[j]]).values;
    const auto kept = values;
    std::fill(values.begin(), values.end(), not_a_number);
    const auto without = evidence(gapped);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (!std::isnan(kept[r])) result[r * spec.columns.size() + j] = without[r] - whole[r];
    }
    values = kept;
  }
  return result;
}

double Novelty::Reference::least() const {
  std::size_t longest = 0;
  for (auto at = expected.begin(); at != expected.end();) {
    const auto end = std::upper_bound(at, expected.end(), *at);
    longest = std::max(longest, static_cast<std::size_t>(end - at));
    at = end;
  }
  // Neighbours are taken with all that are as near, on either side.
  const std::size_t most = static_cast<std::size_t>(neighbours) + 2 * longest;
  const std::size_t compared = expected.empty() ? surplus.size() : std::min(surplus.size(), most);
  return 1 / (1 + static_cast<double>(compared));
}

double Novelty::Reference::p_value(double where, double value) const {
  auto first = std::ptrdiff_t{0}, last = static_cast<std::ptrdiff_t>(surplus.size());
  if (!expected.empty()) {
    const auto begin = expected.begin();
    const auto [low, high] = std::equal_range(begin, expected.end(), where);
    first = low - begin;
    last = high - begin;
    const auto size = static_cast<std::ptrdiff_t>(expected.size());
    // The nearer side next, with all that are as near: no order of theirs may matter.
    while (last - first < std::min(neighbours, size)) {
      const double below =
          first > 0 ? where - expected[static_cast<std::size_t>(first - 1)] : infinity;
      const double above =
          last < size ? expected[static_cast<std::size_t>(last)] - where : infinity;
      if (below <= above) {
        first = std::lower_bound(begin, begin + first, *(begin + first - 1)) - begin;
      }
      if (above <= below)
        last = std::upper_bound(begin + last, expected.end(), *(begin + last)) - begin;
    }
  }
  double less = 0, equal = 0;
  for (auto i = first; i < last; ++i) {
    const double other = surplus[static_cast<std::size_t>(i)];
    less += other < value;
    equal += other == value;
  }
  return (1 + less + equal / 2) / (1 + static_cast<double>(last - first));
}

bool Novelty::fits(const Model& model) const {
  if (classes != model.classes() || rule != model.settings().rule) return false;
  if (blocks.size() != model.blocks().size()) return false;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto& spec = model.blocks()[b];
    if (blocks[b].mean.empty()) continue;
    if (!has_surprises(model.schema(), spec) || blocks[b].mean.size() != spec.columns.size()) {
      return false;
    }
  }
  return true;
}

NoveltyTest::NoveltyTest(const Model& model, const Scorer& scorer)
    : model_(model), scorer_(scorer), novelty_(model.settings().novelty) {
  if (!novelty_) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the model does not know what evidence is usual ({})",
                            setting("novelty"), setting("calibrate", "novelty")));
  }
  if (novelty_->fits(model)) return;
  if (novelty_->rule != model.settings().rule) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: what is usual was measured under the rule {}, not {}", setting("novelty"),
                    to_string(novelty_->rule), to_string(model.settings().rule)));
  }
  throw Error(ErrorKind::model, fmt::format("{}: what is usual was measured for another model ({})",
                                            setting("novelty"), setting("calibrate", "novelty")));
}

std::vector<double> NoveltyTest::p_values(const Chunk& chunk) const {
  const std::size_t classes = novelty_->classes.size();
  std::vector<double> likelihoods(chunk.rows * classes, 0.0), expected(chunk.rows, 0.0);
  for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
    const auto& spec = model_.blocks()[b];
    if (spec.weight == 0) continue;
    const auto density = scorer_.log_density(b, chunk);
    for (std::size_t i = 0; i < density.size(); ++i) likelihoods[i] += spec.weight * density[i];
    const auto known = known_words(scorer_, spec, b, chunk);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const double size =
          block_size(spec, chunk, r, std::span(density).subspan(r * classes, classes), known);
      if (!std::isnan(size)) expected[r] += novelty_->blocks[b].contribution.at(size);
    }
  }
  std::vector<double> result;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const double evidence = mixed_evidence(std::span(likelihoods).subspan(r * classes, classes), 1,
                                           novelty_->log_prior);
    result.push_back(novelty_->all.p_value(expected[r], evidence - expected[r]));
  }
  return result;
}

std::vector<std::vector<std::string>> NoveltyTest::strange_columns(
    const Chunk& chunk, std::span<const std::size_t> rows) const {
  struct Strange {
    double p;
    double excess;  // in standard deviations, among the columns of one block
    std::string column;
  };
  const Chunk some = select_rows(chunk, rows);
  const std::size_t classes = novelty_->classes.size();
  std::vector<std::vector<Strange>> found(rows.size());
  for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
    const auto& spec = model_.blocks()[b];
    if (spec.weight == 0) continue;
    const auto& block = novelty_->blocks[b];
    const auto& columns = model_.schema().columns;
    const auto density = scorer_.log_density(b, some);
    const auto surprise = block.mean.empty() || rows.empty()
                              ? std::vector<double>()
                              : surprises(scorer_, spec, b, novelty_->log_prior, some);
    const auto known = known_words(scorer_, spec, b, some);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto own = std::span(density).subspan(r * classes, classes);
      const double size = block_size(spec, some, r, own, known);
      if (std::isnan(size)) continue;
      const double evidence = mixed_evidence(own, spec.weight, novelty_->log_prior);
      const double expected = block.own.at(size);
      const double p = block.reference.p_value(expected, evidence - expected);
      if (p >= strange_below) continue;
      if (block.mean.empty()) found[r].push_back({p, 0, columns[spec.columns[0]].name});
      for (std::size_t j = 0; j < block.mean.size(); ++j) {
        const double value = surprise[r * block.mean.size() + j];
        if (std::isnan(value) || block.deviation[j] == 0) continue;
        const double excess = (value - block.mean[j]) / block.deviation[j];
        if (excess > 2) found[r].push_back({p, excess, columns[spec.columns[j]].name});
      }
    }
  }
  std::vector<std::vector<std::string>> names(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::stable_sort(found[r].begin(), found[r].end(), [](const Strange& a, const Strange& b) {
      return a.p != b.p ? a.p < b.p : a.excess > b.excess;
    });
    for (std::size_t i = 0; i < std::min(most_strange, found[r].size()); ++i) {
      names[r].push_back(found[r][i].column);
    }
  }
  return names;
}

}  // namespace credence
