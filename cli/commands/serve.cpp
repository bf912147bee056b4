// SPDX-License-Identifier: Apache-2.0
// serve: a page and an HTTP interface for models. docs/serve.md
#include "serve/serve.hpp"

#include <spawn.h>
#include <unistd.h>

#include <filesystem>

#include "cli/options/common.hpp"
#include "cli/options/option_names.hpp"

namespace credence::cli {
namespace {

struct ServeCommandOptions {
  Common common;
  std::vector<std::string> models;
  serve::ServeOptions serve;
  bool open = false;
  double megabytes = 64;
  unsigned timeout = 30;
};

// "name=path", or a path whose file gives the name.
std::pair<std::string, std::string> named(const std::string& argument) {
  const auto equals = argument.find('=');
  std::error_code unknown;
  if (equals != std::string::npos && equals > 0 && !std::filesystem::exists(argument, unknown)) {
    return {argument.substr(0, equals), argument.substr(equals + 1)};
  }
  return {std::filesystem::path(argument).stem().string(), argument};
}

// The browser is started and left alone.
void open_browser(const std::string& address) {
  std::string program = "xdg-open", target = address;
  char* arguments[] = {program.data(), target.data(), nullptr};
  pid_t child = 0;
  ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ);
}

// This program, as it fits and describes tables.
serve::FitProgram own_program() {
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  serve::FitProgram program;
  program.describe = [self](const std::string& table) {
    return std::vector<std::string>{self, "describe", table, "--json", "-q"};
  };
  program.fit = [self](const std::string& table, const std::string& target, bool best,
                       const std::string& model) {
    std::vector<std::string> command{
        self, "fit", table, "--target=" + target, "-o", model, "--progress-lines"};
    if (best) command.emplace_back("--best");
    return command;
  };
  program.typed = [](const std::string& target, bool best) {
    return fmt::format("credence fit table.csv --target '{}'{}", target, best ? " --best" : "");
  };
  return program;
}

void run(ServeCommandOptions& options) {
  for (const auto& argument : options.models) options.serve.models.push_back(named(argument));
  options.serve.server.threads = options.common.threads;
  auto& limits = options.serve.server.limits;
  limits.body = static_cast<std::size_t>(options.megabytes * (1 << 20));
  limits.request = std::chrono::seconds(options.timeout);
  options.serve.program = own_program();
  serve::serve(
      options.serve, [&](const std::string& line) { note(options.common, "{}", line); },
      [&](const std::string& address) {
        note(options.common, "{}  (Ctrl-C ends it)", address);
        if (options.open) open_browser(address);
      });
}

}  // namespace

void add_serve(CLI::App& app) {
  auto options = std::make_shared<ServeCommandOptions>();
  auto* command = add_command(app, "serve", "Open models in a browser, and answer programs",
                              "  credence serve tennis.credence --open\n"
                              "  credence serve iris.credence --data iris.csv\n"
                              "  credence serve spam=mail.credence lab_test.json --port 9000\n"
                              "  credence serve mail.credence --learn\n"
                              "  credence serve iris.credence --host 0.0.0.0 --token s3cret");
  command
      ->add_option("MODEL", options->models,
                   "Model files, logistic models or hand-written JSON models; name=PATH names one")
      ->required()
      ->expected(1, 100000)
      ->type_name("MODEL ...");
  command
      ->add_option("--data", options->serve.data,
                   "Labelled rows to judge the models by, and to show")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--port", options->serve.server.port,
                      "Where to listen (default: 8080; 0: any that is free)");
  command->add_option("--host", options->serve.server.host,
                      "The address to listen at (default: 127.0.0.1, this machine alone)");
  command->add_option("--token", options->serve.token,
                      "What requests must bring: Authorization: Bearer TOKEN");
  command->add_flag("--learn", options->serve.learn,
                    "Let rows be added and forgotten; a journal beside MODEL keeps them");
  command
      ->add_option("--max-body", options->megabytes,
                   "The largest request that is read, in megabytes (default: 64)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-connections", options->serve.server.limits.connections,
                   "Connections at a time (default: 16384, or what the system allows)")
      ->check(whole_number(1));
  command
      ->add_option(
          "--timeout", options->timeout,
          "Seconds within which a request must come, and its answer be taken (default: 30)")
      ->check(whole_number(1));
  command->add_flag("--open", options->open, "Open the page in the browser");
  add_common(command, options->common, false);
  command->callback([=] { run(*options); });
}

}  // namespace credence::cli
