// SPDX-License-Identifier: Apache-2.0
// A chart of lines: learning curves, calibration, whatever is y over x by name.
#pragma once

#include <string>
#include <vector>

#include "plot/drawing/canvas.hpp"

namespace credence::plot {

struct Series {
  std::string name;
  std::vector<double> x, y;        // of the same length; NaN and infinities leave a gap
  std::vector<double> error = {};  // half the length of a bar around each point; empty: no bars
};

// The file's bytes.
std::string line_chart(const Look& look, const std::string& title, const std::string& subtitle,
                       const std::string& x_label, const std::string& y_label,
                       const std::vector<Series>& series, bool log_x);

}  // namespace credence::plot
