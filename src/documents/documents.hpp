// SPDX-License-Identifier: Apache-2.0
// Documents as rows: the files of a folder, the mails of a mailbox, single messages. Every command
// reads a document through here, so that it is the same row to all of them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "credence/source.hpp"
#include "mail/mail.hpp"
#include "tables/cells.hpp"
#include "tables/records.hpp"

namespace credence::data {

// What is larger once it is unpacked, be it in a mailbox or in a file of its own, is no document: a
// few packed bytes can stand for any number of them.
constexpr std::size_t largest_document = std::size_t{64} << 20;

// From the bytes of a document to what it says. What is packed is unpacked and UTF-16 decoded. The
// line "From " of a mailbox is taken off, and so are verdicts of classify: a sender may forge them,
// and learning would echo them. Has room of its own for the document at hand: one for every thread.
class DocumentReader {
 public:
  // All that is given out is good until the next document, as long as the bytes are.
  void read(std::string_view bytes);

  bool is_text() const { return is_text_; }
  // It is none because it is larger than a document, once it is unpacked.
  bool is_too_large() const { return is_too_large_; }
  bool is_damaged() const { return is_damaged_; }          // cannot be unpacked
  std::string_view unpacked() const { return unpacked_; }  // as it came, but unpacked
  std::string_view text() const { return text_; }
  // The same taken apart, when it is asked for.
  const text::Mail& mail();

 private:
  std::string buffer_, utf8_, stripped_;
  std::string_view unpacked_, text_;
  bool is_text_ = true, is_too_large_ = false, is_damaged_ = false;
  std::optional<text::Mail> mail_;
};

// By column of a schema; nothing where a document has nothing for it.
using DocumentTexts = std::vector<std::optional<std::string>>;

// Posts are documents below header lines, which are a part of what people wrote.
enum class DocumentKind { plain, post, mail };

// Where a document is from.
struct Origin {
  std::string_view label;        // its class; empty: unknown
  std::string_view folder = {};  // the part of the source that it is in; empty: none
};

// What each column of a schema holds of a document.
class DocumentColumns {
 public:
  // Of a source of documents, called `source`: "text" (all of it), "label" and "folder"; of posts
  // also "subject", of mails "from" and "body" as well. Throws Error data when another column is
  // wanted.
  DocumentColumns(const std::string& source, const Schema& schema, bool training,
                  DocumentKind kind);
  // Of single messages, for any model that reads text: the same parts, and the only column of text
  // holds all of a message whatever its name. Every other column is missing.
  explicit DocumentColumns(const Schema& schema);

  // folders: how many there are that documents are in, where they are in several.
  static std::vector<ColumnProfile> profile(DocumentKind kind, std::size_t documents,
                                            std::size_t labels, std::size_t folders = 0);

  const Selection& selection() const { return selection_; }
  // False: no column holds any part of a message.
  bool any() const;
  DocumentTexts texts(DocumentReader& document) const;
  // A row of the document at hand. Where it is no text all of it is missing but the label.
  void add_row(DocumentReader& document, const Origin& origin, std::size_t line,
               ChunkBuilder& builder) const;
  // A chunk of the document at hand alone. Throws Error data when it is too large.
  Chunk row(DocumentReader& document) const;

 private:
  enum class Part { none, label, folder, text, subject, from, body };
  static Part part_named(std::string_view name);
  static std::string_view part_of(DocumentReader& document, Part part);

  Selection selection_;
  std::vector<Part> parts_;  // by slot
};

class DocumentSource : public Source {
 public:
  const std::vector<ColumnProfile>& profile() const override { return profile_; }
  std::string default_target() const override { return "label"; }
  void select(const Schema& schema, bool training) override;
  Chunk parse(const RawChunk& raw) const override;
  bool names_rows() const override { return true; }
  std::vector<std::string> notes() const override;

  // The texts of each document of a piece, in the order of row_names(); nothing of what is no text.
  std::vector<std::optional<DocumentTexts>> texts(const RawChunk& raw) const;

 protected:
  // messages: its columns are those of single messages.
  DocumentSource(std::string name, DocumentKind kind, bool messages)
      : name_(std::move(name)), kind_(kind), messages_(messages) {}

  // use(bytes, origin) for every document of a piece, in order.
  using Use = std::function<void(std::string_view, const Origin&)>;
  virtual void each_document(const RawChunk& raw, const Use& use) const = 0;

  std::string name_;
  DocumentKind kind_;
  std::vector<std::string> notes_;
  std::vector<ColumnProfile> profile_;

 private:
  bool messages_;
  bool training_ = false;
  std::optional<DocumentColumns> columns_;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> no_text_;  // names of documents
};

// Folders whose subfolders are classes; or several without subfolders, each of which is one.
std::unique_ptr<Source> open_folders(const std::vector<std::string>& paths,
                                     const ReadOptions& options);
// Several mailboxes, or files of one mail each: the class of a mail is its file's name. begun: the
// first file, where its beginning has been read.
std::unique_ptr<Source> open_mailboxes(const std::vector<std::string>& paths,
                                       std::shared_ptr<RecordReader> begun = nullptr);
// Whether a file that begins like this is a mailbox: the line that comes before a mail, and one.
bool looks_like_mailbox(std::string_view head);
// Messages without classes, for any model that reads text: files of one message, mailboxes, and
// folders with all files below them, each of which is one message. "-" is stdin.
std::unique_ptr<DocumentSource> open_messages(const std::vector<std::string>& paths);

}  // namespace credence::data
