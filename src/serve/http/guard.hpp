// SPDX-License-Identifier: Apache-2.0
// Who may ask. A page of another site that a browser shows can send requests to this machine, by
// its own name (the foreign Origin) or by a name that it makes lead here (the foreign Host).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/http/message.hpp"

namespace credence::serve {

class Guard {
 public:
  // host: what the server listens at; token: what requests must bring, "": nothing.
  Guard(std::string host, std::string token);

  // The refusal of a request, or nothing.
  std::optional<Response> refusal(const Request& request) const;
  // Where a page was asked for with ?token=…: the answer that makes the browser remember it.
  std::optional<Response> welcome(const Request& request) const;

 private:
  bool names_us(std::string_view host) const;
  bool brings_token(const Request& request) const;

  std::string host_, token_;
  bool loopback_;
};

// Whether an address is reached from this machine alone.
bool is_loopback(std::string_view host);

}  // namespace credence::serve
