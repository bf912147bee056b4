// SPDX-License-Identifier: Apache-2.0
// Builders of bags whose tables have grown already. A source has one for every chunk, and growing
// its tables anew took a tenth of the time of reading.
#pragma once

#include <memory>
#include <string>

#include "words/bag_builder.hpp"

namespace credence::text {

// One that this thread gave back, or a new one. `tokens`: as parse_token_options reads them.
std::unique_ptr<BagBuilder> take_builder(const std::string& tokens);
// After finish(): a builder that was left in the middle of a document is not given back.
void give_back(const std::string& tokens, std::unique_ptr<BagBuilder> builder);

}  // namespace credence::text
