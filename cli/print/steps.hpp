// SPDX-License-Identifier: Apache-2.0
// The steps of a posterior as text, Markdown, LaTeX, a part of a page.
#pragma once

#include <string>

#include "answers/reasons.hpp"
#include "cli/options/common.hpp"
#include "credence/steps.hpp"

namespace credence::cli {

std::string to_text(const Steps& steps);
// The logarithm of every factor under every class, their sums and the posterior.
std::string class_by_class(const Steps& steps);
std::string to_markdown(const Steps& steps);
std::string to_latex(const Steps& steps);
std::string to_html(const Steps& steps);

}  // namespace credence::cli
