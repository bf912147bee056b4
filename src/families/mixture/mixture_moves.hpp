// SPDX-License-Identifier: Apache-2.0
// From one maximum of a mixture's likelihood to a higher one.
#pragma once

#include <cstdint>

#include "families/mixture/mixture_climb.hpp"

namespace credence {

// How hard to search.
struct Effort {
  std::size_t starts;    // so many of the starts moves begin at
  std::size_t wide;      // swaps in a round that put a wide component
  std::size_t swaps;     // all of them
  std::size_t followed;  // moves of a round that are followed for long
};

// Moves components to other places and climbs from there, as long as that ends higher. Two kinds of
// moves: two components merge and one is split (Ueda, Nakano, Ghahramani & Hinton, 2000), and, as
// many as `effort` says each time, one is put at a row that is drawn (Zhao, Hautamäki, Kärkkäinen &
// Fränti, 2012). It ends early at a height that is among those `tried`, where moves from another
// start have been in vain, and adds its own.
void move_higher(const Hill& hill, const Effort& effort, std::uint64_t seed,
                 std::vector<double>& tried, Climb& from);

}  // namespace credence
