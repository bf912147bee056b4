// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/compare/compare_saved.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "answers/rows.hpp"
#include "cli/options/models.hpp"
#include "cli/print/metrics.hpp"
#include "core/strings.hpp"
#include "io/file.hpp"
#include "measure/evaluation.hpp"
#include "measure/paired.hpp"
#include "parallel/stream.hpp"

namespace credence::cli {
namespace {

// What a model says of every labelled row.
struct Judgement {
  std::string name;
  std::vector<std::string> labels;
  std::vector<Outcome> outcomes;
  Metrics metrics;

  const std::string& said(std::size_t row) const {
    static const std::string none = "(none)";
    const auto prediction = outcomes[row].prediction;
    return prediction == Outcome::no_label ? none : labels[prediction];
  }
  bool right(std::size_t row) const { return outcomes[row].prediction == outcomes[row].truth; }
};

Judgement judge_rows(const std::string& path, const Loaded& loaded, const DataOptions& data,
                     const Common& common, bool notes) {
  const auto& classifier = loaded.classifier();
  auto source = open_rows({data, {}}, classifier.schema());
  MeasureOptions options;
  options.confidence = 0;
  Evaluation evaluation(classifier, options);
  Judgement result{path, {}, {}, {}};
  stream_slices<Evaluation::Part>(
      *source, evaluation.classes(), common.threads, progress_bar(common, "scoring"),
      [&](const Chunk& chunk) { return evaluation.judge(chunk); },
      [&](Evaluation::Part part) {
        evaluation.take(std::move(part),
                        [&](const Outcome& outcome, auto) { result.outcomes.push_back(outcome); });
      });
  finish_progress();
  if (notes) note_oddities(common, *source);
  result.labels = evaluation.labels().values();
  result.metrics = evaluation.tally().finish(result.labels, common.threads);
  if (result.outcomes.empty()) {
    throw Error(ErrorKind::data,
                fmt::format("no row has a value of \"{}\"", classifier.schema().target));
  }
  return result;
}

// What a model reads decides which rows have a class, and which are left out for a bad cell.
void require_same_rows(const Judgement& one, const Judgement& other) {
  bool same = one.outcomes.size() == other.outcomes.size();
  for (std::size_t r = 0; same && r < one.outcomes.size(); ++r) {
    same = one.labels[one.outcomes[r].truth] == other.labels[other.outcomes[r].truth];
  }
  if (same) return;
  throw Error(ErrorKind::data,
              "the models do not read the same rows: cells that are bad or missing to one are not "
              "to the other (--missing and --bad-cells missing are for both)");
}

// The mean of differences against 0. The models are the same for all rows, so these are
// independent, unlike folds.
double paired_p(const Judgement& one, const Judgement& other) {
  std::vector<double> differences;
  for (std::size_t r = 0; r < one.outcomes.size(); ++r) {
    if (one.outcomes[r].weight == 0) continue;
    differences.push_back(other.outcomes[r].log_probability - one.outcomes[r].log_probability);
  }
  return corrected_t_p(differences, 0);
}

struct Disagreement {
  std::string one, other;
  double rows = 0, one_right = 0, other_right = 0;
};

std::vector<Disagreement> disagreements(const Judgement& one, const Judgement& other) {
  std::map<std::pair<std::string, std::string>, Disagreement> by_labels;
  for (std::size_t r = 0; r < one.outcomes.size(); ++r) {
    const auto &a = one.said(r), &b = other.said(r);
    if (a == b) continue;
    auto& entry = by_labels.try_emplace({a, b}, Disagreement{a, b}).first->second;
    entry.rows += 1;
    entry.one_right += one.right(r);
    entry.other_right += other.right(r);
  }
  std::vector<Disagreement> result;
  for (const auto& [labels, entry] : by_labels) result.push_back(entry);
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.rows > b.rows; });
  return result;
}

std::string p_text(double p) {
  return std::isnan(p) ? "-" : p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::string saved_text(const Judgement& one, const Judgement& other, const PairedTest& test) {
  std::vector<std::vector<std::string>> rows{
      {"model", "accuracy", "log-loss", "Brier score", "macro F1"}};
  for (const auto* model : {&one, &other}) {
    const auto& m = model->metrics;
    rows.push_back({model->name, six_digits(m.accuracy), six_digits(m.log_loss),
                    six_digits(m.brier), six_digits(m.macro_f1)});
  }
  std::string text = aligned(rows, 0) + baseline_line(baseline_of(one.metrics));
  text += fmt::format("\n{} rows; only the first right: {}, only the second right: {}, p {}\n",
                      one.outcomes.size(), format_number(test.only_one),
                      format_number(test.only_other), p_text(test.decisions_p));
  text += fmt::format("log-loss of the first less that of the second: {}, p {}\n",
                      six_digits(test.log_loss_difference), p_text(test.log_loss_p));
  const auto all = disagreements(one, other);
  if (all.empty()) return text + "the labels are the same everywhere\n";
  rows = {{"the first says", "the second", "rows", "first right", "second right"}};
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    rows.push_back({all[i].one, all[i].other, format_number(all[i].rows),
                    format_number(all[i].one_right), format_number(all[i].other_right)});
  }
  text += "\n" + aligned(rows, 0);
  if (all.size() > most) text += fmt::format("… and {} more pairs: --json\n", all.size() - most);
  return text;
}

Json saved_json(const Judgement& one, const Judgement& other, const PairedTest& test) {
  Json models = Json::array(), pairs = Json::array();
  for (const auto* model : {&one, &other}) {
    const auto& m = model->metrics;
    models.push_back({{"model", model->name},
                      {"accuracy", m.accuracy},
                      {"log_loss", number(m.log_loss)},
                      {"brier", m.brier},
                      {"macro_f1", number(m.macro_f1)}});
  }
  for (const auto& pair : disagreements(one, other)) {
    pairs.push_back({{"first", pair.one},
                     {"second", pair.other},
                     {"rows", count(pair.rows)},
                     {"first_right", count(pair.one_right)},
                     {"second_right", count(pair.other_right)}});
  }
  return {{"rows", one.outcomes.size()},
          {"models", std::move(models)},
          {"only_first_right", count(test.only_one)},
          {"only_second_right", count(test.only_other)},
          {"mcnemar_p", test.decisions_p},
          {"log_loss_difference", number(test.log_loss_difference)},
          {"log_loss_p", number(test.log_loss_p)},
          {"disagreements", std::move(pairs)}};
}

// Their numbers count labelled rows alone, as they come.
void write_rows(const std::string& path, const Judgement& one, const Judgement& other) {
  std::string text = "row,truth,first,second,first_probability,second_probability\n";
  for (std::size_t r = 0; r < one.outcomes.size(); ++r) {
    if (one.said(r) == other.said(r)) continue;
    text += fmt::format("{},{},{},{},{},{}\n", r + 1, csv_cell(one.labels[one.outcomes[r].truth]),
                        csv_cell(one.said(r)), csv_cell(other.said(r)),
                        format_number(one.outcomes[r].confidence),
                        format_number(other.outcomes[r].confidence));
  }
  write_atomically(path, text);
}

}  // namespace

void compare_saved(const Common& common, const DataOptions& data, const std::string& output) {
  if (data.paths.size() < 3 || looks_like_model(data.paths[2])) {
    throw Error(ErrorKind::usage,
                "compare: two models and then the rows to judge them by, as in "
                "credence compare a.credence b.credence test.csv");
  }
  DataOptions rows = data;
  rows.paths.erase(rows.paths.begin(), rows.paths.begin() + 2);
  if (std::find(rows.paths.begin(), rows.paths.end(), "-") != rows.paths.end()) {
    throw Error(ErrorKind::usage,
                "compare reads the rows twice, which standard input does not allow (save them to a "
                "file first)");
  }
  refuse_same_file(output, data.paths);
  const Loaded one = load_any(data.paths[0], {}), other = load_any(data.paths[1], {});
  const auto &left = one.classifier().schema().target, &right = other.classifier().schema().target;
  if (left != right) {
    throw Error(ErrorKind::usage,
                fmt::format("{} tells \"{}\" and {} tells \"{}\": they are not about the same",
                            data.paths[0], left, data.paths[1], right));
  }
  const auto first = judge_rows(data.paths[0], one, rows, common, true);
  const auto second = judge_rows(data.paths[1], other, rows, common, false);
  require_same_rows(first, second);
  auto test = compare_pairs(first.outcomes, second.outcomes, {}, {});
  test.log_loss_p = paired_p(first, second);
  common.json ? print(saved_json(first, second, test)) : print(saved_text(first, second, test));
  if (output.empty()) return;
  write_rows(output, first, second);
  note(common, "wrote {}", output);
}

}  // namespace credence::cli
