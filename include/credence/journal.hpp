// SPDX-License-Identifier: Apache-2.0
// What was done to a model, as its file remembers it. docs/change.md
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace credence {

struct JournalEntry {
  std::string what;         // "fit", "update", "forget", "merge", "decay", "rename", …
  double rows = 0;          // that it concerned
  std::string when = {};    // as a person gave it; never read from a clock
  std::string detail = {};  // "window 2026-11", "half-life 1000"
  std::string from = {};  // "2": it was done to the second model of the merge below; "2.3": within
                          // that one, to the third of an earlier merge
  std::size_t times = 1;  // so often in a row; `rows` is the sum

  bool operator==(const JournalEntry&) const = default;
};

// Rows kept apart under a name, so that they can be taken out again without the data.
struct Window {
  std::string name;
  double rows = 0;
  double weight = 0;
  bool decayed = false;
};

}  // namespace credence
