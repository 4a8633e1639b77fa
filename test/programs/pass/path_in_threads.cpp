// expect: verdict=verified
// Two threads take one path apart; each changes its own.
#include <cstdlib>
#include <filesystem>
#include <thread>

using std::filesystem::path;

static const path shared("/a/directory/name.text");

static void look() {
  if (!shared.has_filename() || !shared.has_parent_path() || shared.has_root_name()) std::abort();
  if (!shared.is_absolute() || shared.extension() != ".text" || shared.stem() != "name") std::abort();
  if (shared.parent_path() != "/a/directory" || shared.relative_path() != "a/directory/name.text") std::abort();
  if (shared.root_path() != "/" || shared.lexically_relative("/a") != "directory/name.text") std::abort();
  if (shared.compare("/a/directory/name.text") != 0) std::abort();
  path own = shared.lexically_normal();
  own.replace_filename("other").replace_extension("h");
  own /= "in";
  own += "side";
  if (own != "/a/directory/other.h/inside") std::abort();
  own.remove_filename();
  if (own != "/a/directory/other.h/") std::abort();
}

int main() {
  std::thread thread(look);
  look();
  thread.join();
}
