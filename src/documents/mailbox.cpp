// SPDX-License-Identifier: Apache-2.0
// Mailboxes (mbox), and files of a single message: every message is a row.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <filesystem>

#include "bytes/bytes.hpp"
#include "bytes/files.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "mail/headers.hpp"
#include "mail/mbox.hpp"

namespace credence::data {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t messages_per_chunk = 512;
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

// spam.mbox.gz -> spam, inbox.2024.mbox -> inbox.2024
std::string label_of(const std::string& path) {
  if (path == "-") return "";
  return std::filesystem::path(without_packing(path)).stem().native();
}

struct MessageFile {
  std::string path;
  std::string label;   // of its messages; empty: unknown
  bool alone = false;  // one message, whatever it looks like
};

class MailboxSource final : public DocumentSource {
 public:
  MailboxSource(std::vector<MessageFile> files, bool messages, std::vector<std::string> notes,
                std::shared_ptr<RecordReader> begun = nullptr)
      : DocumentSource(display_name(files[0].path), DocumentKind::mail, messages),
        files_(std::move(files)),
        messages_(messages),
        input_(std::move(begun)) {
    for (const auto& file : files_) bytes_total_ += check_file(file.path);
    notes_ = std::move(notes);
    profile_ = DocumentColumns::profile(DocumentKind::mail, files_.size(), files_.size());
  }

  // Messages behind one another, each with where it is from.
  bool read(RawChunk& raw) override {
    raw = {"", 0, rows_ + 1, 0};
    while (file_ < files_.size() && raw.rows < messages_per_chunk &&
           raw.bytes.size() < chunk_bytes) {
      if (!started_) start_file();
      if (const auto message = next_message()) {
        const Place place{message->size(), file_, single_ ? 0 : ++messages_of_file_};
        raw.bytes.append(reinterpret_cast<const char*>(&place), sizeof place).append(*message);
        ++raw.rows;
      } else {
        bytes_before_ += input_->position();
        input_.reset();
        started_ = false;
        ++file_;
      }
    }
    rows_ += raw.rows;
    return raw.rows > 0;
  }

  // Its file's; behind a colon its place, where the file is a mailbox.
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    std::vector<std::string> names;
    each_message(raw, [&](const Place& place, std::string_view) {
      const auto name = display_name(files_[place.file].path);
      names.push_back(place.number > 0 ? fmt::format("{}:{}", name, place.number) : name);
    });
    return names;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  struct Place {
    std::uint64_t size, file,
        number;  // number: in the mailbox, from 1 on; 0: the file is no mailbox
  };

  template <typename See>
  static void each_message(const RawChunk& raw, const See& see) {
    for (const char* at = raw.bytes.data(); at < raw.bytes.data() + raw.bytes.size();) {
      Place place;
      std::memcpy(&place, at, sizeof place);
      at += sizeof place;
      see(place, std::string_view(at, place.size));
      at += place.size;
    }
  }

  void each_document(const RawChunk& raw, const Use& use) const override {
    each_message(raw, [&](const Place& place, std::string_view bytes) {
      use(bytes, {files_[place.file].label});
    });
  }

  void start_file() {
    if (!input_) input_ = std::make_shared<RecordReader>(files_[file_].path, false);
    started_ = true;
    splitter_ = text::MboxSplitter();
    messages_of_file_ = 0;
    unfinished_ = 0;
    whole_ = read_piece();
    // Behind what editors and concatenation leave before the first mail.
    std::string_view head = whole_;
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
    // Where nobody says that it is mail, a text may begin with this word, too.
    single_ = files_[file_].alone || !head.starts_with("From ") ||
              (messages_ && text::envelope_size(head) == 0);
    at_end_ = head.empty() && !messages_;  // a mailbox without mails
    if (!single_) splitter_.feed(head);
  }

  std::string read_piece() {
    std::string piece(piece_bytes, '\0');
    piece.resize(input_->take(piece.data(), piece.size()));
    bytes_read_ = bytes_before_ + input_->position();
    return piece;
  }

  std::optional<std::string> next_message() {
    if (single_) return next_single();
    while (true) {
      if (auto message = splitter_.next()) {
        unfinished_ = 0;
        return message;
      }
      if (at_end_) return std::nullopt;
      const auto piece = read_piece();
      check_size(unfinished_ += piece.size());
      at_end_ = piece.empty();
      at_end_ ? splitter_.finish() : splitter_.feed(piece);
    }
  }

  std::optional<std::string> next_single() {
    if (at_end_) return std::nullopt;
    for (auto piece = read_piece(); !piece.empty(); piece = read_piece()) {
      whole_ += piece;
      check_size(whole_.size());
    }
    at_end_ = true;
    return std::move(whole_);
  }

  void check_size(std::size_t bytes) const {
    if (bytes <= largest_document) return;
    throw Error(ErrorKind::data,
                fmt::format("{}: more than {} MB, which is no message",
                            display_name(files_[file_].path), largest_document >> 20));
  }

  std::vector<MessageFile> files_;
  bool messages_;
  std::shared_ptr<RecordReader> input_;
  bool started_ = false;  // the file at hand
  text::MboxSplitter splitter_;
  std::string whole_;           // of a file with a single message
  std::size_t unfinished_ = 0;  // bytes read since the last whole message
  bool at_end_ = false, single_ = false;
  std::size_t file_ = 0, messages_of_file_ = 0, rows_ = 0;
  std::uint64_t bytes_before_ = 0, bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_mailboxes(const std::vector<std::string>& paths,
                                       std::shared_ptr<RecordReader> begun) {
  std::vector<MessageFile> files;
  for (const auto& path : paths) files.push_back({path, label_of(path)});
  return std::make_unique<MailboxSource>(std::move(files), false, std::vector<std::string>(),
                                         std::move(begun));
}

bool looks_like_mailbox(std::string_view head) {
  return head.starts_with("From ") && text::envelope_size(head) > 0;
}

std::unique_ptr<DocumentSource> open_messages(const std::vector<std::string>& paths) {
  std::vector<MessageFile> files;
  std::vector<std::string> notes;
  for (const auto& path : paths) {
    std::error_code absent;
    if (!std::filesystem::is_directory(path, absent)) {
      files.push_back({path, ""});
      continue;
    }
    // In the order of a folder of classes: files of its own come last.
    std::vector<std::string> found, loose;
    for (const auto& [name, is_folder] : entries_of(path, notes)) {
      if (is_folder) {
        collect_files(path_in(path, name), found, notes);
      } else {
        loose.push_back(path_in(path, name));
      }
    }
    found.insert(found.end(), loose.begin(), loose.end());
    if (found.empty()) throw Error(ErrorKind::data, path + ": no files in this folder");
    for (auto& file : found) files.push_back({std::move(file), "", true});
  }
  return std::make_unique<MailboxSource>(std::move(files), true, std::move(notes));
}

}  // namespace credence::data
