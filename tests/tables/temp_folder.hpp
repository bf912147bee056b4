// SPDX-License-Identifier: Apache-2.0
// Small files to read in tests, and short ways to read them whole.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "credence/error.hpp"
#include "credence/source.hpp"
#include "error_of.hpp"

namespace credence::data_test {

// An empty folder that is the current one while it lives, so that messages show bare file names.
class TempFolder {
 public:
  TempFolder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "credence_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::filesystem::current_path(folder_);
  }
  ~TempFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(name, std::ios::binary).write(text.data(), std::ssize(text));
  }

  void write_gzip(const std::string& name, std::string_view text) const {
    gzFile file = gzopen(name.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

// What fails with an Error of kind data: its message.
template <class Action>
std::string data_error(Action action) {
  return error_of(action, ErrorKind::data);
}

inline Schema schema_of(std::vector<ColumnSpec> columns, std::string target = "",
                        std::string weights = "") {
  Schema schema;
  schema.columns = std::move(columns);
  schema.target = std::move(target);
  schema.weights = std::move(weights);
  return schema;
}

// Labelled documents.
inline Schema text_schema(const std::string& tokens = "") {
  return schema_of({{"text", ColumnKind::text, {}, tokens}}, "label");
}

// All chunks of a source, one after the other.
inline std::vector<Chunk> chunks_of(Source& source) {
  std::vector<Chunk> chunks;
  RawChunk raw;
  while (source.read(raw)) {
    chunks.push_back(source.parse(raw));
    EXPECT_EQ(chunks.back().rows, raw.rows);
  }
  return chunks;
}

inline std::vector<Chunk> read_all(const std::vector<std::string>& paths, const Schema& schema,
                                   bool training = true, const ReadOptions& options = {}) {
  const auto source = open_source(paths, options);
  source->select(schema, training);
  return chunks_of(*source);
}

inline std::string read_error(const std::string& path, const Schema& schema, bool training = true,
                              const ReadOptions& options = {}) {
  return data_error([&] { read_all({path}, schema, training, options); });
}

// The words of a column; "<missing>" where there is none.
inline std::vector<std::string> words(const Categories& categories) {
  std::vector<std::string> out;
  for (const auto code : categories.codes) {
    out.push_back(code == Categories::missing_code
                      ? "<missing>"
                      : categories.dictionary.at(static_cast<std::size_t>(code)));
  }
  return out;
}
inline std::vector<std::string> words(const Chunk& chunk, std::size_t column) {
  return words(std::get<Categories>(chunk.columns.at(column)));
}
inline const std::vector<double>& numbers(const Chunk& chunk, std::size_t column) {
  return std::get<Numbers>(chunk.columns.at(column)).values;
}

// The bags of a column, each as "a:1 b:2"; "<missing>" where there is none.
inline std::vector<std::string> bags(const Chunk& chunk, std::size_t column) {
  const Bags& all = std::get<Bags>(chunk.columns.at(column));
  std::vector<std::string> out;
  for (std::size_t row = 0; row + 1 < all.offsets.size(); ++row) {
    std::string text;
    for (std::size_t i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      const auto code = static_cast<std::size_t>(all.features[i]);
      std::string count = std::to_string(all.counts[i]);
      count.erase(count.find_last_not_of('0') + 1);
      if (count.ends_with('.')) count.pop_back();
      text += (text.empty() ? "" : " ") + all.dictionary.at(code) + ":" + count;
    }
    out.push_back(all.missing.at(row) ? "<missing>" : text);
  }
  return out;
}

// One column of words or of numbers from a file with the text.
inline std::vector<std::string> read_words(const std::string& path, const std::string& column,
                                           const ReadOptions& options = {}) {
  std::vector<std::string> out;
  for (const Chunk& chunk :
       read_all({path}, schema_of({{column, ColumnKind::category, {}}}), true, options)) {
    for (auto& word : words(std::get<Categories>(chunk.columns[0]))) out.push_back(word);
  }
  return out;
}
inline std::vector<std::string> column_names(const Source& source) {
  std::vector<std::string> out;
  for (const auto& column : source.profile()) out.push_back(column.name);
  return out;
}

using Words = std::vector<std::string>;
using Values = std::vector<double>;

}  // namespace credence::data_test
