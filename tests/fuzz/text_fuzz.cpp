// SPDX-License-Identifier: Apache-2.0
// Any bytes as every kind of text source: a model is learnt and scored, or an error of one line
// says why not. For libFuzzer, or for driver.cpp where there is none.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "credence/credence.hpp"
#include "words/bag_builder.hpp"

namespace {

using namespace credence;
namespace fs = std::filesystem;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

const fs::path& folder() {
  static const fs::path path = [] {
    auto made = fs::temp_directory_path() / ("credence-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(made / "folder" / "a");
    fs::create_directories(made / "folder" / "b");
    std::ofstream(made / "folder" / "b" / "1") << "quite another text";
    return made;
  }();
  return path;
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Learns from the source and scores it again.
void learn(const std::string& path, FileFormat format, const std::string& as) {
  try {
    ReadOptions options;
    options.format = format;
    auto source = open_source({path}, options);
    Plan plan;
    if (!as.empty()) plan.as = {as};
    if (format == FileFormat::csv) plan.target = source->profile().front().name;
    const Model model = fit(*source, plan, 1);
    if (model.classes().empty()) return;
    const Scorer scorer(model);
    auto again = open_source({path}, options);
    again->select(model.schema(), false);
    RawChunk raw;
    while (again->read(raw)) {
      for (const double joint : scorer.log_joint(again->parse(raw))) {
        require(!std::isnan(joint), "no score is NaN");
      }
    }
  } catch (const Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos,
            "an error is one line");
  }
}

void count_tokens(std::string_view bytes) {
  for (const char* options : {"", "ngrams=1-3, tokens=plain", "chars=2-4, hash=8",
                              "stem=english, stop=english, ngrams=1-2", "fold=no"}) {
    text::BagBuilder builder(text::parse_token_options(options));
    builder.add_document(bytes);
    builder.add_missing();
    builder.add_document(bytes.substr(bytes.size() / 2));
    const Bags bags = builder.finish();
    require(bags.offsets.size() == 4 && bags.offsets.back() == bags.features.size(),
            "every document is a row");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  count_tokens(bytes);
  const auto file = folder() / "input", document = folder() / "folder" / "a" / "1";
  write(file, bytes);
  learn(file.string(), FileFormat::labelled, "");
  learn(file.string(), FileFormat::csv, "");
  learn(file.string(), FileFormat::json_lines, "");
  learn(file.string(), FileFormat::mail, "body: text(multinomial)");
  write(document, bytes);
  learn((folder() / "folder").string(), FileFormat::automatic, "text: text(bernoulli)");
  learn((folder() / "folder").string(), FileFormat::mail, "");
  return 0;
}
