// SPDX-License-Identifier: Apache-2.0
// Each step shares every row without a class among the classes by its posterior, and estimates
// again. Derivation, and what climbs under which rule: docs/semi.md
#include "credence/semi_supervised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "families/registry.hpp"
#include "hold_out/learn_all.hpp"
#include "measure/scored_rows.hpp"
#include "parallel/parallel.hpp"

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
struct Estimates {
  Scorer scorer;
  double log_prior = 0;  // of the parameters
  std::string odd = {};  // a block whose estimate is no maximum

  Estimates(const Model& model, const Statistics& statistics)
      : scorer(model, statistics, [&](const BlockSpec& block) {
          return stepping_rule(model.settings().rule, block.family);
        }) {
    const auto& prior = model.settings().prior;
    for (const double log_share : scorer.log_prior()) {
      if (prior.kind == ClassPrior::Kind::smoothed && log_share > -infinity) {
        log_prior += prior.strength * log_share;
      }
    }
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      const auto& block = model.blocks()[b];
      const double of_block = scorer.density(b).log_prior;
      if (block.weight == 0) continue;
      if (std::isfinite(of_block)) {
        log_prior += block.weight * of_block;
      } else if (odd.empty()) {
        odd = fmt::format("{} of column \"{}\"", block.family,
                          model.schema().columns[block.columns[0]].name);
      }
    }
  }
};

// One chunk of rows without a class: their posteriors, and which of them take part.
struct Shared {
  std::vector<double> shares;  // rows x classes
  std::vector<char> takes_part;
  double log_evidence = 0;

  // first: rows that no class allows now are left out for good, else the objective would fall when
  // a class begins to allow them.
  void expect(const Estimates& estimates, const Chunk& chunk, bool first) {
    shares = estimates.scorer.log_joint(chunk);
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
  const auto joint = estimates.scorer.log_joint(chunk);
  double sum = 0;
  // A class whose rows all weigh nothing is no class.
  for (const auto& row : labelled_rows({&chunk, 1}, classes)) {
    if (row.weight != 0) sum += row.weight * joint[row.row * classes.size() + row.cls];
  }
  return sum;
}

Statistics observe_labelled(const Model& model, const std::vector<Chunk>& chunks,
                            unsigned threads) {
  auto result = add_up(model.statistics().empty(), chunks.size(), threads,
                       [&](std::size_t i, Statistics& part) { part.observe(chunks[i]); });
  require_two_classes(model.schema().target, result.classes(),
                      " among the rows that have a class; rows without one need at least two to be "
                      "shared among");
  return result;
}

Statistics add_shared(const Statistics& labelled, const std::vector<Chunk>& chunks,
                      const std::vector<Shared>& shared, double weight, unsigned threads) {
  return add_up(labelled, chunks.size(), threads, [&](std::size_t i, Statistics& part) {
    part.prepare(labelled.classes());
    part.observe_shared(chunks[i], shared[i].shares, weight);
  });
}

// log p of all rows under the estimates, and of these themselves.
double objective_of(const Estimates& estimates, const std::vector<Chunk>& labelled,
                    const std::vector<std::string>& classes, const std::vector<Shared>& shared,
                    double weight, unsigned threads) {
  std::vector<double> parts(labelled.size());
  parallel_for(threads, labelled.size(),
               [&](std::size_t i) { parts[i] = log_likelihood(estimates, labelled[i], classes); });
  double objective = estimates.log_prior;
  for (const double part : parts) objective += part;
  for (const auto& part : shared) objective += weight * part.log_evidence;
  return objective;
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
      const double objective =
          objective_of(estimates, labelled, own.classes(), next, options.weight, threads);
      if (!estimates.odd.empty()) result.odd = estimates.odd;
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
