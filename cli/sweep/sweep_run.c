/*
 * sweep_run.c - see sweep_run.h. One loop: start what can be started, here and on other ranks, wait
 * for an end, keep the result.
 */
#include "sweep_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "sweep_arguments.h"
#include "sweep_progress.h"

static const double wait_seconds = 0.25, wait_with_ranks = 0.0005;

struct run {
    const struct fh_cli_sweep_work *work;
    struct fh_cli_sweep_tally *tally;
    struct fh_cli_sweep_children *children;
    struct fh_cli_sweep_progress progress;
    size_t *todo; /* points to run, from `next` to `end`; room for as many again as attempts add */
    size_t next, end;
    uint8_t *attempts; /* of points */
    char host[256];
};

static volatile sig_atomic_t stopped;

static void note_stop(int number) {
    (void)number;
    stopped = 1;
}

/* ---------------------------------------------------------------- what there is to do */

static fhec_status known(const struct run *run, size_t point, enum fh_cli_sweep_known *what) {
    const struct fh_cli_sweep_work *work = run->work;
    const struct fh_cli_sweep_point *p = &work->plan->points[point];
    const char *build = work->plan->builds[p->build].hash;
    fhec_status status = fh_cli_sweep_store_known(work->store, build, &p->key, what);
    if (status == FHEC_OK && *what == FH_CLI_SWEEP_NEW && work->elsewhere)
        status = fh_cli_sweep_store_known(work->elsewhere, build, &p->key, what);
    return status;
}

static fhec_status collect(struct run *run) {
    const struct fh_cli_sweep_work *work = run->work;
    fhec_status status = FHEC_OK;
    for (size_t i = work->share; i < work->plan->count && status == FHEC_OK; i += work->shares) {
        enum fh_cli_sweep_known what;
        status = known(run, i, &what);
        run->tally->points++;
        if (what == FH_CLI_SWEEP_NEW || (what == FH_CLI_SWEEP_FAILED && work->retry)) {
            run->todo[run->end++] = i;
            continue;
        }
        run->tally->known++;
        run->tally->good += what == FH_CLI_SWEEP_GOOD;
        run->tally->failed += what == FH_CLI_SWEEP_FAILED;
    }
    return status;
}

/* ---------------------------------------------------------------- results */

/* A signal that somebody else has sent, the kernel's for want of memory among them. Those of a
 * program's own mistakes come again when it is run again. */
static bool from_outside(int number) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (number == own[i])
            return false;
    return number != 0;
}

static bool is_json(const char *text) {
    json_t *object = text && *text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
    json_decref(object);
    return object != NULL;
}

static fhec_status keep(struct run *run, const struct fh_cli_sweep_end *end, const char *host) {
    const struct fh_cli_sweep_work *work = run->work;
    const struct fh_cli_sweep_point *point = &work->plan->points[end->task];
    const bool wants_json = point->standard & (FH_CLI_SWEEP_STATS | FH_CLI_SWEEP_FORMAT);
    const bool json = is_json(end->out);
    char reason[64] = "", when[32];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    if (end->timed_out)
        snprintf(reason, sizeof reason, "ended after %g s", work->seconds);
    else if (end->signal)
        snprintf(reason, sizeof reason, "ended by signal %d (%s)", end->signal,
                 strsignal(end->signal));
    else if (end->status)
        snprintf(reason, sizeof reason, "exit status %d", end->status);
    else if (wants_json && !json)
        snprintf(reason, sizeof reason, "what it printed is no JSON");
    const struct fh_cli_sweep_result result = {.good = !*reason,
                                               .reason = *reason ? reason : NULL,
                                               .status = end->status,
                                               .signal = end->signal,
                                               .attempts = run->attempts[end->task],
                                               .seconds = end->seconds,
                                               .user_s = end->user_s,
                                               .system_s = end->system_s,
                                               .peak_kib = end->peak_kib,
                                               .host = host,
                                               .ended = when,
                                               .stats = json ? end->out : NULL,
                                               .output = json ? NULL : end->out,
                                               .err = end->err};
    const struct fh_cli_sweep_build *build = &work->plan->builds[point->build];
    run->tally->good += result.good;
    run->tally->failed += !result.good;
    run->progress.ended++;
    return fh_cli_sweep_store_put(work->store, build->hash, build->name, &point->key, &result);
}

/* Keeps the result of a run, or has it run again: its worker was killed, or lost. */
static fhec_status settle(struct run *run, struct fh_cli_sweep_end *end, const char *host,
                          bool lost) {
    const bool again = (lost || (from_outside(end->signal) && !end->timed_out)) &&
                       run->attempts[end->task] < run->work->attempts;
    fhec_status status = FHEC_OK;
    if (lost)
        end->signal = SIGKILL;
    if (again)
        run->todo[run->end++] = end->task;
    else
        status = keep(run, end, host);
    fh_cli_sweep_end_free(end);
    return status;
}

/* ---------------------------------------------------------------- the loop */

static fhec_status start_here(struct run *run, const struct fh_cli_sweep_build *build, size_t point,
                              const char *text) {
    struct fh_cli_sweep_arguments arguments;
    fhec_status status = FHEC_OK;
    if (!fh_cli_sweep_arguments_read(&arguments, text))
        return fh_cli_no_memory(run->work->cli);
    if (!fh_cli_sweep_children_start(run->children, point, build->file, arguments.words))
        status = fh_cli_error(run->work->cli, FHEC_HOST_ERROR, "cannot start a run: %s",
                              strerror(errno));
    fh_cli_sweep_arguments_free(&arguments);
    return status;
}

/* Other ranks first: their answers take longer. */
static fhec_status start_one(struct run *run, bool *started) {
    const struct fh_cli_sweep_work *work = run->work;
    const bool away = work->ranks && fh_cli_sweep_ranks_idle(work->ranks);
    *started =
        run->next < run->end && (away || fh_cli_sweep_children_free_slots(run->children) > 0);
    if (!*started)
        return FHEC_OK;
    const size_t point = run->todo[run->next++];
    const struct fh_cli_sweep_build *build = &work->plan->builds[work->plan->points[point].build];
    char *text = fh_cli_sweep_arguments(&work->plan->points[point]);
    if (!text)
        return fh_cli_no_memory(work->cli);
    run->attempts[point]++;
    const fhec_status status =
        away ? fh_cli_sweep_ranks_give(work->ranks, point, build, text, work->seconds)
             : start_here(run, build, point, text);
    free(text);
    return status;
}

static fhec_status take_ends(struct run *run) {
    const struct fh_cli_sweep_work *work = run->work;
    struct fh_cli_sweep_end end;
    fhec_status status = FHEC_OK;
    bool lost = false;
    char *host = NULL;
    while (status == FHEC_OK && fh_cli_sweep_children_ended(run->children, &end))
        status = settle(run, &end, run->host, false);
    while (status == FHEC_OK && work->ranks &&
           fh_cli_sweep_ranks_take(work->ranks, &end, &host, &lost)) {
        status = settle(run, &end, host, lost);
        free(host);
    }
    return status;
}

static size_t running(const struct run *run) {
    return fh_cli_sweep_children_running(run->children) +
           (run->work->ranks ? fh_cli_sweep_ranks_running(run->work->ranks) : 0);
}

static fhec_status run_all(struct run *run) {
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK && !stopped && (run->next < run->end || running(run))) {
        bool started = true;
        while (started && status == FHEC_OK && !stopped)
            status = start_one(run, &started);
        if (status != FHEC_OK)
            break;
        fh_cli_sweep_progress_show(&run->progress, run->tally, running(run));
        fh_cli_sweep_children_wait(run->children,
                                   run->work->ranks ? wait_with_ranks : wait_seconds);
        status = take_ends(run);
    }
    return stopped && status == FHEC_OK ? FHEC_CANCELLED : status;
}

static fhec_status run_watched(struct run *run) {
    struct sigaction ours = {.sa_handler = note_stop}, interrupt, terminate;
    sigemptyset(&ours.sa_mask);
    stopped = 0;
    sigaction(SIGINT, &ours, &interrupt);
    sigaction(SIGTERM, &ours, &terminate);
    fhec_status status = collect(run);
    if (status == FHEC_OK && run->end) {
        fh_cli_sweep_progress_begin(&run->progress, run->work->cli, run->end);
        status = run_all(run);
        fh_cli_sweep_progress_end(&run->progress);
    }
    fh_cli_sweep_children_stop(run->children);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    return status;
}

fhec_status fh_cli_sweep_run(const struct fh_cli_sweep_work *work,
                             struct fh_cli_sweep_tally *tally) {
    const size_t count = work->plan->count;
    struct run run = {.work = work,
                      .tally = tally,
                      .children = fh_cli_sweep_children_new(work->jobs, work->seconds),
                      .todo = calloc(count * work->attempts + 1, sizeof *run.todo),
                      .attempts = calloc(count + 1, sizeof *run.attempts)};
    gethostname(run.host, sizeof run.host - 1);
    *tally = (struct fh_cli_sweep_tally){0};
    fhec_status status =
        run.children && run.todo && run.attempts ? run_watched(&run) : fh_cli_no_memory(work->cli);
    fh_cli_sweep_children_free(run.children);
    free(run.todo);
    free(run.attempts);
    return status;
}
