// SPDX-License-Identifier: Apache-2.0
// What a model must be before it is written and after it is read: docs/format.md. What its arrays
// must be their kinds say themselves (families/statistics), so all of it is linear in the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/calibration.hpp"
#include "credence/error.hpp"
#include "credence/model.hpp"
#include "credence/novelty.hpp"
#include "model/blocks.hpp"
#include "model/parts.hpp"
#include "notation/reading.hpp"
#include "words/options.hpp"

namespace credence {
namespace {

using Doubles = std::vector<double>;

// A block's log-likelihood times more would drown everything else.
constexpr double heaviest_block = 1e9;

void require(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorKind::model, what);
}

bool all_finite(const Doubles& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Not below 0, and 1 in all but for rounding.
bool is_distribution(const Doubles& shares) {
  bool sound = true;
  for (const double share : shares) sound = sound && share >= 0;
  return sound && std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) <= 1e-6;
}

// Rounding apart.
bool same_weight(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

void check_name(const std::string& name) {
  require(valid_utf8(name), "a name is not UTF-8: \"" + to_utf8(name) + "\"");
}

void check_reading(const ColumnSpec& column) {
  check_name(column.from);
  if (column.reading.empty()) return;
  const auto kind = data::parse_reading(column.reading).kind;
  const bool holds_numbers = column.kind == ColumnKind::number ||
                             column.kind == ColumnKind::amount || column.kind == ColumnKind::count;
  require(
      kind == data::Reading::Kind::part ? column.kind == ColumnKind::category : holds_numbers,
      "the column \"" + column.name + "\" is read as " + column.reading + ", which it cannot be");
}

void check_schema(const Schema& schema) {
  std::set<std::string> names{schema.target};
  if (!schema.weights.empty()) {
    require(names.insert(schema.weights).second,
            "\"" + schema.weights + "\" is both target and weights");
  }
  std::set<std::string> texts;  // may be read in several ways, each a column of the same name
  for (const auto& column : schema.columns) {
    check_name(column.name);
    const bool again = column.kind == ColumnKind::text && texts.contains(column.name);
    require(again || names.insert(column.name).second,
            "the column \"" + column.name + "\" stands twice");
    if (column.kind == ColumnKind::text) texts.insert(column.name);
    for (const auto& value : column.values) check_name(value);
    require(column.kind == ColumnKind::text || column.tokens.empty(),
            "the column \"" + column.name + "\" is cut into words, but is no text");
    if (!column.tokens.empty()) text::parse_token_options(column.tokens);
    check_reading(column);
  }
  for (const auto& name : names) check_name(name);
  for (const auto& word : schema.missing) check_name(word);
  std::set<std::string> classes;
  for (const auto& name : schema.classes) {
    check_name(name);
    require(classes.insert(name).second, "the class \"" + name + "\" has two places in the order");
  }
}

void check_blocks(const Schema& schema, const std::vector<BlockSpec>& blocks) {
  std::vector<int> used(schema.columns.size(), 0);
  for (const auto& block : blocks) {
    require(std::abs(block.weight) <= heaviest_block,
            fmt::format("a block weighs {}, which is not from -{} to {}", block.weight,
                        format_number(heaviest_block), format_number(heaviest_block)));
    for (const auto column : block.columns) ++used[column];
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    require(used[i] == 1, fmt::format("the column \"{}\" is in {} blocks, not in one",
                                      schema.columns[i].name, used[i]));
  }
}

void check_prior(const ClassPrior& prior, const std::vector<std::string>& classes) {
  if (prior.kind != ClassPrior::Kind::given) return;
  std::set<std::string> named;
  Doubles shares;
  for (const auto& [name, share] : prior.shares) {
    require(named.insert(name).second, "the prior names the class \"" + name + "\" twice");
    shares.push_back(share);
  }
  require(is_distribution(shares),
          "the shares of the prior are not from 0 on, or their sum is not 1");
  require(classes.empty() || named == std::set<std::string>(classes.begin(), classes.end()),
          "the prior is about other classes");
}

void check_shares_of_values(const Settings& settings, const Schema& schema,
                            const std::vector<BlockSpec>& blocks) {
  std::set<std::string> coins;
  for (const auto& block : blocks) {
    if (is_coins(schema, block)) coins.insert(schema.columns[block.columns[0]].name);
  }
  for (const auto& [column, values] : settings.shares) {
    if (coins.contains(column)) continue;
    Doubles shares;
    for (const auto& [value, share] : values) shares.push_back(share);
    require(is_distribution(shares),
            "the shares p of \"" + column + "\" are not from 0 on, or their sum is not 1");
  }
  check_shares(settings, schema, blocks);
  require(settings.shares.empty() || !settings.reserve_unseen,
          "there are shares p, and room is reserved for unseen values");
}

void check_journal(const std::vector<JournalEntry>& journal) {
  for (const auto& entry : journal) {
    for (const auto* text : {&entry.what, &entry.when, &entry.detail, &entry.from}) {
      check_name(*text);
    }
    require(entry.rows >= 0 && std::isfinite(entry.rows) && entry.times > 0,
            "an entry of the journal is about less than nothing");
  }
}

void check_curve(const Calibration::Curve& curve) {
  const auto& p = curve.probability;
  require(!p.empty() && p.size() == curve.score.size() && all_finite(curve.score) &&
              all_finite(p) && std::is_sorted(p.begin(), p.end()) && p.front() > 0 &&
              p.back() < 1 &&
              std::adjacent_find(curve.score.begin(), curve.score.end(), std::greater_equal<>()) ==
                  curve.score.end(),
          "calibration: a curve does not rise from above 0 to below 1");
}

// What calibration and novelty share: the population they hold in.
template <typename Extra>
void check_population(const Extra& extra, const std::string& what) {
  Doubles shares;
  for (const double log_share : extra.log_prior) shares.push_back(std::exp(log_share));
  require(extra.classes.size() == extra.log_prior.size() && all_finite(extra.log_prior) &&
              is_distribution(shares),
          what + ": one prior per class is needed");
  require(extra.rows >= 0 && std::isfinite(extra.rows), what + ": it is of no number of rows");
  for (const auto& name : extra.classes) check_name(name);
}

void check_calibration(const Calibration& calibration) {
  check_population(calibration, "calibration");
  const std::size_t classes = calibration.classes.size();
  require(classes >= 2, "calibration: two classes are needed");
  if (calibration.method == Calibration::Method::isotonic) {
    for (const auto& curve : calibration.curves) check_curve(curve);
    require(calibration.curves.size() == (classes == 2 ? 1 : classes),
            "calibration: one curve per class is needed, of two classes one");
    return;
  }
  require(calibration.slope > 0 && calibration.slope <= heaviest_block,
          "calibration: the slope is not above 0");
  if (calibration.method != Calibration::Method::platt) return;
  require(calibration.bias.size() == classes &&
              std::all_of(calibration.bias.begin(), calibration.bias.end(),
                          [](double bias) { return std::abs(bias) <= heaviest_block; }),
          "calibration: one bias per class is needed");
}

void check_novelty(const Novelty& novelty) {
  check_population(novelty, "novelty");
  const auto sound = [](const Novelty::Line& line) {
    return std::isfinite(line.intercept) && std::isfinite(line.slope);
  };
  for (const auto& block : novelty.blocks) {
    require(sound(block.own) && sound(block.contribution), "novelty: a line has two numbers");
    require(block.mean.size() == block.deviation.size() && all_finite(block.mean) &&
                all_finite(block.deviation) &&
                std::all_of(block.deviation.begin(), block.deviation.end(),
                            [](double deviation) { return deviation >= 0; }),
            "novelty: one deviation per mean is needed");
  }
}

void check_classes(const Statistics& statistics, bool by_hand) {
  const auto& classes = statistics.classes();
  const auto& weights = statistics.class_weights();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    require(weights[c] > 0, "a class has no weight");
    require(c == 0 || statistics.precedes(classes[c - 1], classes[c]),
            "the classes are not sorted");
  }
  if (const auto text = statistics.defect(by_hand); !text.empty()) {
    throw Error(ErrorKind::model, text);
  }
}

// All rows are those of the windows and the rest.
void check_parts(const Statistics& all, const Parts& parts) {
  std::map<std::string, double> weights;
  double rows = 0;
  const auto add = [&](const Part& part) {
    check_classes(part.statistics, false);
    const auto& own = part.statistics;
    for (std::size_t c = 0; c < own.classes().size(); ++c) {
      weights[own.classes()[c]] += own.class_weights()[c];
    }
    rows += own.rows();
  };
  add(parts.rest);
  for (const auto& window : parts.windows) {
    check_name(window.name);
    add(window);
  }
  require(rows == all.rows(), fmt::format("its windows and the rest have {} rows, all have {}",
                                          format_number(rows), format_number(all.rows())));
  bool same = weights.size() == all.classes().size();
  for (std::size_t c = 0; same && c < all.classes().size(); ++c) {
    const auto found = weights.find(all.classes()[c]);
    same = found != weights.end() && same_weight(found->second, all.class_weights()[c]);
  }
  require(same, "the classes of its windows and the rest do not add up to all");
}

}  // namespace

void Model::check() const {
  check_schema(schema_);
  check_blocks(schema_, blocks_);
  check_prior(settings_.prior, classes());
  check_shares_of_values(settings_, schema_, blocks_);
  check_journal(journal_);
  if (settings_.calibration) check_calibration(*settings_.calibration);
  if (settings_.novelty) check_novelty(*settings_.novelty);
  check_classes(*statistics_, settings_.hand_written);
  if (parts_) check_parts(*statistics_, *parts_);
}

}  // namespace credence
