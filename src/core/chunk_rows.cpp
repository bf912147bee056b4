// SPDX-License-Identifier: Apache-2.0
#include "core/chunk_rows.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace credence {
namespace {

Numbers pick(const Numbers& column, std::span<const std::size_t> rows) {
  Numbers result{std::vector<double>(rows.size())};
  for (std::size_t i = 0; i < rows.size(); ++i) result.values[i] = column.values[rows[i]];
  return result;
}

// Rows of their own: those that were lent may be gone when these are read.
MatrixRows pick(const MatrixRows& matrix, std::span<const std::size_t> rows) {
  auto own = std::make_shared<std::vector<double>>();
  own->reserve(rows.size() * matrix.columns);
  for (const auto r : rows) {
    own->insert(own->end(), matrix.row(r), matrix.row(r) + matrix.columns);
  }
  return {own->data(), matrix.columns, own};
}

SparseRows pick(const SparseRows& sparse, std::span<const std::size_t> rows) {
  struct Own {
    std::vector<std::int32_t> features;
    std::vector<double> counts;
  };
  auto own = std::make_shared<Own>();
  SparseRows result{nullptr, nullptr, {0}, own};
  for (const auto r : rows) {
    for (std::size_t i = sparse.starts[r]; i < sparse.starts[r + 1]; ++i) {
      own->features.push_back(sparse.features[i]);
      own->counts.push_back(sparse.counts[i]);
    }
    result.starts.push_back(own->features.size());
  }
  own->features.push_back(0);  // so that rows without a feature have an address, too
  result.features = own->features.data();
  result.counts = own->counts.data();
  return result;
}

// The words that codes have, in the order of the dictionary they are from.
void keep_words(const std::vector<std::string>& dictionary, Categories& column) {
  std::vector<std::int32_t> kept;
  for (const auto code : column.codes) {
    if (code >= 0) kept.push_back(code);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (const auto code : kept)
    column.dictionary.push_back(dictionary[static_cast<std::size_t>(code)]);
  for (auto& code : column.codes) {
    if (code < 0) continue;
    code =
        static_cast<std::int32_t>(std::lower_bound(kept.begin(), kept.end(), code) - kept.begin());
  }
}

Categories pick(const Categories& column, std::span<const std::size_t> rows) {
  Categories result{{}, {}};
  const bool few = column.dictionary.size() > 4 * rows.size();
  if (!few || column.codes.empty()) result.dictionary = column.dictionary;
  if (column.codes.empty()) return result;
  result.codes.reserve(rows.size());
  for (const auto r : rows) result.codes.push_back(column.codes[r]);
  // Words that only other rows have are not taken along where they are most.
  if (few) keep_words(column.dictionary, result);
  return result;
}

Bags pick(const Bags& column, std::span<const std::size_t> rows) {
  Bags result;
  // Words that only other rows have are not taken along: a few rows of a chunk have few of them.
  std::vector<std::int32_t> code(column.dictionary.size(), -1);
  for (const auto r : rows) {
    for (std::size_t i = column.offsets[r]; i < column.offsets[r + 1]; ++i) {
      code[static_cast<std::size_t>(column.features[i])] = 0;
    }
  }
  for (std::size_t word = 0; word < code.size(); ++word) {
    if (code[word] < 0) continue;
    code[word] = static_cast<std::int32_t>(result.dictionary.size());
    result.dictionary.push_back(column.dictionary[word]);
  }
  for (const auto r : rows) {
    for (std::size_t i = column.offsets[r]; i < column.offsets[r + 1]; ++i) {
      result.features.push_back(code[static_cast<std::size_t>(column.features[i])]);
      result.counts.push_back(column.counts[i]);
    }
    result.offsets.push_back(result.features.size());
    result.missing.push_back(column.missing[r]);
  }
  return result;
}

Chunk select_without_matrix(const Chunk& chunk, std::span<const std::size_t> rows) {
  Chunk result;
  result.rows = rows.size();
  for (const auto& column : chunk.columns) {
    result.columns.push_back(
        std::visit([&](const auto& typed) -> Column { return pick(typed, rows); }, column));
  }
  result.labels = pick(chunk.labels, rows);
  if (!chunk.weights.empty()) {
    for (const auto r : rows) result.weights.push_back(chunk.weights[r]);
  }
  return result;
}

}  // namespace

Chunk select_rows(const Chunk& chunk, std::span<const std::size_t> rows) {
  Chunk result = select_without_matrix(chunk, rows);
  if (chunk.matrix) result.matrix = pick(chunk.matrix, rows);
  if (chunk.sparse) result.sparse = pick(chunk.sparse, rows);
  return result;
}

Chunk slice_rows(const Chunk& chunk, std::size_t first, std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  Chunk result = select_without_matrix(chunk, rows);
  result.matrix = chunk.matrix;
  if (result.matrix) result.matrix.data = chunk.matrix.row(first);
  if (!chunk.sparse) return result;
  const auto from = chunk.sparse.starts.begin() + static_cast<std::ptrdiff_t>(first);
  result.sparse = {chunk.sparse.features,
                   chunk.sparse.counts,
                   {from, from + static_cast<std::ptrdiff_t>(count) + 1},
                   chunk.sparse.owner};
  return result;
}

Chunk in_columns(Chunk chunk, const Schema& schema) {
  if (const SparseRows rows = std::exchange(chunk.sparse, {})) {
    const auto from = static_cast<std::ptrdiff_t>(rows.starts.front());
    const auto to = static_cast<std::ptrdiff_t>(rows.starts.back());
    Bags bags;
    bags.dictionary = schema.columns[0].values;
    bags.missing.assign(chunk.rows, 0);
    bags.features.assign(rows.features + from, rows.features + to);
    bags.counts.assign(rows.counts + from, rows.counts + to);
    bags.offsets.clear();
    for (const auto start : rows.starts) bags.offsets.push_back(start - rows.starts.front());
    chunk.columns.assign(1, std::move(bags));
    return chunk;
  }
  if (!chunk.matrix) return chunk;
  const MatrixRows matrix = std::exchange(chunk.matrix, {});
  if (schema.columns[0].kind == ColumnKind::bag) {
    Bags bags;
    bags.dictionary = schema.columns[0].values;
    bags.missing.assign(chunk.rows, 0);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      for (std::size_t j = 0; j < matrix.columns; ++j) {
        if (matrix.row(r)[j] == 0) continue;
        bags.features.push_back(static_cast<std::int32_t>(j));
        bags.counts.push_back(matrix.row(r)[j]);
      }
      bags.offsets.push_back(bags.features.size());
    }
    chunk.columns.assign(1, std::move(bags));
    return chunk;
  }
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    Numbers column;
    for (std::size_t r = 0; r < chunk.rows; ++r) column.values.push_back(matrix.row(r)[j]);
    chunk.columns.emplace_back(std::move(column));
  }
  return chunk;
}

std::size_t rows_at_once(std::size_t classes) {
  constexpr std::size_t scores = std::size_t{1} << 21;
  return std::max<std::size_t>(1, scores / std::max<std::size_t>(1, classes));
}

bool has_value(const Chunk& chunk, std::size_t column, std::size_t row) {
  const auto& cells = chunk.columns[column];
  if (const auto* numbers = std::get_if<Numbers>(&cells)) return !std::isnan(numbers->values[row]);
  if (const auto* words = std::get_if<Categories>(&cells)) return words->codes[row] >= 0;
  return std::get<Bags>(cells).missing[row] == 0;
}

Chunk no_rows(const Schema& schema) {
  Chunk chunk;
  for (const auto& column : schema.columns) {
    if (column.kind == ColumnKind::category) {
      chunk.columns.emplace_back(Categories{});
    } else if (column.kind == ColumnKind::bag || column.kind == ColumnKind::text) {
      chunk.columns.emplace_back(Bags{});
    } else {
      chunk.columns.emplace_back(Numbers{});
    }
  }
  return chunk;
}

}  // namespace credence
