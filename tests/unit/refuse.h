/*
 * refuse.h - allocations that fail, for tests whose names end in _oom_test: the linker sends every
 * malloc, calloc and realloc of such a program here (--wrap). Any thread may allocate.
 */
#ifndef REFUSE_H
#define REFUSE_H

#include <stdbool.h>

/* From now on `granted` allocations are made, and the next one is refused; those after it are, too,
 * unless `once`. */
void refuse_after(long granted, bool once);
/* All are granted again. Returns whether one was refused. */
bool refuse_end(void);
/* How many were asked for since refuse_after. */
long refuse_asked(void);

enum { REFUSE_NONE = 1 << 30 }; /* more than any test allocates: only counts */

#endif
