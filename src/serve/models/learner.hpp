// SPDX-License-Identifier: Apache-2.0
// A model that learns while it answers: changes go through one thread, into the journal first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "credence/io.hpp"
#include "serve/journal/journal.hpp"
#include "serve/models/snapshot.hpp"

namespace credence::serve {

struct ChangeRequest {
  enum class Kind { update, forget, undo };
  Kind kind = Kind::update;
  std::string rows = "[]";    // a JSON array
  double weight = 1;          // of every row
  std::string key = {};       // of two requests with one key the second does nothing; "": none
  std::uint64_t version = 0;  // undo: of this change; 0: of the last
};

struct ChangeAnswer {
  std::uint64_t version = 0;
  double rows = 0;     // of the model now
  double applied = 0;  // rows of the change
  bool repeated = false;
};

// Whether a file holds counts of rows: models written by hand and logistic ones do not.
bool can_learn(const std::string& path);
// After rows have come or gone: a prior has a share for every class, and what was measured with
// other classes is dropped.
void settle(Model& model);

class Learner {
 public:
  using Publish = std::function<void(std::shared_ptr<const Snapshot>)>;
  using Log = std::function<void(const std::string&)>;

  // Locks the file until it is destroyed, reads it, and does again what only the journal has.
  // publish: hears of the model as it is after each change.
  Learner(std::string name, std::string path, Publish publish, Log log);
  // Writes the model file first, if it can.
  ~Learner();

  // Returns once the change is on the disk, and is seen by whoever asks from then on. Throws
  // HttpError or Error where it is refused, or cannot be written: then nothing has changed.
  ChangeAnswer change(ChangeRequest request);
  std::vector<JournalChange> changes(std::size_t most) { return journal_->listed(most); }
  // To be called every second: writes the model file when there is something new since a while.
  void tick();
  std::string problem() const;  // with the journal or the model file; "": none

 private:
  struct Waiting {
    ChangeRequest request;
    std::promise<ChangeAnswer> answer;
  };

  void replay();
  void run();
  void work_on(std::vector<Waiting>& batch);
  ChangeAnswer apply(const ChangeRequest& request);
  void find_undone(const ChangeRequest& request, JournalChange& change);
  void put(const JournalChange& change);
  Chunk rows_of(const JournalChange& change) const;
  void fold();
  void remember_journal(const std::string& problem);  // "": it can be written

  std::string name_, path_;
  Publish publish_;
  Log log_;
  ModelLock lock_;
  Model model_;
  std::unique_ptr<const data::JsonRows> reader_;
  std::unique_ptr<Journal> journal_;
  std::uint64_t version_ = 0, folded_ = 0;  // the last change, and the last in the model file
  double rows_since_ = 0;                   // of the changes in between
  std::chrono::steady_clock::time_point folded_at_ = std::chrono::steady_clock::now();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Waiting> waiting_;
  bool fold_wanted_ = false, stopping_ = false;
  std::string problem_, journal_problem_;
  std::thread thread_;
};

}  // namespace credence::serve
