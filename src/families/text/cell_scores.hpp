// SPDX-License-Identifier: Apache-2.0
// What words say of the classes in which they were seen: pairs of a class and a number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/text/prefetch.hpp"

namespace credence {

// Scoring a document is a walk through these, so they are kept small. Where they stem from counts,
// most numbers are the same few: as long as there are not too many different ones, a cell is the
// place of its number in a list of them, in a quarter of the memory.
class CellScores {
 public:
  void reserve(std::size_t cells) { packed_.reserve(cells); }
  void push_back(std::uint32_t cls, double correction);
  // For a number that comes often: its place, as long as it is there, saves looking it up.
  static constexpr std::uint32_t no_place = 0xFFFFFFFFu;
  struct Listed {
    double correction;
    std::uint32_t place = no_place;
  };
  Listed list(double correction) {
    return {correction, is_packed_ ? place_of(correction) : no_place};
  }
  void push_back(std::uint32_t cls, const Listed& listed) {
    if (is_packed_ && listed.place != no_place && cls < most_classes) {
      packed_.push_back(cls << place_bits | listed.place);
    } else {
      push_back(cls, listed.correction);
    }
  }

  std::size_t size() const { return is_packed_ ? packed_.size() : wide_.size(); }
  std::uint32_t cls(std::size_t cell) const {
    return is_packed_ ? packed_[cell] >> place_bits : wide_[cell].cls;
  }
  double correction(std::size_t cell) const {
    return is_packed_ ? listed_[packed_[cell] & place_mask] : wide_[cell].correction;
  }

  // score[class] += weight * correction, for `cells` of them from `first` on.
  void add(std::size_t first, std::size_t cells, double weight, std::span<double> score) const {
    if (is_packed_) {
      const std::uint32_t* const from = packed_.data() + first;
      for (std::size_t k = 0; k < cells; ++k) {
        score[from[k] >> place_bits] += weight * listed_[from[k] & place_mask];
      }
    } else {
      const Wide* const from = wide_.data() + first;
      for (std::size_t k = 0; k < cells; ++k) score[from[k].cls] += weight * from[k].correction;
    }
  }

  // Asks for the memory that add() will read.
  void prefetch(std::size_t first, std::size_t cells) const {
    if (is_packed_) {
      prefetch_lines(packed_.data() + first, cells * sizeof packed_[0]);
    } else {
      prefetch_lines(wide_.data() + first, cells * sizeof wide_[0]);
    }
  }

 private:
  struct Wide {
    double correction;
    std::uint32_t cls;
  };
  static constexpr std::uint32_t place_bits = 12, place_mask = (1u << place_bits) - 1;
  static constexpr std::uint32_t most_classes = 1u << (32 - place_bits);

  std::uint32_t place_of(double correction);
  void widen();

  bool is_packed_ = true;
  std::vector<std::uint32_t> packed_;  // class, and place in listed_
  std::vector<double> listed_;         // different numbers
  std::vector<std::uint32_t> slots_;   // a hash of listed_, at most half full
  std::vector<Wide> wide_;
};

}  // namespace credence
