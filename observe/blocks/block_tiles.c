/*
 * block_tiles.c - see block_tiles.h.
 *
 * A key switch of one polynomial d of l limbs, with digits of D limbs and A extension limbs:
 *
 *     d_i  -INTT-> t_i                                       i < l
 *     t of digit j  -conversion-> u_jm  -NTT-> v_jm          m < l + A, not of digit j
 *     v_jm (or d_m), key_j0m, key_j1m  -product-> s_0m, s_1m summed over j
 *     s_pm, m >= l  -INTT-> -conversion-> -NTT-> w_pi        p < 2, i < l
 *     (s_pi - w_pi) / P + what is added  -> out_pi
 */
#include "block_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "block_shape.h"
#include "trace_bytes.h"

const char *fh_tile_part_name(enum fh_tile_part part) {
    static const char *const names[FH_TILE_PARTS] = {"transforms", "conversions", "elements"};
    return names[part];
}

/* Limbs of a buffer: polynomial after polynomial. */
struct placed {
    uint32_t first, per_polynomial;
};

enum { MOST_ACCESSES = 256 };
struct maker {
    const struct fh_block_graph *graph;
    struct fh_tiles *to;
    const struct fh_tiling *tiling;
    struct placed *buffers;
    uint32_t *writers; /* of each limb: the last tile, or NONE */
    size_t writer_room;
    uint64_t temporary; /* bytes of a limb of the block */
    uint32_t block;
    bool failed;
    /* Of the tile that is being made: */
    uint32_t reads[MOST_ACCESSES], read_count;
};

/* ---------------------------------------------------------------- limbs and tiles */

static uint32_t add_limbs(struct maker *m, size_t count, struct fh_limb limb) {
    struct fh_tiles *t = m->to;
    const size_t first = t->limb_count;
    if (count > UINT32_MAX / 2 - first ||
        !fh_trace_room(&t->limbs, &t->limb_room, first + count, sizeof *t->limbs) ||
        !fh_trace_room(&m->writers, &m->writer_room, first + count, sizeof *m->writers)) {
        m->failed = true;
        return 0;
    }
    for (size_t i = first; i < first + count; i++) {
        t->limbs[i] = limb;
        m->writers[i] = FH_TILE_NONE;
    }
    t->limb_count += count;
    return (uint32_t)first;
}

/* Of the block itself. */
static uint32_t temporaries(struct maker *m, size_t count) {
    return add_limbs(m, count, (struct fh_limb){m->temporary, false, false});
}

static void reads(struct maker *m, uint32_t limb) {
    if (m->read_count < MOST_ACCESSES)
        m->reads[m->read_count++] = limb;
    else
        m->failed = true;
}

static void access(struct maker *m, uint32_t limb, uint32_t from) {
    m->to->accesses[m->to->access_count++] = (struct fh_tile_access){limb, from};
}

/* The tile with what has been read, which writes one or two limbs; b NONE: one. */
static void tile(struct maker *m, enum fh_tile_part part, uint32_t weight, uint32_t a, uint32_t b) {
    struct fh_tiles *t = m->to;
    const uint32_t writes = b == FH_TILE_NONE ? 1 : 2;
    if (m->failed || t->count >= UINT32_MAX / 2 || t->access_count >= UINT32_MAX / 2 ||
        !fh_trace_room(&t->tiles, &t->room, t->count + 1, sizeof *t->tiles) ||
        !fh_trace_room(&t->accesses, &t->access_room, t->access_count + m->read_count + writes,
                       sizeof *t->accesses)) {
        m->failed = true;
        return;
    }
    t->tiles[t->count] = (struct fh_tile){.block = m->block,
                                          .part = part,
                                          .weight = weight,
                                          .first = (uint32_t)t->access_count,
                                          .reads = m->read_count,
                                          .writes = writes};
    for (uint32_t i = 0; i < m->read_count; i++)
        access(m, m->reads[i], m->writers[m->reads[i]]);
    access(m, a, FH_TILE_NONE);
    m->writers[a] = (uint32_t)t->count;
    if (writes == 2) {
        access(m, b, FH_TILE_NONE);
        m->writers[b] = (uint32_t)t->count;
    }
    t->count++;
    m->read_count = 0;
}

static void transform(struct maker *m, uint32_t from, uint32_t to) {
    reads(m, from);
    tile(m, FH_TILE_TRANSFORM, 1, to, FH_TILE_NONE);
}

/* One limb of the conversion from `count` limbs. */
static void convert(struct maker *m, uint32_t from, size_t count, uint32_t to) {
    for (size_t i = 0; i < count; i++)
        reads(m, from + (uint32_t)i);
    tile(m, FH_TILE_CONVERSION, (uint32_t)count, to, FH_TILE_NONE);
}

/* Element by element, of what has been read. */
static void elements(struct maker *m, uint32_t to) {
    tile(m, FH_TILE_ELEMENTS, m->read_count + 1, to, FH_TILE_NONE);
}

/* ---------------------------------------------------------------- buffers */

/* Of every buffer as many limbs as blocks read and write. */
static void place_buffers(struct maker *m) {
    const struct fh_block_graph *g = m->graph;
    for (size_t v = 0; v < g->buffer_count && !m->failed; v++) {
        const struct fh_block_buffer *b = &g->buffers[v];
        const bool written = b->writer != FH_BLOCK_NONE;
        const struct fh_limb limb = {.bytes =
                                         fh_block_limb_bytes(&g->chain, b->word, m->tiling->packed),
                                     .result = written && !b->readers && b->kind != FH_BUFFER_TMP,
                                     .input = !written};
        m->buffers[v].per_polynomial = (uint32_t)b->shape.limbs;
        m->buffers[v].first = add_limbs(m, b->shape.polynomials * b->shape.limbs, limb);
    }
}

static uint32_t limb(const struct maker *m, size_t buffer, size_t polynomial, size_t index) {
    const struct placed *p = &m->buffers[buffer];
    return p->first + (uint32_t)(polynomial * p->per_polynomial + index);
}

/* ---------------------------------------------------------------- switching of keys */

enum added { ADD_NOTHING, ADD_FIRST, ADD_TURNED, ADD_PRODUCT };

struct key_switch {
    size_t level, alpha, digit, dnum, digits;
    uint32_t source, turned; /* d_0 .. d_{l-1}, one after another; the same as coefficients */
    uint32_t raised;         /* v_jm: digits x (level + alpha) */
    uint32_t key, key_limbs; /* key_jpm: (2 j + p) limbs + m, where limbs are those of the chain */
    uint32_t sums;           /* s_pm: 2 x (level + alpha) */
    enum added added;
};

static struct key_switch key_switch(struct maker *m, uint32_t source) {
    const struct fh_block_graph *g = m->graph;
    const struct fh_block *b = &g->blocks[m->block];
    const bool base = b->op == FH_BLOCK_ENCAPSULATE;
    const size_t key = fh_block_operands(g, m->block).key;
    struct key_switch k = {.level = b->level,
                           .alpha = base ? g->chain.base_alpha : g->chain.alpha,
                           .digit = base ? b->level : g->chain.limbs / g->chain.dnum,
                           .dnum = base ? 1 : g->chain.dnum,
                           .source = source};
    k.digits = base ? 1 : fh_block_digits(&g->chain, k.level);
    k.key_limbs = (uint32_t)fh_block_key_shape(&g->chain, b).limbs;
    if (key != FH_BLOCK_NONE)
        k.key = m->buffers[key].first;
    else if (b->op != FH_BLOCK_RAISE_DIGITS)
        k.key = add_limbs(m, 2 * k.dnum * k.key_limbs, (struct fh_limb){m->temporary, false, true});
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
static void raise_one(struct maker *m, const struct key_switch *k, size_t j, size_t target) {
    size_t count;
    const size_t first = digit_at(k, j, &count);
    if (of_digit(k, j, target))
        return;
    const uint32_t u = temporaries(m, 1);
    convert(m, k->turned + (uint32_t)first, count, u);
    transform(m, u, k->raised + (uint32_t)(j * (k->level + k->alpha) + target));
}

static void interpolate(struct maker *m, struct key_switch *k) {
    k->turned = temporaries(m, k->level);
    for (uint32_t i = 0; i < k->level; i++)
        transform(m, k->source + i, k->turned + i);
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

static void product(struct maker *m, const struct key_switch *k, size_t j, size_t digits,
                    size_t target) {
    const uint32_t all = (uint32_t)(k->level + k->alpha), to = k->sums + (uint32_t)target;
    for (size_t d = j; d < j + digits; d++) {
        reads(m, operand(k, d, target));
        reads(m, key_at(k, d, 0, target));
        reads(m, key_at(k, d, 1, target));
    }
    if (j) { /* what has been summed up so far */
        reads(m, to);
        reads(m, to + all);
    }
    tile(m, FH_TILE_ELEMENTS, (uint32_t)(3 * digits + 2), to, to + all);
}

/* What of one target is added up; raised before, unless the digits are there. */
static void sum_target(struct maker *m, const struct key_switch *k, size_t j, size_t digits,
                       size_t target, bool raise) {
    for (size_t d = j; d < j + digits && raise; d++)
        raise_one(m, k, d, target);
    product(m, k, j, digits, target);
}

/* The extension limbs of both sums, as coefficients. */
static uint32_t interpolate_extension(struct maker *m, const struct key_switch *k) {
    const uint32_t all = (uint32_t)(k->level + k->alpha), to = temporaries(m, 2 * k->alpha);
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t a = 0; a < k->alpha; a++)
            transform(m, k->sums + p * all + (uint32_t)k->level + a,
                      to + p * (uint32_t)k->alpha + a);
    return to;
}

/* What is added to out_pi: nothing; a limb of the first operand, of rotations after its
 * automorphism; of products a0 b0 and a0 b1 + a1 b0. Made where it is needed, not before. */
static void read_added(struct maker *m, const struct key_switch *k, uint32_t p, uint32_t i) {
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    if (k->added == ADD_NOTHING || (k->added != ADD_PRODUCT && p))
        return;
    if (k->added == ADD_FIRST) {
        reads(m, limb(m, o.cipher[0], 0, i));
        return;
    }
    const uint32_t made = temporaries(m, 1);
    reads(m, limb(m, o.cipher[0], 0, i));
    if (k->added == ADD_PRODUCT)
        reads(m, limb(m, o.cipher[1], 0, i));
    if (p) {
        reads(m, limb(m, o.cipher[0], 1, i));
        reads(m, limb(m, o.cipher[1], 1, i));
    }
    elements(m, made);
    reads(m, made);
}

/* out_pi = (s_pi - w_pi) / P + what is added, for both p. */
static void mod_down(struct maker *m, const struct key_switch *k, uint32_t coefficients,
                     uint32_t i) {
    const uint32_t all = (uint32_t)(k->level + k->alpha);
    for (uint32_t p = 0; p < 2; p++) {
        const uint32_t w = temporaries(m, 2);
        convert(m, coefficients + p * (uint32_t)k->alpha, k->alpha, w);
        transform(m, w, w + 1);
        read_added(m, k, p, i);
        reads(m, k->sums + p * all + i);
        reads(m, w + 1);
        elements(m, limb(m, m->graph->blocks[m->block].write, p, i));
    }
}

/* By digits: all sums of one digit after those of the other. By limbs: the extension limbs of the
 * sums first, then each limb from its sums to the result. */
static void multiply(struct maker *m, struct key_switch *k, bool raise) {
    const size_t all = k->level + k->alpha;
    const bool by_digit = m->tiling->loops == FH_TILES_BY_DIGIT;
    k->sums = temporaries(m, 2 * all);
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

static void switch_keys(struct maker *m, uint32_t source, enum added added) {
    struct key_switch k = key_switch(m, source);
    k.added = added;
    k.raised = temporaries(m, k.digits * (k.level + k.alpha));
    interpolate(m, &k);
    multiply(m, &k, true);
}

/* ---------------------------------------------------------------- blocks */

/* Both polynomials, limb by limb, with those of a second operand, or one plaintext. */
static void by_elements(struct maker *m, size_t second, bool plain, bool first_only) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    uint32_t own = 0;
    if (plain && o.plain == FH_BLOCK_NONE)
        own = add_limbs(m, b->level, (struct fh_limb){m->temporary, false, true});
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < b->level; i++) {
            reads(m, limb(m, o.cipher[0], p, i));
            if (second != FH_BLOCK_NONE)
                reads(m, limb(m, second, p, i));
            if (plain && !(first_only && p))
                reads(m, o.plain == FH_BLOCK_NONE ? own + (uint32_t)i : limb(m, o.plain, 0, i));
            elements(m, limb(m, b->write, p, i));
        }
}

/* d2 = a1 b1 to the key of s; the rest is added at the end. */
static void hemult(struct maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    const uint32_t d = temporaries(m, b->level);
    for (uint32_t i = 0; i < b->level; i++) {
        reads(m, limb(m, o.cipher[0], 1, i));
        reads(m, limb(m, o.cipher[1], 1, i));
        elements(m, d + i);
    }
    switch_keys(m, d, ADD_PRODUCT);
}

/* The automorphism of the second polynomial, then its key; that of the first one at the end. */
static void rotate(struct maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    const uint32_t turned = temporaries(m, b->level);
    for (uint32_t i = 0; i < b->level; i++) {
        reads(m, limb(m, o.cipher[0], 1, i));
        elements(m, turned + i);
    }
    switch_keys(m, turned, ADD_TURNED);
}

static void raise_digits(struct maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    struct key_switch k = key_switch(m, limb(m, o.cipher[0], 1, 0));
    k.raised = limb(m, b->write, 0, 0);
    interpolate(m, &k);
    for (size_t j = 0; j < k.digits; j++)
        for (size_t target = 0; target < k.level + k.alpha; target++)
            raise_one(m, &k, j, target);
}

/* With digits that are there; the automorphism comes behind the products. */
static void rotate_raised(struct maker *m) {
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    struct key_switch k = key_switch(m, limb(m, o.cipher[0], 1, 0));
    k.raised = limb(m, o.cipher[1], 0, 0);
    k.added = ADD_FIRST;
    multiply(m, &k, false);
}

static void rescale(struct maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    for (size_t p = 0; p < 2; p++) {
        const uint32_t last = temporaries(m, b->drop);
        for (size_t d = 0; d < b->drop; d++)
            transform(m, limb(m, o.cipher[0], p, b->level - b->drop + d), last + (uint32_t)d);
        for (size_t i = 0; i < b->level - b->drop; i++) {
            const uint32_t w = temporaries(m, 2);
            convert(m, last, b->drop, w);
            transform(m, w, w + 1);
            reads(m, limb(m, o.cipher[0], p, i));
            reads(m, w + 1);
            elements(m, limb(m, b->write, p, i));
        }
    }
}

static void mod_raise(struct maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    for (size_t p = 0; p < 2; p++) {
        const uint32_t base = temporaries(m, b->level);
        for (size_t i = 0; i < b->level; i++)
            transform(m, limb(m, o.cipher[0], p, i), base + (uint32_t)i);
        for (size_t i = 0; i < m->graph->chain.limbs; i++) {
            const uint32_t w = temporaries(m, 1);
            convert(m, base, b->level, w);
            transform(m, w, limb(m, b->write, p, i));
        }
    }
}

static void make_block(struct maker *m, size_t block) {
    const struct fh_block *b = &m->graph->blocks[block];
    const struct fh_block_operands o = fh_block_operands(m->graph, block);
    m->block = (uint32_t)block;
    m->temporary = fh_block_limb_bytes(&m->graph->chain, b->word, m->tiling->packed);
    switch (b->op) {
    case FH_BLOCK_HEADD:
    case FH_BLOCK_HESUB: by_elements(m, o.cipher[1], false, false); break;
    case FH_BLOCK_SCALARMULT:
    case FH_BLOCK_SCALARADD: by_elements(m, FH_BLOCK_NONE, false, false); break;
    case FH_BLOCK_PTMULT:
    case FH_BLOCK_MONOMIAL: by_elements(m, FH_BLOCK_NONE, true, false); break;
    case FH_BLOCK_PTADD: by_elements(m, FH_BLOCK_NONE, true, true); break;
    case FH_BLOCK_HEMULT: hemult(m); break;
    case FH_BLOCK_ROTATE:
    case FH_BLOCK_CONJUGATE: rotate(m); break;
    case FH_BLOCK_KEYSWITCH: switch_keys(m, limb(m, o.cipher[0], 0, 0), ADD_NOTHING); break;
    case FH_BLOCK_RAISE_DIGITS: raise_digits(m); break;
    case FH_BLOCK_ROTATE_RAISED: rotate_raised(m); break;
    case FH_BLOCK_RESCALE: rescale(m); break;
    case FH_BLOCK_MODRAISE: mod_raise(m); break;
    case FH_BLOCK_ENCAPSULATE:
    case FH_BLOCK_RELEASE: switch_keys(m, limb(m, o.cipher[0], 1, 0), ADD_FIRST); break;
    case FH_BLOCK_OPS: break;
    }
}

fhec_status fh_tiles_make(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                          const struct fh_tiling *tiling) {
    struct maker *m = calloc(1, sizeof *m);
    memset(tiles, 0, sizeof *tiles);
    if (!m)
        return FHEC_HOST_ERROR;
    m->graph = graph;
    m->to = tiles;
    m->tiling = tiling;
    m->buffers = calloc(graph->buffer_count + 1, sizeof *m->buffers);
    m->failed = !m->buffers;
    if (!m->failed)
        place_buffers(m);
    for (size_t i = 0; i < graph->block_count && !m->failed; i++)
        make_block(m, graph->order[i]);
    const bool failed = m->failed;
    free(m->buffers);
    free(m->writers);
    free(m);
    return failed ? FHEC_HOST_ERROR : FHEC_OK;
}

void fh_tiles_free(struct fh_tiles *tiles) {
    free(tiles->tiles);
    free(tiles->accesses);
    free(tiles->limbs);
    memset(tiles, 0, sizeof *tiles);
}

/* ---------------------------------------------------------------- costs */

/* Weights of a block's tiles, of one part. */
struct share {
    double weight, reads, writes;
};

static struct share sum_of(const struct share *parts) {
    struct share all = {0};
    for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
        all.weight += parts[p].weight;
        all.reads += parts[p].reads;
        all.writes += parts[p].writes;
    }
    return all;
}

/* A part of the cost that the block has no tiles of goes to all of its tiles. */
static void price(struct fh_tile *t, const struct share *parts, const struct fh_block_cost *cost) {
    const struct share all = sum_of(parts);
    for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
        const struct fh_part_cost *c = &cost->part[p];
        const struct share *of = parts[p].weight > 0 ? &parts[p] : &all;
        if (of == &parts[p] && t->part != p)
            continue;
        t->cycles += c->cycles * t->weight / of->weight;
        t->plain += c->plain * t->weight / of->weight;
        t->loaded += (double)c->loaded * t->reads / of->reads;
        t->stored += (double)c->stored * t->writes / of->writes;
    }
}

fhec_status fh_tiles_price(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                           const struct fh_block_cost *costs) {
    struct share(*shares)[FH_TILE_PARTS] = calloc(graph->block_count + 1, sizeof *shares);
    if (!shares)
        return FHEC_HOST_ERROR;
    for (size_t i = 0; i < tiles->count; i++) {
        const struct fh_tile *t = &tiles->tiles[i];
        struct share *s = &shares[t->block][t->part];
        s->weight += t->weight;
        s->reads += t->reads;
        s->writes += t->writes;
    }
    for (size_t i = 0; i < tiles->count; i++) {
        struct fh_tile *t = &tiles->tiles[i];
        t->cycles = t->plain = t->loaded = t->stored = 0;
        price(t, shares[t->block], &costs[t->block]);
    }
    free(shares);
    return FHEC_OK;
}
