// SPDX-License-Identifier: Apache-2.0
// Each step shares every row without a class among the classes by its posterior, and estimates
// again. Derivation, and what climbs under which rule: docs/semi.md
#include "credence/semi_supervised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "families/registry.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

// A share below this is none. What the objective loses by it is less than rounding.
constexpr double negligible = 1e-12;

// What scores classes but is no density has no likelihood to climb.
void require_densities(const Model& model) {
  for (const auto& block : model.blocks()) {
    const auto score = find_family(block.family).score(block.parameters);
    if (!score) continue;
    const auto& name = model.schema().columns[block.columns[0]].name;
    throw Error(ErrorKind::usage,
                fmt::format("column \"{}\": {}, so rows without a class cannot be used (use {})",
                            name, score->what, setting("as", name + ": " + score->instead)));
  }
}

// Under bayes, numbers and bags take the steps at the mean of what they later integrate over: the
// imaginary rows are the same. Words are that mean already.
Rule stepping_rule(const Rule& rule, const std::string& family) {
  if (rule.kind != Rule::Kind::bayes || find_family(family).predicts_at_mean) return rule;
  return {Rule::Kind::m_estimate, rule.strength};
}

// The estimates of one step.
class Estimates {
 public:
  Estimates(const Model& model, const Statistics& statistics) {
    const auto& settings = model.settings();
    auto estimation = estimation_of(statistics, settings);
    const auto shares = class_shares(settings.prior, estimation.classes, estimation.class_weights);
    for (const double share : shares) {
      log_shares_.push_back(std::log(share));
      if (settings.prior.kind == ClassPrior::Kind::smoothed && share > 0) {
        log_prior_ += settings.prior.strength * std::log(share);
      }
    }
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      const auto& block = model.blocks()[b];
      estimation.rule = stepping_rule(settings.rule, block.family);
      densities_.push_back(statistics.block(b).fit(estimation));
      weights_.push_back(block.weight);
      const double log_prior = densities_.back()->log_prior;
      if (block.weight == 0) continue;
      if (std::isfinite(log_prior)) {
        log_prior_ += block.weight * log_prior;
      } else if (odd_.empty()) {
        odd_ = fmt::format("{} of column \"{}\"", block.family,
                           model.schema().columns[block.columns[0]].name);
      }
    }
  }

  double log_prior() const { return log_prior_; }
  const std::string& odd() const { return odd_; }

  std::vector<double> log_joint(const Chunk& chunk) const {
    std::vector<double> joint;
    joint.reserve(chunk.rows * log_shares_.size());
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      joint.insert(joint.end(), log_shares_.begin(), log_shares_.end());
    }
    for (std::size_t b = 0; b < densities_.size(); ++b) {
      if (weights_[b] != 0) densities_[b]->add_log_density(chunk, weights_[b], joint);
    }
    return joint;
  }

 private:
  std::vector<double> log_shares_;
  std::vector<std::unique_ptr<Density>> densities_;
  std::vector<double> weights_;
  double log_prior_ = 0;
  std::string odd_;
};

double weight_of(const Chunk& chunk, std::size_t row) {
  return chunk.weights.empty() ? 1.0 : chunk.weights[row];
}

// One chunk of rows without a class: their posteriors, and which of them take part.
struct Shared {
  std::vector<double> shares;  // rows x classes
  std::vector<char> takes_part;
  double log_evidence = 0;

  // first: rows that no class allows now are left out for good, else the objective would fall when
  // a class begins to allow them.
  void expect(const Estimates& estimates, const Chunk& chunk, bool first) {
    shares = estimates.log_joint(chunk);
    if (first) takes_part.assign(chunk.rows, 1);
    const std::size_t many = chunk.rows == 0 ? 0 : shares.size() / chunk.rows;
    log_evidence = 0;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const std::span row(shares.data() + r * many, many);
      const double evidence = log_sum_exp(row);
      if (first && evidence == -infinity) takes_part[r] = 0;
      if (!takes_part[r]) {
        std::fill(row.begin(), row.end(), 0.0);
        continue;
      }
      log_evidence += weight_of(chunk, r) * evidence;
      double kept = 0;
      for (double& value : row) {
        value = std::exp(value - evidence);
        if (value < negligible) value = 0;
        kept += value;
      }
      for (double& value : row) value /= kept;
    }
  }
};

// log p of the rows and of their classes.
double log_likelihood(const Estimates& estimates, const Chunk& chunk,
                      const std::vector<std::string>& classes) {
  const auto joint = estimates.log_joint(chunk);
  std::vector<std::size_t> place;
  for (const auto& label : chunk.labels.dictionary) {
    place.push_back(static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                             classes.begin()));
  }
  double sum = 0;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto c = place[static_cast<std::size_t>(chunk.labels.codes[r])];
    // A class whose rows all weigh nothing is no class.
    if (c < classes.size() && weight_of(chunk, r) != 0) {
      sum += weight_of(chunk, r) * joint[r * classes.size() + c];
    }
  }
  return sum;
}

Statistics observe_labelled(const Model& model, const std::vector<Chunk>& chunks,
                            unsigned threads) {
  std::vector<std::unique_ptr<Statistics>> parts(chunks.size());
  parallel_for(threads, chunks.size(), [&](std::size_t i) {
    parts[i] = std::make_unique<Statistics>(model.statistics().empty());
    parts[i]->observe(chunks[i]);
  });
  Statistics result = model.statistics().empty();
  for (const auto& part : parts) result.merge(*part, 1);
  result.canonicalise();
  if (const auto text = result.defect(); !text.empty()) throw Error(ErrorKind::data, text);
  if (result.classes().size() < 2) {
    throw Error(
        ErrorKind::data,
        fmt::format("column \"{}\": {} among the rows that have a class; rows without one "
                    "need at least two to be shared among",
                    model.schema().target,
                    result.classes().empty() ? "no class at all"
                                             : "only the class \"" + result.classes()[0] + "\""));
  }
  return result;
}

Statistics add_shared(const Statistics& labelled, const std::vector<Chunk>& chunks,
                      const std::vector<Shared>& shared, double weight, unsigned threads) {
  std::vector<std::unique_ptr<Statistics>> parts(chunks.size());
  parallel_for(threads, chunks.size(), [&](std::size_t i) {
    parts[i] = std::make_unique<Statistics>(labelled.empty());
    parts[i]->prepare(labelled.classes());
    parts[i]->observe_shared(chunks[i], shared[i].shares, weight);
  });
  Statistics result(labelled);
  for (const auto& part : parts) result.merge(*part, 1);
  result.canonicalise();
  if (const auto text = result.defect(); !text.empty()) throw Error(ErrorKind::data, text);
  return result;
}

double count_rows(const std::vector<Chunk>& chunks) {
  double rows = 0;
  for (const auto& chunk : chunks) rows += static_cast<double>(chunk.rows);
  return rows;
}

double total_weight(const std::vector<Chunk>& chunks) {
  double sum = 0;
  for (const auto& chunk : chunks) {
    for (std::size_t r = 0; r < chunk.rows; ++r) sum += weight_of(chunk, r);
  }
  return sum;
}

}  // namespace

std::vector<Chunk> with_class(const std::vector<Chunk>& chunks, bool labelled) {
  std::vector<Chunk> result;
  for (const auto& chunk : chunks) {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const bool has = !chunk.labels.codes.empty() && chunk.labels.codes[r] >= 0;
      if (has == labelled) rows.push_back(r);
    }
    if (rows.size() == chunk.rows) {
      result.push_back(chunk);
    } else if (!rows.empty()) {
      result.push_back(select_rows(chunk, rows));
    }
  }
  return result;
}

SemiSupervised learn_unlabelled(const Model& model, const std::vector<Chunk>& chunks,
                                const UnlabelledOptions& options, unsigned threads,
                                const EmProgress& progress) {
  if (!(options.weight >= 0) || !std::isfinite(options.weight)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the weight of rows without a class is {}: a number from 0 on is wanted",
                    format_number(options.weight)));
  }
  require_densities(model);
  const auto labelled = with_class(chunks, true), unlabelled = with_class(chunks, false);
  SemiSupervised result{model.empty(), {}};
  result.labelled = count_rows(labelled);
  result.unlabelled = count_rows(unlabelled);
  Statistics own = observe_labelled(model, labelled, threads);
  if (options.weight == 0 || unlabelled.empty()) {
    result.model.statistics() = std::move(own);
    result.converged = true;
    return result;
  }
  Statistics total = own;
  std::vector<Shared> shared(unlabelled.size()), next(unlabelled.size());
  const double enough =
      options.tolerance * (total_weight(labelled) + options.weight * total_weight(unlabelled));
  for (std::size_t step = 0; step <= options.most_steps; ++step) {
    const Estimates estimates(model, total);
    for (std::size_t i = 0; i < next.size(); ++i) next[i].takes_part = shared[i].takes_part;
    parallel_for(threads, unlabelled.size(),
                 [&](std::size_t i) { next[i].expect(estimates, unlabelled[i], step == 0); });
    if (step > 0) {
      std::vector<double> parts(labelled.size());
      parallel_for(threads, labelled.size(), [&](std::size_t i) {
        parts[i] = log_likelihood(estimates, labelled[i], own.classes());
      });
      double objective = estimates.log_prior();
      for (const double part : parts) objective += part;
      for (const auto& part : next) objective += options.weight * part.log_evidence;
      if (!estimates.odd().empty()) result.odd = estimates.odd();
      const double rise = result.objective.empty() ? infinity : objective - result.objective.back();
      result.objective.push_back(objective);
      if (progress) progress(step, objective);
      result.converged = std::abs(rise) < enough;
      if (result.converged || step == options.most_steps) break;
    }
    shared.swap(next);
    total = add_shared(own, unlabelled, shared, options.weight, threads);
  }
  for (const auto& part : shared) {
    result.impossible +=
        static_cast<double>(std::count(part.takes_part.begin(), part.takes_part.end(), 0));
  }
  result.model.statistics() = std::move(total);
  return result;
}

}  // namespace credence
