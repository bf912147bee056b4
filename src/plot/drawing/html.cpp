// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/html.hpp"

#include <fmt/format.h>

#include <numeric>

#include "core/strings.hpp"
#include "plot/drawing/text.hpp"

namespace credence::plot {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #222; background: #fff;
  max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; padding-top: .6rem; border-top: 1px solid #ddd; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p.note, figcaption { color: #666; font-size: .9rem; margin: .2rem 0 .6rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .7rem; border-bottom: 1px solid #e5e5e5; text-align: right; }
th { font-weight: 600; }
tr > :first-child { text-align: left; }
thead th { border-bottom: 1.5px solid #999; }
figure { margin: .8rem 0; }
figure svg { max-width: 100%; height: auto; display: block; }
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; }
  figure, table, section { break-inside: avoid; }
  figure svg { max-height: 8.5cm; width: auto; }
  h2, h3 { break-after: avoid; }
}
)";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == 0) html += "<thead>";
    html += "<tr>";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const char* tag = r == 0 || i == 0 ? "th" : "td";
      html += fmt::format("<{0}>{1}</{0}>", tag, escaped(rows[r][i]));
    }
    html += r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string html_confusion(const std::vector<std::string>& labels,
                           const std::vector<std::vector<double>>& counts) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr><th>truth \\ prediction</th>";
  for (const auto& label : labels) html += "<th>" + escaped(label) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double total = std::accumulate(counts[i].begin(), counts[i].end(), 0.0);
    html += "<tr><th>" + escaped(labels[i]) + "</th>";
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const double share = total > 0 ? counts[i][j] / total : 0;
      // Blue for right, orange for wrong; faint enough for dark text.
      html +=
          fmt::format("<td style=\"background:rgba({},{:.2f})\">{}</td>",
                      i == j ? "0,114,178" : "213,94,0", 0.45 * share, format_number(counts[i][j]));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string html_picture(std::string_view svg, std::string_view name, std::string_view caption) {
  std::string text(svg.substr(std::min(svg.size(), svg.find("<svg"))));
  const std::string prefix = std::string(name) + "-";
  replace_all(text, " id=\"", " id=\"" + prefix);
  replace_all(text, "href=\"#", "href=\"#" + prefix);
  replace_all(text, "url(#", "url(#" + prefix);
  const std::string label = escaped(caption);
  text.insert(4, " role=\"img\" aria-label=\"" + label + "\"");
  return "<figure>\n" + text + "</figure>\n";
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

}  // namespace credence::plot
