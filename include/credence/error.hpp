// SPDX-License-Identifier: Apache-2.0
// The one exception of the library. A message names the place, the value and the way out.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

enum class ErrorKind {
  usage,   // the caller asked for something that does not exist or contradicts itself
  data,    // the data cannot be read, or cannot support the estimate asked for
  model,   // the model file is damaged, foreign, or does not fit the request
  system,  // the machine refused: an output cannot be written, memory is exhausted
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// " (did you mean "outlook"?)" for the candidate nearest to a misspelt name, or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace credence
