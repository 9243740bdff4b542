/* Every allocation of a journal, of what is made of it and of an array's stores is made to fail,
 * one after the other: it is said, and nothing is lost; where none fails the results are there. */
#include "emu_util.h"

#include "divergence.h"
#include "matrix_pattern.h"
#include "refuse.h"
#include "slice.h"
#include "stores.h"
#include "suspects.h"

enum { WORDS = 64, LIMIT = 4000 };

/* Two changed instructions between others, memory, a shuffle, a product, a variable's constant. */
#define KERNEL(number)                                                                             \
    ".target sm_80, fhec\n.kernel k\n.param out, 8\n.shared s, 256\n"                              \
    "S2R R0, SR_TID.X ;\nMOV R4, 0x4 ;\nIMAD.WIDE.U32 R6, R0, R4, out ;\nIMAD R8, R0, R4, RZ ;\n"  \
    "STS [R8], R0 ;\nLDS R9, [R8] ;\nIADD3 R9, R9, " number ", RZ ;\nNOP ;\n"                      \
    "SHFL.BFLY PT, R10, R9, 0x1, 0x1f ;\n"                                                         \
    "MOV R24, R10 ;\nMOV R25, R0 ;\nMOV R26, R0 ;\n"                                               \
    "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\nIADD3 R9, R40, R10, RZ ;\n"                     \
    "ISETP.LT.U32.AND P0, PT, R0, 0x1c, PT ;\n@P0 STG.E [R6.64], R9 ;\nEXIT ;\n.end\n"

struct world {
    fhec_program *program;
    fhec_machine *machine;
    uint64_t out;
};

static struct world world_of(const char *text) {
    struct world w = {.program = emu_assemble(text),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fhec_alloc(w.machine, "out", 4 * WORDS, 0, &w.out), FHEC_OK);
    return w;
}

static void world_end(struct world *w) {
    fhec_machine_free(w->machine);
    fhec_program_free(w->program);
}

static bool run(struct world *w) {
    return emu_run(w->machine, w->program, 1, 32, &w->out, 1) == FHEC_OK;
}

/* Both parts return whether all was there; what they say then is looked at. */
typedef bool part(struct world *a, struct world *b);

static void each_fails(part *of) {
    struct world a = world_of(KERNEL("0x5")), b = world_of(KERNEL("0x6"));
    long refused = 0;
    assert_true(of(&a, &b));
    for (long n = 0;; n++) {
        refuse_after(n, true);
        const bool fine = of(&a, &b);
        if (!refuse_end()) {
            assert_true(fine);
            break;
        }
        if (fine) /* it did without */
            continue;
        refused++;
        assert_true(n < LIMIT);
    }
    assert_true(refused > 0);
    world_end(&a);
    world_end(&b);
}

static struct fh_journal *journal_of(struct world *w, bool *fine) {
    struct fh_journal *journal = NULL;
    *fine = fh_journal_begin(w->machine, 1 << 24, &journal) == FHEC_OK;
    if (!*fine) {
        assert_null(journal);
        return NULL;
    }
    /* the host writes it, which is kept, too */
    *fine = fhec_write(w->machine, w->out, "1234", 4) == FHEC_OK;
    *fine &= run(w);
    fh_journal_stop(journal);
    *fine &= fh_journal_complete(journal);
    return journal;
}

static bool journals(struct world *a, struct world *b) {
    bool fine;
    struct fh_journal *journal = journal_of(a, &fine);
    (void)b;
    if (fine) {
        assert_int_equal(fh_journal_count(journal), 17);
        assert_int_equal(fh_journal_site_count(journal), 17);
    }
    fh_journal_free(journal);
    return fine;
}

/* Journals that are complete, made while nothing is refused. */
static struct fh_journal *kept[2];

static bool divergences(struct world *a, struct world *b) {
    struct fh_divergences found;
    (void)a;
    (void)b;
    const bool fine = fh_journals_compare(kept[0], kept[1], &found);
    if (fine) {
        assert_int_equal(found.count, 1);
        assert_int_equal(found.list[0].step[0], 6);
    }
    fh_divergences_free(&found);
    return fine;
}

static bool slices(struct world *a, struct world *b) {
    static const struct fh_slice_limits limits = {
        .depth = 64, .nodes = 600, .addresses = true, .guards = true};
    struct fh_slice slice;
    (void)b;
    const bool fine = fh_slice_make(&slice, kept[0], a->out + 8, 4, NULL, &limits);
    if (fine) {
        assert_false(slice.failed);
        assert_int_equal(slice.nodes[1].step, 15);
        assert_true(slice.node_count > 30);
    }
    fh_slice_free(&slice);
    return fine;
}

static bool suspects(struct world *a, struct world *b) {
    struct fh_spectrum_element elements[32];
    (void)b;
    for (size_t i = 0; i < 32; i++)
        elements[i] = (struct fh_spectrum_element){a->out + 4 * i, 4};
    struct fh_evidence *evidence = fh_suspects_evidence(kept[0], elements, 32);
    if (evidence) {
        assert_int_equal(evidence[15].marks.values, 0x0fffffff);
        assert_int_equal(evidence[12].marks.values, 0x0fffffff);
        assert_int_equal(evidence[6].kin.relatives, 1);
    }
    free(evidence);
    return evidence != NULL;
}

static bool patterns(struct world *a, struct world *b) {
    static const uint64_t want[4] = {1, 2, 3, 4}, got[4] = {2, 1, 4, 3};
    const struct fh_probed probed = {.rows = 2, .columns = 2, .got = got, .want = want};
    struct fh_matrix_pattern pattern;
    (void)a;
    (void)b;
    bool fine = fh_matrix_describe(&probed, &pattern);
    fine = fine && strcmp(pattern.cause, "rows 0 and 1 have changed places") == 0;
    fh_matrix_pattern_free(&pattern);
    return fine;
}

static bool stores(struct world *a, struct world *b) {
    struct fh_stores *list;
    struct fh_store store;
    (void)b;
    if (fh_stores_begin(a->machine, a->out, 4, 32, &list) != FHEC_OK) {
        assert_null(list);
        return false;
    }
    bool fine = run(a);
    fine = fine && fh_stores_get(list, 27, &store);
    if (fine) {
        assert_int_equal(store.site->pc, 0xf0);
        assert_int_equal(store.lane, 27);
        assert_int_equal(store.reg, 9);
    }
    fh_stores_end(list);
    return fine;
}

static void journals_fail(void **state) {
    (void)state;
    each_fails(journals);
}

static void readers_fail(void **state) {
    (void)state;
    static part *const parts[] = {divergences, slices, suspects};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        struct world a = world_of(KERNEL("0x5")), b = world_of(KERNEL("0x6"));
        bool fine[2];
        kept[0] = journal_of(&a, &fine[0]);
        kept[1] = journal_of(&b, &fine[1]);
        assert_true(fine[0] && fine[1]);
        each_fails(parts[i]);
        fh_journal_free(kept[0]);
        fh_journal_free(kept[1]);
        world_end(&a);
        world_end(&b);
    }
}

static void others_fail(void **state) {
    (void)state;
    each_fails(patterns);
    each_fails(stores);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(journals_fail),
                                       cmocka_unit_test(readers_fail),
                                       cmocka_unit_test(others_fail)};
    return cmocka_run_group_tests_name("difference_oom", tests, NULL, NULL);
}
