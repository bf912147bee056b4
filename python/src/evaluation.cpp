// SPDX-License-Identifier: Apache-2.0
// Decisions, measures of quality, cross-validation by subtraction, class shares of new rows.
#include <algorithm>

#include "bindings.hpp"
#include "credence/credence.hpp"
#include "folds.hpp"
#include "parallel/parallel.hpp"

namespace credence::python {
namespace {

using Labels = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using JointView = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Calls work(row, posterior) for every row, on several threads where there are enough of them.
template <class Work>
void for_each_posterior(const JointView& joint, unsigned threads, const Work& work) {
  constexpr std::size_t piece = 4096;
  const std::size_t rows = joint.shape(0), classes = joint.shape(1);
  const auto each = [&](std::size_t i) {
    for (std::size_t r = i * piece; r < std::min(rows, (i + 1) * piece); ++r) {
      work(r, posterior({joint.data() + r * classes, classes}));
    }
  };
  if (rows <= piece) {
    each(0);
  } else {
    parallel_for(threads, (rows + piece - 1) / piece, each);
  }
}

// For each row the class decided for; -1: none. costs: [true class * classes + decided class].
Labels decide_rows(const JointView& joint, double reject, std::vector<double> costs,
                   double reject_cost, unsigned threads) {
  const std::size_t classes = joint.shape(1);
  if (!costs.empty() && costs.size() != classes * classes) {
    throw Error(ErrorKind::usage, "costs: one row and one column for every class, please");
  }
  std::vector<std::int64_t> labels(joint.shape(0), -1);
  {
    const nb::gil_scoped_release unlocked;
    const DecisionRule rule{reject, {std::move(costs), reject_cost}};
    for_each_posterior(joint, threads, [&](std::size_t row, const Posterior& found) {
      const auto label = decide(found, rule);
      if (label) labels[row] = static_cast<std::int64_t>(*label);
    });
  }
  return to_numpy<Labels>(std::move(labels), {joint.shape(0)});
}

// The posterior of every row and the log of its evidence.
std::pair<Matrix, Vector> posteriors(const JointView& joint, unsigned threads) {
  const std::size_t rows = joint.shape(0), classes = joint.shape(1);
  std::vector<double> probabilities(rows * classes), evidence(rows);
  {
    const nb::gil_scoped_release unlocked;
    for_each_posterior(joint, threads, [&](std::size_t row, const Posterior& found) {
      std::copy(found.probabilities.begin(), found.probabilities.end(),
                probabilities.begin() + static_cast<std::ptrdiff_t>(row * classes));
      evidence[row] = found.log_evidence;
    });
  }
  return {to_numpy<Matrix>(std::move(probabilities), {rows, classes}),
          to_numpy<Vector>(std::move(evidence), {rows})};
}

CrossValidation cross_validate_source(const Model& model, Source& source, const HoldingOut& how,
                                      unsigned threads) {
  const auto [chunks, folds] = how.read(source, model.schema(), threads);
  return cross_validate(model.empty(), chunks, folds, threads);
}

// What comes of judging rows.
void bind_figures(nb::module_& module) {
  nb::class_<Metrics>(module, "Metrics")
      .def_ro("rows", &Metrics::rows)
      .def_ro("accuracy", &Metrics::accuracy)
      .def_ro("log_loss", &Metrics::log_loss)
      .def_ro("brier", &Metrics::brier)
      .def_ro("ece", &Metrics::ece)
      .def_ro("weight", &Metrics::weight)
      .def_prop_ro("bins",
                   [](const Metrics& metrics) {
                     std::vector<std::tuple<double, double, double>> result;
                     for (const auto& bin : metrics.bins) {
                       result.emplace_back(bin.weight, bin.right, bin.confidence);
                     }
                     return result;
                   })
      .def_ro("undecided", &Metrics::undecided)
      .def_ro("impossible", &Metrics::impossible)
      .def_ro("labels", &Metrics::labels)
      .def_prop_ro("confusion", [](const Metrics& metrics) { return metrics.confusion.table(); });
  nb::class_<CrossValidation>(module, "CrossValidation")
      .def_ro("all", &CrossValidation::all)
      .def_ro("fold_accuracy", &CrossValidation::fold_accuracy);
  nb::class_<AdaptedPrior>(module, "AdaptedPrior")
      .def_ro("before", &AdaptedPrior::before)
      .def_ro("after", &AdaptedPrior::after)
      .def_ro("rows", &AdaptedPrior::rows)
      .def_ro("impossible", &AdaptedPrior::impossible)
      .def_ro("evidence", &AdaptedPrior::evidence)
      .def_ro("converged", &AdaptedPrior::converged);
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  nb::class_<HoldingOut>(module, "Folds")
      .def(
          "__init__",
          [](HoldingOut* self, std::size_t count, bool leave_one_out, bool stratified,
             std::uint64_t seed, std::string column, std::vector<double> codes, bool in_time) {
            Folds folds;
            folds.count = count;
            folds.leave_one_out = leave_one_out;
            folds.stratified = stratified;
            folds.seed = seed;
            new (self) HoldingOut{std::move(folds), std::move(column), std::move(codes), in_time};
          },
          nb::arg("count"), nb::arg("leave_one_out"), nb::arg("stratified"), nb::arg("seed"),
          nb::arg("column"), nb::arg("codes"), nb::arg("in_time"));
  bind_figures(module);
  module.def("decide", &decide_rows, nb::arg("log_joint"), nb::arg("reject"), nb::arg("costs"),
             nb::arg("reject_cost"), nb::arg("threads"));
  module.def(
      "read_costs",
      [](const std::string& path, const std::vector<std::string>& classes) {
        const Costs costs = read_costs(path, classes);
        if (!costs.reject_of.empty()) {
          throw Error(ErrorKind::usage,
                      path + ": \"reject\" has several costs; here it is one number");
        }
        return std::pair(costs.of, costs.reject);
      },
      nb::arg("path"), nb::arg("classes"), Unlocked());
  module.def("posteriors", &posteriors, nb::arg("log_joint"), nb::arg("threads"));
  module.def("cross_validate", &cross_validate_source, nb::arg("model"), nb::arg("source"),
             nb::arg("folds"), nb::arg("threads"), Unlocked());
  module.def(
      "evaluate",
      [](const Scorer& scorer, Source& source, unsigned threads) {
        source.select(scorer.schema(), true);
        return evaluate(scorer, source, threads);
      },
      nb::arg("scorer"), nb::arg("source"), nb::arg("threads"), Unlocked());
  module.def(
      "adapt",
      [](const Model& model, Source& source, unsigned threads) {
        source.select(model.schema(), false);
        return adapt_prior(model, source, threads);
      },
      nb::arg("model"), nb::arg("source"), nb::arg("threads"), Unlocked());
}

}  // namespace credence::python
