// SPDX-License-Identifier: Apache-2.0
#include "model/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/statistics/class_arrays.hpp"

namespace credence {
namespace {

std::string in_window(const Part& part) {
  return part.name.empty() ? "" : fmt::format("window \"{}\": ", part.name);
}

}  // namespace

Part* Parts::find(const std::string& window) {
  const auto found = std::find_if(windows.begin(), windows.end(),
                                  [&](const Part& part) { return part.name == window; });
  return found == windows.end() ? nullptr : &*found;
}

Part& Parts::find_or_add(const std::string& window) {
  if (auto* found = find(window)) return *found;
  const auto place = std::find_if(windows.begin(), windows.end(), [&](const Part& part) {
    return natural_less(window, part.name);
  });
  return *windows.insert(place, Part{window, rest.statistics.empty()});
}

void Parts::add(const Parts& other) {
  const auto add = [](Part& to, const Part& from) {
    to.statistics.merge(from.statistics, 1);
    to.decayed = to.decayed || from.decayed;
  };
  add(rest, other.rest);
  for (const auto& window : other.windows) add(find_or_add(window.name), window);
}

void Parts::take_away(const Parts& other) {
  const auto take = [](Part& from, const Part& what) {
    if (what.statistics.rows() == 0) return;
    if (from.decayed) {
      throw Error(ErrorKind::data,
                  fmt::format("{}rows cannot be forgotten from what has decayed: what they weigh "
                              "now is not known (a window can be forgotten as a whole)",
                              in_window(from)));
    }
    from.statistics.merge(what.statistics, -1);
  };
  take(rest, other.rest);
  for (const auto& window : other.windows) {
    auto* found = find(window.name);
    if (!found) {
      throw Error(ErrorKind::data, fmt::format("cannot forget what was not observed: there is no "
                                               "window \"{}\" (the model is unchanged)",
                                               window.name));
    }
    take(*found, window);
  }
}

void Parts::decay(double factor) {
  if (factor == 1) return;
  for_each([&](Part& part) {
    if (part.statistics.classes().empty()) return;
    part.statistics.scale(factor);
    part.statistics.drop_lighter(lightest_weight);
    part.decayed = true;
  });
}

std::string Parts::defect(bool by_hand) const {
  if (auto text = rest.statistics.defect(by_hand); !text.empty()) return text;
  for (const auto& window : windows) {
    if (auto text = window.statistics.defect(by_hand); !text.empty()) {
      return in_window(window) + text;
    }
  }
  return "";
}

void Parts::canonicalise() {
  for_each([](Part& part) {
    part.statistics.canonicalise();
    if (part.statistics.classes().empty()) part.decayed = false;
  });
  std::erase_if(windows, [](const Part& part) { return part.statistics.classes().empty(); });
}

Statistics Parts::total() const {
  Statistics sum(rest.statistics);
  for (const auto& window : windows) sum.merge(window.statistics, 1);
  sum.canonicalise();
  return sum;
}

}  // namespace credence
