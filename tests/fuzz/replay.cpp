// SPDX-License-Identifier: Apache-2.0
// Runs the targets without libFuzzer:
//   credence_fuzz CORPUS CHANGES   every file of every target's folder, and as many changes of each
//   credence_fuzz TARGET FILE...   inputs again
// The changes are the same in every run. Before a run its input is written to fuzz-input, so that
// a crash leaves it there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/fuzz.hpp"

namespace {

namespace fs = std::filesystem;
using credence::fuzz::Target;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> inputs_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> inputs;
  for (const auto& path : paths) inputs.push_back(read(path));
  return inputs;
}

// An input with a few pieces taken out, doubled, exchanged for others, or of another file.
std::string changed(std::string input, const std::vector<std::string>& others,
                    std::mt19937_64& random) {
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(input.size() + 1), length = 1 + below(below(2) ? 4 : 40);
    const std::string& other = below(2) ? input : others[below(others.size())];
    const std::string piece = other.substr(below(other.size() + 1), length);
    switch (below(4)) {
      case 0:
        input.erase(at, length);
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random());
        break;
      case 2:
        input.insert(at, piece);
        break;
      default:
        input.replace(at, std::min(length, input.size() - at), piece);
    }
  }
  return input;
}

void run(const Target& target, const std::string& input) {
  std::ofstream("fuzz-input", std::ios::binary) << target.name << "\n" << input;
  target.run(input);
}

void replay(const Target& target, const fs::path& corpus, std::size_t changes) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto inputs = inputs_in(corpus / target.name);
  std::mt19937_64 random(20261116);
  for (const auto& input : inputs) {
    run(target, input);
    for (std::size_t i = 0; i < changes; ++i) run(target, changed(input, inputs, random));
  }
  std::printf("%s: %zu inputs and %zu changes of each in %.1f s\n", target.name.c_str(),
              inputs.size(), changes, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() < 2) return 2;
  for (const auto& target : credence::fuzz::targets()) {
    if (fs::is_directory(arguments[0])) {
      replay(target, arguments[0], std::stoul(arguments[1]));
    } else if (target.name == arguments[0]) {
      for (std::size_t i = 1; i < arguments.size(); ++i) target.run(read(arguments[i]));
    }
  }
  fs::remove("fuzz-input");
  return 0;
}
