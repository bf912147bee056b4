// SPDX-License-Identifier: Apache-2.0
// A probability is a count of one row in all, read by maximum likelihood: so a hand-written model
// is statistics like any other, and nothing else needs to know of it.
#include "io/handwritten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ordered_json.hpp"
#include "core/strings.hpp"
#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "families/registry.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/domain.hpp"
#include "io/container.hpp"
#include "model/statistics.hpp"

namespace credence {
namespace {

using Json = OrderedJson;

class HandWritten {
 public:
  HandWritten(const Json& json, std::string name) : json_(json), name_(std::move(name)) {}

  Model read() {
    if (!json_.is_object() || !json_.contains("prior") || !json_.contains("columns")) {
      refuse("a hand-written model needs \"prior\" and \"columns\" (see docs/handwritten.md)");
    }
    check_keys(json_, {"target", "prior", "columns", "comment"}, "the model");
    schema_.target = "class";
    if (json_.contains("target")) {
      if (!json_["target"].is_string()) refuse("\"target\" is not a text");
      schema_.target = json_["target"].get<std::string>();
    }
    read_prior();
    if (!json_["columns"].is_object() || json_["columns"].empty()) {
      refuse("\"columns\" is not an object of columns");
    }
    for (const auto& [column, entry] : json_["columns"].items()) read_column(column, entry);
    Settings settings;
    settings.rule = {Rule::Kind::mle, 0};
    settings.hand_written = true;
    Model model(schema_, blocks_, settings);
    model.statistics().load(tensors_);
    model.statistics().canonicalise();
    try {
      model.check();
    } catch (const Error& error) {
      refuse(error.message().marked());
    }
    return model;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::model, name_ + ": " + why);
  }

  void check_keys(const Json& object, const std::vector<std::string>& known,
                  const std::string& what) const {
    for (const auto& [key, ignored] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      refuse(fmt::format("{}: unknown key \"{}\"{}", what, key, suggestion(key, known)));
    }
  }

  double number(const Json& value, const std::string& what) const {
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) {
      if (const auto parsed = to_number_or_fraction(value.get<std::string>())) return *parsed;
    }
    refuse(fmt::format("{}: {} is not a number or a fraction such as \"3/8\"", what, value.dump()));
  }

  double probability(const Json& value, const std::string& what) const {
    const double p = number(value, what);
    if (!(p >= 0 && p <= 1)) {
      refuse(fmt::format("{}: the probability {} is not between 0 and 1", what, value.dump()));
    }
    return p;
  }

  void check_sum(double total, const std::string& what) const {
    if (std::abs(total - 1) > 1e-6) {
      refuse(fmt::format("{}: the probabilities sum to {}, not to 1", what, format_number(total)));
    }
  }

  void read_prior() {
    const auto& prior = json_["prior"];
    if (!prior.is_object() || prior.size() < 2) {
      refuse("\"prior\" needs at least two classes with their probabilities");
    }
    std::vector<double> weights;
    double total = 0;
    for (const auto& [cls, p] : prior.items()) {
      classes_.push_back(cls);
      weights.push_back(probability(p, fmt::format("prior of \"{}\"", cls)));
      if (weights.back() == 0) refuse(fmt::format("prior of \"{}\": 0 (leave the class out)", cls));
      total += weights.back();
    }
    check_sum(total, "prior");
    tensors_.put("classes", classes_);
    tensors_.put("class_weights", weights, {weights.size()});
    tensors_.put("rows", std::vector<double>{0}, {1});
  }

  // The entry's table for a class.
  const Json& given(const std::string& column, const Json& entry, const std::string& cls) const {
    const auto& table = entry["given"];
    if (!table.is_object() || !table.contains(cls)) {
      refuse(fmt::format("column \"{}\": no entry for class \"{}\" under \"given\"", column, cls));
    }
    return table[cls];
  }

  double parameter(const std::string& column, const Json& table, const char* key,
                   const std::string& cls) const {
    const auto what = fmt::format("column \"{}\", class \"{}\"", column, cls);
    if (!table.is_object() || !table.contains(key)) refuse(fmt::format("{}: no \"{}\"", what, key));
    return number(table[key], what);
  }

  void read_column(const std::string& column, const Json& entry) {
    if (!entry.is_object() || !entry.contains("given")) {
      refuse(fmt::format("column \"{}\" needs \"family\" and \"given\"", column));
    }
    if (column == schema_.target) refuse(fmt::format("\"{}\" is both target and column", column));
    check_keys(entry, {"family", "given", "length"}, fmt::format("column \"{}\"", column));
    if (entry.contains("family") && !entry["family"].is_string()) {
      refuse(fmt::format("column \"{}\": \"family\" is not a text", column));
    }
    const std::string family = entry.value("family", usual_family(ColumnLook::words).name);
    if (!entry["given"].is_object()) {
      refuse(fmt::format("column \"{}\": \"given\" is not an object of classes", column));
    }
    const Domain known_classes(classes_);
    for (const auto& [cls, ignored] : entry["given"].items()) {
      if (known_classes.find(cls) == Domain::npos) {
        refuse(fmt::format("column \"{}\": the class \"{}\" has no prior{}", column, cls,
                           suggestion(cls, classes_)));
      }
    }
    schema_.columns.push_back({column, ColumnKind::category, {}});
    blocks_.push_back({family, {schema_.columns.size() - 1}, 1});
    std::vector<std::string> known;
    for (const auto& one : families()) {
      if (one.by_hand == HandWriting::none) continue;
      if (family == one.name) return read_given(column, entry, one.by_hand);
      known.emplace_back(one.name);
    }
    refuse(fmt::format("column \"{}\": no family \"{}\"{}; the families are {}", column, family,
                       suggestion(family, known), join(known, ", ")));
  }

  void read_given(const std::string& column, const Json& entry, HandWriting writing) {
    switch (writing) {
      case HandWriting::moments:
        return read_moments(column, entry);
      case HandWriting::rate:
        return read_rate(column, entry);
      case HandWriting::presences:
        if (!given(column, entry, classes_[0]).is_object()) return read_coin(column, entry);
        return read_table(column, entry, ColumnKind::bag, true);
      case HandWriting::draws:
        return read_table(column, entry, ColumnKind::bag, false);
      default:
        return read_table(column, entry, ColumnKind::category, false);
    }
  }

  std::string prefix() const { return "block." + std::to_string(blocks_.size() - 1); }

  // A table of words (sums to 1), of draws (sums to 1), or of presences (each in [0, 1]).
  void read_table(const std::string& column, const Json& entry, ColumnKind kind, bool presences) {
    Domain values;
    for (const auto& cls : classes_) {
      const auto& table = given(column, entry, cls);
      if (!table.is_object()) {
        refuse(
            fmt::format("column \"{}\", class \"{}\": not a table of probabilities", column, cls));
      }
      for (const auto& [value, p] : table.items()) values.insert(value);
    }
    double length = 1;
    if (!presences && kind == ColumnKind::bag) {
      length = entry.contains("length")
                   ? number(entry["length"], fmt::format("column \"{}\": \"length\"", column))
                   : 10;
      if (!(length > 0)) refuse(fmt::format("column \"{}\": \"length\" is not above 0", column));
    }
    std::vector<double> counts(values.size() * classes_.size(), 0.0);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto what = fmt::format("column \"{}\", class \"{}\"", column, classes_[c]);
      double total = 0;
      for (const auto& [value, p] : given(column, entry, classes_[c]).items()) {
        const double share = probability(p, what);
        counts[values.find(value) * classes_.size() + c] = share * length;
        total += share;
      }
      if (!presences) check_sum(total, what);
    }
    auto& spec = schema_.columns.back();
    spec.kind = kind;
    if (kind == ColumnKind::category) spec.values = values.values();
    tensors_.put(prefix() + ".values", values.values());
    tensors_.put(prefix() + ".counts", counts, {values.size(), classes_.size()});
    if (kind == ColumnKind::bag) {
      tensors_.put(prefix() + ".rows", std::vector<double>(classes_.size(), 1.0),
                   {classes_.size()});
    }
  }

  void read_coin(const std::string& column, const Json& entry) {
    std::vector<double> zeros, counts;
    for (const auto& cls : classes_) {
      counts.push_back(probability(given(column, entry, cls),
                                   fmt::format("column \"{}\", class \"{}\"", column, cls)));
      zeros.push_back(1 - counts.back());
    }
    counts.insert(counts.begin(), zeros.begin(), zeros.end());
    schema_.columns.back().kind = ColumnKind::binary;
    tensors_.put(prefix() + ".values", std::vector<std::string>{"0", "1"});
    tensors_.put(prefix() + ".counts", counts, {2, classes_.size()});
  }

  void put_per_class(const char* what, const std::vector<double>& values) {
    tensors_.put(prefix() + what, values, {values.size()});
  }

  void read_moments(const std::string& column, const Json& entry) {
    std::vector<double> mean, m2;
    std::vector<int> units;
    for (const auto& cls : classes_) {
      const auto& table = given(column, entry, cls);
      mean.push_back(parameter(column, table, "mean", cls));
      const double sd = parameter(column, table, "sd", cls);
      if (!(sd > 0)) {
        refuse(fmt::format("column \"{}\", class \"{}\": \"sd\" is {}, not above 0", column, cls,
                           format_number(sd)));
      }
      const int unit = unit_exponent(std::max(std::abs(mean.back()), sd));
      mean.back() = std::ldexp(mean.back(), -unit);
      const double told = std::ldexp(sd, -unit);
      if (told * told == 0 || !std::isfinite(told)) {
        refuse(fmt::format(
            "column \"{}\", class \"{}\": \"sd\" is {}, which is nothing beside the mean", column,
            cls, format_number(sd)));
      }
      m2.push_back(told * told);
      units.push_back(unit);
    }
    schema_.columns.back().kind = ColumnKind::number;
    put_per_class(".weight", std::vector<double>(classes_.size(), 1.0));
    put_per_class(".mean", mean);
    put_per_class(".m2", m2);
    save_exponents(tensors_, prefix(), units, {units.size()});
  }

  void read_rate(const std::string& column, const Json& entry) {
    std::vector<double> rates;
    for (const auto& cls : classes_) {
      rates.push_back(parameter(column, given(column, entry, cls), "rate", cls));
      if (!(rates.back() >= 0)) {
        refuse(fmt::format("column \"{}\", class \"{}\": \"rate\" is below 0", column, cls));
      }
    }
    schema_.columns.back().kind = ColumnKind::count;
    put_per_class(".weight", std::vector<double>(classes_.size(), 1.0));
    put_per_class(".sum", rates);
    put_per_class(".log_factorial", std::vector<double>(classes_.size(), 0.0));
  }

  const Json& json_;
  std::string name_;
  Schema schema_;
  std::vector<BlockSpec> blocks_;
  std::vector<std::string> classes_;
  Tensors tensors_;
};

}  // namespace

Model parse_hand_written(std::string_view text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::model,
                fmt::format("{}: not JSON: {}", name, without_json_prefix(error.what())));
  }
  if (json.is_object() && json.contains("credence_discriminative")) {
    throw Error(
        ErrorKind::model,
        fmt::format(
            "{}: a logistic model has coefficients, not statistics of the classes "
            "(predict, evaluate, explain, show and plot … boundary, posterior, evidence take it)",
            name));
  }
  return HandWritten(json, name).read();
}

}  // namespace credence
