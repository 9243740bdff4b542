/*
 * labs_test.c - LABS's mapping: annealing finds the best places that there are for few parts, by
 * trying all of them; what METIS prints can be kept from standard output. FHEC_TEST_SEED chooses
 * the costs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "emu_random.h"
#include "labs.h"
#include "metis_library.h"
#include "quiet.h"
#include "torus.h"

enum { ROUTERS = 64 };

static uint64_t first_seed(void) {
    const char *text = getenv("FHEC_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 1;
}

static void try_places(const struct fh_torus *t, const uint64_t *cut, uint32_t *router,
                       uint32_t first, uint64_t *least) {
    const uint32_t parts = fh_torus_routers(t);
    if (first == parts) {
        uint64_t sum = 0;
        for (uint32_t a = 0; a < parts; a++)
            for (uint32_t b = 0; b < a; b++)
                sum += cut[a * parts + b] * fh_torus_hops(t, router[b], router[a]);
        *least = sum < *least ? sum : *least;
        return;
    }
    for (uint32_t i = first; i < parts; i++) {
        const uint32_t kept = router[first];
        router[first] = router[i];
        router[i] = kept;
        try_places(t, cut, router, first + 1, least);
        router[i] = router[first];
        router[first] = kept;
    }
}

static void annealing(void **state) {
    static const struct fh_torus shapes[] = {{2, 2}, {2, 3}, {1, 7}, {4, 2}};
    const uint64_t seed = first_seed();
    (void)state;
    for (uint64_t c = 0; c < 24; c++) {
        struct emu_rng rng = {.state = seed + c};
        const struct fh_torus *t = &shapes[c % 4];
        const uint32_t parts = fh_torus_routers(t);
        uint64_t cut[ROUTERS] = {0}, least = UINT64_MAX;
        uint32_t router[8], again[8], all[8] = {0, 1, 2, 3, 4, 5, 6, 7}, seen = 0;
        for (uint32_t a = 0; a < parts; a++)
            for (uint32_t b = 0; b < a; b++)
                cut[a * parts + b] = cut[b * parts + a] =
                    emu_below(&rng, 3) ? emu_below(&rng, 1000) : 0;
        try_places(t, cut, all, 0, &least);
        const uint64_t got = fh_labs_anneal(t, cut, router);
        for (uint32_t p = 0; p < parts; p++)
            seen |= 1U << router[p];
        assert_int_equal(seen, (1U << parts) - 1);
        assert_int_equal(fh_labs_gamma(t, cut, router), got);
        if (got != least)
            fail_msg("seed %llu: gamma %llu, least %llu", (unsigned long long)(seed + c),
                     (unsigned long long)got, (unsigned long long)least);
        assert_int_equal(fh_labs_anneal(t, cut, again), got);
        assert_memory_equal(again, router, parts * sizeof *router);
    }
}

/* Six tiles in a ring whose edges have 1, 2, 4, ... bytes, and parts of two: the cut has the edges
 * 1-2, 3-4 and 5-0, in both directions of the matrix, and phi each of them once. */
static void cut(void **state) {
    enum { TILES = 6, PARTS = 4 };
    static const uint32_t part[TILES] = {2, 2, 0, 0, 3, 3};
    uint32_t first[TILES + 1], to[2 * TILES], bytes[2 * TILES], loads[TILES] = {1, 1, 1, 1, 1, 1};
    const struct fh_labs_graph graph = {TILES, 1, first, to, bytes, loads};
    uint64_t got[PARTS * PARTS], want[PARTS * PARTS] = {0};
    (void)state;
    for (uint32_t v = 0; v < TILES; v++) {
        first[v] = 2 * v;
        to[2 * v] = (v + 1) % TILES;
        bytes[2 * v] = 1U << v;
        to[2 * v + 1] = (v + TILES - 1) % TILES;
        bytes[2 * v + 1] = 1U << (v + TILES - 1) % TILES;
    }
    first[TILES] = 2 * TILES;
    want[2 * PARTS + 0] = want[0 * PARTS + 2] = 2;
    want[0 * PARTS + 3] = want[3 * PARTS + 0] = 8;
    want[3 * PARTS + 2] = want[2 * PARTS + 3] = 32;
    assert_int_equal(fh_labs_cut(&graph, part, PARTS, got), 2 + 8 + 32);
    assert_memory_equal(got, want, sizeof want);
}

/* Whether it prints something. */
static bool printed(const struct fh_labs_graph *graph, uint32_t parts, uint32_t *part, bool quiet) {
    FILE *said = tmpfile();
    assert_non_null(said);
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(fileno(said), STDOUT_FILENO) >= 0);
    const struct fh_cli_quiet silence = quiet ? fh_cli_quiet_begin() : (struct fh_cli_quiet){-1};
    const fhec_status status = fh_cli_metis(&(const char *){NULL})(graph, parts, part);
    fh_cli_quiet_end(silence);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    fseek(said, 0, SEEK_END);
    const bool something = ftell(said) != 0;
    fclose(said);
    assert_int_equal(status, FHEC_OK);
    return something;
}

/* A chain of tiles one of which is nearly all the work: METIS tells of parts that come out empty.
 */
static void quiet_partition(void **state) {
    enum { TILES = 100, PARTS = 15 };
    uint32_t first[TILES + 1], to[2 * TILES], bytes[2 * TILES], loads[TILES], part[TILES], at = 0;
    const struct fh_labs_graph graph = {TILES, 1, first, to, bytes, loads};
    (void)state;
    if (!fh_cli_metis(&(const char *){NULL}))
        skip();
    for (uint32_t v = 0; v < TILES; v++) {
        first[v] = at;
        loads[v] = v ? 1 : 1000000;
        for (unsigned side = 0; side < 2; side++) {
            if (side ? v + 1 == TILES : v == 0)
                continue;
            bytes[at] = 1;
            to[at++] = side ? v + 1 : v - 1;
        }
    }
    first[TILES] = at;
    assert_true(printed(&graph, PARTS, part, false));
    assert_false(printed(&graph, PARTS, part, true));
    for (uint32_t v = 0; v < TILES; v++)
        assert_true(part[v] < PARTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(annealing),
        cmocka_unit_test(cut),
        cmocka_unit_test(quiet_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
