// SPDX-License-Identifier: Apache-2.0
#include "credence/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "choose/block_weights.hpp"
#include "core/log_math.hpp"
#include "core/parallel.hpp"
#include "credence/error.hpp"
#include "hold_out/folds.hpp"
#include "hold_out/sheets.hpp"

namespace credence {
namespace {

// -log P(truth).
double loss(std::span<const double> joint, std::size_t truth) {
  if (joint[truth] == -infinity) return infinity;
  if (joint.size() != 2) return log_sum_exp(joint) - joint[truth];
  const double apart = joint[1 - truth] - joint[truth];
  return std::max(0.0, apart) + std::log1p(std::exp(-std::abs(apart)));
}

// What the decisions about some rows were worth, as sums over the rows.
struct Tally {
  double weight = 0, right = 0, log_loss = 0, cost = 0;

  void add(std::span<const double> joint, std::size_t truth, double row_weight,
           const Costs& costs) {
    if (row_weight == 0) return;
    const auto top =
        static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
    weight += row_weight;
    if (top == truth && joint[top] > -infinity) right += row_weight;
    log_loss += row_weight * loss(joint, truth);
    if (!costs.given()) return;
    const auto label = decide(posterior(joint), {0, costs});
    const double paid = label ? costs.of[truth * joint.size() + *label] : costs.reject;
    // Who gives no label and may not reject pays for the worst decision.
    const auto row = costs.of.begin() + static_cast<std::ptrdiff_t>(truth * joint.size());
    cost += row_weight *
            (std::isfinite(paid)
                 ? paid
                 : *std::max_element(row, row + static_cast<std::ptrdiff_t>(joint.size())));
  }
  Tally& operator+=(const Tally& other) {
    weight += other.weight;
    right += other.right;
    log_loss += other.log_loss;
    cost += other.cost;
    return *this;
  }
  void finish(Tried& tried) const {
    tried.accuracy = right / weight;
    tried.log_loss = log_loss / weight;
    tried.cost = cost / weight;
  }
};

// A block estimated in one way, and who wants it.
struct EstimatedBlock {
  std::size_t block;
  const Settings* settings;
  std::vector<std::size_t> users;
};

bool estimated_alike(const Settings& a, const Settings& b) {
  return a.rule == b.rule && a.reserve_unseen == b.reserve_unseen && a.shares == b.shares;
}

class Tuner {
 public:
  Tuner(const Model& model, const std::vector<Candidate>& candidates,
        const std::vector<Chunk>& chunks, const TuneOptions& options)
      : candidates_(candidates),
        options_(options),
        sheets_(model, chunks, options.folds, options.threads),
        tried_(candidates.size()) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      steps_ += candidates[i].weigh ? sheets_.size() * candidates[i].blocks.size() : 0;
    }
    find_parts();
    steps_ += parts_.size() * sheets_.size();
  }

  Tuning run() {
    sum_parts();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) weigh(i);
    }
    const auto failed = [](const Tried& t) { return !t.failure.empty(); };
    if (std::all_of(tried_.begin(), tried_.end(), failed)) {
      throw Error(ErrorKind::data, tried_[0].failure);
    }
    return {tried_, best(), sheets_.whole(), notes()};
  }

 private:
  void find_parts() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto& candidate = candidates_[i];
      if (candidate.weigh) continue;
      for (const auto block : candidate.blocks) {
        auto found = std::find_if(parts_.begin(), parts_.end(), [&](const EstimatedBlock& part) {
          return part.block == block && estimated_alike(*part.settings, candidate.settings);
        });
        if (found == parts_.end()) {
          found = parts_.insert(found, {block, &candidate.settings, {}});
        }
        found->users.push_back(i);
      }
    }
  }

  void stepped() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (options_.progress) options_.progress(done_, steps_);
  }

  // Of several sheets that fail, the first one's reason is kept, whichever thread was faster.
  void fail(std::size_t candidate, std::size_t sheet, const Message& why) {
    const std::lock_guard lock(mutex_);
    failed_on_.resize(candidates_.size(), sheets_.size());
    if (sheet >= failed_on_[candidate]) return;
    failed_on_[candidate] = sheet;
    tried_[candidate].failure = why;
  }

  // All candidates that are plain sums, a sheet at a time.
  void sum_parts() {
    std::vector<std::vector<Tally>> tallies(sheets_.size());
    parallel_for(options_.threads, sheets_.size(),
                 [&](std::size_t s) { sum_sheet(s, tallies[s]); });
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      Tally sum;
      for (const auto& tally : tallies) sum += tally[i];
      sum.finish(tried_[i]);
    }
  }

  void sum_sheet(std::size_t s, std::vector<Tally>& tallies) {
    const Sheet& sheet = sheets_[s];
    const std::size_t many = sheets_.classes().size();
    std::vector<std::vector<double>> joints(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      guarded({i}, s, [&] { joints[i] = sheets_.log_prior(sheet, candidates_[i].settings.prior); });
      joints[i].resize(sheet.places.size() * many);  // where there is no prior: it has failed
    }
    std::vector<double> scores;
    for (const auto& part : parts_) {
      guarded(part.users, s, [&] {
        if (part.users.size() == 1) {
          return sheets_.add(sheet, part.block, *part.settings, joints[part.users[0]]);
        }
        scores.assign(sheet.places.size() * many, 0.0);
        sheets_.add(sheet, part.block, *part.settings, scores);
        for (const auto i : part.users) {
          for (std::size_t k = 0; k < scores.size(); ++k) joints[i][k] += scores[k];
        }
      });
      stepped();
    }
    tallies.resize(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      for (std::size_t r = 0; r < sheet.places.size(); ++r) {
        const auto& row = sheets_.rows()[sheet.places[r]];
        tallies[i].add(std::span(joints[i]).subspan(r * many, many), row.cls, row.weight,
                       options_.costs);
      }
    }
  }

  // What cannot be estimated fails the candidates that need it, not the others.
  template <typename Work>
  void guarded(const std::vector<std::size_t>& users, std::size_t sheet, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      for (const auto user : users) fail(user, sheet, error.message());
    }
  }

  // Weights from all rows; and, to judge them, for each fold those from all other folds' rows.
  void weigh(std::size_t i) {
    const auto& candidate = candidates_[i];
    BlockEvidence evidence(sheets_.rows().size(), candidate.blocks.size(),
                           sheets_.classes().size());
    parallel_for(options_.threads, sheets_.size(), [&](std::size_t s) {
      guarded({i}, s, [&] { collect(candidate, sheets_[s], evidence); });
    });
    if (!tried_[i].failure.empty()) return;
    evidence.settle();
    std::vector<std::size_t> all(evidence.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    tried_[i].weights = choose_weights(evidence, all, {}, options_.threads);
    // Rows left out one by one are judged ten groups at a time.
    const bool folds = sheets_[0].rest != nullptr;
    const std::size_t groups = folds ? sheets_.size() : std::min<std::size_t>(10, all.size());
    std::vector<Tally> tallies(groups);
    parallel_for(options_.threads, groups, [&](std::size_t g) {
      std::vector<std::size_t> others, own;
      for (const auto r : all) {
        (sheets_.rows()[r].fold % groups == g ? own : others).push_back(r);
      }
      const auto weights = choose_weights(evidence, others, tried_[i].weights, 1);
      std::vector<double> joint(evidence.classes());
      for (const auto r : own) {
        evidence.log_joint(r, weights, joint);
        tallies[g].add(joint, evidence.truth(r), evidence.weight(r), options_.costs);
      }
    });
    Tally sum;
    for (const auto& tally : tallies) sum += tally;
    sum.finish(tried_[i]);
  }

  void collect(const Candidate& candidate, const Sheet& sheet, BlockEvidence& evidence) {
    const std::size_t many = sheets_.classes().size();
    const auto prior = sheets_.log_prior(sheet, candidate.settings.prior);
    for (std::size_t r = 0; r < sheet.places.size(); ++r) {
      const auto& row = sheets_.rows()[sheet.places[r]];
      evidence.set_row(sheet.places[r], row.cls, row.weight,
                       std::span(prior).subspan(r * many, many));
    }
    std::vector<double> scores(sheet.places.size() * many);
    for (std::size_t b = 0; b < candidate.blocks.size(); ++b) {
      std::fill(scores.begin(), scores.end(), 0.0);
      sheets_.add(sheet, candidate.blocks[b], candidate.settings, scores);
      for (std::size_t r = 0; r < sheet.places.size(); ++r) {
        evidence.set(sheet.places[r], b, std::span(scores).subspan(r * many, many));
      }
      stepped();
    }
  }

  // The less the better.
  double value(const Tried& tried) const {
    if (options_.objective == Objective::accuracy) return -tried.accuracy;
    return options_.objective == Objective::cost ? tried.cost : tried.log_loss;
  }

  std::vector<Message> notes() const {
    std::vector<Message> result;
    const auto rare = rare_classes(sheets_.rows(), sheets_.classes(), options_.folds);
    if (!rare.empty()) result.push_back(rare);
    const bool all_infinite = std::all_of(tried_.begin(), tried_.end(), [&](const Tried& tried) {
      return !tried.failure.empty() || std::isinf(value(tried));
    });
    if (all_infinite && tried_.size() > 1) {
      result.emplace_back(fmt::format(
          "every candidate gave probability 0 to the class of some row: all log-losses are "
          "infinite, nothing tells the candidates apart, and the first is taken (try {}, {} or a "
          "rule such as bayes)",
          setting("by", "accuracy"), setting("prior", "smoothed")));
    }
    return result;
  }

  std::size_t best() const {
    std::size_t result = candidates_.size();
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      if (!tried_[i].failure.empty()) continue;
      if (result == candidates_.size() || value(tried_[i]) < value(tried_[result])) result = i;
    }
    return result;
  }

  const std::vector<Candidate>& candidates_;
  const TuneOptions& options_;
  Sheets sheets_;
  std::vector<Tried> tried_;
  std::vector<EstimatedBlock> parts_;
  std::vector<std::size_t> failed_on_;
  std::mutex mutex_;
  std::uint64_t done_ = 0, steps_ = 0;
};

}  // namespace

Tuning tune(const Model& model, const std::vector<Candidate>& candidates,
            const std::vector<Chunk>& chunks, const TuneOptions& options) {
  if (candidates.empty()) throw Error(ErrorKind::usage, "no candidates to choose from");
  if (options.objective == Objective::cost && !options.costs.given()) {
    throw Error(ErrorKind::usage,
                fmt::format("to choose by cost, say what decisions cost ({})", setting("costs")));
  }
  return Tuner(model, candidates, chunks, options).run();
}

}  // namespace credence
