/* Findings: one row for each kind and pair of places, counted, in order, with what the program says
 * of the places; what is kept of instructions; who watches; which instructions use what others
 * wrote. */
#include "emu_util.h"

#include "event_code.h"
#include "finding.h"
#include "finding_ids.h"
#include "uses.h"
#include "watching.h"

static const char text[] = ".target sm_80\n.macro TWICE\nIADD3 R1, R1, R1, RZ ;\n.endm\n"
                           ".kernel b\n.rept 100\nMOV R1, R2 ;\n.endr\nEXIT ;\n.end\n"
                           ".kernel a\nMOV R3, R4 ;\nTWICE\nEXIT ;\n.end\n";

static struct fh_place place_of(const fhec_program *program, size_t kernel, uint64_t number) {
    struct fh_place place = {.program = program, .kernel = kernel, .pc = 16 * number, .lanes = 1};
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, kernel, &info), FHEC_OK);
    place.word = info.words[number < info.word_count ? number : 0];
    return place;
}

static void one(struct fh_findings *f, unsigned kind, struct fh_place at, struct fh_place other) {
    const struct fh_finding finding = {.kind = kind, .at = at, .other = other};
    assert_true(fh_findings_add(f, &finding));
}

/* Whatever the order in which they come: by kernel, pc, id, then the other's pc and kernel. */
static void order(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(text);
    const struct fh_place none = {0};
    const struct fh_place a0 = place_of(program, 1, 0), a2 = place_of(program, 1, 2);
    const struct fh_place b0 = place_of(program, 0, 0), b1 = place_of(program, 0, 1);
    const struct {
        unsigned kind;
        struct fh_place at, other;
    } wanted[] = {
        {FH_FINDING_ALLOCATION_KEPT, none, none}, /* of no kernel */
        {FH_FINDING_UNDEFINED_BRANCH, a0, none},  {FH_FINDING_RACE_IN_BLOCK, a0, none},
        {FH_FINDING_RACE_IN_BLOCK, a0, a0},       {FH_FINDING_RACE_IN_BLOCK, a0, b0},
        {FH_FINDING_RACE_IN_BLOCK, a0, b1},       {FH_FINDING_RACE_IN_BLOCK, a0, a2},
        {FH_FINDING_UNDEFINED_ADDRESS, a2, none}, {FH_FINDING_UNDEFINED_ADDRESS, b0, none},
        {FH_FINDING_UNDEFINED_ADDRESS, b1, a0},   {FH_FINDING_UNDEFINED_ADDRESS, b1, a2},
    };
    static const size_t orders[][COUNT_OF(wanted)] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
        {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
        {5, 0, 10, 3, 8, 1, 6, 4, 9, 2, 7},
    };
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        struct fh_findings *f = fh_findings_new();
        assert_null(fh_findings_get(f, 0));
        for (size_t i = 0; i < COUNT_OF(wanted); i++) {
            const size_t k = orders[o][i];
            one(f, wanted[k].kind, wanted[k].at, wanted[k].other);
            assert_int_equal(fh_findings_count(f), i + 1);
            assert_non_null(fh_findings_get(f, i));
        }
        for (size_t i = 0; i < COUNT_OF(wanted); i++) {
            const struct fh_finding *got = fh_findings_get(f, i);
            if (got->kind != wanted[i].kind || got->at.pc != wanted[i].at.pc ||
                got->at.program != wanted[i].at.program || got->at.kernel != wanted[i].at.kernel ||
                got->other.program != wanted[i].other.program ||
                got->other.pc != wanted[i].other.pc || got->other.kernel != wanted[i].other.kernel)
                fail_msg("order %zu, finding %zu: %s at 0x%x", o, i, fh_finding_id(got->kind),
                         (unsigned)got->at.pc);
            assert_int_equal(got->count, 1);
        }
        assert_null(fh_findings_get(f, COUNT_OF(wanted)));
        fh_findings_free(f);
    }
    fhec_program_free(program);
    assert_string_equal(fh_finding_id(FH_FINDING_RACE_IN_BLOCK), "C021");
    assert_string_equal(fh_finding_title(FH_FINDING_RACE_IN_BLOCK), "warps of a block race");
    assert_int_equal(fh_finding_checker(FH_FINDING_RACE_IN_BLOCK), FH_CHECK_RACE);
    static const char *const names[] = {"init",   "race",     "sync",      "async",
                                        "bounds", "operands", "fragments", "leaks"};
    for (enum fh_checker c = FH_CHECK_INIT; c < FH_CHECKERS; c++)
        assert_string_equal(fh_checker_name(c), names[c]);
}

/* Many, each once; again they are counted. */
static void counts(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(text);
    struct fh_findings *f = fh_findings_new();
    for (unsigned pass = 1; pass <= 3; pass++)
        for (uint64_t i = 0; i < 100; i++)
            for (uint64_t k = 0; k < 2; k++) {
                const struct fh_place at = place_of(program, 0, i), other = {.pc = k};
                assert_int_equal(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, &other),
                                 pass > 1);
                if (pass == 1 || k)
                    one(f, FH_FINDING_RACE_IN_BLOCK, at, other);
                assert_false(fh_findings_again(f, FH_FINDING_RACE_IN_GRID, &at, &other));
            }
    assert_int_equal(fh_findings_count(f), 200);
    for (size_t i = 0; i < 200; i++) {
        const struct fh_finding *got = fh_findings_get(f, i);
        assert_int_equal(got->at.pc, 16 * (i / 2));
        assert_int_equal(got->other.pc, i % 2);
        assert_int_equal(got->count, i % 2 ? 5 : 3);
    }
    /* the program may lie where another one was: another word is another instruction */
    struct fh_place at = place_of(program, 0, 3), other = {0};
    at.word.lo ^= 1;
    assert_false(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, &other));
    at.word.lo ^= 1;
    at.word.hi ^= 1;
    assert_false(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, &other));
    at.word.hi ^= 1;
    at.kernel = 1;
    assert_false(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, &other));
    at.kernel = 0;
    assert_true(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, &other));
    assert_true(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, &at, NULL));
    assert_false(fh_findings_again(f, FH_FINDING_RACE_IN_BLOCK, NULL, &at));
    fh_findings_free(f);
    fhec_program_free(program);
}

/* What the program says is kept: it may end before the findings do. */
static void sources(void **state) {
    (void)state;
    char name[] = "buffer";
    fhec_program *program = emu_assemble(text);
    struct fh_findings *f = fh_findings_new();
    struct fh_finding finding = {.kind = FH_FINDING_RACE_IN_BLOCK,
                                 .at = place_of(program, 1, 1),
                                 .other = place_of(program, 0, 2),
                                 .object = {name, 3, 4},
                                 .message = "it is so",
                                 .computed_by = {{.pc = 0x10}, {.pc = 0}},
                                 .computed_count = 2};
    assert_true(fh_findings_add(f, &finding));
    finding.at = (struct fh_place){0};
    finding.other = place_of(program, 1, 0);
    finding.other.word = (fhec_word){UINT64_MAX, UINT64_MAX};
    finding.computed_count = 0;
    assert_true(fh_findings_add(f, &finding));
    fhec_program_free(program);
    memset(name, 'x', 6);
    const struct fh_finding *got = fh_findings_get(f, 0);
    assert_null(got->source.kernel);
    assert_string_equal(got->other_source.text, "(no instruction)");
    got = fh_findings_get(f, 1);
    assert_string_equal(got->source.kernel, "a");
    assert_string_equal(got->source.text, "IADD3 R1, R1, R1, RZ");
    assert_string_equal(got->source.location, "test.sass:3 (in macro TWICE, from test.sass:13)");
    assert_int_equal(got->source.line_count, 2);
    assert_string_equal(got->source.lines[0].file, "test.sass");
    assert_int_equal(got->source.lines[0].line, 3);
    assert_string_equal(got->source.lines[1].file, "test.sass");
    assert_int_equal(got->source.lines[1].line, 13);
    assert_string_equal(got->other_source.kernel, "b");
    assert_string_equal(got->other_source.text, "MOV R1, R2");
    assert_string_equal(got->other_source.location,
                        "test.sass:7 (in iteration 3 of .rept at test.sass:6)");
    assert_int_equal(got->other_source.lines[0].line, 7);
    assert_string_equal(got->object.name, "buffer");
    assert_int_equal(got->object.offset, 3);
    assert_string_equal(got->message, "it is so");
    assert_int_equal(got->computed_by[0].at.line, 3);
    assert_string_equal(got->computed_by[0].at.file, "test.sass");
    assert_int_equal(got->computed_by[1].at.line, 12);
    fh_findings_free(f);
    fh_findings_free(NULL);
}

static void merging(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(text);
    const struct fh_place p = place_of(program, 0, 0), q = place_of(program, 0, 1),
                          r = place_of(program, 0, 2), none = {0};
    struct fh_findings *f = fh_findings_new(), *more = fh_findings_new();
    size_t added = 99;
    assert_true(fh_findings_merge(f, more, &added));
    assert_int_equal(added, 0);
    one(f, FH_FINDING_RACE_IN_BLOCK, p, q);
    one(more, FH_FINDING_RACE_IN_BLOCK, q, p); /* the same the other way round */
    one(more, FH_FINDING_RACE_IN_BLOCK, p, q);
    one(more, FH_FINDING_RACE_IN_BLOCK, p, r);
    one(more, FH_FINDING_RACE_IN_GRID, p, q);
    assert_true(fh_findings_merge(f, more, &added));
    assert_int_equal(added, 2);
    assert_int_equal(fh_findings_count(f), 3);
    assert_int_equal(fh_findings_get(f, 0)->count, 1);
    assert_null(fh_findings_order(f));
    fh_findings_depend(f, &none);
    assert_null(fh_findings_order(f));
    fh_findings_depend(f, &q);
    fh_findings_depend(f, &p);
    assert_int_equal(fh_findings_order(f)->pc, 16); /* the first one */
    fh_findings_free(f);
    fh_findings_free(more);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- instructions that are kept */

static unsigned prepared;

static void prepare(void *own, const fhec_instruction *instruction) {
    const uint64_t zero[2] = {0, 0};
    assert_memory_equal(own, zero, sizeof zero);
    *(uint64_t *)own = instruction->pc;
    prepared++;
}

static void code(void **state) {
    (void)state;
    enum { PROGRAMS = 3, WORDS = 700 };
    fhec_program *programs[PROGRAMS];
    for (size_t p = 0; p < PROGRAMS; p++)
        programs[p] = emu_assemble(text);
    struct fh_code *c = fh_code_new(16, prepare);
    const struct fh_code_entry *entries[PROGRAMS][2][WORDS];
    prepared = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint64_t i = WORDS; i-- > 0;)
            for (size_t p = 0; p < PROGRAMS; p++)
                for (size_t k = 0; k < 2; k++) {
                    const fhec_launch launch = {.program = programs[p], .kernel = k};
                    fhec_event event = {.launch = &launch, .pc = 16 * i};
                    assert_int_equal(
                        fhec_assemble_word(i % 2 ? "NOP" : "EXIT", 0, NULL, NULL, &event.word),
                        FHEC_OK);
                    const struct fh_code_entry *e = fh_code_of(c, &event);
                    assert_non_null(e);
                    assert_int_equal(*(const uint64_t *)e->own, 16 * i);
                    assert_string_equal(e->instruction.text, i % 2 ? "NOP" : "EXIT");
                    if (pass)
                        assert_ptr_equal(e, entries[p][k][i]);
                    entries[p][k][i] = e;
                }
    assert_int_equal(prepared, PROGRAMS * 2 * WORDS);
    /* another word at the place is made anew; what was there stays valid */
    const fhec_launch launch = {.program = programs[0]};
    fhec_event event = {.launch = &launch, .pc = 16};
    assert_int_equal(fhec_assemble_word("MOV R1, R2", 0, NULL, NULL, &event.word), FHEC_OK);
    assert_string_equal(fh_code_of(c, &event)->instruction.text, "MOV R1, R2");
    event.word.hi ^= UINT64_C(1) << 60;
    (void)fh_code_of(c, &event);
    assert_int_equal(prepared, PROGRAMS * 2 * WORDS + 2);
    event.word = (fhec_word){UINT64_MAX, UINT64_MAX}; /* nobody's */
    const struct fh_code_entry *unknown = fh_code_of(c, &event);
    assert_int_equal(unknown->instruction.operand_count, 0);
    assert_string_equal(unknown->instruction.klass, "");
    assert_string_equal(unknown->instruction.text, "");
    assert_int_equal(unknown->instruction.word.hi, UINT64_MAX);
    assert_string_equal(entries[0][0][1]->instruction.text, "NOP");
    fh_code_free(c);
    fh_code_free(NULL);
    c = fh_code_new(0, NULL);
    assert_non_null(fh_code_of(c, &event));
    fh_code_free(c);
    for (size_t p = 0; p < PROGRAMS; p++)
        fhec_program_free(programs[p]);
}

/* ---------------------------------------------------------------- watching */

struct watcher {
    struct fh_watching watching; /* first */
    unsigned launches, issues;
};

static void saw(void *user, const fhec_event *event) {
    struct watcher *w = user;
    w->launches += event->kind == FHEC_EVENT_LAUNCH_BEGIN;
    w->issues += event->kind == FHEC_EVENT_ISSUE;
}

static void watching(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel k\nNOP ;\nEXIT ;\n.end\n");
    for (unsigned observers = 1; observers <= 2; observers++)
        for (unsigned fails = 0; fails < 2; fails++) {
            fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
            struct fh_findings *findings = fh_findings_new();
            struct fh_watch watch = {.bytes = sizeof(struct watcher), .end = fh_watch_end};
            void *own = NULL;
            watch.observers[0] = (fhec_observer){
                .filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN), .event = saw};
            if (observers == 2)
                watch.observers[1] =
                    (fhec_observer){.filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ISSUE), .event = saw};
            assert_int_equal(fh_watch_begin(&watch, machine, findings, &own), FHEC_OK);
            struct watcher *w = own;
            assert_ptr_equal(w->watching.machine, machine);
            assert_ptr_equal(w->watching.findings, findings);
            assert_non_null(w->watching.code);
            emu_run_ok(machine, program, 1, 64, NULL, 0);
            assert_int_equal(w->launches, 1);
            assert_int_equal(w->issues, observers == 2 ? 4 : 0);
            w->watching.failed = fails;
            assert_int_equal(fh_watch_end(w), fails ? FHEC_HOST_ERROR : FHEC_OK);
            emu_run_ok(machine, program, 1, 64, NULL, 0); /* nobody looks */
            fh_findings_free(findings);
            fhec_machine_free(machine);
        }
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- uses */

enum { PLACES = 32 };

struct asked {
    bool used[PLACES][PLACES];
    unsigned ran[PLACES];
    uint64_t instructions, launches;
    uint32_t unwanted; /* an instruction, by number; 0: none */
};

static uint32_t number(void *user, const fhec_launch *launch, uint64_t pc) {
    const struct asked *a = user;
    assert_non_null(launch->program);
    const uint32_t n = (uint32_t)(pc / 16) + 1;
    return n == a->unwanted ? 0 : n;
}

static void ran(void *user, uint32_t n) {
    ((struct asked *)user)->ran[n]++;
}

static void used(void *user, uint32_t writer, uint32_t reader) {
    ((struct asked *)user)->used[writer][reader] = true;
}

static void ended(void *user, uint64_t instructions) {
    struct asked *a = user;
    a->instructions += instructions;
    a->launches++;
}

/* Readers of each instruction, as bits; instructions count from 1. */
static void uses_are(const char *body, uint32_t blocks, uint32_t threads, uint32_t unwanted,
                     const uint32_t *readers, size_t count) {
    char source[2048];
    struct asked a = {.unwanted = unwanted};
    const struct fh_uses_ask ask = {&a, number, ran, used, ended};
    struct fh_uses *uses;
    uint64_t out;
    snprintf(source, sizeof source,
             ".target sm_80\n.kernel k\n.param out, 8\n.shared s, 512\n%sEXIT ;\n.end\n", body);
    fhec_program *program = emu_assemble(source);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_alloc(machine, "out", 4096, 0, &out), FHEC_OK);
    assert_int_equal(fh_uses_begin(machine, &ask, &uses), FHEC_OK);
    emu_run_ok(machine, program, blocks, threads, &out, 1);
    const uint64_t warps = (uint64_t)blocks * ((threads + 31) / 32);
    assert_int_equal(a.launches, 1);
    assert_int_equal(a.instructions, warps * (count + 1));
    for (uint32_t i = 1; i <= count + 1; i++)
        assert_int_equal(a.ran[i], i == unwanted ? 0 : warps);
    for (uint32_t w = 0; w < PLACES; w++) {
        uint32_t got = 0;
        for (uint32_t r = 0; r < PLACES; r++)
            got |= (uint32_t)a.used[w][r] << r;
        if (got != (w >= 1 && w <= count ? readers[w - 1] : 0))
            fail_msg("%s: instruction %u is read by 0x%x", body, w, got);
    }
    fh_uses_end(uses);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

#define USES(body, blocks, threads, unwanted, ...)                                                 \
    uses_are((body), (blocks), (threads), (unwanted), (const uint32_t[]){__VA_ARGS__},             \
             COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

static void uses(void **state) {
    (void)state;
    static const char registers[] = "S2R R0, SR_TID.X ;\n"                      /* 1: 3, 4 */
                                    "UMOV UR4, 0x5 ;\n"                         /* 2: 3 */
                                    "IADD3 R1, R0, UR4, RZ ;\n"                 /* 3: 5 */
                                    "ISETP.LT.U32.AND P3, PT, R0, 0x5, PT ;\n"  /* 4: 5 */
                                    "@P3 IADD3 R254, R1, 0x1, RZ ;\n"           /* 5: 6 */
                                    "MOV R2, R254 ;\n"                          /* 6 */
                                    "UISETP.LE.AND UP2, UPT, UR4, 0x5, UPT ;\n" /* 7: 8 */
                                    "@UP2 UMOV UR62, 0x1 ;\n"                   /* 8: 9 */
                                    "MOV R2, UR62 ;\n"                          /* 9 */
                                    "MOV R0, 0x1 ;\nMOV R3, R0 ;\n";            /* 10: 11 */
    for (uint32_t blocks = 1; blocks <= 70; blocks += 69)
        USES(registers, blocks, 96, 0, 1 << 3 | 1 << 4, 1 << 3 | 1 << 7, 1 << 5, 1 << 5, 1 << 6, 0,
             1 << 8, 1 << 9, 0, 1 << 11, 0);
    USES(registers, 1, 32, 3, 1 << 4, 1 << 7, 0, 1 << 5, 1 << 6, 0, 1 << 8, 1 << 9, 0, 1 << 11, 0);
    USES("S2R R0, SR_TID.X ;\nIMAD R1, R0, 0x4, RZ ;\nSTS [R1], R0 ;\nBAR.SYNC 0x0 ;\n"
         "LDS R2, [R1] ;\nIMAD.WIDE.U32 R4, R0, R9, out ;\nSTG.E [R4.64], R0 ;\n"
         "STS [R1+0x100], RZ ;\nLDG.E R6, [R4.64] ;\nLDG.E R7, [R4.64+0x400] ;\n"
         "LDS R8, [R1+0x100] ;\n",
         2, 64, 0, 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7, 1 << 3 | 1 << 5 | 1 << 8 | 1 << 11, 1 << 5, 0,
         0, 1 << 7 | 1 << 9 | 1 << 10, 1 << 9, 1 << 11, 0, 0, 0);
    /* words of a wide access; an atomic operation reads and writes */
    USES("S2R R0, SR_TID.X ;\nIMAD R1, R0, 0x8, RZ ;\nSTS.64 [R1], R2 ;\nLDS R4, [R1+0x4] ;\n"
         "ATOMS.ADD R5, [R1], R0 ;\nLDS R6, [R1] ;\nSTS [R1+0x4], R0 ;\nLDS.64 R8, [R1] ;\n",
         1, 32, 0, 1 << 2 | 1 << 5 | 1 << 7, 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8,
         1 << 4 | 1 << 5, 0, 1 << 6 | 1 << 8, 0, 1 << 8, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),   cmocka_unit_test(counts), cmocka_unit_test(sources),
        cmocka_unit_test(merging), cmocka_unit_test(code),   cmocka_unit_test(watching),
        cmocka_unit_test(uses),
    };
    return cmocka_run_group_tests_name("finding_rows", tests, NULL, NULL);
}
