// SPDX-License-Identifier: Apache-2.0
// From a document to its words: the hot path of learning from text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "words/byte_masks.hpp"
#include "words/options.hpp"
#include "words/run_reader.hpp"

namespace credence::text {

// Has room of its own for the document at hand: one for every thread.
class Tokeniser {
 public:
  explicit Tokeniser(TokenOptions options = {});

  const TokenOptions& options() const { return options_; }

  // Hands every word of the document to sink.word(const HashedBytes&), folded and neither too short
  // nor too long, and sink.gap() is called where one that is too long was left out. The bytes of a
  // word, at least eight from its beginning, can be read until sink.settle() is called, which is
  // done before they change, before every gap and at the end. What comes after (stop
  // words, stems, n-grams) is the same for every occurrence of a word, so a sink that keeps a
  // dictionary does it once per distinct word.
  // A sink that has found(begin, end) is told before where each word stands in the text, which is
  // the document as UTF-8: those that are too short or too long as well.
  template <class Sink>
  void words(std::string_view document, Sink&& sink) {
    const std::string_view text = as_utf8(document, utf8_);
    const std::size_t room = text.size() + 2 * block_bytes;
    if (copy_.size() < room) copy_.resize(std::max(room, 2 * copy_.size()));
    const bool parts = options_.pattern == TokenPattern::parts;
    options_.fold ? parts ? scan<true, true>(text, sink) : scan<true, false>(text, sink)
    : parts ? scan<false, true>(text, sink)
                  : scan<false, false>(text, sink);
    sink.settle();
  }

 private:
  template <bool fold, bool parts, class Sink>
  void scan(std::string_view text, Sink& sink);
  template <class Sink>
  void ascii_word(std::size_t begin, std::size_t end, Sink& sink);
  template <class Sink>
  void mixed_run(std::string_view text, std::size_t begin, std::size_t end, Sink& sink);

  template <bool fold, bool parts>
  ByteMasks masks_at(std::string_view text, std::size_t at) {
    if (at + block_bytes <= text.size()) {
      return byte_masks<fold, parts>(text.data() + at, copy_.data() + at);
    }
    if (at >= text.size()) return {};
    char last[block_bytes] = {};
    std::memcpy(last, text.data() + at, text.size() - at);
    return byte_masks<fold, parts>(last, copy_.data() + at);
  }

  TokenOptions options_;
  std::size_t shortest_;  // code points
  RunReader runs_;
  std::string utf8_;        // of a document in Latin-1
  std::vector<char> copy_;  // of the document, in lower case where it is ASCII
};

// The tokens of a document in full, in the order that TokenOptions states. For looking at; to count
// them, BagBuilder is faster.
std::vector<std::string> tokens(std::string_view document, const TokenOptions& options);

// Blocks of bytes become bits; a run of bits is a word. Bytes that are not ASCII count as possible
// word characters: a run with none of them is exactly one word, and a run with some is bounded by
// characters that are certainly of no word, so that it can be read on its own.
template <bool fold, bool parts, class Sink>
void Tokeniser::scan(std::string_view text, Sink& sink) {
  ByteMasks next = masks_at<fold, parts>(text, 0);
  std::uint64_t part_before = 0;  // bit 0: the byte before the block is a possible word character
  std::uint64_t run_before = 0;   // bit 0: it belongs to a run
  std::uint64_t high_before = 0;  // not 0: a run that began before the block is not all ASCII
  std::size_t begin = 0;          // of the run at hand
  const auto finish = [&](std::size_t end, std::uint64_t high) {
    if (high == 0) {
      ascii_word(begin, end, sink);
    } else {
      mixed_run(text, begin, end, sink);
    }
  };
  for (std::size_t block = 0; block < text.size(); block += block_bytes) {
    const ByteMasks now = next;
    next = masks_at<fold, parts>(text, block + block_bytes);
    const std::uint64_t part = now.word | now.high;
    std::uint64_t run = part;
    if (options_.pattern != TokenPattern::plain) {
      run |= now.joiner & (part << 1 | part_before) & (part >> 1 | (next.word | next.high) << 63);
    }
    // Set where a run begins, and behind its end; they alternate.
    std::uint64_t edges = run ^ (run << 1 | run_before);
    if (run_before != 0) {
      if (edges == 0) {
        high_before |= now.high;
      } else {
        const int end = std::countr_zero(edges);
        edges &= edges - 1;
        finish(block + static_cast<std::size_t>(end),
               high_before | (now.high & ((std::uint64_t{1} << end) - 1)));
      }
    }
    while (edges != 0) {
      const int first = std::countr_zero(edges);
      const std::uint64_t since = ~std::uint64_t{0} << first;
      begin = block + static_cast<std::size_t>(first);
      edges &= edges - 1;
      if (edges == 0) {
        high_before = now.high & since;
        break;
      }
      const int end = std::countr_zero(edges);
      edges &= edges - 1;
      finish(block + static_cast<std::size_t>(end),
             now.high & since & ((std::uint64_t{1} << end) - 1));
    }
    part_before = part >> 63;
    run_before = run >> 63;
  }
  if (run_before != 0) finish(text.size(), high_before);
}

template <class Sink>
void tell_place(Sink& sink, std::size_t begin, std::size_t end) {
  if constexpr (requires { sink.found(begin, end); }) sink.found(begin, end);
}

template <class Sink>
void Tokeniser::ascii_word(std::size_t begin, std::size_t end, Sink& sink) {
  tell_place(sink, begin, end);
  const std::size_t size = end - begin;
  if (size > TokenOptions::longest) {
    sink.settle();
    sink.gap();
  } else if (size >= shortest_) {
    sink.word(hash_padded(copy_.data() + begin, size));
  }
}

template <class Sink>
void Tokeniser::mixed_run(std::string_view text, std::size_t begin, std::size_t end, Sink& sink) {
  runs_.start(text.substr(begin, end - begin));
  for (auto found = runs_.next(); found != RunReader::Found::end; found = runs_.next()) {
    const auto word = runs_.word();
    const auto source = runs_.source();
    tell_place(sink, static_cast<std::size_t>(source.data() - text.data()),
               static_cast<std::size_t>(source.data() + source.size() - text.data()));
    if (found == RunReader::Found::overlong) {
      sink.settle();
      sink.gap();
    } else if (word.size() >= shortest_ &&
               (shortest_ == 1 || count_code_points(word) >= shortest_)) {
      sink.word(hash_padded(word.data(), word.size()));
      sink.settle();  // the reader has room for one word only
    }
  }
}

}  // namespace credence::text
