// SPDX-License-Identifier: Apache-2.0
#include "answers/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/json_text.hpp"
#include "words/options.hpp"

namespace credence::serve {
namespace {

// The texts of a row's documents, by column.
data::DocumentTexts texts_of(std::string_view row, const Schema& schema) {
  data::DocumentTexts texts(schema.columns.size());
  for (const auto& [key, value] : members_of(row)) {
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      if (schema.columns[i].kind != ColumnKind::text || schema.columns[i].in_file() != key)
        continue;
      const auto text = Json::parse(value, nullptr, false);
      if (text.is_string()) texts[i] = text.get<std::string>();
    }
  }
  return texts;
}

// The log density of every term under every class.
Json every_class(const Steps& all) {
  Json terms = Json::array();
  for (const auto& factor : all.factors) {
    Json densities = Json::object();
    for (std::size_t c = 0; c < all.classes.size(); ++c) {
      densities[all.classes[c]] = log_number(factor.logs[c]);
    }
    terms.push_back({{"column", factor.column},
                     {"value", factor.value},
                     {"log_density", std::move(densities)}});
  }
  return {{"classes", all.classes}, {"terms", std::move(terms)}};
}

}  // namespace

Response explain(const Call& call) {
  auto fields = call.fields();
  const auto model = call.model(fields.overrides());
  const auto& classifier = model->classifier();
  const auto label = fields.text("class").value_or("");
  const auto against = fields.text("against").value_or("");
  const Chunk row = row_in(fields, *model);
  const auto texts = texts_of(*fields.raw("row"), model->schema());
  fields.finish();
  Case one = make_case(explain_for(classifier, row, 0, label, against), classifier, row, 0, &texts);
  one.row = 1;
  Json json = to_json(one, classifier);
  if (classifier.knows_evidence()) json["every_class"] = every_class(steps(classifier, row, 0));
  return json_response(json);
}

Response board(const Call& call) {
  auto fields = call.fields();
  const auto model = call.model(fields.overrides());
  (void)model->model("steps");
  const Chunk row = row_in(fields, *model);
  fields.finish();
  Json json = {{"row", 1}};
  json.update(to_json(steps(model->classifier(), row, 0)));
  return json_response(json);
}

Response mark(const Call& call) {
  auto fields = call.fields();
  const auto model = call.model(fields.overrides());
  const auto& schema = model->schema();
  const auto text = fields.text("text");
  if (!text) throw HttpError(422, "\"text\" is wanted: the document to mark");
  const auto wanted = fields.text("column").value_or("");
  const auto label = fields.text("class").value_or("");
  const auto against = fields.text("against").value_or("");
  fields.finish();
  Json row = Json::object();
  std::size_t column = schema.columns.size();
  for (std::size_t i = 0; i < schema.columns.size() && column == schema.columns.size(); ++i) {
    const auto& spec = schema.columns[i];
    if (spec.kind != ColumnKind::text || (!wanted.empty() && spec.name != wanted)) continue;
    row[spec.in_file()] = *text;
    column = i;
  }
  if (column == schema.columns.size()) {
    throw HttpError(422, wanted.empty()
                             ? "the model has no column of texts"
                             : fmt::format("\"column\": \"{}\" is no column of texts", wanted));
  }
  const std::string written = row.dump();
  const std::string_view view = written;
  const Chunk chunk = model->rows().read({&view, 1});
  data::DocumentTexts texts(schema.columns.size());
  texts[column] = *text;
  const auto& classifier = model->classifier();
  const auto why = explain_for(classifier, chunk, 0, label, against);
  const Case one = make_case(why, classifier, chunk, 0, &texts);
  Json tokens = Json::array();
  for (const auto& word : one.texts.at(0).words) {
    tokens.push_back({{"start", word.begin},
                      {"end", word.end},
                      {"word", one.texts[0].text.substr(word.begin, word.end - word.begin)},
                      {"weight", log_number(word.weight)}});
  }
  const auto& classes = classifier.classes();
  const auto top =
      std::max_element(why.posterior.probabilities.begin(), why.posterior.probabilities.end());
  Json json = {
      {"column", schema.columns[column].name},
      {"text", one.texts[0].text},
      {"probabilities", by_class(classes, why.posterior.probabilities.data())},
      {"label",
       why.posterior.undecidable()
           ? Json()
           : Json(classes[static_cast<std::size_t>(top - why.posterior.probabilities.begin())])},
      {"class", classes[why.winner]},
      {"against", classes[why.other]},
      {"log_odds", log_number(why.log_odds)},
      {"tokens", std::move(tokens)}};
  return json_response(json);
}

}  // namespace credence::serve
