// SPDX-License-Identifier: Apache-2.0
#include "families/urns_and_coins.hpp"

namespace credence {

ImaginaryCount Urns::imaginary(const TextOptions& options, const Rule& rule, double kinds,
                               double draws) {
  const bool one_row = options.model == Model::polya;  // of all words together
  const double of_word = options.smooth == 0 ? options.alpha : options.smooth * draws / kinds;
  return imaginary_count(rule, kinds, rule.strength * (one_row ? 1 / kinds : of_word));
}

Urns::Urns(Model model, const ImaginaryCount& estimated, double kinds,
           std::vector<DoubleDouble> totals)
    : model_(model),
      estimated_(estimated),
      imaginary_(estimated.added * kinds),
      totals_(std::move(totals)),
      log_added_(estimated.added == 0 ? 0 : std::log(estimated.added)) {
  for (const auto& total : totals_) all_ = all_ + total;
  log_all_ = std::log(all_.value() + imaginary_);
}

}  // namespace credence
