/*
 * emu_bases_test.c - what the fast engine takes from one instruction to the next about a base
 * register, and about registers that nobody has written: random kernels that go to global and
 * shared memory again and again through few registers, in many patterns and widths, change these
 * registers in all ways, also by halves and in some lanes only, and go back to where they had other
 * values. Some go astray. Reference engine and fast engine at every SIMD level must leave the same
 * memory and the same fault. And kernels that read registers first, after others have filled them.
 */
#include "emu_util.h"

enum { KERNELS = 2000, BYTES = 1 << 14, HALF = BYTES / 2, SHARED = 4096, OPS = 40, LANES = 32 };

/* xorshift64* */
static uint64_t state = 0x9e3779b97f4a7c15u;

static uint32_t below(uint32_t n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 33) % n;
}

/* ---------------------------------------------------------------- random kernels */

struct text {
    char s[16384];
    size_t n;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    t->n += (size_t)vsnprintf(t->s + t->n, sizeof t->s - t->n, format, list);
    va_end(list);
    assert_true(t->n < sizeof t->s);
}

/* Global bases are R20, R22, R24 and R26, in `data`, and R36; shared ones R30 .. R33 and R34. The
 * first of each five is for 32 bits, the second for up to 64, the next for up to 128, the last for
 * 8 and 16 only. How their lanes' places lie: */
enum { BASES = 5 };
static const struct base {
    uint32_t global, shared, widest;
} bases[BASES] = {{20, 30, 2}, {22, 31, 3}, {24, 32, 4}, {26, 33, 4}, {36, 34, 1}};

static const struct {
    uint32_t widest; /* logarithm of bytes */
    const char *text;
} places[] = {
    {0, "MOV R1, R0 ;\n"},
    {1, "IMAD R1, R0, 0x2, RZ ;\n"},
    {1, "IMAD R1, R0, 0x6, RZ ;\n"},
    {2, "IMAD R1, R0, 0x4, RZ ;\n"},
    {3, "IMAD R1, R0, 0x8, RZ ;\n"},
    {4, "IMAD R1, R0, 0x10, RZ ;\n"},
    /* four in one place; all in one */
    {4, "LOP3.LUT R1, R0, 0x1c, RZ, 0xc0, !PT ;\nIMAD R1, R1, 0x30, RZ ;\n"},
    {4, "MOV R1, 0x40 ;\n"},
    /* four side by side, apart from the next or half over them */
    {4, "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R4, RZ, 0x2, R0 ;\n"
        "IMAD R1, R1, 0x10, RZ ;\nIMAD R1, R4, 0x90, R1 ;\n"},
    {4, "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R4, RZ, 0x2, R0 ;\n"
        "IMAD R1, R1, 0x10, RZ ;\nIMAD R1, R4, 0x20, R1 ;\n"},
    /* chunks of neighbours, of every fourth lane, of every eighth */
    {3, "SHF.R.U32.HI R1, RZ, 0x2, R0 ;\nLOP3.LUT R4, R0, 0x3, RZ, 0xc0, !PT ;\n"
        "IMAD R1, R1, 0x90, RZ ;\nLEA R1, R4, R1, 0x3 ;\n"},
    {3, "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R4, RZ, 0x2, R0 ;\n"
        "IMAD R1, R1, 0x110, RZ ;\nLEA R1, R4, R1, 0x3 ;\n"},
    {3, "LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R4, RZ, 0x3, R0 ;\n"
        "IMAD R1, R1, 0x70, RZ ;\nLEA R1, R4, R1, 0x3 ;\n"},
    /* in no order, some in one place, backwards */
    {4, "IMAD R1, R0, 0x5, RZ ;\nLOP3.LUT R1, R1, 0x1f, RZ, 0xc0, !PT ;\nSHF.L.U32 R1, R1, 0x4, RZ "
        ";\n"},
    {4, "IMAD R1, R0, R0, R0 ;\nLOP3.LUT R1, R1, 0x7f, RZ, 0xc0, !PT ;\nSHF.L.U32 R1, R1, 0x4, RZ "
        ";\n"},
    {3, "IADD3 R1, -R0, 0x1f, RZ ;\nSHF.L.U32 R1, R1, 0x3, RZ ;\n"},
};

/* Base number `base`, of global or of shared memory. */
static void set_base(struct text *t, uint32_t base, bool shared) {
    uint32_t place;
    do
        place = below(COUNT_OF(places));
    while (places[place].widest < bases[base].widest);
    add(t, "%s", places[place].text);
    if (shared)
        add(t, "MOV R%u, R1 ;\n", bases[base].shared);
    else
        add(t, "IMAD.WIDE.U32 R%u, R1, R7, data ;\n", bases[base].global);
}

/* Changes a base a little: all of it, its high word there and back, of all or of some lanes, of
 * which a guard keeps those away that would go astray, mostly; the low word in some lanes. */
static void change_base(struct text *t) {
    const uint32_t base = below(4), other = base + below(4 - base);
    const uint32_t r = 20 + 2 * base, from = 20 + 2 * other;
    switch (below(8)) {
    case 0: add(t, "IADD3 R%u, R%u, 0x%x, RZ ;\n", r, r, 16 * below(20)); break;
    case 1: add(t, "@P1 IADD3 R%u, R%u, 0x10, RZ ;\n", r, r); break;
    case 2: add(t, "MOV R%u, R%u ;\nMOV R%u, R%u ;\n", r, from, r + 1, from + 1); break;
    case 3: add(t, "LDG.E.64 R%u, [R28.64 + 0x%x] ;\n", r, 8 * below(4)); break;
    case 4: add(t, "@!P1 MOV R%u, R%u ;\n", 30 + base, 30 + other); break;
    case 5:
        add(t, "IADD3 R%u, R%u, %s0x10, RZ ;\n", 30 + base, 30 + base, below(20) ? "" : "-");
        break;
    case 6:
        add(t, "@P1 IADD3 R%u, R%u, 0x1, RZ ;\n@!P1 LDG.E R8, [R%u.64] ;\n", r + 1, r + 1, r);
        add(t, "@%sP%u LDG.E R9, [R%u.64 + 0x80] ;\n", below(12) ? "!" : "", below(12) ? 1 : 2, r);
        add(t, "@P1 IADD3 R%u, R%u, -0x1, RZ ;\n", r + 1, r + 1);
        break;
    default: /* what goes there in between is lost */
        add(t, "IADD3 R%u, R%u, 0x1, RZ ;\n", r + 1, r + 1);
        add(t, "%s", below(6) ? "" : "LDG.E R8, [R22.64] ;\nLDG.E R9, [R24.64 + 0x10] ;\n");
        add(t, "IADD3 R%u, R%u, -0x1, RZ ;\n", r + 1, r + 1);
    }
}

/* What an address may be: scaled in shared memory, and in bounds nearly always. Where the guard
 * leaves lanes out, more often not. */
static void write_address(char out[40], uint32_t base, uint32_t width, bool in_block,
                          const char *suffix, bool few) {
    const uint32_t end = in_block ? SHARED : BYTES;
    uint32_t offset = (1u << width) * below(48);
    if (!below(few ? 30 : 200))
        offset = below(8) ? end - (16u << width) : offset + 1;
    const uint32_t address = !strcmp(suffix, ".X4") || !strcmp(suffix, ".X16") ? 0
                             : in_block                                        ? bases[base].shared
                                                                               : bases[base].global;
    snprintf(out, 40, "[R%u%s + 0x%x]", address, suffix, offset);
}

static void move_memory(struct text *t, const char *guard, bool few) {
    static const char *const loads[2][5] = {{".U8", ".U16", "", ".64", ".128"},
                                            {".S8", ".S16", "", ".64", ".128"}};
    static const char *const stores[] = {".U8", ".U16", "", ".64", ".128"};
    static const struct {
        const char *load, *store;
        bool in_block, scaled;
    } spaces[] = {
        {"LDG.E", "STG.E", false, false}, {"LDG.E", "STG.E", false, false},
        {"LD.E", "ST.E", false, false},   {"LDS", "STS", true, true},
        {"LDS", "STS", true, true},       {"LDL", "STL", true, false},
    };
    static const char *const scales[] = {"", "", ".X4", ".X16"};
    const uint32_t base = below(BASES), data = 8 + 4 * below(2), sign = below(2);
    const uint32_t space = below(COUNT_OF(spaces));
    const bool in_block = spaces[space].in_block, store = below(2);
    const uint32_t scale = spaces[space].scaled ? below(4) : 0;
    const uint32_t widest = scale == 2 ? 2 : bases[base].widest;
    const uint32_t width = below(5) && widest >= 2 ? 2 + below(widest - 1) : below(2);
    char memory[40];
    write_address(memory, base, width, in_block, in_block ? scales[scale] : ".64", few);
    if (store)
        add(t, "%s%s%s %s, R%u ;\n", guard, spaces[space].store, stores[width], memory, data);
    else
        add(t, "%s%s%s R%u, %s ;\n", guard, spaces[space].load, loads[sign][width], data, memory);
}

/* The address without the ".64" that CAS does not take. */
static void without_size(char out[40], const char *memory) {
    const char *dot = strstr(memory, ".64");
    snprintf(out, 40, "%.*s%s", (int)(dot - memory), memory, dot + 3);
}

/* Results may go to the rows of the operands. Memory that is to be compared has been made 0, so
 * that some lanes swap and others do not. */
static void act_on_memory(struct text *t, const char *guard, bool few) {
    static const char *const operations[] = {"ADD", "MIN", "MAX", "INC", "DEC",
                                             "AND", "OR",  "XOR", "EXCH"};
    static const char *const sums[] = {".F32.FTZ.RN", ".F16x2.RN", ".F64.RN"};
    static const char *const sizes[] = {"", ".S32", ".64", ".S64"};
    const bool in_block = !below(3), compares = !below(4), counts = !below(8), adds = !below(5);
    const uint32_t base = below(4), d = 8 + 2 * below(4), s = 8 + 2 * below(4);
    uint32_t size = base ? below(4) : below(2);
    const char *operation = operations[below(COUNT_OF(operations))];
    const char *type = sizes[size];
    char memory[40], bare[40];
    if ((in_block && size == 3) || (compares && size % 2))
        type = sizes[--size];
    if (!in_block && adds && !compares) {
        size = base ? below(3) : below(2);
        operation = "ADD";
        type = sums[size];
    }
    write_address(memory, base, size < 2 ? 2 : 3, in_block, in_block ? "" : ".64", few);
    const uint32_t kind = below(3);
    if (counts && in_block)
        add(t, "%sATOMS.POPC.INC.32 R%u, %s ;\n", guard, d, memory);
    else if (counts)
        add(t, "%sATOM.E.POPC.INC.32 P4, R%u, %s ;\n", guard, d, memory);
    else if (compares && in_block)
        add(t, "%sATOMS.AND%s R%u, %s, RZ ;\n%sATOMS.CAS%s%s R%u, %s, RZ, R%u ;\n", guard, type, d,
            memory, guard, kind ? "" : "T.SPIN", type, d, memory, s);
    else if (compares) {
        without_size(bare, memory);
        add(t,
            "%sATOMG.E.AND%s P4, R%u, %s, RZ ;\n%s%s.E.CAS%s.STRONG.GPU P4, R%u, %s, RZ, R%u ;\n",
            guard, type, d, memory, guard, kind ? "ATOMG" : "ATOM", type, d, bare, s);
    } else if (in_block)
        add(t, "%sATOMS.%s%s R%u, %s, R%u ;\n", guard, operation, type, d, memory, s);
    else if (kind == 0 && strcmp(operation, "EXCH") != 0)
        add(t, "%sRED.E.%s%s.STRONG.GPU %s, R%u ;\n", guard, operation, type, memory, s);
    else
        add(t, "%s%s.E.%s%s.STRONG.GPU P4, R%u, %s, R%u ;\n", guard, kind == 1 ? "ATOM" : "ATOMG",
            operation, type, d, memory, s);
}

/* By chance in code that some lanes skip. Guards leave out lanes that would go astray, sometimes.
 */
static void access_memory(struct text *t) {
    static const char *const guards[] = {"", "", "@P1 ", "@!P1 ", "@P2 ", "@P3 "};
    static uint32_t skips;
    const uint32_t guard = below(COUNT_OF(guards));
    const bool skip = !below(8);
    if (skip)
        add(t, "BSSY B0, skip%u ;\n@%sP%u BRA skip%u ;\n", skips, below(2) ? "!" : "", 1 + below(3),
            skips);
    if (below(4))
        move_memory(t, guards[guard], guard >= 4);
    else
        act_on_memory(t, guards[guard], guard >= 4);
    if (skip)
        add(t, "skip%u:\nBSYNC B0 ;\n", skips++);
}

/* The threads of a block go over the same data: there is one warp. The end comes in the third round
 * at the latest. */
static void write_kernel(struct text *t) {
    t->n = 0;
    add(t,
        ".target sm_80\n.kernel K\n.param data, 8\n.param table, 8\n.shared room, %u\n.local %u\n"
        "S2R R0, SR_TID.X ;\nMOV R28, table ;\nMOV R29, table+4 ;\nMOV R5, 0x3 ;\nMOV R7, 0x1 ;\n"
        "LOP3.LUT R6, R0, 0x5, RZ, 0xc0, !PT ;\nISETP.NE.AND P1, PT, R6, RZ, PT ;\n"
        "ISETP.LT.U32.AND P2, PT, R0, 0x%x, PT ;\nISETP.EQ.AND P3, PT, R0, 0x%x, PT ;\n",
        SHARED, SHARED, below(LANES + 1), below(2 * LANES));
    for (uint32_t r = 8; r < 16; r++)
        add(t, "IMAD R%u, R0, 0x%x, RZ ;\n", r, 0x1003 + 0x70f1 * r);
    for (uint32_t i = 0; i < 2 * BASES; i++)
        set_base(t, i / 2, i % 2);
    const uint32_t label = below(OPS);
    for (uint32_t i = 0; i < OPS; i++) {
        if (i == label)
            add(t, "again:\n");
        const uint32_t what = below(12);
        if (what == 0)
            set_base(t, below(BASES), below(2));
        else if (what < 3)
            change_base(t);
        else if (what < 4)
            add(t, "IADD3 R%u, R%u, 0x1, R%u ;\n", 8 + below(8), 8 + below(8), 8 + below(8));
        else
            access_memory(t);
    }
    add(t, "P2R R8, PR, RZ, 0x10 ;\nIADD3 R5, R5, -0x1, RZ ;\nISETP.NE.AND P0, PT, R5, RZ, PT "
           ";\n@P0 BRA again ;\n");
    for (uint32_t r = 8; r < 16; r++)
        add(t,
            "IMAD R1, R0, 0x4, RZ ;\nIMAD.WIDE.U32 R2, R1, R7, data ;\n"
            "STG.E [R2.64 + 0x%x], R%u ;\n",
            BYTES - 8 * 128 + 128 * (r - 8), r);
    add(t, "EXIT ;\n.end\n");
}

struct outcome {
    fhec_status status;
    fhec_fault fault;
    uint8_t data[BYTES];
};

static void run_kernel(const fhec_program *program, fhec_engine engine, fhec_simd simd,
                       struct outcome *o) {
    fhec_machine *machine = emu_machine(engine, simd, 1);
    uint64_t params[2], table[4];
    assert_int_equal(fhec_alloc(machine, "data", BYTES, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "table", sizeof table, 0, &params[1]), FHEC_OK);
    for (uint32_t i = 0; i < BYTES; i++)
        o->data[i] = (uint8_t)(i * 167 + (i >> 5) * 29 + (i >> 11));
    for (uint32_t i = 0; i < COUNT_OF(table); i++)
        table[i] = params[0] + 208 * i;
    assert_int_equal(fhec_write(machine, params[0], o->data, BYTES), FHEC_OK);
    assert_int_equal(fhec_write(machine, params[1], table, sizeof table), FHEC_OK);
    o->status = emu_run(machine, program, 1, LANES, params, 2);
    const fhec_fault *fault = fhec_machine_fault(machine);
    o->fault = fault ? *fault : (fhec_fault){.kind = FHEC_FAULT_NONE};
    assert_int_equal(fhec_read(machine, params[0], o->data, BYTES), FHEC_OK);
    fhec_machine_free(machine);
}

static bool same_end(const struct outcome *a, const struct outcome *b) {
    return a->status == b->status && a->fault.kind == b->fault.kind &&
           a->fault.lanes == b->fault.lanes && a->fault.pc == b->fault.pc &&
           a->fault.address == b->fault.address && memcmp(a->data, b->data, BYTES) == 0;
}

static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};

static void random_kernels(void **unused) {
    (void)unused;
    static struct text text;
    static struct outcome want, got;
    uint32_t faults = 0;
    for (uint32_t k = 0; k < KERNELS; k++) {
        write_kernel(&text);
        fhec_program *program = emu_assemble(text.s);
        run_kernel(program, FHEC_ENGINE_REF, FHEC_SIMD_BEST, &want);
        faults += want.status != FHEC_OK;
        for (size_t i = 0; i < COUNT_OF(levels); i++) {
            if (!emu_has_simd(levels[i]))
                continue;
            run_kernel(program, FHEC_ENGINE_FAST, levels[i], &got);
            if (!same_end(&got, &want))
                fail_msg("kernel %u, SIMD level %d: status %d, fault %d of lanes %08x at %#x, want "
                         "%d, %d of %08x at %#x, or memory differs:\n%s",
                         k, levels[i], got.status, got.fault.kind, got.fault.lanes,
                         (unsigned)got.fault.pc, want.status, want.fault.kind, want.fault.lanes,
                         (unsigned)want.fault.pc, text.s);
        }
        fhec_program_free(program);
    }
    print_message("# %d kernels, %u of them fault\n", KERNELS, faults);
    assert_in_range(faults, 1, KERNELS / 2); /* both ends are tried */
}

/* ---------------------------------------------------------------- registers first read */

enum { BLOCKS = 3, THREADS = 72, READ = 6 };

/* What is read before it is written: anything, lanes that a guard left out, behind a barrier, the
 * high word of a pair, behind a branch. Then every register is filled for the next block. */
static const char first_read[] =
    ".target sm_80\n.kernel K\n.param out, 8\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x7, PT ;\n"
    "IADD3 R10, R20, R21, RZ ;\n"
    "@P0 MOV R22, 0x55 ;\nIADD3 R11, R22, 0x1, RZ ;\n"
    "BAR.SYNC.DEFER_BLOCKING 0x0 ;\nLOP3.LUT R12, R23, R0, RZ, 0x3c, !PT ;\n"
    "MOV R24, 0x1 ;\nIMAD.WIDE.U32 R14, R0, R0, R24 ;\n"
    "@P0 BRA over ;\nMOV R26, 0x77 ;\nover:\nIADD3 R13, R26, RZ, RZ ;\n"
    "MOV R2, 0x18 ;\nIMAD R1, R1, 0x48, R0 ;\nIMAD.WIDE.U32 R2, R1, R2, out ;\n"
    "STG.E [R2.64], R10 ;\nSTG.E [R2.64 + 0x4], R11 ;\nSTG.E [R2.64 + 0x8], R12 ;\n"
    "STG.E [R2.64 + 0xc], R13 ;\nSTG.E [R2.64 + 0x10], R14 ;\nSTG.E [R2.64 + 0x14], R15 ;\n"
    ".rept 28, i\nIADD3 R\\i, R0, 0x1234567, RZ ;\n.endr\nEXIT ;\n.end\n";

static void check_first_read(fhec_engine engine, fhec_simd simd, const fhec_program *program) {
    static uint32_t got[BLOCKS * THREADS][READ];
    fhec_machine *machine = emu_machine(engine, simd, 1);
    uint64_t out;
    assert_int_equal(fhec_alloc(machine, "out", sizeof got, 0, &out), FHEC_OK);
    emu_run_ok(machine, program, BLOCKS, THREADS, &out, 1);
    assert_int_equal(fhec_read(machine, out, got, sizeof got), FHEC_OK);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++) {
        const uint32_t tid = i % THREADS;
        const uint32_t want[READ] = {0, tid < 7 ? 0x56 : 1, tid, tid < 7 ? 0 : 0x77, tid * tid + 1,
                                     0};
        for (uint32_t k = 0; k < READ; k++)
            if (got[i][k] != want[k])
                fail_msg("engine %d, SIMD level %d, block %u, thread %u, value %u: %08x, want %08x",
                         engine, simd, i / THREADS, tid, k, got[i][k], want[k]);
    }
    fhec_machine_free(machine);
}

static void registers_begin_clear(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(first_read);
    check_first_read(FHEC_ENGINE_REF, FHEC_SIMD_BEST, program);
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        if (emu_has_simd(levels[i]))
            check_first_read(FHEC_ENGINE_FAST, levels[i], program);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels),
                                       cmocka_unit_test(registers_begin_clear)};
    return cmocka_run_group_tests_name("emu_bases", tests, NULL, NULL);
}
