// SPDX-License-Identifier: Apache-2.0
// Files that hold no table, told by their first bytes, and what to do about them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence::data {

// Parquet, Feather and Arrow files: "Parquet", "Feather", "Arrow"; "" for others.
std::string_view columnar_kind(std::string_view head);

// Throws Error data that says what a file is when its first bytes show that it is no text.
void refuse_foreign(const std::string& name, std::string_view head);
// The same for a zip, by the names of the files in it: a workbook is one.
void refuse_foreign_zip(const std::string& name, const std::vector<std::string>& members);

}  // namespace credence::data
