#include "instrument/pass/frames.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "hooks/frame.h"
#include "instrument/pass/join_rows.hpp"
#include "instrument/pass/live_objects.hpp"
#include "instrument/pass/live_values.hpp"
#include "instrument/pass/mutation.hpp"
#include "instrument/pass/residual.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

cl::opt<bool> want_states("inspect-states", cl::desc("Keep frame records, for the identity of states"), cl::init(false));

// Serialised instructions in all per point of a function: beyond that its points have coarser classes.
constexpr size_t kMostInstructions = 1u << 20;
constexpr unsigned kMostValues = 60'000, kMostOthers = 255;

struct Point {
  CallBase* call;
  Hash128 code;
  SmallVector<const Value*, 8> values;  // named by the code
  SmallVector<const Value*, 4> others;
  unsigned flags;
};

// Is the object used only by direct accesses and hooks, so that no pointer leads to it but those of the code itself?
bool is_plain(const Value* address) {
  return all_of(address->users(), [address](const User* user) {
    if (isa<LoadInst>(user)) return true;
    if (const auto* store = dyn_cast<StoreInst>(user)) return store->getValueOperand() != address;
    if (isa<GetElementPtrInst>(user)) return is_plain(user);
    const auto* call = dyn_cast<CallBase>(user);
    if (const auto* intrinsic = dyn_cast_or_null<IntrinsicInst>(call))
      return intrinsic->isLifetimeStartOrEnd() || isa<AnyMemIntrinsic>(intrinsic);
    return call && is_access_hook(hook_of(*call));
  });
}

bool is_storable(const Type* type) {
  return type->isSized() && !type->isTokenTy() && !type->isScalableTy() && !type->isX86_AMXTy();
}

// What a record cannot describe.
bool is_opaque(const Function& function) {
  if (mutated("everything_is_described")) return false;
  if (any_of(function.args(),
             [](const Argument& a) { return a.hasByValAttr() || a.hasInAllocaAttr() || a.hasPreallocatedAttr(); }))
    return true;
  return any_of(instructions(function), [](const Instruction& i) {
    if (isa<VAStartInst, VAArgInst>(i) || i.getType()->isTokenTy()) return true;
    if (const auto* object = dyn_cast<AllocaInst>(&i)) return !object->isStaticAlloca();
    const auto* call = dyn_cast<CallBase>(&i);
    return call && (call->hasFnAttr(Attribute::ReturnsTwice) || call->isMustTailCall());
  });
}

}  // namespace

bool wants_frames() { return want_states; }

struct Frames::Function_ {
  Function* function;
  std::vector<Point> points;
  SmallVector<AllocaInst*, 8> objects;
  bool opaque;
};

namespace {

// The points of one function.
class Finder {
 public:
  Finder(const Stops& stops, const FunctionClasses& classes, Function& function, bool opaque)
      : stops_(stops),
        residual_(*function.getParent(), classes),
        whole_(*function.getParent(), classes),
        live_objects_(function),
        function_(function),
        opaque_(opaque) {
    for (Instruction& i : function.getEntryBlock())
      if (auto* object = dyn_cast<AllocaInst>(&i); object && object->isStaticAlloca() && !object->isSwiftError()) {
        objects_.push_back(object);
        if (!is_plain(object)) shared_.push_back(object);
      }
    size_t calls = 0, size = 0;
    for (const Instruction& i : instructions(function)) {
      ++size;
      if (const auto* call = dyn_cast<CallBase>(&i)) calls += stops_.of(*call) != Stop::none;
    }
    coarse_ = calls * size > kMostInstructions;
    if (!coarse_) return;
    whole_.run(function);
    for (const auto& [place, value] : enumerate(whole_.order())) place_[value] = unsigned(place);
  }

  std::vector<Point> run() {
    const LiveValues values(function_);
    const auto wanted = [&](const Instruction& i) {
      const auto* call = dyn_cast<CallBase>(&i);
      return call && stops_.of(*call) != Stop::none;
    };
    std::vector<Point> points;
    for (BasicBlock& block : function_) {
      std::vector<BitVector> needed;  // of the block's points, from the last to the first, as below
      live_objects_.for_each(block, wanted, [&](const Instruction&, const BitVector& objects) { needed.push_back(objects); });
      auto at = needed.begin();
      values.for_each(block, wanted, [&](const Instruction& i, const LiveValues::Set& before, const LiveValues::Set& after) {
        auto& call = const_cast<CallBase&>(cast<CallBase>(i));
        const bool calls = stops_.of(call) == Stop::in_calls;
        points.push_back(make(call, calls, calls ? after : before, *at++, points.size()));
      });
    }
    return points;
  }

  [[nodiscard]] const SmallVector<AllocaInst*, 8>& objects() const { return objects_; }

 private:
  Point make(CallBase& call, bool calls, const LiveValues::Set& alive, const BitVector& needed, uint64_t number) {
    Residual& code = coarse_ ? whole_ : residual_;
    if (!coarse_) residual_.run(call, calls);
    Point point{.call = &call, .code = code.hash(), .values = {}, .others = {}, .flags = 0};
    if (coarse_) point.code.add(number);
    if (calls) point.flags |= INSPECT_POINT_CALLS;
    if (is_join_in_row(call)) point.flags |= INSPECT_POINT_JOINS;
    point.values = coarse_ ? in_order_of_function(alive, needed) : in_order_of_code(code, alive, needed);
    const SmallPtrSet<const Value*, 16> listed(point.values.begin(), point.values.end());
    for (AllocaInst* object : shared_)
      if (!listed.contains(object)) point.others.push_back(object);
    const bool complete = all_of(alive, [&](const Value* v) { return listed.contains(v) && is_storable(v->getType()); });
    if (opaque_ || !complete || point.values.size() > kMostValues || point.others.size() > kMostOthers)
      point.flags |= INSPECT_POINT_OPAQUE;
    if (point.flags & INSPECT_POINT_OPAQUE) {
      point.values.clear();
      point.others.clear();
    }
    return point;
  }

  [[nodiscard]] SmallVector<const Value*, 8> in_order_of_code(const Residual& code, const LiveValues::Set& alive,
                                                              const BitVector& needed) const {
    SmallVector<const Value*, 8> values;
    for (const Value* value : code.order()) {
      const auto* object = dyn_cast<AllocaInst>(value);
      const bool counts = object && object->isStaticAlloca()
                              ? live_objects_.is_needed(object, needed) || mutated("dead_objects_count")
                              : alive.contains(value) || (mutated("dead_values_count") && is_storable(value->getType()));
      if (counts) values.push_back(value);
    }
    return values;
  }

  // What is alive, and the stack objects: proportional to these, not to the function.
  [[nodiscard]] SmallVector<const Value*, 8> in_order_of_function(const LiveValues::Set& alive, const BitVector& needed) const {
    SmallVector<const Value*, 8> values;
    for (const Value* value : alive)
      if (place_.contains(value)) values.push_back(value);
    for (const AllocaInst* object : objects_)
      if (place_.contains(object) && live_objects_.is_needed(object, needed)) values.push_back(object);
    sort(values, [&](const Value* a, const Value* b) { return place_.lookup(a) < place_.lookup(b); });
    return values;
  }

  const Stops& stops_;
  Residual residual_, whole_;
  DenseMap<const Value*, unsigned> place_;  // in the whole function's code, where that stands for the point's
  LiveObjects live_objects_;
  Function& function_;
  bool opaque_, coarse_ = false;
  SmallVector<AllocaInst*, 8> objects_, shared_;
};

// The record of one function, and the code that keeps it.
class Writer {
 public:
  Writer(Context& context, const Stops& stops, Function& function, std::vector<Point>& points, ArrayRef<AllocaInst*> objects)
      : context_(context), frame_stops_(stops), module_(context.module), function_(function), points_(points) {
    LLVMContext& c = module_.getContext();
    pointer_ = PointerType::getUnqual(c);
    word_ = Type::getInt32Ty(c);
    wide_ = Type::getInt64Ty(c);
    top_ = runtime_variable("inspect_frame_top", pointer_);
    callee_ = runtime_variable("inspect_callee", pointer_);
    stops_ = runtime_variable("inspect_stops", wide_);
    for (AllocaInst* object : objects) {
      const uint64_t size = object->getAllocationSize(context.layout)->getFixedValue();
      if (size < INSPECT_SLOT_OBJECT) place(object, 8, Align(8), size | INSPECT_SLOT_OBJECT);
    }
    for (const Point& point : points)
      for (const Value* value : point.values)
        if (LiveValues::is_value(value)) {
          Type* type = value->getType();
          place(value, context.layout.getTypeAllocSize(type), context.layout.getABITypeAlign(type),
                context.layout.getTypeStoreSize(type));
        }
  }

  void run() {
    GlobalVariable* description = describe();
    enter(description);
    for (const auto& [value, number] : numbers_) keep(const_cast<Value*>(value), number);
    for (unsigned k = 0; k < points_.size(); ++k) announce(k);
    leave();
  }

 private:
  struct Slot {
    uint64_t offset, size;
  };

  // In an executable it is a few bytes away. Through a table its address would be one value with thousands of uses, which the
  // code generator takes quadratic time for.
  Constant* runtime_variable(const char* name, Type* type) {
    auto* variable = cast<GlobalVariable>(module_.getOrInsertGlobal(name, type));
    const bool executable = module_.getPIELevel() != PIELevel::Default || module_.getPICLevel() == PICLevel::NotPIC;
    if (executable) variable->setDSOLocal(true);
    return variable;
  }

  void place(const Value* value, uint64_t bytes, Align align, uint64_t size) {
    if (!numbers_.try_emplace(value, slots_.size()).second) return;
    align_ = std::max(align_, align);
    bytes_ = alignTo(bytes_, align);
    slots_.push_back({bytes_, size});
    bytes_ += bytes;
  }

  Constant* number(uint64_t value) { return ConstantInt::get(word_, value); }

  Constant* table(StructType* type, ArrayRef<Constant*> rows) {
    auto* array = ArrayType::get(type, rows.size());
    return make(ConstantArray::get(array, rows), ".inspect.frame.table");
  }
  GlobalVariable* make(Constant* value, const char* name) {
    auto* variable = new GlobalVariable(module_, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return variable;
  }

  // The tables of hooks/frame.h.
  GlobalVariable* describe() {
    LLVMContext& c = module_.getContext();
    auto* half = Type::getInt16Ty(c);
    auto* byte = Type::getInt8Ty(c);
    auto* point_type = StructType::get(wide_, wide_, word_, half, byte, byte);
    auto* slot_type = StructType::get(word_, word_);
    std::vector<uint16_t> live;
    SmallVector<Constant*, 32> points, slots;
    for (const Point& p : points_) {
      const size_t first = live.size();
      for (const Value* value : p.values) live.push_back(uint16_t(numbers_.lookup(value)));
      for (const Value* value : p.others) live.push_back(uint16_t(numbers_.lookup(value)));
      points.push_back(ConstantStruct::get(
          point_type,
          {ConstantInt::get(wide_, p.code.low), ConstantInt::get(wide_, p.code.high), number(first),
           ConstantInt::get(half, p.values.size()), ConstantInt::get(byte, p.others.size()), ConstantInt::get(byte, p.flags)}));
    }
    for (const Slot& s : slots_) slots.push_back(ConstantStruct::get(slot_type, {number(s.offset), number(s.size)}));
    auto* type = StructType::get(pointer_, pointer_, pointer_, pointer_, word_, word_);
    return make(ConstantStruct::get(type, {&function_, table(point_type, points), table(slot_type, slots),
                                           make(ConstantDataArray::get(c, live), ".inspect.frame.live"), number(points.size()),
                                           number(slots.size())}),
                ".inspect.frame");
  }

  Value* at(IRBuilder<>& builder, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record_, offset);
  }

  void enter(GlobalVariable* description) {
    BasicBlock& entry = function_.getEntryBlock();
    IRBuilder<> first(&*entry.begin());
    record_ = first.CreateAlloca(ArrayType::get(first.getInt8Ty(), bytes_), nullptr, "inspect.frame");
    record_->setAlignment(std::max(align_, Align(8)));
    IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
    previous_ = builder.CreateLoad(pointer_, top_);
    builder.CreateStore(previous_, at(builder, offsetof(inspect_frame, previous)));
    builder.CreateStore(description, at(builder, offsetof(inspect_frame, function)));
    builder.CreateStore(context_.wide(0), at(builder, offsetof(inspect_frame, point)));
    Value* gap = context_.wide(0);
    if (frame_stops_.is_open(function_)) {
      gap = builder.CreateZExt(builder.CreateICmpNE(builder.CreateLoad(pointer_, callee_), &function_), wide_);
      builder.CreateStore(ConstantPointerNull::get(pointer_), callee_);
    }
    builder.CreateStore(gap, at(builder, offsetof(inspect_frame, gap)));
    builder.CreateStore(record_, top_);
    clear(builder);
    begin_ = &*builder.GetInsertPoint();
  }

  // What the stack held before is a matter of the past, and must not be taken for a part of the state.
  void clear(IRBuilder<>& builder) {
    if (mutated("dead_objects_count")) return;
    SmallSetVector<const AllocaInst*, 16> objects;
    for (const Point& point : points_)
      for (const auto& list : {ArrayRef(point.values), ArrayRef(point.others)})
        for (const Value* value : list)
          if (const auto* object = dyn_cast<AllocaInst>(value); object && object->isStaticAlloca()) objects.insert(object);
    for (const AllocaInst* object : objects) {
      const uint64_t size = object->getAllocationSize(context_.layout)->getFixedValue();
      builder.CreateMemSet(const_cast<AllocaInst*>(object), builder.getInt8(0), size, object->getAlign());
    }
  }

  // A value stands in the record from where it comes to be.
  void keep(Value* value, unsigned number) {
    Instruction* before = begin_;
    if (auto* i = dyn_cast<Instruction>(value); i && !isa<AllocaInst>(i)) before = behind(*i);
    IRBuilder<> builder(before);
    builder.CreateStore(value, at(builder, slots_[number].offset));
  }

  static Instruction* behind(Instruction& i) {
    if (auto* invoke = dyn_cast<InvokeInst>(&i)) {
      BasicBlock* next = invoke->getNormalDest();
      if (!next->getSinglePredecessor()) next = SplitEdge(invoke->getParent(), next);
      return &*next->getFirstInsertionPt();
    }
    if (isa<PHINode, LandingPadInst>(i)) return &*i.getParent()->getFirstInsertionPt();
    return i.getNextNode();
  }

  void announce(unsigned k) {
    const Point& point = points_[k];
    IRBuilder<> builder(point.call);
    builder.CreateStore(context_.wide(k), at(builder, offsetof(inspect_frame, point)));
    builder.CreateStore(context_.wide(0), stops_);
    if (!(point.flags & INSPECT_POINT_CALLS)) return;
    const auto* callee = dyn_cast<Function>(point.call->getCalledOperand()->stripPointerCasts());
    if (!callee || frame_stops_.is_open(*callee)) builder.CreateStore(point.call->getCalledOperand(), callee_);
  }

  void leave() {
    SmallVector<Instruction*, 16> again, away, lifetimes;
    for (Instruction& i : instructions(function_)) {
      if (isa<ReturnInst>(i)) {
        CallInst* tail = i.getParent()->getTerminatingMustTailCall();
        away.push_back(tail ? static_cast<Instruction*>(tail) : &i);
      }
      if (isa<LandingPadInst>(i)) again.push_back(&*i.getParent()->getFirstInsertionPt());
      if (const auto* call = dyn_cast<CallInst>(&i); call && call->hasFnAttr(Attribute::ReturnsTwice))
        again.push_back(i.getNextNode());
      if (i.isLifetimeStartOrEnd()) lifetimes.push_back(&i);
    }
    for (Instruction* i : away) IRBuilder<>(i).CreateStore(previous_, top_);
    for (Instruction* i : again) IRBuilder<>(i).CreateStore(record_, top_);
    for (Instruction* i : lifetimes) i->eraseFromParent();  // two objects at one place could not be told apart
  }

  Context& context_;
  const Stops& frame_stops_;
  Module& module_;
  Function& function_;
  std::vector<Point>& points_;
  PointerType* pointer_;
  IntegerType *word_, *wide_;
  Constant *top_, *callee_, *stops_;
  MapVector<const Value*, unsigned> numbers_;
  SmallVector<Slot, 32> slots_;
  uint64_t bytes_ = sizeof(inspect_frame);
  Align align_{8};
  AllocaInst* record_ = nullptr;
  Value* previous_ = nullptr;
  Instruction* begin_ = nullptr;
};

}  // namespace

Frames::Frames(Context& context) : context_(context), stops_(std::make_unique<Stops>(context.module)) {}
Frames::~Frames() = default;

void Frames::find() {
  const FunctionClasses classes(context_.module);
  for (Function& function : context_.module) {
    if (!is_instrumentable(function)) continue;
    const bool opaque = is_opaque(function);
    Finder finder(*stops_, classes, function, opaque);
    std::vector<Point> points = finder.run();
    if (points.empty()) continue;
    functions_.push_back(std::make_unique<Function_>(Function_{&function, std::move(points), finder.objects(), opaque}));
  }
}

void Frames::write() {
  for (const auto& f : functions_) Writer(context_, *stops_, *f->function, f->points, f->objects).run();
  // A mark that the executable has records.
  auto* byte = ConstantInt::get(Type::getInt8Ty(context_.module.getContext()), 1);
  auto* mark = new GlobalVariable(context_.module, byte->getType(), true, GlobalValue::PrivateLinkage, byte, ".inspect.states");
  mark->setSection("inspect_states");
  appendToUsed(context_.module, {mark});
}

}  // namespace inspect::pass
