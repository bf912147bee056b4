// SPDX-License-Identifier: Apache-2.0
// A request and its answer, as the parts of the server see them that know nothing of sockets.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence::serve {

// What went wrong, as a status and a line for people.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

struct Request {
  std::string method;
  std::string target;  // as it came: path and query
  std::string body;
  std::string content_type;
  std::string host, origin;
  std::string authorization, cookie;
  std::string if_none_match, accept_encoding;
  std::string idempotency_key;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // besides those of every answer
  // Makes the next piece of a body that is sent as it is made; false: there is none.
  std::function<bool(std::string&)> next = {};
  // A body that outlives the answer, in the place of `body`.
  std::string_view lasting = {};
};

// {"error":{"message":…,"status":…}}
Response error_response(int status, std::string_view message);
// A text between quotes, as JSON writes it. What is no UTF-8 is replaced.
std::string json_text(std::string_view text);

// Who answers. Both are called from any thread.
class Handler {
 public:
  virtual ~Handler() = default;
  // Whether answer() takes so little time that whoever reads requests may call it.
  virtual bool is_quick(const Request& request) const = 0;
  // Throws nothing.
  virtual Response answer(const Request& request) = 0;
  // How the answers went.
  virtual void count(const Request& request, int status, double seconds) = 0;
};

}  // namespace credence::serve
