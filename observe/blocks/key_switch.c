/*
 * key_switch.c - see key_switch.h.
 *
 * A key switch of one polynomial d of l limbs, with digits of D limbs and A extension limbs:
 *
 *     d_i  -INTT-> t_i                                       i < l
 *     t of digit j  -conversion-> u_jm  -NTT-> v_jm          m < l + A, not of digit j
 *     v_jm (or d_m), key_j0m, key_j1m  -product-> s_0m, s_1m summed over j
 *     s_pm, m >= l  -INTT-> -conversion-> -NTT-> w_pi        p < 2, i < l
 *     (s_pi - w_pi) / P + what is added  -> out_pi
 */
#include "key_switch.h"

#include "block_shape.h"

struct key_switch {
    size_t level, alpha, digit, dnum, digits;
    uint32_t source, turned; /* d_0 .. d_{l-1}, one after another; the same as coefficients */
    uint32_t raised;         /* v_jm: digits x (level + alpha) */
    uint32_t key, key_limbs; /* key_jpm: (2 j + p) limbs + m, where limbs are those of the chain */
    uint32_t sums;           /* s_pm: 2 x (level + alpha) */
    enum fh_added added;
};

static struct key_switch key_switch(struct fh_tile_maker *m, uint32_t source) {
    const struct fh_block_graph *g = m->graph;
    const struct fh_block *b = &g->blocks[m->block];
    const bool base = b->op == FH_BLOCK_ENCAPSULATE;
    const size_t key = fh_block_operands(g, m->block).key;
    struct key_switch k = {.level = b->level,
                           .alpha = base ? g->chain.base_alpha : g->chain.alpha,
                           .digit = base ? b->level : fh_block_digit(&g->chain),
                           .dnum = base ? 1 : g->chain.dnum,
                           .source = source};
    k.digits = base ? 1 : fh_block_digits(&g->chain, k.level);
    k.key_limbs = (uint32_t)fh_block_key_shape(&g->chain, b).limbs;
    if (key != FH_BLOCK_NONE)
        k.key = m->buffers[key].first;
    else if (b->op != FH_BLOCK_RAISE_DIGITS)
        k.key =
            fh_tile_limbs(m, 2 * k.dnum * k.key_limbs, (struct fh_limb){m->temporary, false, true});
    return k;
}

/* First limb of digit j, and how many it has at this level. */
static size_t digit_at(const struct key_switch *k, size_t j, size_t *count) {
    const size_t first = j * k->digit;
    *count = k->level - first < k->digit ? k->level - first : k->digit;
    return first;
}

static bool of_digit(const struct key_switch *k, size_t j, size_t target) {
    size_t count;
    const size_t first = digit_at(k, j, &count);
    return target >= first && target < first + count;
}

/* v_jm of one digit and one target. */
static void raise_one(struct fh_tile_maker *m, const struct key_switch *k, size_t j,
                      size_t target) {
    size_t count;
    const size_t first = digit_at(k, j, &count);
    if (of_digit(k, j, target))
        return;
    const uint32_t u = fh_tile_temporaries(m, 1);
    fh_tile_convert(m, k->turned + (uint32_t)first, count, u);
    fh_tile_transform(m, u, k->raised + (uint32_t)(j * (k->level + k->alpha) + target));
}

static void interpolate(struct fh_tile_maker *m, struct key_switch *k) {
    k->turned = fh_tile_temporaries(m, k->level);
    for (uint32_t i = 0; i < k->level; i++)
        fh_tile_transform(m, k->source + i, k->turned + i);
}

static uint32_t operand(const struct key_switch *k, size_t j, size_t target) {
    return of_digit(k, j, target) ? k->source + (uint32_t)target
                                  : k->raised + (uint32_t)(j * (k->level + k->alpha) + target);
}

/* Limbs of the key: an extension limb stands behind all limbs of the chain. */
static uint32_t key_at(const struct key_switch *k, size_t j, size_t p, size_t target) {
    const size_t at = target < k->level ? target : k->key_limbs - k->alpha + target - k->level;
    return k->key + (uint32_t)((2 * j + p) * k->key_limbs + at);
}

static void product(struct fh_tile_maker *m, const struct key_switch *k, size_t j, size_t digits,
                    size_t target) {
    const uint32_t all = (uint32_t)(k->level + k->alpha), to = k->sums + (uint32_t)target;
    for (size_t d = j; d < j + digits; d++) {
        fh_tile_read(m, operand(k, d, target));
        fh_tile_read(m, key_at(k, d, 0, target));
        fh_tile_read(m, key_at(k, d, 1, target));
    }
    if (j) { /* what has been summed up so far */
        fh_tile_read(m, to);
        fh_tile_read(m, to + all);
    }
    fh_tile_write(m, FH_TILE_ELEMENTS, (uint32_t)(3 * digits + 2), to, to + all);
}

/* What of one target is added up; raised before, unless the digits are there. */
static void sum_target(struct fh_tile_maker *m, const struct key_switch *k, size_t j, size_t digits,
                       size_t target, bool raise) {
    for (size_t d = j; d < j + digits && raise; d++)
        raise_one(m, k, d, target);
    product(m, k, j, digits, target);
}

/* The extension limbs of both sums, as coefficients. */
static uint32_t interpolate_extension(struct fh_tile_maker *m, const struct key_switch *k) {
    const uint32_t all = (uint32_t)(k->level + k->alpha), to = fh_tile_temporaries(m, 2 * k->alpha);
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t a = 0; a < k->alpha; a++)
            fh_tile_transform(m, k->sums + p * all + (uint32_t)k->level + a,
                              to + p * (uint32_t)k->alpha + a);
    return to;
}

/* What is added to out_pi, made where it is needed, not before. */
static void read_added(struct fh_tile_maker *m, const struct key_switch *k, uint32_t p,
                       uint32_t i) {
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    if (k->added == FH_ADD_NOTHING || (k->added != FH_ADD_PRODUCT && p))
        return;
    if (k->added == FH_ADD_FIRST) {
        fh_tile_read(m, fh_tile_limb(m, o.cipher[0], 0, i));
        return;
    }
    const uint32_t made = fh_tile_temporaries(m, 1);
    fh_tile_read(m, fh_tile_limb(m, o.cipher[0], 0, i));
    if (k->added == FH_ADD_PRODUCT)
        fh_tile_read(m, fh_tile_limb(m, o.cipher[1], 0, i));
    if (p) {
        fh_tile_read(m, fh_tile_limb(m, o.cipher[0], 1, i));
        fh_tile_read(m, fh_tile_limb(m, o.cipher[1], 1, i));
    }
    fh_tile_elements(m, made);
    fh_tile_read(m, made);
}

/* out_pi = (s_pi - w_pi) / P + what is added, for both p. */
static void mod_down(struct fh_tile_maker *m, const struct key_switch *k, uint32_t coefficients,
                     uint32_t i) {
    const uint32_t all = (uint32_t)(k->level + k->alpha);
    for (uint32_t p = 0; p < 2; p++) {
        const uint32_t w = fh_tile_temporaries(m, 2);
        fh_tile_convert(m, coefficients + p * (uint32_t)k->alpha, k->alpha, w);
        fh_tile_transform(m, w, w + 1);
        read_added(m, k, p, i);
        fh_tile_read(m, k->sums + p * all + i);
        fh_tile_read(m, w + 1);
        fh_tile_elements(m, fh_tile_limb(m, m->graph->blocks[m->block].write, p, i));
    }
}

/* By digits: all sums of one digit after those of the other. By limbs: the extension limbs of the
 * sums first, then each limb from its sums to the result. */
static void multiply(struct fh_tile_maker *m, struct key_switch *k, bool raise) {
    const size_t all = k->level + k->alpha;
    const bool by_digit = m->tiling->loops == FH_TILES_BY_DIGIT;
    k->sums = fh_tile_temporaries(m, 2 * all);
    for (size_t j = 0; j < k->digits && by_digit; j++)
        for (size_t target = 0; target < all; target++)
            sum_target(m, k, j, 1, target, raise);
    for (size_t target = k->level; target < all && !by_digit; target++)
        sum_target(m, k, 0, k->digits, target, raise);
    const uint32_t coefficients = interpolate_extension(m, k);
    for (uint32_t i = 0; i < k->level; i++) {
        if (!by_digit)
            sum_target(m, k, 0, k->digits, i, raise);
        mod_down(m, k, coefficients, i);
    }
}

void fh_tiles_switch_keys(struct fh_tile_maker *m, uint32_t source, enum fh_added added) {
    struct key_switch k = key_switch(m, source);
    k.added = added;
    k.raised = fh_tile_temporaries(m, k.digits * (k.level + k.alpha));
    interpolate(m, &k);
    multiply(m, &k, true);
}

void fh_tiles_raise_digits(struct fh_tile_maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    struct key_switch k = key_switch(m, fh_tile_limb(m, o.cipher[0], 1, 0));
    k.raised = fh_tile_limb(m, b->write, 0, 0);
    interpolate(m, &k);
    for (size_t j = 0; j < k.digits; j++)
        for (size_t target = 0; target < k.level + k.alpha; target++)
            raise_one(m, &k, j, target);
}

void fh_tiles_rotate_raised(struct fh_tile_maker *m) {
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    struct key_switch k = key_switch(m, fh_tile_limb(m, o.cipher[0], 1, 0));
    k.raised = fh_tile_limb(m, o.cipher[1], 0, 0);
    k.added = FH_ADD_FIRST;
    multiply(m, &k, false);
}
