#include "native/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "base/digest.hpp"
#include "compile/elf.hpp"
#include "model/schedule.hpp"
#include "native/labels.hpp"
#include "native/library_state.hpp"
#include "process/symbols.hpp"
#include "report/action.hpp"

namespace inspect::native {

ProcessNames::ProcessNames(process::Executor& executor, const std::string& program) : names_(executor, program) {}
ProcessNames::~ProcessNames() = default;

Labels& ProcessNames::show(const process::VerboseRun& run) {
  labels_ = std::make_unique<Labels>(run, names_);
  return *labels_;
}

std::string ProcessNames::label(std::uint64_t address, std::uint32_t size, std::size_t event) const {
  constexpr std::uint32_t kOfAll = 4096;
  if (auto state = library_state(object(address))) return *std::move(state);
  if (address == inspect_descriptor_object(3) && size > kOfAll) return "all open files";
  if (address == inspect_content_object(0) && size > kOfAll) return "what they contain";
  return labels_ ? labels_->label(address, size, event) : object(address);
}

std::optional<std::string> ProcessNames::value(std::uint64_t address, std::uint32_t size, std::uint64_t value,
                                               std::size_t event) const {
  return labels_ ? labels_->value(address, size, value, event) : std::nullopt;
}

// As the source has it: without what the headers make of it.
std::string ProcessNames::called(std::uint32_t site) const {
  std::string name = report::short_function(process::demangled(names_.called(site)));
  if (name.starts_with("__isoc99_") || name.starts_with("__isoc23_")) name.erase(0, 9);
  if (name.starts_with("__") && name.ends_with("_chk")) name = name.substr(2, name.size() - 6);
  return name.ends_with("64") ? name.substr(0, name.size() - 2) : name;
}

report::Frames ProcessNames::frames(ThreadId thread, std::uint32_t at, std::size_t event) const {
  return labels_ ? labels_->frames(labels_->stacks().places(thread, at, event)) : Names::frames(thread, at, event);
}

report::Site ProcessNames::site(std::uint32_t number) const {
  const process::Place place = names_.place(number);
  return {place.file, place.function, place.expression, place.line, place.column};
}

std::vector<std::string> Session::thread_names() const {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < std::max(1u, channel().thread_count); ++i)
    out.push_back(names->thread(static_cast<ThreadId>(i)));
  return out;
}

std::vector<std::string> Session::around() const {
  const process::Executor& executor = program->executor();
  std::set<std::string> libraries;
  std::ifstream maps(fmt::format("/proc/{}/maps", executor.pid()));
  for (std::string line; std::getline(maps, line);)
    if (const auto path = line.find('/'); path != std::string::npos && line.find(".so", path) != std::string::npos)
      libraries.insert(line.substr(path));
  std::vector<std::string> words = {"stdin " + identity_of_input(executor.input())};
  std::error_code ignored;
  words.push_back("folder " + std::filesystem::current_path(ignored).string());  // relative file names are below it
  for (const std::string& variable : process::program_environment()) {           // no values: some are secrets
    const std::size_t name = variable.find('=');
    words.push_back("variable " + variable.substr(0, name) + ' ' + digest_of(variable));
  }
  for (const std::string& path : libraries)
    if (const auto facts = compile::read_elf(path)) words.push_back(path + ' ' + facts->build_id);
  return words;
}

RuntimeNotes notes_of(const Session& session) {
  RuntimeNotes notes = notes_of(session.channel());
  notes.races = session.program->races();
  return notes;
}

Result<Session> open_session(compile::Target target, std::vector<std::string> arguments,
                             const inspect_configuration& configuration, bool crowded, Opening opening,
                             process::StopHook stop) {
  Session session;
  auto executor = process::Executor::launch({.program = target.executable,
                                             .arguments = arguments,
                                             .configuration = configuration,
                                             .crowded = crowded,
                                             .stop = std::move(stop)});
  if (!executor) return executor.failure();
  session.names = std::make_unique<ProcessNames>(**executor, target.executable);
  session.program = std::make_unique<process::NativeProgram>(std::move(*executor));
  const bool races = configuration.races_go_on;
  const bool finds = opening != Opening::states;
  if (finds && (configuration.visible_all ? !(races && opening == Opening::replay) : races && opening == Opening::team))
    session.program->find_points();
  session.target = std::move(target);
  session.arguments = std::move(arguments);
  session.configuration = configuration;
  return session;
}

}  // namespace inspect::native
