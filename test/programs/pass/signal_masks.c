// What jumps, handlers and the calls of System V do to the mask.
//
// expect: verdict=verified algorithms=source
#define _GNU_SOURCE
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf place;
static volatile sig_atomic_t handled, code;

static int blocked(int number) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, number);
}

static void change(int how, int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(how, &set, NULL);
}

static void jump(int number) {
  (void)number;
  longjmp(place, 1);
}

static void jump_with_mask(int number) {
  (void)number;
  siglongjmp(place, 1);
}

static void tell(int number, siginfo_t* info, void* context) {
  (void)number;
  code = info->si_code;
  sigaddset(&((ucontext_t*)context)->uc_sigmask, SIGUSR2);
  handled++;
}

int main(void) {
  signal(SIGUSR1, jump_with_mask);
  if (!sigsetjmp(place, 1)) raise(SIGUSR1);
  assert(!blocked(SIGUSR1));

  change(SIG_BLOCK, SIGUSR2);
  if (!sigsetjmp(place, 1)) {
    change(SIG_UNBLOCK, SIGUSR2);
    siglongjmp(place, 1);
  }
  assert(blocked(SIGUSR2));
  change(SIG_UNBLOCK, SIGUSR2);

  signal(SIGUSR1, jump);
  if (!setjmp(place)) raise(SIGUSR1);
  assert(blocked(SIGUSR1));
  change(SIG_UNBLOCK, SIGUSR1);

  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  kill(getpid(), SIGUSR1);
  assert(handled == 1 && code == SI_USER && blocked(SIGUSR2));

  sighold(SIGUSR1);
  assert(blocked(SIGUSR1) && raise(0) == 0);
  raise(SIGUSR1);
  assert(handled == 1);
  sigrelse(SIGUSR1);
  assert(handled == 2);
  assert(sigset(SIGUSR1, SIG_HOLD) != SIG_HOLD && blocked(SIGUSR1) && sigset(SIGUSR1, SIG_IGN) == SIG_HOLD);
  return 0;
}
