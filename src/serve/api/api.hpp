// SPDX-License-Identifier: Apache-2.0
// Which request is answered by what, and how it went.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "serve/api/call.hpp"
#include "serve/http/message.hpp"
#include "serve/models/store.hpp"

namespace credence::serve {

class Api : public Handler {
 public:
  Api(ModelStore& store, Jobs& jobs) : store_(store), jobs_(jobs) {}

  bool is_quick(const Request& request) const override;
  Response answer(const Request& request) override;
  void count(const Request& request, int status, double seconds) override;

 private:
  Response route(const Request& request);
  Response index() const;
  Response health() const;
  Response metrics() const;

  ModelStore& store_;
  Jobs& jobs_;
  static constexpr std::array<double, 7> bounds_ = {0.0005, 0.001, 0.005, 0.01, 0.1, 1, 10};
  std::array<std::atomic<std::uint64_t>, 600> by_status_{};
  std::array<std::atomic<std::uint64_t>, 8> by_time_{};
  std::atomic<std::uint64_t> microseconds_{0};
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace credence::serve
