// SPDX-License-Identifier: Apache-2.0
#include "io/container.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/ordered_json.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Json = OrderedJson;

constexpr const char* version = "1";
// The checksum covers the whole file, with these eight digits in its own place.
constexpr std::string_view checksum_mark = "\"checksum\":\"crc32:";
constexpr std::string_view checksum_blank = "00000000";
// No header and no hand-written model has more bytes.
constexpr std::uint64_t most_text = std::uint64_t{1} << 30;

[[noreturn]] void damaged(const std::string& name, const std::string& how) {
  throw Error(ErrorKind::model, fmt::format("{}: the model file is damaged: {}", name, how));
}

std::string checksum(std::string_view bytes, std::size_t place) {
  const auto update = [](uLong crc, std::string_view part) {
    return ::crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  };
  uLong crc = update(0, bytes.substr(0, place));
  crc = update(crc, checksum_blank);
  crc = update(crc, bytes.substr(place + checksum_blank.size()));
  return fmt::format("{:08x}", crc);
}

std::size_t width_of(const std::string& type) {
  if (type == "F64" || type == "I64") return 8;
  if (type == "I32") return 4;
  if (type == "U16") return 2;
  return type == "U8" ? 1 : 0;
}

Tensor read_tensor(const Json& entry, std::string_view data, Keep keep, std::size_t expected_begin,
                   std::size_t& end) {
  Tensor tensor;
  tensor.type = entry.at("dtype").get<std::string>();
  std::size_t size = width_of(tensor.type);
  if (size == 0) throw std::runtime_error("unknown dtype");
  for (const auto& extent : entry.at("shape")) {
    tensor.shape.push_back(extent.get<std::size_t>());
    if (__builtin_mul_overflow(size, tensor.shape.back(), &size)) {
      throw std::runtime_error("a shape is too large");
    }
  }
  const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
  end = entry.at("data_offsets").at(1).get<std::size_t>();
  if (begin != expected_begin || end < begin || end > data.size() || end - begin != size) {
    throw std::runtime_error("offsets do not fit");
  }
  if (keep == Keep::views) {
    tensor.borrowed = data.substr(begin, size);
  } else {
    tensor.bytes = std::string(data.substr(begin, size));
  }
  return tensor;
}

}  // namespace

std::string pack(const Tensors& tensors, const std::string& model) {
  Json header;
  header["__metadata__"] = {{"format", "credence"},
                            {"version", version},
                            {"checksum", fmt::format("crc32:{}", checksum_blank)},
                            {"model", model}};
  std::size_t end = 0;
  for (const auto& [name, tensor] : tensors.all) {
    header[name] = {{"dtype", tensor.type},
                    {"shape", tensor.shape},
                    {"data_offsets", {end, end + tensor.view().size()}}};
    end += tensor.view().size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the arrays start at a multiple of 8
  const std::uint64_t length = text.size();
  std::string bytes;
  bytes.reserve(sizeof length + text.size() + end);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  for (const auto& [name, tensor] : tensors.all) bytes += tensor.view();
  const std::size_t place = bytes.find(checksum_mark) + checksum_mark.size();
  bytes.replace(place, checksum_blank.size(), checksum(bytes, place));
  return bytes;
}

std::string without_json_prefix(std::string_view message) {
  if (message.starts_with("[json.exception")) {
    message.remove_prefix(std::min(message.size(), message.find("] ") + 2));
  }
  return std::string(message);
}

bool is_container(std::string_view bytes) {
  return bytes.size() > sizeof(std::uint64_t) &&
         bytes.substr(sizeof(std::uint64_t))
             .starts_with("{\"__metadata__\":{\"format\":\"credence\",");
}

std::uint64_t bytes_described_in(std::string_view first_bytes) {
  std::uint64_t length = 0;
  if (!is_container(first_bytes)) return 0;
  std::memcpy(&length, first_bytes.data(), sizeof length);
  return length + sizeof length;
}

std::uint64_t most_bytes(std::string_view begun) {
  if (begun.size() < 64) return 64;  // as yet nothing can be told
  if (!is_container(begun)) {
    const auto first = begun.find_first_not_of(" \t\r\n");
    return first != begun.npos && begun[first] == '{' ? most_text : 0;
  }
  const std::uint64_t header = bytes_described_in(begun);
  if (header > most_text) return 0;
  if (begun.size() < header) return header;
  // Arrays lie one behind the other, in the order of the header.
  const std::string_view text = begun.substr(0, header);
  const auto comma = text.find(',', std::min(text.size(), text.rfind("\"data_offsets\"")));
  if (comma == text.npos) return header;
  const auto digits = text.find_first_not_of(" \t\r\n", comma + 1);
  std::uint64_t to = 0;
  std::from_chars(text.data() + std::min(digits, text.size()), text.data() + text.size(), to);
  return header + std::min(to, std::numeric_limits<std::uint64_t>::max() - header);
}

std::string description_in(std::string_view bytes) {
  std::uint64_t length = 0;
  if (!is_container(bytes)) return "";
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) return "";
  const Json header = Json::parse(bytes.substr(sizeof length, length), nullptr, false);
  const auto place = Json::json_pointer("/__metadata__/model");
  if (!header.contains(place) || !header.at(place).is_string()) return "";
  return header.at(place).get<std::string>();
}

Unpacked unpack(std::string_view bytes, const std::string& name, Keep keep) {
  std::uint64_t length = 0;
  if (!is_container(bytes)) {
    throw Error(
        ErrorKind::model,
        fmt::format("{}: not a credence model (neither a model file nor hand-written JSON)", name));
  }
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) {
    damaged(name, "it is cut short, or its first bytes are wrong");
  }
  const Json header = Json::parse(bytes.substr(sizeof length, length), nullptr, false);
  if (header.is_discarded()) damaged(name, "its header is not JSON");
  const std::string_view data = bytes.substr(sizeof length + length);
  Unpacked result;
  std::string claimed;
  try {
    const auto& metadata = header.at("__metadata__");
    const auto found = metadata.at("version").get<std::string>();
    if (found != version) {
      throw Error(
          ErrorKind::model,
          fmt::format("{}: format version {}; this program reads version {} (use the credence "
                      "that wrote it, or a newer one)",
                      name, found, version));
    }
    const std::size_t place = bytes.find(checksum_mark) + checksum_mark.size();
    claimed = metadata.at("checksum").get<std::string>();
    const auto actual = "crc32:" + checksum(bytes, place);
    if (claimed != actual) {
      damaged(name, fmt::format("its checksum is {}, but it says {} (restore a copy, or fit again)",
                                actual, claimed));
    }
    result.model = metadata.at("model").get<std::string>();
    std::size_t end = 0;
    for (const auto& [key, entry] : header.items()) {
      if (key == "__metadata__") continue;
      result.tensors.all[key] = read_tensor(entry, data, keep, end, end);
    }
    if (end != data.size()) damaged(name, "bytes are left over at its end");
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    damaged(name, without_json_prefix(error.what()));
  }
  return result;
}

}  // namespace credence
