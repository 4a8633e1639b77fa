#include "native/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "hooks/address_map.hpp"
#include "process/symbols.hpp"
#include "report/action.hpp"

namespace inspect::native {

using process::Part, process::Stack, process::ValueForm;

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
}

}  // namespace

std::string readable_function(const process::Place& place) {
  std::string function = process::demangled(place.function);
  replace_all(function, "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  return function;
}

Labels::Labels(const process::VerboseRun& run, const process::Names& names) : run_(run), names_(names), stacks_(run, names) {}

report::Frames Labels::frames(const Places& places) const {
  report::Frames frames;
  for (const auto& place : places) {
    if (is_ours(place)) continue;
    const std::string file = names_.shown_path(place.file);
    const bool known = !file.empty() && place.line;
    frames.push_back({readable_function(place), known ? fmt::format("{}:{}", file, place.line) : "?",
                      is_library(place) || place.file.empty()});
  }
  return frames;
}

const process::HeapObject* Labels::heap_object(std::uint64_t address) const {
  const auto after = run_.heap.upper_bound(address);
  return after == run_.heap.begin() ? nullptr : &std::prev(after)->second;
}

process::Variables* Labels::variables_at(std::uint64_t address, std::uint64_t* offset) {
  const auto module = names_.module_at(address, offset);
  return module ? &variables_.try_emplace(*module, *module).first->second : nullptr;
}

// `site`: the thread's operation there. If the frame found is that of library code without frame pointers, its function is that
// of the site.
std::optional<Part> Labels::local_in(const Stack& stack, std::uint64_t address, std::uint32_t size, std::uint32_t site) {
  const process::StackFrame* found = nullptr;
  for (const auto& frame : stack)
    if (frame.frame > address && (!found || frame.frame < found->frame)) found = &frame;
  if (!found) return std::nullopt;
  std::uint64_t offset = 0;
  process::Variables* variables = variables_at(found->address - 1, &offset);
  if (!variables) {
    const auto code = names_.address_of(site);
    variables = code ? variables_at(*code - 1, &offset) : nullptr;
  }
  if (!variables) return std::nullopt;
  return variables->local(offset, static_cast<std::int64_t>(address - found->frame), size);
}

// Looks in the frames that were on the stack at that event; if none has it, in the latest earlier step whose frames have it.
std::optional<Part> Labels::local(std::uint64_t address, std::uint32_t size, std::size_t event) {
  const auto thread = static_cast<ThreadId>((address - runtime::kStackBase) / runtime::kStackSlot);
  const auto& events = run_.execution.events;
  const bool at_end = event + 1 >= events.size();
  if (at_end && thread == run_.execution.thread)
    if (auto found = local_in(run_.bug_stack, address, size, run_.execution.site)) return found;
  const auto& steps = stacks_.steps_of(thread);
  if (const auto waiting = run_.waiting.find(thread); at_end && waiting != run_.waiting.end() && !steps.empty())
    if (auto found = local_in(waiting->second, address, size, events[steps.back()].next.operation.site)) return found;
  const auto at_step = [&](std::size_t step) {
    return local_in(run_.stacks[step], address, size, events[step].operation.site);
  };
  for (const std::size_t step : stacks_.near(thread, event))
    if (auto found = at_step(step)) return found;
  constexpr std::size_t kMostLookedAt = 64;
  std::size_t looked_at = 0;
  for (auto step = steps.rbegin(); step != steps.rend() && looked_at < kMostLookedAt; ++step) {
    if (*step > event || *step >= run_.stacks.size()) continue;
    ++looked_at;
    if (auto found = at_step(*step)) return found;
  }
  return std::nullopt;
}

std::optional<Labels::LastFrame> Labels::last_frame_with(std::uint64_t address, std::uint32_t size) {
  if (address < runtime::kStackBase || address >= runtime::kStackBase + runtime::kStackSlot * kMaxThreads) return std::nullopt;
  const auto thread = static_cast<ThreadId>((address - runtime::kStackBase) / runtime::kStackSlot);
  const auto& steps = stacks_.steps_of(thread);
  constexpr std::size_t kMostLookedAt = 256;
  std::size_t looked_at = 0;
  for (auto step = steps.rbegin(); step != steps.rend() && looked_at < kMostLookedAt; ++step, ++looked_at) {
    if (*step >= run_.stacks.size()) continue;
    const Stack& stack = run_.stacks[*step];
    const Operation& operation = run_.execution.events[*step].operation;
    const auto owner = std::ranges::find_if(stack, [&](const auto& frame) { return frame.frame > address; });
    if (owner == stack.end() || !local_in(stack, address, size, operation.site)) continue;
    LastFrame last{*step, thread, stacks_.places(Stack(owner, stack.end()))};
    if (const Places inlined = names_.inlined(operation.site);
        names_.code_address(owner->address).empty() && !inlined.empty()) {
      // A library's code that shares the frame of the function that called it.
      last.places = stacks_.places(operation, stack);
      const auto function =
          std::ranges::find_if(last.places, [&](const auto& p) { return p.function == inlined.back().function; });
      last.places.erase(last.places.begin(), function);
    }
    return last;
  }
  return std::nullopt;
}

std::optional<Part> Labels::global(std::uint64_t address, std::uint32_t size) {
  std::uint64_t offset = 0;
  process::Variables* const variables = variables_at(address, &offset);
  return variables ? variables->global(offset, size) : std::nullopt;
}

namespace {

// "std::vector" of "std::vector<int>::push_back"; of what is no method, itself.
std::string class_or_function(const std::string& library) {
  const auto method = library.rfind("::");
  const std::string of = method == std::string::npos ? "" : library.substr(0, method);
  return of.empty() || of == "std" ? library : of;
}

// What the library keeps behind a promise, a future or a task, under names of its own; empty: it is something else.
std::string part_of_future(std::string_view type) {
  for (const std::string_view state : {"_State_base", "_Async_state_", "_Deferred_state<", "_Task_state"})
    if (type.starts_with(state)) return "future's state";
  return type.starts_with("_Result<") ? "future's result" : "";
}

// As people write it: "Holder<std::string>", "std::vector".
std::string readable_type(const process::AllocatedType& type) {
  std::string name = type.name;
  replace_all(name, "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  replace_all(name, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  replace_all(name, "std::string >", "std::string>");
  if (!type.of_library) return name;
  if (name.starts_with("basic_string<char,")) return "std::string";
  return "std::" + name.substr(0, name.find('<'));
}

}  // namespace

// What is known of a block from the call that allocated it: `library` is the function that the user called.
Labels::MadeObject Labels::named(std::optional<process::AllocatedType> type, std::uint64_t bytes, const std::string& library,
                                 const std::string& at) {
  MadeObject out;
  const std::uint64_t taken = type ? type->begin + type->size : 0;
  if (type && taken > bytes) type.reset();  // whatever the reason
  if (type) type->several = type->several && type->size && bytes > taken;
  const bool by_user = library.empty() || library.starts_with("operator new") || library == "malloc" || library == "calloc";
  out.type = std::move(type);
  if (const std::string future = out.type && out.type->of_library ? part_of_future(out.type->name) : ""; !future.empty()) {
    out.name = future + at;
    out.type->key = 0;
    return out;
  }
  if (out.type && out.type->of_library && (library.starts_with("std::make_") || library.starts_with("std::allocate_shared"))) {
    out.name = readable_type(*out.type) + at;
    out.type->key = 0;
    return out;
  }
  // A library's own structures are what the user called; but for the user's objects in them.
  if (!by_user && (!out.type || out.type->of_library)) {
    out.name = class_or_function(library) + at;
    if (out.type && !out.type->name.starts_with("pair<")) out.type.reset();
    return out;
  }
  out.name = (out.type ? readable_type(*out.type) + (out.type->several ? "[]" : "") : "heap object") + at;
  if (out.type && out.type->of_library) out.type.reset();
  return out;
}

Labels::MadeObject Labels::made(const process::HeapObject& object) {
  std::optional<process::AllocatedType> type;
  std::string library;  // function that the user called
  const process::Place* user = nullptr;
  Places keep;
  bool called_here = true;  // no function between the allocating one and this one
  std::uint64_t code = 0;
  for (const auto& frame : object.stack) {
    keep = names_.code_address(frame.address);
    const bool is_runtime = std::ranges::all_of(keep, is_ours) && !keep.empty();
    std::uint64_t offset = 0;
    process::Variables* const variables = is_runtime ? nullptr : variables_at(frame.address - 1, &offset);
    if (variables && !type) {
      type = variables->allocated_at(offset);
      if (!type && called_here) type = variables->created_at(offset);
      if (type) code = frame.address - 1;
    }
    called_here = called_here && is_runtime;
    for (const auto& place : keep) {
      if (is_ours(place)) continue;
      if (!is_library(place) && place.line) {
        user = &place;
        break;
      }
      library = report::short_function(process::demangled(place.function));
    }
    if (user) break;
  }
  if (user) {
    MadeObject out =
        named(std::move(type), object.size, library, fmt::format("({}:{})", names_.shown_path(user->file), user->line));
    out.code = code;
    return out;
  }
  MadeObject out{.name = "heap object"};
  for (const auto& place : names_.inlined(object.site))
    if (!is_library(place) && !is_ours(place) && place.line) {
      out.name += fmt::format("({}:{})", names_.shown_path(place.file), place.line);
      break;
    }
  return out;
}

// Several of one type and place are told apart by numbers, in the order in which they were made.
void Labels::name_heap() {
  if (std::exchange(heap_named_, true)) return;
  constexpr std::size_t kMostNamed = 10'000;
  std::vector<std::pair<std::size_t, std::uint64_t>> order;
  for (const auto& [address, object] : run_.heap) order.emplace_back(object.number, address);
  std::sort(order.begin(), order.end());
  if (order.size() > kMostNamed) order.resize(kMostNamed);
  std::map<std::string, std::vector<std::uint64_t>> alike;
  std::map<std::vector<std::uint64_t>, MadeObject> known;  // by size and stack: most objects are made at few places
  for (const auto& [number, address] : order) {
    const process::HeapObject& block = run_.heap.at(address);
    std::vector<std::uint64_t> key{block.size, block.site};
    for (const auto& frame : block.stack) key.push_back(frame.address);
    const auto [of, fresh] = known.try_emplace(std::move(key));
    if (fresh) of->second = made(block);
    if (block.is_of_boot() && of->second.name == "heap object") continue;  // a library's own
    MadeObject& object = made_[address] = of->second;
    alike[object.name].push_back(address);
  }
  for (const auto& [name, addresses] : alike)
    for (std::size_t i = 0; addresses.size() > 1 && i < addresses.size(); ++i)
      made_[addresses[i]].name += fmt::format("#{}", i + 1);
}

std::string Labels::heap_name(std::uint64_t address) {
  name_heap();
  const auto after = made_.upper_bound(address);
  const bool within = after != made_.begin() && address - std::prev(after)->first < run_.heap.at(std::prev(after)->first).size;
  return within ? std::prev(after)->second.name : "";
}

// Rather than its first member, which may be as large.
std::string Labels::whole_block(std::uint64_t address, std::uint64_t pointee) {
  name_heap();
  const auto block = made_.find(address);
  if (block == made_.end() || !block->second.type) return {};
  const process::AllocatedType& type = *block->second.type;
  return type.begin == 0 && !type.several && type.size == pointee ? block->second.name : "";
}

std::optional<Part> Labels::heap(std::uint64_t address, std::uint32_t size) {
  constexpr std::uint64_t kUseCount = 8, kWeakCount = 12;  // in front of what make_shared made, behind a pointer
  constexpr std::uint64_t kStatus = 16;                    // of a future's state, behind two pointers
  name_heap();
  const auto after = made_.upper_bound(address);
  if (after == made_.begin()) return std::nullopt;
  const auto& [begin, object] = *std::prev(after);
  const std::uint64_t offset = address - begin;
  if (offset > run_.heap.at(begin).size + 16) return std::nullopt;
  std::uint64_t code = 0;
  Part part;
  process::Variables* const variables = object.type ? variables_at(object.code, &code) : nullptr;
  const bool is_counted = object.type && object.type->counted && offset < object.type->begin && size == 4;
  if (object.type && object.type->counted && offset == kUseCount && size == 8) return Part{"counts of " + object.name};
  if (is_counted && (offset == kUseCount || offset == kWeakCount)) {
    Part count{(offset == kUseCount ? "use count of " : "weak count of ") + object.name};
    count.form.kind = ValueForm::Kind::integer;
    return count;
  }
  if (object.type && offset < object.type->begin && size <= 8) return Part{"what the library keeps of " + object.name};
  if (variables && object.type->key) part = variables->member(*object.type, offset, size);
  if (object.name.starts_with("future's state(") && object.type && offset == object.type->begin + kStatus && size == 4) {
    part.form.kind = ValueForm::Kind::enumeration;
    part.form.names = {{0, "not ready"}, {1, "ready"}, {INT32_MIN, "not ready, awaited"}, {INT32_MIN + 1, "ready, awaited"}};
  }
  const bool unknown =
      part.name.empty() && part.form.kind == ValueForm::Kind::unknown && offset && (!object.type || !object.type->key);
  const bool is_library_s = object.name.starts_with("std::") || object.name.starts_with("future's ");
  part.name = object.name + (unknown && !is_library_s ? fmt::format("[+{}]", offset) : part.name);
  return part;
}

std::optional<Part> Labels::thread_local_part(std::uint64_t address, std::uint32_t size) {
  if (!thread_locals_) thread_locals_ = names_.thread_locals();
  const auto thread = static_cast<ThreadId>((address - runtime::kThreadLocalsBase) / runtime::kThreadLocalsSlice);
  const std::uint64_t at = (address - runtime::kThreadLocalsBase) % runtime::kThreadLocalsSlice;
  for (const auto& variable : *thread_locals_) {
    if (at < variable.begin || at - variable.begin >= variable.size) continue;
    Part part = variables_.try_emplace(variable.module, variable.module)
                    .first->second.part_of(variable.name, at - variable.begin, size);
    part.name += " of thread " + names_.thread(thread);
    return part;
  }
  return std::nullopt;
}

std::optional<Part> Labels::part(std::uint64_t address, std::uint32_t size, std::size_t event) {
  if (address >= runtime::kThreadLocalsBase && address < runtime::kThreadLocalsBase + runtime::kThreadLocalsSlice * kMaxThreads)
    return thread_local_part(address, size);
  if (address >= runtime::kStackBase && address < runtime::kStackBase + runtime::kStackSlot * kMaxThreads)
    return local(address, size, event);
  if (address >= runtime::kArenaBase && address < runtime::kArenaBase + runtime::kArenaBytes) return heap(address, size);
  return global(address, size);
}

std::string Labels::label(std::uint64_t address, std::uint32_t size, std::size_t event) {
  const auto found = part(address, size, event);
  std::string name = found && !found->name.empty() ? found->name : names_.object(address);
  if (name.starts_with("__")) return "the library's own state";
  if (name.empty())
    if (const std::string text = text_at(address); !text.empty()) name = "the constant " + text;
  return name;
}

// The beginning of a string that the program cannot change.
std::string Labels::text_at(std::uint64_t address) const {
  constexpr std::size_t kMostShown = 24;
  const auto text = names_.constant_text(address);
  if (!text) return {};
  std::string out = "\"";
  for (const char c : text->substr(0, kMostShown)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : c < ' ' ? std::string("?") : std::string(1, c);
  }
  return out + (text->size() > kMostShown ? "…\"" : "\"");
}

namespace {

std::string character_text(std::uint64_t value) {
  switch (value) {
    case 0:
      return "'\\0'";
    case '\n':
      return "'\\n'";
    case '\t':
      return "'\\t'";
    default:
      return value > ' ' - 1 && value < 127 ? fmt::format("'{}'", static_cast<char>(value)) : std::to_string(value);
  }
}

}  // namespace

std::optional<std::string> Labels::value(std::uint64_t address, std::uint32_t size, std::uint64_t value, std::size_t event) {
  if (!size || size > 8) return std::nullopt;
  const auto found = part(address, size, event);
  if (!found) return std::nullopt;
  if (found->name.starts_with("counts of "))
    return fmt::format("{} in use, {} weak", static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32));
  const ValueForm& form = found->form;
  const unsigned shift = 64 - 8 * size;
  const std::uint64_t bits = value << shift >> shift;
  const auto extended = static_cast<std::int64_t>(value << shift) >> shift;
  switch (form.kind) {
    case ValueForm::Kind::boolean:
      return bits > 1 ? std::to_string(bits) : bits ? "true" : "false";
    case ValueForm::Kind::character:
      return character_text(bits);
    case ValueForm::Kind::enumeration: {
      const auto name = form.names.find(extended);
      const auto natural = form.names.find(static_cast<std::int64_t>(bits));
      return name != form.names.end() ? name->second : natural != form.names.end() ? natural->second : std::to_string(extended);
    }
    case ValueForm::Kind::integer:
      return std::to_string(extended);
    case ValueForm::Kind::natural:
      return std::to_string(bits);
    case ValueForm::Kind::floating:
      return size == 4   ? std::optional(fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits))))
             : size == 8 ? std::optional(fmt::format("{}", std::bit_cast<double>(bits)))
                         : std::nullopt;
    case ValueForm::Kind::text:
    case ValueForm::Kind::pointer: {
      if (!bits) return form.cpp ? "nullptr" : "NULL";
      if (const std::string text = form.kind == ValueForm::Kind::text ? text_at(bits) : ""; !text.empty()) return text;
      if (const std::string whole = whole_block(bits, form.pointee); !whole.empty()) return "&" + whole;
      const std::string shown =
          label(bits, static_cast<std::uint32_t>(std::min<std::uint64_t>(form.pointee, UINT32_MAX)), event);
      if (!shown.empty()) return "&" + shown;
      const Places function = names_.code_address(bits + 1);
      return function.empty() ? std::nullopt
                              : std::optional(report::short_function(process::demangled(function.back().function)));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace inspect::native
