/*
 * array.h - malloc'd arrays that grow. The only realloc of the library and of the ISA compiler,
 * beside the one that flex asks for, is behind these two functions.
 *
 * `array` is the address of the pointer to the elements, NULL at first, of any type; free() ends
 * it. Without host memory, or when the size would not fit in a size_t, the answer is false and the
 * array is as before.
 */
#ifndef FH_ARRAY_H
#define FH_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `count` elements of `size` bytes in the array of *capacity elements, at least
 * doubling it when it is too small. */
bool fh_grow(void *array, size_t *capacity, size_t count, size_t size);

/* Makes room for one more element in an array of `count` whose capacity nobody keeps: it follows
 * from the count, as the least power of two that is not below it. */
bool fh_grow_by_one(void *array, size_t count, size_t size);

#endif
