# The Python package: the extension module credence._core, its stub, and the program, as the
# component "python" that scikit-build-core installs into a wheel.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

file(GLOB extension_sources CONFIGURE_DEPENDS python/src/*.cpp)
# The stable ABI begins with Python 3.12; before it nanobind makes a module for one version.
nanobind_add_module(_core STABLE_ABI NB_STATIC ${extension_sources})
# nanobind has its modules compiled to be small; these have loops over all rows.
set_source_files_properties(python/src/scorers.cpp python/src/frame.cpp PROPERTIES COMPILE_OPTIONS -O3)
target_include_directories(_core PRIVATE src)
target_compile_options(_core PRIVATE -Wall -Wextra)
target_link_libraries(_core PRIVATE credence fmt::fmt Boost::headers Eigen3::Eigen)
nanobind_add_stub(_core_stub MODULE _core OUTPUT _core.pyi PYTHON_PATH $<TARGET_FILE_DIR:_core>
  DEPENDS _core)

install(TARGETS _core LIBRARY DESTINATION credence COMPONENT python)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/_core.pyi DESTINATION credence COMPONENT python)
if(DEFINED SKBUILD_SCRIPTS_DIR)
  install(PROGRAMS $<TARGET_FILE:credence-cli> DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
