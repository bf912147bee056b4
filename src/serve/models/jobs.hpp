// SPDX-License-Identifier: Apache-2.0
// Models fitted to tables that are sent. Each is fitted by a process of its own, the same program
// as on the command line: it can be ended at any time, and takes nobody's memory with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "answers/json.hpp"
#include "serve/models/store.hpp"

namespace credence::serve {

struct FitRequest {
  std::string csv;
  std::string target;  // "": describe the columns instead
  std::string name;    // of the model; "": any
  bool best = false;
};

class Jobs {
 public:
  Jobs(ModelStore& store, std::string program) : store_(store), program_(std::move(program)) {}
  ~Jobs();  // ends those that run

  // What the columns hold, as `describe` says it.
  Json describe(const FitRequest& request) const;
  // The job's name. Throws an HttpError 429 where too many are running.
  std::string start(FitRequest request);
  Json state(const std::string& id) const;  // throws an HttpError 404
  void cancel(const std::string& id);

 private:
  struct Job {
    std::string id;
    FitRequest request;
    std::string state = "running", message = {}, command = {}, model = {};
    pid_t process = 0;
    bool cancelled = false;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::thread thread = {};
  };
  void work(Job& job);
  Job& find(const std::string& id) const;

  ModelStore& store_;
  std::string program_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::size_t begun_ = 0;
};

}  // namespace credence::serve
