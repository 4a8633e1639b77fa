// The table of what functions do, in executables built with --inspect-code: section "inspect_code", words of 8 bytes.
//
// A sequence of records: number of words of the record, this one included; its kind; then
//   FUNCTION  address; flags; number of values, the values; number of blocks, the blocks
//   FACTS     inspect_code_facts, of one object file
// A value: kind, of, amount, address, size, number of others, the others. A block: number of successors, the successors, number
// of steps, the steps. A step: kind, operation (kind | rmw << 8 | flags << 16 | order << 24), address of its site or 0, at,
// at2, size | size2 << 32, callee, number of arguments, the arguments. Values, blocks and successors are indices; no value is
// ~0. search/cut/code.hpp says what they mean. Guarantees: fixed layout; no pointers but addresses of functions, variables and
// sites.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum inspect_code_record { INSPECT_CODE_FUNCTION = 1, INSPECT_CODE_FACTS = 2 };
enum inspect_code_function_flags { INSPECT_CODE_ADDRESS_TAKEN = 1 };
enum inspect_code_value {
  INSPECT_CODE_UNKNOWN,
  INSPECT_CODE_ADDRESS,
  INSPECT_CODE_ARGUMENT,
  INSPECT_CODE_OWN,
  INSPECT_CODE_OFFSET,
  INSPECT_CODE_WITHIN,
  INSPECT_CODE_LOAD,
  INSPECT_CODE_ANY_OF
};
enum inspect_code_step {
  INSPECT_CODE_ACCESS,
  INSPECT_CODE_OPERATION,
  INSPECT_CODE_CALL,
  INSPECT_CODE_LEAVE,
  INSPECT_CODE_NOT_KNOWN,  // `callee` is a reason: inspect_code_reason
  INSPECT_CODE_STEERS,     // no step: the value read at the site decides about what comes next
  INSPECT_CODE_FLOWS       // no step: the value read at the site goes into what is written at the site `callee`
};
enum inspect_code_reason {
  INSPECT_CODE_CREATES,
  INSPECT_CODE_ASSEMBLY,
  INSPECT_CODE_POINTER_CALL,
  INSPECT_CODE_LIBRARY,
  INSPECT_CODE_SECTION,
  INSPECT_CODE_CONTROL
};
// What calls in this object file do. The first four: a result is used, or there is such a call.
enum inspect_code_facts {
  INSPECT_CODE_JOIN_RESULTS = 1,
  INSPECT_CODE_BARRIER_RESULTS = 2,
  INSPECT_CODE_FILE_RESULTS = 4,
  INSPECT_CODE_HANDLERS = 8,         // functions that run at the end of threads or of the process
  INSPECT_CODE_UNSEEN_LIBRARY = 16,  // calls of library code that is not seen to read and write
  INSPECT_CODE_MACHINE_VALUES = 32   // instructions that read the machine's state
};

#ifdef __cplusplus
}
#endif
