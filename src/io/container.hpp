// SPDX-License-Identifier: Apache-2.0
// The safetensors container: named arrays behind a JSON header. docs/format.md
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/tensors.hpp"

namespace credence {

// `model` is the JSON text kept under __metadata__.
std::string pack(const Tensors& tensors, const std::string& model);

// Whether the bytes claim to be one.
bool is_container(std::string_view bytes);

// The text that pack() was given, without a look at the arrays or the checksum: for what can begin
// before all of the file is known to be sound. Empty where there is none.
std::string description_in(std::string_view bytes);

// How many of a container's bytes description_in() looks at; 0 where they claim to be none.
std::uint64_t bytes_described_in(std::string_view first_bytes);

// nlohmann's messages without their "[json.exception…] ".
std::string without_json_prefix(std::string_view message);

// How many bytes a file that begins so has at most if it is a model, hand-written ones included, as
// far as can be told by now: whoever reads what never ends need not read on.
std::uint64_t most_bytes(std::string_view begun);

struct Unpacked {
  Tensors tensors;
  std::string model;
};
enum class Keep { copies, views };  // views are good as long as `bytes` are
// Throws a model error, with `name` in front, for anything that is not a sound container.
Unpacked unpack(std::string_view bytes, const std::string& name, Keep keep = Keep::copies);

}  // namespace credence
