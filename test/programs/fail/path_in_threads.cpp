// expect: verdict=bug kind=data-race cflags=-DCHANGE=append
// expect: case=end verdict=bug kind=memory-error cflags=-DCHANGE=end
// A path is looked at while another thread changes it, or ends its life.
#include <filesystem>
#include <optional>
#include <thread>

static std::optional<std::filesystem::path> shared("/a/directory/name.text");

static void append() { *shared /= "more"; }
static void end() { shared.reset(); }

int main() {
  const std::filesystem::path& path = *shared;
  std::thread thread(CHANGE);
  [[maybe_unused]] volatile const bool has = path.has_relative_path();
  thread.join();
}
