// SPDX-License-Identifier: Apache-2.0
// Character references of HTML: &eacute; &#233; &#xE9;
#pragma once

#include <cstdint>
#include <string_view>

namespace credence::text {

struct Entity {
  std::uint32_t character = 0;
  std::size_t length = 0;  // of the reference; 0 when there is none here
};

// The reference that begins with the & at the front of `text`.
Entity entity_at(std::string_view text);

}  // namespace credence::text
