// SPDX-License-Identifier: Apache-2.0
#include "serve/report.hpp"

#include <algorithm>
#include <string_view>

#include "credence/error.hpp"
#include "serve/api/call.hpp"
#include "serve/api/view.hpp"
#include "serve/http/assets.hpp"

namespace credence::serve {
namespace {

// A file of some megabytes at most, and no more places than a curve needs to look smooth.
std::size_t points_for(const Model& model) {
  constexpr std::size_t most_numbers = 200000;
  const auto curves =
      std::max<std::size_t>(1, model.schema().columns.size() * model.classes().size());
  return std::clamp<std::size_t>(most_numbers / curves, 21, 401);
}

Json columns_of(const Snapshot& snapshot, ModelView& view) {
  constexpr std::size_t words = 50;
  const Model& model = snapshot.model("report");
  const auto points = points_for(model);
  Json columns = Json::object();
  for (std::size_t i = 0; i < model.schema().columns.size(); ++i) {
    try {
      columns[model.schema().columns[i].name] = view.column(i, points, words);
    } catch (const Error&) {
      // A column that never varies says nothing, and is not asked about.
    } catch (const HttpError&) {
      // It has no density of its own.
    }
  }
  return columns;
}

}  // namespace

std::size_t askable_columns(const Model& model) {
  std::size_t result = 0;
  for (const auto& block : model.blocks()) {
    if (block.columns.size() != 1) continue;
    const auto kind = model.schema().columns[block.columns[0]].kind;
    if (kind != ColumnKind::text && kind != ColumnKind::bag) ++result;
  }
  return result;
}

std::string interactive_report(const std::string& name, const Model& model,
                               const std::vector<Chunk>& data) {
  constexpr std::string_view place = "id=\"data\">";
  auto page = named_file("report.html");
  const auto at = page.find(place);
  if (at == page.npos) {
    throw Error(ErrorKind::usage,
                "this program was built without its page (install npm and build it again)");
  }
  const Snapshot snapshot(name, model, 0);
  ModelView view(snapshot, data);
  const Json held = {{"format", 1},
                     {"home", home_json(Json::array({entry_json(snapshot, false, false)}), false)},
                     {"model", view.model(50)},
                     {"columns", columns_of(snapshot, view)}};
  // No text of a model can end the element that it stands in.
  std::string text;
  for (const char c : compact(held)) c == '<' ? text += "\\u003c" : text += c;
  page.insert(at + place.size(), text);
  return page;
}

}  // namespace credence::serve
