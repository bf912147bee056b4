// SPDX-License-Identifier: Apache-2.0
#include "words/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "words/stemmer.hpp"
#include "words/stop_words.hpp"

namespace credence::text {
namespace {

constexpr int most_words = 8;
constexpr int most_chars = 32;
constexpr int most_shortest = 64;
constexpr int most_hash_bits = 31;

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view what) {
  throw Error(ErrorKind::usage, fmt::format("text({}={}): {}", name, value, what));
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// "1-2", or "2" for 2-2.
std::pair<int, int> parse_range(const std::string& name, const std::string& value,
                                std::string_view what) {
  const auto dash = value.find('-');
  const auto low = whole_number(trim(std::string_view(value).substr(0, dash)));
  const auto high = dash == std::string::npos
                        ? low
                        : whole_number(trim(std::string_view(value).substr(dash + 1)));
  if (!low || !high) refuse(name, value, what);
  return {*low, *high};
}

std::string format_range(int low, int high) {
  return low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
}

std::string words_wanted() {
  return fmt::format("from how many words to how many is wanted, such as 1-2, at most {}",
                     most_words);
}

std::string chars_wanted() {
  return fmt::format("from how many characters to how many is wanted, such as 3-5, at most {}",
                     most_chars);
}

std::string number_wanted(int least, int most) {
  return fmt::format("a whole number from {} to {} is wanted", least, most);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (auto& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

// In the order of TokenPattern.
constexpr std::array<std::string_view, 3> pattern_names = {"words", "parts", "plain"};

TokenPattern pattern_named(const std::string& name) {
  const auto found = std::find(pattern_names.begin(), pattern_names.end(), name);
  if (found == pattern_names.end()) refuse("tokens", name, "words, parts or plain is wanted");
  return static_cast<TokenPattern>(found - pattern_names.begin());
}

}  // namespace

const std::vector<std::string>& token_option_names() {
  static const std::vector<std::string> names = {"tokens", "fold",      "ngrams",   "chars", "stop",
                                                 "stem",   "stop-list", "shortest", "hash"};
  return names;
}

void check(const TokenOptions& options) {
  const auto ngrams = format_range(options.ngrams_low, options.ngrams_high);
  if (options.ngrams_low < 1 || options.ngrams_high < options.ngrams_low ||
      options.ngrams_high > most_words) {
    refuse("ngrams", ngrams, words_wanted());
  }
  const bool no_chars = options.chars_low == 0 && options.chars_high == 0;
  if (!no_chars && (options.chars_low < 1 || options.chars_high < options.chars_low ||
                    options.chars_high > most_chars)) {
    refuse("chars", format_range(options.chars_low, options.chars_high), chars_wanted());
  }
  if (!no_chars && options.ngrams_high > 1) {
    refuse("ngrams", ngrams, "chars takes the place of words; give one of the two");
  }
  if (!options.stop.empty() && built_in_stop_words(options.stop) == nullptr) {
    refuse("stop", options.stop,
           fmt::format("no such list of stop words; there is english, and stop-list=a the takes "
                       "your own"));
  }
  for (const auto& word : options.stop_words) {
    if (word.empty() || word.find_first_of(" ,=\"\t\r\n") != std::string::npos) {
      refuse("stop-list", word, "single words are wanted, with spaces between them");
    }
  }
  if (!options.stem.empty() && !Stemmer::knows(options.stem)) {
    refuse("stem", options.stem,
           fmt::format("no such language{}; there are {}",
                       suggestion(options.stem, Stemmer::languages()),
                       join(Stemmer::languages(), ", ")));
  }
  if (options.shortest < 1 || options.shortest > most_shortest) {
    refuse("shortest", std::to_string(options.shortest), number_wanted(1, most_shortest));
  }
  if (options.hash_bits < 0 || options.hash_bits > most_hash_bits) {
    refuse("hash", std::to_string(options.hash_bits),
           number_wanted(1, most_hash_bits) + " (bits), or 0 for names in full");
  }
}

TokenOptions parse_token_options(
    const std::vector<std::pair<std::string, std::string>>& names_and_values) {
  TokenOptions options;
  std::vector<std::string> seen;
  for (const auto& [name, value] : names_and_values) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      refuse(name, value, "given twice; leave one out");
    }
    seen.push_back(name);
    const auto number = [&name = name, &value = value](int least, int most) {
      const auto parsed = whole_number(value);
      if (!parsed) refuse(name, value, number_wanted(least, most));
      return *parsed;
    };
    if (name == "tokens") {
      options.pattern = pattern_named(value);
    } else if (name == "fold") {
      if (value != "yes" && value != "no") refuse(name, value, "yes or no is wanted");
      options.fold = value == "yes";
    } else if (name == "ngrams") {
      std::tie(options.ngrams_low, options.ngrams_high) = parse_range(name, value, words_wanted());
    } else if (name == "chars") {
      std::tie(options.chars_low, options.chars_high) = parse_range(name, value, chars_wanted());
    } else if (name == "stop") {
      options.stop = value == "none" ? "" : value;
    } else if (name == "stop-list") {
      options.stop_words = split_words(value);
    } else if (name == "stem") {
      options.stem = value == "none" ? "" : value;
    } else if (name == "shortest") {
      options.shortest = number(1, most_shortest);
    } else if (name == "hash") {
      options.hash_bits = number(1, most_hash_bits);
    } else {
      throw Error(ErrorKind::usage, fmt::format("text({}): no parameter \"{}\"{}; it takes {}",
                                                name, name, suggestion(name, token_option_names()),
                                                join(token_option_names(), ", ")));
    }
  }
  check(options);
  return options;
}

TokenOptions parse_token_options(std::string_view list) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (trim(list).empty()) return {};
  for (const auto& piece : split(list, ',')) {
    const auto equals = piece.find('=');
    const std::string_view view = piece;
    pairs.emplace_back(trim(view.substr(0, equals)),
                       equals == std::string::npos ? "" : trim(view.substr(equals + 1)));
  }
  return parse_token_options(pairs);
}

std::string to_string(const TokenOptions& options) {
  const TokenOptions defaults;
  std::vector<std::string> pieces;
  const auto add = [&](std::string_view name, std::string_view value) {
    pieces.push_back(fmt::format("{}={}", name, value));
  };
  if (options.pattern != defaults.pattern) {
    add("tokens", pattern_names[static_cast<std::size_t>(options.pattern)]);
  }
  if (!options.fold) add("fold", "no");
  if (options.ngrams_low != 1 || options.ngrams_high != 1) {
    add("ngrams", format_range(options.ngrams_low, options.ngrams_high));
  }
  if (options.chars_high != 0) add("chars", format_range(options.chars_low, options.chars_high));
  if (!options.stop.empty()) add("stop", options.stop);
  if (!options.stop_words.empty()) add("stop-list", join(options.stop_words, " "));
  if (!options.stem.empty()) add("stem", options.stem);
  if (options.shortest != defaults.shortest) add("shortest", std::to_string(options.shortest));
  if (options.hash_bits != 0) add("hash", std::to_string(options.hash_bits));
  return join(pieces, ", ");
}

}  // namespace credence::text
