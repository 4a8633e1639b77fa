// The library's own definitions of functions that this runtime replaces.
//
// Guarantees: found once, by boot_files() or the first call that needs one, and kept outside what a reset restores.
#pragma once
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <wchar.h>

#include "runtime/platform/outside.hpp"
#include "runtime/upcalls/environment_ready.hpp"

namespace inspect::runtime {

struct RealFunctions {
  bool ready;
  long (*sysconf)(int);
  FILE* (*fdopen)(int, const char*);
  FILE* (*fopen)(const char*, const char*);
  FILE* (*freopen)(const char*, const char*, FILE*);
  int (*fclose)(FILE*);
  int (*fflush)(FILE*);
  std::size_t (*__fpending)(FILE*);
  FILE* (*tmpfile)();
  DIR* (*fdopendir)(int);
  int (*closedir)(DIR*);
  dirent* (*readdir)(DIR*);
  int (*readdir_r)(DIR*, dirent*, dirent**);
  void (*flockfile)(FILE*);
  int (*ftrylockfile)(FILE*);
  void (*funlockfile)(FILE*);
  char* (*realpath)(const char*, char*);
  void (*qsort_r)(void*, std::size_t, std::size_t, int (*)(const void*, const void*, void*), void*);
  int (*glob)(const char*, int, int (*)(const char*, int), void*);
  int (*scandir)(const char*, dirent***, int (*)(const dirent*), int (*)(const dirent**, const dirent**));
  int (*nftw)(const char*, int (*)(const char*, const struct stat*, int, FTW*), int, int);
  int (*ftw)(const char*, int (*)(const char*, const struct stat*, int), int);
#define ATTRIBUTES(kind)                             \
  int (*pthread_##kind##_init)(pthread_##kind##_t*); \
  int (*pthread_##kind##_destroy)(pthread_##kind##_t*);
  ATTRIBUTES(attr)
  ATTRIBUTES(mutexattr)
  ATTRIBUTES(condattr)
  ATTRIBUTES(rwlockattr)
  ATTRIBUTES(barrierattr)
#undef ATTRIBUTES
  void* trampolines[320];
};

template <class F>
F real(F RealFunctions::* member) {
  ensure_environment();
  return reinterpret_cast<RealFunctions*>(kRealFunctions)->*member;
}

void find_real_functions();

}  // namespace inspect::runtime
