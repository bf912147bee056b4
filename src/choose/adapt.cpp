// SPDX-License-Identifier: Apache-2.0
// With L the likelihood of row i under class c, the shares π that make the rows most probable solve
// π_c = mean over i of π_c L_ic / Σ_k π_k L_ik. Each step is that mean, and none lets Σ log Σ π L
// fall.
#include "credence/adapt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "parallel/parallel.hpp"
#include "parallel/stream.hpp"

namespace credence {
namespace {

// So many likelihoods are kept one by one. Of more, those too small to matter are left out: below
// `smallest` of the largest of their row at first, and below ever more as long as too many are
// left.
constexpr std::size_t most_of_all = 20'000'000, most_kept = 64'000'000;
constexpr float smallest = 1e-9F;
// Of many rows and classes so many likelihoods are looked at in all; then the shares are as near as
// they have come.
constexpr std::size_t most_looks = 20'000'000'000;

// Likelihoods relative to the largest of a row, which `log_top` keeps: nothing underflows.
struct Rows {
  std::vector<double> likelihoods, weights, log_top;
  double impossible = 0;
};

Rows relative_likelihoods(const Scorer& scorer, const Chunk& chunk) {
  Rows result;
  result.likelihoods.reserve(chunk.rows * scorer.classes().size());
  const auto joint = scorer.log_joint(chunk);
  const auto& log_prior = scorer.log_prior();  // equal for all classes that have rows
  const std::size_t many = log_prior.size();
  std::vector<double> row(many);
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    double top = -infinity;
    for (std::size_t c = 0; c < many; ++c) {
      row[c] = log_prior[c] == -infinity ? -infinity : joint[r * many + c] - log_prior[c];
      top = std::max(top, row[c]);
    }
    const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    if (top == -infinity) {
      result.impossible += weight;
      continue;
    }
    constexpr double vanishes = -750;  // its exp() is 0
    for (const double value : row) {
      result.likelihoods.push_back(value - top < vanishes ? 0 : std::exp(value - top));
    }
    result.log_top.push_back(top);
    result.weights.push_back(weight);
  }
  return result;
}

// What a step makes of shares.
struct Step {
  double log_evidence = 0;    // under the shares as they were
  std::vector<double> slope;  // of the mean log evidence, by class
};

class Likelihoods {
 public:
  explicit Likelihoods(std::size_t classes) : classes_(classes) {}

  void append(Rows part) {
    known_ += part.likelihoods.size();
    impossible_ += part.impossible;
    parts_.push_back({std::move(part)});
    const bool few = !sparse_ && known_ <= most_of_all;
    if (few) return;
    for (std::size_t i = sparse_ ? parts_.size() - 1 : 0; i < parts_.size(); ++i) keep(parts_[i]);
    sparse_ = true;
    while (kept_ > most_kept && least_ < 1) raise(std::min(10 * least_, 1.0F));
  }

  double impossible() const { return impossible_; }
  double rows() const {
    double result = 0;
    for (const auto& part : parts_) {
      for (const double weight : part.rows.weights) result += weight;
    }
    return result;
  }
  int most_steps() const {
    const std::size_t looks = std::max<std::size_t>(1, sparse_ ? kept_ : known_);
    return static_cast<int>(std::clamp<std::size_t>(most_looks / looks, 100, 10000));
  }

  double log_evidence(const std::vector<double>& shares) const {
    return step(shares, 1).log_evidence;
  }

  // total: the weight of all rows.
  Step step(const std::vector<double>& shares, double total) const {
    // Few are added up one after the other, many in groups whose sums are added up in their order.
    const std::size_t groups = sparse_ ? 32 : 1;
    std::vector<Step> made(groups, Step{0, std::vector<double>(classes_, 0.0)});
    parallel_for(0, groups, [&](std::size_t g) {
      const std::size_t last = parts_.size() * (g + 1) / groups;
      for (std::size_t i = parts_.size() * g / groups; i < last; ++i) {
        add(parts_[i], shares, total, made[g]);
      }
    });
    for (std::size_t g = 1; g < groups; ++g) {
      made[0].log_evidence += made[g].log_evidence;
      for (std::size_t c = 0; c < classes_; ++c) made[0].slope[c] += made[g].slope[c];
    }
    return std::move(made[0]);
  }

 private:
  struct Kept {
    std::uint32_t cls;
    float likelihood;
  };
  struct Part {
    Rows rows;  // without likelihoods where only some are kept
    std::vector<Kept> kept = {};
    std::vector<std::size_t> ends = {};  // of each row among them
  };

  void keep(Part& part) {
    const auto all = std::exchange(part.rows.likelihoods, {});
    for (std::size_t first = 0; first < all.size(); first += classes_) {
      for (std::size_t c = 0; c < classes_; ++c) {
        const auto likelihood = static_cast<float>(all[first + c]);
        if (likelihood >= least_) part.kept.push_back({static_cast<std::uint32_t>(c), likelihood});
      }
      part.ends.push_back(part.kept.size());
    }
    part.kept.shrink_to_fit();
    kept_ += part.kept.size();
  }

  void raise(float least) {
    least_ = least;
    kept_ = 0;
    for (auto& part : parts_) {
      std::size_t from = 0, to = 0;
      for (auto& end : part.ends) {
        for (; from < end; ++from) {
          if (part.kept[from].likelihood >= least_) part.kept[to++] = part.kept[from];
        }
        end = to;
      }
      part.kept.resize(to);
      part.kept.shrink_to_fit();
      kept_ += to;
    }
  }

  // use(class, likelihood) for what is known of a row.
  template <typename Use>
  void each(const Part& part, std::size_t row, const Use& use) const {
    if (!part.ends.empty()) {
      for (std::size_t i = row == 0 ? 0 : part.ends[row - 1]; i < part.ends[row]; ++i) {
        use(part.kept[i].cls, static_cast<double>(part.kept[i].likelihood));
      }
      return;
    }
    const double* likelihood = part.rows.likelihoods.data() + row * classes_;
    for (std::size_t c = 0; c < classes_; ++c) use(c, likelihood[c]);
  }

  void add(const Part& part, const std::vector<double>& shares, double total, Step& step) const {
    for (std::size_t r = 0; r < part.rows.weights.size(); ++r) {
      double sum = 0;
      each(part, r, [&](std::size_t c, double likelihood) { sum += shares[c] * likelihood; });
      step.log_evidence += part.rows.weights[r] * (part.rows.log_top[r] + std::log(sum));
      if (sum == 0) continue;
      const double weight = part.rows.weights[r] / (sum * total);
      each(part, r,
           [&](std::size_t c, double likelihood) { step.slope[c] += weight * likelihood; });
    }
  }

  std::size_t classes_;
  std::vector<Part> parts_;
  std::size_t known_ = 0, kept_ = 0;  // likelihoods
  bool sparse_ = false;               // only those that matter are kept
  float least_ = smallest;
  double impossible_ = 0;
};

// Moves on to the next shares. Returns by how much the mean log evidence may still be below its
// maximum: the objective is concave, and its largest slope bounds what is left.
double advance(const Step& step, std::vector<double>& shares) {
  for (std::size_t c = 0; c < shares.size(); ++c) shares[c] *= step.slope[c];
  return *std::max_element(step.slope.begin(), step.slope.end()) - 1;
}

}  // namespace

AdaptedPrior adapt_prior(const Model& model, Source& source, unsigned threads,
                         const Progress& progress) {
  AdaptedPrior result;
  const Scorer own(model);
  for (const double log_p : own.log_prior()) result.before.push_back(std::exp(log_p));
  Model level = model;
  level.settings().prior = {ClassPrior::Kind::uniform, 1, {}};
  const Scorer scorer(level);
  Likelihoods rows(scorer.classes().size());
  stream_slices<Rows>(
      source, scorer.classes().size(), threads, progress,
      [&](const Chunk& chunk) { return relative_likelihoods(scorer, chunk); },
      [&](Rows part) { rows.append(std::move(part)); });
  result.rows = rows.rows();
  result.impossible = rows.impossible();
  if (result.rows == 0) {
    throw Error(ErrorKind::data, "no row to adapt to: every row is impossible under every class");
  }
  result.evidence_before = rows.log_evidence(result.before);
  for (const double log_p : scorer.log_prior()) result.after.push_back(std::exp(log_p));
  for (int i = 0; i < rows.most_steps() && !result.converged; ++i) {
    const Step step = rows.step(result.after, result.rows);
    result.evidence.push_back(step.log_evidence);
    result.converged = advance(step, result.after) < 1e-8;
  }
  const double sum = std::accumulate(result.after.begin(), result.after.end(), 0.0);
  for (double& share : result.after) share /= sum;
  result.evidence.push_back(rows.log_evidence(result.after));
  result.prior.kind = ClassPrior::Kind::given;
  for (std::size_t c = 0; c < result.after.size(); ++c) {
    result.prior.shares.emplace_back(scorer.classes()[c], result.after[c]);
  }
  return result;
}

}  // namespace credence
