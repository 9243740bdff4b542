/*
 * matrix_array.c - FHEC of the reference engine: the array of processing elements, clock by clock.
 *
 *                 B[k][0]  B[k][1]  ...  B[k][7]        column n is forwarded n cycles late
 *                    |        |             |
 *     A[0][k]  --> PE --->  PE  ---> ... PE(0,7)
 *                    |        |             |
 *     A[1][k]  --> PE --->  PE  ---> ... PE(1,7)        row m is forwarded m cycles late
 *                   ...
 *     A[15][k] --> PE --->  PE  ---> ... PE(15,7)
 *
 * The result R stays in its element (output-stationary). An operand rests one cycle in each element
 * and then moves on, A to the right, B downward, so element k of row m and of column n meet in
 * PE(m,n) in cycle m + n + k. There the pair enters a pipeline that takes a pair every cycle; its
 * last stage is R. Hardware reduces a b on the way and adds it into R with a modular add of one
 * cycle; the model carries the pair through the stages and applies the product step of the
 * instruction where R is written, in order of arrival: the same times, and the values that the
 * instruction defines for all operands.
 *
 * Which lane holds which element comes from the fragment layouts of the instruction set.
 */
#include "matrix_array.h"

#include <string.h>

enum { ROWS = FH_TILE_ROWS, COLUMNS = FH_TILE_COLUMNS, DEPTH = FH_TILE_DEPTH, STAGES = 6 };

/* A register between two elements. */
struct operand {
    bool valid;
    uint32_t value;
};

struct pair {
    bool valid;
    uint32_t a, b;
};

struct element {
    struct operand a, b;           /* what has arrived from the left and from above */
    struct pair stage[STAGES - 1]; /* the pipeline before R, youngest first */
    uint32_t r;                    /* its last stage */
};

struct array {
    struct element element[ROWS][COLUMNS];
    struct fh_modulus modulus[COLUMNS];
    uint32_t a[ROWS][DEPTH], b[DEPTH][COLUMNS];
    uint32_t cycle;   /* cycles so far */
    uint32_t retired; /* products that have reached their R */
};

/* What the left edge hands to row m and the upper edge to column n in this cycle. */
static struct operand feed_a(const struct array *array, uint32_t m) {
    uint32_t k = array->cycle - m;
    if (array->cycle < m || k >= DEPTH)
        return (struct operand){false, 0};
    return (struct operand){true, array->a[m][k]};
}

static struct operand feed_b(const struct array *array, uint32_t n) {
    uint32_t k = array->cycle - n;
    if (array->cycle < n || k >= DEPTH)
        return (struct operand){false, 0};
    return (struct operand){true, array->b[k][n]};
}

/* One edge of the clock for one element; left and upper are what its neighbours held before it. */
static void clock_element(struct array *array, struct element *e, uint32_t column,
                          struct operand left, struct operand upper) {
    struct pair oldest = e->stage[STAGES - 2];
    if (oldest.valid) {
        e->r = fh_fhec_step(array->modulus[column], e->r, oldest.a, oldest.b);
        array->retired++;
    }
    memmove(&e->stage[1], &e->stage[0], sizeof e->stage - sizeof e->stage[0]);
    e->stage[0] = (struct pair){e->a.valid && e->b.valid, e->a.value, e->b.value};
    e->a = left;
    e->b = upper;
}

/* Elements in descending order, so that each sees its neighbours as they were. */
static void clock_array(struct array *array) {
    for (uint32_t m = ROWS; m-- > 0;) {
        for (uint32_t n = COLUMNS; n-- > 0;) {
            struct operand left = n > 0 ? array->element[m][n - 1].a : feed_a(array, m);
            struct operand upper = m > 0 ? array->element[m - 1][n].b : feed_b(array, n);
            clock_element(array, &array->element[m][n], n, left, upper);
        }
    }
    array->cycle++;
}

uint32_t fh_fhec_array(struct fh_warp *w, uint16_t a, uint16_t b, uint16_t c, uint16_t d,
                       const struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    struct array array = {0};
    memcpy(array.modulus, modulus, sizeof array.modulus);
    uint32_t results[ROWS][COLUMNS];
    fh_matrix_read_32("FHEC.16816.U32.U32", "A", w, a, array.a[0]);
    fh_matrix_read_32("FHEC.16816.U32.U32", "B", w, b, array.b[0]);
    fh_matrix_read_32("FHEC.16816.U32.U32", "C", w, c, results[0]);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            array.element[m][n].r = results[m][n];

    while (array.retired < ROWS * COLUMNS * DEPTH)
        clock_array(&array);

    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            results[m][n] = array.element[m][n].r;
    fh_matrix_write_32("FHEC.16816.U32.U32", "D", results[0], w, d);
    return array.cycle;
}
