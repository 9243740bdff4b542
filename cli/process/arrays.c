/* arrays.c - see arrays.h. */
#include "arrays.h"

#include <stdlib.h>

void *fh_cli_more(void *array, size_t count, size_t size) {
    if (count & (count - 1)) /* between two powers of two there is room */
        return array;
    return reallocarray(array, count ? count * 2 : 1, size);
}
