# The C++ tests: under the sanitizers all but a few, optimised only those few; so nearly every file is compiled once.
function(add_cpp_tests target)
  add_executable(${target} EXCLUDE_FROM_ALL ${ARGN} places.cpp)
  set_source_files_properties(places.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_DEFINITIONS
    "CREDENCE_TESTS=\"${CMAKE_CURRENT_SOURCE_DIR}\";CREDENCE_EXAMPLES=\"${PROJECT_SOURCE_DIR}/examples\";CREDENCE_SHARED_DATA=\"${PROJECT_SOURCE_DIR}/../shared/data\"")
  # The tests take longer to compile than to run. The sanitizers are there for the library: checks of
  # undefined behaviour in the tests themselves would double the time it takes to compile them.
  target_compile_options(${target} PRIVATE -Wall -Wextra -O1 -fpch-preprocess)
  if(CREDENCE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -g0 -fno-sanitize=undefined)
  endif()
  # The libraries of the tests take longer to read than most tests to compile.
  target_precompile_headers(${target} PRIVATE precompiled.hpp)
  compile_by_folder(${target} 8 ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE credence-serve credence GTest::gtest_main GTest::gmock rapidcheck_gtest
    fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB PkgConfig::UTF8PROC ${STEMMER_LIBRARY}
    Boost::headers Eigen3::Eigen PkgConfig::GMIME)
endfunction()

# Runs a test program in parts, with the same random tables in every run; RC_PARAMS= by hand tries others.
# The address sanitizer would look up where all thirty callers of every allocation stand, which takes most of its
# time: by hand it still does.
function(run_in_parts target name parts filter)
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    add_test(NAME cpp.${name}${part} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(cpp.${name}${part} PROPERTIES LABELS cpp TIMEOUT 900
      ENVIRONMENT "RC_PARAMS=seed=20261115;GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index};GTEST_FILTER=${filter};ASAN_OPTIONS=malloc_context_size=2")
  endforeach()
endfunction()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS *_test.cpp)
list(FILTER test_sources EXCLUDE REGEX "/tests/install/")
add_cpp_tests(credence_tests ${test_sources})
if(CREDENCE_SANITIZE)  # Eigen does not compile without an optimiser.
  set_source_files_properties(families/evidence_test.cpp families/gaussian/factor_test.cpp
    families/gaussian/gaussian_block_test.cpp families/mixture/mixture_moves_test.cpp
    PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endif()

# What goes the same way thousands of times, which tells the sanitizers nothing new and takes them long.
set(slow "*SampleLaws*:*HoldingOut*mixture*:*CrossValidationLaws*mixture*:*CrossValidationLaws*kernel*:*ChangeLaws*mixture*:MixtureMoves.*:Mixture.FindsTheClouds*:*EveryFamily*kernel*")
set(slow_sources ${test_sources})
list(FILTER slow_sources INCLUDE REGEX
  "/(density_laws|change_laws|held_out|cross_validation|semi_supervised|mixture|mixture_moves|lanes)_test.cpp$")
# The sanitizers have kernels for two numbers at a time alone: those for four and eight run optimised.
set(optimised "${slow}:*Lane.*")
if(CREDENCE_SANITIZE)
  run_in_parts(credence_tests "" 8 "-${slow}")
else()
  add_cpp_tests(credence_slow_tests ${slow_sources})
  run_in_parts(credence_slow_tests slow. 4 "${optimised}")
endif()
