// SPDX-License-Identifier: Apache-2.0
#include "serve/http/message.hpp"

#include <fmt/format.h>

#include "core/ordered_json.hpp"

namespace credence::serve {

std::string json_text(std::string_view text) {
  return OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Response error_response(int status, std::string_view message) {
  Response response;
  response.status = status;
  response.body =
      fmt::format("{{\"error\":{{\"message\":{},\"status\":{}}}}}", json_text(message), status);
  return response;
}

}  // namespace credence::serve
