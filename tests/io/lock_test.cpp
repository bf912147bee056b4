// SPDX-License-Identifier: Apache-2.0
#include "io/lock.hpp"

#include <gtest/gtest.h>

#include <string>

#include "credence/error.hpp"
#include "credence/io.hpp"
#include "tables/temp_folder.hpp"

namespace credence {
namespace {

TEST(ModelLock, SecondOneIsRefusedUntilTheFirstIsReleased) {
  const data_test::TempFolder folder;
  const std::string path = "m";
  folder.write(path, "old");
  ModelLock first(path);
  EXPECT_THROW(ModelLock(path, false), Error);
  first.release();
  EXPECT_NO_THROW(ModelLock(path, false));
}

TEST(ModelLock, GoesOverToTheFileThatTakesThePlace) {
  const data_test::TempFolder folder;
  const std::string path = "m";
  folder.write(path, "old");
  {
    const ModelLock lock(path);
    for (const char* text : {"new", "newer"}) {
      write_atomically(path, text);
      EXPECT_EQ(read_model_bytes(path).view(), text);
      EXPECT_THROW(ModelLock(path, false), Error);
    }
  }
  EXPECT_NO_THROW(ModelLock(path, false));
}

TEST(ModelLock, NothingIsLockedWhereThereIsNoFile) {
  const data_test::TempFolder folder;
  EXPECT_NO_THROW(ModelLock("absent", false));
  EXPECT_NO_THROW(ModelLock("/dev/null", false));
}

}  // namespace
}  // namespace credence
