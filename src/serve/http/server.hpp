// SPDX-License-Identifier: Apache-2.0
// The server of HTTP: connections, their limits, and who does the work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "serve/http/guard.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {

struct Limits {
  std::size_t body = std::size_t{64} << 20;  // bytes of a request
  std::size_t connections = 16384;
  std::size_t waiting = 256;         // requests that wait for somebody to work on them
  std::chrono::seconds request{30};  // until all of a request is here, or an answer is taken
  std::chrono::seconds idle{75};     // between requests
  std::chrono::seconds work{300};    // on one answer
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any that is free
  unsigned threads = 0;       // 0: one for every core
  Limits limits = {};
};

class Server {
 public:
  // Listens from here on; throws Error where it cannot. The handler must outlive the server.
  Server(const ServerOptions& options, Guard guard, Handler& handler);
  ~Server();

  std::uint16_t port() const;
  // Called once every second while the server runs, off the threads that read requests.
  void each_second(std::function<void()> task);
  // Answers until SIGINT or SIGTERM comes, or stop() is called; requests that have come by then are
  // still answered.
  void run();
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace credence::serve
