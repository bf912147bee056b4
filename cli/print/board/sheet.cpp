// SPDX-License-Identifier: Apache-2.0
#include "cli/print/board/sheet.hpp"

#include "core/strings.hpp"
#include "credence/steps.hpp"

namespace credence::cli {

void add_sheet(CLI::App* command, SheetOptions& options) {
  command->add_flag("--markdown", options.markdown, "For a sheet: tables in Markdown");
  command->add_flag("--latex", options.latex, "For slides: tables in LaTeX");
}

Sheet sheet_of(const SheetOptions& options, bool json) {
  if (options.markdown + options.latex + json > 1) {
    throw Error(ErrorKind::usage, "--markdown, --latex and --json: one of them at a time");
  }
  return options.markdown ? Sheet::markdown : options.latex ? Sheet::latex : Sheet::plain;
}

std::string markdown_table(const SheetRows& rows) {
  std::string result;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    result += "|";
    for (auto cell : rows[r]) {
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) {
        cell.insert(at, "\\");
      }
      result += " " + cell + " |";
    }
    result += "\n";
    if (r > 0) continue;
    result += "|";
    for (std::size_t i = 0; i < rows[0].size(); ++i) result += i == 0 ? "---|" : "---:|";
    result += "\n";
  }
  return result;
}

namespace {

// Numbers and fractions as formulas; 1e-05 as LaTeX has it.
std::string latex_cell(const std::string& cell) {
  std::string result;
  for (const auto& piece : split(cell, ' ')) {
    const bool power = piece.find('e') != std::string::npos;
    const auto value = power ? to_number(piece) : std::nullopt;
    result += (result.empty() ? "" : " ") + (value ? notation(*value).latex : piece);
  }
  return "$" + result + "$";
}

}  // namespace

std::string latex_table(const SheetRows& rows) {
  std::string result = "\\begin{tabular}{l" + std::string(rows[0].size() - 1, 'r') + "}\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const auto& cell = rows[r][i];
      // What no formula holds is text: "does not vary", names of classes.
      const bool number = r > 0 && i > 0 && cell.find_first_of("0123456789") != std::string::npos;
      result += (i == 0 ? "" : " & ") + (number ? latex_cell(cell) : latex_escaped(cell));
    }
    result += r == 0 ? " \\\\ \\hline\n" : " \\\\\n";
  }
  return result + "\\end{tabular}\n";
}

std::string table_on(Sheet sheet, const SheetRows& rows, std::size_t indent) {
  if (sheet == Sheet::markdown) return markdown_table(rows);
  return sheet == Sheet::latex ? latex_table(rows) : aligned(rows, indent);
}

std::string heading_on(Sheet sheet, const std::string& text) {
  if (sheet == Sheet::markdown) return "**" + text + "**\n\n";
  return sheet == Sheet::latex ? "\\paragraph{" + latex_escaped(text) + "}\n" : text + "\n";
}

}  // namespace credence::cli
