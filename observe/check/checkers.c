/*
 * checkers.c - see checkers.h. A checker is here when its row is.
 */
#include "checkers.h"

#include <stdlib.h>

#include "check_bounds.h"
#include "check_fragments.h"
#include "check_leaks.h"
#include "check_operands.h"
#include "check_race.h"
#include "check_sync.h"
#include "init_checker.h"

static const struct fh_checker_row *const rows[FH_CHECKERS] = {
    [FH_CHECK_INIT] = &fh_check_init,           [FH_CHECK_RACE] = &fh_check_race,
    [FH_CHECK_SYNC] = &fh_check_sync,           [FH_CHECK_ASYNC] = &fh_check_async,
    [FH_CHECK_BOUNDS] = &fh_check_bounds,       [FH_CHECK_OPERANDS] = &fh_check_operands,
    [FH_CHECK_FRAGMENTS] = &fh_check_fragments, [FH_CHECK_LEAKS] = &fh_check_leaks,
};

struct fh_checkers {
    void *states[FH_CHECKERS];
    bool begun[FH_CHECKERS];
};

unsigned fh_checkers_present(void) {
    unsigned present = 0;
    for (unsigned i = 0; i < FH_CHECKERS; i++)
        present |= rows[i] ? FH_CHECK_BIT(i) : 0;
    return present;
}

fhec_status fh_checkers_begin(fhec_machine *machine, unsigned wanted, struct fh_findings *findings,
                              struct fh_checkers **checkers) {
    struct fh_checkers *c = *checkers = calloc(1, sizeof *c);
    if (!c)
        return FHEC_HOST_ERROR;
    for (unsigned i = 0; i < FH_CHECKERS; i++) {
        if (!rows[i] || !(wanted & FH_CHECK_BIT(i)))
            continue;
        const fhec_status status = rows[i]->begin(machine, findings, &c->states[i]);
        if (status != FHEC_OK) {
            (void)fh_checkers_end(c);
            *checkers = NULL;
            return status;
        }
        c->begun[i] = true;
    }
    return FHEC_OK;
}

fhec_status fh_checkers_end(struct fh_checkers *checkers) {
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; checkers && i < FH_CHECKERS; i++) {
        const fhec_status ended = checkers->begun[i] ? rows[i]->end(checkers->states[i]) : FHEC_OK;
        status = ended == FHEC_OK ? status : ended;
    }
    free(checkers);
    return status;
}
