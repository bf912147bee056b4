// SPDX-License-Identifier: Apache-2.0
// Where records begin and end: a scanner over bytes in memory, and a reader that cuts a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "bytes/bytes.hpp"
#include "credence/source.hpp"
#include "notation/cell_text.hpp"

namespace credence::data {

// A record is a line, except that a quoted field may hold line ends. A quote opens a quoted
// field only at the start of a field (spaces before it do not count).
struct RecordRules {
  bool quotes = false;
  char delimiter = '\0';  // where fields start; matters for quotes alone
  char comment = '\0';    // a line that starts with it is skipped as blank lines are
  // A record like this is skipped, too: the header, once more where files were put together.
  std::string_view header = {};
};

class RecordScanner {
 public:
  // last: the piece ends where the file ends, so its last line needs no line end.
  RecordScanner(std::string_view piece, const RecordRules& rules, std::size_t first_line, bool last)
      : begin_(piece.data()),
        at_(begin_),
        end_(begin_ + piece.size()),
        quote_(begin_),
        rules_(rules),
        next_line_(first_line),
        last_(last) {
    if (rules_.quotes) find_quote();
  }

  // Steps to the next record that is not blank; false when the piece holds no further whole one.
  bool next() {
    while (at_ < end_) {
      const char* stop =
          static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      if (!stop) {
        if (!last_) return false;
        stop = end_;
      }
      std::size_t lines = 1;
      has_quotes_ = false;
      if (rules_.quotes && quote_ < stop) {
        if (quote_ < at_) find_quote();
        if (quote_ < stop) {
          has_quotes_ = true;
          stop = end_of_quoted(lines);
          if (!stop) return false;
        }
      }
      record_ = std::string_view(at_, static_cast<std::size_t>(stop - at_));
      line_ = next_line_;
      next_line_ += lines;
      at_ = stop < end_ ? stop + 1 : end_;
      if (record_.ends_with('\r')) record_.remove_suffix(1);
      if (!skipped() && !is_header(record_, line_)) return true;
    }
    return false;
  }

  std::string_view record() const { return record_; }  // without its line end
  std::size_t line() const { return line_; }           // of the record's first byte
  bool has_quotes() const { return has_quotes_; }
  // Whether a record on this line is to be skipped as the header: what is, is counted. Files begin
  // with the mark of their encoding, if they have one.
  bool is_header(std::string_view record, std::size_t line) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const std::size_t longer = record.size() - rules_.header.size();
    if ((longer != 0 && longer != mark.size()) || rules_.header.empty()) return false;
    if (!record.ends_with(rules_.header) || (longer != 0 && !record.starts_with(mark))) {
      return false;
    }
    if (headers_++ == 0) first_header_ = line;
    return true;
  }
  std::size_t headers() const { return headers_; }            // that were skipped,
  std::size_t first_header() const { return first_header_; }  // and the line of the first

  // What has been stepped over, blank lines included.
  std::size_t bytes_taken() const { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t next_line() const { return next_line_; }

  // What lies ahead, and a step to where a record begins in it, for who has found that himself.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  void step_to(const char* at, std::size_t lines) {
    at_ = at;
    next_line_ += lines;
  }
  // Steps over records of plain bytes that end within so many; how many they were, at most `most`.
  std::size_t skip_plain(std::size_t most, std::size_t bytes);

  // The line where a quote opens that the piece does not close; 0: none.
  std::size_t open_quote() const { return open_quote_; }

 private:
  bool skipped() const {
    if (!record_.empty() && record_.front() > ' ' && record_.front() != rules_.comment)
      return false;
    for (const char c : record_) {
      if (!is_space(c) || c == rules_.delimiter) return c == rules_.comment && c != '\0';
    }
    return true;
  }

  void find_quote() {
    const void* found = std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
    quote_ = found ? static_cast<const char*>(found) : end_;
  }

  // Where the record ends whose quotes need a look; null: not in this piece.
  const char* end_of_quoted(std::size_t& lines);
  // The same block by block; null also where quotes are not plain.
  const char* end_of_plain(std::size_t& lines) const;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* quote_;  // no quote lies between at_ and here
  RecordRules rules_;
  std::string_view record_;
  std::size_t line_ = 0;
  std::size_t next_line_;
  std::size_t open_quote_ = 0;
  std::size_t headers_ = 0, first_header_ = 0;
  bool has_quotes_ = false;
  bool last_;
};

// The bytes of one file, cut into pieces of whole records.
class RecordReader {
 public:
  // table: as of ByteInput.
  explicit RecordReader(const std::string& path, bool table = true)
      : name_(display_name(path)), input_(path, table) {}

  const std::string& name() const { return name_; }

  // Buffers at least `size` bytes, or all that the file still has.
  void buffer(std::size_t size);
  // Buffers at least one whole record; false when there is none left.
  bool buffer_record(const RecordRules& rules);

  std::string_view buffered() const { return std::string_view(bytes_).substr(at_); }
  bool at_end() const { return at_end_; }  // nothing lies beyond what is buffered
  std::size_t line() const { return line_; }
  std::uint64_t position() const { return input_.position(); }
  bool is_csv() const { return input_.is_csv(); }  // whatever its name says

  // Steps over the front of what is buffered.
  void skip(std::size_t bytes, std::size_t lines) {
    at_ += bytes;
    line_ += lines;
  }

  // The bytes themselves, for who reads no records: fewer than asked only at the end of the file.
  std::size_t take(char* to, std::size_t size);

  // The next piece of up to `rows` records; false at the end of the file.
  bool cut(const RecordRules& rules, std::size_t rows, RawChunk& raw);

 private:
  void fill(std::size_t more);
  // Asks for the rest of a record of which `seen` bytes are buffered.
  void fill_record(std::size_t seen, std::size_t line);
  void refuse_long(std::size_t size, std::size_t line) const;
  // At the end of the file, with `size` bytes left in a quote that was never closed.
  [[noreturn]] void refuse_open(std::size_t size, const RecordScanner& scan) const;

  std::string name_;
  ByteInput input_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool at_end_ = false;
};

}  // namespace credence::data
