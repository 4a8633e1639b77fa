#include "runtime/upcalls/real.hpp"

#include <dlfcn.h>

namespace inspect::runtime {
namespace {

constexpr const char* kTrampolines[] = {
#define STREAM(name, argument, effect) #name,
#define DIRECTORY(name) #name,
#define DESCRIPTOR(name) #name,
#define REFUSED(name, why) #name,
#include "runtime/environment/trampolines.def"
};
static_assert(sizeof kTrampolines / sizeof *kTrampolines <= sizeof RealFunctions::trampolines / sizeof(void*));

template <class F>
void find(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void find_real_functions() {
  auto& r = *reinterpret_cast<RealFunctions*>(kRealFunctions);
  if (r.ready) return;
  r.ready = true;
#define FIND(name) find(r.name, #name)
  FIND(sysconf);
  FIND(fdopen);
  FIND(fopen);
  FIND(freopen);
  FIND(fclose);
  FIND(fflush);
  FIND(__fpending);
  FIND(tmpfile);
  FIND(fdopendir);
  FIND(closedir);
  FIND(readdir);
  FIND(readdir_r);
  FIND(flockfile);
  FIND(ftrylockfile);
  FIND(funlockfile);
  FIND(realpath);
  FIND(qsort_r);
  FIND(glob);
  FIND(scandir);
  FIND(nftw);
  FIND(ftw);
#define ATTRIBUTES(kind)       \
  FIND(pthread_##kind##_init); \
  FIND(pthread_##kind##_destroy);
  ATTRIBUTES(attr)
  ATTRIBUTES(mutexattr)
  ATTRIBUTES(condattr)
  ATTRIBUTES(rwlockattr)
  ATTRIBUTES(barrierattr)
#undef ATTRIBUTES
#undef FIND
  for (unsigned i = 0; i < sizeof kTrampolines / sizeof *kTrampolines; ++i) find(r.trampolines[i], kTrampolines[i]);
}

}  // namespace inspect::runtime
