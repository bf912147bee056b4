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
    {"add", "credence update"},
    {"unlearn", "credence forget"},
    {"remove", "credence forget"},
    {"combine", "credence merge"},
    {"rename", "credence classes --rename"},
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
    {"validate", "credence cv"},
    {"info", "credence show"},
    {"inspect", "credence show"},
    {"print", "credence show"},
    {"summary", "credence show"},
    {"dump", "credence show --json"},
    {"export", "credence show --json, or --linear"},
    {"why", "credence explain"},
    {"generate", "credence sample"},
    {"simulate", "credence sample"},
    {"draw", "credence plot"},
    {"visualize", "credence plot, or credence report"},
    {"grid", "credence tune"},
    {"optimize", "credence tune"},
    {"search", "credence tune"},
    {"ask", "credence query"},
    {"train_test_split", "credence split"},
    {"holdout", "credence split"},
    {"profile", "credence describe"},
    {"stats", "credence describe"},
    {"columns", "credence describe"},
    {"head", "credence describe"},
    {"diff", "credence compare A.credence B.credence DATA"},
    {"benchmark", "credence compare"},
    {"retrain", "credence update"},
    {"delete", "credence forget"},
    {"classification_report", "credence evaluate"},
    {"confusion", "credence evaluate, or credence plot MODEL DATA confusion"},
    {"confusion_matrix", "credence evaluate, or credence plot MODEL DATA confusion"},
    {"roc", "credence plot MODEL DATA roc"},
    {"version", "credence --version"},
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
    {"", "-m", "-o MODEL"},
    {"", "--save", "-o MODEL"},
    {"predict", "--target", "the model knows its target"},
    {"evaluate", "--target", "the model knows its target"},
    {"", "--drop", "--as 'COLUMN: ignore'"},
    {"", "--features", "--as '*: ignore' --as 'COLUMN: FAMILY'"},
    {"", "--columns", "--as '*: ignore' --as 'COLUMN: FAMILY'"},
    {"", "--ignore", "--as 'COLUMN: ignore'"},
    {"", "--exclude", "--as 'COLUMN: ignore'"},
    {"", "--categorical", "--as 'COLUMN: categorical'"},
    {"", "--numeric", "--as 'COLUMN: gaussian'"},
    {"", "--kernel", "--as 'COLUMN: kernel'"},
    {"", "--ngrams", "--as 'COLUMN: text(ngrams=1-2)'"},
    {"", "--sample-weight", "--weights COLUMN"},
    {"", "--column-weights", "--trust 'COLUMN=0.5'"},
    {"", "--feature-weights", "--trust 'COLUMN=0.5'"},
    {"", "--class-weight", "--prior uniform, or --costs in predict"},
    {"", "--balanced", "--prior uniform"},
    {"", "--cv", "credence cv"},
    {"fit", "--folds", "credence cv --folds K"},
    {"fit", "--seed", "nothing is drawn by lot"},
    {"", "--test", "credence evaluate MODEL FILE"},
    {"", "--alpha", "--estimate laplace=A"},
    {"", "--laplace", "--estimate laplace=A"},
    {"", "--smoothing", "--estimate laplace=A"},
    {"", "--priors", "--prior"},
    {"", "--classes", "--values 'TARGET=low|medium|high' (their order)"},
    {"", "--class-order", "--values 'TARGET=low|medium|high'"},
    {"", "--sep", "--delimiter"},
    {"", "--header", "a header is expected; --no-header if there is none"},
    {"", "--na", "--missing LIST"},
    {"", "--na-values", "--missing LIST"},
    {"", "--n-jobs", "--threads"},
    {"", "--probability", "--proba"},
    {"", "--probabilities", "--proba"},
    {"", "--predict-proba", "--proba"},
    {"", "--k", "--folds K"},
    {"", "--kfold", "--folds K"},
    {"predict", "--row", "credence explain --row N"},
    {"predict", "--json", "the answers are CSV"},
    {"show", "--format", "--json"},
    {"", "-v", "notes are shown unless -q"},
    {"", "--verbose", "notes are shown unless -q"},
    {"", "--logistic", "--discriminative"},
    {"", "-k", "--folds K"},
    {"", "--n-folds", "--folds K"},
    {"", "--nfolds", "--folds K"},
    {"", "--n-splits", "--folds K"},
    {"evaluate", "--folds", "credence cv --folds K"},
    {"", "--random-state", "--seed"},
    {"", "--class", "--target COLUMN"},
    {"", "--response", "--target COLUMN"},
    {"", "--outcome", "--target COLUMN"},
    {"", "--family", "--as 'COLUMN: FAMILY'"},
    {"", "--distribution", "--as 'COLUMN: FAMILY'"},
    {"", "--delim", "--delimiter"},
    {"", "--separator", "--delimiter"},
    {"", "-d", "--delimiter"},
    {"", "--jobs", "--threads"},
    {"", "-j", "--threads"},
    {"", "--test-size", "--share P"},
    {"", "--test-share", "--share P"},
    {"", "--train-size", "--share P, of the test part"},
    {"", "--group", "--group-by COLUMN"},
    {"", "--groups", "--group-by COLUMN"},
    {"", "--scoring", "--by"},
    {"", "--metric", "--by"},
    {"", "--objective", "--by"},
    {"", "--top-k", "--top K"},
    {"", "-p", "--proba"},
    {"", "--truth", "--keep CLASSCOLUMN"},
    {"", "--id", "--keep COLUMN"},
    {"", "--out", "-o FILE"},
    {"", "--output-file", "-o FILE"},
    {"", "--input", "DATA without an option"},
    {"", "-i", "DATA without an option"},
    {"", "--data", "DATA without an option"},
    {"", "--file", "DATA without an option"},
    {"", "--train", "credence split --train, or DATA without an option"},
};

// Whether an argument stands where a column would in other programs: `fit data.csv class`.
bool second_name(const std::vector<std::string>& arguments, const std::string& argument) {
  const std::string_view command = arguments[0];
  return (command == "fit" || command == "cv" || command == "tune" || command == "compare") &&
         arguments[1] != argument && argument.find_first_of("./") == std::string::npos &&
         std::find(arguments.begin(), arguments.end(), "--target") == arguments.end();
}

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
  if (!result.empty() && result[0].starts_with("-") && result[0] != "--version") {
    const auto command = std::find_if(result.begin(), result.end(), is_command);
    if (command != result.end()) std::rotate(result.begin(), command, command + 1);
  }
  // The steps of a prediction are its explanation.
  const bool steps = std::find(result.begin(), result.end(), "--steps") != result.end();
  if (steps && result[0] == "predict") result[0] = "explain";
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

std::string hint_for_failure(const std::vector<std::string>& arguments, std::string_view message) {
  const auto given = [&](const std::string& argument, const char* complaint) {
    return message.starts_with(argument + complaint);
  };
  for (const auto& argument : arguments) {
    if (argument.empty()) continue;
    if (given(argument, ": no such file")) {
      if (argument.find('=') != std::string::npos &&
          argument.find("?table=") == std::string::npos) {
        return " (a row is one argument: --given 'COLUMN=value,COLUMN=value')";
      }
      return second_name(arguments, argument) ? " (a column is named with --target)" : "";
    }
    if (!given(argument, ": not a credence model") || argument.ends_with(".credence")) continue;
    const auto model =
        std::find_if(arguments.begin(), arguments.end(),
                     [](const std::string& other) { return other.ends_with(".credence"); });
    if (model != arguments.end()) {
      return fmt::format(" (the model comes first: credence {} {} {})", arguments[0], *model,
                         argument);
    }
    if (argument.ends_with(".csv")) return " (credence fit makes one of a table)";
  }
  return "";
}

}  // namespace credence::cli
