/*
 * asm_expectation_test.c - what .expect, .let and .ensure become: their terms in the order of
 * calculation, by C's rules of precedence, and every message with its place.
 */
#include "asm_util.h"

/* Lines 1 to 13; the statement is line 14, in front of word 2. */
static const char head[] = ".target sm_80, fhec\n.kernel K\n.param y, 8\n.param width, 4\n"
                           ".reg acc[2:5] = R8\n.reg ub = UR6\n.reg A = R12\n"
                           ".equ N, 7\n.equ M, -3\n.equ BIG, 0xffffffffffffffff\n"
                           ".let v = R1\n  MOV R0, RZ ;\n  MOV R2, RZ ;\n";
static const char tail[] =
    "\n  FHEC.16816.U32.U32 R16, R0.ROW, R4.COL, R8, UR4 ;\n  EXIT ;\n.end\n";
enum { LONG = 4096 };

static void put_term(char *to, size_t size, const fhec_expectation *e, const fhec_term *t) {
    static const char *const operators[FHEC_TERM_KINDS] = {
        [FHEC_TERM_ROW] = "i",         [FHEC_TERM_COLUMN] = "j",       [FHEC_TERM_LANE] = "lane",
        [FHEC_TERM_WARP] = "warp",     [FHEC_TERM_MODULUS] = "q",      [FHEC_TERM_NEGATE] = "neg",
        [FHEC_TERM_INVERT] = "~",      [FHEC_TERM_MULTIPLY] = "*",     [FHEC_TERM_DIVIDE] = "/",
        [FHEC_TERM_REMAINDER] = "%",   [FHEC_TERM_ADD] = "+",          [FHEC_TERM_SUBTRACT] = "-",
        [FHEC_TERM_SHIFT_LEFT] = "<<", [FHEC_TERM_SHIFT_RIGHT] = ">>", [FHEC_TERM_LESS] = "<",
        [FHEC_TERM_EQUAL] = "==",      [FHEC_TERM_AND] = "&",          [FHEC_TERM_XOR] = "^",
        [FHEC_TERM_OR] = "|",          [FHEC_TERM_BOTH] = "&&",        [FHEC_TERM_EITHER] = "||",
        [FHEC_TERM_CHOICE] = "?"};
    const long long v = (long long)t->value;
    switch (t->kind) {
    case FHEC_TERM_NUMBER: (void)snprintf(to, size, " %lld", v); break;
    case FHEC_TERM_BLOCK: (void)snprintf(to, size, " block%lld", v); break;
    case FHEC_TERM_REGISTER: (void)snprintf(to, size, " R%lld", v); break;
    case FHEC_TERM_UNIFORM: (void)snprintf(to, size, " UR%lld", v); break;
    case FHEC_TERM_REGISTERS: (void)snprintf(to, size, " R%lld:%lld", v & 255, v >> 8); break;
    case FHEC_TERM_PREDICATE: (void)snprintf(to, size, " P%lld", v); break;
    case FHEC_TERM_SIGN: (void)snprintf(to, size, " s%lld", v); break;
    case FHEC_TERM_NAME: (void)snprintf(to, size, " %s", e->names[v]); break;
    default: assert_int_equal(v, 0); (void)snprintf(to, size, " %s", operators[t->kind]);
    }
}

/* "operand 2: A from x[ 16 i * j +", "ensure 1: R4 = 5 mod"; of a register without a contract its
 * number: "operand 2: R4 = 5". */
static void describe(const fhec_expectation *e, char *to, size_t size) {
    static const char *const contracts[] = {"operand", "expect", "let", "ensure"};
    static const char *const relations[] = {"from", "=", "<", "<="};
    (void)snprintf(to, size, "%s %u:", contracts[e->contract], e->word);
    to += strlen(to);
    if (e->operand)
        (void)snprintf(to, LONG / 4, " %s %s", e->operand, relations[e->relation]);
    else if (e->contract == FHEC_CONTRACT_OPERAND)
        (void)snprintf(to, LONG / 4, " %s%u %s", e->uniform ? "UR" : "R", e->reg,
                       relations[e->relation]);
    to += strlen(to);
    if (e->buffer)
        (void)snprintf(to, LONG / 4, " %s[", e->buffer);
    for (size_t i = 0; i < e->term_count; i++) {
        to += strlen(to);
        put_term(to, LONG / 4, e, &e->terms[i]);
        if (i + 1 == e->left_count && !e->operand)
            (void)snprintf(to + strlen(to), LONG / 4, " %s", relations[e->relation]);
    }
    if (e->congruent)
        strcat(to, " mod");
}

static unsigned differences;

/* What the line becomes: of one expectation beside .let v, or the message with its place. */
static void becomes(const char *line, const char *wanted) {
    static struct said said;
    char source[LONG], got[LONG] = "";
    fhec_program *program;
    fhec_expectation e;
    said.count = 0;
    (void)snprintf(source, sizeof source, "%s%s%s", head, line, tail);
    if (assemble(source, &said, &program) == FHEC_OK) {
        assert_int_equal(said.count, 0);
        assert_true(fhec_kernel_expectation(program, 0, 0, &e));
        assert_string_equal(e.operand, "v");
        assert_true(fhec_kernel_expectation(program, 0, 1, &e));
        assert_string_equal(e.at.file, "t.sass");
        assert_int_equal(e.at.line, 14);
        assert_int_equal(e.at.column, 1);
        assert_int_equal(e.at.length, strlen(line));
        describe(&e, got, sizeof got);
        assert_false(fhec_kernel_expectation(program, 0, 2, &e));
        assert_false(fhec_kernel_expectation(program, 1, 0, &e));
    }
    for (size_t i = 0; i < said.count; i++)
        (void)snprintf(got + strlen(got), LONG / 4, "%s%s %u:%u+%u %s%s%s", i ? "; " : "",
                       said.d[i].id, said.d[i].line, said.d[i].column, said.d[i].length,
                       said.d[i].message, *said.d[i].notes ? " / " : "", said.d[i].notes);
    if (strcmp(got, wanted) != 0) {
        print_message("%s\n  is:     %s\n  wanted: %s\n", line, got, wanted);
        differences++;
    }
    fhec_program_free(program);
}

struct pair {
    const char *line, *wanted;
};
#define EACH(pairs)                                                                                \
    for (size_t n = 0; n < sizeof(pairs) / sizeof *(pairs); n++)                                   \
        becomes((pairs)[n].line, (pairs)[n].wanted);                                               \
    assert_int_equal(differences, 0)

static void operands(void **state) {
    static const struct pair all[] = {
        {".expect A = x[16*i + j]", "operand 2: A from x[ 16 i * j +"},
        {".expect A = x [ 16 * i + j ]", "operand 2: A from x[ 16 i * j +"},
        {".expect B = $.b_1[lane + warp]", "operand 2: B from $.b_1[ lane warp +"},
        {".expect C < 3*q", "operand 2: C < 3 q *"},
        {".expect D <= q - 1", "operand 2: D <= q 1 -"},
        {".expect Rd = block", "operand 2: Rd = block0"},
        {".expect D = block.x * block.y - block.z", "operand 2: D = block0 block1 * block2 -"},
        {".expect C == UR4", "operand 2: C = UR4"},
        {".expect R5 = 1", "operand 2: R5 = 1"},
        {".expect UR5 = N", "operand 2: UR5 = 7"},
        {".expect UR62 = M", "operand 2: UR62 = 3 neg"},
        {".expect R254 < 10", "operand 2: R254 < 10"},
        {".expect R0 <= x", "E084 14:1+15 `.expect R0 <= x`: no register, .let or parameter of the "
                            "kernel is called `x`"},
        {".expect R107 = a[i]", "operand 2: R107 from a[ i"},
        {".expect acc = 5", "operand 2: R8 = 5"},
        {".expect acc[2] = 5", "operand 2: R8 = 5"},
        {".expect acc[5] = acc[4]", "operand 2: R11 = R10"},
        {".expect acc[N - 3] = acc[2 * (N - 5)]", "operand 2: R10 = R10"},
        {".expect ub < ub + 1", "operand 2: UR6 < UR6 1 +"},
        {".expect A = 4", "operand 2: A = 4"}, /* the operand is meant, not the register */
        {".expect A < A", "operand 2: A < R12"},
        {".expect A[0] < 4", "operand 2: R12 < 4"},
        {".expect R3 = A[i]", "operand 2: R3 from A[ i"},
        {".expect R3 = A[0]", "operand 2: R3 = R12"},
        {".expect R3 = A[-1]", "operand 2: R3 from A[ 1 neg"},
        {".expect acc = acc[2 * i + j]", "operand 2: R8 from acc[ 2 i * j +"},
        {".expect R3 = x[N]", "operand 2: R3 from x[ 7"},
        {".expect R3 = lane[i]", "operand 2: R3 from lane[ i"},
        {".expect R3 = -x", "E084 14:1+15 `.expect R3 = -x`: no register, .let or parameter of the "
                            "kernel is called `x`"},
    };
    (void)state;
    EACH(all);
}

static void operators(void **state) {
    static const struct pair all[] = {
        {".expect R3 = 1 + 2 * 3 - 4 / 5 % 6", "operand 2: R3 = 1 2 3 * + 4 5 / 6 % -"},
        {".expect R3 = 1 << 2 + 3 >> 4", "operand 2: R3 = 1 2 3 + << 4 >>"},
        {".expect R3 = (1 + 2) * -3", "operand 2: R3 = 1 2 + 3 neg *"},
        {".expect R3 = ~1 & 2 ^ 3 | 4", "operand 2: R3 = 1 ~ 2 & 3 ^ 4 |"},
        {".expect R3 = 1 | 2 ^ 3 & 4", "operand 2: R3 = 1 2 3 4 & ^ |"},
        {".expect R3 = 1 < 2 == 3", "operand 2: R3 = 1 2 < 3 =="},
        {".expect R3 = 1 > 2", "operand 2: R3 = 2 1 <"},
        {".expect R3 = 1 + i > 2 * j", "operand 2: R3 = 2 j * 1 i + <"},
        {".expect R3 = 1 <= 2", "operand 2: R3 = 2 1 < 1 ^"},
        {".expect R3 = 1 - i <= 2", "operand 2: R3 = 2 1 i - < 1 ^"},
        {".expect R3 = 1 >= 2", "operand 2: R3 = 1 2 < 1 ^"},
        {".expect R3 = 1 != 2", "operand 2: R3 = 1 2 == 1 ^"},
        {".expect R3 = 7 * (1 != 2) > 8", "operand 2: R3 = 8 7 1 2 == 1 ^ * <"},
        {".expect R3 = i && j || lane", "operand 2: R3 = i j && lane ||"},
        {".expect R3 = i || j && lane", "operand 2: R3 = i j lane && ||"},
        {".expect R3 = !i", "operand 2: R3 = i 0 =="},
        {".expect R3 = 3 + !i > 2", "operand 2: R3 = 2 3 i 0 == + <"},
        {".expect R3 = + i", "operand 2: R3 = i"},
        {".expect R3 = i ? j : lane", "operand 2: R3 = i j lane ?"},
        {".expect R3 = i ? j : lane ? 1 : 2", "operand 2: R3 = i j lane 1 2 ? ?"},
        {".expect R3 = 9 > (i ? j : lane)", "operand 2: R3 = i j lane ? 9 <"},
        {".expect R3 = 0x7fffffffffffffff", "operand 2: R3 = 9223372036854775807"},
        {".expect R3 = 0x8000000000000000", "operand 2: R3 = 1 63 << 0 +"},
        {".expect R3 = BIG", "operand 2: R3 = 1 63 << 9223372036854775807 +"},
        {".expect R3 = 0xb0000000000000005 > i", /* 0xb0000000000000005 = 22 * 2^63 + 5 */
         "operand 2: R3 = i 22 63 << 5 + <"},
        {".expect R3 = 1 > 0x180000000000000030000000000000007",
         /* 2^128 + 2^127 + 3 * 2^64 + 7 = ((6 * 2^63) + 6) * 2^63 + 7 */
         "operand 2: R3 = 6 63 << 6 + 63 << 7 + 1 <"},
    };
    (void)state;
    EACH(all);
}

/* Each operator leaves one value: the comparison around it exchanges its sides. */
static void sides(void **state) {
    static const struct pair all[] = {{"1 + 2", "1 2 +"},
                                      {"1 - 2", "1 2 -"},
                                      {"1 * 2", "1 2 *"},
                                      {"1 / 2", "1 2 /"},
                                      {"1 % 2", "1 2 %"},
                                      {"1 << 2", "1 2 <<"},
                                      {"1 >> 2", "1 2 >>"},
                                      {"1 < 2", "1 2 <"},
                                      {"1 <= 2", "2 1 < 1 ^"},
                                      {"1 > 2", "2 1 <"},
                                      {"1 >= 2", "1 2 < 1 ^"},
                                      {"1 == 2", "1 2 =="},
                                      {"1 != 2", "1 2 == 1 ^"},
                                      {"1 & 2", "1 2 &"},
                                      {"1 ^ 2", "1 2 ^"},
                                      {"1 | 2", "1 2 |"},
                                      {"1 && 2", "1 2 &&"},
                                      {"1 || 2", "1 2 ||"},
                                      {"1 ? 2 : 3", "1 2 3 ?"},
                                      {"-1", "1 neg"},
                                      {"~1", "1 ~"},
                                      {"!1", "1 0 =="},
                                      {"+1", "1"},
                                      {"0x8000000000000000", "1 63 << 0 +"},
                                      {"acc[3]", "R9"},
                                      {"M", "3 neg"}};
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char line[200], wanted[200];
        (void)snprintf(line, sizeof line, ".expect R3 = i * (%s) > j", all[n].line);
        (void)snprintf(wanted, sizeof wanted, "operand 2: R3 = j i %s * <", all[n].wanted);
        becomes(line, wanted);
    }
    assert_int_equal(differences, 0);
}

static void contracts(void **state) {
    static const struct pair all[] = {
        {".expect R4 + 1 = 5", "expect 2: R4 1 + = 5"},
        {".expect R4 + 1 = 5 mod N", "expect 2: R4 1 + = 5 7 mod"},
        {".expect R4 = 5 mod 7", "expect 2: R4 = 5 7 mod"},
        {".expect R4 = v", "expect 2: R4 = v"},
        {".expect R4 < v * y", "expect 2: R4 < v y *"},
        {".expect acc < v", "expect 2: R8 < v"},
        {".expect acc[2:5] < v", "expect 2: R8:11 < v"},
        {".expect A < v", "expect 2: R12 < v"}, /* only a register has a contract */
        {".expect P0 + 0 = P6", "expect 2: P0 0 + = P6"},
        {".expect R3 = P6", "expect 2: R3 = P6"},
        {".expect P0 = P6", "expect 2: P0 = P6"},
        {".expect P0 = 1", "expect 2: P0 = 1"},
        {".expect A = P6", "expect 2: R12 = P6"},
        {".expect R3 < s32(R4)", "expect 2: R3 < R4:4 s32"},
        {".expect R3 = R4:R5 + 1", "expect 2: R3 = R4:5 1 +"},
        {".expect D = P6",
         "E084 14:1+14 `.expect D = P6`: no register, .let or parameter of the kernel is called "
         "`D`"},
        {".expect B = u64(R4)",
         "E084 14:1+19 `.expect B = u64(R4)`: no register, .let or parameter of the kernel is "
         "called `B`"},
        {".expect u64(R4) = s64(R6) + s32(R8) - u32(R9)",
         "expect 2: R4:5 = R6:7 s64 R8:8 s32 + R9:9 -"},
        {".expect u64( R253 ) = 1", "expect 2: R253:254 = 1"},
        {".expect s32(R254) = 1", "expect 2: R254:254 s32 = 1"},
        {".expect R0:R31 = 1", "expect 2: R0:31 = 1"},
        {".expect R4:R4 = 1", "expect 2: R4:4 = 1"},
        {".ensure R4 = 5", "ensure 1: R4 = 5"},
        {".ensure R4 == 5", "ensure 1: R4 = 5"},
        {".ensure R4 <= R5 >> 1", "ensure 1: R4 <= R5 1 >>"},
        {".ensure R4 < (R5 & 1)", "ensure 1: R4 < R5 1 &"},
        {".ensure R4 << 1 = 5", "ensure 1: R4 1 << = 5"},
        {".ensure (R4 > 1) = 5 > 4", "ensure 1: 1 R4 < = 4 5 <"},
        {".ensure acc[3] - acc[2:4] = ub mod acc[2] * M",
         "ensure 1: R9 R8:10 - = UR6 R8 3 neg * mod"},
        {".ensure UR4 = UR62 + UR0", "ensure 1: UR4 = UR62 UR0 +"},
        {".ensure lane + warp * block = block.y - block.z + block.x",
         "ensure 1: lane warp block0 * + = block1 block2 - block0 +"},
        {".ensure v * width * v * y = 1", "ensure 1: v width * v * y * = 1"},
        {".ensure R4:R7 = 1", "ensure 1: R4:7 = 1"},
        {".let w = R5 * acc[3]", "let 2: w = R5 R9 *"},
        {".let w1.$_ = 1 < R5 ? 2 : 3", "let 2: w1.$_ = 1 R5 < 2 3 ?"},
        {".let RZ = 1", "let 2: RZ = 1"},
    };
    (void)state;
    EACH(all);
}

/* ---------------------------------------------------------------- what is wrong */

static void wrong(const char *line, unsigned column, unsigned length, const char *problem) {
    char wanted[LONG];
    (void)snprintf(wanted, sizeof wanted, "E084 14:%u+%u `%s`: %s", column, length, line, problem);
    becomes(line, wanted);
}

#define NO_SUBJECT  "it begins with the name of an operand or a register"
#define NO_RELATION "=, < or <= stands behind the operand or register"
#define NO_OPERAND  "a number or a name is missing"
#define MORE        "there is more behind the expression"
#define TYPED       "u64, s64, u32 and s32 take one register, the first of a pair"
#define RUN         "a run of registers is R4:R7, the lowest word first, of at most 32"
#define ELEMENTS    "i, j and q are those of an operand's elements"

struct mistake {
    const char *line;
    unsigned column, length;
    const char *problem;
};
#define EACH_WRONG(list)                                                                           \
    for (size_t n = 0; n < sizeof(list) / sizeof *(list); n++)                                     \
        wrong((list)[n].line, (list)[n].column, (list)[n].length, (list)[n].problem);              \
    assert_int_equal(differences, 0)
#define WHOLE(line, problem)                                                                       \
    { line, 1, sizeof(line) - 1, problem }

static void wrong_operands(void **state) {
    static const struct mistake all[] = {
        WHOLE(".expect = 5", NO_SUBJECT),
        WHOLE(".expect 5", NO_SUBJECT),
        WHOLE(".expect A", NO_RELATION),
        WHOLE(".expect A > 5", NO_RELATION),
        WHOLE(".expect A =", NO_OPERAND),
        WHOLE(".expect A = 5 +", NO_OPERAND),
        WHOLE(".expect A = 5 5", MORE),
        WHOLE(".expect A = (5", "`)` is expected here"),
        WHOLE(".expect A = x[5", "a bracket is not closed"),
        WHOLE(".expect A = x[5] + 1", MORE),
        WHOLE(".expect A = 5 ? 1", "`:` is expected here"),
        WHOLE(".expect E = 5", "the instruction behind it has no such operand"),
        WHOLE(".expect acc[6] = 5", NO_RELATION),
        WHOLE(".expect acc[1] = 5", NO_RELATION),
    };
    (void)state;
    EACH_WRONG(all);
}

static void wrong_contracts(void **state) {
    static const struct mistake all[] = {
        WHOLE(".ensure R4", NO_RELATION),
        WHOLE(".ensure R4 = 1 = 2", MORE),
        WHOLE(".ensure R4 & 1 = 2", NO_RELATION),
        WHOLE(".ensure R4 < 5 mod 3", "mod stands behind an equation"),
        WHOLE(".ensure R4 <= 5 mod 3", "mod stands behind an equation"),
        WHOLE(".ensure R4 = 5 mod", NO_OPERAND),
        WHOLE(".ensure R4 = 5 mod 3 mod 2", MORE),
        WHOLE(".ensure R4 = 5 mode 3", MORE),
        WHOLE(".ensure i = 1", ELEMENTS),
        WHOLE(".ensure 1 = j", ELEMENTS),
        WHOLE(".ensure q < 1", ELEMENTS),
        WHOLE(".ensure u64(R4:R5) = 1", TYPED),
        WHOLE(".ensure u64(R254) = 1", TYPED),
        WHOLE(".ensure s32(RZ) = 1", TYPED),
        WHOLE(".ensure s32(UR4) = 1", TYPED),
        WHOLE(".ensure u32(5) = 1", TYPED),
        WHOLE(".ensure s64(R4 = 1", TYPED),
        WHOLE(".ensure R4:R3 = 1", RUN),
        WHOLE(".ensure R4:R36 = 1", RUN),
        WHOLE(".ensure R4:UR7 = 1", RUN),
        WHOLE(".ensure R4:7 = 1", RUN),
        WHOLE(".let = 5", "it begins with a new name"),
        WHOLE(".let R5 = 5", "it begins with a new name"),
        WHOLE(".let UR5 = 5", "it begins with a new name"),
        WHOLE(".let P0 = 5", "it begins with a new name"),
        WHOLE(".let w", "= stands behind the name"),
        WHOLE(".let w 5", "= stands behind the name"),
        WHOLE(".let w =", NO_OPERAND),
        WHOLE(".let w = 5 6", MORE),
        WHOLE(".let i = 5", "the name stands for something else already"),
        WHOLE(".let lane = 5", "the name stands for something else already"),
        WHOLE(".let block.z = 5", "the name stands for something else already"),
        WHOLE(".let N = 5", "the name stands for something else already"),
        WHOLE(".let acc = 5", "the name stands for something else already"),
    };
    (void)state;
    EACH_WRONG(all);
}

/* The characters are marked where they stand once. */
static void wrong_places(void **state) {
    static const struct mistake all[] = {
        {".ensure R4 = 12ab + 1", 14, 4,
         "`12ab` is no number: 0x, 0b or 0o and digits, or decimal digits"},
    };
    (void)state;
    EACH_WRONG(all);
}

/* `count` times `piece`, between others. */
static void long_line(char *to, const char *begin, const char *piece, size_t count,
                      const char *behind) {
    strcpy(to, begin);
    for (size_t i = 0; i < count; i++)
        strcat(to, piece);
    strcat(to, behind);
}

static void limits(void **state) {
    char line[LONG];
    (void)state;
    long_line(line, ".expect R3 = 1", " + 1", 31, ""); /* 63 terms, then 65 */
    char wanted[LONG];
    long_line(wanted, "operand 2: R3 = 1", " 1 +", 31, "");
    becomes(line, wanted);
    long_line(line, ".expect R3 = -1", " + 1", 31, ""); /* 64 */
    long_line(wanted, "operand 2: R3 = 1 neg", " 1 +", 31, "");
    becomes(line, wanted);
    long_line(line, ".expect R3 = 1", " + 1", 32, "");
    wrong(line, 1, (unsigned)strlen(line), "it has too many terms");
    /* 14 values at a time, then 15 */
    long_line(line, ".expect R3 = 1", " - (1", 13, "");
    strcat(line, ")))))))))))))");
    long_line(wanted, "operand 2: R3 =", " 1", 14, " - - - - - - - - - - - - -");
    becomes(line, wanted);
    long_line(line, ".expect R3 = 1", " - (1", 14, "))))))))))))))");
    wrong(line, 1, (unsigned)strlen(line), "it is nested too deep");
    /* A choice takes three, and leaves one. */
    long_line(line, ".expect R3 = (i ? j : q)", " + (i ? j : q)", 8, "");
    long_line(wanted, "operand 2: R3 = i j q ?", " i j q ? +", 8, "");
    becomes(line, wanted);
    assert_int_equal(differences, 0);
}

/* 16 names, then 17. */
static void names(void **state) {
    char source[2 * LONG], sum[LONG] = "";
    static struct said said;
    (void)state;
    for (unsigned count = 16; count <= 17; count++) {
        fhec_program *program;
        fhec_expectation e;
        strcpy(source, head);
        *sum = 0;
        for (unsigned i = 0; i < count; i++) {
            (void)snprintf(source + strlen(source), 32, ".let n%u = R1\n", i);
            (void)snprintf(sum + strlen(sum), 32, " + n%u", i);
        }
        strcat(strcat(strcat(source, ".ensure R4 = n3"), sum), tail);
        said.count = 0;
        assert_int_equal(assemble(source, &said, &program), count == 16 ? FHEC_OK : FHEC_BAD_INPUT);
        if (count == 17) {
            assert_int_equal(said.count, 1);
            assert_non_null(strstr(said.d[0].message, "it has too many names"));
            break;
        }
        assert_true(fhec_kernel_expectation(program, 0, 1, &e)); /* of word 1, before .let of 2 */
        assert_int_equal(e.name_count, 16);
        assert_string_equal(e.names[0], "n3");
        assert_string_equal(e.names[3], "n2");
        assert_string_equal(e.names[15], "n15");
        fhec_program_free(program);
    }
}

/* Those of each kernel by words, and who has none of them. */
static void kernels(void **state) {
    static const char source[] = ".kernel A\n  NOP ;\n.expect R1 = 1\n.ensure R2 = 2\n  EXIT ;\n"
                                 ".ensure R3 = 3\n.end\n.kernel B\n  EXIT ;\n.end\n"
                                 ".kernel C\n.expect R4 = 4\n  EXIT ;\n.ensure R5 = 5\n.end\n";
    static const struct {
        size_t kernel, index;
        uint32_t word;
        const char *text;
    } all[] = {{0, 0, 0, "R2 = 2"},
               {0, 1, 1, "R1 = 1"},
               {0, 2, 1, "R3 = 3"},
               {2, 0, 0, "R4 = 4"},
               {2, 1, 0, "R5 = 5"}};
    fhec_program *program;
    fhec_expectation e;
    (void)state;
    assert_int_equal(assemble(source, NULL, &program), FHEC_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_true(fhec_kernel_expectation(program, all[i].kernel, all[i].index, &e));
        assert_string_equal(e.text, all[i].text);
        assert_int_equal(e.word, all[i].word);
    }
    assert_false(fhec_kernel_expectation(program, 0, 3, &e));
    assert_false(fhec_kernel_expectation(program, 1, 0, &e));
    assert_false(fhec_kernel_expectation(program, 2, 2, &e));
    assert_false(fhec_kernel_expectation(program, 3, 0, &e));
    fhec_program_free(program);
}

static void nowhere(void **state) {
    (void)state;
    expect_said(".kernel K\n.ensure R1 = 1\n  EXIT ;\n.end\n", "E084 2:1");
    expect_said(".kernel K\n  EXIT ;\n.expect R1 = 1\n.end\n", "E084 3:1");
    expect_said(".kernel K\n  EXIT ;\n.let x = 1\n.end\n", "E084 3:1");
    expect_said(".kernel K\n  EXIT ;\n.let\n.ensure\n.expect\n.end\n",
                "E051 3:1, E051 4:1, E051 5:1");
    expect_said(".expect R1 = 1\n.kernel K\n  EXIT ;\n.end\n", "E052 1:1");
    expect_said(".kernel K\n.param width, 4\n.let height = 1\n  NOP ;\n.ensure widht = 1\n"
                ".ensure heihgt = 1\n  EXIT ;\n.end\n",
                "E084 5:1, E084 6:1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands),       cmocka_unit_test(operators),
        cmocka_unit_test(sides),          cmocka_unit_test(contracts),
        cmocka_unit_test(wrong_operands), cmocka_unit_test(wrong_contracts),
        cmocka_unit_test(wrong_places),   cmocka_unit_test(limits),
        cmocka_unit_test(names),          cmocka_unit_test(kernels),
        cmocka_unit_test(nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
