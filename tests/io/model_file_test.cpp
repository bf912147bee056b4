// SPDX-License-Identifier: Apache-2.0
// Model files: exact, checked, never half-written; any damage is a clear error.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "credence/error.hpp"
#include "credence/io.hpp"
#include "credence/scorer.hpp"
#include "io/changed_file.hpp"
#include "io/container.hpp"
#include "laws/random_data.hpp"

namespace credence {
namespace {

Model small_model() {
  Schema schema;
  schema.target = "class";
  schema.columns = {{"word", ColumnKind::category, {"x", "y"}},
                    {"n", ColumnKind::number, {}},
                    {"k", ColumnKind::count, {}},
                    {"b", ColumnKind::bag, {}}};
  Settings settings;
  settings.prior = parse_class_prior("p=0.25,q=0.75");
  settings.shares["word"] = {{"x", 0.5}, {"y", 0.5}};
  Model model(schema,
              {{"categorical", {0}, 1},
               {"gaussian", {1}, 0.5},
               {"poisson", {2}, 1},
               {"multinomial", {3}, 1}},
              settings);
  Chunk chunk;
  chunk.rows = 3;
  chunk.labels = {{0, 1, 0}, {"q", "p"}};
  chunk.weights = {0.1, 0.2, 3};
  Bags bags;
  bags.dictionary = {"u", "v"};
  bags.features = {0, 1, 1};
  bags.counts = {2, 1, 5};
  bags.offsets = {0, 2, 2, 3};
  bags.missing = {0, 1, 0};
  chunk.columns = {Categories{{0, 1, -1}, {"y", "x"}}, Numbers{{1.5, 1e9, -2}},
                   Numbers{{3, 0, 1e6}}, bags};
  model.observe(chunk);
  return model;
}

TEST(ModelFile, keeps_schema_settings_and_statistics) {
  const Model model = small_model();
  const Model loaded = from_bytes(to_bytes(model), "m.credence");
  EXPECT_EQ(loaded.schema().target, "class");
  EXPECT_EQ(loaded.schema().columns[0].values, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(loaded.blocks(), model.blocks());
  EXPECT_EQ(loaded.settings().prior, model.settings().prior);
  EXPECT_EQ(loaded.settings().shares, model.settings().shares);
  EXPECT_EQ(loaded.classes(), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(to_bytes(loaded), to_bytes(model));
}

TEST(ModelFile, cut_short_anywhere_is_refused) {
  const std::string bytes = to_bytes(small_model());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(file_error(bytes.substr(0, size)), "") << "at " << size;
  }
}

TEST(ModelFile, with_any_bit_flipped_is_refused) {
  const std::string bytes = to_bytes(small_model());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      ASSERT_NE(file_error(flipped), "") << "byte " << i << ", bit " << bit;
    }
  }
}

TEST(ModelFile, with_bytes_added_is_refused) {
  EXPECT_NE(file_error(to_bytes(small_model()) + "x"), "");
}

TEST(ModelFile, of_random_bytes_is_refused) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random.below(200), '\0');
    for (auto& c : bytes) c = static_cast<char>(random.below(256));
    if (i % 2) bytes = "{" + bytes;
    EXPECT_NE(file_error(bytes), "");
  }
}

// A sound container whose contents were changed before the checksum was made.
std::string damaged(const std::function<void(Tensors&, std::string&)>& change) {
  return repacked(small_model(), change);
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_NE(text.find(from), std::string::npos) << from;
  text.replace(text.find(from), from.size(), to);
}

TEST(ModelFile, that_contradicts_itself_is_refused) {
  const std::string start = "m.credence: the model file is damaged: ";
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) { t.all.erase("block.1.mean"); })),
            start + "the array \"block.1.mean\" (F64) is missing");
  EXPECT_EQ(
      file_error(damaged([](auto& t, auto&) { t.put("extra", std::vector<double>{1}, {1}); })),
      start + "the array \"extra\" is unknown");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.all["block.1.mean"].shape = {1, 2};
            })),
            start + "the array \"block.1.mean\" has the shape 1 x 2 where 2 belongs");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              const double numbers[] = {1, NAN};  // which put() would refuse
              t.all["block.1.mean"] = {
                  "F64", {2}, {reinterpret_cast<const char*>(numbers), sizeof numbers}, {}};
            })),
            start + "the array \"block.1.mean\" holds a value that is not finite");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.put("class_weights", std::vector<double>{1, 0}, {2});
            })),
            start + "the array \"class_weights.low\" is no low half of \"class_weights\"");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.put("class_weights", std::vector<double>{1, 0}, {2});
              t.all.erase("class_weights.low");
            })),
            start + "a class has no weight");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.put("rows", std::vector<double>{1, -3}, {2});
            })),
            start + "3 more rows of class \"q\" than were observed");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.put("classes", std::vector<std::string>{"p", "p"});
            })),
            start + "a class stands twice");
  EXPECT_EQ(file_error(damaged([](auto& t, auto&) {
              t.put("block.0.values", std::vector<std::string>{"y", "x"});
            })),
            start + "the values of \"block.0\" are not the declared ones, each once");
  EXPECT_EQ(file_error(damaged([](auto&, auto& m) {
              replace(m, "\"kind\":\"number\"", "\"kind\":\"category\"");
            })),
            start + "the columns of a gaussian block are of the wrong kind or number");
  EXPECT_EQ(
      file_error(damaged([](auto&, auto& m) { replace(m, "\"gaussian\"", "\"gausian\""); })),
      start +
          "no family \"gausian\" (did you mean \"gaussian\"?); the families are categorical, "
          "joint, bernoulli, multinomial, poisson, negative_binomial, gaussian, histogram, kernel, "
          "mixture, pairs, text");
  EXPECT_EQ(file_error(damaged([](auto&, auto& m) {
              replace(m, "\"unseen\":\"ignore\"", "\"unseen\":\"bogus\"");
            })),
            start + "unknown treatment of unseen values \"bogus\"");
  EXPECT_EQ(file_error(damaged(
                [](auto&, auto& m) { replace(m, "\"unseen\"", "\"future\":1,\"unseen\""); })),
            start + "unknown key \"future\"");
}

TEST(ModelFile, is_not_written_where_it_could_not_be_read) {
  Model model = small_model();
  model.settings().prior = {ClassPrior::Kind::given, 1, {{"p", 0.5}, {"q", NAN}}};
  EXPECT_THROW(to_bytes(model), Error);
  model.settings().prior.shares[1].second = 0.5;
  EXPECT_EQ(file_error(to_bytes(model)), "");
  Tensors tensors;
  EXPECT_THROW(tensors.put("x", std::vector<double>{INFINITY}, {1}), Error);
  EXPECT_THROW(tensors.put("x", ExactSums({1}, {0.5}), {1}), Error);
  EXPECT_THROW(tensors.put("x", std::vector<std::string>{"\xff"}), Error);
  EXPECT_THROW(tensors.put("x", std::vector<std::string>{"\xc3", "\xbc"}), Error);
}

TEST(ModelFile, of_another_version_is_refused_by_name) {
  std::string bytes = to_bytes(small_model());
  const auto at = bytes.find("\"version\":\"1\"");
  bytes.replace(at, 13, "\"version\":\"7\"");
  EXPECT_EQ(file_error(bytes),
            "m.credence: format version 7; this program reads version 1 (use the credence that "
            "wrote it, or a newer one)");
}

TEST(ModelFile, replaces_the_old_one_and_leaves_no_other_file_behind) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("credence_model_file_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const auto path = (folder / "m.credence").string();
  std::ofstream(path) << "old";
  ::chmod(path.c_str(), 0640);
  save(small_model(), path);
  EXPECT_EQ(to_bytes(load(path)), to_bytes(small_model()));
  struct stat status {};
  ::stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::create_symlink(path, folder / "link");
  save(small_model(), (folder / "link").string());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_THROW(save(small_model(), (folder / "absent" / "m.credence").string()), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace credence
