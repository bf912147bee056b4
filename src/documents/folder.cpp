// SPDX-License-Identifier: Apache-2.0
// A folder of documents: every file is a row, every subfolder a class.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "bytes/files.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "mail/headers.hpp"
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
  std::size_t label;   // place among the labels; all of them: none
  std::size_t folder;  // place among the folders
};

// Mails are as a server stores them, which no other text looks like; posts have a subject and who
// wrote them.
DocumentKind kind_of(std::string_view head) {
  head.remove_prefix(text::envelope_size(head));
  if (!text::looks_like_mail(head)) return DocumentKind::plain;
  const auto headers = "\n" + ascii_lower(std::string(head.substr(0, head.find("\n\n"))));
  const auto has = [&](const char* name) { return headers.find(name) != headers.npos; };
  if (has("\nreceived:") || has("\nreturn-path:") || has("\ndelivered-to:")) {
    return DocumentKind::mail;
  }
  return has("\nsubject:") && has("\nfrom:") ? DocumentKind::post : DocumentKind::plain;
}

class FolderSource final : public DocumentSource {
 public:
  FolderSource(const std::vector<std::string>& paths, FileFormat format)
      : DocumentSource(join(paths, ", "),
                       format == FileFormat::mail ? DocumentKind::mail : DocumentKind::plain,
                       false) {
    list(paths);
    if (files_.empty()) {
      throw Error(ErrorKind::data, name_ + (paths.size() == 1 ? ": no files in this folder"
                                                              : ": no files in these folders"));
    }
    if (format == FileFormat::automatic) kind_ = kind_of_all();
    std::set<std::size_t> used;
    for (const auto& file : files_) used.insert(file.folder);
    profile_ = DocumentColumns::profile(kind_, files_.size(), labels_.size(), used.size());
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
      const auto& from = file(raw, r);
      use(bytes, {outside(from) ? std::string_view() : labels_[from.label], folders_[from.folder]});
    }
    bytes_read_ += total;
  }

  // By a few of them, from all over. Mails and posts side by side are posts.
  DocumentKind kind_of_all() const {
    constexpr std::size_t most = 20;
    FileReader read_file;
    DocumentReader document;
    auto result = DocumentKind::mail;
    for (std::size_t i = 0; i < std::min(most, files_.size()); ++i) {
      document.read(read_file(files_[i * files_.size() / std::min(most, files_.size())].path));
      if (!document.is_text()) return DocumentKind::plain;
      result = std::min(result, kind_of(document.text()));
    }
    return result;
  }

  void list(const std::vector<std::string>& paths) {
    std::vector<std::vector<FolderEntry>> entries;
    bool subfolders = false;
    for (const auto& path : paths) {
      for (const auto& entry : entries.emplace_back(entries_of(path, notes_))) {
        subfolders = subfolders || entry.is_folder;
      }
    }
    const bool are_classes = paths.size() > 1 && !subfolders;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      list_one(paths[i], entries[i], are_classes, paths.size() > 1);
    }
    // Those without a class come last.
    std::stable_partition(files_.begin(), files_.end(),
                          [](const File& file) { return file.label != no_label; });
    for (auto& file : files_) file.label = std::min(file.label, labels_.size());
  }

  // Each subfolder by itself, several at a time. The folder of a file is this one, where there are
  // several, or else the way to the file from its class.
  void list_one(const std::string& root, const std::vector<FolderEntry>& entries, bool is_class,
                bool one_of_many) {
    struct Listing {
      std::vector<std::string> files, notes;
    };
    std::vector<Listing> listings(entries.size());
    parallel_for(0, entries.size(), [&](std::size_t i) {
      const auto path = path_in(root, entries[i].name);
      if (entries[i].is_folder) collect_files(path, listings[i].files, listings[i].notes);
    });
    const auto trimmed_root = root.substr(0, root.find_last_not_of('/') + 1);
    const auto folder = [&](const std::string& way) {
      return place_of(one_of_many ? trimmed_root : way, folders_);
    };
    std::size_t loose = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string path = path_in(root, entries[i].name);
      notes_.insert(notes_.end(), listings[i].notes.begin(), listings[i].notes.end());
      if (!entries[i].is_folder) {
        const auto name = trimmed_root.substr(trimmed_root.rfind('/') + 1);
        files_.push_back({path, is_class ? place_of(name, labels_) : no_label, folder("")});
        loose += !is_class;
      } else if (listings[i].files.empty()) {
        notes_.push_back(fmt::format("{}: an empty folder, no class", path));
      } else {
        const auto label = place_of(entries[i].name, labels_);
        for (auto& file : listings[i].files) {
          const auto end = file.rfind('/');
          const auto way = end > path.size() ? file.substr(path.size() + 1, end - path.size() - 1)
                                             : std::string();
          files_.push_back({std::move(file), label, folder(way)});
        }
      }
    }
    if (!labels_.empty() && loose > 0) {
      notes_.push_back(
          fmt::format("{} file{} of {} in no class folder", loose, loose == 1 ? "" : "s", root));
    }
  }

  static std::size_t place_of(const std::string& name, std::vector<std::string>& names) {
    // Mostly that of the file before.
    if (!names.empty() && names.back() == name) return names.size() - 1;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  }

  static constexpr std::size_t no_label = static_cast<std::size_t>(-1);

  std::vector<std::string> labels_, folders_;
  std::vector<File> files_;
  std::size_t next_ = 0;
  mutable std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_folders(const std::vector<std::string>& paths,
                                     const ReadOptions& options) {
  return std::make_unique<FolderSource>(paths, options.format);
}

}  // namespace credence::data
