// SPDX-License-Identifier: Apache-2.0
// Weka's ARFF: names, types and nominal values of the columns, then rows, dense or sparse.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "tables/table.hpp"

namespace credence::data {
namespace {

constexpr RecordRules arff_rules{false, ',', '%'};

struct Attribute {
  enum class Type { number, nominal, other };
  std::string name;
  Type type = Type::other;
  std::vector<std::string> values = {};        // of a nominal one
  std::unordered_set<std::string> known = {};  // the same
};

struct ArffCell {
  std::string text;
  bool missing = false;  // a question mark without quotes
};

// Reads tokens from the front of a line: words, or texts in quotes of either kind.
class ArffLine {
 public:
  ArffLine(std::string_view text, const std::string& file, std::size_t line)
      : rest_(trimmed(text)), file_(file), line_(line) {}

  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (next() != c) return false;
    rest_ = trimmed(rest_.substr(1));
    return true;
  }

  // Up to one of the ends, without the spaces around it.
  ArffCell token(std::string_view ends) {
    if (next() == '\'' || next() == '"') return quoted();
    const auto text = trimmed(rest_.substr(0, rest_.find_first_of(ends)));
    rest_ = trimmed(rest_.substr(std::min(rest_.find_first_of(ends), rest_.size())));
    return {std::string(text), text == "?" || text.empty()};
  }

  [[noreturn]] void refuse(const std::string& what) const { fail(file_, line_, what); }

 private:
  ArffCell quoted() {
    const char quote = next();
    std::string text;
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != quote; ++at) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
      text += rest_[at];
    }
    if (at == rest_.size()) refuse("a quote that is never closed");
    rest_ = trimmed(rest_.substr(at + 1));
    return {std::move(text), false};
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_;
};

void read_values(ArffLine& line, Attribute& attribute) {
  while (line.next() != '}') {
    if (line.at_end()) line.refuse("the list of values has no \"}\"");
    auto value = line.token(",}").text;
    if (!attribute.known.insert(value).second) {
      line.refuse(fmt::format("the value {} stands twice", in_quotes(value)));
    }
    attribute.values.push_back(std::move(value));
    line.take(',');
  }
}

Attribute read_attribute(ArffLine& line) {
  Attribute attribute{line.token(" \t{").text};
  if (line.take('{')) {
    attribute.type = Attribute::Type::nominal;
    read_values(line, attribute);
    return attribute;
  }
  const std::string type = ascii_lower(line.token(" \t").text);
  if (type == "numeric" || type == "real" || type == "integer") {
    attribute.type = Attribute::Type::number;
  } else if (type != "string" && type != "date") {
    line.refuse(
        fmt::format("the type {} of attribute {} is not numeric, string, date or a list of "
                    "values in braces",
                    in_quotes(type), in_quotes(attribute.name)));
  }
  return attribute;
}

class ArffTable final : public Table {
 public:
  ArffTable(std::string file, std::vector<Attribute> attributes)
      : Table(std::move(file), arff_rules), attributes_(std::move(attributes)) {}

  // The attribute called class; else the last one, where it is nominal.
  std::string default_target() const override {
    for (const auto& attribute : attributes_) {
      if (equal_ignoring_case(attribute.name, "class")) return attribute.name;
    }
    const auto& last = attributes_.back();
    return last.type == Attribute::Type::nominal ? last.name : "";
  }

  void profile(RecordScanner sample, Profiler& profiler) const override {
    for (const auto& attribute : attributes_) {
      const std::size_t column = profiler.column(attribute.name);
      if (!attribute.values.empty()) profiler.declare(column, attribute.values);
    }
    while (sample.next()) {
      const auto cells = split(sample);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        double value = 0;
        if (cells[i].missing) continue;
        check(attributes_[i], cells[i], sample.line());
        if (attributes_[i].type == Attribute::Type::number &&
            parse_number(cells[i].text, value) == NumberState::finite) {
          profiler.number(i, value);
        } else {
          profiler.cell(i, cells[i].text);
        }
      }
    }
  }

  void bind(const Selection& selection) override {
    std::vector<std::string> wanted, names;
    for (const Slot& slot : selection.slots) wanted.push_back(slot.spec.in_file());
    for (const auto& attribute : attributes_) names.push_back(attribute.name);
    require_columns(file(), wanted, names);
    places_.clear();
    for (const auto& name : wanted) {
      places_.push_back(
          static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    }
  }

  Chunk parse(const RawChunk& raw, const Selection& selection) const override {
    refuse_nul(file(), raw.bytes, raw.first_line);
    ChunkBuilder builder(selection, file(), raw.rows);
    RecordScanner records = scan(raw);
    while (records.next()) {
      const auto cells = split(records);
      builder.start_row(records.line());
      for (std::size_t slot = 0; slot < places_.size(); ++slot) {
        const auto& cell = cells[places_[slot]];
        if (cell.missing) {
          builder.absent(slot);
        } else {
          check(attributes_[places_[slot]], cell, records.line());
          builder.cell(slot, cell.text);
        }
      }
    }
    return builder.finish();
  }

 private:
  std::vector<ArffCell> split(const RecordScanner& records) const {
    ArffLine line(records.record(), file(), records.line());
    if (line.take('{')) return split_sparse(line);
    std::vector<ArffCell> cells;
    while (!line.at_end()) {
      if (line.next() == '{')
        line.refuse("a weight in braces, which is not read (make it a column)");
      cells.push_back(line.token(","));
      if (!line.at_end() && !line.take(',')) line.refuse("no comma behind a quoted value");
    }
    if (trimmed(records.record()).ends_with(',')) cells.push_back({"", true});
    if (cells.size() != attributes_.size()) {
      line.refuse(
          fmt::format("{} values where there are {} attributes (quote those that contain "
                      "\",\")",
                      cells.size(), attributes_.size()));
    }
    return cells;
  }

  // Of what a sparse row leaves out numbers are 0 and nominal values the first.
  std::vector<ArffCell> split_sparse(ArffLine& line) const {
    std::vector<ArffCell> cells;
    for (const auto& attribute : attributes_) {
      const bool number = attribute.type == Attribute::Type::number;
      cells.push_back({number                     ? "0"
                       : attribute.values.empty() ? ""
                                                  : attribute.values[0],
                       !number && attribute.values.empty()});
    }
    while (!line.take('}')) {
      const std::string place = line.token(" \t,}").text;
      const auto number = to_number(place);
      if (!number || *number < 0 || *number >= static_cast<double>(cells.size()) || line.at_end()) {
        line.refuse(fmt::format("{} is not the place of an attribute, from 0 to {}",
                                in_quotes(place), cells.size() - 1));
      }
      cells[static_cast<std::size_t>(*number)] = line.token(",}");
      line.take(',');
    }
    if (!line.at_end()) line.refuse("something behind the \"}\" of a row");
    return cells;
  }

  // The file says what its cells are, and is held to it.
  void check(const Attribute& attribute, const ArffCell& cell, std::size_t line) const {
    double value = 0;
    if (attribute.type == Attribute::Type::number) {
      if (parse_number(cell.text, value) != NumberState::not_a_number) return;
      fail(file(), line,
           fmt::format("column {}: {} is not a number, as its @attribute says",
                       in_quotes(attribute.name), in_quotes(cell.text)));
    }
    if (attribute.type != Attribute::Type::nominal || attribute.known.contains(cell.text)) return;
    fail(file(), line,
         fmt::format("column {}: {} is not among the values that its @attribute declares",
                     in_quotes(attribute.name), in_quotes(cell.text)));
  }

  std::vector<Attribute> attributes_;
  std::vector<std::size_t> places_;
};

}  // namespace

bool looks_like_arff(std::string_view sample) {
  RecordScanner lines(sample, arff_rules, 1, true);
  return lines.next() && ascii_lower(trimmed(lines.record()).substr(0, 9)) == "@relation";
}

std::unique_ptr<Table> open_arff(RecordReader& reader) {
  std::vector<Attribute> attributes;
  std::unordered_set<std::string> names;
  while (true) {
    if (!reader.buffer_record(arff_rules)) {
      throw Error(ErrorKind::data, reader.name() + ": no @data, which begins the rows of ARFF");
    }
    RecordScanner first(reader.buffered(), arff_rules, reader.line(), reader.at_end());
    first.next();
    refuse_nul(reader.name(), first.record(), first.line());
    if (!valid_utf8(first.record())) {
      fail(reader.name(), first.line(),
           "the header is not valid UTF-8 (convert the file, for example with iconv -f latin1 -t "
           "utf8)");
    }
    ArffLine line(first.record(), reader.name(), first.line());
    const std::string word = ascii_lower(line.token(" \t").text);
    if (word == "@attribute") {
      attributes.push_back(read_attribute(line));
      if (!names.insert(attributes.back().name).second) {
        line.refuse(fmt::format("the attribute {} stands twice (rename one of them)",
                                in_quotes(attributes.back().name)));
      }
    } else if (word != "@relation" && word != "@data") {
      line.refuse(fmt::format("{} is not @relation, @attribute or @data", in_quotes(word)));
    }
    reader.skip(first.bytes_taken(), first.next_line() - reader.line());
    if (word != "@data") continue;
    if (attributes.empty()) fail(reader.name(), first.line(), "@data without any @attribute");
    return std::make_unique<ArffTable>(reader.name(), std::move(attributes));
  }
}

}  // namespace credence::data
