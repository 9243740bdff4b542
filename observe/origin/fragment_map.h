/*
 * fragment_map.h - the elements of a matrix operand with their origins, and the affine map that
 * most of them follow:
 *
 *     A[i][j] = x[row * i + column * j + first]
 *
 * in bits of memory here, in elements where it is printed.
 */
#ifndef FH_FRAGMENT_MAP_H
#define FH_FRAGMENT_MAP_H

#include "origins.h"

/* A layout as tables. */
struct fh_fragment_place {
    uint8_t lane, reg, bit; /* reg: counted from the operand's first; bit: in it */
};
struct fh_fragment_shape {
    fhec_layout layout;
    uint32_t count;                  /* rows * columns */
    struct fh_fragment_place *place; /* of row * columns + column */
};
/* NULL without host memory. */
struct fh_fragment_shape *fh_fragment_shape_new(size_t layout);
void fh_fragment_shape_free(struct fh_fragment_shape *shape);

/* Where an element came from. */
struct fh_element_origin {
    fh_origin origin; /* of its first byte; mixed: its bytes do not follow one another */
    uint8_t bit;      /* in that byte */
};

struct fh_fragment {
    const struct fh_fragment_shape *shape;
    uint32_t reg;                       /* the operand's first register */
    struct fh_element_origin *elements; /* shape->count */
};
/* Room for `shape`; false without host memory. */
bool fh_fragment_make(struct fh_fragment *fragment, const struct fh_fragment_shape *shape);
void fh_fragment_free(struct fh_fragment *fragment);
/* The operand in registers `reg` and on, as a warp has them. */
void fh_fragment_gather(struct fh_fragment *fragment, const struct fh_warp_shadow *warp,
                        uint32_t reg);

struct fh_fragment_map {
    bool found;                 /* at least half of all elements follow it */
    uint64_t space;             /* of memory: fh_origin_space */
    fh_origin any;              /* of an element that fits */
    int64_t row, column, first; /* bits */
    uint32_t fits;              /* elements that follow it */
    uint32_t others;            /* elements in memory that do not, or that an instruction made */
};
/* False without host memory. */
bool fh_fragment_fit(const struct fh_fragment *fragment, struct fh_fragment_map *map);

/* Of an element: whether it is in memory; its place in bits. */
bool fh_element_is_placed(const struct fh_element_origin *element);
int64_t fh_element_bit(const struct fh_element_origin *element);
bool fh_element_fits(const struct fh_fragment *fragment, const struct fh_fragment_map *map,
                     uint32_t row, uint32_t column);
/* Whether the element is another one than the map says, and not just a number. */
bool fh_element_differs(const struct fh_fragment *fragment, const struct fh_fragment_map *map,
                        uint32_t row, uint32_t column);

/* "x[16*i + j + 4]". Length like snprintf. */
int fh_fragment_map_text(const struct fh_origins *origins, const struct fh_fragment *fragment,
                         const struct fh_fragment_map *map, char *text, size_t size);
/* "16*i + j + 4": the terms that are not zero; "0". */
struct fh_index_term {
    int64_t factor;
    const char *of; /* "i"; NULL: the constant */
};
int fh_index_text(const struct fh_index_term *terms, size_t count, char *text, size_t size);

#endif
