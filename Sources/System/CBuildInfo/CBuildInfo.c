#include "CBuildInfo.h"

#ifndef RETCON_COMMIT
#define RETCON_COMMIT ""
#endif

const char *build_commit(void) { return RETCON_COMMIT; }
