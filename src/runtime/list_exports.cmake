# Writes the dynamic list of a program under test: every function of the runtime that libraries must bind to instead of their own.
# cmake -DREADELF=... -DARCHIVE=... -DLIST=... -P list_exports.cmake
execute_process(COMMAND ${READELF} --symbols --wide ${ARCHIVE} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^ \n]+" lines "${table}")
set(names "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ".* " "" name "${line}")
  list(APPEND names ${name})
endforeach()
list(SORT names)
list(REMOVE_DUPLICATES names)
list(JOIN names ";\n  " body)
file(WRITE ${LIST} "{\n  ${body};\n};\n")
