// SPDX-License-Identifier: Apache-2.0
// Model files whose contents were changed before the checksum was made, and what reading one says.
#pragma once

#include <functional>
#include <string>

#include "credence/io.hpp"
#include "error_of.hpp"
#include "io/container.hpp"

namespace credence {

inline std::string repacked(const Model& model,
                            const std::function<void(Tensors&, std::string&)>& change) {
  auto unpacked = unpack(to_bytes(model), "m");
  Tensors tensors;
  tensors.all = unpacked.tensors.all;
  change(tensors, unpacked.model);
  return pack(tensors, unpacked.model);
}

inline std::string file_error(const std::string& bytes) {
  return error_of([&] { from_bytes(bytes, "m.credence"); }, ErrorKind::model);
}

}  // namespace credence
