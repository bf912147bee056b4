// SPDX-License-Identifier: Apache-2.0
// Documents as bags of words: bernoulli, multinomial or complement, over sparse counts.
// Derivations: docs/families/text.md
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "families/family.hpp"

namespace credence {

struct TextOptions {
  enum class Model {
    bernoulli,    // every word is a coin: absent ones count too
    multinomial,  // words are draws from the class's urn
    complement,   // a class is what the other classes are not (Rennie et al., 2003)
    polya,        // as multinomial, the shares integrated out: bags under bayes, no text
  };
  enum class Counts {
    raw,     // how often a word occurs
    binary,  // whether it does
    log,     // 1 + log of how often, the document scaled to unit length
  };
  Model model = Model::complement;
  Counts counts = Counts::log;
  bool idf = false;     // rare words weigh more
  double alpha = 0.03;  // imaginary occurrences of every word under bayes,
  double smooth = 0;    // or, if not 0, so many times the mean weight of a word
  double pairs = 1;     // what several words together weigh beside a single one
  // Multiplies the weights of a document that is scored. 0: 1, but for counts=log the log2 of the
  // number of classes, as documents of unit length say less than there is to know.
  double scale = 0;
  double least_documents = 0;  // words in fewer documents are left out,
  double most_share = 1;       // and words in more than this share of them

  double scale_of(std::size_t classes) const {
    if (scale != 0) return scale;
    return counts == Counts::log ? std::max(1.0, std::log2(static_cast<double>(classes))) : 1;
  }
  bool keeps_all() const { return least_documents <= 0 && most_share >= 1; }
  bool needs_documents() const { return idf || !keeps_all(); }  // how many have each word
};

// What of "complement, ngrams=1-2, alpha=0.5" is for the tokeniser, and what for the family.
struct TextParameters {
  std::string tokens;
  std::string family;
};
// token_names: the parameters that are the tokeniser's.
TextParameters split_text_parameters(const std::string& parameters,
                                     const std::vector<std::string>& token_names);

TextOptions parse_text(const std::string& parameters);

// Whether a person has named the model; else what is best for most texts is meant.
bool names_text_model(const std::string& parameters);

}  // namespace credence
