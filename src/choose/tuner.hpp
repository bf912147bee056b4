// SPDX-License-Identifier: Apache-2.0
// Candidates judged on rows held out. Rows are dealt out and counted once, whoever is judged when.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "credence/tune.hpp"

namespace credence {

class Tuner {
 public:
  // Keeps references to the candidates and the chunks.
  Tuner(const Model& model, const std::vector<Candidate>& candidates,
        const std::vector<Chunk>& chunks, const TuneOptions& options);
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  std::size_t rows() const;     // to be judged
  std::size_t classes() const;  // that they have
  // Judges some candidates on every `step`-th row; all rows are learnt from.
  void judge(const std::vector<std::size_t>& candidates, std::size_t step);

  // Of all candidates; of those that were never judged nothing is known.
  const std::vector<Tried>& tried() const;
  // The best of these; throws where none can be estimated.
  std::size_t best(const std::vector<std::size_t>& candidates) const;
  const Model& whole() const;  // all blocks, after all rows
  // What a person should know of the folds and of how these candidates did.
  std::vector<Message> notes(const std::vector<std::size_t>& candidates) const;

 private:
  class Judge;
  std::unique_ptr<Judge> judge_;
};

}  // namespace credence
