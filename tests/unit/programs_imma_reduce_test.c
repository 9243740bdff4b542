/*
 * The reductions of lib/imma.sass by themselves, at the bounds that their comments claim: sums T_i
 * as large as they can be, quotients k of Montgomery's reduction of 2^32 - 1 and thereabouts,
 * moduli just below and just above where a word overflows. A transform meets such values once in
 * millions of elements.
 */
#include "programs_util.h"
#include "sass_files.h"

__extension__ typedef unsigned __int128 u128;

/* In the order of the kernel's OP. */
enum op { REDUCE, REDUCE_FULLY, REDUCE_TIMES, DEEP_TIMES, DEEP_FULLY, OPS };

static const char kernel_text[] = ".target sm_80\n"
                                  ".include \"lib/imma.sass\"\n"
                                  ".kernel check\n"
                                  ".param sums, 8\n"
                                  ".param factors, 8\n"
                                  ".param moduli, 8\n"
                                  ".param out, 8\n"
                                  ".reg lane = R0\n"
                                  ".reg sixteen = R1\n"
                                  ".reg big = R2\n"
                                  ".reg zero = R3\n"
                                  ".reg sums_at = R4\n"
                                  ".reg factors_at = R6\n"
                                  ".reg out_at = R8\n"
                                  ".reg scratch[0:1] = R10\n"
                                  ".reg minus[0:1] = R12\n"
                                  ".reg low[0:7] = R16\n"
                                  ".reg wide[0:7] = R24\n"
                                  ".reg acc[0:15] = R32\n"
                                  ".reg factor[0:15] = R48\n"
                                  ".reg result[0:3] = R64\n"
                                  "S2R lane, SR_TID.X ;\n"
                                  "MOV sixteen, 0x10 ;\n"
                                  "MOV big, 0x40 ;\n"
                                  "MOV zero, RZ ;\n"
                                  "LOAD_PRIME zero, moduli, scratch\n"
                                  "IMAD.WIDE.U32 sums_at, lane, big, sums ;\n"
                                  "IMAD.WIDE.U32 factors_at, lane, big, factors ;\n"
                                  "IMAD.WIDE.U32 out_at, lane, sixteen, out ;\n"
                                  ".rept 4, i\n"
                                  "LDG.E.128 acc[4 * \\i], [sums_at.64 + 16 * \\i] ;\n"
                                  "LDG.E.128 factor[4 * \\i], [factors_at.64 + 16 * \\i] ;\n"
                                  ".endr\n"
                                  "HIGH_WORDS (OP == 1)\n"
                                  "MOV minus[0], RZ ;\n"
                                  "IADD3 minus[1], RZ, -UR4, RZ ;\n"
                                  ".if OP == 0\n"
                                  "REDUCE acc, 0, result, 3 - \\v\n"
                                  ".elseif OP == 1\n"
                                  "REDUCE_FULLY acc, 0, result, 3 - \\v\n"
                                  ".elseif OP == 2\n"
                                  "REDUCE_TIMES acc, 0, factor, 0, result, 3 - \\v\n"
                                  ".elseif OP == 3\n"
                                  "DEEP_TIMES acc, 0, factor, 0, result, 3 - \\v\n"
                                  ".else\n"
                                  "DEEP_FULLY acc, 0, result, 3 - \\v\n"
                                  ".endif\n"
                                  "STG.E.128 [out_at.64], result[0] ;\n"
                                  "EXIT ;\n"
                                  ".end\n";

static fhec_status include_file(void *user, const char *name, const char *from, char **text,
                                size_t *length) {
    (void)user;
    (void)from;
    for (size_t i = 0; i < fh_sass_file_count; i++)
        if (strcmp(fh_sass_files[i].name, name) == 0) {
            *length = fh_sass_files[i].length;
            *text = malloc(*length + 1);
            assert_non_null(*text);
            memcpy(*text, fh_sass_files[i].text, *length + 1);
            return FHEC_OK;
        }
    return FHEC_BAD_INPUT;
}

static fhec_program *assemble(enum op op, bool wide) {
    char op_text[16], wide_text[32];
    const char *defines[] = {op_text, wide_text};
    fhec_assemble_options options = {
        .include = include_file, .defines = defines, .define_count = 2};
    fhec_program *program = NULL;
    snprintf(op_text, sizeof op_text, "OP=%d", (int)op);
    snprintf(wide_text, sizeof wide_text, "WIDE_MODULI=%d", wide);
    assert_int_equal(
        fhec_assemble("check.sass", kernel_text, sizeof kernel_text - 1, &options, &program),
        FHEC_OK);
    return program;
}

enum { LANES = 32, ELEMENTS = 4 };

struct samples {
    uint32_t sums[LANES][4][ELEMENTS]; /* T_i of element v */
    uint32_t factors[LANES][16];
    uint32_t out[LANES][ELEMENTS]; /* element 3 - v */
};

static uint64_t value_of(const struct samples *s, unsigned lane, unsigned v) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value += (uint64_t)s->sums[lane][i][v] << 8 * i;
    return value;
}

/* -1/q mod 2^32 */
static uint32_t negative_inverse(uint32_t q) {
    uint64_t inverse;
    assert_int_equal(fh_golden_invmod(q, UINT64_C(1) << 32, &inverse), FH_GOLDEN_OK);
    return (uint32_t)(0 - inverse);
}

static void run(fhec_machine *machine, const fhec_program *program, uint32_t q, struct samples *s) {
    struct {
        uint32_t q, negative_inverse;
        uint64_t mu;
    } modulus = {q, negative_inverse(q), 0};
    uint64_t params[4];
    const fhec_launch launch = {.program = program,
                                .grid = {1, 1, 1},
                                .block = {LANES, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params};
    assert_int_equal(fhec_alloc(machine, "sums", sizeof s->sums, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "factors", sizeof s->factors, 0, &params[1]), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "moduli", sizeof modulus, 0, &params[2]), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "out", sizeof s->out, 0, &params[3]), FHEC_OK);
    assert_int_equal(fhec_write(machine, params[0], s->sums, sizeof s->sums), FHEC_OK);
    assert_int_equal(fhec_write(machine, params[1], s->factors, sizeof s->factors), FHEC_OK);
    assert_int_equal(fhec_write(machine, params[2], &modulus, sizeof modulus), FHEC_OK);
    assert_int_equal(fhec_run(machine, &launch), FHEC_OK);
    assert_int_equal(fhec_read(machine, params[3], s->out, sizeof s->out), FHEC_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fhec_release(machine, params[i]), FHEC_OK);
}

/* ---------------------------------------------------------------- samples */

/* Sums of d elements with V below 4 d 255 q whose k is 2^32 - s: V = s q mod 2^32, by a choice of
 * the low bits of T_0, T_1 and T_2. Their high bits are as large as the bounds allow, or random. */
static void choose_sums(struct samples *s, unsigned lane, unsigned v, uint32_t q, unsigned d,
                        uint32_t k_below, bool large, uint64_t seed) {
    uint64_t most = UINT64_C(4) * d * 255 * 255, bound = UINT64_C(4) * d * 255 * q, rest;
    uint32_t target = k_below * q, T[4];
    /* V and T_3 cannot both be at their bounds for a q that does not fill its top byte. */
    uint64_t top = bound >> 24 < most ? bound >> 24 : most;
    uint64_t word = fh_golden_random_word(seed, lane, v);
    top = top > 600 ? top - 600 : 0; /* room for the other sums */
    T[3] = (uint32_t)(large ? top : word % (top + 1));
    rest = bound - ((uint64_t)T[3] << 24);
    for (unsigned i = 0; i < 3; i++) {
        /* T_0 and T_1 settle 8 bits of the target each, T_2 the last 16. */
        unsigned step = i < 2 ? 8 : 16;
        uint32_t part = target - (i == 2 ? T[3] << 8 : 0);
        uint64_t cap = rest >> 8 * i < most ? rest >> 8 * i : most;
        uint32_t low = part & ((UINT32_C(1) << step) - 1);
        uint64_t turns = cap > low ? (cap - low) >> step : 0;
        word = fh_golden_random_word(seed, lane, 64 + 4 * v + i);
        T[i] = (uint32_t)(low + ((large ? turns : word % (turns + 1)) << step));
        if (T[i] > most)
            T[i] = low;
        target = (target - T[i]) >> step;
        rest -= (uint64_t)T[i] << 8 * i < rest ? (uint64_t)T[i] << 8 * i : rest;
    }
    for (unsigned i = 0; i < 4; i++)
        s->sums[lane][i][v] = T[i];
}

static void check(const struct samples *s, enum op op, uint32_t q, bool fits, unsigned d) {
    uint64_t inverse = 0;
    uint64_t two32 = UINT64_C(1) << 32;
    assert_int_equal(fh_golden_invmod(two32 % q, q, &inverse), FH_GOLDEN_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned v = 0; v < ELEMENTS; v++) {
            uint64_t V = value_of(s, lane, v), got = s->out[lane][3 - v], want;
            unsigned first = op == REDUCE_TIMES ? 2 * v : 4 * v;
            uint64_t factor = op == REDUCE_TIMES || op == DEEP_TIMES ? s->factors[lane][first] : 1;
            want = fh_golden_mulmod(fh_golden_mulmod(V % q, factor, q), inverse, q);
            if (op == REDUCE) /* a representative below 2^32, q + 4 d 255 */
                assert_true(!fits || got < (uint64_t)q + 4 * d * 255);
            else if (op == REDUCE_FULLY || op == DEEP_FULLY)
                assert_true(got < q);
            if (got % q != want)
                fail_msg("op %d, q %u, %u elements, lane %u, element %u, V %llu: %llu, not %llu",
                         (int)op, q, d, lane, v, (unsigned long long)V, (unsigned long long)got,
                         (unsigned long long)want);
        }
}

/* All of what a transform may meet with `op`: q has at most 32 bits. */
static void check_op(fhec_machine *machine, enum op op, uint32_t q, unsigned d) {
    fhec_program *program = assemble(op, q >> 31);
    struct samples s;
    for (unsigned round = 0; round < 12; round++) {
        uint64_t seed = round + 100 * d;
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned v = 0; v < ELEMENTS; v++) {
                unsigned step = op == REDUCE_TIMES ? 16 : 8, count = op == REDUCE_TIMES ? 2 : 4;
                /* k = 2^32 - 1 and below, k = 0 and above, and anything. */
                uint32_t below = round % 3 == 0   ? lane + 1
                                 : round % 3 == 1 ? 0 - lane
                                                  : (uint32_t)fh_golden_random_word(seed, 9, lane);
                choose_sums(&s, lane, v, q, d, below, round & 1, seed);
                if (round == 11) /* the largest sums there are, with no regard to k or V */
                    for (unsigned i = 0; i < 4 && (op == REDUCE_TIMES || op == DEEP_TIMES); i++)
                        s.sums[lane][i][v] = 4 * d * 255 * 255;
                uint64_t factor = round & 2 ? q - 1 - v : fh_golden_random_word(seed, 8, v) % q;
                for (unsigned i = 0; i < count; i++) {
                    s.factors[lane][count * v + i] = (uint32_t)factor;
                    factor = fh_golden_mulmod(factor, UINT64_C(1) << step, q);
                }
            }
        run(machine, program, q, &s);
        check(&s, op, q, true, d);
    }
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- tests */

static const uint32_t moduli[] = {257,        7681,       12289,      8388593,    268369921,
                                  2147483647, 2147483649, 3221225473, 4293918721, 4294950911,
                                  4294967279, 4294967291, 4294967295};

static void reductions(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(moduli); i++) {
        uint32_t q = moduli[i];
        if (q <= UINT32_MAX - (1 << 14))
            check_op(machine, REDUCE, q, 16);
        check_op(machine, REDUCE_FULLY, q, 16);
        check_op(machine, REDUCE_FULLY, q, 64);
        check_op(machine, REDUCE_TIMES, q, 16);
        check_op(machine, DEEP_TIMES, q, 256);
        check_op(machine, DEEP_TIMES, q, 512);
        check_op(machine, DEEP_FULLY, q, 128);
        check_op(machine, DEEP_FULLY, q, 512);
    }
    fhec_machine_free(machine);
}

/* What REDUCE is not for: with a modulus above 2^32 - 2^14 its word overflows, so the bound that
 * the planner has for it is no idle one, and the samples reach it. */
static void reduce_overflows(void **state) {
    (void)state;
    const uint32_t q = 4294962689; /* the largest one for N = 256 */
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    fhec_program *program = assemble(REDUCE, true);
    struct samples s;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned v = 0; v < ELEMENTS; v++)
            choose_sums(&s, lane, v, q, 16, lane + 1, true, 1);
    run(machine, program, q, &s);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned v = 0; v < ELEMENTS; v++) {
            uint64_t V = value_of(&s, lane, v);
            uint64_t R = (uint64_t)(((u128)V + (u128)(0 - (uint32_t)(lane + 1)) * q) >> 32);
            assert_true(R >> 32 == 1);
            assert_true(V < UINT64_C(4) * 16 * 255 * q);
            assert_int_equal(s.out[lane][3 - v], (uint32_t)R);
        }
    fhec_program_free(program);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions),
        cmocka_unit_test(reduce_overflows),
    };
    return cmocka_run_group_tests_name("programs_imma_reduce", tests, NULL, NULL);
}
