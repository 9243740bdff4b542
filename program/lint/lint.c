/*
 * lint.c - whether the scheduling fields of a program are safe: every path through a kernel or
 * function is followed, and what is outstanding (hazard.h) is joined where paths meet, until
 * nothing changes. Then each block is walked once more, and what its instructions run into is
 * reported.
 *
 * Does not: scoreboards across calls of functions outside the code; whether a wait is needed; what
 * the instructions compute.
 */
#include "array.h"
#include "diagnostic.h"
#include "isa_names.h"
#include "paths.h"
#include "program.h"
#include "reuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lint_id {
#define DIAGNOSTIC(name, id, severity, text) LINT_##name,
#include "lint.def"
#undef DIAGNOSTIC
    LINT_COUNT
};

#define DIAGNOSTIC FH_DIAGNOSTIC_ROW
static const struct fh_diagnostic_row rows[LINT_COUNT] = {
#include "lint.def"
};
#undef DIAGNOSTIC

enum { TEXT_SIZE = 320 };

struct lint {
    const fhec_program *program;
    size_t kernel;                      /* whose locations; SIZE_MAX none */
    const struct fh_function *function; /* NULL: the kernel itself */
    fhec_diagnostic_fn *diagnostic;
    void *user;
    bool no_memory, found;
    struct fh_paths paths;
    unsigned set;   /* scoreboards that some instruction sets */
    uint32_t at;    /* the instruction in hand */
    uint64_t *said; /* what has been reported of it: on other paths it is the same mistake */
    size_t said_count, said_room;
    struct fh_inst inst;
};

/* ---------------------------------------------------------------- reports */

static void instruction_text(const struct lint *l, uint32_t index, char text[TEXT_SIZE]) {
    struct fh_inst inst;
    uint64_t pc = (uint64_t)index * FH_INST_BYTES;
    if (!fh_decode(l->paths.graph.code.words[index], &inst) ||
        fh_print(&inst, pc, FHEC_DIS_CONTROL, text, TEXT_SIZE) < 0)
        snprintf(text, TEXT_SIZE, "an unknown word");
}

/* What the letters of a row stand for. */
struct said {
    const char *resource;
    uint32_t other;
    unsigned mask, number;
};

/* "scoreboard 3", "scoreboards 0, 3 and 5". */
static int put_scoreboards(unsigned mask, char *to, size_t room) {
    int n = snprintf(to, room, mask & (mask - 1) ? "scoreboards" : "scoreboard");
    const char *between = " ";
    for (unsigned b = 0; b < FH_SCOREBOARDS && mask >> b; b++) {
        if (!(mask >> b & 1))
            continue;
        n += snprintf(to + n, room - (size_t)n, "%s%u", between, b);
        unsigned rest = mask >> (b + 1);
        between = rest & (rest - 1) ? ", " : " and ";
    }
    return n;
}

static size_t put_letter(const struct lint *l, char letter, const struct said *said, char *to,
                         size_t room) {
    char mnemonic[64] = "?";
    struct fh_inst other;
    int n = 0;
    switch (letter) {
    case 'c': n = snprintf(to, room, "%s", said->resource); break;
    case 'n':
        n = snprintf(to, room, "%u cycle%s", said->number, said->number == 1 ? "" : "s");
        break;
    case 'o':
        if (fh_decode(l->paths.graph.code.words[said->other], &other))
            fh_print_mnemonic(&other, mnemonic, sizeof mnemonic);
        n = snprintf(to, room, "%s at 0x%llx", mnemonic,
                     (unsigned long long)said->other * FH_INST_BYTES);
        break;
    default: n = put_scoreboards(said->mask, to, room);
    }
    return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void report(struct lint *l, enum lint_id id, const struct said *said) {
    char message[2 * TEXT_SIZE], texts[2][TEXT_SIZE + 32], text[TEXT_SIZE];
    const char *notes[2] = {texts[0], texts[1]};
    uint64_t pc = (uint64_t)l->at * FH_INST_BYTES;
    l->found = true;
    if (!l->diagnostic)
        return;
    size_t n = (size_t)snprintf(
        message, TEXT_SIZE, "%s %.200s, address 0x%llx: ", l->function ? "function" : "kernel",
        l->function ? l->function->name : l->program->kernels[l->kernel].name,
        (unsigned long long)pc);
    for (const char *p = rows[id].text; *p && n + 1 < sizeof message; p++) {
        if (*p == '%')
            n += put_letter(l, *++p, said, message + n, sizeof message - n);
        else
            message[n++] = *p;
    }
    message[n] = '\0';
    fhec_diagnostic d = {.id = rows[id].id, .severity = rows[id].severity, .message = message};
    instruction_text(l, l->at, text);
    snprintf(texts[0], sizeof texts[0], "here: %s", text);
    d.notes = notes;
    d.note_count = 1;
    if (strstr(rows[id].text, "%o")) {
        instruction_text(l, said->other, text);
        snprintf(texts[1], sizeof texts[1], "there: %s", text);
        d.note_count = 2;
    }
    uint32_t first = l->function ? l->function->first : 0;
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    if (l->kernel < l->program->kernel_count)
        fh_code_place(l->program, l->kernel, first + l->at, &d, expansions);
    l->diagnostic(l->user, &d);
}

/* Whether the same has been reported of this instruction on another path. */
static bool was_said(struct lint *l, const struct fh_hazard *z) {
    uint64_t what = (uint64_t)l->at << 36 ^ (uint64_t)z->other << 4 ^ z->kind;
    for (size_t i = 0; i < l->said_count; i++)
        if (l->said[i] == what)
            return true;
    if (!fh_grow(&l->said, &l->said_room, l->said_count + 1, sizeof *l->said))
        l->no_memory = true;
    else
        l->said[l->said_count++] = what;
    return false;
}

static void report_hazards(struct lint *l, const struct fh_hazard *list, unsigned count) {
    static const enum lint_id ids[] = {
        [FH_HAZARD_RESULT] = LINT_RESULT,
        [FH_HAZARD_UNGUARDED_RESULT] = LINT_UNGUARDED_RESULT,
        [FH_HAZARD_EARLY] = LINT_EARLY,
        [FH_HAZARD_READ] = LINT_READ,
        [FH_HAZARD_UNGUARDED_READ] = LINT_UNGUARDED_READ,
        [FH_HAZARD_WRITE] = LINT_WRITE,
        [FH_HAZARD_UNGUARDED_WRITE] = LINT_UNGUARDED_WRITE,
        [FH_HAZARD_WRITE_EARLY] = LINT_WRITE_EARLY,
        [FH_HAZARD_UNARMED] = LINT_UNARMED,
    };
    for (unsigned i = 0; i < count; i++) {
        bool again = false; /* the other registers of a group are the same mistake */
        for (unsigned k = 0; k < i; k++)
            again |= list[k].kind == list[i].kind && list[k].other == list[i].other;
        if (again || was_said(l, &list[i]))
            continue;
        char name[8];
        fh_resource_name(list[i].resource, name);
        report(l, ids[list[i].kind],
               &(struct said){name, list[i].other, list[i].mask, list[i].cycles});
    }
}

/* ---------------------------------------------------------------- one instruction's own fields */

static void check_reuse(struct lint *l) {
    const struct fh_pipe *pipe = fh_pipe_of(&l->inst);
    bool keeps = !pipe->variable && pipe->ready[pipe->reads]; /* else nobody looks at the flags */
    if (l->inst.sched.reuse && keeps)                         /* flags that no operand took */
        report(l, LINT_REUSE_NOWHERE, &(struct said){"", 0, 0, 0});
    for (unsigned i = 0; i < l->inst.form->operand_count; i++) {
        if (!l->inst.op[i].reuse)
            continue;
        char name[8];
        fh_resource_name(FH_RES_R + l->inst.op[i].reg, name);
        static const enum lint_id ids[] = {[FH_REUSE_FINE] = LINT_COUNT,
                                           [FH_REUSE_UNREAD] = LINT_REUSE_UNREAD,
                                           [FH_REUSE_CHANGED] = LINT_REUSE_CHANGED,
                                           [FH_REUSE_YIELD] = LINT_REUSE_YIELD};
        enum lint_id id = ids[fh_reuse_of(&l->paths.graph, l->at, i)];
        if (id != LINT_COUNT)
            report(l, id, &(struct said){l->inst.op[i].reg == FH_RZ ? "RZ" : name, 0, 0, 0});
    }
}

static void check_fields(struct lint *l) {
    const struct fh_sched *sched = &l->inst.sched;
    struct fh_exit leaves = fh_exit_of(&l->inst, l->at, l->paths.graph.code.count);
    if (sched->write_barrier == 6 || sched->read_barrier == 6)
        report(l, LINT_BAD_SCOREBOARD, &(struct said){"", 0, 0, 0});
    unsigned unset = sched->wait_mask & ~l->set;
    bool all = sched->wait_mask == (1u << FH_SCOREBOARDS) - 1; /* for whatever there may be */
    if (unset && !all && !(l->function && l->at == 0))         /* which a caller may have set */
        report(l, LINT_UNSET, &(struct said){"", 0, unset, 0});
    if (leaves.ends && leaves.target != l->at && sched->stall == 0)
        report(l, LINT_NO_STALL, &(struct said){"", 0, 0, 0});
    if (sched->stall >= 12 && sched->yield)
        report(l, LINT_NO_YIELD, &(struct said){"", 0, 0, sched->stall});
    check_reuse(l);
}

/* ---------------------------------------------------------------- blocks */

/* The instruction at l->at on one path: what it runs into, its effect on what is outstanding, and
 * on the first path the mistakes that are its own. */
static void look_at(struct lint *l, bool first) {
    struct fh_hazard list[FH_MAX_HAZARDS + 1];
    struct fh_hazards *now = &l->paths.now;
    struct fh_uses uses;
    if (!fh_decode(l->paths.graph.code.words[l->at], &l->inst)) {
        if (first)
            report(l, LINT_UNKNOWN, &(struct said){"", 0, 0, 0});
        fh_paths_step(&l->paths, l->at);
        return;
    }
    unsigned count = 0;
    list[0] = fh_hazards_unarmed(now, l->inst.sched.wait_mask);
    count += list[0].kind != FH_HAZARD_NONE;
    fh_hazards_wait(now, fh_wait_mask(&l->inst));
    fh_paths_uses(&l->paths, l->at, &uses);
    count += fh_hazards_find(now, fh_pipe_of(&l->inst), &uses, fh_paths_acting(&l->paths, l->at),
                             list + count);
    report_hazards(l, list, count);
    if (first)
        check_fields(l);
    fh_paths_step(&l->paths, l->at);
}

/* All paths that come to one block, which are `count` entries. Each is walked on its own, and the
 * findings are told in the order of the code. */
static void look_at_block(struct lint *l, const struct fh_path_entry *entries, size_t count) {
    uint32_t block = entries->block;
    uint32_t begin = l->paths.graph.first[block], end = l->paths.graph.first[block + 1];
    for (size_t i = 0; i < count; i++) {
        fh_paths_enter(&l->paths, &entries[i]);
        for (l->at = begin; l->at < end; l->at++)
            look_at(l, i == 0);
    }
    l->said_count = 0;
}

/* ---------------------------------------------------------------- code */

static void find_setters(struct lint *l) {
    l->set = 0;
    for (uint32_t i = 0; i < l->paths.graph.code.count; i++) {
        if (!fh_decode(l->paths.graph.code.words[i], &l->inst)) {
            l->set = ~0u;
            return;
        }
        if (l->inst.sched.write_barrier < FH_SCOREBOARDS)
            l->set |= 1u << l->inst.sched.write_barrier;
        if (l->inst.sched.read_barrier < FH_SCOREBOARDS)
            l->set |= 1u << l->inst.sched.read_barrier;
    }
}

static void lint_code(struct lint *l, struct fh_code code) {
    struct fh_paths *paths = &l->paths;
    if (code.count == 0)
        return;
    fh_paths_follow(paths, code);
    if (!paths->no_memory)
        find_setters(l);
    for (size_t i = 0, n; i < paths->entry_count && !paths->no_memory; i += n) {
        for (n = 1;
             i + n < paths->entry_count && paths->entries[i + n].block == paths->entries[i].block;)
            n++;
        look_at_block(l, &paths->entries[i], n);
    }
    l->no_memory |= paths->no_memory;
    fh_paths_free(paths);
}

fhec_status fhec_lint(const fhec_program *program, fhec_diagnostic_fn *diagnostic, void *user) {
    struct lint *l = calloc(1, sizeof *l);
    if (!l)
        return FHEC_HOST_ERROR;
    l->program = program;
    l->diagnostic = diagnostic;
    l->user = user;
    for (uint32_t k = 0; k < program->kernel_count && !l->no_memory; k++) {
        l->kernel = k;
        lint_code(l, (struct fh_code){program->kernels[k].words, program->kernels[k].word_count});
    }
    l->kernel = 0;
    for (uint32_t f = 0; f < program->function_count && !l->no_memory; f++) {
        l->function = &program->functions[f];
        lint_code(l, (struct fh_code){l->function->words, l->function->word_count});
    }
    fhec_status status = l->no_memory ? FHEC_HOST_ERROR : l->found ? FHEC_DIFFERS : FHEC_OK;
    free(l->said);
    free(l);
    return status;
}
