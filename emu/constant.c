/*
 * constant.c - LDC and ULDC: constant banks with an index that is known at run time only. Plain
 * constant operands were read when the kernel was decoded (decode.c).
 */
#include "access.h"
#include "fault.h"
#include "handlers.h"
#include "isa_names.h"
#include "launch.h"

#include <stdio.h>

/* Checks a read of the bank; the offset wraps at 32 bits. */
static bool check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, uint32_t number,
                  const uint32_t at[FH_LANES]) {
    const struct fh_bank *bank = &w->launch->image->banks[number];
    uint32_t bytes = op->address.bytes, guilty = 0;
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fhec_fault_kind k = at[lane] & (bytes - 1)          ? FHEC_FAULT_MISALIGNED
                            : bytes > bank->size            ? FHEC_FAULT_OUT_OF_BOUNDS
                            : at[lane] > bank->size - bytes ? FHEC_FAULT_OUT_OF_BOUNDS
                                                            : FHEC_FAULT_NONE;
        kind = kind == FHEC_FAULT_NONE ? k : kind;
        guilty |= k != FHEC_FAULT_NONE && k == kind ? 1u << lane : 0;
    }
    if (!guilty)
        return true;
    char text[120];
    if (kind == FHEC_FAULT_MISALIGNED)
        snprintf(text, sizeof text, "a load of %u bytes needs an address that is a multiple of %u",
                 bytes, bytes);
    else
        snprintf(text, sizeof text, "a load of %u bytes outside the %u bytes of constant bank %u",
                 bytes, bank->size, number);
    return fh_fault_address(w, op, kind, guilty, "constant", at[__builtin_ctz(guilty)], text);
}

bool fh_exec_load_const(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t number = op->inst->op[FH_LDC_addr].bank, at[FH_LANES];
    const uint32_t *index = w->r[op->address.base];
    for (uint32_t l = 0; l < FH_LANES; l++)
        at[l] = index[l] + (uint32_t)op->address.offset;
    if (!check(w, op, active, number, at))
        return false;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_lane_load(w, &op->address, lane, w->launch->image->banks[number].bytes + at[lane]);
    }
    return true;
}

bool fh_exec_load_const_uniform(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t number = op->inst->op[FH_ULDC_addr].bank, at[FH_LANES];
    const struct fh_address *a = &op->address;
    for (uint32_t l = 0; l < FH_LANES; l++)
        at[l] = w->ur[a->ureg] + (uint32_t)a->offset;
    if (!check(w, op, active, number, at))
        return false;
    uint32_t words[2] = {0};
    memcpy(words, w->launch->image->banks[number].bytes + at[0], a->bytes);
    w->ur[a->data] = fh_extend(words[0], a->bytes, a->sign_extend);
    if (a->bytes == 8)
        w->ur[a->data + 1] = words[1];
    return true;
}
