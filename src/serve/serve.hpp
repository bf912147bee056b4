// SPDX-License-Identifier: Apache-2.0
// A server of models: what the command line starts.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "serve/http/server.hpp"

namespace credence::serve {

struct ServeOptions {
  std::vector<std::pair<std::string, std::string>> models;  // name, path
  std::vector<std::string> data;                            // rows to judge them by
  std::string token;
  bool learn = false;   // rows may be added and taken out
  std::string program;  // that fits models: this one
  ServerOptions server;
};

// Answers until it is told to stop. log: hears of every change, a line at a time, from any thread;
// ready: hears the address once requests are answered.
void serve(const ServeOptions& options, const std::function<void(const std::string&)>& log,
           const std::function<void(const std::string&)>& ready);

}  // namespace credence::serve
