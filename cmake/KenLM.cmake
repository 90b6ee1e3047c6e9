# KenLM: queries (kenlm), utilities and the estimator inside lmplz (kenlm_builder), from its source package. The package comes through pip, is
# checked against its sum and unpacked into the build folder; -DKENLM_SOURCE_DIR=… uses a copy of your own.
set(KENLM_VERSION 0.3.0)
set(KENLM_SHA256 c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8)
set(KENLM_SOURCE_DIR "" CACHE PATH "Unpacked KenLM sources; empty: the source package is fetched with pip")

if(NOT KENLM_SOURCE_DIR)
  set(kenlm_root ${CMAKE_BINARY_DIR}/kenlm-source)
  set(kenlm_archive ${kenlm_root}/kenlm-${KENLM_VERSION}.tar.gz)
  if(NOT EXISTS ${kenlm_root}/kenlm-${KENLM_VERSION}/lm)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    file(MAKE_DIRECTORY ${kenlm_root})
    if(NOT EXISTS ${kenlm_archive})
      message(STATUS "Fetching KenLM ${KENLM_VERSION}")
      execute_process(
        COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --no-deps --no-binary kenlm kenlm==${KENLM_VERSION} -d ${kenlm_root}
        RESULT_VARIABLE kenlm_result ERROR_VARIABLE kenlm_error)
      if(NOT kenlm_result EQUAL 0)
        message(FATAL_ERROR "Could not fetch KenLM with pip; unpack its source package yourself and pass -DKENLM_SOURCE_DIR=…\n${kenlm_error}")
      endif()
    endif()
    file(SHA256 ${kenlm_archive} kenlm_sum)
    if(NOT kenlm_sum STREQUAL KENLM_SHA256)
      message(FATAL_ERROR "${kenlm_archive} has sha256 ${kenlm_sum}, expected ${KENLM_SHA256}; remove it and try again")
    endif()
    file(ARCHIVE_EXTRACT INPUT ${kenlm_archive} DESTINATION ${kenlm_root})
  endif()
  set(kenlm_dir ${kenlm_root}/kenlm-${KENLM_VERSION})
else()
  set(kenlm_dir ${KENLM_SOURCE_DIR})
endif()

if(NOT EXISTS ${kenlm_dir}/lm/builder/pipeline.hh)
  message(FATAL_ERROR "${kenlm_dir} does not hold the KenLM sources (no lm/builder/pipeline.hh)")
endif()

find_package(Boost REQUIRED COMPONENTS thread system program_options)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(BZip2)

# Sources of one or more folders below the KenLM root, without its tests and programs and what these alone use.
function(kenlm_library name)
  set(sources)
  foreach(folder ${ARGN})
    file(GLOB found ${kenlm_dir}/${folder}/*.cc)
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "(_test|_main|/size_option)\\.cc$")
  add_library(${name} STATIC ${sources})
  kenlm_options(${name})
endfunction()

# Foreign code: always optimised, no warnings, and read as the language it was written in. KenLM reads packed bits and mapped files through
# unaligned pointers by design, which UBSan would stop at.
function(kenlm_options name)
  target_compile_features(${name} PRIVATE cxx_std_17)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_CLANG_TIDY "")
  target_compile_options(${name} PRIVATE -O3 -w)
  if(GRAFT_SANITIZE MATCHES "undefined")
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

kenlm_library(kenlm_util util util/double-conversion util/stream)
target_include_directories(kenlm_util SYSTEM PUBLIC ${kenlm_dir})
target_compile_definitions(kenlm_util PUBLIC KENLM_MAX_ORDER=6 PRIVATE HAVE_CLOCKGETTIME HAVE_ZLIB HAVE_XZLIB)
target_link_libraries(kenlm_util PUBLIC Boost::headers Boost::thread Boost::system Threads::Threads
  PRIVATE ZLIB::ZLIB LibLZMA::LibLZMA)
if(BZIP2_FOUND)
  target_compile_definitions(kenlm_util PRIVATE HAVE_BZLIB)
  target_link_libraries(kenlm_util PRIVATE BZip2::BZip2)
endif()

kenlm_library(kenlm lm lm/common)
target_link_libraries(kenlm PUBLIC kenlm_util)

kenlm_library(kenlm_builder lm/builder)
target_link_libraries(kenlm_builder PUBLIC kenlm)

add_library(kenlm_all INTERFACE)
target_link_libraries(kenlm_all INTERFACE kenlm_builder kenlm kenlm_util)

# KenLM's own programs, which the tests compare with.
function(kenlm_program name)
  list(TRANSFORM ARGN PREPEND ${kenlm_dir}/ OUTPUT_VARIABLE sources)
  add_executable(${name} ${sources})
  kenlm_options(${name})
  target_link_libraries(${name} PRIVATE kenlm_all Boost::program_options)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/kenlm)
endfunction()

if(GRAFT_TESTS)
  kenlm_program(lmplz lm/builder/lmplz_main.cc lm/common/size_option.cc)
  kenlm_program(build_binary lm/build_binary_main.cc)
  kenlm_program(query lm/query_main.cc)
endif()
