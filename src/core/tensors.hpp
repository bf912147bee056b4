// SPDX-License-Identifier: Apache-2.0
// Named arrays: what statistics are written as, and read back from. docs/format.md
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/exact_sums.hpp"

namespace credence {

struct Tensor {
  std::string type;  // "F64", "I64" or "U8", as safetensors names them
  std::vector<std::size_t> shape;
  std::string bytes;  // little-endian
};

class Tensors {
 public:
  void put(const std::string& name, const std::vector<double>& values,
           std::vector<std::size_t> shape);
  // The high halves under `name`, the low halves under `name`.low unless all are zero.
  void put(const std::string& name, const ExactSums& sums, std::vector<std::size_t> shape);
  void put(const std::string& name, const std::vector<std::string>& texts);

  bool has(const std::string& name) const { return all.contains(name); }
  // Each checks type and size and throws a model error that names the array.
  std::vector<double> numbers(const std::string& name, std::size_t size) const;
  ExactSums sums(const std::string& name, std::size_t size) const;
  std::vector<std::string> texts(const std::string& name) const;

  std::map<std::string, Tensor> all;

 private:
  const Tensor& find(const std::string& name, std::string_view type) const;
};

}  // namespace credence
