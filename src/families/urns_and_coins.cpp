// SPDX-License-Identifier: Apache-2.0
#include "families/urns_and_coins.hpp"

namespace credence {

ImaginaryCount Urns::imaginary(const TextOptions& options, const Rule& rule, double kinds,
                               double draws) {
  const bool one_row = options.model == Model::polya;  // of all words together
  const double of_word = options.smooth == 0 ? options.alpha : options.smooth * draws / kinds;
  return imaginary_count(rule, kinds, rule.strength * (one_row ? 1 / kinds : of_word));
}

Urns::Urns(const TextOptions& options, const Rule& rule, const ImaginaryCount& estimated,
           double kinds, std::vector<DoubleDouble> totals)
    : model_(options.model),
      estimated_(estimated),
      imaginary_(estimated.added * kinds),
      totals_(std::move(totals)),
      log_added_(estimated.added == 0 ? 0 : std::log(estimated.added)) {
  for (const auto& total : totals_) all_ = all_ + total;
  log_all_ = std::log(all_.value() + imaginary_);
  // Dealt to classes as the real words are: else they would be most of what stands against a class
  // that has most of the words. One of them stays out, so that none has all.
  const bool dealt = options.smooth != 0 && rule.kind == Rule::Kind::bayes;
  for (std::size_t c = 0; dealt && model_ == Model::complement && c < totals_.size(); ++c) {
    outside_.push_back(((all_ - totals_[c]).value() + estimated.added) /
                       (all_.value() + estimated.added));
  }
}

}  // namespace credence
