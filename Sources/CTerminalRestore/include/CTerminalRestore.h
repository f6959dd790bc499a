// Restoring a terminal on every way out of a process, crash signals included.
//
// Only what is safe inside a signal handler happens there: a prepared byte string is written and
// the saved terminal modes are set again; then the signal does what it did before, so the exit
// status and the core dump stay what they were.
#ifndef RETCON_TERMINAL_RESTORE_H
#define RETCON_TERMINAL_RESTORE_H

#include <stddef.h>

// What arrives at the wake descriptor, one byte each.
enum {
  terminal_resized = 'r',
  terminal_continued = 'c',
  terminal_stop_asked = 's',
};

// Saves the modes of the terminal at `input` and catches signals. `output` is where others draw,
// `wake` the writing end of a pipe. Answers 0, or the error number. Nothing is restored before
// `terminal_restore_activate`.
int terminal_restore_begin(int input, int output, int wake);

// The bytes that bring the terminal back, at most 1,024; more are refused with -1. Called once.
int terminal_restore_prepare(const void *bytes, size_t count);

// From here on every exit restores the terminal.
void terminal_restore_activate(void);

// The terminal is somebody else's for a while: no exit touches it.
void terminal_restore_deactivate(void);

// Writes the bytes and sets the modes, if active; otherwise nothing.
void terminal_restore_now(void);

// Sets the saved modes and no more. Answers 0, or the error number.
int terminal_restore_modes(void);

// Gives the signals back to whom they belonged.
void terminal_restore_end(void);

// Gives the calling thread a stack of its own for signal handlers, so that a handler still runs
// when the thread has used up its stack.
void terminal_restore_protect_thread(void);

// Stops this process and its children in the same job, as Ctrl-Z does, and returns when they go on.
void terminal_restore_stop(void);

// Makes Ctrl-C and Ctrl-Z keys like others, while Ctrl-\ still ends a program that hangs. Answers 0,
// or the error number.
int terminal_restore_keep_quit_key(int input);

// Keeps Ctrl-C and Ctrl-\ for the program in front (an editor) while it runs.
void terminal_restore_ignore_keys(int ignore);

#endif
