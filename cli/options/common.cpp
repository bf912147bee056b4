// SPDX-License-Identifier: Apache-2.0
#include "cli/options/common.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/options/option_names.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/evaluate.hpp"

namespace credence::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples) {
  auto* command = app.add_subcommand(name, summary);
  command->footer("Examples:\n" + examples);
  return command;
}

void add_common(CLI::App* command, Common& common, bool json) {
  command
      ->add_option("--threads", common.threads,
                   "Threads to use (default: all; the result is the same)")
      ->check(whole_number(1));
  command->add_flag("-q,--quiet", common.quiet, "No notes, no progress on stderr");
  if (json) command->add_flag("--json", common.json, "Print JSON");
}

void add_reading(CLI::App* command, DataOptions& data) {
  command
      ->add_option("--format", data.format,
                   "csv, tsv, jsonl, libsvm, arff, labelled (label, tab, text) or mail (default: "
                   "by name, then by "
                   "content)")
      ->check(one_of("format", {"csv", "tsv", "jsonl", "libsvm", "arff", "labelled", "mail"}));
  command->add_option("--delimiter", data.delimiter, "What separates cells (default: detected)");
  command->add_flag("--no-header", data.no_header, "The first line is data; columns are c1, c2, …");
  command
      ->add_option_function<std::string>(
          "--missing",
          [&data](const std::string& text) {
            data.missing = text;
            data.missing_given = true;
          },
          "Cells that mean 'no value' besides empty ones, separated by commas (default: "
          "NA,?,NaN,null)")
      ->expected(1);
  command->add_option("--feature-names", data.feature_names,
                      "libsvm: a file whose line i names feature i");
  command
      ->add_option("--bad-cells", data.bad_cells,
                   "Cells that their column cannot hold: refuse (default), missing, or skip (the "
                   "row is left out)")
      ->check(one_of("treatment", {"refuse", "missing", "skip"}));
}

void add_absent(CLI::App* command, DataOptions& data) {
  command
      ->add_option("--absent", data.absent,
                   "Columns of the model that DATA lacks: refuse (default) or missing")
      ->check(one_of("treatment", {"refuse", "missing"}));
}

void add_data(CLI::App* command, DataOptions& data, bool required) {
  auto* option = command->add_option(
      "DATA", data.paths,
      "CSV, TSV, JSON lines or libsvm, plain or .gz; several files; a folder of documents; a "
      "mailbox; - is stdin");
  if (required) option->required();
  add_reading(command, data);
}

ReadOptions DataOptions::read() const {
  ReadOptions options;
  if (format == "csv") options.format = FileFormat::csv;
  if (format == "tsv") options.format = FileFormat::tsv;
  if (format == "jsonl") options.format = FileFormat::json_lines;
  if (format == "libsvm") options.format = FileFormat::libsvm;
  if (format == "arff") options.format = FileFormat::arff;
  if (format == "labelled") options.format = FileFormat::labelled;
  if (format == "mail") options.format = FileFormat::mail;
  const std::string separator = delimiter == "\\t" || delimiter == "tab" ? "\t" : delimiter;
  if (separator.size() > 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--delimiter \"{}\": one character is needed (tab for a tab)", delimiter));
  }
  if (!separator.empty()) options.delimiter = separator[0];
  options.header = !no_header;
  if (missing_given) options.missing = split(missing, ',');
  options.feature_names = feature_names;
  if (bad_cells == "missing") options.bad_cells = BadCells::missing;
  if (bad_cells == "skip") options.bad_cells = BadCells::skip;
  return options;
}

void say(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

void say_line(std::string_view text) { say(printable(text) + "\n"); }

namespace {

bool bar_shown = false;

// {"progress":{"what":"learning","done":…,"total":…,"unit":"bytes"}}: at once, ten times a second,
// and when all is done.
Progress progress_lines(const std::string& what, const std::string& unit) {
  auto next = std::make_shared<std::chrono::steady_clock::time_point>();
  return [=](std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    const bool last = total > 0 && done >= total;
    if (now < *next && !last) return;
    *next = now + std::chrono::milliseconds(100);
    const Json told = {{"what", what}, {"done", done}, {"total", total}, {"unit", unit}};
    say(Json{{"progress", told}}.dump() + "\n");
  };
}

}  // namespace

void add_progress_lines(CLI::App* command, Common& common) {
  command->add_flag("--progress-lines", common.progress_lines,
                    "Progress as lines of JSON on stderr, for programs");
}

Progress progress_bar(const Common& common, const std::string& what, const std::string& unit) {
  if (common.progress_lines) return progress_lines(what, unit);
  if (common.quiet || !isatty(STDERR_FILENO)) return {};
  const auto start = std::chrono::steady_clock::now();
  auto last = std::make_shared<std::chrono::steady_clock::time_point>(start);
  return [=](std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (now - start < std::chrono::milliseconds(500)) return;
    if (now - *last < std::chrono::milliseconds(100)) return;
    *last = now;
    bar_shown = true;
    const double seconds = std::chrono::duration<double>(now - start).count();
    const double megabytes = static_cast<double>(done) / 1e6;
    if (total == 0) {
      say(fmt::format("\r{} {:.0f} MB, {:.0f} MB/s  ", what, megabytes, megabytes / seconds));
    } else {
      const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
      const auto filled = static_cast<std::size_t>(share * 30);
      say(fmt::format("\r{} [{}{}] {:3.0f} %, {:.0f} s left  ", what, std::string(filled, '#'),
                      std::string(30 - filled, ' '), 100 * share, seconds / share - seconds));
    }
    std::fflush(stderr);
  };
}

void finish_progress() {
  if (bar_shown) say("\r\x1b[K");
  bar_shown = false;
}

std::vector<Chunk> read_watched(Source& source, const Common& common, bool oddities) {
  auto chunks = read_all(source, common.threads, progress_bar(common, "reading"));
  finish_progress();
  if (oddities) note_oddities(common, source);
  return chunks;
}

void print_marked(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  if (errno == EPIPE) std::_Exit(0);
  throw Error(ErrorKind::system, fmt::format("stdout: {}", std::strerror(errno)));
}

void print(const std::string& text) { print_marked(printable(text, true)); }

void print_data(const std::string& bytes) {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  terminal ? print(bytes) : print_marked(bytes);
}

void print(const Json& json) {
  print_marked(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

namespace {

int status_of_answer = 0;

}  // namespace

void answer_with_status(int status) { status_of_answer = status; }
int answered_status() { return status_of_answer; }

void note_oddities(const Common& common, const Source& source) {
  for (const auto& line : source.notes()) note(common, "{}", worded(line));
}

std::string six_digits(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.6g}", value);
}

CLI::Validator whole_number(double from) {
  return {[from](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && *value >= from && *value == std::floor(*value) && *value <= 1e15)
              return "";
            return fmt::format("\"{}\" is not a whole number from {} on", text,
                               format_number(from));
          },
          ""};
}

CLI::Validator probability() {
  return {[](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && *value >= 0 && *value <= 1) return "";
            return fmt::format("\"{}\" is not a probability from 0 to 1", text);
          },
          ""};
}

CLI::Validator one_of(const std::string& what, const std::vector<std::string>& choices) {
  return {[what, choices](std::string& text) -> std::string {
            if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
            return fmt::format("no {} \"{}\"{}; choose {}", what, text, suggestion(text, choices),
                               join(choices, ", "));
          },
          ""};
}

void refuse_same_file(const std::string& output, const std::vector<std::string>& inputs,
                      const std::string& option) {
  for (const auto& input : inputs) {
    std::error_code absent;
    if (!std::filesystem::equivalent(output, input, absent)) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("{} {}: this is the data itself (choose another name)", option, output));
  }
}

std::size_t shown_width(const std::string& text) {
  std::size_t count = 0;
  for (const char c : printable(text)) count += begins_code_point(c);
  return count;
}

namespace {

bool looks_numeric(const std::string& text) {
  return text.find_first_of("0123456789fN") != std::string::npos &&
         text.find_first_not_of("0123456789.+-e/= infNa%") == std::string::npos;
}

// A column of numbers has nothing but numbers below its first cell.
bool is_number_column(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  bool any = false;
  for (std::size_t r = rows.size() > 1 ? 1 : 0; r < rows.size(); ++r) {
    if (column >= rows[r].size() || rows[r][column].empty()) continue;
    if (!looks_numeric(rows[r][column])) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::string aligned(std::vector<std::vector<std::string>> rows, std::size_t indent) {
  for (auto& row : rows) {
    for (auto& cell : row) cell = printable(cell);
  }
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (row.size() > widths.size()) widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  std::vector<bool> numeric(widths.size(), false);  // the first column holds names
  for (std::size_t i = 1; i < widths.size(); ++i) numeric[i] = is_number_column(rows, i);
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - shown_width(row[i]), ' ');
      line += numeric[i] ? padding + row[i] : row[i] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace credence::cli
