/*
 * debug_origins_test.c - origins of registers in the debugger: the same at a time however it is
 * reached, on both engines, across blocks, warps, shared memory and launches; and watchpoints of
 * origins stop where a walk of single instructions sees one change, forwards and backwards.
 * The environment can choose: FHEC_TEST_SEED.
 */
#include <string.h>

#include "emu_random.h"
#include "emu_util.h"
#include "origins_here.h"
#include "slow_build.h"

enum {
    PLACES = SLOW_BUILD ? 20 : 100,
    BLOCKS = 2,
    WARPS = 2,
    LAUNCHES = 3,
    TURNS = 20000,
    REGISTERS = 14,
    ORIGIN = 96
};

/* R4: data[t], of t the thread; then in a loop of two turns: data[64 + t], the neighbour's word by
 * shared memory, another lane's by SHFL, for odd lanes data[t] again, a sum. Lanes part in it. */
static const char text[] =
    ".target sm_80\n.kernel moves\n.param data, 8\n.shared words, 256\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, data ;\nMOV R7, RZ ;\n"
    "LDG.E R4, [R2.64] ;\nMOV R6, R4 ;\nSHF.L.U32 R8, R0, 0x2, RZ ;\n"
    "LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R9, RZ, PT ;\n"
    "again:\nLDG.E R4, [R2.64 + 256] ;\nSTS [R8], R4 ;\nBAR.SYNC 0x0 ;\n"
    "LOP3.LUT R10, R8, 0x4, RZ, 0x3c, !PT ;\nLDS R4, [R10] ;\nBAR.SYNC 0x0 ;\n"
    "SHFL.BFLY PT, R5, R4, 0x2, 0x1f ;\nMOV R4, R5 ;\nBSSY B0, joined ;\n@!P0 BRA joined ;\n"
    "MOV R4, R6 ;\njoined:\nBSYNC B0 ;\nPRMT R11, R4, 0x1032, RZ ;\nIADD3 R4, R4, R7, RZ ;\n"
    "MOV R12, R11 ;\nIADD3 R7, R7, 0x1, RZ ;\nISETP.LT.U32.AND P1, PT, R7, 0x2, PT ;\n"
    "@P1 BRA again ;\nEXIT ;\n.end\n"
    /* Behind the third instruction, in turns of seven: R4 is data[t + n mod 64] from the fourth on.
     */
    ".kernel turns\n.param data, 8\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\nMOV R7, RZ ;\n"
    "again:\nIADD3 R5, R0, R7, RZ ;\nLOP3.LUT R5, R5, 0x3f, RZ, 0xc0, !PT ;\n"
    "IMAD.WIDE.U32 R2, R5, R1, data ;\nLDG.E R4, [R2.64] ;\nIADD3 R7, R7, 0x1, RZ ;\n"
    "ISETP.LT.U32.AND P0, PT, R7, 0x4e20, PT ;\n@P0 BRA again ;\nEXIT ;\n.end\n";

struct world {
    fhec_program *program;
    fhec_machine *host;
    fhec_record *record;
    fhec_engine engine;
    uint64_t data, seed, length;
    struct emu_rng rng;
};

static struct fh_debugger *new_debugger(const struct world *w) {
    struct fh_debugger *d;
    const struct fh_debugger_options options = {.machine = {.engine = w->engine}};
    assert_int_equal(fh_debugger_new(&options, &d), FHEC_OK);
    assert_int_equal(fh_debugger_take(d, w->record), FHEC_OK);
    return d;
}

static void go(struct fh_debugger *d, size_t launch, uint64_t count) {
    struct fh_debug_stop stop;
    const struct fh_move move = {.kind = FH_MOVE_GOTO, .to = {launch, count}};
    assert_int_equal(fh_debugger_move(d, &move, &stop), FHEC_OK);
}

static struct world begin(fhec_engine engine) {
    const char *seed = getenv("FHEC_TEST_SEED");
    struct world w = {
        .program = emu_assemble(text), .host = emu_machine(engine, 0, 1), .engine = engine};
    uint32_t words[128];
    w.seed = seed ? strtoull(seed, NULL, 0) : 7;
    w.rng.state = 2 * w.seed + 1;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        words[i] = 5; /* values say nothing of origins */
    assert_int_equal(fhec_record_begin(w.host, &w.record), FHEC_OK);
    assert_int_equal(fhec_record_defer(w.record), FHEC_OK);
    assert_int_equal(fhec_alloc(w.host, "data", 4096, 0, &w.data), FHEC_OK);
    assert_int_equal(fhec_write(w.host, w.data, words, sizeof words), FHEC_OK);
    fhec_launch launch = {.program = w.program,
                          .grid = {BLOCKS, 1, 1},
                          .block = {32 * WARPS, 1, 1},
                          .params = &w.data,
                          .param_bytes = 8};
    for (unsigned i = 0; i + 1 < LAUNCHES; i++)
        assert_int_equal(fhec_run(w.host, &launch), FHEC_OK);
    launch.kernel = 1;
    launch.grid[0] = 1;
    launch.block[0] = 32;
    assert_int_equal(fhec_run(w.host, &launch), FHEC_OK);
    struct fh_debugger *d = new_debugger(&w);
    struct fh_debug_stop stop;
    do {
        assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_COUNT}, &stop),
                         FHEC_OK);
        w.length += stop.time.launch == 0;
    } while (stop.time.launch == 0);
    fh_debugger_free(d);
    return w;
}

static void end(struct world *w) {
    fhec_record_end(w->record);
    fhec_machine_free(w->host);
    fhec_program_free(w->program);
}

/* All registers of all warps that are there. */
struct seen {
    bool there[BLOCKS][WARPS];
    char text[BLOCKS][WARPS][REGISTERS][FHEC_WARP_LANES][ORIGIN];
};

static void look(struct fh_debugger *d, struct seen *seen) {
    memset(seen, 0, sizeof *seen);
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (uint32_t w = 0; w < WARPS; w++) {
            struct fh_origins_here here;
            const uint32_t block[3] = {b, 0, 0};
            seen->there[b][w] = fh_debugger_origins(d, block, w, 0, &here) == FHEC_OK;
            for (uint32_t r = 0; seen->there[b][w] && r < REGISTERS; r++)
                for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
                    fh_origins_here_text(&here, FHEC_FILE_R, r, l, seen->text[b][w][r][l], ORIGIN);
        }
}

static void expect_same(const struct world *w, const struct seen *is, const struct seen *should,
                        size_t launch, uint64_t count) {
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (uint32_t i = 0; i < WARPS; i++)
            for (uint32_t r = 0; r < REGISTERS; r++)
                for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
                    if (strcmp(is->text[b][i][r][l], should->text[b][i][r][l]) != 0)
                        fail_msg("seed %llu, launch %zu, %llu: block %u, warp %u, R%u of lane %u "
                                 "is \"%s\", not \"%s\"",
                                 (unsigned long long)w->seed, launch, (unsigned long long)count, b,
                                 i, r, l, is->text[b][i][r][l], should->text[b][i][r][l]);
}

/* One debugger goes to random places, and n back and forward; at each place a new one is asked. */
static void a_time_has_its_origins(fhec_engine engine) {
    static struct seen is, should;
    struct world w = begin(engine);
    struct fh_debugger *d = new_debugger(&w);
    struct fh_debug_stop stop;
    for (unsigned i = 0; i < PLACES; i++) {
        const size_t launch = emu_below(&w.rng, LAUNCHES - 1);
        const uint64_t count = emu_below(&w.rng, (uint32_t)w.length);
        const uint64_t n = emu_below(&w.rng, (uint32_t)count + 1);
        struct fh_debugger *fresh = new_debugger(&w);
        go(d, launch, count);
        if (emu_once_in(&w.rng, 2) && n) {
            const struct fh_move back = {.kind = FH_MOVE_COUNT, .back = true, .times = n},
                                 on = {.kind = FH_MOVE_COUNT, .times = n};
            assert_int_equal(fh_debugger_move(d, &back, &stop), FHEC_OK);
            if (emu_once_in(&w.rng, 2))
                look(d, &is);
            assert_int_equal(fh_debugger_move(d, &on, &stop), FHEC_OK);
        }
        look(d, &is);
        go(fresh, launch, count);
        look(fresh, &should);
        expect_same(&w, &is, &should, launch, count);
        assert_int_equal(fh_debug_time_compare(fh_debugger_time(d), fh_debugger_time(fresh)), 0);
        fh_debugger_free(fresh);
    }
    fh_debugger_free(d);
    end(&w);
}

/* By hand: behind the first turn's SHFL, R5 of thread t is what R4 of thread t ^ 2 was, which LDS
 * got from thread t ^ 3's word: data[64 + (t ^ 3)]. R11 has R4's halves the other way around. */
static void origins_by_hand(void **unused) {
    (void)unused;
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debugger *d = new_debugger(&w);
    const struct fh_breakpoint at = {.kind = FH_BREAK_OPCODE, .text = "PRMT", .shown = "op PRMT"};
    const uint32_t block[3] = {0, 0, 0};
    struct fh_debug_stop stop;
    struct fh_origins_here here;
    unsigned number;
    assert_int_equal(fh_debugger_add(d, &at, &number), FHEC_OK);
    assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_CONTINUE}, &stop),
                     FHEC_OK);
    assert_int_equal(stop.breakpoint, number);
    const uint32_t warp = stop.stop.warp;
    assert_int_equal(fh_debugger_origins(d, block, warp, 0, &here), FHEC_OK);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        const uint32_t t = 32 * warp + l;
        char should[ORIGIN], is[ORIGIN];
        (void)snprintf(should, sizeof should, "data[%u]", 64 + (t ^ 3));
        fh_origins_here_text(&here, FHEC_FILE_R, 5, l, is, sizeof is);
        assert_string_equal(is, should);
        if (l % 2)
            (void)snprintf(should, sizeof should, "data[%u]", t);
        fh_origins_here_text(&here, FHEC_FILE_R, 4, l, is, sizeof is);
        assert_string_equal(is, should);
    }
    assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_INSTRUCTION}, &stop),
                     FHEC_OK);
    assert_int_equal(fh_debugger_origins_cost(d), 1);
    assert_int_equal(fh_debugger_origins(d, block, warp, 0, &here), FHEC_OK);
    assert_int_equal(fh_debugger_origins_cost(d), 0);
    const fh_origin first = fh_origin_make(FH_ORIGIN_GLOBAL, w.data + 4 * (64 + (32 * warp ^ 3)));
    fh_origin_bytes bytes;
    fh_shadow_get_bytes(here.scene.warp, 11, 0, bytes);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(bytes[i], first + (i ^ 2));
    fh_debugger_free(d);
    end(&w);
}

/* What R4 of a lane is behind `count` instructions of the last launch. */
static void expect_turn(const struct world *w, struct fh_debugger *d, uint64_t count,
                        uint32_t lane) {
    const uint32_t block[3] = {0, 0, 0};
    const uint64_t turns = count < 3 ? 0 : (count - 3) / 7 + ((count - 3) % 7 > 3);
    struct fh_origins_here here;
    char should[ORIGIN] = "nothing that was written", is[ORIGIN];
    assert_int_equal(fh_debugger_origins(d, block, 0, 0, &here), FHEC_OK);
    if (turns)
        (void)snprintf(should, sizeof should, "data[%u]", (uint32_t)((lane + turns - 1) % 64));
    fh_origins_here_text(&here, FHEC_FILE_R, 4, lane, is, sizeof is);
    if (strcmp(is, should) != 0)
        fail_msg("seed %llu: R4 of lane %u behind %llu is \"%s\", not \"%s\"",
                 (unsigned long long)w->seed, lane, (unsigned long long)count, is, should);
}

/* In a long launch, to random times: far and near, back and forward; what is looked at is not run
 * from the beginning each time. */
static void long_launch(void **unused) {
    (void)unused;
    enum { LAUNCH = LAUNCHES - 1, LENGTH = 3 + 7 * TURNS };
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debugger *d = new_debugger(&w);
    go(d, LAUNCH, LENGTH);
    assert_int_equal(fh_debugger_origins_cost(d), LENGTH);
    expect_turn(&w, d, LENGTH, 0);
    go(d, LAUNCH, LENGTH - 1);
    assert_in_range(fh_debugger_origins_cost(d), 0, LENGTH / 4);
    uint64_t count = LENGTH - 1;
    for (unsigned i = 0; i < PLACES; i++) {
        const uint64_t near = count + emu_below(&w.rng, 40);
        count = emu_once_in(&w.rng, 3) || near < 20 || near - 20 > LENGTH
                    ? emu_below(&w.rng, LENGTH)
                    : near - 20;
        go(d, LAUNCH, count);
        expect_turn(&w, d, count, emu_below(&w.rng, FHEC_WARP_LANES));
    }
    fh_debugger_free(d);
    end(&w);
}

/* Who has cancelled stands where it was, and may ask again. */
static void cancelled(void **unused) {
    (void)unused;
    enum { LAUNCH = LAUNCHES - 1, AT = 100000 };
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debugger *d = new_debugger(&w);
    const uint32_t block[3] = {0, 0, 0};
    struct fh_origins_here here;
    const struct fh_debug_time at = {LAUNCH, AT};
    go(d, LAUNCH, AT - 30000);
    expect_turn(&w, d, AT - 30000, 9);
    go(d, LAUNCH, AT);
    fh_debugger_cancel(d);
    assert_int_equal(fh_debugger_origins(d, block, 0, 0, &here), FHEC_CANCELLED);
    assert_int_equal(fh_debug_time_compare(fh_debugger_time(d), at), 0);
    expect_turn(&w, d, AT, 9);
    assert_int_equal(fh_debug_time_compare(fh_debugger_time(d), at), 0);
    fh_debugger_free(d);
    end(&w);
}

/* What is set by hand is a number until it is loaded again, also when that is passed once more;
 * what was known of later times is forgotten, and that of earlier ones stays right. */
static void changes_are_numbers(void **unused) {
    (void)unused;
    enum { LAUNCH = LAUNCHES - 1, AT = 3 + 7 * 12000 + 5 };
    static const uint32_t values[FHEC_WARP_LANES] = {0};
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debugger *d = new_debugger(&w);
    struct fh_origins_here here;
    char is[ORIGIN];
    const uint32_t block[3] = {0, 0, 0};
    go(d, LAUNCH, AT + 50000);
    expect_turn(&w, d, AT + 50000, 3);
    go(d, LAUNCH, AT);
    expect_turn(&w, d, AT, 3);
    assert_int_equal(fh_debugger_set_register(d, block, 0, FHEC_FILE_R, 4, 1 << 3, values, NULL),
                     FHEC_OK);
    for (unsigned again = 0; again < 2; again++) {
        for (uint64_t count = AT; count < AT + 3; count++) {
            go(d, LAUNCH, count);
            assert_int_equal(fh_debugger_origins(d, block, 0, 0, &here), FHEC_OK);
            fh_origins_here_text(&here, FHEC_FILE_R, 4, 3, is, sizeof is);
            assert_string_equal(is, "a number");
            expect_turn(&w, d, count, 4);
        }
        go(d, LAUNCH, AT + 10 + again);
        expect_turn(&w, d, AT + 10 + again, 3);
        go(d, LAUNCH, AT - 1 - again);
        expect_turn(&w, d, AT - 1 - again, 3);
    }
    go(d, LAUNCH, AT + 50000);
    expect_turn(&w, d, AT + 50000, 3);
    fh_debugger_free(d);
    end(&w);
}

/* Of uniform registers, the first one and the last, only that which is set. */
static void uniform_changes_are_numbers(void **unused) {
    (void)unused;
    static const uint32_t values[FHEC_WARP_LANES] = {5}, regs[] = {0, 4, 62};
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debugger *d = new_debugger(&w);
    const uint32_t block[3] = {0, 0, 0};
    struct fh_origins_here here;
    char is[ORIGIN];
    go(d, LAUNCHES - 1, 20);
    for (size_t set = 0; set <= COUNT_OF(regs); set++) {
        assert_int_equal(fh_debugger_origins(d, block, 0, 0, &here), FHEC_OK);
        for (size_t i = 0; i < COUNT_OF(regs); i++) {
            fh_origins_here_text(&here, FHEC_FILE_UR, regs[i], 0, is, sizeof is);
            assert_string_equal(is, i < set ? "a number" : "nothing that was written");
        }
        if (set < COUNT_OF(regs))
            assert_int_equal(fh_debugger_set_register(d, block, 0, FHEC_FILE_UR, regs[set],
                                                      UINT32_MAX, values, NULL),
                             FHEC_OK);
    }
    fh_debugger_free(d);
    end(&w);
}

/* The times before instructions that give a register of a warp another origin in a lane, by single
 * instructions. */
static size_t walk(struct world *w, const fhec_scope *scope, uint32_t reg, uint64_t *counts) {
    struct fh_debugger *d = new_debugger(w);
    char was[FHEC_WARP_LANES][ORIGIN], is[FHEC_WARP_LANES][ORIGIN];
    size_t found = 0;
    bool known = false;
    for (uint64_t i = 0; i <= w->length; i++) {
        struct fh_origins_here here;
        struct fh_debug_stop stop;
        bool changed = false;
        const bool there = fh_debugger_time(d).launch == 0 &&
                           fh_debugger_origins(d, scope->block, scope->warp, 0, &here) == FHEC_OK;
        for (uint32_t l = 0; there && l < FHEC_WARP_LANES; l++) {
            fh_origins_here_text(&here, FHEC_FILE_R, reg, l, is[l], ORIGIN);
            changed |= scope->lanes >> l & 1 && known && strcmp(is[l], was[l]) != 0;
        }
        if (changed)
            counts[found++] = i - 1;
        memcpy(was, is, sizeof was);
        known = there;
        assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_COUNT}, &stop),
                         FHEC_OK);
    }
    fh_debugger_free(d);
    return found;
}

static void watched(fhec_engine engine, uint32_t reg, const fhec_scope *scope, size_t least) {
    uint64_t should[64];
    struct world w = begin(engine);
    const size_t count = walk(&w, scope, reg, should);
    struct fh_debugger *d = new_debugger(&w);
    const struct fh_breakpoint watch = {
        .kind = FH_WATCH_ORIGIN, .scope = *scope, .file_of = FHEC_FILE_R, .reg = reg};
    struct fh_debug_stop stop;
    unsigned number;
    assert_in_range(count, least, 64);
    assert_int_equal(fh_debugger_add(d, &watch, &number), FHEC_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_CONTINUE}, &stop),
                         FHEC_OK);
        assert_int_equal(stop.breakpoint, number);
        assert_int_equal(stop.time.launch, 0);
        assert_int_equal(stop.time.count, should[i] + 1);
        assert_true(*stop.origin.was && *stop.origin.is);
        assert_string_not_equal(stop.origin.was, stop.origin.is);
    }
    assert_int_equal(fh_debugger_move(d, &(struct fh_move){.kind = FH_MOVE_CONTINUE}, &stop),
                     FHEC_OK);
    assert_int_equal(stop.time.launch, 1); /* the same again in the next launch */
    assert_int_equal(stop.time.count, should[0] + 1);
    go(d, 1, should[0]);
    for (size_t i = count; i-- > 0;) {
        const struct fh_move back = {.kind = FH_MOVE_CONTINUE, .back = true};
        assert_int_equal(fh_debugger_move(d, &back, &stop), FHEC_OK);
        assert_int_equal(stop.breakpoint, number);
        assert_int_equal(stop.time.launch, 0);
        assert_int_equal(stop.time.count, should[i]);
    }
    fh_debugger_free(d);
    end(&w);
}

static void watch_all_lanes(void **unused) {
    (void)unused;
    const fhec_scope scope = {
        .one_block = true, .block = {1, 0, 0}, .one_warp = true, .warp = 1, .lanes = UINT32_MAX};
    watched(FHEC_ENGINE_FAST, 4, &scope, 5);
    watched(FHEC_ENGINE_REF, 4, &scope, 5);
}

static void watch_a_lane(void **unused) {
    (void)unused;
    const fhec_scope scope = {.one_block = true, .one_warp = true, .lanes = 1 << 6};
    watched(FHEC_ENGINE_FAST, 4, &scope, 4);
    watched(FHEC_ENGINE_FAST, 7, &scope, 2);
}

static void fast_engine(void **unused) {
    (void)unused;
    a_time_has_its_origins(FHEC_ENGINE_FAST);
}

static void reference_engine(void **unused) {
    (void)unused;
    a_time_has_its_origins(FHEC_ENGINE_REF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_launch),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(changes_are_numbers),
        cmocka_unit_test(origins_by_hand),
        cmocka_unit_test(uniform_changes_are_numbers),
        cmocka_unit_test(watch_all_lanes),
        cmocka_unit_test(watch_a_lane),
        cmocka_unit_test(fast_engine),
        cmocka_unit_test(reference_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
