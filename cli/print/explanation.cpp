// SPDX-License-Identifier: Apache-2.0
#include "cli/print/explanation.hpp"

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "core/utf8.hpp"
#include "notation/reading.hpp"
#include "plot/report/html.hpp"

namespace credence::cli {
namespace {

// Twenty characters to each side: evidence for the class grows to the right.
std::string bar(double weight, double largest) {
  if (weight == 0) return "";
  const double share = std::isinf(weight) ? 1 : std::min(1.0, std::abs(weight) / largest);
  const auto length = static_cast<std::size_t>(std::lround(share * 20));
  return std::string(std::max<std::size_t>(length, 1), weight > 0 ? '+' : '-');
}

// Of a document with many tokens the strongest, and one line for the others of each column: all
// weights still add up.
std::vector<Explanation::Line> condensed(const Case& one) {
  constexpr std::size_t listed = 20;
  const auto& lines = one.why.lines;
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (one.is_token[i]) tokens.push_back(i);
  }
  if (tokens.size() <= listed) return lines;
  std::stable_sort(tokens.begin(), tokens.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(lines[a].weight) > std::abs(lines[b].weight);
  });
  std::vector<bool> strong(lines.size(), false);
  for (std::size_t i = 0; i < listed; ++i) strong[tokens[i]] = lines[tokens[i]].weight != 0;
  std::vector<Explanation::Line> result;
  for (std::size_t i = 0; i < lines.size();) {
    if (!one.is_token[i]) {
      result.push_back(lines[i++]);
      continue;
    }
    const auto& column = lines[i].column;
    for (const auto token : tokens) {
      if (strong[token] && lines[token].column == column) result.push_back(lines[token]);
    }
    Explanation::Line rest{column, "", 0, 0, 0, false, lines[i].trust};
    std::size_t others = 0;
    for (; i < lines.size() && one.is_token[i] && lines[i].column == column; ++i) {
      if (strong[i]) continue;
      ++others;
      rest.weight += lines[i].weight;
      rest.winner += lines[i].winner;
      rest.other += lines[i].other;
    }
    if (others == 0) continue;
    rest.value = fmt::format("({} other token{})", others, others == 1 ? "" : "s");
    result.push_back(std::move(rest));
  }
  return result;
}

constexpr const char* page_style = R"(<style>
pre.document { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #ddd;
  padding: .6rem .8rem; font: 15px/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
.for { background: rgba(0, 114, 178, var(--a)); }
.against { background: rgba(230, 159, 0, var(--a)); text-decoration: underline dotted; }
</style>
)";

std::string title(const Case& one) {
  return one.name.empty() ? fmt::format("row {}", one.row)
                          : fmt::format("row {}, {}", one.row, one.name);
}

std::string verdict(const Case& one, const Classifier& classifier) {
  const auto& why = one.why;
  if (why.posterior.undecidable()) {
    return fmt::format("{}: undecidable, every class has probability 0: {}", title(one),
                       why.undecidable_because);
  }
  const auto p = [&](std::size_t c) {
    return fmt::format("P({}) = {}", classifier.classes()[c],
                       six_digits(why.posterior.probabilities[c]));
  };
  return fmt::format("{}: {}, {}", title(one), p(why.winner), p(why.other));
}

// Dates and times as one writes them.
std::string shown_value(const Explanation::Line& line, const Schema& schema) {
  const auto number = to_number(line.value);
  for (const auto& column : schema.columns) {
    if (!number || column.reading.empty() || column.name != line.column) continue;
    const auto text = data::written(column.reading, *number);
    if (!text.empty()) return text;
  }
  return line.value;
}

// A heading, the lines and their sum; without bars for a page.
std::vector<std::vector<std::string>> evidence_rows(const Case& one, const Classifier& classifier,
                                                    bool bars) {
  const auto& why = one.why;
  const auto& winner = classifier.classes()[why.winner];
  const auto& other = classifier.classes()[why.other];
  const auto lines = condensed(one);
  double largest = 0;
  for (const auto& line : lines) {
    if (std::isfinite(line.weight)) largest = std::max(largest, std::abs(line.weight));
  }
  std::vector<std::vector<std::string>> rows;
  // A coefficient is no ratio of densities; it adds to the log-odds all the same.
  rows.push_back({"column", "value",
                  classifier.knows_evidence() ? fmt::format("log P(.|{})/P(.|{})", winner, other)
                                              : fmt::format("{} against {}", winner, other)});
  // Evidence that counts more or less than once is multiplied, and that is said.
  const bool trusted =
      std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.trust != 1; });
  if (trusted) rows[0].insert(rows[0].begin() + 2, "trust");
  if (trusted) rows[0].back() = "trust x " + rows[0].back();
  for (const auto& line : lines) {
    rows.push_back({line.column, shown_value(line, classifier.schema())});
    if (trusted) rows.back().push_back(line.trust == 1 ? "" : six_digits(line.trust));
    rows.back().push_back(six_digits(line.weight));
    if (bars) rows.back().push_back(bar(line.weight, largest));
  }
  rows.push_back({"sum", "log-odds"});
  if (trusted) rows.back().emplace_back();
  rows.back().push_back(six_digits(why.log_odds));
  return rows;
}

}  // namespace

std::string to_text(const Case& one, const Classifier& classifier, bool color) {
  std::string text = printable(verdict(one, classifier)) + "\n";
  if (one.why.posterior.undecidable()) return text;
  if (color) {
    const double largest = largest_weight(one.texts);
    for (const auto& marked : one.texts) {
      text += fmt::format("--- {}\n{}", printable(marked.column), to_terminal(marked, largest));
      if (!text.ends_with('\n')) text += '\n';
    }
    if (!one.texts.empty()) text += "---\n";
  }
  return text + aligned(evidence_rows(one, classifier, true), 2);
}

std::string to_html(const Case& one, const Classifier& classifier) {
  const auto& classes = classifier.classes();
  std::string html = fmt::format("<h2>{}</h2>\n", plot::escaped(verdict(one, classifier)));
  if (one.why.posterior.undecidable()) return html;
  const double largest = largest_weight(one.texts);
  if (!one.texts.empty()) {
    html += fmt::format(
        "<p class=\"note\"><span class=\"for\" style=\"--a:.75\">Blue</span> speaks for {}, <span "
        "class=\"against\" style=\"--a:.75\">orange</span> for {}; the darker, the more. Point at "
        "a word to see its weight of evidence in nats.</p>\n",
        plot::escaped(classes[one.why.winner]), plot::escaped(classes[one.why.other]));
  }
  for (const auto& marked : one.texts) {
    html += fmt::format("<h3>{}</h3>\n{}", plot::escaped(marked.column), to_html(marked, largest));
  }
  return html + "<h3>Strongest evidence</h3>\n" +
         plot::html_table(evidence_rows(one, classifier, false));
}

std::string explanation_page(const std::string& title, const std::string& cases) {
  return plot::html_page(title,
                         page_style + fmt::format("<h1>{}</h1>\n{}", plot::escaped(title), cases));
}

}  // namespace credence::cli
