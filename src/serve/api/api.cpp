// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "serve/api/endpoints.hpp"
#include "serve/api/view.hpp"
#include "serve/http/assets.hpp"

namespace credence::serve {
namespace {

struct Route {
  std::string_view method;
  std::string_view pattern;  // * stands for one name
  Response (*answer)(const Call&);
  bool json = true;  // its body is JSON
};

constexpr Route routes[] = {
    {"POST", "/v1/models/*/predict", predict, false},
    {"POST", "/v1/models/*/explain", explain},
    {"POST", "/v1/models/*/steps", board},
    {"POST", "/v1/models/*/nomogram", nomogram},
    {"POST", "/v1/models/*/flip", flip},
    {"POST", "/v1/models/*/mark", mark},
    {"POST", "/v1/models/*/plane", plane},
    {"POST", "/v1/models/*/query", query},
    {"POST", "/v1/models/*/sample", sample},
    {"POST", "/v1/models/*/influence", influence},
    {"POST", "/v1/compare", compare},
    {"POST", "/v1/models/*/update", update},
    {"POST", "/v1/models/*/forget", forget},
    {"POST", "/v1/models/*/undo", undo},
    {"GET", "/v1/models/*/changes", changes},
    {"POST", "/v1/fit", fit_table, false},
    {"GET", "/v1/jobs/*", job_state},
    {"DELETE", "/v1/jobs/*", cancel_job},
    {"GET", "/v1/models/*/judge", judge_model},
    {"GET", "/v1/models/*/rows", rows},
    {"GET", "/v1/stories", stories},
    {"GET", "/v1/stories/*", story},
    {"GET", "/v1/models/*/column/*", column},
    {"GET", "/v1/models/*", show_model},
};

// The names in the places of *, or nothing where the path is another.
std::optional<std::vector<std::string>> matched(std::string_view pattern, std::string_view path) {
  std::vector<std::string> names;
  while (true) {
    const auto star = pattern.find('*');
    const auto fixed = pattern.substr(0, star);
    if (!path.starts_with(fixed)) return std::nullopt;
    path.remove_prefix(fixed.size());
    if (star == pattern.npos) return path.empty() ? std::optional(std::move(names)) : std::nullopt;
    pattern.remove_prefix(star + 1);
    const auto name = path.substr(0, path.find('/'));
    if (name.empty()) return std::nullopt;
    names.push_back(percent_decoded(name));
    path.remove_prefix(name.size());
  }
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view query_of(std::string_view target) {
  const auto mark = target.find('?');
  return mark == target.npos ? std::string_view() : target.substr(mark + 1);
}

void require_json(const Request& request) {
  if (request.content_type.empty() && request.body.empty()) return;
  if (media_type(request) == "application/json") return;
  throw HttpError(415, fmt::format("Content-Type {}: application/json is wanted here",
                                   json_text(request.content_type)));
}

bool reads(const Request& request) { return request.method == "GET" || request.method == "HEAD"; }

int status_of(const Error& error, const Request& request) {
  if (error.kind() == ErrorKind::system) return 503;
  // Rows are read where they lie: what is no JSON at all is found by their reader.
  const bool json = media_type(request) == "application/json" && !request.body.empty();
  return json && !OrderedJson::accept(request.body) ? 400 : 422;
}

}  // namespace

Endpoint endpoint_named(std::string_view name) {
  for (const auto& route : routes) {
    if (route.pattern.ends_with(name) && route.pattern.starts_with("/v1/models/*/")) {
      return route.answer;
    }
  }
  throw HttpError(404, fmt::format("no endpoint \"{}\"", name));
}

bool Api::is_quick(const Request& request) const {
  constexpr std::size_t little = 16 << 10;
  const auto path = path_of(request.target);
  if (!path.starts_with("/v1/models/")) return reads(request) && !path.starts_with("/v1/stories");
  if (!path.ends_with("/predict") || media_type(request) != "application/json" ||
      request.body.size() > little)
    return false;
  // A scorer that must be made first takes a while.
  if (path.size() != request.target.size()) return false;
  for (const std::string_view key : {"\"rule\"", "\"prior\"", "\"calibration\"", "\"reading\""}) {
    if (request.body.find(key) != std::string::npos) return false;
  }
  return true;
}

Response Api::answer(const Request& request) {
  try {
    return route(request);
  } catch (const HttpError& error) {
    return error_response(error.status(), error.what());
  } catch (const Error& error) {
    return error_response(status_of(error, request), worded(error.message()));
  } catch (const std::bad_alloc&) {
    return error_response(503, "out of memory (send fewer rows at a time)");
  } catch (const std::exception& error) {
    return error_response(500, error.what());
  }
}

Response Api::route(const Request& request) {
  const auto path = path_of(request.target);
  if (!path.starts_with('/')) throw HttpError(400, "the address does not begin with /");
  if (path != "/v1" && !path.starts_with("/v1/")) {
    if (!reads(request)) {
      auto refusal = error_response(405, "the page is read by GET");
      refusal.headers.emplace_back("Allow", "GET, HEAD");
      return refusal;
    }
    return static_file(request, percent_decoded(path));
  }
  std::string allowed;
  for (const auto& route : routes) {
    auto names = matched(route.pattern, path);
    if (!names) continue;
    const bool same = request.method == route.method || (route.method == "GET" && reads(request));
    if (!same) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", route.method);
      continue;
    }
    const Query query(query_of(request.target));
    if (route.method == "POST" && route.json) {
      require_json(request);
      query.finish();  // all that is wanted stands in the body
    }
    return route.answer(Call{request, store_, jobs_, std::move(*names), query});
  }
  const bool fixed =
      path == "/v1" || path == "/v1/health" || path == "/v1/metrics" || path == "/v1/openapi.json";
  if (fixed && !reads(request)) allowed = "GET, HEAD";
  if (!allowed.empty()) {
    auto refusal = error_response(405, fmt::format("{} is wanted here", allowed));
    refusal.headers.emplace_back("Allow", allowed);
    return refusal;
  }
  if (path == "/v1") return index();
  if (path == "/v1/health") return health();
  if (path == "/v1/metrics") return metrics();
  if (path == "/v1/openapi.json") return openapi_file(request);
  throw HttpError(
      404, fmt::format("nothing at {}: /v1/openapi.json says what there is", json_text(path)));
}

Response Api::index() const {
  Json models = Json::array();
  bool learn = false;
  for (const auto& name : store_.names()) {
    models.push_back(
        entry_json(*store_.find(name), store_.learns(name), store_.data_of(name) != nullptr));
    learn = learn || store_.learns(name);
  }
  return json_response(home_json(std::move(models), learn));
}

Response Api::health() const {
  Json json = {{"status", "ok"}};
  for (const auto& [name, problem] : store_.problems()) json["problems"][name] = problem;
  return json_response(json);
}

void Api::count(const Request&, int status, double seconds) {
  constexpr auto relaxed = std::memory_order_relaxed;
  if (status >= 0 && status < static_cast<int>(by_status_.size())) {
    by_status_[static_cast<std::size_t>(status)].fetch_add(1, relaxed);
  }
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), seconds) - bounds_.begin();
  by_time_[static_cast<std::size_t>(bucket)].fetch_add(1, relaxed);
  microseconds_.fetch_add(static_cast<std::uint64_t>(seconds * 1e6), relaxed);
}

Response Api::metrics() const {
  std::string text = "# TYPE credence_requests_total counter\n";
  for (std::size_t status = 0; status < by_status_.size(); ++status) {
    if (by_status_[status] == 0) continue;
    text += fmt::format("credence_requests_total{{status=\"{}\"}} {}\n", status,
                        by_status_[status].load());
  }
  text += "# TYPE credence_request_seconds histogram\n";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < by_time_.size(); ++i) {
    sum += by_time_[i];
    text += fmt::format("credence_request_seconds_bucket{{le=\"{}\"}} {}\n",
                        i < bounds_.size() ? fmt::format("{}", bounds_[i]) : "+Inf", sum);
  }
  text += fmt::format("credence_request_seconds_sum {}\ncredence_request_seconds_count {}\n",
                      static_cast<double>(microseconds_.load()) / 1e6, sum);
  text += "# TYPE credence_model_version gauge\n";
  for (const auto& name : store_.names()) {
    text += fmt::format("credence_model_version{{model={}}} {}\n", json_text(name),
                        store_.find(name)->version());
  }
  const auto up = std::chrono::steady_clock::now() - since_;
  text += fmt::format("# TYPE credence_up_seconds counter\ncredence_up_seconds {:.0f}\n",
                      std::chrono::duration<double>(up).count());
  Response response;
  response.type = "text/plain; version=0.0.4";
  response.body = std::move(text);
  return response;
}

}  // namespace credence::serve
