#include "CTerminal.h"

#include "Watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { most_bytes = 1024, stack_size = 64 * 1024, most_signals = 65 };

static const int fatal_signals[] = {
    SIGHUP, SIGINT,  SIGTERM, SIGQUIT, SIGABRT, SIGSEGV,
    SIGBUS, SIGFPE,  SIGPIPE, SIGILL,  SIGTRAP,
};
static const int telling_signals[] = {SIGWINCH, SIGCONT, SIGTSTP};

static struct {
  struct termios modes;
  int terminal;     // our own descriptor of the terminal
  int output;       // where others draw
  int nowhere;      // /dev/null
  unsigned char bytes[most_bytes];
  size_t count;
} saved = {.terminal = -1, .output = -1, .nowhere = -1};

static atomic_int active;
static atomic_int wake = -1;
static struct sigaction previous[most_signals];
static atomic_int caught[most_signals];
static atomic_int exit_is_watched;
static atomic_int is_stopping;

static void write_everything(int descriptor, const unsigned char *bytes, size_t count) {
  int tries = 0;
  while (count > 0 && tries < 100) {
    ssize_t written = write(descriptor, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
      return;
    } else {
      tries += 1;
    }
  }
}

// SIGTTOU stops a process in the background that touches its terminal, unless it is blocked.
static int set_modes(void) {
  sigset_t background, before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  int result;
  do {
    result = tcsetattr(saved.terminal, TCSANOW, &saved.modes);
  } while (result != 0 && errno == EINTR);
  int problem = result == 0 ? 0 : errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return problem;
}

void terminal_restore_now(void) {
  if (!atomic_exchange(&active, 0)) return;
  sigset_t background, before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  tcflow(saved.terminal, TCOON);
  write_everything(saved.terminal, saved.bytes, saved.count);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  set_modes();
  watcher_tell(0);
}

int terminal_restore_modes(void) { return set_modes(); }

static void restore_and_end(int signal, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (atomic_load(&active)) {
    // The frames of other threads must not land on the restored screen.
    if (saved.nowhere >= 0) dup2(saved.nowhere, saved.output);
    terminal_restore_now();
  }
  struct sigaction next = previous[signal];
  if (signal == SIGQUIT) {
    // A key sends it. A crash reporter takes it for a crash, stops all threads, and may hang.
    memset(&next, 0, sizeof next);
    next.sa_handler = SIG_DFL;
  }
  sigaction(signal, &next, NULL);
  // A fault happens again when the instruction runs again, and then ends the process like without a
  // handler. Any other signal is sent again and arrives when this handler returns.
  int is_sent = info == NULL || info->si_code == SI_USER || info->si_code <= 0;
  int is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  if (is_sent || !is_fault) raise(signal);
  errno = error;
}

static void tell(int signal) {
  // The code that stops the process takes the terminal back by itself.
  if (signal == SIGCONT && atomic_load(&is_stopping)) return;
  int error = errno;
  unsigned char what = signal == SIGWINCH  ? terminal_resized
                       : signal == SIGCONT ? terminal_continued
                                           : terminal_stop_asked;
  int descriptor = atomic_load(&wake);
  if (descriptor >= 0) write_everything(descriptor, &what, 1);
  errno = error;
}

static void catch_signal(int signal, const struct sigaction *action) {
  if (sigaction(signal, NULL, &previous[signal]) != 0) return;
  // An ignored signal stays ignored (nohup, or a pipe with another watcher).
  if (!(previous[signal].sa_flags & SA_SIGINFO) && previous[signal].sa_handler == SIG_IGN) return;
  if (sigaction(signal, action, NULL) == 0) atomic_store(&caught[signal], 1);
}

static void catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = restore_and_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    catch_signal(fatal_signals[i], &action);

  memset(&action, 0, sizeof action);
  action.sa_handler = tell;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof telling_signals / sizeof *telling_signals; i++)
    catch_signal(telling_signals[i], &action);
}

int terminal_restore_begin(int input, int output, int wake_descriptor) {
  if (tcgetattr(input, &saved.modes) != 0) return errno;
  saved.terminal = fcntl(input, F_DUPFD_CLOEXEC, 3);
  if (saved.terminal < 0) return errno;
  // A terminal that was opened for reading only cannot be told anything.
  if ((fcntl(saved.terminal, F_GETFL) & O_ACCMODE) == O_RDONLY) {
    close(saved.terminal);
    saved.terminal = fcntl(output, F_DUPFD_CLOEXEC, 3);
    if (saved.terminal < 0) return errno;
  }
  saved.output = output;
  saved.nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  saved.count = 0;
  atomic_store(&wake, wake_descriptor);
  if (!atomic_exchange(&exit_is_watched, 1)) atexit(terminal_restore_now);
  catch_signals();
  return 0;
}

int terminal_restore_prepare(const void *bytes, size_t count) {
  if (count > most_bytes) return -1;
  memcpy(saved.bytes, bytes, count);
  saved.count = count;
  struct watched_terminal watched = {saved.terminal, saved.modes, saved.bytes, saved.count};
  watcher_start(&watched);
  return 0;
}

int terminal_restore_keep_quit_key(int input) {
  struct termios modes;
  if (tcgetattr(input, &modes) != 0) return errno;
  modes.c_lflag |= ISIG;
  modes.c_cc[VINTR] = modes.c_cc[VSUSP] = _POSIX_VDISABLE;
#ifdef VDSUSP
  modes.c_cc[VDSUSP] = _POSIX_VDISABLE;
#endif
  return tcsetattr(input, TCSANOW, &modes) == 0 ? 0 : errno;
}

void terminal_restore_activate(void) {
  atomic_store(&active, 1);
  watcher_tell(1);
}

void terminal_restore_deactivate(void) {
  atomic_store(&active, 0);
  watcher_tell(0);
}

void terminal_restore_end(void) {
  atomic_store(&active, 0);
  for (int signal = 1; signal < most_signals; signal++)
    if (atomic_exchange(&caught[signal], 0)) sigaction(signal, &previous[signal], NULL);
  atomic_store(&wake, -1);
  watcher_end();
  if (saved.terminal >= 0) close(saved.terminal);
  if (saved.nowhere >= 0) close(saved.nowhere);
  saved.terminal = saved.nowhere = -1;
}

void terminal_restore_protect_thread(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = malloc(stack_size);
  stack.ss_size = stack_size;
  if (stack.ss_sp != NULL && sigaltstack(&stack, NULL) != 0) free(stack.ss_sp);
}

void terminal_restore_stop(void) {
  struct sigaction ignored, normal, before;
  memset(&ignored, 0, sizeof ignored);
  memset(&normal, 0, sizeof normal);
  ignored.sa_handler = SIG_IGN;
  normal.sa_handler = SIG_DFL;
  atomic_store(&is_stopping, 1);
  // First the rest of the job, then this thread itself: a signal to the own thread is delivered
  // before `raise` returns, one to the whole process at some time.
  sigaction(SIGTSTP, &ignored, &before);
  kill(0, SIGTSTP);
  // Another thread may still be inside the handler that asked for this, which holds the signal
  // back. Then the signal was not ignored, but waits, and would stop the process a second time
  // behind the shell's back. Ignoring it once more throws the waiting signal away (POSIX, 2.4.3).
  sigaction(SIGTSTP, &ignored, NULL);
  sigaction(SIGTSTP, &normal, NULL);
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
  atomic_store(&is_stopping, 0);
}

static void do_nothing(int signal) { (void)signal; }

void terminal_restore_ignore_keys(int ignore) {
  static struct sigaction before[3];
  static const int keys[] = {SIGINT, SIGQUIT, SIGTSTP};
  struct sigaction ignored;
  memset(&ignored, 0, sizeof ignored);
  // A handler, for what is ignored stays ignored in the program that is started.
  ignored.sa_handler = do_nothing;
  ignored.sa_flags = SA_RESTART;
  for (int i = 0; i < 3; i++) {
    // The process that has the terminal stops with this one, or the shell would not come back.
    if (keys[i] == SIGTSTP) ignored.sa_handler = SIG_DFL;
    if (ignore)
      sigaction(keys[i], &ignored, &before[i]);
    else
      sigaction(keys[i], &before[i], NULL);
  }
}
