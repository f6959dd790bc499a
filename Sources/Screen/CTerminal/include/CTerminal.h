// The terminal for Swift. First, ncurses: what its header offers without wide characters, and
// functions for what Swift cannot import of it (macros, globals, wide characters). Then, restoring
// a terminal on every way out of a process, crash signals included.
//
// `Curses.c` alone sees wide characters. On Apple's systems the header belongs to the module
// `Darwin.ncurses`, and a macro that is defined here would not reach it.
//
// Only what is safe inside a signal handler happens there: `Restore.c` writes a prepared byte
// string and sets the saved terminal modes again. Then the signal does what it did before, so the
// exit status and the core dump stay what they were.
#ifndef RETCON_CTERMINAL_H
#define RETCON_CTERMINAL_H

#include <ncurses.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

// Of <term.h> and <wchar.h>, without the hundreds of macros that come with the first.
extern int setupterm(const char *name, int descriptor, int *problem);
extern int wcwidth(wchar_t character);

WINDOW *curses_screen(void);
WINDOW *curses_shown(void);
int curses_rows(void);
int curses_columns(void);
int curses_colors(void);

attr_t curses_bold(void);
attr_t curses_dim(void);
attr_t curses_italic(void);
attr_t curses_underline(void);
attr_t curses_reverse(void);

// Clicks are not among them: ncurses would make one of a press and a release.
mmask_t curses_mouse_events(void);
mmask_t curses_button1_pressed(void);
mmask_t curses_button1_released(void);
mmask_t curses_button3_pressed(void);
mmask_t curses_button4_pressed(void);
// 0 where ncurses knows four buttons. Then it reports the fifth, the wheel, as a movement.
mmask_t curses_button5_pressed(void);
mmask_t curses_mouse_moved(void);

// The numbers of colour pairs are below this one.
int curses_color_pairs(void);

// A capability as text, or NULL when the terminal lacks it.
const char *curses_capability(const char *name);

// `newterm`, whose name of a terminal is not constant in older headers.
SCREEN *curses_open(const char *terminal, FILE *output, FILE *input);

// The next key that is waiting: OK for a character, KEY_CODE_YES for a key's code, ERR for none.
int curses_read(wint_t *key);

// Puts one spacing character and its combining ones into a cell of the next screen.
int curses_put(int row, int column, const wchar_t *text, attr_t attributes, short pair);

// The bytes that arrive at the wake descriptor.
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

// Another program has the terminal for a while: no exit touches it.
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

// Makes Ctrl-C and Ctrl-Z keys like others, while Ctrl-\ still ends a program that hangs. Answers
// 0, or the error number.
int terminal_restore_keep_quit_key(int input);

// Keeps Ctrl-C and Ctrl-\ for the program in front (an editor) while it runs.
void terminal_restore_ignore_keys(int ignore);

#endif
