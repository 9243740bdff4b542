/*
 * arrays.h - arrays of the tool that grow. It knows the library by its public header alone, so it
 * has this of its own.
 */
#ifndef FH_CLI_ARRAYS_H
#define FH_CLI_ARRAYS_H

#include <stddef.h>

/* Room for one more in an array of `count` elements of `size` bytes whose capacity follows from the
 * count: the least power of two that is not below it. NULL without memory; the array is as before.
 */
void *fh_cli_more(void *array, size_t count, size_t size);

#endif
