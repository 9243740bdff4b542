/*
 * operand_places.h - where in a warp what an operand names is.
 */
#ifndef FH_OPERAND_PLACES_H
#define FH_OPERAND_PLACES_H

#include "launch.h"

/* The row, predicate or uniform register; `access` is the operand's enum fh_access. */
static inline uint16_t fh_operand_row(const struct fh_operand *o, unsigned access) {
    if (o->kind == FH_K_REG && o->reg == FH_RZ)
        return access & FH_WRITE ? FH_SINK_ROW : FH_ZERO_ROW;
    if (o->kind == FH_K_UREG && o->reg == FH_URZ)
        return access & FH_WRITE ? FH_SINK_UREG : FH_ZERO_UREG;
    if ((o->kind == FH_K_PRED || o->kind == FH_K_UPRED) && o->reg == FH_PT)
        return access & FH_WRITE ? FH_SINK_PRED : FH_PT;
    if (o->kind == FH_K_IMM || o->kind == FH_K_CONST) /* imm + that uniform register: exec.h */
        return FH_ZERO_UREG;
    return o->reg;
}

/* Its offset in struct fh_warp. */
static inline uint16_t fh_operand_offset(enum fh_kind kind, uint16_t row) {
    switch (kind) {
    case FH_K_PRED: return (uint16_t)(offsetof(struct fh_warp, p) + row * sizeof(uint32_t));
    case FH_K_UPRED: return (uint16_t)(offsetof(struct fh_warp, up) + row);
    case FH_K_UREG:
    case FH_K_IMM:
    case FH_K_CONST: return (uint16_t)(offsetof(struct fh_warp, ur) + row * sizeof(uint32_t));
    default: return fh_row_offset(row);
    }
}

/* The row of an address' base. */
static inline uint16_t fh_base_row(const struct fh_operand *o) {
    return o->reg == FH_RZ ? FH_ZERO_ROW : o->reg;
}

/* Keeps count of the highest register that operands name. */
static inline void fh_use_rows(struct fh_image *image, const struct fh_operand *o,
                               unsigned registers) {
    const bool is_register = o->kind == FH_K_REG || o->kind == FH_K_ADDR || o->kind == FH_K_CONST;
    const unsigned n = o->kind == FH_K_REG ? registers : 2;
    if (is_register && o->reg != FH_RZ && o->reg + n > image->rows)
        image->rows = o->reg + n < FH_RZ ? o->reg + n : FH_RZ;
}

#endif
