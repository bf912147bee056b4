// SPDX-License-Identifier: Apache-2.0
#include "credence/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "choose/block_weights.hpp"
#include "choose/candidate_sums.hpp"
#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "hold_out/subtraction.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

// A block estimated in one way, and who wants it.
struct EstimatedBlock {
  std::size_t block;
  const Settings* settings;
  std::vector<std::size_t> users;
  Subtraction::ScoresOf scores = {};  // none where it cannot be estimated
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
        rule_{0, options.costs},
        dealt_(deal_out(chunks, model.schema(), options.folds)),
        sheets_(model, dealt_, options.threads, true),
        tried_(candidates.size()) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      steps_ += candidates[i].weigh ? sheets_.size() * candidates[i].blocks.size() : 0;
    }
    if (options.objective == Objective::macro_f1 || options.objective == Objective::roc_auc) {
      require_room_for_all();
      kept_.assign(candidates.size(), Kept(dealt_.rows.size(), dealt_.classes.size()));
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
    std::map<std::size_t, std::vector<std::size_t>> of_block;  // places in parts_
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto& candidate = candidates_[i];
      if (candidate.weigh) continue;
      for (const auto block : candidate.blocks) {
        auto& alike = of_block[block];
        const auto found = std::find_if(alike.begin(), alike.end(), [&](std::size_t part) {
          return estimated_alike(*parts_[part].settings, candidate.settings);
        });
        if (found != alike.end()) {
          parts_[*found].users.push_back(i);
        } else {
          alike.push_back(parts_.size());
          parts_.push_back({block, &candidate.settings, {i}});
        }
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
    for (auto& part : parts_) {
      guarded(part.users, 0, [&] { part.scores = sheets_.scores(part.block, *part.settings); });
    }
    std::vector<std::vector<Sums>> sums(sheets_.size());
    parallel_for(options_.threads, sheets_.size(), [&](std::size_t s) { sum_sheet(s, sums[s]); });
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      Sums sum;
      for (const auto& tally : sums) sum += tally[i];
      finish(sum, i);
    }
  }

  void finish(const Sums& sum, std::size_t i) {
    sum.finish(tried_[i]);
    if (!kept_.empty() && tried_[i].failure.empty()) kept_[i].finish(dealt_.classes, tried_[i]);
  }

  void judge_row(std::size_t i, std::size_t place, std::span<const double> joint, Sums& sums) {
    const auto& row = dealt_.rows[place];
    sums.add(joint, row.cls, row.weight, rule_);
    if (!kept_.empty()) kept_[i].set(place, joint, row.cls, row.weight, rule_);
  }

  void sum_sheet(std::size_t s, std::vector<Sums>& sums) {
    const auto sheet = sheets_.sheet(s);
    std::vector<Subtraction::AddScores> add(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].scores) continue;
      guarded(parts_[p].users, s, [&] { add[p] = parts_[p].scores(*sheet); });
    }
    sums.resize(candidates_.size());
    const std::size_t most = rows_at_once(dealt_.classes.size() * candidates_.size());
    const std::size_t rows = sheet->places.size();
    for (std::size_t first = 0; first < rows; first += most) {
      const std::size_t count = std::min(most, rows - first);
      const SheetRows part = count == rows ? SheetRows() : sheet->slice(first, count);
      sum_rows(s, *sheet, count == rows ? *sheet : part, add, sums);
    }
    for (std::size_t p = 0; p < parts_.size(); ++p) stepped();
  }

  void sum_rows(std::size_t s, const Sheet& sheet, const SheetRows& rows,
                const std::vector<Subtraction::AddScores>& add, std::vector<Sums>& sums) {
    const std::size_t many = dealt_.classes.size();
    std::vector<std::vector<double>> joints(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      const auto& prior = candidates_[i].settings.prior;
      guarded({i}, s, [&] { joints[i] = sheets_.log_prior(sheet, rows, prior); });
      joints[i].resize(rows.places.size() * many);  // where there is no prior: it has failed
    }
    std::vector<double> scores;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto& users = parts_[p].users;
      guarded(users, s, [&] {
        if (!add[p]) return;
        if (users.size() == 1) return add[p](rows, 1, joints[users[0]]);
        scores.assign(rows.places.size() * many, 0.0);
        add[p](rows, 1, scores);
        for (const auto i : users) {
          for (std::size_t k = 0; k < scores.size(); ++k) joints[i][k] += scores[k];
        }
      });
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].weigh) continue;
      for (std::size_t r = 0; r < rows.places.size(); ++r) {
        judge_row(i, rows.places[r], std::span(joints[i]).subspan(r * many, many), sums[i]);
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

  // Weights from all rows; and, to judge them, for each fold those from all other folds' rows, or
  // in time from those before it.
  void weigh(std::size_t i) {
    const auto& candidate = candidates_[i];
    guarded({i}, 0, [&] { require_room(candidate); });
    if (!tried_[i].failure.empty()) return;
    BlockEvidence evidence(dealt_.rows.size(), candidate.blocks.size(), dealt_.classes.size());
    std::vector<Subtraction::ScoresOf> scores;
    guarded({i}, 0, [&] {
      for (const auto b : candidate.blocks) scores.push_back(sheets_.scores(b, candidate.settings));
    });
    if (!tried_[i].failure.empty()) return;
    parallel_for(options_.threads, sheets_.size(), [&](std::size_t s) {
      guarded({i}, s, [&] { collect(candidate, *sheets_.sheet(s), scores, evidence); });
    });
    if (!tried_[i].failure.empty()) return;
    evidence.settle();
    std::vector<std::size_t> all(evidence.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    tried_[i].weights = choose_weights(evidence, all, {}, options_.threads);
    // What is left out one by one is judged in ten parts.
    const std::size_t folds = dealt_.folds.size();
    const bool one_by_one = dealt_.one_by_one || options_.folds.leave_one_out;
    const std::size_t groups = one_by_one ? std::min<std::size_t>(10, folds) : folds;
    std::vector<Sums> sums(groups);
    parallel_for(options_.threads, groups, [&](std::size_t g) {
      std::vector<std::size_t> others, own;
      for (const auto r : all) {
        const std::size_t group = dealt_.rows[r].fold % groups;
        if (group == g) own.push_back(r);
        if (dealt_.in_time ? group < g : group != g) others.push_back(r);
      }
      const auto weights = choose_weights(evidence, others, tried_[i].weights, 1);
      std::vector<double> joint(evidence.classes());
      for (const auto r : own) {
        evidence.log_joint(r, weights, joint);
        judge_row(i, r, joint, sums[g]);
      }
    });
    Sums sum;
    for (const auto& tally : sums) sum += tally;
    finish(sum, i);
  }

  // Weights are found by many looks at what every block says of every row.
  void require_room(const Candidate& candidate) const {
    constexpr double most = 1 << 27;
    const double scores = static_cast<double>(dealt_.rows.size()) *
                          static_cast<double>(candidate.blocks.size() * dealt_.classes.size());
    if (scores <= most) return;
    throw Error(ErrorKind::data,
                fmt::format("{} rows of {} classes in {} blocks are more than weights can be found "
                            "for: rows x classes x blocks may be {} (give fewer rows)",
                            dealt_.rows.size(), dealt_.classes.size(), candidate.blocks.size(),
                            format_number(most)));
  }

  void require_room_for_all() const {
    constexpr double most = 1 << 27;
    const double scores = static_cast<double>(dealt_.rows.size()) *
                          static_cast<double>(candidates_.size() * dealt_.classes.size());
    if (scores <= most) return;
    throw Error(ErrorKind::data,
                fmt::format("{} rows of {} classes under {} candidates are more than {} can be "
                            "measured for: rows x classes x candidates may be {} (give fewer)",
                            dealt_.rows.size(), dealt_.classes.size(), candidates_.size(),
                            options_.objective == Objective::roc_auc ? "ROC-AUC" : "F1",
                            format_number(most)));
  }

  void collect(const Candidate& candidate, const Sheet& sheet,
               const std::vector<Subtraction::ScoresOf>& add, BlockEvidence& evidence) {
    const std::size_t many = dealt_.classes.size();
    const auto prior = sheets_.log_prior(sheet, sheet, candidate.settings.prior);
    for (std::size_t r = 0; r < sheet.places.size(); ++r) {
      const auto& row = dealt_.rows[sheet.places[r]];
      evidence.set_row(sheet.places[r], row.cls, row.weight,
                       std::span(prior).subspan(r * many, many));
    }
    std::vector<double> scores(sheet.places.size() * many);
    for (std::size_t b = 0; b < candidate.blocks.size(); ++b) {
      std::fill(scores.begin(), scores.end(), 0.0);
      add[b](sheet)(sheet, 1, scores);
      for (std::size_t r = 0; r < sheet.places.size(); ++r) {
        evidence.set(sheet.places[r], b, std::span(scores).subspan(r * many, many));
      }
      stepped();
    }
  }

  // The less the better.
  double value(const Tried& tried) const {
    switch (options_.objective) {
      case Objective::accuracy:
        return -tried.accuracy;
      case Objective::cost:
        return tried.cost;
      case Objective::macro_f1:
        return -tried.macro_f1;
      case Objective::roc_auc:
        return -tried.roc_auc;
      case Objective::log_loss:
        break;
    }
    return tried.log_loss;
  }

  std::vector<Message> notes() const {
    const auto on_folds = notes_on(dealt_, options_.folds);
    std::vector<Message> result(on_folds.begin(), on_folds.end());
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
  const DecisionRule rule_;
  const Dealt dealt_;
  const Subtraction sheets_;
  std::vector<Tried> tried_;
  std::vector<EstimatedBlock> parts_;
  std::vector<Kept> kept_;  // by candidate, where the objective asks for it
  std::vector<std::size_t> failed_on_;
  std::mutex mutex_;
  std::uint64_t done_ = 0, steps_ = 0;
};

}  // namespace

const std::vector<std::string>& objective_names() {
  static const std::vector<std::string> names = {"accuracy", "log-loss", "cost", "f1", "auc"};
  return names;
}

Objective parse_objective(const std::string& name) {
  const auto& names = objective_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(ErrorKind::usage, fmt::format("{}: no objective \"{}\"{}; choose {}", setting("by"),
                                              name, suggestion(name, names), join(names, ", ")));
  }
  return static_cast<Objective>(found - names.begin());
}

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
