// SPDX-License-Identifier: Apache-2.0
// What the densities of bags have in common: a parameter for every known feature and class.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "families/bags/bag_statistics.hpp"
#include "sql/query.hpp"

namespace credence {

class BagDensity : public Density {
 public:
  ParameterTable table() const override;
  std::vector<sql::Expression> sql(sql::Query& query) const override;

 protected:
  BagDensity(const BagStatistics& statistics, const Estimation& estimation, BagFamily family);

  std::size_t cell(std::size_t feature, std::size_t cls) const { return feature * classes_ + cls; }
  // Where the features of a chunk stand among those that are known. Rows that are lent have the
  // declared ones, whose places are found once; for others there is `own`.
  std::span<const std::size_t> rows_of(const Chunk& chunk, std::vector<std::size_t>& own) const {
    if (chunk.matrix || chunk.sparse) return declared_rows_;
    return own = known_.rows_of(columns_.features(chunk));
  }
  // A feature of a row as an explanation names it; those of `unseen` ones say so.
  Term term(std::string value, bool unseen = false) const;
  // The features' part of a linear form.
  void add_features(const std::vector<double>& evidence, LinearForm& form) const;
  // How often a row has each known feature, in SQL; a missing count is none.
  std::vector<std::pair<std::size_t, sql::Expression>> counts_in_sql(sql::Query& query) const;
  // Appends a bag with these counts of the known features.
  void put(const std::vector<double>& drawn, Chunk& rows) const;

  BagColumns columns_;
  std::size_t classes_;
  KnownValues known_;
  std::vector<std::size_t> declared_rows_ = known_.rows_of(columns_.declared);
  bool in_order_ = false;           // the known features are the declared ones, in their order
  std::vector<double> counts_, p_;  // [feature][class]: observed, estimated
  std::vector<double> totals_;      // per class: draws, or rows

 private:
  bool coins_;
  double prior_;  // imaginary count of every feature
  bool given_p_;
  bool exact_fractions_;
  std::vector<std::string> class_names_;
  std::vector<double> class_weights_;
};

}  // namespace credence
