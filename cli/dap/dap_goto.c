/*
 * dap_goto.c - going to a line. A program cannot be put elsewhere without having run there: what is
 * gone to is a time, the next one at which the thread's warp comes to the line, or the last one at
 * which it was there. No stop on the way counts.
 *
 * Requests: gotoTargets, goto. A target is told as a number that says all of it,
 *
 *     (kernel << 28 | instruction) << 1 | backwards, plus 1
 *
 * so that none has to be kept.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dap_code.h"
#include "dap_handles.h"
#include "dap_parts.h"

enum { WORD = 16, WORD_BITS = 28, KERNEL_BITS = 20, MOST_PLACES = 32 };

struct place {
    size_t code; /* the kernel's number among all */
    uint32_t word;
};

/* ---------------------------------------------------------------- gotoTargets */

/* The instructions at which a line begins: the first one of each run of them. */
struct entry_search {
    const char *file;
    uint32_t line;  /* at least */
    uint32_t found; /* the first such line with an instruction; 0: none */
    struct place places[MOST_PLACES];
    size_t count;
    struct place last; /* the instruction of the line that was seen last */
    bool has_last;
};

/* The line of the file to which the instruction belongs, from search->line on; 0: none. */
static uint32_t line_of(const struct entry_search *search, const struct fh_dap_place *at) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    fhec_location where = fhec_kernel_location(at->program, at->kernel, at->word);
    const size_t count =
        fhec_kernel_expansions(at->program, at->kernel, at->word, steps, FHEC_MAX_EXPANSIONS);
    uint32_t best = 0;
    for (size_t i = 0;; where = steps[i++].at) {
        if (where.file && where.line >= search->line && (!best || where.line < best) &&
            !strcmp(where.file, search->file))
            best = where.line;
        if (i == count)
            return best;
    }
}

static bool try_entry(void *user, const struct fh_dap_place *at) {
    struct entry_search *search = user;
    const uint32_t line = line_of(search, at);
    if (!line || (search->found && line > search->found))
        return true;
    if (line != search->found) { /* a line before those that have been found */
        search->found = line;
        search->count = 0;
        search->has_last = false;
    }
    const bool follows =
        search->has_last && search->last.code == at->code && search->last.word + 1 == at->word;
    search->last = (struct place){at->code, at->word};
    search->has_last = true;
    if (!follows && search->count < MOST_PLACES)
        search->places[search->count++] = search->last;
    return true;
}

static json_t *target_json(struct fh_dap *dap, uint32_t line, const struct place *place,
                           bool back) {
    struct fh_dap_code code;
    if (!fh_dap_code_number(dap, place->code, &code))
        return NULL;
    code.pc = (uint64_t)place->word * WORD;
    const json_int_t id = ((((json_int_t)place->code << WORD_BITS) | place->word) << 1 | back) + 1;
    return json_pack("{s:I, s:o, s:I, s:o}", "id", id, "label",
                     fh_dap_format("%s+0x%04" PRIx64 "%s", code.info.name, code.pc,
                                   back ? ", the last time it was there" : ", the next time"),
                     "line", (json_int_t)line - dap->lines_from_0, "instructionPointerReference",
                     fh_dap_code_json(&code));
}

bool fh_dap_goto_targets(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *file = fh_dap_source_file(dap, json_object_get(arguments, "source"));
    const json_int_t line = fh_dap_int(arguments, "line") + dap->lines_from_0;
    struct entry_search search = {.file = file};
    json_t *targets = json_array();
    if (file && line > 0 && line < UINT32_MAX) {
        search.line = (uint32_t)line;
        fh_dap_each_place(dap, try_entry, &search);
    }
    for (size_t i = 0; i < search.count; i++)
        for (unsigned back = 0; back < 2; back++)
            json_array_append_new(targets, target_json(dap, search.found, &search.places[i], back));
    *body = json_pack("{s:o}", "targets", targets);
    return true;
}

/* ---------------------------------------------------------------- goto */

static bool read_target(struct fh_dap *dap, json_int_t id, struct fh_dap_code *code, bool *back) {
    const json_int_t place = (id - 1) >> 1;
    const uint32_t word = (uint32_t)(place & ((1 << WORD_BITS) - 1));
    if (id < 1 || place >> WORD_BITS >> KERNEL_BITS ||
        !fh_dap_code_number(dap, (size_t)(place >> WORD_BITS), code) ||
        word >= code->info.word_count)
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no target %lld", (long long)id);
    code->pc = (uint64_t)word * WORD;
    *back = (id - 1) & 1;
    return true;
}

/* Goes; a time is not gone to that is here. */
static fhec_status find(struct fh_dap *dap, const struct fh_breakpoint *place, bool back,
                        struct fh_debug_stop *stop) {
    const struct fh_debug_time from = fh_debugger_time(dap->debugger);
    fh_dap_within_begin(dap, back ? "going back to a line" : "going on to a line");
    fhec_status status = fh_debugger_find(dap->debugger, place, back, stop);
    if (status == FHEC_OK && stop->reason == FH_STOP_BREAKPOINT &&
        fh_debug_time_compare(from, fh_debugger_time(dap->debugger)) == 0)
        status = fh_debugger_find(dap->debugger, place, back, stop);
    fh_dap_within_end(dap);
    return status;
}

static bool refuse(struct fh_dap *dap, const struct fh_debug_stop *stop,
                   const struct fh_dap_code *code, bool back) {
    switch (stop->reason) {
    case FH_STOP_CANCEL: return fh_dap_fail(dap, FH_DAP_CANCELLED, "cancelled");
    case FH_STOP_FAULT:
        return fh_dap_fail(dap, FH_DAP_REFUSED,
                           "before it comes to %s+0x%04" PRIx64 " there is a fault",
                           code->info.name, code->pc);
    default:
        return fh_dap_fail(dap, FH_DAP_REFUSED, "the warp of this thread %s %s+0x%04" PRIx64 "%s",
                           back ? "was not at" : "does not come to", code->info.name, code->pc,
                           back ? " before" : " any more");
    }
}

bool fh_dap_goto(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    struct fh_dap_code code, here;
    struct fh_debug_stop stop;
    bool back = false;
    (void)body;
    if (!read_target(dap, fh_dap_int(arguments, "targetId"), &code, &back) ||
        !fh_dap_focus_thread(dap, arguments))
        return false;
    const struct fh_debug_time from = fh_debugger_time(dap->debugger);
    const struct fh_focus focus = *fh_debugger_focus(dap->debugger);
    struct fh_breakpoint place = {
        .kind = FH_BREAK_PC, .shown = "goto", .pc = code.pc, .kernel = code.info.name};
    if (fh_dap_code_at(dap, from.launch, 0, &here) && here.number == code.number) {
        place.scope = fh_focus_scope(&focus);
        place.scope.lanes = 0;
    } /* else any warp of the other kernel */
    const fhec_status status = find(dap, &place, back, &stop);
    if (status != FHEC_OK)
        return fh_dap_model_fail(dap, FH_DAP_REFUSED);
    if (stop.reason == FH_STOP_NONE) {
        (void)fh_debugger_set_focus(dap->debugger, &focus);
        return refuse(dap, &stop, &code, back);
    }
    fh_dap_forget_handles(dap);
    if (stop.reason != FH_STOP_BREAKPOINT) {
        fh_dap_tell_stop(dap);
        return refuse(dap, &stop, &code, back);
    }
    fh_dap_tell_stopped(dap, "goto", NULL);
    return true;
}
