// SPDX-License-Identifier: Apache-2.0
// A source's chunks, parsed and worked on in parallel, their results taken in order.
#pragma once

#include "credence/source.hpp"
#include "parallel/pipeline.hpp"

namespace credence {

// work(Chunk) -> Out, in parallel; consume(Out), serial, in the order of the source.
template <typename Out, typename Work, typename Consume>
void stream_chunks(Source& source, unsigned threads, const Progress& progress, const Work& work,
                   const Consume& consume) {
  PipelineSteps<RawChunk, Chunk, Out> steps;
  steps.produce = [&]() -> std::optional<RawChunk> {
    RawChunk raw;
    if (!source.read(raw)) return std::nullopt;
    if (progress) progress(source.bytes_read(), source.bytes_total());
    return raw;
  };
  steps.refine = [&](const RawChunk& raw) { return source.parse(raw); };
  steps.work = [&](Chunk&& chunk) -> Out { return work(std::move(chunk)); };
  steps.consume = [&](Out&& out) { consume(std::move(out)); };
  run_pipeline(threads, steps);
}

// The chunks themselves, parsed in parallel.
template <typename Consume>
void for_each_chunk(Source& source, unsigned threads, const Progress& progress,
                    const Consume& consume) {
  stream_chunks<Chunk>(
      source, threads, progress, [](Chunk chunk) { return chunk; }, consume);
}

}  // namespace credence
