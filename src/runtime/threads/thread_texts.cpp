#include "runtime/threads/thread_texts.hpp"

#include <arpa/inet.h>
#include <libintl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kTextBytes = 64;

// A message is a new block each time, and the old one ends; an address stays where it is.
char* kept_text(ThreadText which, const char* text, bool renew, std::uint32_t site) {
  static char before_main[kTextBytes];
  const std::size_t size = strlen(text) + 1;
  if (!active()) return static_cast<char*>(memcpy(before_main, text, size));
  char*& kept = state().current->texts[unsigned(which)];
  if (renew && kept) {
    free(kept);
    kept = nullptr;
  }
  if (!kept) kept = static_cast<char*>(malloc(kTextBytes));
  access_for_call(kept, size, true, site);
  return static_cast<char*>(memcpy(kept, text, size));
}

// Of a number without a message.
char* unknown(ThreadText which, const char* format, int number, std::uint32_t site) {
  char text[kTextBytes];
  snprintf(text, sizeof text, format, number);
  return kept_text(which, text, true, site);
}

char* message_of(int error, std::uint32_t site) {
  if (active()) enter_unsafe_call("strerror", site);
  if (const char* const known = strerrordesc_np(error)) return dgettext("libc", known);
  return unknown(ThreadText::message, "Unknown error %d", error, site);
}

}  // namespace

void end_thread_texts(Thread& t) {
  for (char*& text : t.texts) {
    free(text);
    text = nullptr;
  }
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT char* strerror(int error) noexcept { return message_of(error, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT char* strerror_l(int error, locale_t) noexcept { return message_of(error, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT char* strsignal(int number) noexcept {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (const char* const known = sigdescr_np(number)) return dgettext("libc", known);
  const bool real_time = number >= SIGRTMIN && number <= SIGRTMAX;
  if (real_time) return unknown(ThreadText::signal, "Real-time signal %d", number - SIGRTMIN, site);
  return unknown(ThreadText::signal, "Unknown signal %d", number, site);
}
INSPECT_EXPORT char* inet_ntoa(in_addr address) noexcept {
  char text[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &address, text, sizeof text);
  return kept_text(ThreadText::address, text, false, INSPECT_CALLER_SITE());
}
