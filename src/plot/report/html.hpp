// SPDX-License-Identifier: Apache-2.0
// Pieces of an HTML page that needs nothing but itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plot/drawing/text.hpp"

namespace credence::plot {

// The first row is the head; the first cell of every other row names it. Cells are text. tall: in a
// frame with a scroll bar, if it is longer than a page.
std::string html_table(const std::vector<std::vector<std::string>>& rows, bool tall = false);
// "… and 7 more classes", where not all are shown.
std::string html_left_out(std::size_t all, std::size_t shown, std::string_view what);
// A square table of counts, shaded by each count's share of its row.
std::string html_confusion(const std::vector<std::string>& labels,
                           const std::vector<std::vector<double>>& counts);

// SVG files as parts of one page: ids are set apart, and letters that several pictures have are
// drawn once.
class Pictures {
 public:
  std::string add(std::string_view svg, std::string_view caption);

 private:
  std::map<std::string, std::string, std::less<>> letters_;  // outline -> id
  std::size_t count_ = 0;
};

std::string html_page(std::string_view title, std::string_view body);

}  // namespace credence::plot
