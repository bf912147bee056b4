// SPDX-License-Identifier: Apache-2.0
// Lines of a label, a tab and a text, without a header: how collections of short messages come.
#include <algorithm>
#include <set>

#include "credence/error.hpp"
#include "tables/table.hpp"

namespace credence::data {
namespace {

class LabelledTable final : public Table {
 public:
  explicit LabelledTable(std::string file) : Table(std::move(file), {}) {}

  std::string default_target() const override { return "label"; }

  void profile(RecordScanner sample, Profiler& profiler) const override {
    const std::size_t label = profiler.column("label"), text = profiler.column("text");
    profiler.documents(text);
    while (sample.next()) {
      const auto [name, words] = split(sample);
      profiler.cell(label, name);
      profiler.cell(text, words);
    }
  }

  void bind(const Selection& selection) override {
    std::vector<std::string> wanted;
    label_of_slot_.clear();
    for (const Slot& slot : selection.slots) {
      wanted.push_back(slot.spec.name);
      label_of_slot_.push_back(slot.spec.name == "label");
    }
    require_columns(file(), wanted, {"label", "text"});
  }

  Chunk parse(const RawChunk& raw, const Selection& selection) const override {
    refuse_nul(file(), raw.bytes, raw.first_line);
    ChunkBuilder builder(selection, file(), raw.rows);
    RecordScanner records = scan(raw);
    while (records.next()) {
      const auto [label, text] = split(records);
      builder.start_row(records.line());
      for (std::size_t slot = 0; slot < label_of_slot_.size(); ++slot) {
        builder.cell(slot, label_of_slot_[slot] ? label : text);
      }
    }
    return builder.finish();
  }

 private:
  std::pair<std::string_view, std::string_view> split(const RecordScanner& records) const {
    const auto line = records.record();
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) {
      fail(file(), records.line(), "no tab between a label and a text");
    }
    return {line.substr(0, tab), line.substr(tab + 1)};
  }

  std::vector<bool> label_of_slot_;
};

}  // namespace

std::unique_ptr<Table> open_labelled(RecordReader& reader) {
  return std::make_unique<LabelledTable>(reader.name());
}

// Every line has exactly one tab; the labels are few, short, and the first one comes again (a
// header would not); the texts are mostly different, and of more than one word or not of ASCII
// alone, unlike numbers, codes and names.
bool looks_labelled(std::string_view sample, bool last) {
  RecordScanner lines(sample, {}, 1, last);
  std::set<std::string_view> labels, texts;
  std::string_view first;
  std::size_t seen = 0, like_first = 0, wordy = 0;
  for (; seen < 200 && lines.next(); ++seen) {
    const auto line = lines.record();
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0 || tab > 40 ||
        line.find('\t', tab + 1) != std::string_view::npos) {
      return false;
    }
    const auto label = line.substr(0, tab);
    if (seen == 0) first = label;
    like_first += label == first;
    labels.insert(label);
    const auto text = trimmed(line.substr(tab + 1));
    texts.insert(text);
    wordy += std::any_of(text.begin(), text.end(),
                         [](char c) { return c == ' ' || static_cast<unsigned char>(c) >= 0x80; });
  }
  return seen >= 4 && like_first >= 2 && labels.size() * 2 <= seen && texts.size() * 2 > seen &&
         wordy * 2 > seen;
}

}  // namespace credence::data
