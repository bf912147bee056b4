// SPDX-License-Identifier: Apache-2.0
// What was done to a model, row by row, in a file beside it. What stands here has been done, and is
// done again at the next start unless the model file holds it already.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "serve/journal/sqlite.hpp"

namespace credence::serve {

struct JournalChange {
  std::uint64_t version = 0;
  std::string kind;            // "update", "forget" or "undo", for people
  bool adds = true;            // else its rows are taken away
  double rows = 0, total = 0;  // of the change, and of the model after it
  double weight = 1;           // of every row
  std::string time, key;       // no key: ""
  std::uint64_t undoes = 0;    // the change that this one takes back; 0: none
  std::uint64_t undone = 0;    // the change that took this one back; 0: none
  std::string body = {};       // the rows, a JSON array
};

class Journal {
 public:
  // base: the fingerprint of the model, as it is when the journal is begun.
  Journal(const std::string& path, const std::string& base);

  const std::string& id() const { return id_; }      // of this journal and no other
  const std::string& base() const { return base_; }  // of the model when it was begun
  std::uint64_t last();

  // All that is put in between is there after commit() has returned, or none of it.
  void begin();
  void put(const JournalChange& change);
  void commit();
  void roll_back();

  std::optional<JournalChange> with_key(const std::string& key);
  std::optional<JournalChange> at(std::uint64_t version);
  // The last that was not taken back and takes back none.
  std::optional<JournalChange> last_standing();
  std::vector<JournalChange> after(std::uint64_t version);
  // The newest first, without their rows.
  std::vector<JournalChange> listed(std::size_t most);

 private:
  std::vector<JournalChange> select(const std::string& condition,
                                    const std::vector<SqlValue>& values, bool bodies = true);

  std::mutex mutex_;
  Database database_;
  std::string id_, base_;
};

}  // namespace credence::serve
