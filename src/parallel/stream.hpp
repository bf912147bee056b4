// SPDX-License-Identifier: Apache-2.0
// A source's chunks, parsed and worked on in parallel, their results taken in order.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/chunk_rows.hpp"
#include "credence/source.hpp"
#include "parallel/parallel.hpp"
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

// As stream_chunks(), for results that grow with the number of classes: a chunk for which they
// would be too large is cut into slices, which are worked on in parallel where the results are
// taken.
template <typename Out, typename Work, typename Consume>
void stream_slices(Source& source, std::size_t classes, unsigned threads, const Progress& progress,
                   const Work& work, const Consume& consume) {
  struct Part {
    std::optional<Out> out = {};
    Chunk chunk = {};  // where it is too large
  };
  const std::size_t most = rows_at_once(classes);
  const auto cut = [&](const Chunk& chunk) {
    const std::size_t slices = (chunk.rows + most - 1) / most, at_once = 2 * threads_here();
    for (std::size_t done = 0; done < slices; done += at_once) {
      std::vector<std::optional<Out>> outs(std::min(at_once, slices - done));
      parallel_for(threads, outs.size(), [&](std::size_t i) {
        const std::size_t first = (done + i) * most;
        outs[i].emplace(work(slice_rows(chunk, first, std::min(most, chunk.rows - first))));
      });
      for (auto& out : outs) consume(std::move(*out));
    }
  };
  stream_chunks<Part>(
      source, threads, progress,
      [&](Chunk chunk) {
        Part part;
        if (chunk.rows <= most) {
          part.out.emplace(work(chunk));
        } else {
          part.chunk = std::move(chunk);
        }
        return part;
      },
      [&](Part part) { part.out ? consume(std::move(*part.out)) : cut(part.chunk); });
}

// The same of chunks that are in memory.
template <typename Out, typename Work, typename Consume>
void stream_slices(std::span<const Chunk> chunks, std::size_t classes, unsigned threads,
                   const Work& work, const Consume& consume) {
  struct Slice {
    const Chunk* chunk;
    std::size_t first, count;
  };
  const std::size_t most = rows_at_once(classes);
  std::size_t next = 0, row = 0;
  PipelineSteps<Slice, Slice, Out> steps;
  steps.produce = [&]() -> std::optional<Slice> {
    while (next < chunks.size() && row == chunks[next].rows) {
      ++next;
      row = 0;
    }
    if (next == chunks.size()) return std::nullopt;
    const Slice slice{&chunks[next], row, std::min(most, chunks[next].rows - row)};
    row += slice.count;
    return slice;
  };
  steps.refine = [](const Slice& slice) { return slice; };
  steps.work = [&](Slice&& slice) -> Out {
    if (slice.count == slice.chunk->rows) return work(*slice.chunk);
    return work(slice_rows(*slice.chunk, slice.first, slice.count));
  };
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
