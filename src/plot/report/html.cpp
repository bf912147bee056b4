// SPDX-License-Identifier: Apache-2.0
#include "plot/report/html.hpp"

#include <fmt/format.h>

#include <numeric>

#include "core/strings.hpp"

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
p.warning { border-left: 4px solid #d55e00; background: #fdf3ea; padding: .5rem .8rem; margin: .6rem 0; }
.wide { overflow-x: auto; margin: .6rem 0; }
.beside { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.tall { max-height: 27rem; overflow-y: auto; border: 1px solid #e5e5e5; }
.tall thead th { position: sticky; top: 0; background: #fff; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .7rem; border-bottom: 1px solid #e5e5e5; text-align: right; }
th { font-weight: 600; }
tr > :first-child { text-align: left; }
thead th { border-bottom: 1.5px solid #999; }
table.confusion tr > :first-child { position: sticky; left: 0; background: #fff; }
table.confusion.many { font-size: .75rem; }
table.confusion.many th, table.confusion.many td { padding: .15rem .3rem; }
table.confusion.many thead span { writing-mode: vertical-rl; transform: rotate(180deg);
  max-height: 11rem; overflow: hidden; }
table.confusion.many thead th { vertical-align: bottom; }
figure { margin: .8rem 0; overflow-x: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
figure svg { max-width: 100%; min-width: 34rem; height: auto; display: block; }
@media (max-width: 36rem) {
  table { font-size: .8rem; }
  th, td { padding: .2rem .35rem; }
  figure::after { content: "scroll sideways for the rest of the picture"; position: sticky; left: 0;
    display: block; width: max-content; color: #666; font-size: .8rem; }
}
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; }
  figure, table, section { break-inside: avoid; }
  figure svg { min-width: 0; max-height: 8.5cm; width: auto; }
  .beside { display: flex; flex-wrap: wrap; gap: 0 2rem; }
  .tall { max-height: none; }
  h2, h3 { break-after: avoid; }
}
)";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// With links to other ids.
std::string with_new_names(const std::string& text,
                           const std::map<std::string, std::string>& names) {
  constexpr std::string_view link = "href=\"#";
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(link); at != std::string::npos; at = text.find(link, from)) {
    const auto first = at + link.size(), last = text.find('"', first);
    const auto found = names.find(text.substr(first, last - first));
    result.append(text, from, first - from);
    result += found == names.end() ? text.substr(first, last - first) : found->second;
    from = last;
  }
  return result + text.substr(from);
}

std::string between(std::string_view text, std::string_view start, std::string_view end) {
  const auto from = text.find(start);
  if (from == std::string_view::npos) return "";
  const auto first = from + start.size();
  return std::string(text.substr(first, text.find(end, first) - first));
}

}  // namespace

std::string html_left_out(std::size_t all, std::size_t shown, std::string_view what) {
  if (all <= shown) return "";
  return fmt::format("<p class=\"note\">… and {} more {}.</p>\n", all - shown, what);
}

std::string html_table(const std::vector<std::vector<std::string>>& rows, bool tall) {
  std::string html =
      fmt::format("<div class=\"wide{}\"><table>\n", tall && rows.size() > 16 ? " tall" : "");
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
  // Names of many classes stand upright over their narrow columns.
  const bool many = labels.size() > 8;
  std::string html = fmt::format(
      "<div class=\"wide\"><table class=\"confusion{}\">\n<thead><tr><th>truth \\ "
      "prediction</th>",
      many ? " many" : "");
  for (const auto& label : labels) html += "<th><span>" + escaped(label) + "</span></th>";
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double total = std::accumulate(counts[i].begin(), counts[i].end(), 0.0);
    html += "<tr><th>" + escaped(labels[i]) + "</th>";
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (many && counts[i][j] == 0) {
        html += "<td></td>";
        continue;
      }
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

std::string Pictures::add(std::string_view svg, std::string_view caption) {
  std::string text(svg.substr(std::min(svg.size(), svg.find("<svg"))));
  const std::string prefix = fmt::format("p{}-", ++count_);
  replace_all(text, " id=\"", " id=\"" + prefix);
  replace_all(text, "href=\"#", "href=\"#" + prefix);
  replace_all(text, "url(#", "url(#" + prefix);
  // Cairo writes every letter it uses as a symbol with one path.
  std::map<std::string, std::string> renamed;
  constexpr std::string_view start = "<symbol", end = "</symbol>\n";
  for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    const auto last = text.find(end, at) + end.size();
    const std::string symbol = text.substr(at, last - at);
    const auto id = between(symbol, " id=\"", "\""), outline = between(symbol, " d=\"", "\"");
    const auto [known, is_new] = letters_.emplace(outline, fmt::format("g{}", letters_.size()));
    renamed.emplace(id, known->second);
    if (is_new) {
      const auto place = text.find(id, at);
      text.replace(place, id.size(), known->second);
      at = text.find(end, at) + end.size();
    } else {
      text.erase(at, last - at);
    }
  }
  text = with_new_names(text, renamed);
  text.insert(4, " role=\"img\" aria-label=\"" + escaped(caption) + "\"");
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
