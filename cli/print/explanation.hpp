// SPDX-License-Identifier: Apache-2.0
// An explanation as text, as a part of a page; documents with their words marked.
#pragma once

#include <string>

#include "answers/reasons.hpp"
#include "cli/options/common.hpp"
#include "cli/print/markup.hpp"
#include "credence/classifier.hpp"

namespace credence::cli {

std::string to_text(const Case& one, const Classifier& classifier, bool color);
std::string to_html(const Case& one, const Classifier& classifier);

// A page of its own from what to_html gave.
std::string explanation_page(const std::string& title, const std::string& cases);

}  // namespace credence::cli
