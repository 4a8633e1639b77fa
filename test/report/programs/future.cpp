#include <future>
#include <string>
#include <thread>

struct Config { std::string name; int retries; };
Config* current = nullptr;

int load() { current = new Config{"primary server", 3}; return 1; }
int main() {
  std::future<int> loaded = std::async(std::launch::async, load);
  int retries = 0;
  if (current) retries = current->retries;
  loaded.get();
  delete current;
  return retries > 3;
}
