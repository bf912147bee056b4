// SPDX-License-Identifier: Apache-2.0
// Tunes the strength of the prior on numbers that are in memory already. tune.py runs it:
//   tune NUMBERS LABELS FOLDS ROWS COLUMNS RULE...
// NUMBERS: doubles, column after column; LABELS: a byte per row; FOLDS: written, a byte per row.
#include "credence/tune.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "hold_out/dealt.hpp"

using namespace credence;

namespace {

template <typename Value>
std::vector<Value> read(const char* path, std::size_t count) {
  std::vector<Value> values(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(Value)));
  if (!file) throw std::runtime_error(std::string(path) + ": too short");
  return values;
}

double processor_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = std::stoul(argv[4]), columns = std::stoul(argv[5]);
  const auto numbers = read<double>(argv[1], rows * columns);
  const auto labels = read<unsigned char>(argv[2], rows);
  Schema schema;
  schema.target = "class";
  std::vector<BlockSpec> blocks;
  for (std::size_t j = 0; j < columns; ++j) {
    schema.columns.push_back({"x" + std::to_string(j), ColumnKind::number, {}});
    blocks.push_back({"gaussian", {j}});
  }
  const Model model(schema, blocks);
  std::vector<Chunk> chunks;
  const std::size_t most = rows_per_chunk(schema);
  for (std::size_t from = 0; from < rows; from += most) {
    Chunk chunk;
    chunk.rows = std::min(most, rows - from);
    for (std::size_t j = 0; j < columns; ++j) {
      const double* column = numbers.data() + j * rows + from;
      chunk.columns.emplace_back(Numbers{{column, column + chunk.rows}});
    }
    chunk.labels.dictionary = {"0", "1"};
    chunk.labels.codes.assign(labels.begin() + static_cast<std::ptrdiff_t>(from),
                              labels.begin() + static_cast<std::ptrdiff_t>(from + chunk.rows));
    chunks.push_back(std::move(chunk));
  }
  std::vector<Candidate> candidates;
  for (int i = 6; i < argc; ++i) {
    Candidate candidate;
    for (std::size_t j = 0; j < columns; ++j) candidate.blocks.push_back(j);
    candidate.settings.rule = parse_rule(argv[i]);
    candidates.push_back(std::move(candidate));
  }
  TuneOptions options;
  {
    std::vector<unsigned char> folds;
    for (const auto& row : deal_out(chunks, schema, options.folds).rows) {
      folds.push_back(static_cast<unsigned char>(row.fold));
    }
    std::ofstream(argv[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(folds.data()),
               static_cast<std::streamsize>(folds.size()));
  }
  double wall = 1e9, processor = 1e9;
  Tuning tuning{{}, 0, model};
  for (int run = 0; run < 6; ++run) {  // the first to warm up; the least counts
    const auto start = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    tuning = tune(model, candidates, chunks, options);
    const Model best = fit_candidate(tuning.whole, candidates[tuning.best], {});
    wall = std::min(
        wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    processor = std::min(processor, processor_seconds() - before);
  }
  std::printf("{\"seconds\": %.4f, \"processor_seconds\": %.4f, \"best\": %zu, \"tried\": [", wall,
              processor, tuning.best);
  for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
    std::printf("%s[%.10f, %.10f]", i ? ", " : "", tuning.tried[i].accuracy,
                tuning.tried[i].log_loss);
  }
  std::printf("]}\n");
}
