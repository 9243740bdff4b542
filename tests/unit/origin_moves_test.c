/*
 * origin_moves_test.c - the origin of each byte that a kernel of few instructions leaves in R6 (or
 * R7), lane by lane, against what the instruction set says that the instructions move.
 */
#include "emu_util.h"
#include "origins.h"

/* R4: x[lane], R5: x[32 + lane], as loaded; R7 = 4 lane, R8 = R7 ^ 4, R9 = 8 lane, R10 = 0, R12 =
 * 16 (lane mod 8); P0 in lanes 0 to 4. What R6 and R13 are is read in front of the NOP. */
static const char begin[] = ".target sm_80\n.kernel K\n.param x, 8\n.shared s, 1024\n.local 64\n"
                            "S2R R0, SR_LANEID ;\nMOV R2, x ;\nMOV R3, x + 4 ;\n"
                            "IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                            "LDG.E R4, [R2.64] ;\nLDG.E R5, [R2.64+0x80] ;\n"
                            "SHF.L.U32 R7, R0, 0x2, RZ ;\nLOP3.LUT R8, R7, 0x4, RZ, 0x3c, !PT ;\n"
                            "SHF.L.U32 R9, R0, 0x3, RZ ;\nMOV R10, RZ ;\n"
                            "LOP3.LUT R12, R0, 0x7, RZ, 0xc0, !PT ;\n"
                            "SHF.L.U32 R12, R12, 0x4, RZ ;\n"
                            "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;\n";
static const char end[] = "NOP ;\nEXIT ;\n.end\n";

enum { MASK = 0x1f }; /* of P0 */

/* Where the byte of a lane is expected to come from: lane and byte of a word of x. */
struct word_byte {
    uint32_t lane, byte;
};
typedef struct word_byte source(uint32_t lane, uint32_t byte);

/* Bytes from the lowest one on: a to d, those of the lane's R4, A to D of its R5; 0, a number; *,
 * computed; k, of the constant bank from 0x160 on, K from 0x164; n, nothing has written it; s and
 * l, a place in shared or local memory with the offset of the lane's word there. `others`: in lanes
 * without P0, NULL: the same. */
struct move_case {
    const char *body, *bytes, *others;
    source *of; /* NULL: of the lane itself */
};

struct look {
    const struct move_case *is;
    uint64_t x;
    unsigned wrong, seen;
};

static unsigned wants(void *user, const fhec_launch *launch, const fhec_instruction *instruction) {
    (void)user, (void)launch;
    return strcmp(instruction->mnemonic, "NOP") == 0 ? FH_ORIGIN_BEFORE : 0;
}

static bool is_right(const struct look *look, char wanted, uint32_t lane, uint32_t byte,
                     fh_origin got) {
    const enum fh_origin_kind kind = fh_origin_kind_of(got);
    const bool second = wanted >= 'A' && wanted <= 'D';
    struct word_byte from = {lane, byte};
    switch (wanted) {
    case '0': return kind == FH_ORIGIN_NUMBER;
    case '*': return kind == FH_ORIGIN_COMPUTED;
    case 'k': return kind == FH_ORIGIN_CONSTANT && fh_origin_offset(got) == 0x160 + byte;
    case 's': return kind == FH_ORIGIN_SHARED && fh_origin_offset(got) == 4 * lane + byte;
    case 'l': return kind == FH_ORIGIN_LOCAL && fh_origin_offset(got) == 8 + byte;
    case 'K': return kind == FH_ORIGIN_CONSTANT && fh_origin_offset(got) == 0x164 + byte;
    case 'n': return kind == FH_ORIGIN_NONE;
    default: break;
    }
    from.byte = (uint32_t)(second ? wanted - 'A' : wanted - 'a');
    if (look->is->of)
        from = look->is->of(lane, from.byte);
    return kind == FH_ORIGIN_GLOBAL &&
           fh_origin_offset(got) == look->x + 128 * second + 4 * from.lane + from.byte;
}

static void before(void *user, const struct fh_origin_view *view) {
    struct look *look = user;
    look->seen++;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const bool other = look->is->others && !(MASK >> lane & 1);
        const char *wanted = other ? look->is->others : look->is->bytes;
        fh_origin_bytes bytes;
        for (uint32_t reg = 6; *wanted; reg++) { /* R6, and R7 behind it */
            fh_shadow_get_bytes(view->warp, reg, lane, bytes);
            for (uint32_t i = 0; i < 4; i++, wanted++)
                if (!is_right(look, *wanted, lane, i, bytes[i])) {
                    char text[96];
                    fh_origin_text(view->origins, bytes[i], 8, 0, text, sizeof text);
                    print_error("%s: byte %u of R%u in lane %u is %s, expected '%c'\n",
                                look->is->body, i, reg, lane, text, *wanted);
                    look->wrong++;
                    return;
                }
        }
    }
}

static void check(const struct move_case *cases, size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char text[4096];
        struct look look = {.is = &cases[i]};
        const struct fh_origin_watcher watcher = {.user = &look, .wants = wants, .before = before};
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        struct fh_origins *origins;
        snprintf(text, sizeof text, "%s%s%s", begin, cases[i].body, end);
        fhec_program *p = emu_assemble(text);
        assert_int_equal(fhec_alloc(m, "x", 256, 0, &look.x), FHEC_OK);
        assert_int_equal(fh_origins_begin(m, &watcher, &origins), FHEC_OK);
        emu_run_ok(m, p, 1, 32, &look.x, 1);
        assert_int_equal(fh_origins_end(origins), FHEC_OK);
        assert_int_equal(look.seen, 1);
        wrong += look.wrong;
        fhec_program_free(p);
        fhec_machine_free(m);
    }
    assert_int_equal(wrong, 0);
}

/* ---------------------------------------------------------------- moves */

static void moves(void **unused) {
    (void)unused;
    static const struct move_case cases[] = {
        {"MOV R6, R4 ;\n", "abcd", NULL, NULL},
        {"MOV R6, 0x5 ;\n", "0000", NULL, NULL},
        {"MOV RZ, R4 ;\nSEL RZ, R4, R5, P0 ;\nMOV R6, RZ ;\n", "0000", NULL, NULL},
        {"MOV R6, R4 ;\nSHFL.BFLY P1, RZ, R5, 0x1, 0x1f ;\nPRMT RZ, R5, 0x1032, R5 ;\n", "abcd",
         NULL, NULL},
        {"MOV R6, RZ ;\n", "0000", NULL, NULL},
        {"MOV R6, c[0x0][0x160] ;\n", "kkkk", NULL, NULL},
        {"IMAD.MOV.U32 R6, RZ, RZ, R4 ;\n", "abcd", NULL, NULL},
        {"IMAD.MOV.U32 R6, RZ, RZ, c[0x0][0x160] ;\n", "kkkk", NULL, NULL},
        {"IADD3 R6, R4, RZ, RZ ;\n", "abcd", NULL, NULL},
        {"IADD3 R6, -R4, RZ, RZ ;\n", "****", NULL, NULL},
        {"IADD3 R6, R4, R5, RZ ;\n", "****", NULL, NULL},
        {"IADD3 R6, R4, RZ, R5 ;\n", "****", NULL, NULL},
        {"MOV R6, R5 ;\n@P0 MOV R6, R4 ;\n", "abcd", "ABCD", NULL},
        {"MOV R6, R4 ;\nMOV R7, R5 ;\nIMAD.WIDE.U32 R6, R6, R7, RZ ;\n", "********", NULL, NULL},
        {"SEL R6, R4, R5, PT ;\n", "abcd", NULL, NULL},
        {"SEL R6, R4, R5, !PT ;\n", "ABCD", NULL, NULL},
        {"SEL R6, R4, R5, P0 ;\n", "abcd", "ABCD", NULL},
        {"SEL R6, R5, R4, !P0 ;\n", "abcd", "ABCD", NULL},
        {"SEL R6, R4, RZ, P0 ;\n", "abcd", "0000", NULL},
        {"SEL R6, R4, 0x7, P0 ;\n", "abcd", "0000", NULL},
        {"MOV R6, R5 ;\nSEL R6, R4, R6, P0 ;\n", "abcd", "ABCD", NULL},
        {"MOV R6, R4 ;\nSEL R6, R6, R5, P0 ;\n", "abcd", "ABCD", NULL},
        {"MOV R6, R5 ;\n@P0 SEL R6, R4, RZ, PT ;\n", "abcd", "ABCD", NULL},
        {"FSEL R6, R4, R5, P0 ;\n", "abcd", "ABCD", NULL},
        {"FSEL R6, -R4, R5, P0 ;\n", "****", NULL, NULL},
        {"UMOV UR6, 0x5 ;\nMOV R6, UR6 ;\n", "0000", NULL, NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nMOV R6, UR6 ;\n", "kkkk", NULL, NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nUMOV UR7, UR6 ;\nMOV R6, UR7 ;\n", "kkkk", NULL, NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nUSEL UR7, UR6, URZ, UPT ;\nMOV R6, UR7 ;\n", "kkkk", NULL,
         NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nUSEL UR7, UR6, URZ, !UPT ;\nMOV R6, UR7 ;\n", "0000", NULL,
         NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nUIADD3 UR7, UR6, 0x1, URZ ;\nMOV R6, UR7 ;\n", "****", NULL,
         NULL},
        {"LDC R6, c[0x0][0x160] ;\n", "kkkk", NULL, NULL},
        {"LDC.64 R6, c[0x0][0x160] ;\n", "kkkk", NULL, NULL},
    };
    check(cases, COUNT_OF(cases));
}

/* PRMT's nibbles name bytes of R4 (0 to 3) and R5 (4 to 7), from the lowest byte of the result on;
 * 8 and above: signs. SHF.R.U64 is {R5, R4} >> n. */
static void bytes(void **unused) {
    (void)unused;
    static const struct move_case cases[] = {
        {"PRMT R6, R4, 0x7531, R5 ;\n", "bdBD", NULL, NULL},
        {"PRMT R6, R4, 0x0246, R5 ;\n", "CAca", NULL, NULL},
        {"PRMT R6, R4, 0x8213, R5 ;\n", "dbc*", NULL, NULL},
        {"PRMT R6, R4, 0x3f10, R5 ;\n", "ab*d", NULL, NULL},
        {"PRMT R6, R4, 0x7610, RZ ;\n", "ab00", NULL, NULL},
        {"PRMT R6, RZ, 0x6540, R5 ;\n", "0ABC", NULL, NULL},
        {"MOV R14, 0x1032 ;\nPRMT R6, R4, R14, R5 ;\n", "cdab", NULL, NULL},
        {"UMOV UR6, 0x1032 ;\nPRMT R6, R4, UR6, R5 ;\n", "cdab", NULL, NULL},
        {"MOV R14, 0x3210 ;\n@P0 MOV R14, 0x7654 ;\nPRMT R6, R4, R14, R5 ;\n", "ABCD", "abcd",
         NULL},
        {"PRMT R6, R4, 0x5410, R5 ;\nMOV R14, R6 ;\nPRMT R6, R14, 0x0123, RZ ;\n", "BAba", NULL,
         NULL},
        {"PRMT R14, R4, 0x5410, R5 ;\nMOV R6, R5 ;\n@P0 MOV R6, R14 ;\n", "abAB", "ABCD", NULL},
        {"PRMT.B4E R6, R4, 0x1, R5 ;\n", "****", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x8, R4 ;\n", "bcd0", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x10, R4 ;\n", "cd00", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x18, R4 ;\n", "d000", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x4, R4 ;\n", "****", NULL, NULL},
        {"SHF.R.S32.HI R6, RZ, 0x8, R4 ;\n", "****", NULL, NULL},
        {"SHF.R.U64 R6, R4, 0x8, R5 ;\n", "bcdA", NULL, NULL},
        {"SHF.R.U64 R6, R4, 0x10, R5 ;\n", "cdAB", NULL, NULL},
        {"SHF.R.U64 R6, R4, 0x18, R5 ;\n", "dABC", NULL, NULL},
        {"SHF.R.U64 R6, R4, 0x8, RZ ;\n", "bcd0", NULL, NULL},
        {"SHF.L.U32 R6, R4, 0x8, RZ ;\n", "0abc", NULL, NULL},
        {"SHF.L.U32 R6, R4, 0x10, RZ ;\n", "00ab", NULL, NULL},
        {"SHF.L.U32 R6, R4, 0x18, RZ ;\n", "000a", NULL, NULL},
        {"SHF.L.U32 R6, R4, R10, RZ ;\n", "****", NULL, NULL},
        {"SHF.L.U64.HI R6, R4, 0x8, R5 ;\n", "****", NULL, NULL},
        {"MOV R6, R5 ;\n@P0 SHF.L.U32 R6, R4, 0x10, RZ ;\n", "00ab", "ABCD", NULL},
    };
    check(cases, COUNT_OF(cases));
}

static struct word_byte lane_3(uint32_t lane, uint32_t byte) {
    (void)lane;
    return (struct word_byte){3, byte};
}
static struct word_byte lane_0(uint32_t lane, uint32_t byte) {
    (void)lane;
    return (struct word_byte){0, byte};
}
static struct word_byte lane_5(uint32_t lane, uint32_t byte) {
    (void)lane;
    return (struct word_byte){5, byte};
}
static struct word_byte xor_1(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane ^ 1, byte};
}
static struct word_byte xor_6(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane ^ 6, byte};
}
static struct word_byte two_before(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane < 2 ? lane : lane - 2, byte};
}
static struct word_byte three_behind(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane + 3 > 31 ? lane : lane + 3, byte};
}
static struct word_byte fifth_of_eight(uint32_t lane, uint32_t byte) {
    return (struct word_byte){(lane & 24) + 5, byte};
}
static struct word_byte one_behind_of_eight(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane % 8 == 7 ? lane : lane + 1, byte};
}
static struct word_byte one_before_of_eight(uint32_t lane, uint32_t byte) {
    return (struct word_byte){lane % 8 == 0 ? lane : lane - 1, byte};
}

static void between_lanes(void **unused) {
    (void)unused;
    static const struct move_case cases[] = {
        {"SHFL.IDX PT, R6, R4, 0x3, 0x1f ;\n", "abcd", NULL, lane_3},
        {"MOV R14, 0x3 ;\nMOV R15, 0x1f ;\nSHFL.IDX PT, R6, R5, R14, R15 ;\n", "ABCD", NULL,
         lane_3},
        {"LOP3.LUT R14, R0, 0x6, RZ, 0x3c, !PT ;\nSHFL.IDX PT, R6, R4, R14, 0x1f ;\n", "abcd", NULL,
         xor_6},
        {"SHFL.BFLY PT, R6, R4, 0x6, 0x1f ;\n", "abcd", NULL, xor_6},
        {"SHFL.UP PT, R6, R4, 0x2, RZ ;\n", "abcd", NULL, two_before},
        {"SHFL.DOWN PT, R6, R4, 0x3, 0x1f ;\n", "abcd", NULL, three_behind},
        {"SHFL.IDX PT, R6, R4, 0x5, 0x181f ;\n", "abcd", NULL, fifth_of_eight},
        {"SHFL.DOWN PT, R6, R4, 0x1, 0x181f ;\n", "abcd", NULL, one_behind_of_eight},
        {"SHFL.UP PT, R6, R4, 0x1, 0x1800 ;\n", "abcd", NULL, one_before_of_eight},
        {"PRMT R14, R4, 0x5410, R5 ;\nSHFL.BFLY PT, R6, R14, 0x6, 0x1f ;\n", "abAB", NULL, xor_6},
        {"SHFL.BFLY PT, R6, R0, 0x1, 0x1f ;\n", "****", NULL, NULL},
        {"R2UR UR6, R4 ;\nMOV R6, UR6 ;\n", "abcd", NULL, lane_0},
        {"ISETP.GE.U32.AND P1, PT, R0, 0x5, PT ;\n@P1 R2UR UR6, R4 ;\nMOV R6, UR6 ;\n", "abcd",
         NULL, lane_5},
        {"R2UR.OR P1, UR6, R4 ;\nMOV R6, UR6 ;\n", "****", NULL, NULL},
    };
    check(cases, COUNT_OF(cases));
}

/* ---------------------------------------------------------------- memory */

/* Byte i of the word in column `lane / 4` of the transposed matrix: rows of 16 bytes, elements of
 * two, words of which one lane each has stored. */
static struct word_byte transposed(uint32_t lane, uint32_t byte) {
    const uint32_t at = (2 * (lane % 4) + byte / 2) * 16 + lane / 4 * 2 + byte % 2;
    return (struct word_byte){at / 4, at % 4};
}

static struct word_byte odd_word(uint32_t lane, uint32_t byte) {
    return (struct word_byte){2 * lane + 1, byte};
}

static void memory(void **unused) {
    (void)unused;
#define WAIT "LDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\n"
    static const struct move_case cases[] = {
        {"LDG.E.U8 R6, [R2.64+0x1] ;\n", "b000", NULL, NULL},
        {"LDG.E.S8 R6, [R2.64+0x3] ;\n", "d000", NULL, NULL},
        {"LDG.E.U16 R6, [R2.64+0x2] ;\n", "cd00", NULL, NULL},
        {"LDG.E R6, [R2.64], P0 ;\n", "abcd", "0000", NULL},
        {"MOV R6, R5 ;\n@P0 LDG.E R6, [R2.64] ;\n", "abcd", "ABCD", NULL},
        {"STS [R7], R4 ;\nLDS R6, [R7] ;\n", "abcd", NULL, NULL},
        {"STS [R7], R4 ;\nLDS R6, [R8] ;\n", "abcd", NULL, xor_1},
        {"STS [R7], R4 ;\nSTS.U8 [R7+0x1], R5 ;\nLDS R6, [R7] ;\n", "aAcd", NULL, NULL},
        {"STS [R7], R4 ;\nSTS.U16 [R7+0x2], R5 ;\nLDS R6, [R7] ;\n", "abAB", NULL, NULL},
        {"STS [R7], R4 ;\nSTS.U16 [R7+0x2], R5 ;\nLDS.U8 R6, [R7+0x3] ;\n", "B000", NULL, NULL},
        {"STS [R7], R4 ;\nLDS.U8 R6, [R7+0x2] ;\n", "c000", NULL, NULL},
        {"STS [R7], R4 ;\nLDS.U16 R6, [R7+0x2] ;\n", "cd00", NULL, NULL},
        {"STS.64 [R9], R4 ;\nLDS.64 R6, [R9] ;\n", "abcdABCD", NULL, NULL},
        {"STS.64 [R9], R4 ;\nLDS R6, [R9+0x4] ;\n", "ABCD", NULL, NULL},
        {"PRMT R14, R4, 0x5410, R5 ;\nSTS [R7], R14 ;\nLDS R6, [R7] ;\n", "abAB", NULL, NULL},
        {"STS [R7], RZ ;\nLDS R6, [R7] ;\n", "0000", NULL, NULL},
        {"STS [R7], R0 ;\nLDS R6, [R7] ;\n", "ssss", NULL, NULL},
        {"STS [R7], R4 ;\nSTS.U16 [R7], R0 ;\nLDS R6, [R7] ;\n", "sscd", NULL, NULL},
        {"STS [R7], R4 ;\n@P0 STS [R7], R5 ;\nLDS R6, [R7] ;\n", "ABCD", "abcd", NULL},
        {"STS [R7], R4 ;\nATOMS.ADD R6, [R7], R5 ;\n", "****", NULL, NULL},
        {"STS [R7], R4 ;\nATOMS.ADD RZ, [R7], R5 ;\nLDS R6, [R7] ;\n", "ssss", NULL, NULL},
        {"STL [R10+0x8], R4 ;\nLDL R6, [R10+0x8] ;\n", "abcd", NULL, NULL},
        {"STL [R10+0x8], R4 ;\nLDL.U8 R6, [R10+0x9] ;\n", "b000", NULL, NULL},
        {"STL [R10+0x8], R4 ;\nLDL.U16 R6, [R10+0xa] ;\n", "cd00", NULL, NULL},
        {"STL.64 [R10+0x8], R4 ;\nLDL.64 R6, [R10+0x8] ;\n", "abcdABCD", NULL, NULL},
        {"STL [R10+0x8], R0 ;\nLDL R6, [R10+0x8] ;\n", "llll", NULL, NULL},
        {"STL [R10+0x8], R4 ;\n@P0 STL [R10+0x8], R5 ;\nLDL R6, [R10+0x8] ;\n", "ABCD", "abcd",
         NULL},
        {"STS [R7], R4 ;\nLDSM.16.M88 R6, [R12] ;\n", "abcd", NULL, NULL},
        {"STS [R7], R4 ;\nLDSM.16.MT88 R6, [R12] ;\n", "abcd", NULL, transposed},
        {"STS [R7], R4 ;\nSTS.U8 [R7+0x1], R5 ;\nLDSM.16.M88 R6, [R12] ;\n", "aAcd", NULL, NULL},
        {"LDGSTS.E [R7], [R2.64] ;\n" WAIT "LDS R6, [R7] ;\n", "abcd", NULL, NULL},
        {"IADD3 R14, R2, R7, RZ ;\nMOV R15, R3 ;\nLDGSTS.E.64 [R9], [R14.64] ;\n" WAIT
         "LDS R6, [R9+0x4] ;\n",
         "abcd", NULL, odd_word},
        {"LDGSTS.E.ZFILL [R7], [R2.64], P0 ;\n" WAIT "LDS R6, [R7] ;\n", "abcd", "0000", NULL},
    };
    check(cases, COUNT_OF(cases));
}

/* Lanes without the guard keep what they have; what is nearly a move is none; words of pairs. */
static void more(void **unused) {
    (void)unused;
    static const struct move_case cases[] = {
        {"MOV R14, R4 ;\n@P0 PRMT R14, R5, 0x1032, RZ ;\nMOV R6, R14 ;\n", "CDAB", "abcd", NULL},
        {"PRMT R6, R4, 0x0123, RZ ;\n@!P0 MOV R6, R5 ;\n", "dcba", "ABCD", NULL},
        {"MOV R6, R5 ;\n@P0 PRMT R6, R4, 0x0123, RZ ;\n", "dcba", "ABCD", NULL},
        {"MOV R6, R5 ;\n@P0 SHF.R.U32.HI R6, RZ, 0x8, R4 ;\n", "bcd0", "ABCD", NULL},
        {"MOV R6, R4 ;\n@!P0 IADD3 R6, R4, R5, RZ ;\n", "abcd", "****", NULL},
        {"PRMT R14, R4, 0x0123, RZ ;\nMOV R6, R5 ;\nSEL R6, R14, R6, P0 ;\n", "dcba", "ABCD", NULL},
        {"PRMT R14, R4, 0x0123, RZ ;\nMOV R14, R4 ;\nMOV R6, R14 ;\n", "abcd", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x20, R4 ;\n", "****", NULL, NULL},
        {"SHF.R.U32.HI R6, RZ, 0x0, R4 ;\n", "****", NULL, NULL},
        {"SHF.R.U32.HI R6, R5, 0x8, R4 ;\n", "****", NULL, NULL},
        {"SHF.L.U32 R6, R4, 0x8, R5 ;\n", "****", NULL, NULL},
        {"SHF.L.U32 R6, R4, 0x4, RZ ;\n", "****", NULL, NULL},
        {"IADD3 R6, R4, 0x1, RZ ;\n", "****", NULL, NULL},
        {"IADD3 R6, R4, 0x0, RZ ;\n", "abcd", NULL, NULL},
        {"IADD3.X R6, R4, RZ, RZ, PT, !PT ;\n", "****", NULL, NULL},
        {"IMAD R6, R4, 0x1, RZ ;\n", "****", NULL, NULL},
        {"IMAD.MOV.U32 R6, RZ, RZ, 0x5 ;\n", "0000", NULL, NULL},
        {"MOV R6, UR4 ;\n", "nnnn", NULL, NULL},
        {"LOP3.LUT R6, R4, R4, RZ, 0xc0, !PT ;\n", "****", NULL, NULL},
        {"MOV R6, c[0x0][0x164] ;\n", "KKKK", NULL, NULL},
        {"ULDC.64 UR6, c[0x0][0x160] ;\nMOV R6, UR7 ;\n", "KKKK", NULL, NULL},
        {"ULDC.64 UR6, c[0x0][0x160] ;\nUMOV UR7, 0x5 ;\nMOV R6, UR6 ;\n", "kkkk", NULL, NULL},
        {"ULDC UR6, c[0x0][0x160] ;\nUSEL UR7, URZ, UR6, !UPT ;\nMOV R6, UR7 ;\n", "kkkk", NULL,
         NULL},
        {"LDC.64 R6, c[0x0][0x160] ;\n", "kkkkKKKK", NULL, NULL},
        {"LDC.U8 R6, c[0x0][0x160] ;\n", "k000", NULL, NULL},
        {"LDC.U16 R6, c[0x0][0x160] ;\n", "kk00", NULL, NULL},
        {"LD.E R6, [R2.64] ;\n", "abcd", NULL, NULL},
        {"LD.E.U8 R6, [R2.64+0x3] ;\n", "d000", NULL, NULL},
        {"MOV R6, R5 ;\n@P0 LDG.E.U8 R6, [R2.64+0x2] ;\n", "c000", "ABCD", NULL},
        {"IADD3 R14, R2, R7, RZ ;\nMOV R15, R3 ;\nLDG.E.64 R16, [R14.64] ;\nMOV R6, R17 ;\n",
         "abcd", NULL, odd_word},
        {"LDS R6, [R7+0x40] ;\n", "nnnn", NULL, NULL},
        {"LDL R6, [R10+0x20] ;\n", "nnnn", NULL, NULL},
        {"STS [R7], R4 ;\nMOV R6, R5 ;\n@P0 LDS.U8 R6, [R7+0x1] ;\n", "b000", "ABCD", NULL},
        {"STS [R7], R4 ;\n@P0 STS.U8 [R7+0x3], R5 ;\nLDS R6, [R7] ;\n", "abcA", "abcd", NULL},
        {"STS.64 [R9], R4 ;\nSTS.U16 [R9+0x6], R4 ;\nLDS.64 R6, [R9] ;\n", "abcdABab", NULL, NULL},
        {"@P0 STS.64 [R9], R4 ;\nLDS.64 R6, [R9] ;\n", "abcdABCD", "nnnnnnnn", NULL},
        {"STL [R10+0x8], R4 ;\nSTL.U8 [R10+0x8], R5 ;\nLDL R6, [R10+0x8] ;\n", "****", NULL, NULL},
        {"STL [R10+0x8], RZ ;\nLDL R6, [R10+0x8] ;\n", "0000", NULL, NULL},
        {"STL.64 [R10+0x8], R4 ;\nLDL R6, [R10+0xc] ;\n", "ABCD", NULL, NULL},
        {"PRMT R14, R4, 0x0123, RZ ;\nSTL [R10+0x8], R14 ;\nLDL R6, [R10+0x8] ;\nMOV R6, R4 ;\n",
         "abcd", NULL, NULL},
        {"STS [R7], R4 ;\nSTS [R7+0x80], R5 ;\nISETP.GE.U32.AND P1, PT, R0, 0x8, PT ;\n"
         "@P1 IADD3 R12, R12, 0x80, RZ ;\nLDSM.16.M88.2 R6, [R12] ;\n",
         "abcdABCD", NULL, NULL},
        {"STS [R7], R4 ;\nRED.E.ADD.STRONG.GPU [R2.64], R5 ;\nLDS R6, [R7] ;\n", "abcd", NULL,
         NULL},
        {"ATOMG.E.ADD PT, R6, [R2.64], R5 ;\n", "****", NULL, NULL},
        {"S2R R6, SR_TID.X ;\n", "****", NULL, NULL},
        {"PRMT R6, R4, c[0x0][0x160], R5 ;\n", "****", NULL, NULL},
        {"MOV R6, R5 ;\n@P0 PRMT R6, R4, c[0x0][0x160], R5 ;\n", "****", "ABCD", NULL},
        {"STS [R7], R4 ;\nSTS [R7+0x80], R5 ;\nSTS.U8 [R7+0x81], R4 ;\n"
         "ISETP.GE.U32.AND P1, PT, R0, 0x8, PT ;\n@P1 IADD3 R12, R12, 0x80, RZ ;\n"
         "LDSM.16.M88.2 R6, [R12] ;\n",
         "abcdAaCD", NULL, NULL},
        {"STS [R7], R4 ;\nSTS [R7+0x80], R5 ;\nISETP.GE.U32.AND P1, PT, R0, 0x8, PT ;\n"
         "@P1 IADD3 R12, R12, 0x80, RZ ;\nLDSM.16.MT88.2 R6, [R12] ;\n",
         "abcdABCD", NULL, transposed},
        {"@!PT MOV R6, R4 ;\nMOV R6, R5 ;\n@!PT MOV R6, R4 ;\n", "ABCD", NULL, NULL},
    };
    check(cases, COUNT_OF(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more),          cmocka_unit_test(moves),  cmocka_unit_test(bytes),
        cmocka_unit_test(between_lanes), cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
