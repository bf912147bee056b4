// SPDX-License-Identifier: Apache-2.0
// Rows as a design matrix: what a linear score is a sum over. docs/discriminative.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/model.hpp"
#include "families/statistics/domain.hpp"

namespace credence {

// A text that was read is the bag of its tokens.
inline bool holds_bags(ColumnKind kind) {
  return kind == ColumnKind::bag || kind == ColumnKind::text;
}

// Sparse, by rows: the entries of row r are offsets[r] .. offsets[r+1], sorted by feature.
struct Design {
  std::size_t features = 0;
  std::vector<std::size_t> offsets{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  std::size_t rows() const { return offsets.size() - 1; }
};

// One column of the schema as features of the design.
struct FeatureColumn {
  enum class Coding {
    number,     // (x - mean) / scale; a missing value is the mean, 0
    one_hot,    // one feature per known value; missing or unknown: all 0, no evidence
    indicator,  // of a bag: 1 for every known feature that is present
    count,      // of a bag: how often
  };
  Coding coding = Coding::number;
  double mean = 0;
  double scale = 1;       // 1 for 0/1 columns, which keep their own unit
  Domain values;          // the known values of a category, the known features of a bag
  std::size_t first = 0;  // place of its first feature

  std::size_t width() const { return coding == Coding::number ? 1 : values.size(); }
};

class Features {
 public:
  Features() = default;
  // `columns` in the order of the schema; their `first` is set here.
  Features(Schema schema, std::vector<FeatureColumn> columns);

  // Means, scales and known values of the rows that count: those with a class of the model and a
  // weight above 0.
  static Features learn(const Model& model, const std::vector<Chunk>& chunks);

  const Schema& schema() const { return schema_; }
  const std::vector<FeatureColumn>& columns() const { return columns_; }
  std::size_t size() const { return size_; }
  std::string name(std::size_t feature) const;  // "age", "color=red"

  // Appends the chunk's rows to the design.
  void append(const Chunk& chunk, Design& design) const;

 private:
  Schema schema_;
  std::vector<FeatureColumn> columns_;
  std::size_t size_ = 0;
};

// The class of each row of a chunk as a place in `classes`; -1 for rows that do not count.
std::vector<std::int32_t> classes_of(const Chunk& chunk, const std::vector<std::string>& classes);

}  // namespace credence
