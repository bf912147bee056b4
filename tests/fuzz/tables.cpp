// SPDX-License-Identifier: Apache-2.0
// Tables in files: the first line says how columns are treated, the rest is the file.
#include "fuzz/fuzz.hpp"

namespace credence::fuzz {
namespace {

Registered table(const char* name, FileFormat format) {
  return {name, [format](std::string_view bytes) {
            const auto as = take_line(bytes);
            learn(bytes, format, as);
          }};
}

const Registered all[] = {
    table("csv", FileFormat::csv),       table("json_lines", FileFormat::json_lines),
    table("libsvm", FileFormat::libsvm), table("labelled", FileFormat::labelled),
    table("arff", FileFormat::arff),     table("any_format", FileFormat::automatic)};

}  // namespace
}  // namespace credence::fuzz
