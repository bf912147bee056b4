// SPDX-License-Identifier: Apache-2.0
// A request taken apart: the names in its path, its query, and the fields of its body.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/json.hpp"
#include "answers/overrides.hpp"
#include "credence/error.hpp"
#include "serve/http/message.hpp"
#include "serve/models/store.hpp"

namespace credence::serve {

class Jobs;

// The members of a JSON object, each asked for by its name; whoever has asked for all he knows
// refuses the others.
class Fields {
 public:
  explicit Fields(std::string_view object);

  bool has(std::string_view name) const;
  // As it is written; nothing where it is absent or null.
  std::optional<std::string_view> raw(std::string_view name);
  std::optional<Json> json(std::string_view name);
  std::optional<std::string> text(std::string_view name);
  std::optional<double> number(std::string_view name, double from, double to);
  std::optional<std::size_t> whole(std::string_view name, std::size_t from, std::size_t to);
  bool flag(std::string_view name);
  // Numbers by name.
  std::optional<std::vector<std::pair<std::string, double>>> numbers(std::string_view name);
  Overrides overrides();
  // Throws an HttpError 422 for what nobody has asked for.
  void finish() const;

 private:
  [[noreturn]] void refuse(std::string_view name, const std::string& why) const;

  std::vector<std::pair<std::string, std::string_view>> members_;
  std::set<std::string, std::less<>> asked_;
};

// A setting that is on or off, as addresses and forms write it; throws an HttpError 422.
bool as_flag(std::string_view name, std::string_view value);

// The part of a target behind the question mark.
class Query {
 public:
  explicit Query(std::string_view text);
  std::optional<std::string> text(std::string_view name) const;
  std::size_t whole(std::string_view name, std::size_t otherwise, std::size_t from,
                    std::size_t to) const;
  std::optional<double> number(std::string_view name) const;
  bool flag(std::string_view name) const;
  Overrides overrides() const;
  // Throws an HttpError 422 for what nobody has asked for.
  void finish() const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
  mutable std::set<std::string, std::less<>> asked_;
};

// %41 -> A. Throws an HttpError 400 where it is written wrongly.
std::string percent_decoded(std::string_view text, bool plus_is_space = false);

struct Call {
  const Request& request;
  ModelStore& store;
  Jobs& jobs;
  std::vector<std::string> names;  // in the places of * in the route's pattern
  Query query;

  Fields fields() const;
  // The model that the path names, under these settings.
  std::shared_ptr<const Snapshot> model(const Overrides& overrides = {}) const;
};

// Of one request.
constexpr std::size_t most_rows = 1000000;
std::string too_many(std::string_view what);
// A message in the words of those who send JSON.
std::string worded(const Message& message);

// The one row of a call, and many.
Chunk row_in(Fields& fields, const Snapshot& model, std::string_view name = "row");
Chunk rows_in(Fields& fields, const Snapshot& model);

// Without what stands behind a semicolon, in lower case.
std::string media_type(const Request& request);
// Throws an HttpError 415 for Arrow and Parquet, which a server does not read (docs/design.md).
void refuse_columnar(std::string_view media_type);

// Without spaces; what is no UTF-8 is replaced.
std::string compact(const Json& json);
Response json_response(const Json& json, int status = 200);
// An object whose keys are the classes.
Json by_class(const std::vector<std::string>& classes, const double* values);

}  // namespace credence::serve
