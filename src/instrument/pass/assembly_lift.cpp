#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include "instrument/pass/assembly.hpp"
#include "instrument/pass/assembly_instructions.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

bool is_jump(StringRef mnemonic) { return mnemonic.starts_with("j"); }

class Lift {
 public:
  Lift(Context& context, CallBase& call, const std::vector<Statement>& statements)
      : call_(call),
        statements_(statements),
        builder_(new_block(call)),
        entry_(builder_.GetInsertBlock()),
        state_(call, builder_),
        instructions_(context, call, builder_, state_) {
    builder_.SetCurrentDebugLocation(call.getDebugLoc());
  }

  bool run() {
    const bool done = state_.take_inputs() && find_targets() && emit_all() && instructions_.is_balanced() && !exits_.empty();
    if (done)
      put_in_place();
    else
      drop();
    return done;
  }

 private:
  struct Exit {
    BasicBlock* from;
    unsigned destination;  // 0: behind the assembly; otherwise 1 + number of an indirect destination
    SmallVector<Value*, 4> values;
  };
  struct Target {
    BasicBlock* block = nullptr;
    SmallVector<PHINode*, 8> phis;
  };

  CallBase& call_;
  const std::vector<Statement>& statements_;
  SmallVector<BasicBlock*, 8> blocks_;
  IRBuilder<> builder_;
  BasicBlock* entry_;
  AssemblyState state_;
  AssemblyInstructions instructions_;
  DenseMap<size_t, Target> targets_;
  SmallVector<Exit, 4> exits_;
  bool reachable_ = true;

  BasicBlock* new_block(CallBase& call) {
    blocks_.push_back(BasicBlock::Create(call.getContext(), "assembly", call.getFunction(), call.getParent()->getNextNode()));
    return blocks_.back();
  }

  std::optional<size_t> target_of(size_t from) const {
    const Statement& s = statements_[from];
    return s.operands.size() == 1 ? find_label(statements_, from, s.operands[0].name) : std::nullopt;
  }

  bool find_targets() {
    state_.find_variables(statements_);
    for (size_t i = 0; i < statements_.size(); ++i) {
      const Statement& s = statements_[i];
      if (!is_jump(s.mnemonic)) continue;
      if (s.operands.size() != 1) return false;
      if (state_.destination(s.operands[0])) continue;
      const auto to = target_of(i);
      if (!to) return false;
      Target& target = targets_[*to];
      if (target.block) continue;
      target.block = new_block(call_);
      target.phis = state_.make_phis(*target.block);
    }
    instructions_.allow_stack(targets_.empty());
    return true;
  }

  bool emit_all() {
    for (size_t i = 0; i < statements_.size(); ++i) {
      if (const auto found = targets_.find(i); found != targets_.end()) enter(found->second);
      if (!reachable_) continue;
      const Statement& s = statements_[i];
      if (s.mnemonic.empty()) continue;
      if (is_jump(s.mnemonic) ? !jump(i) : !instructions_.emit(s)) return false;
    }
    if (reachable_ && !leave(0)) return false;
    return all_of(targets_, [](const auto& entry) { return !pred_empty(entry.second.block); });
  }

  void enter(Target& target) {
    if (reachable_) {
      state_.add_incoming(target.phis, *builder_.GetInsertBlock());
      builder_.CreateBr(target.block);
    }
    builder_.SetInsertPoint(target.block);
    state_.enter(target.phis);
    instructions_.flags = {};
    reachable_ = true;
  }

  bool leave(unsigned destination) {
    Exit exit{nullptr, destination, {}};
    const auto flag = [&](StringRef condition) { return instructions_.flags.condition(builder_, condition); };
    if (!state_.outputs(flag, exit.values)) return false;
    exit.from = builder_.GetInsertBlock();
    exits_.push_back(std::move(exit));
    return true;
  }

  bool jump(size_t i) {
    const Statement& s = statements_[i];
    const auto destination = state_.destination(s.operands[0]);
    BasicBlock* const from = builder_.GetInsertBlock();
    BasicBlock* next = nullptr;
    Value* condition = nullptr;
    if (s.mnemonic != "jmp") {
      condition = s.mnemonic == "jrcxz" ? builder_.CreateIsNull(state_.get({kRcx, 64}, true))
                                        : instructions_.flags.condition(builder_, StringRef(s.mnemonic).drop_front());
      if (!condition) return false;
      next = new_block(call_);
    }
    BasicBlock* to = nullptr;
    if (destination) {
      to = new_block(call_);
      builder_.SetInsertPoint(to);
      if (!leave(1 + *destination)) return false;
      builder_.SetInsertPoint(from);
    } else {
      Target& target = targets_[*target_of(i)];
      to = target.block;
      state_.add_incoming(target.phis, *from);
    }
    if (next)
      builder_.CreateCondBr(condition, to, next);
    else
      builder_.CreateBr(to);
    reachable_ = next != nullptr;
    if (next) builder_.SetInsertPoint(next);
    return true;
  }

  void drop() {
    for (BasicBlock* block : blocks_) block->dropAllReferences();
    for (BasicBlock* block : blocks_) block->eraseFromParent();
  }

  // One block behind all exits; the values of the outputs there.
  Value* join(BasicBlock& done, Value*& selector) {
    builder_.SetInsertPoint(&done);
    PHINode* const which = builder_.CreatePHI(builder_.getInt32Ty(), unsigned(exits_.size()));
    SmallVector<PHINode*, 4> values;
    for (Value* value : exits_[0].values) values.push_back(builder_.CreatePHI(value->getType(), unsigned(exits_.size())));
    for (const Exit& exit : exits_) {
      BranchInst::Create(&done, exit.from)->setDebugLoc(call_.getDebugLoc());
      which->addIncoming(builder_.getInt32(exit.destination), exit.from);
      for (unsigned i = 0; i < values.size(); ++i) values[i]->addIncoming(exit.values[i], exit.from);
    }
    selector = which;
    if (call_.getType()->isVoidTy()) return nullptr;
    if (!call_.getType()->isStructTy()) return values[0];
    Value* all = PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < values.size(); ++i) all = builder_.CreateInsertValue(all, values[i], i);
    return all;
  }

  void put_in_place() {
    BasicBlock* const done = new_block(call_);
    Value* selector = nullptr;
    Value* const result = join(*done, selector);
    if (result) call_.replaceAllUsesWith(result);
    BasicBlock* const before = call_.getParent();
    if (auto* branch = dyn_cast<CallBrInst>(&call_)) {
      for (BasicBlock* successor : successors(before)) successor->replacePhiUsesWith(before, done);
      auto* choice = builder_.CreateSwitch(selector, branch->getDefaultDest(), branch->getNumIndirectDests());
      for (unsigned i = 0; i < branch->getNumIndirectDests(); ++i)
        choice->addCase(builder_.getInt32(i + 1), branch->getIndirectDest(i));
    } else {
      BasicBlock* const after = before->splitBasicBlock(&call_);
      before->getTerminator()->eraseFromParent();
      builder_.CreateBr(after);
    }
    const DebugLoc place = call_.getDebugLoc();
    call_.eraseFromParent();
    BranchInst::Create(entry_, before)->setDebugLoc(place);
    simplify(*done);
  }

  // Nothing is left of flags that nobody asks for, and of blocks that only pass on.
  void simplify(BasicBlock& done) {
    for (BasicBlock* block : blocks_)
      for (Instruction& instruction : make_early_inc_range(reverse(*block)))
        if (isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
    for (BasicBlock* block : blocks_)
      if (block != &done) MergeBlockIntoPredecessor(block);
    BasicBlock* const next = done.getSingleSuccessor();
    MergeBlockIntoPredecessor(&done);
    if (next) MergeBlockIntoPredecessor(next);
  }
};

// Instructions without operands that touch nothing but registers.
bool is_plain_alone(StringRef mnemonic) {
  return StringSwitch<bool>(mnemonic)
      .Cases("nop", "pause", "cld", "std", "clc", "stc", "cmc", "lahf", "sahf", "emms", true)
      .Cases("cwtl", "cltq", "cltd", "cqto", "cbtw", "cwtd", "cwde", "cdqe", "cdq", "cqo", true)
      .Cases("vzeroupper", "vzeroall", "endbr64", "ud2", "int3", "hlt", "femms", "cwd", "cbw", true)
      .Cases("fninit", "fldz", "fld1", "fldpi", "fabs", "fchs", "fsqrt", "fsin", "fcos", "frndint", true)
      .Default(false);
}

// Instructions whose operands do not tell all that they touch.
bool is_special(StringRef mnemonic) {
  constexpr const char* kPrefixes[] = {
      "push",    "pop",   "call",     "ret",     "lcall",  "ljmp",    "iret",     "int",    "sys",    "loop",
      "in",      "out",   "ins",      "enter",   "leave",  "maskmov", "vmaskmov", "xbegin", "xend",   "xabort",
      "movs",    "stos",  "lods",     "scas",    "cmps",   "rdfs",    "rdgs",     "wrfs",   "wrgs",   "swapgs",
      "rdmsr",   "wrmsr", "rdpid",    "rdpmc",   "rdpkru", "wrpkru",  "rdtsc",    "rdrand", "rdseed", "clzero",
      "monitor", "mwait", "umonitor", "umwait",  "tpause", "enq",     "xsave",    "xrstor", "lds",    "les",
      "lfs",     "lgs",   "lss",      "mov %ds", "ud",     "cpuid",   "xgetbv",   "."};
  if (mnemonic == "inc" || mnemonic == "incl" || mnemonic == "incq" || mnemonic == "incw" || mnemonic == "incb") return false;
  if (mnemonic.starts_with("insert") || mnemonic.starts_with("popcnt") || mnemonic.starts_with("movss") ||
      mnemonic.starts_with("movsd") || mnemonic.starts_with("movsh") || mnemonic.starts_with("movsl") ||
      mnemonic.starts_with("movsx") || mnemonic.starts_with("invlpg"))
    return false;
  if (mnemonic.size() == 6 && (mnemonic.starts_with("movsb") || mnemonic.starts_with("movsw"))) return false;  // movsbl, movswq
  return any_of(kPrefixes, [&](const char* prefix) { return mnemonic.starts_with(prefix); });
}

bool names_memory(const CallBase& call, const TextOperand& operand) {
  if (operand.kind == TextOperand::memory || operand.kind == TextOperand::other || operand.kind == TextOperand::label)
    return true;
  if (operand.kind != TextOperand::value || !operand.of.is_argument) return false;
  const auto constraints = cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  return operand.of.argument >= constraints.size() || constraints[operand.of.argument].isIndirect;
}

bool is_prefetch(StringRef mnemonic) { return mnemonic.starts_with("prefetch") || mnemonic.starts_with("nop"); }

bool is_harmless(const CallBase& call, const Statement& s) {
  if (s.mnemonic.empty()) return true;
  if (s.lock || s.repeat_unequal) return false;
  if (s.operands.empty()) return is_plain_alone(s.mnemonic);
  if (is_prefetch(s.mnemonic)) return true;
  if (is_jump(s.mnemonic)) return s.operands[0].kind == TextOperand::label || s.operands[0].of.is_argument;
  return !is_special(s.mnemonic) && none_of(s.operands, [&](const TextOperand& o) { return names_memory(call, o); });
}

bool uses_segment(const Statement& s) {
  const StringRef m = s.mnemonic;
  if (m.starts_with("rdfs") || m.starts_with("rdgs") || m.starts_with("wrfs") || m.starts_with("wrgs")) return true;
  return any_of(s.operands, [](const TextOperand& o) {
    const StringRef name = o.name;
    return o.segment == "fs" || o.segment == "gs" || name.contains("%fs") || name.contains("%gs") || name.starts_with("fs:") ||
           name.starts_with("gs:");
  });
}

bool jumps_back(const std::vector<Statement>& statements, size_t i) {
  const Statement& s = statements[i];
  const bool loops = is_jump(s.mnemonic) || StringRef(s.mnemonic).starts_with("loop") || s.mnemonic == "xbegin";
  if (!loops || s.operands.size() != 1 || s.operands[0].of.is_argument) return false;
  const auto to = find_label(statements, i, s.operands[0].name);
  return !to || *to <= i;
}

bool enters_kernel(StringRef mnemonic) {
  return mnemonic.starts_with("syscall") || mnemonic.starts_with("sysenter") || mnemonic == "int" ||
         mnemonic.starts_with("lcall");
}

}  // namespace

bool lift_assembly(Context& context, CallBase& call, const std::vector<Statement>& statements) {
  if (isa<InvokeInst>(call) || cast<InlineAsm>(call.getCalledOperand())->canThrow()) return false;
  return Lift(context, call, statements).run();
}

Nature nature_of(const CallBase& call, const std::optional<std::vector<Statement>>& statements) {
  if (!statements) return Nature::memory;
  bool harmless = true;
  Nature nature = Nature::memory;
  for (size_t i = 0; i < statements->size(); ++i) {
    const Statement& s = (*statements)[i];
    harmless &= is_harmless(call, s) && !uses_segment(s);
    if (jumps_back(*statements, i)) nature = Nature::loop;
    if (uses_segment(s)) nature = Nature::thread;
    if (enters_kernel(s.mnemonic)) return Nature::system_call;
  }
  return harmless ? Nature::harmless : nature;
}

bool has_jumps(const std::vector<Statement>& statements) {
  return any_of(statements, [](const Statement& s) { return is_jump(s.mnemonic); });
}

namespace {
constexpr const char* kKnown = "inspect.known";
}
void set_known(CallBase& call) { call.setMetadata(kKnown, MDNode::get(call.getContext(), {})); }
bool is_known(const CallBase& call) { return call.getMetadata(kKnown) != nullptr; }

}  // namespace inspect::pass
