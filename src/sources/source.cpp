// SPDX-License-Identifier: Apache-2.0
// Sources: the format of each file, one file after the other, and what is read of them.
#include "credence/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <filesystem>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "sources/copies.hpp"
#include "tables/table.hpp"

namespace credence {
namespace {

using data::RecordReader;
using data::Slot;
using data::Table;

constexpr std::size_t sample_bytes = std::size_t{4} << 20;
constexpr std::size_t first_look = std::size_t{1} << 16;  // enough to tell format and delimiter

FileFormat format_by_content(const RecordReader& reader) {
  data::RecordScanner lines(reader.buffered(), {}, 1, true);
  if (!lines.next()) return FileFormat::csv;
  std::string_view line = data::trimmed(lines.record());
  if (line.starts_with('{')) return FileFormat::json_lines;
  if (data::looks_like_arff(reader.buffered())) return FileFormat::arff;
  if (data::looks_labelled(reader.buffered(), reader.at_end())) return FileFormat::labelled;
  while (line.starts_with('#') && lines.next()) line = data::trimmed(lines.record());
  return data::looks_like_libsvm(line) ? FileFormat::libsvm : FileFormat::csv;
}

FileFormat format_of(const std::string& path, const RecordReader& reader) {
  const std::string end = data::extension_of(path);
  if (end == ".csv" || end == ".tsv") return FileFormat::csv;
  if (end == ".jsonl" || end == ".ndjson" || end == ".json") return FileFormat::json_lines;
  if (end == ".arff") return FileFormat::arff;
  if (end == ".svm" || end == ".libsvm") return FileFormat::libsvm;
  return format_by_content(reader);
}

std::unique_ptr<Table> open_table(const std::string& path, RecordReader& reader,
                                  ReadOptions options) {
  if (reader.is_csv()) {
    options.format = FileFormat::csv;
    options.delimiter = ',';
    options.header = true;
  }
  if (reader.buffered().starts_with("\xEF\xBB\xBF")) reader.skip(3, 0);
  if (!reader.buffer_record({})) {
    throw Error(ErrorKind::data, reader.name() + ": the file is empty");
  }
  const FileFormat format =
      options.format == FileFormat::automatic ? format_of(path, reader) : options.format;
  std::unique_ptr<Table> table;
  if (format == FileFormat::json_lines) {
    table = data::open_json_lines(reader);
  } else if (format == FileFormat::libsvm) {
    table = data::open_libsvm(reader, options);
  } else if (format == FileFormat::arff) {
    table = data::open_arff(reader);
  } else if (format == FileFormat::labelled) {
    table = data::open_labelled(reader);
  } else {
    table = data::open_csv(reader, options, data::extension_of(path) == ".tsv");
  }
  if (!reader.buffer_record(table->rules())) {
    const bool header = format == FileFormat::csv || format == FileFormat::tsv;
    throw Error(ErrorKind::data,
                reader.name() + (header ? ": only a header, no rows" : ": the file is empty"));
  }
  return table;
}

class FileSource final : public Source {
 public:
  // begun: the first file, where its beginning has been read.
  FileSource(const std::vector<std::string>& paths, const ReadOptions& options,
             std::shared_ptr<RecordReader> begun)
      : paths_(paths), options_(options), tables_(paths.size()), reader_(std::move(begun)) {
    bool known = true;
    for (const std::string& path : paths_) {
      const std::uint64_t size = data::check_file(path);
      known = known && size > 0;
      bytes_total_ += size;
    }
    if (!known) bytes_total_ = 0;
    open(sample_bytes);
    data::Profiler profiler(options_.missing);
    const std::string_view sample = reader_->buffered();
    tables_[0]->profile(
        data::RecordScanner(sample, tables_[0]->rules(), reader_->line(), reader_->at_end()),
        profiler);
    profile_ = profiler.finish();
  }

  const std::vector<ColumnProfile>& profile() const override { return profile_; }

  void select(const Schema& schema, bool training) override {
    std::vector<std::string> names, wanted;
    for (const ColumnProfile& column : profile_) names.push_back(column.name);
    data::Selection selection{{}, data::MissingTokens(schema.missing), options_.bad_cells, {}};
    if (options_.bad_cells != BadCells::refuse) {
      selection.found = std::make_shared<data::BadCellCount>();
    }
    for (const ColumnSpec& column : schema.columns) {
      Slot& slot = selection.slots.emplace_back(Slot{Slot::Role::column, column, {}});
      if (training) slot.declared.insert(column.values.begin(), column.values.end());
      wanted.push_back(column.in_file());
    }
    // When scoring, labels and weights are read if they happen to be there.
    const auto add = [&](const std::string& name, Slot::Role role, ColumnKind kind) {
      if (name.empty()) return;
      if (!training && std::find(names.begin(), names.end(), name) == names.end()) return;
      selection.slots.push_back(Slot{role, {name, kind, {}}, {}});
      wanted.push_back(name);
    };
    add(schema.target, Slot::Role::label, ColumnKind::category);
    add(schema.weights, Slot::Role::weight, ColumnKind::number);
    data::require_columns(tables_[0]->file(), wanted, names);
    tables_[0]->bind(selection);
    selection_ = std::move(selection);
    rows_ = rows_per_chunk(schema);
  }

  bool read(RawChunk& raw) override {
    while (file_ < paths_.size()) {
      if (!reader_) {
        open(first_look);
        tables_[file_]->bind(selection_);
      }
      const bool found = reader_->cut(tables_[file_]->rules(), rows_, raw);
      bytes_read_ = bytes_before_ + reader_->position();
      if (found) {
        raw.file = file_;
        return true;
      }
      bytes_before_ += reader_->position();
      reader_.reset();
      ++file_;
    }
    return false;
  }

  Chunk parse(const RawChunk& raw) const override {
    return tables_[raw.file]->parse(raw, selection_);
  }

  std::string default_target() const override { return tables_[0]->default_target(); }
  std::string head() const override { return tables_[std::min(file_, tables_.size() - 1)]->head(); }
  std::vector<std::string_view> records(const RawChunk& raw) const override {
    return tables_[raw.file]->records(raw);
  }
  std::vector<std::string> notes() const override {
    auto result = data::notes_on_copies(paths_);
    const auto add = [&](std::vector<std::string> notes) {
      result.insert(result.end(), notes.begin(), notes.end());
    };
    for (const auto& table : tables_) {
      if (table) add(table->notes());
    }
    if (selection_.found) add(selection_.found->notes(selection_.bad_cells));
    return result;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  void open(std::size_t look) {
    if (!reader_) reader_ = std::make_shared<RecordReader>(paths_[file_]);
    reader_->buffer(look);
    tables_[file_] = open_table(paths_[file_], *reader_, options_);
    bytes_read_ = bytes_before_ + reader_->position();
  }

  std::vector<std::string> paths_;
  ReadOptions options_;
  // One for each file, set before the file's first chunk is handed out and never changed after:
  // parse() may run on chunks of several files at once.
  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<ColumnProfile> profile_;
  data::Selection selection_{{}, data::MissingTokens({})};
  std::size_t rows_ = rows_per_chunk(Schema{});
  std::shared_ptr<RecordReader> reader_;
  std::size_t file_ = 0;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_source(const std::vector<std::string>& paths,
                                    const ReadOptions& options) {
  if (paths.empty()) throw Error(ErrorKind::usage, "no file to read");
  const auto folders = std::count_if(paths.begin(), paths.end(), [](const std::string& path) {
    return std::filesystem::is_directory(path);
  });
  if (folders > 0 && static_cast<std::size_t>(folders) < paths.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: folders and files do not go together", join(paths, ", ")));
  }
  if (folders > 0) return data::open_folders(paths, options);
  if (options.format == FileFormat::mail ||
      (options.format == FileFormat::automatic && data::extension_of(paths[0]) == ".mbox")) {
    return data::open_mailboxes(paths);
  }
  auto first = std::make_shared<RecordReader>(paths[0]);
  first->buffer(first_look);
  if (options.format == FileFormat::automatic && data::looks_like_mailbox(first->buffered())) {
    return data::open_mailboxes(paths, std::move(first));
  }
  return std::make_unique<FileSource>(paths, options, std::move(first));
}

std::size_t rows_per_chunk(const Schema& schema) {
  const std::size_t columns = std::max<std::size_t>(1, schema.columns.size());
  return std::clamp<std::size_t>(std::bit_floor((std::size_t{1} << 20) / columns), 64, 8192);
}

}  // namespace credence
