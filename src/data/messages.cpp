// SPDX-License-Identifier: Apache-2.0
#include "data/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "credence/error.hpp"
#include "data/bytes.hpp"
#include "data/cells.hpp"
#include "data/documents.hpp"
#include "data/mail_header.hpp"
#include "core/utf8.hpp"
#include "text/mail.hpp"

namespace credence::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// Files of a folder and of the folders in it, in order of their names; hidden ones are passed over,
// and pipes and devices, which might never end.
void collect(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const auto& entry : entries) {
    if (entry.filename().native().starts_with('.')) continue;
    if (fs::is_directory(entry)) {
      collect(entry, files);
    } else if (!fs::is_other(entry)) {
      files.push_back(entry.native());
    }
  }
}

std::vector<std::string> with_folders_opened(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const auto& path : paths) {
    std::error_code absent;
    if (!fs::is_directory(path, absent)) {
      check_file(path);
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    try {
      collect(path, files);
    } catch (const fs::filesystem_error& error) {
      throw Error(ErrorKind::data, path + ": cannot be read: " + error.code().message());
    }
    if (files.size() == before) throw Error(ErrorKind::data, path + ": no files in this folder");
  }
  return files;
}

std::string_view without_envelope(std::string_view message) {
  if (!message.starts_with("From ")) return message;
  const auto end = message.find('\n');
  return end == std::string_view::npos ? std::string_view() : message.substr(end + 1);
}

}  // namespace

std::string too_large(const std::string& path) {
  return fmt::format("{}: more than {} MB, which is no message", display_name(path),
                     largest_message >> 20);
}

Messages::Messages(std::vector<std::string> paths)
    : paths_(with_folders_opened(std::move(paths))) {}

Messages::~Messages() = default;

std::optional<Message> Messages::next() {
  for (; file_ < paths_.size(); ++file_) {
    if (!input_) open();
    if (auto message = next_of_file()) return message;
    input_.reset();
  }
  return std::nullopt;
}

void Messages::open() {
  input_ = std::make_unique<ByteInput>(paths_[file_]);
  splitter_ = text::MboxSplitter();
  place_ = 0;
  at_end_ = false;
  whole_ = read_piece();
  mailbox_ = whole_.starts_with("From ");
  if (mailbox_) splitter_.feed(whole_);
}

std::string Messages::read_piece() {
  std::string piece(piece_bytes, '\0');
  piece.resize(input_->read(piece.data(), piece.size()));
  return piece;
}

std::optional<Message> Messages::next_of_file() {
  const std::string& path = paths_[file_];
  if (mailbox_) {
    std::size_t since = 0;
    while (true) {
      if (auto mail = splitter_.next()) {
        return Message{fmt::format("{}:{}", display_name(path), ++place_), std::move(*mail)};
      }
      if (at_end_) return std::nullopt;
      const auto piece = read_piece();
      since += piece.size();
      if (since > largest_message) throw Error(ErrorKind::data, too_large(path));
      at_end_ = piece.empty();
      at_end_ ? splitter_.finish() : splitter_.feed(piece);
    }
  }
  if (at_end_) return std::nullopt;
  for (auto piece = read_piece(); !piece.empty(); piece = read_piece()) {
    whole_ += piece;
    if (whole_.size() > largest_message) throw Error(ErrorKind::data, too_large(path));
  }
  at_end_ = true;
  std::string utf8;
  if (looks_binary(without_utf16(whole_, utf8))) {
    notes_.push_back(display_name(path) + " is not text, left out");
    return std::nullopt;
  }
  return Message{display_name(path), std::move(whole_)};
}

MessageColumns::MessageColumns(const Schema& schema) : schema_(schema) {
  const auto is_text = [](const ColumnSpec& column) { return column.kind == ColumnKind::text; };
  const auto texts = std::count_if(schema.columns.begin(), schema.columns.end(), is_text);
  for (const auto& column : schema.columns) {
    auto part = Part::none;
    if (is_text(column)) {
      part = column.name == "subject"              ? Part::subject
             : column.name == "from"               ? Part::from
             : column.name == "body"               ? Part::body
             : column.name == "text" || texts == 1 ? Part::whole
                                                   : Part::none;
    }
    parts_.push_back(part);
    any_ = any_ || part != Part::none;
    parsed_ = parsed_ || (part != Part::none && part != Part::whole);
  }
}

MessageColumns::Texts MessageColumns::texts(std::string_view bytes) const {
  std::string utf8;
  const std::string_view message = without_utf16(bytes, utf8);
  text::Mail mail;
  if (parsed_) mail = text::parse_mail(message);
  Texts result(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    switch (parts_[i]) {
      case Part::none:
        continue;
      case Part::whole:
        // An earlier verdict is no evidence: a sender may forge it, and learning would echo it.
        result[i] = without_header(without_envelope(message), verdict_header);
        break;
      case Part::subject:
        result[i] = mail.subject;
        break;
      case Part::from:
        result[i] = mail.from;
        break;
      case Part::body:
        result[i] = mail.body;
        break;
    }
    if (result[i]->empty()) result[i].reset();
  }
  return result;
}

Chunk MessageColumns::rows(const std::vector<Texts>& messages) const {
  Selection selection{{}, MissingTokens({})};
  for (const auto& column : schema_.columns) {
    selection.slots.push_back({Slot::Role::column, column, {}});
  }
  const std::string place = "message";
  ChunkBuilder builder(selection, place, messages.size());
  for (std::size_t r = 0; r < messages.size(); ++r) {
    builder.start_row(r + 1);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      messages[r][i] ? builder.cell(i, *messages[r][i]) : builder.absent(i);
    }
  }
  return builder.finish();
}

namespace {

constexpr std::size_t messages_per_chunk = 512;
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

class MessageSource final : public Source {
 public:
  MessageSource(const std::vector<std::string>& paths, const Schema& schema)
      : messages_(paths), columns_(schema) {}

  const std::vector<ColumnProfile>& profile() const override { return profile_; }
  void select(const Schema&, bool) override {}
  std::vector<std::string> notes() const override { return messages_.notes(); }
  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return 0; }

  // Messages with their lengths before them, so that parse() finds them again.
  bool read(RawChunk& raw) override {
    raw = {};
    while (raw.rows < messages_per_chunk && raw.bytes.size() < chunk_bytes) {
      const auto message = messages_.next();
      if (!message) break;
      const std::uint64_t size = message->bytes.size();
      raw.bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(message->bytes);
      ++raw.rows;
    }
    bytes_read_ += raw.bytes.size();
    return raw.rows > 0;
  }

  Chunk parse(const RawChunk& raw) const override {
    std::vector<MessageColumns::Texts> texts;
    const char* at = raw.bytes.data();
    for (std::size_t r = 0; r < raw.rows; ++r) {
      std::uint64_t size = 0;
      std::memcpy(&size, at, sizeof size);
      at += sizeof size;
      texts.push_back(columns_.texts({at, size}));
      at += size;
    }
    return columns_.rows(texts);
  }

 private:
  Messages messages_;
  MessageColumns columns_;
  std::vector<ColumnProfile> profile_;
  std::uint64_t bytes_read_ = 0;
};

class InClass final : public Source {
 public:
  InClass(std::unique_ptr<Source> rows, std::string label)
      : rows_(std::move(rows)), label_(std::move(label)) {}

  const std::vector<ColumnProfile>& profile() const override { return rows_->profile(); }
  void select(const Schema& schema, bool training) override {
    Schema without_class = schema;
    without_class.target.clear();
    rows_->select(without_class, training);
  }
  bool read(RawChunk& raw) override { return rows_->read(raw); }
  Chunk parse(const RawChunk& raw) const override {
    Chunk chunk = rows_->parse(raw);
    chunk.labels.dictionary = {label_};
    chunk.labels.codes.assign(chunk.rows, 0);
    return chunk;
  }
  std::vector<std::string> notes() const override { return rows_->notes(); }
  bool names_rows() const override { return rows_->names_rows(); }
  std::vector<std::string> row_names(const RawChunk& raw) const override {
    return rows_->row_names(raw);
  }
  std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  std::uint64_t bytes_total() const override { return rows_->bytes_total(); }

 private:
  std::unique_ptr<Source> rows_;
  std::string label_;
};

}  // namespace

std::unique_ptr<Source> open_messages(const std::vector<std::string>& paths, const Schema& schema) {
  return std::make_unique<MessageSource>(paths, schema);
}

std::unique_ptr<Source> in_class(std::unique_ptr<Source> rows, std::string label) {
  return std::make_unique<InClass>(std::move(rows), std::move(label));
}

}  // namespace credence::data
