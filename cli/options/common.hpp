// SPDX-License-Identifier: Apache-2.0
// What the commands share: options of reading, output, notes on stderr, progress.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "answers/json.hpp"
#include "credence/error.hpp"
#include "credence/model.hpp"
#include "credence/source.hpp"

namespace credence::cli {

struct Common {
  unsigned threads = 0;
  bool quiet = false;
  bool json = false;
  bool no_wait = false;         // for another program that is changing the model
  bool progress_lines = false;  // progress as lines of JSON on stderr
};

// A subcommand with its examples, shown at the end of --help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples);

void add_common(CLI::App* command, Common& common, bool json);

// Progress for another program that runs this one.
void add_progress_lines(CLI::App* command, Common& common);

struct DataOptions {
  std::vector<std::string> paths;  // DATA...
  std::string format;
  std::string delimiter;
  bool no_header = false;
  std::string missing;
  bool missing_given = false;
  std::string feature_names;
  std::string bad_cells;
  std::string absent;  // of commands that use a model: "missing"

  ReadOptions read() const;
};

// DATA and how to read it.
void add_data(CLI::App* command, DataOptions& data, bool required = true);
// How to read it, without DATA itself.
void add_reading(CLI::App* command, DataOptions& data);
// What of a model's columns that DATA does not have.
void add_absent(CLI::App* command, DataOptions& data);

// Validators whose messages say what is wanted.
CLI::Validator whole_number(double from);
CLI::Validator probability();
CLI::Validator one_of(const std::string& what, const std::vector<std::string>& choices);

// Refuses to write over what is being read.
void refuse_same_file(const std::string& output, const std::vector<std::string>& inputs,
                      const std::string& option = "-o");

// Writes to stderr as it is. Where that cannot be done (`2>&1 | head -1`, a full disk) the work
// goes on: what was asked for is not on stderr, and the exit status still says how it went.
void say(std::string_view text) noexcept;

// Writes one line to stderr. Whatever names and files hold, it is shown, and commands no terminal.
void say_line(std::string_view text);

// Notes and warnings go to stderr, unless --quiet.
template <typename... Arguments>
void note(const Common& common, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  if (common.quiet) return;
  say_line(fmt::format(text, std::forward<Arguments>(arguments)...));
}

// What a source left out or found odd, once all of it is read.
void note_oddities(const Common& common, const Source& source);

// A bar on a terminal's stderr once the work has taken half a second; nothing elsewhere, unless
// lines are wanted. unit: what is counted.
Progress progress_bar(const Common& common, const std::string& what,
                      const std::string& unit = "bytes");
void finish_progress();

// All that is left of a source, with such a bar; and then, unless told not to, what was odd.
std::vector<Chunk> read_watched(Source& source, const Common& common, bool oddities = true);

// stdout carries data only; a closed pipe ends the program quietly. Text for people commands no
// terminal, whatever names are in it. Rows and mails are given out as they are, but to a terminal.
void print(const std::string& text);
void print(const Json& json);
void print_data(const std::string& bytes);
// Text that has commands of its own to the terminal, and has seen to the rest.
void print_marked(const std::string& text);

// Ends the program with this status, although nothing went wrong: the answer is in it.
void answer_with_status(int status);
int answered_status();

// A number for people: six significant digits; tiny probabilities stay what they are.
std::string six_digits(double value);

// Characters a terminal shows of a text, not bytes.
std::size_t shown_width(const std::string& text);

// Columns of text, aligned: numbers to the right. A cell is one line of text, whatever it holds.
std::string aligned(std::vector<std::vector<std::string>> rows, std::size_t indent);

// Every command registers itself here; see main.cpp.
void add_fit(CLI::App& app);
void add_update(CLI::App& app);
void add_forget(CLI::App& app);
void add_merge(CLI::App& app);
void add_classes(CLI::App& app);
void add_decay(CLI::App& app);
void add_predict(CLI::App& app);
void add_classify(CLI::App& app);
void add_explain(CLI::App& app);
void add_show(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_cv(CLI::App& app);
void add_split(CLI::App& app);
void add_describe(CLI::App& app);
void add_sample(CLI::App& app);
void add_export(CLI::App& app);
void add_query(CLI::App& app);
void add_estimate(CLI::App& app);
void add_plot(CLI::App& app);
void add_report(CLI::App& app);
void add_adapt(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_compare(CLI::App& app);
void add_tune(CLI::App& app);
void add_serve(CLI::App& app);
void add_completion(CLI::App& app);

}  // namespace credence::cli
