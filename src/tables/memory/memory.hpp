// SPDX-License-Identifier: Apache-2.0
// Tables in memory as sources: columns that somebody else holds, read in place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credence/error.hpp"
#include "credence/source.hpp"
#include "tables/cells.hpp"
#include "tables/profile.hpp"

namespace credence::data {

// Columns are filled some rows at a time: where they lie side by side, the second column finds them
// near.
inline constexpr std::size_t rows_at_once = 128;

// A column whose values no column of a model can hold, such as a list or a date.
class UnreadableType : public Error {
 public:
  explicit UnreadableType(const std::string& message) : Error(ErrorKind::usage, message) {}
};

// Some rows of a column. What it points to must outlive it.
class MemoryColumn {
 public:
  virtual ~MemoryColumn() = default;

  // The cell as a CSV file would hold it, or nothing; scratch keeps what is made for this.
  virtual std::optional<std::string_view> text(std::size_t row, std::string& scratch) const = 0;
  // Adds the cells of rows [from, to) to a slot; `first` is the number of row `from` in messages.
  virtual void fill(ChunkBuilder& builder, std::size_t slot, std::size_t from, std::size_t to,
                    std::size_t first) const;
  // Adds a row to the profile; returns the bytes a CSV file would need for it.
  virtual std::size_t profile(Profiler& profiler, std::size_t column, std::size_t row,
                              std::string& scratch) const;
  // The bytes of a row that a tokeniser would read; 0 for anything but words.
  virtual std::size_t text_bytes(std::size_t) const { return 0; }
};

// Which values are there: bit i of the bitmap, or all of them when there is no bitmap.
struct Validity {
  const std::uint8_t* bits = nullptr;
  std::size_t offset = 0;

  bool operator()(std::size_t row) const {
    return !bits || (bits[(row + offset) >> 3] >> ((row + offset) & 7) & 1) != 0;
  }
};

// A piece of a table: all its columns for some rows.
struct Batch {
  std::size_t rows = 0;
  std::vector<std::shared_ptr<const MemoryColumn>> columns;
  std::shared_ptr<const void> owner;  // of what the columns point to
  // Where all columns are one matrix: its rows [from, to) as they lie.
  std::function<MatrixRows(std::size_t from, std::size_t to)> lend = {};
  // The same of a sparse matrix; without a value where its rows cannot be read as they lie.
  std::function<std::optional<SparseRows>(std::size_t from, std::size_t to)> lend_sparse = {};
};

// What kind of values a column has, for those who want to know what a class is called.
enum class ValueKind { integer, real, boolean, word, bag, other };

struct MemoryField {
  std::string name;
  ValueKind kind = ValueKind::word;
  bool documents = false;  // texts, however short
};

// Labels and weights that do not stand in the table, for all its rows.
struct RowLabels {
  std::span<const std::int32_t> codes;  // negative: no label
  std::vector<std::string> names;
};

struct MemoryTable {
  std::string name = "X";  // in messages
  std::vector<MemoryField> fields;
  std::function<std::optional<Batch>()> next;  // the next rows, in order
  std::optional<RowLabels> labels;             // instead of the target column
  std::span<const double> weights;             // instead of the weights column; empty: none
  std::vector<std::string> missing = Schema{}.missing;
  // Batches can lend their rows; of a matrix that is one bag, the names of its columns.
  bool lends = false;
  std::shared_ptr<const std::vector<std::string>> features = {};
  double entries_of_row = 0;  // of a sparse matrix that can be lent, on average; else 0
  std::size_t width = 0;      // and so many columns
  bool gaps = true;           // numbers of a matrix may be missing
  bool presences = false;     // of the counts of a bag it is asked only whether they are above 0
};

// The table may be read once. `target` is the name under which labels that stand apart are known.
std::unique_ptr<Source> open_memory(MemoryTable table, std::string target = {});

}  // namespace credence::data
