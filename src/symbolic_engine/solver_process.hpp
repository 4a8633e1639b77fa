// The program inspect-symbolic at work on an executable: started, listened to, and ended.
//
// Guarantees: it does not outlive this process, and there is an answer only if it gave a whole one; whatever else happens to it
// – not there, killed, out of memory or time – is said in words, and is never a crash here. Deliberately unknown here: what the
// answer means.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/symbolic_answer.hpp"

namespace inspect::symbolic_engine {

// Its path; the error says where it was looked for.
Result<std::string> find_solver();

struct Question {
  std::string solver, executable;
  std::vector<std::string> options;
  std::optional<double> time_limit;  // seconds
  std::optional<std::uint64_t> memory_limit;
  std::function<void(const SymbolicFigures&)> on_progress;  // may be empty
};

struct Reply {
  std::optional<SymbolicAnswer> answer;
  std::string why_none;      // otherwise
  bool is_internal = false;  // and it is an error of ours
  std::uint64_t peak_memory_bytes = 0;
};

// Error: the system refuses what is needed.
Result<Reply> ask(const Question& question);

}  // namespace inspect::symbolic_engine
