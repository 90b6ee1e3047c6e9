# The library that is installed, target graft_library: the objects of the engine and of KenLM in one, with no name to be seen but those that
# include/graft declares. A program may bring its own KenLM, and gets no inline function that was compiled for another machine.
#
# One object is linked of all (-r). Its COMDAT groups are dissolved, or a program's copy of an inline function would replace the
# library's. Then every name is made local except public ones: hidden ones are not public (all of graft::engine, KenLM), nor are names
# outside of graft (std, Boost), nor what implements public classes. Works on ELF with GNU binutils.
if(NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "objcopy is missing; install binutils")
endif()
set(graft_object ${CMAKE_CURRENT_BINARY_DIR}/graft_library.o)
# CMake counts precompiled headers among the objects.
set(graft_parts $<FILTER:$<TARGET_OBJECTS:graft_engine>,EXCLUDE,cmake_pch> $<TARGET_OBJECTS:kenlm_builder> $<TARGET_OBJECTS:kenlm> $<TARGET_OBJECTS:kenlm_util>)
add_custom_command(OUTPUT ${graft_object}
  COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -Wl,--force-group-allocation -o ${graft_object} ${graft_parts}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-hidden
    --keep-global-symbol=_ZN5graft* --keep-global-symbol=_ZNK5graft* --keep-global-symbol=_ZT?N5graft*
    --localize-symbol=*5graft8internal* --localize-symbol=*4Impl* ${graft_object}
  DEPENDS ${graft_parts} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Making one object of the library")
set_source_files_properties(${graft_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

if(GRAFT_SHARED_LIBRARY)
  add_library(graft_library SHARED ${graft_object})
else()
  add_library(graft_library STATIC ${graft_object})
endif()
add_library(graft::graft ALIAS graft_library)
set_target_properties(graft_library PROPERTIES OUTPUT_NAME graft EXPORT_NAME graft LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(graft_library INTERFACE cxx_std_20)
target_include_directories(graft_library INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
# What a program must link besides a static library; graftConfig.cmake.in and graft.pc name the same.
target_link_libraries(graft_library PRIVATE Boost::thread Boost::system fmt::fmt ICU::i18n ICU::uc LibLZMA::LibLZMA PkgConfig::GRAFT_XXHASH
  PkgConfig::GRAFT_ZSTD Threads::Threads ZLIB::ZLIB)
set(GRAFT_SYSTEM_LIBRARIES "-lboost_thread -lboost_system -lfmt -licui18n -licuuc -llzma -lxxhash -lzstd -lz -pthread")
if(BZIP2_FOUND)
  target_link_libraries(graft_library PRIVATE BZip2::BZip2)
  string(APPEND GRAFT_SYSTEM_LIBRARIES " -lbz2")
endif()
