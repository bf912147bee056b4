// SPDX-License-Identifier: Apache-2.0
#include "families/pairs/pair_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/pairs/pair_columns.hpp"

namespace credence {
namespace {

// A table of so many cells is cheaper to clear and to add up than to look rows up one by one.
bool worth_a_table(std::size_t cells, std::size_t rows) { return cells <= 4 * rows + 4096; }

}  // namespace

PairCounts::PairCounts(std::vector<std::string> names,
                       const std::vector<std::vector<std::string>>& declared)
    : names_(std::move(names)) {
  for (const auto& values : declared) singles_.emplace_back(values);
  pairs_.resize(singles_.size() * (singles_.size() - 1) / 2);
}

template <typename Visit>
void PairCounts::each_pair(const Visit& visit) const {
  for (std::size_t second = 0; second < columns(); ++second) {
    for (std::size_t first = 0; first < second; ++first) visit(first, second, place(first, second));
  }
}

namespace {

using Codes = std::vector<std::int32_t>;

// Adds the rows of one chunk to the table of two columns.
class PairObserver {
 public:
  PairObserver(std::span<const double> weights, std::span<const std::int32_t> classes,
               std::size_t many)
      : weights_(weights), classes_(classes), many_(many) {}

  void observe(const Codes& a, const std::vector<std::size_t>& places_a, const Codes& b,
               const std::vector<std::size_t>& places_b, PairTable& table) {
    const std::size_t cells = places_a.size() * places_b.size();
    if (!worth_a_table(cells * many_, classes_.size())) {
      each_row(a, b, [&](std::size_t r, std::size_t x, std::size_t y, std::size_t c) {
        table.add(table.cell(places_a[x], places_b[y]), c, weight(r));
      });
      return;
    }
    sums_ = ExactSums(cells * many_);
    const std::size_t width = places_b.size();
    if (weights_.empty()) {
      each_row(a, b, [&](std::size_t, std::size_t x, std::size_t y, std::size_t c) {
        sums_.add_one((x * width + y) * many_ + c);
      });
    } else {
      each_row(a, b, [&](std::size_t r, std::size_t x, std::size_t y, std::size_t c) {
        sums_.add((x * width + y) * many_ + c, weights_[r]);
      });
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i] == 0) continue;
      const std::size_t x = i / many_ / width, y = i / many_ % width;
      table.add(table.cell(places_a[x], places_b[y]), i % many_, sums_.exact(i));
    }
  }

 private:
  double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

  template <typename Add>
  void each_row(const Codes& a, const Codes& b, const Add& add) const {
    for (std::size_t r = 0; r < classes_.size(); ++r) {
      if ((a[r] | b[r] | classes_[r]) < 0) continue;
      add(r, static_cast<std::size_t>(a[r]), static_cast<std::size_t>(b[r]),
          static_cast<std::size_t>(classes_[r]));
    }
  }

  std::span<const double> weights_;
  std::span<const std::int32_t> classes_;
  std::size_t many_;
  ExactSums sums_;
};

}  // namespace

void PairCounts::observe(const std::vector<const CodedCells*>& columns,
                         std::span<const double> weights, std::span<const std::int32_t> classes) {
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    places.push_back(singles_[i].place(*columns[i]->dictionary));
    const auto& codes = *columns[i]->codes;
    for (std::size_t r = 0; r < classes.size(); ++r) {
      if (classes[r] < 0 || codes[r] < 0) continue;
      const std::size_t value = places[i][static_cast<std::size_t>(codes[r])];
      const auto cls = static_cast<std::size_t>(classes[r]);
      if (weights.empty()) {
        singles_[i].add_one(value, cls);
      } else {
        singles_[i].add(value, cls, weights[r]);
      }
    }
  }
  PairObserver observer(weights, classes, classes_);
  each_pair([&](std::size_t a, std::size_t b, std::size_t at) {
    observer.observe(*columns[a]->codes, places[a], *columns[b]->codes, places[b], pairs_[at]);
  });
}

std::vector<double> PairCounts::row_weights() const {
  std::vector<double> result(classes_ * columns(), 0.0);
  for (std::size_t i = 0; i < columns(); ++i) {
    const auto weights = singles_[i].row_weights();
    for (std::size_t c = 0; c < classes_; ++c) result[c * columns() + i] = weights[c];
  }
  return result;
}

void PairCounts::rearrange_classes(std::span<const std::size_t> from) {
  for (auto& single : singles_) single.rearrange_classes(from);
  for (auto& pair : pairs_) pair.rearrange_classes(from);
  classes_ = from.size();
}

void PairCounts::merge(const PairCounts& other, std::span<const std::size_t> class_map, int sign) {
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < columns(); ++i) {
    places.push_back(singles_[i].place(other.singles_[i].domain().values()));
    singles_[i].merge(other.singles_[i], class_map, sign);
  }
  each_pair([&](std::size_t a, std::size_t b, std::size_t at) {
    const auto& from = other.pairs_[at];
    for (std::size_t cell = 0; cell < from.cells(); ++cell) {
      const std::size_t to = pairs_[at].cell(places[a][from.index().first(cell)],
                                             places[b][from.index().second(cell)]);
      for (std::size_t c = 0; c < other.classes_; ++c) {
        const DoubleDouble count = from.exact(cell, c);
        if (count.hi != 0) pairs_[at].add(to, class_map[c], sign < 0 ? -count : count);
      }
    }
  });
}

void PairCounts::scale(double factor) {
  for (auto& single : singles_) single.scale(factor);
  for (auto& pair : pairs_) pair.scale(factor);
}

void PairCounts::canonicalise() {
  std::vector<std::vector<std::size_t>> places(columns());
  for (std::size_t i = 0; i < columns(); ++i) {
    const auto before = singles_[i].shared_domain();
    singles_[i].canonicalise();
    for (const auto& value : before->values())
      places[i].push_back(singles_[i].domain().find(value));
  }
  each_pair([&](std::size_t a, std::size_t b, std::size_t at) {
    pairs_[at].rearrange_values(places[a], places[b]);
  });
}

std::string PairCounts::defect(const std::string&, const std::vector<std::string>& classes) const {
  std::string found;
  for (std::size_t i = 0; i < columns() && found.empty(); ++i) {
    found = singles_[i].defect(names_[i], classes);
  }
  each_pair([&](std::size_t a, std::size_t b, std::size_t) {
    if (found.empty()) found = defect_of_pair(a, b, classes);
  });
  return found;
}

// Rows that have two values have each of them: no pair can be heavier than its parts.
std::string PairCounts::defect_of_pair(std::size_t first, std::size_t second,
                                       const std::vector<std::string>& classes) const {
  const auto& table = pairs_[place(first, second)];
  const std::size_t columns[] = {first, second};
  std::vector<double> sums[2];
  for (const int k : {0, 1}) sums[k].assign(singles_[columns[k]].domain().size() * classes_, 0.0);
  for (std::size_t cell = 0; cell < table.cells(); ++cell) {
    const std::size_t values[] = {table.index().first(cell), table.index().second(cell)};
    for (std::size_t c = 0; c < classes_; ++c) {
      const double count = table(cell, c);
      if (!(count >= 0) || !std::isfinite(count)) {
        return fmt::format(
            "columns \"{}\" and \"{}\": {} more of \"{}\" with \"{}\" in class \"{}\" than was "
            "observed",
            names_[first], names_[second], format_number(-count),
            singles_[first].domain()[values[0]], singles_[second].domain()[values[1]], classes[c]);
      }
      for (const int k : {0, 1}) sums[k][values[k] * classes_ + c] += count;
    }
  }
  for (const int k : {0, 1}) {
    const auto& single = singles_[columns[k]];
    for (std::size_t i = 0; i < sums[k].size(); ++i) {
      const double alone = single(i / classes_, i % classes_);
      if (sums[k][i] <= alone * (1 + 1e-9)) continue;
      return fmt::format(
          "columns \"{}\" and \"{}\": more pairs with \"{}\" in class \"{}\" than rows that have "
          "it",
          names_[first], names_[second], single.domain()[i / classes_], classes[i % classes_]);
    }
  }
  return "";
}

// All pairs one behind the other: how many cells each has, then the values and the counts of all.
void PairCounts::save(Tensors& tensors, const std::string& prefix) const {
  for (std::size_t i = 0; i < columns(); ++i) {
    singles_[i].save(tensors, fmt::format("{}.column.{}", prefix, i));
  }
  std::vector<std::int32_t> sizes, first, second;
  std::size_t total = 0;
  for (const auto& pair : pairs_) {
    total += pair.cells();
    sizes.push_back(static_cast<std::int32_t>(pair.cells()));
  }
  ExactSums counts(total * classes_);
  std::size_t at = 0;
  for (const auto& pair : pairs_) {
    for (std::size_t cell = 0; cell < pair.cells(); ++cell) {
      first.push_back(static_cast<std::int32_t>(pair.index().first(cell)));
      second.push_back(static_cast<std::int32_t>(pair.index().second(cell)));
      for (std::size_t c = 0; c < classes_; ++c) counts.set(at++, pair.exact(cell, c));
    }
  }
  tensors.put(prefix + ".cells", sizes);
  tensors.put(prefix + ".first", first);
  tensors.put(prefix + ".second", second);
  tensors.put(prefix + ".counts", counts, {total, classes_});
}

void PairCounts::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  classes_ = classes;
  for (std::size_t i = 0; i < columns(); ++i) {
    singles_[i].load(tensors, fmt::format("{}.column.{}", prefix, i), classes);
  }
  const auto sizes = tensors.integers(prefix + ".cells");
  const auto first = tensors.integers(prefix + ".first");
  const auto second = tensors.integers(prefix + ".second");
  const auto counts = tensors.sums(prefix + ".counts", {first.size(), classes});
  const auto refuse = [&] {
    throw Error(ErrorKind::model, fmt::format("\"{}\": its cells are no pairs of values of {} "
                                              "columns, each once and in order",
                                              prefix, columns()));
  };
  double total = 0;
  for (const auto size : sizes) total += size < 0 ? infinity : size;
  if (sizes.size() != pairs_.size() || total != static_cast<double>(first.size()) ||
      first.size() != second.size()) {
    refuse();
  }
  std::size_t at = 0;
  each_pair([&](std::size_t a, std::size_t b, std::size_t place) {
    pairs_[place] = PairTable(classes);
    const std::size_t end = at + static_cast<std::size_t>(sizes[place]);
    for (std::int64_t last = -1; at < end; ++at) {
      const std::int64_t key = std::int64_t{first[at]} << 32 | second[at];
      if (first[at] < 0 || second[at] < 0 || key <= last ||
          static_cast<std::size_t>(first[at]) >= singles_[a].domain().size() ||
          static_cast<std::size_t>(second[at]) >= singles_[b].domain().size()) {
        refuse();
      }
      last = key;
      const std::size_t cell = pairs_[place].cell(static_cast<std::size_t>(first[at]),
                                                  static_cast<std::size_t>(second[at]));
      for (std::size_t c = 0; c < classes; ++c) {
        pairs_[place].add(cell, c, counts.exact(at * classes + c));
      }
    }
  });
}

}  // namespace credence
