# The program may have functions of its own by the names of those that the runtime replaces or uses.
#
# Replaced functions become weak, so that the program's win. What the runtime itself calls is always its own (inspect_model_NAME) or the
# C library's (inspect_library_NAME, found at boot): never the program's. Memory that the program frees comes from the program's malloc.
# Also writes the dynamic list of a program under test: every function that libraries must bind to instead of their own.
# cmake -DREADELF=... -DOBJCOPY=... -DAR=... -DCOMPILER=... -DLINKER=... -DARCHIVE=... -DLIST=... -P private_names.cmake
execute_process(COMMAND ${READELF} --symbols --wide ${ARCHIVE} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)

function(names_of pattern result)
  string(REGEX MATCHALL "${pattern}" lines "${table}")
  set(names "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".* " "" name "${line}")
    list(APPEND names ${name})
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

names_of("(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^ \n]+" exported)
names_of("FUNC +(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^ \n]+" models)
names_of("(GLOBAL|WEAK) +DEFAULT +UND [^ \n]+" used)
list(JOIN exported ";\n  " body)
if(LIST)
  file(WRITE ${LIST} "{\n  ${body};\n};\n")
endif()
list(REMOVE_ITEM used ${exported})
list(FILTER used EXCLUDE REGEX "^_|^inspect_|^dlsym$|^dl_iterate_phdr$|^environ$|^opt(ind|arg|opt|err)$|^std(in|out|err)$|^longjmp$")
set(heap ${models})
list(FILTER heap INCLUDE REGEX "^(malloc|calloc|realloc|reallocarray|free|memalign|aligned_alloc|posix_memalign|valloc|pvalloc|_Zn|_Zd)")
list(REMOVE_ITEM models ${heap})
list(FILTER models EXCLUDE REGEX "^inspect_|^main$|^DW")

set(renamed "")
set(code ".section inspect_models,\"ax\",@progbits\n")  # runtime/schedule/owners.cpp knows them by it
foreach(name IN LISTS models)
  string(APPEND renamed "${name} inspect_model_${name}\n")
  string(APPEND code ".weak ${name}\n.type ${name},@function\n${name}: jmp inspect_model_${name}\n.size ${name},.-${name}\n")
endforeach()
set(number 0)
set(pointers "")
set(texts "")
foreach(name IN LISTS used)
  string(APPEND renamed "${name} inspect_library_${name}\n")
  string(APPEND code ".globl inspect_library_${name}\n.hidden inspect_library_${name}\n.type inspect_library_${name},@function\n"
    "inspect_library_${name}: jmp *inspect_library_pointers+8*${number}(%rip)\n.size inspect_library_${name},.-inspect_library_${name}\n"
    ".Lbind${number}: pushq $${number}\njmp inspect_library_bind\n")
  string(APPEND pointers ".quad .Lbind${number}\n")
  string(APPEND texts ".asciz \"${name}\"\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND code ".data\n.balign 8\n.globl inspect_library_pointers\n.hidden inspect_library_pointers\ninspect_library_pointers:\n${pointers}"
  ".section .rodata\n.globl inspect_library_names\n.hidden inspect_library_names\ninspect_library_names:\n${texts}.byte 0\n"
  ".section .note.GNU-stack,\"\",@progbits\n")

set(base ${ARCHIVE}.names)
file(WRITE ${base}.s "${code}")
file(WRITE ${base}.renamed "${renamed}")
list(JOIN heap "\n" body)
file(WRITE ${base}.weak "${body}\n")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${base}.renamed --weaken-symbols=${base}.weak ${ARCHIVE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMPILER} -c ${base}.s -o ${base}.o COMMAND_ERROR_IS_FATAL ANY)
# One object of all: the linker of each program under test has less to read.
execute_process(COMMAND ${LINKER} -r --whole-archive ${ARCHIVE} --no-whole-archive ${base}.o -o ${base}.all.o COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${ARCHIVE})
execute_process(COMMAND ${AR} qcs ${ARCHIVE} ${base}.all.o COMMAND_ERROR_IS_FATAL ANY)
