#ifndef RETCON_BUILD_INFO_H
#define RETCON_BUILD_INFO_H

// The commit that the program was built from, or an empty text.
const char *build_commit(void);

#endif
