// SPDX-License-Identifier: Apache-2.0
// Pieces of an HTML page that needs nothing but itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence::plot {

// Text between tags or in a quoted attribute.
std::string escaped(std::string_view text);

// The first row is the head; the first cell of every other row names it. Cells are text.
std::string html_table(const std::vector<std::vector<std::string>>& rows);
// A square table of counts, shaded by each count's share of its row.
std::string html_confusion(const std::vector<std::string>& labels,
                           const std::vector<std::vector<double>>& counts);

// An SVG file as part of a page. `name` sets its ids apart from those of other pictures.
std::string html_picture(std::string_view svg, std::string_view name, std::string_view caption);

std::string html_page(std::string_view title, std::string_view body);

}  // namespace credence::plot
