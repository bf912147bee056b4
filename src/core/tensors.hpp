// SPDX-License-Identifier: Apache-2.0
// Named arrays: what statistics are written as, and read back from. docs/format.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/exact_sums.hpp"
#include "core/interner.hpp"
#include "core/narrow_numbers.hpp"

namespace credence {

struct Tensor {
  std::string type;  // "F64", "I64", "I32", "U16" or "U8", as in safetensors
  std::vector<std::size_t> shape;
  std::string bytes;  // little-endian
  // In place of `bytes`: those of a file that stays in memory as long as the tensor is read.
  std::string_view borrowed = {};

  std::string_view view() const { return borrowed.data() ? borrowed : std::string_view(bytes); }
};

class Tensors {
 public:
  void put(const std::string& name, const std::vector<double>& values,
           std::vector<std::size_t> shape);
  // The high halves under `name`, the low halves under `name`.low unless all are zero.
  void put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape);
  void put(const std::string& name, const NarrowSums& sums, std::vector<std::size_t> shape);
  void put(const std::string& name, const std::vector<std::string>& texts);
  void put(const std::string& name, const ByteStrings& texts);
  void put(const std::string& name, const std::vector<std::int32_t>& integers);
  void put(const std::string& name, const NarrowNumbers& numbers, std::vector<std::size_t> shape);

  bool has(const std::string& name) const { return all.contains(name); }
  using Shape = std::vector<std::size_t>;
  // Each checks type and shape and throws a model error that names the array.
  std::vector<double> numbers(const std::string& name, const Shape& shape) const;
  ExactSums sums(const std::string& name, const Shape& shape) const;
  NarrowSums narrow_sums(const std::string& name, const Shape& shape) const;
  std::vector<std::string> texts(const std::string& name) const;
  ByteStrings byte_strings(const std::string& name) const;
  std::vector<std::int32_t> integers(const std::string& name) const;
  NarrowNumbers narrow_integers(const std::string& name) const;
  // An array that nothing has asked for, or "": a reader refuses what it does not know.
  std::string unread() const;

  std::map<std::string, Tensor> all;

 private:
  const Tensor& find(const std::string& name, std::string_view type) const;
  NarrowNumbers narrow(const std::string& name, const Shape& shape) const;

  mutable std::set<std::string> read_;
};

}  // namespace credence
