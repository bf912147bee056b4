// SPDX-License-Identifier: Apache-2.0
#include "credence/scorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/calibration.hpp"
#include "credence/error.hpp"
#include "families/statistics/domain.hpp"
#include "families/statistics/trusted.hpp"
#include "families/working.hpp"
#include "model/statistics.hpp"

namespace credence {

std::vector<double> class_shares(const ClassPrior& prior, const std::vector<std::string>& classes,
                                 const std::vector<double>& weights) {
  std::vector<double> shares(classes.size(), 0.0);
  if (prior.kind == ClassPrior::Kind::given) {
    const Domain known(classes);
    std::vector<bool> named(classes.size(), false);
    for (const auto& [name, share] : prior.shares) {
      const std::size_t c = known.find(name);
      if (c == Domain::npos) {
        throw Error(
            ErrorKind::usage,
            fmt::format("{}: \"{}\" is no class of this model{}; its classes are {}",
                        setting("prior"), name, suggestion(name, classes), join_some(classes)));
      }
      named[c] = true;
      if (weights[c] != 0) shares[c] = share;
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (named[c]) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{}: no probability for class \"{}\" (write {}=0 if that is meant)",
                              setting("prior"), classes[c], classes[c]));
    }
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (weights[c] == 0) continue;
    if (prior.kind == ClassPrior::Kind::uniform) shares[c] = 1;
    if (prior.kind == ClassPrior::Kind::empirical || prior.kind == ClassPrior::Kind::usual) {
      shares[c] = weights[c];
    }
    if (prior.kind == ClassPrior::Kind::tempered) shares[c] = std::pow(weights[c], prior.strength);
    if (prior.kind == ClassPrior::Kind::smoothed) shares[c] = weights[c] + prior.strength;
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (total == 0) {
    throw Error(ErrorKind::model, "the class prior gives every class that has rows probability 0");
  }
  for (auto& share : shares) share /= total;
  return shares;
}

namespace {

// The shares as fractions of rows, or of classes; none where they were given as numbers.
std::vector<Working> workings_of_shares(const ClassPrior& prior,
                                        const std::vector<double>& weights) {
  std::vector<Working> result;
  const double rows = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto classes = static_cast<double>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight != 0; }));
  for (const double weight : weights) {
    const bool number =
        prior.kind == ClassPrior::Kind::given || prior.kind == ClassPrior::Kind::tempered;
    if (number || weight == 0) return {};
    if (prior.kind == ClassPrior::Kind::uniform) {
      result.push_back(working_of_fraction(1, classes));
    } else {
      const double added = prior.kind == ClassPrior::Kind::smoothed ? prior.strength : 0;
      result.push_back(working_of_fraction(weight, rows, added, added * classes));
    }
  }
  return result;
}

}  // namespace

Scorer::Scorer(const Model& model, const std::function<void(const std::string&)>& tell)
    : Scorer(
          model, model.statistics(), [&](const BlockSpec&) { return model.settings().rule; },
          tell) {}

Scorer::Scorer(const Model& model, const Statistics& statistics,
               const std::function<Rule(const BlockSpec&)>& rule,
               const std::function<void(const std::string&)>& tell)
    : schema_(model.schema()), classes_(statistics.classes()), reads_rows_(model.reads_rows()) {
  if (classes_.empty()) throw Error(ErrorKind::model, "the model has not observed any row");
  const auto& settings = model.settings();
  auto estimation = estimation_of(statistics, settings);
  estimation.tell = tell;
  const auto shares = class_shares(settings.prior, classes_, estimation.class_weights);
  estimation.class_shares = shares;
  if (!settings.hand_written) {
    prior_workings_ = workings_of_shares(settings.prior, estimation.class_weights);
  }
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    log_prior_.push_back(std::log(shares[c]));
    log_likelihood_ += x_log_y(estimation.class_weights[c], shares[c]);
  }
  if (settings.prior.kind != ClassPrior::Kind::given &&
      settings.prior.kind != ClassPrior::Kind::uniform) {
    parameters_ = classes_.size() - 1;
  }
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    estimation.rule = rule(model.blocks()[b]);
    densities_.push_back(statistics.block(b).fit(estimation));
    block_weights_.push_back(model.blocks()[b].weight);
    parameters_ += densities_.back()->parameters;
    log_likelihood_ += densities_.back()->log_likelihood;
  }
  if (settings.calibration && settings.calibration->fits(model)) {
    calibration_ = settings.calibration;
  }
}

Scorer::Scorer(Scorer&&) noexcept = default;
Scorer::~Scorer() = default;

std::vector<double> Scorer::prior_of_rows(const Chunk& chunk) const {
  const std::size_t classes = classes_.size();
  std::vector<double> joint(chunk.rows * classes);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    std::copy(log_prior_.begin(), log_prior_.end(),
              joint.begin() + static_cast<std::ptrdiff_t>(r * classes));
  }
  return joint;
}

namespace {

using AddDensity = void (Density::*)(const Chunk&, double, std::span<double>) const;

void add_block(const Density& density, AddDensity add, const Chunk& chunk, double weight,
               std::vector<double>& joint) {
  if (weight > 0) (density.*add)(chunk, weight, joint);
  if (!(weight < 0)) return;
  std::vector<double> scores(joint.size(), 0.0);
  (density.*add)(chunk, 1, scores);
  add_trusted(scores, weight, joint);
}

}  // namespace

std::vector<double> Scorer::comparisons(const Chunk& chunk) const {
  if (calibration_ && calibration_->method == Calibration::Method::isotonic) {
    return log_joint(chunk);
  }
  auto joint = prior_of_rows(chunk);
  for (std::size_t b = 0; b < densities_.size(); ++b) {
    add_block(*densities_[b], &Density::add_scores, chunk, block_weights_[b], joint);
  }
  if (calibration_) calibration_->compare(joint, log_prior_);
  return joint;
}

std::vector<double> Scorer::log_joint(const Chunk& chunk) const {
  const std::size_t classes = classes_.size();
  auto joint = prior_of_rows(chunk);
  add_blocks(chunk, joint);
  for (std::size_t r = 0; calibration_ && r < chunk.rows; ++r) {
    calibration_->apply(std::span(joint).subspan(r * classes, classes), log_prior_);
  }
  return joint;
}

std::vector<double> Scorer::log_likelihoods(const Chunk& chunk) const {
  std::vector<double> result(chunk.rows * classes_.size(), 0.0);
  add_blocks(chunk, result);
  return result;
}

void Scorer::add_blocks(const Chunk& chunk, std::vector<double>& joint) const {
  for (std::size_t b = 0; b < densities_.size(); ++b) {
    add_block(*densities_[b], &Density::add_log_density, chunk, block_weights_[b], joint);
  }
}

std::vector<double> Scorer::log_joint_of(std::size_t block, const Chunk& chunk) const {
  auto joint = prior_of_rows(chunk);
  add_block(*densities_[block], &Density::add_log_density, chunk, block_weights_[block], joint);
  return joint;
}

std::vector<double> Scorer::log_density(std::size_t block, const Chunk& chunk) const {
  std::vector<double> result(chunk.rows * classes_.size(), 0.0);
  densities_[block]->add_log_density(chunk, 1, result);
  return result;
}

namespace {

// What calibration adds to the sum of the other terms. These leave out what all classes share,
// which a posterior does not depend on.
Term calibration_term(const Calibration& calibration, const std::vector<double>& log_prior,
                      const std::vector<Term>& terms) {
  std::vector<double> joint(log_prior.size(), 0.0);
  for (const auto& term : terms) {
    for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += term.log_density[c];
  }
  Term result{calibration_column, to_string(calibration.method), joint};
  calibration.apply(result.log_density, log_prior);
  for (std::size_t c = 0; c < joint.size(); ++c) {
    result.log_density[c] = joint[c] == -infinity ? 0.0 : result.log_density[c] - joint[c];
  }
  return result;
}

}  // namespace

std::vector<Term> Scorer::terms(const Chunk& chunk, std::size_t row) const {
  std::vector<Term> result;
  result.push_back({"prior", "", log_prior_});
  if (!prior_workings_.empty()) {
    result.back().working = [this](std::size_t c) { return prior_workings_[c]; };
  }
  for (std::size_t b = 0; b < densities_.size(); ++b) {
    if (block_weights_[b] == 0) continue;
    const std::size_t first = result.size();
    densities_[b]->explain(chunk, row, result);
    for (std::size_t i = first; i < result.size(); ++i) {
      for (auto& value : result[i].log_density) value = trusted(value, block_weights_[b]);
      result[i].power *= block_weights_[b];
      result[i].trust = block_weights_[b];
    }
  }
  if (calibration_) result.push_back(calibration_term(*calibration_, log_prior_, result));
  return result;
}

namespace {

// The first row's value for all rows.
Column repeated(const Column& column, std::size_t rows) {
  if (const auto* numbers = std::get_if<Numbers>(&column)) {
    return Numbers{std::vector<double>(rows, numbers->values[0])};
  }
  if (const auto* words = std::get_if<Categories>(&column)) {
    return Categories{std::vector<std::int32_t>(rows, words->codes[0]), words->dictionary};
  }
  const auto& bags = std::get<Bags>(column);
  Bags result;
  result.dictionary = bags.dictionary;
  for (std::size_t r = 0; r < rows; ++r) {
    result.features.insert(result.features.end(), bags.features.begin(),
                           bags.features.begin() + static_cast<std::ptrdiff_t>(bags.offsets[1]));
    result.counts.insert(result.counts.end(), bags.counts.begin(),
                         bags.counts.begin() + static_cast<std::ptrdiff_t>(bags.offsets[1]));
    result.offsets.push_back(result.features.size());
    result.missing.push_back(0);
  }
  return result;
}

}  // namespace

Chunk Scorer::sample(std::size_t rows, std::uint64_t seed, const Chunk* given) const {
  Random random(seed);
  Chunk chunk = no_rows(schema_);
  chunk.labels.dictionary = classes_;
  std::vector<double> shares;
  for (const double log_p : log_prior_) shares.push_back(std::exp(log_p));
  if (given) shares = posterior(log_joint(*given)).probabilities;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t cls = random.pick(shares);
    chunk.labels.codes.push_back(static_cast<std::int32_t>(cls));
    for (const auto& density : densities_) density->sample(random, cls, chunk);
  }
  chunk.rows = rows;
  for (std::size_t i = 0; given && i < chunk.columns.size(); ++i) {
    if (has_value(*given, i, 0)) chunk.columns[i] = repeated(given->columns[i], rows);
  }
  // A draw beyond the largest number is that number.
  constexpr double largest = std::numeric_limits<double>::max();
  for (auto& column : chunk.columns) {
    auto* numbers = std::get_if<Numbers>(&column);
    for (std::size_t r = 0; numbers && r < numbers->values.size(); ++r) {
      auto& value = numbers->values[r];
      if (std::isinf(value)) value = std::copysign(largest, value);
    }
  }
  return chunk;
}

LinearForm Scorer::linear_form(bool squares) const {
  LinearForm form{log_prior_, {}, squares};
  for (std::size_t b = 0; b < densities_.size(); ++b) {
    LinearForm part{std::vector<double>(classes_.size(), 0.0), {}, squares};
    if (const auto why = densities_[b]->linear(part); !why.empty()) {
      throw Error(ErrorKind::usage, (squares ? "no equation: " : "no linear form: ") + why);
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      form.intercepts[c] += trusted(part.intercepts[c], block_weights_[b]);
    }
    for (auto& feature : part.features) {
      for (auto& value : feature.coefficients) value *= block_weights_[b];
      form.features.push_back(std::move(feature));
    }
  }
  if (calibration_ && !calibration_->apply(form, log_prior_)) {
    throw Error(ErrorKind::usage,
                fmt::format("no linear form: isotonic calibration is a curve ({})",
                            setting("calibration", "off")));
  }
  return form;
}

std::vector<ParameterTable> Scorer::tables() const {
  std::vector<ParameterTable> result;
  for (std::size_t b = 0; b < densities_.size(); ++b) {
    result.push_back(densities_[b]->table());
    result.back().trust = block_weights_[b];
  }
  return result;
}

}  // namespace credence
