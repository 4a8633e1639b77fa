#include "runtime/platform/fiber.hpp"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/platform/os_threads.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

struct TlsBlock {
  char* address;
  std::size_t size;
};
struct TlsImages {
  TlsBlock blocks[16];
  unsigned count;
  std::size_t total;
  char initial[kTlsImageBytes];
};
// Stands behind State in the same mapping.
TlsImages& images() { return *reinterpret_cast<TlsImages*>(kStateBase + ((sizeof(State) + 4095) & ~4095ul)); }

void save_tls(char* to) {
  const TlsImages& all = images();
  for (unsigned i = 0; i < all.count; ++i) {
    memcpy(to, all.blocks[i].address, all.blocks[i].size);
    to += all.blocks[i].size;
  }
}
void load_tls(const char* from) {
  const TlsImages& all = images();
  for (unsigned i = 0; i < all.count; ++i) {
    memcpy(all.blocks[i].address, from, all.blocks[i].size);
    from += all.blocks[i].size;
  }
}

int find_tls(dl_phdr_info* info, std::size_t, void*) {
  TlsImages& all = images();
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto& header = info->dlpi_phdr[k];
    if (header.p_type != PT_TLS || !info->dlpi_tls_data || !header.p_memsz) continue;
    if (all.count == 16 || all.total + header.p_memsz > kTlsImageBytes) return 1;
    all.blocks[all.count++] = {static_cast<char*>(info->dlpi_tls_data), header.p_memsz};
    all.total += header.p_memsz;
  }
  return 0;
}

}  // namespace

// Ends in pop; jmp so that the return predictor is not misled.
asm(R"(
.text
.globl inspect_switch
.hidden inspect_switch
.type inspect_switch,@function
inspect_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size inspect_switch,.-inspect_switch
)");

namespace {

// The runtime's own frames need room too, and instrumented code more than plain code.
constexpr std::size_t kRoomOfOurs = 64ul << 10;

std::uintptr_t slot_top(unsigned thread) { return kStackBase + (thread + 1ul) * kStackSlot; }

// An overflow is to be seen at the size that this execution asks for.
void map_stack(Thread& t) {
  const std::size_t wanted = (t.stack.bytes + kRoomOfOurs + 4095) & ~4095ul;
  const std::uintptr_t top = slot_top(t.id);
  if (wanted > t.stack.mapped) {
    map_zeroed(top - wanted, wanted - t.stack.mapped);
    // A huge page would be zeroed whole at the first touch.
    system_call(SYS_madvise, long(top - wanted), long(wanted - t.stack.mapped), MADV_NOHUGEPAGE);
  } else if (wanted < t.stack.mapped) {
    system_call(SYS_munmap, long(top - t.stack.mapped), long(t.stack.mapped - wanted));
  }
  char* const bottom = reinterpret_cast<char*>(top - wanted);
  if (!t.stack.low) t.stack.low = reinterpret_cast<char*>(top);
  if (t.stack.low < bottom) t.stack.low = bottom;
  t.stack.mapped = wanted;
}

}  // namespace

std::uintptr_t stack_top(unsigned thread) {
  const Thread& t = state().threads[thread];
  return t.stack.of_program ? (reinterpret_cast<std::uintptr_t>(t.stack.of_program) + t.stack.bytes) & ~15ul : slot_top(thread);
}
std::uintptr_t stack_bottom(unsigned thread) {
  const Thread& t = state().threads[thread];
  return t.stack.of_program ? reinterpret_cast<std::uintptr_t>(t.stack.of_program) : slot_top(thread) - t.stack.mapped;
}

bool prepare_fiber(Thread& t, void (*entry)()) {
  if (!t.stack.of_program) map_stack(t);
  char* const top = reinterpret_cast<char*>(stack_top(t.id));
  auto* sp = reinterpret_cast<std::uint64_t*>(top - 64);
  *--sp = 0;  // return address of entry: none, and keeps the stack aligned as after a call
  *--sp = reinterpret_cast<std::uint64_t>(entry);
  for (int i = 0; i < 6; ++i) *--sp = 0;
  --sp;
  auto* control = reinterpret_cast<std::uint32_t*>(sp);
  control[0] = 0x1f80;
  control[1] = 0x37f;
  t.stack.pointer = sp;
  memcpy(t.tls_image, images().initial, images().total);
  return !state().os_threads || start_os_thread(t);
}

void switch_fiber(Thread& from, Thread& to) {
  from.stack.frame = __builtin_frame_address(0);
  save_tls(from.tls_image);
  load_tls(to.tls_image);
  state().current = &to;
  if (state().os_threads) [[unlikely]]
    return hand_over(from, to);
  inspect_switch(&from.stack.pointer, to.stack.pointer);
}

void enter_fiber_from_host(Thread& to) {
  load_tls(to.tls_image);
  state().current = &to;
  inspect_switch(&state().host_stack_pointer, to.stack.pointer);
}

void leave_to_host() {
  if (state().os_threads) hand_over_to_host();
  void* unused;
  inspect_switch(&unused, state().host_stack_pointer);
  __builtin_unreachable();
}

namespace {

constexpr std::size_t kPage = 4096, kLine = 64, kPagesAhead = 4;

bool is_zero(const char* from, std::size_t size) {
  std::uint64_t used = 0;
  for (auto* word = reinterpret_cast<const std::uint64_t*>(from); word < reinterpret_cast<const std::uint64_t*>(from + size);
       word += 4)
    used |= word[0] | word[1] | word[2] | word[3];
  return !used;
}

// Looks four pages ahead so that a page that a frame skipped does not end the scan.
void find_low_mark(Thread& t, char* bottom) {
  for (;;) {
    char* const from = t.stack.low - kPagesAhead * kPage > bottom ? t.stack.low - kPagesAhead * kPage : bottom;
    char* used = from;
    while (used < t.stack.low && is_zero(used, kLine)) used += kLine;
    if (used >= t.stack.low) return;
    t.stack.low = used;
  }
}

}  // namespace

// The low-water mark only grows. Once it has settled it is looked for less often: what lies below is read by nobody but a
// program that reads what it did not write.
void zero_used_stacks() {
  State& s = state();
  const bool look = s.request.states || s.executions < 64 || s.executions % 16 == 0;
  ++s.executions;
  for (unsigned i = 0; i < s.execution.thread_limit; ++i) {
    Thread& t = s.threads[i];
    if (!t.stack.low) continue;
    if (look) find_low_mark(t, reinterpret_cast<char*>(slot_top(i) - t.stack.mapped));
    memset(t.stack.low, 0, std::size_t(reinterpret_cast<char*>(slot_top(i)) - t.stack.low));
  }
}

bool capture_tls_images() {
  if (dl_iterate_phdr(find_tls, nullptr)) return false;
  save_tls(images().initial);
  std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
  for (unsigned i = 0; i < images().count; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(images().blocks[i].address);
    begin = address < begin ? address : begin;
    end = address + images().blocks[i].size > end ? address + images().blocks[i].size : end;
  }
  if (end) {
    state().library_locals.begin = begin;
    state().library_locals.size = end - begin;
  }
  return true;
}

LibraryLocals library_locals(const Thread& t, unsigned i) {
  const TlsImages& all = images();
  if (i >= all.count) return {nullptr, 0};
  if (&t == state().current) return {all.blocks[i].address, all.blocks[i].size};
  const char* at = t.tls_image;
  for (unsigned k = 0; k < i; ++k) at += all.blocks[k].size;
  return {at, all.blocks[i].size};
}

void restore_initial_tls() { load_tls(images().initial); }

}  // namespace inspect::runtime
