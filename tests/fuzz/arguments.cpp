// SPDX-License-Identifier: Apache-2.0
// What people type: questions, treatments of columns, rows, settings, and files of costs.
#include <cmath>

#include "ask/query.hpp"
#include "core/strings.hpp"
#include "credence/credence.hpp"
#include "fuzz/fuzz.hpp"

namespace credence::fuzz {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(take_line(text));
  return lines;
}

const WeightedTable& table() {
  static const WeightedTable rows = [] {
    WeightedTable made({"a", "b", "c d"});
    for (const char* row : {"x 1 u", "x 2 u", "y 1 v", "y 2 u", "x 1 v", "z 1 u"}) {
      made.add(split(row, ' '));
    }
    return made;
  }();
  return rows;
}

// The table of the question's columns alone, as the command makes it of a file.
WeightedTable columns_asked_for(const Question& question) {
  std::vector<std::size_t> places;
  for (const auto& name : columns_of(question)) places.push_back(table().column(name));
  return table().project(places, [](auto) { return true; });
}

const Registered query{"query", [](std::string_view text) {
                         accepted([&] {
                           const Question question = parse_question(text);
                           require(parse_question(question.text).event == question.event,
                                   "a question is the same when it is asked again");
                           const Answer found = answer(question, columns_asked_for(question));
                           require(found.probability.value >= 0 && found.probability.value <= 1,
                                   "an answer is a probability");
                           double sum = 0;
                           for (const auto& cell : found.distribution)
                             sum += cell.probability.value;
                           require(found.distribution.empty() || std::abs(sum - 1) < 1e-9,
                                   "an answer sums to 1");
                         });
                       }};

constexpr std::string_view rows_of_every_kind =
    "class,size,sizes,count,flag,word,id,text\n"
    "a,1.5,2,2,1,red,k1,the first of all\n"
    "b,-2,3,0,0,blue,k2,another one of these\n"
    "a,3,5,7,1,green,k3,and the third is here\n"
    "b,0.25,1,1,1,red,k4,one more than that one\n"
    "b,0.75,,4,0,,k5,and this is the end\n";

const Registered as{"as", [](std::string_view text) {
                      std::string lines;
                      for (const auto& line : lines_of(text)) lines += line + ";";
                      learn(rows_of_every_kind, FileFormat::csv, lines);
                    }};

const Registered given{"given", [](std::string_view text) {
                         static const Scorer scorer(mixed_model());
                         accepted([&] {
                           const Chunk rows = parse_given(mixed_model().schema(), lines_of(text));
                           for (const double joint : scorer.log_joint(rows)) {
                             require(!std::isnan(joint), "no score is NaN");
                           }
                         });
                       }};

const Registered costs{"costs", [](std::string_view text) {
                         const std::vector<std::string> classes{"ham", "spam", "x, y"};
                         accepted([&] {
                           const Costs found = read_costs(file_of(text), classes);
                           require(found.of.size() == 9, "a cost for every pair of classes");
                           for (const double cost : found.of) {
                             require(std::isfinite(cost), "a cost is a finite number");
                           }
                         });
                       }};

// A rule, a prior and values of columns, a line each.
const Registered settings{
    "settings", [](std::string_view text) {
      Plan plan;
      plan.target = "class";
      accepted([&] {
        plan.settings.rule = parse_rule(take_line(text));
        require(parse_rule(to_string(plan.settings.rule)) == plan.settings.rule,
                "a rule that is written is read back as it is");
      });
      accepted([&] { plan.settings.prior = parse_class_prior(take_line(text)); });
      plan.values = lines_of(text);
      accepted([&] {
        ReadOptions options;
        options.format = FileFormat::csv;
        use(fit(*open_source({file_of(rows_of_every_kind)}, options), plan, 1));
      });
    }};

}  // namespace
}  // namespace credence::fuzz
