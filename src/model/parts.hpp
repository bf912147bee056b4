// SPDX-License-Identifier: Apache-2.0
// What a model has observed, window by window. The rows of a window are never subtracted from
// anything: without them the total is added up anew from the other parts. So nothing of them can be
// left over, whatever was decayed or rounded in between.
#pragma once

#include <string>
#include <vector>

#include "model/statistics.hpp"

namespace credence {

struct Part {
  std::string name;  // of the window
  Statistics statistics;
  bool decayed = false;
};

struct Parts {
  Part rest;                  // rows in no window
  std::vector<Part> windows;  // by name

  Part* find(const std::string& window);
  Part& find_or_add(const std::string& window);

  void add(const Parts& other);
  // Throws where a window is not there or has decayed; what goes below zero is found by defect().
  void take_away(const Parts& other);
  void decay(double factor);

  template <typename Use>
  void for_each(const Use& use) {
    use(rest);
    for (auto& window : windows) use(window);
  }

  std::string defect(bool by_hand = false) const;
  // Sorts, and drops windows without rows.
  void canonicalise();
  Statistics total() const;
};

}  // namespace credence
