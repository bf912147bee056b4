// SPDX-License-Identifier: Apache-2.0
// The files of the page, which are part of the program.
#pragma once

#include <span>
#include <string_view>

#include "serve/http/message.hpp"

namespace credence::serve {

struct Asset {
  std::string_view path;  // "/index.html"
  std::string_view type;
  std::string_view tag;   // changes with its bytes
  std::string_view gzip;  // packed
};

// Made by cmake/embed_assets.py; without web/dist there is the description of the interface alone.
std::span<const Asset> assets();

// The file that a path names; any other path without a dot is one of the page's views.
Response static_file(const Request& request, std::string_view path);
// The description of the interface.
Response openapi_file(const Request& request);

}  // namespace credence::serve
