// SPDX-License-Identifier: Apache-2.0
#include "io/extras_json.hpp"

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"

namespace credence {
namespace {

using Json = OrderedJson;
using Doubles = std::vector<double>;

void require(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorKind::model, what);
}

bool all_finite(const Doubles& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// What calibration and novelty share: the population they hold in.
template <typename Extra>
void read_population(const Json& json, const std::string& what, Extra& extra) {
  extra.classes = json.at("classes").get<std::vector<std::string>>();
  extra.log_prior = json.at("log_prior").get<Doubles>();
  extra.rule = parse_rule(json.at("rule").get<std::string>());
  extra.rows = json.at("rows").get<double>();
  require(extra.classes.size() == extra.log_prior.size() && all_finite(extra.log_prior),
          what + ": one prior per class is needed");
}

Calibration::Curve read_curve(const Json& json) {
  refuse_unknown_keys(json, {"score", "probability"});
  Calibration::Curve curve{json.at("score").get<Doubles>(), json.at("probability").get<Doubles>()};
  const auto& p = curve.probability;
  require(!p.empty() && p.size() == curve.score.size() && all_finite(curve.score) &&
              all_finite(p) && std::is_sorted(p.begin(), p.end()) && p.front() > 0 &&
              p.back() < 1 &&
              std::adjacent_find(curve.score.begin(), curve.score.end(), std::greater_equal<>()) ==
                  curve.score.end(),
          "calibration: a curve does not rise from above 0 to below 1");
  return curve;
}

Novelty::Line read_line(const Json& json) {
  const auto values = json.get<Doubles>();
  require(values.size() == 2 && all_finite(values), "novelty: a line has two numbers");
  return {values[0], values[1]};
}

std::string block_array(std::size_t b) { return "novelty." + std::to_string(b); }

void save_reference(const Novelty::Reference& reference, const std::string& name,
                    Tensors& tensors) {
  tensors.put(name + ".surplus", reference.surplus, {reference.surplus.size()});
  if (reference.expected.empty()) return;
  tensors.put(name + ".expected", reference.expected, {reference.expected.size()});
}

Novelty::Reference load_reference(const Tensors& tensors, const std::string& name) {
  const auto found = tensors.all.find(name + ".surplus");
  const Tensors::Shape shape = found == tensors.all.end() ? Tensors::Shape{0} : found->second.shape;
  require(shape.size() == 1, "the array \"" + name + ".surplus\" is no list");
  Novelty::Reference result;
  result.surplus = tensors.numbers(name + ".surplus", shape);
  if (!tensors.has(name + ".expected")) return result;
  result.expected = tensors.numbers(name + ".expected", shape);
  require(std::is_sorted(result.expected.begin(), result.expected.end()),
          "the array \"" + name + ".expected\" does not ascend");
  return result;
}

}  // namespace

void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(ErrorKind::model, "unknown key \"" + key + "\"");
    }
  }
}

Json describe_calibration(const Calibration& calibration) {
  Json json = {{"method", to_string(calibration.method)},
               {"classes", calibration.classes},
               {"log_prior", calibration.log_prior},
               {"rule", to_string(calibration.rule)},
               {"rows", calibration.rows}};
  if (calibration.method != Calibration::Method::isotonic) json["slope"] = calibration.slope;
  if (!calibration.bias.empty()) json["bias"] = calibration.bias;
  for (const auto& curve : calibration.curves) {
    json["curves"].push_back({{"score", curve.score}, {"probability", curve.probability}});
  }
  return json;
}

std::shared_ptr<const Calibration> read_calibration(const Json& json) {
  refuse_unknown_keys(
      json, {"method", "classes", "log_prior", "rule", "rows", "slope", "bias", "curves"});
  Calibration result;
  try {
    result.method = parse_calibration_method(json.at("method").get<std::string>());
  } catch (const Error& error) {
    throw Error(ErrorKind::model, "calibration: " + error.message().marked());
  }
  read_population(json, "calibration", result);
  const std::size_t classes = result.classes.size();
  require(classes >= 2, "calibration: two classes are needed");
  if (result.method == Calibration::Method::isotonic) {
    for (const auto& curve : json.at("curves")) result.curves.push_back(read_curve(curve));
    require(result.curves.size() == (classes == 2 ? 1 : classes),
            "calibration: one curve per class is needed, of two classes one");
    return std::make_shared<const Calibration>(std::move(result));
  }
  result.slope = json.at("slope").get<double>();
  require(std::isfinite(result.slope) && result.slope > 0, "calibration: the slope is not above 0");
  if (result.method == Calibration::Method::platt) {
    result.bias = json.at("bias").get<Doubles>();
    require(result.bias.size() == classes && all_finite(result.bias),
            "calibration: one bias per class is needed");
  }
  return std::make_shared<const Calibration>(std::move(result));
}

Json describe_novelty(const Novelty& novelty) {
  Json blocks = Json::array();
  for (const auto& block : novelty.blocks) {
    Json entry = {
        {"own", Json::array({block.own.intercept, block.own.slope})},
        {"contribution", Json::array({block.contribution.intercept, block.contribution.slope})}};
    if (!block.mean.empty()) {
      entry["mean"] = block.mean;
      entry["deviation"] = block.deviation;
    }
    blocks.push_back(std::move(entry));
  }
  return {{"classes", novelty.classes},
          {"log_prior", novelty.log_prior},
          {"rule", to_string(novelty.rule)},
          {"rows", novelty.rows},
          {"blocks", std::move(blocks)}};
}

Novelty read_novelty(const Json& json) {
  refuse_unknown_keys(json, {"classes", "log_prior", "rule", "rows", "blocks"});
  Novelty result;
  read_population(json, "novelty", result);
  for (const auto& entry : json.at("blocks")) {
    refuse_unknown_keys(entry, {"own", "contribution", "mean", "deviation"});
    Novelty::Block block;
    block.own = read_line(entry.at("own"));
    block.contribution = read_line(entry.at("contribution"));
    block.mean = entry.value("mean", Doubles{});
    block.deviation = entry.value("deviation", Doubles{});
    require(block.mean.size() == block.deviation.size() && all_finite(block.mean) &&
                all_finite(block.deviation),
            "novelty: one deviation per mean is needed");
    result.blocks.push_back(std::move(block));
  }
  return result;
}

void save_novelty(const Novelty& novelty, Tensors& tensors) {
  save_reference(novelty.all, "novelty", tensors);
  for (std::size_t b = 0; b < novelty.blocks.size(); ++b) {
    save_reference(novelty.blocks[b].reference, block_array(b), tensors);
  }
}

void load_novelty(const Tensors& tensors, Novelty& novelty) {
  novelty.all = load_reference(tensors, "novelty");
  for (std::size_t b = 0; b < novelty.blocks.size(); ++b) {
    novelty.blocks[b].reference = load_reference(tensors, block_array(b));
  }
}

}  // namespace credence
