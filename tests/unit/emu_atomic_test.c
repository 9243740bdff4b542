/*
 * emu_atomic_test.c - atomic operations: every operation, type and space against a model in C that
 * is written from the instruction set's text, floating point sums and mbarriers against literals,
 * locks between lanes, warps and blocks, and faults.
 */
#include "atomic.h"
#include "emu_util.h"

enum { LANES = 32 };

/* ---------------------------------------------------------------- integers */

static const char *const op_names[] = {"ADD", "MIN", "MAX", "INC", "DEC",
                                       "AND", "OR",  "XOR", "EXCH"};

struct type {
    const char *suffix;
    bool is_signed, wide;
};

static uint64_t model(unsigned op, const struct type *t, uint64_t old, uint64_t data) {
    int64_t so = t->wide ? (int64_t)old : (int32_t)old,
            sd = t->wide ? (int64_t)data : (int32_t)data;
    bool less = t->is_signed ? sd < so : data < old;
    uint64_t result = data;
    switch (op) {
    case 0: result = old + data; break;
    case 1: result = less ? data : old; break;
    case 2: result = less ? old : data; break;
    case 3: result = old >= data ? 0 : old + 1; break;
    case 4: result = old == 0 || old > data ? data : old - 1; break;
    case 5: result = old & data; break;
    case 6: result = old | data; break;
    case 7: result = old ^ data; break;
    default: break;
    }
    return t->wide ? result : (uint32_t)result;
}

/* Thread t adds data {t * K1 + K2, t * K3 + K4}; the old values go to out[2 + 2t], the last value
 * to out[0]. `set`, `atomic` and `get` work on the cell, with R2:R3 = out. */
static void run_integers(const char *set, const char *atomic, const char *get, unsigned op,
                         const struct type *t, uint64_t first, const uint32_t k[4]) {
    char text[2000];
    uint32_t out[2 + 2 * LANES];
    snprintf(text, sizeof text,
             ".target sm_80\n.kernel K\n.param out, 8\n.shared cell, 16\n"
             "S2R R0, SR_TID.X ;\nMOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\n"
             "MOV R14, 0x%x ;\nMOV R15, 0x%x ;\n"
             "IMAD R12, R0, 0x%x, R14 ;\nIMAD R13, R0, 0x%x, R15 ;\n"
             "MOV R10, 0x%x ;\nMOV R11, 0x%x ;\nMOV R8, 0x8 ;\nMOV R17, RZ ;\n"
             "IMAD.WIDE.U32 R4, R0, R8, R2 ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n%s\n%s\n"
             "STG.E.64 [R4.64+0x8], R16 ;\n%s\n@P0 STG.E.64 [R2.64], R18 ;\nEXIT ;\n.end\n",
             k[1], k[3], k[0], k[2], (uint32_t)first, (uint32_t)(first >> 32), set, atomic, get);
    emu_text(text, LANES, out, 2 + 2 * LANES);
    uint64_t cell = t->wide ? first : (uint32_t)first;
    for (uint32_t l = 0; l < LANES; l++) {
        uint64_t data = l * k[0] + k[1], high = l * k[2] + k[3];
        data = (uint32_t)data | (t->wide ? (uint64_t)(uint32_t)high << 32 : 0);
        uint64_t got = (uint64_t)out[3 + 2 * l] << 32 | out[2 + 2 * l];
        if (got != cell)
            fail_msg("%s%s: lane %u got 0x%llx and not 0x%llx in:\n%s", op_names[op], t->suffix, l,
                     (unsigned long long)got, (unsigned long long)cell, text);
        cell = model(op, t, cell, data);
    }
    uint64_t last = (uint64_t)out[1] << 32 | out[0];
    if (last != cell)
        fail_msg("%s%s: the cell is 0x%llx and not 0x%llx in:\n%s", op_names[op], t->suffix,
                 (unsigned long long)last, (unsigned long long)cell, text);
}

/* Small counters (for INC and DEC), wild bits, and numbers around the sign. */
static const uint32_t constants[][4] = {{1, 2, 0, 0},
                                        {0x9e3779b1, 0x7f4a7c15, 0xc2b2ae35, 0x85ebca6b},
                                        {0xfffffff0, 0x80000031, 0x08000001, 0xf8000003}};
static const uint64_t firsts[] = {5, UINT64_C(0xfedcba9876543210), UINT64_C(0x7fffffff80000000)};

static void every_integer_operation(void **unused) {
    (void)unused;
    static const struct type types[] = {
        {"", false, false}, {".S32", true, false}, {".64", false, true}, {".S64", true, true}};
    for (unsigned op = 0; op < 9; op++) {
        for (unsigned i = 0; i < 4; i++) {
            const struct type *t = &types[i];
            const char *w = t->wide ? ".64" : "";
            char set[80], atomic[3][120], get[80], clear[80];
            snprintf(set, sizeof set, "@P0 STG.E.64 [R2.64], R10 ;");
            snprintf(get, sizeof get, "LDG.E%s R18, [R2.64] ;%s", w,
                     t->wide ? "" : "\nMOV R19, RZ ;");
            snprintf(atomic[0], sizeof atomic[0], "ATOMG.E.%s%s.STRONG.GPU PT, R16, [R2.64], R12 ;",
                     op_names[op], t->suffix);
            snprintf(atomic[1], sizeof atomic[1], "ATOM.E.%s%s.STRONG.GPU PT, R16, [R2.64], R12 ;",
                     op_names[op], t->suffix);
            snprintf(atomic[2], sizeof atomic[2], "ATOMS.%s%s R16, [0x8], R12 ;", op_names[op],
                     t->suffix);
            for (unsigned n = 0; n < 3; n++) {
                run_integers(set, atomic[0], get, op, t, firsts[n], constants[n]);
                run_integers(set, atomic[1], get, op, t, firsts[n], constants[n]);
                if (i == 3) /* ATOMS has no .S64 */
                    continue;
                snprintf(clear, sizeof clear, "@P0 STS.64 [0x8], R10 ;");
                snprintf(get, sizeof get, "LDS%s R18, [0x8] ;%s", w,
                         t->wide ? "" : "\nMOV R19, RZ ;");
                run_integers(clear, atomic[2], get, op, t, firsts[n], constants[n]);
                snprintf(get, sizeof get, "LDG.E%s R18, [R2.64] ;%s", w,
                         t->wide ? "" : "\nMOV R19, RZ ;");
            }
        }
    }
}

/* ---------------------------------------------------------------- floating point, mbarriers */

static void sums_of_floats(void **unused) {
    (void)unused;
    enum { F32 = 3, F16X2 = 4, F64 = 6 };
    static const struct {
        unsigned type;
        uint64_t a, b, sum;
    } table[] = {
        {F32, 0x3f800000, 0x3f800000, 0x40000000},
        {F32, 0x3f800000, 0x33800000, 0x3f800000}, /* 1 + 2^-24: a tie, to even */
        {F32, 0x3f800001, 0x33800000, 0x3f800002},
        {F32, 0x00000001, 0x00000001, 0x00000000}, /* denormals count as zeros */
        {F32, 0x80000001, 0x80000001, 0x80000000},
        {F32, 0x00800000, 0x80800001, 0x80000000}, /* a denormal result is flushed */
        {F32, 0x7f7fffff, 0x7f7fffff, 0x7f800000},
        {F32, 0x7f800000, 0xff800000, 0x7fffffff},
        {F64, 0x3ff0000000000000, 0x3ca0000000000000, 0x3ff0000000000000},
        {F64, 0x3ff0000000000001, 0x3ca0000000000000, 0x3ff0000000000002},
        {F64, 1, 1, 2}, /* denormals are kept */
        {F64, 0xbff0000000000000, 0x4000000000000000, 0x3ff0000000000000},
        {F16X2, 0x3c003c00, 0x3c001000, 0x40003c00}, /* low: 1 + 2^-11, a tie */
        {F16X2, 0x3c017bff, 0x10007bff, 0x3c027c00}, /* low: too large */
        {F16X2, 0x000103ff, 0x00010001, 0x00020400}, /* denormals are kept */
        {F16X2, 0x7c00bc00, 0xfc003c00, 0x7fff0000},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        for (unsigned swap = 0; swap < 2; swap++) {
            uint64_t a = swap ? table[i].b : table[i].a, b = swap ? table[i].a : table[i].b;
            uint64_t sum = fh_atomic_result(0, table[i].type, a, b);
            if (sum != table[i].sum)
                fail_msg("row %zu: 0x%llx + 0x%llx gave 0x%llx", i, (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)sum);
        }
    /* 65504 + 15.992 is nearer to 65504; + 16 is the tie, to even: infinity. */
    assert_int_equal(fh_atomic_result(0, F16X2, 0x7bff, 0x4bff), 0x7bff);
    assert_int_equal(fh_atomic_result(0, F16X2, 0x7bff, 0x4c00), 0x7c00);
}

/* A barrier for 3 arrivals, as the compiler writes it for mbarrier.init: low 2^30 - 3, high
 * 2^31 - 3. Every third arrival turns the phase over. */
static void mbarriers(void **unused) {
    (void)unused;
    static const uint32_t high[] = {0x7ffffffd, 0x7ffffffe, 0x7fffffff, 0xfffffffd,
                                    0xfffffffe, 0xffffffff, 0x7ffffffd};
    uint64_t barrier = UINT64_C(0x7ffffffd3ffffffd);
    for (size_t i = 0; i + 1 < COUNT_OF(high); i++) {
        assert_int_equal(barrier, (uint64_t)high[i] << 32 | 0x3ffffffd);
        barrier = fh_mbarrier_arrive(barrier);
    }
    assert_int_equal(barrier, UINT64_C(0x7ffffffd3ffffffd));

    /* 32 lanes arrive at a barrier for 33 and see it in turn, then one copy arrives as well. */
    uint32_t out[4 + 2 * LANES];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared bar, 16\n"
             "S2R R0, SR_TID.X ;\nMOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\n"
             "MOV R10, 0x3fffffdf ;\nMOV R11, 0x7fffffdf ;\nMOV R8, 0x8 ;\nMOV R1, 0x8 ;\n"
             "IMAD.WIDE.U32 R4, R0, R8, R2 ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
             "@P0 STS.64 [0x8], R10 ;\n"
             "ATOMS.ARRIVE.64 R16, [R1+URZ] ;\nSTG.E.64 [R4.64+0x10], R16 ;\n"
             "LDS.64 R18, [0x8] ;\n@P0 STG.E.64 [R2.64], R18 ;\n"
             "UMOV UR4, 0x8 ;\n@P0 ARRIVES.LDGSTSBAR.64 [UR4] ;\n"
             "ATOMS.POPC.INC.32 RZ, [URZ+0x8] ;\n"
             "LDS.64 R18, [0x8] ;\n@P0 STG.E.64 [R2.64+0x8], R18 ;\nEXIT ;\n.end\n",
             LANES, out, COUNT_OF(out));
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(out[4 + 2 * l], 0x3fffffdf);
        assert_int_equal(out[5 + 2 * l], 0x7fffffdf + l);
    }
    assert_int_equal(out[0], 0x3fffffdf);
    assert_int_equal(out[1], 0x7fffffff);
    assert_int_equal(out[2], 0x3fffffdf + 32); /* POPC.INC: 32 lanes drop out */
    assert_int_equal(out[3], 0xffffffdf);
}

/* The same at generic addresses: an mbarrier in shared memory, and a count in global memory, by the
 * even lanes only. Every lane sees what the lanes before it have left. */
static void generic_counters(void **unused) {
    (void)unused;
    uint32_t out[4 + 4 * LANES];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared bar, 16\n"
             "S2R R0, SR_TID.X ;\nMOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\n"
             "MOV R10, 0x3fffffdf ;\nMOV R11, 0x7fffffdf ;\nMOV R8, 0x10 ;\nMOV R24, 0x9 ;\n"
             "IMAD.WIDE.U32 R4, R0, R8, R2 ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
             "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.EQ.AND P1, PT, R1, RZ, PT ;\n"
             "@P0 STS.64 [0x8], R10 ;\n@P0 STG.E [R2.64+0x8], R24 ;\n"
             "MOV R20, c[0x0][0x18] ;\nMOV R21, c[0x0][0x1c] ;\nUMOV UR4, 0x4 ;\nUMOV UR5, URZ ;\n"
             "ISETP.NE.AND P2, PT, R0, R0, PT ;\nISETP.NE.AND P3, PT, R0, R0, PT ;\nMOV R18, -1 ;\n"
             "ATOM.E.ARRIVE.64 P2, R16, [R20.64+UR4+0x4] ;\n"
             "@P1 ATOM.E.POPC.INC.32 P3, R18, [R2.64+0x8] ;\n"
             "SEL R19, RZ, 0x1, !P2 ;\n@P3 IADD3 R19, R19, 0x10, RZ ;\n"
             "STG.E.128 [R4.64+0x10], R16 ;\n"
             "LDS.64 R16, [0x8] ;\n@P0 STG.E.64 [R2.64], R16 ;\nEXIT ;\n.end\n",
             LANES, out, COUNT_OF(out));
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t want[4] = {0x3fffffdf, 0x7fffffdf + l, l % 2 ? UINT32_MAX : 9 + l / 2,
                                  l % 2 ? 1 : 0x11};
        for (uint32_t k = 0; k < 4; k++)
            if (out[4 + 4 * l + k] != want[k])
                fail_msg("lane %u, word %u: 0x%08x, not 0x%08x", l, k, out[4 + 4 * l + k], want[k]);
    }
    assert_int_equal(out[0], 0x3fffffdf);
    assert_int_equal(out[1], 0x7fffffdf + 32);
    assert_int_equal(out[2], 9 + 16);
}

/* ---------------------------------------------------------------- compare and swap, locks */

static void compare_and_swap(void **unused) {
    (void)unused;
    uint32_t out[8 + 2 * LANES];
    /* Lane l swaps l for l + 1, in the order of the lanes: all succeed. With CAST lane l expects
     * 0 and so only lane 0 succeeds. 64 bits: high words differ at first. */
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared cell, 32\n"
             "S2R R0, SR_TID.X ;\nMOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\nMOV R8, 0x8 ;\n"
             "IMAD.WIDE.U32 R4, R0, R8, R2 ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
             "IADD3 R10, R0, 0x1, RZ ;\n"
             "ATOMG.E.CAS.STRONG.GPU PT, R12, [R2], R0, R10 ;\n"
             "STS.64 [0x10], RZ ;\nMOV R20, RZ ;\nMOV R21, RZ ;\nMOV R11, 0x77 ;\n"
             "ATOMS.CAST.SPIN.64 R14, [0x10], R20, R10 ;\n"
             "ISETP.EQ.U32.AND P1, PT, R14, 0x1, PT ;\n"
             "ISETP.EQ.U32.AND.EX P1, PT, R15, RZ, PT, P1 ;\nSEL R13, RZ, 0x1, !P1 ;\n"
             "STG.E.64 [R4.64+0x20], R12 ;\nLDS.64 R16, [0x10] ;\n"
             "@P0 STG.E.64 [R2.64+0x8], R16 ;\n"
             "MOV R22, 0x1 ;\nMOV R23, 0x78 ;\n"
             "@P0 ATOMS.CAS.64 R16, [0x10], R22, R20 ;\n@P0 STG.E.64 [R2.64+0x10], R16 ;\n"
             "LDS.64 R16, [0x10] ;\n@P0 STG.E.64 [R2.64+0x18], R16 ;\nEXIT ;\n.end\n",
             LANES, out, COUNT_OF(out));
    assert_int_equal(out[0], LANES);
    assert_int_equal(out[2], 1);
    assert_int_equal(out[3], 0x77);
    assert_int_equal(out[4], 1);
    assert_int_equal(out[5], 0x77);
    assert_int_equal(out[6], 1); /* the high words differ: nothing was swapped */
    assert_int_equal(out[7], 0x77);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(out[8 + 2 * l], l);
        assert_int_equal(out[9 + 2 * l], l == 0);
    }
}

/* The lock is in `word`, the count that it guards behind it. Lanes spin one by one. */
#define LOCKED_INCREMENT(cas, load, store, free)                                                   \
    "BSSY B0, join ;\nagain:\n" cas "ISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 BRA again ;\n" load    \
    "IADD3 R9, R9, 0x1, RZ ;\n" store free "BSYNC B0 ;\njoin:\n"

static void locks_between_lanes_and_warps(void **unused) {
    (void)unused;
    uint32_t out[1];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared lock, 8\n"
             "S2R R0, SR_TID.X ;\nMOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\n"
             "MOV R7, 0x1 ;\nISETP.EQ.AND P1, PT, R0, RZ, PT ;\n@P1 STS.64 [RZ], RZ ;\n"
             "BAR.SYNC 0x0 ;\n" LOCKED_INCREMENT(
                 "ATOMS.CAS R8, [RZ], RZ, R7 ;\n", "LDS R9, [0x4] ;\n", "STS [0x4], R9 ;\n",
                 "ATOMS.EXCH RZ, [RZ], RZ ;\n") "BAR.SYNC 0x0 ;\nLDS R9, [0x4] ;\n@P1 STG.E "
                                                "[R2.64], R9 ;\nEXIT ;\n.end\n",
             160, out, 1);
    assert_int_equal(out[0], 160);
}

static void locks_between_blocks(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(
        ".target sm_80\n.kernel K\n.param out, 8\n"
        "MOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\nMOV R7, 0x1 ;\n" LOCKED_INCREMENT(
            "ATOMG.E.CAS.STRONG.GPU PT, R8, [R2], RZ, R7 ;\n", "LDG.E R9, [R2.64+0x4] ;\n",
            "STG.E [R2.64+0x4], R9 ;\n",
            "MEMBAR.SC.GPU ;\nATOMG.E.EXCH.STRONG.GPU PT, RZ, "
            "[R2.64], RZ ;\n") "RED.E.ADD.64.STRONG.GPU [R2.64+0x8], R8 ;\nEXIT ;\n.end\n");
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, threads);
        uint64_t address, out[2];
        assert_int_equal(fhec_alloc(m, "out", 16, 0, &address), FHEC_OK);
        emu_run_ok(m, program, 40, 64, &address, 1);
        assert_int_equal(fhec_read(m, address, out, 16), FHEC_OK);
        /* R8 is 0 and R9 the count that the lane left: the sum of 1..2560, in the high word. */
        assert_int_equal(out[0], UINT64_C(2560) << 32);
        assert_int_equal(out[1], (UINT64_C(2560) * 2561 / 2) << 32);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- spaces, faults */

/* A 64-bit sum at a generic address of shared memory is left to the program, which Pu tells; with
 * Pu = PT it is carried out. A 32-bit one always is. */
static void generic_operations(void **unused) {
    (void)unused;
    uint32_t out[8];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared cell, 32\n"
             "MOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\nULDC.64 UR4, c[0x0][0x18] ;\n"
             "MOV R4, UR4 ;\nMOV R5, UR5 ;\nMOV R6, 0x5 ;\nMOV R7, RZ ;\nMOV R16, 0x77 ;\n"
             "STS.64 [RZ], R6 ;\nPLOP3.LUT P0, PT, PT, PT, PT, 0xff, 0x0 ;\n"
             "ATOM.E.ADD.64.STRONG.GPU P0, R16, [R4.64], R6 ;\nSEL R8, RZ, 0x1, !P0 ;\n"
             "LDS R9, [RZ] ;\nSTG.E.64 [R2.64], R8 ;\n"
             "ATOM.E.ADD.64.STRONG.GPU PT, RZ, [R4.64], R6 ;\n"
             "ATOM.E.ADD.STRONG.GPU P0, R10, [R4.64], R6 ;\nSEL R11, RZ, 0x1, !P0 ;\n"
             "STG.E.64 [R2.64+0x8], R10 ;\nLDS R9, [RZ] ;\nSTG.E [R2.64+0x10], R9 ;\n"
             "ATOM.E.ADD.64.STRONG.GPU P0, R10, [R2.64+0x18], R6 ;\nSEL R11, RZ, 0x1, !P0 ;\n"
             "STG.E [R2.64+0x14], R11 ;\nSTG.E [R2.64+0x1c], R16 ;\nEXIT ;\n.end\n",
             1, out, 8);
    static const uint32_t want[8] = {0, 5, 10, 1, 15, 1, 5, 0x77};
    assert_memory_equal(out, want, sizeof out);
}

static void fault_of(const char *body, fhec_fault_kind kind, const char *space, uint32_t lanes) {
    char text[900];
    snprintf(text, sizeof text,
             ".target sm_80\n.kernel K\n.param out, 8\n.shared cell, 32\n"
             "S2R R0, SR_TID.X ;\nMOV R8, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R8, c[0x0][0x160] ;\n"
             "SHF.L.U32 R6, R0, 0x2, RZ ;\n%s\nEXIT ;\n.end\n",
             body);
    fhec_machine *m;
    const fhec_fault *f;
    emu_fault(text, 32, 20, 0, &m, &f);
    assert_int_equal(f->kind, kind);
    assert_string_equal(f->space, space);
    assert_int_equal(f->lanes, lanes);
    fhec_machine_free(m);
}

static void faults(void **unused) {
    (void)unused;
    /* out has 20 words: lanes 20 to 31 are past it */
    fault_of("RED.E.ADD.STRONG.GPU [R2.64], R0 ;", FHEC_FAULT_OUT_OF_BOUNDS, "global", 0xfff00000);
    fault_of("ATOMG.E.ADD.64.STRONG.GPU PT, R4, [R2.64], R4 ;", FHEC_FAULT_MISALIGNED, "global",
             0xaaaaaaaa);
    fault_of("ATOMS.ADD R4, [R6], R0 ;", FHEC_FAULT_OUT_OF_BOUNDS, "shared", 0xffffff00);
    fault_of("ATOMS.EXCH.64 R4, [R6], R0 ;", FHEC_FAULT_MISALIGNED, "shared", 0xaaaaaaaa);
    fault_of("IADD3 R4, R6, c[0x0][0x18], RZ ;\nMOV R5, c[0x0][0x1c] ;\n"
             "ATOM.E.INC.STRONG.GPU PT, R4, [R4.64], R0 ;",
             FHEC_FAULT_OUT_OF_BOUNDS, "shared", 0xffffff00);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integer_operation),
        cmocka_unit_test(sums_of_floats),
        cmocka_unit_test(mbarriers),
        cmocka_unit_test(generic_counters),
        cmocka_unit_test(compare_and_swap),
        cmocka_unit_test(locks_between_lanes_and_warps),
        cmocka_unit_test(locks_between_blocks),
        cmocka_unit_test(generic_operations),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests_name("emu_atomic", tests, NULL, NULL);
}
