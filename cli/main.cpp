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
#include <new>

#include "common.hpp"

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
  cli::say("credence: " + message + "\n");
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
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc,
                          char** argv) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty()) return "which command? see credence --help";
    if (first.starts_with("-"))
      return fmt::format("no option {}{}", first, suggestion(first, option_names(app)));
    return fmt::format("no command \"{}\"{}; see credence --help", first,
                       suggestion(first, command_names(app)));
  }
  const auto& command = *chosen.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const auto extras = command.remaining(true);
    const std::string extra = extras.empty() ? "" : extras.front();
    const std::string name = extra.substr(0, extra.find('='));
    if (!extra.starts_with("-"))
      return fmt::format("{}: one argument too many: \"{}\"", command.get_name(), extra);
    return fmt::format("{}: no option {}{}; see credence {} --help", command.get_name(), name,
                       suggestion(name, option_names(command)), command.get_name());
  }
  return fmt::format("{}: {}; see credence {} --help", command.get_name(), error.what(),
                     command.get_name());
}

int run(int argc, char** argv) {
  CLI::App app("credence: learn what each class looks like, decide by Bayes' rule");
  app.set_version_flag("--version", "credence " CREDENCE_VERSION);
  app.require_subcommand(1);
  app.footer("credence COMMAND --help explains a command, with examples.");
  app.get_formatter()->column_width(28);
  cli::add_fit(app);
  cli::add_update(app);
  cli::add_forget(app);
  cli::add_merge(app);
  cli::add_classes(app);
  cli::add_decay(app);
  cli::add_predict(app);
  cli::add_classify(app);
  cli::add_explain(app);
  cli::add_show(app);
  cli::add_evaluate(app);
  cli::add_cv(app);
  cli::add_calibrate(app);
  cli::add_adapt(app);
  cli::add_sample(app);
  cli::add_query(app);
  cli::add_estimate(app);
  cli::add_plot(app);
  cli::add_report(app);
  cli::add_compare(app);
  cli::add_tune(app);
  cli::add_completion(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    return fail(2, usage_message(app, error, argc, argv));
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
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return fail(exit_status(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
