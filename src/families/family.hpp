// SPDX-License-Identifier: Apache-2.0
// What every family is: statistics that can be observed, merged and forgotten, and a density that
// is estimated from them. A block is one family over one or more columns.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/tensors.hpp"
#include "credence/chunk.hpp"
#include "credence/parameters.hpp"
#include "credence/rule.hpp"

namespace credence {

namespace sql {
class Query;
struct Expression;
}  // namespace sql

// Of the term that a calibration adds: it is no column.
inline constexpr const char* calibration_column = "calibration";

// One factor of a row's likelihood: the evidence of a column (or token), for every class.
struct Term {
  std::string column;
  std::string value;
  std::vector<double> log_density;
  bool ignored = false;  // the model has never seen the value: it is no evidence
  std::string of = {};   // the value alone, where `value` says more: "free" of "free x 2"
  double power = 1;      // the factor counts so many times
  // How the factor of a class comes about, without the power; empty: as a number. It asks the
  // density, and must not outlive it.
  std::function<Working(std::size_t cls)> working = {};
  double trust = 1;  // in its block: the density and the power have been multiplied by it
};

// Numbers between two bounds, of which each belongs to them or not.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool with_low = false, with_high = false;

  bool contains(double x) const {
    return (x > low || (with_low && x == low)) && (x < high || (with_high && x == high));
  }
};

// How many factors a density has: those of what columns say by themselves, and behind these what
// other columns add to that.
struct Factors {
  std::size_t own = 1, added = 0;
  std::size_t all() const { return own + added; }
};

// An estimated block: immutable, safe to use from several threads.
class Density {
 public:
  virtual ~Density() = default;

  // joint[row * classes + c] += weight * log p(block's columns of the row | c).
  // A missing value adds nothing.
  virtual void add_log_density(const Chunk& chunk, double weight,
                               std::span<double> joint) const = 0;
  // The same up to what all classes share, of which a decision takes no account.
  virtual void add_scores(const Chunk& chunk, double weight, std::span<double> joint) const {
    add_log_density(chunk, weight, joint);
  }
  // joint[(row * factors + f) * classes + c] += the log of factor f, where the statistics say that
  // there are several (BlockStatistics::factors): their sum is the log density, up to what all
  // classes share.
  virtual void add_factors(const Chunk& chunk, std::span<double> joint) const {
    add_log_density(chunk, 1, joint);
  }
  virtual void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const = 0;
  // Appends a drawn value to each of the block's columns.
  virtual void sample(Random& random, std::size_t cls, Chunk& rows) const = 0;
  virtual ParameterTable table() const = 0;
  // The words whose probabilities a block says of one of its columns, where its table does not name
  // them one by one.
  virtual std::vector<std::string> words_of(std::size_t /*column*/) const { return {}; }
  // Adds the block's part of the linear form, where the form allows it with squares; or says why it
  // has none.
  virtual std::string linear(LinearForm& form) const = 0;
  // log p(block's columns | c) for every class as a database computes it, up to what all classes
  // share. Throws a usage error that names the columns where SQL cannot say it.
  virtual std::vector<sql::Expression> sql(sql::Query& query) const;
  // P(the number in this column of a chunk lies in the range | cls), whatever the block's other
  // columns are; NaN where the block does not say.
  virtual double probability(std::size_t /*column*/, const NumberRange& /*range*/,
                             std::size_t /*cls*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::size_t parameters = 0;  // free parameters, over all classes
  double log_likelihood = 0;   // of the training rows, at the parameters (bayes: at their means)
  // The log of the rule's prior density at the same parameters, up to a constant: they maximise the
  // sum of the two. NaN: they are not the maximum of such a sum; infinite: the prior has no bound
  // where they lie.
  double log_prior = std::numeric_limits<double>::quiet_NaN();
};

// All that estimation needs besides the statistics.
struct Estimation {
  Rule rule;
  bool reserve_unseen = false;  // keep one imaginary value for words never seen
  std::vector<std::string> classes;
  std::vector<double> class_weights;  // a class without rows is not estimated
  std::map<std::string, std::map<std::string, double>>
      shares;                                    // column -> value -> p of m-estimate
  std::function<void(const std::string&)> tell;  // hears how long estimations go; may be empty
  std::vector<double> class_shares = {};  // P(c), where a family asks; empty: as the weights are
  std::string reading = {};               // of pairs, in place of the block's own; may be empty
};

class BlockStatistics {
 public:
  virtual ~BlockStatistics() = default;
  virtual std::unique_ptr<BlockStatistics> clone() const = 0;
  // The same block before any row.
  virtual std::unique_ptr<BlockStatistics> empty() const = 0;

  // Makes room for classes 0 .. count-1. new class i was old class from[i] (npos: new).
  virtual void rearrange_classes(std::span<const std::size_t> from) = 0;
  // classes[row] is the row's class, negative: skip the row.
  virtual void observe(const Chunk& chunk, std::span<const std::int32_t> classes) = 0;
  // Adds (sign 1) or subtracts (sign -1) other's statistics; its class i is our class_map[i].
  virtual void merge(const BlockStatistics& other, std::span<const std::size_t> class_map,
                     int sign) = 0;
  // Multiplies the weight of every row observed so far; factor > 0.
  virtual void scale(double factor) = 0;
  // Sorts what was discovered and drops what no remaining row has, so that equal data give equal
  // statistics whatever happened in between.
  virtual void canonicalise() = 0;
  // The class has a single row. What rounding has left of a spread, where others were taken away,
  // is none.
  virtual void one_row_left(std::size_t /*cls*/) {}
  // What is wrong with the statistics, or "": more was taken away than was there, or sums are
  // beyond what a double holds.
  virtual std::string defect(const std::vector<std::string>& classes) const = 0;
  // The columns, for messages.
  virtual std::string title() const = 0;
  // The weight of each class's rows that have a value: [class], or [class][column].
  virtual std::vector<double> row_weights() const = 0;

  virtual void save(Tensors& tensors, const std::string& prefix) const = 0;
  virtual void load(const Tensors& tensors, const std::string& prefix, std::size_t classes) = 0;

  virtual std::unique_ptr<Density> fit(const Estimation& estimation) const = 0;
  // Into which factors the density falls, each of which can be trusted more or less than others;
  // Family::trusting has them so.
  virtual Factors factors(const Estimation&) const { return {}; }

  // Whether observe() and the density's scores understand a chunk of rows as they lie
  // (Chunk::matrix).
  virtual bool reads_rows() const { return false; }

  // joint[row * classes + c] += weight * log p(row's columns | c) for rows that are among those
  // observed: each is judged by these statistics without it. classes[row] is its class, negative:
  // skip the row. `estimation` describes all rows. This one estimates anew for every row; families
  // that know a shorter way take it.
  virtual void add_held_out(const Estimation& estimation, const Chunk& chunk,
                            std::span<const std::int32_t> classes, double weight,
                            std::span<double> joint) const;
  // The same for one chunk after the other, also from several threads, as long as the statistics
  // stay: families that have something to prepare do so once.
  using AddHeldOut = std::function<void(const Chunk& chunk, std::span<const std::int32_t> classes,
                                        double weight, std::span<double> joint)>;
  virtual AddHeldOut held_out(const Estimation& estimation) const;
  // The same for one row, by estimating anew: what families do with rows their short way does not
  // cover.
  void add_row_held_out(const Estimation& estimation, const Chunk& chunk, std::size_t row,
                        std::int32_t cls, double weight, std::span<double> joint) const;

  // The log of the probability of all rows observed, parameters integrated out under the prior of
  // the rule; nothing where that has no closed form.
  virtual std::optional<double> log_marginal_likelihood(const Estimation&) const {
    return std::nullopt;
  }
  // Statistics that, read by maximum likelihood, have parameters drawn from their posterior under
  // the rule's prior; null where the family knows none.
  virtual std::unique_ptr<BlockStatistics> draw(const Estimation&, Random&) const {
    return nullptr;
  }
  // The same as often as wanted, as long as the statistics stay: families that have something to
  // prepare do so once. What is drawn judges these rows, where draws_by_row(): no others.
  using Draw = std::function<std::unique_ptr<BlockStatistics>(Random& random, const Chunk& rows)>;
  virtual Draw drawing(const Estimation& estimation) const {
    return [this, estimation](Random& random, const Chunk&) { return draw(estimation, random); };
  }
  // Of many words, only those that a row has are drawn.
  virtual bool draws_by_row() const { return false; }
};

}  // namespace credence
