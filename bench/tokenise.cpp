// SPDX-License-Identifier: Apache-2.0
// How many megabytes of text per second become tokens, and bags. Not part of the build:
//
//   g++ -std=c++20 -O2 -Isrc -Iinclude bench/tokenise.cpp src/words/*.cpp src/core/*.cpp
//       -o tokenise -lutf8proc -lstemmer -lfmt
//   ./tokenise FILE [OPTIONS]
//
// FILE has documents with a NUL behind each (or is one document), OPTIONS are those of
// parse_token_options. Every figure is the best of seven rounds, in processor time, on one
// thread: others on the machine disturb it little.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "credence/error.hpp"
#include "words/bag_builder.hpp"
#include "words/tokeniser.hpp"

namespace {

using namespace credence;

constexpr std::size_t rows_in_chunk = 8192;

template <class Work>
double best_seconds(Work&& work) {
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

// Touches what the tokeniser made, so that none of it can be left out.
struct Sum {
  std::size_t words = 0, bytes = 0;
  std::uint64_t hashes = 0;
  void word(const HashedBytes& word) {
    ++words;
    bytes += word.size;
    hashes += word.hash;
  }
  void settle() {}
  void gap() {}
};

std::vector<std::string_view> split_documents(std::string_view all) {
  std::vector<std::string_view> documents;
  while (!all.empty()) {
    const auto end = all.find('\0');
    documents.push_back(all.substr(0, end));
    all = end == all.npos ? std::string_view() : all.substr(end + 1);
  }
  return documents;
}

int run(int count, char** arguments) {
  if (count < 2) throw Error(ErrorKind::usage, "tokenise FILE [OPTIONS]");
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  if (all.empty()) throw Error(ErrorKind::data, fmt::format("{}: nothing to read", arguments[1]));
  const auto options = text::parse_token_options(count > 2 ? arguments[2] : "");
  const auto documents = split_documents(all);
  const double megabytes = static_cast<double>(all.size()) / 1e6;
  fmt::print("{} documents, {:.1f} MB, options \"{}\"\n", documents.size(), megabytes,
             text::to_string(options));

  Sum sum;
  text::Tokeniser tokeniser(options);
  const double words_seconds = best_seconds([&] {
    sum = {};
    for (const auto document : documents) tokeniser.words(document, sum);
  });
  fmt::print("words  {:7.1f} MB/s  {} words, {} bytes, sum of hashes {:016x}\n",
             megabytes / words_seconds, sum.words, sum.bytes, sum.hashes);

  std::size_t features = 0, entries = 0;
  text::BagBuilder builder(options);
  const double bags_seconds = best_seconds([&] {
    features = entries = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      builder.add_document(documents[i]);
      if (builder.rows() < rows_in_chunk && i + 1 < documents.size()) continue;
      const auto bags = builder.finish();
      features += bags.dictionary.size();
      entries += bags.features.size();
    }
  });
  fmt::print("bags   {:7.1f} MB/s  {} entries in rows, {} in the dictionaries of chunks\n",
             megabytes / bags_seconds, entries, features);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "tokenise: {}\n", error.what());
    return 1;
  }
}
