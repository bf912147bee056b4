// SPDX-License-Identifier: Apache-2.0
// Tables of separated values, by RFC 4180 with any delimiter.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "tables/cell_grid.hpp"
#include "tables/fields.hpp"
#include "tables/table.hpp"

namespace credence::data {
namespace {

class CsvTable final : public Table {
 public:
  CsvTable(std::string file, const RecordRules& rules, std::vector<std::string> names,
           std::string head)
      : Table(std::move(file), rules),
        names_(std::move(names)),
        head_(std::move(head)),
        header_(!head_.empty()) {
    // A word that is the name of the only column may well be a value of it.
    if (names_.size() > 1) skip_header(head_);
  }

  std::string head() const override { return head_; }

  void profile(RecordScanner sample, Profiler& profiler) const override {
    for (const std::string& name : names_) profiler.column(name);
    if (rules().delimiter == ';') profiler.semicolons();
    FieldSplitter fields(rules().delimiter, names_.size());
    while (sample.next()) {
      split(sample, fields);
      for (std::size_t i = 0; i < names_.size(); ++i) profiler.cell(i, fields[i]);
    }
  }

  void bind(const Selection& selection) override {
    std::vector<std::string> wanted;
    for (const Slot& slot : selection.slots) wanted.push_back(slot.spec.in_file());
    require_columns(file(), wanted, names_);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < names_.size(); ++i) places.emplace(names_[i], i);
    fields_of_slots_.clear();
    for (const Slot& slot : selection.slots) {
      if (slot.spec.kind == ColumnKind::bag) {
        throw Error(
            ErrorKind::data,
            fmt::format("{}: column {} is a bag, which only JSON lines and libsvm files hold",
                        file(), in_quotes(slot.spec.name)));
      }
      fields_of_slots_.push_back(places.at(slot.spec.in_file()));
    }
  }

  Chunk parse(const RawChunk& raw, const Selection& selection) const override {
    refuse_nul(file(), raw.bytes, raw.first_line);
    ChunkBuilder builder(selection, file(), raw.rows);
    CellGrid grid(scan(raw), names_.size(), rules().delimiter);
    while (grid.next()) {
      if (grid.misfit()) refuse_fields(grid.misfit(), grid.misfit_line());
      builder.cells(grid, fields_of_slots_);
    }
    if (grid.records().headers() > 0) count_headers(grid.records());
    return builder.finish();
  }

  std::vector<std::string> notes() const override {
    const std::lock_guard lock(mutex_);
    if (headers_ == 0) return {};
    if (headers_ == 1) return {fmt::format("{}:{}: the header again, left out", file(), first_)};
    return {fmt::format("{}: the header again in {} lines, the first of them {}: left out", file(),
                        headers_, first_)};
  }

 private:
  void count_headers(const RecordScanner& records) const {
    const std::lock_guard lock(mutex_);
    first_ = headers_ == 0 ? records.first_header() : std::min(first_, records.first_header());
    headers_ += records.headers();
  }

  void split(const RecordScanner& records, FieldSplitter& fields) const {
    const std::size_t found = fields.split(records.record(), records.has_quotes());
    if (found != names_.size()) refuse_fields(found, records.line());
  }

  [[noreturn]] void refuse_fields(std::size_t found, std::size_t line) const {
    const char d = rules().delimiter;
    const std::string hint = found < names_.size() ? ""
                             : d == '\t'           ? " (quote cells that contain a tab)"
                                         : fmt::format(" (quote cells that contain \"{}\")", d);
    fail(file(), line,
         fmt::format("{} field{} where the {} has {}{}", found, found == 1 ? "" : "s",
                     header_ ? "header" : "first row", names_.size(), hint));
  }

  std::vector<std::string> names_;
  std::string head_;
  bool header_;
  std::vector<std::size_t> fields_of_slots_;
  mutable std::mutex mutex_;
  mutable std::size_t headers_ = 0, first_ = 0;  // that were skipped, and the line of the first
};

// The candidate that gives most of the first records as many fields as the very first;
// among equals the one with more fields.
char detect_delimiter(std::string_view sample, bool last, bool prefer_tab) {
  constexpr std::size_t most_records = 64;
  char best = ',';
  double best_agreement = 0;
  std::size_t best_fields = 1;
  for (const char candidate : {',', ';', '\t', '|'}) {
    RecordScanner records(sample, {true, candidate, '\0'}, 1, last);
    FieldSplitter fields(candidate, 0);
    std::size_t first = 0, agreeing = 0, seen = 0;
    for (; seen < most_records && records.next(); ++seen) {
      const std::size_t found = fields.split(records.record(), records.has_quotes());
      if (seen == 0) first = found;
      if (found == first) ++agreeing;
    }
    if (first < 2) continue;
    if (candidate == '\t' && prefer_tab) return candidate;
    const double agreement = static_cast<double>(agreeing) / static_cast<double>(seen);
    if (agreement > best_agreement || (agreement == best_agreement && first > best_fields)) {
      best = candidate;
      best_agreement = agreement;
      best_fields = first;
    }
  }
  return best;
}

// Excel's first line "sep=;" says what separates cells, and is no part of the table. '\0': it is
// not there.
char take_excel_line(RecordReader& reader) {
  const std::string_view sample = reader.buffered();
  const std::size_t end = sample.find('\n');
  std::string_view line = sample.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() == 7 && line.front() == '"' && line.back() == '"') line = line.substr(1, 5);
  if (end == sample.npos || line.size() != 5 || !line.starts_with("sep=")) return '\0';
  const char delimiter = line[4];
  reader.skip(end + 1, 1);
  return delimiter;
}

// Steps over the lines before the header that begin with '#'. One that has as many fields as the
// records behind it is the header itself.
void skip_comments(RecordReader& reader, char delimiter, bool prefer_tab) {
  const std::string_view sample = reader.buffered();
  std::vector<std::string_view> comments;
  std::size_t end = 0;
  while (end < sample.size() &&
         (sample[end] == '#' || sample[end] == '\n' || sample[end] == '\r')) {
    const std::size_t stop = sample.find('\n', end);
    if (stop == sample.npos) return;
    comments.push_back(sample.substr(end, stop - end));
    end = stop + 1;
  }
  const auto rest = sample.substr(end);
  if (comments.empty() || rest.empty()) return;
  if (delimiter == '\0') delimiter = detect_delimiter(rest, reader.at_end(), prefer_tab);
  RecordScanner first(rest, {true, delimiter, '\0'}, 1, reader.at_end());
  if (!first.next()) return;
  FieldSplitter fields(delimiter, 0);
  const std::size_t wanted = fields.split(first.record(), first.has_quotes());
  for (const auto& line : comments) {
    const bool quotes = line.find('"') != line.npos;
    if (line.starts_with('#') && wanted > 1 && fields.split(line, quotes) == wanted) return;
    reader.skip(line.size() + 1, 1);
  }
}

std::vector<std::string> header_names(const std::string& file, const RecordScanner& header,
                                      char delimiter) {
  if (!valid_utf8(header.record())) {
    fail(file, header.line(),
         "the header is not valid UTF-8 (convert the file, for example with iconv -f latin1 -t "
         "utf8)");
  }
  FieldSplitter counter(delimiter, 0);
  FieldSplitter fields(delimiter, counter.split(header.record(), header.has_quotes()));
  const std::size_t count = fields.split(header.record(), header.has_quotes());
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = trimmed(fields[i]);
    if (!known.insert(name).second) {
      fail(file, header.line(),
           name.empty() ? "two columns have no name (is this line the header?)"
                        : fmt::format("the column name {} stands twice (rename one of them)",
                                      in_quotes(name)));
    }
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::unique_ptr<Table> open_csv(RecordReader& reader, const ReadOptions& options, bool prefer_tab) {
  RecordRules rules{true, options.delimiter, '\0'};
  if (options.format == FileFormat::tsv && rules.delimiter == '\0') rules.delimiter = '\t';
  if (const char said = take_excel_line(reader); said != '\0' && rules.delimiter == '\0') {
    rules.delimiter = said;
  }
  skip_comments(reader, rules.delimiter, prefer_tab);
  if (rules.delimiter == '\0') {
    rules.delimiter = detect_delimiter(reader.buffered(), reader.at_end(), prefer_tab);
  }
  reader.buffer_record(rules);
  RecordScanner first(reader.buffered(), rules, reader.line(), reader.at_end());
  first.next();
  refuse_nul(reader.name(), first.record(), first.line());
  std::vector<std::string> names;
  std::string head;
  if (options.header) {
    head = first.record();
    names = header_names(reader.name(), first, rules.delimiter);
    reader.skip(first.bytes_taken(), first.next_line() - reader.line());
  } else {
    const std::size_t count =
        FieldSplitter(rules.delimiter, 0).split(first.record(), first.has_quotes());
    for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("c{}", i));
  }
  return std::make_unique<CsvTable>(reader.name(), rules, std::move(names), std::move(head));
}

}  // namespace credence::data
