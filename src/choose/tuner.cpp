// SPDX-License-Identifier: Apache-2.0
#include "choose/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "choose/block_weights.hpp"
#include "choose/calibrate_by_sample.hpp"
#include "choose/candidate_sums.hpp"
#include "core/chunk_rows.hpp"
#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "hold_out/subtraction.hpp"
#include "parallel/parallel.hpp"

namespace credence {
namespace {

bool estimated_alike(const Settings& a, const Settings& b) {
  return a.rule == b.rule && a.reserve_unseen == b.reserve_unseen && a.shares == b.shares &&
         a.reading == b.reading;
}

}  // namespace

class Tuner::Judge {
 public:
  Judge(const Model& model, const std::vector<Candidate>& candidates,
        const std::vector<Chunk>& chunks, const TuneOptions& options)
      : candidates_(candidates),
        options_(options),
        rule_{0, options.costs},
        dealt_(deal_out(chunks, model.schema(), options.folds)),
        sheets_(model, dealt_, options.threads, true),
        unseen_(dealt_.of_unseen_class()),
        tried_(candidates.size()) {
    shares_.resize(dealt_.classes.size());
    double total = 0;
    for (const auto& row : dealt_.rows) total += row.weight;
    for (const auto& row : dealt_.rows) shares_[row.cls] += row.weight / total;
    // Where nobody can say the class of any row, all are judged, and all are wrong.
    if (std::find(unseen_.begin(), unseen_.end(), false) == unseen_.end()) {
      unseen_.assign(unseen_.size(), false);
    }
    if (options.objective == Objective::macro_f1 || options.objective == Objective::roc_auc) {
      require_room_for_all();
      kept_.assign(candidates.size(), Kept(dealt_.rows.size(), dealt_.classes.size()));
    }
  }

  const Dealt& dealt() const { return dealt_; }
  const Model& whole() const { return sheets_.whole(); }
  const std::vector<Tried>& tried() const { return tried_; }

  void run(const std::vector<std::size_t>& which, std::size_t step) {
    step_ = kept_.empty() ? step : 1;
    plain_.clear();
    std::vector<std::size_t> weighed;
    done_ = steps_ = 0;
    for (const auto i : which) {
      tried_[i] = {};
      (candidates_[i].weigh ? weighed : plain_).push_back(i);
      if (candidates_[i].weigh) steps_ += sheets_.size() * candidates_[i].blocks.size();
    }
    // What is to be calibrated is kept until all of it is there: so many candidates at a time.
    const auto all = std::move(plain_);
    const std::size_t batch = std::max<std::size_t>(
        1, (std::size_t{1} << 25) / std::max<std::size_t>(1, judged() * dealt_.classes.size()));
    const auto each_batch = [&](const auto& work) {
      for (std::size_t first = 0; first < all.size(); first += batch) {
        const std::size_t end =
            options_.calibrated ? std::min(first + batch, all.size()) : all.size();
        plain_.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                      all.begin() + static_cast<std::ptrdiff_t>(end));
        find_parts();
        work();
        if (end == all.size()) break;
      }
    };
    each_batch([&] { steps_ += parts_.size() * sheets_.size(); });
    each_batch([&] { sum_parts(); });
    for (const auto i : weighed) weigh(i);
  }

  std::size_t best(const std::vector<std::size_t>& which) const {
    std::size_t result = candidates_.size();
    for (const auto i : which) {
      if (!tried_[i].failure.empty()) continue;
      if (result == candidates_.size() || tried_[i].value < tried_[result].value) result = i;
    }
    if (result == candidates_.size()) throw Error(ErrorKind::data, tried_[which.at(0)].failure);
    return result;
  }

  std::vector<Message> notes(const std::vector<std::size_t>& which) const {
    const auto on_folds = notes_on(dealt_, options_.folds);
    std::vector<Message> result(on_folds.begin(), on_folds.end());
    const auto unseen = std::count(unseen_.begin(), unseen_.end(), true);
    if (unseen > 0) {
      result.emplace_back(fmt::format("{} not judged: {} class has no row but those held out",
                                      unseen == 1 ? "1 row is" : fmt::format("{} rows are", unseen),
                                      unseen == 1 ? "its" : "their"));
    }
    const bool all_infinite = std::all_of(which.begin(), which.end(), [&](std::size_t i) {
      return !tried_[i].failure.empty() || std::isinf(tried_[i].value);
    });
    if (all_infinite && which.size() > 1) {
      result.emplace_back(fmt::format(
          "every candidate gave probability 0 to the class of some row: all log-losses are "
          "infinite, nothing tells the candidates apart, and the first is taken (try {}, {} or a "
          "rule such as bayes)",
          setting("by", "accuracy"), setting("prior", "smoothed")));
    }
    return result;
  }

 private:
  // A block estimated in one way, and who wants it.
  struct EstimatedBlock {
    std::size_t block;
    const Settings* settings;
    std::vector<std::size_t> users;
    Subtraction::ScoresOf scores = {};  // none where it cannot be estimated
  };

  void find_parts() {
    parts_.clear();
    std::map<std::size_t, std::vector<std::size_t>> of_block;  // places in parts_
    for (const auto i : plain_) {
      const auto& candidate = candidates_[i];
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
    keep_room_to_calibrate();
    parallel_for(options_.threads, sheets_.size(), [&](std::size_t s) { sum_sheet(s, sums[s]); });
    for (const auto i : plain_) {
      if (to_calibrate_.contains(i)) continue;
      std::vector<Sums> of_sheets;
      for (const auto& tally : sums) of_sheets.push_back(tally[i]);
      finish(of_sheets, i);
    }
    judge_calibrated();
  }

  // Scores of a candidate that will be calibrated, and the log priors they were made under.
  struct Uncalibrated {
    std::vector<double> joint, prior;
  };

  void keep_room_to_calibrate() {
    to_calibrate_.clear();
    const auto weights = whole().class_weights();
    const bool all_there =
        std::all_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
    if (!options_.calibrated || !all_there || whole().classes() != dealt_.classes) return;
    const std::size_t scores = judged() * dealt_.classes.size();
    for (const auto i : plain_) {
      std::vector<BlockSpec> blocks;
      for (const auto b : candidates_[i].blocks) blocks.push_back(whole().blocks()[b]);
      if (calibrated_by_sample(candidates_[i].settings.rule, blocks, judged(),
                               dealt_.classes.size())) {
        to_calibrate_[i] = {std::vector<double>(scores), std::vector<double>(scores)};
      }
    }
  }

  void judge_calibrated() {
    std::vector<std::size_t> which;
    for (const auto& each : to_calibrate_) which.push_back(each.first);
    parallel_for(options_.threads, which.size(), [&](std::size_t k) {
      const std::size_t i = which[k];
      if (tried_[i].failure.empty()) judge_calibrated(i, to_calibrate_.at(i));
    });
  }

  void judge_calibrated(std::size_t i, Uncalibrated& kept) {
    const auto weights = whole().class_weights();
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> log_shares;
    for (const double weight : weights) log_shares.push_back(std::log(weight / total));
    ScoredRows held{dealt_.classes};
    const std::size_t groups = parts_of_rows();
    for (std::size_t r = 0; r < judged(); ++r) {
      held.rows.push_back(dealt_.rows[r * step_]);
      held.rows.back().fold %= groups;
    }
    held.log_joint = std::move(kept.joint);
    calibrate_held_out(held, log_shares, kept.prior, dealt_.in_time);
    std::vector<Sums> sums(groups);
    for (std::size_t r = 0; r < judged(); ++r) {
      judge_row(i, r * step_, held.scores(r), sums[held.rows[r].fold]);
    }
    finish(sums, i);
  }

  // What is left out one by one is judged in ten parts.
  std::size_t parts_of_rows() const {
    const std::size_t folds = dealt_.folds.size();
    return one_by_one() ? std::min<std::size_t>(10, folds) : folds;
  }

  // From the sums of each fold; where rows are left out one by one, of other parts of them.
  void finish(const std::vector<Sums>& parts, std::size_t i) {
    auto& tried = tried_[i];
    Sums sum;
    for (const auto& part : parts) sum += part;
    sum.finish(tried);
    if (!kept_.empty() && tried.failure.empty()) kept_[i].finish(dealt_.classes, tried);
    // The imaginary row weighs 1; each fold has its part of it.
    const auto with_surprise = [&](const Sums& part, double plain) {
      return options_.surprised ? plain + part.surprise / part.weight / sum.weight : plain;
    };
    tried.value = with_surprise(sum, value(tried));
    if (one_by_one() || !kept_.empty()) return;
    for (const auto& part : parts) {
      if (part.weight == 0) continue;
      Tried of_fold;
      part.finish(of_fold);
      tried.of_folds.push_back(with_surprise(part, value(of_fold)));
    }
  }

  bool one_by_one() const { return dealt_.one_by_one || options_.folds.leave_one_out; }

  void judge_row(std::size_t i, std::size_t place, std::span<const double> joint, Sums& sums) {
    if (unseen_[place]) return;
    const auto& row = dealt_.rows[place];
    sums.add(joint, row.cls, row.weight, rule_);
    if (options_.surprised) sums.add_surprise(joint, row.weight, shares_);
    if (!kept_.empty()) kept_[i].set(place, joint, row.cls, row.weight, rule_);
  }

  // Of a sheet the rows that are judged.
  SheetRows judged_of(const Sheet& sheet) const {
    std::vector<std::size_t> which;
    for (std::size_t r = 0; r < sheet.places.size(); ++r) {
      if (sheet.places[r] % step_ == 0) which.push_back(r);
    }
    return sheet.pick(which);
  }

  void sum_sheet(std::size_t s, std::vector<Sums>& sums) {
    const auto sheet = sheets_.sheet(s);
    std::vector<Subtraction::AddScores> add(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].scores) continue;
      guarded(parts_[p].users, s, [&] { add[p] = parts_[p].scores(*sheet); });
    }
    sums.resize(candidates_.size());
    const std::size_t most =
        rows_at_once(dealt_.classes.size() * std::max<std::size_t>(1, plain_.size()));
    const SheetRows some = step_ > 1 ? judged_of(*sheet) : SheetRows();
    const SheetRows& judged = step_ > 1 ? some : *sheet;
    const std::size_t rows = judged.places.size();
    for (std::size_t first = 0; first < rows; first += most) {
      const std::size_t count = std::min(most, rows - first);
      const SheetRows part = count == rows ? SheetRows() : judged.slice(first, count);
      sum_rows(s, *sheet, count == rows ? judged : part, add, sums);
    }
    for (std::size_t p = 0; p < parts_.size(); ++p) stepped();
  }

  void sum_rows(std::size_t s, const Sheet& sheet, const SheetRows& rows,
                const std::vector<Subtraction::AddScores>& add, std::vector<Sums>& sums) {
    const std::size_t many = dealt_.classes.size();
    std::vector<std::vector<double>> joints(candidates_.size());
    for (const auto i : plain_) {
      const auto& prior = candidates_[i].settings.prior;
      guarded({i}, s, [&] { joints[i] = sheets_.log_prior(sheet, rows, prior); });
      joints[i].resize(rows.places.size() * many);  // where there is no prior: it has failed
      keep_scores(i, rows, joints[i], &Uncalibrated::prior);
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
    for (const auto i : plain_) {
      if (keep_scores(i, rows, joints[i], &Uncalibrated::joint)) continue;
      for (std::size_t r = 0; r < rows.places.size(); ++r) {
        judge_row(i, rows.places[r], std::span(joints[i]).subspan(r * many, many), sums[i]);
      }
    }
  }

  // Whether the candidate will be calibrated: then these are kept.
  bool keep_scores(std::size_t i, const SheetRows& rows, const std::vector<double>& scores,
                   std::vector<double> Uncalibrated::*where) {
    const auto found = to_calibrate_.find(i);
    if (found == to_calibrate_.end()) return false;
    const std::size_t many = dealt_.classes.size();
    for (std::size_t r = 0; r < rows.places.size(); ++r) {
      const std::size_t row = rows.places[r] / step_;
      std::copy_n(scores.data() + r * many, many, (found->second.*where).data() + row * many);
    }
    return true;
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
    std::vector<BlockFactors> factors;
    guarded({i}, 0, [&] { factors = factors_of(candidate); });
    if (!tried_[i].failure.empty()) return;
    BlockEvidence evidence(judged(), factors.back().first + factors.back().count,
                           dealt_.classes.size(), can_shift(candidate));
    for (const auto& block : factors) {
      for (std::size_t f = block.own; f < block.count; ++f) evidence.set_added(block.first + f);
    }
    parallel_for(options_.threads, sheets_.size(), [&](std::size_t s) {
      guarded({i}, s, [&] { collect(candidate, *sheets_.sheet(s), factors, evidence); });
    });
    if (!tried_[i].failure.empty()) return;
    evidence.settle();
    std::vector<std::size_t> all(evidence.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto found = choose_weights(evidence, all, options_.threads);
    const auto& weights = found.weights;
    const auto behind = weights.begin() + static_cast<std::ptrdiff_t>(evidence.blocks());
    tried_[i].weights.assign(weights.begin(), behind);
    tried_[i].shifts.assign(behind, weights.end());
    judge_weights(i, evidence, found);
  }

  void judge_weights(std::size_t i, const BlockEvidence& evidence, const ChosenWeights& found) {
    std::vector<std::vector<std::size_t>> parts(parts_of_rows());
    for (std::size_t r = 0; r < evidence.rows(); ++r) {
      parts[dealt_.rows[r * step_].fold % parts.size()].push_back(r);
    }
    const auto weights =
        choose_weights_without(evidence, parts, dealt_.in_time, found, options_.threads);
    std::vector<Sums> sums(parts.size());
    parallel_for(options_.threads, parts.size(), [&](std::size_t p) {
      std::vector<double> joint(evidence.classes());
      for (const auto r : parts[p]) {
        evidence.log_joint(r, weights[p], joint);
        judge_row(i, r * step_, joint, sums[p]);
      }
    });
    finish(sums, i);
  }

  // The factors of a block among those of all.
  struct BlockFactors {
    std::size_t first, count, own;
    Subtraction::ScoresOf scores;
  };

  std::vector<BlockFactors> factors_of(const Candidate& candidate) const {
    std::vector<BlockFactors> result;
    std::size_t first = 0;
    for (const auto b : candidate.blocks) {
      const Factors factors = sheets_.factors(b, candidate.settings);
      result.push_back(
          {first, factors.all(), factors.own, sheets_.factor_scores(b, candidate.settings)});
      first += factors.all();
    }
    require_room(first);
    return result;
  }

  // What a person has said of the classes' shares stays as it is.
  bool can_shift(const Candidate& candidate) const {
    constexpr std::size_t most = 30;  // every class is an unknown more
    const auto kind = candidate.settings.prior.kind;
    return (kind == ClassPrior::Kind::empirical || kind == ClassPrior::Kind::tempered) &&
           dealt_.classes.size() <= most;
  }

  std::size_t judged() const { return (dealt_.rows.size() + step_ - 1) / step_; }

  // Weights are found by many looks at what every block says of every row.
  void require_room(std::size_t factors) const {
    constexpr double most = 1 << 27;
    const double scores =
        static_cast<double>(judged()) * static_cast<double>(factors * dealt_.classes.size());
    if (scores <= most) return;
    throw Error(ErrorKind::data,
                fmt::format("{} rows of {} classes in {} blocks are more than weights can be found "
                            "for: rows x classes x blocks may be {} (give fewer rows)",
                            judged(), dealt_.classes.size(), factors, format_number(most)));
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
               const std::vector<BlockFactors>& blocks, BlockEvidence& evidence) {
    const std::size_t many = dealt_.classes.size();
    const SheetRows some = step_ > 1 ? judged_of(sheet) : SheetRows();
    const SheetRows& judged = step_ > 1 ? some : sheet;
    const auto prior = sheets_.log_prior(sheet, judged, candidate.settings.prior);
    for (std::size_t r = 0; r < judged.places.size(); ++r) {
      const auto& row = dealt_.rows[judged.places[r]];
      evidence.set_row(judged.places[r] / step_, row.cls, row.weight,
                       std::span(prior).subspan(r * many, many));
    }
    std::vector<double> scores;
    for (const auto& block : blocks) {
      scores.assign(judged.places.size() * block.count * many, 0.0);
      block.scores(sheet)(judged, 1, scores);
      for (std::size_t r = 0; r < judged.places.size(); ++r) {
        for (std::size_t f = 0; f < block.count; ++f) {
          evidence.set(judged.places[r] / step_, block.first + f,
                       std::span(scores).subspan((r * block.count + f) * many, many));
        }
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

  const std::vector<Candidate>& candidates_;
  const TuneOptions& options_;
  const DecisionRule rule_;
  const Dealt dealt_;
  const Subtraction sheets_;
  std::vector<bool> unseen_;    // of each row, whether its class is new to those that judge it
  std::vector<double> shares_;  // of the classes
  std::vector<Tried> tried_;
  std::size_t step_ = 1;            // every so manieth row is judged
  std::vector<std::size_t> plain_;  // candidates of this run that are sums
  std::vector<EstimatedBlock> parts_;
  std::map<std::size_t, Uncalibrated> to_calibrate_;  // by candidate
  std::vector<Kept> kept_;  // by candidate, where the objective asks for it
  std::vector<std::size_t> failed_on_;
  std::mutex mutex_;
  std::uint64_t done_ = 0, steps_ = 0;
};

Tuner::Tuner(const Model& model, const std::vector<Candidate>& candidates,
             const std::vector<Chunk>& chunks, const TuneOptions& options)
    : judge_(std::make_unique<Judge>(model, candidates, chunks, options)) {}

Tuner::~Tuner() = default;

std::size_t Tuner::rows() const { return judge_->dealt().rows.size(); }
std::size_t Tuner::classes() const { return judge_->dealt().classes.size(); }
void Tuner::judge(const std::vector<std::size_t>& candidates, std::size_t step) {
  judge_->run(candidates, step);
}
const std::vector<Tried>& Tuner::tried() const { return judge_->tried(); }
std::size_t Tuner::best(const std::vector<std::size_t>& candidates) const {
  return judge_->best(candidates);
}
const Model& Tuner::whole() const { return judge_->whole(); }
std::vector<Message> Tuner::notes(const std::vector<std::size_t>& candidates) const {
  return judge_->notes(candidates);
}

}  // namespace credence
