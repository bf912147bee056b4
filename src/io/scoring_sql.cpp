// SPDX-License-Identifier: Apache-2.0
// Bayes' rule as a query: each density says its own part in SQL, and what is left is the prior, the
// calibration and the sum over the classes. docs/sql.md
#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "credence/calibration.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "families/family.hpp"
#include "sql/query.hpp"

namespace credence {
namespace {

using sql::Expression;
using sql::Query;

// What is ruled out stays so, also where evidence counts the other way.
Expression against(double weight, const Expression& log, Query& query) {
  const auto once = query.let(log);
  return choose({{once == query.number(-infinity), once}}, weight * once);
}

// log P(c, x) for every class, up to what all share.
std::vector<Expression> joints(const Model& model, const Scorer& scorer, Query& query) {
  std::vector<std::vector<Expression>> terms(scorer.classes().size());
  for (std::size_t c = 0; c < terms.size(); ++c) {
    terms[c].push_back(query.number(scorer.log_prior()[c]));
  }
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const double weight = model.blocks()[b].weight;
    if (weight == 0) continue;
    const auto logs = scorer.density(b).sql(query);
    for (std::size_t c = 0; c < terms.size(); ++c) {
      terms[c].push_back(weight > 0 ? weight * logs[c] : against(weight, logs[c], query));
    }
  }
  std::vector<Expression> result;
  for (const auto& own : terms) result.push_back(query.let(sum(own)));
  return result;
}

// Calibration::apply's steps for a slope and biases.
void scale(const Calibration& calibration, const std::vector<double>& prior, Query& query,
           std::vector<Expression>& joint) {
  for (std::size_t c = 0; c < joint.size(); ++c) {
    if (prior[c] != -infinity) {
      joint[c] = query.let(joint[c] + (calibration.log_prior[c] - prior[c]));
    }
  }
  const auto top = query.let(greatest(joint));
  for (std::size_t c = 0; c < joint.size(); ++c) {
    if (prior[c] == -infinity) continue;
    const double shift = (calibration.bias.empty() ? 0.0 : calibration.bias[c]) + prior[c] -
                         calibration.log_prior[c];
    joint[c] = query.let(choose({{top == query.number(-infinity), top}},
                                calibration.slope * (joint[c] - top) + shift));
  }
}

Expression on_curve(const Calibration::Curve& curve, const Expression& log_odds, Query& query) {
  std::vector<sql::Case> pieces{
      {log_odds < query.number(curve.score[0]), query.number(curve.probability[0])}};
  for (std::size_t i = 1; i < curve.score.size(); ++i) {
    const double width = curve.score[i] - curve.score[i - 1];
    const double rise = curve.probability[i] - curve.probability[i - 1];
    const auto part = (log_odds - curve.score[i - 1]) / query.number(width);
    pieces.push_back(
        {log_odds < query.number(curve.score[i]), curve.probability[i - 1] + rise * part});
  }
  return choose(pieces, query.number(curve.probability.back()));
}

// The same for curves, of each class against the others; of two classes the second alone has one.
std::vector<Expression> curved(const Calibration& calibration, const std::vector<double>& prior,
                               Query& query, std::vector<Expression> joint) {
  const auto none = query.number(-infinity);
  const std::size_t classes = joint.size();
  for (std::size_t c = 0; c < classes; ++c) {
    if (prior[c] != -infinity) {
      joint[c] = query.let(joint[c] + (calibration.log_prior[c] - prior[c]));
    }
  }
  std::vector<Expression> result;
  for (std::size_t c = 0; c < classes; ++c) {
    const bool first_of_two = classes == 2 && c == 0;
    std::vector<Expression> others;
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != (first_of_two ? 1 : c)) others.push_back(joint[k]);
    }
    const auto& curve = calibration.curves[classes == 2 ? 0 : c];
    const auto rest = query.let(query.log_sum_exp(others));
    const auto& own = joint[first_of_two ? 1 : c];
    auto share = on_curve(curve, query.let(own - rest), query);
    if (first_of_two) share = 1 - share;
    const double shift = prior[c] == -infinity ? 0 : std::exp(prior[c] - calibration.log_prior[c]);
    std::vector<sql::Case> ends{{joint[c] == none, query.number(0)}};
    if (classes == 2) ends.push_back({joint[1 - c] == none, query.number(1)});
    result.push_back(query.let(choose(ends, shift * share)));
  }
  return result;
}

// What the posteriors are shares of.
std::vector<Expression> weights(const Scorer& scorer, Query& query, std::vector<Expression> joint) {
  const Calibration* calibration = scorer.calibration();
  if (calibration && calibration->method == Calibration::Method::isotonic) {
    return curved(*calibration, scorer.log_prior(), query, std::move(joint));
  }
  if (calibration) scale(*calibration, scorer.log_prior(), query, joint);
  const auto top = query.let(greatest(joint));
  std::vector<Expression> result;
  for (const auto& log : joint) {
    result.push_back(
        query.let(choose({{top == query.number(-infinity), query.number(0)}}, exp(log - top))));
  }
  return result;
}

}  // namespace

std::string scoring_sql(const Model& model, const std::string& dialect, const std::string& table) {
  const Scorer scorer(model);
  Query query(sql::parse_dialect(dialect), model.schema(), table);
  const auto shares = weights(scorer, query, joints(model, scorer, query));
  const auto all = query.let(sum(shares));
  const Expression nothing{query.dialect(), "NULL"};
  std::vector<Query::Column> columns;
  std::vector<Expression> posterior;
  std::vector<sql::Case> labels;
  for (const auto& share : shares) {
    posterior.push_back(query.let(choose({{query.number(0) < all, share / all}}, nothing)));
  }
  const auto best = query.let(greatest(posterior));
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const auto& name = scorer.classes()[c];
    labels.push_back({posterior[c] == best, {query.dialect(), quoted_text(query.dialect(), name)}});
    columns.push_back({fmt::format("P({})", name), posterior[c]});
  }
  columns.insert(columns.begin(), {"prediction", choose(labels, nothing)});
  return query.text(columns);
}

}  // namespace credence
