// What known assembly becomes computes what the processor does: results, memory and flags, on many operands.
// RUN: clang-19 -O1 -w %s -o %t.native && %t.native > %t.1
// RUN: %cc -O0 -w %s -o %t.lifted && %t.lifted > %t.2 && cmp %t.1 %t.2
// RUN: %cc -O2 -w %s -o %t.lifted && %t.lifted > %t.2 && cmp %t.1 %t.2
// All of it is known: nothing is left to inspect_assembly.
// RUN: %ir -O1 %s | FileCheck %s
// CHECK-NOT: call void @inspect_assembly
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252ull;
static uint64_t draw(void) {
  static const uint64_t edges[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, -1ull};
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state % 3 ? state >> (state & 31) : edges[(state >> 8) % (sizeof edges / sizeof *edges)];
}

// Memory and register as they come out, and the flags Z, C, S, O.
#define FLAGS : [m] "+m"(m), [r] "+r"(r), "=@ccz"(z), "=@ccc"(c), "=@ccs"(s), "=@cco"(o) : : "cc", "memory"
#define SHOW(name) printf("%s %llx %llx %d%d%d%d\n", name, (long long)m, (long long)r, z, c, s, o)
#define TWO(type, text)              \
  do {                               \
    type m = draw(), r = draw();     \
    int z, c, s, o;                  \
    __asm__ volatile(text FLAGS);    \
    SHOW(text);                      \
  } while (0)
#define SIZES(operation)                       \
  TWO(uint64_t, operation "q %[r], %[m]");     \
  TWO(uint32_t, operation "l %[r], %[m]");     \
  TWO(uint16_t, operation "w %[r], %[m]");     \
  TWO(uint8_t, operation "b %b[r], %[m]")
// Those that do not give all flags.
#define CARRY(type, text)                                                                        \
  do {                                                                                           \
    type m = draw(), r = draw() % (8 * sizeof m);                                                \
    int c;                                                                                       \
    __asm__ volatile(text : [m] "+m"(m), [r] "+r"(r), "=@ccc"(c) : : "cc", "memory");            \
    printf("%s %llx %llx %d\n", text, (long long)m, (long long)r, c);                               \
  } while (0)
#define ONE(type, text)                                                                          \
  do {                                                                                           \
    type m = draw();                                                                             \
    int z, s, o;                                                                                 \
    __asm__ volatile(text : [m] "+m"(m), "=@ccz"(z), "=@ccs"(s), "=@cco"(o) : : "cc", "memory"); \
    printf("%s %llx %d%d%d\n", text, (long long)m, z, s, o);                                        \
  } while (0)
#define PLAIN(type, text)                                                      \
  do {                                                                         \
    type m = draw(), r = draw();                                               \
    __asm__ volatile(text : [m] "+m"(m), [r] "+r"(r) : : "cc", "memory");      \
    printf("%s %llx %llx\n", text, (long long)m, (long long)r);                   \
  } while (0)
#define REGISTERS(type, text)                                                  \
  do {                                                                         \
    type m = draw(), r = draw();                                               \
    __asm__ volatile(text : [m] "+r"(m), [r] "+r"(r) : : "cc", "rcx");         \
    printf("%s %llx %llx\n", text, (long long)m, (long long)r);                   \
  } while (0)

static void arithmetic(void) {
  SIZES("lock; add");
  SIZES("lock; sub");
  SIZES("lock\n\tand");
  SIZES("lock or");
  SIZES("lock;xor");
  SIZES("add");
  SIZES("sub");
  SIZES("cmp");
  SIZES("test");
  SIZES("lock; xadd");
  SIZES("xadd");
  TWO(uint32_t, "cmpl %[m], %[r]");
  TWO(uint64_t, "subq %[m], %[r] # a comment");
  TWO(uint32_t, "negl %[r]; negl %[m]");
  TWO(uint32_t, "lock; subl $0x10, %[m]");
  TWO(uint64_t, "addq $-3, %[m] /* another */");
  ONE(uint32_t, "lock; incl %[m]");
  ONE(uint32_t, "lock; decl %[m]");
  ONE(uint64_t, "incq %[m]");
  ONE(uint8_t, "decb %[m]");
  ONE(uint16_t, "lock; incw %[m]");
  PLAIN(uint32_t, "lock; notl %[m]");
  PLAIN(uint32_t, "lock; negl %[m]");
  PLAIN(uint16_t, "notw %[m]");
  PLAIN(uint32_t, "addl %[r], %[m]; adcl $0, %[m]");
  PLAIN(uint64_t, "subq %[r], %[m]; sbbq %[r], %[r]");
}

static void exchanges(void) {
  PLAIN(uint64_t, "xchgq %[r], %[m]");
  PLAIN(uint32_t, "xchg %[m], %[r]");
  PLAIN(uint16_t, "xchgw %[r], %[m]");
  PLAIN(uint8_t, "xchgb %b[r], %[m]");
  PLAIN(uint32_t, "mov %[r], %[m]");
  PLAIN(uint32_t, "movl %[m], %[r]");
  PLAIN(uint32_t, "movb %b[r], %[m]");
  PLAIN(uint32_t, "movl $77, %[m]; mfence; lfence; sfence; pause; rep; nop; prefetcht0 %[m]");
  PLAIN(uint64_t, "leaq %[m], %%rcx; movq 0(%%rcx), %[r]; addq $5, (%%rcx)\n" );
  PLAIN(uint64_t, "lock; addl $0, 0(%%rsp); lock; orq $0, -8(%%rsp); movnti %[r], %[m]");
  for (int size = 0; size < 3; ++size) {
    uint64_t m = draw(), old = size ? draw() : m, new = draw();
    uint8_t done;
    if (size == 0)
      __asm__ volatile("lock; cmpxchgq %3, %1; sete %2" : "+a"(old), "+m"(m), "=q"(done) : "r"(new) : "memory");
    else if (size == 1)
      __asm__ volatile("cmpxchgl %k3, %1; setne %b2" : "+a"(old), "+m"(m), "=q"(done) : "r"(new) : "memory");
    else
      __asm__ volatile("lock cmpxchgw %w3, %1\n\tsetz %2" : "+a"(old), "+m"(m), "=q"(done) : "r"(new) : "memory");
    printf("cmpxchg %llx %llx %d\n", (long long)m, (long long)old, done);
  }
  uint64_t pair = draw();
  uint32_t low = draw() & 1 ? (uint32_t)pair : draw(), high = pair >> 32;
  uint8_t ok;
  __asm__ volatile("lock; cmpxchg8b %0; setz %3" : "+m"(pair), "+a"(low), "+d"(high), "=q"(ok) : "b"(5), "c"(6) : "cc", "memory");
  printf("cmpxchg8b %llx %x %x %d\n", (long long)pair, low, high, ok);
  static unsigned __int128 wide __attribute__((aligned(16)));
  wide = (unsigned __int128)draw() << 64 | draw();
  uint64_t l = draw() & 1 ? (uint64_t)wide : 0, h = wide >> 64;
  __asm__ volatile("lock cmpxchg16b %0; sete %3" : "+m"(wide), "+a"(l), "+d"(h), "=q"(ok) : "b"(7ull), "c"(8ull) : "memory");
  printf("cmpxchg16b %llx %llx %llx %llx %d\n", (long long)(wide >> 64), (long long)wide, (long long)l, (long long)h, ok);
}

static void bits(void) {
  CARRY(uint32_t, "lock; btsl %[r], %[m]");
  CARRY(uint32_t, "lock; btrl %[r], %[m]");
  CARRY(uint64_t, "lock; btcq %[r], %[m]");
  CARRY(uint16_t, "btsw %[r], %[m]");
  CARRY(uint64_t, "btq %[r], %[m]");
  CARRY(uint64_t, "btrq $33, %[m]");
  uint32_t words[4] = {draw(), draw(), draw(), draw()};
  uint8_t was;
  __asm__ volatile("lock; btsl %2, %0; setc %1" : "+m"(words[0]), "=q"(was) : "r"((uint32_t)draw() % 128) : "memory");
  printf("bts beyond %x %x %x %x %d\n", words[0], words[1], words[2], words[3], was);
  REGISTERS(uint32_t, "bswap %[r]; movl %[r], %%ecx; roll %%cl, %[m]");
  REGISTERS(uint64_t, "movq %[r], %%rcx; shrq %%cl, %[m]; rorq $7, %[m]");
  REGISTERS(uint32_t, "movl %[r], %%ecx; sarl %%cl, %[m]; shll $3, %[r]; xchgl %[m], %[r]");
  REGISTERS(uint16_t, "movw %[r], %%cx; shlw %%cl, %[m]; rolw %%cl, %[r]");
  REGISTERS(uint64_t, "push %[m]; bsfq %[r], %[m]; bsrq %[r], %[r]; popq %%rcx; addq %%rcx, %[m]");
  REGISTERS(uint64_t, "popcntq %[r], %[m]; imulq %[m], %[r]; imulq $77, %[r], %[m]; xorl %k[r], %k[r]");
  REGISTERS(uint32_t, "cmpl %[r], %[m]; cmovbl %[r], %[m]; jl 1f; incl %[r]; 1: movzbl %b[r], %[r]; movsbl %b[m], %%ecx");
}

static void loops(void) {
  uint64_t sum = 0;
  uint32_t n = draw() % 50 + 1;
  __asm__ volatile("1: addq %q1, %0\n\tdecl %1\n\tjnz 1b" : "+m"(sum), "+r"(n) : : "cc");
  char to[64] = {0};
  const char* from = "the bytes that are moved";
  void* d = to;
  const void* s = from;
  uint64_t count = draw() % 24;
  __asm__ volatile("cld; rep movsb" : "+D"(d), "+S"(s), "+c"(count) : : "memory");
  count = 3;
  __asm__ volatile("rep\n\tstosl" : "+D"(d), "+c"(count) : "a"(0x41424344) : "memory");
  printf("loop %llu %u %s %d\n", (long long)sum, n, to, (int)((char*)d - to));
  int x = draw() % 3;
  __asm__ goto("cmpl $1, %0; je %l[one]; ja %l[more]" : : "r"(x) : "cc" : one, more);
  printf("less\n");
  return;
one:
  printf("one\n");
  return;
more:
  printf("more\n");
}

static void conditions(void) {
  uint32_t a = draw(), b = draw() % 3 ? draw() : a;
  uint8_t t[16];
#define SET(i, condition) __asm__("cmpl %2, %1; set" condition " %0" : "=q"(t[i]) : "r"(a), "ir"(b) : "cc")
  SET(0, "a"); SET(1, "ae"); SET(2, "b"); SET(3, "be"); SET(4, "g"); SET(5, "ge"); SET(6, "l"); SET(7, "le");
  SET(8, "s"); SET(9, "ns"); SET(10, "o"); SET(11, "no"); SET(12, "p"); SET(13, "np"); SET(14, "e"); SET(15, "ne");
  for (int i = 0; i < 16; ++i) printf("%d", t[i]);
  printf("\n");
  uint64_t low;
  uint8_t h;
  __asm__("{addl %2, %k0|add %k0, %2}; {movb %h0, %1|mov %1, %h0}" : "=Q"(low), "=Q"(h) : "r"(b), "0"((uint64_t)a) : "cc");
  printf("high %llx %x\n", (long long)low, h);
}

int main(void) {
  for (int i = 0; i < 300; ++i) arithmetic(), exchanges(), bits(), loops(), conditions();
  return 0;
}
