#include "report/action.hpp"

#include <fmt/format.h>

namespace inspect::report {
namespace {

bool is_call(std::string_view text) { return text.starts_with("pthread_") || text.starts_with("sem_"); }

std::string with_object(unsigned kind, const std::string& object) {
  const std::string text = inspect_kind_text(kind);
  if (kind == INSPECT_OP_ThreadStart) return "starts";
  if (kind == INSPECT_OP_ThreadExit) return "ends";
  if (object.empty() || object == "-") return text;
  if (is_call(text)) {
    const auto blank = text.find(' ');  // "pthread_rwlock_unlock (read)"
    return text.substr(0, blank) + '(' + object + ')' + (blank == std::string::npos ? "" : text.substr(blank));
  }
  return text + ' ' + object;
}

// Whether `read` and `written` are values of the program rather than results of a call.
bool is_memory(unsigned kind) {
  return inspect_family_of(kind) == INSPECT_FAMILY_Memory && kind != INSPECT_OP_Free && kind != INSPECT_OP_AtomicSection &&
         kind != INSPECT_OP_FutexWake && kind != INSPECT_OP_FutexResume && kind != INSPECT_OP_FileRead &&
         kind != INSPECT_OP_FileOperation && kind != INSPECT_OP_SignalSend && kind != INSPECT_OP_ExitHandler;
}

std::string outcome(const Event& event, const Names& names) {
  const unsigned alternative = event.choice.alternative;
  const inspect_operation& o = event.operation;
  if (o.kind == INSPECT_OP_Choice) return " -> " + std::to_string(static_cast<std::int64_t>(event.read));
  if (o.kind == INSPECT_OP_CondSignal)
    return alternative ? " wakes thread " + names.thread(static_cast<ThreadId>(alternative - 1)) : " wakes nobody";
  if (o.kind == INSPECT_OP_CondWait)
    return alternative == 1 ? ", will time out" : alternative == 2 ? ", will wake spuriously" : "";
  if (!(o.flags & INSPECT_FLAG_FAILED)) return "";
  const bool timed = o.kind == INSPECT_OP_MutexTimedLock || o.kind == INSPECT_OP_ReadTimedLock ||
                     o.kind == INSPECT_OP_WriteTimedLock || o.kind == INSPECT_OP_SemTimedWait;
  return timed ? " times out" : " fails";
}

}  // namespace

std::string value_text(std::uint64_t value, std::uint32_t size, const Names& names) {
  if (size == 0 || size > 8) return "…";
  const unsigned shift = 64 - 8 * size;
  const auto extended = static_cast<std::int64_t>(value << shift) >> shift;
  if (size < 8 || (extended > -(1ll << 32) && extended < (1ll << 32))) return std::to_string(extended);
  const std::string name = names.object(value);
  return name.empty() ? fmt::format("{:#x}", value) : "&" + name;
}

std::string object_text(const Operation& operation, const Names& names) {
  if (operation.object == 0) return "-";
  if (operation.object == INSPECT_PROCESS_OBJECT) return "process";
  const std::string name = names.object(operation.object);
  return name.empty() ? "?" : name;
}

std::string step_object(const Event& event, const Names& names) {
  const auto value = static_cast<std::int64_t>(event.read);
  const bool input = event.operation.kind == INSPECT_OP_Choice && value != event.choice.alternative;
  return input ? std::to_string(value) : object_text(event.operation, names);
}

std::string object_label(const Operation& operation, const Names& names) {
  const std::string name = object_text(operation, names);
  if (name != "?") return name;
  const std::string expression = names.site(operation.site).expression;
  return expression.empty() ? "an unnamed object" : expression;
}

std::string memory_text(const Operation& operation, std::uint64_t read, std::optional<std::uint64_t> written,
                        const Names& names) {
  std::string out = with_object(operation.kind, object_label(operation, names));
  const bool writes = inspect_effect_of(operation.kind) == INSPECT_EFFECT_Write && !(operation.flags & INSPECT_FLAG_FAILED);
  const std::string new_value = written ? value_text(*written, operation.size, names) : "";
  if (operation.kind == INSPECT_OP_AtomicStore || operation.kind == INSPECT_OP_PlainWrite)
    return written ? out + " = " + new_value : out;
  const std::string old_value = value_text(read, operation.size, names);
  if (operation.kind != INSPECT_OP_AtomicRmw && operation.kind != INSPECT_OP_AtomicCas) return out + ": " + old_value;
  return writes ? fmt::format("{}: {} -> {}", out, old_value, new_value) : fmt::format("{}: {}, fails", out, old_value);
}

std::string action_text(const Event& event, const Names& names) {
  const Operation& operation = event.operation;
  if (is_memory(operation.kind)) return memory_text(operation, event.read, event.written, names);
  if (operation.kind == INSPECT_OP_ProcessExit) return "exit";
  std::string object = operation.object ? object_label(operation, names) : std::string();
  if (operation.object2) {
    Operation second = operation;
    second.object = operation.object2;
    object += ", " + object_label(second, names);
  }
  return with_object(operation.kind, object) + outcome(event, names);
}

std::string action_text(const ScheduleStep& step) {
  const bool input = step.kind == INSPECT_OP_Choice && step.object != "-";
  if (input) return fmt::format("{} -> {}", inspect_kind_text(step.kind), step.object);
  const std::string object = step.kind == INSPECT_OP_ProcessExit ? "-" : step.object;
  std::string out = with_object(step.kind, object);
  if (step.choice.empty()) return out;
  if (step.kind == INSPECT_OP_CondSignal) return out + " wakes thread " + step.choice;
  if (step.kind == INSPECT_OP_Choice) return out + " -> " + step.choice;
  return out + ", alternative " + step.choice;
}

}  // namespace inspect::report
