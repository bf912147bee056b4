// SPDX-License-Identifier: Apache-2.0
// A folder of documents: every file is a row, every subfolder a class.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>

#include "core/crew.hpp"
#include "core/text.hpp"
#include "credence/error.hpp"
#include "data/documents.hpp"
#include "core/utf8.hpp"

namespace credence::data {
namespace {

// Enough for threads to share out, few enough to be merged at little cost; fewer towards the end,
// so that all threads end at about the same time.
std::size_t files_of_chunk(std::size_t left) {
  return std::min(left, std::clamp<std::size_t>(left / 4, 64, 512));
}
constexpr std::uint64_t largest_file = std::uint64_t{1} << 31;

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::data, path + ": cannot be read: " + why);
}

// Reads files, mostly of one folder after the other: the way to a folder is walked once, and the
// memory is used again.
class FileReader {
 public:
  FileReader() : room_(std::size_t{1} << 16) {}
  ~FileReader() { leave_folder(); }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  // To be looked at until the next one is read.
  std::string_view operator()(const std::string& path);

 private:
  int open(const std::string& path);
  void leave_folder() {
    if (folder_ >= 0) ::close(folder_);
    folder_ = -1;
  }

  std::vector<char> room_;
  std::string prefix_;  // of the folder's files, up to the last slash
  int folder_ = -1;     // below 0: none
};

int FileReader::open(const std::string& path) {
  constexpr int flags = O_RDONLY | O_CLOEXEC;
  const std::size_t name = path.rfind('/') + 1;
  if (folder_ < 0 || path.compare(0, name, prefix_) != 0) {
    leave_folder();
    prefix_ = path.substr(0, name);
#ifdef O_PATH
    constexpr int only_a_place = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
    constexpr int only_a_place = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif
    if (name > 0) folder_ = ::open(prefix_.c_str(), only_a_place);
  }
  return folder_ < 0 ? ::open(path.c_str(), flags) : ::openat(folder_, path.c_str() + name, flags);
}

// Most files are small: a read that does not fill the room has reached the end, so that opening,
// reading and closing are one call to the system each.
std::string_view FileReader::operator()(const std::string& path) {
  const int file = open(path);
  if (file < 0) cannot_read(path, std::strerror(errno));
  auto& room = room_;
  std::size_t filled = 0;
  std::string problem;
  while (problem.empty()) {
    const std::size_t space = room.size() - filled;
    const auto got = ::read(file, room.data() + filled, space);
    if (got < 0) problem = std::strerror(errno);
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
    if (static_cast<std::size_t>(got) < space) break;
    if (room.size() >= largest_file) {
      problem = "larger than 2 GB";
    } else {
      room.resize(2 * room.size());
    }
  }
  ::close(file);
  if (!problem.empty()) cannot_read(path, problem);
  return {room.data(), filled};
}

struct File {
  std::string path;
  std::size_t label;  // place among the labels; all of them: none
};

struct Entry {
  std::string name;
  bool is_folder;
};

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

[[noreturn]] void cannot_list(const std::string& path, int error) {
  // A folder that holds itself has a name without end.
  cannot_read(path.size() > 200 ? path.substr(0, 60) + "…" : path, std::strerror(error));
}

// What stands behind a link, or where the folder does not say what its entries are. A link to
// nothing is a file, which then cannot be read.
unsigned char type_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return static_cast<unsigned char>(IFTODT(status.st_mode));
  if (errno != ENOENT && errno != ENOTDIR) cannot_list(path, errno);
  return DT_REG;
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// In the order of their names. Hidden files are not meant, and reading a pipe or a device might
// never end. Read by hand, as a path object for every file takes longer than the folder itself.
std::vector<Entry> entries_of(const std::string& folder, std::vector<std::string>& notes) {
  const std::unique_ptr<DIR, CloseFolder> listing(::opendir(folder.c_str()));
  if (!listing) cannot_list(folder, errno);
  std::vector<Entry> entries;
  errno = 0;
  while (const dirent* entry = ::readdir(listing.get())) {
    if (entry->d_name[0] == '.') continue;
    std::string name = entry->d_name;
    auto type = entry->d_type;
    if (type == DT_LNK || type == DT_UNKNOWN) type = type_of(path_in(folder, name));
    if (type == DT_REG || type == DT_DIR) {
      entries.push_back({std::move(name), type == DT_DIR});
    } else {
      notes.push_back(path_in(folder, name) + ": neither a file nor a folder, left out");
    }
    errno = 0;
  }
  if (errno != 0) cannot_list(folder, errno);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

void collect(const std::string& folder, std::size_t label, std::vector<File>& files,
             std::vector<std::string>& notes) {
  for (const auto& [name, is_folder] : entries_of(folder, notes)) {
    if (is_folder) {
      collect(path_in(folder, name), label, files, notes);
    } else {
      files.push_back({path_in(folder, name), label});
    }
  }
}

class FolderSource final : public Source {
 public:
  FolderSource(std::string path, const ReadOptions& options)
      : path_(std::move(path)), columns_(options.format == FileFormat::mail) {
    list();
    if (files_.empty()) throw Error(ErrorKind::data, path_ + ": no files in this folder");
    profile_ = columns_.profile(files_.size(), labels_.size());
  }

  const std::vector<ColumnProfile>& profile() const override { return profile_; }
  std::string default_target() const override { return "label"; }

  void select(const Schema& schema, bool training) override {
    if (training && labels_.empty()) {
      throw Error(ErrorKind::data,
                  path_ + ": no subfolders; each class is a subfolder with its documents in it");
    }
    training_ = training;
    selection_ = columns_.select(path_, schema, training);
    if (training) std::erase_if(files_, [&](const File& file) { return outside(file); });
  }

  bool read(RawChunk& raw) override {
    if (next_ >= files_.size()) return false;
    raw = {"", 0, next_, files_of_chunk(files_.size() - next_)};
    next_ += raw.rows;
    return true;
  }

  Chunk parse(const RawChunk& raw) const override {
    ChunkBuilder builder(selection_, path_, raw.rows);
    FileReader read_file;
    std::string utf8;
    std::uint64_t total = 0;
    for (std::size_t i = raw.first_line; i < raw.first_line + raw.rows; ++i) {
      const File& file = files_[i];
      const std::string_view raw_bytes = read_file(file.path);
      total += raw_bytes.size();
      const std::string_view bytes = without_utf16(raw_bytes, utf8);
      const bool binary = looks_binary(bytes);
      if (binary) leave_out(file.path);
      if (binary && training_) continue;
      columns_.add_row({bytes, outside(file) ? std::string_view() : labels_[file.label], !binary},
                       i + 1, selection_, builder);
    }
    bytes_read_ += total;
    return builder.finish();
  }

  std::vector<std::string> notes() const override {
    auto result = notes_;
    const std::lock_guard lock(mutex_);
    if (!binary_.empty()) {
      auto sorted = binary_;
      std::sort(sorted.begin(), sorted.end());
      const std::size_t count = sorted.size();
      if (count > 3) sorted.resize(3);
      result.push_back(fmt::format("{} file{} not text, {}: {}{}", count,
                                   count == 1 ? " is" : "s are",
                                   training_ ? "left out" : "their columns are missing",
                                   join(sorted, ", "), count > 3 ? ", …" : ""));
    }
    return result;
  }

  bool names_rows() const override { return true; }
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    std::vector<std::string> names;
    for (std::size_t i = raw.first_line; i < raw.first_line + raw.rows; ++i) {
      names.push_back(files_[i].path);
    }
    return names;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  bool outside(const File& file) const { return file.label == labels_.size(); }

  // Each subfolder by itself, several at a time.
  void list() {
    struct Listing {
      std::vector<File> files;
      std::vector<std::string> notes;
      std::exception_ptr error;
    };
    const auto entries = entries_of(path_, notes_);
    std::vector<Listing> listings(entries.size());
    std::atomic<std::size_t> next = 0;
    run_crew(
        std::min(usable_cores(), static_cast<unsigned>(std::min<std::size_t>(entries.size(), 64))),
        [&] {
          for (std::size_t i = next++; i < entries.size(); i = next++) {
            if (!entries[i].is_folder) continue;
            try {
              collect(path_in(path_, entries[i].name), 0, listings[i].files, listings[i].notes);
            } catch (...) {
              listings[i].error = std::current_exception();
            }
          }
        });
    std::vector<File> loose;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      auto& [files, notes, error] = listings[i];
      if (error) std::rethrow_exception(error);
      const std::string path = path_in(path_, entries[i].name);
      if (!entries[i].is_folder) {
        loose.push_back({path, 0});
        continue;
      }
      notes_.insert(notes_.end(), notes.begin(), notes.end());
      if (files.empty()) {
        notes_.push_back(fmt::format("{}: an empty folder, no class", path));
        continue;
      }
      for (auto& file : files) files_.push_back({std::move(file.path), labels_.size()});
      labels_.push_back(entries[i].name);
    }
    for (auto& file : loose) {
      file.label = labels_.size();
      files_.push_back(std::move(file));
    }
    if (!labels_.empty() && !loose.empty()) {
      notes_.push_back(fmt::format("{} file{} of {} in no class folder", loose.size(),
                                   loose.size() == 1 ? "" : "s", path_));
    }
  }

  void leave_out(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    binary_.push_back(path);
  }

  std::string path_;
  DocumentColumns columns_;
  std::vector<std::string> labels_, notes_;
  std::vector<File> files_;
  std::vector<ColumnProfile> profile_;
  Selection selection_{{}, MissingTokens({})};
  bool training_ = false;
  std::size_t next_ = 0;
  mutable std::atomic<std::uint64_t> bytes_read_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> binary_;
};

}  // namespace

std::unique_ptr<Source> open_folder(const std::string& path, const ReadOptions& options) {
  return std::make_unique<FolderSource>(path, options);
}

}  // namespace credence::data
