// SPDX-License-Identifier: Apache-2.0
// Several numbers together, each class a mixture of normals or Student's t's, of which there may be
// one: scoring, explaining and sampling. A row with gaps is scored over the columns it has: the
// marginal of a normal or a t is the sub-matrix.
#pragma once

#include <string>
#include <vector>

#include "families/gaussian/vector_density.hpp"
#include "families/registry.hpp"

namespace credence {

// The columns that vary, and the units in which densities over them are told.
struct BlockFrame {
  std::vector<std::size_t> kept;  // places among the block's columns
  Eigen::VectorXd origin, unit;
};

class BlockDensity : public Density {
 public:
  void add_log_density(const Chunk& chunk, double weight, std::span<double> joint) const override;
  void explain(const Chunk& chunk, std::size_t row, std::vector<Term>& terms) const override;
  void sample(Random& random, std::size_t cls, Chunk& rows) const override;
  ParameterTable table() const override;

 protected:
  struct Part {
    double share;
    VectorDensity density;
  };

  BlockDensity(const char* family, std::vector<std::size_t> indices, std::vector<std::string> names,
               BlockFrame frame);
  // Once all classes are there.
  void finish() { complete_ = marginals(all_); }

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

 private:
  using Marginals = std::vector<std::vector<Marginal>>;  // [class][part]

  Places present(const Chunk& chunk, std::size_t row) const;
  Eigen::VectorXd row_in_frame(const Chunk& chunk, std::size_t row, const Places& places) const;
  Marginals marginals(const Places& places) const;
  Eigen::VectorXd log_density(std::size_t cls, const std::vector<Marginal>& fitted,
                              const Eigen::MatrixXd& y, const Places& places) const;
  std::vector<std::vector<double>> steps(const Chunk& chunk, std::size_t row,
                                         const Places& places) const;
  void add_part(ParameterTable& table, std::size_t k) const;

  std::vector<std::size_t> indices_, dropped_;
  Marginals complete_;
};

}  // namespace credence
