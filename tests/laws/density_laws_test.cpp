// SPDX-License-Identifier: Apache-2.0
// Laws of densities, for every family and rule: they sum to 1, the maximum is one, the predictive
// is the average over the posterior, samples refit, nothing is NaN.
#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "core/log_math.hpp"
#include "credence/scorer.hpp"
#include "families/dirichlet.hpp"
#include "families/numeric.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

const std::vector<std::string> rules = {"mle",         "unbiased",  "m-estimate=1", "m-estimate=50",
                                        "laplace=0.5", "map",       "map=50",       "bayes",
                                        "bayes=50",    "bayes=0.01"};

Model learnt(const Case& what, const std::string& rule, std::size_t rows = 90) {
  Random random(7);
  Settings settings;
  settings.rule = parse_rule(rule);
  return learn(model_for(what, settings), {random_chunk(what, rows, Weights::exaggerated, random)});
}

// Every row that a discrete block can see, one chunk; numbers go up to `most`.
// One feature of a bag from 0 to `most` times.
Chunk counts_of(int feature, int most) {
  Bags bags;
  bags.dictionary = {"w0", "w1", "w2", "w3", "w4"};
  for (int count = 0; count <= most; ++count) {
    if (count > 0) {
      bags.features.push_back(feature);
      bags.counts.push_back(count);
    }
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }
  Chunk chunk;
  chunk.columns.emplace_back(std::move(bags));
  chunk.rows = static_cast<std::size_t>(most) + 1;
  return chunk;
}

Chunk all_rows(const Case& what, int most) {
  Chunk chunk;
  if (what.family == "pairs" || what.family == "joint") {
    // Every combination of words, or of numbers of which each bin has one.
    const bool words = what.kind == ColumnKind::category;
    const std::vector<double> numbers = {-1.5, -0.5, 0, 0.7, 2};
    chunk.rows = 1;
    for (std::size_t i = 0; i < what.width; ++i) chunk.rows *= 5;
    for (std::size_t i = 0, step = 1; i < what.width; ++i, step *= 5) {
      Categories column{{}, {"w0", "w1", "w2", "w3", "w4"}};
      Numbers values;
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        column.codes.push_back(static_cast<std::int32_t>(r / step % 5));
        values.values.push_back(numbers[r / step % 5]);
      }
      if (words) {
        chunk.columns.emplace_back(std::move(column));
      } else {
        chunk.columns.emplace_back(std::move(values));
      }
    }
  } else if (what.kind == ColumnKind::category) {
    chunk.columns.emplace_back(Categories{{0, 1, 2, 3, 4}, {"w0", "w1", "w2", "w3", "w4"}});
    chunk.rows = 5;
  } else if (what.kind == ColumnKind::bag || what.kind == ColumnKind::text) {
    Bags bags;
    bags.dictionary = {"w0", "w1", "w2", "w3", "w4"};
    for (int set = 0; set < 32; ++set) {
      for (int f = 0; f < 5; ++f) {
        if ((set >> f & 1) == 0) continue;
        bags.features.push_back(f);
        bags.counts.push_back(1);
      }
      bags.offsets.push_back(bags.features.size());
      bags.missing.push_back(0);
    }
    chunk.columns.emplace_back(std::move(bags));
    chunk.rows = 32;
  } else {
    Numbers numbers;
    for (int x = 0; x <= most; ++x) numbers.values.push_back(x);
    chunk.rows = numbers.values.size();
    chunk.columns.emplace_back(std::move(numbers));
  }
  return chunk;
}

double likelihood(const Scorer& scorer, const std::vector<double>& joint, std::size_t row,
                  std::size_t cls) {
  return std::exp(joint[row * scorer.classes().size() + cls] - scorer.log_prior()[cls]);
}

// A histogram is constant within a bin, jumps at its edges and has no tail, which no quadrature
// over the line can find. The edges are the first doubles where the density is another, looked for
// between the middles that the table names; where two bins are equally dense any edge will do.
double integral_over_bins(const Scorer& scorer, std::size_t cls) {
  const auto density = [&](double x) {
    Chunk chunk;
    chunk.rows = 1;
    chunk.columns.emplace_back(Numbers{{x}});
    return likelihood(scorer, scorer.log_joint(chunk), 0, cls);
  };
  const auto last_alike = [&](double from, double to) {
    const double value = density(from);
    while (std::nextafter(from, to) != to) {
      const double middle = from + (to - from) / 2;
      (density(middle) == value ? from : to) = middle;
    }
    return from;
  };
  std::vector<double> middles;
  const auto table = scorer.tables()[0];
  for (const auto& row : table.rows) {
    const auto comma = row.name.find(',');
    const double low = std::stod(row.name.substr(1, comma)),
                 high = std::stod(row.name.substr(comma + 1));
    middles.push_back(low + (high - low) / 2);
  }
  const double reach = 10 * (middles.back() - middles.front()) + std::abs(middles.front());
  double edge = last_alike(middles.front(), middles.front() - reach);
  double sum = 0;
  for (std::size_t b = 0; b < middles.size(); ++b) {
    const bool last = b + 1 == middles.size();
    const double inside = last_alike(middles[b], last ? middles[b] + reach : middles[b + 1]);
    const double next = last ? inside : std::nextafter(inside, middles[b + 1]);
    sum += density(middles[b]) * (next - edge);
    edge = next;
  }
  return sum;
}

class DensityLaws : public testing::TestWithParam<std::tuple<Case, std::string>> {
 protected:
  // Two columns: the joint density summed over the second is the density of the first alone,
  // which in turn sums to 1.
  void check_plane(const Scorer& scorer) const {
    boost::math::quadrature::tanh_sinh<double> integrate;
    const double scale = 2 * what().scale;
    const auto density = [&](double x, double y, std::size_t c) {
      Chunk chunk;
      chunk.rows = 1;
      chunk.columns = {Numbers{{what().offset + x}}, Numbers{{what().offset + y}}};
      return likelihood(scorer, scorer.log_joint(chunk), 0, c);
    };
    // A weak prior lets a component of a mixture be narrow: it is found piece by piece.
    const int pieces = what().family == "mixture" ? 8 : 1;
    const auto over_line = [&](const auto& f) {
      double sum = 0;
      for (int piece = 0; piece < pieces; ++piece) {
        sum += integrate.integrate(
            [&](double t) {
              const double inner = 1 - t * t;
              return f(scale * t / inner) * scale * (1 + t * t) / (inner * inner);
            },
            -1 + 2.0 * piece / pieces, -1 + 2.0 * (piece + 1) / pieces, 1e-9);
      }
      return sum;
    };
    for (std::size_t c = 0; c < 3; ++c) {
      for (const double x : {-1.5, 0.3}) {
        const double alone = density(x * what().scale, std::nan(""), c);
        const double summed = over_line([&](double y) { return density(x * what().scale, y, c); });
        EXPECT_NEAR(summed / alone, 1, 1e-6) << "class " << c;
      }
      EXPECT_NEAR(over_line([&](double x) { return density(x, std::nan(""), c); }), 1, 1e-6);
    }
  }

  const Case& what() const { return std::get<0>(GetParam()); }
  const std::string& rule() const { return std::get<1>(GetParam()); }
};

// Of densities, not of scores (see Case).
class SumLaws : public DensityLaws {};

TEST_P(SumLaws, probabilities_sum_to_one) {
  const Scorer scorer(learnt(what(), rule()));
  if (what().family == "histogram") {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(integral_over_bins(scorer, c), 1, 1e-6);
    return;
  }
  const bool line = what().kind == ColumnKind::number && what().family != "pairs";
  if (line && what().width == 2) return check_plane(scorer);
  if (line) {
    // Over the whole line, by a change of variable that reaches into the tails.
    const double scale = 2 * what().scale;
    boost::math::quadrature::tanh_sinh<double> integrate;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto density = [&](double t) {
        const double u = t / (1 - t * t);
        Chunk chunk;
        chunk.rows = 1;
        chunk.columns.emplace_back(Numbers{{what().offset + scale * u}});
        const double jacobian = (1 + t * t) / ((1 - t * t) * (1 - t * t));
        return likelihood(scorer, scorer.log_joint(chunk), 0, c) * scale * jacobian;
      };
      EXPECT_NEAR(integrate.integrate(density, -1.0, 1.0, 1e-9), 1, 1e-6) << "class " << c;
    }
    return;
  }
  if (what().family == "multinomial" || what().parameters.starts_with("multinomial")) {
    // All sequences of three draws: each count vector as often as it can be ordered.
    std::vector<double> sums(3, 0.0);
    const bool sparse = what().kind == ColumnKind::bag || what().kind == ColumnKind::text;
    const int features = sparse ? 5 : 3;
    for (int a = 0; a < features; ++a) {
      for (int b = 0; b < features; ++b) {
        for (int c = 0; c < features; ++c) {
          std::vector<double> counts(static_cast<std::size_t>(features), 0.0);
          for (const int draw : {a, b, c}) counts[static_cast<std::size_t>(draw)] += 1;
          Chunk chunk;
          chunk.rows = 1;
          if (sparse) {
            Bags bags;
            bags.dictionary = {"w0", "w1", "w2", "w3", "w4"};
            for (int f = 0; f < features; ++f) {
              if (counts[static_cast<std::size_t>(f)] == 0) continue;
              bags.features.push_back(f);
              bags.counts.push_back(counts[static_cast<std::size_t>(f)]);
            }
            bags.offsets.push_back(bags.features.size());
            bags.missing.push_back(0);
            chunk.columns.emplace_back(std::move(bags));
          } else {
            for (const double count : counts) chunk.columns.emplace_back(Numbers{{count}});
          }
          const auto joint = scorer.log_joint(chunk);
          for (std::size_t k = 0; k < 3; ++k) sums[k] += likelihood(scorer, joint, 0, k);
        }
      }
    }
    for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-12);
    return;
  }
  if (what().kind == ColumnKind::bag && what().family == "poisson") {
    // Counts are independent, so the sum over all bags is that over each feature, the others
    // absent.
    for (std::size_t c = 0; c < 3; ++c) {
      double product = 1, none = 0;
      for (int f = 0; f < 5; ++f) {
        const Chunk rows = counts_of(f, 400);
        const auto joint = scorer.log_joint(rows);
        double sum = 0;
        for (std::size_t r = 0; r < rows.rows; ++r) sum += likelihood(scorer, joint, r, c);
        none = likelihood(scorer, joint, 0, c);
        product *= sum / none;
      }
      EXPECT_NEAR(product * none, 1, 1e-11) << "class " << c;
    }
    return;
  }
  const Chunk rows = all_rows(what(), what().kind == ColumnKind::binary ? 1 : 4000);
  const auto joint = scorer.log_joint(rows);
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0;
    for (std::size_t r = 0; r < rows.rows; ++r) sum += likelihood(scorer, joint, r, c);
    EXPECT_NEAR(sum, 1, 1e-11) << "class " << c;
  }
}

TEST_P(DensityLaws, nothing_is_ever_nan_except_an_undecidable_row) {
  Random random(11);
  for (const std::size_t rows : {std::size_t{6}, std::size_t{40}, std::size_t{400}}) {
    Model model = learnt(what(), rule(), rows);
    Chunk tests = random_chunk(what(), 200, Weights::none, random);
    std::optional<Scorer> scorer;
    try {
      scorer.emplace(model);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
      continue;  // too little data for the rule, and it says so
    }
    const auto joint = scorer->log_joint(tests);
    const std::size_t classes = scorer->classes().size();
    for (std::size_t r = 0; r < tests.rows; ++r) {
      const auto row = posterior(std::span(joint).subspan(r * classes, classes));
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        ASSERT_FALSE(std::isnan(joint[r * classes + c]));
        ASSERT_LT(joint[r * classes + c], infinity);
        sum += row.probabilities[c];
      }
      if (row.undecidable()) {
        EXPECT_TRUE(std::isnan(sum));
        EXPECT_FALSE(scorer->zero_factors(tests, r).empty());
      } else {
        EXPECT_NEAR(sum, 1, 1e-14);
      }
    }
  }
}

TEST_P(DensityLaws, an_explanation_sums_to_the_log_odds) {
  const Scorer scorer(learnt(what(), rule()));
  Random random(13);
  const Chunk tests = random_chunk(what(), 50, Weights::none, random);
  const auto joint = scorer.log_joint(tests);
  for (std::size_t r = 0; r < tests.rows; ++r) {
    const auto why = scorer.explain(tests, r);
    if (why.posterior.undecidable()) continue;  // no class is possible: there are no log-odds
    const double a = joint[r * 3 + why.winner], b = joint[r * 3 + why.other];
    double sum = 0;
    for (const auto& line : why.lines) sum += line.weight;
    EXPECT_EQ(sum, why.log_odds);
    if (std::isfinite(a) && std::isfinite(b)) {
      EXPECT_NEAR(why.log_odds, a - b, 1e-11 * (1 + std::abs(a)));
    }
  }
}

TEST_P(DensityLaws, a_scorer_survives_saving_and_loading_bit_for_bit) {
  const Model model = learnt(what(), rule());
  const Model loaded = from_bytes(to_bytes(model), "memory");
  Random random(17);
  const Chunk tests = random_chunk(what(), 50, Weights::none, random);
  EXPECT_EQ(Scorer(model).log_joint(tests), Scorer(loaded).log_joint(tests));
}

std::vector<std::tuple<Case, std::string>> cases_and_rules(bool scores_too) {
  std::vector<std::tuple<Case, std::string>> result;
  for (const auto& what : cases()) {
    for (const auto& rule : rules) {
      if (what.works_under(rule) && (scores_too || !what.score)) result.emplace_back(what, rule);
    }
  }
  return result;
}

std::string case_and_rule(const testing::TestParamInfo<std::tuple<Case, std::string>>& info) {
  std::string name = std::get<0>(info.param).name + "_" + std::get<1>(info.param);
  for (auto& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(families, DensityLaws, testing::ValuesIn(cases_and_rules(true)),
                         case_and_rule);
INSTANTIATE_TEST_SUITE_P(families, SumLaws, testing::ValuesIn(cases_and_rules(false)),
                         case_and_rule);

class FamilyLaws : public testing::TestWithParam<Case> {};

// Of estimates that are not pulled towards a simpler one, nor bins and kernels placed by the data
// (see Case): for these, being a maximum and being found again by a refit are not laws.
class EstimateLaws : public FamilyLaws {};

std::vector<Case> plain_estimates() {
  std::vector<Case> result;
  for (const auto& what : cases()) {
    if (!what.pulled && !what.follows_data && !what.score) result.push_back(what);
  }
  return result;
}

// The training rows' log-likelihood, by scoring each of them under its own class.
double scored_log_likelihood(const Scorer& scorer, const Chunk& chunk) {
  const auto joint = scorer.log_joint(chunk);
  const auto& classes = scorer.classes();
  double sum = 0;
  for (std::size_t r = 0; r < chunk.rows; ++r) {
    const auto& label = chunk.labels.dictionary[static_cast<std::size_t>(chunk.labels.codes[r])];
    const auto c = static_cast<std::size_t>(std::find(classes.begin(), classes.end(), label) -
                                            classes.begin());
    sum += (chunk.weights.empty() ? 1 : chunk.weights[r]) * joint[r * classes.size() + c];
  }
  return sum;
}

TEST_P(FamilyLaws, the_reported_log_likelihood_is_that_of_the_rows) {
  Random random(19);
  const Chunk chunk = random_chunk(GetParam(), 80, Weights::exaggerated, random);
  for (const auto* rule : {"mle", "m-estimate=3", "laplace=2"}) {
    if (!GetParam().works_under(rule)) continue;
    Settings settings;
    settings.rule = parse_rule(rule);
    const Scorer scorer(learn(model_for(GetParam(), settings), {chunk}));
    // pairs_test.cpp says when counts of pairs tell it.
    if (GetParam().untold && std::isnan(scorer.log_likelihood())) continue;
    const double expected = scored_log_likelihood(scorer, chunk);
    EXPECT_NEAR(scorer.log_likelihood(), expected, 1e-9 * std::abs(expected)) << rule;
  }
}

// Rows whose density is linear in the parameters that are drawn for them, or has these integrated
// out. A text is judged by the means of its words' shares, so it has one word.
Chunk rows_to_judge(const Case& what, Random& random) {
  if (!what.parameters.starts_with("multinomial") || what.kind != ColumnKind::text) {
    return random_chunk(what, 12, Weights::none, random);
  }
  Bags bags;
  bags.dictionary = {"w0", "w1", "w2", "w3", "w4", "never seen"};
  for (std::int32_t f = 0; f < 6; ++f) {
    bags.features.push_back(f);
    bags.counts.push_back(1);
    bags.offsets.push_back(bags.features.size());
    bags.missing.push_back(0);
  }
  Chunk chunk;
  chunk.rows = 6;
  chunk.columns.emplace_back(std::move(bags));
  return chunk;
}

// The predictive density is the mean of the densities under the posterior of the parameters.
TEST_P(FamilyLaws, drawn_parameters_have_the_predictive_as_their_mean) {
  const auto& what = GetParam();
  Random random(41);
  const Model model = learnt(what, "bayes=2", 60);
  const auto& statistics = model.statistics();
  const auto draw = statistics.block(0).drawing(estimation_of(statistics, model.settings()));
  const Chunk tests = rows_to_judge(what, random);
  const bool known = !what.pulled && !what.score && what.family != "mixture" &&
                     what.family != "pairs" && what.family != "negative_binomial" &&
                     what.parameters != "spherical";
  ASSERT_EQ(draw(random, tests) != nullptr, known);
  if (!known) return;
  constexpr int draws = 3000;
  const auto expected = Scorer(model).log_likelihoods(tests);
  std::vector<double> sum(expected.size(), 0.0), squares(expected.size(), 0.0);
  for (int k = 0; k < draws; ++k) {
    const auto drawn = statistics.drawn({draw}, model.blocks(), random, tests);
    const Scorer scorer(model, drawn, [](const BlockSpec&) { return Rule{Rule::Kind::mle, 0}; });
    const auto found = scorer.log_likelihoods(tests);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double ratio = std::exp(found[i] - expected[i]);
      sum[i] += ratio;
      squares[i] += ratio * ratio;
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double mean = sum[i] / draws, variance = squares[i] / draws - mean * mean;
    EXPECT_NEAR(mean, 1, 5 * std::sqrt(variance / draws) + 1e-9) << "cell " << i;
  }
}

TEST_P(EstimateLaws, no_other_estimate_is_more_likely_than_the_mle) {
  Random random(23);
  const Chunk chunk = random_chunk(GetParam(), 80, Weights::exaggerated, random);
  Settings settings;
  settings.rule = parse_rule("mle");
  const double best = Scorer(learn(model_for(GetParam(), settings), {chunk})).log_likelihood();
  // Estimates in every direction away from it: those that other rows pull it towards.
  for (int pull = 0; pull < 40; ++pull) {
    Model pulled = learn(model_for(GetParam(), settings), {chunk});
    const Chunk others = random_chunk(GetParam(), 3 + random.below(30), Weights::none, random);
    pulled.observe(others);
    EXPECT_LT(scored_log_likelihood(Scorer(pulled), chunk), best);
  }
}

// The parameters of the only block. A text has lists of words instead of rows; those that are most
// probable in a class are all words here, as there are few.
std::vector<ParameterTable::Row> rows_of(const Scorer& scorer) {
  const auto table = scorer.tables()[0];
  if (table.lists.empty()) return table.rows;
  std::map<std::string, ParameterTable::Row> words;
  for (const auto& list : table.lists) {
    if (!list.title.starts_with("most probable")) continue;
    for (const auto& [word, p] : list.words) {
      words[word].name = word;
      words[word].cells.push_back({p, 0, 0});
    }
  }
  std::vector<ParameterTable::Row> result;
  for (const auto& [word, row] : words) result.push_back(row);
  return result;
}

TEST_P(EstimateLaws, samples_refit_to_the_parameters) {
  const Scorer truth(learnt(GetParam(), "m-estimate=1"));
  const Chunk drawn = truth.sample(40000, 5);
  Settings settings;
  settings.rule = parse_rule("mle");
  const Scorer refit(learn(model_for(GetParam(), settings), {drawn}));
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(std::exp(refit.log_prior()[c]), std::exp(truth.log_prior()[c]), 0.015);
  const auto expected = rows_of(truth), found = rows_of(refit);
  ASSERT_EQ(expected.size(), found.size());
  ASSERT_FALSE(expected.empty());
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double x = expected[r].cells[c].value, y = found[r].cells[c].value;
      const double unit =
          expected[r].label() == "mean" ? expected[1].cells[c].value : std::abs(x) + 0.3;
      EXPECT_NEAR(x, y, 0.05 * unit) << expected[r].label() << " of class " << c;
    }
  }
}

// Of what rows can be drawn from.
class SampleLaws : public FamilyLaws {};

std::vector<Case> densities() {
  std::vector<Case> result;
  for (const auto& what : cases()) {
    if (!what.score) result.push_back(what);
  }
  return result;
}

TEST_P(SampleLaws, samples_of_the_predictive_score_as_it_expects) {
  // The mean of log p over draws from p is the same for two halves of the draws: a sampler whose
  // distribution is not the scorer's would still agree with itself, so the scores are compared
  // with those of an independent refit on many draws of the predictive itself.
  const Scorer truth(learnt(GetParam(), "bayes=5"));
  const Chunk train = truth.sample(30000, 1), test = truth.sample(3000, 2);
  Settings settings;
  settings.rule = parse_rule("bayes");
  const Scorer refit(learn(model_for(GetParam(), settings), {train}));
  const double own = scored_log_likelihood(truth, test) / 3000;
  const double other = scored_log_likelihood(refit, test) / 3000;
  // No model beats the true one by more than chance.
  EXPECT_LT(other, own + 0.02);
}

INSTANTIATE_TEST_SUITE_P(families, FamilyLaws, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

INSTANTIATE_TEST_SUITE_P(families, SampleLaws, testing::ValuesIn(densities()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(families, EstimateLaws, testing::ValuesIn(plain_estimates()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace credence::laws
