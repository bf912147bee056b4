// SPDX-License-Identifier: Apache-2.0
#include "core/tensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

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
std::vector<T> from_bytes(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

void Tensors::put(const std::string& name, const std::vector<double>& values,
                  std::vector<std::size_t> shape) {
  all[name] = {"F64", std::move(shape), to_bytes(values), {}};
}

void Tensors::put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape) {
  bool low = false;
  for (const double value : sums.low()) low = low || value != 0;
  if (low) put(name + ".low", sums.low(), shape);
  put(name, sums.high(), std::move(shape));
}

void Tensors::put(const std::string& name, const std::vector<std::string>& texts) {
  ByteStrings strings;
  for (const auto& text : texts) strings.add(text);
  put(name, strings);
}

void Tensors::put(const std::string& name, const ByteStrings& texts) {
  static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
  const std::string_view bytes = texts.bytes();
  all[name] = {"U8", {bytes.size()}, std::string(bytes), {}};
  all[name + ".offsets"] = {"I64", {texts.ends().size()}, to_bytes(texts.ends()), {}};
}

void Tensors::put(const std::string& name, const std::vector<std::int32_t>& integers) {
  all[name] = {"I32", {integers.size()}, to_bytes(integers), {}};
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
  auto values = from_bytes<double>(tensor.view());
  if (tensor.shape != shape) {
    throw Error(ErrorKind::model,
                fmt::format("the array \"{}\" has the shape {} where {} belongs", name,
                            fmt::join(tensor.shape, " x "), fmt::join(shape, " x ")));
  }
  bool finite = true;  // without a branch: many at a time
  for (const double value : values) finite &= std::abs(value) <= std::numeric_limits<double>::max();
  if (!finite) {
    throw Error(ErrorKind::model,
                fmt::format("the array \"{}\" holds a value that is not finite", name));
  }
  return values;
}

ExactSums Tensors::sums(const std::string& name, const Shape& shape) const {
  std::vector<double> low;
  if (has(name + ".low")) low = numbers(name + ".low", shape);
  return {numbers(name, shape), std::move(low)};
}

ByteStrings Tensors::byte_strings(const std::string& name) const {
  const auto bytes = find(name, "U8").view();
  auto ends = from_bytes<std::size_t>(find(name + ".offsets", "I64").view());
  bool fits = !ends.empty() && ends.front() == 0 && ends.back() == bytes.size();
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) fits &= ends[i] <= ends[i + 1];
  if (!fits) {
    throw Error(ErrorKind::model, fmt::format("the offsets of \"{}\" do not fit its text", name));
  }
  return {std::vector<char>(bytes.begin(), bytes.end()), std::move(ends)};
}

std::vector<std::string> Tensors::texts(const std::string& name) const {
  return byte_strings(name).to_vector();
}

std::vector<std::int32_t> Tensors::integers(const std::string& name) const {
  return from_bytes<std::int32_t>(find(name, "I32").view());
}

}  // namespace credence
