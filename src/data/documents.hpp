// SPDX-License-Identifier: Apache-2.0
// Sources whose rows are documents: the files of a folder, the messages of a mailbox.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "credence/source.hpp"
#include "data/cells.hpp"

namespace credence::data {

struct Document {
  std::string_view bytes;
  std::string_view label;  // empty: unknown
  bool readable = true;    // false: not text, so that its columns are missing
};

// Which columns a document has, and how it fills them: "text" (all of it); of a mail also
// "subject", "from" and "body"; and "label".
class DocumentColumns {
 public:
  explicit DocumentColumns(bool mail) : mail_(mail) {}

  std::vector<ColumnProfile> profile(std::size_t documents, std::size_t labels) const;
  // Throws Error data when a column is wanted that documents do not have.
  Selection select(const std::string& source, const Schema& schema, bool training) const;
  void add_row(const Document& document, std::size_t line, const Selection& selection,
               ChunkBuilder& builder) const;

 private:
  bool mail_;
};

// Whether the beginning of a file shows that it is no text.
bool looks_binary(std::string_view bytes);

std::unique_ptr<Source> open_folder(const std::string& path, const ReadOptions& options);
// Several mailboxes, or files of one mail each: the class of a mail is its file's name.
std::unique_ptr<Source> open_mailboxes(const std::vector<std::string>& paths,
                                       const ReadOptions& options);

}  // namespace credence::data
