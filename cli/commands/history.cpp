// SPDX-License-Identifier: Apache-2.0
// show --history: the journal of a model, its windows, and the state they led to.
#include <algorithm>

#include "cli/options/changed.hpp"
#include "core/strings.hpp"
#include "credence/io.hpp"

namespace credence::cli {
namespace {

using Lines = std::vector<std::vector<std::string>>;

// Without the columns that are empty below their heading.
Lines filled_columns(const Lines& lines) {
  Lines result(lines.size());
  for (std::size_t column = 0; column < lines[0].size(); ++column) {
    const bool filled = std::any_of(lines.begin() + 1, lines.end(),
                                    [&](const auto& line) { return !line[column].empty(); });
    if (!filled) continue;
    for (std::size_t i = 0; i < lines.size(); ++i) result[i].push_back(lines[i][column]);
  }
  return result;
}

}  // namespace

std::string history_text(const Model& model) {
  std::string text;
  if (model.journal().empty()) {
    text = "no journal\n";
  } else {
    Lines lines{{"what", "rows", "times", "when", "detail", "model"}};
    for (const auto& entry : model.journal()) {
      lines.push_back({entry.what, format_number(entry.rows),
                       entry.times > 1 ? std::to_string(entry.times) : "", entry.when, entry.detail,
                       entry.from});
    }
    text = aligned(filled_columns(lines), 0);
  }
  const auto windows = model.windows();
  if (!windows.empty()) {
    Lines lines{{"window", "rows", "weight", ""}};
    for (const auto& window : windows) {
      lines.push_back({window.name, format_number(window.rows), weight_text(window.weight),
                       window.decayed ? "decayed" : ""});
    }
    text += "\n" + aligned(filled_columns(lines), 0);
  }
  if (model.rest_decayed()) {
    text +=
        windows.empty() ? "\nthe rows have decayed\n" : "\nthe rows in no window have decayed\n";
  }
  return text + fmt::format("\nstate {}\n", fingerprint(model));
}

}  // namespace credence::cli
