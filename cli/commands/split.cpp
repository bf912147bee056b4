// SPDX-License-Identifier: Apache-2.0
// split: the rows of a file in two files, one to learn from and one to test. docs/judge.md
#include "hold_out/split.hpp"

#include <filesystem>
#include <map>

#include "cli/options/folds.hpp"
#include "cli/options/plan.hpp"
#include "core/strings.hpp"
#include "io/file.hpp"
#include "measure/scored_rows.hpp"

namespace credence::cli {
namespace {

struct SplitCommandOptions {
  Common common;
  DataOptions data;
  std::string target;
  FoldOptions beside;  // --group-by and --time
  SplitOptions how;
  bool plain = false;
  std::string train, test;
};

// data/tennis.csv.gz -> tennis.train.csv
std::string named_after(const std::string& path, const std::string& part) {
  auto name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string() + "." + part + name.extension().string();
}

// The class and what groups or orders rows, of every row: little beside the rows themselves.
std::vector<Chunk> read_keys(SplitCommandOptions& options) {
  auto read = options.data.read();
  auto source = open_source(options.data.paths, read);
  auto& target = options.target;
  target = resolved_target(target.empty() ? source->default_target() : target, source->profile());
  if (!target.empty()) require_column("--target", target, source->profile());
  Schema keys{{}, target, "", read.missing};
  if (const auto& column = options.beside.column(); !column.empty()) {
    require_column(options.beside.option(), column, source->profile());
    keys.columns.push_back({column, ColumnKind::category, {}});
    (options.beside.group.empty() ? options.how.time_column : options.how.group_column) = 0;
    options.how.column_name = column;
  }
  source->select(keys, true);
  return read_watched(*source, options.common);
}

// What of each class went where.
class SplitCounts {
 public:
  explicit SplitCounts(const std::vector<Chunk>& keys) {
    std::vector<std::string> classes;
    for (const auto& row : rows_of(keys, {}, WhichRows::all, &classes)) {
      of_row_.push_back(std::min(row.cls, classes.size()));
    }
    names_ = classes;
    names_.emplace_back("");
  }
  void add(std::size_t row, bool test) { ++parts_[names_[of_row_[row]]][test ? 1 : 0]; }
  std::size_t all(std::size_t part) const {
    std::size_t sum = 0;
    for (const auto& [name, counts] : parts_) sum += counts[part];
    return sum;
  }
  const auto& parts() const { return parts_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> of_row_;
  std::map<std::string, std::array<std::size_t, 2>> parts_;  // "": rows without a class
};

// Copies every record into its file, as it is.
void copy_rows(const SplitCommandOptions& options, const std::vector<bool>& in_test,
               SplitCounts& counts) {
  auto source = open_source(options.data.paths, options.data.read());
  AtomicFile train(options.train), test(options.test);
  RawChunk raw;
  std::size_t row = 0;
  std::optional<std::string> head;
  std::string parts[2];
  while (source->read(raw)) {
    const auto records = source->records(raw);
    if (!head) {
      head = source->head();
      for (auto& part : parts) part = head->empty() ? "" : *head + "\n";
    } else if (source->head() != *head) {
      throw Error(ErrorKind::data, "the files have different columns (split each by itself)");
    }
    if (records.empty() || row + records.size() > in_test.size()) {
      throw Error(ErrorKind::data, records.empty()
                                       ? options.data.paths[0] +
                                             ": its rows are no lines of a file (documents are "
                                             "split by moving them; cv needs no split)"
                                       : "the data have changed while they were read");
    }
    for (const auto& record : records) {
      const bool test_row = in_test[row];
      counts.add(row++, test_row);
      parts[test_row ? 1 : 0].append(record).append("\n");
    }
    train.write(parts[0]);
    test.write(parts[1]);
    for (auto& part : parts) part.clear();
  }
  train.finish();
  test.finish();
}

void report_split(const SplitCommandOptions& options, const SplitCounts& counts) {
  if (options.common.json) {
    Json json{{"seed", options.how.seed}};
    for (std::size_t part = 0; part < 2; ++part) {
      Json classes = Json::object();
      for (const auto& [name, of] : counts.parts()) {
        if (!name.empty()) classes[name] = of[part];
      }
      json[part == 0 ? "train" : "test"] = {{"file", part == 0 ? options.train : options.test},
                                            {"rows", counts.all(part)},
                                            {"classes", std::move(classes)}};
    }
    return print(json);
  }
  std::vector<std::vector<std::string>> rows{{"", "train", "test"}};
  constexpr std::size_t most = 30;
  for (const auto& [name, of] : counts.parts()) {
    if (counts.parts().size() == 1 || rows.size() > most) break;
    rows.push_back(
        {name.empty() ? "(no class)" : name, std::to_string(of[0]), std::to_string(of[1])});
  }
  if (counts.parts().size() > most) rows.push_back({"…", "", ""});
  rows.push_back({"rows", std::to_string(counts.all(0)), std::to_string(counts.all(1))});
  print(aligned(rows, 0));
}

void run(SplitCommandOptions& options) {
  const auto& paths = options.data.paths;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw Error(ErrorKind::usage,
                "split reads the rows twice, which standard input does not allow (save them to a "
                "file first)");
  }
  if (!options.beside.group.empty() && !options.beside.time.empty()) {
    throw Error(ErrorKind::usage, "--time and --group-by do not go together: choose one");
  }
  if (options.train.empty()) options.train = named_after(paths[0], "train");
  if (options.test.empty()) options.test = named_after(paths[0], "test");
  if (options.train == options.test) {
    throw Error(ErrorKind::usage, "--train and --test are the same file");
  }
  refuse_same_file(options.train, paths, "--train");
  refuse_same_file(options.test, paths, "--test");
  const auto keys = read_keys(options);
  options.how.stratified = !options.plain && !options.target.empty();
  const auto in_test = test_part(keys, options.how);
  SplitCounts counts(keys);
  copy_rows(options, in_test, counts);
  report_split(options, counts);
  note(options.common, "wrote {} and {}", options.train, options.test);
}

}  // namespace

void add_split(CLI::App& app) {
  auto options = std::make_shared<SplitCommandOptions>();
  auto* command = add_command(
      app, "split", "Split a file into rows to learn from and rows to test",
      "  credence split iris.csv --target species\n"
      "  credence split visits.csv --target ill --group-by patient --share 0.3 --seed 7\n"
      "  credence split mails.csv --target spam --time date --train old.csv --test new.csv");
  add_data(command, options->data);
  command->add_option("--target", options->target,
                      "The column that holds the class: both parts get its classes in the same "
                      "shares");
  command->add_option("--share", options->how.share, "Of the test part (default: 0.25)")
      ->check(probability());
  command->add_option("--seed", options->how.seed, "Of the shuffling (default: 1)")
      ->check(whole_number(0));
  command->add_flag("--no-stratify", options->plain, "Without regard to the classes");
  command->add_option("--group-by", options->beside.group,
                      "A column whose equal values stay in one part, such as a patient's");
  command->add_option("--time", options->beside.time,
                      "A column that orders rows: the last ones are the test part");
  command->add_option("--train", options->train,
                      "The file to learn from (default: NAME.train.csv)");
  command->add_option("--test", options->test, "The file to test with (default: NAME.test.csv)");
  add_common(command, options->common, true);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli
