// SPDX-License-Identifier: Apache-2.0
// The models that a server answers for, by name.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "credence/source.hpp"
#include "serve/models/learner.hpp"
#include "serve/models/snapshot.hpp"

namespace credence::serve {

// Rows to judge models by, as one of them reads them.
struct DataRows {
  std::vector<Chunk> chunks;
  // Of each chunk the documents of its columns of text, as they were before they were cut into
  // words: so many columns as the chunk has, without codes where there are none. Empty where they
  // cannot be shown.
  std::vector<std::vector<Categories>> texts = {};
  std::size_t rows = 0;

  // The chunk that holds a row, and its place there.
  std::pair<const Chunk*, std::size_t> at(std::size_t row) const;
  // The document in a column of a row of a chunk; null: there is none.
  const std::string* text(std::size_t chunk, std::size_t column, std::size_t row) const;
};

class ModelStore {
 public:
  // log: hears, a line at a time, what becomes of the files.
  explicit ModelStore(std::function<void(const std::string&)> log) : log_(std::move(log)) {}

  // Reads a model file, or one that learns; throws what reading it throws.
  void open(const std::string& name, const std::string& path, bool learns = false);
  // A model that has no file; `hidden` ones are found by their name alone. Throws an HttpError 409
  // where the name is that of a file, and 429 where there are too many.
  void put(const std::string& name, Model model, bool hidden = false);
  // Throws what put() would throw for the name, before there is a model.
  void require_free(const std::string& name) const;
  // Rows for every model that can read them.
  void use_data(const std::vector<std::string>& paths);

  // By name; "default": the only one. Throws an HttpError 404.
  std::shared_ptr<const Snapshot> find(const std::string& name) const;
  // As it was after a change; a few of the last are kept.
  std::shared_ptr<const Snapshot> find(const std::string& name, std::uint64_t version) const;
  // Throws an HttpError 403 where the model does not learn.
  std::shared_ptr<Learner> learner(const std::string& name) const;
  bool learns(const std::string& name) const;
  std::shared_ptr<const DataRows> data_of(const std::string& name) const;  // or null
  std::vector<std::string> names() const;
  // Of the models whose file cannot be read any more: why. They answer as they did before.
  std::vector<std::pair<std::string, std::string>> problems() const;

  // To be called every second: reads files anew that others have taken the place of, and lets
  // models that learn write theirs.
  void tick();

 private:
  struct FileMark {
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t size = 0, node = 0;
    bool operator==(const FileMark&) const = default;
  };
  struct Entry {
    std::string name, path;  // no path: it has no file
    FileMark mark;
    std::shared_ptr<const Snapshot> now;
    std::shared_ptr<const DataRows> data = {};
    std::string problem = {};
    std::shared_ptr<Learner> learner = {};
    std::vector<std::shared_ptr<const Snapshot>> past = {};  // the first, and the last few
    bool hidden = false;
  };
  static FileMark mark_of(const std::string& path);
  void refuse_file_name(const std::string& name) const;  // locked by the caller
  const Entry& entry(const std::string& name) const;
  void publish(const std::string& name, std::shared_ptr<const Snapshot> snapshot);
  void read_data(Entry& entry) const;
  // The same; a model that cannot read the rows has none. What is in the way, or null.
  std::exception_ptr judge_by_data(Entry& entry) const;

  std::function<void(const std::string&)> log_;
  mutable std::shared_mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<std::string> data_;
};

}  // namespace credence::serve
