// SPDX-License-Identifier: Apache-2.0
#include "serve/http/guard.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/strings.hpp"

namespace credence::serve {
namespace {

constexpr std::string_view cookie_name = "credence-token=";

// "localhost:8080" -> "localhost", "[::1]:8080" -> "[::1]".
std::string_view without_port(std::string_view host) {
  const auto bracket = host.rfind(']');
  const auto colon = host.rfind(':');
  if (colon == host.npos || (bracket != host.npos && colon < bracket)) return host;
  return host.substr(0, colon);
}

// Takes as long for every guess, so that no guess is told from a better one.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

std::string_view cookie_token(std::string_view cookies) {
  while (!cookies.empty()) {
    const auto end = cookies.find(';');
    const auto one = trim(cookies.substr(0, end));
    if (one.starts_with(cookie_name)) return one.substr(cookie_name.size());
    if (end == cookies.npos) break;
    cookies.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

bool is_loopback(std::string_view host) {
  if (equal_ignoring_case(host, "localhost") || host == "::1" || host == "[::1]") return true;
  // An address, not a name that begins like one: somebody else may own 127.example.com.
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         ntohl(address.s_addr) >> 24 == 127;
}

Guard::Guard(std::string host, std::string token)
    : host_(std::move(host)), token_(std::move(token)), loopback_(is_loopback(host_)) {}

bool Guard::names_us(std::string_view host) const {
  const auto name = without_port(host);
  return is_loopback(name) || equal_ignoring_case(name, host_);
}

bool Guard::brings_token(const Request& request) const {
  constexpr std::string_view bearer = "Bearer ";
  const std::string_view given = request.authorization;
  if (given.size() > bearer.size() && equal_ignoring_case(given.substr(0, bearer.size()), bearer)) {
    return same(given.substr(bearer.size()), token_);
  }
  return same(cookie_token(request.cookie), token_);
}

std::optional<Response> Guard::refusal(const Request& request) const {
  if (request.host.empty()) return error_response(400, "the request has no Host, or several");
  // Whoever has the token is no stranger, whatever name the server goes by.
  if (token_.empty() && !names_us(request.host)) {
    return error_response(
        403, fmt::format("Host {}: this server answers to localhost", json_text(request.host)));
  }
  if (!request.origin.empty()) {
    std::string_view from = request.origin;
    for (const std::string_view scheme : {"http://", "https://"}) {
      if (from.starts_with(scheme)) from.remove_prefix(scheme.size());
    }
    if (!equal_ignoring_case(from, request.host)) {
      return error_response(403, fmt::format("Origin {}: pages of other sites get no answers here",
                                             json_text(request.origin)));
    }
  }
  // The page itself is the same for everybody: it holds nothing of a model, and asks with a token.
  const bool asks = request.target.starts_with("/v1");
  if (asks && !token_.empty() && !brings_token(request)) {
    return error_response(403, "the token is missing or wrong (send it as Authorization: Bearer)");
  }
  return std::nullopt;
}

std::optional<Response> Guard::welcome(const Request& request) const {
  const auto mark = request.target.find('?');
  if (token_.empty() || mark == std::string::npos || request.method != "GET") return std::nullopt;
  std::string rest;
  bool welcome = false;
  for (const auto& one : split(std::string_view(request.target).substr(mark + 1), '&')) {
    constexpr std::string_view name = "token=";
    if (one.starts_with(name) && same(std::string_view(one).substr(name.size()), token_)) {
      welcome = true;
    } else {
      rest += (rest.empty() ? "?" : "&") + std::string(one);
    }
  }
  if (!welcome) return std::nullopt;
  Response response;
  response.status = 303;
  // Two slashes at the beginning would lead to another site.
  const auto slashes = std::min(request.target.find_first_not_of('/'), mark);
  response.headers.emplace_back("Location",
                                "/" + request.target.substr(slashes, mark - slashes) + rest);
  response.headers.emplace_back(
      "Set-Cookie", fmt::format("{}{}; Path=/; HttpOnly; SameSite=Strict", cookie_name, token_));
  return response;
}

}  // namespace credence::serve
