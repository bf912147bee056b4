// SPDX-License-Identifier: Apache-2.0
// One line of Plan::as: "age, income: gaussian(full)".
#pragma once

#include <string>
#include <vector>

namespace credence {

// A family and what stands in parentheses behind it.
struct FamilyText {
  std::string family;
  std::string parameters;
};

// Which columns, which family; and further ones where a text is read in several ways.
struct Assignment {
  std::vector<std::string> patterns;
  FamilyText first;
  std::vector<FamilyText> more;
};

// Throws a usage error that quotes the line.
Assignment parse_as(const std::string& text);

}  // namespace credence
