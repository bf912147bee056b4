// SPDX-License-Identifier: Apache-2.0
// Model files. The format is described in docs/format.md, hand-written models in
// docs/handwritten.md.
#pragma once

#include <string>
#include <string_view>

#include "credence/model.hpp"

namespace credence {

// Writes to a temporary file beside `path`, syncs it and renames it: the old file or the new one
// is there at any time, never a part. "-" is standard output.
void save(const Model& model, const std::string& path);

// Reads a model file, or a hand-written JSON model. Throws a model error for anything else.
Model load(const std::string& path);

// The same, to and from bytes in memory; `name` stands in messages.
std::string to_bytes(const Model& model);
Model from_bytes(std::string_view bytes, const std::string& name);

// The checksum of the model's file as it would be without journal and windows: the same for two
// models of the same settings that have observed the same, whatever happened in between.
std::string fingerprint(const Model& model);

}  // namespace credence
