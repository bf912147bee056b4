// SPDX-License-Identifier: Apache-2.0
// credence estimate: the parameters of one distribution, from one column. docs/estimate.md
#include "ask/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "cli/options/common.hpp"
#include "cli/options/plan.hpp"
#include "cli/print/board/sheet.hpp"
#include "core/strings.hpp"
#include "parallel/stream.hpp"

namespace credence::cli {
namespace {

struct EstimateOptions {
  Common common;
  DataOptions data;
  EstimateRequest request;
  std::string as;
  std::string rule = "bayes";
  std::string values;
  std::string p;
  std::string weights;
  SheetOptions sheet;
};

std::map<std::string, double> parse_shares(const std::string& text) {
  std::map<std::string, double> shares;
  if (text.empty()) return shares;
  for (const auto& piece : split(text, '|')) {
    const auto colon = piece.rfind(':');
    const auto share = colon == piece.npos
                           ? std::nullopt
                           : to_number_or_fraction(std::string_view(piece).substr(colon + 1));
    if (!share || *share < 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("--p: \"{}\" is not value:probability, as in 'a:0.5|b:0.5'", piece));
    }
    shares[std::string(trim(std::string_view(piece).substr(0, colon)))] = *share;
  }
  return shares;
}

void require_columns(const EstimateOptions& options, const Source& source) {
  std::vector<std::string> known;
  for (const auto& column : source.profile()) known.push_back(column.name);
  const auto require = [&](const char* place, const std::string& name) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    throw Error(ErrorKind::usage,
                fmt::format("{}: no column \"{}\"{}", place, name, suggestion(name, known)));
  };
  require("estimate", options.request.column);
  require("--by", options.request.by);
  require("--weights", options.weights);
}

// For people; all digits are in the JSON.
std::string rounded(double value, int digits = 7) {
  return std::isnan(value) ? "unknown" : fmt::format("{:.{}g}", value, digits);
}

// A mean of 1000000.002 with a standard error of 0.001 needs more digits than seven.
int digits_of(const Parameter& p) {
  const double spread = p.standard_error ? *p.standard_error
                        : p.interval     ? p.interval->high - p.interval->low
                                         : 0.0;
  if (!(spread > 0) || !(std::abs(p.estimate) > spread)) return 7;
  return std::clamp(static_cast<int>(std::ceil(std::log10(std::abs(p.estimate) / spread))) + 3, 7,
                    16);
}

std::string title(const Parameter& p) {
  return p.value.empty() ? p.name : fmt::format("{}({})", p.name, p.value);
}

std::string shown(const Parameter& p) {
  const bool fraction = p.denominator > 0 && p.numerator == std::floor(p.numerator) &&
                        p.denominator == std::floor(p.denominator);
  if (!fraction) return rounded(p.estimate, digits_of(p));
  return fmt::format("{}/{} = {}", format_number(p.numerator), format_number(p.denominator),
                     rounded(p.estimate, digits_of(p)));
}

// One column per group; the groups have the same parameters.
std::string text_of(const EstimateOptions& options, const std::vector<GroupEstimate>& groups,
                    Sheet sheet) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const auto& cell) {
    rows.push_back({name});
    for (const auto& group : groups) rows.back().push_back(cell(group));
  };
  if (sheet != Sheet::plain && options.request.by.empty()) {
    add(options.request.column, [](const auto&) { return std::string("estimate"); });
  }
  if (!options.request.by.empty()) add(options.request.by, [](const auto& g) { return g.group; });
  const std::size_t count = groups.front().parameters.size();
  for (std::size_t i = 0; i < count; ++i) {
    add(title(groups.front().parameters[i]), [&](const auto& g) { return shown(g.parameters[i]); });
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& first = groups.front().parameters[i];
    if (first.standard_error) {
      add("standard error of " + title(first),
          [&](const auto& g) { return rounded(*g.parameters[i].standard_error); });
    }
    if (first.interval) {
      const auto name =
          fmt::format("{} % interval of {}", six_digits(100 * options.request.level), title(first));
      add(name, [&](const auto& g) {
        const Interval& interval = *g.parameters[i].interval;
        const int digits = digits_of(g.parameters[i]);
        return fmt::format("{} .. {}", rounded(interval.low, digits),
                           rounded(interval.high, digits));
      });
    }
  }
  add("log-likelihood", [](const auto& g) { return rounded(g.log_likelihood); });
  add("rows", [](const auto& g) { return std::to_string(g.rows); });
  if (!options.weights.empty()) add("weight", [](const auto& g) { return rounded(g.weight); });
  return table_on(sheet, rows, 0);
}

// theta, se and interval: a number each for binomial, an object by value for multinomial.
void put_parameter(Json& json, const Parameter& p, Distribution distribution, bool estimates) {
  const auto put = [&](const std::string& key, Json value) {
    if (distribution == Distribution::multinomial) {
      json[key][p.value] = std::move(value);
    } else {
      json[key] = std::move(value);
    }
  };
  if (estimates) {
    put(p.name, number(p.estimate));
    if (distribution == Distribution::binomial) json["success"] = p.value;
    return;
  }
  const bool gaussian = distribution == Distribution::gaussian;
  if (p.standard_error) put(gaussian ? "se_" + p.name : "se", number(*p.standard_error));
  if (p.interval) put(gaussian ? p.name + "_interval" : "interval", interval_json(*p.interval));
}

Json json_of(const EstimateOptions& options, const GroupEstimate& group) {
  Json json = Json::object();
  const auto distribution = options.request.distribution;
  // All estimates, then how sure they are.
  for (const bool estimates : {true, false}) {
    for (const auto& p : group.parameters) put_parameter(json, p, distribution, estimates);
  }
  json["log_likelihood"] = number(group.log_likelihood);
  json["rows"] = group.rows;
  if (!options.weights.empty()) json["weight"] = number(group.weight);
  return json;
}

Json json_of(const EstimateOptions& options, const std::vector<GroupEstimate>& groups) {
  if (options.request.by.empty()) return json_of(options, groups.front());
  Json json{{"by", options.request.by}, {"groups", Json::object()}};
  for (const auto& group : groups) json["groups"][group.group] = json_of(options, group);
  return json;
}

void run(EstimateOptions& options) {
  const Sheet sheet = sheet_of(options.sheet, options.common.json);
  options.request.distribution = parse_distribution(options.as);
  options.request.rule = parse_rule(options.rule);
  if (!options.values.empty()) options.request.values = split(options.values, '|');
  options.request.shares = parse_shares(options.p);
  ColumnStatistics statistics(options.request);

  const ReadOptions read = options.data.read();
  const auto source = open_source(options.data.paths, read);
  require_columns(options, *source);
  source->select(as_written(schema_of(options.request, options.weights, read.missing), *source),
                 true);
  for_each_chunk(*source, options.common.threads, progress_bar(options.common, "reading"),
                 [&](const Chunk& chunk) { statistics.observe(chunk); });
  finish_progress();

  const auto groups = statistics.estimate();
  if (const auto rows = statistics.left_out(); rows > 0) {
    const auto& by = options.request.by;
    note(options.common, "{} left out, for lack of a value in {}{}{}",
         rows == 1 ? "1 row" : fmt::format("{} rows", rows), options.request.column,
         by.empty() ? "" : " or ", by);
  }
  if (options.common.json) {
    print(json_of(options, groups));
  } else {
    print(text_of(options, groups, sheet));
  }
}

}  // namespace

void add_estimate(CLI::App& app) {
  auto options = std::make_shared<EstimateOptions>();
  auto& request = options->request;
  auto* command = add_command(
      app, "estimate", "Estimate a distribution's parameters from one column",
      "  credence estimate toss.csv --column toss --as binomial --estimate mle\n"
      "  credence estimate days.csv --column temperature --as gaussian --by play --json\n"
      "  credence estimate sizes.csv --column size --as multinomial --values "
      "'small|medium|large'\n");
  add_data(command, options->data);
  command->add_option("--column", request.column, "The column to estimate from")->required();
  command
      ->add_option("--as", options->as,
                   "binomial (bernoulli), multinomial (categorical), poisson or gaussian")
      ->required();
  command->add_option("--by", request.by, "Estimate for each value of this column apart");
  command->add_option("--estimate", options->rule,
                      "mle, unbiased, m-estimate=m, laplace=a, map or bayes (default: bayes)");
  command->add_option("--values", options->values, "Declare the possible values: 'a|b|c'");
  command->add_option("--success", request.success, "binomial: the value that counts as success");
  command->add_option("--p", options->p, "The prior's probability of each value: 'a:0.5|b:0.5'");
  command->add_option("--weights", options->weights, "The column that says what each row weighs");
  command->add_option("--level", request.level, "Of credible intervals (default: 0.95)");
  add_sheet(command, options->sheet);
  add_common(command, options->common, true);
  command->callback([options] { run(*options); });
}

}  // namespace credence::cli
