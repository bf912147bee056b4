// SPDX-License-Identifier: Apache-2.0
// One file as a table: how its format cuts records, and how it turns them into chunks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "credence/source.hpp"
#include "tables/cells.hpp"
#include "tables/profile.hpp"
#include "tables/records.hpp"

namespace credence::data {

class Table {
 public:
  Table(std::string file, const RecordRules& rules) : file_(std::move(file)), rules_(rules) {}
  virtual ~Table() = default;

  const std::string& file() const { return file_; }
  const RecordRules& rules() const { return rules_; }

  // The column that is the class by the nature of the format; "": the format has no such thing.
  virtual std::string default_target() const { return {}; }

  // What stands in front of the records, and those of a piece, as they are.
  virtual std::string head() const { return {}; }
  std::vector<std::string_view> records(const RawChunk& raw) const {
    std::vector<std::string_view> result;
    RecordScanner scanner = scan(raw);
    while (scanner.next()) result.push_back(scanner.record());
    return result;
  }

  // Adds the columns and the records of a sample to the profiler.
  virtual void profile(RecordScanner sample, Profiler& profiler) const = 0;

  // Matches the slots to this file's columns. Throws Error data when one is not there.
  virtual void bind(const Selection& selection) = 0;

  virtual Chunk parse(const RawChunk& raw, const Selection& selection) const = 0;

  // What was odd in what has been parsed.
  virtual std::vector<std::string> notes() const { return {}; }

 protected:
  // The header stays where it is as long as the table does.
  void skip_header(std::string_view header) { rules_.header = header; }
  RecordScanner scan(const RawChunk& raw) const {
    return RecordScanner(raw.bytes, rules_, raw.first_line, true);
  }

 private:
  std::string file_;
  RecordRules rules_;
};

// Each steps the reader over what precedes the first record (a CSV header).
std::unique_ptr<Table> open_csv(RecordReader& reader, const ReadOptions& options, bool prefer_tab);
std::unique_ptr<Table> open_json_lines(RecordReader& reader);
std::unique_ptr<Table> open_libsvm(RecordReader& reader, const ReadOptions& options);
std::unique_ptr<Table> open_arff(RecordReader& reader);

std::unique_ptr<Table> open_labelled(RecordReader& reader);

// Whether every line is a label, a tab and a text; last: the sample ends where the file does.
bool looks_labelled(std::string_view sample, bool last);
// Whether the first line that is no comment is "@relation".
bool looks_like_arff(std::string_view sample);
// Whether a line is `label( index:value)+`.
bool looks_like_libsvm(std::string_view line);

// Throws Error data unless `names` holds all that is wanted.
void require_columns(const std::string& file, const std::vector<std::string>& wanted,
                     const std::vector<std::string>& names);

// Throws Error data when the bytes, which start at this line, hold a NUL.
void refuse_nul(const std::string& file, std::string_view bytes, std::size_t first_line);

}  // namespace credence::data
