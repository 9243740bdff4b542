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

static const struct fh_bank *bank_of(const struct fh_warp *w, uint32_t number) {
    static const struct fh_bank none;
    return number < FH_BANKS ? &w->launch->image->banks[number] : &none;
}

/* What is wrong with a load of `bytes` there; FHEC_FAULT_NONE: nothing. */
static inline fhec_fault_kind fault_at(const struct fh_bank *bank, uint32_t at, uint32_t bytes) {
    return at & (bytes - 1)                                ? FHEC_FAULT_MISALIGNED
           : bytes > bank->size || at > bank->size - bytes ? FHEC_FAULT_OUT_OF_BOUNDS
                                                           : FHEC_FAULT_NONE;
}

static bool check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                  const struct fh_constant_place place[FH_LANES]) {
    uint32_t bytes = op->address.bytes, guilty = 0;
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), at = place[lane].at;
        const fhec_fault_kind k = fault_at(bank_of(w, place[lane].bank), at, bytes);
        kind = kind == FHEC_FAULT_NONE ? k : kind;
        guilty |= k != FHEC_FAULT_NONE && k == kind ? 1u << lane : 0;
    }
    if (!guilty)
        return true;
    const struct fh_constant_place *first = &place[__builtin_ctz(guilty)];
    char text[120];
    if (kind == FHEC_FAULT_MISALIGNED)
        snprintf(text, sizeof text, "a load of %u bytes needs an address that is a multiple of %u",
                 bytes, bytes);
    else
        snprintf(text, sizeof text, "a load of %u bytes outside the %u bytes of constant bank %u",
                 bytes, bank_of(w, first->bank)->size, first->bank);
    return fh_fault_address(w, op, kind, guilty, "constant", first->at, text);
}

/* The 16 bits of an offset as a distance in both directions, modulo 2^32. */
static inline uint32_t signed_offset(uint32_t offset) {
    return offset < FH_BANK_BYTES / 2 ? offset : offset - FH_BANK_BYTES;
}

/* Where index + offset is in a bank of 64 KiB. An offset of 16 bits is a place and a distance
 * alike: index + offset may be beyond either end of the bank by what the offset's sign is worth. Of
 * an index that leads further away than that the place stays outside. */
static inline uint32_t place_in_bank(uint32_t index, uint32_t offset) {
    const uint32_t low = index + signed_offset(offset), high = index + offset;
    return low < FH_BANK_BYTES || high < FH_BANK_BYTES ? low % FH_BANK_BYTES : high;
}

void fh_constant_places(const struct fh_warp *w, const struct fh_op *op,
                        struct fh_constant_place place[FH_LANES]) {
    const uint32_t *index = w->r[op->address.base], mode = op->mod[FH_LDC_m_mode];
    const uint32_t offset = (uint32_t)op->address.offset;
    bool segmented = mode == FH_LDC_mode_IS || mode == FH_LDC_mode_ISL;
    bool linear = mode == FH_LDC_mode_IL || mode == FH_LDC_mode_ISL;
    for (uint32_t l = 0; l < FH_LANES; l++) {
        const uint32_t bank = op->inst->op[FH_LDC_addr].bank + (segmented ? index[l] >> 16 : 0);
        const uint32_t x = segmented ? index[l] & 0xffff : index[l];
        const uint32_t at = x + signed_offset(offset);
        place[l] = linear ? (struct fh_constant_place){bank + (at >> 16), at & 0xffff}
                          : (struct fh_constant_place){bank, place_in_bank(x, offset)};
    }
}

struct fh_constant_place fh_uniform_constant_place(const struct fh_warp *w,
                                                   const struct fh_op *op) {
    const uint32_t index = w->ur[op->address.ureg];
    return (struct fh_constant_place){op->inst->op[FH_ULDC_addr].bank,
                                      place_in_bank(index, (uint32_t)op->address.offset)};
}

bool fh_exec_load_const(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_constant_place place[FH_LANES];
    fh_constant_places(w, op, place);
    if (!check(w, op, active, place))
        return false;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_lane_load(w, &op->address, lane,
                     w->launch->image->banks[place[lane].bank].bytes + place[lane].at);
    }
    return true;
}

bool fh_exec_load_const_uniform(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_constant_place from = fh_uniform_constant_place(w, op);
    const struct fh_address *a = &op->address;
    const struct fh_bank *bank = bank_of(w, from.bank);
    if (fault_at(bank, from.at, a->bytes) != FHEC_FAULT_NONE) { /* of all lanes, then */
        struct fh_constant_place place[FH_LANES];
        for (uint32_t l = 0; l < FH_LANES; l++)
            place[l] = from;
        return check(w, op, active, place);
    }
    uint32_t words[2] = {0};
    memcpy(words, bank->bytes + from.at, a->bytes);
    w->ur[a->data] = fh_extend(words[0], a->bytes, a->sign_extend);
    if (a->bytes == 8)
        w->ur[a->data + 1] = words[1];
    return true;
}
