// SPDX-License-Identifier: Apache-2.0
// Several numbers together, each class a mixture of normals or Student's t's, of which there may be
// one: scoring, explaining and sampling. A row with gaps is scored over the columns it has: the
// marginal of a normal or a t is the sub-matrix.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "families/gaussian/vector_density.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/registry.hpp"

namespace credence {

// The columns that vary, and the units in which densities over them are told.
struct BlockFrame {
  std::vector<std::size_t> kept;  // places among the block's columns
  Eigen::VectorXd origin, unit;
  std::vector<double> constants = {};  // what the other columns always are; NaN: never there
};

class BlockDensity : public Density {
 public:
  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override;
  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override;
  void sample(Random& random, std::size_t cls, Chunk& rows) const override;
  std::vector<sql::Expression> sql(sql::Query& query) const override;
  ParameterTable table() const override;
  double probability(std::size_t column, const NumberRange& range, std::size_t cls) const override;

 protected:
  struct Part {
    double share;
    VectorDensity density;
  };

  BlockDensity(const char* family, std::vector<std::size_t> indices, std::vector<std::string> names,
               BlockFrame frame);
  // Once all classes are there.
  void finish();

  const std::string& name(Eigen::Index i) const {
    return names_[frame_.kept[static_cast<std::size_t>(i)]];
  }

  const char* family_;
  std::vector<std::string> names_;
  BlockFrame frame_;
  std::vector<std::vector<Part>> classes_;  // no parts: a class without rows
  Places all_;                              // the columns that vary
  bool numbered_ = false;                   // the parts of a class have numbers
  bool diagonal_ = false;                   // covariances have nothing else
  std::string predictive_;                  // what the density is where it is no normal

  using Marginals = std::vector<std::vector<Marginal>>;  // [class][part]
  Marginals complete_;                                   // over all columns that vary

  // Calls add(panel, rows, out) for the rows without a gap, as the frame has them, as many at a
  // time as stand in a panel (row_kernels.hpp): the first `rows` of them, row k added to out[k].
  // Rows with gaps are scored over the columns that they have.
  template <typename Add>
  void add_rows(const Chunk& chunk, double weight, std::span<double> joint, const Add& add) const {
    std::map<Places, std::vector<std::size_t>> others;
    std::vector<double> panel(all_.size() * row_panel), gathered(all_.size());
    double* out[row_panel];
    std::size_t filled = 0;
    for (std::size_t r = 0; r < chunk.rows && !all_.empty(); ++r) {
      const double* row = row_of(chunk, r, gathered);
      if (std::isnan(put_in_panel(row, frame_.origin.data(), frame_.unit.data(), all_.size(),
                                  panel.data() + filled)) &&
          !complete(chunk, r)) {
        others[present(chunk, r)].push_back(r);
        continue;
      }
      out[filled++] = joint.data() + r * classes_.size();
      if (filled == row_panel) add(panel.data(), std::exchange(filled, 0), out);
    }
    if (filled > 0) add(panel.data(), filled, out);
    for (const auto& [places, rows] : others) add_group(chunk, places, rows, weight, joint);
  }

 private:
  double value(const Chunk& chunk, std::size_t row, std::size_t place) const {
    if (chunk.matrix) return chunk.matrix.row(row)[indices_[place]];
    return std::get<Numbers>(chunk.columns[indices_[place]]).values[row];
  }
  // The columns that vary, side by side.
  const double* row_of(const Chunk& chunk, std::size_t row, std::vector<double>& gathered) const {
    if (chunk.matrix && in_order_) return chunk.matrix.row(row);
    for (std::size_t i = 0; i < all_.size(); ++i) gathered[i] = value(chunk, row, i);
    return gathered.data();
  }
  void add_group(const Chunk& chunk, const Places& places, const std::vector<std::size_t>& rows,
                 double weight, std::span<double> joint) const;
  Places present(const Chunk& chunk, std::size_t row) const;
  bool complete(const Chunk& chunk, std::size_t row) const {
    return present(chunk, row).size() == all_.size();
  }
  Eigen::VectorXd row_in_frame(const Chunk& chunk, std::size_t row, const Places& places) const;
  Marginals marginals(const Places& places) const;
  Eigen::VectorXd log_density(std::size_t cls, const std::vector<Marginal>& fitted,
                              const Eigen::MatrixXd& y, const Places& places) const;
  std::vector<sql::Expression> sql_of(sql::Query& query, const Places& places,
                                      const std::vector<sql::Expression>& y) const;
  std::vector<std::vector<double>> steps(const Chunk& chunk, std::size_t row,
                                         const Places& places) const;
  void add_part(ParameterTable& table, std::size_t k) const;

  std::vector<std::size_t> indices_, dropped_;
  bool in_order_ = true;  // index i is i
};

}  // namespace credence
