// SPDX-License-Identifier: Apache-2.0
// A folder of documents: every file is a row, every subfolder a class.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "bytes/files.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "parallel/parallel.hpp"

namespace credence::data {
namespace {

// Enough for threads to share out, few enough to be merged at little cost; fewer towards the end,
// so that all threads end at about the same time.
std::size_t files_of_chunk(std::size_t left) {
  return std::min(left, std::clamp<std::size_t>(left / 4, 64, 512));
}

struct File {
  std::string path;
  std::size_t label;  // place among the labels; all of them: none
};

class FolderSource final : public DocumentSource {
 public:
  FolderSource(const std::string& path, bool mail) : DocumentSource(path, mail, false) {
    list();
    if (files_.empty()) throw Error(ErrorKind::data, path + ": no files in this folder");
    profile_ = DocumentColumns::profile(mail, files_.size(), labels_.size());
  }

  void select(const Schema& schema, bool training) override {
    if (training && labels_.empty()) {
      throw Error(ErrorKind::data,
                  name_ + ": no subfolders; each class is a subfolder with its documents in it");
    }
    DocumentSource::select(schema, training);
    if (training) std::erase_if(files_, [&](const File& file) { return outside(file); });
  }

  bool read(RawChunk& raw) override {
    if (next_ >= files_.size()) return false;
    raw = {"", 0, next_ + 1, files_of_chunk(files_.size() - next_)};
    next_ += raw.rows;
    return true;
  }

  std::vector<std::string> row_names(const RawChunk& raw) const override {
    std::vector<std::string> names;
    for (std::size_t r = 0; r < raw.rows; ++r) names.push_back(file(raw, r).path);
    return names;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  const File& file(const RawChunk& raw, std::size_t row) const {
    return files_[raw.first_line - 1 + row];
  }
  bool outside(const File& file) const { return file.label == labels_.size(); }

  void each_document(const RawChunk& raw, const Use& use) const override {
    FileReader read_file;
    std::uint64_t total = 0;
    for (std::size_t r = 0; r < raw.rows; ++r) {
      const auto bytes = read_file(file(raw, r).path);
      total += bytes.size();
      use(bytes, outside(file(raw, r)) ? std::string_view() : labels_[file(raw, r).label]);
    }
    bytes_read_ += total;
  }

  // Each subfolder by itself, several at a time.
  void list() {
    struct Listing {
      std::vector<std::string> files, notes;
    };
    const auto entries = entries_of(name_, notes_);
    std::vector<Listing> listings(entries.size());
    parallel_for(0, entries.size(), [&](std::size_t i) {
      const auto path = path_in(name_, entries[i].name);
      if (entries[i].is_folder) collect_files(path, listings[i].files, listings[i].notes);
    });
    std::vector<std::string> loose;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string path = path_in(name_, entries[i].name);
      notes_.insert(notes_.end(), listings[i].notes.begin(), listings[i].notes.end());
      if (!entries[i].is_folder) {
        loose.push_back(path);
      } else if (listings[i].files.empty()) {
        notes_.push_back(fmt::format("{}: an empty folder, no class", path));
      } else {
        for (auto& file : listings[i].files) files_.push_back({std::move(file), labels_.size()});
        labels_.push_back(entries[i].name);
      }
    }
    for (auto& path : loose) files_.push_back({std::move(path), labels_.size()});
    if (!labels_.empty() && !loose.empty()) {
      notes_.push_back(fmt::format("{} file{} of {} in no class folder", loose.size(),
                                   loose.size() == 1 ? "" : "s", name_));
    }
  }

  std::vector<std::string> labels_;
  std::vector<File> files_;
  std::size_t next_ = 0;
  mutable std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_folder(const std::string& path, const ReadOptions& options) {
  return std::make_unique<FolderSource>(path, options.format == FileFormat::mail);
}

}  // namespace credence::data
