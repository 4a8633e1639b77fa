// Numbers: mathematics, conversions, sorting and searching, random numbers.
#include <algorithm>
#include <cstdlib>

#include "harness.hpp"

using namespace rows;
using std::size_t;

namespace {

// The function of double, and its kin of float and long double: `names` are those of double.
template <template <class> class Shape>
void add_kin(const char* names) {
  std::string rest = names;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string name = rest.substr(0, end);
    rest.erase(0, std::min(end + 1, rest.size()));
    add(name.c_str(), Shape<double>::prepare);
    add((name + "f").c_str(), Shape<float>::prepare);
    add((name + "l").c_str(), Shape<long double>::prepare);
  }
}

template <class T>
struct One {
  static Call prepare(Memory&, void* f) { return call<T>(f, T(0.5)); }
};
template <class T>
struct Two {
  static Call prepare(Memory&, void* f) { return call<T>(f, T(1.5), T(2)); }
};
template <class T>
struct Three {
  static Call prepare(Memory&, void* f) { return call<T>(f, T(1.5), T(2), T(3)); }
};
template <class T>
struct WithInteger {
  static Call prepare(Memory&, void* f) { return call<T>(f, T(1.5), 2); }
};
template <class T>
struct IntegerFirst {
  static Call prepare(Memory&, void* f) { return call<T>(f, 2, T(1.5)); }
};
template <class T>
struct ToInteger {
  static Call prepare(Memory&, void* f) { return call<long>(f, T(1.5)); }
};
template <class T>
struct Toward {
  static Call prepare(Memory&, void* f) { return call<T>(f, T(1.5), 2.0L); }
};
template <class T>
struct Exponent {
  static Call prepare(Memory& m, void* f) { return call<T>(f, T(1.5), m.out(4)); }
};
template <class T>
struct Parts {
  static Call prepare(Memory& m, void* f) { return call<T>(f, T(1.5), m.out(sizeof(T))); }
};
template <class T>
struct Quotient {
  static Call prepare(Memory& m, void* f) { return call<T>(f, T(7.5), T(2), m.out(4)); }
};
template <class T>
struct Both {
  static Call prepare(Memory& m, void* f) { return call<void>(f, T(0.5), m.out(sizeof(T)), m.out(sizeof(T))); }
};

void add_mathematics() {
  add_kin<One>(
      "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor log log10 log1p log2 "
      "logb nearbyint rint round roundeven sin sinh sqrt tan tanh tgamma trunc j0 j1 y0 y1 significand lgamma");
  add("gamma", One<double>::prepare);
  add_kin<Two>("atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder scalb drem");
  add_kin<Three>("fma");
  add_kin<WithInteger>("ldexp scalbln scalbn");
  add_kin<IntegerFirst>("jn yn");
  add_kin<ToInteger>("ilogb llrint llround lrint lround __fpclassify __signbit");
  add("__isnan __isinf __finite isnan isinf finite", ToInteger<double>::prepare);
  add("__isnanf __isinff __finitef", ToInteger<float>::prepare);
  add_kin<Toward>("nexttoward");
  add_kin<Exponent>("frexp");
  add("lgamma_r", Exponent<double>::prepare);
  add("lgammaf_r", Exponent<float>::prepare);
  add_kin<Parts>("modf");
  add_kin<Quotient>("remquo");
  add_kin<Both>("sincos");
  add("fegetround", [](Memory&, void* f) { return call<int>(f); });
  add("fesetround feclearexcept feraiseexcept fetestexcept", [](Memory&, void* f) { return call<int>(f, 0); });
  // Complex numbers are passed as two.
  add("cabs carg creal cimag cexp clog csqrt conj", [](Memory&, void* f) { return call<double>(f, 0.5, 0.5); });
  add("cabsf", [](Memory&, void* f) { return call<float>(f, 0.5); });
  add("cpow __divdc3 __muldc3", [](Memory&, void* f) { return call<double>(f, 0.5, 0.5, 0.5, 0.5); });
  add("__divsc3 __mulsc3", [](Memory&, void* f) { return call<float>(f, 0.5f, 0.5f, 0.5f, 0.5f); });
}

void add_compiler_helpers() {
  using Wide = __int128;
  add("__divti3 __modti3 __udivti3 __umodti3 __multi3", [](Memory&, void* f) { return call<long>(f, 9l, 0l, 2l, 0l); });
  add("__muloti4", [](Memory& m, void* f) { return call<long>(f, 9l, 0l, 2l, 0l, m.out(4)); });
  add("__mulodi4", [](Memory& m, void* f) { return call<long>(f, 9l, 2l, m.out(4)); });
  add("__powidf2", WithInteger<double>::prepare);
  add("__powisf2", WithInteger<float>::prepare);
  add("__popcountdi2 __floattidf __floatuntidf", [](Memory&, void* f) { return call<long>(f, 9l, 0l); });
  add("__fixunsdfdi __fixdfti __fixunsdfti __truncdfhf2", [](Memory&, void* f) { return call<long>(f, 1.5); });
  add("__divtf3 __multf3 __addtf3 __subtf3",
      [](Memory&, void* f) { return call<__float128>(f, __float128(1.5), __float128(2)); });
  add("__extenddftf2", [](Memory&, void* f) { return call<__float128>(f, 1.5); });
  add("__trunctfdf2", [](Memory&, void* f) { return call<double>(f, __float128(1.5)); });
  add("__extendhfsf2 __truncsfhf2", [](Memory&, void* f) { return call<float>(f, 1.5f); });
  static_assert(sizeof(Wide) == 16);
}

void add_conversions() {
  add("ffs ffsl ffsll abs labs llabs imaxabs", [](Memory&, void* f) { return call<long>(f, 4l); });
  add("div ldiv lldiv imaxdiv", [](Memory&, void* f) { return call<long>(f, 9l, 2l); });
  add("l64a", [](Memory& m, void* f) { return call<char*>(f, 12345l + m.variant()); });
  add("ecvt fcvt", [](Memory& m, void* f) { return call<char*>(f, 1.5 + m.variant(), 4, m.out(4), m.out(4)); });
  add("gcvt", [](Memory& m, void* f) { return call<char*>(f, 1.5, 4, m.out(4)); });
  add("htonl htons ntohl ntohs", [](Memory&, void* f) { return call<int>(f, 4); });
}

int by_address(const void* a, const void* b) { return a < b ? -1 : a > b; }  // looks at no element
int by_value(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
int by_value_and(const void* a, const void* b, void*) { return by_value(a, b); }
int never(const void*, const void*) { return 1; }
void ignore(const void*, int, int) {}
void ignore_and(const void*, int, void*) {}
void keep(void*) {}

struct Node {  // as the library has it
  const void* key;
  void *left, *right;
};

void add_sorting() {
  const int numbers[] = {3, 1, 2};
  add("qsort",
      [=](Memory& m, void* f) { return call<void>(f, m.object(numbers, sizeof numbers), size_t(3), size_t(4), by_value); });
  add("qsort_r", [=](Memory& m, void* f) {
    return call<void>(f, m.object(numbers, sizeof numbers), size_t(3), size_t(4), by_value_and, nullptr);
  });
  add("qsort", [=](Memory& m, void* f) {
    void* const one = m.object(numbers, 4);
    m.untouched();
    return call<void>(f, one, size_t(1), size_t(4), by_value);
  });
  add("bsearch", [=](Memory& m, void* f) {
    void* const key = m.object(numbers, 4);
    m.untouched();
    void* const elements = m.object(numbers, sizeof numbers);
    m.untouched();
    return call<void*>(f, key, elements, size_t(3), size_t(4), by_address);
  });
  add("lfind", [=](Memory& m, void* f) {
    void* const key = m.object(numbers, 4);
    m.untouched();
    void* const elements = m.object(numbers, sizeof numbers);
    m.untouched();
    return call<void*>(f, key, elements, m.value(size_t(3)), size_t(4), never);
  });
  add("lsearch", [](Memory& m, void* f) {  // found at once
    void* const elements = m.out(8);
    m.untouched();
    return call<void*>(f, elements, elements, m.value(size_t(2)), size_t(4), by_address);
  });
  add("tfind", [](Memory& m, void* f) {
    static const int key = 1;
    char* const node = m.out(24);
    m.larger();
    const Node content{&key, nullptr, nullptr};
    memcpy(node, &content, sizeof content);
    return call<void*>(f, &key + 1, m.value(static_cast<void*>(node)), never);
  });
  add("tsearch", [](Memory& m, void* f) {  // the first
    return call<void*>(f, reinterpret_cast<void*>(8), m.value(static_cast<void*>(nullptr)), by_address);
  });
  add("tdelete", [](Memory& m, void* f) {
    auto* const key = reinterpret_cast<void*>(8);
    const Call c = call<void*>(f, key, m.value(static_cast<void*>(nullptr)), by_address);
    m.larger();
    Call with_node = c;
    with_node.make = [=] {
      auto** const root = reinterpret_cast<void**>(c.arguments[1]);
      auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
      *node = {key, nullptr, nullptr};
      *root = node;
      return c.make();
    };
    return with_node;
  });
  add("twalk", [](Memory& m, void* f) {
    char* const node = m.out(24);
    m.larger();
    const Node content{nullptr, nullptr, nullptr};
    memcpy(node, &content, sizeof content);
    return call<void>(f, node, ignore);
  });
  add("twalk_r", [](Memory& m, void* f) {
    char* const node = m.out(24);
    m.larger();
    const Node content{nullptr, nullptr, nullptr};
    memcpy(node, &content, sizeof content);
    return call<void>(f, node, ignore_and, nullptr);
  });
  add("tdestroy", [](Memory&, void* f) { return call<void>(f, static_cast<void*>(nullptr), keep); });
  struct Element {
    void *next, *previous;
  };
  add("insque", [](Memory& m, void* f) {
    char *const element = m.out(16), *const first = m.out(16);
    m.larger();
    char* const last = m.out(16);
    m.larger();
    const Element content{last, nullptr};
    memcpy(first, &content, sizeof content);
    return call<void>(f, element, first);
  });
  add("remque", [](Memory& m, void* f) {
    char* const first = m.out(16);
    m.larger();
    char* const last = m.out(16);
    m.larger();
    return call<void>(f, m.value(Element{last, first}));
  });
  add("hcreate", [](Memory&, void* f) { return call<int>(f, size_t(10)); });
  add("hsearch", [](Memory&, void* f) { return call<void*>(f, "key", static_cast<void*>(nullptr), 1); });
  add("hdestroy", [](Memory&, void* f) { return call<void>(f); });
}

void add_random() {
  add("rand random drand48 lrand48 mrand48", [](Memory&, void* f) { return call<long>(f); });
  add("srand srandom srand48", [](Memory& m, void* f) { return call<void>(f, 5 + m.variant()); });
  add("rand_r", [](Memory& m, void* f) { return call<int>(f, m.out(4)); });
  add("seed48", [](Memory& m, void* f) { return call<void*>(f, m.object("\1\2\3\4\5\6", 6)); });
  add("lcong48", [](Memory& m, void* f) { return call<void>(f, m.object("\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 14)); });
  add("erand48 nrand48 jrand48", [](Memory& m, void* f) { return call<long>(f, m.out(6)); });
  add("lrand48_r mrand48_r drand48_r", [](Memory& m, void* f) { return call<int>(f, m.out(24), m.out(8)); });
  const auto generator = [](Memory& m) { return m.object("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24); };
  add("erand48_r nrand48_r jrand48_r", [=](Memory& m, void* f) { return call<int>(f, m.out(6), generator(m), m.out(8)); });
  add("srand48_r", [](Memory& m, void* f) { return call<int>(f, 5l, m.out(24)); });
  add("seed48_r", [](Memory& m, void* f) { return call<int>(f, m.object("\1\2\3\4\5\6", 6), m.out(24)); });
  add("lcong48_r",
      [](Memory& m, void* f) { return call<int>(f, m.object("\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 14), m.out(24)); });
  // The array that the data tells of lies on a page of its own too.
  const auto begun = [](Memory& m, char* array) {
    struct random_data data = {};
    char content[64];
    initstate_r(1, content, sizeof content, &data);
    const auto moved = [&](std::int32_t* p) {
      return reinterpret_cast<std::int32_t*>(array + (reinterpret_cast<char*>(p) - content));
    };
    data.fptr = moved(data.fptr);
    data.rptr = moved(data.rptr);
    data.state = moved(data.state);
    data.end_ptr = moved(data.end_ptr);
    write_freely(array, content, sizeof content);
    return m.value(data);
  };
  add("random_r", [=](Memory& m, void* f) {
    char* const array = m.out(64);
    struct random_data* const data = begun(m, array);
    return call<int>(f, data, m.out(4));
  });
  add("srandom_r", [=](Memory& m, void* f) { return call<int>(f, 5, begun(m, m.out(64))); });
  add("initstate_r", [](Memory& m, void* f) {
    char* const array = m.out(64);
    static const struct random_data none = {};
    return call<int>(f, 5, array, size_t(64), m.value(none));
  });
  add("setstate_r", [=](Memory& m, void* f) {
    struct random_data* const data = begun(m, m.out(64));
    struct random_data other = {};
    char content[64];
    initstate_r(1, content, sizeof content, &other);
    void* const next = m.object(content, sizeof content);
    m.larger();
    return call<int>(f, next, data);
  });
  add("initstate", [](Memory&, void* f) {
    static char states[2][64];
    static unsigned turn;
    return call<void*>(f, 1, states[++turn % 2], size_t(64));
  });
  add("setstate", [](Memory&, void* f) {
    static char state[64];
    initstate(3, state, sizeof state);
    return call<void*>(f, state);
  });
}

}  // namespace

void add_number_trials() {
  add_mathematics();
  add_compiler_helpers();
  add_conversions();
  add_sorting();
  add_random();
}
