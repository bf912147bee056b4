// SPDX-License-Identifier: Apache-2.0
// Model files with a right checksum, and models typed in by hand.
#include <zlib.h>

#include <charconv>
#include <cstdint>
#include <cstring>

#include "core/strings.hpp"
#include "credence/io.hpp"
#include "fuzz/fuzz.hpp"
#include "io/container.hpp"
#include "io/handwritten.hpp"
#include "twin/model.hpp"

namespace credence::fuzz {
namespace {

template <typename T>
void append(std::string& bytes, std::string_view text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append(std::string& bytes, const std::string& type, std::string_view text) {
  if (type == "F64") append<double>(bytes, text);
  if (type == "I64") append<std::int64_t>(bytes, text);
  if (type == "I32") append<std::int32_t>(bytes, text);
  if (type == "U16") append<std::uint16_t>(bytes, text);
  if (type == "U8") append<std::uint8_t>(bytes, text);
}

// "NAME TYPE EXTENT,… NUMBER NUMBER …"; instead of numbers, texts are written 'as they are.
void put(Tensors& tensors, std::string_view line) {
  const auto quote = line.find(" '");
  const auto words = split(line.substr(0, quote), ' ');
  if (words.size() < 3) return;
  Tensor tensor{words[1], {}, {}};
  for (const auto& extent : split(words[2], ',')) {
    std::size_t size = 0;
    std::from_chars(extent.data(), extent.data() + extent.size(), size);
    tensor.shape.push_back(size);
  }
  for (std::size_t i = 3; i < words.size(); ++i) append(tensor.bytes, tensor.type, words[i]);
  if (quote != std::string_view::npos) tensor.bytes += line.substr(quote + 2);
  tensors.all[words[0]] = std::move(tensor);
}

// A model file from its description in the first line and an array in every other: so that a
// change hits what a model says rather than how JSON is quoted in JSON.
std::string packed(std::string_view text) {
  const std::string description(take_line(text));
  Tensors tensors;
  while (!text.empty()) put(tensors, take_line(text));
  return pack(tensors, description);
}

// The bytes of a file with the checksum they should have.
std::string corrected(std::string_view bytes) {
  constexpr std::string_view mark = "\"checksum\":\"crc32:";
  std::string file(bytes);
  const auto found = file.find(mark);
  if (found == std::string::npos || file.size() < found + mark.size() + 8) return file;
  file.replace(found + mark.size(), 8, "00000000");
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size());
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08lx", sum);
  return file.replace(found + mark.size(), 8, digits);
}

void read_and_use(const std::string& bytes) {
  std::optional<Model> model;
  if (accepted([&] { model = from_bytes(bytes, "model"); })) use(*model);
}

const Registered model_file{"model_file",
                            [](std::string_view bytes) { read_and_use(corrected(bytes)); }};

const Registered model_text{"model_text", [](std::string_view text) {
                              std::string bytes;
                              try {
                                bytes = packed(text);
                              } catch (const std::exception&) {
                                return;  // no writer of JSON would write names that are no UTF-8
                              }
                              read_and_use(bytes);
                            }};

const Registered hand_written{"hand_written", [](std::string_view text) {
                                std::optional<Model> model;
                                if (accepted([&] { model = parse_hand_written(text, "model"); })) {
                                  use(*model);
                                }
                              }};

const Registered logistic{"logistic", [](std::string_view text) {
                            accepted([&] {
                              const auto model = LogisticModel::from_json(text, "model");
                              const std::string written = model.to_json();
                              require(
                                  LogisticModel::from_json(written, "again").to_json() == written,
                                  "a model that was written and read is the same");
                              const Chunk row = parse_given(model.schema(), {""});
                              require_distribution(posterior(model.log_scores(row)));
                              model.explain(row, 0);
                            });
                          }};

}  // namespace
}  // namespace credence::fuzz
