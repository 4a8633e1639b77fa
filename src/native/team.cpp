#include "native/team.hpp"

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
#include "distribute/local.hpp"
#include "distribute/mpi.hpp"
#include "distribute/rank.hpp"
#include "native/configuration.hpp"
#include "search/cut/cut.hpp"
#include "search/sample/sample.hpp"

namespace inspect::native {
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

// What a worker other than the first does.
ExitStatus work(distribute::Transport& transport, const Team::OpenSession& open, const search::Options& search,
                engine::Listener& listener) {
  auto session = open();
  if (!session) {
    if (session.error().empty()) {
      distribute::Rank::leave(transport);
      return ExitStatus::verified;
    }
    listener.complain(session.error());
    return ExitStatus::internal_error;
  }
  distribute::Rank rank(*session->program, search, transport, rank_options_of(*session), nullptr);
  return rank.run() ? ExitStatus::verified : ExitStatus::internal_error;
}

unsigned cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

std::vector<std::string> deciding_options(const engine::Options& options, const search::Options& search) {
  std::vector<std::string> out = recorded_options(configuration_of(options));
  out.push_back("--algorithm=" + search.algorithm);
  if (search.keep_going) out.emplace_back("--keep-going");
  for (const search::CutInfo& cut : search::cuts())
    if (auto given = cut.option(search); !given.empty()) out.push_back(std::move(given));
  return out;
}

}  // namespace

Team::~Team() = default;

Result<std::unique_ptr<Team>> Team::create(const engine::Options& options, engine::Listener& listener) {
  if (options.workers == 1 && !options.mpi && options.checkpoint.empty() && options.resume.empty())
    return std::unique_ptr<Team>();
  if (options.mpi && options.workers > 1) return Error{"-j and --mpi exclude each other: mpirun says how many ranks there are"};
  if (const auto* sampler = search::find_sampler(options.algorithm))
    return Error{
        fmt::format("--algorithm={} only samples: it goes with neither -j, --mpi, --checkpoint nor --resume", sampler->name)};
  return std::unique_ptr<Team>(new Team(options, listener));
}

Result<bool> Team::read_resumed() {
  if (options_.resume.empty()) return true;
  const auto text = read_file(options_.resume);
  if (!text) return Error{text.error()};
  auto checkpoint = parse_checkpoint(*text, origin_);
  if (!checkpoint) return Error{fmt::format("{}: {}", options_.resume, checkpoint.error())};
  resumed_ = std::move(*checkpoint);
  return true;
}

Result<bool> Team::start(const compile::Target& target, const OpenSession& open, const search::Options& search) {
  origin_ = {target.recorded, target.build_id, options_.arguments, deciding_options(options_, search)};
  if (!options_.checkpoint.empty())
    if (auto error = probe_writable(options_.checkpoint)) return *error;
  if (auto read = read_resumed(); !read) return read;
  if (options_.mpi) {
    if (!target.sources.empty()) return Error{"--mpi needs an executable: build it with inspect-cc first"};
    auto transport = open_mpi();
    if (!transport) return Error{transport.error()};
    transport_ = std::move(*transport);
    workers_ = transport_->size();
    crowded_ = true;
    if (transport_->rank() == 0) return true;
    ended_ = work(*transport_, open, search, listener_);
    return true;
  }
  if (auto kept = process::keep_input(); !kept) return kept;
  crowded_ = 2 * workers_ > cores();
  auto transport = distribute::LocalTransport::launch(workers_, [&](distribute::LocalTransport& mine) {
    follow_interrupts();
    return static_cast<int>(work(mine, open, search, listener_));
  });
  if (!transport) return Error{transport.error()};
  transport_ = std::move(*transport);
  return true;
}

// What a checkpoint says of the program may be wrong in ways that only running it shows.
std::optional<Error> Team::unlike_resumed(const search::Outcome& outcome) const {
  if (!resumed_ || !outcome.divergence) return std::nullopt;
  const search::Outcome& then = resumed_->record.outcome;
  if (then.divergence || outcome.bugs.size() > then.bugs.size()) return std::nullopt;  // what was found since then stays true
  return Error{
      fmt::format("{}: the program does not do what it says: {} (was the file edited, or does the program do something "
                  "else each time?)",
                  options_.resume, outcome.divergence->message)};
}

Result<TeamOutcome> Team::explore(Session& session, const search::Options& search, search::Observer* observer) {
  using Clock = std::chrono::steady_clock;
  origin_.around = session.around();
  if (auto read = read_resumed(); !read) {  // now standard input and libraries can be compared too
    distribute::Rank::dismiss(*transport_);
    return Error{read.error()};
  }
  distribute::RankOptions own = rank_options_of(session);
  const auto interval = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(options_.checkpoint_interval.value_or(kSaveInterval)));
  auto next_save = Clock::now() + interval;
  if (!options_.checkpoint.empty()) {
    own.save_due = [&] { return Clock::now() >= next_save; };
    own.save = [&](const distribute::Checkpoint& checkpoint) {
      if (auto error = write_checkpoint(options_.checkpoint, format_checkpoint(origin_, checkpoint)))
        listener_.complain(fmt::format("{}; the last checkpoint before it, if any, is still there", error->message));
      next_save = Clock::now() + interval;
    };
  }
  own.resume = resumed_ ? &*resumed_ : nullptr;
  distribute::Rank first(*session.program, search, *transport_, own, observer);
  if (auto ran = first.run(); !ran) return Error{fmt::format("{}: {}", options_.resume, ran.error())};
  distribute::Ended ended = first.take_result();
  for (const unsigned r : ended.lost)
    listener_.complain(fmt::format("worker {} of {} died; what it had was explored again by the others", r, workers_));
  if (auto wrong = unlike_resumed(ended.record.outcome)) return *wrong;
  TeamOutcome out;
  out.workers = workers_;
  if (ended.is_void) {
    if (workers_ > 1)
      listener_.complain(
          "the parts of the workers do not fit together (threads or shared locations are numbered as they appear); one "
          "worker explores it all");
    out.workers = 1;
    out.outcome = search::explore(*session.program, search, observer);
    out.notes = notes_of(session);
    out.peak_memory_bytes = session.program->executor().peak_memory_bytes();
    return out;
  }
  out.outcome = std::move(ended.record.outcome);
  for (const std::string& text : ended.record.notes) out.notes.add(decode_notes(text));
  out.peak_memory_bytes = ended.record.peak_memory_bytes;
  return out;
}

}  // namespace inspect::native
