// SPDX-License-Identifier: Apache-2.0
// Random tables that every family can learn from, with weights, gaps and extreme scales.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "core/chunk_rows.hpp"
#include "core/random.hpp"
#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "credence/io.hpp"
#include "credence/model.hpp"
#include "model/statistics.hpp"

namespace credence::laws {

// One column (or set of columns) under one family; what the laws are checked for.
struct Case {
  std::string name;
  ColumnKind kind;
  std::string family;
  double offset = 0;      // of numbers
  double scale = 1;       // of numbers
  std::size_t width = 1;  // columns in the block
  std::string parameters = {};
  bool pulled = false;  // shrunk towards a simpler estimate: not the mle, even without a prior
  // Bins and kernels are placed by the data and grow with them: a table of parameters cannot be
  // compared with a refit's, and likelihood is highest for the finest bins, not at the estimate.
  // What takes the place of these two laws is in histogram_test.cpp, kernel_test.cpp,
  // mixture_test.cpp and pairs_test.cpp (trees, too, follow the data).
  bool follows_data = false;
  // A score: it tells classes apart but is no distribution over documents. So it does not sum to 1,
  // is not highest for the rows it was made from, and no rows can be drawn from it. Of text these
  // are complement (what a word says is borrowed from the other classes) and a multinomial whose
  // counts are weighed (a repeated word is another draw, yet counts for less); of pairs linear.
  bool score = false;
  // Complement divides by the share of a word in the other classes, which without a prior may be 0;
  // columns of which one follows from others have no linear reading then.
  bool needs_prior = false;
  // Counts of pairs do not tell how probable rows with gaps are, nor sums of words documents that
  // idf has weighed.
  bool untold = false;
  std::vector<std::string> values = {};  // declared: the edges of bins
  double zeros = 0;                      // the share of numbers that are 0, which stand apart

  bool works_under(const std::string& rule) const {
    return !needs_prior || (rule != "mle" && rule != "unbiased");
  }
};

inline void PrintTo(const Case& what, std::ostream* out) { *out << what.name; }

inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"categorical", ColumnKind::category, "categorical"},
      {"joint", ColumnKind::category, "joint", 0, 1, 2, "", false, true, false, false, true},
      {"joint_of_one", ColumnKind::category, "joint"},
      {"bernoulli", ColumnKind::binary, "bernoulli"},
      {"bernoulli_bag", ColumnKind::bag, "bernoulli"},
      {"multinomial_bag", ColumnKind::bag, "multinomial"},
      {"multinomial_columns", ColumnKind::amount, "multinomial", 0, 1, 3},
      {"multinomial_complement", ColumnKind::bag, "multinomial", 0, 1, 1, "complement", false,
       false, true, true},
      {"multinomial_normed", ColumnKind::bag, "multinomial", 0, 1, 1, "complement, normed", false,
       false, true, true},
      {"poisson", ColumnKind::count, "poisson"},
      {"poisson_bag", ColumnKind::bag, "poisson"},
      {"negative_binomial", ColumnKind::count, "negative_binomial"},
      {"gaussian", ColumnKind::number, "gaussian"},
      {"gaussian_around_1e9", ColumnKind::number, "gaussian", 1e9, 1},
      {"gaussian_around_1e-9", ColumnKind::number, "gaussian", 1e-9, 1e-9},
      {"gaussian_wide", ColumnKind::number, "gaussian", -1e9, 1e9},
      {"gaussian_full", ColumnKind::number, "gaussian", 0, 1, 2, "full"},
      {"gaussian_full_around_1e9", ColumnKind::number, "gaussian", 1e9, 1, 2, "full"},
      {"gaussian_full_around_1e-9", ColumnKind::number, "gaussian", 1e-9, 1e-9, 2, "full"},
      {"gaussian_tied", ColumnKind::number, "gaussian", 3, 1, 2, "tied"},
      {"gaussian_diagonal_tied", ColumnKind::number, "gaussian", 3, 1, 1, "diagonal, tied"},
      {"gaussian_spherical", ColumnKind::number, "gaussian", 3, 1, 2, "spherical"},
      {"gaussian_floor", ColumnKind::number, "gaussian", 3, 1, 2, "diagonal, floor=0.01", true},
      {"gaussian_floor_around_1e9", ColumnKind::number, "gaussian", 1e9, 1, 2,
       "diagonal, floor=0.01", true},
      {"gaussian_tolerant", ColumnKind::number, "gaussian", 3, 1, 2, "tied, tol=0.0001", true},
      {"gaussian_apart", ColumnKind::number, "gaussian", 3, 1, 2, "tied=prior, shrunk, apart",
       true},
      {"gaussian_rescued", ColumnKind::number, "gaussian", 3, 1, 2, "full, unit=0.1, rescue=0.01",
       true},
      {"gaussian_shrunk", ColumnKind::number, "gaussian", 3, 1, 2, "shrunk", true},
      {"gaussian_oas", ColumnKind::number, "gaussian", 3, 1, 2, "tied, shrunk=oas", true},
      {"gaussian_rda", ColumnKind::number, "gaussian", 3, 1, 2, "rda=0.5, shrunk=0.25, spherical",
       true},
      {"histogram", ColumnKind::number, "histogram", 0, 1, 1, "", false, true},
      {"histogram_20", ColumnKind::number, "histogram", 0, 1, 1, "20", false, true},
      {"histogram_20_around_1e9", ColumnKind::number, "histogram", 1e9, 1, 1, "bins=20", false,
       true},
      {"histogram_frequency_around_1e-9", ColumnKind::number, "histogram", 1e-9, 1e-9, 1,
       "frequency=5", false, true},
      {"histogram_mdl", ColumnKind::number, "histogram", 0, 1, 1, "mdl", false, true},
      {"kernel", ColumnKind::number, "kernel", 0, 1, 1, "", false, true},
      {"kernel_around_1e9", ColumnKind::number, "kernel", 1e9, 1, 1, "bandwidth=sj", false, true},
      {"kernel_around_1e-9", ColumnKind::number, "kernel", 1e-9, 1e-9, 1, "bandwidth=isj", false,
       true},
      {"mixture_1", ColumnKind::number, "mixture", 0, 1, 2, "1", false, true},
      {"mixture_bic_around_1e9", ColumnKind::number, "mixture", 1e9, 1, 2, "bic=2, starts=1", false,
       true},
      {"mixture_diagonal_around_1e-9", ColumnKind::number, "mixture", 1e-9, 1e-9, 2,
       "bic=2, starts=1, diagonal", false, true},
      {"mixture_floor", ColumnKind::number, "mixture", 0, 1, 2, "bic=2, starts=1, floor=0.01",
       false, true},
      {"pairs_tan", ColumnKind::category, "pairs", 0, 1, 3, "tan", false, true, false, false, true},
      {"pairs_aode", ColumnKind::category, "pairs", 0, 1, 3, "aode", false, true, false, false,
       true},
      {"pairs_kdb", ColumnKind::category, "pairs", 0, 1, 3, "kdb=1, backoff=0.5", false, true,
       false, false, true},
      {"pairs_linear", ColumnKind::category, "pairs", 0, 1, 3, "linear", false, true, true, true,
       true},
      {"pairs_bins",
       ColumnKind::number,
       "pairs",
       0,
       1,
       2,
       "tan",
       false,
       true,
       false,
       false,
       true,
       {"-2", "-1", "-0.3", "0.4", "1", "3"}},
      {"text_bernoulli", ColumnKind::text, "text", 0, 1, 1, "bernoulli"},
      {"text_multinomial", ColumnKind::text, "text", 0, 1, 1, "multinomial"},
      {"text_multinomial_min_2", ColumnKind::text, "text", 0, 1, 1, "multinomial, min=2"},
      {"text_multinomial_binary", ColumnKind::text, "text", 0, 1, 1, "multinomial, counts=binary",
       false, false, true},
      {"text_complement", ColumnKind::text, "text", 0, 1, 1, "complement", false, false, true,
       true},
      {"text_complement_log_idf", ColumnKind::text, "text", 0, 1, 1, "complement, counts=log, idf",
       false, false, true, true, true},
      {"text_two_columns_smooth", ColumnKind::text, "text", 0, 1, 2,
       "together, counts=log, pairs=0.5, smooth=0.1", false, false, true, true},
  };
  return all;
}

// The same, and columns with many zeros, whose densities are not all there is of them.
inline const std::vector<Case>& cases_and_zeros() {
  static const std::vector<Case> all = [] {
    auto result = cases();
    for (const auto* family : {"gaussian", "kernel"}) {
      Case what{family + std::string("_with_zeros"), ColumnKind::number, family, 3, 1};
      what.follows_data = what.family == "kernel";
      what.zeros = 0.4;
      result.push_back(what);
    }
    return result;
  }();
  return all;
}

inline Model model_for(const Case& what, Settings settings = {}) {
  Schema schema;
  schema.target = "class";
  BlockSpec block{what.family, {}, 1, what.parameters};
  for (std::size_t i = 0; i < what.width; ++i) {
    schema.columns.push_back({"x" + std::to_string(i), what.kind, what.values});
    block.columns.push_back(i);
  }
  return {schema, {block}, settings};
}

enum class Weights { none, exaggerated };

// Rows of 3 classes; about one value in eight is missing.
inline Chunk random_chunk(const Case& what, std::size_t rows, Weights weights, Random& random) {
  Chunk chunk;
  chunk.rows = rows;
  chunk.labels.dictionary = {"b", "a", "c"};
  const std::vector<std::string> words = {"w3", "w1", "w4", "w0", "w2"};
  const auto missing = [&] { return random.uniform() < 0.125; };
  for (std::size_t r = 0; r < rows; ++r) {
    chunk.labels.codes.push_back(static_cast<std::int32_t>(random.below(3)));
    if (weights == Weights::exaggerated) chunk.weights.push_back(random.below(2) ? 0.3 : 7.0);
  }
  for (std::size_t i = 0; i < what.width; ++i) {
    if (what.kind == ColumnKind::category) {
      Categories column{{}, words};
      for (std::size_t r = 0; r < rows; ++r) {
        column.codes.push_back(missing() ? -1
                                         : static_cast<std::int32_t>(random.below(words.size())));
      }
      chunk.columns.emplace_back(std::move(column));
    } else if (what.kind == ColumnKind::bag || what.kind == ColumnKind::text) {
      Bags column;
      column.dictionary = words;
      for (std::size_t r = 0; r < rows; ++r) {
        const bool gone = missing();
        for (std::size_t f = 0; f < words.size() && !gone; ++f) {
          if (random.below(2) == 0) continue;
          column.features.push_back(static_cast<std::int32_t>(f));
          column.counts.push_back(1 + static_cast<double>(random.below(4)));
        }
        column.offsets.push_back(column.features.size());
        column.missing.push_back(gone);
      }
      chunk.columns.emplace_back(std::move(column));
    } else {
      Numbers column;
      for (std::size_t r = 0; r < rows; ++r) {
        double x = 0;
        if (what.kind == ColumnKind::binary) x = static_cast<double>(random.below(2));
        if (what.kind == ColumnKind::count)
          x = random.poisson(3 + 4 * static_cast<double>(chunk.labels.codes[r]));
        if (what.kind == ColumnKind::amount) x = static_cast<double>(random.below(4));
        if (what.kind == ColumnKind::number) x = what.offset + what.scale * random.normal();
        if (what.zeros > 0 && random.uniform() < what.zeros) x = 0;
        column.values.push_back(missing() ? std::nan("") : x);
      }
      chunk.columns.emplace_back(std::move(column));
    }
  }
  return chunk;
}

// The chunk cut at random places, its rows in a random order.
inline std::vector<Chunk> shuffled_pieces(const Chunk& chunk, Random& random) {
  std::vector<std::size_t> order(chunk.rows);
  for (std::size_t r = 0; r < chunk.rows; ++r) order[r] = r;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<Chunk> pieces;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t size = std::min(order.size() - begin, 1 + random.below(17));
    pieces.push_back(select_rows(chunk, std::span(order).subspan(begin, size)));
    begin += size;
  }
  return pieces;
}

inline Tensors tensors_of(const Model& model) {
  Tensors tensors;
  model.statistics().save(tensors);
  return tensors;
}

// Sums of products of several columns may be near 0 where their terms are not. They are compared
// in a unit of the whole block: for third powers between the second and the fourth.
inline double unit_of(const Tensors& tensors, const std::string& name) {
  if (name.find(".class.") == std::string::npos) return 0;
  const auto largest = [&](const std::string& array) {
    double most = 0;
    for (const double x : tensors.numbers(array, tensors.all.at(array).shape))
      most = std::max(most, std::abs(x));
    return most;
  };
  if (!name.ends_with(".third")) return largest(name);
  const auto stem = name.substr(0, name.size() - std::string(".third").size());
  return std::sqrt(largest(stem + ".m2") * largest(stem + ".fourth"));
}

// Counts must be equal to the bit; means and m2, and what is made of logarithms, to 1e-12
// relative to the column's spread.
inline void expect_same_statistics(const Model& a, const Model& b) {
  const auto left = tensors_of(a), right = tensors_of(b);
  for (const auto& [name, tensor] : left.all) {
    if (name.ends_with(".low")) continue;  // compared with its high half
    RC_ASSERT(right.has(name));
    RC_ASSERT(tensor.shape == right.all.at(name).shape);
    const bool rounded = name.ends_with(".mean") || name.ends_with(".m2") ||
                         name.ends_with(".third") || name.ends_with(".fourth") ||
                         name.ends_with(".log_factorial");
    if (!rounded) {
      RC_ASSERT(tensor.bytes == right.all.at(name).bytes);
      const auto low = name + ".low";
      RC_ASSERT(left.has(low) == right.has(low));
      if (left.has(low)) RC_ASSERT(left.all.at(low).bytes == right.all.at(low).bytes);
      continue;
    }
    const auto x = left.sums(name, tensor.shape), y = right.sums(name, tensor.shape);
    const double unit = unit_of(left, name);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const DoubleDouble difference = x.exact(i) - y.exact(i);
      RC_ASSERT(std::abs(difference.value()) <= 1e-12 * std::max(unit, std::abs(x[i])));
    }
  }
}

inline Model learn(const Model& empty, const std::vector<Chunk>& chunks) {
  Model model = empty;
  for (const auto& chunk : chunks) model.observe(chunk);
  return model;
}

}  // namespace credence::laws
