// SPDX-License-Identifier: Apache-2.0
// Tables for sheets and slides, in Markdown and LaTeX, beside the plain ones of a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/options/common.hpp"

namespace credence::cli {

enum class Sheet { plain, markdown, latex };

struct SheetOptions {
  bool markdown = false;
  bool latex = false;
};
void add_sheet(CLI::App* command, SheetOptions& options);
// Which one was asked for; a usage error where it is more than one, or JSON too.
Sheet sheet_of(const SheetOptions& options, bool json);

using SheetRows = std::vector<std::vector<std::string>>;

// The first row is the heading, the first column has names, all others numbers. In LaTeX numbers
// are formulas.
std::string markdown_table(const SheetRows& rows);
std::string latex_table(const SheetRows& rows);
// `indent`: of the plain one.
std::string table_on(Sheet sheet, const SheetRows& rows, std::size_t indent = 2);
// A line above a table.
std::string heading_on(Sheet sheet, const std::string& text);

}  // namespace credence::cli
