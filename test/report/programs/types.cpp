// Two locks of objects of the heap, by number: the type of each is known from the debug information alone.
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Apple {
  std::mutex stem;
  int core = 1;
};
struct Brick {
  std::mutex side;
  int weight = 2;
};
template <class T>
struct Holder {
  T value;
  std::mutex guard;
};
struct Ended {
  ~Ended() {}
  std::mutex m;
};
namespace inner {
struct Brick {
  std::mutex other;
};
}  // namespace inner
#define MAKE(T) new T

static void both(std::mutex& x, std::mutex& y) {
  std::lock_guard<std::mutex> first(x);
  std::lock_guard<std::mutex> second(y);
}
static void dead(std::mutex& x, std::mutex& y) {
  std::thread other([&] { both(x, y); });
  both(y, x);
  other.join();
}
template <class T>
static T* created() {
  return new T;
}

int main(int argc, char**) {
  switch (argc) {
    case 1: {
      auto a = MAKE(Brick);  // was: new Apple
      const char* text = "new Apple"; auto b = MAKE(Brick); (void)text;
      dead(a->side, b->side);
      break;
    }
    case 2: {
      auto a = new /* new Apple */ Brick;
      Brick* b = MAKE(Brick); if (argc > 100) { Apple* c = new Apple; b = nullptr; (void)c; }
      dead(a->side, b->side);
      break;
    }
    case 3: {
      auto a = new inner::Brick;
      auto b = new Holder<std::string>;
      dead(a->other, b->guard);
      break;
    }
    case 4: {
      auto a = std::make_unique<Apple>();
      auto b = std::make_shared<Brick>();
      dead(a->stem, b->side);
      break;
    }
    case 5: {
      std::list<Brick> a(1);
      std::forward_list<Apple> b(1);
      dead(a.front().side, b.front().stem);
      break;
    }
    case 6: {
      std::map<int, Brick> a;
      std::unordered_map<std::string, Apple> b;
      dead(a[1].side, b["x"].stem);
      break;
    }
    case 7: {
      auto a = new Ended[3];
      std::vector<Apple> b(4);
      dead(a[2].m, b[0].stem);
      break;
    }
    case 8: {
      dead(created<Apple>()->stem, created<Brick>()->side);
      break;
    }
    case 9: {  // nobody says what these are
      void* a = ::operator new(sizeof(Brick));
      auto b = static_cast<Brick*>(a);
      new (a) Brick;
      dead(b->side, (new (std::nothrow) Apple)->stem);
      break;
    }
  }
}
