// SPDX-License-Identifier: Apache-2.0
// Sources of rows. A source is read once, front to back, a chunk at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

enum class FileFormat {
  automatic,
  csv,
  tsv,
  json_lines,
  libsvm,
  arff,      // Weka's: names, types and nominal values, then rows
  labelled,  // label, tab, text on every line, no header, no quotes
  mail,      // a mail per file, or many in an mbox
};

// What becomes of a cell that its column cannot hold, such as a word among numbers: an error, a
// missing value, or the end of its row, which is left out.
enum class BadCells { refuse, missing, skip };

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  // automatic: by file name, then by content
  char delimiter = '\0';                      // CSV: '\0' detects , ; tab or |
  bool header = true;  // CSV: the first record holds the names (else c1, c2, …)
  std::vector<std::string> missing = Schema{}.missing;
  std::string feature_names;  // libsvm: a file whose line i names feature i
  BadCells bad_cells = BadCells::refuse;
};

// What a sample of the source says of a column, before any schema is fixed.
struct ColumnProfile {
  std::string name;
  std::size_t present = 0;    // cells of the sample that are not missing
  std::size_t numbers = 0;    // of these, how many read as numbers (inf, nan and 1e999 included)
  std::size_t distinct = 0;   // different values among them
  bool zero_one = false;      // every present cell is 0 or 1
  bool bag = false;           // a sparse set (libsvm features, JSON object or array)
  bool whole = false;         // every number (for a bag: every count) is whole and not negative
  bool unit = false;          // for a bag: every count is 1
  std::string example = {};   // one of its values
  double words = 0;           // of a value, on average
  bool text = false;          // the source knows that it holds documents
  bool row_numbers = false;   // every number is whole and above (or below) that of the row before
  bool own_numbers = false;   // every number is whole, and no two rows have the same
  bool without_gaps = false;  // so are they, and all from the least to the largest are there
  bool long_digits = false;   // some number has more digits than a double holds
  bool codes = false;         // digits with a zero in front, as of postal codes: words, not numbers
  std::string reading = {};   // how numbers, dates or times are written (ColumnSpec); "": plainly
  std::string doubt = {};     // why cells that look like numbers or dates are not read so
  std::vector<std::string> values = {};  // the values that the source declares; empty: it does not
  bool spare = false;     // repeats other columns, or says where rows are from: on request
  bool headline = false;  // a text whose words are in a longer text of the source, too
  std::vector<double> sample = {};         // of its finite numbers, evenly spaced among the rows
  std::vector<std::string> cells = {};     // the same of cells, where not all are plain numbers
  std::vector<std::string> frequent = {};  // where several columns hold sentences: their words
};

// A piece of the source cut at record borders, not yet parsed: what lets parsing run in parallel.
struct RawChunk {
  std::string bytes;           // whole records
  std::size_t file = 0;        // which of the files it is from
  std::size_t first_line = 1;  // line number, in that file, of the first byte
  std::size_t rows = 0;        // records in it
};

// Called with bytes read and bytes in all (0: unknown), from the reading thread.
using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

class Source {
 public:
  virtual ~Source() = default;

  // The columns in file order, profiled from the first rows (up to a few megabytes of them).
  virtual const std::vector<ColumnProfile>& profile() const = 0;

  // Fixes what is read: schema columns, target and weights, matched to the source by name.
  // training: a category outside its declared domain and a missing target column are errors.
  virtual void select(const Schema& schema, bool training) = 0;

  // Asks, after select(), for the rows as they lie in memory (Chunk::matrix) in place of columns.
  // False: the source has none, and gives columns as ever.
  virtual bool lend_rows() { return false; }

  // The next piece, of a fixed number of rows that depends on the schema alone; false at the end.
  // Serial. parse() is const and may run on several threads at once.
  virtual bool read(RawChunk& raw) = 0;
  virtual Chunk parse(const RawChunk& raw) const = 0;

  // The column that holds the class where nobody says; "": the source does not know.
  virtual std::string default_target() const { return {}; }
  // What was left out or looked odd, for people to read; complete when all is read.
  virtual std::vector<std::string> notes() const { return {}; }
  // Whether rows have names, such as a file's; and those of the rows of what parse() gave.
  virtual bool names_rows() const { return false; }
  virtual std::vector<std::string> row_names(const RawChunk&) const { return {}; }

  // Where rows are records of a text file: what stands in front of them (the header of a CSV file),
  // and those of a piece as they are, without their line ends. Nothing where rows are no records.
  virtual std::string head() const { return {}; }
  virtual std::vector<std::string_view> records(const RawChunk&) const { return {}; }

  // For progress: bytes taken from the files so far, and in all (0: unknown).
  virtual std::uint64_t bytes_read() const = 0;
  virtual std::uint64_t bytes_total() const = 0;
};

// Opens one or several files ("-" is standard input) as one source. Plain or packed by gzip, bzip2,
// xz, zstd or zip ("data.zip/train.csv" names a file of one). A
// folder is a source too: each file is a row, and subfolders are classes.
std::unique_ptr<Source> open_source(const std::vector<std::string>& paths,
                                    const ReadOptions& options = {});

// Rows written as "Outlook=Sunny, Wind=Weak", each a row; columns not named are missing. A bag is
// written as its words: "words=review us now".
Chunk parse_given(const Schema& schema, const std::vector<std::string>& rows,
                  std::string_view name_of_rows = "given");

// Rows in a chunk: fewer when there are many columns, so that a chunk stays near 8 MB.
std::size_t rows_per_chunk(const Schema& schema);

}  // namespace credence
