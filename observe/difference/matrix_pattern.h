/*
 * matrix_pattern.h - what is wrong with a linear map, seen as a matrix: which rows (outputs) and
 * columns (inputs), and whether it is the right one transposed, with rows or columns in another
 * order, scaled, or without some of them.
 */
#ifndef FH_DIFFERENCE_MATRIX_PATTERN_H
#define FH_DIFFERENCE_MATRIX_PATTERN_H

#include <stdint.h>

#include "pattern.h"

/* Both matrices column after column, as one-hot inputs give them. */
struct fh_probed {
    size_t rows, columns;
    size_t first_column; /* the number of the first of them; lists count from 0 all the same */
    const uint64_t *got, *want;
    uint64_t modulus; /* entries are residues; 0: 2^64 */
};

struct fh_matrix_pattern {
    size_t wrong;                                         /* entries */
    size_t row_count, column_count;                       /* in which there are some */
    size_t *row_list, *column_list;                       /* ascending; malloc'd */
    char rows[FH_PATTERN_TEXT], columns[FH_PATTERN_TEXT]; /* which, in words */
    char cause[FH_PATTERN_TEXT];                          /* empty: none of the simple ones */
};

/* False without host memory. To be freed in any case. */
bool fh_matrix_describe(const struct fh_probed *probed, struct fh_matrix_pattern *pattern);
void fh_matrix_pattern_free(struct fh_matrix_pattern *pattern);

#endif
