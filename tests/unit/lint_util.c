/*
 * lint_util.c - see lint_util.h.
 */
#include "lint_util.h"

static void hear(void *user, const fhec_diagnostic *d) {
    struct lint_found *found = user;
    if (!found->count++) {
        snprintf(found->message, sizeof found->message, "%s: %.300s / %.150s", d->id, d->message,
                 d->note_count ? d->notes[0] : "");
    }
    found->errors += d->severity == FHEC_ERROR;
    size_t used = strlen(found->ids);
    if (used + 6 < sizeof found->ids)
        snprintf(found->ids + used, sizeof found->ids - used, "%s ", d->id);
}

void lint_program(const fhec_program *program, struct lint_found *found) {
    *found = (struct lint_found){.count = 0};
    fhec_status status = fhec_lint(program, hear, found);
    assert_int_equal(status, found->count ? FHEC_DIFFERS : FHEC_OK);
}

void lint_expect_silence(const fhec_program *program, const char *name) {
    struct lint_found found;
    lint_program(program, &found);
    if (found.count)
        fail_msg("%s: %u findings, the first: %s", name, found.count, found.message);
}

/* False if the mutation does not apply to these fields. */
static bool worsen(struct fh_inst *inst, enum lint_mutation how) {
    struct fh_sched *sched = &inst->sched;
    const struct fh_pipe *pipe = fh_pipe_of(inst);
    switch (how) {
    case LINT_LESS_STALL:
        if (sched->stall < 4 || pipe->variable || !pipe->ready[pipe->reads])
            return false;
        sched->stall = 1;
        return true;
    case LINT_NO_WAIT:
        if (!sched->wait_mask)
            return false;
        sched->wait_mask = 0;
        return true;
    case LINT_NO_WRITE_BARRIER:
        if (sched->write_barrier == 7)
            return false;
        sched->write_barrier = 7;
        return true;
    default:
        if (sched->read_barrier == 7)
            return false;
        sched->read_barrier = 7;
        return true;
    }
}

static void mutate_word(fhec_program *program, fhec_word *word, struct lint_score *score) {
    struct fh_inst inst;
    for (unsigned how = 0; how < LINT_MUTATIONS; how++) {
        fhec_word kept = *word;
        if (!fh_decode(*word, &inst) || !worsen(&inst, how))
            continue;
        *word = fh_encode(&inst);
        struct lint_found found;
        lint_program(program, &found);
        score->tried[how]++;
        score->found[how] += found.errors != 0;
        *word = kept;
    }
}

/* Only the kernel that is changed is looked at each time. */
void lint_mutate(fhec_program *program, unsigned step, struct lint_score *score) {
    struct fhec_program one = *program;
    one.kernel_count = 1;
    one.function_count = 0;
    unsigned at = 0;
    for (uint32_t k = 0; k < program->kernel_count; k++) {
        one.kernels = &program->kernels[k];
        for (uint32_t i = 0; i < one.kernels->word_count; i++)
            if (at++ % step == 0)
                mutate_word(&one, &one.kernels->words[i], score);
    }
}

void lint_print_score(const char *what, const struct lint_score *score) {
    static const char *const names[LINT_MUTATIONS] = {"stalls", "waits", "write barriers",
                                                      "read barriers"};
    for (unsigned how = 0; how < LINT_MUTATIONS; how++)
        print_message("# %s: %u of %u %s made worse are found\n", what, score->found[how],
                      score->tried[how], names[how]);
}
