// ncurses with wide characters, and what Swift cannot import of it (macros, globals, variadic
// functions) as static inline functions.
#ifndef RETCON_CNCURSES_H
#define RETCON_CNCURSES_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif

#include <ncurses.h>
#include <stddef.h>
#include <wchar.h>

// Of <term.h> and <wchar.h>, without the hundreds of macros that come with the first.
extern int setupterm(const char *name, int descriptor, int *problem);
extern char *tigetstr(const char *capability);
extern int wcwidth(wchar_t character);

static inline WINDOW *curses_screen(void) { return stdscr; }
static inline WINDOW *curses_shown(void) { return curscr; }
static inline int curses_rows(void) { return getmaxy(stdscr); }
static inline int curses_columns(void) { return getmaxx(stdscr); }
static inline int curses_colors(void) { return has_colors() ? COLORS : 0; }
static inline int curses_color_pairs(void) { return COLOR_PAIRS; }

static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_dim(void) { return A_DIM; }
static inline attr_t curses_italic(void) { return A_ITALIC; }
static inline attr_t curses_underline(void) { return A_UNDERLINE; }
static inline attr_t curses_reverse(void) { return A_REVERSE; }

// Clicks are not among them: ncurses would make one of a press and a release.
static inline mmask_t curses_mouse_events(void) {
  return BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON3_PRESSED | BUTTON4_PRESSED |
         BUTTON5_PRESSED | REPORT_MOUSE_POSITION;
}
static inline mmask_t curses_button1_pressed(void) { return BUTTON1_PRESSED; }
static inline mmask_t curses_button1_released(void) { return BUTTON1_RELEASED; }
static inline mmask_t curses_button3_pressed(void) { return BUTTON3_PRESSED; }
static inline mmask_t curses_button4_pressed(void) { return BUTTON4_PRESSED; }
static inline mmask_t curses_button5_pressed(void) { return BUTTON5_PRESSED; }
static inline mmask_t curses_mouse_moved(void) { return REPORT_MOUSE_POSITION; }

// A capability as text, or NULL when the terminal lacks it.
static inline const char *curses_capability(const char *name) {
  const char *text = tigetstr((char *)name);
  return text == (const char *)-1 ? NULL : text;
}

// Puts one spacing character and what hangs on it into a cell of the screen to come.
static inline int curses_put(
    int row, int column, const wchar_t *text, attr_t attributes, int pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return ERR;
  return mvwadd_wch(stdscr, row, column, &cell);
}

#endif
