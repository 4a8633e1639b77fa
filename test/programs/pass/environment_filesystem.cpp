// expect: verdict=verified stdin="4 two words"
// std::filesystem, std::cin and directory listings.
#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>
namespace fs = std::filesystem;

int main() {
  int number = 0;
  std::string a, b;
  assert(std::cin >> number && number == 4);
  assert(std::cin >> a >> b && a == "two" && b == "words");
  assert(!(std::cin >> a));
  const fs::path folder = fs::temp_directory_path() / "made-by-environment_filesystem";
  assert(!fs::exists(folder));
  assert(fs::create_directories(folder / "x" / "y"));
  std::ofstream(folder / "x" / "file") << "text";
  assert(fs::file_size(folder / "x" / "file") == 4);
  fs::rename(folder / "x" / "file", folder / "x" / "y" / "moved");
  assert(fs::exists(folder / "x" / "y" / "moved") && !fs::exists(folder / "x" / "file"));
  fs::permissions(folder / "x" / "y" / "moved", fs::perms::owner_read);
  assert(fs::status(folder / "x" / "y" / "moved").permissions() == fs::perms::owner_read);
  fs::resize_file(folder / "x" / "y" / "moved", 2);
  assert(fs::file_size(folder / "x" / "y" / "moved") == 2);
  fs::create_symlink("y", folder / "x" / "link");
  assert(fs::canonical(folder / "x" / "link" / "moved") == folder / "x" / "y" / "moved");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator("/proc/sys/kernel")) names.push_back(entry.path().filename());
  assert(std::find(names.begin(), names.end(), "ostype") != names.end());
  std::string system;
  std::ifstream("/proc/sys/kernel/ostype") >> system;
  assert(system == "Linux");
  assert(fs::remove(folder / "x" / "link") && fs::remove(folder / "x" / "y" / "moved"));
  std::thread([] { assert(fs::is_directory("/")); }).join();
  return 0;
}
