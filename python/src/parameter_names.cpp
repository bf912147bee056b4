// SPDX-License-Identifier: Apache-2.0
// What the library says, with the settings it names called as the parameters of Python.
#include <fmt/format.h>

#include <array>

#include "bindings.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"

namespace credence::python {
namespace {

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string parameter(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, const char*>, 4> other_names{
      {{"as", "blocks"}, {"target", "y"}, {"weights", "sample_weight"}, {"try", "tries"}}};
  for (const auto& [setting, other] : other_names) {
    if (setting == name) return other;
  }
  return std::string(name);
}

// "size=small|large" as {"size": ["small", "large"]}.
std::string words_of_column(std::string_view text) {
  const auto equals = text.find('=');
  std::string words;
  for (const auto& word : split(text.substr(equals + 1), '|')) {
    words += (words.empty() ? "" : ", ") + quoted(word);
  }
  return fmt::format("{{{}: [{}]}}", quoted(text.substr(0, equals)), words);
}

// "age, income: gaussian" as {"age, income": "gaussian"}.
std::string family_of_columns(std::string_view text) {
  const auto colon = text.rfind(':');
  return fmt::format("{{{}: {}}}", quoted(trim(text.substr(0, colon))),
                     quoted(trim(text.substr(colon + 1))));
}

std::string value_of(std::string_view name, std::string_view value) {
  if (name == "as" && value.find(':') != value.npos) return family_of_columns(value);
  if (name == "values" && value.find('=') != value.npos) return words_of_column(value);
  if (name == "try") return fmt::format("[{}]", quoted(value));
  return to_number(value) ? std::string(value) : quoted(value);
}

std::string in_python(const Setting& setting) {
  const auto& [name, value] = setting;
  if (name == "held_out") return "held_out=True";
  if (name == "calibrate") return fmt::format("calibrate(…, {}=True)", *value);
  if (name == "calibration") return "calibrate(method=\"none\")";
  return value ? parameter(name) + "=" + value_of(name, *value) : parameter(name);
}

}  // namespace

std::string worded(const Message& message) { return printable(message.worded(in_python)); }

}  // namespace credence::python
