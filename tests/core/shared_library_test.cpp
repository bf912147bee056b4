// SPDX-License-Identifier: Apache-2.0
#include "core/shared_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "credence/error.hpp"

namespace credence {
namespace {

#ifdef __APPLE__
constexpr const char* zlib = "libz.1.dylib";
#else
constexpr const char* zlib = "libz.so.1";
#endif

std::string error_of(const auto& what) {
  try {
    what();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    return error.what();
  }
  return "";
}

TEST(SharedLibrary, finds_functions_that_work) {
  const SharedLibrary library(zlib, "checksums need");
  const auto crc = library.function<decltype(&::crc32)>("crc32");
  EXPECT_EQ(crc(0, reinterpret_cast<const Bytef*>("123456789"), 9), 0xCBF43926u);
}

TEST(SharedLibrary, that_is_not_there_is_an_error_that_says_what_for) {
  EXPECT_THAT(
      error_of([] { SharedLibrary("libno-such-thing.so.7", "pictures need"); }),
      ::testing::StartsWith("pictures need libno-such-thing.so.7, which cannot be loaded: "));
}

TEST(SharedLibrary, without_a_function_is_said_to_be_of_another_version) {
  const SharedLibrary library(zlib, "checksums need");
  EXPECT_EQ(error_of([&] { (void)library.function<void (*)()>("no_such_function"); }),
            std::string(zlib) +
                " has no no_such_function: it is not the version that credence was built for");
}

}  // namespace
}  // namespace credence
