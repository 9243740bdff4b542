/*
 * query_tree.h - an expression as nodes: query_parse.c makes them, query_value.c evaluates them.
 */
#ifndef FH_QUERY_TREE_H
#define FH_QUERY_TREE_H

#include "operators.h"
#include "query.h"

enum fh_query_kind {
    FH_QUERY_NUMBER,    /* number; wide, is_signed, or form */
    FH_QUERY_REGISTER,  /* file, reg, count */
    FH_QUERY_NAME,      /* a name */
    FH_QUERY_PARAMETER, /* param.NAME */
    FH_QUERY_PLACE,     /* lane, warp, block.x ...: number says which */
    FH_QUERY_MEMORY,    /* space.type[a]; constants: bank a, address b */
    FH_QUERY_GOLDEN,    /* a function: arguments a, then each one's `next` */
    FH_QUERY_LIST,      /* [a, b, ...]: the elements a, then each one's `next` */
    FH_QUERY_CAST,      /* to `type`, or, if form says so, to `number` bits of that */
    FH_QUERY_INDEX,     /* a[b] */
    FH_QUERY_SLICE,     /* a[b:c] */
    FH_QUERY_LANE,      /* a@b */
    FH_QUERY_EVERY,     /* a@* */
    FH_QUERY_ADDRESS,   /* &a */
    FH_QUERY_UNARY,     /* op a */
    FH_QUERY_BINARY,    /* a op b */
    FH_QUERY_CHOICE,    /* a ? b : c */
    FH_QUERY_MODULO,    /* a mod b */
};

enum fh_query_place_name { FH_AT_LANE, FH_AT_WARP, FH_AT_BLOCK_X, FH_AT_BLOCK_Y, FH_AT_BLOCK_Z };

struct fh_query_node {
    enum fh_query_kind kind;
    enum fh_operator op; /* of UNARY, BINARY */
    uint16_t a, b, c;    /* nodes; 0: none */
    uint16_t next;
    bool wide, is_signed;
    enum fh_query_exact exact;
    fhec_register_file file;
    uint16_t reg, count;
    fhec_space space;
    enum fh_query_type type;
    enum fh_query_form form;
    uint64_t number;
    uint32_t at, length; /* of the text: its name, or its operator */
};

struct fh_query {
    char *text;
    uint16_t count, root; /* node 0 is none */
    struct fh_query_node nodes[FH_QUERY_NODES];
};

/* Sets the error and returns FHEC_BAD_INPUT. */
fhec_status fh_query_wrong(struct fh_query_error *error, size_t at, size_t length,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
