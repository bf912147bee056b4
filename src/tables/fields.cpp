// SPDX-License-Identifier: Apache-2.0
#include "tables/fields.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "tables/separators.hpp"

namespace credence::data {

std::size_t FieldSplitter::split(std::string_view record, bool has_quotes) {
  count_ = 0;
  if (!split_plain(record, has_quotes)) {
    count_ = 0;
    split_quoted(record);
  }
  return count_;
}

bool FieldSplitter::split_plain(std::string_view record, bool has_quotes) {
  QuoteTracker quotes;
  const char* start = record.data();
  const char* const end = start + record.size();
  for (const char* p = start; p < end; p += separator_block) {
    char rest[separator_block];  // behind the record there is a line end
    const bool whole = p + separator_block <= end;
    if (!whole) {
      std::memset(rest, '\n', sizeof rest);
      std::memcpy(rest, p, static_cast<std::size_t>(end - p));
    }
    const Separators at = separators(whole ? p : rest, delimiter_);
    std::uint64_t ends = at.delimiter;
    if (has_quotes) {
      const auto block = quotes.next(at);
      if (block.odd) return false;
      ends = block.delimiters;
    }
    for (; ends; ends &= ends - 1) {
      const char* stop = p + std::countr_zero(ends);
      if (!add_plain({start, static_cast<std::size_t>(stop - start)}, has_quotes)) return false;
      start = stop + 1;
    }
  }
  return add_plain({start, static_cast<std::size_t>(end - start)}, has_quotes);
}

bool FieldSplitter::add_plain(std::string_view field, bool has_quotes) {
  if (!has_quotes || field.empty() || field.front() != '"') {
    add(field);
    return true;
  }
  if (field.size() < 2 || field.back() != '"') return false;
  field = field.substr(1, field.size() - 2);
  if (field.find('"') != field.npos) return false;
  add_verbatim(field);
  return true;
}

void FieldSplitter::split_quoted(std::string_view record) {
  // Reserved once, so that views into it stay good: unquoting never makes a record longer.
  scratch_.clear();
  scratch_.reserve(record.size());
  while (true) {
    const std::size_t first = std::min(first_of_field(record), record.size());
    const bool opens = first < record.size() && record[first] == '"';
    const std::size_t end =
        opens ? add_quoted(record, first) : std::min(record.find(delimiter_), record.size());
    if (!opens) add(record.substr(0, end));
    if (end == record.size()) return;
    record.remove_prefix(end + 1);
  }
}

std::size_t FieldSplitter::first_of_field(std::string_view record) const {
  std::size_t i = 0;
  while (i < record.size() && is_space(record[i]) && record[i] != delimiter_) ++i;
  return i;
}

std::size_t FieldSplitter::add_quoted(std::string_view record, std::size_t open) {
  const std::size_t scratch_start = scratch_.size();
  std::size_t start = open + 1;
  std::size_t close = std::min(record.find('"', start), record.size());
  bool doubled = false;
  while (close + 1 < record.size() && record[close + 1] == '"') {
    doubled = true;
    scratch_.append(record.substr(start, close + 1 - start));
    start = close + 2;
    close = std::min(record.find('"', start), record.size());
  }
  const std::string_view body = record.substr(start, close - start);
  const std::size_t end = std::min(record.find(delimiter_, close), record.size());
  const std::string_view tail =
      close + 1 < end ? trimmed(record.substr(close + 1, end - close - 1)) : std::string_view();
  if (!doubled && tail.empty()) {
    add_verbatim(body);
  } else {
    scratch_.append(body).append(tail);
    add_verbatim(std::string_view(scratch_).substr(scratch_start));
  }
  return end;
}

}  // namespace credence::data
