// SPDX-License-Identifier: Apache-2.0
#include "cli/options/semi.hpp"

#include <algorithm>

#include "cli/options/models.hpp"
#include "core/strings.hpp"
#include "credence/semi_supervised.hpp"

namespace credence::cli {
namespace {

std::string rows_text(double rows) { return rows == 1 ? "1 row" : format_number(rows) + " rows"; }

double rows_of(const std::vector<Chunk>& chunks) {
  double rows = 0;
  for (const auto& chunk : chunks) rows += static_cast<double>(chunk.rows);
  return rows;
}

// Every --unlabelled is a source of its own: a folder is read without other files.
void read_unlabelled(const UnlabelledArguments& arguments, const PlanOptions& options,
                     const Schema& schema, const Common& common, std::vector<Chunk>& chunks) {
  for (const auto& path : arguments.paths) {
    RowOptions rows;
    rows.data = options.data;
    rows.data.paths = {path};
    auto source = open_rows(rows, schema);
    auto more = read_watched(*source, common);
    for (auto& chunk : more) {
      chunk.labels = {};  // a class that happens to be there is not looked at
      chunks.push_back(std::move(chunk));
    }
  }
}

double read_weight(const std::string& text) {
  const auto weight = text.empty() ? std::optional(1.0) : to_number_or_fraction(text);
  if (!weight || !(*weight >= 0) || !std::isfinite(*weight)) {
    throw Error(ErrorKind::usage,
                fmt::format("--unlabelled-weight {}: a number from 0 on is wanted, or auto", text));
  }
  return *weight;
}

}  // namespace

void add_unlabelled(CLI::App* command, UnlabelledArguments& arguments) {
  command
      ->add_option("--unlabelled", arguments.paths,
                   "More rows with the same columns but no class (one that is there is not looked "
                   "at); may be given several times")
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("DATA");
  command->add_flag("--use-unlabelled", arguments.own_rows,
                    "Learn from rows of DATA that have no class, too");
  command
      ->add_option("--em-steps", arguments.steps,
                   "Steps of expectation and maximisation at most (default: 200)")
      ->check(whole_number(1));
  command
      ->add_option("--em-tolerance", arguments.tolerance,
                   "Stop when a step raises the objective by less, per row (default: 1e-6)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--unlabelled-weight,--weight", arguments.weight,
                      "What a row without a class counts (default: 1), or auto: the best of 0, "
                      "0.01, 0.03, 0.1, 0.3 and 1 on folds of the rows that have one");
}

void learn_with_unlabelled(Planned& planned, const UnlabelledArguments& arguments,
                           const PlanOptions& options, const Common& common) {
  const bool automatic = arguments.weight == "auto";
  UnlabelledOptions how;
  how.most_steps = arguments.steps;
  how.tolerance = arguments.tolerance;
  if (!automatic) how.weight = read_weight(arguments.weight);
  auto read = std::count(arguments.paths.begin(), arguments.paths.end(), "-") +
              std::count(options.data.paths.begin(), options.data.paths.end(), "-");
  if (read > 1) throw Error(ErrorKind::usage, "--unlabelled -: standard input is read only once");
  auto chunks = read_watched(*planned.source, common);
  const auto& target = planned.model.schema().target;
  if (!arguments.own_rows) {
    const double all = rows_of(chunks);
    chunks = with_class(chunks, true);
    if (const double without = all - rows_of(chunks); without > 0) {
      note(common, "{} without a value of \"{}\" left out (--use-unlabelled learns from them)",
           rows_text(without), target);
    }
  }
  read_unlabelled(arguments, options, planned.read, common, chunks);
  const double without = rows_of(with_class(chunks, false));
  if (without == 0) {
    throw Error(ErrorKind::data,
                fmt::format("no row without a value of \"{}\" to learn from (leave {} out)", target,
                            arguments.own_rows ? "--use-unlabelled" : "--unlabelled"));
  }
  if (automatic) {
    Folds folds = options.beside.parse(planned.beside);
    folds.count = 5;
    const auto chosen =
        choose_unlabelled_weight(planned.model, chunks, folds, {0, 0.01, 0.03, 0.1, 0.3, 1},
                                 common.threads, [&](double weight, double loss) {
                                   note(common, "weight {}: log-loss {} of rows held out",
                                        format_number(weight), six_digits(loss));
                                 });
    how.weight = chosen.weight;
  }
  auto learnt = learn_unlabelled(
      planned.model, chunks, how, common.threads, [&](std::size_t step, double objective) {
        note(common, "step {}: log-likelihood and prior {:.8g}", step, objective);
      });
  note(common, "{} with a class, {} without, each of these with weight {}{}",
       rows_text(learnt.labelled), rows_text(learnt.unlabelled), format_number(how.weight),
       learnt.impossible > 0
           ? fmt::format("; {} that no class allows left out", rows_text(learnt.impossible))
           : "");
  if (!learnt.odd.empty()) {
    note(common, "{} is not at a maximum: the log-likelihood may fall", learnt.odd);
  }
  if (!learnt.converged) {
    note(common, "stopped after {} steps, before the end (--em-steps allows more)",
         learnt.objective.size());
  }
  planned.model = std::move(learnt.model);
}

}  // namespace credence::cli
