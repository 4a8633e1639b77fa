#include "cli/team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "cli/console.hpp"
#include "distribute/local.hpp"
#include "distribute/mpi.hpp"
#include "distribute/rank.hpp"
#include "search/sample/sample.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kSaveInterval = 30;  // seconds

// Beside this executable, or where it was installed.
Result<std::unique_ptr<distribute::Transport>> open_mpi() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path plugin = self / ".." / "lib" / "inspect" / "libinspect-mpi.so";
  setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0);  // the program under test is another process, which never calls MPI
  void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) return Error{fmt::format("--mpi is not available: {}", dlerror())};
  const auto open = reinterpret_cast<decltype(&inspect_open_mpi)>(dlsym(library, "inspect_open_mpi"));
  if (!open) return Error{fmt::format("--mpi is not available: {}", dlerror())};
  return std::unique_ptr<distribute::Transport>(open());
}

distribute::RankOptions rank_options_of(Session& session) {
  distribute::RankOptions options;
  options.notes = [&session] { return encode_notes(notes_of(session)); };
  options.peak_memory = [&session] { return session.program->executor().peak_memory_bytes(); };
  return options;
}

// The life of a worker that is not the first.
int work(distribute::Transport& transport, const Team::OpenSession& open, const search::Options& options) {
  auto session = open();
  if (!session) {
    if (session.error().empty()) {
      distribute::Rank::leave(transport);
      return 0;
    }
    Console::error(session.error());
    return static_cast<int>(ExitStatus::internal_error);
  }
  distribute::Rank rank(*session->program, options, transport, rank_options_of(*session), nullptr);
  return rank.run() ? 0 : static_cast<int>(ExitStatus::internal_error);
}

unsigned cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

std::vector<std::string> deciding_options(const CommandLine& line, const search::Options& options) {
  std::vector<std::string> out = recorded_options(configuration_of(line));
  out.push_back("--algorithm=" + options.algorithm);
  if (options.keep_going) out.emplace_back("--keep-going");
  if (options.preemptions) out.push_back(fmt::format("--preemptions={}", *options.preemptions));
  return out;
}

}  // namespace

Team::~Team() = default;

Result<std::unique_ptr<Team>> Team::create(const CommandLine& line) {
  std::unique_ptr<Team> team(new Team);
  team->workers_ = static_cast<unsigned>(line.count("j").value_or(1));
  team->mpi_ = line.flag("mpi");
  team->save_path_ = line.text("checkpoint").value_or("");
  team->save_interval_ = line.seconds("checkpoint-interval").value_or(kSaveInterval);
  team->resume_path_ = line.text("resume").value_or("");
  if (team->workers_ == 1 && !team->mpi_ && team->save_path_.empty() && team->resume_path_.empty())
    return std::unique_ptr<Team>();
  if (team->mpi_ && team->workers_ > 1) return Error{"-j and --mpi exclude each other: mpirun says how many ranks there are"};
  if (const auto* sampler = search::find_sampler(line.text("algorithm").value_or("auto")))
    return Error{
        fmt::format("--algorithm={} only samples: it goes with neither -j, --mpi, --checkpoint nor --resume", sampler->name)};
  return team;
}

Result<bool> Team::read_resumed() {
  if (resume_path_.empty()) return true;
  const auto text = read_file(resume_path_);
  if (!text) return Error{text.error()};
  auto checkpoint = parse_checkpoint(*text, origin_);
  if (!checkpoint) return Error{fmt::format("{}: {}", resume_path_, checkpoint.error())};
  resumed_ = std::move(*checkpoint);
  return true;
}

Result<bool> Team::start(const CommandLine& line, const compile::Target& target, const OpenSession& open,
                         const search::Options& options) {
  origin_ = {target.recorded, target.build_id, line.arguments, deciding_options(line, options)};
  if (!save_path_.empty())
    if (auto error = probe_writable(save_path_)) return *error;
  if (auto read = read_resumed(); !read) return read;
  if (mpi_) {
    if (!target.sources.empty()) return Error{"--mpi needs an executable: build it with inspect-cc first"};
    auto transport = open_mpi();
    if (!transport) return Error{transport.error()};
    transport_ = std::move(*transport);
    workers_ = transport_->size();
    crowded_ = true;
    if (transport_->rank() == 0) return true;
    ended_ = work(*transport_, open, options);
    return true;
  }
  if (auto kept = process::keep_input(); !kept) return kept;
  crowded_ = 2 * workers_ > cores();
  auto transport = distribute::LocalTransport::launch(workers_, [&](distribute::LocalTransport& mine) {
    follow_interrupts();
    return work(mine, open, options);
  });
  if (!transport) return Error{transport.error()};
  transport_ = std::move(*transport);
  return true;
}

// A checkpoint can say of the program what only the program can refute.
std::optional<Error> Team::unlike_resumed(const search::Outcome& outcome) const {
  if (!resumed_ || !outcome.divergence) return std::nullopt;
  const search::Outcome& then = resumed_->record.outcome;
  if (then.divergence || outcome.bugs.size() > then.bugs.size())
    return std::nullopt;  // what was found since is true all the same
  return Error{
      fmt::format("{}: the program does not do what it says: {} (was the file edited, or does the program do something "
                  "else each time?)",
                  resume_path_, outcome.divergence->message)};
}

Result<TeamOutcome> Team::explore(Session& session, const search::Options& options, search::Observer* observer) {
  using Clock = std::chrono::steady_clock;
  origin_.around = session.around();
  if (auto read = read_resumed(); !read) {  // now that all can be compared
    distribute::Rank::dismiss(*transport_);
    return Error{read.error()};
  }
  distribute::RankOptions own = rank_options_of(session);
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(save_interval_));
  auto next_save = Clock::now() + interval;
  if (!save_path_.empty()) {
    own.save_due = [&] { return Clock::now() >= next_save; };
    own.save = [&](const distribute::Checkpoint& checkpoint) {
      if (auto error = write_checkpoint(save_path_, format_checkpoint(origin_, checkpoint)))
        Console::error(fmt::format("{}; the last checkpoint before it, if any, is still there", error->message));
      next_save = Clock::now() + interval;
    };
  }
  own.resume = resumed_ ? &*resumed_ : nullptr;
  distribute::Rank first(*session.program, options, *transport_, own, observer);
  if (auto ran = first.run(); !ran) return Error{fmt::format("{}: {}", resume_path_, ran.error())};
  distribute::Ended ended = first.take_result();
  for (const unsigned r : ended.lost)
    Console::error(fmt::format("worker {} of {} died; what it had was explored again by the others", r, workers_));
  if (auto wrong = unlike_resumed(ended.record.outcome)) return *wrong;
  TeamOutcome out;
  out.workers = workers_;
  if (ended.is_void) {
    if (workers_ > 1)
      Console::error(
          "the parts of the workers do not fit together (threads or shared locations are numbered as they appear); one "
          "worker explores it all");
    out.workers = 1;
    out.outcome = search::explore(*session.program, options, observer);
    out.notes = notes_of(session);
    out.peak_memory_bytes = session.program->executor().peak_memory_bytes();
    return out;
  }
  out.outcome = std::move(ended.record.outcome);
  for (const std::string& text : ended.record.notes) out.notes.add(decode_notes(text));
  out.peak_memory_bytes = ended.record.peak_memory_bytes;
  return out;
}

}  // namespace inspect::cli
