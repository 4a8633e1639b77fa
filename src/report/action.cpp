#include "report/action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

namespace inspect::report {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
}

bool is_call(std::string_view text) { return text.starts_with("pthread_") || text.starts_with("sem_"); }

bool is_file(unsigned kind) { return kind == INSPECT_OP_FileRead || kind == INSPECT_OP_FileOperation; }

constexpr std::string_view kUnnamed = "an unnamed object";
constexpr const char* kNextHandler = "exit: next handler";

// Of a promise, which is set once.
std::string once_text(unsigned kind, const std::string& called, const std::string& object) {
  const bool begins = kind == INSPECT_OP_OnceEnter;
  if (object == kUnnamed) return (begins ? called : "what is done once") + (begins ? ": what is done once" : " is done");
  if (object.starts_with("future's")) return begins ? called + " sets " + object : object + " is set";
  return begins ? called + '(' + object + ')' : object + " is done";
}

std::string with_object(unsigned kind, const std::string& object) {
  const std::string text = inspect_kind_text(kind);
  if (kind == INSPECT_OP_ThreadStart) return "starts";
  if (kind == INSPECT_OP_ThreadExit) return "ends";
  if (kind == INSPECT_OP_OnceEnter || kind == INSPECT_OP_OnceDone) return once_text(kind, "pthread_once", object);
  if (is_file(kind) && !object.empty())
    return object.starts_with("library state") || object.starts_with("hidden state") ? "uses " + object : text + ": " + object;
  if (object.empty() || object == "-" || kind == INSPECT_OP_ProcessEnd || kind == INSPECT_OP_ExitHandler) return text;
  if (is_call(text)) {
    const auto blank = text.find(' ');  // "pthread_rwlock_unlock (read)"
    return text.substr(0, blank) + '(' + object + ')' + (blank == std::string::npos ? "" : text.substr(blank));
  }
  return text + ' ' + object;
}

// Whether `read` and `written` are values of the program rather than results of a call.
bool is_memory(unsigned kind) {
  return inspect_family_of(kind) == INSPECT_FAMILY_Memory && kind != INSPECT_OP_Free && kind != INSPECT_OP_AtomicSection &&
         kind != INSPECT_OP_FutexWake && kind != INSPECT_OP_FutexResume && !is_file(kind) && kind != INSPECT_OP_SignalSend &&
         kind != INSPECT_OP_ExitHandler;
}

std::string outcome(const Event& event, const Names& names) {
  const unsigned alternative = event.choice.alternative;
  const inspect_operation& o = event.operation;
  if (o.kind == INSPECT_OP_OnceEnter) return o.flags & INSPECT_FLAG_FAILED ? ", done before" : "";
  if (o.kind == INSPECT_OP_Choice) return " -> " + std::to_string(static_cast<std::int64_t>(event.read));
  if (o.kind == INSPECT_OP_CondSignal)
    return alternative ? " wakes thread " + names.thread(static_cast<ThreadId>(alternative - 1)) : " wakes nobody";
  if (o.kind == INSPECT_OP_CondWait)
    return alternative == 1 ? ", will time out" : alternative == 2 ? ", will wake spuriously" : "";
  if (!(o.flags & INSPECT_FLAG_FAILED) || is_file(o.kind)) return "";  // of files: nothing was changed
  const bool timed = o.kind == INSPECT_OP_MutexTimedLock || o.kind == INSPECT_OP_ReadTimedLock ||
                     o.kind == INSPECT_OP_WriteTimedLock || o.kind == INSPECT_OP_SemTimedWait;
  return timed ? " times out" : " fails";
}

}  // namespace

std::string value_text(std::uint64_t address, std::uint64_t value, std::uint32_t size, const Names& names, std::size_t event) {
  if (size == 0 || size > 8) return "…";
  if (const auto typed = names.value(address, size, value, event)) return *typed;
  const unsigned shift = 64 - 8 * size;
  const auto extended = static_cast<std::int64_t>(value << shift) >> shift;
  if (size < 8 || (extended > -(1ll << 32) && extended < (1ll << 32))) return std::to_string(extended);
  const std::string name = names.label(value, UINT32_MAX, event);  // of all that stands there
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

namespace {

// Without what stands in brackets of this kind, however deep.
std::string without(const std::string& text, char open, char close) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    if (text[i] == open) ++depth;
    if (!depth) out += text[i];
    if (text[i] == close && depth && !arrow) --depth;
  }
  return out;
}

// Where the function's own name is that of an operator, rather than that of a function among its template arguments.
std::size_t own_operator(std::string_view text) {
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_operator = text.substr(i).starts_with("operator") && (i == 0 || !part_of_name(text[i - 1])) &&
                             (i + 8 == text.size() || !part_of_name(text[i + 8]));
    if (is_operator && depth == 0) return i;
    if (is_operator)
      for (i += 8; i < text.size() && std::string_view("<>-=").find(text[i]) != std::string_view::npos;) ++i;
    if (i >= text.size()) break;
    if (text[i] == '<' || text[i] == '(') ++depth;
    if ((text[i] == '>' && !(i > 0 && text[i - 1] == '-')) || text[i] == ')') --depth;
  }
  return std::string_view::npos;
}

}  // namespace

std::string short_function(const std::string& demangled) {
  std::string text = demangled, name;
  replace_all(text, "{lambda", "lambda{");
  replace_all(text, "(anonymous namespace)::", "");
  if (const auto at = own_operator(text); at != std::string::npos) {  // its name may hold brackets
    const auto parameters = text.find('(', text.compare(at, 10, "operator()") == 0 ? at + 10 : at);
    name = text.substr(at, parameters == std::string::npos ? std::string::npos : parameters - at);
    text.erase(at);
  }
  text = without(without(text, '<', '>'), '(', ')');
  if (text.ends_with(" const")) text.erase(text.size() - 6);
  if (const auto blank = text.rfind(' '); blank != std::string::npos) text.erase(0, blank + 1);  // its result
  text += name;
  replace_all(text, "lambda{", "{lambda");
  replace_all(text, "std::__cxx11::", "std::");
  replace_all(text, "[abi:cxx11]", "");
  replace_all(text, "std::_V2::", "std::");
  replace_all(text, "std::__", "std::");
  for (const char* const stream : {"fstream", "ifstream", "ofstream", "string", "ostream", "istream", "iostream"})
    replace_all(text, std::string("std::basic_") + stream, std::string("std::") + stream);
  return text;
}

std::string object_label(const Operation& operation, const Names& names, std::size_t event) {
  if (operation.object == 0) return "-";
  if (operation.object == INSPECT_PROCESS_OBJECT) return "process";
  const bool is_memory = inspect_family_of(operation.kind) == INSPECT_FAMILY_Memory;
  const std::string name = names.label(operation.object, is_memory ? operation.size : 1, event);
  const std::string expression = names.site(operation.site).expression;
  const bool vague = name.empty() || name.starts_with("stack of thread ");
  if (!vague || expression.empty()) return name.empty() ? std::string(kUnnamed) : name;
  return expression;
}

namespace {

// What a thread of the library's runs, where no frame is the user's: "std::packaged_task::operator()".
std::string run_by_thread(const Frames& frames) {
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->function.find("std::packaged_task<") == 0) return short_function(frame->function);
    if (frame->function.find("_Async_state_impl<") != std::string::npos) return "std::async";
  }
  return {};
}

}  // namespace

std::string called_function(const Frames& frames) {
  const auto user = std::find_if(frames.begin(), frames.end(), [](const Frame& frame) { return !frame.library; });
  if (user == frames.begin()) return {};
  const std::string name = user == frames.end() ? run_by_thread(frames) : short_function(std::prev(user)->function);
  const auto method = name.rfind("::");
  if (method == std::string::npos) return name;
  const auto scope = name.rfind("::", method - 1);
  const std::string last = name.substr(method + 2);
  const std::string of =
      name.substr(scope == std::string::npos ? 0 : scope + 2, method - (scope == std::string::npos ? 0 : scope + 2));
  return last == of || last == "~" + of ? name.substr(0, method) : name;  // constructors and destructors
}

namespace {

// "locks", where the user's words are those of a class of the C++ library.
std::string_view verb_of(unsigned kind) {
  static constexpr std::pair<unsigned, std::string_view> kVerbs[] = {{INSPECT_OP_ThreadCreate, "starts"},
                                                                     {INSPECT_OP_ThreadJoin, "joins"},
                                                                     {INSPECT_OP_ThreadDetach, "detaches"},
                                                                     {INSPECT_OP_MutexLock, "locks"},
                                                                     {INSPECT_OP_MutexTryLock, "tries to lock"},
                                                                     {INSPECT_OP_MutexUnlock, "unlocks"},
                                                                     {INSPECT_OP_ReadLock, "locks, shared with other readers,"},
                                                                     {INSPECT_OP_ReadUnlock, "unlocks"},
                                                                     {INSPECT_OP_WriteLock, "locks"},
                                                                     {INSPECT_OP_WriteTryLock, "tries to lock"},
                                                                     {INSPECT_OP_WriteUnlock, "unlocks"},
                                                                     {INSPECT_OP_CondWait, "waits on"},
                                                                     {INSPECT_OP_CondWake, "wakes and locks"},
                                                                     {INSPECT_OP_CondSignal, "notifies"},
                                                                     {INSPECT_OP_CondBroadcast, "notifies"},
                                                                     {INSPECT_OP_SemWait, "acquires"},
                                                                     {INSPECT_OP_SemPost, "releases"},
                                                                     {INSPECT_OP_FutexWake, "wakes who waits on"},
                                                                     {INSPECT_OP_FutexResume, "wakes from waiting on"}};
  for (const auto& [of, verb] : kVerbs)
    if (of == kind) return verb;
  return {};
}

bool is_transparent(const std::string& called) {  // what a step of memory says anyway
  return called.starts_with("std::atomic") || called.starts_with("operator ") || called.starts_with("std::atomic_");
}

// The user's words for a step within the library; empty: there are none.
std::string library_text(const Event& event, const std::string& called, const std::string& object, const std::string& second) {
  const unsigned kind = event.operation.kind;
  if (kind == INSPECT_OP_OnceEnter || kind == INSPECT_OP_OnceDone) return once_text(kind, called, object);
  const std::string_view verb = verb_of(kind);
  if (verb.empty()) return {};
  const auto method = called.rfind("::");
  static constexpr std::string_view kOwners[] = {"std::mutex",        "std::recursive_mutex",      "std::timed_mutex",
                                                 "std::shared_mutex", "std::condition_variable",   "std::shared_timed_mutex",
                                                 "std::mutex_base",   "std::recursive_timed_mutex"};
  const std::string_view owner = std::string_view(called).substr(0, method == std::string::npos ? 0 : method);
  if (std::find(std::begin(kOwners), std::end(kOwners), owner) != std::end(kOwners)) {
    const std::string call = object + '.' + called.substr(method + 2);
    if (kind == INSPECT_OP_CondWait) return fmt::format("{}({})", call, second);
    if (kind == INSPECT_OP_CondWake) return fmt::format("{} wakes and locks {}", called, object);
    return call + "()";
  }
  if (called.ends_with("::join") || called.ends_with("::detach")) return fmt::format("{}({})", called, object);
  if (kind == INSPECT_OP_CondWait) return fmt::format("{} waits on {}, unlocks {}", called, object, second);
  return fmt::format("{} {} {}", called, verb, object);
}

// `called`: by the user, of the C++ library.
std::string file_text(const Operation& operation, const std::string& called, const std::string& object, const Names& names) {
  std::string call = called.empty() ? names.called(operation.site) : called;
  if (call.starts_with("std::basic_file::")) {  // behind the library's streams
    const std::string what = call.substr(call.rfind(':') + 1);
    call = what == "xsputn" ? "a C++ stream writes" : what == "xsgetn" ? "a C++ stream reads" : "a C++ stream";
  }
  if (!call.empty()) return call + ": " + object;
  return object.starts_with("all open files") ? "what streams hold is written out" : with_object(operation.kind, object);
}

// What exit does between two handlers has no place.
std::string handler_text(const Operation& operation, const Names& names) {
  if (!operation.site) return kNextHandler;
  const std::string call = names.called(operation.site);
  return call == "__cxa_atexit" ? "a destructor is to run at exit" : call.empty() ? "atexit" : call;
}

}  // namespace

std::string memory_text(const Operation& operation, std::uint64_t read, std::optional<std::uint64_t> written,
                        const Names& names, std::size_t event, const Frames& frames) {
  const std::string object = object_label(operation, names, event);
  if (object == kUnnamed)  // of the runtime's own: "pthread_setname_np"
    if (std::string call = names.called(operation.site); !call.empty()) return call;
  std::string out = with_object(operation.kind, object);
  const std::string called = called_function(frames);
  if (!called.empty() && !is_transparent(called)) out = called + ": " + out;
  const bool writes = inspect_effect_of(operation.kind) == INSPECT_EFFECT_Write && !(operation.flags & INSPECT_FLAG_FAILED);
  const auto text = [&](std::uint64_t value) { return value_text(operation.object, value, operation.size, names, event); };
  const std::string new_value = written ? text(*written) : "";
  if (operation.kind == INSPECT_OP_AtomicStore || operation.kind == INSPECT_OP_PlainWrite)
    return written ? out + " = " + new_value : out;
  const std::string old_value = text(read);
  if (operation.kind != INSPECT_OP_AtomicRmw && operation.kind != INSPECT_OP_AtomicCas) return out + ": " + old_value;
  return writes ? fmt::format("{}: {} -> {}", out, old_value, new_value) : fmt::format("{}: {}, fails", out, old_value);
}

std::string action_text(const Event& event, const Names& names, std::size_t number, const Frames& frames) {
  const Operation& operation = event.operation;
  if (is_memory(operation.kind)) return memory_text(operation, event.read, event.written, names, number, frames);
  if (operation.kind == INSPECT_OP_ProcessExit) return "exit";
  if (operation.kind == INSPECT_OP_ExitHandler) return handler_text(operation, names);
  std::string object = operation.object ? object_label(operation, names, number) : std::string(), second;
  if (operation.object2) {
    Operation other = operation;
    other.object = operation.object2;
    second = object_label(other, names, number);
  }
  std::string called = called_function(frames);
  if (operation.kind == INSPECT_OP_ThreadCreate && !called.empty() && called != "std::async") called = "std::thread";
  const std::string said = called.empty() ? "" : library_text(event, called, object, second);
  if (!said.empty()) return said + outcome(event, names);
  if (!second.empty()) object += (object.empty() ? "" : ", ") + second;
  const bool terminates = !frames.empty() && short_function(frames.front().function) == "std::terminate";
  if (terminates) return "std::terminate is called";
  if (is_file(operation.kind)) return file_text(operation, called, object, names);
  return with_object(operation.kind, object) + outcome(event, names);
}

std::string action_text(const ScheduleStep& step) {
  const bool input = step.kind == INSPECT_OP_Choice && step.object != "-";
  if (input) return fmt::format("{} -> {}", inspect_kind_text(step.kind), step.object);
  if (step.kind == INSPECT_OP_ExitHandler && step.place == "?") return kNextHandler;
  const std::string object = step.kind == INSPECT_OP_ProcessExit ? "-" : step.object;
  std::string out = with_object(step.kind, object);
  if (step.choice.empty()) return out;
  if (step.kind == INSPECT_OP_CondSignal) return out + " wakes thread " + step.choice;
  if (step.kind == INSPECT_OP_Choice) return out + " -> " + step.choice;
  return out + ", alternative " + step.choice;
}

}  // namespace inspect::report
