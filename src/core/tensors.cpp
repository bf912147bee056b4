// SPDX-License-Identifier: Apache-2.0
#include "core/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

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

template <typename Narrow, typename T>
Tensor narrowed(const char* type, const std::vector<T>& values, std::vector<std::size_t> shape) {
  std::vector<Narrow> narrow(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) narrow[i] = static_cast<Narrow>(values[i]);
  return {type, std::move(shape), to_bytes(narrow), {}};
}

// Most are small: in the narrowest type that has them all, or `wide`, the vector's own.
template <typename T>
Tensor compact(const char* wide, const std::vector<T>& values, std::vector<std::size_t> shape) {
  bool whole = true;  // without a branch: many at a time
  T largest = 0;
  for (const T value : values) {
    whole &= value >= 0;
    largest = std::max(largest, value);
  }
  if (whole && largest <= 0xFF) return narrowed<std::uint8_t>("U8", values, std::move(shape));
  if (whole && largest <= 0xFFFF) return narrowed<std::uint16_t>("U16", values, std::move(shape));
  if (whole && largest <= 0x7FFFFFFF) {
    return narrowed<std::int32_t>("I32", values, std::move(shape));
  }
  return {wide, std::move(shape), to_bytes(values), {}};
}

template <typename T, typename Narrow>
std::vector<T> widened(std::string_view bytes) {
  const auto narrow = from_bytes<Narrow>(bytes);
  return {narrow.begin(), narrow.end()};
}

// The type under which compact() wrote an array: `wide` or a narrower one.
std::string narrow_type(const Tensors& tensors, const std::string& name, const char* wide) {
  const auto found = tensors.all.find(name);
  if (found == tensors.all.end()) return wide;
  const auto& type = found->second.type;
  return type == "U8" || type == "U16" || type == "I32" ? type : wide;
}

template <typename T>
std::vector<T> expanded(const Tensor& tensor) {
  if (tensor.type == "U8") return widened<T, std::uint8_t>(tensor.view());
  if (tensor.type == "U16") return widened<T, std::uint16_t>(tensor.view());
  if (tensor.type == "I32") return widened<T, std::int32_t>(tensor.view());
  return from_bytes<T>(tensor.view());
}

}  // namespace

void Tensors::put(const std::string& name, const std::vector<double>& values,
                  std::vector<std::size_t> shape) {
  all[name] = {"F64", std::move(shape), to_bytes(values), {}};
}

void Tensors::put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape) {
  put(name, NarrowSums(sums), std::move(shape));
}

void Tensors::put(const std::string& name, const NarrowSums& sums, std::vector<std::size_t> shape) {
  bool low = false;
  for (const double value : sums.low) low = low || value != 0;
  if (low) put(name + ".low", sums.low, shape);
  put(name, sums.high, std::move(shape));
}

void Tensors::put(const std::string& name, const NarrowNumbers& numbers,
                  std::vector<std::size_t> shape) {
  all[name] = {std::string(numbers.type()), std::move(shape), std::string(numbers.bytes()), {}};
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
  all[name + ".offsets"] = compact("I64", texts.ends(), {texts.ends().size()});
}

void Tensors::put(const std::string& name, const std::vector<std::int32_t>& integers) {
  all[name] = compact("I32", integers, {integers.size()});
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

NarrowNumbers Tensors::narrow(const std::string& name, const Shape& shape) const {
  const auto& tensor = find(name, narrow_type(*this, name, "F64"));
  if (tensor.shape != shape) {
    throw Error(ErrorKind::model,
                fmt::format("the array \"{}\" has the shape {} where {} belongs", name,
                            fmt::join(tensor.shape, " x "), fmt::join(shape, " x ")));
  }
  NarrowNumbers numbers(tensor.type, tensor.view());
  bool finite = true;
  for (std::size_t i = 0; tensor.type == "F64" && i < numbers.size(); ++i) {
    finite &= std::abs(numbers[i]) <= std::numeric_limits<double>::max();
  }
  if (!finite) {
    throw Error(ErrorKind::model,
                fmt::format("the array \"{}\" holds a value that is not finite", name));
  }
  return numbers;
}

std::vector<double> Tensors::numbers(const std::string& name, const Shape& shape) const {
  return narrow(name, shape).widened();
}

NarrowSums Tensors::narrow_sums(const std::string& name, const Shape& shape) const {
  std::vector<double> low;
  if (has(name + ".low")) low = numbers(name + ".low", shape);
  return {narrow(name, shape), std::move(low)};
}

ExactSums Tensors::sums(const std::string& name, const Shape& shape) const {
  return narrow_sums(name, shape).widened();
}

ByteStrings Tensors::byte_strings(const std::string& name) const {
  const auto bytes = find(name, "U8").view();
  const auto offsets = name + ".offsets";
  auto ends = expanded<std::size_t>(find(offsets, narrow_type(*this, offsets, "I64")));
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
  return expanded<std::int32_t>(find(name, narrow_type(*this, name, "I32")));
}

NarrowNumbers Tensors::narrow_integers(const std::string& name) const {
  const auto& tensor = find(name, narrow_type(*this, name, "I32"));
  return {tensor.type, tensor.view()};
}

}  // namespace credence
