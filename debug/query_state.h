/*
 * query_state.h - what the files share that evaluate an expression.
 */
#ifndef FH_QUERY_STATE_H
#define FH_QUERY_STATE_H

#include "query_tree.h"

struct fh_query_state;
typedef bool fh_query_at_fn(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                            const struct fh_query_value *q, struct fh_query_value *value);
struct fh_query_state {
    fh_query_at_fn *at; /* query_value.c: evaluates a node */
    const struct fh_query *query;
    struct fh_query_place place; /* lanes of `@` are put there */
    struct fh_query_error *error;
    uint32_t only;                     /* lanes that somebody asks for */
    unsigned expanded;                 /* names within names that stand for expressions */
    bool of_elements;                  /* `lanes` are elements of arrays, from number ... */
    uint64_t element;                  /* ... `element` on */
    const struct fh_query_node *outer; /* the name that does, for errors; NULL: none */
};

/* Fails at a node. Always false. */
bool fh_query_fail(struct fh_query_state *s, const struct fh_query_node *node, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));

/* A value for all, of C's type. */
struct fh_query_value fh_query_one(uint64_t value, unsigned bits, bool is_signed);
/* Makes the values what `bits` and `is_signed` say. */
void fh_query_reduce(struct fh_query_value *value);

/* query_state.c: what kind of operator it is. */
bool fh_query_is_comparison(enum fh_operator op);
bool fh_query_is_shift(enum fh_operator op);

/* Node `index`, for those of `lanes`. `q` (may be NULL): modulo these. */
bool fh_query_at(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                 const struct fh_query_value *q, struct fh_query_value *value);
/* The same; an array is an error. */
bool fh_query_number_at(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                        const struct fh_query_value *q, struct fh_query_value *value);

/* query_operands.c: nodes of operators. */
bool fh_query_unary(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    const struct fh_query_value *q, struct fh_query_value *value);
bool fh_query_binary(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                     const struct fh_query_value *q, struct fh_query_value *value);

/* query_operators.c */
/* Makes the values remainders of q, in 64 bits. */
bool fh_query_modulo(struct fh_query_state *s, const struct fh_query_node *node,
                     const struct fh_query_value *q, struct fh_query_value *value);
/* The node's operator for one value, in place, or for two. No arrays. */
bool fh_query_apply_one(struct fh_query_state *s, const struct fh_query_node *node,
                        const struct fh_query_value *q, struct fh_query_value *value);
bool fh_query_apply(struct fh_query_state *s, const struct fh_query_node *node,
                    const struct fh_query_value *x, const struct fh_query_value *y,
                    const struct fh_query_value *q, struct fh_query_value *value);
/* fh_query_fail, with the lane, or the element, that it is about. */
bool fh_query_fail_in(struct fh_query_state *s, const struct fh_query_node *node, bool per_lane,
                      unsigned lane, const char *what);
/* The common type of C's conversions; a shift's is that of what is shifted. */
struct fh_query_value fh_query_common(enum fh_operator op, const struct fh_query_value *x,
                                      const struct fh_query_value *y);

/* query_elements.c: the same where at least one of the two is an array, whose memory they free; of
 * `y` NULL and node an operator: for one value; of a modulo: its remainders. */
bool fh_query_elements(struct fh_query_state *s, const struct fh_query_node *node,
                       struct fh_query_value *x, struct fh_query_value *y,
                       const struct fh_query_value *q, struct fh_query_value *value);

/* query_floats.c */
bool fh_query_cast(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value);
/* Two values of which one is a floating-point number, at least. */
bool fh_query_floats(struct fh_query_state *s, const struct fh_query_node *node,
                     const struct fh_query_value *x, const struct fh_query_value *y,
                     struct fh_query_value *value);
/* The operator for one. */
bool fh_query_float(struct fh_query_state *s, const struct fh_query_node *node,
                    struct fh_query_value *value);

/* query_names.c: what stands at the end of a branch. */
bool fh_query_register(struct fh_query_state *s, const struct fh_query_node *node,
                       struct fh_query_value *value);
bool fh_query_name(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value);
bool fh_query_parameter(struct fh_query_state *s, const struct fh_query_node *node,
                        struct fh_query_value *value);
bool fh_query_place_value(struct fh_query_state *s, const struct fh_query_node *node,
                          struct fh_query_value *value);
/* Whether the node is a name of registers; *reg is the register that an index means. */
bool fh_query_is_registers(struct fh_query_state *s, const struct fh_query_node *node,
                           struct fh_query_registers *registers);
bool fh_query_register_of(struct fh_query_state *s, const struct fh_query_node *node,
                          const struct fh_query_registers *registers, int64_t index,
                          struct fh_query_value *value);
/* Those of `only` of the place's warp that have not ended; all without a session. */
uint32_t fh_query_lanes(const struct fh_query_state *s);

/* query_arrays.c */
/* A number of that type as C promotes it. */
struct fh_query_value fh_query_promoted(enum fh_query_type type);
bool fh_query_list(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value);
bool fh_query_slice(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value);
bool fh_query_memory(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                     struct fh_query_value *value);
bool fh_query_index(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value);
bool fh_query_address(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                      struct fh_query_value *value);

#endif
