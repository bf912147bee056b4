// SPDX-License-Identifier: Apache-2.0
#include "tables/records.hpp"

#include <algorithm>
#include <bit>

#include "tables/separators.hpp"

namespace credence::data {
namespace {

constexpr std::size_t most_bytes = std::size_t{8} << 20;  // of a chunk, but for its last record
constexpr std::size_t block = std::size_t{1} << 20;
constexpr std::size_t longest_record = std::size_t{64} << 20;

// Few bits are set, if any.
std::size_t bits_of(std::uint64_t bits) {
  std::size_t count = 0;
  for (; bits; bits &= bits - 1) ++count;
  return count;
}

}  // namespace

const char* RecordScanner::end_of_plain(std::size_t& lines) const {
  QuoteTracker quotes;
  std::size_t within = 0;
  for (const char* p = at_; p + separator_block <= end_; p += separator_block) {
    const auto block = quotes.next(separators(p, rules_.delimiter));
    const std::uint64_t stop = block.newlines & (~block.newlines + 1);
    const std::uint64_t before = stop - 1;  // all, where no record ends
    if (block.odd & before) return nullptr;
    within += static_cast<std::size_t>(std::popcount(block.quoted_newlines & before));
    if (stop == 0) continue;
    lines += within;
    return p + std::countr_zero(stop);
  }
  return nullptr;
}

std::size_t RecordScanner::skip_plain(std::size_t most, std::size_t bytes) {
  if (rules_.comment != '\0') return 0;
  const char* const end = at_ + std::min(bytes, static_cast<std::size_t>(end_ - at_));
  const char* behind = at_;  // the last record that is stepped over
  std::size_t records = 0, lines = 0, within = 0;
  bool plain = true;
  std::uint64_t starts = 1;
  QuoteTracker quotes;
  for (const char* p = at_; plain && p + separator_block <= end; p += separator_block) {
    const Separators at = separators(p, rules_.delimiter);
    QuoteTracker::Block block{at.delimiter, at.newline, 0, 0, 0};
    if (rules_.quotes) block = quotes.next(at);
    // Records that start with a space may be blank.
    const std::uint64_t odd = block.odd | ((block.newlines << 1 | starts) & spaces(p));
    starts = block.newlines >> 63;
    plain = odd == 0;
    std::uint64_t until = (odd & (~odd + 1)) - 1;
    std::uint64_t stops = block.newlines & until;
    std::size_t found = bits_of(stops);
    if (records + found >= most) {
      while (records + found > most) {
        stops &= ~(std::uint64_t{1} << (63 - std::countl_zero(stops)));
        --found;
      }
      plain = false;
    }
    const std::uint64_t quoted = block.quoted_newlines;
    if (found == 0) {
      within += bits_of(quoted);
      continue;
    }
    const int last = 63 - std::countl_zero(stops);
    const std::uint64_t before = ~std::uint64_t{0} >> (63 - last);
    lines += within + found + bits_of(quoted & before);
    within = bits_of(quoted & ~before);
    records += found;
    behind = p + last + 1;
  }
  step_to(behind, lines);
  return records;
}

const char* RecordScanner::end_of_quoted(std::size_t& lines) {
  if (const char* found = end_of_plain(lines)) return found;
  const char* p = at_;
  while (true) {
    while (p < end_ && is_space(*p) && *p != rules_.delimiter) ++p;
    if (p < end_ && *p == '"') {
      const std::size_t opened = next_line_ + lines - 1;
      do {
        ++p;
        const char* close =
            static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end_ - p)));
        if (!close) {
          open_quote_ = opened;
          return nullptr;
        }
        lines += static_cast<std::size_t>(std::count(p, close, '\n'));
        p = close + 1;
      } while (p < end_ && *p == '"');
    }
    while (p < end_ && *p != rules_.delimiter && *p != '\n') ++p;
    if (p == end_) return last_ ? end_ : nullptr;
    if (*p == '\n') return p;
    ++p;
  }
}

void RecordReader::fill(std::size_t more) {
  bytes_.erase(0, at_);
  at_ = 0;
  const std::size_t old = bytes_.size();
  bytes_.resize(old + more);
  const std::size_t got = input_.read(bytes_.data() + old, more);
  bytes_.resize(old + got);
  at_end_ = got < more;
}

void RecordReader::buffer(std::size_t size) {
  const std::size_t have = buffered().size();
  if (have < size && !at_end_) fill(size - have);
}

void RecordReader::refuse_long(std::size_t size, std::size_t line) const {
  if (size > longest_record) {
    fail(name_, line, "a record longer than 64 MiB (is a quote or a line end missing?)");
  }
}

void RecordReader::fill_record(std::size_t seen, std::size_t line) {
  refuse_long(seen, line);
  // A long record is scanned again from its start, so what is asked for doubles.
  fill(std::min(std::max(block, seen), longest_record + block - seen));
}

void RecordReader::refuse_open(std::size_t size, const RecordScanner& scan) const {
  refuse_long(size, scan.next_line());
  fail(name_, scan.open_quote(), "a quote opened here is never closed");
}

bool RecordReader::buffer_record(const RecordRules& rules) {
  while (true) {
    RecordScanner scan(buffered(), rules, line_, at_end_);
    if (scan.next()) {
      refuse_long(scan.record().size(), scan.line());
      return true;
    }
    if (at_end_) {
      if (scan.open_quote()) refuse_open(buffered().size() - scan.bytes_taken(), scan);
      return false;
    }
    skip(scan.bytes_taken(), scan.next_line() - line_);
    fill_record(buffered().size(), line_);
  }
}

// Rows of long texts make a chunk before there are many of them.
std::size_t RecordReader::take(char* to, std::size_t size) {
  const std::size_t ready = std::min(size, bytes_.size() - at_);
  std::memcpy(to, bytes_.data() + at_, ready);
  at_ += ready;
  return ready + (ready < size && !at_end_ ? input_.read(to + ready, size - ready) : 0);
}

bool RecordReader::cut(const RecordRules& rules, std::size_t rows, RawChunk& raw) {
  raw.first_line = line_;
  raw.rows = 0;
  std::size_t taken = 0;
  std::size_t line = line_;
  while (true) {
    RecordScanner scan(buffered().substr(taken), rules, line, at_end_);
    raw.rows += scan.skip_plain(rows - raw.rows, most_bytes - taken);
    while (raw.rows < rows && taken + scan.bytes_taken() < most_bytes && scan.next()) {
      refuse_long(scan.record().size(), scan.line());
      ++raw.rows;
    }
    taken += scan.bytes_taken();
    line = scan.next_line();
    if (raw.rows == rows || taken >= most_bytes) break;
    if (at_end_) {
      if (scan.open_quote()) refuse_open(buffered().size() - taken, scan);
      break;
    }
    fill_record(buffered().size() - taken, line);
  }
  raw.bytes.assign(bytes_, at_, taken);
  skip(taken, line - line_);
  return raw.rows > 0;
}

}  // namespace credence::data
