// SPDX-License-Identifier: Apache-2.0
#include "data/documents.hpp"

#include <algorithm>

#include "data/table.hpp"
#include "text/mail.hpp"

namespace credence::data {

bool looks_binary(std::string_view bytes) {
  return bytes.substr(0, 8192).find('\0') != std::string_view::npos;
}

std::vector<ColumnProfile> DocumentColumns::profile(std::size_t documents,
                                                    std::size_t labels) const {
  std::vector<ColumnProfile> result;
  for (const char* name : {"text", "subject", "from", "body"}) {
    if (!mail_ && std::string_view(name) != "text") continue;
    auto& column = result.emplace_back();
    column.name = name;
    column.text = true;
    column.spare = mail_ && column.name == "text";
    column.present = column.distinct = documents;
  }
  auto& label = result.emplace_back();
  label.name = "label";
  label.present = labels > 0 ? documents : 0;
  label.distinct = labels;
  return result;
}

Selection DocumentColumns::select(const std::string& source, const Schema& schema,
                                  bool training) const {
  std::vector<std::string> names, wanted;
  for (const auto& column : profile(1, 1)) names.push_back(column.name);
  Selection selection{{}, MissingTokens({""})};
  for (const auto& column : schema.columns) {
    selection.slots.push_back({Slot::Role::column, column, {}});
    wanted.push_back(column.name);
  }
  // Documents weigh 1 each; a model that was learnt from weighted rows scores them all the same.
  if (schema.target == "label" || training) {
    selection.slots.push_back(
        {Slot::Role::label, {schema.target, ColumnKind::category, {}, {}}, {}});
    wanted.push_back(schema.target);
  }
  if (training && !schema.weights.empty()) wanted.push_back(schema.weights);
  require_columns(source, wanted, names);
  return selection;
}

void DocumentColumns::add_row(const Document& document, std::size_t line,
                              const Selection& selection, ChunkBuilder& builder) const {
  builder.start_row(line);
  text::Mail mail;
  if (mail_ && document.readable) mail = text::parse_mail(document.bytes);
  for (std::size_t i = 0; i < selection.slots.size(); ++i) {
    const auto& name = selection.slots[i].spec.name;
    if (selection.slots[i].role == Slot::Role::label || name == "label") {
      document.label.empty() ? builder.absent(i) : builder.cell(i, document.label);
    } else if (!document.readable) {
      builder.absent(i);
    } else if (name == "text") {
      builder.cell(i, document.bytes);
    } else {
      builder.cell(i, name == "subject" ? mail.subject : name == "from" ? mail.from : mail.body);
    }
  }
}

}  // namespace credence::data
