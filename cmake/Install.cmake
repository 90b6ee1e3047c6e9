# cmake --install: the binary, the library, its headers, and how CMake (find_package(graft)) and pkg-config find them. Nothing that is
# installed knows its prefix, so that it may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS graft_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS graft_library EXPORT graft
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/graft DESTINATION include FILES_MATCHING PATTERN "*.h")

set(graft_package ${CMAKE_INSTALL_LIBDIR}/cmake/graft)
install(EXPORT graft NAMESPACE graft:: FILE graftTargets.cmake DESTINATION ${graft_package})
configure_package_config_file(cmake/graftConfig.cmake.in graftConfig.cmake INSTALL_DESTINATION ${graft_package}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(graftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graftConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/graftConfigVersion.cmake
  DESTINATION ${graft_package})

# pkg-config has one list for those who link a shared library and one more for static ones. Only one of the two is installed, so that
# `pkg-config --libs graft` is right with and without --static.
file(RELATIVE_PATH graft_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" graft_pc_prefix ${graft_pc_prefix})
set(graft_pc_libs "-L\${libdir} -lgraft")
if(NOT GRAFT_SHARED_LIBRARY)
  string(APPEND graft_pc_libs " ${GRAFT_SYSTEM_LIBRARIES}")
endif()
configure_file(cmake/graft.pc.in graft.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
