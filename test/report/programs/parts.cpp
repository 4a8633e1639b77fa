// Races on parts of an object, by number.
#include <string>
#include <thread>

enum class State : unsigned char { idle, busy = 7 };
struct Base {
  virtual ~Base() = default;
  int id = 9;
};
struct Connection : Base {
  State state = State::idle;  // in the padding of Base
  unsigned mode : 3 = 5, more : 5 = 1;
  std::string name = "short";
  void (*handler)() = nullptr;
};
static Connection conns[2];
static void closes() {}

int main(int argc, char**) {
  Connection* const c = &conns[1];
  std::thread t([=] {
    if (argc == 1) c->state = State::busy;
    if (argc == 2) c->mode = 2;
    if (argc == 3) c->name.clear();
    if (argc == 4) c->handler = closes;
  });
  int sum = 0;
  if (argc == 1) sum = int(c->state);
  if (argc == 2) sum = c->more;
  if (argc == 3) sum = int(c->name.size());
  if (argc == 4) sum = c->handler == closes;
  t.join();
  return sum > 100;
}
