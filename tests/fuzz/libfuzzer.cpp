// SPDX-License-Identifier: Apache-2.0
// libFuzzer's side of the targets: credence_fuzz TARGET [options and folders of libFuzzer]
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/fuzz.hpp"

namespace {

const credence::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (const auto& target : credence::fuzz::targets()) {
    if (*count > 1 && target.name == (*words)[1]) chosen = &target;
  }
  if (!chosen) {
    for (const auto& target : credence::fuzz::targets()) std::puts(target.name.c_str());
    std::exit(*count > 1 ? 2 : 0);
  }
  (*words)[1] = (*words)[0];
  ++*words;
  --*count;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
