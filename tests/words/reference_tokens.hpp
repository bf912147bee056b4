// SPDX-License-Identifier: Apache-2.0
// What tokens are, step by step on code points, without a thought for speed. It shares no code with
// src/text but the options and the built-in stop words.
#pragma once

#include <libstemmer.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "credence/chunk.hpp"
#include "words/options.hpp"
#include "words/stop_words.hpp"

namespace credence::text::reference {

using Points = std::vector<std::int32_t>;

inline std::string encode(const Points& points) {
  std::string result;
  for (const auto point : points) {
    utf8proc_uint8_t bytes[4];
    const auto size = utf8proc_encode_char(point, bytes);
    result.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  return result;
}

// The code points of UTF-8; false when it is not valid.
inline bool decode(std::string_view bytes, Points& points) {
  points.clear();
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data());
  auto left = static_cast<utf8proc_ssize_t>(bytes.size());
  while (left > 0) {
    utf8proc_int32_t point = 0;
    const auto size = utf8proc_iterate(at, left, &point);
    if (size < 1) return false;
    points.push_back(point);
    at += size;
    left -= size;
  }
  return true;
}

inline Points read(std::string_view document) {
  Points points;
  if (decode(document, points)) return points;
  static const char32_t windows[33] =
      U"\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D"
      U"\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D"
      U"\u017E\u0178";
  points.clear();
  for (const char c : document) {
    const auto byte = static_cast<unsigned char>(c);
    points.push_back(byte >= 0x80 && byte < 0xA0 ? static_cast<std::int32_t>(windows[byte - 0x80])
                                                 : byte);
  }
  return points;
}

inline bool is_word(std::int32_t point) {
  const std::string category = utf8proc_category_string(point);
  return point == '_' || category[0] == 'L' || category[0] == 'M' || category[0] == 'N';
}

inline std::string fold(const std::string& word) {
  utf8proc_uint8_t* folded = nullptr;
  const auto size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(word.data()),
      static_cast<utf8proc_ssize_t>(word.size()), &folded,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD));
  if (size < 0) throw std::runtime_error("utf8proc_map failed");
  std::string result(reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size));
  std::free(folded);
  return result;
}

// The words; an empty one stands where a word that is too long was left out.
inline std::vector<std::string> words(std::string_view document, const TokenOptions& options) {
  Points points;
  for (const auto point : read(document)) {
    if (!utf8proc_get_property(point)->ignorable || point == 0x200B) points.push_back(point);
  }
  const bool plain = options.pattern == TokenPattern::plain;
  if (!plain) {
    for (auto& point : points) {
      if (point == 0x2019) point = '\'';
    }
  }
  const auto word_at = [&](std::size_t i) { return i < points.size() && is_word(points[i]); };
  const bool parts = options.pattern == TokenPattern::parts;
  const auto joins_at = [&](std::size_t i) {
    const auto point = points[i];
    const bool joiner = point == '@' || point == '.' || (!parts && (point == '-' || point == '\''));
    return !plain && joiner && i > 0 && word_at(i - 1) && word_at(i + 1);
  };
  std::vector<std::string> result;
  Points word;
  const auto finish = [&] {
    if (word.empty()) return;
    const std::string text = options.fold ? fold(encode(word)) : encode(word);
    word.clear();
    Points final_points;
    decode(text, final_points);
    const auto shortest = static_cast<std::size_t>(options.shortest);
    if (text.size() > 256) {
      result.emplace_back();
    } else if (final_points.size() >= shortest && (!plain || final_points.size() >= 2)) {
      result.push_back(text);
    }
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (word_at(i) || joins_at(i)) {
      word.push_back(points[i]);
    } else {
      finish();
    }
  }
  finish();
  return result;
}

inline std::string stem(const std::string& word, const std::string& language) {
  const std::unique_ptr<sb_stemmer, void (*)(sb_stemmer*)> stemmer(
      sb_stemmer_new(language.c_str(), nullptr), sb_stemmer_delete);
  const auto* result =
      sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  return {reinterpret_cast<const char*>(result),
          static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))};
}

inline std::string hashed(const std::string& token, int bits) {
  std::uint64_t h = 14695981039346656037u;
  for (const unsigned char byte : token) {
    h ^= byte;
    h *= 1099511628211u;
  }
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53u;
  h ^= h >> 33;
  return "#" + std::to_string(h % (std::uint64_t{1} << bits));
}

inline std::vector<std::string> reference_tokens(std::string_view document,
                                                 const TokenOptions& options) {
  std::set<std::string> stop;
  if (options.stop == "english") {
    for (const auto word : *built_in_stop_words("english")) stop.emplace(word);
  }
  for (const auto& word : options.stop_words) stop.insert(options.fold ? fold(word) : word);

  std::vector<std::vector<std::string>> stretches(1);  // of terms, between words left out
  for (const auto& word : words(document, options)) {
    if (word.empty()) {
      stretches.emplace_back();
    } else if (!stop.contains(word)) {
      const auto term = options.stem.empty() ? word : stem(word, options.stem);
      if (!term.empty()) stretches.back().push_back(term);
    }
  }

  std::vector<std::string> tokens;
  for (int n = options.ngrams_low; n <= options.ngrams_high && options.chars_high == 0; ++n) {
    for (const auto& terms : stretches) {
      for (int begin = 0; begin + n <= static_cast<int>(terms.size()); ++begin) {
        std::string gram = terms[static_cast<std::size_t>(begin)];
        for (int i = begin + 1; i < begin + n; ++i)
          gram += " " + terms[static_cast<std::size_t>(i)];
        tokens.push_back(gram);
      }
    }
  }
  for (const auto& terms : stretches) {
    for (const auto& term : terms) {
      Points padded;
      decode(" " + term + " ", padded);
      const int size = static_cast<int>(padded.size());
      for (int n = options.chars_low; n <= options.chars_high && n > 0; ++n) {
        int offset = 0;
        do {
          const int end = std::min(offset + n, size);
          const bool only_an_end = n == 1 && (offset == 0 || end == size);
          if (only_an_end) continue;
          tokens.push_back(encode(Points(padded.begin() + offset, padded.begin() + end)));
        } while (offset++ + n < size);
        if (n >= size) break;
      }
    }
  }
  if (options.hash_bits > 0) {
    for (auto& token : tokens) token = hashed(token, options.hash_bits);
  }
  return tokens;
}

// The bags of documents from their tokens, in the order in which tokens first occur.
inline Bags bags_of(const std::vector<std::vector<std::string>>& documents) {
  Bags bags;
  std::map<std::string, std::int32_t> ids;
  for (const auto& tokens : documents) {
    std::map<std::int32_t, std::size_t> places;
    for (const auto& token : tokens) {
      const auto [found, is_new] = ids.emplace(token, static_cast<std::int32_t>(ids.size()));
      if (is_new) bags.dictionary.push_back(token);
      const auto [place, first] = places.emplace(found->second, bags.features.size());
      if (first) {
        bags.features.push_back(found->second);
        bags.counts.push_back(0);
      }
      bags.counts[place->second] += 1;
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }
  return bags;
}

}  // namespace credence::text::reference
