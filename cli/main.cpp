// SPDX-License-Identifier: Apache-2.0
// The credence command: finds the subcommand, catches every error once, sets the exit status.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/hints.hpp"
#include "cli/options/common.hpp"
#include "cli/options/option_names.hpp"
#include "core/utf8.hpp"

namespace {

using namespace credence;

// 0 done, 2 usage, 3 data, 4 model, 1 anything else; classify answers with 0, 5 or 6.
int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::data:
      return 3;
    case ErrorKind::model:
      return 4;
    case ErrorKind::system:
      return 1;
  }
  return 1;
}

int fail(int status, const std::string& message) {
  cli::finish_progress();
  std::fflush(stdout);
  cli::say_line("credence: " + message);
  return status;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// One line for a command line that cannot be understood, with the nearest name that exists.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    const std::string first = arguments.empty() ? "" : arguments[0];
    if (first.empty()) return "which command? see credence --help";
    if (first.starts_with("-"))
      return fmt::format("no option {}{}", first, suggestion(first, option_names(app)));
    auto hint = cli::hint_for_command(first);
    if (hint.empty() && std::filesystem::exists(first)) {
      hint = first.ends_with(".credence")
                 ? fmt::format(" (a model: credence show {})", first)
                 : fmt::format(" (a file: credence fit {} --target COLUMN)", first);
    }
    return fmt::format("no command \"{}\"{}; see credence --help", first,
                       hint.empty() ? suggestion(first, command_names(app)) : hint);
  }
  const auto& command = *chosen.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const auto extras = command.remaining(true);
    const std::string extra = extras.empty() ? "" : extras.front();
    const std::string name = extra.substr(0, extra.find('='));
    if (!extra.starts_with("-"))
      return fmt::format("{}: one argument too many: \"{}\"", command.get_name(), extra);
    auto hint = cli::hint_for_option(command.get_name(), name);
    // One letter is near to every short name.
    if (hint.empty() && name.starts_with("--")) hint = suggestion(name, option_names(command));
    return fmt::format("{}: no option {}{}; see credence {} --help", command.get_name(), name, hint,
                       command.get_name());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    const std::string name =
        std::string(error.what()).substr(0, std::string_view(error.what()).find(' '));
    const auto* option = name.starts_with("-") ? command.get_option_no_throw(name) : nullptr;
    if (option != nullptr) {
      return fmt::format("{}: {} is required ({}); see credence {} --help", command.get_name(),
                         name, option->get_description(), command.get_name());
    }
  }
  return fmt::format("{}: {}; see credence {} --help", command.get_name(), error.what(),
                     command.get_name());
}

// In the order in which --help lists them.
constexpr std::pair<std::string_view, void (*)(CLI::App&)> commands[] = {
    {"fit", cli::add_fit},
    {"update", cli::add_update},
    {"forget", cli::add_forget},
    {"merge", cli::add_merge},
    {"classes", cli::add_classes},
    {"decay", cli::add_decay},
    {"predict", cli::add_predict},
    {"classify", cli::add_classify},
    {"explain", cli::add_explain},
    {"show", cli::add_show},
    {"evaluate", cli::add_evaluate},
    {"cv", cli::add_cv},
    {"split", cli::add_split},
    {"describe", cli::add_describe},
    {"calibrate", cli::add_calibrate},
    {"adapt", cli::add_adapt},
    {"sample", cli::add_sample},
    {"export", cli::add_export},
    {"query", cli::add_query},
    {"estimate", cli::add_estimate},
    {"plot", cli::add_plot},
    {"report", cli::add_report},
    {"compare", cli::add_compare},
    {"tune", cli::add_tune},
    {"serve", cli::add_serve},
    {"completion", cli::add_completion},
};

// Options are many, and most runs are of one command: the others are made for help, for a name that
// does not exist, and for completion, which lists them all.
void add_commands(CLI::App& app, std::string_view first) {
  for (const auto& [name, add] : commands) {
    if (name == first && name != "completion") return add(app);
  }
  for (const auto& [name, add] : commands) add(app);
}

// Names of files may be any bytes, but what is said of them is UTF-8.
void check_arguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (valid_utf8(argv[i])) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("argument {}, \"{}\", is not UTF-8 (a file can be renamed, or piped in)", i,
                    printable(argv[i])));
  }
}

int run(int argc, char** argv) {
  check_arguments(argc, argv);
  CLI::App app("credence: learn what each class looks like, decide by Bayes' rule");
  app.name(argv[0]);
  app.set_version_flag("--version", "credence " CREDENCE_VERSION);
  app.require_subcommand(1);
  app.footer("credence COMMAND --help explains a command, with examples.");
  app.get_formatter()->column_width(28);
  std::vector<std::string_view> names;
  for (const auto& [name, add] : commands) names.push_back(name);
  auto arguments = cli::usual_order({argv + 1, argv + argc}, names);
  add_commands(app, arguments.empty() ? "" : arguments[0]);
  try {
    // CLI11 takes them from the end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& done) {
    std::ostringstream help;
    app.exit(done, help, help);
    cli::print(help.str());
  } catch (const CLI::ParseError& error) {
    return fail(2, usage_message(app, error, arguments));
  }
  if (std::fflush(stdout) != 0 && errno != EPIPE)
    return fail(1, fmt::format("stdout: {}", std::strerror(errno)));
  return cli::answered_status();
}

void tune_memory() {
#if defined(__GLIBC__)
  // Chunks come and go: memory given back to the system would have to be asked for, and cleared,
  // again for each of them.
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 29);
  // Few threads do not stand in each other's way, and share what is said of pages below.
  if (std::thread::hardware_concurrency() <= 4) mallopt(M_ARENA_MAX, 1);
#endif
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  // The first memory of the main thread, where models are, in pages of 2 MB where there are some: a
  // page is given out when it is first touched, which is a tenth of the time of a short run.
  constexpr std::size_t step = std::size_t{64} << 20;
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  mallopt(M_TOP_PAD, step);
  const auto before = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  void* volatile growing = std::malloc(1 << 20);
  std::free(growing);
  const auto after = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  const std::uintptr_t first = (before + page - 1) / page * page;
  if (first < after) ::madvise(reinterpret_cast<void*>(first), after - first, MADV_HUGEPAGE);
#endif
}

// A model opened while stderr is closed would be given its number, and notes be written into it. A
// closed stream gets a file on which its own use fails as before; only stderr may be written.
void occupy_closed_streams() {
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", modes[stream]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  tune_memory();
  std::signal(SIGPIPE, SIG_IGN);  // `| head` is no error: writing fails quietly instead
#if defined(SIGXFSZ)
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond `ulimit -f`: writing fails as on a full disk
#endif
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    const auto message = cli::worded(error.message());
    return fail(exit_status(error.kind()),
                message + cli::hint_for_failure({argv + 1, argv + argc}, message));
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
