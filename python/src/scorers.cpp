// SPDX-License-Identifier: Apache-2.0
// Scorers: log joints of a source's rows, reasons, samples, parameters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bindings.hpp"
#include "core/chunk_rows.hpp"
#include "credence/credence.hpp"
#include "families/gaussian/covariance.hpp"
#include "families/kernels/row_kernels.hpp"
#include "matrices.hpp"
#include "parallel/parallel.hpp"
#include "parallel/stream.hpp"

namespace credence::python {
namespace {

Matrix log_joint(const Scorer& scorer, Source& source, unsigned threads) {
  std::vector<double> all;
  {
    const nb::gil_scoped_release unlocked;
    all = log_scores(scorer, source, threads);
  }
  const std::size_t classes = scorer.classes().size(), rows = all.size() / classes;
  return to_numpy<Matrix>(std::move(all), {rows, classes});
}

// Not finite exactly when a value is not, or when values are huge: most rows need no second look.
void check_row(const double* row, std::size_t columns, bool gaps) {
  if (std::isfinite(total(row, columns))) return;
  for (std::size_t j = 0; j < columns; ++j) {
    if (std::isnan(row[j]) && !gaps) throw Error(ErrorKind::data, "Input X contains NaN.");
    if (!std::isinf(row[j])) continue;
    throw Error(ErrorKind::data,
                "Input X contains infinity or a value too large for dtype('float64').");
  }
}

// Calls use(first row, scores) for rows as they lie, some at a time, from several threads; which a
// row's microseconds have room for.
template <class Use>
void score_rows(const Scorer& scorer, const Rows& rows, bool gaps, bool exact, const Use& use) {
  const std::size_t columns = rows.shape(1), count = rows.shape(0);
  const auto score = [&](std::size_t begin, std::size_t end) {
    Chunk chunk;
    chunk.rows = end - begin;
    chunk.matrix = {rows.data() + begin * columns, columns};
    if (!std::isfinite(total(chunk.matrix.data, chunk.rows * columns))) {
      for (std::size_t r = 0; r < chunk.rows; ++r) check_row(chunk.matrix.row(r), columns, gaps);
    }
    use(begin, exact ? scorer.log_joint(chunk) : scorer.comparisons(chunk));
  };
  constexpr std::size_t part = 512;
  if (count <= part) return score(0, count);
  parallel_for(0, (count + part - 1) / part,
               [&](std::size_t i) { score(i * part, std::min(count, (i + 1) * part)); });
}

std::vector<double> joint_of_rows(const Scorer& scorer, const Rows& rows, bool gaps, bool exact) {
  const std::size_t classes = scorer.classes().size();
  std::vector<double> joint(rows.shape(0) * classes);
  score_rows(scorer, rows, gaps, exact, [&](std::size_t first, const std::vector<double>& scores) {
    std::copy(scores.begin(), scores.end(),
              joint.begin() + static_cast<std::ptrdiff_t>(first * classes));
  });
  return joint;
}

Matrix log_joint_of_rows(const Scorer& scorer, const Rows& rows, bool gaps, bool exact) {
  std::vector<double> joint;
  {
    const nb::gil_scoped_release unlocked;
    joint = joint_of_rows(scorer, rows, gaps, exact);
  }
  return to_numpy<Matrix>(std::move(joint), {rows.shape(0), scorer.classes().size()});
}

// The place of the most probable class of every row, the first of equals.
using Winners = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
void find_winners(const std::vector<double>& scores, std::size_t classes, std::int64_t* result) {
  for (std::size_t r = 0; r < scores.size() / classes; ++r) {
    const double* row = scores.data() + r * classes;
    std::int64_t best = 0;
    double most = row[0];
    for (std::size_t c = 1; c < classes; ++c) {  // without a branch, which could not be foreseen
      const bool more = most < row[c];
      best = more ? static_cast<std::int64_t>(c) : best;
      most = more ? row[c] : most;
    }
    result[r] = best;
  }
}

Winners winners(const Scorer& scorer, const Rows& rows, bool gaps) {
  std::vector<std::int64_t> result(rows.shape(0));
  {
    const nb::gil_scoped_release unlocked;
    score_rows(scorer, rows, gaps, false,
               [&](std::size_t first, const std::vector<double>& scores) {
                 find_winners(scores, scorer.classes().size(), result.data() + first);
               });
  }
  return to_numpy<Winners>(std::move(result), {rows.shape(0)});
}

Winners winners_of(const Scorer& scorer, Source& source, unsigned threads) {
  std::vector<std::int64_t> result;
  {
    const nb::gil_scoped_release unlocked;
    source.select(scorer.schema(), false);
    if (scorer.reads_rows()) source.lend_rows();
    stream_chunks<std::vector<std::int64_t>>(
        source, threads, {},
        [&](const Chunk& chunk) {
          std::vector<std::int64_t> part(chunk.rows);
          const std::size_t classes = scorer.classes().size();
          in_slices(chunk, classes, [&](const Chunk& slice, std::size_t first) {
            find_winners(scorer.comparisons(slice), classes, part.data() + first);
          });
          return part;
        },
        [&](const std::vector<std::int64_t>& part) {
          result.insert(result.end(), part.begin(), part.end());
        });
  }
  const std::size_t count = result.size();
  return to_numpy<Winners>(std::move(result), {count});
}

// log P(c, x) as a product: intercepts, and coefficients class by class.
std::pair<Vector, Matrix> linear_form(const Scorer& scorer) {
  LinearForm form;
  {
    const nb::gil_scoped_release unlocked;
    form = scorer.linear_form();
  }
  const std::size_t classes = form.intercepts.size(), features = form.features.size();
  std::vector<double> coefficients(classes * features);
  for (std::size_t f = 0; f < features; ++f) {
    for (std::size_t c = 0; c < classes; ++c) {
      coefficients[c * features + f] = form.features[f].coefficients[c];
    }
  }
  return {to_numpy<Vector>(std::move(form.intercepts), {classes}),
          to_numpy<Matrix>(std::move(coefficients), {classes, features})};
}

using Cubes = nb::ndarray<nb::numpy, double, nb::ndim<3>>;
// Of a model that is one gaussian block: means and covariances of the classes.
std::pair<Matrix, Cubes> gaussians(const Scorer& scorer) {
  std::map<std::string, std::size_t> places;
  for (const auto& column : scorer.schema().columns) places.emplace(column.name, places.size());
  const std::size_t classes = scorer.classes().size(), columns = places.size();
  std::vector<double> means(classes * columns), covariances(classes * columns * columns);
  const auto tables = scorer.tables();
  for (const auto& row : tables.at(0).rows) {
    const std::size_t i = places.at(row.of.at(0)), j = places.at(row.of.back());
    for (std::size_t c = 0; c < classes; ++c) {
      const double value = std::isnan(row.cells[c].value) ? 0.0 : row.cells[c].value;
      if (row.name == "mean") {
        means[c * columns + i] = value;
      } else {
        covariances[(c * columns + i) * columns + j] = value;
        covariances[(c * columns + j) * columns + i] = value;
      }
    }
  }
  return {to_numpy<Matrix>(std::move(means), {classes, columns}),
          to_numpy<Cubes>(std::move(covariances), {classes, columns, columns})};
}

Matrix whitening_of(const Rows& covariance, double tolerance) {
  const auto size = static_cast<Eigen::Index>(covariance.shape(0));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor found =
      whitening(Eigen::Map<const RowMajor>(covariance.data(), size, size), tolerance);
  std::vector<double> values(found.data(), found.data() + found.size());
  return to_numpy<Matrix>(std::move(values),
                          {static_cast<std::size_t>(found.rows()), covariance.shape(1)});
}

// The number that a column of this kind holds for x; NaN when it would refuse x.
double taken(ColumnKind kind, double x) {
  const double refused = std::numeric_limits<double>::quiet_NaN();
  if (kind == ColumnKind::binary) return x > 0 ? 1.0 : 0.0;
  if (kind == ColumnKind::amount || kind == ColumnKind::count) {
    if (x < 0 || (kind == ColumnKind::count && std::trunc(x) != x)) return refused;
  }
  return std::isinf(x) ? refused : x;
}

// The same for a few rows of numbers, without a table and without threads: a row must cost
// microseconds. Column i of the model is column places[i] of the matrix. None where a column holds
// no numbers or refuses one: the long way tells which.
std::optional<Matrix> log_joint_of_numbers(const Scorer& scorer, const Rows& rows,
                                           const std::vector<std::size_t>& places) {
  const auto& columns = scorer.schema().columns;
  Chunk chunk;
  chunk.rows = rows.shape(0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnKind kind = columns[i].kind;
    const bool holds_numbers = kind == ColumnKind::number || kind == ColumnKind::amount ||
                               kind == ColumnKind::count || kind == ColumnKind::binary;
    if (!holds_numbers || i >= places.size() || places[i] >= rows.shape(1)) return std::nullopt;
    Numbers numbers;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const double x = rows(r, places[i]);
      const double value = std::isnan(x) ? x : taken(kind, x);
      if (std::isnan(value) && !std::isnan(x)) return std::nullopt;
      numbers.values.push_back(value);
    }
    chunk.columns.emplace_back(std::move(numbers));
  }
  return to_numpy<Matrix>(scorer.log_joint(chunk), {chunk.rows, scorer.classes().size()});
}

// Rows of categories that are whole numbers, column i of the matrix that of the model.
using CodeRows = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Small numbers are their own codes, and their dictionary is made for all columns at once.
Chunk chunk_of_codes(const CodeRows& rows, std::size_t begin, std::size_t end) {
  const std::size_t columns = rows.shape(1);
  const std::int64_t* from = rows.data() + begin * columns;
  const std::int64_t* to = rows.data() + end * columns;
  std::uint64_t bits = 0;  // of all numbers: none is larger than these
  for (const auto* value = from; value < to; ++value) bits |= static_cast<std::uint64_t>(*value);
  if (static_cast<std::int64_t>(bits) < 0) {
    throw Error(ErrorKind::data, "Negative values in data passed to X");
  }
  Chunk chunk;
  chunk.rows = end - begin;
  const bool small = bits < std::min<std::size_t>(1024, 32 + 4 * chunk.rows);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; small && i <= bits; ++i) names.push_back(std::to_string(i));
  for (std::size_t i = 0; i < columns; ++i) {
    Categories words{std::vector<std::int32_t>(chunk.rows), names};
    std::map<std::int64_t, std::int32_t> codes;
    for (std::size_t r = 0; small && r < chunk.rows; ++r) {
      words.codes[r] = static_cast<std::int32_t>(from[r * columns + i]);
    }
    for (std::size_t r = 0; !small && r < chunk.rows; ++r) {
      const std::int64_t value = from[r * columns + i];
      const auto [found, is_new] = codes.emplace(value, static_cast<std::int32_t>(codes.size()));
      if (is_new) words.dictionary.push_back(std::to_string(value));
      words.codes[r] = found->second;
    }
    chunk.columns.emplace_back(std::move(words));
  }
  return chunk;
}

// use(first row, scores), some rows at a time, from several threads.
template <class Use>
void score_codes(const Scorer& scorer, const CodeRows& rows, bool exact, const Use& use) {
  const std::size_t count = rows.shape(0);
  constexpr std::size_t part = 1024;  // whose scores stay near
  const auto score = [&](std::size_t p) {
    const Chunk chunk = chunk_of_codes(rows, p * part, std::min(count, (p + 1) * part));
    use(p * part, exact ? scorer.log_joint(chunk) : scorer.comparisons(chunk));
  };
  if (count <= part) return score(0);
  parallel_for(0, (count + part - 1) / part, score);
}

Matrix log_joint_of_codes(const Scorer& scorer, const CodeRows& rows) {
  const std::size_t classes = scorer.classes().size();
  std::vector<double> joint(rows.shape(0) * classes);
  {
    const nb::gil_scoped_release unlocked;
    score_codes(scorer, rows, true, [&](std::size_t first, const std::vector<double>& scores) {
      std::copy(scores.begin(), scores.end(),
                joint.begin() + static_cast<std::ptrdiff_t>(first * classes));
    });
  }
  return to_numpy<Matrix>(std::move(joint), {rows.shape(0), classes});
}

Winners winners_of_codes(const Scorer& scorer, const CodeRows& rows) {
  std::vector<std::int64_t> result(rows.shape(0));
  {
    const nb::gil_scoped_release unlocked;
    score_codes(scorer, rows, false, [&](std::size_t first, const std::vector<double>& scores) {
      find_winners(scores, scorer.classes().size(), result.data() + first);
    });
  }
  return to_numpy<Winners>(std::move(result), {rows.shape(0)});
}

// Several numbers at a time where the processor can: it reads them faster than it compares one by
// one.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_IN_MANY __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CREDENCE_IN_MANY
#endif

// largest[i] becomes that of column i; the result is below 0 where some number is.
CREDENCE_IN_MANY std::int64_t raise_largest(const std::int64_t* rows, std::size_t count,
                                            std::size_t columns, std::int64_t* __restrict largest) {
  std::int64_t bits = 0;
  for (std::size_t r = 0; r < count; ++r, rows += columns) {
    for (std::size_t i = 0; i < columns; ++i) {
      const std::int64_t number = rows[i];
      largest[i] = number > largest[i] ? number : largest[i];
      bits |= number;
    }
  }
  return bits;
}

// The largest number of every column, or nothing where one is below 0.
std::optional<std::vector<std::int64_t>> largest_codes(const CodeRows& rows) {
  const nb::gil_scoped_release unlocked;
  const std::size_t columns = rows.shape(1), count = rows.shape(0);
  constexpr std::size_t part = 4096;
  const std::size_t parts = (count + part - 1) / part;
  std::vector<std::vector<std::int64_t>> largest(parts, std::vector<std::int64_t>(columns, 0));
  std::vector<std::int64_t> bits(parts, 0);
  parallel_for(0, parts, [&](std::size_t p) {
    const std::size_t first = p * part, many = std::min(part, count - first);
    bits[p] = raise_largest(rows.data() + first * columns, many, columns, largest[p].data());
  });
  if (*std::min_element(bits.begin(), bits.end()) < 0) return std::nullopt;
  for (const auto& own : largest) {
    for (std::size_t i = 0; i < columns; ++i) largest[0][i] = std::max(largest[0][i], own[i]);
  }
  return largest[0];
}

// winner, other, log-odds, probabilities, log p(x), lines of (column, value, weight, log density
// under the winner, under the other), why it is undecidable.
using Line = std::tuple<std::string, std::string, double, double, double>;
using Reasons = std::tuple<std::size_t, std::size_t, double, std::vector<double>, double,
                           std::vector<Line>, std::string>;

Reasons reasons(const Scorer& scorer, const Chunk& chunk, std::size_t row, int against) {
  Explanation found = scorer.explain(chunk, row);
  if (against >= 0) {
    found = scorer.explain(chunk, row, found.winner, static_cast<std::size_t>(against));
  }
  std::vector<Line> lines;
  for (const auto& line : found.lines) {
    lines.emplace_back(line.column, line.value, line.weight, line.winner, line.other);
  }
  return {found.winner,
          found.other,
          found.log_odds,
          found.posterior.probabilities,
          found.posterior.log_evidence,
          std::move(lines),
          found.undecidable_because};
}

std::vector<Reasons> explain(const Scorer& scorer, Source& source, unsigned threads, int against) {
  std::vector<Reasons> all;
  source.select(scorer.schema(), false);
  stream_chunks<std::vector<Reasons>>(
      source, threads, {},
      [&](const Chunk& chunk) {
        std::vector<Reasons> part;
        for (std::size_t row = 0; row < chunk.rows; ++row) {
          part.push_back(reasons(scorer, chunk, row, against));
        }
        return part;
      },
      [&](std::vector<Reasons> part) {
        all.insert(all.end(), std::make_move_iterator(part.begin()),
                   std::make_move_iterator(part.end()));
      });
  return all;
}

// A column as (kind, data): numbers; words with None for a missing one; bags as dictionaries.
nb::object column_object(const Column& column, std::size_t rows) {
  if (const auto* numbers = std::get_if<Numbers>(&column)) {
    return nb::cast(to_numpy<Vector>(numbers->values, {rows}));
  }
  nb::list cells;
  if (const auto* words = std::get_if<Categories>(&column)) {
    for (const auto code : words->codes) {
      if (code < 0) {
        cells.append(nb::none());
      } else {
        cells.append(words->dictionary[static_cast<std::size_t>(code)]);
      }
    }
    return cells;
  }
  const auto& bags = std::get<Bags>(column);
  for (std::size_t row = 0; row < rows; ++row) {
    nb::dict bag;
    for (std::size_t i = bags.offsets[row]; i < bags.offsets[row + 1]; ++i) {
      bag[nb::cast(bags.dictionary[static_cast<std::size_t>(bags.features[i])])] = bags.counts[i];
    }
    cells.append(bag);
  }
  return cells;
}

using Columns = nb::typed<nb::list, nb::object>;

std::pair<Columns, std::vector<std::int32_t>> sample(const Scorer& scorer, std::size_t rows,
                                                     std::uint64_t seed) {
  Chunk chunk;
  {
    const nb::gil_scoped_release unlocked;
    chunk = scorer.sample(rows, seed);
  }
  Columns columns;
  for (const auto& column : chunk.columns) columns.append(column_object(column, rows));
  return {columns, chunk.labels.codes};
}

// (title, family, remark, rows of (name, values), lists of (title, words with numbers))
using Table =
    std::tuple<std::string, std::string, std::string,
               std::vector<std::pair<std::string, std::vector<double>>>,
               std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>;

std::vector<Table> tables(const Scorer& scorer) {
  std::vector<Table> result;
  for (const auto& table : scorer.tables()) {
    std::vector<std::pair<std::string, std::vector<double>>> rows;
    for (const auto& row : table.rows) {
      auto& values = rows.emplace_back(row.label(), std::vector<double>()).second;
      for (const auto& cell : row.cells) values.push_back(cell.value);
    }
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>> lists;
    for (const auto& list : table.lists) lists.emplace_back(list.title, list.words);
    result.emplace_back(table.title, table.family, table.remark, std::move(rows), std::move(lists));
  }
  return result;
}

}  // namespace

void bind_scorers(nb::module_& module) {
  nb::class_<Scorer>(module, "Scorer")
      .def(
          "__init__", [](Scorer* scorer, const Model& model) { new (scorer) Scorer(model); },
          nb::arg("model"), Unlocked())
      .def("log_joint", &log_joint, nb::arg("source"), nb::arg("threads"))
      .def("log_joint_of_rows", &log_joint_of_rows, nb::arg("rows"), nb::arg("gaps"),
           nb::arg("exact"))
      .def("log_joint_of_codes", &log_joint_of_codes, nb::arg("rows"))
      .def("winners_of_codes", &winners_of_codes, nb::arg("rows"))
      .def("winners", &winners, nb::arg("rows"), nb::arg("gaps"))
      .def("winners_of", &winners_of, nb::arg("source"), nb::arg("threads"))
      .def("linear_form", &linear_form)
      .def("gaussians", &gaussians)
      .def_prop_ro("reads_rows", &Scorer::reads_rows)
      .def("log_joint_of_numbers", &log_joint_of_numbers, nb::arg("rows"), nb::arg("places"))
      .def("explain", &explain, nb::arg("source"), nb::arg("threads"), nb::arg("against") = -1,
           Unlocked())
      .def("sample", &sample, nb::arg("rows"), nb::arg("seed"))
      .def("tables", &tables, Unlocked())
      .def_prop_ro("classes", [](const Scorer& scorer) { return scorer.classes(); })
      .def_prop_ro("log_prior", [](const Scorer& scorer) { return scorer.log_prior(); })
      .def_prop_ro("parameters", &Scorer::parameters)
      .def_prop_ro("log_likelihood", &Scorer::log_likelihood);
  module.def("largest_codes", &largest_codes, nb::arg("rows"));
  module.def("whitening", &whitening_of, nb::arg("covariance"), nb::arg("tolerance"));
}

}  // namespace credence::python
