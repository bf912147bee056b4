# The server, and the page that is part of it. No program that uses the library carries it along.
file(GLOB_RECURSE serve_sources CONFIGURE_DEPENDS src/serve/*.cpp)
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS web/dist/*)
set(embedded ${PROJECT_BINARY_DIR}/embedded_assets.cpp)
find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
add_custom_command(OUTPUT ${embedded}
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/cmake/embed_assets.py ${embedded}
          ${PROJECT_SOURCE_DIR}/src/serve/openapi.json ${PROJECT_SOURCE_DIR}/web/dist
  DEPENDS cmake/embed_assets.py src/serve/openapi.json ${page_files}
  COMMENT "Packing the page")
add_library(credence-serve STATIC ${serve_sources} ${embedded})
target_compile_options(credence-serve PRIVATE -Wall -Wextra -Wconversion)
compile_by_folder(credence-serve 10 ${serve_sources})
set_source_files_properties(${embedded} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(credence-serve PRIVATE src)
target_link_libraries(credence-serve PRIVATE credence fmt::fmt Threads::Threads ZLIB::ZLIB ${CMAKE_DL_LIBS}
  nlohmann_json::nlohmann_json Boost::headers)
