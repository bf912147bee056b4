// SPDX-License-Identifier: Apache-2.0
// Rows added and taken out, and models fitted to tables that are sent.
#include <fmt/format.h>

#include <algorithm>

#include "credence/error.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/form.hpp"
#include "serve/models/jobs.hpp"

namespace credence::serve {
namespace {

std::string rows_text(Fields& fields) {
  const auto row = fields.raw("row"), rows = fields.raw("rows");
  if (row && rows) throw HttpError(422, "\"row\" and \"rows\" do not go together");
  if (row) return fmt::format("[{}]", *row);
  if (!rows || !rows->starts_with('[')) {
    throw HttpError(422, "\"rows\" is wanted: an array of rows with their class");
  }
  return std::string(*rows);
}

Response changed(const Call& call, ChangeRequest request) {
  constexpr std::size_t longest_key = 255;
  if (call.request.idempotency_key.size() > longest_key) {
    throw HttpError(422, fmt::format("Idempotency-Key: longer than {} bytes", longest_key));
  }
  const auto visible = [](char c) { return c >= '!' && c <= '~'; };
  if (!std::all_of(call.request.idempotency_key.begin(), call.request.idempotency_key.end(),
                   visible)) {
    throw HttpError(422,
                    "Idempotency-Key: letters, digits and signs of ASCII are wanted, no spaces");
  }
  request.key = call.request.idempotency_key;
  const auto answer = call.store.learner(call.names[0])->change(std::move(request));
  return json_response({{"version", answer.version},
                        {"rows", count(answer.rows)},
                        {"applied", count(answer.applied)},
                        {"repeated", answer.repeated}});
}

Response rows_changed(const Call& call, ChangeRequest::Kind kind) {
  (void)call.store.learner(call.names[0]);  // says first that the model does not learn
  auto fields = call.fields();
  ChangeRequest request;
  request.kind = kind;
  request.rows = rows_text(fields);
  request.weight = fields.number("weight", 0, 1e9).value_or(1);
  fields.finish();
  return changed(call, std::move(request));
}

}  // namespace

Response update(const Call& call) { return rows_changed(call, ChangeRequest::Kind::update); }

Response forget(const Call& call) { return rows_changed(call, ChangeRequest::Kind::forget); }

Response undo(const Call& call) {
  (void)call.store.learner(call.names[0]);
  auto fields = call.fields();
  ChangeRequest request;
  request.kind = ChangeRequest::Kind::undo;
  request.version = fields.whole("version", 1, std::size_t{1} << 53).value_or(0);
  fields.finish();
  return changed(call, std::move(request));
}

Response changes(const Call& call) {
  const auto most = call.query.whole("count", 1000, 1, 100000);
  call.query.finish();
  Json list = Json::array();
  for (const auto& change : call.store.learner(call.names[0])->changes(most)) {
    list.push_back({{"version", change.version},
                    {"kind", change.kind},
                    {"rows", count(change.rows)},
                    {"total", count(change.total)},
                    {"time", change.time}});
    if (!change.key.empty()) list.back()["key"] = change.key;
    if (change.undoes > 0) list.back()["undoes"] = change.undoes;
    if (change.undone > 0) list.back()["undone"] = change.undone;
  }
  return json_response(list);
}

namespace {

// The address says what is wanted of a table that is the body itself.
FitRequest fit_in_query(const Call& call, std::string_view csv) {
  return {std::string(csv), call.query.text("target").value_or(""),
          call.query.text("name").value_or(""), call.query.flag("best")};
}

FitRequest fit_in_json(const Call& call) {
  auto fields = call.fields();
  FitRequest request{fields.text("csv").value_or(""), fields.text("target").value_or(""),
                     fields.text("name").value_or(""), fields.flag("best")};
  fields.finish();
  return request;
}

// A form says it in fields beside the file.
FitRequest fit_in_form(const Call& call) {
  const auto parts = form_parts(call.request);
  FitRequest request = fit_in_query(call, file_of(parts));
  for (const auto& part : parts) {
    if (part.is_file) continue;
    if (part.name == "target") {
      request.target = part.body;
    } else if (part.name == "name") {
      request.name = part.body;
    } else if (part.name == "best") {
      request.best = as_flag(part.name, part.body);
    } else {
      throw HttpError(422, fmt::format("there is no field {} here{}", json_text(part.name),
                                       suggestion(part.name, {"target", "name", "best"})));
    }
  }
  return request;
}

FitRequest request_of(const Call& call) {
  const auto type = media_type(call.request);
  if (type == "text/csv") return fit_in_query(call, call.request.body);
  if (type == "application/json") return fit_in_json(call);
  if (type == "multipart/form-data") return fit_in_form(call);
  refuse_columnar(type);
  throw HttpError(415,
                  "application/json with \"csv\", text/csv or multipart/form-data is wanted here");
}

FitRequest fit_request(const Call& call) {
  FitRequest request = request_of(call);
  call.query.finish();
  return request;
}

}  // namespace

Response fit_table(const Call& call) {
  auto request = fit_request(call);
  if (request.csv.empty()) throw HttpError(422, "\"csv\" is wanted: the text of a table");
  if (request.target.empty()) return json_response(call.jobs.describe(request));
  return json_response({{"job", call.jobs.start(std::move(request))}}, 202);
}

Response job_state(const Call& call) { return json_response(call.jobs.state(call.names[0])); }

Response cancel_job(const Call& call) {
  call.jobs.cancel(call.names[0]);
  return json_response(call.jobs.state(call.names[0]));
}

}  // namespace credence::serve
