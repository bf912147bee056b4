// SPDX-License-Identifier: Apache-2.0
// Sparse rows in libsvm's text form: `label index:value …`, with # for comments.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "credence/error.hpp"
#include "tables/table.hpp"

namespace credence::data {
namespace {

const std::string label_name = "label";
const std::string features_name = "features";

// Takes the first word off the front of a line; empty at its end.
std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

struct Item {
  std::string_view index;
  double value = 0;
};

std::optional<Item> parse_item(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  Item item{word.substr(0, colon), 0};
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(item.index.begin(), item.index.end(), is_digit)) return std::nullopt;
  if (parse_number(word.substr(colon + 1), item.value) != NumberState::finite) return std::nullopt;
  return item;
}

std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names;
  if (path.empty()) return names;
  RecordReader reader(path);
  RawChunk raw;
  while (reader.cut({}, 1, raw)) {
    // A blank line would be stepped over and shift every later name.
    const std::string_view bytes = raw.bytes;
    names.resize(names.size() +
                 static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) +
                 (bytes.ends_with('\n') ? 0 : 1));
    std::string_view last = bytes.ends_with('\n') ? bytes.substr(0, bytes.size() - 1) : bytes;
    last.remove_prefix(last.rfind('\n') + 1);
    if (last.ends_with('\r')) last.remove_suffix(1);
    names.back() = trimmed(last);
  }
  return names;
}

class LibsvmTable final : public Table {
 public:
  LibsvmTable(std::string file, const std::string& names_path)
      : Table(std::move(file), {false, '\0', '#'}),
        names_path_(names_path),
        feature_names_(read_names(names_path)) {}

  void profile(RecordScanner sample, Profiler& profiler) const override {
    const std::size_t label = profiler.column(label_name);
    const std::size_t features = profiler.column(features_name);
    while (sample.next()) {
      profiler.bag(features);
      read_row(
          sample, [&](std::string_view text) { profiler.cell(label, text); }, [] {},
          [&](std::string_view name, double value) { profiler.bag_item(features, name, value); });
    }
  }

  void bind(const Selection& selection) override {
    label_slots_.clear();
    feature_slots_.clear();
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < selection.slots.size(); ++i) {
      wanted.push_back(selection.slots[i].spec.name);
      (wanted.back() == label_name ? label_slots_ : feature_slots_).push_back(i);
    }
    require_columns(file(), wanted, {label_name, features_name});
  }

  Chunk parse(const RawChunk& raw, const Selection& selection) const override {
    refuse_nul(file(), raw.bytes, raw.first_line);
    ChunkBuilder builder(selection, file(), raw.rows);
    RecordScanner records = scan(raw);
    while (records.next()) {
      builder.start_row(records.line());
      for (const std::size_t slot : feature_slots_) builder.bag(slot);
      read_row(
          records,
          [&](std::string_view text) {
            for (const std::size_t slot : label_slots_) builder.cell(slot, text);
          },
          [&] {
            for (const std::size_t slot : label_slots_) builder.absent(slot);
          },
          [&](std::string_view name, double value) {
            for (const std::size_t slot : feature_slots_) builder.bag_item(slot, name, value);
          });
    }
    return builder.finish();
  }

 private:
  // A row that starts with index:value has no label.
  template <class Label, class NoLabel, class Feature>
  void read_row(const RecordScanner& records, Label on_label, NoLabel on_no_label,
                Feature on_feature) const {
    std::string_view line = records.record();
    line = line.substr(0, line.find('#'));
    std::string_view word = take_word(line);
    if (parse_item(word)) {
      on_no_label();
    } else {
      on_label(word);
      word = take_word(line);
    }
    for (; !word.empty(); word = take_word(line)) {
      const std::optional<Item> item = parse_item(word);
      if (!item) fail(file(), records.line(), in_quotes(word) + " is not index:value");
      on_feature(feature_name(item->index, records.line()), item->value);
    }
  }

  std::string_view feature_name(std::string_view index, std::size_t line) const {
    if (names_path_.empty()) return index;
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(index.data(), index.data() + index.size(), number);
    if (problem != std::errc() || number == 0 || number > feature_names_.size()) {
      fail(file(), line,
           fmt::format("feature {} has no name: {} has lines 1 to {}", shown(index),
                       display_name(names_path_), feature_names_.size()));
    }
    return feature_names_[number - 1];
  }

  std::string names_path_;
  std::vector<std::string> feature_names_;
  std::vector<std::size_t> label_slots_;
  std::vector<std::size_t> feature_slots_;
};

}  // namespace

bool looks_like_libsvm(std::string_view line) {
  line = line.substr(0, line.find('#'));
  if (take_word(line).empty()) return false;
  std::size_t items = 0;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (!parse_item(word)) return false;
    ++items;
  }
  return items > 0;
}

std::unique_ptr<Table> open_libsvm(RecordReader& reader, const ReadOptions& options) {
  return std::make_unique<LibsvmTable>(reader.name(), options.feature_names);
}

}  // namespace credence::data
