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

// A backslash and a hyphen mean something to roff; a dot or quote does at the start of a line.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool first = result.empty() || result.back() == '\n';
    if (first && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string man_of(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}.\n", roff("credence " + command.get_name()),
                                 roff(command.get_description()));
  for (const auto* option : command.get_options()) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(true, true)),
                        roff(option->get_description()));
  }
  const auto examples = command.get_footer();
  if (!examples.empty()) text += ".PP\n.nf\n" + roff(examples) + "\n.fi\n";
  return text;
}

std::string man(const CLI::App& app) {
  std::string text =
      ".TH CREDENCE 1 \"\" \"credence " CREDENCE_VERSION
      "\" \"User Commands\"\n.SH NAME\n"
      "credence \\- learn what each class looks like, decide by Bayes' rule\n.SH SYNOPSIS\n"
      ".B credence\n.I COMMAND\n[options] ...\n.SH COMMANDS\n";
  for (const auto* command : app.get_subcommands({})) text += man_of(*command);
  return text +
         ".SH EXIT STATUS\n0 done, 1 the system failed, 2 a wrong command line, 3 wrong data, 4 a "
         "model that cannot be read; classify answers with 0, 5 or 6.\n";
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  auto* command = add_command(
      app, "completion", "Print a script that completes commands and options, or the manual page",
      "  source <(credence completion bash)\n"
      "  credence completion fish > ~/.config/fish/completions/credence.fish\n"
      "  credence completion man > /usr/local/share/man/man1/credence.1");
  command->add_option("SHELL", *shell, "bash, zsh or fish; or man")
      ->required()
      ->check(one_of("shell", {"bash", "zsh", "fish", "man"}));
  command->callback([shell, &app] {
    if (*shell == "zsh") print_data(std::string("autoload -U +X bashcompinit && bashcompinit\n"));
    print_data(*shell == "fish" ? fish(app) : *shell == "man" ? man(app) : bash(app));
  });
}

}  // namespace credence::cli
