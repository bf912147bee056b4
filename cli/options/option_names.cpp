// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_names.hpp"

#include <algorithm>
#include <utility>

namespace credence::cli {
namespace {

// Settings whose option has another name.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"shares", "--p"},
    {"distribution", "--as"},
    {"held_out", "--held-out"},
    {"calibrate", "credence calibrate MODEL DATA --"},
    {"Metrics::confusion", "credence evaluate --json"},
    {"Metrics::classes", "credence evaluate --json"},
};

// Options whose values are free text, which a shell must not take apart.
constexpr std::string_view in_quotes[] = {"as",  "values",  "given", "at",
                                          "try", "success", "trust", "x"};

std::string option_of(std::string_view name, std::string_view rule_option) {
  if (name == "rule") return std::string(rule_option);
  for (const auto& [setting, other] : other_names) {
    if (setting == name) return std::string(other);
  }
  return "--" + std::string(name);
}

}  // namespace

std::string worded(const Message& message, std::string_view rule_option) {
  return message.worded([&](const Setting& setting) {
    std::string text = option_of(setting.name, rule_option);
    if (!setting.value) return text;
    const bool free_text =
        std::find(std::begin(in_quotes), std::end(in_quotes), setting.name) != std::end(in_quotes);
    const char* const quote = free_text ? "'" : "";
    if (!text.ends_with('-')) text += ' ';
    return text.append(quote).append(*setting.value).append(quote);
  });
}

}  // namespace credence::cli
