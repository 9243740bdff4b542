/*
 * op_template.h - instructions that differ from one decoded before in registers, 32-bit immediates,
 * offsets of addresses and scheduling only. What those are resolved to is copied from it, which is
 * several times as fast as to look at each field of the word and to choose functions again.
 */
#ifndef FH_OP_TEMPLATE_H
#define FH_OP_TEMPLATE_H

#include "launch.h"

enum { FH_OP_TEMPLATES = 64, FH_OP_TEMPLATE_FIELDS = 6 };

/* An operand that varies. */
struct fh_op_template_field {
    uint8_t operand;
    uint8_t reg_bit; /* where the number of its register begins in the word; IMM: none */
    uint8_t scalar;  /* IMM: index in op->scalar; FH_SCALARS: none */
    bool source;     /* a register that is read */
    bool data;       /* the one that a load or store moves */
};

struct fh_op_template {
    fhec_word word, varying; /* and the bits in which others may differ from it */
    const struct fh_op *op;  /* as fh_image_decode left it; NULL: nothing is here yet */
    bool varies;             /* its results are not the same each time, whatever the fields are */
    uint8_t count;
    struct fh_op_template_field field[FH_OP_TEMPLATE_FIELDS];
};

/* Those of one image and engine, by a hash of what they have in common. */
struct fh_op_templates {
    struct fh_op_template at[FH_OP_TEMPLATES];
};

void fh_op_templates_begin(struct fh_op_templates *templates);

/* What fh_image_decode does, if there is a template for the word. False: there is none, and
 * fh_image_decode has yet to be called, with the same inst and op. */
bool fh_op_template_decode(const struct fh_op_templates *templates, struct fh_image *image,
                           fhec_word word, uint32_t pc, struct fh_inst *inst, struct fh_op *op);

/* Makes the word, which fh_image_decode turned into `op`, a template if it can be one. Op and inst
 * stay as they are while the templates are used. */
void fh_op_template_learn(struct fh_op_templates *templates, const struct fh_image *image,
                          fhec_word word, const struct fh_op *op);

#endif
