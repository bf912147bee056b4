// SPDX-License-Identifier: Apache-2.0
#include "serve/api/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "serve/api/json_text.hpp"

namespace credence::serve {
namespace {

constexpr std::size_t most_fields = 32;

}  // namespace

Fields::Fields(std::string_view object) : members_(members_of(object)) {
  if (members_.size() > most_fields) {
    throw HttpError(422, fmt::format("there are more than {} fields", most_fields));
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members_[i].first == members_[j].first) refuse(members_[i].first, "it stands twice");
    }
  }
}

void Fields::refuse(std::string_view name, const std::string& why) const {
  throw HttpError(422, fmt::format("\"{}\": {}", name, why));
}

bool Fields::has(std::string_view name) const {
  return std::any_of(members_.begin(), members_.end(),
                     [&](const auto& member) { return member.first == name; });
}

std::optional<std::string_view> Fields::raw(std::string_view name) {
  asked_.emplace(name);
  for (const auto& [key, value] : members_) {
    if (key == name && value != "null") return value;
  }
  return std::nullopt;
}

std::optional<Json> Fields::json(std::string_view name) {
  const auto text = raw(name);
  if (!text) return std::nullopt;
  auto json = Json::parse(*text, nullptr, false);
  if (json.is_discarded()) {
    throw HttpError(400, fmt::format("\"{}\": this is no JSON: {}", name, text->substr(0, 100)));
  }
  return json;
}

std::optional<std::string> Fields::text(std::string_view name) {
  const auto value = json(name);
  if (!value) return std::nullopt;
  if (!value->is_string()) refuse(name, "a text is wanted");
  return value->get<std::string>();
}

std::optional<double> Fields::number(std::string_view name, double from, double to) {
  const auto value = json(name);
  if (!value) return std::nullopt;
  if (!value->is_number() || !(value->get<double>() >= from && value->get<double>() <= to)) {
    refuse(name, fmt::format("a number from {} to {} is wanted", from, to));
  }
  return value->get<double>();
}

std::optional<std::size_t> Fields::whole(std::string_view name, std::size_t from, std::size_t to) {
  const auto value = json(name);
  if (!value) return std::nullopt;
  // 5.0 is as whole as 5.
  const double number = value->is_number() ? value->get<double>() : -1;
  const bool exact = value->is_number_unsigned();
  if (number != std::floor(number) || number < static_cast<double>(from) ||
      number > static_cast<double>(to) || (exact && value->get<std::size_t>() > to)) {
    refuse(name, fmt::format("a whole number from {} to {} is wanted", from, to));
  }
  return static_cast<std::size_t>(number);
}

bool Fields::flag(std::string_view name) {
  const auto value = json(name);
  if (!value) return false;
  if (!value->is_boolean()) refuse(name, "true or false is wanted");
  return value->get<bool>();
}

std::optional<std::vector<std::pair<std::string, double>>> Fields::numbers(std::string_view name) {
  const auto value = json(name);
  if (!value) return std::nullopt;
  std::vector<std::pair<std::string, double>> result;
  if (!value->is_object()) refuse(name, "an object of numbers is wanted");
  for (const auto& [key, one] : value->items()) {
    if (!one.is_number()) refuse(name, fmt::format("\"{}\": a number is wanted", key));
    result.emplace_back(key, one.get<double>());
  }
  return result;
}

Overrides Fields::overrides() {
  Overrides result;
  result.rule = text("rule").value_or("");
  result.reading = text("reading").value_or("");
  result.calibration = text("calibration").value_or("on");
  if (result.calibration != "on" && result.calibration != "off") {
    refuse("calibration", "on or off is wanted");
  }
  if (result.calibration == "on") result.calibration.clear();
  const auto prior = json("prior");
  if (prior && prior->is_string()) {
    result.prior = prior->get<std::string>();
  } else if (prior) {
    // As one writes it elsewhere: names in quotes, so that they may hold commas.
    const auto shares = numbers("prior").value();
    for (const auto& [name, share] : shares) {
      if (name.find('"') != name.npos) refuse("prior", "a name with a quote cannot be written");
      result.prior += fmt::format("{}\"{}={}\"", result.prior.empty() ? "" : ",", name, share);
    }
    if (shares.empty()) refuse("prior", "it names no class");
  }
  return result;
}

void Fields::finish() const {
  for (const auto& [key, value] : members_) {
    if (asked_.contains(key)) continue;
    throw HttpError(422, fmt::format("there is no field \"{}\" here{}", key,
                                     suggestion(key, {asked_.begin(), asked_.end()})));
  }
}

std::string percent_decoded(std::string_view text, bool plus_is_space) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      result += ' ';
    } else if (text[i] != '%') {
      result += text[i];
    } else {
      const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) throw HttpError(400, "the address has a % without two digits");
      result += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return result;
}

Query::Query(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('&');
    const auto one = text.substr(0, end);
    const auto equals = one.find('=');
    if (!one.empty()) {
      values_.emplace_back(percent_decoded(one.substr(0, equals), true),
                           equals == one.npos ? "" : percent_decoded(one.substr(equals + 1), true));
    }
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
}

void Query::finish() const {
  for (const auto& [key, value] : values_) {
    if (asked_.contains(key)) continue;
    throw HttpError(422, fmt::format("there is no parameter {} here{}", json_text(key),
                                     suggestion(key, {asked_.begin(), asked_.end()})));
  }
}

std::optional<std::string> Query::text(std::string_view name) const {
  asked_.emplace(name);
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<double> Query::number(std::string_view name) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto value = to_number(*given);
  if (!value) throw HttpError(422, fmt::format("{}={}: a number is wanted", name, *given));
  return value;
}

std::size_t Query::whole(std::string_view name, std::size_t otherwise, std::size_t from,
                         std::size_t to) const {
  const auto value = number(name);
  if (!value) return otherwise;
  if (*value != std::floor(*value) || *value < static_cast<double>(from) ||
      *value > static_cast<double>(to)) {
    throw HttpError(422, fmt::format("{}={}: a whole number from {} to {} is wanted", name,
                                     *text(name), from, to));
  }
  return static_cast<std::size_t>(*value);
}

bool as_flag(std::string_view name, std::string_view value) {
  if (value == "false" || value == "0") return false;
  if (value == "true" || value == "1") return true;
  throw HttpError(422, fmt::format("{}={}: true or false is wanted", name, value));
}

bool Query::flag(std::string_view name) const {
  const auto given = text(name);
  return given && as_flag(name, *given);
}

Overrides Query::overrides() const {
  Overrides result{text("rule").value_or(""), text("prior").value_or(""),
                   text("calibration").value_or("on"), text("reading").value_or("")};
  if (result.calibration != "on" && result.calibration != "off") {
    throw HttpError(422, fmt::format("calibration={}: on or off is wanted", result.calibration));
  }
  if (result.calibration == "on") result.calibration.clear();
  return result;
}

std::string too_many(std::string_view what) {
  return fmt::format("{} more than {} rows (send fewer at a time)", what, most_rows);
}

std::string worded(const Message& message) {
  return message.worded([](const Setting& setting) {
    if (!setting.value) return fmt::format("\"{}\"", setting.name);
    return fmt::format("\"{}\": {}", setting.name, json_text(*setting.value));
  });
}

Fields Call::fields() const {
  return Fields(request.body.empty() ? std::string_view("{}") : std::string_view(request.body));
}

std::shared_ptr<const Snapshot> Call::model(const Overrides& overrides) const {
  auto found = store.find(names.at(0));
  return overrides.any() ? found->with(overrides) : found;
}

Chunk row_in(Fields& fields, const Snapshot& model, std::string_view name) {
  const auto row = fields.raw(name);
  if (!row)
    throw HttpError(422, fmt::format("\"{}\" is wanted: an object of values by column", name));
  return model.rows().read({&*row, 1});
}

Chunk rows_in(Fields& fields, const Snapshot& model) {
  const auto rows = fields.raw("rows");
  if (fields.has("row") && rows) throw HttpError(422, "\"row\" and \"rows\" do not go together");
  if (!rows) return row_in(fields, model);
  if (!rows->starts_with('[')) throw HttpError(422, "\"rows\": an array of rows is wanted");
  const auto all = elements_of(*rows);
  if (all.size() > most_rows) {
    throw HttpError(413, too_many("\"rows\" has"));
  }
  return model.rows().read(all);
}

std::string media_type(const Request& request) {
  const auto type = std::string_view(request.content_type);
  return ascii_lower(trim(type.substr(0, type.find(';'))));
}

void refuse_columnar(std::string_view media_type) {
  constexpr std::string_view apache = "application/vnd.apache.";
  if (!media_type.starts_with(apache)) return;
  throw HttpError(415,
                  fmt::format("Content-Type {}: a server reads no Arrow or Parquet (send text/csv: "
                              "pyarrow.csv.write_csv, or to_csv of a data frame, writes it)",
                              media_type));
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response json_response(const Json& json, int status) {
  Response response;
  response.status = status;
  response.body = compact(json);
  return response;
}

Json by_class(const std::vector<std::string>& classes, const double* values) {
  Json result = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c) result[classes[c]] = number(values[c]);
  return result;
}

}  // namespace credence::serve
