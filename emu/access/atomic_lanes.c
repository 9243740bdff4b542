/*
 * atomic_lanes.c - see atomic_lanes.h. A loop over lanes for each operation, type and way that
 * places lie, with the operation compiled in.
 *
 * Exactness: a word's value is what the lanes up to here made of it, in their order. Words in a row
 * are different ones, so that no lane sees another one's result and the order does not matter. One
 * word can stay in a register from lane to lane. Elsewhere each lane loads what the host's memory
 * holds, the stores of the lanes before it included. A lane's operands are read before its results
 * are written, and no lane reads another one's, so results may go to the rows of the operands.
 */
#include "atomic_lanes.h"

#include "atomic.h"
#include "isa_names.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

bool fh_insn_is_atomic(uint16_t insn) {
    switch (insn) {
    case FH_INSN_ATOM:
    case FH_INSN_ATOM_CAS:
    case FH_INSN_ATOM_POPC:
    case FH_INSN_ATOMG:
    case FH_INSN_ATOMG_CAS:
    case FH_INSN_RED:
    case FH_INSN_ATOMS:
    case FH_INSN_ATOMS_CAS:
    case FH_INSN_ATOMS_CAST:
    case FH_INSN_ATOMS_POPC: return true;
    default: return false;
    }
}

uint32_t fh_atomic_bytes(unsigned type) {
    return type == FH_atom_size_64 || type == FH_atom_size_S64 || type == FH_atom_size_F64_RN ? 8
                                                                                              : 4;
}

/* What a loop has compiled in. */
struct kind {
    unsigned operation, type;
    uint32_t bytes;
};

ALWAYS_INLINE uint64_t get(const uint32_t *rows, uint32_t lane, uint32_t bytes) {
    return bytes == 8 ? (uint64_t)rows[FH_LANES + lane] << 32 | rows[lane] : rows[lane];
}

ALWAYS_INLINE void put(uint32_t *rows, uint32_t lane, uint32_t bytes, uint64_t value) {
    rows[lane] = (uint32_t)value;
    if (bytes == 8)
        rows[FH_LANES + lane] = (uint32_t)(value >> 32);
}

ALWAYS_INLINE uint64_t load(const uint8_t *from, uint32_t bytes) {
    uint64_t wide;
    uint32_t word;
    if (bytes == 8) {
        memcpy(&wide, from, 8);
        return wide;
    }
    memcpy(&word, from, 4);
    return word;
}

ALWAYS_INLINE void store(uint8_t *to, uint32_t bytes, uint64_t value) {
    const uint32_t word = (uint32_t)value;
    if (bytes == 8)
        memcpy(to, &value, 8);
    else
        memcpy(to, &word, 4);
}

/* One lane's operation on `old`: what it leaves; its result goes to the rows. */
ALWAYS_INLINE uint64_t act(const struct fh_atomic *t, const struct kind kind, uint32_t *result,
                           uint32_t lane, uint64_t old) {
    const uint64_t data = get(t->data, lane, kind.bytes);
    uint64_t left, told = old;
    if (kind.operation >= FH_ATOMIC_CAS) {
        const bool same = old == get(t->compare, lane, kind.bytes);
        left = same ? data : old;
        told = kind.operation == FH_ATOMIC_CAST ? same : old;
    } else if (kind.type == FH_atom_size_F32_FTZ_RN || kind.type == FH_atom_size_F64_RN ||
               kind.type == FH_atom_size_F16x2_RN) {
        left = fh_atomic_result(kind.operation, kind.type, old, data);
    } else {
        left = fh_atomic_integer(kind.operation, kind.type, old, data);
    }
    if (result)
        put(result, lane, kind.bytes, told);
    return left;
}

ALWAYS_INLINE void in_a_row(const struct fh_atomic *t, const struct kind kind, uint32_t *result,
                            uint8_t *first) {
    FH_IVDEP
    for (uint32_t l = 0; l < FH_LANES; l++) {
        uint8_t *const at = first + l * kind.bytes;
        store(at, kind.bytes, act(t, kind, result, l, load(at, kind.bytes)));
    }
}

ALWAYS_INLINE void one_place(const struct fh_atomic *t, const struct kind kind, uint32_t *result,
                             uint8_t *at, uint32_t active) {
    uint64_t value = load(at, kind.bytes);
    for (uint32_t rest = active; rest; rest &= rest - 1)
        value = act(t, kind, result, (uint32_t)__builtin_ctz(rest), value);
    store(at, kind.bytes, value);
}

ALWAYS_INLINE void any_places(const struct fh_atomic *t, const struct kind kind, uint32_t *result,
                              uint8_t *memory, const uint32_t index[FH_LANES], uint32_t active) {
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t *const at = memory + index[lane];
        store(at, kind.bytes, act(t, kind, result, lane, load(at, kind.bytes)));
    }
}

ALWAYS_INLINE void lanes(const struct fh_atomic *t, uint8_t *memory, const uint32_t index[FH_LANES],
                         uint32_t active, enum fh_atomic_places places, const struct kind kind) {
    uint8_t *const first = memory + index[__builtin_ctz(active)];
    if (places == FH_IN_A_ROW && t->result)
        in_a_row(t, kind, t->result, first);
    else if (places == FH_IN_A_ROW)
        in_a_row(t, kind, NULL, first);
    else if (places == FH_ONE_PLACE)
        one_place(t, kind, t->result, first, active);
    else
        any_places(t, kind, t->result, memory, index, active);
}

/* Integers; the sign is of MIN and MAX only. */
ALWAYS_INLINE void integers(const struct fh_atomic *t, uint8_t *memory,
                            const uint32_t index[FH_LANES], uint32_t active,
                            enum fh_atomic_places places, const unsigned plain,
                            const unsigned with_sign, const uint32_t bytes) {
    const bool sign = t->type == with_sign;
#define CASE(name, type)                                                                           \
    lanes(t, memory, index, active, places, (struct kind){name, type, bytes});                     \
    break
    switch (t->operation) {
    case FH_atom_op_ADD: CASE(FH_atom_op_ADD, plain);
    case FH_atom_op_MIN:
        if (sign) {
            CASE(FH_atom_op_MIN, with_sign);
        }
        CASE(FH_atom_op_MIN, plain);
    case FH_atom_op_MAX:
        if (sign) {
            CASE(FH_atom_op_MAX, with_sign);
        }
        CASE(FH_atom_op_MAX, plain);
    case FH_atom_op_INC: CASE(FH_atom_op_INC, plain);
    case FH_atom_op_DEC: CASE(FH_atom_op_DEC, plain);
    case FH_atom_op_AND: CASE(FH_atom_op_AND, plain);
    case FH_atom_op_OR: CASE(FH_atom_op_OR, plain);
    case FH_atom_op_XOR: CASE(FH_atom_op_XOR, plain);
    case FH_ATOMIC_CAS: CASE(FH_ATOMIC_CAS, plain);
    case FH_ATOMIC_CAST: CASE(FH_ATOMIC_CAST, plain);
    default: CASE(FH_atom_op_EXCH, plain);
    }
#undef CASE
}

void fh_atomic_lanes(const struct fh_atomic *t, uint8_t *memory, const uint32_t index[FH_LANES],
                     uint32_t active, enum fh_atomic_places places) {
    switch (t->type) {
    case FH_atom_size_F32_FTZ_RN:
        lanes(t, memory, index, active, places,
              (struct kind){FH_atom_op_ADD, FH_atom_size_F32_FTZ_RN, 4});
        break;
    case FH_atom_size_F16x2_RN:
        lanes(t, memory, index, active, places,
              (struct kind){FH_atom_op_ADD, FH_atom_size_F16x2_RN, 4});
        break;
    case FH_atom_size_F64_RN:
        lanes(t, memory, index, active, places,
              (struct kind){FH_atom_op_ADD, FH_atom_size_F64_RN, 8});
        break;
    case FH_atom_size_64:
    case FH_atom_size_S64:
        integers(t, memory, index, active, places, FH_atom_size_64, FH_atom_size_S64, 8);
        break;
    default: integers(t, memory, index, active, places, 0, FH_atom_size_S32, 4); break;
    }
}
