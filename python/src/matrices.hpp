// SPDX-License-Identifier: Apache-2.0
// Matrices as numpy and scipy hand them over, read where they lie.
#pragma once

#include "bindings.hpp"

namespace credence::python {

using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

}  // namespace credence::python
