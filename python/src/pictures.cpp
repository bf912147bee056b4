// SPDX-License-Identifier: Apache-2.0
// The library's pictures, as the bytes of a file: SVG, PNG or PDF by the ending of its name.
#include "bindings.hpp"
#include "credence/credence.hpp"
#include "plot/judged/judged.hpp"
#include "plot/plot.hpp"

namespace credence::python {
namespace {

plot::Look look_of(const std::string& path, double width, double height) {
  return {plot::format_of(path), width, height, ""};
}

template <typename Draw>
nb::bytes drawn(const Draw& draw) {
  std::string bytes;
  {
    const nb::gil_scoped_release unlocked;
    bytes = draw();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes feature(const Model& model, const std::string& column, const std::string& path,
                  double width, double height) {
  return drawn([&] {
    return plot::feature(model, {}, {column, "", ""}, look_of(path, width, height));
  });
}

nb::bytes posterior(const Model& model, const std::string& column, const std::string& at,
                    const std::string& path, double width, double height) {
  return drawn([&] {
    return plot::posterior_along(model, {}, {column, "", at}, look_of(path, width, height));
  });
}

nb::bytes evidence(const Scorer& scorer, Source& source, int against, const std::string& path,
                   double width, double height) {
  return drawn([&] {
    source.select(scorer.schema(), false);
    const auto chunks = read_all(source, 1);
    std::size_t rows = 0;
    for (const auto& chunk : chunks) rows += chunk.rows;
    if (rows != 1) {
      throw Error(ErrorKind::usage, "evidence: one row is wanted, not " + std::to_string(rows));
    }
    Explanation found = scorer.explain(chunks[0], 0);
    if (against >= 0) {
      found = scorer.explain(chunks[0], 0, found.winner, static_cast<std::size_t>(against));
    }
    return plot::evidence(found, scorer.classes(), look_of(path, width, height));
  });
}

nb::bytes reliability(const Scorer& scorer, Source& source, const std::string& path, double width,
                      double height, unsigned threads) {
  return drawn([&] {
    source.select(scorer.schema(), false);
    const auto judged = plot::judge_rows(scorer, read_all(source, threads), {}, threads);
    return plot::reliability(judged, look_of(path, width, height));
  });
}

}  // namespace

void bind_pictures(nb::module_& module) {
  module.def("plot_feature", &feature, nb::arg("model"), nb::arg("column"), nb::arg("path"),
             nb::arg("width"), nb::arg("height"));
  module.def("plot_posterior", &posterior, nb::arg("model"), nb::arg("column"), nb::arg("at"),
             nb::arg("path"), nb::arg("width"), nb::arg("height"));
  module.def("plot_evidence", &evidence, nb::arg("scorer"), nb::arg("source"), nb::arg("against"),
             nb::arg("path"), nb::arg("width"), nb::arg("height"));
  module.def("plot_reliability", &reliability, nb::arg("scorer"), nb::arg("source"),
             nb::arg("path"), nb::arg("width"), nb::arg("height"), nb::arg("threads"));
}

}  // namespace credence::python
