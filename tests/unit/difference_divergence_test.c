/* Two versions of a kernel: which instruction is which, and the first one of each warp that did
 * something else, of every kind. */
#include "emu_util.h"

#include "code_pairs.h"
#include "divergence.h"

#define HEAD ".target sm_80\n.kernel k\n.param out, 8\n.param q, 8\n.shared s, 1024\n"

struct side {
    const char *body;
    uint32_t blocks, threads;
    const char *buffer;
    size_t gap;    /* bytes in front of the buffer */
    bool late;     /* the journal begins behind the buffer: it does not know of it */
    uint64_t q[2]; /* of two launches; the second one is made if it is not 0 */
};

struct run {
    fhec_program *program;
    fhec_machine *machine;
    struct fh_journal *journal;
    uint64_t out;
};

static struct run run_side(const struct side *side) {
    char text[4096];
    struct run r;
    uint64_t gap;
    snprintf(text, sizeof text, HEAD "%sEXIT ;\n.end\n", side->body);
    r.program = emu_assemble(text);
    r.machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    if (!side->late)
        assert_int_equal(fh_journal_begin(r.machine, 1 << 24, &r.journal), FHEC_OK);
    if (side->gap)
        assert_int_equal(fhec_alloc(r.machine, "gap", side->gap, 0, &gap), FHEC_OK);
    assert_int_equal(fhec_alloc(r.machine, side->buffer ? side->buffer : "out", 1024, 0, &r.out),
                     FHEC_OK);
    if (side->late)
        assert_int_equal(fh_journal_begin(r.machine, 1 << 24, &r.journal), FHEC_OK);
    for (size_t i = 0; i < 2; i++) {
        const uint64_t params[2] = {r.out, side->q[i]};
        if (i == 0 || side->q[i])
            emu_run_ok(r.machine, r.program, side->blocks ? side->blocks : 1,
                       side->threads ? side->threads : 32, params, 2);
    }
    fh_journal_stop(r.journal);
    return r;
}

static void run_end(struct run *r) {
    fh_journal_free(r->journal);
    fhec_machine_free(r->machine);
    fhec_program_free(r->program);
}

/* What is expected, in order; kinds of no value leave the rest out. */
struct wanted {
    enum fh_divergence_kind kind;
    uint64_t launch;
    uint32_t block, warp;
    uint64_t pc[2]; /* of the steps, in instructions; NONE: no step */
    fhec_register_file file;
    uint32_t reg, lane;
    uint64_t value[2];
};
enum { NONE = 999 };

static void diverge(struct side a, struct side b, const struct wanted *want, size_t count) {
    struct run r[2] = {run_side(&a), run_side(&b)};
    struct fh_divergences found;
    assert_true(fh_journals_compare(r[0].journal, r[1].journal, &found));
    assert_int_equal(found.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct fh_divergence *d = &found.list[i];
        assert_int_equal(d->kind, want[i].kind);
        assert_int_equal(d->warp.launch, want[i].launch);
        assert_int_equal(d->warp.block[0], want[i].block);
        assert_int_equal(d->warp.warp, want[i].warp);
        for (size_t s = 0; s < 2; s++) {
            assert_int_equal(d->step[s] == FH_NO_STEP, want[i].pc[s] == NONE);
            if (d->step[s] == FH_NO_STEP)
                continue;
            assert_int_equal(fh_journal_site(r[s].journal, d->step[s])->instruction.pc,
                             16 * want[i].pc[s]);
            assert_memory_equal(fh_journal_warp(r[s].journal, d->step[s]), &d->warp,
                                sizeof d->warp);
        }
        if (d->kind == FH_DIVERGES_VALUE) {
            assert_int_equal(d->file, want[i].file);
            assert_int_equal(d->reg, want[i].reg);
        }
        if (d->kind == FH_DIVERGES_VALUE || d->kind == FH_DIVERGES_ADDRESS)
            assert_int_equal(d->lane, want[i].lane);
        for (size_t s = 0; s < 2 && d->kind != FH_DIVERGES_PATH && d->kind != FH_DIVERGES_END; s++)
            assert_int_equal(d->value[s], want[i].value[s]);
    }
    fh_divergences_free(&found);
    run_end(&r[0]);
    run_end(&r[1]);
}

#define NOTHING(a, b) diverge((struct side){.body = (a)}, (struct side){.body = (b)}, NULL, 0)
#define FIRST(a, b, ...)                                                                           \
    diverge((struct side){.body = (a)}, (struct side){.body = (b)},                                \
            &(const struct wanted){__VA_ARGS__}, 1)

#define TID   "S2R R0, SR_TID.X ;\n"
#define PLACE "MOV R4, out ;\nMOV R5, c[0x0][0x164] ;\nIMAD.WIDE.U32 R6, R0, 0x4, R4 ;\n"

static void values(void **state) {
    (void)state;
    NOTHING(TID "IADD3 R2, R0, 0x5, RZ ;\n", TID "IADD3 R2, R0, 0x5, RZ ;\n");
    FIRST(TID "IADD3 R2, R0, 0x5, RZ ;\nMOV R3, R2 ;\n",
          TID "IADD3 R2, R0, 0x6, RZ ;\nMOV R3, R2 ;\n", FH_DIVERGES_VALUE, 1, 0, 0, {1, 1},
          FHEC_FILE_R, 2, 0, {5, 6});
    /* the first lane that differs */
    FIRST(TID "IADD3 R2, R0, 0x5, RZ ;\n", TID "IADD3 R2, R0, 0x5, R0 ;\n", FH_DIVERGES_VALUE, 1, 0,
          0, {1, 1}, FHEC_FILE_R, 2, 1, {6, 7});
    FIRST(TID "IMNMX.U32 R2, R0, 0x1e, PT ;\n", TID "IMNMX.U32 R2, R0, 0x1f, PT ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {1, 1}, FHEC_FILE_R, 2, 31, {30, 31});
    /* the second register */
    FIRST(TID "IMAD.WIDE.U32 R6, R0, 0x80000000, RZ ;\n",
          TID "IMAD.WIDE R6, R0, 0x80000000, RZ ;\n", FH_DIVERGES_VALUE, 1, 0, 0, {1, 1},
          FHEC_FILE_R, 7, 1, {0, UINT32_MAX});
    FIRST(TID "ISETP.LT.U32.AND P2, PT, R0, 0x3, PT ;\n",
          TID "ISETP.LT.U32.AND P2, PT, R0, 0x4, PT ;\n", FH_DIVERGES_VALUE, 1, 0, 0, {1, 1},
          FHEC_FILE_P, 2, 3, {0, 1});
    /* the second predicate: where it is neither below 3 nor not */
    FIRST(TID "ISETP.LT.U32.AND PT, P3, R0, 0x3, PT ;\n",
          TID "ISETP.LT.U32.AND PT, P3, R0, 0x2, PT ;\n", FH_DIVERGES_VALUE, 1, 0, 0, {1, 1},
          FHEC_FILE_P, 3, 2, {0, 1});
    FIRST("UMOV UR4, 0x5 ;\nUMOV UR6, 0x5 ;\n", "UMOV UR4, 0x5 ;\nUMOV UR6, 0x7 ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {1, 1}, FHEC_FILE_UR, 6, 0, {5, 7});
    FIRST("UISETP.LT.AND UP1, UPT, URZ, 0x5, UPT ;\n", "UISETP.GT.AND UP1, UPT, URZ, 0x5, UPT ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {0, 0}, FHEC_FILE_UP, 1, 0, {1, 0});
}

static void other_code(void **state) {
    (void)state;
    /* what is inserted moves nothing apart */
    NOTHING(TID "MOV R1, 0x5 ;\nMOV R2, R1 ;\n", TID "NOP ;\nMOV R1, 0x5 ;\nNOP ;\nMOV R2, R1 ;\n");
    FIRST(TID "MOV R1, 0x5 ;\nMOV R2, R1 ;\n", "NOP ;\n" TID "MOV R1, 0x6 ;\nMOV R2, R1 ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {1, 2}, FHEC_FILE_R, 1, 0, {5, 6});
    FIRST("NOP ;\n" TID "MOV R1, 0x5 ;\nMOV R2, R1 ;\n", TID "MOV R1, 0x6 ;\nMOV R2, R1 ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {2, 1}, FHEC_FILE_R, 1, 0, {5, 6});
    /* two for one are of no pair: what follows is compared */
    FIRST(TID "MOV R1, 0x5 ;\nMOV R2, R1 ;\n", TID "NOP ;\nMOV R1, 0x6 ;\nMOV R2, R1 ;\n",
          FH_DIVERGES_VALUE, 1, 0, 0, {2, 3}, FHEC_FILE_R, 2, 0, {5, 6});
}

#define LESS "ISETP.LT.U32.AND P0, PT, R0, 0x3, PT ;\n"

static void lanes(void **state) {
    (void)state;
    FIRST(TID LESS "@P0 MOV R8, R0 ;\n", TID LESS "@!P0 MOV R8, R0 ;\n", FH_DIVERGES_LANES, 1, 0, 0,
          {2, 2}, FHEC_FILE_R, 0, 0, {7, 0xfffffff8});
    FIRST(TID LESS "@P0 MOV R8, R0 ;\n", TID LESS "MOV R8, R0 ;\n", FH_DIVERGES_LANES, 1, 0, 0,
          {2, 2}, FHEC_FILE_R, 0, 0, {7, 0xffffffff});
    FIRST(TID LESS "@P0 BRA next ;\nNOP ;\nnext:\n", TID LESS "@!P0 BRA next ;\nNOP ;\nnext:\n",
          FH_DIVERGES_LANES, 1, 0, 0, {2, 2}, FHEC_FILE_R, 0, 0, {7, 0xfffffff8});
    /* another target is no difference */
    NOTHING(TID LESS "@P0 BRA next ;\nNOP ;\nnext:\nMOV R3, R0 ;\n",
            TID LESS "@P0 BRA next ;\nNOP ;\nNOP ;\nNOP ;\nnext:\nMOV R3, R0 ;\n");
}

/* Begins at `b` or at `a`, and goes on to the other one by a second round. */
#define ROUNDS                                                                                     \
    "a:\nMOV R8, R0 ;\nb:\nMOV R9, R0 ;\n@P1 BRA done ;\n"                                         \
    "ISETP.GE.U32.AND P1, PT, R0, RZ, PT ;\nBRA a ;\ndone:\n"

static void paths(void **state) {
    (void)state;
    static const char never[] = "ISETP.LT.U32.AND P1, PT, R0, RZ, PT ;\n";
    char first[1024], second[1024];
    snprintf(first, sizeof first, TID "%sBRA b ;\n" ROUNDS, never);
    snprintf(second, sizeof second, TID "%sNOP ;\nNOP ;\n" ROUNDS, never);
    FIRST(first, second, FH_DIVERGES_PATH, 1, 0, 0, {4, 4}, 0, 0, 0, {0, 0});

    /* the second warp ends early in one of them */
    const struct side all = {.body = TID LESS "MOV R3, R0 ;\nMOV R4, R0 ;\n", .threads = 64};
    const struct side less = {.body =
                                  TID LESS "ISETP.GE.U32.AND P5, PT, R0, 0x20, PT ;\n@P5 EXIT ;\n"
                                           "MOV R3, R0 ;\nMOV R4, R0 ;\n",
                              .threads = 64};
    diverge(all, less, &(const struct wanted){FH_DIVERGES_END, 1, 0, 1, {2, NONE}, 0, 0, 0, {0, 0}},
            1);
    diverge(less, all, &(const struct wanted){FH_DIVERGES_END, 1, 0, 1, {NONE, 2}, 0, 0, 0, {0, 0}},
            1);
}

static void missing_warps(void **state) {
    (void)state;
    const struct side one = {.body = TID "MOV R3, 0x1 ;\n", .threads = 64};
    struct side three = {.body = TID "MOV R3, 0x2 ;\n", .threads = 64, .blocks = 3};
    static const struct wanted want[] = {
        {FH_DIVERGES_VALUE, 1, 0, 0, {1, 1}, FHEC_FILE_R, 3, 0, {1, 2}},
        {FH_DIVERGES_VALUE, 1, 0, 1, {1, 1}, FHEC_FILE_R, 3, 0, {1, 2}},
    };
    struct run r[2] = {run_side(&one), run_side(&three)};
    for (unsigned turned = 0; turned < 2; turned++) {
        struct fh_divergences found;
        unsigned missing = 0;
        assert_true(fh_journals_compare(r[turned].journal, r[!turned].journal, &found));
        assert_int_equal(found.count, 6);
        for (size_t i = 0; i < 6; i++) {
            const struct fh_divergence *d = &found.list[i];
            if (i)
                assert_true(found.list[i - 1].step[0] <= d->step[0]);
            if (d->kind == FH_DIVERGES_VALUE) {
                assert_int_equal(d->warp.block[0], 0);
                assert_int_equal(d->value[turned], want[0].value[0]);
                continue;
            }
            missing++;
            assert_int_equal(d->kind, FH_DIVERGES_END);
            assert_true(d->warp.block[0] > 0);
            assert_int_equal(d->step[!turned], turned ? d->step[0] : d->step[1]);
            assert_int_equal(d->step[turned], FH_NO_STEP);
            const struct fh_journal *j = r[1].journal;
            const uint32_t step = d->step[!turned];
            assert_int_equal(fh_journal_site(j, step)->instruction.pc, 0);
            assert_memory_equal(fh_journal_warp(j, step), &d->warp, sizeof d->warp);
        }
        assert_int_equal(missing, 4);
        fh_divergences_free(&found);
    }
    run_end(&r[0]);
    run_end(&r[1]);
    /* both launches are looked at; only the second one differs */
    const struct side a = {.body = "MOV R3, q ;\n", .q = {5, 6}};
    const struct side b = {.body = "MOV R3, q ;\n", .q = {5, 7}};
    const struct side c = {.body = "NOP ;\nMOV R3, q ;\n", .q = {4, 6}};
    diverge(a, b,
            &(const struct wanted){FH_DIVERGES_VALUE, 2, 0, 0, {0, 0}, FHEC_FILE_R, 3, 0, {6, 7}},
            1);
    diverge(a, c,
            &(const struct wanted){FH_DIVERGES_VALUE, 1, 0, 0, {0, 1}, FHEC_FILE_R, 3, 0, {5, 4}},
            1);
}

static void addresses(void **state) {
    (void)state;
    FIRST(TID "STS [RZ+0x10], R0 ;\n", TID "STS [RZ+0x14], R0 ;\n", FH_DIVERGES_ADDRESS, 1, 0, 0,
          {1, 1}, 0, 0, 0, {0x10, 0x14});
    FIRST(TID LESS "@!P0 STS [RZ+0x10], R0 ;\n", TID LESS "@!P0 STS [RZ+0x14], R0 ;\n",
          FH_DIVERGES_ADDRESS, 1, 0, 0, {2, 2}, 0, 0, 3, {0x10, 0x14});
    NOTHING(TID "STS [RZ+0x10], R0 ;\n", TID "STS [RZ+0x10], R0 ;\n");
    /* a constant from elsewhere, with the same value */
    NOTHING("MOV R3, c[0x0][0x0] ;\n", "MOV R3, c[0x0][0x0] ;\n");
    /* The address comes from instructions that are of no pair. */
    static const char own[] = "MOV R4, out ;\nMOV R5, c[0x0][0x164] ;\nSTG.E [R4.64+0x8], R0 ;\n";
    static const char others[] = "NOP ;\nIADD3 R4, RZ, out, RZ ;\nNOP ;\n"
                                 "IADD3 R5, RZ, c[0x0][0x164], RZ ;\nSTG.E [R4.64+0x8], R0 ;\n";
    const struct side a = {.body = own}, moved = {.body = others, .gap = 4096};
    const struct side named = {.body = others, .gap = 4096, .buffer = "mut"};
    struct run first = run_side(&a), second = run_side(&moved);
    const uint64_t at[2] = {first.out + 8, second.out + 8};
    run_end(&first);
    run_end(&second);
    assert_int_not_equal(at[0], at[1]);
    diverge(a, moved, NULL, 0); /* as far from its buffer's beginning */
    /* of a buffer that one of them does not know the address itself counts */
    struct side unknown = moved;
    unknown.late = true;
    diverge(a, unknown,
            &(const struct wanted){FH_DIVERGES_ADDRESS, 1, 0, 0, {2, 4}, 0, 0, 0, {at[0], at[1]}},
            1);
    diverge(unknown, a,
            &(const struct wanted){FH_DIVERGES_ADDRESS, 1, 0, 0, {4, 2}, 0, 0, 0, {at[1], at[0]}},
            1);
    unknown.gap = 0;
    diverge(a, unknown, NULL, 0);
    diverge(a, named,
            &(const struct wanted){FH_DIVERGES_ADDRESS, 1, 0, 0, {2, 4}, 0, 0, 0, {at[0], at[1]}},
            1);
}

/* ---------------------------------------------------------------- pairs */

/* Letters are instructions; `pairs` has for each of the first the letter's place in the second. */
static void pairs_are(const char *a, const char *b, const char *pairs) {
    const char *sides[2] = {a, b};
    char body[2][1024] = {"", ""};
    struct run r[2];
    struct fh_code_pairs p;
    for (size_t s = 0; s < 2; s++) {
        for (const char *at = sides[s]; *at; at++)
            sprintf(body[s] + strlen(body[s]), "MOV R%d, 0x1 ;\n", *at - 'a');
        const struct side side = {.body = body[s]};
        r[s] = run_side(&side);
    }
    const struct fh_journal *journals[2] = {r[0].journal, r[1].journal};
    assert_true(fh_code_pairs_make(&p, journals, 1));
    for (size_t s = 0; s < 2; s++) {
        const size_t count = strlen(sides[s]) + 1;
        assert_int_equal(p.side[s].count, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(p.side[s].sites[i]->instruction.pc, 16 * i);
            assert_int_equal(fh_code_pair_place(&p.side[s], p.side[s].sites[i]), i);
            const size_t to = p.side[s].partner[i];
            if (to != SIZE_MAX)
                assert_int_equal(p.side[!s].partner[to], i);
        }
        assert_int_equal(p.side[s].partner[count - 1], p.side[!s].count - 1); /* EXIT */
        assert_int_equal(fh_code_pair_place(&p.side[s], fh_journal_site_get(journals[!s], 0)),
                         SIZE_MAX);
    }
    for (size_t i = 0; a[i]; i++)
        if ((pairs[i] == '-' ? SIZE_MAX : (size_t)(pairs[i] - '0')) != p.side[0].partner[i])
            fail_msg("%s and %s: %zu goes with %zu", a, b, i, p.side[0].partner[i]);
    fh_code_pairs_free(&p);
    run_end(&r[0]);
    run_end(&r[1]);
}

static void pairs(void **state) {
    (void)state;
    pairs_are("abc", "abc", "012");
    pairs_are("abc", "ac", "0-1");
    pairs_are("ac", "abc", "02");
    pairs_are("abcd", "axyd", "0123"); /* changed ones in order */
    pairs_are("abcd", "axd", "0--2");
    pairs_are("abcde", "acxdbe", "0-135");
    pairs_are("abcdef", "bcxyef", "-01-45");
    pairs_are("abxcd", "abyxczd", "01346");
    pairs_are("pabcq", "rabcs", "01234");
    pairs_are("pabq", "xyabzw", "-23-");
    pairs_are("abcabc", "bcabca", "-01234");
    pairs_are("aab", "ab", "0-1");
    pairs_are("ab", "aab", "02");
    pairs_are("xaybzc", "aubvcw", "-012345");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(other_code),    cmocka_unit_test(lanes),
        cmocka_unit_test(paths),  cmocka_unit_test(missing_warps), cmocka_unit_test(addresses),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests_name("difference_divergence", tests, NULL, NULL);
}
