// What library calls read and write, without order to another thread's access. One kind a case.
// expect: case=log args=log verdict=bug kind=data-race algorithms=source
// expect: case=format args=format verdict=bug kind=data-race algorithms=source
// expect: case=wide args=wide verdict=bug kind=data-race algorithms=source
// expect: case=scan args=scan verdict=bug kind=data-race algorithms=source
// expect: case=token args=token verdict=bug kind=data-race algorithms=source
// expect: case=tokens args=tokens verdict=bug kind=data-race algorithms=source
// expect: case=separate args=separate verdict=bug kind=data-race algorithms=source
// expect: case=hidden args=hidden verdict=bug kind=data-race algorithms=source
// expect: case=template args=template verdict=bug kind=data-race algorithms=source
// expect: case=host args=host verdict=bug kind=data-race algorithms=source
// expect: case=address args=address verdict=bug kind=data-race algorithms=source
// expect: case=parsed args=parsed verdict=bug kind=data-race algorithms=source
// expect: case=system args=system verdict=bug kind=data-race algorithms=source
// expect: case=limits args=limits verdict=bug kind=data-race algorithms=source
// expect: case=day args=day verdict=bug kind=data-race algorithms=source
// expect: case=locale args=locale verdict=bug kind=data-race algorithms=source
// expect: case=tree args=tree verdict=bug kind=data-race algorithms=source
// expect: case=directory args=directory verdict=bug kind=data-race algorithms=source
// expect: case=wide_copy args=wide_copy verdict=bug kind=data-race algorithms=source
// expect: case=user args=user verdict=bug kind=data-race algorithms=source
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <libgen.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static union {
  char text[64];
  wchar_t wide[16];
  struct in_addr address;
  struct utsname system;
  struct rlimit limits;
  int number;
  void* root;
} shared;
static char split_text[] = "one,two,three", other_text[] = "four;five";
static const char* volatile format = "%d %s";

static void note(const char* what, ...) {
  char line[64];
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(line, sizeof line, what, arguments);
  va_end(arguments);
}

static int take(const char* text, const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  const int found = vsscanf(text, what, arguments);
  va_end(arguments);
  return found;
}

static int by_address(const void* a, const void* b) { return a < b ? -1 : a > b; }

static void use(const char* what) {
  char line[64], *rest;
  wchar_t wide[16];
  time_t when = 86400;
  if (!strcmp(what, "log")) note("%.1f %s", 1.5, shared.text);
  if (!strcmp(what, "format")) snprintf(line, sizeof line, format, 1, shared.text);
  if (!strcmp(what, "wide")) swprintf(wide, 16, L"%ls", shared.wide);
  if (!strcmp(what, "scan")) take("7 rest", "%d", &shared.number);
  if (!strcmp(what, "token")) strtok(shared.text, ",");
  if (!strcmp(what, "tokens")) strtok_r(shared.text, ",", &rest);
  if (!strcmp(what, "separate")) rest = shared.text, strsep(&rest, ",");
  if (!strcmp(what, "hidden")) strtok(other_text, ";");
  if (!strcmp(what, "template")) close(mkstemp(shared.text));
  if (!strcmp(what, "host")) gethostname(shared.text, sizeof shared.text);
  if (!strcmp(what, "address")) inet_ntop(AF_INET, &shared.address, line, sizeof line);
  if (!strcmp(what, "parsed")) inet_pton(AF_INET, "10.0.0.1", &shared.address);
  if (!strcmp(what, "system")) uname(&shared.system);
  if (!strcmp(what, "limits")) getrlimit(RLIMIT_NOFILE, &shared.limits);
  if (!strcmp(what, "day")) localtime(&when);
  if (!strcmp(what, "locale")) setlocale(LC_ALL, "C");
  if (!strcmp(what, "tree")) tsearch(what, &shared.root, by_address);
  if (!strcmp(what, "directory")) dirname(shared.text);
  if (!strcmp(what, "wide_copy")) wcscpy(wide, shared.wide);
  if (!strcmp(what, "user")) getpwuid(0);
}

static void* worker(void* what) {
  use(what);
  return 0;
}

int main(int argc, char** argv) {
  const char* const what = argv[argc - 1];
  struct tm* day = 0;
  struct passwd* user = 0;
  time_t now = 0;
  strcpy(shared.text, "lib/one,XXXXXX");
  if (!strcmp(what, "wide") || !strcmp(what, "wide_copy")) wcscpy(shared.wide, L"wide");
  if (!strcmp(what, "tree")) shared.root = 0;
  if (!strcmp(what, "day")) day = localtime(&now);
  if (!strcmp(what, "user")) user = getpwuid(0);
  if (!strcmp(what, "hidden")) strtok(split_text, ",");
  pthread_t t;
  pthread_create(&t, 0, worker, argv[argc - 1]);
  if (day)
    now = day->tm_year;  // what it points to belongs to the next call
  else if (user)
    now = user->pw_name[0];
  else if (!strcmp(what, "hidden"))
    strtok(0, ",");
  else if (!strcmp(what, "locale"))
    now = iswalpha(L'a') + towupper(L'b');
  else if (!strcmp(what, "tree"))
    tfind("", &shared.root, by_address);
  else if (!strcmp(what, "template"))
    now = shared.text[8];
  else if (!strcmp(what, "directory"))
    now = shared.text[3];
  else if (!strcmp(what, "tokens") || !strcmp(what, "token") || !strcmp(what, "separate"))
    now = shared.text[7];
  else
    shared.text[0] = 'm';
  pthread_join(t, 0);
  if (!strcmp(what, "template")) unlink(shared.text);
  return 0;
}
