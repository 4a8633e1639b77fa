// expect: verdict=bug kind=memory-error|data-race
// A reader walks a vector that the writer makes grow.
#include <thread>
#include <vector>

int main() {
  std::vector<int> values = {1, 2, 3};
  int sum = 0;
  std::thread reader([&] {
    for (int value : values) sum += value;
  });
  values.push_back(4);
  reader.join();
}
