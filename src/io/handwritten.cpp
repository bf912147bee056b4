// SPDX-License-Identifier: Apache-2.0
// A probability is a count of one row in all, read by maximum likelihood: so a hand-written model
// is statistics like any other, and nothing else needs to know of it.
#include "io/handwritten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>

#include "core/ordered_json.hpp"
#include "core/strings.hpp"
#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "families/gaussian/covariance.hpp"
#include "families/registry.hpp"
#include "families/statistics/class_arrays.hpp"
#include "families/statistics/domain.hpp"
#include "families/text/text.hpp"
#include "io/container.hpp"
#include "io/hand_reader.hpp"
#include "io/hand_trees.hpp"
#include "model/statistics.hpp"
#include "words/options.hpp"

namespace credence {
namespace {

using Json = OrderedJson;

class HandWritten : private HandReader {
 public:
  HandWritten(const Json& json, std::string name) : HandReader(std::move(name)), json_(json) {}

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
    trees_.emplace(json_["columns"], classes_, name());
    for (const auto& [column, entry] : json_["columns"].items()) {
      if (!read_tree(column)) read_column(column, entry);
    }
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
    schema_.classes = classes_;
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

  void add_column(const std::string& name, const std::vector<std::string>& values) {
    if (!stand_.insert(name).second) refuse(fmt::format("column \"{}\" stands twice", name));
    blocks_.back().columns.push_back(schema_.columns.size());
    schema_.columns.push_back({name, ColumnKind::category, values});
  }

  // A tree is a block, which is read when the first of its columns comes.
  bool read_tree(const std::string& column) {
    if (trees_read_.contains(column)) return true;
    const auto tree = trees_->tree_of(column);
    if (tree.empty()) return false;
    const auto& all = families();
    const auto pairs = std::find_if(all.begin(), all.end(), [](const Family& family) {
      return family.by_hand == HandWriting::tree;
    });
    blocks_.push_back({pairs->name, {}, 1, ""});
    for (const auto& one : tree) {
      if (one.name == schema_.target) {
        refuse(fmt::format("\"{}\" is both target and column", one.name));
      }
      add_column(one.name, one.values);
      trees_read_.insert(one.name);
    }
    trees_->put(tree, tensors_, prefix());
    return true;
  }

  void read_column(const std::string& column, const Json& entry) {
    if (!entry.is_object() || !entry.contains("given")) {
      refuse(fmt::format("column \"{}\" needs \"family\" and \"given\"", column));
    }
    if (column == schema_.target) refuse(fmt::format("\"{}\" is both target and column", column));
    check_keys(entry, {"family", "given", "length", "covariance", "variance", "sd"},
               fmt::format("column \"{}\"", column));
    if (entry.contains("family") && !entry["family"].is_string()) {
      refuse(fmt::format("column \"{}\": \"family\" is not a text", column));
    }
    const std::string written = entry.value("family", usual_family(ColumnLook::words).name);
    const auto open = written.find('(');
    const std::string family(trim(written.substr(0, open)));
    std::string parameters;
    if (open != std::string::npos) {
      if (!written.ends_with(')'))
        refuse(fmt::format("column \"{}\": no ) after {}", column, written));
      parameters = written.substr(open + 1, written.size() - open - 2);
    }
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
    std::vector<std::string> known;
    for (const auto& one : families()) {
      if (one.by_hand == HandWriting::none || one.by_hand == HandWriting::tree) continue;
      if (family == one.name) return read_family(column, entry, one, parameters);
      known.emplace_back(one.name);
    }
    refuse(fmt::format("column \"{}\": no family \"{}\"{}; the families are {}", column, family,
                       suggestion(family, known), join(known, ", ")));
  }

  void read_family(const std::string& column, const Json& entry, const Family& family,
                   const std::string& parameters) {
    if (!parameters.empty() && !family.takes_parameters) {
      refuse(fmt::format("column \"{}\": {} has no parameters", column, family.name));
    }
    const bool block = family.by_hand == HandWriting::moments && family.joins(parameters);
    std::vector<std::string> names{column};
    if (block) names = split(column, ',');
    blocks_.push_back({family.name, {}, 1, parameters});
    for (const auto& name : names) {
      const std::string trimmed(trim(name));
      add_column(block ? trimmed : column, {});
    }
    if (block) return read_block(column, entry, names.size(), parameters);
    read_given(column, entry, family.by_hand);
  }

  void read_given(const std::string& column, const Json& entry, HandWriting writing) {
    for (const char* key : {"covariance", "variance", "sd"}) {
      if (entry.contains(key)) {
        refuse(fmt::format("column \"{}\": \"{}\" stands beside \"given\" for gaussian(tied) only",
                           column, key));
      }
    }
    switch (writing) {
      case HandWriting::moments:
        return read_moments(column, entry);
      case HandWriting::documents:
        return read_words(column, entry);
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

  // Of each class a mean vector and a covariance, or one covariance for all: as of one row.
  void read_block(const std::string& column, const Json& entry, std::size_t size,
                  const std::string& parameters) {
    const auto kind = parse_covariance(parameters);
    if (trim(parameters) != "full" && trim(parameters) != "tied") {
      refuse(fmt::format("column \"{}\": gaussian(full) and gaussian(tied) can be written by hand",
                         column));
    }
    const auto d = static_cast<Eigen::Index>(size);
    Eigen::MatrixXd shared;
    if (kind.tied) shared = covariance(entry, size, fmt::format("column \"{}\"", column));
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto what = fmt::format("column \"{}\", class \"{}\"", column, classes_[c]);
      const auto& table = given(column, entry, classes_[c]);
      if (!table.is_object() || !table.contains("mean")) refuse(what + ": no \"mean\"");
      const auto& mean = table["mean"];
      std::vector<double> values, scatter;
      if (size == 1 && !mean.is_array()) {
        values = {number(mean, what)};
      } else if (mean.is_array() && mean.size() == size) {
        for (const auto& value : mean) values.push_back(number(value, what));
      } else {
        refuse(fmt::format("{}: \"mean\" is not a list of {} numbers", what, size));
      }
      const Eigen::MatrixXd spread = kind.tied ? shared : covariance(table, size, what);
      for (Eigen::Index i = 0; i < d; ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) scatter.push_back(spread(i, j));
      }
      const auto name = fmt::format("{}.class.{}", prefix(), c);
      tensors_.put(name + ".patterns", std::vector<std::string>{std::string(size, '1')});
      tensors_.put(name + ".weight", std::vector<double>{1}, {1});
      tensors_.put(name + ".mean", values, {values.size()});
      tensors_.put(name + ".m2", scatter, {scatter.size()});
    }
    for (const auto place : blocks_.back().columns) {
      schema_.columns[place].kind = ColumnKind::number;
    }
  }

  // Words as the tokeniser cuts them: presences under text(bernoulli), else shares of draws.
  void read_words(const std::string& column, const Json& entry) {
    auto& block = blocks_.back();
    const auto parts = split_text_parameters(block.parameters, text::token_option_names());
    const auto options = parse_text(parts.family);
    const bool presences = options.model == TextOptions::Model::bernoulli;
    if (!presences && options.model != TextOptions::Model::multinomial) {
      refuse(
          fmt::format("column \"{}\": text(multinomial) and text(bernoulli) can be written by "
                      "hand",
                      column));
    }
    auto& spec = schema_.columns.back();
    spec.kind = ColumnKind::text;
    spec.tokens = text::to_string(text::parse_token_options(parts.tokens));
    block.parameters = parts.family;
    const double length =
        presences ? 1
        : entry.contains("length")
            ? number(entry["length"], fmt::format("column \"{}\": \"length\"", column))
            : 10;
    if (!(length > 0)) refuse(fmt::format("column \"{}\": \"length\" is not above 0", column));
    std::map<std::string, std::map<std::int32_t, double>> cells;  // [word][class]
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto what = fmt::format("column \"{}\", class \"{}\"", column, classes_[c]);
      const auto& table = given(column, entry, classes_[c]);
      if (!table.is_object()) refuse(what + ": not a table of probabilities");
      double total = 0;
      for (const auto& [word, p] : table.items()) {
        const double share = probability(p, what);
        total += share;
        auto& word_cells = cells[word];
        if (share > 0) word_cells[static_cast<std::int32_t>(c)] = share;
      }
      if (!presences) check_sum(total, what);
    }
    ByteStrings words;
    std::vector<std::int32_t> ends{0}, classes;
    std::vector<double> counts, documents;
    for (const auto& [word, by_class] : cells) {
      words.add(word);
      for (const auto& [cls, share] : by_class) {
        classes.push_back(cls);
        counts.push_back(share * length);
        documents.push_back(std::min(1.0, share * length));
      }
      ends.push_back(static_cast<std::int32_t>(classes.size()));
    }
    put_per_class(".rows", std::vector<double>(classes_.size(), 1.0));
    tensors_.put(prefix() + ".words", words);
    tensors_.put(prefix() + ".ends", ends);
    tensors_.put(prefix() + ".classes", NarrowNumbers(classes), {classes.size()});
    tensors_.put(prefix() + ".counts", counts, {counts.size()});
    tensors_.put(prefix() + ".documents", documents, {documents.size()});
  }

  void read_moments(const std::string& column, const Json& entry) {
    std::vector<double> mean, m2;
    std::vector<int> units;
    for (const auto& cls : classes_) {
      const auto& table = given(column, entry, cls);
      mean.push_back(parameter(column, table, "mean", cls));
      const double sd = deviation(table, fmt::format("column \"{}\", class \"{}\"", column, cls));
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
  Schema schema_;
  std::vector<BlockSpec> blocks_;
  std::vector<std::string> classes_;
  std::optional<HandTrees> trees_;
  std::unordered_set<std::string> stand_, trees_read_;  // columns, and those of trees
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
