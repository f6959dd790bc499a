// The parts of glibc 2.35 that the compiler's libraries need, so that the program runs with 2.34,
// as on Red Hat 9 and Amazon Linux 2023. Linked into packages only.
#define _GNU_SOURCE
#include <link.h>
#include <math.h>
#include <string.h>

#if __GLIBC_PREREQ(2, 35)
#include <dlfcn.h>

// Only the version for errno is new.
float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}

struct wanted { ElfW(Addr) address; struct dl_find_object *found; };

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  struct wanted *wanted = data;
  struct dl_find_object found = { 0 };
  int isInside = 0;
  for (int n = 0; n < info->dlpi_phnum; n++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[n];
    ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == DLFO_EH_SEGMENT_TYPE) found.dlfo_eh_frame = (void *)start;
    if (part->p_type != PT_LOAD) continue;
    void *end = (void *)(start + part->p_memsz);
    if (!found.dlfo_map_start) found.dlfo_map_start = (void *)start;
    if (end > found.dlfo_map_end) found.dlfo_map_end = end;
    isInside |= wanted->address - start < part->p_memsz;
  }
  if (!isInside || !found.dlfo_eh_frame) return 0;
  memcpy(wanted->found, &found, sizeof found);
  return 1;
}

/// Finds the tables for unwinding a call, as gcc's library asks for them.
int _dl_find_object(void *address, struct dl_find_object *found) {
  struct wanted wanted = { (ElfW(Addr))address, found };
  return dl_iterate_phdr(look, &wanted) ? 0 : -1;
}
#endif
