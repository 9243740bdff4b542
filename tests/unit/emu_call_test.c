/*
 * emu_call_test.c - calls, recursion on the stack, branches through tables, convergence barriers
 * kept in registers, traps; generic addresses; asynchronous copies. Code addresses in registers
 * are written as numbers: 16 bytes an instruction.
 */
#include "emu_words.h"

/* ---------------------------------------------------------------- calls */

static uint32_t series(uint32_t n) {
    return n <= 1 ? 1 : n * series(n - 1) + (n & 3);
}

static uint32_t recursion_value(uint32_t t) {
    return series(1 + t % 32 % 9);
}

/* f(n) = n <= 1 ? 1 : n * f(n - 1) + n % 4, as the compiler writes it: return address and saved
 * registers on the stack, the barrier of the caller kept in a register. Lanes go to different
 * depths and meet again after each call, which a vote in the caller sees. */
static void test_recursion(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.local 512\n"
           "MOV R1, c[0x0][0x28] ;\nS2R R0, SR_TID.X ;\nS2R R7, SR_LANEID ;\nMOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R12, R0, R6, c[0x0][0x160] ;\n"
           "m9: ISETP.LT.U32.AND P0, PT, R7, 0x9, PT ;\n@!P0 IADD3 R7, R7, -0x9, RZ ;\n"
           "@!P0 BRA m9 ;\nWARPSYNC 0xffffffff ;\nIADD3 R4, R7, 0x1, RZ ;\n"
           "MOV R20, 0xd0 ;\nMOV R21, RZ ;\nCALL.REL.NOINC f ;\n"
           "back: VOTE.ALL R8, PT, PT ;\nISETP.NE.AND P1, PT, R8, -0x1, PT ;\n"
           "@P1 MOV R4, 0xbad ;\nSTG.E [R12.64], R4 ;\nEXIT ;\n"
           "f: IADD3 R1, R1, -0x10, RZ ;\nSTL [R1+0xc], R21 ;\nSTL [R1+0x8], R20 ;\n"
           "STL [R1+0x4], R17 ;\nSTL [R1], R2 ;\nMOV R17, R4 ;\nBMOV.32.CLEAR R2, B6 ;\n"
           "ISETP.GE.AND P0, PT, R17, 0x2, PT ;\nBSSY B6, joined ;\nMOV R4, 0x1 ;\n"
           "@!P0 BRA join ;\nIADD3 R4, R17, -0x1, RZ ;\nMOV R20, 0x210 ;\nMOV R21, RZ ;\n"
           "CALL.REL.NOINC f ;\n"
           "inner: LOP3.LUT R9, R17, 0x3, RZ, 0xc0, !PT ;\nIMAD R4, R4, R17, R9 ;\n"
           "join: BSYNC B6 ;\njoined:\nLDL R20, [R1+0x8] ;\nBMOV.32 B6, R2 ;\n"
           "LDL R21, [R1+0xc] ;\nLDL R17, [R1+0x4] ;\nLDL R2, [R1] ;\nIADD3 R1, R1, 0x10, RZ ;\n"
           "RET.ABS.NODEC R20 0x0 ;\n.end\n",
           64, recursion_value);
}

static uint32_t outer_value(uint32_t t) {
    return t % 32 ? 0xfffffffe : UINT32_MAX;
}

/* Lane 0 waits at B6 for the others, which keep B6 in a register as a called function does, use it
 * twice for themselves, and again without waiting there: neither that nor BREAK takes them from the
 * set in which lane 0 waits. Who is there is voted after both. */
static void test_barrier_kept_twice(void **unused) {
    (void)unused;
    expect(
        HEAD
        "S2R R7, SR_LANEID ;\nISETP.EQ.AND P0, PT, R7, RZ, PT ;\n"
        "BSSY B6, all ;\n@!P0 BRA keep ;\n"
        "meet: BSYNC B6 ;\nall: VOTE.ALL R9, PT, PT ;\n@P0 MOV R8, R9 ;\n"
        "ISETP.NE.AND P1, PT, R9, -0x1, PT ;\n@P1 MOV R8, 0xbad ;\n" STORE(
            "R8") "EXIT ;\n"
                  "keep: BMOV.32.CLEAR R2, B6 ;\n"
                  "BSSY B6, one ;\nBSYNC B6 ;\none: BSSY B6, two ;\nBSYNC B6 ;\n"
                  "two: BSSY B6, three ;\nBREAK B6 ;\nthree: BSSY B6, four ;\nBSSY B6, four ;\n"
                  "BSYNC B6 ;\nfour: VOTE.ALL R8, PT, PT ;\nBMOV.32 B6, R2 ;\nBRA meet ;\n.end\n",
        64, outer_value);
}

/* The same with the set of B6 kept in another barrier: cleared, B6 holds nothing for the lanes that
 * kept it; B7 still holds it when it has gone back without .CLEAR. */
static void test_barrier_kept_in_another(void **unused) {
    (void)unused;
    expect(HEAD
           "S2R R7, SR_LANEID ;\nISETP.EQ.AND P0, PT, R7, RZ, PT ;\nMOV R9, RZ ;\n"
           "BSSY B6, all ;\n@!P0 BRA keep ;\n"
           "meet: BSYNC B6 ;\nall: VOTE.ALL R8, PT, PT ;\n"
           "LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT ;\n" STORE(
               "R8") "EXIT ;\n"
                     "keep: BMOV.32.CLEAR B7, B6 ;\nBMOV.32 R11, B6 ;\nBSSY B6, one ;\nBSYNC B6 ;\n"
                     "one: VOTE.ALL R9, PT, PT ;\nBMOV.32 B6, B7 ;\nBMOV.32 R10, B7 ;\n"
                     "LOP3.LUT R9, R9, R10, R11, 0x96, !PT ;\nBRA meet ;\n.end\n",
           64, outer_value);
}

static uint32_t filled_value(uint32_t t) {
    return t % 32 < 12 ? 0xfff : t % 32 < 20 ? 0 : 0xfff00000;
}

/* Lanes 0 to 11 and 20 to 31 are set to meet among themselves, each in two parts, odd and even; the
 * lanes between are in neither mask, and what they hold is none. */
static void test_barrier_of_a_mask(void **unused) {
    (void)unused;
    expect(HEAD "S2R R7, SR_LANEID ;\nISETP.GE.AND P0, PT, R7, 0x14, PT ;\n"
                "BMOV.32 B6, 0xfff ;\n@P0 BMOV.32 B6, 0xfff00000 ;\nBMOV.32 R8, B6 ;\n"
                "ISETP.EQ.AND P1, PT, R8, RZ, PT ;\n@P1 BRA end ;\n"
                "LOP3.LUT R9, R7, 0x1, RZ, 0xc0, !PT ;\nISETP.EQ.AND P2, PT, R9, RZ, PT ;\n"
                "@P0 BRA high ;\n@P2 BRA even ;\nNOP ;\nBRA meet ;\neven: YIELD ;\n"
                "meet: BSYNC B6 ;\nVOTE.ALL R8, PT, PT ;\nBRA end ;\n"
                "high: @P2 BRA late ;\nNOP ;\nBRA all ;\nlate: YIELD ;\n"
                "all: BSYNC B6 ;\nVOTE.ALL R8, PT, PT ;\nend: " STORE("R8") TAIL,
           64, filled_value);
}

static uint32_t together_value(uint32_t t) {
    (void)t;
    return UINT32_MAX;
}

/* All lanes are at one BSYNC at once, lane 0 in the set of all, the others deeper in a recursion
 * and in a set of their own: lane 0 waits until they come again. */
static void test_barrier_at_two_depths(void **unused) {
    (void)unused;
    expect(HEAD "S2R R7, SR_LANEID ;\nISETP.EQ.AND P0, PT, R7, RZ, PT ;\n"
                "BSSY B6, all ;\n@P0 BRA meet ;\nBMOV.32.CLEAR R2, B6 ;\nBSSY B6, all ;\n"
                "meet: BSYNC B6 ;\nall: @P0 BRA vote ;\n"
                "ISETP.EQ.AND P0, PT, RZ, RZ, PT ;\nBMOV.32 B6, R2 ;\nBRA meet ;\n"
                "vote: VOTE.ALL R8, PT, PT ;\n" STORE("R8") TAIL,
           64, together_value);
}

/* Lane 0 leaves the set of B7 while the others keep it in registers, where nothing can take it out,
 * and waits for them in that of B8. They go on without it at B7. */
static void test_left_while_kept(void **unused) {
    (void)unused;
    expect(HEAD "S2R R7, SR_LANEID ;\nISETP.EQ.AND P0, PT, R7, RZ, PT ;\nBSSY B8, end ;\n"
                "BSSY B7, join ;\n@P0 BRA leave ;\nBMOV.32.CLEAR R2, B7 ;\nBRA far ;\n"
                "leave: BREAK B7 ;\nBRA join ;\n"
                "far: BMOV.32 B7, R2 ;\nBSYNC B7 ;\n"
                "join: BSYNC B8 ;\nend: VOTE.ALL R8, PT, PT ;\n" STORE("R8") TAIL,
           64, together_value);
}

/* All keep B6, meet at it once more, and are in no set then. Lane 0 goes back to the set that it
 * kept and waits there, for the others, which use B6 again before they come. */
static void test_barrier_used_up(void **unused) {
    (void)unused;
    expect(HEAD "S2R R7, SR_LANEID ;\nISETP.EQ.AND P0, PT, R7, RZ, PT ;\nBSSY B6, all ;\n"
                "BMOV.32.CLEAR R2, B6 ;\nBSSY B6, met ;\nBSYNC B6 ;\n"
                "met: @P0 BRA back ;\nYIELD ;\nBSSY B6, back ;\nBSYNC B6 ;\n"
                "back: BMOV.32 B6, R2 ;\nBSYNC B6 ;\nall: VOTE.ALL R8, PT, PT ;\n" STORE("R8") TAIL,
           64, together_value);
}

static uint32_t call_value(uint32_t t) {
    return t % 2 ? 1000 + 3 * t : 2000 + 7 * t;
}

/* The same function from two places by lanes that are apart, by an absolute address in a register;
 * every lane comes back to its own place. LEPC gives the address of itself. */
static void test_calls_from_two_places(void **unused) {
    (void)unused;
    expect(HEAD "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.EQ.AND P0, PT, R1, RZ, PT ;\n"
                "MOV R10, 0x150 ;\nMOV R11, RZ ;\nBSSY B0, end ;\n@P0 BRA even ;\n"
                "MOV R8, 0x3 ;\nLEPC R20 ;\nCALL.ABS.NOINC R10 ;\n"
                "IADD3 R9, R9, 0x3e8, RZ ;\nBRA join ;\n"
                "even: MOV R8, 0x7 ;\nLEPC R20 ;\nCALL.ABS.NOINC R10 ;\n"
                "IADD3 R9, R9, 0x7d0, RZ ;\n"
                "join: BSYNC B0 ;\nend:\n" STORE(
                    "R9") "EXIT ;\n"
                          "times: IMAD R9, R0, R8, RZ ;\nRET.ABS.NODEC R20 0x20 ;\n.end\n",
           64, call_value);
}

static uint32_t jump_value(uint32_t t) {
    return t % 2 ? 31 : 47;
}

/* Odd lanes jump to an address in registers, all to one in the instruction; addresses count from
 * the kernel's first instruction, and what lies between is never run. */
static void test_jumps(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n"
           "S2R R0, SR_TID.X ;\n"                                       /* 0x00 */
           "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\n"                    /* 0x10 */
           "ISETP.EQ.AND P0, PT, R1, RZ, PT ;\n"                        /* 0x20 */
           "IMAD.SHL.U32 R10, R1, 0x20, RZ ;\nMOV R11, RZ ;\n"          /* 0x30 */
           "JMX R10 0x70 ;\n"                                           /* 0x50 */
           "BPT.TRAP 0x1 ;\n"                                           /* 0x60 */
           "MOV R8, 0x2f ;\nJMP 0xb0 ;\n"                               /* 0x70 */
           "MOV R8, 0x1f ;\nJMP !P0, 0xb0 ;\n"                          /* 0x90 */
           "MOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n" /* 0xb0 */
           "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
           64, jump_value);
}

static uint32_t kill_value(uint32_t t) {
    return t % 4 == 1 ? 0x1f : 0; /* nobody else gets to the store */
}

/* KILL ends lanes, by its guard and by its operand; the others go on. */
static void test_kill(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n"
           "S2R R0, SR_TID.X ;\nMOV R8, 0x1f ;\nMOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT ;\n"
           "LOP3.LUT P1, RZ, R0, 0x2, RZ, 0xc0, !PT ;\n"
           "@!P0 KILL ;\nKILL P1 ;\nSTG.E [R4.64], R8 ;\nKILL ;\n.end\n",
           64, kill_value);
}

static uint32_t table_value(uint32_t t) {
    static const uint32_t add[4] = {11, 22, 33, 44};
    return t * 5 + add[t / 3 % 4] + (t % 2 ? 100 : 0);
}

/* Lanes go through a table in bank 2 to four places at once; the other half of them branches by a
 * uniform register afterwards. */
static void test_switch(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n"
           ".constant table\n.word 0x160, 0x180, 0x1a0, 0x1c0\n"
           "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "IMAD R1, R0, 0xaaab, RZ ;\nSHF.R.U32.HI R1, RZ, 0x11, R1 ;\n"
           "LOP3.LUT R1, R1, 0x3, RZ, 0xc0, !PT ;\nSHF.L.U32 R1, R1, 0x2, RZ ;\n"
           "LDC R10, c[0x2][R1] ;\nMOV R11, RZ ;\n"
           "LOP3.LUT R12, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R12, RZ, PT ;\n"
           "IMAD R9, R0, 0x5, RZ ;\nBSSY B0, joined ;\n"
           "BRX R10 -0xe0 ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\n"
           "IADD3 R9, R9, 0xb, RZ ;\nBRA join ;\nIADD3 R9, R9, 0x16, RZ ;\nBRA join ;\n"
           "IADD3 R9, R9, 0x21, RZ ;\nBRA join ;\nIADD3 R9, R9, 0x2c, RZ ;\n"
           "join: BSYNC B0 ;\njoined:\n"
           "UMOV UR4, 0x250 ;\nUMOV UR5, URZ ;\n@!P0 BRA store ;\n"
           "here: BRXU UR4 -0x220 ;\nMOV R9, 0xbad ;\nstore: " STORE(
               "R9") "EXIT ;\n"
                     "odd: IADD3 R9, R9, 0x64, RZ ;\nBRA store ;\n.end\n",
           60, table_value);
}

static void fault_of(const char *body, fhec_fault_kind kind, uint32_t lanes, const char *message) {
    char text[900];
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    fhec_machine *m;
    const fhec_fault *f;
    emu_fault(text, 32, 32, 100000, &m, &f);
    assert_int_equal(f->kind, kind);
    assert_int_equal(f->lanes, lanes);
    if (!strstr(f->message, message))
        fail_msg("`%s` is not in `%s`", message, f->message);
    fhec_machine_free(m);
}

static void test_faults(void **unused) {
    (void)unused;
    fault_of("SHF.L.U32 R8, R0, 0x4, RZ ;\nMOV R9, RZ ;\nBRX R8 0x0 ;\n", FHEC_FAULT_ILLEGAL,
             0xfffffffe, "no instruction of the kernel");
    fault_of("IADD3 R8, R0, 0x1, RZ ;\nMOV R9, RZ ;\nRET.REL.NODEC R8 0x0 ;\n", FHEC_FAULT_ILLEGAL,
             0x7fff7fff, "code address 0x1 ");
    fault_of("MOV R8, RZ ;\nMOV R9, 0x1 ;\nCALL.ABS.NOINC R8 ;\n", FHEC_FAULT_ILLEGAL, UINT32_MAX,
             "0x100000000");
    fault_of("ISETP.EQ.AND P0, PT, R0, 0x5, PT ;\n@P0 BPT.TRAP 0x1 ;\n", FHEC_FAULT_TRAP, 0x20,
             "trap");
    fault_of("MOV R8, 0xff ;\nBMOV.32 MACTIVE, R8 ;\n", FHEC_FAULT_ILLEGAL, UINT32_MAX,
             "not supported");
}

static uint32_t scan_value(uint32_t t) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < t; i++)
        before += i % 5 == 2 || i % 7 == 1;
    return before * 2 + (t % 5 == 2 || t % 7 == 1);
}

static void test_scan(void **unused) {
    (void)unused;
    expect(
        HEAD
        "BMOV.32 B15, MACTIVE ;\nMOV R1, R0 ;\nMOV R2, R0 ;\nBMOV.32.PQUAD MACTIVE, B15 ;\n"
        "a: ISETP.LT.U32.AND P0, PT, R1, 0x5, PT ;\n@!P0 IADD3 R1, R1, -0x5, RZ ;\n@!P0 BRA a ;\n"
        "b: ISETP.LT.U32.AND P0, PT, R2, 0x7, PT ;\n@!P0 IADD3 R2, R2, -0x7, RZ ;\n@!P0 BRA b ;\n"
        "ISETP.EQ.AND P0, PT, R1, 0x2, PT ;\nISETP.EQ.OR P0, PT, R2, 0x1, P0 ;\n"
        "BAR.SCAN 0x3, P0 ;\nB2R.RESULT R8, P1 ;\nSEL R9, RZ, 0x1, !P1 ;\n"
        "IMAD R8, R8, 0x2, R9 ;\nBAR.SYNCALL 0x0 ;\nNANOSLEEP 0x10 ;\n" STORE("R8") TAIL,
        96, scan_value);
}

/* ---------------------------------------------------------------- generic addresses */

static uint32_t generic_value(uint32_t t) {
    return (t % 3 == 0 ? 0x1000 : t % 3 == 1 ? 0x2000 : 0x3000) + 9 * t + (1u << (24 + t % 3));
}

/* Lane t stores through a generic address into global, shared or local memory and loads it again
 * in that space; QSPC says which one it is. */
static void test_generic_addresses(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 256\n.local 64\n"
           "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "IMAD R1, R0, 0xaaab, RZ ;\nSHF.R.U32.HI R1, RZ, 0x11, R1 ;\nIMAD R1, R1, -0x3, R0 ;\n"
           "ISETP.EQ.AND P1, PT, R1, 0x1, PT ;\nISETP.EQ.AND P2, PT, R1, 0x2, PT ;\n"
           "MOV R8, R4 ;\nMOV R9, R5 ;\nIMAD R10, R0, 0x9, RZ ;\nIADD3 R11, R10, 0x1000, RZ ;\n"
           "SHF.L.U32 R7, R0, 0x2, RZ ;\n"
           "@P1 IADD3 R8, P0, R7, c[0x0][0x18], RZ ;\n"
           "@P1 IADD3.X R9, RZ, c[0x0][0x1c], RZ, P0, !PT ;\n@P1 IADD3 R11, R10, 0x2000, RZ ;\n"
           "@P2 MOV R8, c[0x0][0x20] ;\n@P2 MOV R9, c[0x0][0x24] ;\n"
           "@P2 IADD3 R11, R10, 0x3000, RZ ;\n"
           "ST.E [R8.64], R11 ;\nMOV R12, RZ ;\nLDG.E R12, [R4.64] ;\n@P1 LDS R12, [R7] ;\n"
           "@P2 LDL R12, [RZ] ;\nLD.E R13, [R8.64] ;\nISETP.NE.AND P3, PT, R12, R13, PT ;\n"
           "QSPC.E.G P4, RZ, [R8] ;\n@P4 IADD3 R12, R12, 0x1000000, RZ ;\n"
           "QSPC.E.S P4, RZ, [R8] ;\n@P4 IADD3 R12, R12, 0x2000000, RZ ;\n"
           "QSPC.E.L P4, R14, [R8] ;\n@P4 IADD3 R12, R12, 0x4000000, RZ ;\n"
           "CCTL.E.PF1 [R8] ;\nERRBAR ;\nMEMBAR.ALL.GPU ;\nCCTL.IVALL ;\n"
           "@P3 MOV R12, 0xbad ;\nST.E [R4.64], R12 ;\nEXIT ;\n.end\n",
           64, generic_value);
    fhec_machine *m;
    const fhec_fault *f;
    emu_fault(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 64\n"
              "S2R R0, SR_TID.X ;\nSHF.L.U32 R8, R0, 0x2, RZ ;\nMOV R9, c[0x0][0x1c] ;\n"
              "LD.E.64 R2, [R8.64] ;\nEXIT ;\n.end\n",
              32, 1, 0, &m, &f);
    assert_int_equal(f->kind, FHEC_FAULT_MISALIGNED);
    assert_string_equal(f->space, "shared");
    assert_int_equal(f->lanes, 0xaaaaaaaa);
    assert_int_equal(f->address, 4);
    fhec_machine_free(m);
    emu_fault(".target sm_80\n.kernel K\n.param out, 8\n.local 64\n"
              "S2R R0, SR_TID.X ;\nSHF.L.U32 R8, R0, 0x2, RZ ;\nMOV R9, c[0x0][0x24] ;\n"
              "ST.E [R8.64], R0 ;\nEXIT ;\n.end\n",
              32, 1, 0, &m, &f);
    assert_int_equal(f->kind, FHEC_FAULT_OUT_OF_BOUNDS);
    assert_string_equal(f->space, "local");
    assert_int_equal(f->lanes, 0xffff0000);
    fhec_machine_free(m);
}

/* ---------------------------------------------------------------- asynchronous copies */

static uint32_t copy_value(uint32_t t) {
    uint32_t at = (t * 7 + 3) % 32;
    return at % 4 == 1 ? 0 : 0x5000 + 13 * at;
}

/* Two copies in flight, as a pipeline has them; lanes whose predicate is false write zeros. */
static void test_copies(void **unused) {
    (void)unused;
    expect(HEAD
           ".shared buffer, 1024\n"
           "IMAD R8, R0, 0xd, RZ ;\nIADD3 R8, R8, 0x5000, RZ ;\n" STORE(
               "R8") "SHF.L.U32 R7, R0, 0x2, RZ ;\nMOV R9, -0x1 ;\nSTS [R7], R9 ;\nSTS [R7+0x80], "
                     "R9 ;\n"
                     "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R1, 0x1, PT ;\n"
                     "ULDC.64 UR4, c[0x0][0x118] ;\nUMOV UR6, 0x80 ;\nUMOV UR7, URZ ;\n"
                     "LDGSTS.E.LTC128B [R7], desc[UR4][R4.64], P0 ;\nLDGDEPBAR ;\n"
                     "LDGSTS.E.BYPASS.ZFILL [R7+UR6], [R4.64], P0 ;\nLDGDEPBAR ;\n"
                     "DEPBAR.LE SB0, 0x1 ;\nLDS R10, [R7] ;\nDEPBAR.LE SB0, 0x0, {3,2} ;\n"
                     "SEL R11, R8, R9, P0 ;\nISETP.NE.AND P1, PT, R10, R11, PT ;\n"
                     "WARPSYNC 0xffffffff ;\n"
                     "IMAD R12, R0, 0x7, RZ ;\nIADD3 R12, R12, 0x3, RZ ;\n"
                     "LOP3.LUT R12, R12, 0x1f, RZ, 0xc0, !PT ;\nSHF.L.U32 R12, R12, 0x2, RZ ;\n"
                     "LDS R13, [R12+0x80] ;\n@P1 MOV R13, 0xbad ;\n" STORE("R13") TAIL,
           32, copy_value);
    fault_of("SHF.L.U32 R7, R0, 0x2, RZ ;\nLDGSTS.E [R7], [R4.64] ;\n", FHEC_FAULT_OUT_OF_BOUNDS,
             UINT32_MAX, "outside the 0 bytes of shared memory");
    fault_of("SHF.L.U32 R7, R0, 0x2, RZ ;\nLDGSTS.E.64 [R7], [R4.64] ;\n", FHEC_FAULT_MISALIGNED,
             0xaaaaaaaa, "a load of 8 bytes");
}

static uint32_t cut_value(uint32_t t) {
    return (t * 0x1030507 + 0x8090a0b0) & (UINT32_MAX >> 8 * (t & 3));
}

static uint32_t last_value(uint32_t t) {
    return (t & ~1u) * 0x1030507 + 0x8090a0b0;
}

/* The low bits of the address say how many bytes at the end become zeros. Of 31 words the last one
 * is half of a copy of 8 bytes, whose other half must not be read. */
static void test_short_copies(void **unused) {
    (void)unused;
#define VALUES                                                                                     \
    HEAD ".shared buffer, 1024\n"                                                                  \
         "IMAD R8, R0, 0x1030507, RZ ;\nIADD3 R8, R8, -0x7f6f5f50, RZ ;\n" STORE(                  \
             "R8") "WARPSYNC 0xffffffff ;\nSHF.L.U32 R7, R0, 0x3, RZ ;\nMOV R9, -0x1 ;\n"          \
                   "STS [R7], R9 ;\nSTS [R7+0x4], R9 ;\nMOV R15, R5 ;\n"
    expect(VALUES "LOP3.LUT R14, R0, 0x3, RZ, 0xc0, !PT ;\nIADD3 R14, R14, R4, RZ ;\n"
                  "LDGSTS.E.ZFILL [R7], [R14.64] ;\nLDS R10, [R7] ;\n" STORE("R10") TAIL,
           32, cut_value);
    expect(VALUES "LOP3.LUT R14, R4, 0x7, RZ, 0x30, !PT ;\nIADD3 R14, R14, 0x4, RZ ;\n"
                  "LDGSTS.E.64.ZFILL [R7], [R14.64] ;\nLDS.64 R10, [R7] ;\n"
                  "LOP3.LUT R10, R10, R11, RZ, 0xfc, !PT ;\n" STORE("R10") TAIL,
           31, last_value);
#undef VALUES
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_copies),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_barrier_kept_twice),
        cmocka_unit_test(test_barrier_kept_in_another),
        cmocka_unit_test(test_barrier_of_a_mask),
        cmocka_unit_test(test_barrier_at_two_depths),
        cmocka_unit_test(test_barrier_used_up),
        cmocka_unit_test(test_left_while_kept),
        cmocka_unit_test(test_calls_from_two_places),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_generic_addresses),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests_name("emu_call", tests, NULL, NULL);
}
