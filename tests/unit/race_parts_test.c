/* What the race checker is made of, piece by piece: clocks against tables of what is known, maps by
 * number, disputed bytes, what instructions mean for the order of accesses, loops that poll. */
#include "emu_random.h"
#include "emu_util.h"

#include "clock.h"
#include "disputed.h"
#include "ordering_code.h"
#include "polling.h"

/* ---------------------------------------------------------------- clocks */

enum { BLOCKS = 3, WARPS = 3, LANES = 3, ROUNDS = 3000 };

/* Up to which time each lane's accesses are known. */
typedef uint32_t table[BLOCKS][WARPS][LANES];

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* Some entries, in order, and what they say. */
static size_t some_entries(struct emu_rng *rng, struct fh_known *entries, table t) {
    size_t count = 0;
    memset(t, 0, sizeof(table));
    for (uint32_t b = 0; b < BLOCKS; b++) {
        uint32_t of_block = emu_once_in(rng, 3) ? 1 + emu_below(rng, 20) : 0;
        if (of_block)
            entries[count++] = (struct fh_known){fh_who_block(b), of_block};
        for (uint32_t w = 0; w < WARPS; w++) {
            uint32_t of_warp = emu_once_in(rng, 3) ? 1 + emu_below(rng, 20) : 0;
            if (of_warp)
                entries[count++] = (struct fh_known){fh_who_warp(b, w), of_warp};
            for (uint32_t l = 0; l < LANES; l++) {
                uint32_t of_lane = emu_once_in(rng, 3) ? 1 + emu_below(rng, 20) : 0;
                if (of_lane)
                    entries[count++] = (struct fh_known){fh_who_lane(b, w, l), of_lane};
                t[b][w][l] = larger(of_block, larger(of_warp, of_lane));
            }
        }
    }
    return count;
}

static void clock_is(const struct fh_clock *clock, table t) {
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t l = 0; l < LANES; l++)
                assert_int_equal(fh_clock_time(clock, b, (int32_t)w, (int32_t)l), t[b][w][l]);
    assert_int_equal(fh_clock_time(clock, BLOCKS, 0, 0), 0);
}

static void clocks(void **state) {
    (void)state;
    struct emu_rng rng = {99};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct fh_known entries[BLOCKS * (1 + WARPS * (1 + LANES))];
        struct fh_clock *clock[2] = {NULL, NULL};
        table t[2], both;
        bool failed = false;
        for (unsigned i = 0; i < 2; i++) {
            const size_t count = some_entries(&rng, entries, t[i]);
            fh_clock_add(&clock[i], entries, count, &failed);
            assert_non_null(clock[i]);
            clock_is(clock[i], t[i]);
        }
        for (unsigned i = 0; i < BLOCKS * WARPS * LANES; i++)
            (&both[0][0][0])[i] = larger((&t[0][0][0][0])[i], (&t[1][0][0][0])[i]);
        struct fh_clock *made = fh_clock_join(clock[0], clock[1], &failed);
        clock_is(made, both);
        /* what adds nothing makes no new one */
        struct fh_clock *again = fh_clock_join(made, clock[1], &failed);
        assert_ptr_equal(again, made);
        fh_clock_drop(again);
        again = fh_clock_join(clock[0], made, &failed);
        assert_ptr_equal(again, made);
        fh_clock_drop(again);
        again = fh_clock_join(made, NULL, &failed);
        assert_ptr_equal(again, made);
        fh_clock_drop(again);
        again = fh_clock_join(NULL, made, &failed);
        assert_ptr_equal(again, made);
        fh_clock_drop(again);
        fh_clock_learn(&clock[0], clock[1], &failed);
        clock_is(clock[0], both);
        clock_is(clock[1], t[1]); /* is as it was */
        const size_t count = some_entries(&rng, entries, t[0]);
        fh_clock_add(&clock[1], entries, count, &failed);
        for (unsigned i = 0; i < BLOCKS * WARPS * LANES; i++)
            (&both[0][0][0])[i] = larger((&t[0][0][0][0])[i], (&t[1][0][0][0])[i]);
        clock_is(clock[1], both);
        assert_false(failed);
        fh_clock_drop(made);
        fh_clock_drop(clock[0]);
        fh_clock_drop(clock[1]);
    }
    assert_null(fh_clock_join(NULL, NULL, NULL));
    assert_int_equal(fh_clock_time(NULL, 0, 0, 0), 0);
}

static void parts_of_clocks(void **state) {
    (void)state;
    static const struct fh_known entries[] = {
        {2 << 12, 5}, {2 << 12 | 1 << 6, 7}, {2 << 12 | 1 << 6 | 1, 9}, {2 << 12 | 2 << 6 | 32, 8}};
    struct fh_clock *clock = NULL;
    bool failed = false;
    fh_clock_add(&clock, entries, 4, &failed);
    assert_int_equal(fh_clock_time(clock, 2, FH_CLOCK_ALL, FH_CLOCK_ALL), 5);
    assert_int_equal(fh_clock_time(clock, 2, 0, FH_CLOCK_ALL), 7);
    assert_int_equal(fh_clock_time(clock, 2, 0, 0), 9);
    assert_int_equal(fh_clock_time(clock, 2, 0, 1), 7);
    assert_int_equal(fh_clock_time(clock, 2, 1, FH_CLOCK_ALL), 5);
    assert_int_equal(fh_clock_time(clock, 2, 1, 31), 8);
    assert_int_equal(fh_clock_time(clock, 2, 2, 31), 5);
    assert_int_equal(fh_clock_time(clock, 1, 0, 0), 0);
    assert_int_equal(fh_clock_time(clock, 3, FH_CLOCK_ALL, FH_CLOCK_ALL), 0);
    assert_false(fh_clock_foreign(clock, 2));
    assert_true(fh_clock_foreign(clock, 1));
    assert_true(fh_clock_foreign(clock, 3));
    assert_false(fh_clock_foreign(NULL, 2));
    for (uint64_t other = 1; other <= 3; other += 2) {
        struct fh_clock *more = fh_clock_keep(clock);
        const struct fh_known one = {fh_who_block(other), 1};
        fh_clock_add(&more, &one, 1, &failed);
        assert_true(fh_clock_foreign(more, 2));
        fh_clock_drop(more);
    }
    /* it lives as long as somebody holds it */
    assert_ptr_equal(fh_clock_keep(clock), clock);
    fh_clock_drop(clock);
    assert_int_equal(fh_clock_time(clock, 2, 0, 0), 9);
    fh_clock_drop(clock);
    fh_clock_drop(NULL);
    assert_null(fh_clock_keep(NULL));
}

/* ---------------------------------------------------------------- maps */

enum { NUMBERS = 300 };
static unsigned released;

static void release(void *value) {
    assert_non_null(value);
    released++;
}

static void maps(void **state) {
    (void)state;
    static char values[NUMBERS];
    bool there[NUMBERS] = {false};
    struct fh_number_map map = {0};
    struct emu_rng rng = {7};
    unsigned count = 0;
    assert_null(fh_number_map_get(&map, 0));
    assert_null(fh_number_map_take(&map, 0));
    for (unsigned round = 0; round < 20000; round++) {
        /* up and down between a few and all of them */
        const unsigned i = emu_below(&rng, NUMBERS);
        const uint64_t number = i % 3 ? i : (uint64_t)i << 32;
        const bool fill = round / 3000 % 2 == 0 ? !emu_once_in(&rng, 4) : emu_once_in(&rng, 4);
        assert_ptr_equal(fh_number_map_get(&map, number), there[i] ? &values[i] : NULL);
        if (fill && !there[i]) {
            assert_true(fh_number_map_put(&map, number, &values[i]));
            there[i] = true;
            count++;
        } else if (!fill) {
            assert_ptr_equal(fh_number_map_take(&map, number), there[i] ? &values[i] : NULL);
            count -= there[i];
            there[i] = false;
        }
        assert_int_equal(map.count, count);
        assert_true(2 * map.count <= map.capacity + 1);
        assert_true(map.capacity <= 1024);
        for (unsigned k = round % 50; k < NUMBERS; k += 50)
            assert_ptr_equal(fh_number_map_get(&map, k % 3 ? k : (uint64_t)k << 32),
                             there[k] ? &values[k] : NULL);
    }
    assert_true(count > 20);
    fh_number_map_clear(&map, release);
    assert_int_equal(released, count);
    assert_int_equal(map.count, 0);
    assert_null(fh_number_map_get(&map, 1));
}

static void disputes(void **state) {
    (void)state;
    struct fh_disputed d = {0};
    struct fh_finding one = {.at = {.pc = 0x10}, .other = {.pc = 0x20}};
    struct fh_finding two = {.at = {.pc = 0x30}, .other = {.pc = 0x20}};
    assert_true(fh_disputed_put(&d, 0x100, 0xf, &one));
    assert_true(fh_disputed_known(&d, 0x100, 0xf, 0x10, 0x20));
    assert_true(fh_disputed_known(&d, 0x100, 0x5, 0x10, 0x20));
    assert_true(fh_disputed_known(&d, 0x102, 0x3, 0x10, 0x20));
    assert_false(fh_disputed_known(&d, 0x102, 0x7, 0x10, 0x20));
    assert_false(fh_disputed_known(&d, 0x100, 0xf, 0x10, 0x30));
    assert_false(fh_disputed_known(&d, 0x100, 0xf, 0x20, 0x20));
    assert_null(fh_disputed_at(&d, 0xff));
    assert_null(fh_disputed_at(&d, 0x104));
    assert_int_equal(fh_disputed_at(&d, 0x103)->finding.at.pc, 0x10);
    /* another takes the place of some of its bytes */
    assert_true(fh_disputed_put(&d, 0x102, 0x6, &two)); /* 0x103, 0x104 */
    assert_int_equal(fh_disputed_at(&d, 0x102)->finding.at.pc, 0x10);
    assert_int_equal(fh_disputed_at(&d, 0x103)->finding.at.pc, 0x30);
    assert_int_equal(fh_disputed_at(&d, 0x104)->finding.at.pc, 0x30);
    assert_int_equal(fh_disputed_at(&d, 0x100)->bytes, 7);
    assert_int_equal(fh_disputed_at(&d, 0x103)->bytes, 6);
    fh_disputed_drop_byte(&d, 0x101);
    assert_null(fh_disputed_at(&d, 0x101));
    assert_int_equal(fh_disputed_at(&d, 0x100)->bytes, 5);
    fh_disputed_drop_byte(&d, 0x101);
    fh_disputed_drop(&d, 0x102); /* all that is left of the first one */
    assert_null(fh_disputed_at(&d, 0x100));
    assert_null(fh_disputed_at(&d, 0x102));
    assert_non_null(fh_disputed_at(&d, 0x103));
    fh_disputed_drop(&d, 0x102);
    fh_disputed_drop(&d, 0x104);
    assert_null(fh_disputed_at(&d, 0x103));
    for (uint64_t i = 0; i < 100; i++)
        assert_true(fh_disputed_put(&d, 16 * i, 0xffff, &one));
    fh_disputed_drop(&d, 160);
    fh_disputed_free(&d);
    assert_null(fh_disputed_at(&d, 0));
}

/* ---------------------------------------------------------------- what instructions mean */

struct meaning {
    const char *text;
    enum fh_ordering ordering;
    enum fh_reach reach;
    const char *flags; /* c: copies, r: releases, w: swaps, s: stores, v: returns, n: counted */
};

static void flags_of(const struct fh_ordering_code *code, char flags[8]) {
    snprintf(flags, 8, "%s%s%s%s%s%s", code->copies ? "c" : "", code->releases ? "r" : "",
             code->swaps ? "w" : "", code->stores ? "s" : "", code->returns ? "v" : "",
             code->counted ? "n" : "");
}

static const struct meaning meanings[] = {
    {"LDG.E R8, [R4.64]", FH_ORDER_ACCESS, FH_REACH_NONE, "v"},
    {"LDG.E.STRONG.GPU R8, [R4.64]", FH_ORDER_ACCESS, FH_REACH_GRID, "v"},
    {"LDG.E.STRONG.SYS R8, [R4.64]", FH_ORDER_ACCESS, FH_REACH_GRID, "v"},
    {"LDG.E.STRONG.SM R8, [R4.64]", FH_ORDER_ACCESS, FH_REACH_BLOCK, "v"},
    {"STG.E [R4.64], R8", FH_ORDER_ACCESS, FH_REACH_NONE, "s"},
    {"STG.E.STRONG.GPU [R4.64], R8", FH_ORDER_ACCESS, FH_REACH_GRID, "s"},
    {"ST.E [R4.64], R8", FH_ORDER_ACCESS, FH_REACH_NONE, "s"},
    {"LD.E R8, [R4.64]", FH_ORDER_ACCESS, FH_REACH_NONE, "v"},
    {"LDS R8, [R4]", FH_ORDER_ACCESS, FH_REACH_NONE, "v"},
    {"STS [R4], R8", FH_ORDER_ACCESS, FH_REACH_NONE, "s"},
    {"LDSM.16.M88 R8, [R4]", FH_ORDER_ACCESS, FH_REACH_NONE, "v"},
    {"ATOMS.ADD R8, [R4], R9", FH_ORDER_ACCESS, FH_REACH_BLOCK, "v"},
    {"ATOMS.ADD RZ, [R4], R9", FH_ORDER_ACCESS, FH_REACH_BLOCK, ""},
    {"ATOMS.CAS R8, [R4], R9, R10", FH_ORDER_ACCESS, FH_REACH_BLOCK, "wv"},
    {"ATOMS.CAST.SPIN R8, [R4], R9, R10", FH_ORDER_ACCESS, FH_REACH_BLOCK, "wv"},
    {"RED.E.ADD.STRONG.GPU [R4.64], R8", FH_ORDER_ACCESS, FH_REACH_GRID, ""},
    {"RED.E.ADD.STRONG.SM [R4.64], R8", FH_ORDER_ACCESS, FH_REACH_BLOCK, ""},
    {"ATOMG.E.ADD.STRONG.GPU PT, R8, [R4.64], R9", FH_ORDER_ACCESS, FH_REACH_GRID, "v"},
    {"LDL R8, [R4]", FH_ORDER_NONE, FH_REACH_NONE, ""},
    {"LDGSTS.E [R4], [R6.64]", FH_ORDER_COPY, FH_REACH_NONE, ""},
    {"LDGDEPBAR", FH_ORDER_NONE, FH_REACH_NONE, "c"},
    {"DEPBAR.LE SB0, 0x0", FH_ORDER_NONE, FH_REACH_NONE, "c"},
    {"MEMBAR.SC.GPU", FH_ORDER_FENCE, FH_REACH_GRID, ""},
    {"MEMBAR.ALL.GPU", FH_ORDER_FENCE, FH_REACH_GRID, ""},
    {"MEMBAR.SC.SYS", FH_ORDER_FENCE, FH_REACH_GRID, ""},
    {"MEMBAR.SC.CTA", FH_ORDER_FENCE, FH_REACH_BLOCK, ""},
    {"SHFL.IDX PT, R8, R9, R10, 0x1f", FH_ORDER_MEET, FH_REACH_NONE, "v"},
    {"VOTE.ANY R8, PT, P1", FH_ORDER_MEET, FH_REACH_NONE, "v"},
    {"MATCH.ANY R8, R9", FH_ORDER_MEET, FH_REACH_NONE, "v"},
    {"REDUX.SUM UR4, R9", FH_ORDER_MEET, FH_REACH_NONE, "v"},
    {"NOP", FH_ORDER_NONE, FH_REACH_NONE, ""}, /* of no compiler */
    {"BAR.SYNC 0x0", FH_ORDER_BARRIER, FH_REACH_NONE, ""},
    {"BAR.SYNC 0x1, 0x40", FH_ORDER_BARRIER, FH_REACH_NONE, "n"},
    {"BAR.SYNC R8, R8", FH_ORDER_BARRIER, FH_REACH_NONE, "n"},
    {"BAR.ARV 0x1, 0x40", FH_ORDER_ARRIVE, FH_REACH_NONE, "n"},
    {"WARPSYNC 0xff", FH_ORDER_WARPSYNC, FH_REACH_NONE, ""},
    {"IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ", FH_ORDER_MATRIX, FH_REACH_NONE, "v"},
    {"IADD3 R8, R9, R10, RZ", FH_ORDER_NONE, FH_REACH_NONE, ""},
    {"EXIT", FH_ORDER_END, FH_REACH_NONE, ""},
};

static fhec_launch launch_of(const fhec_program *program, size_t kernel) {
    return (fhec_launch){
        .program = program, .kernel = kernel, .grid = {1, 1, 1}, .block = {32, 1, 1}};
}

static void orders(void **state) {
    (void)state;
    char text[8192] = ".target sm_80\n.kernel k\n";
    for (size_t i = 0; i < COUNT_OF(meanings); i++)
        sprintf(text + strlen(text), "%s ;\n", meanings[i].text);
    strcat(text, "MOV R1, R2 ;\n.end\n");
    fhec_program *program = emu_assemble(text);
    const fhec_launch launch = launch_of(program, 0);
    struct fh_ordering_codes codes = {0};
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < COUNT_OF(meanings); i++) {
            char flags[8];
            const struct fh_ordering_code *code =
                fh_ordering_code_make(&codes, &launch, 16 * i, info.words[i]);
            assert_non_null(code);
            flags_of(code, flags);
            if (code->ordering != meanings[i].ordering || code->reach != meanings[i].reach ||
                strcmp(flags, meanings[i].flags) != 0)
                fail_msg("%s: %d, reaches %d, \"%s\"", meanings[i].text, code->ordering,
                         code->reach, flags);
            assert_true(code->known);
            assert_ptr_equal(fh_ordering_code_at(&codes, (uint32_t)i), code);
            const fhec_event event = {.launch = &launch, .pc = 16 * i};
            assert_ptr_equal(fh_ordering_code_of(&codes, &event), code);
        }
    assert_true(fh_ordering_has_copies(&codes, &launch));
    const fhec_event beyond = {.launch = &launch, .pc = 16 * 64};
    assert_null(fh_ordering_code_of(&codes, &beyond));
    assert_false(fh_ordering_kernel_last(&codes)->mbarriers);
    assert_false(fh_ordering_kernel_last(&codes)->polls);
    fh_ordering_codes_free(&codes);
    assert_null(codes.kernels);
    fhec_program_free(program);
}

/* Several kernels; places behind the first 64; other words at a place; copies of functions. */
static void kernels(void **state) {
    (void)state;
    static const char *const texts[] = {
        ".target sm_80\n.kernel a\n.rept 200\nSTS [R4], R8 ;\n.endr\nBSYNC B0 ;\nEXIT ;\n.end\n"
        ".kernel b\nLDGSTS.E [R4], [R6.64] ;\nEXIT ;\n.end\n",
        ".target sm_80\n.kernel a\nNOP ;\nLDS R8, [R4] ;\nlast:\nBRA last ;\n.end\n"
        ".kernel b\nNOP ;\nMOV R1, R2 ;\nNOP ;\n.end\n",
    };
    static const enum fh_ordering want[4][3] = {
        {FH_ORDER_ACCESS, FH_ORDER_CONVERGE, FH_ORDER_END},
        {FH_ORDER_COPY, FH_ORDER_END},
        {FH_ORDER_MEET, FH_ORDER_ACCESS, FH_ORDER_NONE},
        {FH_ORDER_MEET, FH_ORDER_NONE, FH_ORDER_MEET},
    };
    struct fh_ordering_codes codes = {0};
    fhec_program *programs[2];
    fhec_kernel_info info;
    for (size_t p = 0; p < 2; p++)
        programs[p] = emu_assemble(texts[p]);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t p = 0; p < 2; p++)
            for (size_t k = 0; k < 2; k++) {
                const fhec_launch launch = launch_of(programs[p], k);
                assert_int_equal(fhec_kernel_get(programs[p], k, &info), FHEC_OK);
                for (uint32_t i = info.word_count; i-- > 0;)
                    assert_non_null(fh_ordering_code_make(&codes, &launch, 16 * i, info.words[i]));
                for (uint32_t i = 0; i < info.word_count; i++) {
                    const struct fh_ordering_code *code =
                        fh_ordering_code_make(&codes, &launch, 16 * i, info.words[i]);
                    /* of the first kernel all but the last two are stores */
                    const uint32_t at = p || k ? i : i < 200 ? 0 : i - 199;
                    if (code->ordering != want[2 * p + k][at])
                        fail_msg("kernel %zu of program %zu: %u is %d", k, p, i, code->ordering);
                    assert_int_equal(code->behind, p == 0 && k == 0 && i == 201);
                }
                assert_ptr_equal(fh_ordering_kernel_last(&codes)->program, programs[p]);
                assert_int_equal(fh_ordering_kernel_last(&codes)->kernel, k);
                assert_int_equal(fh_ordering_has_copies(&codes, &launch), p == 0 && k == 1);
                /* another word is looked at anew, and what was known of copies */
                fhec_word word;
                assert_int_equal(fhec_assemble_word("MEMBAR.SC.GPU", 0, NULL, NULL, &word),
                                 FHEC_OK);
                assert_int_equal(fh_ordering_code_make(&codes, &launch, 0, word)->ordering,
                                 FH_ORDER_FENCE);
                word.hi ^= UINT64_C(1) << 63; /* in one half only */
                (void)fh_ordering_code_make(&codes, &launch, 0, word);
                assert_int_equal(fh_ordering_code_at(&codes, 0)->word.hi, word.hi);
                assert_false(fh_ordering_kernel_last(&codes)->searched);
            }
    fh_ordering_codes_free(&codes);
    fhec_program_free(programs[0]);
    fhec_program_free(programs[1]);
}

/* ---------------------------------------------------------------- polling */

/* Whether the load that is the body's first instruction is in a loop that waits. */
static void polls(void **state) {
    (void)state;
#define AGAIN "@P0 BRA again ;\n"
#define TEST  "ISETP.NE.U32.AND P0, PT, R8, RZ, PT ;\n"
    static const struct {
        const char *body;
        bool polls;
    } cases[] = {
        {TEST AGAIN, true},
        {"LOP3.LUT R9, R8, 0x1, RZ, 0xc0, !PT ;\nISETP.NE.U32.AND P0, PT, R9, RZ, PT ;\n" AGAIN,
         true},
        {"ISETP.NE.U32.AND P0, PT, R9, RZ, PT ;\n" AGAIN, false}, /* of something else */
        {TEST "MOV R9, R4 ;\n" AGAIN, true},
        {TEST "IADD3 R4, R4, 0x4, RZ ;\n" AGAIN, false}, /* another address */
        {TEST "IADD3 R5, R4, 0x4, RZ ;\n" AGAIN, true},
        {TEST "IMAD.WIDE.U32 R2, R6, R7, RZ ;\n" AGAIN, true},
        {TEST "IMAD.WIDE R4, R6, R7, RZ ;\n" AGAIN, false},
        {TEST "STS [R6], R7 ;\n" AGAIN, false},
        {TEST "STG.E [R6.64], R7 ;\n" AGAIN, false},
        {TEST "BAR.SYNC 0x0 ;\n" AGAIN, false},
        {TEST "SHFL.IDX PT, R9, R8, RZ, 0x1f ;\n" AGAIN, false},
        {TEST "ATOMS.ADD RZ, [R6], R7 ;\n" AGAIN, false},
        {TEST "LDS R9, [R6] ;\n" AGAIN, true},
        {TEST "NANOSLEEP 0x20 ;\n" AGAIN, true},
        {TEST "@P0 BREAK B0 ;\nBRA again ;\n", true},
        {TEST "@!P0 EXIT ;\nBRA again ;\n", true},
        {TEST "@P1 EXIT ;\nBRA again ;\n", false},                     /* nothing depends on it */
        {TEST "ISETP.NE.U32.AND P0, PT, R9, RZ, PT ;\n" AGAIN, false}, /* is overwritten */
        {"MOV R8, R9 ;\n" TEST AGAIN, false},
        {"@P1 MOV R9, R8 ;\nISETP.NE.U32.AND P0, PT, R9, RZ, PT ;\n" AGAIN, true},
        {TEST "@P0 MOV R9, R10 ;\nISETP.NE.U32.AND P2, PT, R9, RZ, PT ;\n@P2 BRA again ;\n", true},
        {"ISETP.NE.U32.AND P6, PT, R8, RZ, PT ;\n@P6 BRA again ;\n", true},
        {"IMAD.WIDE.U32 R250, R8, R8, RZ ;\nISETP.NE.U32.AND P0, PT, R250, RZ, PT ;\n" AGAIN, true},
        {TEST "@P0 BRA before ;\n", true},
        {TEST "@P0 BRA behind ;\n", false},
        {TEST, false},
        {"@PT BRA again ;\n", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel k\nbefore:\nMOV R2, R3 ;\nagain:\nLDS R8, [R4] ;\n%s"
                 "behind:\nMOV R2, R3 ;\nEXIT ;\n.end\n",
                 cases[i].body);
        fhec_program *program = emu_assemble(text);
        const fhec_launch launch = launch_of(program, 0);
        if (fh_polls(&launch, 0x10) != cases[i].polls)
            fail_msg("%s", cases[i].body);
        assert_false(fh_polls(&launch, 16 * 1000));
        fhec_program_free(program);
    }
    /* loops of 96 instructions at most, the load among them */
    for (unsigned others = 93; others <= 95; others++) {
        char text[4096];
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel k\nagain:\nLDS R8, [R4] ;\n" TEST
                 ".rept %u\nMOV R9, R10 ;\n.endr\n" AGAIN "EXIT ;\n.end\n",
                 others);
        fhec_program *program = emu_assemble(text);
        const fhec_launch launch = launch_of(program, 0);
        assert_int_equal(fh_polls(&launch, 0), others <= 93);
        fhec_program_free(program);
    }
    /* a load into its own address, and from no register */
    static const struct {
        const char *load;
        bool polls;
    } loads[] = {{"LDS R8, [R8]", false},    {"LDS R8, [0x40]", true},   {"LDS R8, [R9]", true},
                 {"LDS.64 R8, [R9]", false}, {"LDS.64 R8, [R10]", true}, {"LDS.64 R8, [R7]", true}};
    for (size_t i = 0; i < COUNT_OF(loads); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel k\nagain:\n%s ;\n" TEST AGAIN "EXIT ;\n.end\n",
                 loads[i].load);
        fhec_program *program = emu_assemble(text);
        const fhec_launch launch = launch_of(program, 0);
        assert_int_equal(fh_polls(&launch, 0), loads[i].polls);
        fhec_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks),   cmocka_unit_test(parts_of_clocks), cmocka_unit_test(maps),
        cmocka_unit_test(disputes), cmocka_unit_test(orders),          cmocka_unit_test(kernels),
        cmocka_unit_test(polls),
    };
    return cmocka_run_group_tests_name("race_parts", tests, NULL, NULL);
}
