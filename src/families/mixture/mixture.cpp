// SPDX-License-Identifier: Apache-2.0
// The statistics of a mixture are its rows; the solution found for them is kept beside them, so
// that a model read from a file scores without climbing again.
#include "families/mixture/mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/mixture/mixture_density.hpp"
#include "families/parameters.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/declared.hpp"

namespace credence {
namespace {

// The last solution and the rule it was found under. Copies share it until either changes.
struct Solved {
  std::string rule;
  MixtureSolution solution;
};

// An array of statistics that is found again whenever the rows change. Threads share it.
class SolutionMemory {
 public:
  SolutionMemory() = default;
  SolutionMemory(const SolutionMemory& other) : solved_(other.get()) {}
  SolutionMemory& operator=(const SolutionMemory& other) {
    set(other.get());
    return *this;
  }
  std::shared_ptr<const Solved> get() const {
    const std::lock_guard lock(mutex_);
    return solved_;
  }
  void set(std::shared_ptr<const Solved> solved) const {
    const std::lock_guard lock(mutex_);
    solved_ = std::move(solved);
  }

  void rearrange_classes(std::span<const std::size_t> from) {
    const auto solved = get();
    bool same = solved && from.size() == solved->solution.size();
    for (std::size_t c = 0; c < from.size(); ++c) same = same && from[c] == c;
    if (!same) set({});
  }
  void merge(const SolutionMemory&, std::span<const std::size_t>, int) { set({}); }
  void scale(double) { set({}); }
  void canonicalise() {}
  std::string defect(const std::string&, const std::vector<std::string>&) const { return ""; }
  void save(Tensors& tensors, const std::string& prefix) const {
    const auto solved = get();
    // Where rows leave no spread there may be no solution that can be read again.
    if (!solved || !std::all_of(solved->solution.begin(), solved->solution.end(), sound)) return;
    tensors.put(prefix + ".solved.rule", std::vector<std::string>{solved->rule});
    for (std::size_t c = 0; c < solved->solution.size(); ++c) {
      std::vector<double> numbers;
      for (const auto& component : solved->solution[c]) {
        numbers.push_back(component.share);
        numbers.insert(numbers.end(), component.mean.begin(), component.mean.end());
        const auto flat = component.covariance.reshaped();
        numbers.insert(numbers.end(), flat.begin(), flat.end());
      }
      const std::size_t many = solved->solution[c].size();
      tensors.put(fmt::format("{}.solved.{}", prefix, c), numbers,
                  {many, many == 0 ? 0 : numbers.size() / many});
    }
  }

  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
    set({});
    if (!tensors.has(prefix + ".solved.rule")) return;
    Solved solved;
    const auto rule = tensors.texts(prefix + ".solved.rule");
    if (rule.size() != 1)
      throw Error(ErrorKind::model, prefix + ".solved.rule: one rule is wanted");
    solved.rule = rule[0];
    for (std::size_t c = 0; c < classes; ++c) {
      solved.solution.push_back(load_components(tensors, fmt::format("{}.solved.{}", prefix, c)));
    }
    set(std::make_shared<const Solved>(std::move(solved)));
  }

 private:
  static MixtureComponents load_components(const Tensors& tensors, const std::string& name) {
    const auto found = tensors.all.find(name);
    const auto wrong = [&] {
      return Error(ErrorKind::model, fmt::format("the array \"{}\" holds no components", name));
    };
    if (found == tensors.all.end() || found->second.shape.size() != 2) throw wrong();
    const std::size_t many = found->second.shape[0], each = found->second.shape[1];
    std::size_t d = 0;
    while (1 + d + d * d < each) ++d;
    if (many > 0 && (d == 0 || 1 + d + d * d != each)) throw wrong();
    const auto numbers = tensors.numbers(name, {many, each});
    MixtureComponents result;
    const auto size = static_cast<Eigen::Index>(d);
    for (std::size_t k = 0; k < many; ++k) {
      const double* at = numbers.data() + k * each;
      MixtureComponent component{at[0], Eigen::Map<const Eigen::VectorXd>(at + 1, size),
                                 Eigen::Map<const Eigen::MatrixXd>(at + 1 + d, size, size)};
      result.push_back(std::move(component));
    }
    if (!sound(result)) throw wrong();
    return result;
  }

  static bool sound(const MixtureComponents& components) {
    double total = components.empty() ? 1 : 0;
    for (const auto& [share, mean, covariance] : components) {
      total += share;
      const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
      if (!(share > 0) || !mean.allFinite() || !covariance.allFinite() ||
          factor.info() != Eigen::Success) {
        return false;
      }
    }
    return std::abs(total - 1) < 1e-6;
  }

  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Solved> solved_;
};

struct MixtureColumns : BlockColumns {
  MixtureOptions options;
};

class MixtureStatistics : public DeclaredStatistics<MixtureStatistics, MixtureColumns> {
  ClassRows rows_{columns_.names.size()};
  SolutionMemory solved_;

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&MixtureStatistics::rows_, &MixtureStatistics::solved_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    solved_.set({});
    std::vector<double> row(columns_.indices.size());
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0) continue;
      const double weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = std::get<Numbers>(chunk.columns[columns_.indices[i]]).values[r];
      }
      const bool empty =
          std::all_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
      if (weight != 0 && !empty) rows_[static_cast<std::size_t>(classes[r])].add(row, weight);
    }
    canonicalise();
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    const MixtureBlockData data{columns_.indices, columns_.names, columns_.options,
                                rows_.classes()};
    const auto frame = mixture_frame(data, estimation);
    auto solved = solved_.get();
    if (!solved || solved->rule != to_string(estimation.rule) || !fits(*solved, frame)) {
      solved = std::make_shared<const Solved>(
          Solved{to_string(estimation.rule), solve_mixture(data, estimation, frame)});
      solved_.set(solved);
    }
    return mixture_density(data, estimation, frame, solved->solution);
  }

 private:
  bool fits(const Solved& solved, const BlockFrame& frame) const {
    if (solved.solution.size() != rows_.classes().size()) return false;
    return std::all_of(solved.solution.begin(), solved.solution.end(), [&](const auto& cls) {
      return cls.empty() || static_cast<std::size_t>(cls[0].mean.size()) == frame.kept.size();
    });
  }
};

std::size_t whole(const FamilyParameter& parameter, const std::string& text, double least,
                  double most) {
  const auto value = to_number_or_fraction(text);
  if (!value || *value < least || *value > most || *value != std::floor(*value)) {
    throw Error(ErrorKind::usage,
                fmt::format("mixture({}{}{}): a whole number from {} to {} is wanted",
                            parameter.name, parameter.value.empty() ? "" : "=", parameter.value,
                            format_number(least), format_number(most)));
  }
  return static_cast<std::size_t>(*value);
}

}  // namespace

MixtureOptions parse_mixture(const std::string& parameters) {
  MixtureOptions result;
  std::set<std::string> seen;  // what they are about
  for (const auto& parameter : parse_parameters(parameters)) {
    const bool bare = parameter.value.empty();
    const bool shape = parameter.name == "full" || parameter.name == "diagonal";
    const bool components = parameter.name == "bic" || parameter.name == "k" ||
                            (bare && to_number_or_fraction(parameter.name));
    const auto about = shape ? "shape" : components ? "number of components" : parameter.name;
    if (!seen.insert(about).second) {
      throw Error(ErrorKind::usage,
                  fmt::format("mixture({}): one {} is wanted, not two", parameters, about));
    }
    if (parameter.name == "diagonal" && bare) {
      result.diagonal = true;
    } else if (parameter.name == "full" && bare) {
      result.diagonal = false;
    } else if (parameter.name == "bic") {
      result.components = 0;
      if (!bare) result.most = whole(parameter, parameter.value, 1, 1000);
    } else if (parameter.name == "k") {
      result.components = whole(parameter, parameter.value, 1, 1000);
    } else if (parameter.name == "starts") {
      result.starts = whole(parameter, parameter.value, 1, 100000);
    } else if (parameter.name == "floor") {
      result.floor = parameter_number("mixture", parameter, 0, 1e300, "a number from 0 to 1e300");
    } else if (parameter.name == "seed") {
      result.seed = whole(parameter, parameter.value, 0, 9007199254740992.0);
    } else if (bare && to_number_or_fraction(parameter.name)) {
      result.components = whole(parameter, parameter.name, 1, 1000);
    } else {
      unknown_parameter(
          "mixture", parameter,
          {"K", "bic", "bic=MOST", "diagonal", "full", "starts=N", "seed=N", "floor=V"});
    }
  }
  return result;
}

Family mixture_family() {
  return {.name = "mixture",
          .kinds = {ColumnKind::number},
          .make = [](const BlockColumns& columns,
                     const std::string& parameters) -> std::unique_ptr<BlockStatistics> {
            return std::make_unique<MixtureStatistics>(
                MixtureColumns{columns, parse_mixture(parameters)});
          },
          .takes_parameters = true,
          .joins = [](const std::string&) { return true; },
          .long_way = [](const std::string&) { return "components are climbed to again"; }};
}

}  // namespace credence
