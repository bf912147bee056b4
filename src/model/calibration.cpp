// SPDX-License-Identifier: Apache-2.0
// A calibration holds in the population it was fitted in. Let π0 be the class shares there and π
// those of now: z_c = log P(c, x) under π0 becomes the posterior Q(c | x), and Q(c | x) π_c / π0_c,
// normalised, the posterior of now.
#include "credence/calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

constexpr std::array<std::pair<Calibration::Method, const char*>, 3> methods = {{
    {Calibration::Method::temperature, "temperature"},
    {Calibration::Method::platt, "platt"},
    {Calibration::Method::isotonic, "isotonic"},
}};

// log Q(c | x), up to what all classes share, of z under π0. Classes at -inf stay there.
void curves_to_logs(const std::vector<Calibration::Curve>& curves, std::vector<double>& z) {
  if (z.size() == 2) {
    if (z[0] == -infinity || z[1] == -infinity) return;
    const double p = curves[0].at(z[1] - z[0]);
    z[0] = std::log1p(-p);
    z[1] = std::log(p);
    return;
  }
  std::vector<double> result(z.size(), -infinity);
  LogSumOfOthers others(z);
  for (std::size_t c = 0; c < z.size(); ++c) {
    if (z[c] != -infinity) result[c] = std::log(curves[c].at(z[c] - others(c)));
  }
  z = std::move(result);
}

}  // namespace

double Calibration::Curve::at(double log_odds) const {
  const auto above = std::upper_bound(score.begin(), score.end(), log_odds);
  if (above == score.begin()) return probability.front();
  if (above == score.end()) return probability.back();
  const auto i = static_cast<std::size_t>(above - score.begin());
  const double part = (log_odds - score[i - 1]) / (score[i] - score[i - 1]);
  return probability[i - 1] + part * (probability[i] - probability[i - 1]);
}

void Calibration::apply(std::span<double> log_joint, std::span<const double> prior_now) const {
  const double evidence = log_sum_exp(log_joint);
  if (evidence == -infinity) return;
  if (!compare(log_joint, prior_now)) {
    std::vector<double> z(log_joint.begin(), log_joint.end());
    for (std::size_t c = 0; c < z.size(); ++c) {
      if (z[c] != -infinity) z[c] += log_prior[c] - prior_now[c];
    }
    curves_to_logs(curves, z);
    for (std::size_t c = 0; c < z.size(); ++c) {
      log_joint[c] = z[c] == -infinity ? -infinity : z[c] + prior_now[c] - log_prior[c];
    }
  }
  const double total = log_sum_exp(log_joint);
  for (double& value : log_joint) value = value - total + evidence;
}

bool Calibration::compare(std::span<double> log_joints, std::span<const double> prior_now) const {
  if (method == Method::isotonic) return false;
  const std::size_t classes = log_prior.size();
  for (std::size_t first = 0; first < log_joints.size(); first += classes) {
    const auto z = log_joints.subspan(first, classes);
    double top = -infinity;
    for (std::size_t c = 0; c < classes; ++c) {
      if (z[c] != -infinity) z[c] += log_prior[c] - prior_now[c];
      top = std::max(top, z[c]);
    }
    for (std::size_t c = 0; c < classes; ++c) {
      if (z[c] == -infinity) continue;
      // From the top: a slope times the evidence, which is huge, would cost digits.
      z[c] = slope * (z[c] - top) + (bias.empty() ? 0.0 : bias[c]);
      z[c] += prior_now[c] - log_prior[c];
    }
  }
  return true;
}

bool Calibration::apply(LinearForm& form, std::span<const double> prior_now) const {
  if (method == Method::isotonic) return false;
  for (std::size_t c = 0; c < form.intercepts.size(); ++c) {
    if (form.intercepts[c] == -infinity) continue;
    const double shift = prior_now[c] - log_prior[c];
    form.intercepts[c] =
        slope * (form.intercepts[c] - shift) + shift + (bias.empty() ? 0.0 : bias[c]);
  }
  for (auto& feature : form.features) {
    for (auto& coefficient : feature.coefficients) coefficient *= slope;
  }
  return true;
}

bool Calibration::fits(const Model& model) const {
  return classes == model.classes() && rule == model.settings().rule;
}

Calibration::Method parse_calibration_method(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [method, text] : methods) {
    if (name == text) return method;
    names.emplace_back(text);
  }
  throw Error(ErrorKind::usage, "no method \"" + name + "\"" + suggestion(name, names) +
                                    "; choose " + join(names, ", "));
}

std::string to_string(Calibration::Method method) {
  for (const auto& [known, text] : methods) {
    if (method == known) return text;
  }
  return "";
}

}  // namespace credence
