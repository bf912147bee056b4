// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/gaussian_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "credence/error.hpp"
#include "families/gaussian/gaussian_density.hpp"
#include "families/gaussian/normal_evidence.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/declared.hpp"

namespace credence {
namespace {

// The arrays of a Scatter under the names they have in a file.
using MomentsOf = std::span<DoubleDouble> (*)(const Scatter& part);

std::span<DoubleDouble> writable(const std::vector<DoubleDouble>& values) {
  return {const_cast<DoubleDouble*>(values.data()), values.size()};
}

constexpr std::pair<const char*, MomentsOf> kinds_of_moments[] = {
    {".weight",
     [](const Scatter& s) { return std::span(const_cast<DoubleDouble*>(&s.weight), 1); }},
    {".mean", [](const Scatter& s) { return writable(s.mean); }},
    {".m2", [](const Scatter& s) { return writable(s.m2); }},
    {".third", [](const Scatter& s) { return writable(s.third); }},
    {".fourth", [](const Scatter& s) { return writable(s.fourth); }},
};

// An array of statistics: for every class, one scatter per pattern of columns that are present.
class ClassScatters {
 public:
  ClassScatters(std::size_t columns, bool with_fourth)
      : columns_(columns), with_fourth_(with_fourth) {}

  const std::vector<ClassScatter>& classes() const { return classes_; }

  void add(std::size_t cls, const Pattern& pattern, const Scatter& part, int sign) {
    auto found = classes_[cls].find(pattern);
    if (found == classes_[cls].end()) {
      found = classes_[cls].emplace(pattern, Scatter(part.size(), with_fourth_)).first;
    }
    auto& to = found->second;
    std::vector<Moments> before;
    for (std::size_t i = 0; i < to.size() && sign < 0; ++i) before.push_back(to.column(i));
    to.merge(part, sign);
    // As for one number: a trace below 0 is rounding, more than a trace was never there.
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto after = to.column(i);
      if (after.m2.hi >= 0) continue;
      if (after.m2.hi < -1e-9 * before[i].spread_in(after.exponent)) overdrawn_ = true;
      to.flatten(i);
    }
  }

  void rearrange_classes(std::span<const std::size_t> from) { rearrange_parts(classes_, from); }

  void merge(const ClassScatters& other, std::span<const std::size_t> class_map, int sign) {
    for (std::size_t c = 0; c < other.classes_.size(); ++c) {
      for (const auto& [pattern, part] : other.classes_[c]) add(class_map[c], pattern, part, sign);
    }
  }

  std::vector<double> row_weights() const {
    std::vector<double> result;
    for (const auto& cls : classes_) {
      double sum = 0;
      for (const auto& [pattern, part] : cls) sum += part.weight.hi;
      result.push_back(sum);
    }
    return result;
  }

  void scale(double factor) {
    for (auto& cls : classes_) {
      for (auto& [pattern, part] : cls) part.scale(factor);
      std::erase_if(cls,
                    [](const auto& entry) { return entry.second.weight.hi < lightest_weight; });
    }
  }

  void flatten(std::size_t cls) {
    for (auto& [pattern, part] : classes_[cls]) {
      for (std::size_t i = 0; i < part.size(); ++i) part.flatten(i);
    }
  }

  void canonicalise() {
    for (auto& cls : classes_) {
      std::erase_if(cls, [](const auto& entry) { return entry.second.weight.hi == 0; });
      for (auto& [pattern, part] : cls) part.choose_units();
    }
  }

  std::string defect(const std::string& columns, const std::vector<std::string>& classes) const {
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      for (const auto& [pattern, part] : classes_[c]) {
        for (const auto& [what, values] : kinds_of_moments) {
          for (const auto& value : values(part)) {
            if (std::isfinite(value.hi)) continue;
            return fmt::format(
                "columns \"{}\": weights are too large to add up squares of their values", columns);
          }
        }
        if (part.weight.hi < 0) {
          return fmt::format("columns \"{}\": more rows in class \"{}\" than were observed",
                             columns, classes[c]);
        }
      }
    }
    return overdrawn_
               ? fmt::format("columns \"{}\": the values are not among those observed", columns)
               : "";
  }

  // Per class: the patterns as texts, and every kind of moment of all patterns in one array.
  void save(Tensors& tensors, const std::string& prefix) const {
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto name = fmt::format("{}.class.{}", prefix, c);
      std::vector<std::string> patterns;
      for (const auto& [pattern, part] : classes_[c]) patterns.push_back(pattern);
      tensors.put(name + ".patterns", patterns);
      for (const auto& [what, values] : kinds_of_moments) {
        std::vector<DoubleDouble> all;
        for (const auto& [pattern, part] : classes_[c]) {
          const auto moments = values(part);
          all.insert(all.end(), moments.begin(), moments.end());
        }
        if (all.empty()) continue;
        ExactSums sums(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) sums.set(i, all[i]);
        tensors.put(name + what, sums, {all.size()});
      }
      std::vector<int> exponents;
      for (const auto& [pattern, part] : classes_[c]) {
        exponents.insert(exponents.end(), part.exponent.begin(), part.exponent.end());
      }
      save_exponents(tensors, name, exponents, {exponents.size()});
    }
  }

  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
    classes_.assign(classes, {});
    for (std::size_t c = 0; c < classes; ++c) {
      const auto name = fmt::format("{}.class.{}", prefix, c);
      for (const auto& pattern : tensors.texts(name + ".patterns")) {
        const auto present =
            static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '1'));
        if (pattern.size() != columns_ || present == 0 ||
            pattern.find_first_not_of("01") != Pattern::npos) {
          throw Error(ErrorKind::model,
                      fmt::format("\"{}.patterns\" holds what is no pattern of {} columns", name,
                                  columns_));
        }
        classes_[c].emplace(pattern, Scatter(present, with_fourth_));
      }
      for (const auto& [what, values] : kinds_of_moments) {
        std::size_t size = 0;
        for (auto& [pattern, part] : classes_[c]) size += values(part).size();
        if (size == 0) continue;
        const auto sums = tensors.sums(name + what, {size});
        std::size_t at = 0;
        for (auto& [pattern, part] : classes_[c]) {
          for (auto& value : values(part)) value = sums.exact(at++);
        }
      }
      load_units(tensors, name, classes_[c]);
      check_loaded(name, classes_[c]);
    }
  }

 private:
  static void check_loaded(const std::string& name, const ClassScatter& cls) {
    for (const auto& [pattern, part] : cls) {
      bool sound = part.weight.hi > 0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        sound = sound && part.m2[Scatter::packed(i, i)].hi >= 0;
      }
      if (sound) continue;
      throw Error(
          ErrorKind::model,
          fmt::format("\"{}\": the pattern {} has no weight or no variance", name, pattern));
    }
  }

  static void load_units(const Tensors& tensors, const std::string& name, ClassScatter& cls) {
    std::size_t size = 0, at = 0;
    for (const auto& [pattern, part] : cls) size += part.size();
    const auto exponents = load_exponents(tensors, name, {size});
    if (exponents.empty()) return;
    for (auto& [pattern, part] : cls) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        part.exponent[i] = exponents[at++];
        check_unit(name, part.column(i));
      }
    }
  }

  std::size_t columns_;
  bool with_fourth_;
  std::vector<ClassScatter> classes_;
  bool overdrawn_ = false;
};

struct GaussianColumns : BlockColumns {
  Covariance covariance;
};

// Rows that have the same columns, of those alone, one behind the other.
struct PartialRows {
  std::vector<double> values, weights;

  void add(const double* row, const Pattern& pattern, double weight) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '1') values.push_back(row[i]);
    }
    weights.push_back(weight);
  }
  // Nothing where nothing is present.
  std::optional<Scatter> scatter(bool with_fourth) const {
    const std::size_t size = values.size() / weights.size();
    if (size == 0) return std::nullopt;
    std::vector<const double*> rows;
    for (std::size_t r = 0; r < weights.size(); ++r) rows.push_back(values.data() + r * size);
    return Scatter::of_rows({rows.data(), weights.data(), rows.size()}, size, with_fourth);
  }
};

class GaussianBlockStatistics
    : public DeclaredStatistics<GaussianBlockStatistics, GaussianColumns> {
  ClassScatters scatters_{columns_.names.size(), columns_.covariance.needs_fourth()};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&GaussianBlockStatistics::scatters_);

  // A chunk's scatter is summed in plain doubles, so its last digits stay behind when rows are
  // taken from it.
  void one_row_left(std::size_t cls) override { scatters_.flatten(cls); }

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    const std::size_t many = columns_.indices.size();
    const bool fourth = columns_.covariance.needs_fourth();
    const bool lent = chunk.matrix && chunk.matrix.columns == many && columns_.in_order();
    std::vector<double> gathered(lent ? 0 : chunk.rows * many);
    RowsByClass whole(chunk.weights, classes, scatters_.classes().size());
    std::map<std::pair<std::size_t, Pattern>, PartialRows> others;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (!whole.counts(r)) continue;
      double* const own = lent ? nullptr : gathered.data() + r * many;
      for (std::size_t i = 0; i < many && !lent; ++i) {
        own[i] = chunk.matrix ? chunk.matrix.row(r)[columns_.indices[i]]
                              : std::get<Numbers>(chunk.columns[columns_.indices[i]]).values[r];
      }
      const double* row = lent ? chunk.matrix.row(r) : own;
      if (!std::isnan(total(row, many))) {
        whole.put(r, row);
        continue;
      }
      Pattern pattern(many, '1');
      for (std::size_t i = 0; i < many; ++i) pattern[i] = std::isnan(row[i]) ? '0' : '1';
      others[{static_cast<std::size_t>(classes[r]), pattern}].add(
          row, pattern, chunk.weights.empty() ? 1.0 : chunk.weights[r]);
    }
    for (std::size_t c = 0; c < scatters_.classes().size(); ++c) {
      const RowsOfClass rows = whole.of_class(c);
      if (rows.count == 0) continue;
      scatters_.add(c, Pattern(many, '1'), Scatter::of_rows(rows, many, fourth), 1);
    }
    for (const auto& [key, rows] : others) {
      if (const auto found = rows.scatter(fourth)) scatters_.add(key.first, key.second, *found, 1);
    }
  }

  bool reads_rows() const override { return true; }
  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    return fit_gaussian_block(data(), estimation);
  }
  std::optional<double> log_marginal_likelihood(const Estimation& estimation) const override {
    return log_marginal_of_block(data(), estimation);
  }
  std::unique_ptr<BlockStatistics> draw(const Estimation& estimation,
                                        Random& random) const override {
    const auto drawn = draw_block(data(), estimation, random);
    if (!drawn) return nullptr;
    auto result = room(scatters_.classes().size());
    for (std::size_t c = 0; c < drawn->size(); ++c) {
      for (const auto& [pattern, part] : (*drawn)[c]) result->scatters_.add(c, pattern, part, 1);
    }
    return result;
  }

 private:
  GaussianBlockData data() const {
    return {columns_.indices, columns_.names, columns_.covariance, scatters_.classes()};
  }
};

}  // namespace

std::unique_ptr<BlockStatistics> make_gaussian_block(const BlockColumns& columns,
                                                     const Covariance& covariance) {
  return std::make_unique<GaussianBlockStatistics>(GaussianColumns{columns, covariance});
}

}  // namespace credence
