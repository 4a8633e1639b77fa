// A search by several processes, or with checkpoints: -j, --mpi, --checkpoint, --resume.
//
// Each process has a session of its own. Guarantees: the outcome is that of one search, but for redundant executions; where the
// parts do not fit together one process does it all. Deliberately unknown here: what the outcome means.
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
  // What the options ask for; null: one process, no checkpoints. Error: it cannot be. Options and listener outlive the team.
  static Result<std::unique_ptr<Team>> create(const engine::Options& options, engine::Listener& listener);
  ~Team();

  using OpenSession = std::function<Result<Session>()>;
  // Before the session of this process is opened: starts the other workers, which never return from here. Error: they cannot
  // be.
  Result<bool> start(const compile::Target& target, const OpenSession& open, const search::Options& search);
  [[nodiscard]] bool crowded() const { return crowded_; }
  // Ranks of mpirun but the first: their part is done, with this exit status.
  [[nodiscard]] std::optional<ExitStatus> ended() const { return ended_; }
  // Error: the checkpoint cannot be gone on from.
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
