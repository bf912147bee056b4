// SPDX-License-Identifier: Apache-2.0
// Messages one at a time, as a filter in a pipe gets them: each is a row of a model that reads
// text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"
#include "credence/source.hpp"
#include "text/mbox.hpp"

namespace credence::data {

class ByteInput;

// More is no message that anybody wrote.
inline constexpr std::size_t largest_message = std::size_t{64} << 20;

// "stdin: more than 64 MB; a message is smaller"
std::string too_large(const std::string& path);

struct Message {
  std::string name;   // of its file; behind a colon its place in a mailbox
  std::string bytes;  // without the line "From " of a mailbox
};

// The messages of files, of mailboxes and of folders with all that is in them; "-" is stdin.
class Messages {
 public:
  explicit Messages(std::vector<std::string> paths);
  ~Messages();
  // Throws Error data for a file that cannot be read.
  std::optional<Message> next();
  // What was left out.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void open();
  std::optional<Message> next_of_file();
  std::string read_piece();

  std::vector<std::string> paths_, notes_;
  std::size_t file_ = 0, place_ = 0;
  std::unique_ptr<ByteInput> input_;
  bool mailbox_ = false, at_end_ = false;
  std::string whole_;
  text::MboxSplitter splitter_;
};

// Which part of a message each column of a model holds: "subject", "from" and "body" their part,
// "text" all of it, and so does the only column of text there is, whatever its name.
class MessageColumns {
 public:
  explicit MessageColumns(const Schema& schema);

  // False: no column of the model holds any part of a message.
  bool any() const { return any_; }
  // By column; nothing where the message has nothing for it.
  using Texts = std::vector<std::optional<std::string>>;
  Texts texts(std::string_view bytes) const;
  // A row for each message; every other column is missing.
  Chunk rows(const std::vector<Texts>& messages) const;

 private:
  enum class Part { none, whole, subject, from, body };
  Schema schema_;
  std::vector<Part> parts_;
  bool any_ = false, parsed_ = false;
};

// The same as a source, for a model to learn from.
std::unique_ptr<Source> open_messages(const std::vector<std::string>& paths, const Schema& schema);

// The rows of another source, which has no classes of its own, all in one class.
std::unique_ptr<Source> in_class(std::unique_ptr<Source> rows, std::string label);

}  // namespace credence::data
