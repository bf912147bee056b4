// SPDX-License-Identifier: Apache-2.0
#include "core/interner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace credence {
namespace {

// Strings that are easily mistaken for each other: of one letter, with the same beginning and end.
std::vector<std::string> alike() {
  std::vector<std::string> strings;
  for (std::size_t size = 1; size <= 40; ++size) {
    strings.emplace_back(size, 'a');
    strings.push_back(std::string(size, 'a') + "b");
    strings.push_back("b" + std::string(size, 'a') + "c");
    strings.push_back("b" + std::string(size, 'a') + "cd");
    for (std::size_t at = 0; at < size; at += 3) {
      std::string changed(size, 'a');
      changed[at] = 'x';
      strings.push_back(std::move(changed));
    }
  }
  return strings;
}

TEST(Interner, tells_strings_of_any_length_apart) {
  Interner interner;
  std::map<std::string, std::int32_t> expected;
  for (int round = 0; round < 2; ++round) {
    for (const auto& text : alike()) {
      const auto [known, is_new] =
          expected.emplace(text, static_cast<std::int32_t>(expected.size()));
      EXPECT_EQ(interner(text), known->second) << text;
    }
  }
  EXPECT_EQ(interner.size(), expected.size());
  for (const auto& [text, number] : expected) {
    EXPECT_EQ(interner.strings()[static_cast<std::size_t>(number)], text);
    EXPECT_EQ(interner.find(hash(text + "y")), -1) << text;
  }
  const StringIndex index(interner.strings());
  for (const auto& [text, number] : expected) {
    EXPECT_EQ(index.find(hash(text), interner.strings()), number) << text;
  }
}

TEST(Interner, is_empty_after_clearing_whether_much_was_used_or_little) {
  for (const int many : {10, 100000}) {
    Interner interner;
    for (int i = 0; i < 100000; ++i) interner("word" + std::to_string(i));
    interner.clear();
    for (int i = 0; i < many; ++i) interner("other" + std::to_string(i));
    interner.clear();
    EXPECT_EQ(interner.size(), 0u);
    EXPECT_EQ(interner.find(hash("other3")), -1);
    EXPECT_EQ(interner("other3"), 0);
  }
}

RC_GTEST_PROP(Hash, does_not_look_behind_the_end, (std::uint64_t seed)) {
  Random random(seed);
  std::string text;
  for (std::size_t size = 1 + random.below(60); size > 0; --size) {
    text += static_cast<char>(1 + random.below(255));
  }
  std::string padded = text;
  for (int i = 0; i < 8; ++i) padded += static_cast<char>(random.below(256));
  const auto one = hash(text), other = hash_padded(padded.data(), text.size());
  RC_ASSERT(one.hash == other.hash && one.head == other.head && one.tail == other.tail);
}

}  // namespace
}  // namespace credence
