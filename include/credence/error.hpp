// SPDX-License-Identifier: Apache-2.0
// The one exception of the library. A message names the place, the value and the way out.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

enum class ErrorKind {
  usage,   // the caller asked for something that does not exist or contradicts itself
  data,    // the data cannot be read, or cannot support the estimate asked for
  model,   // the model file is damaged, foreign, or does not fit the request
  system,  // the machine refused: an output cannot be written, memory is exhausted
};

// A setting that a message names, with the value it speaks of if there is one.
struct Setting {
  std::string_view name;
  std::optional<std::string_view> value = {};
};

// What somebody calls a setting: the program its options, Python its parameters.
using Wording = std::function<std::string(const Setting&)>;

// A setting as a part of a message: setting("rule", "bayes"). It stands between marks, so that
// whoever shows the message can name it in the words of those who read it.
std::string setting(std::string_view name);
std::string setting(std::string_view name, std::string_view value);

// A line for people.
class Message {
 public:
  Message() = default;
  Message(std::string marked) : marked_(std::move(marked)) {}
  Message(const char* marked) : marked_(marked) {}

  std::string text() const;  // in the library's own words: "use `rule bayes`"
  std::string worded(const Wording& wording) const;
  const std::string& marked() const { return marked_; }  // to put it into another message
  bool empty() const { return marked_.empty(); }

 private:
  std::string marked_;
};

// what() is the message in the library's own words.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, Message message)
      : std::runtime_error(message.text()), kind_(kind), message_(std::move(message)) {}
  ErrorKind kind() const { return kind_; }
  const Message& message() const { return message_; }

 private:
  ErrorKind kind_;
  Message message_;
};

// " (did you mean "outlook"?)" for the candidate nearest to a misspelt name, or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace credence
