// SPDX-License-Identifier: Apache-2.0
// Streams of the Arrow C data interface, made by hand: what other libraries hand over.
#include "tables/memory/arrow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <list>

#include "credence/model.hpp"
#include "tables/temp_folder.hpp"

namespace credence::data_test {
namespace {

// A producer that counts what it gave out and what came back.
class Producer {
 public:
  int schemas = 0, arrays = 0, streams = 0;  // alive
  int fail_after = -1;                       // batches, then an error

  // Two columns x (float64) and w (utf8), batches of this many rows each; x is the row's number,
  // missing in every third row; w is "even" or "odd". skip: rows before the array's offset.
  ArrowArrayStream stream(std::vector<std::size_t> batches, std::size_t skip = 0) {
    batches_ = std::move(batches);
    skip_ = skip;
    ++streams;
    return {get_schema, get_next, [](ArrowArrayStream*) { return "the disk is gone"; },
            [](ArrowArrayStream* s) {
              --self(s)->streams;
              s->release = nullptr;
            },
            this};
  }

 private:
  struct Held {
    std::vector<double> numbers;
    std::vector<std::uint8_t> valid;
    std::vector<std::int32_t> offsets{0};
    std::string bytes;
    std::vector<const void*> buffers[3];
    ArrowArray children[2];
    ArrowArray* child_pointers[2];
  };

  template <class Struct>
  static Producer* self(Struct* s) {
    return static_cast<Producer*>(s->private_data);
  }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    static ArrowSchema x{"g", "x", nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr};
    static ArrowSchema w{"u", "w", nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr};
    static ArrowSchema* children[] = {&x, &w};
    ++self(stream)->schemas;
    *out = {"+s",
            "",
            nullptr,
            0,
            2,
            children,
            nullptr,
            [](ArrowSchema* s) {
              --self(s)->schemas;
              s->release = nullptr;
            },
            self(stream)};
    return 0;
  }

  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    Producer& producer = *self(stream);
    *out = {};
    if (producer.fail_after-- == 0) return 5;
    if (producer.next_ == producer.batches_.size()) return 0;
    producer.fill(producer.batches_[producer.next_++], *out);
    return 0;
  }

  void fill(std::size_t rows, ArrowArray& out) {
    Held& held = held_.emplace_back();
    const std::size_t all = rows + skip_;
    held.valid.assign(all / 8 + 1, 0);
    for (std::size_t i = 0; i < all; ++i) {
      const std::size_t row = i < skip_ ? 1000000 : row_++;
      held.numbers.push_back(static_cast<double>(row));
      if (row % 3 != 0)
        held.valid[i / 8] = static_cast<std::uint8_t>(held.valid[i / 8] | 1 << i % 8);
      held.bytes += row % 2 == 0 ? "even" : "odd";
      held.offsets.push_back(static_cast<std::int32_t>(held.bytes.size()));
    }
    held.buffers[0] = {held.valid.data(), held.numbers.data()};
    held.buffers[1] = {nullptr, held.offsets.data(), held.bytes.data()};
    held.buffers[2] = {nullptr};
    const auto length = static_cast<std::int64_t>(rows), offset = static_cast<std::int64_t>(skip_);
    held.children[0] = {length,  -1,      offset,  2,      0, held.buffers[0].data(),
                        nullptr, nullptr, nullptr, nullptr};
    held.children[1] = {length,  0,       offset,  3,      0, held.buffers[1].data(),
                        nullptr, nullptr, nullptr, nullptr};
    held.child_pointers[0] = &held.children[0];
    held.child_pointers[1] = &held.children[1];
    ++arrays;
    out = {length,
           0,
           0,
           1,
           2,
           held.buffers[2].data(),
           held.child_pointers,
           nullptr,
           [](ArrowArray* a) {
             --self(a)->arrays;
             a->release = nullptr;
           },
           this};
  }

  std::vector<std::size_t> batches_;
  std::size_t skip_ = 0, next_ = 0, row_ = 0;
  std::list<Held> held_;
};

const Schema schema = {
    {{"x", ColumnKind::number, {}}, {"w", ColumnKind::category, {}}}, "", "", {""}};

void expect_rows(const Chunk& chunk, std::size_t first) {
  const auto& numbers = std::get<Numbers>(chunk.columns[0]).values;
  const auto& words = std::get<Categories>(chunk.columns[1]);
  ASSERT_EQ(numbers.size(), chunk.rows);
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    const std::size_t row = first + i;
    if (row % 3 == 0) {
      EXPECT_TRUE(std::isnan(numbers[i])) << row;
    } else {
      EXPECT_EQ(numbers[i], static_cast<double>(row));
    }
    EXPECT_EQ(words.dictionary[static_cast<std::size_t>(words.codes[i])], row % 2 ? "odd" : "even");
  }
}

TEST(Arrow, chunks_are_cut_at_the_same_rows_whatever_the_batches) {
  for (const auto& batches :
       {std::vector<std::size_t>{10000}, {1, 0, 4000, 5999}, {3, 8191, 1806}}) {
    for (const std::size_t skip : {0, 5}) {
      Producer producer;
      auto stream = producer.stream(batches, skip);
      const auto source = data::open_memory(data::arrow_table(stream));
      source->select(schema, true);
      RawChunk first, second, none;
      ASSERT_TRUE(source->read(first));
      ASSERT_TRUE(source->read(second));
      EXPECT_FALSE(source->read(none));
      EXPECT_EQ(first.rows, 8192u);
      EXPECT_EQ(second.rows, 1808u);
      expect_rows(source->parse(second), 8192);
      expect_rows(source->parse(first), 0);
    }
  }
}

TEST(Arrow, everything_handed_over_is_released_once_and_batches_as_soon_as_they_are_parsed) {
  Producer producer;
  {
    auto stream = producer.stream({8192, 8192, 8192});
    const auto source = data::open_memory(data::arrow_table(stream));
    EXPECT_EQ(stream.release, nullptr);  // moved out
    source->select(schema, true);
    RawChunk raw;
    while (source->read(raw)) {
      EXPECT_LE(producer.arrays, 1);
      source->parse(raw);
      EXPECT_EQ(producer.arrays, 0);
    }
  }
  EXPECT_EQ(producer.schemas, 0);
  EXPECT_EQ(producer.streams, 0);
}

TEST(Arrow, a_profile_looks_ahead_and_loses_no_row) {
  Producer producer;
  auto stream = producer.stream({100, 100, 20000});
  const auto source = data::open_memory(data::arrow_table(stream));
  const auto& profile = source->profile();
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile[0].numbers, profile[0].present);
  EXPECT_EQ(profile[1].distinct, 2u);
  source->select(schema, true);
  std::size_t rows = 0;
  for (RawChunk raw; source->read(raw); rows += raw.rows) expect_rows(source->parse(raw), rows);
  EXPECT_EQ(rows, 20200u);
}

TEST(Arrow, a_stream_that_breaks_off_says_why) {
  Producer producer;
  producer.fail_after = 1;
  auto stream = producer.stream({10, 10});
  const auto source = data::open_memory(data::arrow_table(stream));
  source->select(schema, true);
  RawChunk raw;
  EXPECT_EQ(data_error([&] { source->read(raw); }),
            "X: the Arrow stream broke off: the disk is gone");
}

TEST(Arrow, classes_and_weights_that_stand_apart_must_be_as_many_as_rows) {
  const std::vector<std::int32_t> codes(99, 0);
  Producer producer;
  auto stream = producer.stream({100});
  auto table = data::arrow_table(stream);
  table.labels = data::RowLabels{codes, {"a"}};
  const auto source = data::open_memory(std::move(table), "kind");
  EXPECT_EQ(source->profile().back().name, "kind");
  source->select(schema, true);
  RawChunk raw;
  ASSERT_TRUE(source->read(raw));
  EXPECT_EQ(data_error([&] { source->read(raw); }), "X has 100 rows, but there are 99 classes");
}

}  // namespace
}  // namespace credence::data_test
