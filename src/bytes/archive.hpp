// SPDX-License-Identifier: Apache-2.0
// What libarchive unpacks: bzip2, xz, zstd and zip. It is loaded with the first such file.
#pragma once

#include <string>

#include "bytes/stages.hpp"

namespace credence::data {

BytesPointer filtered(Packing packing, BytesPointer below, const std::string& name);

// The member of this name of a zip; "": its only one. What a zip is that holds no table, such as a
// workbook, is said in the error.
BytesPointer unzipped(const std::string& path, const std::string& member);
// The only member of a zip in a pipe, whose table of contents comes last.
BytesPointer unzipped(BytesPointer below, const std::string& name);

}  // namespace credence::data
