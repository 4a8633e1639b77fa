// A search by several processes, or with checkpoints: -j, --mpi, --checkpoint, --resume.
//
// Each process has a session of its own. Guarantees: the outcome is that of one search, but for redundant executions; if the
// parts do not fit together, one process explores it all. Deliberately unknown here: what the outcome means.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "distribute/transport.hpp"
#include "engine/engine.hpp"
#include "native/checkpoint.hpp"
#include "native/session.hpp"
#include "native/summary.hpp"

namespace inspect::native {

struct TeamOutcome {
  search::Outcome outcome;
  RuntimeNotes notes;
  std::uint64_t peak_memory_bytes = 0;
  unsigned workers = 1;
};

class Team {
 public:
  // Null if the options ask for one process and no checkpoints. Error: options that do not go together. Options and listener
  // must outlive the team.
  static Result<std::unique_ptr<Team>> create(const engine::Options& options, engine::Listener& listener);
  ~Team();

  using OpenSession = std::function<Result<Session>()>;
  // Call before the session of this process is opened. Starts the other workers, which never return from here. Error: they
  // cannot be started, or a file cannot be used.
  Result<bool> start(const compile::Target& target, const OpenSession& open, const search::Options& search);
  [[nodiscard]] bool crowded() const { return crowded_; }
  // Set in ranks of mpirun other than the first: their part is done, with this exit status.
  [[nodiscard]] std::optional<ExitStatus> ended() const { return ended_; }
  // Error: the search cannot go on from the checkpoint.
  Result<TeamOutcome> explore(Session& session, const search::Options& search, search::Observer* observer);

 private:
  Team(const engine::Options& options, engine::Listener& listener)
      : options_(options), listener_(listener), workers_(options.workers) {}
  Result<bool> read_resumed();
  [[nodiscard]] std::optional<Error> unlike_resumed(const search::Outcome& outcome) const;

  const engine::Options& options_;
  engine::Listener& listener_;
  unsigned workers_;
  bool crowded_ = false;
  CheckpointOf origin_;
  std::optional<distribute::Checkpoint> resumed_;
  std::unique_ptr<distribute::Transport> transport_;
  std::optional<ExitStatus> ended_;
};

}  // namespace inspect::native
