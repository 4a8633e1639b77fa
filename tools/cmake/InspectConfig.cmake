# find_package(Inspect): the installed tools, the header, and tests that are checks.
#
#   Inspect::inspect, Inspect::inspect-cc, Inspect::inspect-c++   the programs
#   Inspect::header                                               <inspect/inspect.h>
#   inspect_add_check(NAME SOURCES file... [CFLAGS flags] [OPTIONS option...] [ARGS argument...])
#       a CTest test that passes if every schedule of the program is verified; exit status 3 (inconclusive) counts as skipped
get_filename_component(inspect_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(tool inspect inspect-cc inspect-c++)
  if(NOT TARGET Inspect::${tool})
    add_executable(Inspect::${tool} IMPORTED)
    set_target_properties(Inspect::${tool} PROPERTIES IMPORTED_LOCATION "${inspect_prefix}/bin/${tool}")
  endif()
endforeach()
if(NOT TARGET Inspect::header)
  add_library(Inspect::header INTERFACE IMPORTED)
  set_target_properties(Inspect::header PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${inspect_prefix}/include")
endif()

function(inspect_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 check "" "CFLAGS" "SOURCES;OPTIONS;ARGS")
  list(TRANSFORM check_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  set(flags)
  if(check_CFLAGS)
    set(flags "--cflags=${check_CFLAGS}")
  endif()
  set(arguments)
  if(check_ARGS)
    set(arguments -- ${check_ARGS})
  endif()
  add_test(NAME ${name} COMMAND Inspect::inspect check --progress=off ${flags} ${check_OPTIONS} ${check_SOURCES} ${arguments})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 3)
endfunction()
