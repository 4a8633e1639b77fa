// A search by several processes, or with checkpoints: -j, --mpi, --checkpoint, --resume.
//
// Each process has a session of its own. Guarantees: the outcome is that of one search, but for redundant executions; where the
// parts do not fit together one process does it all. Deliberately unknown here: what the outcome means.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "cli/checkpoint.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/summary.hpp"
#include "distribute/transport.hpp"

namespace inspect::cli {

struct TeamOutcome {
  search::Outcome outcome;
  RuntimeNotes notes;
  std::uint64_t peak_memory_bytes = 0;
  unsigned workers = 1;
};

class Team {
 public:
  // What the options ask for; null: one process, no checkpoints. Error: it cannot be.
  static Result<std::unique_ptr<Team>> create(const CommandLine& line);
  ~Team();

  using OpenSession = std::function<Result<Session>()>;
  // Before the session of this process is opened: starts the other workers, which never return from here. Error: they cannot
  // be.
  Result<bool> start(const CommandLine& line, const compile::Target& target, const OpenSession& open,
                     const search::Options& options);
  [[nodiscard]] bool crowded() const { return crowded_; }
  // Ranks of mpirun but the first: their part is done, with this exit status.
  [[nodiscard]] std::optional<int> ended() const { return ended_; }
  // Error: the checkpoint cannot be gone on from.
  Result<TeamOutcome> explore(Session& session, const search::Options& options, search::Observer* observer);

 private:
  Team() = default;
  Result<bool> read_resumed();
  [[nodiscard]] std::optional<Error> unlike_resumed(const search::Outcome& outcome) const;

  unsigned workers_ = 1;
  double save_interval_ = 0;
  bool mpi_ = false, crowded_ = false;
  std::string save_path_, resume_path_;
  CheckpointOf origin_;
  std::optional<distribute::Checkpoint> resumed_;
  std::unique_ptr<distribute::Transport> transport_;
  std::optional<int> ended_;
};

}  // namespace inspect::cli
