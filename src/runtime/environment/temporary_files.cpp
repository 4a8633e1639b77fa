// Temporary files and names: the same in every execution, different for every call.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/environment/random.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

constexpr std::size_t kPlaces = 6;  // the X of a template
constexpr int kAttempts = 100;

std::uint64_t draw() {
  std::uint64_t value = 0;
  if (active() && !state().standalone) return draw_random();
  system_call(SYS_getrandom, reinterpret_cast<long>(&value), sizeof value, 0);
  return value;
}

void fill_places(char* places) {
  static constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::uint64_t value = draw();
  for (std::size_t i = 0; i < kPlaces; ++i, value /= 62) places[i] = kLetters[value % 62];
}

// The X of the template, before `suffix` more letters; null when there are none.
char* places_of(char* text, int suffix) {
  const std::size_t length = strlen(text);
  if (suffix < 0 || length < kPlaces + std::size_t(suffix)) return nullptr;
  char* const places = text + length - std::size_t(suffix) - kPlaces;
  return memcmp(places, "XXXXXX", kPlaces) ? nullptr : places;
}

// attempt: makes the name, -1 with EEXIST when it is taken.
template <class Attempt>
int make_unique(char* text, int suffix, std::uint32_t site, Attempt&& attempt) {
  access_for_call(text, strlen(text) + 1, false, site);
  char* const places = places_of(text, suffix);
  if (!places) return errno = EINVAL, -1;
  access_for_call(places, kPlaces, true, site);
  for (int i = 0; i < kAttempts; ++i) {
    fill_places(places);
    const int result = attempt();
    if (result >= 0 || errno != EEXIST) return result;
  }
  return -1;
}

int make_file(char* text, int suffix, int flags, std::uint32_t site) {
  return make_unique(text, suffix, site,
                     [&] { return open_path(AT_FDCWD, text, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600, site); });
}

bool exists(const char* path) {
  struct stat unused;
  return lstat(path, &unused) == 0;
}

char* free_name(char* text) {
  char* const places = places_of(text, 0);
  for (int i = 0; places && i < kAttempts; ++i) {
    fill_places(places);
    if (!exists(text)) return text;
  }
  errno = places ? EEXIST : EINVAL;
  return nullptr;
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
#define POSSIBLE_POINT possible_cancellation_point(SITE)
INSPECT_EXPORT int mkstemp(char* text) { return make_file(text, 0, 0, POSSIBLE_POINT); }
INSPECT_EXPORT int mkstemp64(char* text) { return make_file(text, 0, 0, POSSIBLE_POINT); }
INSPECT_EXPORT int mkostemp(char* text, int flags) { return make_file(text, 0, flags, POSSIBLE_POINT); }
INSPECT_EXPORT int mkostemp64(char* text, int flags) { return make_file(text, 0, flags, POSSIBLE_POINT); }
INSPECT_EXPORT int mkstemps(char* text, int suffix) { return make_file(text, suffix, 0, POSSIBLE_POINT); }
INSPECT_EXPORT int mkstemps64(char* text, int suffix) { return make_file(text, suffix, 0, POSSIBLE_POINT); }
INSPECT_EXPORT int mkostemps(char* text, int suffix, int flags) { return make_file(text, suffix, flags, POSSIBLE_POINT); }
INSPECT_EXPORT int mkostemps64(char* text, int suffix, int flags) { return make_file(text, suffix, flags, POSSIBLE_POINT); }
INSPECT_EXPORT char* mkdtemp(char* text) noexcept {
  return make_unique(text, 0, SITE, [&] { return mkdir(text, 0700); }) < 0 ? nullptr : text;
}
INSPECT_EXPORT char* mktemp(char* text) noexcept {
  access_for_call(text, strlen(text) + 1, false, SITE);
  if (char* const places = places_of(text, 0)) access_for_call(places, kPlaces, true, SITE);
  if (!free_name(text)) *text = 0;
  return text;
}
INSPECT_EXPORT char* tmpnam_r(char* to) noexcept {
  if (!to) return nullptr;
  access_for_call(to, sizeof P_tmpdir "/fileXXXXXX", true, SITE);
  return free_name(strcpy(to, P_tmpdir "/fileXXXXXX"));
}
INSPECT_EXPORT char* tmpnam(char* to) noexcept {
  if (!to) report_unsupported("tmpnam without a buffer", SITE);
  return tmpnam_r(to);
}
INSPECT_EXPORT char* tempnam(const char* directory, const char* prefix) noexcept {
  const char* const where = directory ? directory : P_tmpdir;
  const char* const first = prefix ? prefix : "file";
  char* const text = static_cast<char*>(malloc(strlen(where) + strlen(first) + 8));
  strcpy(text, where);
  strcat(strcat(strcat(text, "/"), first), "XXXXXX");
  return free_name(text);
}
