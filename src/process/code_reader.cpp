#include "process/code_reader.hpp"

#include <span>

#include "hooks/address_map.hpp"
#include "hooks/code_table.h"
#include "hooks/site.h"

namespace inspect::process {

namespace {

using search::Code;
using search::CodeBlock;
using search::CodeFunction;
using search::CodeStep;
using search::CodeValue;

constexpr std::uint64_t kMostBytes = 256ull << 20;

std::string reason(std::uint64_t why) {
  switch (why) {
    case INSPECT_CODE_CREATES:
      return "threads created in code that is not certain to run as it did";
    case INSPECT_CODE_ASSEMBLY:
      return "inline assembly";
    case INSPECT_CODE_POINTER_CALL:
      return "a call through a pointer";
    case INSPECT_CODE_LIBRARY:
      return "a library function whose effects are not known in advance";
    case INSPECT_CODE_SECTION:
      return "an atomic section";
    default:
      return "unusual control flow";
  }
}

class Reader {
 public:
  Reader(std::vector<std::uint64_t> words, const inspect_channel& channel) : words_(std::move(words)), channel_(channel) {}

  Code read() {
    code_.join_results = code_.barrier_results = code_.file_results = false;
    code_.main = channel_.program_main;
    code_.globals_begin = channel_.modules[0].begin;
    code_.globals_end = channel_.modules[0].end;
    code_.slots = {{runtime::kStackBase, runtime::kStackSlot}, {runtime::kArenaBase, runtime::kArenaSlice}};
    if (channel_.module_count > 1) code_.obstacle = "shared libraries, whose code is not in the table";
    while (at_ < words_.size() && !bad_) {
      end_ = at_ + words_[at_];
      if (end_ > words_.size() || end_ < at_ + 3) return broken();
      ++at_;
      const std::uint64_t kind = next();
      if (kind == INSPECT_CODE_FUNCTION)
        function();
      else
        facts(next());
      at_ = end_;
    }
    if (bad_) return broken();
    resolve();
    return std::move(code_);
  }

 private:
  static Code broken() {
    Code none;
    none.obstacle = "the executable's table of code is damaged";
    return none;
  }

  std::uint64_t next() {
    if (at_ >= end_) {
      bad_ = true;
      return 0;
    }
    return words_[at_++];
  }
  // A number of things that take at least one word each.
  std::uint64_t count() {
    const std::uint64_t n = next();
    if (n > end_ - at_) bad_ = true;
    return bad_ ? 0 : n;
  }

  void facts(std::uint64_t f) {
    code_.join_results |= f & INSPECT_CODE_JOIN_RESULTS;
    code_.barrier_results |= f & INSPECT_CODE_BARRIER_RESULTS;
    code_.file_results |= f & INSPECT_CODE_FILE_RESULTS;
    if (f & INSPECT_CODE_HANDLERS) code_.reachable_obstacle = "functions that run at the end of threads or of the process";
    if (f & INSPECT_CODE_UNSEEN_LIBRARY) code_.obstacle = "calls of library code that is not seen to read and write";
    if (f & INSPECT_CODE_MACHINE_VALUES) code_.obstacle = "instructions that read the machine's state";
  }

  static search::ValueId value_id(std::uint64_t word) {
    return word < search::kNoValue ? static_cast<search::ValueId>(word) : search::kNoValue;
  }

  void function() {
    CodeFunction f;
    f.address = next();
    f.address_taken = next() & INSPECT_CODE_ADDRESS_TAKEN;
    f.values.resize(count());
    for (CodeValue& v : f.values) value(v);
    f.blocks.resize(count());
    const auto number = static_cast<std::uint32_t>(code_.functions.size());
    for (std::uint32_t b = 0; b < f.blocks.size() && !bad_; ++b) block(f, number, b);
    const auto size = static_cast<std::uint32_t>(f.values.size());
    const auto check = [&](search::ValueId v) { bad_ |= v != search::kNoValue && v >= size; };
    for (const CodeValue& v : f.values) {
      check(v.of);
      for (const search::ValueId one : v.any) check(one);
    }
    for (const CodeBlock& b : f.blocks) {
      for (const std::uint32_t n : b.next) bad_ |= n >= f.blocks.size();
      for (const CodeStep& s : b.steps) {
        check(s.at);
        check(s.at2);
        for (const search::ValueId one : s.arguments) check(one);
      }
    }
    bad_ |= f.blocks.empty();
    code_.functions.push_back(std::move(f));
  }

  void value(CodeValue& v) {
    const std::uint64_t kind = next();
    bad_ |= kind > INSPECT_CODE_ANY_OF;
    static_assert(static_cast<int>(CodeValue::Kind::any_of) == INSPECT_CODE_ANY_OF);
    v.kind = static_cast<CodeValue::Kind>(kind);
    v.of = value_id(next());
    v.amount = static_cast<std::int64_t>(next());
    v.address = next();
    v.size = next();
    v.any.resize(count());
    for (search::ValueId& one : v.any) one = value_id(next());
  }

  void block(CodeFunction& f, std::uint32_t function, std::uint32_t number) {
    CodeBlock& b = f.blocks[number];
    b.next.resize(count());
    for (std::uint32_t& n : b.next) n = static_cast<std::uint32_t>(next());
    for (std::uint64_t n = count(); n-- > 0 && !bad_;) step(b, function, number);
  }

  [[nodiscard]] std::uint32_t site_number(std::uint64_t address) const {
    return static_cast<std::uint32_t>((address - channel_.modules[0].sites) / sizeof(inspect_site)) + 1;
  }

  void step(CodeBlock& b, std::uint32_t function, std::uint32_t number) {
    CodeStep s;
    const std::uint64_t kind = next(), operation = next(), site = next();
    s.operation.kind = static_cast<std::uint8_t>(operation);
    s.operation.rmw = static_cast<std::uint8_t>(operation >> 8);
    s.operation.flags = static_cast<std::uint8_t>(operation >> 16);
    s.operation.order = static_cast<std::uint8_t>(operation >> 24);
    if (site) s.operation.site = site_number(site);
    s.at = value_id(next());
    s.at2 = value_id(next());
    const std::uint64_t sizes = next(), callee = next();
    s.operation.size = static_cast<std::uint32_t>(sizes);
    s.operation.size2 = static_cast<std::uint32_t>(sizes >> 32);
    s.arguments.resize(count());
    for (search::ValueId& one : s.arguments) one = value_id(next());
    const std::uint32_t place = s.operation.site;
    if (kind == INSPECT_CODE_STEERS) {
      code_.steers[place] = true;
      return;
    }
    if (kind == INSPECT_CODE_FLOWS) {
      code_.flows[place].push_back(callee ? site_number(callee) : 0);
      return;
    }
    if (place) {
      code_.steers.try_emplace(place, false);
      code_.sites[place].push_back({function, number, static_cast<std::uint32_t>(b.steps.size())});
    }
    if (kind == INSPECT_CODE_NOT_KNOWN) s.why = reason(callee);
    if (kind == INSPECT_CODE_CALL) calls_.push_back({function, number, static_cast<std::uint32_t>(b.steps.size()), callee});
    bad_ |= kind > INSPECT_CODE_NOT_KNOWN || s.operation.kind >= INSPECT_OP_COUNT;
    static_assert(static_cast<int>(CodeStep::Kind::unknown) == INSPECT_CODE_NOT_KNOWN);
    s.kind = static_cast<CodeStep::Kind>(kind);
    b.steps.push_back(std::move(s));
  }

  // Calls name their function by its address. One that several object files hold is the code of any of them.
  void resolve() {
    std::unordered_map<std::uint64_t, unsigned> copies;
    for (std::uint32_t i = 0; i < code_.functions.size(); ++i) {
      code_.by_address.try_emplace(code_.functions[i].address, i);
      ++copies[code_.functions[i].address];
    }
    for (const Call& c : calls_) {
      CodeStep& s = code_.functions[c.function].blocks[c.block].steps[c.step];
      const auto at = code_.by_address.find(c.callee);
      const bool known = at != code_.by_address.end() && copies[c.callee] == 1;
      if (known) {
        s.callee = at->second;
        continue;
      }
      s.kind = CodeStep::Kind::unknown;
      s.why = at == code_.by_address.end() ? "a function without code in the table" : "a function that is there several times";
    }
  }

  struct Call {
    std::uint32_t function, block, step;
    std::uint64_t callee;
  };

  std::vector<std::uint64_t> words_;
  const inspect_channel& channel_;
  std::vector<Call> calls_;
  std::uint64_t at_ = 0, end_ = 0;
  bool bad_ = false;
  Code code_;
};

}  // namespace

search::Code read_code(Executor& executor) {
  const inspect_channel& c = executor.channel();
  std::vector<std::uint64_t> words(c.code_bytes <= kMostBytes ? c.code_bytes / sizeof(std::uint64_t) : 0);
  if (words.empty() || !executor.read_memory(c.code, words.data(), words.size() * sizeof(std::uint64_t))) {
    search::Code none;
    none.obstacle = c.code ? "functions of the program's own by names of the library's" : "the executable has no table of code";
    return none;
  }
  return Reader(std::move(words), c).read();
}

}  // namespace inspect::process
