// SPDX-License-Identifier: Apache-2.0
#include "mail/multipart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace credence::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Multipart, parts_lie_between_boundaries) {
  const Pieces pieces = split_at_boundary("before\n--b\none\n--b\n\ntwo\n\n--b--\nafter\n", "b", 9);
  EXPECT_THAT(pieces.parts, ElementsAre("one", "\ntwo\n"));
  EXPECT_TRUE(pieces.closed);
}

TEST(Multipart, the_line_end_before_a_boundary_belongs_to_it) {
  EXPECT_THAT(split_at_boundary("--b\r\none\r\n--b  \r\n--b\r\n\r\n--b--", "b", 9).parts,
              ElementsAre("one", "", ""));
}

TEST(Multipart, what_only_begins_like_a_boundary_is_none) {
  EXPECT_THAT(split_at_boundary("--b\n--bc\n --b\n--b x\n--b-\n-- b\n--b--", "b", 9).parts,
              ElementsAre("--bc\n --b\n--b x\n--b-\n-- b"));
}

TEST(Multipart, without_the_last_boundary_the_last_part_goes_to_the_end) {
  const Pieces pieces = split_at_boundary("--b\none\n--b\ntwo\n", "b", 9);
  EXPECT_THAT(pieces.parts, ElementsAre("one", "two\n"));
  EXPECT_FALSE(pieces.closed);
  EXPECT_FALSE(split_at_boundary("--b\none\n--b\n", "b", 9).closed);
}

TEST(Multipart, without_a_boundary_there_are_no_parts) {
  EXPECT_THAT(split_at_boundary("--\n--b\nx", "", 9).parts, IsEmpty());
  EXPECT_THAT(split_at_boundary("--b\nx", "c", 9).parts, IsEmpty());
  EXPECT_THAT(split_at_boundary("", "c", 9).parts, IsEmpty());
}

TEST(Multipart, no_more_parts_are_made_than_asked_for) {
  EXPECT_THAT(split_at_boundary("--b\n1\n--b\n2\n--b\n3\n--b--", "b", 2).parts,
              ElementsAre("1", "2"));
}

}  // namespace
}  // namespace credence::text
