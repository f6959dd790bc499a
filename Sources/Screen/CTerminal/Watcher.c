#include "Watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_descriptors = 1024 };

static atomic_int words = -1;

// Everything below `watcher_start` runs in a copy of a process that may have had many threads: only
// functions that are safe in a signal handler are called.

static int same_modes(const struct termios *a, const struct termios *b) {
  return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_lflag == b->c_lflag;
}

static void restore(const struct watched_terminal *watched, const struct termios *raw) {
  const unsigned char *bytes = watched->bytes;
  size_t rest = watched->count;
  while (rest > 0) {
    ssize_t written = write(watched->terminal, bytes, rest);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) {
      bytes += written;
      rest -= (size_t)written;
    }
  }
  // A shell may already have set the modes it wants for its prompt.
  struct termios now;
  if (tcgetattr(watched->terminal, &now) == 0 && same_modes(&now, raw))
    tcsetattr(watched->terminal, TCSANOW, &watched->modes);
}

static void watch(const struct watched_terminal *watched, int listening) {
  struct termios raw = watched->modes;
  int is_active = 0;
  for (;;) {
    char word;
    ssize_t count = read(listening, &word, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    is_active = word == 'a';
    if (is_active) tcgetattr(watched->terminal, &raw);
  }
  if (is_active) restore(watched, &raw);
  _exit(0);
}

static void become_watcher(const struct watched_terminal *watched, int listening) {
  // No key and no job control of the terminal reaches another session.
  setsid();
  struct sigaction ignored = {.sa_handler = SIG_IGN};
  for (int signal = 1; signal < 32; signal++) sigaction(signal, &ignored, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // An open descriptor here would keep its reader waiting for the end.
  for (int descriptor = 0; descriptor < most_descriptors; descriptor++)
    if (descriptor != listening && descriptor != watched->terminal) close(descriptor);
  watch(watched, listening);
}

void watcher_start(const struct watched_terminal *watched) {
  int ends[2];
  if (pipe(ends) != 0) return;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  pid_t child = fork();
  if (child == 0) {
    // A grandchild has no parent here that must wait for it.
    if (fork() == 0) become_watcher(watched, ends[0]);
    _exit(0);
  }
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return;
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  atomic_store(&words, ends[1]);
}

void watcher_tell(int is_active) {
  int descriptor = atomic_load(&words);
  char word = is_active ? 'a' : 'd';
  if (descriptor >= 0) (void)!write(descriptor, &word, 1);
}

void watcher_end(void) {
  watcher_tell(0);
  int descriptor = atomic_exchange(&words, -1);
  if (descriptor >= 0) close(descriptor);
}
