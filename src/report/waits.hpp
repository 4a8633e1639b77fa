// Who waits for what, held by whom, at the end of an execution that is stuck.
//
// Guarantees: read off the events alone; one sentence a waiting thread, in order of thread numbers.
// Deliberately unknown here: why an operation is enabled (the runtime decided that; a thread that is not enabled waits).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "report/interleaving.hpp"
#include "report/names.hpp"

namespace inspect::report {

std::vector<std::string> waits_of(std::span<const Event> events, const Names& names);

// The same without places and holders: "thread 0 for mutex b".
std::vector<std::string> waits_in_brief(std::span<const Event> events, const Names& names);

// One that waits, with the operation that it waits in and what for: "mutex b".
struct WaitingThread {
  ThreadId thread;
  Operation operation;
  std::string awaited;
};
// Who waits for whom: holders of what is awaited, or the thread whose end is.
std::vector<WaitEdge> wait_edges(std::span<const Event> events, const Names& names);
std::vector<WaitingThread> waiting_threads(std::span<const Event> events, const Names& names);

}  // namespace inspect::report
