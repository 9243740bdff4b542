/*
 * init_exact_test.c - undefined bits of lanes' instructions against all values that they can have.
 *
 * Each lane has sources with up to six bits that nobody writes. The checker `init` says which bits
 * of the result are undefined; 64 blocks run the same instruction with every value of these bits,
 * and those bits of the result that differ are what it has to say: exactly these by logic, shifts,
 * permutations, selections and comparisons; in sums and products all from the lowest one on
 * (docs/checks.md); of other instructions all, if any source has one.
 *
 * The environment can choose: FHEC_TEST_SEED.
 */
#include "emu_random.h"
#include "emu_util.h"
#include "init_checker.h"
#include "slow_build.h"

enum {
    LANES = 32,
    BLOCKS = 64, /* 2^6 */
    SOURCES = 5, /* R16 to R19, and R20: bits 0 to 3 become P0 to P3 */
    RESULTS = 3, /* R64, R65, P4 and P5 as bits 4 and 5 */
    ROUNDS = SLOW_BUILD ? 1 : 4,
};

/* What the undefined bits are, of those that differ. */
enum rule {
    EXACT,
    UPWARDS,       /* R64 from its lowest one on; predicates exactly */
    UPWARDS_64,    /* the same of R65:R64 */
    PRODUCT,       /* IMAD.WIDE by the values: exact if a power of two, or 0, moves the other one */
    PRODUCT_ADDED, /* the same with a term: exact if the product is 0 */
    LEADING,       /* all of R64, if any */
    ANY,           /* all of R64, if any source has an undefined bit */
    HALVES,        /* half by half, if that half of a source has one */
    PACK,          /* the upper half if R16 has one, the lower one if R17 has */
    COUNT,         /* all of R64 if bits of R17 have one that count, else exactly */
    SELECTOR,      /* PRMT: a byte if its nibble of R17 has one, else exactly */
    CARRY,         /* R64 upwards; P4, if R64 has one */
};

struct form {
    const char *text;
    enum rule rule;
    uint32_t bits[SOURCES]; /* that may be undefined */
    uint32_t counts;        /* COUNT: the bits that count */
};

#define R UINT32_MAX
#define AB                                                                                         \
    { R, R, 0, 0, 0 }
#define ABC                                                                                        \
    { R, R, R, 0, 0 }
#define A                                                                                          \
    { R, 0, 0, 0, 0 }
#define B                                                                                          \
    { 0, R, 0, 0, 0 }
#define AC                                                                                         \
    { R, 0, R, 0, 0 }
#define ABCP                                                                                       \
    { R, R, R, 0, 15 }
#define ABP                                                                                        \
    { R, R, 0, 0, 15 }
#define P                                                                                          \
    { 0, 0, 0, 0, 15 }

static const struct form forms[] = {
    {"MOV R64, R16", EXACT, A, 0},
    {"IMAD.MOV.U32 R64, RZ, RZ, R16", EXACT, A, 0},
    {"LOP3.LUT P4, R64, R16, R17, R18, 0x96, !PT", EXACT, ABC, 0},
    {"LOP3.LUT P4, R64, R16, R17, R18, 0xe2, !PT", EXACT, ABC, 0},
    {"LOP3.LUT P4, R64, R16, R17, R18, 0x80, P0", EXACT, ABCP, 0},
    {"LOP3.LUT P4, R64, R16, R17, R18, 0xfe, !P1", EXACT, ABCP, 0},
    {"LOP3.LUT.PAND P4, R64, R16, R17, R18, 0x40, P0", EXACT, ABCP, 0},
    {"LOP3.LUT.PAND P4, R64, R16, R17, R18, 0x1b, !P1", EXACT, ABCP, 0},
    {"LOP3.LUT P4, R64, R16, 0xff00, R18, 0xca, P0", EXACT, ABCP, 0},
    {"LOP3.LUT P4, R64, R16, 0xff00, RZ, 0xc0, !PT", EXACT, A, 0},
    {"LOP3.LUT P4, R64, R16, 0xff00, RZ, 0x3f, !PT", EXACT, A, 0},
    {"PLOP3.LUT P4, P5, P0, P1, P2, 0x80, 0x17", EXACT, P, 0},
    {"PLOP3.LUT P4, P5, !P0, P1, !P2, 0xfe, 0x96", EXACT, P, 0},
    {"PLOP3.LUT P4, P5, P3, PT, !P2, 0x27, 0x4b", EXACT, P, 0},
    {"SHF.L.U32 R64, R16, R17, RZ", EXACT, A, 0},
    {"SHF.L.U32 R64, R16, 0x7, R18", EXACT, AC, 0},
    {"SHF.L.U32.HI R64, R16, 0x7, R18", EXACT, AC, 0},
    {"SHF.L.U32.HI R64, R16, 0x20, R18", EXACT, AC, 0},
    {"SHF.R.U32 R64, R16, 0x7, R18", EXACT, AC, 0},
    {"SHF.R.U32 R64, R16, 0x21, R18", EXACT, AC, 0},
    {"SHF.R.U32.HI R64, R16, 0x1f, R18", EXACT, AC, 0},
    {"SHF.R.S32.HI R64, R16, 0x1f, R18", EXACT, AC, 0},
    {"SHF.R.S32.HI R64, R16, 0x20, R18", EXACT, AC, 0},
    {"SHF.R.S32.HI R64, R16, R17, R18", EXACT, AC, 0},
    {"SHF.R.U32.HI R64, R16, 0x20, R18", EXACT, AC, 0},
    {"SHF.R.S64 R64, R16, 0x1f, R18", EXACT, AC, 0},
    {"SHF.R.S64 R64, R16, 0x21, R18", EXACT, AC, 0},
    {"SHF.R.S64 R64, R16, 0x40, R18", EXACT, AC, 0},
    {"SHF.R.S64.HI R64, R16, 0x21, R18", EXACT, AC, 0},
    {"SHF.R.S64.HI R64, R16, 0x3f, R18", EXACT, AC, 0},
    {"SHF.R.U64 R64, R16, 0x3f, R18", EXACT, AC, 0},
    {"SHF.R.U64 R64, R16, 0x40, R18", EXACT, AC, 0},
    {"SHF.R.U64.HI R64, R16, 0x5, R18", EXACT, AC, 0},
    {"SHF.L.U64.HI R64, R16, 0x5, R18", EXACT, AC, 0},
    {"SHF.L.U64.HI R64, R16, 0x3f, R18", EXACT, AC, 0},
    {"SHF.L.U64.HI R64, R16, 0x40, R18", EXACT, AC, 0},
    {"SHF.L.U64 R64, R16, 0x3, R18", EXACT, AC, 0},
    {"SHF.L.W.U32 R64, R16, R17, R18", EXACT, AC, 0},
    {"SHF.R.W.U32 R64, R16, R17, R18", EXACT, AC, 0},
    {"SHF.R.W.U64 R64, R16, R17, R18", EXACT, AC, 0},
    {"SHF.L.W.U64.HI R64, R16, 0x25, R18", EXACT, AC, 0},
    {"SHF.L.U32 R64, R16, R17, RZ", COUNT, AB, R},
    {"SHF.L.W.U32 R64, R16, R17, RZ", COUNT, AB, 31},
    {"SHF.R.W.U64 R64, R16, R17, R18", COUNT, ABC, 63},
    {"SGXT R64, R16, R17", EXACT, A, 0},
    {"SGXT R64, R16, 0x1", EXACT, A, 0},
    {"SGXT R64, R16, 0x20", EXACT, A, 0},
    {"SGXT R64, R16, 0x0", EXACT, A, 0},
    {"SGXT R64, R16, 0x13", EXACT, A, 0},
    {"SGXT.U32 R64, R16, 0x13", EXACT, A, 0},
    {"SGXT.U32 R64, R16, R17", EXACT, A, 0},
    {"SGXT.W R64, R16, 0x2c", EXACT, A, 0},
    {"SGXT.W R64, R16, R17", COUNT, AB, 31},
    {"SGXT.U32 R64, R16, R17", COUNT, AB, R},
    {"PRMT R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT R64, R16, 0x7f31, R18", EXACT, AC, 0},
    {"PRMT R64, R16, 0x80a4, R18", EXACT, AC, 0},
    {"PRMT R64, R16, R17, R18", SELECTOR, ABC, 0},
    {"PRMT.F4E R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.B4E R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.RC8 R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.ECL R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.ECR R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.RC16 R64, R16, R17, R18", EXACT, AC, 0},
    {"PRMT.F4E R64, R16, R17, R18", COUNT, ABC, 3},
    {"BREV R64, R16", EXACT, A, 0},
    {"SEL R64, R16, R17, P0", EXACT, ABP, 0},
    {"SEL R64, R16, R17, !P1", EXACT, ABP, 0},
    {"SEL R64, R16, 0x55, P2", EXACT, {R, 0, 0, 0, 15}, 0},
    {"P2R R64, PR, R16, 0xd", EXACT, {R, 0, 0, 0, 15}, 0},
    {"P2R.B1 R64, PR, R16, 0x7", EXACT, {R, 0, 0, 0, 15}, 0},
    {"P2R.B3 R64, PR, R16, 0xf", EXACT, {R, 0, 0, 0, 15}, 0},
    {"R2P PR, R16, 0x30", EXACT, A, 0},
    {"R2P PR, R16.B1, 0x30", EXACT, A, 0},
    {"R2P PR, R16.B3, 0x20", EXACT, A, 0},
    {"ISETP.LT.U32.AND P4, P5, R16, R17, PT", EXACT, AB, 0},
    {"ISETP.LE.AND P4, P5, R16, R17, PT", EXACT, AB, 0},
    {"ISETP.LT.AND P4, P5, R16, R17, P0", EXACT, ABP, 0},
    {"ISETP.EQ.U32.OR P4, P5, R16, R17, !P0", EXACT, ABP, 0},
    {"ISETP.NE.AND P4, P5, R16, R17, P1", EXACT, ABP, 0},
    {"ISETP.GE.XOR P4, P5, R16, R17, P1", EXACT, ABP, 0},
    {"ISETP.GT.U32.XOR P4, P5, R16, R17, PT", EXACT, AB, 0},
    {"ISETP.GE.U32.OR P4, P5, R16, 0x80, P1", EXACT, {R, 0, 0, 0, 15}, 0},
    {"ISETP.GT.AND P4, P5, R16, RZ, P1", EXACT, {R, 0, 0, 0, 15}, 0},
    {"ISETP.F.AND P4, P5, R16, R17, P1", EXACT, ABP, 0},
    {"ISETP.T.AND P4, P5, R16, R17, P1", EXACT, ABP, 0},
    {"ISETP.LT.U32.AND.EX P4, P5, R16, R17, PT, P3", EXACT, ABP, 0},
    {"ISETP.GE.AND.EX P4, P5, R16, R17, P0, P3", EXACT, ABP, 0},
    {"ISETP.EQ.U32.OR.EX P4, P5, R16, R17, P0, !P3", EXACT, ABP, 0},
    {"ISETP.NE.U32.XOR.EX P4, P5, R16, R17, P0, P2", EXACT, ABP, 0},
    {"ISETP.GT.AND.EX P4, P5, R16, RZ, PT, P3", EXACT, {R, 0, 0, 0, 15}, 0},
    {"IADD3 R64, P4, R16, R17, RZ", UPWARDS, AB, 0},
    {"IADD3 R64, P4, R16, 0x7fffffff, RZ", UPWARDS, A, 0},
    {"IADD3 R64, P4, R16, -R17, RZ", UPWARDS, AB, 0},
    {"IADD3 R64, P4, -R16, R17, RZ", UPWARDS, AB, 0},
    {"IADD3 R64, R16, R17, R18", UPWARDS, ABC, 0},
    {"IADD3 R64, R16, R17, -R18", UPWARDS, ABC, 0},
    {"IADD3 R64, R16, RZ, RZ", EXACT, A, 0},
    {"IADD3 R64, RZ, RZ, R16", EXACT, A, 0},
    {"IADD3 R64, -R16, RZ, RZ", UPWARDS, A, 0},
    {"IADD3 R64, RZ, -R16, RZ", UPWARDS, A, 0},
    {"IADD3.X R64, P4, R16, R17, RZ, P0, !PT", UPWARDS, ABP, 0},
    {"IADD3.X R64, P4, R16, ~R17, RZ, P0, !PT", UPWARDS, ABP, 0},
    {"IADD3.X R64, P4, RZ, RZ, RZ, P0, P1", UPWARDS, P, 0},
    {"IADD3.X R64, R16, RZ, RZ, P3, !PT", UPWARDS, {R, 0, 0, 0, 15}, 0},
    {"LEA R64, P4, R16, R17, 0x5", CARRY, AB, 0},
    {"LEA R64, P4, R16, R17, 0x0", CARRY, AB, 0},
    {"LEA R64, P4, R16, R17, 0x1f", CARRY, AB, 0},
    {"LEA R64, R16, RZ, 0x5", EXACT, A, 0},
    {"LEA R64, -R16, R17, 0x5", UPWARDS, AB, 0},
    {"LEA.HI R64, R16, R17, R18, 0x5", UPWARDS, ABC, 0},
    {"LEA.HI R64, R16, RZ, R18, 0x5", EXACT, AC, 0},
    {"LEA.HI.SX32 R64, R16, R17, 0x9", UPWARDS, AB, 0},
    {"LEA.HI.SX32 R64, R16, RZ, 0x9", EXACT, A, 0},
    {"LEA.X R64, R16, R17, 0x5, P0", UPWARDS, ABP, 0},
    {"IMAD R64, R16, R17, RZ", PRODUCT, AB, 0},
    {"IMAD.SHL.U32 R64, R16, 0x100, RZ", EXACT, A, 0},
    {"IMAD R64, R16, 0x3, RZ", UPWARDS, A, 0},
    {"IMAD R64, R16, R17, R18", PRODUCT_ADDED, ABC, 0},
    {"IMAD R64, R16, R17, -R18", UPWARDS, ABC, 0},
    {"IMAD.WIDE.U32 R64, R16, R17, RZ", PRODUCT, AB, 0},
    {"IMAD.WIDE.U32 R64, R16, R17, R18", PRODUCT_ADDED, {R, R, R, R, 0}, 0},
    {"IMAD.WIDE R64, R16, 0x8, RZ", EXACT, A, 0},
    {"IMAD.WIDE R64, R16, R17, R18", PRODUCT_ADDED, {R, R, R, R, 0}, 0},
    {"FLO.U32 R64, R16", LEADING, A, 0},
    {"FLO R64, R16", LEADING, A, 0},
    {"FLO.U32 R64, ~R16", LEADING, A, 0},
    {"FLO.U32.SH R64, R16", LEADING, A, 0},
    {"FADD R64, R16, R17", ANY, AB, 0},
    {"IMNMX R64, R16, R17, P0", ANY, ABP, 0},
    {"POPC R64, R16", ANY, A, 0},
    {"FFMA R64, R16, R17, R18", ANY, ABC, 0},
    {"HADD2 R64, R16, R17", HALVES, AB, 0},
    {"HFMA2 R64, R16, R17, R18", HALVES, ABC, 0},
    {"HMUL2 R64, R16, R17", HALVES, AB, 0},
    {"F2FP.PACK_AB R64, R16, R17", PACK, AB, 0},
};

/* Of every lane: a value and which bits of it nobody writes. */
struct inputs {
    uint32_t value[SOURCES][LANES], open[SOURCES][LANES];
};

static uint32_t some_value(struct emu_rng *rng, const struct inputs *in, unsigned source,
                           unsigned lane) {
    switch (emu_below(rng, 8)) {
    case 0: return source ? in->value[0][lane] : 0;
    case 1: return 1u << emu_below(rng, 32);
    case 2: return 0;
    case 3: return emu_below(rng, 40);
    case 4: return source ? in->value[0][lane] ^ 1u << emu_below(rng, 32) : UINT32_MAX;
    default: return emu_value(rng);
    }
}

static void choose(struct emu_rng *rng, const struct form *form, struct inputs *in) {
    memset(in, 0, sizeof *in);
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned i = 0; i < SOURCES; i++)
            in->value[i][l] = some_value(rng, in, i, l);
        const unsigned wanted = l % 7; /* 0 to 6 bits */
        const unsigned run = emu_below(rng, 32);
        for (unsigned n = 0, tries = 0; n < wanted && tries < 4000; tries++) {
            const unsigned i = emu_below(rng, SOURCES);
            const unsigned at = emu_once_in(rng, 3) ? (run + n) % 32 : emu_below(rng, 32);
            const uint32_t bit = 1u << (i == SOURCES - 1 ? at % 4 : at);
            if (!(form->bits[i] & bit) || in->open[i][l] & bit)
                continue;
            in->open[i][l] |= bit;
            n++;
        }
    }
}

/* The n-th choice of the bits that are open in a lane. */
static uint32_t chosen(const struct inputs *in, unsigned n, unsigned source, unsigned lane) {
    uint32_t value = in->value[source][lane] & ~in->open[source][lane];
    for (unsigned i = 0, k = 0; i <= source; i++)
        for (uint32_t rest = in->open[i][lane]; rest; rest &= rest - 1, k++)
            if (i == source && n >> k & 1)
                value |= rest & (0 - rest);
    return value;
}

/* With `open` sources keep the bits of masks behind the values in x as nobody has written them. */
static fhec_program *program_of(const struct form *form, bool open) {
    char text[4096];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        ".target sm_80, fhec\n.kernel K\n.param x, 8\n.param y, 8\n"
        "S2R R0, SR_LANEID ;\nS2R R1, SR_CTAID.X ;\nMOV R2, 0x4 ;\nIMAD R3, R1, 0x%x, R0 ;\n"
        "IMAD.WIDE.U32 R4, R3, R2, x ;\nIMAD R3, R1, 0x%x, R0 ;\nIMAD.WIDE.U32 R6, R3, R2, y ;\n"
        "R2P PR, RZ, 0x70 ;\nMOV R64, RZ ;\nMOV R65, RZ ;\n",
        SOURCES * LANES, RESULTS * LANES);
    for (unsigned i = 0; i < SOURCES; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "LDG.E R8, [R4.64+0x%x] ;\n",
                                 4 * LANES * i);
        if (open)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "LDG.E R9, [R4.64+0x%x] ;\n"
                                     "LOP3.LUT R%u, R%u, R9, R8, 0xe2, !PT ;\n",
                                     4 * LANES * (SOURCES + i), 16 + i, 16 + i);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "MOV R%u, R8 ;\n", 16 + i);
    }
    snprintf(text + used, sizeof text - used,
             "R2P PR, R20, 0xf ;\n%s ;\nP2R R66, PR, RZ, 0x30 ;\nSTG.E [R6.64], R64 ;\n"
             "STG.E [R6.64+0x80], R65 ;\nSTG.E [R6.64+0x100], R66 ;\nEXIT ;\n.end\n",
             form->text);
    return emu_assemble(text);
}

static void run(fhec_machine *m, const fhec_program *program, uint32_t blocks, const uint32_t *x,
                size_t words, uint64_t *y) {
    uint64_t params[2];
    assert_int_equal(fhec_alloc(m, "x", 4 * words, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "y", 4 * blocks * RESULTS * LANES, 0, &params[1]), FHEC_OK);
    assert_int_equal(fhec_write(m, params[0], x, 4 * words), FHEC_OK);
    emu_run_ok(m, program, blocks, LANES, params, 2);
    *y = params[1];
}

typedef uint32_t results[RESULTS][LANES];

static void undefined_of(const struct form *form, const struct inputs *in, results undefined) {
    const fhec_machine_options options = {.threads = 1};
    struct fh_findings *findings = fh_findings_new();
    fhec_program *program = program_of(form, true);
    fhec_machine *m;
    void *state = NULL;
    uint64_t y;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fh_check_init.begin(m, findings, &state), FHEC_OK);
    run(m, program, 1, &in->value[0][0], 2 * SOURCES * LANES, &y);
    struct fh_init_checker *checker = state;
    const struct fh_bits_region *region = fh_defined_region(&checker->shadow, y);
    assert_non_null(region);
    memcpy(undefined, region->defined, sizeof(results));
    for (unsigned i = 0; i < RESULTS * LANES; i++)
        undefined[i / LANES][i % LANES] = ~undefined[i / LANES][i % LANES];
    assert_int_equal(fh_check_init.end(state), FHEC_OK);
    fh_findings_free(findings);
    fhec_machine_free(m);
    fhec_program_free(program);
}

static void differing_of(const struct form *form, const struct inputs *in, results differing) {
    static uint32_t x[BLOCKS][SOURCES][LANES], y[BLOCKS][RESULTS][LANES];
    fhec_program *program = program_of(form, false);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t at;
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < SOURCES; i++)
            for (unsigned l = 0; l < LANES; l++)
                x[b][i][l] = chosen(in, b, i, l);
    run(m, program, BLOCKS, &x[0][0][0], sizeof x / 4, &at);
    assert_int_equal(fhec_read(m, at, y, sizeof y), FHEC_OK);
    memset(differing, 0, sizeof(results));
    for (unsigned b = 1; b < BLOCKS; b++)
        for (unsigned i = 0; i < RESULTS * LANES; i++)
            differing[i / LANES][i % LANES] |=
                y[0][i / LANES][i % LANES] ^ y[b][i / LANES][i % LANES];
    fhec_machine_free(m);
    fhec_program_free(program);
}

static uint32_t all_if(bool any) {
    return any ? UINT32_MAX : 0;
}

static uint64_t upwards(uint64_t bits) {
    return bits ? UINT64_MAX << __builtin_ctzll(bits) : 0;
}

/* Whether a factor is known, and moves the bits of the other one, or is 0. */
static bool moves(const struct form *form, const struct inputs *in, unsigned l) {
    const bool is_signed = strstr(form->text, "WIDE ") != NULL;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t factor = in->value[i][l];
        if (!in->open[i][l] && !(factor & (factor - 1)) && !(is_signed && factor >> 31))
            return true;
    }
    return false;
}

static bool is_nothing(const struct inputs *in, unsigned l) {
    return !(in->value[0][l] | in->open[0][l]) || !(in->value[1][l] | in->open[1][l]);
}

/* What has to be undefined in lane l, from what differs. */
static void expect(const struct form *form, const struct inputs *in, unsigned l,
                   const uint32_t differs[RESULTS], uint32_t want[RESULTS]) {
    const uint64_t pair = (uint64_t)differs[1] << 32 | differs[0];
    const uint32_t *open[3] = {&in->open[0][l], &in->open[1][l], &in->open[2][l]};
    uint32_t any = 0, halves = 0;
    for (unsigned i = 0; i < SOURCES; i++)
        any |= in->open[i][l];
    if (in->open[4][l] && !strstr(form->text, "P0")) /* of predicates only P0 is read there */
        any = *open[0] | *open[1] | *open[2];
    else if (form->rule == ANY)
        any = *open[0] | *open[1] | *open[2] | (in->open[4][l] & 1);
    halves = *open[0] | *open[1] | *open[2];
    memcpy(want, differs, RESULTS * sizeof *want);
    switch (form->rule) {
    case EXACT: break;
    case UPWARDS: want[0] = (uint32_t)upwards(differs[0]); break;
    case CARRY:
        want[0] = (uint32_t)upwards(differs[0]);
        want[2] = differs[0] ? 1u << 4 : 0;
        break;
    case PRODUCT:
    case PRODUCT_ADDED: {
        const bool wide = strstr(form->text, "WIDE") != NULL;
        if (form->rule == PRODUCT ? moves(form, in, l) : is_nothing(in, l))
            break;
        want[0] = (uint32_t)upwards(pair);
        want[1] = wide ? (uint32_t)(upwards(pair) >> 32) : 0;
        break;
    }
    case UPWARDS_64: break;
    case LEADING: want[0] = all_if(differs[0]); break;
    case ANY: want[0] = all_if(any); break;
    case HALVES:
        want[0] = (halves & 0xffff ? 0xffffu : 0) | (halves >> 16 ? 0xffff0000u : 0);
        break;
    case PACK: want[0] = (*open[0] ? 0xffff0000u : 0) | (*open[1] ? 0xffffu : 0); break;
    case COUNT: want[0] = *open[1] & form->counts ? UINT32_MAX : differs[0]; break;
    case SELECTOR:
        for (unsigned byte = 0; byte < 4; byte++)
            if (*open[1] >> (4 * byte) & 15)
                want[0] |= 0xffu << (8 * byte);
        break;
    }
}

static void test_forms(void **state) {
    (void)state;
    const uint64_t seed = emu_setting("FHEC_TEST_SEED", 20261129);
    struct emu_rng rng = {seed | 1};
    for (size_t f = 0; f < COUNT_OF(forms); f++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            struct inputs in;
            results undefined, differing;
            choose(&rng, &forms[f], &in);
            undefined_of(&forms[f], &in, undefined);
            differing_of(&forms[f], &in, differing);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t differs[RESULTS], want[RESULTS];
                for (unsigned i = 0; i < RESULTS; i++)
                    differs[i] = differing[i][l];
                expect(&forms[f], &in, l, differs, want);
                for (unsigned i = 0; i < RESULTS; i++)
                    if (undefined[i][l] != want[i])
                        fail_msg("seed %llu: %s: result %u: 0x%x is undefined, not 0x%x (differ "
                                 "0x%x); sources 0x%x/0x%x 0x%x/0x%x 0x%x/0x%x, predicates "
                                 "0x%x/0x%x",
                                 (unsigned long long)seed, forms[f].text, i, undefined[i][l],
                                 want[i], differs[i], in.value[0][l], in.open[0][l], in.value[1][l],
                                 in.open[1][l], in.value[2][l], in.open[2][l], in.value[4][l],
                                 in.open[4][l]);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms)};
    return cmocka_run_group_tests_name("init_exact", tests, NULL, NULL);
}
