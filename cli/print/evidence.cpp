// SPDX-License-Identifier: Apache-2.0
#include "cli/print/evidence.hpp"

#include "core/strings.hpp"
#include "credence/evidence.hpp"

namespace credence::cli {
namespace {

std::string title(const Model& model, const BlockSpec& block) {
  std::vector<std::string> names;
  for (const auto i : block.columns) names.push_back(model.schema().columns[i].name);
  return join(names, ", ");
}

// The sum; nothing when a part has none.
std::optional<double> in_all(const std::vector<std::optional<double>>& parts) {
  double sum = 0;
  for (const auto& part : parts) {
    if (!part) return std::nullopt;
    sum += *part;
  }
  return sum;
}

}  // namespace

Json evidence_json(const Model& model) {
  const auto parts = log_evidence(model);
  const auto json = [](const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
  };
  Json columns = Json::array();
  for (std::size_t b = 0; b < parts.size(); ++b) {
    columns.push_back({{"column", title(model, model.blocks()[b])},
                       {"family", model.blocks()[b].family},
                       {"log_evidence", json(parts[b])}});
  }
  return {{"rows", count(model.rows())},
          {"rule", to_string(model.settings().rule)},
          {"log_evidence", json(in_all(parts))},
          {"columns", std::move(columns)}};
}

std::string evidence_text(const Model& model) {
  const auto parts = log_evidence(model);
  const bool prior = model.settings().rule.has_prior();
  const auto text = [&](const std::optional<double>& value) {
    return value ? six_digits(*value) : std::string(prior ? "no closed form" : "no prior");
  };
  std::vector<std::vector<std::string>> rows(1, {"", "log evidence"});
  for (std::size_t b = 0; b < parts.size(); ++b) {
    rows.push_back(
        {fmt::format("{} ({})", title(model, model.blocks()[b]), model.blocks()[b].family),
         text(parts[b])});
  }
  rows.push_back({"in all", text(in_all(parts))});
  return fmt::format(
             "{} rows given their classes, parameters integrated out under the prior of {}\n",
             format_number(model.rows()), to_string(model.settings().rule)) +
         aligned(rows, 2);
}

}  // namespace credence::cli
