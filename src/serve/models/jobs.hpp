// SPDX-License-Identifier: Apache-2.0
// Models fitted to tables that are sent. Each is fitted by a process of its own, the same program
// as on the command line: it can be ended at any time, and takes nobody's memory with it.
#pragma once

#include <sys/types.h>

#include <functional>
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

// What is run, told by who knows its options: programs with their arguments.
struct FitProgram {
  using Command = std::vector<std::string>;
  // Prints what the columns of a table hold, as JSON.
  std::function<Command(const std::string& table)> describe;
  // Writes a model. Tells on stderr how far it is, as lines of JSON among others:
  // {"progress":{"what":"learning","done":5,"total":10,"unit":"bytes"}}
  std::function<Command(const std::string& table, const std::string& target, bool best,
                        const std::string& model)>
      fit;
  // The same as a person types it.
  std::function<std::string(const std::string& target, bool best)> typed;
};

class Jobs {
 public:
  Jobs(ModelStore& store, FitProgram program) : store_(store), program_(std::move(program)) {}
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
    Json progress = {};  // as the process told it last: what, done, total, unit
    pid_t process = 0;
    bool cancelled = false;
    std::thread thread = {};
  };
  void work(Job& job);
  Job& find(const std::string& id) const;

  ModelStore& store_;
  FitProgram program_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::size_t begun_ = 0;
};

}  // namespace credence::serve
