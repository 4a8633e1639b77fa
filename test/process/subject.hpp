// subject.cpp as a file, and where things are in it.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/files.hpp"

namespace inspect::process::test {

inline const std::string kSubject = PROCESS_SUBJECT;

// The address of a symbol, by the linker's name, minus the load address.
inline std::uint64_t offset_of(const char* name) {
  static void* const module = dlopen(kSubject.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const address = module ? dlsym(module, name) : nullptr;
  Dl_info found{};
  if (!address || !dladdr(address, &found)) std::abort();
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
}

// A file of this process's own, until it goes.
class Written {
 public:
  explicit Written(const std::string& bytes) : path_(testing::TempDir() + "/subject." + std::to_string(getpid())) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~Written() { std::remove(path_.c_str()); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Calls f(path) with the subject damaged in many ways: cut short, and with wild numbers where its header has offsets and
// counts.
template <class F>
void for_each_damaged(F&& f) {
  const auto whole = read_file(kSubject);
  ASSERT_TRUE(whole);
  for (std::size_t n = 0; n < whole->size(); n += 1 + whole->size() / 40) f(Written(whole->substr(0, n)).path());
  for (std::size_t at = 32; at < 64; ++at)
    for (const unsigned char value : {0x00, 0x7f, 0xff}) {
      std::string damaged = *whole;
      damaged[at] = static_cast<char>(value);
      f(Written(damaged).path());
    }
}

}  // namespace inspect::process::test
