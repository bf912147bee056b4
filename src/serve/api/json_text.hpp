// SPDX-License-Identifier: Apache-2.0
// JSON taken apart where it lies. Rows are then read by the reader of tables, without a tree of
// what may be a million values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence::serve {

// The values of an object by their keys, and those of an array, as they are written. Throws an
// HttpError 400 where the text is something else, or is nested too deeply. Of the values themselves
// only is looked at where they end.
std::vector<std::pair<std::string, std::string_view>> members_of(std::string_view object);
std::vector<std::string_view> elements_of(std::string_view array);

// Appends the shortest text that reads back as the same double; null for what is no number.
void append_number(double value, std::string& out);

}  // namespace credence::serve
