// ncurses with wide characters, and what Swift cannot import of it as static inline functions.
#ifndef RETCON_CNCURSES_H
#define RETCON_CNCURSES_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif

#include <ncurses.h>

#endif
