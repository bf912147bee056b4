// SPDX-License-Identifier: Apache-2.0
#include "words/terms.hpp"

#include <fmt/format.h>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "words/characters.hpp"
#include "words/stop_words.hpp"

namespace credence::text {

TermMaker::TermMaker(const TokenOptions& options) {
  // Compared with folded words, so folded alike.
  Folder folder;
  const auto add = [&](std::string_view word) {
    stop_words_.emplace(options.fold ? folder(word) : word);
  };
  if (const auto* list = built_in_stop_words(options.stop)) {
    for (const auto word : *list) add(word);
  }
  for (const auto& word : options.stop_words) add(word);
  if (!options.stem.empty()) stemmer_.emplace(options.stem);
}

std::string_view TermMaker::operator()(std::string_view word) {
  if (!stop_words_.empty() && stop_words_.find(word) != stop_words_.end()) return {};
  return stemmer_ ? (*stemmer_)(word) : word;
}

std::vector<std::string> char_grams(std::string_view term, int low, int high) {
  std::string padded(" ");
  padded.append(term).append(" ");
  std::vector<std::size_t> begins;  // of code points, and the end
  for (std::size_t i = 0; i < padded.size(); ++i) {
    if (begins_code_point(padded[i])) begins.push_back(i);
  }
  const std::size_t points = begins.size();
  begins.push_back(padded.size());
  std::vector<std::string> grams;
  for (auto n = static_cast<std::size_t>(low); n <= static_cast<std::size_t>(high); ++n) {
    if (n >= points) {
      grams.push_back(padded);
      break;
    }
    // The spaces at both ends say where a word ends, but are no characters of their own.
    const std::size_t ends = n == 1 ? 1 : 0;
    for (std::size_t i = ends; i + n + ends <= points; ++i) {
      grams.push_back(padded.substr(begins[i], begins[i + n] - begins[i]));
    }
  }
  return grams;
}

std::string hashed_name(std::string_view token, int bits) {
  return fmt::format("#{}", stable_hash(token) & ((std::uint64_t{1} << bits) - 1));
}

}  // namespace credence::text
