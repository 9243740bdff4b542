/*
 * race_util.c - see race_util.h.
 */
#include "race_util.h"

#include "checkers.h"

enum { BYTES = 4096, BEFORE = 15 /* instructions before the body */ };

static const char head[] = ".target sm_80\n.kernel k\n.param x, 8\n.shared s, 4096\n"
                           "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nMOV R10, RZ ;\n"
                           "MOV R11, 0x4 ;\nIMAD.WIDE.U32 R2, RZ, R11, x ;\n"
                           "IMAD R4, R1, c[0x0][0x0], R0 ;\nIMAD.WIDE.U32 R4, R4, R11, x ;\n"
                           "IMAD R6, R0, 0x4, RZ ;\nLOP3.LUT R7, R0, 0x1f, RZ, 0xc0, !PT ;\n"
                           "SHF.R.U32.HI R8, RZ, 0x5, R0 ;\n"
                           "ISETP.EQ.U32.AND P0, PT, R7, RZ, PT ;\n"
                           "ISETP.EQ.U32.AND P1, PT, R8, RZ, PT ;\n"
                           "ISETP.EQ.U32.AND P2, PT, R1, RZ, PT ;\n"
                           "ISETP.LT.U32.AND P3, PT, R7, 0x10, PT ;\n"
                           "ISETP.EQ.U32.AND P4, PT, R0, RZ, PT ;\n";

static void complain(void *user, const fhec_diagnostic *d) {
    (void)user;
    print_error("%s: %s\n%s\n", d->id, d->message, d->source_line ? d->source_line : "");
}

struct fh_findings *race_findings(const struct race_case *c) {
    const unsigned wanted =
        FH_CHECK_BIT(FH_CHECK_RACE) | FH_CHECK_BIT(FH_CHECK_SYNC) | FH_CHECK_BIT(FH_CHECK_ASYNC);
    const fhec_machine_options options = {.threads = 1};
    const fhec_assemble_options assembling = {.diagnostic = complain};
    const size_t size = sizeof head + strlen(c->body) + 32;
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers;
    fhec_program *program;
    fhec_machine *machine;
    uint64_t x;
    uint8_t room[BYTES];
    char *text = malloc(size);
    assert_non_null(text);
    assert_non_null(findings);
    const int length = snprintf(text, size, "%s%s\nEXIT ;\n.end\n", head, c->body);
    assert_int_equal(fhec_assemble("case.sass", text, (size_t)length, &assembling, &program),
                     FHEC_OK);
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fh_checkers_begin(machine, wanted, findings, &checkers), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "x", BYTES, 0, &x), FHEC_OK);
    const fhec_launch launch = {.program = program,
                                .grid = {c->grid, 1, 1},
                                .block = {c->block, 1, 1},
                                .params = &x,
                                .param_bytes = sizeof x,
                                .max_steps = 100000};
    const fhec_status status = fhec_run(machine, &launch);
    const bool waits = strstr(c->found, "C036") || strstr(c->found, "C032");
    if (status != FHEC_OK && !(status == FHEC_GUEST_FAULT && waits))
        fail_msg("%s: the kernel fails: %s", c->name, fhec_machine_error(machine));
    assert_int_equal(fhec_read(machine, x, room, BYTES), FHEC_OK);
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    fhec_machine_free(machine);
    fhec_program_free(program);
    free(text);
    return findings;
}

static int by_id(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void race_cases(const struct race_case *cases, size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct fh_findings *findings = race_findings(&cases[i]);
        const char *ids[64];
        char found[512] = "";
        size_t n = fh_findings_count(findings);
        n = n < 64 ? n : 64;
        for (size_t k = 0; k < n; k++)
            ids[k] = fh_finding_id(fh_findings_get(findings, k)->kind);
        qsort(ids, n, sizeof *ids, by_id);
        for (size_t k = 0; k < n; k++)
            if (!k || strcmp(ids[k], ids[k - 1]) != 0)
                snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                         *found ? " " : "", ids[k]);
        if (strcmp(found, cases[i].found) != 0) {
            print_error("%s: found \"%s\", expected \"%s\"\n", cases[i].name, found,
                        cases[i].found);
            wrong++;
        }
        fh_findings_free(findings);
    }
    assert_int_equal(wrong, 0);
}

int race_instruction(const struct fh_place *place) {
    return place->program ? (int)(place->pc / sizeof(fhec_word)) - BEFORE : -1;
}
