// SPDX-License-Identifier: Apache-2.0
// Requests to a server, as the bytes that come through a connection.
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "core/ordered_json.hpp"
#include "fuzz/fuzz.hpp"
#include "serve/api/api.hpp"
#include "serve/http/guard.hpp"
#include "serve/http/header.hpp"
#include "serve/models/jobs.hpp"

namespace credence::fuzz {
namespace {

namespace http = boost::beast::http;

struct Served {
  serve::ModelStore store{[](const std::string&) {}};
  serve::Jobs jobs{store, {}};
  serve::Api api{store, jobs};
  serve::Guard guard{"127.0.0.1", ""};

  Served() { store.put("m", mixed_model()); }
};

void require_answer(const serve::Response& response) {
  require(response.status >= 200 && response.status < 600, "a status");
  require(response.status != 500, "no mistake of our own");
  if (response.type == "application/json" && response.lasting.empty() && !response.body.empty()) {
    require(OrderedJson::accept(response.body), "JSON");
  }
  if (!response.next) return;
  std::string piece;
  while (response.next(piece)) piece.clear();
}

const Registered http_target{"http", [](std::string_view bytes) {
                               static Served served;
                               // Fitting starts processes, which are not watched here.
                               if (bytes.find("/v1/fit") != bytes.npos) return;
                               http::request_parser<http::string_body> parser;
                               parser.eager(true);
                               parser.header_limit(16 << 10);
                               parser.body_limit(std::size_t{1} << 20);
                               boost::system::error_code error;
                               parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
                               if (!parser.is_header_done()) return;
                               serve::Request request;
                               serve::take_header(parser.get(), request);
                               if (const auto welcome = served.guard.welcome(request))
                                 return require_answer(*welcome);
                               if (const auto refusal = served.guard.refusal(request))
                                 return require_answer(*refusal);
                               if (!parser.is_done()) return;
                               request.body = parser.get().body();
                               (void)served.api.is_quick(request);
                               require_answer(served.api.answer(request));
                             }};

}  // namespace
}  // namespace credence::fuzz
