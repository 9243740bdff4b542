/*
 * table.c - all families and rows, from the lists (*.def).
 */
#include "hw.h"

#define BYTES_r 4
#define BYTES_l 8
#define BYTES_f 4
#define BYTES_d 8
#define EXACT   HW_EXACT, 0
#define NAN     HW_NAN, 0
#define HALVES  HW_HALVES, 0
#define ULP1    HW_ULP, 1
#define ULP2    HW_ULP, 2
#define NEAR(k) HW_NEAR, k

#define PRED(text) text
/* What the lists are, first for the models' declarations, then for the rows. */
#define OP(name, o, i, j, rule, text) ENTRY(name, BYTES_##o, rule)
#define EVEN                          OP
#define GLOBAL(name, t, text)                                                                      \
    ENTRY(name, BYTES_##t, EXACT)                                                                  \
    ENTRY(name##_after, BYTES_##t, EXACT)
#define SHARED           GLOBAL
#define SUM(name, text)  ENTRY(name, 4, EXACT)
#define COPY(name, text) ENTRY(name, 8, EXACT)
#define ENTRIES_1(name)  ENTRY(name##_0, 4, EXACT)
#define ENTRIES_2(name)  ENTRIES_1(name) ENTRY(name##_1, 4, EXACT)
#define ENTRIES_4(name)                                                                            \
    ENTRIES_2(name)                                                                                \
    ENTRY(name##_2, 4, EXACT)                                                                      \
    ENTRY(name##_3, 4, EXACT)
#define MMA(name, shape, types, a, b, c) ENTRIES_##c(name)
#define LOAD(name, text, count)          ENTRIES_##count(name)

#define ENTRY(name, bytes, ...) HW_MODEL(name);
#define FROM_INTEGER
#define FROM_FLOAT
#define FROM_DOUBLE
#include "convert.def"
#include "float.def"
#include "integer.def"
#include "lanes.def"
#include "matrix.def"
#include "memory.def"
#undef FROM_INTEGER
#undef FROM_FLOAT
#undef FROM_DOUBLE
#undef ENTRY

#define ENTRY(name, bytes, ...) {#name, bytes, __VA_ARGS__, hw_##name},
static const struct hw_row integer[] = {
#include "integer.def"
};
static const struct hw_row floats[] = {
#include "float.def"
};
#define FROM_INTEGER
static const struct hw_row from_integer[] = {
#include "convert.def"
};
#undef FROM_INTEGER
#define FROM_FLOAT
static const struct hw_row from_float[] = {
#include "convert.def"
};
#undef FROM_FLOAT
#define FROM_DOUBLE
static const struct hw_row from_double[] = {
#include "convert.def"
};
#undef FROM_DOUBLE
static const struct hw_row lanes[] = {
#include "lanes.def"
};
static const struct hw_row memory[] = {
#include "memory.def"
};
static const struct hw_row matrix[] = {
#include "matrix.def"
};
#define SILICON(name, data, ...) {#name, 8, __VA_ARGS__, NULL},
static const struct hw_row silicon[] = {
#include "silicon.def"
};
#undef SILICON
enum {
#define SILICON(name, data, ...) SILICON_##name,
#include "silicon.def"
#undef SILICON
};

static const struct hw_family families[] = {
    {"integer", false, HW_INTEGERS, HW_INTEGER_ROWS, integer},
    {"floats", false, HW_SINGLES, HW_FLOATS_ROWS, floats},
    {"from_integer", false, HW_INTEGERS, HW_FROM_INTEGER_ROWS, from_integer},
    {"from_float", false, HW_SINGLES, HW_FROM_FLOAT_ROWS, from_float},
    {"from_double", false, HW_DOUBLES, HW_FROM_DOUBLE_ROWS, from_double},
    {"lanes", false, HW_WARPS, HW_LANES_ROWS, lanes},
    {"memory", false, HW_INTEGERS, HW_MEMORY_ROWS, memory},
    {"matrix", false, HW_INTEGERS, HW_MATRIX_ROWS, matrix},
#define SILICON(name, data, ...) {"silicon_" #name, true, data, 1, silicon + SILICON_##name},
#include "silicon.def"
};

const struct hw_family *hw_family(unsigned index) {
    return index < sizeof families / sizeof *families ? &families[index] : NULL;
}

static const struct hw_choice choices[] = {
#define CHOICE(row, page, text) {#row, page, text},
#include "choices.def"
};

const struct hw_choice *hw_choice(unsigned index) {
    return index < sizeof choices / sizeof *choices ? &choices[index] : NULL;
}
