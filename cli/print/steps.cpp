// SPDX-License-Identifier: Apache-2.0
#include "cli/print/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/print/board/sheet.hpp"
#include "core/strings.hpp"
#include "plot/report/html.hpp"

namespace credence::cli {
namespace {

// More factors than fit on a line are listed in a table instead.
constexpr std::size_t most_in_a_line = 12;

// The steps in one of the two notations.
class Board {
 public:
  Board(const Steps& steps, bool latex)
      : steps_(steps), part_(latex ? &Notation::latex : &Notation::plain), latex_(latex) {
    for (const auto& factor : steps.factors) {
      if (!factor.ignored && factor.power != 0) used_.push_back(&factor);
    }
  }

  bool fits_lines() const { return used_.size() <= most_in_a_line; }
  std::string text(const Notation& notation) const { return notation.*part_; }

  std::string symbol(const Steps::Factor& factor, std::size_t cls) const {
    return raised(text(factor.symbols[cls]), factor.power, false);
  }
  std::string factor(const Steps::Factor& factor, std::size_t cls) const {
    return raised(text(factor.workings[cls].factor), factor.power, true);
  }
  std::string symbols(std::size_t cls) const {
    return joined([&](const Steps::Factor& one) { return symbol(one, cls); });
  }
  std::string factors(std::size_t cls) const {
    return joined([&](const Steps::Factor& one) { return factor(one, cls); });
  }
  std::string product(std::size_t cls) const {
    return text(notation_of_log(steps_.log_products[cls]));
  }
  std::string sum() const { return text(notation_of_log(steps_.posterior.log_evidence)); }
  std::string quotient(std::size_t cls) const {
    const auto& above = product(cls);
    return latex_ ? fmt::format("\\frac{{{}}}{{{}}}", above, sum())
                  : fmt::format("{}/{}", above, sum());
  }
  std::string posterior(std::size_t cls) const {
    if (steps_.posterior.undecidable()) return "undecidable";
    return text(notation(steps_.posterior.probabilities[cls]));
  }
  // What each factor that is more than a fraction was computed from: symbol, formula, number.
  std::vector<std::array<std::string, 3>> formulas() const {
    std::vector<std::array<std::string, 3>> result;
    for (std::size_t c = 0; c < steps_.classes.size(); ++c) {
      for (const auto* one : used_) {
        const auto& working = one->workings[c];
        if (working.formula.plain.empty()) continue;
        result.push_back({text(one->symbols[c]), text(working.formula), text(working.factor)});
      }
    }
    return result;
  }
  const std::vector<const Steps::Factor*>& used() const { return used_; }

 private:
  std::string raised(const std::string& base, double power, bool brackets) const {
    if (power == 1) return base;
    const auto exponent = fmt::format("{:.4g}", power);
    const bool compound = brackets && base.find_first_of("/\\e") != std::string::npos;
    if (latex_) {
      return fmt::format("{}^{{{}}}", compound ? "\\left(" + base + "\\right)" : base, exponent);
    }
    return fmt::format("{}^{}", compound ? "(" + base + ")" : base, exponent);
  }
  template <typename Text>
  std::string joined(const Text& text) const {
    std::string result;
    for (const auto* one : used_) {
      if (!result.empty()) result += latex_ ? " \\cdot " : "·";
      result += text(*one);
    }
    return result;
  }

  const Steps& steps_;
  std::string Notation::*part_;
  bool latex_;
  std::vector<const Steps::Factor*> used_;
};

using Rows = SheetRows;

// One row for every factor, one cell for every class.
Rows factor_table(const Steps& steps, const Board& board) {
  Rows rows = {{"factor"}};
  for (const auto& cls : steps.classes) rows[0].push_back(cls);
  for (const auto* one : board.used()) {
    auto name = one->value.empty() ? one->column : one->column + "=" + one->value;
    rows.push_back({std::move(name)});
    for (std::size_t c = 0; c < steps.classes.size(); ++c) {
      rows.back().push_back(board.factor(*one, c));
    }
  }
  return rows;
}

// The table of all classes: density, prior, product, posterior.
Rows class_table(const Steps& steps, const Board& board) {
  Rows rows = {{"class", "density", "prior", "product", "posterior"}};
  for (std::size_t c = 0; c < steps.classes.size(); ++c) {
    const double prior = steps.factors[0].logs[c];
    double density = 0;
    for (std::size_t f = 1; f < steps.factors.size(); ++f) density += steps.factors[f].logs[c];
    rows.push_back({steps.classes[c], board.text(notation_of_log(density)),
                    board.text(notation_of_log(prior)), board.product(c), board.posterior(c)});
  }
  rows.push_back({"sum", "", "", board.sum(), ""});
  return rows;
}

std::string left_out(const Steps& steps) {
  std::string result;
  for (const auto& factor : steps.factors) {
    if (!factor.ignored) continue;
    result += (result.empty() ? "" : ", ") + factor.column + "=" + factor.value;
  }
  return result.empty() ? "" : "never seen, so no evidence: " + result;
}

// The lines of the computation, each once: what it is, and the steps to its number.
struct Line {
  std::string left;
  std::vector<std::string> right;
};
std::vector<Line> lines_of(const Steps& steps, const Board& board, bool latex) {
  std::vector<Line> lines;
  for (const auto& [symbol, formula, number] : board.formulas()) {
    lines.push_back({symbol, {formula, number}});
  }
  for (std::size_t c = 0; c < steps.classes.size(); ++c) {
    if (board.fits_lines()) {
      lines.push_back({board.symbols(c), {board.factors(c), board.product(c)}});
    } else {
      lines.push_back(
          {board.symbol(*board.used()[0], c) + (latex ? "\\cdots" : "·…"), {board.product(c)}});
    }
  }
  lines.push_back({"sum", {board.sum()}});
  if (latex) lines.back().left = "\\text{sum}";
  if (steps.posterior.undecidable()) return lines;
  for (std::size_t c = 0; c < steps.classes.size(); ++c) {
    lines.push_back(
        {latex ? "P(" + latex_text(steps.classes[c]) + "\\mid x)" : "P(" + steps.classes[c] + "|x)",
         {board.quotient(c), board.posterior(c)}});
  }
  return lines;
}

std::string plain_line(const Line& line) {
  std::string result = line.left;
  // A long product goes on below its symbols.
  for (std::size_t i = 0; i < line.right.size(); ++i) {
    result += (i == 0 && line.left.size() > 40 ? "\n  = " : " = ") + line.right[i];
  }
  return result + "\n";
}

}  // namespace

std::string to_text(const Steps& steps) {
  const Board board(steps, false);
  std::string result;
  if (!board.fits_lines()) result += aligned(factor_table(steps, board), 1) + "\n";
  for (const auto& line : lines_of(steps, board, false)) result += plain_line(line);
  result += "\n" + aligned(class_table(steps, board), 1);
  if (const auto note = left_out(steps); !note.empty()) result += note + "\n";
  return result;
}

std::string class_by_class(const Steps& steps) {
  Rows rows = {{"column", "value"}};
  for (const auto& cls : steps.classes) rows[0].push_back("log P(.|" + cls + ")");
  for (const auto& factor : steps.factors) {
    rows.push_back({factor.column, factor.value + (factor.ignored ? " (unseen)" : "")});
    for (const double value : factor.logs) rows.back().push_back(six_digits(value));
  }
  rows.push_back({"sum", "log joint"});
  for (const double value : steps.log_products) rows.back().push_back(six_digits(value));
  rows.push_back({"posterior", ""});
  for (const double value : steps.posterior.probabilities) {
    rows.back().push_back(six_digits(value));
  }
  return aligned(rows, 2);
}

std::string to_markdown(const Steps& steps) {
  const Board board(steps, false), latex(steps, true);
  std::string result;
  if (!board.fits_lines()) result += markdown_table(factor_table(steps, board)) + "\n";
  for (const auto& line : lines_of(steps, latex, true)) {
    result += "$$" + line.left;
    for (const auto& right : line.right) result += " = " + right;
    result += "$$\n\n";
  }
  result += markdown_table(class_table(steps, board));
  if (const auto note = left_out(steps); !note.empty()) result += "\n" + note + "\n";
  return result;
}

std::string to_latex(const Steps& steps) {
  const Board board(steps, true);
  std::string result = "\\begin{align*}\n";
  const auto lines = lines_of(steps, board, true);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result += lines[i].left;
    for (std::size_t k = 0; k < lines[i].right.size(); ++k) {
      result += (k == 0 ? " &= " : " = ") + lines[i].right[k];
    }
    result += i + 1 < lines.size() ? " \\\\\n" : "\n";
  }
  return result + "\\end{align*}\n" + latex_table(class_table(steps, board));
}

namespace {

// Escaping makes one line of a text: these stay as many as they are.
std::string escaped_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    result += plot::escaped(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

std::string to_html(const Steps& steps) {
  const Board board(steps, false);
  std::string result;
  if (!board.fits_lines()) result += plot::html_table(factor_table(steps, board));
  result += "<pre>";
  for (const auto& line : lines_of(steps, board, false)) result += escaped_lines(plain_line(line));
  result += "</pre>\n" + plot::html_table(class_table(steps, board));
  if (const auto note = left_out(steps); !note.empty()) {
    result += "<p class=\"note\">" + plot::escaped(note) + "</p>\n";
  }
  return result;
}

}  // namespace credence::cli
