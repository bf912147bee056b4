// SPDX-License-Identifier: Apache-2.0
#include "words/stemmer.hpp"

#include <fmt/format.h>
#include <libstemmer.h>

#include <algorithm>
#include <new>

#include "credence/error.hpp"

namespace credence::text {

std::vector<std::string> Stemmer::languages() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  std::sort(names.begin(), names.end());
  return names;
}

// libstemmer also takes "en" and "eng"; one spelling each keeps equal options equal.
bool Stemmer::knows(const std::string& language) {
  const auto names = languages();
  return std::binary_search(names.begin(), names.end(), language);
}

Stemmer::Stemmer(const std::string& language)
    : stemmer_(sb_stemmer_new(language.c_str(), "UTF_8")) {
  if (!stemmer_) {
    throw Error(ErrorKind::usage, fmt::format("stem={}: there is no such stemmer", language));
  }
}

std::string_view Stemmer::operator()(std::string_view word) {
  const auto* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

void Stemmer::Delete::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

}  // namespace credence::text
