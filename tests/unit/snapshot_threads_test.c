/*
 * snapshot_threads_test.c - snapshots between launches: memory that launches on several host
 * threads, the host, allocations and releases have changed comes back; what differs between
 * snapshots is told; counts and variables are part of them.
 */
#include "emu_util.h"
#include "fhec_session.h"

enum { AREA = 1 << 16, AREAS = 3 };

/* Kernels whose blocks share pages, lines or words, or wait for each other; each adds its first
 * parameter's words up in some way, so that running it again changes memory again. */
static const struct {
    const char *label, *text;
    uint32_t blocks, threads;
} kernels[] = {
    {"a page for each block",
     ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
     "IMAD R2, R1, 0x400, R0 ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R2, R3, data ;\n"
     "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x1, R1 ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
     16, 512},
    {"lines",
     ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
     "IMAD R2, R1, 0x20, R0 ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R2, R3, data ;\n"
     "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x3, R1 ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
     300, 32},
    {"words",
     ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
     "IMAD R2, R0, 0x80, R1 ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R2, R3, data ;\n"
     "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x5, R1 ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
     128, 96},
    {"one word for all",
     ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_TID.X ;\nMOV R4, data ;\n"
     "MOV R5, data+4 ;\nRED.E.ADD.STRONG.GPU [R4.64+0x40], R0 ;\nEXIT ;\n.end\n",
     200, 40},
    {"a fault of a late block",
     ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
     "IMAD R2, R1, 0x40, R0 ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R2, R3, data ;\n"
     "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x7, R1 ;\nSTG.E [R4.64], R8 ;\n"
     "ISETP.EQ.AND P0, PT, R1, 0x58, PT ;\n@P0 STG.E [RZ], R8 ;\nEXIT ;\n.end\n",
     100, 64},
};

struct world {
    fhec_machine *machine;
    fhec_program *programs[COUNT_OF(kernels)];
    uint64_t areas[AREAS];
    uint8_t mapped[5000];
};

static void begin(struct world *w, unsigned threads) {
    const fhec_machine_options options = {.threads = threads};
    assert_int_equal(fhec_machine_new(&options, &w->machine), FHEC_OK);
    fhec_machine_count(w->machine, true);
    for (size_t i = 0; i < COUNT_OF(kernels); i++)
        w->programs[i] = emu_assemble(kernels[i].text);
    for (size_t i = 0; i < AREAS; i++)
        assert_int_equal(fhec_alloc(w->machine, "area", AREA, 0, &w->areas[i]), FHEC_OK);
    memset(w->mapped, 0x33, sizeof w->mapped);
    assert_int_equal(fhec_map(w->machine, "mapped", 0x5000, w->mapped, sizeof w->mapped, 0),
                     FHEC_OK);
}

static void end(struct world *w) {
    fhec_machine_free(w->machine);
    for (size_t i = 0; i < COUNT_OF(kernels); i++)
        fhec_program_free(w->programs[i]);
}

static void launch(struct world *w, size_t kernel, size_t area) {
    const fhec_status status = emu_run(w->machine, w->programs[kernel], kernels[kernel].blocks,
                                       kernels[kernel].threads, &w->areas[area], 1);
    assert_int_equal(status, strstr(kernels[kernel].label, "fault") ? FHEC_GUEST_FAULT : FHEC_OK);
}

/* All bytes of the areas and counts. */
struct picture {
    uint8_t bytes[AREAS][AREA], mapped[5000];
    uint64_t warp, thread, launches;
};

static struct picture *picture_of(const struct world *w) {
    struct picture *p = calloc(1, sizeof *p);
    fhec_stats stats;
    assert_non_null(p);
    for (size_t i = 0; i < AREAS; i++)
        assert_int_equal(fhec_read(w->machine, w->areas[i], p->bytes[i], AREA), FHEC_OK);
    memcpy(p->mapped, w->mapped, sizeof p->mapped);
    assert_int_equal(fhec_machine_stats(w->machine, &stats), FHEC_OK);
    p->warp = stats.warp_insts;
    p->thread = stats.thread_insts;
    p->launches = stats.launches;
    return p;
}

static void expect_picture(const struct world *w, const struct picture *p, const char *what) {
    struct picture *now = picture_of(w);
    for (size_t i = 0; i < AREAS; i++)
        if (memcmp(now->bytes[i], p->bytes[i], AREA) != 0)
            fail_msg("%s: area %zu is not what it was", what, i);
    assert_memory_equal(now->mapped, p->mapped, sizeof p->mapped);
    assert_int_equal(now->warp, p->warp);
    assert_int_equal(now->thread, p->thread);
    assert_int_equal(now->launches, p->launches);
    free(now);
}

/* Each kernel twice, with a snapshot before, between and behind; then to all of them in any order.
 */
static void test_launches(void **unused) {
    (void)unused;
    enum { STATES = 2 * COUNT_OF(kernels) + 1 };
    static struct world w;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        fhec_snapshot *snapshots[STATES];
        struct picture *pictures[STATES];
        begin(&w, threads);
        for (size_t i = 0; i < STATES; i++) {
            if (i)
                launch(&w, (i - 1) / 2, i % AREAS);
            w.mapped[i * 100] ^= (uint8_t)(i + 1);
            assert_int_equal(fhec_snapshot_take(w.machine, &snapshots[i]), FHEC_OK);
            pictures[i] = picture_of(&w);
        }
        for (size_t step = 0, i = 0; step < 60; step++, i = (i * 7 + step) % STATES) {
            fhec_session *session;
            char what[100];
            assert_int_equal(fhec_snapshot_restore(snapshots[i], &session), FHEC_OK);
            assert_null(session);
            snprintf(what, sizeof what, "%u threads, step %zu, state %zu", threads, step, i);
            expect_picture(&w, pictures[i], what);
            if (step % 3 == 0 && i + 1 < STATES) { /* the same launch again */
                launch(&w, i / 2, (i + 1) % AREAS);
                w.mapped[(i + 1) * 100] ^= (uint8_t)(i + 2);
                expect_picture(&w, pictures[i + 1], kernels[i / 2].label);
            } else if (step % 3 == 1) { /* something else */
                launch(&w, step % COUNT_OF(kernels), step % AREAS);
                assert_int_equal(fhec_write(w.machine, w.areas[1] + 777, "abc", 3), FHEC_OK);
            }
        }
        for (size_t i = 0; i < STATES; i++) {
            fhec_snapshot_free(snapshots[i]);
            free(pictures[i]);
        }
        end(&w);
    }
}

/* ---------------------------------------------------------------- differences */

struct expected {
    fhec_difference d[16];
    unsigned count;
};

static bool collect(void *user, const fhec_difference *d) {
    struct expected *e = user;
    assert_true(e->count < COUNT_OF(e->d));
    e->d[e->count++] = *d;
    return true;
}

static void test_compare(void **unused) {
    (void)unused;
    static struct world w;
    struct expected e = {.count = 0};
    fhec_snapshot *first, *second;
    uint64_t later;
    begin(&w, 1);
    assert_int_equal(fhec_snapshot_take(w.machine, &first), FHEC_OK);
    assert_int_equal(fhec_snapshot_compare(first, NULL, collect, &e), FHEC_OK);
    assert_int_equal(fhec_write(w.machine, w.areas[1] + 4095, "\1\2\3", 3), FHEC_OK);
    assert_int_equal(fhec_write(w.machine, w.areas[2] + 16, "\4", 1), FHEC_OK);
    assert_int_equal(fhec_release(w.machine, w.areas[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(w.machine, "later", 10, 0, &later), FHEC_OK);
    w.mapped[4999] = 0x44;
    assert_int_equal(fhec_snapshot_take(w.machine, &second), FHEC_OK);
    for (int way = 0; way < 3; way++) {
        const uint8_t zero[4] = {0};
        fhec_session *session;
        e.count = 0;
        if (way == 1) /* the same is told wherever the machine is */
            assert_int_equal(fhec_snapshot_restore(first, &session), FHEC_OK);
        const fhec_snapshot *to = way == 2 ? NULL : second;
        if (way == 2)
            assert_int_equal(fhec_snapshot_restore(second, &session), FHEC_OK);
        assert_int_equal(fhec_snapshot_compare(first, to, collect, &e), FHEC_DIFFERS);
        assert_int_equal(e.count, 6);
        assert_int_equal(e.d[0].kind, FHEC_DIFFERENCE_ALLOCATION);
        assert_int_equal(e.d[0].address, w.areas[0]);
        assert_int_equal(e.d[0].bytes, AREA);
        assert_non_null(e.d[0].a);
        assert_null(e.d[0].b);
        assert_int_equal(e.d[1].kind, FHEC_DIFFERENCE_MEMORY); /* runs end where pages do */
        assert_int_equal(e.d[1].space, FHEC_SPACE_GLOBAL);
        assert_int_equal(e.d[1].address, w.areas[1] + 4092);
        assert_int_equal(e.d[1].bytes, 4);
        assert_memory_equal(e.d[1].a, zero, 4);
        assert_string_equal(e.d[1].name, "area");
        assert_int_equal(e.d[2].address, w.areas[1] + 4096);
        assert_int_equal(e.d[2].bytes, 4);
        assert_int_equal(e.d[3].address, w.areas[2] + 16);
        assert_int_equal(e.d[4].address, 0x5000 + 4996);
        assert_int_equal(e.d[4].bytes, 4);
        assert_string_equal(e.d[4].name, "mapped");
        assert_int_equal(e.d[5].kind, FHEC_DIFFERENCE_ALLOCATION);
        assert_int_equal(e.d[5].address, later);
        assert_null(e.d[5].a);
        assert_non_null(e.d[5].b);
    }
    fhec_snapshot_free(first);
    fhec_snapshot_free(second);
    end(&w);
}

/* ---------------------------------------------------------------- variables */

/* Programs are loaded and unloaded again with the memory of their variables. */
static void test_variables(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(".target sm_80\n.section .nv.global.init\nvalue:\n.word 0x1234\n"
                     ".section .nv.constant3\nfixed:\n.word 0x77\n"
                     ".kernel K\n.param out, 8\nMOV R4, 32@lo(value) ;\nMOV R5, 32@hi(value) ;\n"
                     "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, c[0x3][0x0], RZ ;\nSTG.E [R4.64], R8 "
                     ";\nEXIT ;\n.end\n");
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    fhec_snapshot *before, *loaded, *changed, *unloaded;
    fhec_session *session;
    uint64_t none = 0, address, again;
    uint32_t value;
    size_t index, fixed;
    assert_int_equal(fhec_variable_find(program, "value", &index), FHEC_OK);
    assert_int_equal(fhec_variable_find(program, "fixed", &fixed), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(m, &before), FHEC_OK);
    emu_run_ok(m, program, 1, 32, &none, 1);
    assert_int_equal(fhec_variable_address(m, program, index, &address), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(m, &loaded), FHEC_OK);
    assert_int_equal(fhec_variable_write(m, program, fixed, 0, &(uint32_t){0x1000}, 4), FHEC_OK);
    emu_run_ok(m, program, 1, 32, &none, 1);
    assert_int_equal(fhec_snapshot_take(m, &changed), FHEC_OK);
    fhec_unload(m, program);
    assert_int_equal(fhec_snapshot_take(m, &unloaded), FHEC_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(fhec_snapshot_restore(loaded, &session), FHEC_OK);
        assert_int_equal(fhec_variable_read(m, program, index, 0, &value, 4), FHEC_OK);
        assert_int_equal(value, 0x1234 + 0x77);
        emu_run_ok(m, program, 1, 32, &none, 1);
        assert_int_equal(fhec_variable_read(m, program, index, 0, &value, 4), FHEC_OK);
        assert_int_equal(value, 0x1234 + 2 * 0x77);
        assert_int_equal(fhec_snapshot_restore(changed, &session), FHEC_OK);
        assert_int_equal(fhec_variable_read(m, program, index, 0, &value, 4), FHEC_OK);
        assert_int_equal(value, 0x1234 + 0x77 + 0x1000);
        assert_int_equal(fhec_variable_address(m, program, index, &again), FHEC_OK);
        assert_int_equal(again, address);
        assert_int_equal(fhec_snapshot_restore(unloaded, &session), FHEC_OK);
        assert_int_equal(fhec_read(m, address, &value, 4), FHEC_BAD_INPUT);
        assert_int_equal(fhec_snapshot_restore(before, &session), FHEC_OK);
        emu_run_ok(m, program, 1, 32, &none, 1); /* loads it where it did the first time */
        assert_int_equal(fhec_variable_address(m, program, index, &again), FHEC_OK);
        assert_int_equal(again, address);
    }
    fhec_snapshot_free(loaded);
    fhec_snapshot_free(before);
    fhec_snapshot_free(unloaded);
    fhec_snapshot_free(changed);
    fhec_machine_free(m);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_variables),
    };
    return cmocka_run_group_tests_name("snapshot_threads", tests, NULL, NULL);
}
