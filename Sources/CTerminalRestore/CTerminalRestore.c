#include "CTerminalRestore.h"
