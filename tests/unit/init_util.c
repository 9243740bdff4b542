/*
 * init_util.c - see init_util.h.
 */
#include "init_util.h"

#include "checkers.h"

enum { WORDS = 32, BEFORE = 8 /* instructions before the body */ };

static const char head[] = ".target sm_80, fhec\n.kernel k\n.param x, 8\n.param y, 8\n"
                           ".shared s, 1024\n.local 64\n"
                           "S2R R0, SR_TID.X ;\nMOV R10, RZ ;\nMOV R12, 0x4 ;\n"
                           "IMAD.WIDE.U32 R2, R0, R12, x ;\nIMAD.WIDE.U32 R4, R0, R12, y ;\n"
                           "MOV R11, 0xffffffff ;\nUMOV UR4, 0x7 ;\n"
                           "ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\n";

static void complain(void *user, const fhec_diagnostic *d) {
    (void)user;
    print_error("%s: %s\n%s\n", d->id, d->message, d->source_line ? d->source_line : "");
}

static struct fh_findings *find(const char *body, bool may_fault) {
    const fhec_machine_options options = {.threads = 1};
    const fhec_assemble_options assembling = {.diagnostic = complain};
    const size_t size = sizeof head + strlen(body) + 32;
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers;
    fhec_program *program;
    fhec_machine *machine;
    uint64_t params[2];
    uint32_t words[WORDS];
    char *text = malloc(size);
    assert_non_null(text);
    assert_non_null(findings);
    const int length = snprintf(text, size, "%s%s\nEXIT ;\n.end\n", head, body);
    assert_int_equal(fhec_assemble("case", text, (size_t)length, &assembling, &program), FHEC_OK);
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fh_checkers_begin(machine, FH_CHECK_BIT(FH_CHECK_INIT), findings, &checkers),
                     FHEC_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * 0x01010101u;
    assert_int_equal(fhec_alloc(machine, "x", sizeof words, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "y", 4 * sizeof words, 0, &params[1]), FHEC_OK);
    assert_int_equal(fhec_write(machine, params[0], words, sizeof words), FHEC_OK);
    const fhec_launch launch = {.program = program,
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params,
                                .max_steps = 10000};
    const fhec_status status = fhec_run(machine, &launch);
    if (status != FHEC_OK && !(may_fault && status == FHEC_GUEST_FAULT))
        fail_msg("the kernel fails:\n%s\n%s", body, fhec_machine_error(machine));
    assert_int_equal(fhec_read(machine, params[1], words, sizeof words), FHEC_OK);
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    fhec_machine_free(machine);
    fhec_program_free(program);
    free(text);
    return findings;
}

void init_cases(const struct init_case *cases, size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct fh_findings *findings = find(cases[i].body, false);
        char ids[256] = "";
        static const char *const all[] = {"C001", "C002", "C003", "C004", "C005", "C006", "C007"};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            bool any = false;
            for (size_t n = 0; n < fh_findings_count(findings); n++)
                any |= strcmp(fh_finding_id(fh_findings_get(findings, n)->kind), all[k]) == 0;
            if (any)
                snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", *ids ? " " : "",
                         all[k]);
        }
        /* a case that writes no result leaves y as it was */
        char *unwritten = strstr(ids, "C007");
        if (unwritten && !strstr(cases[i].found, "C007"))
            unwritten[unwritten > ids ? -1 : 0] = '\0';
        if (strcmp(ids, cases[i].found) != 0) {
            print_error("%s: found \"%s\", expected \"%s\"\n", cases[i].name, ids, cases[i].found);
            wrong++;
        }
        fh_findings_free(findings);
    }
    assert_int_equal(wrong, 0);
}

void init_undefined_in(const char *body, uint32_t bits, uint32_t lanes) {
    for (unsigned lane = 0; lane < 32; lane++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "%sLOP3.LUT R6, R6, 0x%x, RZ, 0xc0, !PT ;\nISETP.EQ.U32.AND P4, PT, R0, 0x%x, PT "
                 ";\n@P4 STG.E [R4.64], R6 ;\n",
                 body, bits, lane);
        const struct init_case one = {body, text, lanes >> lane & 1 ? "C006" : ""};
        init_cases(&one, 1);
    }
}

static int instruction_of(const struct fh_place *place) {
    return place->program ? (int)(place->pc / sizeof(fhec_word)) - BEFORE : -1;
}

char *init_message(const char *body, int *at, int *other) {
    struct fh_findings *findings = find(body, false);
    assert_int_equal(fh_findings_count(findings), 1);
    const struct fh_finding *finding = fh_findings_get(findings, 0);
    char *message = strdup(finding->message);
    assert_non_null(message);
    *at = instruction_of(&finding->at);
    *other = instruction_of(&finding->other);
    fh_findings_free(findings);
    return message;
}

void init_survives(const char *body) {
    fh_findings_free(find(body, true));
}
