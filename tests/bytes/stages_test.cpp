// SPDX-License-Identifier: Apache-2.0
#include "bytes/stages.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "bytes/bytes.hpp"
#include "credence/error.hpp"
#include "tables/temp_folder.hpp"

namespace credence::data {
namespace {

using namespace std::string_view_literals;
using data_test::data_error;
using data_test::TempFolder;

std::string all_of(Bytes& bytes, std::size_t piece) {
  std::string text, part(piece, '\0');
  while (true) {
    const std::size_t got = bytes.read(part.data(), piece);
    text.append(part, 0, got);
    if (got < piece) return text;
  }
}

std::string file_text(const std::string& path) {
  ByteInput input(path, true);
  std::string text(1 << 20, '\0');
  text.resize(input.read(text.data(), text.size()));
  return text;
}

TEST(Stages, utf16_is_told_by_its_mark_or_by_its_zeros) {
  EXPECT_EQ(utf16_of("\xFF\xFE"
                     "a\0"sv),
            Utf16::little);
  EXPECT_EQ(utf16_of("\xFE\xFF\0a"sv), Utf16::big);
  EXPECT_EQ(utf16_of("a\0,\0b\0\n\0"sv), Utf16::little);
  EXPECT_EQ(utf16_of("\0a\0,\0b\0\n"sv), Utf16::big);
  EXPECT_EQ(utf16_of("\xFF\xFE\0\0a\0\0\0"sv), Utf16::no);
  EXPECT_EQ(utf16_of("a,b\n1,\0\n"sv), Utf16::no);
  EXPECT_EQ(utf16_of("a,b\n"), Utf16::no);
}

TEST(Stages, pairs_of_surrogates_may_lie_across_any_border) {
  const std::string_view text = "\xFF\xFE\x3D\xD8\x00\xDEx\0"sv;
  for (const std::size_t piece : {1, 2, 3, 7, 100}) {
    const auto utf8 = from_utf16(Utf16::little, memory_bytes(text), "x");
    EXPECT_EQ(all_of(*utf8, piece), "\xF0\x9F\x98\x80x");
  }
}

TEST(Stages, what_follows_gzip_is_gzip_or_nothing) {
  TempFolder folder;
  folder.write_gzip("a", "one\n");
  std::ifstream file("a", std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(file)), {});
  folder.write("x", packed + packed);
  EXPECT_EQ(file_text("x"), "one\none\n");
  folder.write("x", packed + std::string(100, '\0'));
  EXPECT_EQ(file_text("x"), "one\n");
  folder.write("x", packed + "more");
  EXPECT_EQ(data_error([] { file_text("x"); }), "x: damaged or cut short gzip data");
}

TEST(Stages, a_head_is_read_again) {
  std::string long_text(10000, 'x');
  long_text += "end";
  for (const std::size_t piece : {1, 4095, 4096, 4097, 20000}) {
    Headed headed(memory_bytes(long_text));
    EXPECT_EQ(headed.head(), long_text.substr(0, 4096));
    EXPECT_EQ(all_of(headed, piece), long_text);
  }
}

TEST(Stages, the_end_of_a_name_says_how_it_is_packed) {
  EXPECT_EQ(extension_of("a/b.CSV.xz"), ".csv");
  EXPECT_EQ(extension_of("a.b/c"), "");
  EXPECT_EQ(extension_of("train.zip"), "");
  EXPECT_EQ(without_packing("spam.mbox.zst"), "spam.mbox");
}

}  // namespace
}  // namespace credence::data
