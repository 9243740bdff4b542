/* Journals: what each step of each warp wrote and where it went in memory is there again, backwards
 * too; rows of values come back from the few bytes that they take; what is forgotten is said to be;
 * marks of words of memory. */
#include "emu_util.h"

#include "journal.h"
#include "journal_rows.h"
#include "marked_state.h"
#include "slice.h"

enum { LANES = 32, WARPS = 2, BLOCKS = 2, THREADS = LANES * WARPS, STEPS = 18, CHUNK = 1 << 14 };

/* ---------------------------------------------------------------- rows */

static void numbers(void **state) {
    (void)state;
    struct fh_journal_bytes to = {0};
    for (unsigned bytes = 0; bytes <= 8; bytes++)
        fh_journal_put(&to, UINT64_C(0x8182838485868788), bytes);
    assert_int_equal(to.count, 36);
    assert_false(to.failed);
    const uint8_t *at = to.bytes;
    for (unsigned bytes = 0; bytes <= 8; bytes++)
        assert_int_equal(fh_journal_take(&at, bytes),
                         bytes ? UINT64_C(0x8182838485868788) & UINT64_MAX >> (64 - 8 * bytes) : 0);
    assert_ptr_equal(at, to.bytes + 36);
    free(to.bytes);
}

/* A row and how many bytes it takes: 9 if the lanes are equally far apart, else all, 129; 17 and
 * 257 of addresses. */
static void row_is(const uint32_t *row, uint32_t lanes, bool spaced) {
    struct fh_journal_bytes to = {0};
    uint64_t wide[LANES], back[LANES];
    for (unsigned l = 0; l < LANES; l++)
        wide[l] = row[l];
    fh_journal_put_row(&to, row, lanes);
    assert_int_equal(to.count, spaced ? 9 : 129);
    fh_journal_put(&to, 0x5a, 1);
    for (unsigned l = 0; l < LANES; l++) {
        const uint8_t *at = to.bytes;
        const uint32_t value = fh_journal_take_lane(&at, l);
        if (lanes >> l & 1)
            assert_int_equal(value, row[l]);
        assert_int_equal(fh_journal_take(&at, 1), 0x5a);
    }
    to.count = 0;
    for (unsigned l = 0; l < LANES; l++)
        wide[l] = (uint64_t)(int64_t)(int32_t)row[l] + (UINT64_C(7) << 40);
    fh_journal_put_addresses(&to, wide, lanes);
    assert_int_equal(to.count, spaced ? 17 : 257);
    fh_journal_put(&to, 0x5a, 1);
    const uint8_t *at = to.bytes;
    fh_journal_take_addresses(&at, back);
    assert_int_equal(fh_journal_take(&at, 1), 0x5a);
    for (unsigned l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            assert_int_equal(back[l], wide[l]);
    free(to.bytes);
}

static void rows(void **state) {
    (void)state;
    uint32_t row[LANES];
    for (unsigned l = 0; l < LANES; l++)
        row[l] = 1000 - 7 * l; /* 1000 to 783 */
    row_is(row, UINT32_MAX, true);
    row_is(row, 0x80000001, true);
    row_is(row, 0x80000000, true);
    row_is(row, 0x00100100, true);
    row[31]++;
    row_is(row, UINT32_MAX, false);
    row_is(row, 0x7fffffff, true);
    row_is(row, 0xc0000000, true);  /* any two that are neighbours are */
    row_is(row, 0xa0000000, false); /* 15 in two lanes is not */
    row[31]--;
    row[0]++;
    row_is(row, UINT32_MAX, false);
    row_is(row, 0xfffffffe, true);
    for (unsigned l = 0; l < LANES; l++)
        row[l] = 5;
    row_is(row, UINT32_MAX, true);
    row_is(row, 1, true);
    for (unsigned l = 0; l < LANES; l++)
        row[l] = 0u - 3 * (LANES - l); /* all below 2^32 */
    row_is(row, UINT32_MAX, true);
}

/* ---------------------------------------------------------------- steps */

/* Threads' numbers in their blocks: tid; of all: index = 64 block + tid. Threads below 40 have a
 * number of their own in R6. */
static const char text[] =
    ".target sm_80\n.kernel walk\n.param out, 8\n.param q, 4\n.shared s, 256\n.local 16\n"
    "S2R R0, SR_TID.X ;\n"                      /* 0 */
    "S2R R1, SR_CTAID.X ;\n"                    /* 1 */
    "ISETP.LT.U32.AND P0, PT, R0, 0x28, PT ;\n" /* 2 */
    "MOV R2, 0x4 ;\n"                           /* 3 */
    "IMAD R3, R1, 0x40, R0 ;\n"                 /* 4 */
    "IMAD.WIDE.U32 R4, R3, R2, out ;\n"         /* 5 */
    "UMOV UR4, 0x9 ;\n"                         /* 6 */
    "IADD3 R6, R3, UR4, RZ ;\n"                 /* 7: index + 9 */
    "@P0 IMAD R6, R3, R3, RZ ;\n"               /* 8: index squared */
    "IMAD R7, R0, 0x4, RZ ;\n"                  /* 9 */
    "STS [R7], R6 ;\n"                          /* 10 */
    "BAR.SYNC 0x0 ;\n"                          /* 11 */
    "LOP3.LUT R8, R7, 0xfc, RZ, 0x3c, !PT ;\n"  /* 12: 252 - 4 tid */
    "LDS R9, [R8] ;\n"                          /* 13: of thread 63 - tid */
    "STL [RZ+0x4], R9 ;\n"                      /* 14 */
    "IADD3 R9, R9, q, RZ ;\n"                   /* 15 */
    "STG.E [R4.64], R9 ;\n"                     /* 16 */
    "EXIT ;\n"                                  /* 17 */
    ".end\n";

static uint32_t r6(uint32_t block, uint32_t tid) {
    const uint32_t index = 64 * block + tid;
    return tid < 40 ? index * index : index + 9;
}

struct world {
    fhec_program *program;
    fhec_machine *machine;
    struct fh_journal *journal;
    uint64_t out, other;
};

static void run(struct world *w, uint32_t blocks, uint32_t threads, uint32_t q) {
    const uint64_t params[2] = {w->out, q};
    const fhec_launch launch = {.program = w->program,
                                .grid = {blocks, 1, 1},
                                .block = {threads, 1, 1},
                                .params = params,
                                .param_bytes = 12};
    assert_int_equal(fhec_run(w->machine, &launch), FHEC_OK);
}

static struct world begin(const char *source, size_t most) {
    struct world w = {.program = emu_assemble(source),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fh_journal_begin(w.machine, most, &w.journal), FHEC_OK);
    assert_int_equal(fhec_alloc(w.machine, "out", 1024, 0, &w.out), FHEC_OK);
    assert_int_equal(fhec_alloc(w.machine, "other", 64, 0, &w.other), FHEC_OK);
    return w;
}

static void end(struct world *w) {
    assert_true(fh_journal_complete(w->journal));
    fh_journal_free(w->journal);
    fhec_machine_free(w->machine);
    fhec_program_free(w->program);
}

static size_t warp_of(const struct fh_journal *j, uint64_t launch, uint32_t block, uint32_t warp) {
    const struct fh_journal_warp wanted = {launch, {block, 0, 0}, warp};
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < fh_journal_warp_count(j); i++)
        if (memcmp(fh_journal_warp_get(j, i), &wanted, sizeof wanted) == 0) {
            assert_int_equal(found, SIZE_MAX);
            found = i;
        }
    assert_int_not_equal(found, SIZE_MAX);
    return found;
}

/* The step of a warp that executed the n-th instruction. */
static uint32_t step_at(const struct fh_journal *j, uint64_t launch, uint32_t block, uint32_t warp,
                        uint32_t n) {
    const size_t number = warp_of(j, launch, block, warp);
    uint32_t step = fh_journal_last_step(j, number);
    for (uint32_t i = STEPS - 1; i > n; i--)
        step = fh_journal_previous(j, step);
    assert_int_equal(fh_journal_site(j, step)->instruction.pc, 16 * n);
    assert_int_equal(fh_journal_site_number(j, step), n);
    assert_int_equal(fh_journal_warp_number(j, step), number);
    assert_int_equal(fh_journal_warp(j, step)->launch, launch);
    return step;
}

static void value_is(const struct fh_journal *j, uint32_t step, fhec_register_file file,
                     uint32_t reg, uint32_t lane, uint32_t want) {
    uint32_t got = ~want;
    assert_true(fh_journal_value(j, step, file, reg, lane, &got));
    assert_int_equal(got, want);
}

static void values_of_a_warp(const struct world *w, uint64_t launch, uint32_t b, uint32_t warp) {
    const struct fh_journal *j = w->journal;
    uint32_t step[STEPS], none;
    for (uint32_t n = 0; n < STEPS; n++) {
        step[n] = step_at(j, launch, b, warp, n);
        assert_int_equal(fh_journal_previous(j, step[n]), n ? step[n - 1] : FH_NO_STEP);
        assert_int_equal(fh_journal_active(j, step[n]), n == 8 && warp == 1 ? 0xff : UINT32_MAX);
    }
    value_is(j, step[6], FHEC_FILE_UR, 4, 0, 9);
    assert_false(fh_journal_value(j, step[6], FHEC_FILE_UR, 5, 0, &none));
    assert_false(fh_journal_value(j, step[6], FHEC_FILE_R, 4, 0, &none));
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t tid = LANES * warp + l, index = 64 * b + tid;
        value_is(j, step[0], FHEC_FILE_R, 0, l, tid);
        value_is(j, step[1], FHEC_FILE_R, 1, l, b);
        value_is(j, step[2], FHEC_FILE_P, 0, l, tid < 40);
        value_is(j, step[5], FHEC_FILE_R, 4, l, (uint32_t)(w->out + 4 * index));
        value_is(j, step[5], FHEC_FILE_R, 5, l, (uint32_t)((w->out + 4 * index) >> 32));
        assert_false(fh_journal_value(j, step[5], FHEC_FILE_R, 3, l, &none));
        assert_false(fh_journal_value(j, step[5], FHEC_FILE_R, 6, l, &none));
        value_is(j, step[7], FHEC_FILE_R, 6, l, index + 9);
        assert_int_equal(fh_journal_value(j, step[8], FHEC_FILE_R, 6, l, &none), tid < 40);
        bool forgotten = true;
        assert_int_equal(fh_journal_writer(j, step[10], FHEC_FILE_R, 6, l, &forgotten),
                         step[tid < 40 ? 8 : 7]);
        assert_false(forgotten);
        assert_int_equal(fh_journal_writer(j, step[8], FHEC_FILE_R, 6, l, &forgotten), step[7]);
        assert_int_equal(fh_journal_writer(j, step[7], FHEC_FILE_R, 6, l, &forgotten), FH_NO_STEP);
        assert_false(forgotten);
        assert_int_equal(fh_journal_writer(j, step[17], FHEC_FILE_R, 5, l, &forgotten), step[5]);
        assert_int_equal(fh_journal_writer(j, step[17], FHEC_FILE_P, 0, l, &forgotten), step[2]);
        assert_int_equal(fh_journal_writer(j, step[17], FHEC_FILE_P, 1, l, &forgotten), FH_NO_STEP);
        value_is(j, step[13], FHEC_FILE_R, 9, l, r6(b, 63 - tid));
    }
}

static void accesses_of_a_warp(const struct world *w, uint64_t launch, uint32_t b, uint32_t warp) {
    static const struct {
        uint32_t n;
        fhec_space space;
        unsigned access;
    } cases[] = {{10, FHEC_SPACE_SHARED, FHEC_ACCESS_WRITE},
                 {13, FHEC_SPACE_SHARED, FHEC_ACCESS_READ},
                 {14, FHEC_SPACE_LOCAL, FHEC_ACCESS_WRITE},
                 {16, FHEC_SPACE_GLOBAL, FHEC_ACCESS_WRITE}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_journal_access a;
        const uint32_t step = step_at(w->journal, launch, b, warp, cases[i].n);
        memset(&a, 0xee, sizeof a);
        assert_true(fh_journal_access(w->journal, step, 0, &a));
        assert_int_equal(a.space, cases[i].space);
        assert_int_equal(a.access, cases[i].access);
        assert_int_equal(a.bytes, 4);
        assert_int_equal(a.lanes, UINT32_MAX);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t tid = LANES * warp + l;
            const uint64_t at[] = {4 * tid, 252 - 4 * tid, 4, w->out + 4 * (64 * b + tid)};
            assert_int_equal(a.address[l], at[i]);
        }
        assert_false(fh_journal_access(w->journal, step, 1, &a));
    }
    struct fh_journal_access a;
    assert_false(fh_journal_access(w->journal, step_at(w->journal, launch, b, warp, 4), 0, &a));
}

/* Who stored what the warp's lanes load, and the element that they store. */
static void storers_of_a_warp(const struct world *w, uint64_t launch, uint32_t b, uint32_t warp) {
    const struct fh_journal *j = w->journal;
    const struct fh_journal_warp *self = fh_journal_warp_get(j, warp_of(j, launch, b, warp));
    const uint32_t other = step_at(j, launch, b, !warp, 10), own = step_at(j, launch, b, warp, 10);
    const uint32_t load = step_at(j, launch, b, warp, 13), stl = step_at(j, launch, b, warp, 14);
    const uint32_t stg = step_at(j, launch, b, warp, 16), all = fh_journal_count(j);
    struct fh_journal_access a;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t lane = 99;
        const uint64_t from = 252 - 4 * (LANES * warp + l);
        assert_int_equal(fh_journal_storer(j, load, FHEC_SPACE_SHARED, self, l, from, 4, &a, &lane),
                         other);
        assert_int_equal(lane, 31 - l);
        assert_int_equal(a.address[lane], from);
        assert_int_equal(fh_journal_storer(j, own + 1, FHEC_SPACE_SHARED, self, l,
                                           128 * warp + 4 * l, 4, &a, &lane),
                         own);
        assert_int_equal(lane, l);
        assert_int_equal(fh_journal_storer(j, all, FHEC_SPACE_LOCAL, self, l, 7, 1, &a, &lane),
                         stl);
        assert_int_equal(lane, l);
        assert_int_equal(fh_journal_storer(j, all, FHEC_SPACE_LOCAL, self, l, 8, 1, &a, &lane),
                         FH_NO_STEP);
        assert_int_equal(fh_journal_storer(j, all, FHEC_SPACE_LOCAL, self, l, 0, 4, &a, &lane),
                         FH_NO_STEP);
        assert_int_equal(fh_journal_storer(j, stl, FHEC_SPACE_LOCAL, self, l, 4, 4, &a, &lane),
                         FH_NO_STEP);
        const uint64_t at = w->out + 4 * (64 * b + LANES * warp + l);
        assert_int_equal(
            fh_journal_storer(j, stg + 1, FHEC_SPACE_GLOBAL, NULL, 0, at, 4, &a, &lane), stg);
        assert_int_equal(lane, l);
        assert_int_equal(
            fh_journal_storer(j, stg + 1, FHEC_SPACE_GLOBAL, NULL, 0, at + 3, 1, &a, &lane), stg);
        assert_int_equal(lane, l);
    }
    uint32_t lane;
    const uint64_t begin = w->out + 4 * (64 * b + LANES * warp);
    /* of several bytes the last lane's */
    assert_int_equal(
        fh_journal_storer(j, stg + 1, FHEC_SPACE_GLOBAL, NULL, 0, begin + 2, 8, &a, &lane), stg);
    assert_int_equal(lane, 2);
}

static void steps(void **state) {
    (void)state;
    struct world w = begin(text, 1 << 26);
    const uint32_t words[4] = {1, 2, 3, 4};
    run(&w, BLOCKS, THREADS, 1000);
    assert_int_equal(fhec_write(w.machine, w.out + 16, words, 16), FHEC_OK);
    run(&w, BLOCKS, THREADS, 2000);
    fh_journal_stop(w.journal);
    run(&w, BLOCKS, THREADS, 2000); /* nobody looks */
    assert_int_equal(fh_journal_count(w.journal), 2 * BLOCKS * WARPS * STEPS);
    assert_int_equal(fh_journal_oldest(w.journal), 0);
    assert_int_equal(fh_journal_site_count(w.journal), STEPS);
    assert_int_equal(fh_journal_warp_count(w.journal), 2 * BLOCKS * WARPS);
    for (uint32_t i = 0; i < STEPS; i++) {
        const struct fh_journal_site *site = fh_journal_site_get(w.journal, i);
        char where[40];
        assert_int_equal(site->instruction.pc, 16 * i);
        assert_string_equal(site->kernel, "walk");
        assert_int_equal(site->line, 7 + i);
        snprintf(where, sizeof where, "%s:%u", site->file, site->line);
        assert_memory_equal(site->where, where, strlen(where));
    }
    for (uint64_t launch = 1; launch <= 2; launch++)
        for (uint32_t b = 0; b < BLOCKS; b++)
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                values_of_a_warp(&w, launch, b, warp);
                accesses_of_a_warp(&w, launch, b, warp);
                storers_of_a_warp(&w, launch, b, warp);
            }
    end(&w);
}

static void ranges(void **state) {
    (void)state;
    struct world w = begin(text, 1 << 26);
    const uint32_t words[4] = {1, 2, 3, 4}, each = BLOCKS * WARPS * STEPS;
    run(&w, BLOCKS, THREADS, 1000);
    assert_int_equal(fhec_write(w.machine, w.out + 16, words, 16), FHEC_OK);
    run(&w, BLOCKS, THREADS, 2000);
    assert_int_equal(fhec_write(w.machine, w.out + 28, words, 4), FHEC_OK);
    const struct fh_journal *j = w.journal;
    static const struct {
        uint32_t offset, before, bytes, since; /* 0 bytes: none; since: a launch's steps */
    } cases[] = {
        {15, 9, 0, 0}, {16, 0, 0, 0}, {16, 1, 16, 1}, {27, 1, 16, 1}, {28, 1, 16, 1},
        {28, 2, 4, 2}, {31, 2, 4, 2}, {32, 2, 0, 0},  {27, 2, 16, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_journal_range *range =
            fh_journal_host_write(j, each * cases[i].before, w.out + cases[i].offset);
        assert_int_equal(range ? range->bytes : 0, cases[i].bytes);
        if (range)
            assert_int_equal(range->before, each * cases[i].since);
    }
    assert_null(fh_journal_host_write(j, each - 1, w.out + 16));
    const struct fh_journal_range *of = fh_journal_allocation(j, 0, w.out + 1023);
    assert_non_null(of);
    assert_string_equal(of->name, "out");
    assert_int_equal(of->address, w.out);
    assert_int_equal(of->bytes, 1024);
    assert_false(of->forgotten);
    assert_null(fh_journal_allocation(j, 0, w.out - 1));
    assert_null(fh_journal_allocation(j, 0, w.out + 1024));
    assert_ptr_equal(fh_journal_named(j, "out"), of);
    assert_null(fh_journal_named(j, "ou"));
    assert_ptr_equal(fh_journal_allocation_get(j, 0), of);
    assert_string_equal(fh_journal_allocation_get(j, 1)->name, "other");
    assert_null(fh_journal_allocation_get(j, 2));
    uint64_t again;
    assert_int_equal(fhec_alloc(w.machine, "out", 8, 0, &again), FHEC_OK);
    assert_int_equal(fh_journal_named(j, "out")->address, again);
    assert_int_equal(fh_journal_named(j, "out")->before, 2 * each);
    assert_null(fh_journal_allocation(j, 2 * each - 1, again));
    assert_non_null(fh_journal_allocation(j, 2 * each, again));
    end(&w);
}

/* Blocks 128 apart have the same place in the table of warps, one after another of four threads in
 * a column, too. */
static void many_warps(void **state) {
    (void)state;
    enum { MANY = 300 };
    struct world w = {.program = emu_assemble(
                          ".target sm_80\n.kernel many\nS2R R0, SR_CTAID.X ;\nBAR.SYNC 0x0 ;\n"
                          "MOV R1, R0 ;\nEXIT ;\n.end\n"),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fh_journal_begin(w.machine, 1 << 26, &w.journal), FHEC_OK);
    for (uint64_t launch = 1; launch <= 2; launch++)
        emu_run_ok(w.machine, w.program, MANY, 64, NULL, 0);
    const struct fh_journal *j = w.journal;
    assert_int_equal(fh_journal_warp_count(j), 2 * 2 * MANY);
    assert_int_equal(fh_journal_site_count(j), 4);
    for (uint64_t launch = 1; launch <= 2; launch++)
        for (uint32_t b = 0; b < MANY; b++)
            for (uint32_t warp = 0; warp < 2; warp++) {
                uint32_t step = fh_journal_last_step(j, warp_of(j, launch, b, warp));
                for (uint32_t n = 4; n-- > 0; step = fh_journal_previous(j, step)) {
                    assert_int_equal(fh_journal_site(j, step)->instruction.pc, 16 * n);
                    if (n == 2)
                        value_is(j, step, FHEC_FILE_R, 1, 31, b);
                }
                assert_int_equal(step, FH_NO_STEP);
            }
    end(&w);
}

/* ---------------------------------------------------------------- forgetting */

/* q rounds of four instructions behind a store. */
static const char rounds[] =
    ".target sm_80\n.kernel rounds\n.param out, 8\n.param q, 4\n"
    "MOV R4, out ;\nMOV R5, c[0x0][0x164] ;\nMOV R6, q ;\nSTG.E [R4.64], R6 ;\n"
    "again:\nIADD3 R6, R6, -0x1, RZ ;\nISETP.NE.U32.AND P0, PT, R6, RZ, PT ;\nNOP ;\n"
    "@P0 BRA again ;\nMOV R7, R6 ;\nEXIT ;\n.end\n";

/* With room for nothing what is kept is the chunk under way and the full one before it. */
static void oldest_are_forgotten(void **state) {
    (void)state;
    static const struct {
        size_t most;
        uint32_t q, oldest; /* chunks */
    } cases[] = {
        {1 << 28, 12288, 0}, /* 3 chunks and 6 steps */
        {1, 4094, 0},        /* 16382 steps */
        {1, 8190, 0},        /* 32766 */
        {1, 8191, 1},        /* 32770 */
        {1, 12288, 2},       /* 49158 */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct world w = begin(rounds, cases[i].most);
        run(&w, 1, 1, cases[i].q);
        const struct fh_journal *j = w.journal;
        const uint32_t count = 6 + 4 * cases[i].q, oldest = cases[i].oldest * CHUNK;
        struct fh_journal_access a;
        uint32_t lane;
        bool forgotten = !oldest;
        assert_int_equal(fh_journal_count(j), count);
        assert_int_equal(fh_journal_oldest(j), oldest);
        assert_int_equal(fh_journal_last_step(j, 0), count - 1);
        /* the address is older than all that is kept */
        assert_int_equal(fh_journal_writer(j, count - 1, FHEC_FILE_R, 4, 0, &forgotten),
                         oldest ? FH_NO_STEP : 0);
        assert_int_equal(forgotten, oldest != 0);
        assert_int_equal(fh_journal_writer(j, count - 1, FHEC_FILE_R, 6, 0, &forgotten), count - 6);
        assert_false(forgotten);
        value_is(j, count - 6, FHEC_FILE_R, 6, 0, 0);
        value_is(j, count - 10, FHEC_FILE_R, 6, 0, 1);
        assert_int_equal(
            fh_journal_storer(j, count, FHEC_SPACE_GLOBAL, NULL, 0, w.out, 4, &a, &lane),
            oldest ? FH_NO_STEP : 3);
        assert_int_equal(fh_journal_named(j, "out")->forgotten, oldest != 0);
        assert_false(fh_journal_named(j, "other")->forgotten);
        end(&w);
    }
}

/* The limit holds but for the chunk under way; as much is kept as has room. */
static void as_much_as_has_room(void **state) {
    (void)state;
    const uint32_t q = 30000; /* 120006 steps: 7 chunks and 5318 */
    uint32_t before = 0;
    for (size_t most = 1 << 20; most <= (size_t)1 << 23; most *= 2) {
        struct world w = begin(rounds, most);
        run(&w, 1, 1, q);
        const uint32_t kept = fh_journal_count(w.journal) - fh_journal_oldest(w.journal);
        assert_int_equal(fh_journal_count(w.journal), 6 + 4 * q);
        assert_true(kept >= before);
        assert_true((kept - 5318) * (size_t)24 <= most); /* a step is 24 bytes, and what it wrote */
        assert_true(kept == 6 + 4 * q || (kept - 5318 + CHUNK) * (size_t)80 > most);
        before = kept;
        end(&w);
    }
    assert_int_equal(before, 6 + 4 * q);
}

static void word_is(const struct world *w, uint64_t address, enum fh_slice_kind kind) {
    static const struct fh_slice_limits limits = {.depth = 1, .nodes = 10};
    struct fh_slice slice;
    assert_true(fh_slice_make(&slice, w->journal, address, 4, NULL, &limits));
    assert_int_equal(slice.node_count, 2);
    assert_int_equal(slice.nodes[1].kind, kind);
    fh_slice_free(&slice);
}

/* Where a word came from that no step that is kept has stored: the host, nobody, or none knows. */
static void words_that_nobody_stored(void **state) {
    (void)state;
    for (unsigned forgets = 0; forgets < 2; forgets++) {
        struct world w = begin(rounds, forgets ? 1 : 1 << 28);
        const enum fh_slice_kind lost = forgets ? FH_SLICE_FORGOTTEN : FH_SLICE_INITIAL;
        uint64_t later;
        assert_int_equal(fhec_write(w.machine, w.out + 16, "abcd", 4), FHEC_OK);
        assert_int_equal(fhec_write(w.machine, w.other + 16, "abcd", 4), FHEC_OK);
        run(&w, 1, 1, 12288);
        word_is(&w, w.out, forgets ? FH_SLICE_FORGOTTEN : FH_SLICE_STORE);
        word_is(&w, w.out + 8, lost);
        word_is(&w, w.out + 16, forgets ? FH_SLICE_FORGOTTEN : FH_SLICE_INPUT);
        /* what was forgotten did not store there */
        word_is(&w, w.other, FH_SLICE_INITIAL);
        word_is(&w, w.other + 16, FH_SLICE_INPUT);
        assert_int_equal(fhec_write(w.machine, w.out, "abcd", 4), FHEC_OK);
        word_is(&w, w.out, FH_SLICE_INPUT);
        word_is(&w, w.out + 4, lost);
        assert_int_equal(fhec_alloc(w.machine, "later", 64, 0, &later), FHEC_OK);
        word_is(&w, later, FH_SLICE_INITIAL);
        word_is(&w, later + 4096, lost); /* of no allocation */
        end(&w);
    }
}

/* ---------------------------------------------------------------- marks of memory */

static void words_apart(void **state) {
    (void)state;
    static const fhec_space spaces[] = {FHEC_SPACE_GLOBAL, FHEC_SPACE_SHARED, FHEC_SPACE_LOCAL};
    enum { WORDS = 600, OWNERS = 3 };
    struct fh_marked_state marked;
    assert_true(fh_marked_begin(&marked, 1));
    assert_null(fh_marked_word(&marked, FHEC_SPACE_GLOBAL, 0, 0, false));
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint64_t s = 0, number = 1; s < COUNT_OF(spaces); s++)
            for (uint64_t owner = 0; owner < OWNERS; owner++)
                for (uint64_t i = 0; i < WORDS; i++, number++) {
                    const uint64_t address = 4 * i + (i + pass) % 4; /* any byte of the word */
                    struct fh_spectrum_marks *marks =
                        fh_marked_word(&marked, spaces[s], owner, address, pass == 0);
                    assert_non_null(marks);
                    if (pass == 0 && (s || owner == 0)) {
                        assert_int_equal(marks->values, 0);
                        marks->values = number;
                    } else { /* global memory is everybody's */
                        assert_int_equal(marks->values, s ? number : i + 1);
                    }
                }
    assert_int_equal(marked.word_count, WORDS * (1 + 2 * OWNERS));
    assert_true(2 * marked.word_count <= marked.word_room);
    assert_true(marked.word_room <= 4 * marked.word_count);
    assert_null(fh_marked_word(&marked, FHEC_SPACE_SHARED, OWNERS, 0, false));
    assert_null(fh_marked_word(&marked, FHEC_SPACE_SHARED, 0, 4 * WORDS, false));
    assert_false(marked.failed);
    fh_marked_end(&marked);
}

static void marks_are_added(void **state) {
    (void)state;
    struct fh_marked_state marked;
    assert_true(fh_marked_begin(&marked, 2));
    fh_marked_give(&marked, 0, FHEC_FILE_R, 7, 3, (struct fh_spectrum_marks){0, 0});
    assert_null(fh_marked_register(&marked, 0, FHEC_FILE_R, 7, 3, false));
    fh_marked_give(&marked, 0, FHEC_FILE_R, 7, 3, (struct fh_spectrum_marks){1, 3});
    fh_marked_give(&marked, 0, FHEC_FILE_R, 7, 3, (struct fh_spectrum_marks){5, 8});
    fh_marked_give(&marked, 0, FHEC_FILE_R, 255, 3, (struct fh_spectrum_marks){5, 8});
    const struct fh_spectrum_marks *marks =
        fh_marked_register(&marked, 0, FHEC_FILE_R, 7, 3, false);
    assert_non_null(marks);
    assert_int_equal(marks->values, 5);
    assert_int_equal(marks->all, 11);
    assert_int_equal(fh_marked_register(&marked, 0, FHEC_FILE_R, 7, 2, false)->all, 0);
    assert_null(fh_marked_register(&marked, 0, FHEC_FILE_R, 8, 3, false));
    assert_null(fh_marked_register(&marked, 1, FHEC_FILE_R, 7, 3, false));
    fh_marked_warp_end(&marked, 0);
    assert_null(fh_marked_register(&marked, 0, FHEC_FILE_R, 7, 3, false));
    assert_false(marked.failed);
    fh_marked_end(&marked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(rows),
        cmocka_unit_test(steps),
        cmocka_unit_test(ranges),
        cmocka_unit_test(many_warps),
        cmocka_unit_test(oldest_are_forgotten),
        cmocka_unit_test(words_that_nobody_stored),
        cmocka_unit_test(as_much_as_has_room),
        cmocka_unit_test(words_apart),
        cmocka_unit_test(marks_are_added),
    };
    return cmocka_run_group_tests_name("difference_journal", tests, NULL, NULL);
}
