// Vector instructions with masks touch some lanes only: each lane is an access of its own, of no bytes where the mask leaves it
// out. Other instructions with addresses that intrinsics stand for: what they are known to touch.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// address: one, or a vector of them; mask: bits, or elements whose sign counts. packed: lanes that are left out take no room.
struct Masked {
  Value* address;
  Value* mask;
  Type* data;
  bool write = false, packed = false;
};

class Lanes {
 public:
  Lanes(Context& context, IntrinsicInst& intrinsic) : context_(context), intrinsic_(intrinsic), builder_(&intrinsic) {}

  bool mark(const Masked& access) {
    Value *const address = access.address, *const mask = access.mask;
    const auto* type = dyn_cast<FixedVectorType>(access.data);
    if (!type || !isa<FixedVectorType>(mask->getType())) return false;
    const uint64_t size = context_.layout.getTypeStoreSize(type->getElementType()).getFixedValue();
    const unsigned lanes = type->getNumElements();
    if (cast<FixedVectorType>(mask->getType())->getNumElements() < lanes) return false;
    const Hook hook = access.write ? Hook::inspect_write_range : Hook::inspect_read_range;
    Constant* const site =
        context_.sites.of(intrinsic_, address->getType()->isVectorTy() ? "" : source_expression(address, 0, context_.layout));
    Value* before = context_.wide(0);  // bytes of the lanes so far
    for (unsigned i = 0; i < lanes; ++i) {
      Value* const bytes = builder_.CreateSelect(lane_is_on(mask, i), context_.wide(size), context_.wide(0));
      Value* place = nullptr;
      if (address->getType()->isVectorTy())
        place = builder_.CreateExtractElement(address, i);
      else
        place = builder_.CreateGEP(builder_.getInt8Ty(), address, access.packed ? before : context_.wide(size * i));
      context_.hooks.call(builder_, hook, {place, bytes, site});
      before = builder_.CreateAdd(before, bytes);
    }
    return true;
  }

  void range(Value* address, uint64_t size, bool write) {
    Constant* const site = context_.sites.of(intrinsic_, source_expression(address, size, context_.layout));
    context_.hooks.call(builder_, write ? Hook::inspect_write_range : Hook::inspect_read_range,
                        {address, context_.wide(size), site});
  }

 private:
  Context& context_;
  IntrinsicInst& intrinsic_;
  IRBuilder<> builder_;

  Value* lane_is_on(Value* mask, unsigned lane) {
    Value* element = builder_.CreateExtractElement(mask, lane);
    if (element->getType()->isFloatingPointTy())
      element =
          builder_.CreateBitCast(element, builder_.getIntNTy(element->getType()->getPrimitiveSizeInBits().getFixedValue()));
    if (element->getType()->isIntegerTy(1)) return element;
    return builder_.CreateICmpSLT(element, Constant::getNullValue(element->getType()));
  }
};

bool mark_generic(Lanes& lanes, IntrinsicInst& i) {
  Value* const first = i.getArgOperand(0);
  switch (i.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      return lanes.mark({.address = first, .mask = i.getArgOperand(2), .data = i.getType()});
    case Intrinsic::masked_expandload:
      return lanes.mark({.address = first, .mask = i.getArgOperand(1), .data = i.getType(), .packed = true});
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      return lanes.mark({.address = i.getArgOperand(1), .mask = i.getArgOperand(3), .data = first->getType(), .write = true});
    case Intrinsic::masked_compressstore:
      return lanes.mark(
          {.address = i.getArgOperand(1), .mask = i.getArgOperand(2), .data = first->getType(), .write = true, .packed = true});
    default:
      return false;
  }
}

}  // namespace

bool mark_masked(Context& context, IntrinsicInst& intrinsic) {
  Lanes lanes(context, intrinsic);
  if (mark_generic(lanes, intrinsic)) return true;
  StringRef name = intrinsic.getCalledFunction()->getName();
  if (!name.consume_front("llvm.x86.")) return false;
  if (name == "sse.ldmxcsr") return lanes.range(intrinsic.getArgOperand(0), 4, false), true;
  if (name == "sse.stmxcsr") return lanes.range(intrinsic.getArgOperand(0), 4, true), true;
  if (name == "sse3.ldu.dq" || name == "avx.ldu.dq.256")
    return lanes.range(intrinsic.getArgOperand(0), name.ends_with("256") ? 32 : 16, false), true;
  if (name == "sse2.clflush" || name == "clflushopt" || name == "clwb" || name == "cldemote") return true;
  if (name == "sse2.maskmov.dqu")
    return lanes.mark({.address = intrinsic.getArgOperand(2),
                       .mask = intrinsic.getArgOperand(1),
                       .data = intrinsic.getArgOperand(0)->getType(),
                       .write = true});
  if (name.starts_with("avx.maskload") || name.starts_with("avx2.maskload"))
    return lanes.mark({.address = intrinsic.getArgOperand(0), .mask = intrinsic.getArgOperand(1), .data = intrinsic.getType()});
  if (name.starts_with("avx.maskstore") || name.starts_with("avx2.maskstore"))
    return lanes.mark({.address = intrinsic.getArgOperand(0),
                       .mask = intrinsic.getArgOperand(1),
                       .data = intrinsic.getArgOperand(2)->getType(),
                       .write = true});
  return false;
}

}  // namespace inspect::pass
