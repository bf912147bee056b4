// SPDX-License-Identifier: Apache-2.0
// An explanation as text, as a part of a page and as JSON; documents with their words marked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options/common.hpp"
#include "cli/print/markup.hpp"
#include "credence/classifier.hpp"
#include "documents/documents.hpp"

namespace credence::cli {

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

std::string to_text(const Case& one, const Classifier& classifier, bool color);
std::string to_html(const Case& one, const Classifier& classifier);
Json to_json(const Case& one, const Classifier& classifier);

// A page of its own from what to_html gave.
std::string explanation_page(const std::string& title, const std::string& cases);

}  // namespace credence::cli
