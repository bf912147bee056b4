// SPDX-License-Identifier: Apache-2.0
#include "words/spare_builders.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace credence::text {
namespace {

struct Spare {
  std::string tokens;
  std::unique_ptr<BagBuilder> builder;
};

// A model has few columns of text; more would only hold memory.
constexpr std::size_t most = 2;
thread_local std::vector<Spare> spares;

}  // namespace

std::unique_ptr<BagBuilder> take_builder(const std::string& tokens) {
  // The last one first: its memory is the nearest.
  const auto found = std::find_if(spares.rbegin(), spares.rend(),
                                  [&](const Spare& spare) { return spare.tokens == tokens; });
  if (found != spares.rend()) {
    auto builder = std::move(found->builder);
    spares.erase(std::next(found).base());
    return builder;
  }
  return std::make_unique<BagBuilder>(parse_token_options(tokens));
}

void give_back(const std::string& tokens, std::unique_ptr<BagBuilder> builder) {
  if (spares.size() == most) spares.erase(spares.begin());
  spares.push_back({tokens, std::move(builder)});
}

}  // namespace credence::text
