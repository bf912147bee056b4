// SPDX-License-Identifier: Apache-2.0
// Every chunk of a source, in order, to one consumer; parsing runs on several threads.
#pragma once

#include <optional>

#include "core/parallel.hpp"
#include "credence/model.hpp"
#include "credence/source.hpp"

namespace credence {

template <typename Consume>
void for_each_chunk(Source& source, unsigned threads, const Progress& progress,
                    const Consume& consume) {
  ordered_pipeline<RawChunk, Chunk>(
      threads,
      [&]() -> std::optional<RawChunk> {
        RawChunk raw;
        if (!source.read(raw)) return std::nullopt;
        if (progress) progress(source.bytes_read(), source.bytes_total());
        return raw;
      },
      [&](const RawChunk& raw) { return source.parse(raw); }, consume);
}

}  // namespace credence
