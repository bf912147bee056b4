// SPDX-License-Identifier: Apache-2.0
// The messages of an mbox file, one after the other.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace credence::text {

// Takes the bytes of an mbox in pieces of any size and gives back whole messages. A line "From "
// at the beginning or after a blank line starts a message; neither the line nor the blank line
// before it belongs to a message. ">From " becomes "From ", ">>From " becomes ">From " (mboxrd).
// Holds one unfinished message, and those that ended within the last piece until they are taken.
//
//   MboxSplitter splitter;
//   while (read(piece)) {
//     splitter.feed(piece);
//     while (auto message = splitter.next()) use(*message);
//   }
//   splitter.finish();
//   while (auto message = splitter.next()) use(*message);
class MboxSplitter {
 public:
  void feed(std::string_view bytes);
  // No more bytes come: what is there is the last message.
  void finish();
  // The next whole message, if there is one yet.
  std::optional<std::string> next();

 private:
  void take_line(std::string_view line);
  void end_message();

  std::string line_;      // the beginning of a line whose end has not come
  std::string message_;   // the lines so far
  bool started_ = false;  // a message has begun, if only with its "From " line
  bool after_blank_ = true;
  std::deque<std::string> whole_;
};

}  // namespace credence::text
