// A process that restores the terminal when ours ends without a word: by SIGKILL, by the system
// when memory runs out, by a thread that has used up its stack.
#ifndef RETCON_TERMINAL_WATCHER_H
#define RETCON_TERMINAL_WATCHER_H

#include <stddef.h>
#include <termios.h>

struct watched_terminal {
  int terminal;
  struct termios modes;
  const unsigned char *bytes;
  size_t count;
};

// Starts the process. Without it everything works, except after such an end.
void watcher_start(const struct watched_terminal *watched);

// Tells it whether there is something to restore. Safe in a signal handler.
void watcher_tell(int is_active);

// Ends it.
void watcher_end(void);

#endif
