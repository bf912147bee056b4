// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "answers/predictions.hpp"
#include "answers/reasons.hpp"
#include "bytes/stages.hpp"
#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "credence/decision.hpp"
#include "credence/error.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/form.hpp"
#include "serve/api/json_text.hpp"
#include "serve/models/memory_file.hpp"
#include "sources/absent.hpp"

namespace credence::serve {
namespace {

// {"truth":{"decision":cost}}; a decision "reject" is that of giving no label.
Costs costs_of(const Json& json, const Classifier& classifier) {
  const auto& classes = classifier.classes();
  if (!json.is_object()) throw HttpError(422, "\"costs\": an object by true class is wanted");
  Costs costs;
  costs.of.assign(classes.size() * classes.size(), 1);
  for (std::size_t c = 0; c < classes.size(); ++c) costs.of[c * classes.size() + c] = 0;
  for (const auto& [truth, of] : json.items()) {
    if (truth == "reject" && of.is_number() && of.get<double>() >= 0) {
      costs.reject = of.get<double>();
      continue;
    }
    const auto row = class_named("costs", truth, classifier);
    if (!of.is_object()) throw HttpError(422, "\"costs\": an object by decision is wanted");
    for (const auto& [decision, cost] : of.items()) {
      if (!cost.is_number() || !(cost.get<double>() >= 0)) {
        throw HttpError(422, "\"costs\": numbers from 0 on are wanted");
      }
      const auto column = class_named("costs", decision, classifier);
      costs.of[row * classes.size() + column] = cost.get<double>();
    }
  }
  return costs;
}

DecisionRule rule_in(Fields& fields, const Classifier& classifier) {
  DecisionRule rule;
  rule.reject_below = fields.number("reject", 0, 1).value_or(0);
  if (const auto costs = fields.json("costs")) rule.costs = costs_of(*costs, classifier);
  if (const auto thresholds = fields.numbers("threshold")) {
    rule.thresholds.resize(classifier.classes().size(), 0.0);
    for (const auto& [name, value] : *thresholds) {
      if (!(value >= 0 && value <= 1)) {
        throw HttpError(422, "\"threshold\": probabilities from 0 to 1 are wanted");
      }
      rule.thresholds[class_named("threshold", name, classifier)] = value;
    }
  }
  return rule;
}

void append_costs(const Snapshot& model, const Posterior& row, const Costs& costs,
                  std::string& out) {
  const auto expected = expected_costs(row, costs);
  out += ",\"expected_cost\":{";
  for (std::size_t c = 0; c < model.class_texts().size(); ++c) {
    if (c > 0) out += ',';
    out.append(model.class_texts()[c]) += ':';
    append_number(expected[c], out);
  }
  out += '}';
}

void append_prediction(const Snapshot& model, const Posterior& row, const DecisionRule& rule,
                       const double* p_value, std::string& out) {
  const auto& names = model.class_texts();
  const auto label = decide(row, rule);
  out += "{\"label\":";
  out += label ? std::string_view(names[*label]) : std::string_view("null");
  out += ",\"probabilities\":{";
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c > 0) out += ',';
    out.append(names[c]) += ':';
    append_number(row.probabilities[c], out);
  }
  out += '}';
  if (model.classifier().knows_evidence()) {
    out += ",\"log_evidence\":";
    append_number(row.log_evidence, out);
  }
  if (p_value) {
    out += ",\"novelty\":";
    append_number(*p_value, out);
  }
  if (rule.costs.given()) append_costs(model, row, rule.costs, out);
  out += '}';
}

void append_predictions(const Snapshot& model, const Chunk& rows, const DecisionRule& rule,
                        std::string_view between, std::string& out) {
  const std::size_t classes = model.classes().size();
  Posterior row;
  in_slices(rows, classes, [&](const Chunk& slice, std::size_t first) {
    const auto scores = model.classifier().log_scores(slice);
    const auto p_values =
        model.novelty() ? model.novelty()->p_values(slice) : std::vector<double>();
    for (std::size_t r = 0; r < slice.rows; ++r) {
      posterior(std::span(scores).subspan(r * classes, classes), row);
      if (first + r > 0) out += between;
      append_prediction(model, row, rule, p_values.empty() ? nullptr : &p_values[r], out);
    }
  });
}

}  // namespace

namespace {

Response predict_json(const Call& call) {
  auto fields = call.fields();
  // In the address, as for tables, or beside the rows.
  auto overrides = call.query.overrides();
  call.query.finish();
  if (const auto beside = fields.overrides(); beside.any()) overrides = beside;
  const auto model = call.model(overrides);
  const auto rule = rule_in(fields, model->classifier());
  const Chunk rows = rows_in(fields, *model);
  fields.finish();
  Response response;
  response.body.reserve(64 + rows.rows * (64 + 40 * model->classes().size()));
  response.body = "{\"predictions\":[";
  append_predictions(*model, rows, rule, ",", response.body);
  response.body += "]}";
  return response;
}

// A row on every line, and an answer on every line, sent while the next ones are computed.
Response predict_lines(const Call& call) {
  constexpr std::size_t at_once = 1024;
  struct Lines {
    std::shared_ptr<const Snapshot> model;
    std::string body;
    std::size_t at = 0, number = 0;
  };
  auto lines =
      std::make_shared<Lines>(Lines{call.model(call.query.overrides()), call.request.body});
  call.query.finish();
  Response response;
  response.type = "application/x-ndjson";
  response.next = [lines](std::string& out) {
    std::vector<std::string_view> rows;
    std::vector<std::size_t> numbers;
    const std::string_view all = lines->body;
    while (lines->at < all.size() && rows.size() < at_once) {
      const auto end = std::min(all.find('\n', lines->at), all.size());
      const auto line = trim(all.substr(lines->at, end - lines->at));
      lines->at = end + 1;
      ++lines->number;
      if (line.empty()) continue;
      rows.push_back(line);
      numbers.push_back(lines->number);
    }
    const auto& model = *lines->model;
    const auto answer = [&](std::size_t first, std::size_t count) {
      append_predictions(model,
                         model.rows().read(std::span(rows).subspan(first, count),
                                           std::span(numbers).subspan(first, count)),
                         {}, "\n", out);
      if (count > 0) out += '\n';
    };
    const std::size_t before = out.size();
    try {
      answer(0, rows.size());
    } catch (const Error&) {
      // One of them is wrong. Those before it are answered; the status has gone out with the first
      // lines, so the last one says what is wrong.
      out.resize(before);
      try {
        for (std::size_t i = 0; i < rows.size(); ++i) answer(i, 1);
      } catch (const Error& error) {
        out += error_response(422, worded(error.message())).body + "\n";
      }
      return false;
    }
    return lines->at < all.size();
  };
  return response;
}

// Whether columns that a table does not have count as missing; else they are asked for, as the
// program does.
bool absent_is_missing(const Query& query) {
  const auto absent = query.text("absent").value_or("");
  if (absent.empty() || absent == "missing") return !absent.empty();
  throw HttpError(422, fmt::format("absent={}: missing is wanted, or nothing", absent));
}

// As the command line prints probabilities.
Response predict_csv(const Call& call, std::string_view table, bool absent) {
  const auto model = call.model(call.query.overrides());
  call.query.finish();
  // A few packed bytes may stand for any number of rows.
  if (const auto packing = data::packing_of(table); packing != data::Packing::none) {
    throw HttpError(
        415, fmt::format("the table is packed by {}: unpack it first", data::name_of(packing)));
  }
  const MemoryFile file(table);
  ReadOptions options;
  options.format = FileFormat::csv;
  options.missing = model->schema().missing;
  Response response;
  response.type = "text/csv; charset=utf-8";
  try {
    auto source = open_source({file.path()}, options);
    if (absent) source = data::absent_as_missing(std::move(source));
    source->select(model->schema(), false);
    const Judge judge{model->classifier(), std::nullopt, {}, 0, true, false};
    response.body = header(judge, false);
    RawChunk raw;
    for (std::size_t rows = 0; source->read(raw);) {
      const Chunk chunk = source->parse(raw);
      rows += chunk.rows;
      if (rows > most_rows) throw HttpError(413, too_many("the table has"));
      response.body += answer(judge, {chunk, false, {}, RowNumbers{}}).text;
    }
  } catch (const Error& error) {
    throw Error(error.kind(), file.renamed(error.message().marked(), "body"));
  }
  return response;
}

// A form with one file, which is a table.
Response predict_form(const Call& call, bool absent) {
  const auto parts = form_parts(call.request);
  for (const auto& part : parts) {
    if (part.is_file) continue;
    throw HttpError(422, fmt::format("{}: settings stand in the address here, as in predict?rule=",
                                     json_text(part.name)));
  }
  return predict_csv(call, file_of(parts), absent);
}

}  // namespace

Response predict(const Call& call) {
  const auto type = media_type(call.request);
  const bool absent = absent_is_missing(call.query);
  if (type == "application/json") return predict_json(call);
  if (type == "text/csv") return predict_csv(call, call.request.body, absent);
  if (type == "application/x-ndjson") return predict_lines(call);
  if (type == "multipart/form-data") return predict_form(call, absent);
  refuse_columnar(type);
  throw HttpError(415, fmt::format("Content-Type {}: application/json, application/x-ndjson, "
                                   "text/csv or multipart/form-data is wanted here",
                                   json_text(call.request.content_type)));
}

}  // namespace credence::serve
