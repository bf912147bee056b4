// SPDX-License-Identifier: Apache-2.0
// Why a row gets its label, as JSON: the weight of evidence of every column, or the computation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "answers/json.hpp"
#include "answers/marked.hpp"
#include "credence/classifier.hpp"
#include "credence/steps.hpp"
#include "documents/documents.hpp"

namespace credence {

// A row and why it gets its label.
struct Case {
  std::size_t row = 0;
  std::string name;  // of its file; empty: it has none
  Explanation why;
  std::vector<bool> is_token;     // of each line: one token of a document
  std::vector<MarkedText> texts;  // of its documents, where they are at hand
};

// texts: of the row's documents by column; null: they are not at hand.
Case make_case(Explanation why, const Classifier& classifier, const Chunk& chunk, std::size_t row,
               const data::DocumentTexts* texts);

// Of a row: a class against another; "": the most probable one, and the second.
Explanation explain_for(const Classifier& classifier, const Chunk& chunk, std::size_t row,
                        const std::string& label, const std::string& against);
// The place of a class among those of a classifier. what: the setting that names it.
std::size_t class_named(std::string_view what, const std::string& name,
                        const Classifier& classifier);

Json to_json(const Case& one, const Classifier& classifier);
Json to_json(const Steps& steps);

}  // namespace credence
