// ncurses for Swift: what its header offers without wide characters, and functions for what Swift cannot
// import of it (macros, globals, wide characters).
//
// The functions are compiled in `CCurses.c`, which alone sees wide characters. On Apple's systems the header
// belongs to the module `Darwin.ncurses`, and a macro that is defined here would not reach it.
#ifndef RETCON_CCURSES_H
#define RETCON_CCURSES_H

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

// Puts one spacing character and what hangs on it into a cell of the screen to come.
int curses_put(int row, int column, const wchar_t *text, attr_t attributes, short pair);

#endif
