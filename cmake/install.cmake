# cmake --install: the library with its headers, the program, and the CMake package that gives
# find_package(credence) the target credence::credence.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/credence)

install(TARGETS credence EXPORT credence-targets)
install(TARGETS credence-cli)
install(DIRECTORY include/credence DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT credence-targets NAMESPACE credence:: DESTINATION ${package_dir})

configure_package_config_file(cmake/credence-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/credence-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/credence-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/credence-config.cmake
              ${PROJECT_BINARY_DIR}/cmake/credence-config-version.cmake
        DESTINATION ${package_dir})

# The manual page is what the program says of itself.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:credence-cli>\" completion man
  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/credence.1\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/credence.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
