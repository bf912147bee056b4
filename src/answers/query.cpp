// SPDX-License-Identifier: Apache-2.0
#include "answers/query.hpp"

#include <string>
#include <utility>
#include <vector>

namespace credence {
namespace {

Json cell_json(const std::vector<std::string>& columns, const std::vector<std::string>& values) {
  Json cell = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) cell[columns[i]] = values[i];
  return cell;
}

void put(Json& object, const Probability& p, bool counts) {
  object["probability"] = p.value;
  if (!counts) return;
  object["numerator"] = static_cast<std::uint64_t>(p.numerator);
  object["denominator"] = static_cast<std::uint64_t>(p.denominator);
}

template <typename Result>
void put(Json& object, const Result& result, const Answer& answer) {
  const auto& columns = answer.question.columns;
  if (answer.question.kind == Question::Kind::probability) {
    put(object, result.probability, answer.counts);
  } else if (answer.question.kind == Question::Kind::distribution) {
    object["distribution"] = Json::array();
    for (const auto& cell : result.distribution) {
      Json entry{{"values", cell_json(columns, cell.values)}};
      put(entry, cell.probability, answer.counts);
      object["distribution"].push_back(std::move(entry));
    }
  } else {
    const auto& found = result.independence;
    object["independent"] = found.independent;
    object["mutual_information"] = found.mutual_information;
    if (!found.values.empty()) {
      object["largest_gap"] = {{"values", cell_json(columns, found.values)},
                               {"joint", found.joint},
                               {"product", found.product}};
    }
    if (found.test.freedom > 0) {
      object["g"] = found.test.g;
      object["degrees_of_freedom"] = found.test.freedom;
      object["p_value"] = found.test.p_value;
    }
  }
}

}  // namespace

Json to_json(const Answer& answer) {
  Json result{{"question", answer.question.text}};
  if (answer.cases.empty() || answer.question.kind == Question::Kind::independence) {
    put(result, answer, answer);
  }
  for (const auto& one : answer.cases) {
    Json entry{{"given", cell_json(answer.question.given, one.given)}};
    entry["share"] = one.share.value;
    put(entry, one, answer);
    result["cases"].push_back(std::move(entry));
  }
  return result;
}

}  // namespace credence
