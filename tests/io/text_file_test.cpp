// SPDX-License-Identifier: Apache-2.0
// Files of text models whose arrays were cut or changed before the checksum was made.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>

#include "core/log_math.hpp"
#include "credence/credence.hpp"
#include "io/changed_file.hpp"
#include "io/container.hpp"
#include "laws/random_data.hpp"

namespace credence {
namespace {

Model text_model(const std::string& parameters = "complement, counts=log") {
  const laws::Case what{"text", ColumnKind::text, "text", 0, 1, 1, parameters};
  Random random(13);
  return laws::learn(laws::model_for(what),
                     {laws::random_chunk(what, 30, laws::Weights::exaggerated, random)});
}

std::string with_arrays(const std::function<void(Tensors&)>& change) {
  return repacked(text_model(), [&](Tensors& tensors, std::string&) { change(tensors); });
}

const std::vector<std::string> arrays = {"words",   "words.offsets", "documents", "ends",
                                         "classes", "counts",        "rows"};

template <typename T>
T at(const Tensor& tensor, std::size_t i) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}
// As it would be if its numbers did not fit a narrower type, so that any can be put in.
Tensor widest(const std::string& name, const Tensors& tensors) {
  const auto bytes = [](const auto& values) {
    return std::string(reinterpret_cast<const char*>(values.data()),
                       values.size() * sizeof(values[0]));
  };
  const auto& given = tensors.all.at("block.0." + name);
  if (name == "words") return given;
  if (name == "words.offsets") {
    return {"I64", given.shape, bytes(tensors.byte_strings("block.0.words").ends()), {}};
  }
  if (name == "ends" || name == "classes") {
    return {"I32", given.shape, bytes(tensors.integers("block.0." + name)), {}};
  }
  return {"F64", given.shape, bytes(tensors.numbers("block.0." + name, given.shape)), {}};
}

template <typename T>
void set(Tensor& tensor, std::size_t i, T value) {
  std::memcpy(tensor.bytes.data() + i * sizeof(T), &value, sizeof(T));
}

TEST(TextFile, has_the_arrays_it_is_said_to_have) {
  const auto unpacked = unpack(to_bytes(text_model()), "m");
  for (const auto& name : arrays) EXPECT_TRUE(unpacked.tensors.all.contains("block.0." + name));
  EXPECT_EQ(file_error(with_arrays([](Tensors&) {})), "");
}

TEST(TextFile, with_an_array_gone_is_refused) {
  for (const auto& name : arrays) {
    EXPECT_NE(file_error(with_arrays([&](Tensors& t) { t.all.erase("block.0." + name); })), "")
        << name;
  }
}

TEST(TextFile, with_an_array_cut_short_or_made_longer_is_refused) {
  const std::map<std::string, std::size_t> widths = {
      {"U8", 1}, {"U16", 2}, {"I32", 4}, {"I64", 8}, {"F64", 8}};
  for (const auto& name : arrays) {
    const auto whole = unpack(to_bytes(text_model()), "m").tensors.all.at("block.0." + name);
    const std::size_t size = whole.shape[0], width = widths.at(whole.type);
    for (std::size_t left = 0; left <= size + 1; ++left) {
      if (left == size) continue;
      const auto bytes = with_arrays([&](Tensors& t) {
        auto& tensor = t.all.at("block.0." + name);
        tensor.bytes.resize(left * width, '\1');
        tensor.shape = {left};
      });
      EXPECT_NE(file_error(bytes), "") << name << " of " << left;
    }
  }
}

TEST(TextFile, with_numbers_that_contradict_each_other_is_refused) {
  const auto changed = [](const std::string& name, const std::function<void(Tensor&)>& change) {
    return file_error(with_arrays([&](Tensors& t) {
      auto& tensor = t.all.at("block.0." + name);
      tensor = widest(name, t);
      change(tensor);
    }));
  };
  const std::string start = "m.credence: the model file is damaged: ";
  const std::string misfit = start + "block.0: the counts of words do not fit together";
  // The words: sorted, each once, none empty, no NUL.
  EXPECT_EQ(changed("words", [](Tensor& t) { std::swap(t.bytes[1], t.bytes[3]); }), misfit);
  EXPECT_EQ(changed("words", [](Tensor& t) { t.bytes[3] = t.bytes[1]; }), misfit);
  EXPECT_EQ(changed("words", [](Tensor& t) { t.bytes[0] = '\0'; }), misfit);
  EXPECT_EQ(changed("words.offsets", [](Tensor& t) { set<std::int64_t>(t, 1, 0); }), misfit);
  EXPECT_NE(changed("words.offsets", [](Tensor& t) { set<std::int64_t>(t, 1, 1000); }), "");
  EXPECT_NE(changed("words.offsets", [](Tensor& t) { set<std::int64_t>(t, 1, -1); }), "");
  // Where a word's cells end: ascending, within the cells.
  for (const std::int32_t wrong : {-1, 1000, INT32_MIN, INT32_MAX}) {
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(changed("ends", [&](Tensor& t) { set(t, i, wrong); }), misfit) << i;
    }
    // Classes: known ones, ascending within a word.
    EXPECT_EQ(changed("classes", [&](Tensor& t) { set(t, 0, wrong); }), misfit);
    EXPECT_EQ(changed("classes", [&](Tensor& t) { set(t, 1, wrong); }), misfit);
  }
  EXPECT_EQ(changed("classes", [](Tensor& t) { set(t, 1, at<std::int32_t>(t, 0)); }), misfit);
  // Counts: finite, and above 0.
  for (const auto* name : {"counts", "documents", "rows"}) {
    for (const double wrong : {-1.0, not_a_number, infinity}) {
      EXPECT_NE(changed(name, [&](Tensor& t) { set(t, 0, wrong); }), "") << name << wrong;
    }
  }
  EXPECT_NE(changed("counts", [](Tensor& t) { set(t, 2, 0.0); }), "");
  EXPECT_EQ(file_error(with_arrays([](Tensors& t) {
              auto& counts = t.all.at("block.0.counts");
              counts = widest("counts", t);
              set(counts, 2, 0.0);
              t.all.erase("block.0.counts.low");
            })),
            misfit);
}

TEST(TextFile, with_wide_numbers_is_read_as_one_with_narrow_ones_is) {
  const auto bytes = with_arrays([&](Tensors& t) {
    for (const auto& name : arrays) t.all.at("block.0." + name) = widest(name, t);
  });
  const std::string narrow = to_bytes(text_model());
  EXPECT_GT(bytes.size(), narrow.size());
  EXPECT_EQ(to_bytes(from_bytes(bytes, "m")), narrow);
}

// Any byte of any array: refused, or a model that can be used.
TEST(TextFile, with_any_byte_changed_is_refused_or_still_a_model) {
  const auto whole = unpack(to_bytes(text_model()), "m");
  Random random(17);
  const laws::Case what{"text", ColumnKind::text, "text", 0, 1, 1, "complement, counts=log"};
  const Chunk test = laws::random_chunk(what, 5, laws::Weights::none, random);
  std::size_t refused = 0;
  for (const auto& name : arrays) {
    const auto& bytes = whole.tensors.all.at("block.0." + name).bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const unsigned char flip : {1u, 0x80u, 0xFFu}) {
        const auto changed = with_arrays([&](Tensors& t) {
          auto& byte = t.all.at("block.0." + name).bytes[i];
          byte = static_cast<char>(static_cast<unsigned char>(byte) ^ flip);
        });
        if (!file_error(changed).empty()) {
          ++refused;
          continue;
        }
        const Model model = from_bytes(changed, "m");
        for (const double value : Scorer(model).log_joint(test)) EXPECT_FALSE(std::isnan(value));
        EXPECT_EQ(to_bytes(from_bytes(to_bytes(model), "m")), to_bytes(model));
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace credence
