/*
 * accesses.c - see accesses.h.
 */
#include "accesses.h"

#include "access.h"
#include "isa_names.h"
#include "space.h"
#include "transaction.h"
#include "translate.h"
#include "trap.h"

#include <string.h>

enum { ROW_BYTES = 16, MATRIX_ROWS = 8 }; /* of LDSM */

/* ---------------------------------------------------------------- before */

/* Lanes of a load for which its predicate does not hold do not access memory. */
static uint32_t loading(const struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    switch (op->access_space) {
    case FH_GLOBAL: return fh_lanes_where(w, op, FH_LDG_Pnz, active);
    case FH_GENERIC: return fh_lanes_where(w, op, FH_LD_Pnz, active);
    default: return active;
    }
}

static void before_copy(struct fh_accesses *a, const struct fh_warp *w, const struct fh_op *op,
                        uint32_t active) {
    const bool zfill = op->mod[FH_LDGSTS_m_ZFILL];
    const uint32_t copying = fh_lanes_where(w, op, FH_LDGSTS_Pp, active);
    a->lanes[0] = zfill ? active : copying;
    a->lanes[1] = copying;
    fh_address_lanes(w, &op->to, a->at[0]);
    fh_address_lanes(w, &op->address, a->at[1]);
    for (uint32_t l = 0; l < FH_LANES; l++) {
        a->cut[l] = zfill ? (uint32_t)a->at[1][l] & (op->address.bytes - 1u) : 0;
        a->at[1][l] -= a->cut[l];
    }
}

void fh_accesses_before(struct fh_accesses *a, const struct fh_warp *w, const struct fh_op *op,
                        uint32_t active) {
    a->kind = active ? (enum fh_access_kind)op->access : FH_NO_ACCESS;
    a->lanes[0] = active;
    switch (a->kind) {
    case FH_NO_ACCESS:
    case FH_READS_OPERANDS: return;
    case FH_LOADS: a->lanes[0] = loading(w, op, active); break;
    case FH_COPIES: before_copy(a, w, op, active); return;
    case FH_LOADS_MATRICES:
        a->lanes[0] = UINT32_MAX >> (FH_LANES - (MATRIX_ROWS << op->mod[FH_LDSM_m_count]));
        break;
    case FH_LOADS_CONSTANTS: fh_constant_places(w, op, a->constant); return;
    case FH_LOADS_UNIFORM_CONSTANT: /* the lowest lane reads for the warp */
        a->lanes[0] = active & -active;
        a->constant[__builtin_ctz(active)] = fh_uniform_constant_place(w, op);
        return;
    default: break;
    }
    fh_address_lanes(w, &op->address, a->at[0]);
}

/* ---------------------------------------------------------------- telling */

struct telling {
    struct fh_accesses *a;
    const struct fh_warp *w;
    fh_accessed_fn *tell;
    void *user;
};

/* The values of `bytes` in consecutive rows: those of less than a word go to room of their own. */
static const uint32_t *values_in(struct fh_accesses *a, const uint32_t *rows, uint32_t bytes) {
    if (bytes >= 4)
        return rows;
    for (uint32_t l = 0; l < FH_LANES; l++)
        a->value[0][l] = rows[l] & (bytes == 1 ? 0xff : 0xffff);
    return a->value[0];
}

/* Tells of lanes by the spaces that their generic addresses lie in. */
static void tell_by_space(const struct telling *t, enum fh_space space, uint32_t lanes,
                          const uint64_t at[FH_LANES], struct fh_accessed accessed) {
    static const fhec_space spaces[] = {FHEC_SPACE_GLOBAL, FHEC_SPACE_SHARED, FHEC_SPACE_LOCAL};
    uint32_t in[FH_GENERIC] = {0};
    accessed.address = at;
    if (space != FH_GENERIC) {
        in[space] = lanes;
    } else {
        accessed.address = t->a->address;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            in[fh_space_of(at[lane], &t->a->address[lane])] |= 1u << lane;
        }
    }
    for (unsigned s = 0; s < FH_GENERIC; s++) {
        accessed.space = spaces[s];
        accessed.lanes = in[s];
        if (in[s])
            t->tell(t->user, &accessed);
    }
}

static void tell_record(const struct telling *t, enum fh_space space) {
    const struct fh_record *done = &t->w->launch->record;
    const unsigned reads = done->reads ? FHEC_ACCESS_READ : 0;
    const unsigned writes = done->writes ? FHEC_ACCESS_WRITE : 0;
    tell_by_space(t, space, done->lanes, t->a->at[0],
                  (struct fh_accessed){.access = reads | writes,
                                       .bytes = done->bytes,
                                       .value = done->now[0],
                                       .old = done->old[0]});
}

/* Bytes of global memory as the warp sees them; it has just read them, so they are there. */
static void global_bytes(const struct fh_warp *w, uint64_t address, uint32_t bytes, void *to) {
    const struct fh_launch_state *launch = w->launch;
    const struct fh_allocation *held = fh_memory_range(launch->memory, address, bytes);
    const uint64_t offset = address - held->base;
    if (launch->transaction)
        fh_transaction_load(launch->transaction, (size_t)(held - launch->memory->list), offset,
                            bytes, to);
    else
        memcpy(to, held->bytes + offset, bytes);
}

/* The value that each lane has copied. Lanes that are cut by the same number of bytes read alike.
 */
static void tell_copies(const struct telling *t, uint32_t bytes) {
    struct fh_accesses *a = t->a;
    memset(a->value, 0, sizeof a->value);
    for (uint32_t rest = a->lanes[1]; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t words[ROW_BYTES / 4] = {0};
        global_bytes(t->w, a->at[1][lane], bytes - a->cut[lane], words);
        for (uint32_t i = 0; i < bytes / 4; i++)
            a->value[i][lane] = words[i];
    }
    for (uint32_t rest = a->lanes[1]; rest;) {
        const uint32_t cut = a->cut[__builtin_ctz(rest)];
        uint32_t alike = 0;
        for (uint32_t l = 0; l < FH_LANES; l++)
            alike |= (uint32_t)(a->cut[l] == cut) << l;
        alike &= rest;
        rest &= ~alike;
        tell_by_space(t, FH_GLOBAL, alike, a->at[1],
                      (struct fh_accessed){
                          .access = FHEC_ACCESS_READ, .bytes = bytes - cut, .value = a->value[0]});
    }
    tell_by_space(
        t, FH_SHARED, a->lanes[0], a->at[0],
        (struct fh_accessed){.access = FHEC_ACCESS_WRITE, .bytes = bytes, .value = a->value[0]});
}

/* The rows, which no lane of the instruction can have changed. */
static void tell_matrices(const struct telling *t) {
    struct fh_accesses *a = t->a;
    for (uint32_t rest = a->lanes[0]; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (uint32_t i = 0; i < ROW_BYTES / 4; i++)
            memcpy(&a->value[i][lane], t->w->block->shared + a->at[0][lane] + 4 * i, 4);
    }
    tell_by_space(
        t, FH_SHARED, a->lanes[0], a->at[0],
        (struct fh_accessed){.access = FHEC_ACCESS_READ, .bytes = ROW_BYTES, .value = a->value[0]});
}

/* `rows` NULL: without values. */
static void tell_constants(const struct telling *t, uint32_t bytes, const uint32_t *rows) {
    struct fh_accesses *a = t->a;
    struct fh_accessed accessed = {.space = FHEC_SPACE_CONSTANT,
                                   .access = FHEC_ACCESS_READ,
                                   .bytes = bytes,
                                   .address = a->address,
                                   .value = rows ? values_in(a, rows, bytes) : NULL};
    for (uint32_t rest = a->lanes[0]; rest; rest &= ~accessed.lanes) {
        accessed.bank = a->constant[__builtin_ctz(rest)].bank;
        accessed.lanes = 0;
        for (uint32_t l = 0; l < FH_LANES; l++) {
            accessed.lanes |= (uint32_t)(a->constant[l].bank == accessed.bank) << l;
            a->address[l] = a->constant[l].at;
        }
        accessed.lanes &= rest;
        t->tell(t->user, &accessed);
    }
}

/* A uniform register for the lane that stands for the warp. */
static void tell_uniform_constant(const struct telling *t, const struct fh_address *address) {
    const uint32_t lane = (uint32_t)__builtin_ctz(t->a->lanes[0]);
    const uint32_t *from = &t->w->ur[address->data];
    for (uint32_t i = 0; i < (address->bytes + 3u) / 4; i++)
        t->a->value[i][lane] = from[i];
    tell_constants(t, address->bytes, t->a->value[0]);
}

/* Constants that are operands: the same for all lanes. */
static void tell_operands(const struct telling *t, const struct fh_inst *inst, bool values) {
    struct fh_accesses *a = t->a;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        const uint32_t bytes = 4 * fh_operand_registers(inst, i);
        if (o->kind != FH_K_CONST)
            continue;
        values = values && fh_constant_fits(t->w->launch->image, o, bytes);
        for (uint32_t l = 0; l < FH_LANES; l++) {
            a->constant[l] = (struct fh_constant_place){o->bank, (uint32_t)o->value};
            for (uint32_t word = 0; values && word < bytes / 4; word++)
                memcpy(&a->value[word][l],
                       t->w->launch->image->banks[o->bank].bytes + o->value + 4 * word, 4);
        }
        tell_constants(t, bytes, values ? a->value[0] : NULL);
    }
}

void fh_accesses_tell_addresses(struct fh_accesses *a, const struct fh_warp *w,
                                const struct fh_op *op, fh_accessed_fn *tell, void *user) {
    const struct telling t = {a, w, tell, user};
    const enum fh_space space = (enum fh_space)op->access_space;
    struct fh_accessed accessed = {.access = FHEC_ACCESS_READ, .bytes = op->address.bytes};
    switch (a->kind) {
    case FH_NO_ACCESS: return;
    case FH_READS_OPERANDS: tell_operands(&t, op->inst, false); return;
    case FH_LOADS_CONSTANTS:
    case FH_LOADS_UNIFORM_CONSTANT: tell_constants(&t, op->address.bytes, NULL); return;
    case FH_COPIES:
        tell_by_space(&t, FH_GLOBAL, a->lanes[1], a->at[1], accessed);
        accessed.access = FHEC_ACCESS_WRITE;
        tell_by_space(&t, FH_SHARED, a->lanes[0], a->at[0], accessed);
        return;
    case FH_LOADS_MATRICES:
        accessed.bytes = ROW_BYTES;
        tell_by_space(&t, FH_SHARED, a->lanes[0], a->at[0], accessed);
        return;
    case FH_LOADS: break;
    default: accessed.access = FHEC_ACCESS_WRITE; break;
    }
    tell_by_space(&t, space, a->lanes[0], a->at[0], accessed);
}

void fh_accesses_tell(struct fh_accesses *a, const struct fh_warp *w, const struct fh_op *op,
                      fh_accessed_fn *tell, void *user) {
    const struct telling t = {a, w, tell, user};
    const struct fh_address *address = &op->address;
    if (a->kind == FH_NO_ACCESS)
        return;
    const enum fh_space space = (enum fh_space)op->access_space;
    switch (a->kind) {
    case FH_RECORDED: tell_record(&t, space); break;
    case FH_COPIES: tell_copies(&t, address->bytes); break;
    case FH_LOADS_MATRICES: tell_matrices(&t); break;
    case FH_LOADS_CONSTANTS: tell_constants(&t, address->bytes, w->r[address->data]); break;
    case FH_LOADS_UNIFORM_CONSTANT: tell_uniform_constant(&t, address); break;
    case FH_READS_OPERANDS: tell_operands(&t, op->inst, true); break;
    default:
        tell_by_space(&t, space, a->lanes[0], a->at[0],
                      (struct fh_accessed){
                          .access = a->kind == FH_LOADS ? FHEC_ACCESS_READ : FHEC_ACCESS_WRITE,
                          .bytes = address->bytes,
                          .value = values_in(a, w->r[address->data], address->bytes)});
        break;
    }
}
