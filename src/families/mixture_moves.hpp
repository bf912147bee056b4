// SPDX-License-Identifier: Apache-2.0
// From one maximum of a mixture's likelihood to a higher one.
#pragma once

#include <cstdint>

#include "families/mixture_climb.hpp"

namespace credence {

// Moves components to other places and climbs from there, as long as that ends higher. Two kinds of
// moves: two components merge and one is split (Ueda, Nakano, Ghahramani & Hinton, 2000), and, as
// many as `swaps` each time, one is put at a row that is drawn (Zhao, Hautamäki, Kärkkäinen &
// Fränti, 2012).
void move_higher(const Hill& hill, std::size_t swaps, std::uint64_t seed, Climb& from);

}  // namespace credence
