// SPDX-License-Identifier: Apache-2.0
// Statistics of a matrix of numbers by class, for the estimators with scikit-learn's names: the
// moments and scatters of the families, without schema and columns between them and the matrix.
#include <algorithm>
#include <span>

#include "bindings.hpp"
#include "class_moments.hpp"
#include "families/gaussian/scatter.hpp"
#include "matrices.hpp"
#include "parallel/parallel.hpp"

namespace credence::python {
namespace {

std::span<const double> weights_of(const std::optional<Weights>& weights) {
  if (!weights) return {};
  return {weights->data(), weights->shape(0)};
}

// Weight, mean and scatter matrix of every class.
class ClassScatters {
 public:
  ClassScatters(std::size_t columns, bool with_fourth)
      : columns_(columns), with_fourth_(with_fourth) {}

  void rearrange(const std::vector<std::int64_t>& from) {
    std::vector<Scatter> result(from.size(), Scatter(columns_, with_fourth_));
    for (std::size_t c = 0; c < from.size(); ++c) {
      if (from[c] >= 0) result[c] = std::move(scatters_[static_cast<std::size_t>(from[c])]);
    }
    scatters_ = std::move(result);
  }

  void observe(const Rows& rows, const Codes& codes, const std::optional<Weights>& weights,
               bool forget, unsigned threads) {
    const auto all_weights = weights_of(weights);
    parallel_for(threads, scatters_.size(), [&](std::size_t c) {
      std::vector<double> values, of_rows;
      const auto add = [&] {
        scatters_[c].merge(Scatter::of_rows(values, of_rows, columns_, with_fourth_),
                           forget ? -1 : 1);
        values.clear();
        of_rows.clear();
      };
      for (std::size_t r = 0; r < rows.shape(0); ++r) {
        if (codes(r) != static_cast<std::int32_t>(c)) continue;
        if (!all_weights.empty() && all_weights[r] == 0) continue;
        values.insert(values.end(), rows.data() + r * columns_, rows.data() + (r + 1) * columns_);
        of_rows.push_back(all_weights.empty() ? 1.0 : all_weights[r]);
        if (of_rows.size() == part_rows) add();
      }
      if (!of_rows.empty()) add();
    });
  }

  void merge(const ClassScatters& other, const std::vector<std::size_t>& place) {
    for (std::size_t c = 0; c < place.size(); ++c) {
      scatters_[place[c]].merge(other.scatters_[c], 1);
    }
  }

  // All classes as one.
  ClassScatters collapsed() const {
    ClassScatters result(columns_, with_fourth_);
    result.scatters_.assign(1, Scatter(columns_, with_fourth_));
    for (const auto& scatter : scatters_) result.scatters_[0].merge(scatter, 1);
    return result;
  }

  Vector weight() const {
    std::vector<double> values;
    for (const auto& scatter : scatters_) values.push_back(scatter.weight.value());
    return to_numpy<Vector>(std::move(values), {scatters_.size()});
  }
  Matrix mean() const {
    std::vector<double> values;
    for (const auto& scatter : scatters_) {
      for (const auto& mean : scatter.mean) values.push_back(mean.value());
    }
    return to_numpy<Matrix>(std::move(values), {scatters_.size(), columns_});
  }
  // Sum of w y yᵀ of one class; y = x - mean.
  Matrix scatter(std::size_t cls) const { return symmetric(scatters_.at(cls).m2); }
  // Sum of w y_i² y_j².
  Matrix fourth(std::size_t cls) const { return symmetric(scatters_.at(cls).fourth); }

  std::pair<std::vector<double>, std::vector<double>> state() const {
    std::pair<std::vector<double>, std::vector<double>> halves;
    for (const auto& scatter : scatters_) {
      for_each(scatter, [&](const DoubleDouble& value) {
        halves.first.push_back(value.hi);
        halves.second.push_back(value.lo);
      });
    }
    return halves;
  }
  static ClassScatters from_state(
      std::size_t columns, bool with_fourth, std::size_t classes,
      const std::pair<std::vector<double>, std::vector<double>>& halves) {
    ClassScatters result(columns, with_fourth);
    result.scatters_.assign(classes, Scatter(columns, with_fourth));
    std::size_t next = 0;
    for (auto& scatter : result.scatters_) {
      for_each(scatter, [&](DoubleDouble& value) {
        if (next >= halves.first.size() || next >= halves.second.size()) {
          throw nb::value_error("pickle: the scatters are damaged");
        }
        value = {halves.first[next], halves.second[next]};
        ++next;
      });
    }
    return result;
  }
  std::size_t columns() const { return columns_; }
  bool with_fourth() const { return with_fourth_; }

 private:
  static constexpr std::size_t part_rows = 4096;

  template <typename AnyScatter, typename Body>
  static void for_each(AnyScatter& scatter, const Body& body) {
    body(scatter.weight);
    for (auto* part : {&scatter.mean, &scatter.m2, &scatter.third, &scatter.fourth}) {
      for (auto& value : *part) body(value);
    }
  }

  Matrix symmetric(const std::vector<DoubleDouble>& packed) const {
    if (packed.empty()) throw nb::value_error("these moments are not kept");
    std::vector<double> values(columns_ * columns_);
    for (std::size_t i = 0; i < columns_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        values[i * columns_ + j] = packed[Scatter::packed(i, j)].value();
      }
    }
    return to_numpy<Matrix>(std::move(values), {columns_, columns_});
  }

  std::size_t columns_;
  bool with_fourth_;
  std::vector<Scatter> scatters_;
};

// sums[class, column] += weight * value.
void add_counts(const Rows& rows, const Codes& codes, const std::optional<Weights>& weights,
                const Target& sums) {
  const auto all_weights = weights_of(weights);
  const std::size_t columns = rows.shape(1);
  for (std::size_t r = 0; r < rows.shape(0); ++r) {
    const double w = all_weights.empty() ? 1.0 : all_weights[r];
    const double* from = rows.data() + r * columns;
    double* to = sums.data() + static_cast<std::size_t>(codes(r)) * columns;
    for (std::size_t j = 0; j < columns; ++j) to[j] += w * from[j];
  }
}

void add_sparse_counts(const Indices& starts, const Indices& features, const Weights& values,
                       const Codes& codes, const std::optional<Weights>& weights,
                       const Target& sums) {
  const auto all_weights = weights_of(weights);
  for (std::size_t r = 0; r + 1 < starts.shape(0); ++r) {
    const double w = all_weights.empty() ? 1.0 : all_weights[r];
    double* to = sums.data() + static_cast<std::size_t>(codes(r)) * sums.shape(1);
    for (auto i = starts(r); i < starts(r + 1); ++i) {
      const auto at = static_cast<std::size_t>(i);
      to[features(at)] += w * values(at);
    }
  }
}

}  // namespace

void bind_dropins(nb::module_& module) {
  nb::class_<ClassMoments>(module, "ClassMoments")
      .def(nb::init<std::size_t>(), nb::arg("columns"))
      .def("rearrange", &ClassMoments::rearrange, nb::arg("origin"))
      .def("observe", &ClassMoments::observe, nb::arg("rows"), nb::arg("codes"),
           nb::arg("weights").none(), nb::arg("threads"), Unlocked())
      .def("merge", &ClassMoments::merge, nb::arg("other"), nb::arg("place"))
      .def("forget", &ClassMoments::forget, nb::arg("other"), nb::arg("place"))
      .def("collapsed", &ClassMoments::collapsed)
      .def("weight", &ClassMoments::weight)
      .def("mean", &ClassMoments::mean)
      .def("variance", &ClassMoments::variance)
      .def("column_variance", &ClassMoments::column_variance)
      .def("__getstate__",
           [](const ClassMoments& m) { return std::make_pair(m.columns(), m.state()); })
      .def("__setstate__", [](ClassMoments& m, const std::pair<std::size_t, nb::bytes>& state) {
        new (&m) ClassMoments(ClassMoments::from_state(state.first, state.second));
      });
  nb::class_<ClassScatters>(module, "ClassScatters")
      .def(nb::init<std::size_t, bool>(), nb::arg("columns"), nb::arg("with_fourth"))
      .def("rearrange", &ClassScatters::rearrange, nb::arg("origin"))
      .def("observe", &ClassScatters::observe, nb::arg("rows"), nb::arg("codes"),
           nb::arg("weights").none(), nb::arg("forget"), nb::arg("threads"), Unlocked())
      .def("merge", &ClassScatters::merge, nb::arg("other"), nb::arg("place"))
      .def("collapsed", &ClassScatters::collapsed, Unlocked())
      .def("weight", &ClassScatters::weight)
      .def("mean", &ClassScatters::mean)
      .def("scatter", &ClassScatters::scatter, nb::arg("cls"))
      .def("fourth", &ClassScatters::fourth, nb::arg("cls"))
      .def("__getstate__",
           [](const ClassScatters& s) {
             auto halves = s.state();
             return std::make_tuple(s.columns(), s.with_fourth(), s.weight().shape(0),
                                    std::move(halves.first), std::move(halves.second));
           })
      .def("__setstate__",
           [](ClassScatters& s, const std::tuple<std::size_t, bool, std::size_t,
                                                 std::vector<double>, std::vector<double>>& t) {
             new (&s) ClassScatters(ClassScatters::from_state(
                 std::get<0>(t), std::get<1>(t), std::get<2>(t), {std::get<3>(t), std::get<4>(t)}));
           });
  module.def("add_counts", &add_counts, nb::arg("rows"), nb::arg("codes"),
             nb::arg("weights").none(), nb::arg("sums"), Unlocked());
  module.def("add_sparse_counts", &add_sparse_counts, nb::arg("starts"), nb::arg("features"),
             nb::arg("values"), nb::arg("codes"), nb::arg("weights").none(), nb::arg("sums"),
             Unlocked());
}

}  // namespace credence::python
