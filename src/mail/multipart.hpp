// SPDX-License-Identifier: Apache-2.0
// The parts of a multipart content (RFC 2046).
#pragma once

#include <string_view>
#include <vector>

namespace credence::text {

struct Pieces {
  std::vector<std::string_view> parts;  // headers and content of each
  bool closed = false;                  // the last boundary was there
};

// The pieces between lines of two hyphens and the boundary, as far as the one that ends in two
// hyphens more, or the end; `most` at most. Without the line end before a boundary, which belongs
// to it.
Pieces split_at_boundary(std::string_view content, std::string_view boundary, std::size_t most);

}  // namespace credence::text
