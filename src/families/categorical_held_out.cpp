// SPDX-License-Identifier: Apache-2.0
#include "families/categorical_held_out.hpp"

#include <cmath>

#include "families/dirichlet.hpp"

namespace credence {

CategoricalHeldOut::CategoricalHeldOut(const CountTable& counts, const Estimation& estimation,
                                       const std::string& column, bool reserve)
    : counts_(counts),
      estimation_(estimation),
      known_(counts),
      reserve_(reserve),
      totals_(counts.classes(), 0.0),
      row_of_(counts.domain().size(), known_.size()) {
  const auto shares = prior_shares(estimation, column, known_.names());
  whole_works_ = !known_.empty() && !(reserve_ && !shares.empty());
  if (!whole_works_) return;
  const std::size_t many = counts.classes();
  imaginary_ = imaginary_counts(known_.size() + reserve_, shares, estimation.rule);
  log_p_.assign(known_.size() * many, 0.0);
  for (std::size_t i = 0; i < known_.size(); ++i) row_of_[known_.place(i)] = i;
  for (std::size_t c = 0; c < many; ++c) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      totals_[c] += worth(counts(known_.place(i), c), i);
    }
    if (reserve_) totals_[c] += worth(0, known_.size());
    if (estimation.class_weights[c] == 0) continue;
    whole_works_ = whole_works_ && totals_[c] > 0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      log_p_[i * many + c] = std::log(worth(counts(known_.place(i), c), i) / totals_[c]);
    }
  }
}

double CategoricalHeldOut::worth(double count, std::size_t value) const {
  return share_worth(count, imaginary_[value], estimation_.rule);
}

bool CategoricalHeldOut::add(std::size_t place, std::size_t cls, double own_weight, double weight,
                             std::span<double> out) const {
  if (!whole_works_) return false;
  if (place == Domain::npos) return true;
  const double left = (counts_.exact(place, cls) - DoubleDouble(own_weight)).hi;
  bool known = place < counts_.domain().declared() || left != 0;
  for (std::size_t c = 0; c < out.size() && !known; ++c) {
    known = c != cls && counts_(place, c) != 0;
  }
  const std::size_t value = row_of_[place];
  if (value == known_.size()) return false;  // only rows of weight 0 have it
  const double before = worth(counts_(place, cls), value), after = worth(left, value);
  double total = totals_[cls] - before + after;
  if (!known) {
    // A value never seen is no evidence. But what is reserved for it, and the mode of a prior,
    // depend on how many values there are, and without a prior the class may be left with nothing.
    return !reserve_ && estimation_.rule.kind != Rule::Kind::map && total > totals_[cls] / 2;
  }
  if (!(total > totals_[cls] / 2)) {  // too few digits left
    total = reserve_ ? worth(0, known_.size()) : 0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      total += i == value ? after : worth(counts_(known_.place(i), cls), i);
    }
  }
  const bool class_left = estimation_.class_weights[cls] - own_weight != 0;
  if (class_left && !(total > 0)) return false;
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (c == cls) {
      if (class_left) out[c] += weight * std::log(after / total);
    } else if (estimation_.class_weights[c] != 0) {
      out[c] += weight * log_p_[value * out.size() + c];
    }
  }
  return true;
}

}  // namespace credence
