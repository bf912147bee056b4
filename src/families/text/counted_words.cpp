// SPDX-License-Identifier: Apache-2.0
#include "families/text/counted_words.hpp"

#include <fmt/format.h>

#include "credence/error.hpp"

namespace credence {

DoubleDouble CountedWords::exact_documents_with(std::size_t word) const {
  DoubleDouble sum;
  for (std::size_t k = begin(word); k < end(word); ++k) sum = sum + documents.exact(k);
  return sum;
}

void CountedWords::save(Tensors& tensors, const std::string& prefix) const {
  tensors.put(prefix + ".words", words);
  tensors.put(prefix + ".documents", documents, {documents.size()});
  tensors.put(prefix + ".ends", ends);
  tensors.put(prefix + ".classes", classes, {classes.size()});
  tensors.put(prefix + ".counts", weights, {weights.size()});
}

namespace {

bool sound(const CountedWords& counts, std::size_t class_count) {
  const auto& [words, ends, classes, weights, documents] = counts;
  bool good = ends.size() == words.size() + 1 && ends.front() == 0 &&
              static_cast<std::size_t>(ends.back()) == classes.size();
  good = good && words.bytes().find('\0') == std::string_view::npos;
  for (std::size_t i = 0; good && i < words.size(); ++i) {
    good = ends[i] <= ends[i + 1] && ends[i + 1] <= ends.back() && !words[i].empty() &&
           (i == 0 || words[i - 1] < words[i]);
    for (std::size_t k = counts.begin(i); good && k < counts.end(i); ++k) {
      good = counts.cls(k) < class_count && weights[k] > 0 && documents[k] >= 0 &&
             (k == counts.begin(i) || counts.cls(k - 1) < counts.cls(k));
    }
  }
  return good;
}

}  // namespace

CountedWords CountedWords::load(const Tensors& tensors, const std::string& prefix,
                                std::size_t class_count) {
  CountedWords result;
  result.words = tensors.byte_strings(prefix + ".words");
  result.ends = tensors.integers(prefix + ".ends");
  result.classes = tensors.narrow_integers(prefix + ".classes");
  const std::size_t cells = result.classes.size();
  result.weights = tensors.narrow_sums(prefix + ".counts", {cells});
  const auto documents = tensors.all.find(prefix + ".documents");
  if (documents != tensors.all.end() && cells != result.words.size() &&
      documents->second.shape == Tensors::Shape{result.words.size()}) {
    throw Error(ErrorKind::model,
                fmt::format("\"{}.documents\" counts documents by word, not by word and class, as "
                            "an early credence did: fit the model again",
                            prefix));
  }
  result.documents = tensors.narrow_sums(prefix + ".documents", {cells});
  if (!sound(result, class_count)) {
    throw Error(ErrorKind::model, prefix + ": the counts of words do not fit together");
  }
  return result;
}

}  // namespace credence
