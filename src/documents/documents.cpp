// SPDX-License-Identifier: Apache-2.0
#include "documents/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/error.hpp"
#include "tables/table.hpp"

namespace credence::data {

DocumentColumns::Part DocumentColumns::part_named(std::string_view name) {
  return name == "text"      ? Part::text
         : name == "subject" ? Part::subject
         : name == "from"    ? Part::from
         : name == "body"    ? Part::body
         : name == "label"   ? Part::label
         : name == "folder"  ? Part::folder
                             : Part::none;
}

std::vector<ColumnProfile> DocumentColumns::profile(DocumentKind kind, std::size_t documents,
                                                    std::size_t labels, std::size_t folders) {
  constexpr std::array names = {"text", "subject", "from", "body"};
  constexpr std::array many = {1, 2, 4};  // of these, by kind
  const bool mail = kind == DocumentKind::mail;
  std::vector<ColumnProfile> result;
  for (const char* name : std::span(names).first(many[static_cast<std::size_t>(kind)])) {
    auto& column = result.emplace_back();
    column.name = name;
    column.text = true;
    column.spare = mail && column.name == "text";
    column.headline = !mail && column.name == "subject";
    column.present = column.distinct = documents;
  }
  auto& label = result.emplace_back();
  label.name = "label";
  label.present = labels > 0 ? documents : 0;
  label.distinct = labels;
  if (folders > 1) {
    auto& folder = result.emplace_back();
    folder.name = "folder";
    folder.spare = true;
    folder.present = documents;
    folder.distinct = folders;
  }
  return result;
}

DocumentColumns::DocumentColumns(const std::string& source, const Schema& schema, bool training,
                                 DocumentKind kind)
    : selection_{{}, MissingTokens({})} {
  std::vector<std::string> names, wanted;
  for (const auto& column : profile(kind, 1, 1, 2)) names.push_back(column.name);
  for (const auto& column : schema.columns) {
    selection_.slots.push_back({Slot::Role::column, column, {}});
    parts_.push_back(part_named(column.in_file()));
    wanted.push_back(column.in_file());
  }
  // Documents weigh 1 each; a model that was learnt from weighted rows scores them all the same.
  if (schema.target == "label" || (training && !schema.target.empty())) {
    selection_.slots.push_back(
        {Slot::Role::label, {schema.target, ColumnKind::category, {}, {}}, {}});
    parts_.push_back(Part::label);
    wanted.push_back(schema.target);
  }
  if (training && !schema.weights.empty()) wanted.push_back(schema.weights);
  require_columns(source, wanted, names);
}

DocumentColumns::DocumentColumns(const Schema& schema) : selection_{{}, MissingTokens({})} {
  const auto is_text = [](const ColumnSpec& column) { return column.kind == ColumnKind::text; };
  std::set<std::string_view> texts;
  for (const auto& column : schema.columns) {
    if (is_text(column)) texts.insert(column.name);
  }
  for (const auto& column : schema.columns) {
    selection_.slots.push_back({Slot::Role::column, column, {}});
    auto part = part_named(column.name);
    if (part == Part::label || part == Part::folder) part = Part::none;
    if (part == Part::none && texts.size() == 1) part = Part::text;
    parts_.push_back(is_text(column) ? part : Part::none);
  }
}

bool DocumentColumns::any() const {
  return std::any_of(parts_.begin(), parts_.end(), [](Part part) { return part != Part::none; });
}

std::string_view DocumentColumns::part_of(DocumentReader& document, Part part) {
  switch (part) {
    case Part::text:
      return document.text();
    case Part::subject:
      return document.mail().subject;
    case Part::from:
      return document.mail().from;
    case Part::body:
      return document.mail().body;
    default:
      return {};
  }
}

DocumentTexts DocumentColumns::texts(DocumentReader& document) const {
  DocumentTexts result(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto text = part_of(document, parts_[i]);
    if (!text.empty()) result[i] = text;
  }
  return result;
}

void DocumentColumns::add_row(DocumentReader& document, const Origin& origin, std::size_t line,
                              ChunkBuilder& builder) const {
  std::string buffer;
  builder.start_row(line);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i] == Part::label) {
      builder.cell(i, origin.label);
    } else if (parts_[i] == Part::folder) {
      builder.cell(i, origin.folder);
    } else if (document.is_text()) {
      const auto text = part_of(document, parts_[i]);
      // A document that is kept as it stands is one long word: words are UTF-8.
      const bool whole = selection_.slots[i].spec.kind == ColumnKind::category;
      builder.cell(i, whole ? as_utf8(text, buffer) : text);
    } else {
      builder.absent(i);
    }
  }
}

Chunk DocumentColumns::row(DocumentReader& document) const {
  const std::string place = "message";
  ChunkBuilder builder(selection_, place, 1);
  if (document.is_too_large()) {
    throw Error(ErrorKind::data,
                fmt::format("the message is more than {} MB once it is unpacked, which is none",
                            largest_document >> 20));
  }
  add_row(document, {}, 1, builder);
  return builder.finish();
}

void DocumentSource::select(const Schema& schema, bool training) {
  training_ = training;
  if (messages_) {
    columns_.emplace(schema);
  } else {
    columns_.emplace(name_, schema, training, kind_);
  }
}

Chunk DocumentSource::parse(const RawChunk& raw) const {
  ChunkBuilder builder(columns_->selection(), name_, raw.rows);
  DocumentReader document;
  std::vector<std::size_t> no_text;
  std::size_t row = 0;
  each_document(raw, [&](std::string_view bytes, const Origin& origin) {
    document.read(bytes);
    if (!document.is_text()) no_text.push_back(row);
    if (document.is_text() || !training_) {
      columns_->add_row(document, origin, raw.first_line + row, builder);
    }
    ++row;
  });
  if (!no_text.empty()) {
    const auto names = row_names(raw);
    const std::lock_guard lock(mutex_);
    for (const auto place : no_text) no_text_.push_back(names[place]);
  }
  return builder.finish();
}

std::vector<std::optional<DocumentTexts>> DocumentSource::texts(const RawChunk& raw) const {
  std::vector<std::optional<DocumentTexts>> result;
  DocumentReader document;
  each_document(raw, [&](std::string_view bytes, const Origin&) {
    document.read(bytes);
    result.emplace_back();
    if (document.is_text()) result.back() = columns_->texts(document);
  });
  return result;
}

std::vector<std::string> DocumentSource::notes() const {
  auto result = notes_;
  const std::lock_guard lock(mutex_);
  auto sorted = no_text_;
  std::sort(sorted.begin(), sorted.end());
  if (messages_) {
    for (const auto& name : sorted) result.push_back(name + " is not text, left out");
  } else if (const std::size_t count = sorted.size(); count > 0) {
    if (count > 3) sorted.resize(3);
    result.push_back(fmt::format("{} file{} not text, {}: {}{}", count,
                                 count == 1 ? " is" : "s are",
                                 training_ ? "left out" : "their columns are missing",
                                 join(sorted, ", "), count > 3 ? ", …" : ""));
  }
  return result;
}

}  // namespace credence::data
