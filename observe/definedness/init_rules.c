/*
 * init_rules.c - how undefined bits go through instructions that work on each lane by itself. Where
 * a sum or product has undefined bits, all from the lowest one on are taken as undefined, since
 * carries go upwards; predicates are undefined if bounds of the sources do not decide them.
 */
#include "init_checker.h"

#include <string.h>

enum { LANES = FHEC_WARP_LANES };

/* Values and undefined bits of a source in all lanes. */
struct row {
    uint32_t value[LANES], undefined[LANES];
};

static void get(const struct fh_init_step *s, const struct fh_init_source *source, unsigned i,
                struct row *to) {
    fh_init_get(s, source, i, to->value, to->undefined);
}

/* All bits from the lowest one of x on. */
static uint64_t upwards(uint64_t x) {
    return x | (0 - x);
}

static uint32_t all_if(bool any) {
    return any ? UINT32_MAX : 0;
}

/* ---------------------------------------------------------------- bits that stay bits */

static void move(const struct fh_init_step *s) {
    struct row c;
    get(s, &s->plan->c, 0, &c);
    fh_init_put(s, 0, c.undefined);
}

/* Bits of the table's function that are the same whatever the undefined bits are: the minterms that
 * are possible must all be 0 or all be 1. Constants whose value is not known here may be anything,
 * but are no reason for a bit to be undefined. */
static uint32_t logic_undefined(uint32_t table, const uint32_t value[3],
                                const uint32_t undefined[3]) {
    uint32_t zero = 0, one = 0;
    for (unsigned m = 0; m < 8; m++) {
        uint32_t possible = UINT32_MAX;
        for (unsigned i = 0; i < 3; i++)
            possible &= (m >> (2 - i) & 1 ? value[i] : ~value[i]) | undefined[i];
        if (table >> m & 1)
            one |= possible;
        else
            zero |= possible;
    }
    return zero & one;
}

static uint32_t logic_value(uint32_t table, const uint32_t value[3]) {
    uint32_t result = 0;
    for (unsigned m = 0; m < 8; m++)
        if (table >> m & 1)
            result |= (m & 4 ? value[0] : ~value[0]) & (m & 2 ? value[1] : ~value[1]) &
                      (m & 1 ? value[2] : ~value[2]);
    return result;
}

/* Whether a bit of the result is a defined one, if the values are known. */
static void logic(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const struct fh_init_source *sources[3] = {&p->a, &p->b, &p->c};
    struct row from[3];
    uint32_t undefined[LANES], some = 0, set = 0, clear = 0, in, in_undefined;
    bool known = true;
    for (unsigned i = 0; i < 3; i++) {
        get(s, sources[i], 0, &from[i]);
        known &= sources[i]->known || sources[i]->row != FH_ROW_NONE;
    }
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t value[3], open[3];
        for (unsigned i = 0; i < 3; i++) {
            value[i] = from[i].value[l];
            open[i] = from[i].undefined[l];
        }
        undefined[l] = logic_undefined(p->table, value, open);
        for (unsigned i = 0; !known && i < 3; i++) {
            if (sources[i]->known || sources[i]->row != FH_ROW_NONE)
                continue;
            value[i] = ~value[i];
            undefined[l] |= logic_undefined(p->table, value, open);
        }
        const uint32_t ones = known ? logic_value(p->table, value) & ~undefined[l] : 0;
        some |= (uint32_t)(undefined[l] != 0) << l;
        set |= (uint32_t)(ones != 0) << l;
        clear |= (uint32_t)(known && !ones && !undefined[l]) << l;
    }
    fh_init_put(s, 0, undefined);
    fh_init_get_predicate(s, &p->p, &in, &in_undefined);
    const uint32_t unclear = some & ~set;
    /* (d != 0) and, or or Pp: undefined unless the other one decides */
    const uint32_t decided =
        p->conjunction ? (~in & ~in_undefined) | clear : (in & ~in_undefined) | set;
    fh_init_put_predicate(s, p->pu, (unclear | in_undefined) & ~decided);
}

static void predicates(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    uint32_t value[3], undefined[3];
    fh_init_get_predicate(s, &p->p, &value[0], &undefined[0]);
    fh_init_get_predicate(s, &p->q, &value[1], &undefined[1]);
    fh_init_get_predicate(s, &p->r, &value[2], &undefined[2]);
    fh_init_put_predicate(s, p->pu, logic_undefined(p->table, value, undefined));
    fh_init_put_predicate(s, p->pv, logic_undefined(p->table_v, value, undefined));
}

/* SHF of the words {high, low}. */
static uint32_t shifted(const struct fh_init_plan *p, uint32_t low, uint32_t high, uint32_t n) {
    const uint64_t both = (uint64_t)high << 32 | low;
    const uint32_t sign = p->is_signed ? (uint32_t)((int32_t)high >> 31) : 0;
    if (!p->word64 && p->right && p->high)
        return n > 31 ? sign : p->is_signed ? (uint32_t)((int32_t)high >> n) : high >> n;
    if (!p->word64 && !p->right && !p->high)
        return n > 31 ? 0 : low << n;
    if (!p->word64)
        return p->right ? (n > 31 ? high : (uint32_t)(both >> n))
                        : (n > 31 ? low : (uint32_t)(both << n >> 32));
    uint64_t moved = p->right ? (uint64_t)(int64_t)(int32_t)sign : 0;
    if (n < 64 && p->right)
        moved = p->is_signed ? (uint64_t)((int64_t)both >> n) : both >> n;
    else if (n < 64)
        moved = both << n;
    return (uint32_t)(p->high ? moved >> 32 : moved);
}

static void shift(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const uint32_t bits = p->word64 ? 64 : 32, counts = p->wraps ? bits - 1 : UINT32_MAX;
    struct row a, b, c;
    uint32_t undefined[LANES];
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    get(s, &p->c, 0, &c);
    const bool known = p->b.known || p->b.row != FH_ROW_NONE;
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t n = p->wraps ? b.value[l] & counts : b.value[l] < bits ? b.value[l] : bits;
        const bool any = a.undefined[l] | c.undefined[l];
        undefined[l] = b.undefined[l] & counts || (!known && any)
                           ? UINT32_MAX
                           : shifted(p, a.undefined[l], c.undefined[l], n);
    }
    fh_init_put(s, 0, undefined);
}

/* Which of the eight bytes of {C, A} is byte i of PRMT's result in a named mode. */
static uint32_t named_byte(uint32_t mode, uint32_t n, uint32_t i) {
    switch (mode) {
    case 1: return (n + i) & 7;
    case 2: return (n - i) & 7;
    case 3: return n;
    case 4: return i > n ? i : n;
    case 5: return i < n ? i : n;
    default: return (n & 1) * 2 + (i & 1);
    }
}

static uint32_t permuted(uint32_t mode, uint64_t from, uint32_t by, uint32_t by_undefined) {
    uint32_t undefined = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t nibble = by >> (4 * i) & 15;
        const uint32_t n = mode == 0 ? nibble & 7 : named_byte(mode, by & 3, i);
        const uint32_t selector = mode == 0 ? 15u << (4 * i) : 3;
        uint32_t byte = (uint32_t)(from >> (8 * n)) & 0xff;
        if (mode == 0 && nibble & 8) /* the sign of the byte */
            byte = byte & 0x80 ? 0xff : 0;
        undefined |= (by_undefined & selector ? 0xff : byte) << (8 * i);
    }
    return undefined;
}

static void permute(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const bool known = p->b.known || p->b.row != FH_ROW_NONE;
    struct row a, b, c;
    uint32_t undefined[LANES];
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    get(s, &p->c, 0, &c);
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t from = (uint64_t)c.undefined[l] << 32 | a.undefined[l];
        undefined[l] =
            known ? permuted(p->number, from, b.value[l], b.undefined[l]) : all_if(from != 0);
    }
    fh_init_put(s, 0, undefined);
}

static void reverse(const struct fh_init_step *s) {
    struct row b;
    uint32_t undefined[LANES] = {0};
    get(s, &s->plan->b, 0, &b);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned i = 0; i < 32; i++)
            undefined[l] |= (b.undefined[l] >> i & 1) << (31 - i);
    fh_init_put(s, 0, undefined);
}

static void extend(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const uint32_t counts = p->wraps ? 31 : UINT32_MAX;
    const bool known = p->b.known || p->b.row != FH_ROW_NONE;
    struct row a, b;
    uint32_t undefined[LANES];
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t n = p->wraps ? b.value[l] & 31 : b.value[l] < 32 ? b.value[l] : 32;
        const uint32_t kept = (uint32_t)((UINT64_C(1) << n) - 1);
        const uint32_t sign = n && p->is_signed ? a.undefined[l] >> (n - 1) & 1 : 0;
        undefined[l] = (a.undefined[l] & kept) | (sign ? ~kept : 0);
        if (b.undefined[l] & counts || (!known && a.undefined[l]))
            undefined[l] = UINT32_MAX;
    }
    fh_init_put(s, 0, undefined);
}

/* Where the predicate is not defined, bits are if both sources have the same one. */
static void choose(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    struct row a, b;
    uint32_t undefined[LANES], which, open;
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    fh_init_get_predicate(s, &p->p, &which, &open);
    const bool same = (p->a.known || p->a.row != FH_ROW_NONE) &&
                      (p->b.known || p->b.row != FH_ROW_NONE) && !p->float_signs;
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t differ = same ? a.value[l] ^ b.value[l] : UINT32_MAX;
        undefined[l] = which >> l & 1 ? a.undefined[l] : b.undefined[l];
        if (open >> l & 1)
            undefined[l] = a.undefined[l] | b.undefined[l] | differ;
    }
    fh_init_put(s, 0, undefined);
}

/* ---------------------------------------------------------------- arithmetic */

/* Whether a source is the number 0. */
static bool is_zero(const struct fh_init_source *source) {
    return source->row == FH_ROW_NONE && source->known && (uint32_t)source->value == 0;
}

/* Bounds of the sum's terms, of which those with a sign are complemented. */
static void add_bounds(const struct fh_init_source *source, uint32_t value, uint32_t undefined,
                       uint64_t *least, uint64_t *most) {
    const bool known = source->known || source->row != FH_ROW_NONE;
    const uint32_t low = known ? value & ~undefined : 0;
    const uint32_t high = known ? value | undefined : UINT32_MAX;
    *least += source->negated ? ~high : low;
    *most += source->negated ? ~low : high;
}

static void add(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const struct fh_init_source *sources[3] = {&p->a, &p->b, &p->c};
    struct row from[3];
    uint32_t undefined[LANES], first = 0, second = 0, in[2] = {0}, open[2] = {0};
    unsigned terms = 0;
    for (unsigned i = 0; i < 3; i++) {
        get(s, sources[i], 0, &from[i]);
        terms += (is_zero(sources[i]) ? 0U : 1U) + sources[i]->negated; /* its complement and one */
    }
    if (p->carried) {
        fh_init_get_predicate(s, &p->p, &in[0], &open[0]);
        fh_init_get_predicate(s, &p->q, &in[1], &open[1]);
    }
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t least = 0, most = 0;
        uint32_t any = 0, carry = 0;
        for (unsigned i = 0; i < 3; i++) {
            any |= from[i].undefined[l];
            add_bounds(sources[i], from[i].value[l], from[i].undefined[l], &least, &most);
            least += !p->carried && sources[i]->negated;
            most += !p->carried && sources[i]->negated;
        }
        for (unsigned i = 0; i < 2; i++) {
            carry |= open[i] >> l & 1;
            least += in[i] >> l & ~(open[i] >> l) & 1;
            most += (in[i] | open[i]) >> l & 1;
        }
        undefined[l] = carry                       ? UINT32_MAX
                       : terms == 1 && !p->carried ? any
                                                   : (uint32_t)upwards(any);
        first |= (uint32_t)((any | carry) && least >> 32 != most >> 32) << l;
        second |= (uint32_t)((any | carry) && (least >> 33 != most >> 33)) << l;
    }
    fh_init_put(s, 0, undefined);
    fh_init_put_predicate(s, p->pu, first);
    fh_init_put_predicate(s, p->pv, second);
}

static void shift_add(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    struct row a, b, c;
    uint32_t undefined[LANES], carries = 0, in = 0, open = 0;
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    get(s, &p->c, 0, &c);
    if (p->carried)
        fh_init_get_predicate(s, &p->p, &in, &open);
    const bool alone = is_zero(&p->b) && !p->b.negated && !p->a.negated && !p->carried;
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t high = c.undefined[l], moved = a.undefined[l] << p->number;
        if (p->sign_extended)
            high = (uint32_t)((int32_t)a.undefined[l] >> 31);
        if (p->high)
            moved = (uint32_t)(((uint64_t)high << 32 | a.undefined[l]) << p->number >> 32);
        const uint32_t any = moved | b.undefined[l];
        undefined[l] = open >> l & 1 ? UINT32_MAX : alone ? any : (uint32_t)upwards(any);
        carries |= (uint32_t)(undefined[l] != 0) << l;
    }
    fh_init_put(s, 0, undefined);
    fh_init_put_predicate(s, p->pu, carries);
}

/* The lowest bit of x, 64 if there is none. */
static unsigned lowest(uint32_t x) {
    return x ? (unsigned)__builtin_ctz(x) : 64;
}

/* Undefined bits of a product. A factor's zeros at the low end move those of the other one up; a
 * single one in a factor moves them and no more. */
static uint64_t product(const struct fh_init_plan *p, uint32_t a, uint32_t a_open, uint32_t b,
                        uint32_t b_open) {
    if (!(a | a_open) || !(b | b_open) || !(a_open | b_open))
        return 0;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t power = i ? a : b, moved = i ? b_open : a_open;
        const bool fits = (i ? a_open : b_open) == 0 && (power & (power - 1)) == 0 &&
                          !(p->is_signed && power >> 31);
        if (fits)
            return (p->is_signed ? (uint64_t)(int64_t)(int32_t)moved : moved)
                   << __builtin_ctz(power);
    }
    const unsigned x = lowest(a_open) + lowest(b | b_open);
    const unsigned y = lowest(b_open) + lowest(a | a_open), from = x < y ? x : y;
    return from < 64 ? UINT64_MAX << from : 0;
}

static void multiply(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const bool pair = p->wide_type || p->high;
    struct row a, b, c, more = {0};
    uint32_t low[LANES], high[LANES], carries = 0, in = 0, open = 0;
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    get(s, &p->c, 0, &c);
    if (pair)
        get(s, &p->c, 1, &more);
    if (p->carried)
        fh_init_get_predicate(s, &p->p, &in, &open);
    const bool known_a = p->a.known || p->a.row != FH_ROW_NONE;
    const bool known_b = p->b.known || p->b.row != FH_ROW_NONE;
    const bool alone = is_zero(&p->c) && !p->carried; /* nothing is added */
    for (unsigned l = 0; l < LANES; l++) {
        /* a constant of unknown value may be odd */
        const uint32_t x = known_a ? a.value[l] : UINT32_MAX, y = known_b ? b.value[l] : UINT32_MAX;
        uint64_t sum = product(p, x, a.undefined[l], y, b.undefined[l]);
        const uint64_t added = (uint64_t)more.undefined[l] << 32 | c.undefined[l];
        const bool no_product =
            (known_a && !(x | a.undefined[l])) || (known_b && !(y | b.undefined[l]));
        if (!alone)
            sum = no_product && !p->c.negated && !p->carried ? added : upwards(sum | added);
        if (open >> l & 1)
            sum = UINT64_MAX;
        low[l] = (uint32_t)(p->high ? sum >> 32 : sum);
        high[l] = (uint32_t)(sum >> 32);
        carries |= (uint32_t)(sum != 0) << l;
    }
    fh_init_put(s, 0, low);
    if (p->wide_type)
        fh_init_put(s, 1, high);
    fh_init_put_predicate(s, p->pu, carries);
}

/* The position of the highest one is defined if it is the same for the least and the greatest
 * value. */
static void leading(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const bool known = p->b.row != FH_ROW_NONE;
    struct row b;
    uint32_t undefined[LANES];
    get(s, &p->b, 0, &b);
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t x = p->b.negated ? ~b.value[l] : b.value[l];
        const uint32_t open = b.undefined[l];
        const bool sign = p->is_signed && open >> 31;
        if (p->is_signed && x >> 31)
            x = ~x;
        const uint32_t least = x & ~open, most = x | open;
        const bool same = least && __builtin_clz(least) == __builtin_clz(most);
        undefined[l] = all_if(open && (sign || !same || !known));
    }
    fh_init_put(s, 0, undefined);
}

/* ---------------------------------------------------------------- halves */

/* The halves that undefined bits of a source make undefined. */
static uint32_t halves_of(const struct fh_init_source *source, uint32_t undefined) {
    if (source->mask == UINT32_MAX)
        return (undefined & 0xffff ? 0xffffu : 0) | (undefined >> 16 ? 0xffff0000u : 0);
    return all_if(undefined & source->mask);
}

static void halves(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    struct row a, b, c;
    uint32_t undefined[LANES], which, open;
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    get(s, &p->c, 0, &c);
    fh_init_get_predicate(s, &p->p, &which, &open);
    for (unsigned l = 0; l < LANES; l++)
        undefined[l] = halves_of(&p->a, a.undefined[l]) | halves_of(&p->b, b.undefined[l]) |
                       halves_of(&p->c, c.undefined[l]) | all_if(open >> l & 1);
    fh_init_put(s, 0, undefined);
}

static void pack(const struct fh_init_step *s) {
    struct row a, b;
    uint32_t undefined[LANES];
    get(s, &s->plan->a, 0, &a);
    get(s, &s->plan->b, 0, &b);
    for (unsigned l = 0; l < LANES; l++)
        undefined[l] = (a.undefined[l] ? 0xffff0000u : 0) | (b.undefined[l] ? 0xffffu : 0);
    fh_init_put(s, 0, undefined);
}

/* ---------------------------------------------------------------- comparisons */

enum { LESS = 1, EQUAL = 2, GREATER = 4 };

/* What a may be to b, of LESS, EQUAL and GREATER, given their undefined bits. */
static unsigned relations(bool is_signed, uint32_t a, uint32_t a_open, uint32_t b,
                          uint32_t b_open) {
    const uint32_t flip = is_signed ? 0x80000000u : 0;
    const uint32_t a_least = (a ^ flip) & ~a_open, a_most = (a ^ flip) | a_open;
    const uint32_t b_least = (b ^ flip) & ~b_open, b_most = (b ^ flip) | b_open;
    return (a_least < b_most ? LESS : 0u) | (a_most > b_least ? GREATER : 0u) |
           ((a ^ b) & ~(a_open | b_open) ? 0u : EQUAL);
}

/* Predicates Pu and Pv from a comparison and Pp, as lane masks: where `open`, the comparison is
 * undefined, elsewhere it is `value`; lanes of `unknown` are defined, but not known here. */
static void combine(const struct fh_init_step *s, uint32_t value, uint32_t open, uint32_t unknown) {
    const struct fh_init_plan *p = s->plan;
    uint32_t in, in_open;
    fh_init_get_predicate(s, &p->p, &in, &in_open);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t x = (i ? ~value : value) | unknown, not_x = (i ? value : ~value) | unknown;
        uint32_t undefined = open | in_open;
        if (p->combination == 0)
            undefined &= (open | x) & (in_open | in);
        else if (p->combination == 1)
            undefined &= (open | not_x) & (in_open | ~in);
        fh_init_put_predicate(s, i ? p->pv : p->pu, undefined);
    }
}

static void compare(const struct fh_init_step *s) {
    static const uint8_t wanted[8] = {0,       LESS,           EQUAL,           LESS | EQUAL,
                                      GREATER, LESS | GREATER, GREATER | EQUAL, 7};
    const struct fh_init_plan *p = s->plan;
    const unsigned want = wanted[p->comparison];
    const bool known =
        (p->a.known || p->a.row != FH_ROW_NONE) && (p->b.known || p->b.row != FH_ROW_NONE);
    struct row a, b;
    uint32_t value = 0, open = 0, low = 0, low_open = 0, unknown = 0;
    get(s, &p->a, 0, &a);
    get(s, &p->b, 0, &b);
    if (p->extended)
        fh_init_get_predicate(s, &p->r, &low, &low_open);
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t either = a.undefined[l] | b.undefined[l];
        unsigned may =
            known ? relations(p->is_signed, a.value[l], a.undefined[l], b.value[l], b.undefined[l])
                  : LESS | EQUAL | GREATER;
        bool yes = may & want, no = may & ~want;
        if (p->extended && may & EQUAL && want != 0 && want != 7) {
            /* then the low words decide */
            const bool low_yes = (low | low_open) >> l & 1, low_no = (~low | low_open) >> l & 1;
            yes = (may & want & ~(unsigned)EQUAL) || low_yes;
            no = (may & ~want & ~(unsigned)EQUAL) || low_no;
        }
        const bool constant = !known && !either && !(low_open >> l & 1);
        open |= (uint32_t)(yes && no && !constant) << l;
        unknown |= (uint32_t)constant << l;
        value |= (uint32_t)yes << l;
    }
    combine(s, value, open, unknown);
}

/* Floating point: any undefined bit makes the comparison undefined. */
static void compare_any(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    uint32_t open = 0;
    for (unsigned i = 0; i < p->read_count; i++)
        if (p->reads[i] != p->p.row)
            open |= fh_init_undefined(s, i);
    combine(s, 0, open, ~open);
}

static void any_bit(const struct fh_init_step *s) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < s->plan->read_count; i++)
        lanes |= fh_init_undefined(s, i);
    fh_init_put_all(s, lanes);
}

bool fh_init_lane_rule(const struct fh_init_step *s) {
    switch ((enum fh_init_rule)s->plan->rule) {
    case FH_INIT_ALL: any_bit(s); return true;
    case FH_INIT_MOVE: move(s); return true;
    case FH_INIT_LOGIC: logic(s); return true;
    case FH_INIT_PREDICATES: predicates(s); return true;
    case FH_INIT_SHIFT: shift(s); return true;
    case FH_INIT_PERMUTE: permute(s); return true;
    case FH_INIT_SELECT: choose(s); return true;
    case FH_INIT_ADD: add(s); return true;
    case FH_INIT_SHIFT_ADD: shift_add(s); return true;
    case FH_INIT_MULTIPLY: multiply(s); return true;
    case FH_INIT_COMPARE: compare(s); return true;
    case FH_INIT_COMPARE_ANY: compare_any(s); return true;
    case FH_INIT_REVERSE: reverse(s); return true;
    case FH_INIT_EXTEND: extend(s); return true;
    case FH_INIT_LEADING: leading(s); return true;
    case FH_INIT_HALVES: halves(s); return true;
    case FH_INIT_PACK: pack(s); return true;
    default: return false;
    }
}
