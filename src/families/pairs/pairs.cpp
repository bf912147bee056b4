// SPDX-License-Identifier: Apache-2.0
// Several columns together through the counts of their pairs. What depends on what is read from
// the counts, not learned from rows. Derivations: docs/families/pairs.md
#include <fmt/format.h>

#include "credence/error.hpp"
#include "families/pairs/pairs_density.hpp"
#include "families/statistics/declared.hpp"

namespace credence {
namespace {

// Of more columns there are more pairs than anybody means to count.
constexpr std::size_t most_columns = 1000;

struct PairBlock {
  std::vector<PairColumn> columns;
  Reading reading;

  std::string title() const { return join(names(), ", "); }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& column : columns) result.push_back(column.name);
    return result;
  }
  std::vector<std::vector<std::string>> declared() const {
    std::vector<std::vector<std::string>> result;
    for (const auto& column : columns) result.push_back(column.declared);
    return result;
  }
};

Reading read_as(const std::string& parameters, std::size_t columns) {
  Reading result = parse_reading(parameters);
  const std::size_t trusted = result.trust.size();
  if (trusted == 0 || trusted == columns) return result;
  throw Error(ErrorKind::usage, fmt::format("pairs({}): trust has {} numbers for {} columns",
                                            parameters, trusted, columns));
}

class PairStatistics : public DeclaredStatistics<PairStatistics, PairBlock> {
  PairCounts counts_{columns_.names(), columns_.declared()};

 public:
  using DeclaredStatistics::DeclaredStatistics;
  static constexpr auto arrays = std::tuple(&PairStatistics::counts_);

  void observe(const Chunk& chunk, std::span<const std::int32_t> classes) override {
    std::vector<std::unique_ptr<CodedCells>> cells;
    std::vector<const CodedCells*> columns;
    for (const auto& column : columns_.columns) {
      cells.push_back(std::make_unique<CodedCells>(chunk, column));
      columns.push_back(cells.back().get());
    }
    counts_.observe(columns, chunk.weights, classes);
  }

  Factors factors(const Estimation& estimation) const override {
    const Reading how = reading(estimation);
    const std::size_t columns = columns_.columns.size();
    return {how.one_tree() ? columns : 1, how.has_edges() ? columns : 0};
  }

  std::unique_ptr<Density> fit(const Estimation& estimation) const override {
    const Reading reading = this->reading(estimation);
    return make_pairs_density(columns_.columns, reading,
                              {counts_, columns_.columns, reading, estimation}, estimation);
  }

 private:
  Reading reading(const Estimation& estimation) const {
    return estimation.reading.empty() ? columns_.reading
                                      : read_as(estimation.reading, columns_.columns.size());
  }
};

// The automatic choice tries a reading of all columns. Every two of them are counted together: it
// has no time for the squares of more.
RaceEntry tried(int place, const char* reading) {
  return {.place = place,
          .of = {ColumnLook::numbers, ColumnLook::words},
          .parameters = reading,
          .least_columns = 2,
          .most_columns = 80,
          .keeps_tables = true};
}

}  // namespace

Family pairs_family() {
  return {.name = "pairs",
          .kinds = {ColumnKind::category, ColumnKind::number},
          .make = [](const BlockColumns& columns,
                     const std::string& parameters) -> std::unique_ptr<BlockStatistics> {
            PairBlock block{{}, read_as(parameters, columns.indices.size())};
            if (columns.indices.size() > most_columns) {
              throw Error(ErrorKind::usage,
                          fmt::format("pairs of {} columns are too many to count: at most {}",
                                      columns.indices.size(), most_columns));
            }
            for (std::size_t i = 0; i < columns.indices.size(); ++i) {
              block.columns.push_back(make_pair_column(columns.indices[i], columns.specs[i]));
            }
            return std::make_unique<PairStatistics>(std::move(block));
          },
          .takes_parameters = true,
          .joins = [](const std::string&) { return true; },
          .mixes_kinds = true,
          .bins_numbers = true,
          .has_readings = true,
          .trusting = with_trust,
          .tried = {tried(5, "linear"), tried(6, "tan"), tried(7, "kdb=1"), tried(8, "aode")},
          .by_hand = HandWriting::tree,
          .long_way =
              [](const std::string&) {
                return "which column depends on which is found anew for every row";
              }};
}

}  // namespace credence
