// SPDX-License-Identifier: Apache-2.0
#include "cli/options/messages.hpp"

#include <algorithm>
#include <filesystem>

#include "bytes/bytes.hpp"
#include "bytes/files.hpp"
#include "credence/error.hpp"
#include "documents/documents.hpp"
#include "mail/mail.hpp"

namespace credence::cli {

bool reads_messages(const Schema& schema) { return data::DocumentColumns(schema).any(); }

bool are_messages(const std::vector<std::string>& paths, FileFormat format) {
  if (format != FileFormat::automatic) return format == FileFormat::mail;
  return std::none_of(paths.begin(), paths.end(), [](const std::string& path) {
    const auto extension = data::extension_of(path);
    for (const char* table : {".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".svm", ".libsvm",
                              ".arff", ".parquet", ".feather", ".arrow"}) {
      if (extension == table) return true;
    }
    return false;
  });
}

bool look_like_messages(const std::vector<std::string>& paths, const ReadOptions& options,
                        const Schema& schema) {
  if (!reads_messages(schema) || paths.empty() || !are_messages(paths, options.format))
    return false;
  if (options.format == FileFormat::mail || std::filesystem::is_directory(paths[0])) return true;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) return false;
  std::string head(1 << 16, '\0');
  head.resize(data::ByteInput(paths[0]).read(head.data(), head.size()));
  if (head.starts_with("From ") || text::looks_like_mail(head)) return true;
  try {
    const auto source = open_source(paths, options);
    for (const auto& column : source->profile()) {
      for (const auto& wanted : schema.columns) {
        if (column.name == wanted.name) return false;
      }
    }
  } catch (const Error&) {
    // No table at all.
  }
  return true;
}

namespace {

// A model of the parts of mails, which no other source has.
bool reads_mails(const Schema& schema) {
  bool parts = false;
  for (const auto& column : schema.columns) {
    if (column.name == "label" || column.name == "folder") continue;
    const bool part = column.name == "subject" || column.name == "from" || column.name == "body";
    if (column.kind != ColumnKind::text || (!part && column.name != "text")) return false;
    parts = parts || part;
  }
  return parts && schema.target == "label";
}

}  // namespace

ReadOptions reading_for(const DataOptions& data, const std::vector<std::string>& paths,
                        const Schema& schema) {
  auto options = data.read();
  if (!data.missing_given) options.missing = schema.missing;
  if (options.format == FileFormat::automatic && reads_mails(schema) &&
      look_like_messages(paths, options, schema)) {
    options.format = FileFormat::mail;
  }
  return options;
}

bool has_subfolders(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return false;
  std::vector<std::string> notes;
  const auto entries = data::entries_of(path, notes);
  return std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.is_folder; });
}

}  // namespace credence::cli
