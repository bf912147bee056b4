// SPDX-License-Identifier: Apache-2.0
// What the server takes from the header of a request.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <string>

#include "serve/http/message.hpp"

namespace credence::serve {

// Everything but the body, which is empty afterwards.
template <class Body>
void take_header(const boost::beast::http::request<Body>& header, Request& request) {
  using boost::beast::http::field;
  const auto copy = [](const auto& text) { return std::string(text.data(), text.size()); };
  request.method = copy(header.method_string());
  request.target = copy(header.target());
  request.content_type = copy(header[field::content_type]);
  // Of two names nobody knows which one was meant: it is as if there were none.
  request.host = header.count(field::host) == 1 ? copy(header[field::host]) : "";
  request.origin = copy(header[field::origin]);
  request.authorization = copy(header[field::authorization]);
  request.cookie = copy(header[field::cookie]);
  request.if_none_match = copy(header[field::if_none_match]);
  request.accept_encoding = copy(header[field::accept_encoding]);
  request.idempotency_key = copy(header["Idempotency-Key"]);
  request.body.clear();
}

}  // namespace credence::serve
