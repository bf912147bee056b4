// SPDX-License-Identifier: Apache-2.0
#include "core/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/utf8.hpp"
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

// The type under which an array was written: `wide` or a narrower one.
std::string narrow_type(const Tensors& tensors, const std::string& name, const char* wide) {
  const auto found = tensors.all.find(name);
  if (found == tensors.all.end()) return wide;
  const auto& type = found->second.type;
  return type == "U8" || type == "U16" || type == "I32" ? type : wide;
}

std::vector<std::size_t> offsets_in(const Tensor& tensor) {
  if (tensor.type != "I64") {
    return NarrowNumbers(tensor.type, tensor.view()).widened<std::size_t>();
  }
  std::vector<std::size_t> offsets(tensor.view().size() / sizeof(std::size_t));
  if (!offsets.empty()) std::memcpy(offsets.data(), tensor.view().data(), tensor.view().size());
  return offsets;
}

// What follows is refused in both directions: nothing is written that could not be read.

void require_finite(const std::string& name, std::span<const double> values) {
  bool finite = true;
  for (const double value : values) finite &= std::abs(value) <= std::numeric_limits<double>::max();
  if (finite) return;
  throw Error(ErrorKind::model,
              fmt::format("the array \"{}\" holds a value that is not finite", name));
}

// The low half of a sum is what its high half could not hold.
void require_low_halves(const std::string& name, const NarrowSums& sums) {
  bool sound = true;
  for (std::size_t i = 0; i < sums.low.size(); ++i) {
    sound &= std::abs(sums.low[i]) <= 0x1p-50 * std::abs(sums.high[i]);
  }
  if (sound) return;
  throw Error(ErrorKind::model,
              fmt::format("the array \"{}.low\" is no low half of \"{}\"", name, name));
}

void require_utf8(const std::string& name, const ByteStrings& texts) {
  const auto bytes = texts.bytes();
  bool sound = valid_utf8(bytes);
  for (const auto end : texts.ends()) {
    sound = sound && (end >= bytes.size() || begins_code_point(bytes[end]));
  }
  if (sound) return;
  throw Error(ErrorKind::model,
              fmt::format("the array \"{}\" holds a text that is not UTF-8", name));
}

}  // namespace

void Tensors::put(const std::string& name, const std::vector<double>& values,
                  std::vector<std::size_t> shape) {
  require_finite(name, values);
  all[name] = {"F64", std::move(shape), to_bytes(values), {}};
}

void Tensors::put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape) {
  put(name, NarrowSums(sums), std::move(shape));
}

void Tensors::put(const std::string& name, const NarrowSums& sums, std::vector<std::size_t> shape) {
  require_low_halves(name, sums);
  bool low = false;
  for (const double value : sums.low) low = low || value != 0;
  if (low) put(name + ".low", sums.low, shape);
  put(name, sums.high, std::move(shape));
}

void Tensors::put(const std::string& name, const NarrowNumbers& numbers,
                  std::vector<std::size_t> shape) {
  if (const auto* wide = numbers.doubles()) require_finite(name, *wide);
  all[name] = {std::string(numbers.type()), std::move(shape), std::string(numbers.bytes()), {}};
}

void Tensors::put(const std::string& name, const std::vector<std::string>& texts) {
  ByteStrings strings;
  for (const auto& text : texts) strings.add(text);
  put(name, strings);
}

void Tensors::put(const std::string& name, const ByteStrings& texts) {
  static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
  require_utf8(name, texts);
  const std::string_view bytes = texts.bytes();
  all[name] = {"U8", {bytes.size()}, std::string(bytes), {}};
  const auto& ends = texts.ends();
  const Shape shape = {ends.size()};
  if (ends.back() <= std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    put(name + ".offsets", NarrowNumbers(std::vector<std::int32_t>(ends.begin(), ends.end())),
        shape);
  } else {
    all[name + ".offsets"] = {"I64", shape, to_bytes(ends), {}};
  }
}

void Tensors::put(const std::string& name, const std::vector<std::int32_t>& integers) {
  put(name, NarrowNumbers(integers), {integers.size()});
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
  if (const auto* wide = numbers.doubles()) require_finite(name, *wide);
  return numbers;
}

std::vector<double> Tensors::numbers(const std::string& name, const Shape& shape) const {
  return narrow(name, shape).widened();
}

NarrowSums Tensors::narrow_sums(const std::string& name, const Shape& shape) const {
  std::vector<double> low;
  if (has(name + ".low")) low = numbers(name + ".low", shape);
  NarrowSums result(narrow(name, shape), std::move(low));
  require_low_halves(name, result);
  return result;
}

ExactSums Tensors::sums(const std::string& name, const Shape& shape) const {
  return narrow_sums(name, shape).widened();
}

ByteStrings Tensors::byte_strings(const std::string& name) const {
  const auto bytes = find(name, "U8").view();
  const auto offsets = name + ".offsets";
  auto ends = offsets_in(find(offsets, narrow_type(*this, offsets, "I64")));
  bool fits = !ends.empty() && ends.front() == 0 && ends.back() == bytes.size();
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) fits &= ends[i] <= ends[i + 1];
  if (!fits) {
    throw Error(ErrorKind::model, fmt::format("the offsets of \"{}\" do not fit its text", name));
  }
  ByteStrings result(std::vector<char>(bytes.begin(), bytes.end()), std::move(ends));
  require_utf8(name, result);
  return result;
}

std::vector<std::string> Tensors::texts(const std::string& name) const {
  return byte_strings(name).to_vector();
}

std::vector<std::int32_t> Tensors::integers(const std::string& name) const {
  return narrow_integers(name).widened<std::int32_t>();
}

NarrowNumbers Tensors::narrow_integers(const std::string& name) const {
  const auto& tensor = find(name, narrow_type(*this, name, "I32"));
  return {tensor.type, tensor.view()};
}

}  // namespace credence
