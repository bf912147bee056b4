// SPDX-License-Identifier: Apache-2.0
#include "tables/cells.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>

#include "core/chunk_rows.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "notation/plain_decimal.hpp"
#include "words/spare_builders.hpp"

namespace credence::data {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::string listed(const std::vector<std::string>& values) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < values.size() && i < most; ++i) {
    out += (i ? ", " : "") + shown(values[i]);
  }
  return values.size() > most ? out + ", …" : out;
}

}  // namespace

ChunkBuilder::ChunkBuilder(const Selection& selection, const std::string& file, std::size_t rows,
                           RowNames names)
    : selection_(selection), file_(file), names_(names), targets_(selection.slots.size()) {
  // The targets point into the columns, which therefore must not move.
  chunk_.columns.reserve(selection.slots.size());
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    target.slot = &selection.slots[i];
    if (!target.slot->spec.reading.empty()) {
      target.reading = parse_reading(target.slot->spec.reading);
    }
    if (target.slot->role == Slot::Role::label) {
      target.categories = &chunk_.labels;
    } else if (target.slot->role == Slot::Role::weight) {
      target.numbers = &chunk_.weights;
    } else if (target.slot->spec.kind == ColumnKind::category) {
      target.categories = &std::get<Categories>(chunk_.columns.emplace_back(Categories{}));
    } else if (target.slot->spec.kind == ColumnKind::bag) {
      target.bags = &std::get<Bags>(chunk_.columns.emplace_back(Bags{}));
    } else if (target.slot->spec.kind == ColumnKind::text) {
      chunk_.columns.emplace_back(Bags{});
      target.documents = text::take_builder(target.slot->spec.tokens);
    } else {
      target.numbers = &std::get<Numbers>(chunk_.columns.emplace_back(Numbers{})).values;
    }
    if (target.numbers) target.numbers->reserve(rows);
    if (target.categories) target.categories->codes.reserve(rows);
    if (target.bags) target.bags->offsets.reserve(rows + 1);
  }
}

void ChunkBuilder::put(std::size_t slot, std::string_view text) {
  Target& target = targets_[slot];
  if (target.categories) {
    word(slot, word_code(slot, text));
  } else if (selection_.missing.contains(text)) {
    absent(slot);
  } else if (target.documents) {
    target.documents->add_document(text);
  } else if (target.bags) {
    refuse(target, in_quotes(text) + " is not an object of numbers or an array of words");
  } else if (target.slot->role == Slot::Role::weight) {
    target.numbers->push_back(weight(target, trimmed(text)));
  } else {
    target.numbers->push_back(number(target, trimmed(text)));
  }
}

void ChunkBuilder::put_or_leave(std::size_t slot, std::string_view text) {
  const Target& target = targets_[slot];
  const bool skip = selection_.bad_cells == BadCells::skip;
  const bool weight = target.slot->role == Slot::Role::weight;
  try {
    // Only the first of equal words is checked otherwise, and this one may not be let in.
    if (target.categories && !selection_.missing.contains(text)) check_word(target, text);
    put(slot, text);
  } catch (const Error& error) {
    if (weight && !skip) throw;
    selection_.found->add(line_, error.message().marked());
    weight ? target.numbers->push_back(0) : absent(slot);
    auto& left = chunk_.left_out;
    if (skip && (left.empty() || left.back() + 1 < chunk_.rows)) left.push_back(chunk_.rows - 1);
  }
}

void ChunkBuilder::cells(const CellGrid& grid, std::span<const std::size_t> field_of) {
  if (selection_.bad_cells != BadCells::refuse) {
    for (std::size_t r = 0; r < grid.rows(); ++r) {
      start_row(grid.line(r));
      for (std::size_t slot = 0; slot < field_of.size(); ++slot) {
        put_or_leave(slot, grid.at(r, field_of[slot]));
      }
    }
    return;
  }
  chunk_.rows += grid.rows();
  // Of cells that are refused, that of the first row is told.
  std::exception_ptr refused;
  std::size_t rows = grid.rows();
  for (std::size_t slot = 0; slot < field_of.size(); ++slot) {
    try {
      put_column(slot, grid, field_of[slot], rows);
    } catch (const Error&) {
      refused = std::current_exception();
      while (rows > 0 && grid.line(rows - 1) >= line_) --rows;
    }
  }
  if (refused) std::rethrow_exception(refused);
}

void ChunkBuilder::put_column(std::size_t slot, const CellGrid& grid, std::size_t field,
                              std::size_t rows) {
  Target& target = targets_[slot];
  const auto& spec = target.slot->spec;
  if (target.categories && !target.reading) {
    put_words(target, grid, field, rows);
  } else if (target.numbers && !target.reading && target.slot->role == Slot::Role::column &&
             spec.kind == ColumnKind::number) {
    put_numbers(target, grid, field, rows);
  } else {
    for (std::size_t r = 0; r < rows; ++r) {
      line_ = grid.line(r);
      put(slot, grid.at(r, field));
    }
  }
}

void ChunkBuilder::put_numbers(Target& target, const CellGrid& grid, std::size_t field,
                               std::size_t rows) {
  const MissingTokens& missing = selection_.missing;
  const std::size_t first = target.numbers->size();
  target.numbers->resize(first + rows);
  double* const values = target.numbers->data() + first;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::string_view text = grid.at(r, field);
    if (!text.empty() && !missing.may_start(text.front()) && plain_decimal(text, values[r])) {
      continue;
    }
    line_ = grid.line(r);
    values[r] = missing.contains(text) ? no_value : number(target, trimmed(text));
  }
}

void ChunkBuilder::put_words(Target& target, const CellGrid& grid, std::size_t field,
                             std::size_t rows) {
  const MissingTokens& missing = selection_.missing;
  const std::size_t first = target.categories->codes.size();
  target.categories->codes.resize(first + rows);
  std::int32_t* const codes = target.categories->codes.data() + first;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::string_view text = grid.at(r, field);
    if (missing.contains(text)) {
      codes[r] = Categories::missing_code;
      continue;
    }
    const auto [code, is_new] = target.dictionary.insert(hash_padded(text.data(), text.size()),
                                                         target.categories->dictionary);
    codes[r] = code;
    if (!is_new) continue;
    line_ = grid.line(r);
    check_word(target, text);
  }
}

void BadCellCount::add(std::size_t line, const std::string& message) {
  const std::lock_guard lock(mutex_);
  const std::pair found{line, message};
  if (count_++ == 0 || found < first_) first_ = found;
}

std::vector<std::string> BadCellCount::notes(BadCells how) const {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return {};
  if (count_ == 1) {
    return {fmt::format("{}: {}", how == BadCells::skip ? "a row is left out" : "taken for missing",
                        first_.second)};
  }
  return {fmt::format("{} cells cannot be read and {}; the first: {}", count_,
                      how == BadCells::skip ? "their rows are left out" : "count as missing",
                      first_.second)};
}

Chunk ChunkBuilder::finish() {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    auto& documents = targets_[i].documents;
    if (!documents) continue;
    chunk_.columns[i] = documents->finish();
    if (!documents->outgrown()) {
      text::give_back(targets_[i].slot->spec.tokens, std::move(documents));
    }
  }
  if (chunk_.left_out.empty()) return std::move(chunk_);
  std::vector<std::size_t> kept;
  auto left = chunk_.left_out.begin();
  for (std::size_t r = 0; r < chunk_.rows; ++r) {
    const bool leave = left != chunk_.left_out.end() && *left == r;
    leave ? void(++left) : kept.push_back(r);
  }
  Chunk result = select_rows(chunk_, kept);
  result.left_out = std::move(chunk_.left_out);
  return result;
}

void ChunkBuilder::absent(std::size_t slot) {
  Target& target = targets_[slot];
  if (target.categories) {
    target.categories->codes.push_back(Categories::missing_code);
  } else if (target.documents) {
    target.documents->add_missing();
  } else if (target.bags) {
    target.bags->offsets.push_back(target.bags->features.size());
    target.bags->missing.push_back(1);
  } else if (target.slot->role == Slot::Role::weight) {
    refuse(target, "the weight is missing (give the row a number from 0 on, or leave it out)");
  } else {
    target.numbers->push_back(no_value);
  }
}

double ChunkBuilder::number(const Target& target, std::string_view text) const {
  const ColumnSpec& spec = target.slot->spec;
  if (spec.kind == ColumnKind::binary) {
    if (const auto value = parse_binary(text)) return *value ? 1.0 : 0.0;
    refuse(target, fmt::format("{} is not 0/1, yes/no or true/false (use {} in fit)",
                               in_quotes(text), setting("as", shown(spec.name) + ": categorical")));
  }
  double value = 0;
  const NumberState state =
      target.reading ? target.reading->number(text, value) : parse_number(text, value);
  if (state == NumberState::not_a_number) refuse_number(target, text);
  if (state == NumberState::not_finite) {
    refuse(target, fmt::format("{} is not a finite number (use {} to name it as missing)",
                               in_quotes(text), setting("missing")));
  }
  return checked(target, value);
}

void ChunkBuilder::refuse_number(const Target& target, std::string_view text) const {
  const std::string words = shown(target.slot->spec.name) + ": categorical";
  refuse(target,
         fmt::format("{} is not {} (use {} in fit to treat it as words, or {} to name it as "
                     "missing)",
                     in_quotes(text),
                     target.reading ? fmt::format("written as \"{}\", as this column is",
                                                  target.reading->example())
                                    : "a number",
                     setting("as", words), setting("missing")));
}

void ChunkBuilder::number(std::size_t slot, double value) {
  Target& target = targets_[slot];
  if (std::isnan(value)) return absent(slot);
  const bool weight = target.slot->role == Slot::Role::weight;
  if (weight ? !(value >= 0 && std::isfinite(value)) : !std::isfinite(value)) {
    return cell(slot, format_number(value));  // which refuses it
  }
  if (!weight && target.slot->spec.kind == ColumnKind::binary) {
    target.numbers->push_back(value > 0 ? 1.0 : 0.0);
  } else {
    target.numbers->push_back(weight ? value : checked(target, value));
  }
}

double ChunkBuilder::checked(const Target& target, double value) const {
  const ColumnSpec& spec = target.slot->spec;
  const char* problem = nullptr;
  if (spec.kind == ColumnKind::count) {
    if (value < 0) {
      problem = "a count: it is below 0";
    } else if (std::trunc(value) != value) {
      problem = "a count: it is not a whole number";
    }
  } else if (spec.kind == ColumnKind::amount && value < 0) {
    problem = "an amount: it is below 0";
  }
  if (problem) {
    refuse(target, fmt::format("{} is not {} (use {} in fit)", in_quotes(format_number(value)),
                               problem, setting("as", shown(spec.name) + ": gaussian")));
  }
  return value;
}

double ChunkBuilder::weight(const Target& target, std::string_view text) const {
  double value = 0;
  const NumberState state = parse_number(text, value);
  if (state == NumberState::finite && value >= 0) return value;
  const char* problem = state == NumberState::not_a_number ? "is not a number"
                        : state == NumberState::not_finite ? "is not a finite number"
                                                           : "is below 0";
  refuse(target,
         fmt::format("the weight {} {} (weights are numbers from 0 on)", in_quotes(text), problem));
}

std::int32_t ChunkBuilder::word_code(std::size_t slot, std::string_view text) {
  if (selection_.missing.contains(text)) return Categories::missing_code;
  Target& target = targets_[slot];
  if (target.reading) return part_code(target, text);
  const auto [code, is_new] = target.dictionary.insert(text, target.categories->dictionary);
  if (is_new) check_word(target, text);
  return code;
}

std::int32_t ChunkBuilder::part_code(Target& target, std::string_view text) const {
  const auto word = target.reading->word(trimmed(text));
  if (!word) refuse_number(target, text);
  return target.dictionary.insert(*word, target.categories->dictionary).first;
}

// A word is checked when the chunk first meets it, not in every cell.
void ChunkBuilder::check_word(const Target& target, std::string_view text) const {
  if (!valid_utf8(text)) {
    refuse(target, "not valid UTF-8 (convert the file, for example with iconv -f latin1 -t utf8)");
  }
  const Slot& slot = *target.slot;
  if (!slot.declared.empty() && !slot.declared.contains(std::string(text))) {
    refuse(target, fmt::format("{} is not among the declared values {} (add it to {} or {})",
                               in_quotes(text), listed(slot.spec.values), setting("values"),
                               setting("shares")));
  }
}

void ChunkBuilder::bag(std::size_t slot) {
  Target& target = targets_[slot];
  if (!target.bags) refuse(target, "an object or array where a single value is wanted");
  target.bags->offsets.push_back(target.bags->features.size());
  target.bags->missing.push_back(0);
}

void ChunkBuilder::bag_item(std::size_t slot, std::string_view name, double count) {
  if (count == 0) return;
  bag_item(slot, bag_code(slot, name), count);
}

std::int32_t ChunkBuilder::bag_code(std::size_t slot, std::string_view name) {
  Target& target = targets_[slot];
  const auto [code, is_new] = target.dictionary.insert(name, target.bags->dictionary);
  if (is_new) {
    check_word(target, name);
    target.last_place.push_back(0);
  }
  return code;
}

void ChunkBuilder::bag_item(std::size_t slot, std::int32_t code, double count) {
  if (count == 0) return;
  Target& target = targets_[slot];
  Bags& bags = *target.bags;
  if (!(count > 0) || count > largest_count) {
    const auto& name = bags.dictionary[static_cast<std::size_t>(code)];
    refuse(target, fmt::format("the count {} of {} is {}", format_number(count), in_quotes(name),
                               count > 0 ? "beyond 1e100" : "below 0"));
  }
  std::size_t& place = target.last_place[static_cast<std::size_t>(code)];
  const std::size_t row_start = bags.offsets[bags.offsets.size() - 2];
  if (place > row_start) {
    bags.counts[place - 1] += count;
    return;
  }
  bags.features.push_back(code);
  bags.counts.push_back(count);
  place = bags.features.size();
  bags.offsets.back() = place;
}

void ChunkBuilder::refuse_shape(std::size_t slot) const {
  refuse(targets_[slot], "not a single value, an object of numbers or an array of words");
}

void ChunkBuilder::refuse(const Target& target, const std::string& message) const {
  const auto what = fmt::format("column {}: {}", in_quotes(target.slot->spec.name), message);
  if (names_ == RowNames::lines) fail(file_, line_, what);
  throw Error(ErrorKind::data, fmt::format("{}[{}]: {}", file_, line_, what));
}

}  // namespace credence::data
