/*
 * finding_text.c - see finding_text.h.
 */
#include "finding_text.h"

enum { TEXT = 16384 };

static const char *times(uint64_t count, char text[24]) {
    snprintf(text, 24, "%llu times", (unsigned long long)count);
    return count == 1 ? "once" : count == 2 ? "twice" : text;
}

static void put(char *text, const struct fh_finding *f) {
    char *at = text + strlen(text), number[24];
    const char *end = text + TEXT;
#define PUT(...) at += snprintf(at, (size_t)(end - at), __VA_ARGS__)
    PUT("%s at 0x%llx, lanes 0x%x, %s: %s", fh_finding_id(f->kind), (unsigned long long)f->at.pc,
        f->at.lanes, times(f->count, number), f->message);
    if (f->has_memory && f->object.name)
        PUT("; %s %s+%llu", fhec_space_name(f->space), f->object.name,
            (unsigned long long)f->object.offset);
    else if (f->has_memory)
        PUT("; %s", fhec_space_name(f->space));
    if (f->other.program)
        PUT("; 0x%llx %s", (unsigned long long)f->other.pc, f->role);
    for (uint32_t i = 0; i < f->computed_count; i++)
        PUT("%s %u", i ? "" : "; by", f->computed_by[i].at.line);
    PUT("\n");
#undef PUT
}

char *finding_text(const struct finding_run *run) {
    const fhec_machine_options options = {.threads = 1};
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers;
    fhec_machine *m;
    uint64_t params[32] = {0};
    uint32_t words[64];
    char *text = calloc(1, TEXT);
    fhec_program *program = emu_assemble(run->source);
    assert_true(findings && text && run->word_count <= 30);
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fh_checkers_begin(m, run->checkers, findings, &checkers), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "a", sizeof words, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "b", 128, 0, &params[1]), FHEC_OK);
    for (uint32_t i = 0; i < 64; i++)
        words[i] = i;
    assert_int_equal(fhec_write(m, params[0], words, sizeof words), FHEC_OK);
    for (size_t i = 0; i < run->word_count; i++)
        params[2 + i] = run->words[i];
    for (size_t i = 0; i == 0 || i < run->launches; i++) {
        const fhec_launch launch = {.program = program,
                                    .kernel = i % 2,
                                    .grid = {run->blocks, 1, 1},
                                    .block = {run->threads, 1, 1},
                                    .params = params,
                                    .param_bytes = 16 + 8 * run->word_count,
                                    .max_steps = 100000};
        const fhec_status status = fhec_run(m, &launch);
        if (status != (run->faults ? FHEC_GUEST_FAULT : FHEC_OK))
            fail_msg("the kernel ends with %d: %s\n%s", status, fhec_machine_error(m), run->source);
    }
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    for (size_t i = 0; i < fh_findings_count(findings); i++)
        put(text, fh_findings_get(findings, i));
    fh_findings_free(findings);
    fhec_machine_free(m);
    fhec_program_free(program);
    return text;
}

void finding_cases(const char *head, const char *tail, unsigned checkers,
                   const struct finding_case *cases, size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char source[TEXT];
        const struct finding_run run = {.source = source,
                                        .checkers = checkers,
                                        .blocks = 1,
                                        .threads = cases[i].threads ? cases[i].threads : 32};
        snprintf(source, sizeof source, "%s%s%s", head, cases[i].source, tail);
        char *found = finding_text(&run);
        if (strcmp(found, cases[i].found) != 0) {
            print_error("case %zu:\n%s\nfound:\n%swanted:\n%s", i, cases[i].source, found,
                        cases[i].found);
            wrong++;
        }
        free(found);
    }
    assert_int_equal(wrong, 0);
}
