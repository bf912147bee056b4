// SPDX-License-Identifier: Apache-2.0
#include "hold_out/learn_all.hpp"

#include <memory>

#include "credence/error.hpp"
#include "parallel/parallel.hpp"

namespace credence {

Statistics add_up(Statistics start, std::size_t parts, unsigned threads,
                  const std::function<void(std::size_t part, Statistics& empty)>& observe) {
  std::vector<std::unique_ptr<Statistics>> made(parts);
  parallel_for(threads, parts, [&](std::size_t i) {
    made[i] = std::make_unique<Statistics>(start.empty());
    observe(i, *made[i]);
  });
  for (const auto& part : made) start.merge(*part, 1);
  if (const auto text = start.defect(); !text.empty()) throw Error(ErrorKind::data, text);
  start.canonicalise();
  return start;
}

Model learn_all(const Model& model, const std::vector<Chunk>& chunks, unsigned threads) {
  Model whole = model.empty();
  whole.statistics() = add_up(model.statistics().empty(), chunks.size(), threads,
                              [&](std::size_t i, Statistics& part) { part.observe(chunks[i]); });
  require_two_classes(model.schema().target, whole.classes());
  return whole;
}

}  // namespace credence
