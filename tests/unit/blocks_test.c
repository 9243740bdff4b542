/*
 * blocks_test.c - the parts of `fhec blocks`: the torus against walks over all of it, on-chip
 * memory against every way to choose who goes, the order of blocks, what is wrong with graphs; and
 * on random graphs that times keep their bounds and get no longer with more features, wider links,
 * more memory.
 *
 * FHEC_TEST_SEED chooses the random ones. A failure prints the seed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block_plan.h"
#include "emu_random.h"
#include "list_schedule.h"
#include "metis_library.h"
#include "onchip.h"
#include "torus.h"

static uint64_t first_seed(void) {
    const char *text = getenv("FHEC_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 1;
}

/* ---------------------------------------------------------------- the torus */

enum { ROUTERS = 64 };

/* Distances by breadth-first search over neighbours by their definition. */
static void walk(uint32_t columns, uint32_t rows, uint32_t from, uint32_t distance[ROUTERS]) {
    const uint32_t count = columns * rows;
    for (uint32_t i = 0; i < count; i++)
        distance[i] = i == from ? 0 : UINT32_MAX;
    for (uint32_t step = 0; step < count; step++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t d = 0; d < 4 && distance[i] == step; d++) {
                const uint32_t x = (i % columns + (d == 0   ? 1
                                                   : d == 1 ? columns - 1
                                                            : 0)) %
                                   columns;
                const uint32_t y = (i / columns + (d == 2 ? 1 : d == 3 ? rows - 1 : 0)) % rows;
                if (distance[x + y * columns] == UINT32_MAX)
                    distance[x + y * columns] = step + 1;
            }
}

static void torus(void **state) {
    static const struct fh_torus shapes[] = {{1, 1}, {3, 5}, {2, 3}, {4, 4}, {1, 7}, {5, 2}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct fh_torus *t = &shapes[s];
        for (uint32_t from = 0; from < fh_torus_routers(t); from++) {
            uint32_t distance[ROUTERS], way[FH_TORUS_MOST];
            walk(t->columns, t->rows, from, distance);
            for (uint32_t to = 0; to < fh_torus_routers(t); to++) {
                uint32_t at = from;
                const uint32_t hops = fh_torus_route(t, from, to, way);
                assert_int_equal(hops, distance[to]);
                assert_int_equal(fh_torus_hops(t, from, to), distance[to]);
                for (uint32_t i = 0; i < hops; i++) {
                    assert_int_equal(way[i] / FH_TORUS_DIRECTIONS, at);
                    at = fh_torus_neighbour(t, way[i]);
                }
                assert_int_equal(at, to);
            }
        }
    }
}

/* The paper's torus: a router has 28 hops to all 15 together, and when each sends one message to
 * all, the busiest channel, of a ring of five, has 9 of them. */
static void all_to_all(void **state) {
    static const struct fh_torus t = {3, 5};
    uint32_t hops = 0, most = 0, way[FH_TORUS_MOST], loads[4 * ROUTERS] = {0};
    (void)state;
    for (uint32_t from = 0; from < 15; from++)
        for (uint32_t to = 0; to < 15; to++)
            for (uint32_t i = fh_torus_route(&t, from, to, way); i-- > 0; hops++) {
                loads[way[i]]++;
                most = loads[way[i]] > most ? loads[way[i]] : most;
            }
    assert_int_equal(hops, 15 * 28);
    assert_int_equal(most, 9);
}

/* ---------------------------------------------------------------- on-chip memory */

/* The fewest fetches: tries every resident as the one that goes. The set is a mask. */
static unsigned fewest(const struct fh_onchip_access *a, size_t count, unsigned room,
                       unsigned set) {
    unsigned best = UINT32_MAX;
    if (!count)
        return 0;
    const unsigned fetch = !a->write && !(set >> a->limb & 1);
    bool dead = a->write; /* nobody reads it before it is written again */
    for (size_t i = 1; i < count && dead && !(a[i].limb == a->limb && a[i].write); i++)
        dead = a[i].limb != a->limb;
    if (dead)
        return fewest(a + 1, count - 1, room, set & ~(1U << a->limb));
    if (set >> a->limb & 1 || (unsigned)__builtin_popcount(set) < room)
        return fetch + fewest(a + 1, count - 1, room, set | 1U << a->limb);
    for (unsigned gone = 0; gone < 8; gone++)
        if (set >> gone & 1) {
            const unsigned other =
                fetch + fewest(a + 1, count - 1, room, (set & ~(1U << gone)) | 1U << a->limb);
            best = other < best ? other : best;
        }
    return best;
}

static unsigned fetches(enum fh_onchip_policy policy, struct fh_onchip_access *a, size_t count,
                        unsigned room) {
    struct fh_onchip_limb limbs[8];
    unsigned sum = 0;
    for (unsigned i = 0; i < 8; i++)
        limbs[i] = (struct fh_onchip_limb){16, false};
    assert_int_equal(fh_onchip_run(16 * (uint64_t)room, policy, limbs, 8, a, count), FHEC_OK);
    for (size_t i = 0; i < count; i++)
        sum += a[i].fetched;
    return sum;
}

static void belady(void **state) {
    enum { CASES = 200, LENGTH = 13 };
    const uint64_t seed = first_seed();
    (void)state;
    for (uint64_t c = 0; c < CASES; c++) {
        struct emu_rng rng = {.state = seed + c};
        struct fh_onchip_access a[LENGTH];
        const unsigned room = 1 + emu_below(&rng, 3);
        for (unsigned i = 0; i < LENGTH; i++)
            a[i] = (struct fh_onchip_access){.limb = emu_below(&rng, 6),
                                             .write = emu_below(&rng, 4) == 0,
                                             .group = FH_ONCHIP_NONE};
        const unsigned least = fewest(a, LENGTH, room, 0);
        const unsigned got = fetches(FH_ONCHIP_BELADY, a, LENGTH, room);
        if (got != least || fetches(FH_ONCHIP_LRU, a, LENGTH, room) < least)
            fail_msg("seed %llu: %u fetches, %u at least", (unsigned long long)(seed + c), got,
                     least);
    }
}

enum { NO = FH_ONCHIP_NONE };

/* A limb that is written, evicted, read again; a result; one that is too large. */
static void write_backs(void **state) {
    const struct fh_onchip_limb limbs[] = {{16, false}, {16, true}, {16, false}, {64, true}};
    struct fh_onchip_access a[] = {
        {.limb = 0, .write = true, .group = NO}, /* stays until 2 comes */
        {.limb = 2, .group = NO},                /* is fetched, 0 goes: 16 bytes are written */
        {.limb = 2, .group = NO},                /* is there, and goes */
        {.limb = 0, .group = NO},                /* is fetched */
        {.limb = 1, .write = true, .group = NO}, /* a result that nobody reads: 16 bytes */
        {.limb = 3, .write = true, .group = NO}, /* too large, a result */
    };
    const uint64_t written[] = {0, 16, 0, 0, 16, 64};
    const bool fetched[] = {false, true, false, true, false, false};
    (void)state;
    assert_int_equal(fh_onchip_run(16, FH_ONCHIP_LRU, limbs, 4, a, 6), FHEC_OK);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(a[i].written, written[i]);
        assert_int_equal(a[i].fetched, fetched[i]);
    }
}

/* Groups 0 and 1 take turns, 2 comes later, with room for all: limb 0 is of both of them, 1 and 3
 * are of one of them and of 2, 2 of 0 alone. */
static void groups(void **state) {
    const struct fh_onchip_limb limbs[] = {{16, false}, {16, false}, {16, true}, {16, false}};
    struct fh_onchip_access a[] = {
        {.limb = 0, .group = 0},                /* is fetched */
        {.limb = 3, .group = 1, .write = true}, /* is made */
        {.limb = 1, .group = 0},                /* is fetched */
        {.limb = 2, .group = 0, .write = true}, /* a result; 0 has ended: 1 goes, 0 stays */
        {.limb = 0, .group = 1},                /* is there; 1 has ended: 3 is written */
        {.limb = 1, .group = 2},                /* is fetched once more */
        {.limb = 3, .group = 2},                /* is fetched */
    };
    const uint64_t written[] = {0, 0, 0, 16, 16, 0, 0};
    const bool fetched[] = {true, false, true, false, false, true, true};
    (void)state;
    for (unsigned policy = 0; policy < 2; policy++) {
        assert_int_equal(fh_onchip_run(1000, (enum fh_onchip_policy)policy, limbs, 4, a, 7),
                         FHEC_OK);
        for (unsigned i = 0; i < 7; i++) {
            assert_int_equal(a[i].written, written[i]);
            assert_int_equal(a[i].fetched, fetched[i]);
        }
    }
}

/* ---------------------------------------------------------------- graphs */

enum { MOST_BLOCKS = 12, LEVELS = 6 };

struct made {
    struct fh_block_graph graph;
    struct fh_block_buffer buffers[4 * MOST_BLOCKS + 4];
    struct fh_block blocks[MOST_BLOCKS];
    struct fh_block_cost costs[MOST_BLOCKS];
};
static char name[] = "x";

static size_t add_buffer(struct made *m, enum fh_buffer_kind kind, uint64_t bytes) {
    m->buffers[m->graph.buffer_count] =
        (struct fh_block_buffer){.id = name, .kind = kind, .bytes = bytes};
    return m->graph.buffer_count++;
}

static size_t add_block(struct made *m, enum fh_block_op op, size_t level, size_t a, size_t b,
                        size_t constant) {
    struct fh_block *block = &m->blocks[m->graph.block_count++];
    *block = (struct fh_block){.id = name, .op = op, .level = level, .drop = 1, .word = 8};
    block->reads[block->read_count++] = a;
    if (b != FH_BLOCK_NONE)
        block->reads[block->read_count++] = b;
    if (constant != FH_BLOCK_NONE)
        block->reads[block->read_count++] = constant;
    block->write = add_buffer(m, FH_BUFFER_CT, 2 * (level - (op == FH_BLOCK_RESCALE)) * 2048);
    return block->write;
}

static void begin(struct made *m) {
    memset(m, 0, sizeof *m);
    m->graph.chain = (struct fh_block_chain){8, LEVELS, 2, 3, 1, 54};
    m->graph.buffers = m->buffers;
    m->graph.blocks = m->blocks;
}

static void expect(struct made *m, const char *at, const char *text) {
    struct fh_block_error error = {"", ""};
    assert_int_equal(fh_block_graph_finish(&m->graph, &error), FHEC_BAD_INPUT);
    assert_string_equal(error.at, at);
    if (!strstr(error.text, text))
        fail_msg("\"%s\"; expected \"%s\"", error.text, text);
    free(m->graph.order);
    m->graph.order = NULL;
}

static void wrong_graphs(void **state) {
    struct made m;
    (void)state;
    begin(&m);
    size_t a = add_buffer(&m, FH_BUFFER_CT, 12 * 2048), k = add_buffer(&m, FH_BUFFER_KEY, 2048);
    add_block(&m, FH_BLOCK_HEADD, LEVELS + 1, a, a, FH_BLOCK_NONE);
    expect(&m, "blocks[0].level", "level 7; the chain has 6 limbs");
    m.blocks[0].level = 1;
    m.blocks[0].op = FH_BLOCK_RESCALE;
    m.blocks[0].read_count = 1;
    expect(&m, "blocks[0].level", "leaves none");
    m.blocks[0].op = FH_BLOCK_HEADD;
    m.blocks[0].reads[0] = k;
    expect(&m, "blocks[0].reads", "headd reads 2 ciphertexts, or one twice, not 0");
    m.blocks[0].read_count = 2;
    expect(&m, "blocks[0].reads", "headd reads no key");
    m.blocks[0].reads[0] = a;
    m.blocks[0].reads[1] = m.blocks[0].write;
    expect(&m, "blocks[0].writes", "it reads");
    m.blocks[0].reads[1] = a;
    const size_t x = add_block(&m, FH_BLOCK_HEADD, 1, a, a, FH_BLOCK_NONE);
    m.blocks[1].write = m.blocks[0].write;
    expect(&m, "blocks[1].writes", "writes \"x\", too");
    m.blocks[1].write = k;
    expect(&m, "blocks[1].writes", "is a key, which no block writes");
    m.blocks[1].write = x;
    m.blocks[1].reads[0] = m.blocks[0].write; /* 0 -> 1 -> 0 */
    m.blocks[0].reads[0] = x;
    expect(&m, "blocks[0].reads", "there is a cycle");
    m.blocks[0].reads[0] = a;
    m.blocks[1].level = 2;
    expect(&m, "blocks[1].reads[0]", "level 2; \"x\" has 1 limbs");
    m.blocks[1].level = 1;
    m.blocks[0].op = FH_BLOCK_RAISE_DIGITS;
    m.blocks[0].read_count = 1;
    expect(&m, "blocks[1].reads[0]", "is raised digits, no ciphertext");
    m.graph.chain.dnum = 4;
    expect(&m, "chain", "6 limbs cannot be cut into 4 digits");
}

/* Blocks come behind those that they read of, else as they stand. */
static void order(void **state) {
    struct made m;
    struct fh_block_error error;
    (void)state;
    begin(&m);
    const size_t a = add_buffer(&m, FH_BUFFER_CT, 4 * 2048);
    for (unsigned i = 0; i < 4; i++)
        add_block(&m, FH_BLOCK_HEADD, 2, a, a, FH_BLOCK_NONE);
    m.blocks[0].reads[1] = m.blocks[2].write;
    m.blocks[2].reads[0] = m.blocks[3].write;
    assert_int_equal(fh_block_graph_finish(&m.graph, &error), FHEC_OK);
    assert_memory_equal(m.graph.order, ((const size_t[]){1, 3, 2, 0}), 4 * sizeof(size_t));
    free(m.graph.order);
}

/* A HEMult of l limbs, digits of d, A extension limbs: tiles by hand. */
static void tiles_of_hemult(void **state) {
    struct made m;
    struct fh_block_error error;
    struct fh_tiles tiles;
    unsigned count[FH_TILE_PARTS] = {0}, cold = 0;
    const unsigned l = LEVELS, alpha = 2, digits = 3, digit = 2;
    const unsigned raised = digits * (l + alpha - digit);
    (void)state;
    begin(&m);
    const size_t a = add_buffer(&m, FH_BUFFER_CT, 12 * 2048),
                 b = add_buffer(&m, FH_BUFFER_CT, 24576);
    add_block(&m, FH_BLOCK_HEMULT, l, a, b, add_buffer(&m, FH_BUFFER_KEY, 3 * 2 * 8 * 2048));
    assert_int_equal(fh_block_graph_finish(&m.graph, &error), FHEC_OK);
    for (unsigned by_limb = 0; by_limb < 2; by_limb++) {
        assert_int_equal(fh_tiles_make(&tiles, &m.graph, &(struct fh_tiling){by_limb, false}),
                         FHEC_OK);
        memset(count, 0, sizeof count);
        for (size_t i = 0; i < tiles.count; i++)
            count[tiles.tiles[i].part]++;
        assert_int_equal(count[FH_TILE_TRANSFORM], l + raised + 2 * alpha + 2 * l);
        assert_int_equal(count[FH_TILE_CONVERSION], raised + 2 * l);
        assert_int_equal(count[FH_TILE_ELEMENTS], l + (by_limb ? 1 : digits) * (l + alpha) + 4 * l);
        cold = 0;
        for (size_t i = 0; i < tiles.limb_count; i++) {
            cold += tiles.limbs[i].input || tiles.limbs[i].result;
            assert_int_equal(tiles.limbs[i].bytes, 2048);
        }
        assert_int_equal(cold, 3 * 2 * l + 2 * digits * (l + alpha));
        fh_tiles_free(&tiles);
    }
    free(m.graph.order);
}

/* A square reads each limb once: of d2 = a1 a1 one, of a0 a0 + 2 a0 a1 two. What it costs is that
 * of all operands. */
static void square(void **state) {
    struct made m;
    struct fh_block_error error;
    struct fh_tiles tiles;
    (void)state;
    begin(&m);
    const size_t a = add_buffer(&m, FH_BUFFER_CT, 2 * LEVELS * 2048);
    add_block(&m, FH_BLOCK_HEMULT, 1, a, FH_BLOCK_NONE, FH_BLOCK_NONE);
    assert_int_equal(fh_block_graph_finish(&m.graph, &error), FHEC_OK);
    assert_int_equal(fh_tiles_make(&tiles, &m.graph, &(struct fh_tiling){FH_TILES_BY_LIMB, false}),
                     FHEC_OK);
    assert_int_equal(tiles.tiles[0].reads, 1);
    assert_int_equal(tiles.tiles[0].weight, 3);
    unsigned crosses = 0;
    for (size_t i = 0; i < tiles.count; i++)
        if (tiles.tiles[i].part == FH_TILE_ELEMENTS && tiles.tiles[i].weight == 5 &&
            tiles.tiles[i].writes == 1) {
            assert_int_equal(tiles.tiles[i].reads, 2);
            crosses++;
        }
    assert_int_equal(crosses, 1);
    fh_tiles_free(&tiles);
    free(m.graph.order);
}

/* ---------------------------------------------------------------- random graphs */

static void make_random(struct made *m, uint64_t seed) {
    struct emu_rng rng = {.state = seed};
    size_t values[MOST_BLOCKS + 3], levels[MOST_BLOCKS + 3], count = 0;
    struct fh_block_error error;
    begin(m);
    for (; count < 3; count++) {
        levels[count] = LEVELS;
        values[count] = add_buffer(m, FH_BUFFER_CT, 2 * LEVELS * 2048);
    }
    const size_t key = add_buffer(m, FH_BUFFER_KEY, 6 * 8 * 2048);
    const unsigned blocks = 1 + emu_below(&rng, MOST_BLOCKS);
    for (unsigned i = 0; i < blocks; i++) {
        static const enum fh_block_op ops[] = {FH_BLOCK_HEADD, FH_BLOCK_HEMULT, FH_BLOCK_ROTATE,
                                               FH_BLOCK_RESCALE, FH_BLOCK_PTMULT};
        enum fh_block_op op = ops[emu_below(&rng, 5)];
        const size_t a = emu_below(&rng, (uint32_t)count), b = emu_below(&rng, (uint32_t)count);
        const bool two = op == FH_BLOCK_HEADD || op == FH_BLOCK_HEMULT;
        size_t level = two && levels[b] < levels[a] ? levels[b] : levels[a];
        if (op == FH_BLOCK_RESCALE && level == 1)
            op = FH_BLOCK_PTMULT;
        values[count] = add_block(m, op, level, values[a], two ? values[b] : FH_BLOCK_NONE,
                                  fh_block_signature(op)->key ? key : FH_BLOCK_NONE);
        levels[count++] = level - (op == FH_BLOCK_RESCALE);
        for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
            const double plain = 1000 + emu_below(&rng, 100000);
            m->costs[i].part[p] = (struct fh_part_cost){
                .plain = plain, .loaded = 1000 * emu_below(&rng, 2000), .stored = 400000};
        }
    }
    assert_int_equal(fh_block_graph_finish(&m->graph, &error), FHEC_OK);
}

static const struct fh_block_machine base_machine = {.torus = {3, 5},
                                                     .rate = 32,
                                                     .memory = 300,
                                                     .link = 32,
                                                     .hop = 4,
                                                     .overlap = 0.5,
                                                     .onchip = 40 * 2048,
                                                     .policy = FH_ONCHIP_BELADY,
                                                     .orders = (1 << FH_ORDERS) - 1};

/* What blocks cost is divided among their tiles, all of it, whatever tiles had cost before. */
static void costs_of_tiles(const struct made *m, struct fh_tiles *tiles) {
    for (unsigned twice = 0; twice < 2; twice++) {
        struct fh_part_cost sums[MOST_BLOCKS] = {{0}};
        double stored[MOST_BLOCKS] = {0}, loaded[MOST_BLOCKS] = {0};
        assert_int_equal(fh_tiles_price(tiles, &m->graph, m->costs), FHEC_OK);
        for (size_t i = 0; i < tiles->count; i++) {
            const struct fh_tile *t = &tiles->tiles[i];
            sums[t->block].cycles += t->cycles;
            sums[t->block].plain += t->plain;
            loaded[t->block] += t->loaded;
            stored[t->block] += t->stored;
        }
        for (size_t i = 0; i < m->graph.block_count; i++) {
            struct fh_part_cost all = {0};
            for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
                all.cycles += m->costs[i].part[p].cycles;
                all.plain += m->costs[i].part[p].plain;
                all.loaded += m->costs[i].part[p].loaded;
                all.stored += m->costs[i].part[p].stored;
            }
            assert_true(fabs(sums[i].cycles - all.cycles) < 1e-3);
            assert_true(fabs(sums[i].plain - all.plain) < 1e-3);
            assert_true(fabs(loaded[i] - (double)all.loaded) < 1e-3);
            assert_true(fabs(stored[i] - (double)all.stored) < 1e-3);
        }
    }
}

/* By a hash of their addresses limbs are anywhere: what is read or written goes over the 28 hops to
 * or from the 15 routers, divided by 15, in a torus of 3 x 5. */
static void loads_if_hashed(const struct fh_tiles *tiles, const struct fh_block_plan *plan,
                            const struct fh_block_machine *machine) {
    double bytes = 0, loads = 0;
    for (size_t i = 0; i < tiles->count; i++) {
        const struct fh_tile *t = &tiles->tiles[i];
        for (uint32_t a = 0; a < t->reads + t->writes; a++)
            bytes += (double)tiles->limbs[tiles->accesses[t->first + a].limb].bytes;
    }
    for (uint32_t c = 0; c < fh_torus_channels(&machine->torus); c++)
        loads += plan->loads[c];
    assert_true(fabs(loads - bytes * 28 / 15) < bytes * 1e-9);
}

static unsigned hashed; /* plans */

/* Cycles of the graph; `faster`: what features make of the plain costs. */
static double cycles(struct made *m, const struct fh_block_machine *machine, double faster,
                     struct fh_block_plan *plan) {
    struct fh_tiles tiles;
    for (size_t i = 0; i < m->graph.block_count; i++)
        for (unsigned p = 0; p < FH_TILE_PARTS; p++)
            m->costs[i].part[p].cycles = m->costs[i].part[p].plain / faster;
    assert_int_equal(
        fh_tiles_make(&tiles, &m->graph, &(struct fh_tiling){FH_TILES_BY_DIGIT, false}), FHEC_OK);
    costs_of_tiles(m, &tiles);
    assert_int_equal(fh_block_plan_make(plan, &m->graph, &tiles, machine), FHEC_OK);
    double most = 0, bytes = 0, worked = 0;
    for (uint32_t c = 0; c < fh_torus_channels(&machine->torus) && machine->cnoc; c++)
        most = fmax(most, plan->loads[c]);
    for (size_t i = 0; i < m->graph.block_count; i++) {
        assert_true(plan->blocks[i].start <= plan->blocks[i].end);
        assert_true(plan->blocks[i].end <= plan->cycles);
        bytes += plan->blocks[i].fetched + plan->blocks[i].written;
    }
    for (size_t i = 0; i < tiles.count; i++)
        worked += tiles.tiles[i].cycles / machine->rate;
    if (machine->cnoc && plan->mapping == FH_MAPPING_GREEDY_HASHED) {
        loads_if_hashed(&tiles, plan, machine);
        hashed++;
    }
    const double slack = 1 + 1e-9;
    assert_true(plan->cycles * slack >= plan->bounds.path);
    assert_true(plan->cycles * slack >= plan->bounds.work);
    assert_true(plan->cycles * slack >= plan->bounds.memory);
    assert_true(plan->cycles * slack >= bytes / machine->memory);
    assert_true(plan->cycles * slack >= most / machine->link);
    assert_true(plan->cycles * slack >= worked / fh_torus_routers(&machine->torus));
    fh_tiles_free(&tiles);
    return plan->cycles;
}

static double only_cycles(struct made *m, const struct fh_block_machine *machine, double faster) {
    struct fh_block_plan plan;
    const double got = cycles(m, machine, faster, &plan);
    fh_block_plan_free(&plan);
    return got;
}

static void not_slower(uint64_t seed, const char *what, double before, double after) {
    if (after > before * 1.03)
        fail_msg("seed %llu: %s: %.0f cycles, before %.0f", (unsigned long long)seed, what, after,
                 before);
}

static void random_graphs(void **state) {
    enum { GRAPHS = 16 };
    const uint64_t seed = first_seed();
    (void)state;
    for (uint64_t i = seed; i < seed + GRAPHS; i++) {
        struct made *m = malloc(sizeof *m);
        struct fh_block_machine machine = base_machine;
        assert_non_null(m);
        make_random(m, i);
        const double plain = only_cycles(m, &machine, 1);
        machine.cnoc = true;
        const double cnoc = only_cycles(m, &machine, 1);
        const double mod = only_cycles(m, &machine, 2);
        not_slower(i, "faster instructions", cnoc, mod);
        machine.memory *= 2;
        not_slower(i, "faster memory", mod, only_cycles(m, &machine, 2));
        machine.memory /= 2;
        machine.link = 128;
        const double wide = only_cycles(m, &machine, 2);
        not_slower(i, "wider links", mod, wide);
        machine.onchip *= 2;
        const double more = only_cycles(m, &machine, 2);
        not_slower(i, "more on-chip memory", wide, more);
        machine.policy = FH_ONCHIP_LRU;
        not_slower(i, "Belady instead of LRU", only_cycles(m, &machine, 2), more);
        machine.labs = fh_cli_metis(&(const char *){NULL});
        if (machine.labs) {
            machine.policy = FH_ONCHIP_BELADY;
            const double labs = only_cycles(m, &machine, 2);
            not_slower(i, "LABS", more, labs);
            assert_true(only_cycles(m, &machine, 2) == labs); /* the same once more */
        }
        /* With links that carry all: cNoC only saves. */
        machine = base_machine;
        machine.link = 1e9;
        machine.hop = 0;
        machine.cnoc = true;
        not_slower(i, "cNoC", plain, only_cycles(m, &machine, 1));
        free(m->graph.order);
        free(m);
    }
    assert_true(hashed > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torus),  cmocka_unit_test(all_to_all),
        cmocka_unit_test(belady), cmocka_unit_test(write_backs),
        cmocka_unit_test(groups), cmocka_unit_test(wrong_graphs),
        cmocka_unit_test(order),  cmocka_unit_test(tiles_of_hemult),
        cmocka_unit_test(square), cmocka_unit_test(random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
