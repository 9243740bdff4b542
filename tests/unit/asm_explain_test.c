/*
 * asm_explain_test.c - what a wrong statement is told: the argument that is wrong and not one that
 * was left out, what could stand there, the comma or bracket that is missing. Each row is one
 * mistake in an instruction that is right otherwise.
 */
#include "asm_util.h"

struct row {
    const char *text; /* the statement, at column 1 */
    const char *id;
    uint32_t column;
    const char *message, *note; /* the whole message; part of the notes, NULL: no matter */
};

#define REGISTER "a register (R0..R254, RZ)"
#define ANY_B                                                                                      \
    REGISTER ", a number, a constant (c[0x0][0x160]) or a uniform register (UR0..UR62, URZ)"

/* Operands. B of IADD3 may be a number, A and C may not; predicates before A may be left out. */
static const struct row operands[] = {
    {"IADD3 R1, 0x1, 0x2, RZ ;", "E016", 11,
     "operand 2 (`A`) must be " REGISTER ", not the number `0x1`", "the number `0x1` could be `B`"},
    {"IADD3 R1, R2, 0x2, 0x3 ;", "E016", 20,
     "operand 4 (`C`) must be " REGISTER ", not the number `0x3`", "could be `B`"},
    {"IADD3 R1, P0, 0x1, R2, RZ ;", "E016", 15,
     "operand 3 (`A`) must be " REGISTER ", not the number `0x1`", "could be `B`"},
    {"IADD3 R1, UP0, R2, R3, RZ ;", "E016", 11,
     "operand 2 (`Pu`) must be a predicate (P0..P6, PT), not the uniform predicate `UP0`", NULL},
    {"IADD3 R1, UR4, R2, RZ ;", "E016", 11,
     "operand 2 (`A`) must be " REGISTER ", not the uniform register `UR4`", "could be `B`"},
    {"IADD3 R1, here, R2, RZ ;", "E016", 11,
     "operand 2 (`A`) must be " REGISTER ", not the name `here`", "could be `B`"},
    {"IADD3 R1, R2, R3 ;", "E014", 17, "missing operand 4 (`C`)", "it must be " REGISTER},
    {"IADD3 R1, P0, R2, R3 ;", "E014", 21, "missing operand 5 (`C`)", NULL},
    {"MOV R1 ;", "E014", 7, "missing operand 2 (`B`)", "legal: MOV Rd, B, mask"},
    {"IADD3 R1, R2, R3, R4, R5 ;", "E015", 23,
     "surplus operand: `IADD3` is complete with 4 operands", NULL},
    {"IADD3 R1, ~R2, R3, R4 ;", "E025", 11, "operand 2 (`A`) cannot have the sign `~`",
     "`-` without the modifier .X"},
    {"IMAD R1, R2, 3, 4 ;", "E016", 17, "operand 4 (`C`) must be " REGISTER ", not the number `4`",
     "or operand 3 (`B`) must be " REGISTER},
    {"ISETP.GE.AND P0, R1, R2, PT ;", "E014", 18, "missing operand 2 (`Pv`)",
     "it must be a predicate"},
    {"ISETP.GE.AND P0, PT, 0x5, R2, PT ;", "E016", 22,
     "operand 3 (`A`) must be " REGISTER ", not the number `0x5`", "could be `B`"},
    {"ISETP.GE.AND R0, PT, R1, R2, PT ;", "E016", 14,
     "operand 1 (`Pu`) must be a predicate (P0..P6, PT), not the register `R0`", NULL},
    {"LOP3.LUT R1, R2, R3, 0xc0, !PT ;", "E014", 22, "missing operand 4 (`C`)", NULL},
    {"LOP3.LUT P0, RZ, R2, R3, 0xc0, !PT ;", "E014", 26, "missing operand 5 (`C`)", NULL},
    {"SEL R1, R2, P0 ;", "E014", 13, "missing operand 3 (`B`)", "it must be " ANY_B},
    {"SEL R1, R2, R3, R4 ;", "E016", 17,
     "operand 4 (`Pp`) must be a predicate (P0..P6, PT), not the register `R4`", NULL},
    {"MOV R1, 0x1ffffffff ;", "E017", 9,
     "the number `0x1ffffffff` does not fit operand 2 (`B`): it takes -0x80000000 to 0xffffffff",
     NULL},
    {"HFMA2.MMA R1, -RZ, RZ, 0x1ffff, 0x0 ;", "E017", 24,
     "the number `0x1ffff` does not fit operand 4 (`C`): it takes a decimal, or bits from 0x0 to "
     "0xffff",
     NULL},
    {"FADD R1, R2, 0x100000000 ;", "E017", 14,
     "the number `0x100000000` does not fit operand 3 (`C`): it takes a decimal, or bits from 0x0 "
     "to 0xffffffff",
     NULL},
    {"MOV c[0x0][0x10], R1 ;", "E016", 5,
     "operand 1 (`Rd`) must be " REGISTER ", not the constant `c[0x0][0x10]`", "could be `B`"},
    {"LDG.E.64 R4, P0 ;", "E014", 14, "missing operand 2 (`addr`)", NULL},
    {"BRA R1 ;", "E016", 5,
     "operand 1 (`target`) must be a label or a code address, not the register `R1`", NULL},
    {"S2R R1, SR_TID.W ;", "E016", 9,
     "operand 2 (`SR`) must be a special register (SR_TID.X), not the name `SR_TID.W`",
     "a special register with a similar name exists: `SR_TID.X`"},
    {"FFMA R1, 1.0, 2.0, R3 ;", "E016", 10,
     "operand 2 (`A`) must be " REGISTER ", not the number `1.0`", "could be `C` or `B`"},
    {"HADD2 R1, R2, 1.0, R3 ;", "E016", 20,
     "operand 4 (`C`) must be a number, not the register `R3`", NULL},
    {"VOTE.ANY R1, P0 ;", "E014", 16, "missing operand 3 (`Pp`)", "or operand 1 (`Pu`) must be"},
    {"NOP R1, R2 ;", "E015", 5, "surplus operand: `NOP` is complete with 0 operands", NULL},
};

static const struct row names[] = {
    {"IADD3 R1, Q, R2, RZ ;", "E032", 11, "unknown name `Q`", "a similar name exists: `q`"},
    {"IADD3 R1, zz, R2, RZ ;", "E032", 11, "unknown name `zz`", ""},
    {"IADD3 R1, ranges[0], R3, RZ ;", "E032", 11, "unknown name `ranges`",
     "a similar name exists: `range`"},
    {"IADD3 R1, R2 [R3], RZ ;", "E005", 14, "unexpected `[`, expected `,` before it", NULL},
    {"IADD3 R1, r2, R3, RZ ;", "E032", 11, "unknown name `r2`", "the register is written `R2`"},
    {"IADD3 R1, ur4.reuse, R3, RZ ;", "E032", 11, "unknown name `ur4.reuse`",
     "the register is written `UR4`"},
    {"iadd3 R1, R2, R3, RZ ;", "E010", 1, "unknown mnemonic `iadd3`",
     "a mnemonic with a similar name exists: `IADD3`"},
    {"AND R1, R2, R3 ;", "E010", 1, "unknown mnemonic `AND`", ""},
    {"loop R1 ;", "E010", 1, "unknown mnemonic `loop`", ""},
    {"ISETP.GTE.AND P0, PT, R1, R2, PT ;", "E011", 6, "`ISETP` has no modifier `.GTE`",
     "a modifier with a similar name exists: `.GT`"},
};

static const struct row syntax[] = {
    {"IADD3 R1, R2 R3, RZ ;", "E005", 14, "unexpected `R3`, expected `,` before it", NULL},
    {"IADD3 R1 R2, R3, RZ ;", "E005", 10, "unexpected `R2`, expected `,` before it", NULL},
    {"ISETP.GE.AND P0 PT, R1, R2, PT ;", "E005", 17, "unexpected `PT`, expected `,` before it",
     NULL},
    {"BRA her ;", "E030", 5, "there is no label `her` in this kernel", "`here`"},
    {"BRA elsewhere ;", "E030", 5, "there is no label `elsewhere` in this kernel", ""},
    {"LDG.E R1 [R2.64] ;", "E005", 10, "unexpected `[`, expected `,` before it", NULL},
    {"STG.E [R2.64] R4 ;", "E005", 15, "unexpected `R4`, expected `,` before it", NULL},
    {"MOV R1 c[0x0][0x160] ;", "E005", 8, "unexpected `c[`, expected `,` before it", NULL},
    {"IADD3 R1, R2, 0x1 RZ ;", "E005", 19, "unexpected `RZ`, expected `,` before it", NULL},
    {"IADD3 R1, R2, R3 0x1 ;", "E005", 18, "unexpected `0x1`, expected `,` before it", NULL},
    {"MOV R1, 3 4 ;", "E005", 11, "unexpected `4`, expected `,` before it", NULL},
    {"IADD3 R1, R2 -0x1, RZ ;", "E005", 11,
     "unexpected sum `R2 -0x1`, expected `,` before the number", NULL},
    {"IADD3 R1, R2 -R3, RZ ;", "E039", 11, "`-` between two operands: is a `,` missing before it?",
     NULL},
    {"FADD R1, |R2| |R3| ;", "E005", 15, "unexpected `|`, expected `,` before it", NULL},
    {"FADD R1, |R2 R3 ;", "E005", 14, "unexpected `R3`, expected `|`", NULL},
    {"LDG.E R1, [R2.64 ;", "E005", 18, "unexpected `;`, expected `]`", NULL},
    {"LDG.E R1, [R2.64, R3 ;", "E005", 17, "unexpected `,`, expected `]`", NULL},
    {"LDG.E R1, [R2.64) ;", "E005", 17, "unexpected `)`, expected `]`", NULL},
    {"LDG.E R1, R2.64] ;", "E005", 16, "unexpected `]`, which nothing opens", NULL},
    {"LDS R1, [R2+UR4 0x10] ;", "E005", 17, "unexpected `0x10`, expected an operator or `]`", NULL},
    {"MOV R1, c[0x0 [0x10] ;", "E005", 15, "unexpected `[`, expected an operator or `]`", NULL},
    {"MOV R1, c[0x0] 0x10 ;", "E005", 16, "unexpected `0x10`, expected `[`", NULL},
    {"MOV R1, c[0x0][0x10 ;", "E005", 21, "unexpected `;`, expected `]`", NULL},
    {"MOV R1, (3+4 ;", "E005", 14, "unexpected `;`, expected `)`", NULL},
    {"MOV R1, (3+4] ;", "E005", 13, "unexpected `]`, expected `)`", NULL},
    {"MOV R1,, R2 ;", "E005", 8, "unexpected `,`, expected an operand", NULL},
    {"MOV , R1, R2 ;", "E005", 5, "unexpected `,`, expected an operand", NULL},
    {"MOV R1, R2, ;", "E005", 13, "unexpected `;`, expected an operand", NULL},
    {"MOV R1, 3 + ;", "E005", 13, "unexpected `;`, expected an operand", NULL},
    {"@P0, MOV R1, R2 ;", "E005", 4, "unexpected `,`, expected a mnemonic", NULL},
    {"EXIT MOV R1, R2 ;", "E005", 10, "unexpected `R1`, expected `;` before `MOV`", NULL},
    {"MOV R1, R2 EXIT ;", "E005", 12, "unexpected `EXIT`, expected `;` before it", NULL},
    {"MOV R1, R2", "E006", 11, "an instruction ends with `;`", NULL},
    {".local 64 8", "E005", 11, "unexpected `8`, expected `,` before it", NULL},
    {".shared buffer 8", "E005", 16, "unexpected `8`, expected `,` before it", NULL},
};

static struct said said; /* large */

static unsigned check(const struct row *rows, size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        char source[256];
        (void)snprintf(source, sizeof source,
                       ".kernel k\n.reg q = R4\n.reg range[0:1] = R8 ; .equ a, 1\nhere: NOP "
                       ";\n%s\nEXIT ;\n.end\n",
                       r->text);
        said.count = 0;
        assert_int_equal(assemble(source, &said, NULL), FHEC_BAD_INPUT);
        const struct said_one *d = &said.d[0];
        bool noted = !r->note || (*r->note ? strstr(d->notes, r->note) != NULL : !*d->notes);
        if (said.count == 1 && d->line == 5 && d->column == r->column &&
            strcmp(d->id, r->id) == 0 && strcmp(d->message, r->message) == 0 && noted)
            continue;
        wrong++;
        print_message("%s\n", r->text);
        for (size_t k = 0; k < said.count; k++)
            print_message("    %u:%u %s: %s\n%s", said.d[k].line, said.d[k].column, said.d[k].id,
                          said.d[k].message, said.d[k].notes);
    }
    return wrong;
}

static void the_wrong_operand_is_named(void **state) {
    (void)state;
    assert_int_equal(check(operands, sizeof operands / sizeof *operands), 0);
}

static void unknown_names_have_near_ones(void **state) {
    (void)state;
    assert_int_equal(check(names, sizeof names / sizeof *names), 0);
}

static void what_is_missing_is_said(void **state) {
    (void)state;
    assert_int_equal(check(syntax, sizeof syntax / sizeof *syntax), 0);
}

/* Two operands that are wrong are two errors, each at its place. */
static void two_wrong_operands(void **state) {
    (void)state;
    expect_said(".kernel k\nIADD3 R1, 0x1, 0x2, 0x3 ;\nEXIT ;\n.end\n", "E016 2:11, E016 2:21");
    expect_said(".kernel k\nSTG.E R4, [R2.64] ;\nEXIT ;\n.end\n", "E016 2:7, E016 2:11");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wrong_operand_is_named),
        cmocka_unit_test(unknown_names_have_near_ones),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(two_wrong_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
