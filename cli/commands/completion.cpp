// SPDX-License-Identifier: Apache-2.0
// completion: scripts that teach a shell the commands and their options.
#include "cli/options/common.hpp"
#include "core/strings.hpp"

namespace credence::cli {
namespace {

std::string options_of(const CLI::App& command, const std::string& separator) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return join(names, separator);
}

std::string bash(const CLI::App& app) {
  std::string cases, commands;
  for (const auto* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases +=
        fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), options_of(*command, " "));
  }
  return fmt::format(
      "_credence() {{\n"
      "  local words word=\"${{COMP_WORDS[COMP_CWORD]}}\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F _credence credence\n",
      commands, cases);
}

std::string fish(const CLI::App& app) {
  std::string text;
  for (const auto* command : app.get_subcommands({})) {
    text += fmt::format("complete -c credence -n __fish_use_subcommand -a {} -d '{}'\n",
                        command->get_name(), command->get_description());
    for (const auto* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) {
        text += fmt::format("complete -c credence -n '__fish_seen_subcommand_from {}' -l {}\n",
                            command->get_name(), name);
      }
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  auto* command =
      add_command(app, "completion", "Print a script that completes commands and options",
                  "  source <(credence completion bash)\n"
                  "  credence completion fish > ~/.config/fish/completions/credence.fish");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of("shell", {"bash", "zsh", "fish"}));
  command->callback([shell, &app] {
    if (*shell == "zsh") print_data(std::string("autoload -U +X bashcompinit && bashcompinit\n"));
    print_data(*shell == "fish" ? fish(app) : bash(app));
  });
}

}  // namespace credence::cli
