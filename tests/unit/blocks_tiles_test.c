/*
 * blocks_tiles_test.c - the tiles of every operation, one by one, against the formulas of
 * key_switch.c's head and of golden/ckks.h: what each reads and writes, in which order, and its
 * weight; what they cost; and from which tile each read comes.
 *
 * The chain has 6 limbs, 3 digits of 2, 2 extension limbs (1 of ENCAPSULATE's).
 */
#include <math.h>
#include <string.h>

#include "block_tiles.h"
#include "emu_util.h"

enum { LIMBS = 6, ALPHA = 2, DNUM = 3, DIGIT = LIMBS / DNUM, TEXT = 1 << 18, NAMES = 4096 };

/* ---------------------------------------------------------------- two lists to compare */

/* Tiles as text: "C 2 3: a.0.1 #4 > #5": part, weight, operands. Limbs that are in no buffer are
 * numbered as they come up, inputs with !, temporaries with #. */
struct list {
    char *text, reads[4096];
    size_t used;
    char names[NAMES][24]; /* of limbs in no buffer, as this list calls them */
    unsigned count, operands;
};

static struct list *new_list(void) {
    struct list *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->text = calloc(1, TEXT);
    assert_non_null(l->text);
    return l;
}

static void free_list(struct list *l) {
    free(l->text);
    free(l);
}

static const char *shown(struct list *l, const char *name, char text[32]) {
    unsigned i = 0;
    if (name[1] == '.')
        return name; /* of a buffer */
    while (i < l->count && strcmp(l->names[i], name) != 0)
        i++;
    if (i == l->count)
        snprintf(l->names[l->count++], sizeof l->names[0], "%s", name);
    snprintf(text, 32, "%c%u", name[0] == '!' ? '!' : '#', i);
    return text;
}

static const char *name_of(char text[24], const char *format, unsigned a, unsigned b) {
    snprintf(text, 24, format, a, b);
    return text;
}

static void rd(struct list *l, const char *format, unsigned a, unsigned b) {
    char name[24], text[40] = " ", plain[32];
    strcat(text, shown(l, name_of(name, format, a, b), plain));
    strcat(text, " ");
    l->operands++;
    if (strstr(l->reads, text))
        return; /* once */
    if (*l->reads)
        memmove(text, text + 1, strlen(text));
    strcat(l->reads, text);
}

static void wr(struct list *l, char part, unsigned weight, const char *format, unsigned a,
               unsigned b, const char *second) {
    char name[24], plain[32], plain_2[32];
    const char *first = shown(l, name_of(name, format, a, b), plain);
    l->used += (size_t)snprintf(l->text + l->used, TEXT - l->used, "%c %u %u:%s> %s%s%s\n", part,
                                weight, l->operands, l->reads, first, second ? " " : "",
                                second ? shown(l, second, plain_2) : "");
    *l->reads = '\0';
    l->operands = 0;
}

static void transform(struct list *l, const char *from, const char *to, unsigned a, unsigned b) {
    rd(l, from, a, b);
    wr(l, 'T', 1, to, a, b, NULL);
}

static void elements(struct list *l, const char *to, unsigned a, unsigned b) {
    wr(l, 'E', l->operands + 1, to, a, b, NULL);
}

/* ---------------------------------------------------------------- what is expected */

enum added { NOTHING, FIRST, TURNED, PRODUCT };
struct key_switch {
    const char *source; /* "a.1.%u" */
    enum added added;
    bool raised, square, own; /* digits are r.J.M; b is a; the key is the block's own */
    unsigned level, alpha, digit, digits;
    bool base;
};

static bool in_digit(const struct key_switch *k, unsigned j, unsigned m) {
    return m < k->level && m / k->digit == j;
}

static void expect_raise(struct list *l, const struct key_switch *k, unsigned j, unsigned m,
                         const char *to) {
    if (in_digit(k, j, m))
        return;
    unsigned count = 0;
    for (unsigned i = 0; i < k->level; i++)
        if (in_digit(k, j, i)) {
            rd(l, "t%u", i, 0);
            count++;
        }
    wr(l, 'C', count, "u%u_%u", j, m, NULL);
    rd(l, "u%u_%u", j, m);
    wr(l, 'T', 1, to, j, m, NULL);
}

static void expect_product(struct list *l, const struct key_switch *k, unsigned first,
                           unsigned count, unsigned m) {
    char second[24];
    for (unsigned j = first; j < first + count; j++) {
        const unsigned at = m < k->level ? m : (k->base ? m : LIMBS + m - k->level);
        if (in_digit(k, j, m))
            rd(l, k->source, m, 0);
        else
            rd(l, k->raised ? "r.%u.%u" : "v%u_%u", j, m);
        for (unsigned p = 0; p < 2; p++)
            rd(l, k->own ? "!%u_%u" : "k.%u.%u", 2 * j + p, at);
    }
    if (first) {
        rd(l, "s%u_%u", 0, m);
        rd(l, "s%u_%u", 1, m);
    }
    wr(l, 'E', 3 * count + 2, "s%u_%u", 0, m, name_of(second, "s%u_%u", 1, m));
}

static void expect_sums(struct list *l, const struct key_switch *k, unsigned j, unsigned count,
                        unsigned m) {
    for (unsigned d = j; d < j + count && !k->raised; d++)
        expect_raise(l, k, d, m, "v%u_%u");
    expect_product(l, k, j, count, m);
}

static void expect_added(struct list *l, const struct key_switch *k, unsigned p, unsigned i) {
    const char *second = k->square ? "a.%u.%u" : "b.%u.%u";
    if (k->added == NOTHING || (k->added != PRODUCT && p))
        return;
    rd(l, "a.%u.%u", 0, i);
    if (k->added == FIRST)
        return;
    if (k->added == PRODUCT)
        rd(l, second, 0, i);
    if (p) {
        rd(l, "a.%u.%u", 1, i);
        rd(l, second, 1, i);
    }
    elements(l, "made%u_%u", p, i);
    rd(l, "made%u_%u", p, i);
}

static void expect_down(struct list *l, const struct key_switch *k, unsigned i) {
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned a = 0; a < k->alpha; a++)
            rd(l, "e%u_%u", p, a);
        wr(l, 'C', k->alpha, "f%u_%u", p, i, NULL);
        transform(l, "f%u_%u", "w%u_%u", p, i);
        expect_added(l, k, p, i);
        rd(l, "s%u_%u", p, i);
        rd(l, "w%u_%u", p, i);
        elements(l, "c.%u.%u", p, i);
    }
}

static void expect_switch(struct list *l, const struct key_switch *k, bool by_digit) {
    const unsigned all = k->level + k->alpha;
    for (unsigned i = 0; i < k->level && !k->raised; i++)
        transform(l, k->source, "t%u", i, 0);
    for (unsigned j = 0; j < k->digits && by_digit; j++)
        for (unsigned m = 0; m < all; m++)
            expect_sums(l, k, j, 1, m);
    for (unsigned m = k->level; m < all && !by_digit; m++)
        expect_sums(l, k, 0, k->digits, m);
    for (unsigned p = 0; p < 2; p++)
        for (unsigned a = 0; a < k->alpha; a++) {
            rd(l, "s%u_%u", p, k->level + a);
            wr(l, 'T', 1, "e%u_%u", p, a, NULL);
        }
    for (unsigned i = 0; i < k->level; i++) {
        if (!by_digit)
            expect_sums(l, k, 0, k->digits, i);
        expect_down(l, k, i);
    }
}

/* Which buffers a block names: a and b, or a alone; a key, a plaintext. */
struct block_case {
    enum fh_block_op op;
    unsigned level, drop;
    bool second, constant;
};

static void expect_elements(struct list *l, const struct block_case *b) {
    const bool plain =
        b->op == FH_BLOCK_PTMULT || b->op == FH_BLOCK_MONOMIAL || b->op == FH_BLOCK_PTADD;
    for (unsigned p = 0; p < 2; p++)
        for (unsigned i = 0; i < b->level; i++) {
            rd(l, "a.%u.%u", p, i);
            if (b->op == FH_BLOCK_HEADD || b->op == FH_BLOCK_HESUB)
                rd(l, b->second ? "b.%u.%u" : "a.%u.%u", p, i);
            if (plain && !(b->op == FH_BLOCK_PTADD && p))
                rd(l, b->constant ? "p.%u.%u" : "!%u_%u", 0, i);
            elements(l, "c.%u.%u", p, i);
        }
}

static void expect_rescale(struct list *l, const struct block_case *b) {
    const unsigned left = b->level - b->drop;
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned d = 0; d < b->drop; d++) {
            rd(l, "a.%u.%u", p, left + d);
            wr(l, 'T', 1, "last%u_%u", p, d, NULL);
        }
        for (unsigned i = 0; i < left; i++) {
            for (unsigned d = 0; d < b->drop; d++)
                rd(l, "last%u_%u", p, d);
            wr(l, 'C', b->drop, "x%u_%u", p, i, NULL);
            transform(l, "x%u_%u", "y%u_%u", p, i);
            rd(l, "a.%u.%u", p, i);
            rd(l, "y%u_%u", p, i);
            elements(l, "c.%u.%u", p, i);
        }
    }
}

static void expect_mod_raise(struct list *l, const struct block_case *b) {
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned i = 0; i < b->level; i++)
            transform(l, "a.%u.%u", "base%u_%u", p, i);
        for (unsigned i = 0; i < LIMBS; i++) {
            for (unsigned k = 0; k < b->level; k++)
                rd(l, "base%u_%u", p, k);
            wr(l, 'C', b->level, "x%u_%u", p, i, NULL);
            transform(l, "x%u_%u", "c.%u.%u", p, i);
        }
    }
}

static void expect_keys(struct list *l, const struct block_case *b, bool by_digit) {
    struct key_switch k = {.source = "a.1.%u",
                           .added = FIRST,
                           .square = !b->second,
                           .own = !b->constant,
                           .level = b->level,
                           .alpha = ALPHA,
                           .digit = DIGIT,
                           .digits = (b->level + DIGIT - 1) / DIGIT};
    switch (b->op) {
    case FH_BLOCK_HEMULT:
        for (unsigned i = 0; i < b->level; i++) {
            rd(l, "a.%u.%u", 1, i);
            rd(l, b->second ? "b.%u.%u" : "a.%u.%u", 1, i);
            elements(l, "d%u", i, 0);
        }
        k.source = "d%u";
        k.added = PRODUCT;
        break;
    case FH_BLOCK_ROTATE:
    case FH_BLOCK_CONJUGATE:
        for (unsigned i = 0; i < b->level; i++) {
            rd(l, "a.1.%u", i, 0);
            elements(l, "d%u", i, 0);
        }
        k.source = "d%u";
        k.added = TURNED;
        break;
    case FH_BLOCK_KEYSWITCH:
        k.source = "a.0.%u";
        k.added = NOTHING;
        break;
    case FH_BLOCK_ENCAPSULATE:
        k.base = true;
        k.alpha = 1;
        k.digit = b->level;
        k.digits = 1;
        break;
    case FH_BLOCK_ROTATE_RAISED: k.raised = true; break;
    case FH_BLOCK_RAISE_DIGITS:
        for (unsigned i = 0; i < b->level; i++)
            transform(l, "a.1.%u", "t%u", i, 0);
        for (unsigned j = 0; j < k.digits; j++)
            for (unsigned m = 0; m < b->level + ALPHA; m++)
                expect_raise(l, &k, j, m, "c.%u.%u");
        return;
    default: break;
    }
    expect_switch(l, &k, by_digit);
}

static void expect_block(struct list *l, const struct block_case *b, bool by_digit) {
    switch (b->op) {
    case FH_BLOCK_HEADD:
    case FH_BLOCK_HESUB:
    case FH_BLOCK_SCALARMULT:
    case FH_BLOCK_SCALARADD:
    case FH_BLOCK_PTMULT:
    case FH_BLOCK_PTADD:
    case FH_BLOCK_MONOMIAL: expect_elements(l, b); break;
    case FH_BLOCK_RESCALE: expect_rescale(l, b); break;
    case FH_BLOCK_MODRAISE: expect_mod_raise(l, b); break;
    default: expect_keys(l, b, by_digit); break;
    }
}

/* ---------------------------------------------------------------- what there is */

static char ids[5][2] = {"a", "b", "c", "k", "p"};

struct made {
    struct fh_block_graph graph;
    struct fh_block_buffer buffers[5];
    struct fh_block blocks[2];
};

static size_t buffer(struct made *m, char id, enum fh_buffer_kind kind) {
    struct fh_block_buffer *b = &m->buffers[m->graph.buffer_count];
    *b = (struct fh_block_buffer){.kind = kind, .bytes = 12000};
    for (unsigned i = 0; i < 5; i++)
        if (ids[i][0] == id || (id == 'r' && ids[i][0] == 'b'))
            b->id = ids[i];
    /* As many bytes as a buffer of the kind may have: 256 words of 8 bytes. */
    b->bytes = 2048 * (LIMBS + ALPHA) *
               (uint64_t)(kind == FH_BUFFER_KEY  ? 2 * DNUM
                          : kind == FH_BUFFER_PT ? 1
                                                 : DNUM);
    return m->graph.buffer_count++;
}

static void make(struct made *m, const struct block_case *c) {
    const struct fh_block_signature *s = fh_block_signature(c->op);
    struct fh_block_error error = {"", ""};
    memset(m, 0, sizeof *m);
    m->graph.chain = (struct fh_block_chain){8, LIMBS, ALPHA, DNUM, 1, 54};
    m->graph.buffers = m->buffers;
    m->graph.blocks = m->blocks;
    m->graph.block_count = 1;
    struct fh_block *b = &m->blocks[0];
    *b =
        (struct fh_block){.id = ids[2], .op = c->op, .level = c->level, .drop = c->drop, .word = 8};
    b->reads[b->read_count++] = buffer(m, 'a', FH_BUFFER_CT);
    if (c->second)
        b->reads[b->read_count++] = buffer(m, 'b', FH_BUFFER_CT);
    if (c->constant)
        b->reads[b->read_count++] =
            buffer(m, s->key ? 'k' : 'p', s->key ? FH_BUFFER_KEY : FH_BUFFER_PT);
    b->write = buffer(m, 'c', FH_BUFFER_CT);
    if (fh_block_graph_finish(&m->graph, &error) != FHEC_OK)
        fail_msg("%s level %u: %s: %s", s->name, c->level, error.at, error.text);
}

static void limb_name(const struct made *m, const struct fh_tiles *t, uint32_t limb,
                      char name[24]) {
    uint32_t first = 0;
    const bool raised = m->blocks[0].op == FH_BLOCK_ROTATE_RAISED;
    for (size_t v = 0; v < m->graph.buffer_count; v++) {
        const struct fh_block_buffer *b = &m->buffers[v];
        const uint32_t count = (uint32_t)(b->shape.polynomials * b->shape.limbs);
        if (limb - first < count) {
            snprintf(name, 24, "%c.%u.%u", raised && b->id[0] == 'b' ? 'r' : b->id[0],
                     (limb - first) / (uint32_t)b->shape.limbs,
                     (limb - first) % (uint32_t)b->shape.limbs);
            return;
        }
        first += count;
    }
    snprintf(name, 24, "%s%u", t->limbs[limb].input ? "!" : "x", limb);
}

static void list_tiles(struct list *l, const struct made *m, const struct fh_tiles *t) {
    uint32_t *writer = calloc(t->limb_count + 1, sizeof *writer);
    assert_non_null(writer);
    for (size_t i = 0; i < t->count; i++) {
        const struct fh_tile *tile = &t->tiles[i];
        char name[24], second[24];
        assert_int_equal(tile->block, 0);
        for (uint32_t a = 0; a < tile->reads; a++) {
            const struct fh_tile_access *access = &t->accesses[tile->first + a];
            limb_name(m, t, access->limb, name);
            rd(l, name, 0, 0);
            /* From who has written it last. */
            const uint32_t from = writer[access->limb] ? writer[access->limb] - 1 : FH_TILE_NONE;
            assert_int_equal(access->from, from);
        }
        l->operands = tile->operands;
        const struct fh_tile_access *out = &t->accesses[tile->first + tile->reads];
        limb_name(m, t, out[0].limb, name);
        if (tile->writes == 2)
            limb_name(m, t, out[1].limb, second);
        wr(l, "TCE"[tile->part], tile -> weight, name, 0, 0, tile -> writes == 2 ? second : NULL);
        for (uint32_t w = 0; w < tile->writes; w++) {
            assert_int_equal(out[w].from, FH_TILE_NONE);
            writer[out[w].limb] = (uint32_t)i + 1;
        }
    }
    free(writer);
}

static void same_lists(const struct list *got, const struct list *wanted, const char *what,
                       unsigned level) {
    const char *a = got->text, *b = wanted->text;
    if (strcmp(a, b) == 0)
        return;
    unsigned line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    while (a > got->text && a[-1] != '\n')
        a--, b--;
    fail_msg("%s, level %u, tile %u: %.120s\n  expected %.120s", what, level, line, a, b);
}

static const struct block_case cases[] = {
    {FH_BLOCK_HEADD, 6, 0, true, false},         {FH_BLOCK_HEADD, 2, 0, false, false},
    {FH_BLOCK_HESUB, 5, 0, true, false},         {FH_BLOCK_SCALARMULT, 3, 0, false, false},
    {FH_BLOCK_SCALARADD, 3, 0, false, false},    {FH_BLOCK_PTMULT, 4, 0, false, true},
    {FH_BLOCK_PTMULT, 4, 0, false, false},       {FH_BLOCK_PTADD, 4, 0, false, true},
    {FH_BLOCK_PTADD, 4, 0, false, false},        {FH_BLOCK_MONOMIAL, 2, 0, false, true},
    {FH_BLOCK_HEMULT, 6, 0, true, true},         {FH_BLOCK_HEMULT, 5, 0, true, true},
    {FH_BLOCK_HEMULT, 1, 0, true, true},         {FH_BLOCK_HEMULT, 4, 0, false, true},
    {FH_BLOCK_HEMULT, 3, 0, true, false},        {FH_BLOCK_ROTATE, 6, 0, false, true},
    {FH_BLOCK_ROTATE, 3, 0, false, false},       {FH_BLOCK_CONJUGATE, 2, 0, false, true},
    {FH_BLOCK_KEYSWITCH, 6, 0, false, true},     {FH_BLOCK_KEYSWITCH, 3, 0, false, false},
    {FH_BLOCK_RAISE_DIGITS, 6, 0, false, false}, {FH_BLOCK_RAISE_DIGITS, 3, 0, false, false},
    {FH_BLOCK_ROTATE_RAISED, 6, 0, true, true},  {FH_BLOCK_ROTATE_RAISED, 3, 0, true, true},
    {FH_BLOCK_RESCALE, 6, 1, false, false},      {FH_BLOCK_RESCALE, 6, 2, false, false},
    {FH_BLOCK_RESCALE, 2, 1, false, false},      {FH_BLOCK_MODRAISE, 1, 0, false, false},
    {FH_BLOCK_MODRAISE, 2, 0, false, false},     {FH_BLOCK_ENCAPSULATE, 1, 0, false, true},
    {FH_BLOCK_ENCAPSULATE, 3, 0, false, true},   {FH_BLOCK_ENCAPSULATE, 2, 0, false, false},
    {FH_BLOCK_RELEASE, 6, 0, false, true},       {FH_BLOCK_RELEASE, 1, 0, false, false},
};

static void test_tiles(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (unsigned loops = 0; loops < 2; loops++)
            for (unsigned packed = 0; packed < 2; packed++) {
                struct made m;
                struct fh_tiles tiles;
                struct list *got = new_list(), *wanted = new_list();
                const struct fh_tiling tiling = {loops ? FH_TILES_BY_LIMB : FH_TILES_BY_DIGIT,
                                                 packed};
                make(&m, &cases[i]);
                assert_int_equal(fh_tiles_make(&tiles, &m.graph, &tiling), FHEC_OK);
                list_tiles(got, &m, &tiles);
                expect_block(wanted, &cases[i], !loops);
                same_lists(got, wanted, fh_block_signature(cases[i].op)->name, cases[i].level);
                /* 256 elements of 8 bytes, or of 54 bits; results are c's, inputs not. */
                const struct fh_block *b = &m.blocks[0];
                const size_t out =
                    m.buffers[b->write].shape.polynomials * m.buffers[b->write].shape.limbs;
                size_t results = 0;
                for (size_t n = 0; n < tiles.limb_count; n++) {
                    assert_int_equal(tiles.limbs[n].bytes, packed ? 256 / 8 * 54 : 2048);
                    assert_false(tiles.limbs[n].result && tiles.limbs[n].input);
                    results += tiles.limbs[n].result;
                }
                assert_int_equal(results, out);
                fh_tiles_free(&tiles);
                assert_true(!tiles.tiles && !tiles.limbs && !tiles.accesses && !tiles.count);
                free(m.graph.order);
                free_list(got);
                free_list(wanted);
            }
}

/* HEMult of 2 limbs: each part's cost goes to its tiles by weight, operands and writes. */
static void test_price(void **unused) {
    (void)unused;
    static const struct fh_block_cost cost = {
        {{.cycles = 1000, .plain = 500, .loaded = 300, .stored = 200},
         {.cycles = 70, .plain = 7, .loaded = 40, .stored = 50},
         {.cycles = 9000, .plain = 900, .loaded = 7777, .stored = 8888}}};
    static const struct block_case both = {FH_BLOCK_HEMULT, 2, 0, true, true},
                                   flat = {FH_BLOCK_HEADD, 3, 0, true, false};
    struct made m;
    struct fh_tiles t;
    double weight[FH_TILE_PARTS] = {0}, operands[FH_TILE_PARTS] = {0}, writes[FH_TILE_PARTS] = {0};
    make(&m, &both);
    assert_int_equal(fh_tiles_make(&t, &m.graph, &(struct fh_tiling){0, false}), FHEC_OK);
    for (size_t i = 0; i < t.count; i++) {
        weight[t.tiles[i].part] += t.tiles[i].weight;
        operands[t.tiles[i].part] += t.tiles[i].operands;
        writes[t.tiles[i].part] += t.tiles[i].writes;
    }
    assert_int_equal(fh_tiles_price(&t, &m.graph, &cost), FHEC_OK);
    for (size_t i = 0; i < t.count; i++) {
        const struct fh_tile *x = &t.tiles[i];
        const struct fh_part_cost *c = &cost.part[x->part];
        assert_true(fabs(x->cycles - c->cycles * x->weight / weight[x->part]) < 1e-9);
        assert_true(fabs(x->plain - c->plain * x->weight / weight[x->part]) < 1e-9);
        assert_true(fabs(x->loaded - (double)c->loaded * x->operands / operands[x->part]) < 1e-9);
        assert_true(fabs(x->stored - (double)c->stored * x->writes / writes[x->part]) < 1e-9);
    }
    fh_tiles_free(&t);
    free(m.graph.order);
    /* HEAdd has element-wise tiles alone, six alike: what the others cost is theirs, too. */
    make(&m, &flat);
    assert_int_equal(fh_tiles_make(&t, &m.graph, &(struct fh_tiling){0, false}), FHEC_OK);
    assert_int_equal(t.count, 6);
    assert_int_equal(fh_tiles_price(&t, &m.graph, &cost), FHEC_OK);
    for (size_t i = 0; i < t.count; i++) {
        assert_true(fabs(t.tiles[i].cycles - 10070 / 6.0) < 1e-9);
        assert_true(fabs(t.tiles[i].plain - 1407 / 6.0) < 1e-9);
        assert_true(fabs(t.tiles[i].loaded - 8117 / 6.0) < 1e-9);
        assert_true(fabs(t.tiles[i].stored - 9138 / 6.0) < 1e-9);
    }
    fh_tiles_free(&t);
    free(m.graph.order);
    assert_string_equal(fh_tile_part_name(FH_TILE_TRANSFORM), "transforms");
    assert_string_equal(fh_tile_part_name(FH_TILE_CONVERSION), "conversions");
    assert_string_equal(fh_tile_part_name(FH_TILE_ELEMENTS), "elements");
}

/* Two blocks: what the first one writes, the second one reads; the result is the second one's, and
 * none if it is temporary. */
static void test_two(void **unused) {
    (void)unused;
    static const struct block_case first = {FH_BLOCK_SCALARADD, 2, 0, false, false};
    for (unsigned temporary = 0; temporary < 2; temporary++) {
        struct made m;
        struct fh_tiles t;
        struct fh_block_error error;
        make(&m, &first);
        m.blocks[1] = m.blocks[0];
        m.blocks[1].reads[0] = m.blocks[0].write;
        m.blocks[1].write = buffer(&m, 'b', temporary ? FH_BUFFER_TMP : FH_BUFFER_CT);
        m.graph.block_count = 2;
        assert_int_equal(fh_block_graph_finish(&m.graph, &error), FHEC_OK);
        assert_int_equal(fh_tiles_make(&t, &m.graph, &(struct fh_tiling){0, false}), FHEC_OK);
        assert_int_equal(t.count, 8);
        assert_int_equal(t.limb_count, 12);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(t.tiles[4 + i].block, 1);
            assert_int_equal(t.accesses[t.tiles[i].first].from, FH_TILE_NONE);
            assert_int_equal(t.accesses[t.tiles[4 + i].first].from, i);
        }
        for (uint32_t n = 0; n < 12; n++) {
            assert_int_equal(t.limbs[n].input, n < 4);
            assert_int_equal(t.limbs[n].result, n >= 8 && !temporary);
        }
        fh_tiles_free(&t);
        free(m.graph.order);
    }
}

/* What each operation reads, by docs/blocks.md and golden/ckks.h. */
static void test_signatures(void **unused) {
    (void)unused;
    static const struct fh_block_signature wanted[FH_BLOCK_OPS] = {
        [FH_BLOCK_HEADD] = {"headd", 1, 2, false, false},
        [FH_BLOCK_HESUB] = {"hesub", 1, 2, false, false},
        [FH_BLOCK_HEMULT] = {"hemult", 1, 2, true, false},
        [FH_BLOCK_SCALARMULT] = {"scalarmult", 1, 1, false, false},
        [FH_BLOCK_SCALARADD] = {"scalaradd", 1, 1, false, false},
        [FH_BLOCK_PTMULT] = {"ptmult", 1, 1, false, true},
        [FH_BLOCK_PTADD] = {"ptadd", 1, 1, false, true},
        [FH_BLOCK_MONOMIAL] = {"monomial", 1, 1, false, true},
        [FH_BLOCK_ROTATE] = {"rotate", 1, 1, true, false},
        [FH_BLOCK_CONJUGATE] = {"conjugate", 1, 1, true, false},
        [FH_BLOCK_KEYSWITCH] = {"keyswitch", 1, 1, true, false},
        [FH_BLOCK_RAISE_DIGITS] = {"raise-digits", 1, 1, false, false},
        [FH_BLOCK_ROTATE_RAISED] = {"rotate-raised", 2, 2, true, false},
        [FH_BLOCK_RESCALE] = {"rescale", 1, 1, false, false},
        [FH_BLOCK_MODRAISE] = {"modraise", 1, 1, false, false},
        [FH_BLOCK_ENCAPSULATE] = {"encapsulate", 1, 1, true, false},
        [FH_BLOCK_RELEASE] = {"release", 1, 1, true, false},
    };
    for (unsigned op = 0; op < FH_BLOCK_OPS; op++) {
        const struct fh_block_signature *is = fh_block_signature((enum fh_block_op)op);
        assert_string_equal(is->name, wanted[op].name);
        assert_int_equal(is->least, wanted[op].least);
        assert_int_equal(is->most, wanted[op].most);
        assert_int_equal(is->key, wanted[op].key);
        assert_int_equal(is->plain, wanted[op].plain);
    }
    static const char *const kinds[] = {"ct", "key", "pt", "tmp"};
    for (unsigned k = 0; k < FH_BUFFER_KINDS; k++) {
        assert_string_equal(fh_buffer_kind_name((enum fh_buffer_kind)k), kinds[k]);
        assert_int_equal(fh_block_is_cipher((enum fh_buffer_kind)k), k == 0 || k == 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_price),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_signatures),
    };
    return cmocka_run_group_tests_name("blocks_tiles", tests, NULL, NULL);
}
