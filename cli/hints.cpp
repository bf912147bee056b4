// SPDX-License-Identifier: Apache-2.0
#include "cli/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace credence::cli {
namespace {

constexpr std::pair<std::string_view, std::string_view> other_commands[] = {
    {"train", "credence fit"},
    {"learn", "credence fit"},
    {"build", "credence fit"},
    {"partial_fit", "credence update"},
    {"unlearn", "credence forget"},
    {"score", "credence evaluate, or credence predict --proba for each row"},
    {"test", "credence evaluate"},
    {"eval", "credence evaluate"},
    {"accuracy", "credence evaluate"},
    {"apply", "credence predict"},
    {"infer", "credence predict"},
    {"label", "credence predict"},
    {"predict_proba", "credence predict --proba"},
    {"crossval", "credence cv"},
    {"cross-validate", "credence cv"},
    {"cross_validate", "credence cv"},
    {"info", "credence show"},
    {"inspect", "credence show"},
    {"print", "credence show"},
    {"summary", "credence show"},
    {"dump", "credence show --json"},
    {"why", "credence explain"},
    {"generate", "credence sample"},
    {"draw", "credence plot"},
    {"grid", "credence tune"},
    {"search", "credence tune"},
    {"ask", "credence query"},
};

struct OtherOption {
  std::string_view command;  // "": any
  std::string_view option;
  std::string_view instead;
};

constexpr OtherOption other_options[] = {
    {"", "-t", "--target COLUMN"},
    {"", "--label", "--target COLUMN"},
    {"", "--class-column", "--target COLUMN"},
    {"", "-y", "--target COLUMN"},
    {"", "--output", "-o FILE"},
    {"", "--cv", "credence cv"},
    {"", "--alpha", "--estimate laplace=A"},
    {"", "--laplace", "--estimate laplace=A"},
    {"", "--smoothing", "--estimate laplace=A"},
    {"", "--priors", "--prior"},
    {"", "--sep", "--delimiter"},
    {"", "--n-jobs", "--threads"},
    {"", "--probability", "--proba"},
    {"", "--probabilities", "--proba"},
    {"", "--predict-proba", "--proba"},
    {"", "--k", "--folds K"},
    {"", "--kfold", "--folds K"},
    {"predict", "--steps", "credence explain --steps"},
    {"", "--logistic", "--discriminative"},
};

}  // namespace

std::vector<std::string> usual_order(const std::vector<std::string>& arguments,
                                     const std::vector<std::string_view>& commands) {
  auto result = arguments;
  const auto is_command = [&](const std::string& word) {
    return std::find(commands.begin(), commands.end(), word) != commands.end();
  };
  if (!result.empty() && result[0] == "help") {
    result.erase(result.begin());
    const bool known = !result.empty() && is_command(result[0]);
    result.insert(result.begin() + (known ? 1 : 0), "--help");
    return result;
  }
  if (result.empty() || !result[0].starts_with("-") || result[0] == "--version") return result;
  const auto command = std::find_if(result.begin(), result.end(), is_command);
  if (command != result.end()) std::rotate(result.begin(), command, command + 1);
  return result;
}

std::string hint_for_command(std::string_view word) {
  for (const auto& [other, here] : other_commands) {
    if (other == word) return fmt::format(" (here: {})", here);
  }
  return "";
}

std::string hint_for_option(std::string_view command, std::string_view option) {
  for (const auto& other : other_options) {
    if ((other.command.empty() || other.command == command) && other.option == option) {
      return fmt::format(" (here: {})", other.instead);
    }
  }
  return "";
}

}  // namespace credence::cli
