// SPDX-License-Identifier: Apache-2.0
// What the parts of the extension module share. Work that takes long runs without Python's lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "credence/error.hpp"
#include "credence/model.hpp"

namespace credence::python {

namespace nb = nanobind;

using Unlocked = nb::call_guard<nb::gil_scoped_release>;
// Arrays of others are read where they lie, writable or not.
using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// A numpy array that takes the numbers over.
template <class Array, class T>
Array to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* held = new std::vector<T>(std::move(values));
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(held->data(), shape, owner);
}

// How a column is used: its name, its family, and why where nobody said so.
using Use = std::tuple<std::string, std::string, std::string>;
std::vector<Use> uses_of(const std::vector<PlannedColumn>& columns);

// The message with settings named as the parameters of Python.
std::string worded(const Message& message);

void bind_frame(nb::module_& module);
void bind_sources(nb::module_& module);
void bind_models(nb::module_& module);
void bind_scorers(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_judgement(nb::module_& module);
void bind_text(nb::module_& module);
void bind_pictures(nb::module_& module);

}  // namespace credence::python
