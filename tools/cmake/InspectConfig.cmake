# find_package(Inspect): the installed tools, the header, and tests that are checks.
#
#   Inspect::inspect, Inspect::inspect-cc, Inspect::inspect-c++   the programs
#   Inspect::header                                               <inspect/inspect.h>
#
#   inspect_add_check(NAME TARGET target | SOURCES file...
#                     [LINK_LIBRARIES item...] [CFLAGS flags] [OPTIONS option...] [ARGS argument...] [TIME_LIMIT seconds])
#       A CTest test that passes if every schedule of the program is verified; exit status 3 (inconclusive) counts as skipped.
#       TARGET is an executable of the project, which is built once more, with the wrappers, and so are the project's own
#       libraries that it links. SOURCES are compiled when the test runs, or when the project is built if they have LINK_LIBRARIES.
#       OPTIONS are those of `inspect check`, ARGS the program's.
#
#   inspect_discover_checks(TARGET [LINK_LIBRARIES item...] [OPTIONS option...] [ARGS argument...] [TIME_LIMIT seconds]
#                           [TEST_PREFIX prefix])
#       Such a test for each case of a program that uses GoogleTest or Catch2, named prefix and the case's name (`check.` if no
#       prefix is given). The cases are listed when ctest starts. An installed GoogleTest is replaced by one that is built with
#       the wrappers from the sources in INSPECT_GOOGLETEST_SOURCE (Debian's package googletest): what is not built with them
#       cannot be seen, so a check of it is inconclusive.
#
# TIME_LIMIT is INSPECT_TIME_LIMIT if it is not given, 60 by default. A bug's schedule is in the folder inspect-schedules of the
# binary folder, under the test's name.
get_filename_component(inspect_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(tool inspect inspect-cc inspect-c++)
  if(NOT TARGET Inspect::${tool})
    add_executable(Inspect::${tool} IMPORTED GLOBAL)
    set_target_properties(Inspect::${tool} PROPERTIES IMPORTED_LOCATION "${inspect_prefix}/bin/${tool}")
  endif()
endforeach()
if(NOT TARGET Inspect::header)
  add_library(Inspect::header INTERFACE IMPORTED GLOBAL)
  set_target_properties(Inspect::header PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${inspect_prefix}/include")
endif()
set(INSPECT_TIME_LIMIT 60 CACHE STRING "Seconds after which a check ends without a verdict")
set(INSPECT_GOOGLETEST_SOURCE /usr/src/googletest CACHE PATH "Sources of GoogleTest, which are built for checks")
set_property(GLOBAL PROPERTY INSPECT_PACKAGE_FOLDER "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/InspectTargets.cmake")

# Sets the seconds of a check, those after which ctest ends it, and the folder of schedules.
macro(inspect_set_limits seconds)
  set(time_limit "${seconds}")
  if(NOT time_limit)
    set(time_limit ${INSPECT_TIME_LIMIT})
  endif()
  string(REGEX REPLACE "[.].*" "" timeout "${time_limit}")
  math(EXPR timeout "0${timeout} + 60" OUTPUT_FORMAT DECIMAL)
  set(schedules "${CMAKE_CURRENT_BINARY_DIR}/inspect-schedules")
  file(MAKE_DIRECTORY "${schedules}")
endmacro()

function(inspect_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 check "" "TARGET;CFLAGS;TIME_LIMIT" "SOURCES;LINK_LIBRARIES;OPTIONS;ARGS")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inspect_add_check(${name}): unknown argument ${check_UNPARSED_ARGUMENTS}")
  endif()
  if(check_TARGET AND check_SOURCES OR NOT check_TARGET AND NOT check_SOURCES)
    message(FATAL_ERROR "inspect_add_check(${name}) needs either TARGET or SOURCES")
  endif()
  list(TRANSFORM check_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  inspect_set_limits("${check_TIME_LIMIT}")
  string(MAKE_C_IDENTIFIER "${name}" file)
  set(before check --progress=off --time-limit=${time_limit} "--schedule=${schedules}/${file}.schedule" ${check_OPTIONS})
  set(after)
  if(check_ARGS)
    set(after -- ${check_ARGS})
  endif()
  if(check_TARGET OR check_LINK_LIBRARIES)
    set(program "${name}.inspect")
    if(NOT check_LINK_LIBRARIES AND NOT check_CFLAGS)
      set(program "${check_TARGET}.inspect")  # one for all checks of the target
    endif()
    inspect_add_program(${program} "${check_TARGET}" "${check_SOURCES}" "${check_LINK_LIBRARIES}" "${check_CFLAGS}")
    set(program "$<TARGET_FILE:${program}>")
  else()
    if(check_CFLAGS)
      list(APPEND before "--cflags=${check_CFLAGS}")
    endif()
    set(program ${check_SOURCES})
  endif()
  add_test(NAME ${name} COMMAND Inspect::inspect ${before} ${program} ${after})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 3 TIMEOUT ${timeout} LABELS inspect)
endfunction()

function(inspect_discover_checks target)
  cmake_parse_arguments(PARSE_ARGV 1 check "" "TIME_LIMIT;TEST_PREFIX" "LINK_LIBRARIES;OPTIONS;ARGS")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inspect_discover_checks(${target}): unknown argument ${check_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED check_TEST_PREFIX AND NOT "TEST_PREFIX" IN_LIST ARGN)  # an empty one leaves no variable
    set(check_TEST_PREFIX "check.")
  endif()
  inspect_set_limits("${check_TIME_LIMIT}")
  set(program "${target}.inspect")
  inspect_add_program(${program} "${target}" "" "${check_LINK_LIBRARIES}" "")
  get_property(folder GLOBAL PROPERTY INSPECT_PACKAGE_FOLDER)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${program}-checks")
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    set(configuration "-$<CONFIG>")
    file(WRITE "${script}.cmake" "include(\"${script}-\${CTEST_CONFIGURATION_TYPE}.cmake\")\n")
  endif()
  file(GENERATE OUTPUT "${script}${configuration}.cmake" CONTENT "include([==[${folder}/InspectDiscover.cmake]==])
inspect_list_checks([==[${target}]==] [==[$<TARGET_FILE:${program}>]==] [==[$<TARGET_FILE:Inspect::inspect>]==]
  [==[${check_TEST_PREFIX}]==] [==[${time_limit}]==] [==[${timeout}]==] [==[${check_OPTIONS}]==] [==[${check_ARGS}]==]
  [==[${script}${configuration}]==] [==[${schedules}]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}.cmake")
endfunction()
