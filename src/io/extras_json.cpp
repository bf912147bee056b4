// SPDX-License-Identifier: Apache-2.0
#include "io/extras_json.hpp"

#include <algorithm>

#include "credence/error.hpp"

namespace credence {
namespace {

using Json = OrderedJson;
using Doubles = std::vector<double>;

void require(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorKind::model, what);
}

// What calibration and novelty share: the population they hold in.
template <typename Extra>
void read_population(const Json& json, Extra& extra) {
  extra.classes = json.at("classes").get<std::vector<std::string>>();
  extra.log_prior = numbers_at(json, "log_prior");
  extra.rule = parse_rule(json.at("rule").get<std::string>());
  extra.rows = number_at(json, "rows");
}

Calibration::Curve read_curve(const Json& json) {
  refuse_unknown_keys(json, {"score", "probability"});
  return {numbers_at(json, "score"), numbers_at(json, "probability")};
}

Novelty::Line read_line(const Json& json, const std::string& key) {
  const auto values = numbers_at(json, key);
  require(values.size() == 2, "novelty: a line has two numbers");
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
  require(object.is_object(), "a list or an object is something else");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(ErrorKind::model, "unknown key \"" + key + "\"");
    }
  }
}

const Json& list_at(const Json& object, const std::string& key) {
  const auto& list = object.at(key);
  require(list.is_array(), "\"" + key + "\" is not a list");
  return list;
}

double number_at(const Json& object, const std::string& key) {
  const auto& number = object.at(key);
  require(number.is_number(), "\"" + key + "\" is not a number");
  return number.get<double>();
}

std::vector<double> numbers_at(const Json& object, const std::string& key) {
  Doubles result;
  for (const auto& number : list_at(object, key)) {
    require(number.is_number(), "\"" + key + "\" is not a list of numbers");
    result.push_back(number.get<double>());
  }
  return result;
}

Json describe_calibration(const Calibration& calibration) {
  Json json = {{"method", to_string(calibration.method)},
               {"classes", calibration.classes},
               {"log_prior", calibration.log_prior},
               {"rule", to_string(calibration.rule)},
               {"rows", calibration.rows}};
  if (calibration.method != Calibration::Method::isotonic) json["slope"] = calibration.slope;
  if (!calibration.bias.empty()) json["bias"] = calibration.bias;
  if (calibration.model_rows != 0) json["model_rows"] = calibration.model_rows;
  for (const auto& curve : calibration.curves) {
    json["curves"].push_back({{"score", curve.score}, {"probability", curve.probability}});
  }
  return json;
}

std::shared_ptr<const Calibration> read_calibration(const Json& json) {
  refuse_unknown_keys(json, {"method", "classes", "log_prior", "rule", "rows", "slope", "bias",
                             "curves", "model_rows"});
  Calibration result;
  try {
    result.method = parse_calibration_method(json.at("method").get<std::string>());
  } catch (const Error& error) {
    throw Error(ErrorKind::model, "calibration: " + error.message().marked());
  }
  read_population(json, result);
  if (result.method == Calibration::Method::isotonic) {
    for (const auto& curve : list_at(json, "curves")) result.curves.push_back(read_curve(curve));
    return std::make_shared<const Calibration>(std::move(result));
  }
  result.slope = number_at(json, "slope");
  if (result.method == Calibration::Method::platt) result.bias = numbers_at(json, "bias");
  if (json.contains("model_rows")) result.model_rows = number_at(json, "model_rows");
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
  read_population(json, result);
  for (const auto& entry : list_at(json, "blocks")) {
    refuse_unknown_keys(entry, {"own", "contribution", "mean", "deviation"});
    Novelty::Block block;
    block.own = read_line(entry, "own");
    block.contribution = read_line(entry, "contribution");
    if (entry.contains("mean")) block.mean = numbers_at(entry, "mean");
    if (entry.contains("deviation")) block.deviation = numbers_at(entry, "deviation");
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
