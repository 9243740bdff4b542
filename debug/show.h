/*
 * show.h - how a debugger's state looks, as lines of text with spans of styles: registers as a grid
 * of lanes, the matrices of an instruction, memory as a table, banks, masks, calls. Nothing here
 * knows of terminals: a face makes colours of styles, and all that they say stands in the text,
 * too.
 */
#ifndef FH_SHOW_H
#define FH_SHOW_H

#include "operand_origins.h"
#include "query.h"

enum fh_show_style {
    FH_SHOW_PLAIN,
    FH_SHOW_TITLE,     /* of a table */
    FH_SHOW_NAME,      /* of a row or column: a register, a lane, an index */
    FH_SHOW_FOCUS,     /* the name of the lane that is looked at */
    FH_SHOW_CHANGED,   /* a value that is not what it was; marked by "*" */
    FH_SHOW_INACTIVE,  /* of a lane that does not issue with the others; its number is in () */
    FH_SHOW_WRONG,     /* what cannot be read: "?" */
    FH_SHOW_MISPLACED, /* an element that belongs elsewhere; marked by "!" */
};

struct fh_show_span {
    size_t begin, length; /* bytes */
    enum fh_show_style style;
};

struct fh_show_line {
    const char *text; /* ends in a NUL */
    size_t length;
    const struct fh_show_span *spans; /* from left to right; what is between them is plain */
    size_t span_count;
};

/* Where lines go. */
struct fh_show_out {
    void (*line)(void *user, const struct fh_show_line *line);
    void *user;
    unsigned width; /* columns of text; what needs more is split; 0: 80 */
};

/* ---------------------------------------------------------------- numbers */

enum fh_show_kind {
    FH_SHOW_HEX,
    FH_SHOW_SIGNED,
    FH_SHOW_UNSIGNED,
    FH_SHOW_FLOAT,   /* of 16, 32 or 64 bits */
    FH_SHOW_MODULAR, /* the remainder of q that is nearest to 0: from -(q - 1) / 2 to q / 2 */
    FH_SHOW_ADDRESS, /* buffer[index]; hexadecimal where `place` knows none */
    FH_SHOW_HALVES,  /* of 32 bits: two floating-point numbers, the low half first */
    FH_SHOW_BINARY,
};

struct fh_show_format {
    enum fh_show_kind kind;
    uint64_t q;
    /* What lies at an address, as text. NULL: nothing is known. */
    bool (*place)(void *user, uint64_t address, char *text, size_t size);
    void *user;
};
enum { FH_SHOW_NUMBER = 80 };
void fh_show_number(const struct fh_show_format *format, uint64_t value, unsigned bits,
                    char text[FH_SHOW_NUMBER]);
/* A floating-point number, or two halves, of an expression. */
void fh_show_value(const struct fh_query_value *value, uint64_t bits, char text[FH_SHOW_NUMBER]);
/* The format of that name: "hex", "signed", "unsigned", "float", "mod" or "centred", "address",
 * "halves", "binary". */
bool fh_show_kind_named(const char *name, enum fh_show_kind *kind);

/* ---------------------------------------------------------------- tables */

struct fh_show_cell {
    char text[FH_SHOW_NUMBER];
    enum fh_show_style style;
    char mark; /* behind it, in the place of a blank: '*', '!'; 0: none */
};

/* Rows with names, and columns, as many side by side as there is room for: all, or the largest
 * power of two. The callbacks fill cells, which come empty. */
struct fh_show_table {
    const char *title; /* NULL: none */
    uint64_t rows, columns;
    bool window;    /* only the columns from `first` on for which there is room, of whatever number;
                       they may be fewer at the end */
    uint64_t first; /* of a window */
    void *user;
    void (*row)(void *user, uint64_t row, struct fh_show_cell *cell);
    void (*column)(void *user, uint64_t column, struct fh_show_cell *cell); /* NULL: no names */
    void (*cell)(void *user, uint64_t row, uint64_t column, struct fh_show_cell *cell);
};
/* Returns for how many columns there is room. */
uint64_t fh_show_table(const struct fh_show_out *out, const struct fh_show_table *table);
/* One line in one style. */
void fh_show_text(const struct fh_show_out *out, enum fh_show_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---------------------------------------------------------------- a warp */

/* Its registers at a moment, for the next one to be compared with. */
struct fh_show_warp {
    uint32_t r[255][FHEC_WARP_LANES], ur[63], p[7], up[7];
    uint32_t active, exited, lanes; /* as in fhec_warp_info */
};
/* FHEC_BAD_INPUT if it is not resident. */
fhec_status fh_show_warp_read(const fhec_session *session, const uint32_t block[3], uint32_t number,
                              struct fh_show_warp *warp);

struct fh_show_grid {
    const struct fh_show_warp *warp, *before; /* before NULL: nothing is marked */
    const uint16_t *registers;                /* R */
    size_t count;
    bool pairs;    /* each with the one behind it, as 64 bits */
    uint32_t lane; /* that is looked at */
    bool window;   /* only lanes from `first` on, as of tables */
    uint32_t first;
    struct fh_show_format format;
};
/* Lanes across, registers down. Returns for how many lanes there is room side by side. */
uint32_t fh_show_grid(const struct fh_show_out *out, const struct fh_show_grid *grid);
/* P0 to P6 as masks and as pictures, lane 0 first. */
void fh_show_predicates(const struct fh_show_out *out, const struct fh_show_warp *warp,
                        const struct fh_show_warp *before);
/* UR first to last, and UP0 to UP6 as one line. */
void fh_show_uniform(const struct fh_show_out *out, const struct fh_show_warp *warp,
                     const struct fh_show_warp *before, unsigned first, unsigned last,
                     const struct fh_show_format *format);
/* The functions that a lane is in, the innermost first, with their lines. */
void fh_show_calls(const struct fh_show_out *out, const fhec_session *session,
                   const uint32_t block[3], uint32_t warp, uint32_t lane);

/* ---------------------------------------------------------------- matrices */

enum fh_show_element {
    FH_SHOW_VALUES,
    FH_SHOW_ORIGINS, /* "a[37]"; "@0x1a0": the instruction there computed it */
    FH_SHOW_LANES,   /* "13:R10": lane and register */
};
struct fh_show_matrices {
    const struct fh_show_warp *warp;
    const fhec_instruction *instruction;
    const char *operand; /* its name; NULL: all */
    enum fh_show_element what;
    /* Where the registers' values come from, at the instruction: elements that are not where the
     * source, or the others, say that they belong are marked, and sentences say so. NULL: nothing
     * is known, which goes with values and lanes only. */
    const struct fh_origin_scene *scene;
    struct fh_show_format format; /* of values */
};
/* The operands of a matrix instruction that are spread over the warp, each as a table of elements.
 * False: the instruction has none, or not that one. */
bool fh_show_matrices(const struct fh_show_out *out, const struct fh_show_matrices *matrices);

/* ---------------------------------------------------------------- memory */

/* An array by its shape: the last dimension across. At most `limit` rows. */
void fh_show_array(const struct fh_show_out *out, const struct fh_query_array *array,
                   const char *name, const struct fh_query_place *place, uint64_t limit,
                   const struct fh_show_format *format);
/* Words [first, first + count) of a block's shared memory, bank by bank. */
void fh_show_banks(const struct fh_show_out *out, const struct fh_query_place *place,
                   uint32_t first, uint32_t count, const struct fh_show_format *format);

#endif
