// A whole execution of a model program with its plain accesses, and what is known of its code: what the search for parts
// without data races works on. It runs main as far as that goes, then thread 1, then thread 2, and so on.
#pragma once
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "oracle/interpreted_program.hpp"
#include "oracle/interpreter_code.hpp"
#include "search/cut/race_free_analysis.hpp"
#include "walk.hpp"

namespace inspect::search {

struct Observed {
  explicit Observed(const char* text) : program(oracle::parse_model(text)), code(oracle::code_of(program)), walk(text) {
    oracle::InterpretedProgram interpreter(program);
    Request request;
    request.accesses = true;
    walk.follow(std::move(interpreter.run({&request, 1})[0].events));
  }

  // Depth of the first transition of that kind by t: also the state behind it.
  [[nodiscard]] std::uint32_t depth_of(ThreadId t, inspect_kind kind) {
    std::uint32_t d = 1;
    while (d <= walk.depth() && (walk.path().thread(d) != t || walk.path().operation(d).kind != kind)) ++d;
    CHECK(d <= walk.depth());
    return d;
  }
  // Is all that follows the state free of races? Else why not.
  [[nodiscard]] std::string judge(std::uint32_t state) {
    WalkedCode walked;
    RaceFreeAnalysis analysis(code, walk.path(), walked);
    return analysis.check(state) ? "free" : analysis.why();
  }

  oracle::ModelProgram program;
  Code code;
  Walk walk;
};

}  // namespace inspect::search
