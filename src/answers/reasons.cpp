// SPDX-License-Identifier: Apache-2.0
#include "answers/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

// The lines of a column of text are its tokens, in the order of its bag; and what each weighs.
TokenWeights take_tokens(Case& one, const Chunk& chunk, std::size_t row, std::size_t column,
                         const std::string& name) {
  const auto& bags = std::get<Bags>(chunk.columns[column]);
  TokenWeights weights;
  std::size_t at = bags.offsets[row];
  for (std::size_t i = 0; i < one.why.lines.size() && at < bags.offsets[row + 1]; ++i) {
    if (one.why.lines[i].column != name) continue;
    one.is_token[i] = true;
    const auto token = static_cast<std::size_t>(bags.features[at]);
    weights[bags.dictionary[token]] = one.why.lines[i].weight / bags.counts[at];
    ++at;
  }
  return weights;
}

}  // namespace

Case make_case(Explanation why, const Classifier& classifier, const Chunk& chunk, std::size_t row,
               const data::DocumentTexts* texts) {
  Case one;
  one.why = std::move(why);
  one.is_token.resize(one.why.lines.size());
  const auto& columns = classifier.schema().columns;
  // A document in several columns is none of them; it has more than one line.
  std::map<std::string, std::size_t> lines;
  for (const auto& line : one.why.lines) ++lines[line.column];
  for (const auto& column : columns) lines.erase(column.name);
  for (std::size_t i = 0; i < one.is_token.size(); ++i) {
    const auto found = lines.find(one.why.lines[i].column);
    one.is_token[i] = found != lines.end() && found->second > 1;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind != ColumnKind::text) continue;
    const auto weights = take_tokens(one, chunk, row, i, columns[i].name);
    if (!texts || !(*texts)[i]) continue;
    one.texts.push_back(mark_words(columns[i].name, *(*texts)[i],
                                   text::parse_token_options(columns[i].tokens), weights));
  }
  return one;
}

std::size_t class_named(std::string_view what, const std::string& name,
                        const Classifier& classifier) {
  const auto& classes = classifier.classes();
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: no class \"{}\"{}; the classes are {}", setting(what), name,
                            suggestion(name, classes), join(classes, ", ")));
  }
  return static_cast<std::size_t>(found - classes.begin());
}

Explanation explain_for(const Classifier& classifier, const Chunk& chunk, std::size_t row,
                        const std::string& label, const std::string& against) {
  auto natural = classifier.explain(chunk, row);
  if (label.empty() && against.empty()) return natural;
  const std::size_t winner =
      label.empty() ? natural.winner : class_named("class", label, classifier);
  std::size_t other =
      against.empty() ? natural.winner : class_named("against", against, classifier);
  if (other == winner && against.empty()) other = natural.other;
  if (winner == other) {
    throw Error(ErrorKind::usage, fmt::format("{}: the class to argue for is the same",
                                              setting("against", classifier.classes()[other])));
  }
  return classifier.explain(chunk, row, winner, other);
}

Json to_json(const Case& one, const Classifier& classifier) {
  const auto& why = one.why;
  Json evidence = Json::array();
  for (const auto& line : why.lines) {
    evidence.push_back(
        {{"column", line.column}, {"value", line.value}, {"weight", log_number(line.weight)}});
    const std::string what = classifier.knows_evidence() ? "log_density" : "score";
    evidence.back()[what] = log_number(line.winner);
    evidence.back()[what + "_against"] = log_number(line.other);
    if (line.trust != 1) evidence.back()["trust"] = line.trust;
  }
  Json probabilities = Json::object();
  for (std::size_t c = 0; c < classifier.classes().size(); ++c) {
    probabilities[classifier.classes()[c]] = number(why.posterior.probabilities[c]);
  }
  Json json = {{"row", one.row}};
  if (!one.name.empty()) json["file"] = one.name;
  json["class"] = classifier.classes()[why.winner];
  json["against"] = classifier.classes()[why.other];
  json["log_odds"] = log_number(why.log_odds);
  if (classifier.knows_evidence()) json["log_evidence"] = log_number(why.posterior.log_evidence);
  json["probabilities"] = std::move(probabilities);
  json["evidence"] = std::move(evidence);
  for (const auto& marked : one.texts) {
    Json words = Json::array();
    for (const auto& word : marked.words) {
      words.push_back({{"at", word.begin},
                       {"length", word.end - word.begin},
                       {"weight", log_number(word.weight)}});
    }
    json["documents"].push_back(
        {{"column", marked.column}, {"text", marked.text}, {"words", std::move(words)}});
  }
  if (why.posterior.undecidable()) json["undecidable"] = why.undecidable_because;
  return json;
}

Json to_json(const Steps& steps) {
  Json classes = Json::array();
  for (std::size_t c = 0; c < steps.classes.size(); ++c) {
    Json factors = Json::array();
    for (const auto& factor : steps.factors) {
      Json one = {{"column", factor.column},
                  {"value", factor.value},
                  {"symbol", factor.symbols[c].plain},
                  {"factor", factor.workings[c].factor.plain}};
      if (const auto& formula = factor.workings[c].formula.plain; !formula.empty()) {
        one["formula"] = formula;
      }
      if (factor.power != 1) one["power"] = factor.power;
      one["log"] = log_number(factor.logs[c]);
      if (factor.ignored) one["unseen"] = true;
      factors.push_back(std::move(one));
    }
    double log_density = 0;
    for (std::size_t f = 1; f < steps.factors.size(); ++f) log_density += steps.factors[f].logs[c];
    classes.push_back({{"class", steps.classes[c]},
                       {"factors", std::move(factors)},
                       {"log_prior", log_number(steps.factors[0].logs[c])},
                       {"log_density", log_number(log_density)},
                       {"log_product", log_number(steps.log_products[c])},
                       {"posterior", number(steps.posterior.probabilities[c])}});
  }
  return {{"classes", std::move(classes)}, {"log_sum", log_number(steps.posterior.log_evidence)}};
}

}  // namespace credence
