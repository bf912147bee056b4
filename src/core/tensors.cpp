// SPDX-License-Identifier: Apache-2.0
#include "core/tensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "credence/error.hpp"

namespace credence {

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

namespace {

template <typename T>
std::string to_bytes(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> from_bytes(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

void Tensors::put(const std::string& name, const std::vector<double>& values,
                  std::vector<std::size_t> shape) {
  all[name] = {"F64", std::move(shape), to_bytes(values)};
}

void Tensors::put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape) {
  bool low = false;
  for (const double value : sums.low()) low = low || value != 0;
  if (low) put(name + ".low", sums.low(), shape);
  put(name, sums.high(), std::move(shape));
}

void Tensors::put(const std::string& name, const std::vector<std::string>& texts) {
  std::string bytes;
  std::vector<std::int64_t> offsets{0};
  for (const auto& text : texts) {
    bytes += text;
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  const std::size_t size = bytes.size();
  all[name] = {"U8", {size}, std::move(bytes)};
  all[name + ".offsets"] = {"I64", {offsets.size()}, to_bytes(offsets)};
}

const Tensor& Tensors::find(const std::string& name, std::string_view type) const {
  const auto found = all.find(name);
  if (found == all.end() || found->second.type != type) {
    throw Error(ErrorKind::model, fmt::format("the array \"{}\" ({}) is missing", name, type));
  }
  read_.insert(name);
  return found->second;
}

std::string Tensors::unread() const {
  for (const auto& [name, tensor] : all) {
    if (!read_.contains(name)) return name;
  }
  return "";
}

std::vector<double> Tensors::numbers(const std::string& name, const Shape& shape) const {
  const auto& tensor = find(name, "F64");
  auto values = from_bytes<double>(tensor.bytes);
  if (tensor.shape != shape) {
    throw Error(ErrorKind::model,
                fmt::format("the array \"{}\" has the shape {} where {} belongs", name,
                            fmt::join(tensor.shape, " x "), fmt::join(shape, " x ")));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw Error(ErrorKind::model,
                  fmt::format("the array \"{}\" holds a value that is not finite", name));
    }
  }
  return values;
}

ExactSums Tensors::sums(const std::string& name, const Shape& shape) const {
  std::vector<double> low;
  if (has(name + ".low")) low = numbers(name + ".low", shape);
  return {numbers(name, shape), std::move(low)};
}

std::vector<std::string> Tensors::texts(const std::string& name) const {
  const auto& bytes = find(name, "U8").bytes;
  const auto offsets = from_bytes<std::int64_t>(find(name + ".offsets", "I64").bytes);
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.back() != static_cast<std::int64_t>(bytes.size())) {
    throw Error(ErrorKind::model, fmt::format("the offsets of \"{}\" do not fit its text", name));
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] < 0 || offsets[i + 1] < offsets[i] ||
        static_cast<std::size_t>(offsets[i + 1]) > bytes.size()) {
      throw Error(ErrorKind::model, fmt::format("the offsets of \"{}\" do not fit its text", name));
    }
    result.push_back(bytes.substr(static_cast<std::size_t>(offsets[i]),
                                  static_cast<std::size_t>(offsets[i + 1] - offsets[i])));
  }
  return result;
}

}  // namespace credence
