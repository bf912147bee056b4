// SPDX-License-Identifier: Apache-2.0
// Snowball's stemmers. A stemmer is for one thread: libstemmer keeps the last word within it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace credence::text {

class Stemmer {
 public:
  static std::vector<std::string> languages();
  static bool knows(const std::string& language);

  explicit Stemmer(const std::string& language);
  // Good until the next call.
  std::string_view operator()(std::string_view word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
};

}  // namespace credence::text
