// SPDX-License-Identifier: Apache-2.0
#include "plot/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/judged/judged.hpp"
#include "plot/plot.hpp"
#include "plot/report/html.hpp"
#include "plot/report/mistakes.hpp"
#include "plot/report/quality.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

std::string cell_text(const ParameterTable::Cell& cell) {
  if (cell.denominator > 0 && whole(cell.numerator) && whole(cell.denominator)) {
    return fmt::format("{}/{} = {:.4g}", format_number(cell.numerator),
                       format_number(cell.denominator), cell.value);
  }
  return html_number(cell.value);
}

constexpr std::size_t most_listed = 500;

class Report {
 public:
  Report(const Model& model, const std::vector<Chunk>& data, const ReportOptions& options)
      : model_(model),
        data_(data),
        options_(options),
        scorer_(model),
        slice_(model, ""),
        tables_(scorer_.tables()),
        many_(scorer_.classes().size() > 6),
        shown_(classes_with_room(scorer_.classes().size(), model.class_weights(), most_listed)) {}

  std::string page() {
    const auto& target = model_.schema().target;
    const std::string title =
        options_.title.empty() ? fmt::format("A model of {}", target) : options_.title;
    const std::string body = "<h1>" + escaped(title) + "</h1>\n" + facts() +
                             html_quality(model_, scorer_, data_, pictures_) + prior() +
                             overview() + columns() + explanations();
    return html_page(title, body);
  }

 private:
  std::string facts() const {
    const auto& settings = model_.settings();
    std::vector<std::vector<std::string>> rows{{"", ""}};
    rows.push_back({"target", model_.schema().target});
    rows.push_back({"classes", std::to_string(scorer_.classes().size())});
    rows.push_back({"columns", std::to_string(model_.schema().columns.size())});
    if (settings.hand_written) {
      rows.push_back({"source", "written by hand"});
    } else {
      rows.push_back({"rows learnt from", format_number(model_.rows())});
      rows.push_back({"estimation rule", to_string(settings.rule)});
      rows.push_back({"class prior", to_string(settings.prior)});
      rows.push_back({"free parameters", std::to_string(scorer_.parameters())});
      if (!std::isnan(scorer_.log_likelihood())) {
        rows.push_back({"log-likelihood of these rows", html_number(scorer_.log_likelihood())});
      }
    }
    rows.erase(rows.begin());
    std::string html = "<div class=\"wide\"><table>\n<tbody>\n";
    for (const auto& row : rows) {
      html += "<tr><th>" + escaped(row[0]) + "</th><td>" + escaped(row[1]) + "</td></tr>\n";
    }
    return html + "</tbody></table></div>\n";
  }

  std::string prior() const {
    const bool counted = model_.settings().prior.kind == ClassPrior::Kind::empirical &&
                         !model_.settings().hand_written;
    const auto weights = model_.class_weights();
    double total = 0;
    for (const double weight : weights) total += weight;
    std::vector<std::vector<std::string>> rows{{model_.schema().target, "P"}};
    for (const std::size_t c : shown_) {
      const ParameterTable::Cell cell{std::exp(scorer_.log_prior()[c]), weights[c],
                                      counted ? total : 0};
      rows.push_back({scorer_.classes()[c], cell_text(cell)});
    }
    return "<h2>Prior</h2>\n" + html_table(rows, true) + classes_left_out(shown_.size());
  }

  std::string overview() {
    if (scorer_.classes().size() > most_classes) return "";
    const auto numeric = most_telling(model_);
    if (numeric.size() < 2) return "";
    const auto& columns = model_.schema().columns;
    View view{columns[numeric[0]].name, columns[numeric[1]].name, ""};
    // Four lines for each of many classes would be a thicket.
    if (many_) view.around = {0.5};
    view.points = 700;  // of a page with many pictures
    const std::string pair = view.x + " and " + view.y;
    return fmt::format(
               "<h2>{}</h2>\n<p class=\"note\">The two columns of numbers that set the "
               "classes farthest apart.</p>\n",
               escaped(pair)) +
           pictures_.add(density(model_, data_, view, {}), "Contours of the density of " + pair) +
           pictures_.add(boundary(model_, data_, view, {}), "The most probable class over " + pair);
  }

  // The first words of every list, side by side; of many classes the picture is enough.
  std::string word_lists(const ParameterTable& table) const {
    constexpr std::size_t most = 10;
    if (many_) return "";
    std::string html;
    for (const auto& list : table.lists) {
      std::vector<std::vector<std::string>> rows{{list.title, ""}};
      for (std::size_t i = 0; i < std::min(most, list.words.size()); ++i) {
        rows.push_back({list.words[i].first, fmt::format("{:.4g}", list.words[i].second)});
      }
      html += html_table(rows);
    }
    return html.empty() ? "" : "<div class=\"beside\">\n" + html + "</div>\n";
  }

  std::string columns() {
    std::string html = "<h2>Columns</h2>\n";
    const std::size_t shown = std::min(options_.columns, tables_.size());
    for (std::size_t b = 0; b < shown; ++b) {
      const auto& table = tables_[b];
      const auto& block = model_.blocks()[b];
      html += "<section>\n<h3>" + escaped(table.title) + "</h3>\n<p class=\"note\">" +
              escaped(table.family);
      if (!table.remark.empty()) html += ": " + escaped(table.remark);
      if (table.trust != 1) html += fmt::format(", trust {:.4g}", table.trust);
      html += "</p>\n" + parameters(table) + word_lists(table);
      for (const std::size_t column : block.columns) {
        if (table.rows.empty() && table.lists.empty()) break;
        if (scorer_.classes().size() > most_listed) break;  // each has a curve of its own
        const bool words = !is_numeric(model_.schema(), column);
        if (!words && !slice_.has_density(column)) continue;
        const View view{model_.schema().columns[column].name, "", ""};
        html +=
            pictures_.add(feature(model_, data_, view,
                                  {Format::svg, 800, picture_height(words, table.rows.size()), ""}),
                          "Density of " + view.x + " by class");
        if (words) break;  // a block of words has one picture
      }
      html += "</section>\n";
    }
    return html + html_left_out(tables_.size(), shown, "columns");
  }

  // Many classes are drawn below each other.
  double picture_height(bool words, std::size_t values) const {
    const auto classes = static_cast<double>(std::min<std::size_t>(40, scorer_.classes().size()));
    if (many_) return std::clamp(180 + 17 * classes, 440.0, 900.0);
    if (values == 0) return 560;  // the words of a text
    const double group = 20 * classes + 16;
    return words ? std::clamp(std::round(150 + group * static_cast<double>(values)), 260.0, 640.0)
                 : 440;
  }

  // A column for each class; of many classes a row, of fewer where there are many tables: a page of
  // 40,000 cells is as much as a browser likes.
  std::string parameters(const ParameterTable& table) const {
    if (table.rows.empty()) return "";
    constexpr std::size_t most = 25, cells = 40000;
    const std::size_t listed = std::min(most, table.rows.size());
    const auto left_out = html_left_out(table.rows.size(), most, many_ ? "values" : "rows");
    std::vector<std::vector<std::string>> rows{{many_ ? model_.schema().target : ""}};
    if (!many_) {
      for (const std::size_t c : shown_) rows[0].push_back(scorer_.classes()[c]);
      for (std::size_t i = 0; i < listed; ++i) {
        rows.push_back({table.rows[i].label()});
        for (const std::size_t c : shown_) {
          rows.back().push_back(cell_text(table.rows[i].cells[c]));
        }
      }
      return html_table(rows) + left_out;
    }
    const std::size_t tables = std::min(options_.columns, tables_.size());
    const auto classes =
        classes_with_room(scorer_.classes().size(), model_.class_weights(),
                          std::clamp(cells / (tables * listed), most_classes, most_listed));
    for (std::size_t i = 0; i < listed; ++i) rows[0].push_back(table.rows[i].label());
    for (const std::size_t c : classes) {
      rows.push_back({scorer_.classes()[c]});
      for (std::size_t i = 0; i < listed; ++i) {
        rows.back().push_back(fmt::format("{:.4g}", table.rows[i].cells[c].value));
      }
    }
    return html_table(rows, true) + classes_left_out(classes.size()) + left_out;
  }

  std::string classes_left_out(std::size_t shown) const {
    return html_left_out(scorer_.classes().size(), shown, "classes");
  }

  std::string explanation(const TellingRow& row) {
    const auto& chunk = data_[row.chunk];
    auto why = scorer_.explain(chunk, row.row);
    std::string html = fmt::format("<h3>Row {}</h3>\n", row.number);
    const auto& classes = scorer_.classes();
    if (why.posterior.undecidable()) {
      return html +
             "<p>Undecidable, every class has probability 0: " + escaped(why.undecidable_because) +
             "</p>\n";
    }
    const auto truth = std::find(classes.begin(), classes.end(), row.truth);
    if (!row.truth.empty()) {
      html += fmt::format(
          "<p class=\"note\">It is {}, and {}{}.</p>\n", escaped(row.truth),
          row.wrong ? "was taken for " + escaped(classes[why.winner]) : "was taken for that",
          truth == classes.end() ? ", for the model does not know its class"
                                 : fmt::format("; P({}) = {:.3g}", escaped(row.truth), row.own));
    }
    if (row.wrong && truth != classes.end()) {
      why = scorer_.explain(chunk, row.row, why.winner,
                            static_cast<std::size_t>(truth - classes.begin()));
    }
    const auto bars = static_cast<double>(std::min<std::size_t>(why.lines.size(), 21) + 1);
    return html + pictures_.add(evidence(why, classes,
                                         {Format::svg, 800, std::max(240.0, 130 + 30 * bars), ""}),
                                fmt::format("Evidence of row {}", row.number));
  }

  std::string explanations() {
    const auto rows = telling_rows(scorer_, data_, options_.explained);
    if (rows.empty()) return "";
    std::string html = rows[0].truth.empty() ? "<h2>Why: the first rows of the data</h2>\n"
                       : rows[0].wrong       ? "<h2>Why: the worst mistakes</h2>\n"
                                             : "<h2>Why: the rows it was least sure of</h2>\n";
    for (const auto& row : rows) html += explanation(row);
    return html;
  }

  const Model& model_;
  const std::vector<Chunk>& data_;
  const ReportOptions& options_;
  Scorer scorer_;
  Slice slice_;
  std::vector<ParameterTable> tables_;
  bool many_;                       // classes: more than stand beside each other
  std::vector<std::size_t> shown_;  // the classes that are listed
  Pictures pictures_;
};

}  // namespace

std::vector<std::size_t> most_telling(const Model& model) {
  auto numeric = numeric_columns(model.schema());
  if (numeric.size() < 2) return numeric;
  const Slice slice(model, "");
  std::erase_if(numeric, [&](std::size_t column) { return !slice.has_density(column); });
  std::vector<std::pair<double, std::size_t>> order;
  for (const std::size_t column : numeric) {
    double mean = 0, square = 0, spread = 0;
    const auto classes = static_cast<double>(slice.classes().size());
    for (std::size_t c = 0; c < slice.classes().size(); ++c) {
      const auto middle = slice.middle_of_class(column, c);
      const double median = (middle.low + middle.high) / 2;
      mean += median / classes;
      square += median * median / classes;
      spread += middle.width() / classes;
    }
    const double apart = std::sqrt(std::max(0.0, square - mean * mean));
    order.emplace_back(spread > 0 ? -apart / spread : 0.0, column);
  }
  std::stable_sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) numeric[i] = order[i].second;
  return numeric;
}

std::string report(const Model& model, const std::vector<Chunk>& data,
                   const ReportOptions& options) {
  return Report(model, data, options).page();
}

}  // namespace credence::plot
