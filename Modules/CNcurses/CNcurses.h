// ncurses with wide characters, from Debian's libncursesw-dev.
#include <ncurses.h>
