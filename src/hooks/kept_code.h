// Where objects keep their code as LLVM bitcode, and how its parts begin (instrument/pass/bitcode.hpp).
#pragma once

// Not .llvmbc: linkers and archivers with LLVM's plug-in take an object with such a section for one of bitcode alone.
#define INSPECT_KEPT_CODE_SECTION "inspect_bitcode"
#define INSPECT_KEPT_CODE_MAGIC 0x316374626b736e69ull  // "insktbc1"
