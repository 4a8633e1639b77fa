#include "oracle/interpreter_code.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "oracle/interpreter.hpp"

namespace inspect::oracle {

namespace {

using search::CodeBlock;
using search::CodeFunction;
using search::CodeStep;
using search::CodeValue;

bool uses_register(const Instruction& i, unsigned reg) {
  switch (i.code) {
    case Code::jump_if:
    case Code::jump_unless:
    case Code::assume:
    case Code::require:
      return i.reg == reg;
    default:
      return false;
  }
}

bool is_local(const Instruction& i) {
  return i.code == Code::jump_if || i.code == Code::jump_unless || i.code == Code::assume || i.code == Code::require;
}

class Builder {
 public:
  Builder(const ModelProgram& program, std::optional<std::uint64_t> seed)
      : program_(program), random_(seed.value_or(0)), coarse_(seed) {}

  search::Code build() {
    code_.main = 1;
    code_.globals_begin = 0x10000;
    code_.globals_end = 0x70000;
    code_.join_results = code_.file_results = code_.barrier_results = false;
    for (unsigned t = 0; t < kModelThreads; ++t) {
      code_.by_address[1 + t] = t;
      code_.functions.emplace_back().address = 1 + t;
    }
    for (unsigned t = 0; t < program_.threads.size(); ++t) thread(t);
    for (unsigned t = 0; t < kModelThreads; ++t)
      if (code_.functions[t].blocks.empty()) leave(t);
    return std::move(code_);
  }

 private:
  // One block for each instruction, and one to leave. With a seed, a part that nothing jumps into may become a function of its
  // own.
  void thread(unsigned t) {
    const auto& list = program_.threads[t];
    code_.functions[t].blocks.resize(list.size() + 1);
    std::size_t from = 0, to = 0;
    if (coarse_) choose_part(list, from, to);
    const auto callee = static_cast<std::uint32_t>(code_.functions.size());
    if (from < to) code_.functions.emplace_back().blocks.resize(to - from + 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool inside = i >= from && i < to;
      const auto base = static_cast<std::uint32_t>(inside ? from : 0);
      instruction(t, inside ? callee : t, static_cast<std::uint32_t>(i) - base, static_cast<std::uint32_t>(i), base);
    }
    leave(t);
    if (from >= to) return;
    leave(callee);
    CodeBlock& calls = code_.functions[t].blocks[from];
    CodeStep call;
    call.kind = CodeStep::Kind::call;
    call.callee = callee;
    calls.steps = {call};
    calls.next = {static_cast<std::uint32_t>(to)};
  }

  void choose_part(const std::vector<Instruction>& list, std::size_t& from, std::size_t& to) {
    if (list.size() < 2 || random_.below(2)) return;
    from = random_.below(static_cast<unsigned>(list.size()));
    to = from + 1 + random_.below(static_cast<unsigned>(list.size() - from));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool inside = i >= from && i < to;
      const std::size_t target = list[i].target;
      const bool bad = is_jump(list[i]) && (inside ? target > to || target < from : target > from && target < to);
      if (bad || (inside && list[i].code == Code::section)) from = to = 0;
    }
  }

  void leave(std::uint32_t function) {
    if (code_.functions[function].blocks.empty()) code_.functions[function].blocks.resize(1);
    CodeStep step;
    step.kind = CodeStep::Kind::leave;
    code_.functions[function].blocks.back().steps = {step};
  }

  search::ValueId value(std::uint32_t function, const CodeValue& v) {
    auto& values = code_.functions[function].values;
    values.push_back(v);
    return static_cast<search::ValueId>(values.size() - 1);
  }

  search::ValueId place(std::uint32_t function, std::uint64_t object, std::uint32_t size) {
    CodeValue v;
    v.kind = CodeValue::Kind::address;
    v.address = object;
    v.size = size;
    return value(function, v);
  }

  // The mutex, or one of two.
  search::ValueId lock(std::uint32_t function, std::uint64_t object, std::uint32_t size, unsigned number) {
    const search::ValueId one = place(function, object, size);
    if (!coarse_ || random_.below(5)) return one;
    const search::ValueId other = place(function, object - 64ull * number + 64ull * random_.below(2), size);
    CodeValue v;
    v.kind = CodeValue::Kind::any_of;
    v.any = random_.below(2) ? std::vector{one, other} : std::vector{other, one};
    return value(function, v);
  }

  void instruction(unsigned t, std::uint32_t function, std::uint32_t block, std::uint32_t at, std::uint32_t base) {
    const Instruction& i = program_.threads[t][at];
    CodeBlock& b = code_.functions[function].blocks[block];
    b.next = {block + 1};
    if (is_jump(i)) b.next.push_back(i.target - base);
    if (i.code == Code::exit) b.next.clear();
    if (is_local(i)) return;
    const std::uint32_t site = 1 + 64 * t + at;
    CodeStep step;
    if (i.code == Code::create || i.code == Code::section) {
      step.why = i.code == Code::create ? "a thread created" : "an atomic section";
    } else {
      step.operation = Interpreter::operation_of(i, site);
      step.kind = CodeStep::Kind::operation;
      const Operation& o = step.operation;
      if (o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite) step.kind = CodeStep::Kind::access;
      const bool mutex = inspect_family_of(o.kind) == INSPECT_FAMILY_Mutex;
      if (o.size) step.at = mutex ? lock(function, o.object, o.size, i.object) : place(function, o.object, o.size);
      if (o.size2) step.at2 = place(function, o.object2, o.size2);
    }
    code_.functions[function].blocks[block].steps = {step};
    code_.sites[site] = {{function, block, 0}};
    const auto& list = program_.threads[t];
    code_.steers[site] =
        i.code != Code::write && std::ranges::any_of(list, [&](const Instruction& k) { return uses_register(k, i.reg); });
    if (i.code == Code::read || i.code == Code::load)
      for (std::uint32_t k = 0; k < list.size(); ++k)
        if (list[k].code == Code::store_register && list[k].reg == i.reg) code_.flows[site].push_back(1 + 64 * t + k);
    // The results of barriers are in registers too.
    if (i.code == Code::barrier) code_.barrier_results |= code_.steers[site];
  }

  const ModelProgram& program_;
  Random random_;
  std::optional<std::uint64_t> coarse_;
  search::Code code_;
};

}  // namespace

search::Code code_of(const ModelProgram& program, std::optional<std::uint64_t> seed) { return Builder(program, seed).build(); }

}  // namespace inspect::oracle
