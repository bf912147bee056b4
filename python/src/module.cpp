// SPDX-License-Identifier: Apache-2.0
// The extension module credence._core: the C++ library as Python's own parts use it.
#include "bindings.hpp"
#include "credence/error.hpp"
#include "tables/memory/memory.hpp"

namespace credence::python {
namespace {

PyObject* exception_for(ErrorKind kind) {
  return kind == ErrorKind::system ? PyExc_OSError : PyExc_ValueError;
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const data::UnreadableType& found) {
    PyErr_SetString(PyExc_TypeError, worded(found.message()).c_str());
  } catch (const Error& found) {
    PyErr_SetString(exception_for(found.kind()), worded(found.message()).c_str());
  }
}

}  // namespace
}  // namespace credence::python

NB_MODULE(_core, module) {
  using namespace credence::python;
  module.doc() = "The C++ library. Use the package credence instead.";
  module.attr("VERSION") = CREDENCE_VERSION;
  nb::register_exception_translator(translate);
  bind_frame(module);
  bind_sources(module);
  bind_models(module);
  bind_scorers(module);
  bind_evaluation(module);
  bind_judgement(module);
  bind_text(module);
  bind_pictures(module);
}
