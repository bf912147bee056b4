// SPDX-License-Identifier: Apache-2.0
// Several numbers as a mixture of normals, each class its own. Derivations:
// docs/families/mixture.md
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "families/mixture/mixture_em.hpp"

namespace credence {

// "3", "3, diagonal", "bic", "bic=5", "starts=20", "seed=7", "floor=1e-6".
MixtureOptions parse_mixture(const std::string& parameters);

}  // namespace credence
