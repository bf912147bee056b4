// SPDX-License-Identifier: Apache-2.0
// Any bytes as a document, cut into tokens as the first line says.
#include "fuzz/fuzz.hpp"
#include "words/bag_builder.hpp"

namespace credence::fuzz {
namespace {

void count(std::string_view document, const text::TokenOptions& options) {
  text::BagBuilder builder(options);
  builder.add_document(document);
  builder.add_missing();
  builder.add_document(document.substr(document.size() / 2));
  const Bags bags = builder.finish();
  require(bags.offsets.size() == 4 && bags.offsets.back() == bags.features.size(),
          "every document is a row");
  require(bags.missing[1] != 0 && bags.offsets[1] == bags.offsets[2], "a missing one is empty");
  for (const auto feature : bags.features) {
    require(feature >= 0 && static_cast<std::size_t>(feature) < bags.dictionary.size(),
            "a token stands in the dictionary");
  }
}

const Registered tokens{"tokens", [](std::string_view bytes) {
                          const auto wanted = take_line(bytes);
                          accepted([&] {
                            const auto options = text::parse_token_options(wanted);
                            require(text::parse_token_options(text::to_string(options)) == options,
                                    "options that are written are read back as they are");
                            count(bytes, options);
                          });
                        }};

}  // namespace
}  // namespace credence::fuzz
