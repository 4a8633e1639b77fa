#include <string>
extern int constructed;
struct tracked {
  int value;
  explicit tracked(int v) : value(v) { ++constructed; }
  ~tracked() { --constructed; }
};
thread_local tracked dynamic(40);
thread_local int plain = 7;
thread_local std::string text = std::string("a string long enough not to be short ") + std::to_string(plain);
inline thread_local int shared_inline = 11;
int* inline_address() { return &shared_inline; }
