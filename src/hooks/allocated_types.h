// Where object files tell which types the code allocates (instrument/pass/allocated_types.hpp): a section that is not loaded,
// of rows that end in a newline, whose fields are separated by tabs.
#pragma once

#define INSPECT_ALLOCATED_TYPES_SECTION ".inspect_types"

// In this order:
//   function   whose code it is, what is inlined apart: the linker's name
//   line, column   of the call
//   type       its name without its scope; of a structure without a name that of the typedef
//   declared   the line of its declaration; 0: of the language
//   size       bytes of one; 0: the unit does not know its members
//   begin      bytes in front of the first, which hold how many there are
//   many       1: several in a row, perhaps
#define INSPECT_ALLOCATED_TYPES_FIELDS 8
