// SPDX-License-Identifier: Apache-2.0
// Forms with files, as browsers and `curl -F` send them: multipart/form-data, RFC 7578.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/http/message.hpp"

namespace credence::serve {

struct FormPart {
  std::string name;
  bool is_file = false;
  std::string_view body;  // lies in the request
};

// Throws an HttpError 400 where the body is no such form.
std::vector<FormPart> form_parts(const Request& request);

// The one file of a form; throws an HttpError 422 where there is none, or are several.
std::string_view file_of(const std::vector<FormPart>& parts);

}  // namespace credence::serve
