/*
 * value_origin.c - see value_origin.h.
 */
#include "value_origin.h"

#include <string.h>

#include "debugger_state.h"
#include "replay.h"

/* The last step of the focus' warp in the launch under way; FH_NO_STEP: it has none. */
static uint32_t last_step(const struct fh_debugger *d, const struct fh_journal *journal) {
    const size_t count = fh_journal_warp_count(journal);
    for (size_t i = count; i-- > 0;) {
        const struct fh_journal_warp *warp = fh_journal_warp_get(journal, i);
        if (warp->launch == d->launch + 1 && warp->warp == d->focus.warp &&
            memcmp(warp->block, d->focus.block, sizeof warp->block) == 0)
            return fh_journal_last_step(journal, i);
    }
    return FH_NO_STEP;
}

static bool slice_register(const struct fh_debugger *d, const struct fh_explain *asked,
                           struct fh_explanation *e) {
    uint32_t value;
    e->writer = last_step(d, e->journal);
    if (e->writer == FH_NO_STEP)
        return true;
    if (e->writer < fh_journal_oldest(e->journal)) {
        e->writer = FH_NO_STEP;
        e->forgotten = true;
    } else if (!fh_journal_value(e->journal, e->writer, asked->file, asked->reg, asked->lane,
                                 &value)) {
        e->writer = fh_journal_writer(e->journal, e->writer, asked->file, asked->reg, asked->lane,
                                      &e->forgotten);
    }
    return e->writer == FH_NO_STEP ||
           fh_slice_make_register(&e->slice, e->journal, e->writer, asked->file, asked->reg,
                                  asked->lane, &asked->limits);
}

static fhec_status slice(struct fh_debugger *d, const struct fh_explain *asked,
                         struct fh_explanation *e) {
    uint64_t value = 0;
    bool fine;
    if (asked->memory) {
        if (fhec_read(d->machine, asked->address, &value, asked->bytes) != FHEC_OK)
            return fh_debugger_fail(d, FHEC_BAD_INPUT, "%s", fhec_machine_error(d->machine));
        fine = fh_slice_make(&e->slice, e->journal, asked->address, asked->bytes, &value,
                             &asked->limits);
    } else {
        fine = slice_register(d, asked, e);
    }
    return fine && fh_journal_complete(e->journal)
               ? FHEC_OK
               : fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for what ran");
}

fhec_status fh_debugger_explain(struct fh_debugger *d, const struct fh_explain *asked,
                                struct fh_explanation *e) {
    struct fh_debugger *again = NULL;
    *e = (struct fh_explanation){.writer = FH_NO_STEP};
    fhec_status status = fh_replay_new(d, &again);
    if (status != FHEC_OK)
        return status;
    /* From the beginning, so that the journal's numbers of launches are the debugger's. */
    status = fh_journal_begin(fh_debugger_machine(again), asked->most_bytes, &e->journal);
    if (status != FHEC_OK)
        fh_debugger_fail(d, status, "no host memory for what ran");
    else
        status = fh_replay_to(d, again, fh_debugger_time(d));
    if (e->journal)
        fh_journal_stop(e->journal);
    if (status == FHEC_OK)
        status = slice(d, asked, e);
    fh_replay_free(again);
    return status;
}

void fh_explanation_free(struct fh_explanation *e) {
    fh_slice_free(&e->slice);
    fh_journal_free(e->journal);
    *e = (struct fh_explanation){.writer = FH_NO_STEP};
}
