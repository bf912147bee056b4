// SPDX-License-Identifier: Apache-2.0
// Rows as JSON objects, one a line. Read by events, without a tree in memory.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "credence/error.hpp"
#include "tables/json_rows.hpp"
#include "tables/table.hpp"

namespace credence::data {

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
// A name and the slots it fills: as a rule one.
using SlotsByName =
    std::unordered_map<std::string, std::vector<std::size_t>, NameHash, std::equal_to<>>;

namespace {

using Json = nlohmann::json;

// nlohmann's message without its id and its place, which counts from the start of the line.
std::string short_message(std::string_view text) {
  if (const auto end = text.find("] "); text.starts_with('[') && end != text.npos) {
    text.remove_prefix(end + 2);
  }
  if (const auto end = text.find(": "); text.starts_with("parse error at") && end != text.npos) {
    text.remove_prefix(end + 2);
  }
  return shown(text, 160);
}

// Turns the events of one object into cells and bags. The row says which columns it wants:
//   bool column(key), then one of cell(text), number(text, value), absent(), or bag() and
//   bag_item(name, count); refuse_shape() for what has no place in a table.
template <class Row>
class ObjectEvents {
 public:
  ObjectEvents(Row& row, const std::string& file, std::size_t line)
      : row_(row), file_(file), line_(line) {}

  bool null() {
    if (depth_ == 0) refuse_top("null");
    if (depth_ == 1 && wanted_) row_.absent();
    return true;
  }
  bool boolean(bool value) { return scalar(value ? "true" : "false", "a word"); }
  bool number_integer(std::int64_t value) { return number(value); }
  bool number_unsigned(std::uint64_t value) { return number(value); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& text) {
    if (depth_ == 2 && !in_object_) {
      if (wanted_) row_.bag_item(text, 1);
      return true;
    }
    return scalar(text, "a text");
  }
  bool binary(Json::binary_t&) { return true; }  // never in JSON text

  bool start_object(std::size_t) { return open(true); }
  bool start_array(std::size_t) { return open(false); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (depth_ == 1) wanted_ = row_.column(name);
    if (depth_ == 2) item_ = name;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& problem) {
    fail(file_, line_, "not a JSON object: " + short_message(problem.what()));
  }

 private:
  [[noreturn]] void refuse_top(const char* what) const {
    fail(file_, line_, fmt::format("not a JSON object: it is {} (write one object a line)", what));
  }

  template <class Number>
  bool number(Number value) {
    if (depth_ == 2 && in_object_) {
      if (wanted_) row_.bag_item(item_, static_cast<double>(value));
      return true;
    }
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{}", value);
    const std::string_view text(text_.data(), text_.size());
    if (depth_ != 1) return scalar(text, "a number");
    if (wanted_) row_.number(text, static_cast<double>(value));
    return true;
  }

  bool scalar(std::string_view text, const char* what) {
    if (depth_ == 0) refuse_top(what);
    if (wanted_) {
      if (depth_ > 1) row_.refuse_shape();
      if (depth_ == 1) row_.cell(text);
    }
    return true;
  }

  bool open(bool object) {
    if (depth_ == 0 && !object) refuse_top("an array");
    ++depth_;
    if (depth_ == 2) in_object_ = object;
    if (depth_ == 2 && wanted_) row_.bag();
    if (depth_ > 2 && wanted_) row_.refuse_shape();
    return true;
  }

  bool close() {
    --depth_;
    return true;
  }

  Row& row_;
  const std::string& file_;
  std::size_t line_;
  int depth_ = 0;
  bool wanted_ = false;
  bool in_object_ = false;
  std::string item_;
  fmt::memory_buffer text_;
};

template <class Row>
void read_object(std::string_view text, Row& row, const std::string& file, std::size_t line) {
  ObjectEvents<Row> events(row, file, line);
  Json::sax_parse(text.begin(), text.end(), &events);
}

struct ProfileRow {
  Profiler& profiler;
  std::size_t at = 0;

  bool column(std::string_view key) {
    at = profiler.column(key);
    return true;
  }
  void cell(std::string_view text) { profiler.cell(at, text); }
  void number(std::string_view text, double) { profiler.cell(at, text, true); }
  void absent() {}
  void bag() { profiler.bag(at); }
  void bag_item(std::string_view name, double count) { profiler.bag_item(at, name, count); }
  void refuse_shape() {}  // an error only once the column is selected
};

struct ChunkRow {
  ChunkBuilder& builder;
  const SlotsByName& names;
  std::string file;
  std::vector<std::size_t> row_of_slot;  // the last row in which the slot was filled
  std::size_t row = 0;
  std::size_t line = 0;
  const std::vector<std::size_t>* slots = nullptr;

  void start(std::size_t at_line) {
    ++row;
    line = at_line;
    builder.start_row(line);
  }
  bool column(std::string_view key) {
    const auto found = names.find(key);
    if (found == names.end()) return false;
    slots = &found->second;
    for (const std::size_t slot : *slots) {
      if (row_of_slot[slot] == row) {
        fail(file, line, fmt::format("the key {} stands twice", in_quotes(key)));
      }
      row_of_slot[slot] = row;
    }
    return true;
  }
  void finish() {
    for (std::size_t slot = 0; slot < row_of_slot.size(); ++slot) {
      if (row_of_slot[slot] != row) builder.absent(slot);
    }
  }

  void cell(std::string_view text) {
    for (const std::size_t slot : *slots) builder.cell(slot, text);
  }
  // What is a number by its type is not read as the texts of its column are.
  void number(std::string_view text, double value) {
    for (const std::size_t slot : *slots) {
      if (builder.has_reading(slot) && builder.takes_numbers(slot)) {
        builder.number(slot, value);
      } else {
        builder.cell(slot, text);
      }
    }
  }
  void absent() {
    for (const std::size_t slot : *slots) builder.absent(slot);
  }
  void bag() {
    for (const std::size_t slot : *slots) builder.bag(slot);
  }
  void bag_item(std::string_view name, double count) {
    for (const std::size_t slot : *slots) builder.bag_item(slot, name, count);
  }
  void refuse_shape() const { builder.refuse_shape(slots->front()); }
};

class JsonLinesTable final : public Table {
 public:
  explicit JsonLinesTable(std::string file) : Table(std::move(file), {}) {}

  void profile(RecordScanner sample, Profiler& profiler) const override {
    ProfileRow row{profiler};
    while (sample.next()) {
      refuse_nul(file(), sample.record(), sample.line());
      read_object(sample.record(), row, file(), sample.line());
    }
  }

  // Any name may be absent from a file: a key that is not there is a missing value.
  void bind(const Selection& selection) override {
    slots_.clear();
    for (std::size_t i = 0; i < selection.slots.size(); ++i) {
      slots_[selection.slots[i].spec.in_file()].push_back(i);
    }
  }

  Chunk parse(const RawChunk& raw, const Selection& selection) const override {
    refuse_nul(file(), raw.bytes, raw.first_line);
    ChunkBuilder builder(selection, file(), raw.rows);
    ChunkRow row{builder, slots_, file(), std::vector<std::size_t>(selection.slots.size(), 0)};
    RecordScanner records = scan(raw);
    while (records.next()) {
      row.start(records.line());
      read_object(records.record(), row, file(), records.line());
      row.finish();
    }
    return builder.finish();
  }

 private:
  SlotsByName slots_;
};

}  // namespace

std::unique_ptr<Table> open_json_lines(RecordReader& reader) {
  return std::make_unique<JsonLinesTable>(reader.name());
}

struct JsonRows::Columns {
  Selection selection;
  SlotsByName slots;
  std::vector<std::string> names;
  std::size_t label = 0, weight = 0;  // their slots; 0: there is none
  bool labelled = false;
};

namespace {

const std::string name_of_rows = "rows";

// As in a file, but nobody sends a column by mistake that the model does not have.
struct SentRow : ChunkRow {
  const std::vector<std::string>& columns;

  bool column(std::string_view key) {
    if (names.find(key) == names.end()) {
      fail(file, line,
           fmt::format("the model has no column {}{}", in_quotes(key), suggestion(key, columns)));
    }
    return ChunkRow::column(key);
  }
};

}  // namespace

JsonRows::JsonRows(const Schema& schema, bool labelled) {
  auto columns = std::make_unique<Columns>(
      Columns{{{}, MissingTokens(schema.missing), BadCells::refuse, {}}, {}, {}, 0, 0, labelled});
  auto& slots = columns->selection.slots;
  for (const auto& column : schema.columns) {
    slots.push_back(Slot{Slot::Role::column, column, {}});
    if (labelled) slots.back().declared.insert(column.values.begin(), column.values.end());
  }
  if (!schema.target.empty()) {
    columns->label = slots.size();
    slots.push_back(Slot{Slot::Role::label, {schema.target, ColumnKind::category, {}}, {}});
  }
  if (!schema.weights.empty()) {
    columns->weight = slots.size();
    slots.push_back(Slot{Slot::Role::weight, {schema.weights, ColumnKind::number, {}}, {}});
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto& name = slots[i].spec.in_file();
    auto& places = columns->slots[name];
    if (places.empty()) columns->names.push_back(name);
    places.push_back(i);
  }
  columns_ = std::move(columns);
}

JsonRows::~JsonRows() = default;

Chunk JsonRows::read(std::span<const std::string_view> rows,
                     std::span<const std::size_t> numbers) const {
  const auto number_of = [&](std::size_t i) { return numbers.empty() ? i + 1 : numbers[i]; };
  const auto& columns = *columns_;
  ChunkBuilder builder(columns.selection, name_of_rows, rows.size());
  SentRow row{{builder, columns.slots, name_of_rows,
               std::vector<std::size_t>(columns.selection.slots.size(), 0)},
              columns.names};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    row.start(number_of(i));
    read_object(rows[i], row, name_of_rows, number_of(i));
    // A row that nobody weighs weighs 1.
    if (columns.weight > 0 && row.row_of_slot[columns.weight] != row.row) {
      builder.number(columns.weight, 1);
      row.row_of_slot[columns.weight] = row.row;
    }
    row.finish();
  }
  Chunk chunk = builder.finish();
  for (std::size_t i = 0; columns.labelled && i < chunk.rows; ++i) {
    if (chunk.labels.codes[i] >= 0) continue;
    fail(name_of_rows, number_of(i),
         fmt::format("no class (give the row a value of {})",
                     in_quotes(columns.selection.slots[columns.label].spec.name)));
  }
  return chunk;
}

}  // namespace credence::data
