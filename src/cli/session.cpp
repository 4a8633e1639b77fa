#include "cli/session.hpp"

#include <algorithm>
#include <utility>

namespace inspect::cli {

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

Result<Session> open_session(Target target, std::vector<std::string> arguments, const inspect_configuration& configuration,
                             bool crowded) {
  Session session;
  auto executor = process::Executor::launch(
      {.program = target.executable, .arguments = arguments, .configuration = configuration, .crowded = crowded});
  if (!executor) return Error{executor.error()};
  session.names = std::make_unique<ProcessNames>(**executor, target.executable);
  session.program = std::make_unique<process::NativeProgram>(std::move(*executor));
  session.program->find_shared_locations();
  session.target = std::move(target);
  session.arguments = std::move(arguments);
  session.configuration = configuration;
  return session;
}

}  // namespace inspect::cli
