// SPDX-License-Identifier: Apache-2.0
// From cells to a typed chunk: what is wanted of a source, and the builder of one chunk.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"
#include "credence/source.hpp"
#include "notation/cell_text.hpp"
#include "notation/reading.hpp"
#include "tables/cell_grid.hpp"
#include "tables/dictionary.hpp"
#include "words/bag_builder.hpp"

namespace credence::data {

// One place of a chunk that cells go to: a column of the schema, the labels or the weights.
struct Slot {
  enum class Role { column, label, weight };
  Role role = Role::column;
  ColumnSpec spec;
  std::unordered_set<std::string> declared;  // empty: every word is welcome
};

// Cells that their columns cannot hold, where these are no error. Threads share it.
class BadCellCount {
 public:
  void add(std::size_t line, const std::string& message);
  // What is to be said of them; nothing where there are none.
  std::vector<std::string> notes(BadCells how) const;

 private:
  mutable std::mutex mutex_;
  std::size_t count_ = 0;
  std::pair<std::size_t, std::string> first_;  // by its line
};

// What select() fixed. Slots of columns come first, in the order of the schema.
struct Selection {
  std::vector<Slot> slots;
  MissingTokens missing;
  BadCells bad_cells = BadCells::refuse;
  std::shared_ptr<BadCellCount> found = {};  // there unless they are refused
};

// How messages call a row: "file:7" by its line from 1 on, or "X[6]" by its place from 0 on.
enum class RowNames { lines, places };

// Counts of features are added up over rows: of larger ones the sums would overflow.
inline constexpr double largest_count = 1e100;

// Fills a chunk row by row, or column by column. In each row every slot gets exactly one cell,
// absent value or bag.
class ChunkBuilder {
 public:
  ChunkBuilder(const Selection& selection, const std::string& file, std::size_t rows,
               RowNames names = RowNames::lines);
  ChunkBuilder(const ChunkBuilder&) = delete;
  ChunkBuilder& operator=(const ChunkBuilder&) = delete;

  void start_row(std::size_t line) {
    line_ = line;
    ++chunk_.rows;
  }
  // The same for many rows, whose cells then come column by column, each after at_row().
  void add_rows(std::size_t rows) { chunk_.rows += rows; }
  void at_row(std::size_t line) { line_ = line; }
  void cell(std::size_t slot, std::string_view text) {
    selection_.bad_cells == BadCells::refuse ? put(slot, text) : put_or_leave(slot, text);
  }
  // All rows of a grid; field_of says which of its columns each slot has.
  void cells(const CellGrid& grid, std::span<const std::size_t> field_of);
  // Whether number() may be called, and a cell that is a number already; NaN: absent.
  bool has_reading(std::size_t slot) const { return targets_[slot].reading.has_value(); }
  bool takes_numbers(std::size_t slot) const { return targets_[slot].numbers != nullptr; }
  void number(std::size_t slot, double value);
  // The same for words: the code that the chunk has for one, and a cell that holds it.
  bool takes_words(std::size_t slot) const { return targets_[slot].categories != nullptr; }
  std::int32_t word_code(std::size_t slot, std::string_view text);
  void word(std::size_t slot, std::int32_t code) {
    targets_[slot].categories->codes.push_back(code);
  }
  // Codes that whoever writes the cells has found, by what he likes: they last as long as the
  // chunk.
  std::vector<std::int32_t>& known_codes(std::size_t slot) { return targets_[slot].known_codes; }
  // Room for the codes of so many more cells.
  std::int32_t* words(std::size_t slot, std::size_t count) {
    auto& codes = targets_[slot].categories->codes;
    codes.resize(codes.size() + count);
    return codes.data() + codes.size() - count;
  }
  void absent(std::size_t slot);
  // Starts the bag of this row; items with the same name add up, and a count of 0 is no item.
  void bag(std::size_t slot);
  void bag_item(std::size_t slot, std::string_view name, double count);
  // The same with the code that the chunk has for the name, from bag_code().
  void bag_item(std::size_t slot, std::int32_t code, double count);
  std::int32_t bag_code(std::size_t slot, std::string_view name);
  // The value in this slot has no form that any column could hold.
  [[noreturn]] void refuse_shape(std::size_t slot) const;

  Chunk finish();

 private:
  struct Target {
    const Slot* slot = nullptr;
    std::vector<double>* numbers = nullptr;
    Categories* categories = nullptr;
    Bags* bags = nullptr;
    std::unique_ptr<text::BagBuilder> documents;
    std::optional<Reading> reading;  // none: a plain number, or a word as it stands
    Dictionary dictionary;
    std::vector<std::int32_t> known_codes;
    std::vector<std::size_t> last_place;  // by code: 1 + where the bags last hold this feature
  };

  void put(std::size_t slot, std::string_view text);
  // One slot of the first rows of a grid.
  void put_column(std::size_t slot, const CellGrid& grid, std::size_t field, std::size_t rows);
  void put_numbers(Target& target, const CellGrid& grid, std::size_t field, std::size_t rows);
  void put_words(Target& target, const CellGrid& grid, std::size_t field, std::size_t rows);
  // The same, but a cell that its column cannot hold is missing, or its row is left out.
  void put_or_leave(std::size_t slot, std::string_view text);
  double number(const Target& target, std::string_view text) const;
  [[noreturn]] void refuse_number(const Target& target, std::string_view text) const;
  double checked(const Target& target, double value) const;
  double weight(const Target& target, std::string_view text) const;
  std::int32_t part_code(Target& target, std::string_view text) const;
  void check_word(const Target& target, std::string_view text) const;
  [[noreturn]] void refuse(const Target& target, const std::string& message) const;

  const Selection& selection_;
  const std::string& file_;
  RowNames names_;
  std::size_t line_ = 0;
  Chunk chunk_;
  std::vector<Target> targets_;
};

}  // namespace credence::data
