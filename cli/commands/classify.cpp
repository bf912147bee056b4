// SPDX-License-Identifier: Apache-2.0
// classify: one message, for use in a pipe. The exit status tells the class.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "bytes/bytes.hpp"
#include "cli/options/models.hpp"
#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "credence/decision.hpp"
#include "documents/documents.hpp"
#include "mail/mail_header.hpp"

namespace credence::cli {
namespace {

struct ClassifyOptions {
  Common common;
  Overrides overrides;
  std::string model;
  std::string file = "-";
  std::string positive;
  std::optional<double> threshold = {};
  double reject = 0;
  bool header = false;
};

constexpr int another_class = 5;
constexpr int undecided = 6;

// A message as it comes, not unpacked: with --header every byte of it has to go on.
class Input {
 public:
  explicit Input(const std::string& path) : path_(path) {
    data::check_file(path);
    file_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) refuse();
  }
  ~Input() { ::close(file_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Up to so many bytes; fewer only at the end.
  std::string read(std::size_t most) {
    std::string bytes;
    while (bytes.size() < most) {
      const std::size_t before = bytes.size();
      bytes.resize(before + std::min(most - before, std::size_t{1} << 16));
      const auto got = ::read(file_, bytes.data() + before, bytes.size() - before);
      if (got < 0 && errno == EINTR) {
        bytes.resize(before);
        continue;
      }
      if (got < 0) refuse();
      bytes.resize(before + static_cast<std::size_t>(got));
      if (got == 0) break;
    }
    return bytes;
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(ErrorKind::data, fmt::format("{}: cannot be read ({})", data::display_name(path_),
                                             std::strerror(errno)));
  }
  std::string path_;
  int file_;
};

struct Verdict {
  std::string label = "undecided";
  std::string probability;
  int status = undecided;
};

std::size_t positive_class(const ClassifyOptions& options, const Classifier& classifier) {
  const auto& classes = classifier.classes();
  const std::string wanted = options.positive.empty() ? "spam" : options.positive;
  const auto found = std::find(classes.begin(), classes.end(), wanted);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  if (options.positive.empty()) return 0;
  throw Error(ErrorKind::usage,
              fmt::format("--positive: no class \"{}\"{}; the classes are {}", wanted,
                          suggestion(wanted, classes), join(classes, ", ")));
}

Verdict judge(const ClassifyOptions& options, data::DocumentReader& document) {
  const Loaded loaded = load_any(options.model, options.overrides);
  const auto& classifier = loaded.classifier();
  const std::size_t positive = positive_class(options, classifier);
  const data::DocumentColumns columns(classifier.schema());
  if (!columns.any()) {
    throw Error(ErrorKind::model,
                fmt::format("{}: this model reads no text, so it cannot classify a message (use "
                            "predict for rows of a table)",
                            options.model));
  }
  const auto row = posterior(classifier.log_scores(columns.row(document)));
  Verdict verdict;
  if (row.undecidable()) {
    verdict.probability = "NaN";
    return verdict;
  }
  const std::size_t chosen =
      options.threshold ? decide_positive(row, positive, *options.threshold) : *decide(row);
  verdict.probability = fmt::format("{:.4f}", row.probabilities[chosen]);
  if (row.probabilities[chosen] < options.reject) return verdict;
  verdict.label = classifier.classes()[chosen];
  verdict.status = chosen == positive ? 0 : another_class;
  return verdict;
}

void run(const ClassifyOptions& options) {
  if (options.file == "-" && isatty(STDIN_FILENO)) {
    throw Error(ErrorKind::usage, "no message: name a file, or pipe one in");
  }
  Input input(options.file);
  const std::string message = input.read(data::largest_document + 1);
  data::DocumentReader document;
  Verdict verdict;
  try {
    if (message.size() > data::largest_document) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: more than {} MB, which is no message",
                              data::display_name(options.file), data::largest_document >> 20));
    }
    document.read(message);
    if (document.is_damaged()) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: damaged or cut short {} data", data::display_name(options.file),
                              data::name_of(data::packing_of(message))));
    }
    verdict = judge(options, document);
  } catch (...) {
    // Whatever is wrong, the mail goes on.
    if (options.header) {
      print_data(message);
      for (auto rest = input.read(1 << 20); !rest.empty(); rest = input.read(1 << 20)) {
        print_data(rest);
      }
    }
    throw;
  }
  if (options.header) {
    print_data(text::with_header(document.unpacked(), text::verdict_header,
                                 text::header_value(verdict.label, verdict.probability)));
    return;
  }
  print(fmt::format("{} {}\n", printable(verdict.label), verdict.probability));
  answer_with_status(verdict.status);
}

}  // namespace

void add_classify(CLI::App& app) {
  auto options = std::make_shared<ClassifyOptions>();
  auto* command = add_command(
      app, "classify", "Judge one message in a pipe; the exit status tells its class",
      "  credence classify mail.credence < message && echo spam\n"
      "  credence classify mail.credence message.eml --threshold 0.99\n"
      "  credence classify mail.credence --header < message > marked\n\n"
      "Exit status: 0 the positive class, 5 another, 6 undecided; 1 to 4 errors.\n"
      "With --header 0 whenever the mail was marked; after an error it went on unchanged.");
  command->add_option("MODEL", options->model, "A model that reads text")->required();
  command->add_option("FILE", options->file, "The message (default: stdin)");
  command->add_option("--positive", options->positive,
                      "The class that exit status 0 stands for (default: spam, or the first)");
  command
      ->add_option("--threshold", options->threshold,
                   "The positive class only from this probability on")
      ->check(probability());
  command->add_option("--reject", options->reject, "Undecided below this probability")
      ->check(probability());
  command->add_flag("--header", options->header,
                    "Copy the mail to stdout with a header X-Credence: LABEL PROBABILITY");
  add_overrides(command, options->overrides);
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli
