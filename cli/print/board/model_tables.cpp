// SPDX-License-Identifier: Apache-2.0
#include "cli/print/board/model_tables.hpp"

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"

namespace credence::cli {
namespace {

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

// "2/9 = 0.222222" where counts are whole, else the number.
std::string cell_text(const ParameterTable::Cell& cell, bool fractions) {
  if (fractions && cell.denominator > 0 && whole(cell.numerator) && whole(cell.denominator)) {
    return fmt::format("{}/{} = {}", format_number(cell.numerator), format_number(cell.denominator),
                       six_digits(cell.value));
  }
  return six_digits(cell.value);
}

using WordList = ParameterTable::WordList;

// Lists of words side by side, as many as fit on a line.
std::string lists_text(const std::vector<WordList>& lists, std::size_t words) {
  if (words == 0) return "";
  constexpr std::size_t line_at_most = 100, gap = 3;
  std::vector<std::vector<std::string>> blocks;  // the lines of each list, all equally wide
  for (const auto& list : lists) {
    std::vector<std::vector<std::string>> cells;
    // A line above, for cells below a heading are aligned by what they are.
    cells.push_back({"", ""});
    for (std::size_t i = 0; i < list.words.size() && i < words; ++i) {
      cells.push_back({list.words[i].first, fmt::format("{:.4g}", list.words[i].second)});
    }
    auto lines = split(aligned(cells, 0), '\n');
    lines.front() = list.title;
    blocks.push_back(std::move(lines));
  }
  std::string text;
  for (std::size_t first = 0, last = 0; first < blocks.size(); first = last) {
    std::vector<std::size_t> widths;
    std::size_t height = 0;
    for (std::size_t total = 0; last < blocks.size(); ++last) {
      std::size_t width = 0;
      for (const auto& line : blocks[last]) width = std::max(width, shown_width(line));
      total += width + gap;
      if (last > first && total > line_at_most) break;
      widths.push_back(width);
      height = std::max(height, blocks[last].size());
    }
    text += "\n";
    for (std::size_t i = 0; i < height; ++i) {
      std::string line = "  ";
      for (std::size_t b = first; b < last; ++b) {
        const std::string cell = i < blocks[b].size() ? blocks[b][i] : "";
        line += cell + std::string(widths[b - first] + gap - shown_width(cell), ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      if (!line.empty()) text += line + "\n";
    }
  }
  return text;
}

// Those of one kind together: what speaks for each class, what is probable in each, the others.
std::vector<WordList> by_kind(std::vector<WordList> lists) {
  const auto kind = [](const WordList& list) { return list.title.substr(0, list.title.find(' ')); };
  std::vector<std::string> kinds;
  for (const auto& list : lists) {
    if (std::find(kinds.begin(), kinds.end(), kind(list)) == kinds.end())
      kinds.push_back(kind(list));
  }
  std::stable_sort(lists.begin(), lists.end(), [&](const WordList& a, const WordList& b) {
    return std::find(kinds.begin(), kinds.end(), kind(a)) <
           std::find(kinds.begin(), kinds.end(), kind(b));
  });
  return lists;
}

// A list as one line, where there is no place for columns.
std::string list_lines(const std::vector<WordList>& lists, const TableOptions& options) {
  std::string result;
  for (const auto& list : lists) {
    SheetRows rows{{list.title, ""}};
    for (std::size_t i = 0; i < list.words.size() && i < options.words; ++i) {
      rows.push_back({list.words[i].first, fmt::format("{:.4g}", list.words[i].second)});
    }
    if (rows.size() > 1) result += "\n" + table_on(options.sheet, rows);
  }
  return result;
}

}  // namespace

std::string table_text(const ParameterTable& table, const std::vector<std::string>& classes,
                       const TableOptions& options) {
  const std::size_t top = options.top;
  std::string title = fmt::format("{} ({})", table.title, table.family);
  if (!table.remark.empty()) title += ": " + table.remark;
  if (table.trust != 1) title += fmt::format(", trust {}", six_digits(table.trust));
  title = "\n" + heading_on(options.sheet, title);
  const auto by_kinds = by_kind(table.lists);
  const std::string lists = options.sheet == Sheet::plain ? lists_text(by_kinds, options.words)
                                                          : list_lines(by_kinds, options);
  if (table.rows.empty() || top == 0) return title + lists;
  SheetRows rows(1, {""});
  for (const auto& cls : classes) rows[0].push_back(cls);
  for (std::size_t i = 0; i < table.rows.size() && i < top; ++i) {
    std::vector<std::string> row{table.rows[i].label()};
    for (const auto& cell : table.rows[i].cells) row.push_back(cell_text(cell, options.fractions));
    rows.push_back(std::move(row));
  }
  std::string text = title + table_on(options.sheet, rows);
  if (table.rows.size() > top) {
    text += fmt::format("  … and {} more (--top shows more)\n", table.rows.size() - top);
  }
  return text + lists;
}

std::string prior_text(const Model& model, const Scorer& scorer, const TableOptions& options) {
  const bool counts =
      model.settings().prior.kind == ClassPrior::Kind::empirical && !model.settings().hand_written;
  const auto weights = model.class_weights();
  double total = 0;
  for (const double weight : weights) total += weight;
  const bool plain = options.sheet == Sheet::plain;
  SheetRows rows;
  if (!plain) rows.push_back({"class", "P"});
  for (std::size_t c = 0; c < scorer.classes().size(); ++c) {
    const ParameterTable::Cell cell{std::exp(scorer.log_prior()[c]), weights[c], total};
    const auto& name = scorer.classes()[c];
    const auto text = cell_text(cell, counts);
    rows.push_back(plain ? std::vector{fmt::format("P({})", name), "= " + text}
                         : std::vector{name, text});
  }
  return table_on(options.sheet, rows);
}

}  // namespace credence::cli
