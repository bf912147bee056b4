// SPDX-License-Identifier: Apache-2.0
// Sources of rows, in files or in memory, and the model that a plan makes of one.
#include "bindings.hpp"
#include "credence/credence.hpp"

namespace credence::python {
namespace {

FileFormat format_of(const std::string& name) {
  const std::vector<std::pair<std::string, FileFormat>> formats = {
      {"", FileFormat::automatic},        {"csv", FileFormat::csv},
      {"tsv", FileFormat::tsv},           {"jsonl", FileFormat::json_lines},
      {"libsvm", FileFormat::libsvm},     {"arff", FileFormat::arff},
      {"labelled", FileFormat::labelled}, {"mail", FileFormat::mail},
  };
  std::vector<std::string> names;
  for (const auto& [known, format] : formats) {
    if (known == name) return format;
    if (!known.empty()) names.push_back(known);
  }
  throw Error(ErrorKind::usage, "format: no format \"" + name + "\"" + suggestion(name, names));
}

std::unique_ptr<Source> open_files(const std::vector<std::string>& paths, const std::string& format,
                                   const std::string& delimiter, bool header,
                                   const std::vector<std::string>& missing,
                                   const std::string& feature_names) {
  ReadOptions options;
  options.format = format_of(format);
  if (delimiter.size() > 1) throw Error(ErrorKind::usage, "delimiter: one character, please");
  if (!delimiter.empty()) options.delimiter = delimiter[0];
  options.header = header;
  options.missing = missing;
  options.feature_names = feature_names;
  return open_source(paths, options);
}

std::vector<std::string> columns_of(const Source& source) {
  std::vector<std::string> names;
  for (const auto& column : source.profile()) names.push_back(column.name);
  return names;
}

}  // namespace

void bind_sources(nb::module_& module) {
  nb::class_<Source>(module, "Source")
      .def_prop_ro("columns", &columns_of)
      .def_prop_ro("default_target", &Source::default_target)
      .def_prop_ro("notes", &Source::notes);
  module.def("open_files", &open_files, nb::arg("paths"), nb::arg("format"), nb::arg("delimiter"),
             nb::arg("header"), nb::arg("missing"), nb::arg("feature_names"), Unlocked());
  module.def("missing_words", [] { return Schema{}.missing; });
}

}  // namespace credence::python
