/*
 * debug_tasks.c - see debug_tasks.h; and the command `compare`.
 */
#include "debug_tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_names.h"
#include "golden.h"

/* ---------------------------------------------------------------- the list */

static size_t count_launches(const fhec_record *record) {
    fhec_action action;
    size_t launches = 0;
    for (size_t i = 0; fhec_record_get(record, i, &action); i++)
        launches += action.kind == FHEC_ACTION_LAUNCH;
    return launches;
}

static uint64_t *copy(const uint64_t *moduli, size_t count) {
    uint64_t *mine = malloc(count * sizeof *mine);
    if (mine)
        memcpy(mine, moduli, count * sizeof *mine);
    return mine;
}

void fh_cli_debug_task_done(void *user, const struct fh_task *task) {
    struct fh_cli_debug_tasks *t = user;
    const size_t launches = count_launches(t->record);
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity * 2 + 16;
        struct fh_cli_debug_task *more = realloc(t->list, capacity * sizeof *more);
        t->no_memory |= !more;
        if (!more)
            return;
        t->list = more;
        t->capacity = capacity;
    }
    struct fh_cli_debug_task *mine = &t->list[t->count++];
    *mine = (struct fh_cli_debug_task){.is = *task, .launch = launches - task->launches};
    mine->is.in_moduli = copy(task->in_moduli, task->in_limbs);
    mine->is.out_moduli = copy(task->out_moduli, task->out_limbs);
    t->no_memory |= !mine->is.in_moduli || !mine->is.out_moduli;
}

void fh_cli_debug_tasks_free(struct fh_cli_debug_tasks *t) {
    for (size_t i = 0; i < t->count; i++) {
        free((uint64_t *)t->list[i].is.in_moduli);
        free((uint64_t *)t->list[i].is.out_moduli);
    }
    free(t->list);
    *t = (struct fh_cli_debug_tasks){.record = NULL};
}

/* ---------------------------------------------------------------- one task */

/* Its input, what came of it, and what golden makes of it: limbs of elements. */
struct comparison {
    const struct fh_cli_debug_task *task;
    uint64_t *in, *out, *want;
};

static bool make(struct comparison *k, const struct fh_cli_debug_task *task) {
    const size_t in = task->is.in_limbs * task->is.n, out = task->is.out_limbs * task->is.n;
    *k = (struct comparison){.task = task,
                             .in = calloc(in + 1, sizeof *k->in),
                             .out = calloc(out + 1, sizeof *k->out),
                             .want = calloc(out + 1, sizeof *k->want)};
    return k->in && k->out && k->want;
}

static void discard(struct comparison *k) {
    free(k->in);
    free(k->out);
    free(k->want);
}

static fhec_status go(struct fh_cli_console *c, size_t launch) {
    const struct fh_debug_time to = {launch, 0};
    const struct fh_move move = {.kind = FH_MOVE_GOTO,
                                 .back =
                                     fh_debug_time_compare(to, fh_debugger_time(c->debugger)) < 0,
                                 .to = to};
    struct fh_debug_stop stop;
    return fh_cli_console_failed(c, fh_debugger_move(c->debugger, &move, &stop));
}

/* Elements at an address, reduced. */
static fhec_status read_limbs(struct fh_cli_console *c, const struct fh_task *task,
                              uint64_t address, size_t limbs, const uint64_t *moduli,
                              uint64_t *to) {
    for (size_t i = 0; i < limbs * task->n; i++) {
        uint64_t element = 0;
        if (fhec_read(fh_debugger_machine(c->debugger), address + i * task->word, &element,
                      task->word) != FHEC_OK)
            return fh_cli_console_error(c, "what a launch is to read is not there");
        to[i] = element % moduli[i / task->n];
    }
    return FHEC_OK;
}

static fh_golden_status compute(const struct comparison *k) {
    const struct fh_task *t = &k->task->is;
    const fh_golden_bases bases = {t->in_limbs, t->in_moduli, t->out_limbs, t->out_moduli};
    return t->kind == FH_TASK_CONVERT
               ? fh_golden_bconv_fast(&bases, t->n, k->in, k->want)
               : fh_golden_ntt_limbs(t->kind == FH_TASK_INTERPOLATE, FH_GOLDEN_BITREV, t->n,
                                     t->in_limbs, t->in_moduli, NULL, k->in, k->want);
}

/* Runs the task's launches; *first: the first element that is another one, or their number. */
static fhec_status compare(struct fh_cli_console *c, struct comparison *k, size_t *first) {
    const struct fh_task *t = &k->task->is;
    fhec_status status = go(c, k->task->launch);
    if (status == FHEC_OK)
        status = read_limbs(c, t, t->in, t->in_limbs, t->in_moduli, k->in);
    if (status == FHEC_OK)
        status = go(c, k->task->launch + t->launches);
    if (status == FHEC_OK)
        status = read_limbs(c, t, t->out, t->out_limbs, t->out_moduli, k->out);
    if (status == FHEC_OK && compute(k) != FH_GOLDEN_OK)
        return fh_cli_console_error(c, "golden refuses the input of launch %zu",
                                    k->task->launch + 1);
    for (*first = 0; status == FHEC_OK && *first < t->out_limbs * t->n; ++*first)
        if (k->out[*first] != k->want[*first])
            break;
    return status;
}

/* ---------------------------------------------------------------- the command */

/* Where an element is: "converted[1024]", or its address. */
static void print_place(const struct fh_cli_console *c, uint64_t address, size_t word) {
    struct fh_debug_buffer b;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &b); i++) {
        if (b.released || address < b.address || address - b.address >= b.bytes)
            continue;
        fprintf(c->out, "%s[%" PRIu64 "]%s", b.name, (address - b.address) / word,
                word == 8 ? ":u64" : "");
        return;
    }
    fprintf(c->out, "global 0x%" PRIx64, address);
}

static void print_difference(const struct fh_cli_console *c, const struct comparison *k,
                             size_t first) {
    static const char *const names[] = {"the transform", "the inverse transform",
                                        "the base conversion"};
    const struct fh_task *t = &k->task->is;
    const size_t limb = first / t->n;
    size_t wrong = 0, limbs = 0;
    for (size_t i = 0, last = SIZE_MAX; i < t->out_limbs * t->n; i++) {
        if (k->out[i] == k->want[i])
            continue;
        wrong++;
        limbs += i / t->n != last;
        last = i / t->n;
    }
    fprintf(c->out, "launch %zu", k->task->launch + 1);
    if (t->launches > 1)
        fprintf(c->out, " to %zu", k->task->launch + t->launches);
    fprintf(c->out, ": not %s that golden makes of the same input\n", names[t->kind]);
    fprintf(c->out, "%zu of %zu elements differ, in %zu of %zu limbs; first [%zu, %zu], ", wrong,
            t->out_limbs * t->n, limbs, t->out_limbs, limb, first % t->n);
    print_place(c, t->out + first * t->word, t->word);
    fprintf(c->out, ": 0x%" PRIx64 ", golden 0x%" PRIx64 " mod %" PRIu64 "\n", k->out[first],
            k->want[first], t->out_moduli[limb]);
}

/* From the beginning; the debugger is behind the first task that differs, or where it was. */
fhec_status fh_cli_debug_compare(struct fh_cli_console *c, char *text) {
    const struct fh_cli_debug_user *user = fh_debugger_user(c->debugger);
    const struct fh_cli_debug_tasks *tasks = user ? user->tasks : NULL;
    const struct fh_debug_time before = fh_debugger_time(c->debugger);
    struct fh_debug_stop stop;
    size_t launches = 0;
    if (*text)
        return fh_cli_console_error(c, "`compare` takes no arguments");
    if (!tasks || !tasks->count || tasks->no_memory)
        return fh_cli_console_error(c, "no launch of this is known to golden: `fhec debug ckks` "
                                       "has such");
    for (size_t i = 0; i < tasks->count; i++) {
        struct comparison k;
        size_t first = 0;
        fhec_status status =
            make(&k, &tasks->list[i]) ? FHEC_OK : fh_cli_console_error(c, "out of memory");
        if (status == FHEC_OK)
            status = compare(c, &k, &first);
        const struct fh_task *t = &tasks->list[i].is;
        const bool differs = status == FHEC_OK && first < t->out_limbs * t->n;
        if (differs)
            print_difference(c, &k, first);
        discard(&k);
        if (differs)
            fh_cli_console_place(c);
        if (differs || status != FHEC_OK)
            return status;
        launches += t->launches;
    }
    fprintf(c->out, "transforms and base conversions, %zu of %zu launches, are golden's\n",
            launches, fh_debugger_launch_count(c->debugger));
    const struct fh_move back = {.kind = FH_MOVE_GOTO, .back = true, .to = before};
    return fh_cli_console_failed(c, fh_debugger_move(c->debugger, &back, &stop));
}
