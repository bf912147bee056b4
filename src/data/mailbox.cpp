// SPDX-License-Identifier: Apache-2.0
// Mailboxes (mbox), and files of a single mail: every message is a row.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>

#include "credence/error.hpp"
#include "data/bytes.hpp"
#include "data/documents.hpp"
#include "text/mbox.hpp"

namespace credence::data {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t mails_per_chunk = 512;
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

// spam.mbox.gz -> spam, inbox.2024.mbox -> inbox.2024
std::string label_of(const std::string& path) {
  if (path == "-") return "";
  auto name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  name = name.stem();
  return name.native();
}

class MailboxSource final : public Source {
 public:
  explicit MailboxSource(std::vector<std::string> paths)
      : paths_(std::move(paths)), of_many_(paths_.size()), columns_(true) {
    for (const auto& path : paths_) {
      bytes_total_ += check_file(path);
      labels_.push_back(label_of(path));
    }
    profile_ = columns_.profile(paths_.size(), paths_.size());
  }

  const std::vector<ColumnProfile>& profile() const override { return profile_; }
  std::string default_target() const override { return "label"; }

  void select(const Schema& schema, bool training) override {
    selection_ = columns_.select(display_name(paths_[0]), schema, training);
  }

  // Mails with their lengths before them, so that parse() finds them again.
  bool read(RawChunk& raw) override {
    raw = {"", 0, 0, 0};
    while (file_ < paths_.size()) {
      if (!input_) start_file();
      while (raw.rows < mails_per_chunk && raw.bytes.size() < chunk_bytes) {
        const auto mail = next_mail();
        if (!mail) break;
        if (raw.rows == 0) {
          raw.file = file_;
          raw.first_line = mails_ + 1;
        }
        const std::uint64_t size = mail->size();
        raw.bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(*mail);
        ++raw.rows;
        ++mails_;
      }
      if (at_end_ && raw.rows < mails_per_chunk && raw.bytes.size() < chunk_bytes) {
        bytes_before_ += input_->position();
        input_.reset();
        ++file_;
      }
      if (raw.rows > 0) return true;
    }
    return false;
  }

  Chunk parse(const RawChunk& raw) const override {
    ChunkBuilder builder(selection_, paths_[raw.file], raw.rows);
    const char* at = raw.bytes.data();
    for (std::size_t r = 0; r < raw.rows; ++r) {
      std::uint64_t size = 0;
      std::memcpy(&size, at, sizeof size);
      at += sizeof size;
      columns_.add_row({{at, size}, labels_[raw.file], true}, raw.first_line + r, selection_,
                       builder);
      at += size;
    }
    return builder.finish();
  }

  // Its file's; behind a colon its place, where the file is a mailbox.
  bool names_rows() const override { return true; }
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    std::vector<std::string> names;
    for (std::size_t r = 0; r < raw.rows; ++r) {
      const auto& path = paths_[raw.file];
      names.push_back(of_many_[raw.file]
                          ? fmt::format("{}:{}", display_name(path), raw.first_line + r)
                          : display_name(path));
    }
    return names;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  void start_file() {
    input_ = std::make_unique<ByteInput>(paths_[file_]);
    splitter_ = text::MboxSplitter();
    at_end_ = single_ = false;
    mails_ = 0;
    whole_.clear();
    std::string head = read_piece();
    // What editors and concatenation leave before the first mail.
    if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
    head.erase(0, std::min(head.find_first_not_of("\r\n"), head.size()));
    // One mail without the line that begins an mbox.
    single_ = !head.starts_with("From ");
    of_many_[file_] = !single_;
    if (head.empty()) {
      at_end_ = true;  // a mailbox without mails
    } else if (single_) {
      whole_ = head;
    } else {
      splitter_.feed(head);
    }
  }

  std::string read_piece() {
    std::string piece(piece_bytes, '\0');
    piece.resize(input_->read(piece.data(), piece.size()));
    bytes_read_ = bytes_before_ + input_->position();
    return piece;
  }

  std::optional<std::string> next_mail() {
    if (single_) return next_single();
    while (true) {
      if (auto mail = splitter_.next()) return mail;
      if (at_end_) return std::nullopt;
      const auto piece = read_piece();
      if (piece.empty()) {
        splitter_.finish();
        at_end_ = true;
      } else {
        splitter_.feed(piece);
      }
    }
  }

  std::optional<std::string> next_single() {
    if (at_end_) return std::nullopt;
    for (auto piece = read_piece(); !piece.empty(); piece = read_piece()) whole_ += piece;
    at_end_ = true;
    return std::move(whole_);
  }

  std::vector<std::string> paths_, labels_;
  // Set before the file's first chunk is handed out, as names are asked for on other threads.
  std::vector<char> of_many_;
  DocumentColumns columns_;
  std::vector<ColumnProfile> profile_;
  Selection selection_{{}, MissingTokens({})};
  std::unique_ptr<ByteInput> input_;
  text::MboxSplitter splitter_;
  std::string whole_;
  bool at_end_ = false, single_ = false;
  std::size_t file_ = 0, mails_ = 0;
  std::uint64_t bytes_before_ = 0, bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_mailboxes(const std::vector<std::string>& paths, const ReadOptions&) {
  return std::make_unique<MailboxSource>(paths);
}

}  // namespace credence::data
