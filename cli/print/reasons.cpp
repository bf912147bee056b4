// SPDX-License-Identifier: Apache-2.0
#include "cli/print/reasons.hpp"

#include <unistd.h>

#include <cstdlib>

#include "cli/print/steps.hpp"
#include "core/utf8.hpp"
#include "io/file.hpp"
#include "plot/report/html.hpp"

namespace credence::cli {
namespace {

// https://no-color.org
bool wants_color(const std::string& when) {
  if (when != "auto") return when == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
         !(terminal && std::string_view(terminal) == "dumb");
}

}  // namespace

Reasons::Reasons(const ReasonOptions& options, const Classifier& classifier)
    : options_(options), classifier_(classifier), color_(wants_color(options.color)) {
  if (options.steps && !classifier.knows_evidence()) {
    throw Error(ErrorKind::usage,
                "--steps: a logistic model has no factors to multiply; explain it without");
  }
}

Reason Reasons::of(const Chunk& chunk, std::size_t row, std::size_t number, const std::string& name,
                   const data::DocumentTexts* texts, const std::string& truth) const {
  Reason result;
  auto title = fmt::format("row {}", number);
  if (!name.empty()) title += ", " + name;
  if (!truth.empty()) title += fmt::format(", which is {}", truth);
  if (options_.steps || options_.every_class) {
    const Steps all = steps(classifier_, chunk, row);
    result.json = {{"row", number}};
    if (!truth.empty()) result.json["truth"] = truth;
    result.json.update(to_json(all));
    const auto line = printable(title);
    if (options_.markdown) {
      result.text = fmt::format("### {}\n\n{}\n", line, to_markdown(all));
    } else if (options_.latex) {
      result.text = fmt::format("% {}\n{}\n", line, to_latex(all));
    } else {
      result.text = line + "\n" + (options_.steps ? to_text(all) : class_by_class(all));
    }
    result.text = printable(result.text, true);
    result.html = fmt::format("<h2>{}</h2>\n", plot::escaped(title)) + to_html(all);
    return result;
  }
  Case one = make_case(explain_for(classifier_, chunk, row, options_.label, options_.against),
                       classifier_, chunk, row, texts);
  one.row = number;
  one.name = truth.empty() ? name : name + (name.empty() ? "" : ", ") + "which is " + truth;
  result.text = to_text(one, classifier_, color_);
  if (!options_.html.empty()) result.html = to_html(one, classifier_);
  if (options_.common.json) {
    result.json = to_json(one, classifier_);
    if (!truth.empty()) result.json["truth"] = truth;
  }
  return result;
}

void Reasons::add(const Reason& reason) {
  ++added_;
  html_ += reason.html;
  if (options_.common.json) {
    json_.push_back(reason.json);
  } else if (options_.html.empty()) {
    print_marked((added_ > 1 ? "\n" : "") + reason.text);
  }
}

void Reasons::finish() const {
  if (options_.common.json) print(json_);
  if (options_.html.empty()) return;
  write_atomically(options_.html, explanation_page(fmt::format("Why: {}", options_.model), html_));
  if (options_.html != "-") note(options_.common, "wrote {}", options_.html);
}

}  // namespace credence::cli
