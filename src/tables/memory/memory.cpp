// SPDX-License-Identifier: Apache-2.0
// A table in memory comes in batches of any size; chunks are cut across them, at the same rows as
// from a file of the same table.
#include "tables/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "tables/table.hpp"

namespace credence::data {

void MemoryColumn::fill(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
                        std::size_t first) const {
  std::string scratch;
  for (std::size_t row = from; row < to; ++row) {
    builder.at_row(first + row - from);
    if (const auto cell = text(row, scratch)) {
      builder.cell(slot, trimmed(*cell));
    } else {
      builder.absent(slot);
    }
  }
}

std::size_t MemoryColumn::profile(Profiler& profiler, std::size_t column, std::size_t row,
                                  std::string& scratch) const {
  const auto cell = text(row, scratch);
  if (!cell) return 1;
  profiler.cell(column, trimmed(*cell));
  return cell->size() + 1;
}

namespace {

// As much as of a file: see FileSource.
constexpr std::size_t sample_bytes = std::size_t{4} << 20;
constexpr std::size_t most_text = std::size_t{8} << 20;  // of a chunk

// Some rows of a batch.
struct Part {
  std::shared_ptr<const Batch> batch;
  std::size_t from = 0, to = 0;
};
using Parts = std::vector<Part>;

// Many numbers at a time, looking at their bits; a branch for each would take longer than the sums.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_BY_BITS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CREDENCE_BY_BITS
#endif

// Whether some number is infinite.
CREDENCE_BY_BITS bool has_infinite(const double* numbers, std::size_t count) {
  constexpr std::uint64_t infinite = 0x7ff0000000000000;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t size = std::bit_cast<std::uint64_t>(numbers[i]) & 0x7fffffffffffffff;
    found |= size == infinite ? 1 : 0;
  }
  return found != 0;
}

// Whether some number is no count: not there, below 0 or too large.
CREDENCE_BY_BITS bool has_other_than_counts(const double* numbers, std::size_t count) {
  const auto largest = std::bit_cast<std::int64_t>(largest_count);
  std::int64_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::int64_t>(numbers[i]);
    const bool below = bits < 0 && bits != std::numeric_limits<std::int64_t>::min();  // -0 is 0
    found |= (below || bits > largest) ? 1 : 0;
  }
  return found != 0;
}

// Whether some number is infinite or missing.
CREDENCE_BY_BITS bool has_other_than_finite(const double* numbers, std::size_t count) {
  constexpr std::uint64_t infinite = 0x7ff0000000000000;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    found |= (std::bit_cast<std::uint64_t>(numbers[i]) & infinite) == infinite ? 1 : 0;
  }
  return found != 0;
}

// Whether all numbers are finite, or missing where they may be; counts are there, not below 0 and
// not too large.
bool well_formed(const MatrixRows& matrix, std::size_t rows, const MemoryTable& table) {
  const std::size_t count = rows * matrix.columns;
  if (table.features && !table.presences) return !has_other_than_counts(matrix.data, count);
  if (table.features || !table.gaps) return !has_other_than_finite(matrix.data, count);
  return !has_infinite(matrix.data, count);
}

class MemorySource final : public Source {
 public:
  MemorySource(MemoryTable table, std::string target)
      : table_(std::move(table)), target_(std::move(target)) {
    for (const auto& field : table_.fields) names_.push_back(field.name);
    auto sorted = names_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw Error(ErrorKind::data, fmt::format("{}: the column name {} stands twice", table_.name,
                                               in_quotes(*twice)));
    }
    if (!target_.empty() && std::find(names_.begin(), names_.end(), target_) != names_.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: there is a column {} besides the classes of that name",
                              table_.name, in_quotes(target_)));
    }
  }

  const std::vector<ColumnProfile>& profile() const override {
    std::call_once(profiled_, [this] { profile_ = look(); });
    return profile_;
  }

  void select(const Schema& schema, bool training) override {
    Selection selection{{}, MissingTokens(schema.missing)};
    places_.clear();
    std::vector<std::string> wanted;
    const auto add = [&](Slot slot) {
      wanted.push_back(slot.spec.in_file());
      selection.slots.push_back(std::move(slot));
    };
    for (const ColumnSpec& column : schema.columns) {
      Slot slot{Slot::Role::column, column, {}};
      add(std::move(slot));
    }
    knows_declared_ = !training;  // scoring asks for no values
    // When scoring, labels and weights are read if they happen to be there.
    const auto add_apart = [&](const std::string& name, Slot::Role role, ColumnKind kind) {
      const bool here = std::find(names_.begin(), names_.end(), name) != names_.end();
      if (!name.empty() && (training || here)) add({role, {name, kind, {}}, {}});
    };
    if (!table_.labels) add_apart(schema.target, Slot::Role::label, ColumnKind::category);
    if (table_.weights.empty()) add_apart(schema.weights, Slot::Role::weight, ColumnKind::number);
    require_columns(table_.name, wanted, names_);
    std::unordered_map<std::string_view, std::size_t> place;
    for (std::size_t i = 0; i < names_.size(); ++i) place.emplace(names_[i], i);
    for (const auto& name : wanted) places_.push_back(place.at(name));
    texts_.clear();
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      if (schema.columns[i].kind == ColumnKind::text) texts_.push_back(places_[i]);
    }
    selection_ = std::move(selection);
    rows_ = rows_per_chunk(schema);
    lending_ = lending_sparse_ = false;
    training_ = training;
  }

  // Where every column is wanted, in order: the matrix is the chunk.
  bool lend_rows() override {
    const auto& slots = selection_.slots;
    const bool bag = table_.features != nullptr || table_.entries_of_row > 0;
    lending_ = table_.lends && slots.size() == names_.size() && (!bag || slots.size() == 1);
    for (std::size_t i = 0; lending_ && i < slots.size(); ++i) {
      const auto& spec = slots[i].spec;
      lending_ = places_[i] == i && (bag ? spec.kind == ColumnKind::bag && are_features(spec.values)
                                         : spec.kind == ColumnKind::number);
    }
    lending_sparse_ = lending_ && table_.entries_of_row > 0;
    if (lending_sparse_) {
      lending_ = false;
      // What is learned from a chunk is as large as the model: a wide one has many entries, that
      // few such have to be added up. Answers are small, and chunks of them as even as they can be.
      const double entries = training_ ? 32 * static_cast<double>(table_.width) : 2e5;
      const auto rows = static_cast<std::size_t>(entries / table_.entries_of_row);
      rows_ = training_ ? std::max(rows_, rows) : std::max<std::size_t>(1, rows);
    }
    return lending_ || lending_sparse_;
  }

  bool read(RawChunk& raw) override {
    Parts parts;
    std::size_t rows = 0, bytes = 0;
    while (rows < rows_ && bytes < most_text) {
      if (waiting_.empty() && !pull()) break;
      const auto& batch = waiting_.front();
      std::size_t to = at_ + std::min(rows_ - rows, batch->rows - at_);
      if (!texts_.empty()) to = at_ + rows_of_text(*batch, to, bytes);
      parts.push_back({batch, at_, to});
      rows += to - at_;
      at_ = to;
      if (at_ == batch->rows) {
        waiting_.pop_front();
        at_ = 0;
      }
    }
    if (rows == 0) {
      check_rows();
      return false;
    }
    raw = {};
    raw.first_line = given_;
    raw.rows = rows;
    given_ += rows;
    const std::lock_guard lock(mutex_);
    cut_.emplace(raw.first_line, std::move(parts));
    return true;
  }

  // Lets go of the batches: those of a stream need not fit into memory together.
  Chunk parse(const RawChunk& raw) const override {
    Parts parts;
    {
      const std::lock_guard lock(mutex_);
      auto found = cut_.extract(raw.first_line);
      if (!found) throw Error(ErrorKind::usage, table_.name + ": a chunk can be parsed once");
      parts = std::move(found.mapped());
    }
    if (lending_ && parts.size() == 1) {
      Chunk chunk;
      chunk.rows = raw.rows;
      chunk.matrix = parts[0].batch->lend(parts[0].from, parts[0].to);
      add_apart(raw, chunk);
      // What is refused is told apart below, cell by cell.
      if (well_formed(chunk.matrix, raw.rows, table_)) return chunk;
    }
    if (lending_sparse_ && parts.size() == 1) {
      if (auto rows = parts[0].batch->lend_sparse(parts[0].from, parts[0].to)) {
        Chunk chunk;
        chunk.rows = raw.rows;
        chunk.sparse = std::move(*rows);
        add_apart(raw, chunk);
        return chunk;
      }
    }
    know_declared();
    ChunkBuilder builder(selection_, table_.name, raw.rows, RowNames::places);
    builder.add_rows(raw.rows);
    std::size_t first = raw.first_line;
    for (const auto& part : parts) {
      for (std::size_t from = part.from; from < part.to; from += rows_at_once) {
        const std::size_t to = std::min(part.to, from + rows_at_once);
        for (std::size_t slot = 0; slot < places_.size(); ++slot) {
          part.batch->columns[places_[slot]]->fill(builder, slot, from, to, first);
        }
        first += to - from;
      }
    }
    if (lending_ && (table_.presences || !table_.gaps)) {
      throw Error(ErrorKind::data, table_.name + ": a value is missing or not finite");
    }
    Chunk chunk = builder.finish();
    add_apart(raw, chunk);
    return chunk;
  }

  std::uint64_t bytes_read() const override { return given_; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  // Of a sparse matrix without names features are called by their numbers.
  bool are_features(const std::vector<std::string>& names) const {
    if (table_.features) return names == *table_.features;
    if (names.size() != table_.width) return false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const fmt::format_int number(i);
      if (names[i] != std::string_view(number.data(), number.size())) return false;
    }
    return true;
  }

  // Where rows are lent nobody needs the sets of all values.
  void know_declared() const {
    const std::lock_guard lock(mutex_);
    if (std::exchange(knows_declared_, true)) return;
    for (auto& slot : selection_.slots) {
      slot.declared.insert(slot.spec.values.begin(), slot.spec.values.end());
    }
  }

  bool pull() const {
    while (!ended_) {
      auto batch = table_.next();
      if (!batch) {
        ended_ = true;
      } else if (batch->rows > 0) {
        waiting_.push_back(std::make_shared<const Batch>(std::move(*batch)));
        return true;
      }
    }
    return false;
  }

  std::vector<ColumnProfile> look() const {
    Profiler profiler(table_.missing);
    for (const auto& field : table_.fields) {
      const std::size_t column = profiler.column(field.name);
      if (field.documents) profiler.documents(column);
    }
    std::size_t bytes = 0;
    for (const auto& name : names_) bytes += name.size() + 1;
    std::string scratch;
    for (std::size_t b = 0; bytes < sample_bytes && (b < waiting_.size() || pull()); ++b) {
      const Batch& batch = *waiting_[b];
      for (std::size_t row = 0; row < batch.rows && bytes < sample_bytes; ++row) {
        for (std::size_t c = 0; c < batch.columns.size(); ++c) {
          bytes += batch.columns[c]->profile(profiler, c, row, scratch);
        }
      }
    }
    auto result = profiler.finish();
    if (!target_.empty()) result.push_back({.name = target_});
    return result;
  }

  std::size_t rows_of_text(const Batch& batch, std::size_t to, std::size_t& bytes) const {
    std::size_t row = at_;
    for (; row < to && bytes < most_text; ++row) {
      for (const std::size_t column : texts_) bytes += batch.columns[column]->text_bytes(row);
    }
    return row - at_;
  }

  void check_rows() const {
    const auto check = [&](std::size_t count, const char* what) {
      if (count != given_) {
        throw Error(ErrorKind::data, fmt::format("{} has {} rows, but there are {} {}", table_.name,
                                                 given_, count, what));
      }
    };
    if (table_.labels) check(table_.labels->codes.size(), "classes");
    if (!table_.weights.empty()) check(table_.weights.size(), "weights");
  }

  void add_apart(const RawChunk& raw, Chunk& chunk) const {
    const std::size_t from = raw.first_line, to = from + raw.rows;
    if (table_.labels && to <= table_.labels->codes.size()) {
      const auto codes = table_.labels->codes.subspan(from, raw.rows);
      chunk.labels = {{codes.begin(), codes.end()}, table_.labels->names};
    }
    if (to <= table_.weights.size()) {
      const auto weights = table_.weights.subspan(from, raw.rows);
      chunk.weights.assign(weights.begin(), weights.end());
    }
  }

  MemoryTable table_;
  std::string target_;
  std::vector<std::string> names_;
  mutable std::once_flag profiled_;
  mutable std::vector<ColumnProfile> profile_;
  mutable Selection selection_{{}, MissingTokens({})};
  mutable bool knows_declared_ = true;  // the slots have the values that their columns declare
  std::vector<std::size_t> places_;     // of the slots, among the table's columns
  std::vector<std::size_t> texts_;      // the table's columns whose bytes limit a chunk
  std::size_t rows_ = rows_per_chunk(Schema{});
  bool lending_ = false, lending_sparse_ = false;
  bool training_ = false;

  // Batches pulled and not yet cut; looking at them for the profile pulls ahead.
  mutable std::deque<std::shared_ptr<const Batch>> waiting_;
  mutable bool ended_ = false;
  std::size_t at_ = 0;  // the next row of the first that waits
  std::atomic<std::size_t> given_ = 0;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::size_t, Parts> cut_;  // by first row: read and not yet parsed
};

}  // namespace

std::unique_ptr<Source> open_memory(MemoryTable table, std::string target) {
  return std::make_unique<MemorySource>(std::move(table), std::move(target));
}

}  // namespace credence::data
