#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif

#include "CTerminal.h"

#include <limits.h>

extern char *tigetstr(const char *capability);

WINDOW *curses_screen(void) { return stdscr; }
WINDOW *curses_shown(void) { return curscr; }
int curses_rows(void) { return getmaxy(stdscr); }
int curses_columns(void) { return getmaxx(stdscr); }
int curses_colors(void) { return has_colors() ? COLORS : 0; }

attr_t curses_bold(void) { return A_BOLD; }
attr_t curses_dim(void) { return A_DIM; }
attr_t curses_italic(void) { return A_ITALIC; }
attr_t curses_underline(void) { return A_UNDERLINE; }
attr_t curses_reverse(void) { return A_REVERSE; }

// The header of Apple's systems names four buttons.
#ifndef BUTTON5_PRESSED
#define BUTTON5_PRESSED 0
#endif

mmask_t curses_mouse_events(void) {
  return BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON3_PRESSED | BUTTON4_PRESSED |
         BUTTON5_PRESSED | REPORT_MOUSE_POSITION;
}
mmask_t curses_button1_pressed(void) { return BUTTON1_PRESSED; }
mmask_t curses_button1_released(void) { return BUTTON1_RELEASED; }
mmask_t curses_button3_pressed(void) { return BUTTON3_PRESSED; }
mmask_t curses_button4_pressed(void) { return BUTTON4_PRESSED; }
mmask_t curses_button5_pressed(void) { return BUTTON5_PRESSED; }
mmask_t curses_mouse_moved(void) { return REPORT_MOUSE_POSITION; }

// `init_pair` takes a short, and Apple's ncurses has no function that takes more.
int curses_color_pairs(void) { return COLOR_PAIRS < SHRT_MAX ? COLOR_PAIRS : SHRT_MAX; }

const char *curses_capability(const char *name) {
  const char *text = tigetstr((char *)name);
  return text == (const char *)-1 ? NULL : text;
}

SCREEN *curses_open(const char *terminal, FILE *output, FILE *input) {
  return newterm((char *)terminal, output, input);
}

int curses_read(wint_t *key) { return wget_wch(stdscr, key); }

int curses_put(int row, int column, const wchar_t *text, attr_t attributes, short pair) {
  cchar_t cell;
  // The last argument could point to a larger number; Apple's ncurses refuses any pointer.
  if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
  return mvwadd_wch(stdscr, row, column, &cell);
}
