// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/tensors.hpp"
#include "credence/error.hpp"
#include "credence/io.hpp"
#include "io/container.hpp"
#include "io/extras_json.hpp"
#include "io/file.hpp"
#include "io/handwritten.hpp"
#include "io/model_json.hpp"
#include "model/statistics.hpp"

namespace credence {

namespace {

std::string packed(const Model& model) {
  Tensors tensors;
  model.save(tensors);
  if (model.settings().novelty) save_novelty(*model.settings().novelty, tensors);
  return pack(tensors, describe_model(model));
}

}  // namespace

std::string to_bytes(const Model& model) {
  try {
    model.check();
    return packed(model);
  } catch (const Error& error) {
    throw Error(ErrorKind::data, "the model is not written, as it could not be read again: " +
                                     error.message().marked());
  }
}

Model from_bytes(std::string_view bytes, const std::string& name) {
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (!is_container(bytes) && first != std::string_view::npos && bytes[first] == '{') {
    return parse_hand_written(bytes, name);
  }
  const auto unpacked = unpack(bytes, name, Keep::views);
  try {
    auto described = model_from_description(unpacked.model);
    Model model = std::move(described.model);
    if (auto& novelty = model.settings().novelty) {
      Novelty whole = *novelty;
      load_novelty(unpacked.tensors, whole);
      novelty = std::make_shared<const Novelty>(std::move(whole));
    }
    model.load(unpacked.tensors, described.windows, described.decayed);
    if (const auto array = unpacked.tensors.unread(); !array.empty()) {
      throw Error(ErrorKind::model, fmt::format("the array \"{}\" is unknown", array));
    }
    model.check();
    return model;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::model, fmt::format("{}: the model file is damaged: {}", name,
                                              without_json_prefix(error.what())));
  }
}

std::string fingerprint(const Model& model) {
  const std::string bytes = packed(model.without_history());
  const std::string_view mark = "\"checksum\":\"";
  const std::size_t begin = bytes.find(mark) + mark.size();
  return bytes.substr(begin, bytes.find('"', begin) - begin);
}

void save(const Model& model, const std::string& path) { write_atomically(path, to_bytes(model)); }

Model load(const std::string& path) { return from_bytes(read_model_bytes(path).view(), path); }

}  // namespace credence
