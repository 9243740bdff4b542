/*
 * command_sweep.c - fhec sweep: a command over a grid of parameters.
 */
#ifdef FH_HAS_SQLITE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "output.h"
#include "sweep_merge.h"
#include "sweep_options.h"
#include "sweep_plan.h"
#include "sweep_ranks.h"
#include "sweep_run.h"
#include "sweep_slurm.h"

enum { MOST_TOLD = 5, DEFAULT_TASKS = 16 };

struct sweep {
    struct fh_cli_sweep_options options;
    struct fh_cli_sweep_plan plan;
    struct fh_cli_sweep_store *store;
    struct fh_cli_sweep_ranks *ranks;
    struct fh_cli_outputs outputs;
};

/* ---------------------------------------------------------------- running */

/* As many cores as this process may use. */
static unsigned cores(void) {
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return count > 0 ? (unsigned)count : 1;
}

struct telling {
    const struct sweep *sweep;
    size_t told;
};

static fhec_status tell_failure(void *user, const struct fh_cli_sweep_line *line) {
    struct telling *telling = user;
    const struct fh_cli_sweep_result *result = &line->row->result;
    if (result->good || telling->told == MOST_TOLD)
        return FHEC_OK;
    const struct fh_cli_sweep_point point = {.key = line->row->key};
    char *arguments = fh_cli_sweep_point_text(&point);
    const char *err = result->err ? result->err : "";
    telling->told++;
    fh_cli_note(telling->sweep->options.cli, "failed: %s: %s%s%.*s", arguments ? arguments : "",
                result->reason, *err ? ": " : "", (int)strcspn(err, "\n"), err);
    free(arguments);
    return FHEC_OK;
}

static fhec_status tell_outcome(const struct sweep *sweep, fhec_status status,
                                const struct fh_cli_sweep_tally *tally) {
    const struct fh_cli *cli = sweep->options.cli;
    const size_t left = tally->points - tally->good - tally->failed;
    if (status == FHEC_CANCELLED)
        fh_cli_error(cli, status, "interrupted; the same command goes on");
    if (tally->points)
        fh_cli_note(cli, "%zu points: %zu known before, %zu run now, %zu failed, %zu to be run",
                    tally->points, tally->known, tally->points - left - tally->known, tally->failed,
                    left);
    if (status == FHEC_OK && tally->failed) {
        struct telling telling = {sweep, 0};
        const struct fh_cli_sweep_view view = {
            .cli = cli, .store = sweep->store, .plan = &sweep->plan};
        (void)fh_cli_sweep_view_each(&view, tell_failure, &telling);
        if (tally->failed > telling.told)
            fh_cli_note(cli, "and %zu more; --format=table --where=state=failed shows them",
                        tally->failed - telling.told);
    }
    return status == FHEC_OK && tally->failed ? FHEC_DIFFERS : status;
}

static fhec_status run_points(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    struct fh_cli_sweep_tally tally = {0};
    struct fh_cli_sweep_work work = {.cli = options->cli,
                                     .plan = &sweep->plan,
                                     .store = sweep->store,
                                     .ranks = sweep->ranks,
                                     .jobs = options->jobs,
                                     .seconds = options->seconds,
                                     .attempts = options->attempts,
                                     .retry = options->retry,
                                     .share = options->share,
                                     .shares = options->shares};
    fhec_status status = FHEC_OK;
    if (!work.jobs)
        work.jobs = sweep->ranks ? 1 : cores();
    if (options->known)
        status = fh_cli_sweep_store_open(options->cli, options->known, false, &work.elsewhere);
    if (status == FHEC_OK)
        status = fh_cli_sweep_run(&work, &tally);
    fh_cli_sweep_store_close(work.elsewhere);
    return tell_outcome(sweep, status, &tally);
}

/* ---------------------------------------------------------------- other acts */

static fhec_status list_points(const struct sweep *sweep) {
    static const char *const names[] = {"new", "ok", "failed"};
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < sweep->plan.count && status == FHEC_OK; i++) {
        const struct fh_cli_sweep_point *point = &sweep->plan.points[i];
        const struct fh_cli_sweep_build *build = &sweep->plan.builds[point->build];
        enum fh_cli_sweep_known known = FH_CLI_SWEEP_NEW;
        if (sweep->store)
            status = fh_cli_sweep_store_known(sweep->store, build->hash, &point->key, &known);
        char *arguments = fh_cli_sweep_point_text(point);
        if (!arguments)
            status = fh_cli_no_memory(sweep->options.cli);
        else if (status == FHEC_OK)
            printf("%-6s %s %s\n", names[known], build->name, arguments);
        free(arguments);
    }
    return status;
}

static fhec_status write_script(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    const size_t most = sweep->plan.count;
    const struct fh_cli_sweep_script script = {.plan = options->plan,
                                               .db = options->db,
                                               .jobs = options->jobs,
                                               .seconds = options->seconds,
                                               .attempts = options->attempts,
                                               .retry = options->retry,
                                               .points = most,
                                               .tasks = options->tasks         ? options->tasks
                                                        : most < DEFAULT_TASKS ? most
                                                                               : DEFAULT_TASKS};
    return fh_cli_sweep_slurm(options->cli, &script, options->slurm);
}

/* ---------------------------------------------------------------- outputs */

static fhec_status add_outputs(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    fhec_status status = FHEC_OK;
    if (options->formatted)
        status =
            fh_cli_output_add(options->cli, &sweep->outputs, options->out ? options->out : "-");
    if (status == FHEC_OK && options->plot.path)
        status = fh_cli_output_add(options->cli, &sweep->outputs, options->plot.path);
    return status;
}

/* Writes what `plot` (NULL: the rows) makes, as the file of this name. */
static fhec_status write_output(struct sweep *sweep, const struct fh_cli_sweep_view *view,
                                const struct fh_cli_sweep_plot *plot, const char *path) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return fh_cli_no_memory(sweep->options.cli);
    fhec_status status = plot ? fh_cli_sweep_plot_write(view, plot, to)
                              : fh_cli_sweep_view_write(view, sweep->options.form, to);
    if (fclose(to) != 0 && status == FHEC_OK)
        status = fh_cli_no_memory(sweep->options.cli);
    if (status == FHEC_OK)
        status = fh_cli_output_write(sweep->options.cli, &sweep->outputs, path, text, length);
    free(text);
    return status;
}

static fhec_status write_outputs(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    struct fh_cli_sweep_view view = options->view;
    struct fh_cli_sweep_plot plot = options->plot;
    json_t *names = NULL;
    fhec_status status = FHEC_OK;
    view.store = sweep->store;
    view.plan = options->plan ? &sweep->plan : NULL;
    plot.title = sweep->plan.title;
    if (options->formatted && !view.column_count && options->form != FH_CLI_SWEEP_JSON)
        status = fh_cli_sweep_view_default(&view, &names);
    if (status == FHEC_OK && options->formatted)
        status = write_output(sweep, &view, NULL, options->out ? options->out : "-");
    if (status == FHEC_OK && plot.path)
        status = write_output(sweep, &view, &plot, plot.path);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(options->cli, &sweep->outputs);
    json_decref(names);
    return status;
}

/* ---------------------------------------------------------------- the command */

static fhec_status open_store(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    const bool write = options->act == FH_CLI_SWEEP_ACT_MERGE ||
                       (options->act == FH_CLI_SWEEP_ACT_RUN && options->plan);
    if (options->act == FH_CLI_SWEEP_ACT_LIST && access(options->db, F_OK) != 0)
        return FHEC_OK; /* nothing is known yet */
    return fh_cli_sweep_store_open(options->cli, options->db, write, &sweep->store);
}

/* The act of a sweep whose plan has been read. */
static fhec_status act(struct sweep *sweep) {
    const struct fh_cli_sweep_options *options = &sweep->options;
    if (options->act == FH_CLI_SWEEP_ACT_SLURM)
        return write_script(sweep);
    fhec_status status = add_outputs(sweep);
    if (status == FHEC_OK)
        status = open_store(sweep);
    if (status != FHEC_OK)
        return status;
    if (options->act == FH_CLI_SWEEP_ACT_MERGE)
        return fh_cli_sweep_merge(options->cli, sweep->store, options->files, options->file_count);
    if (options->act == FH_CLI_SWEEP_ACT_LIST)
        return list_points(sweep);
    if (options->act == FH_CLI_SWEEP_ACT_RUN && options->plan)
        status = run_points(sweep);
    if (status == FHEC_OK || status == FHEC_DIFFERS) {
        const fhec_status written = write_outputs(sweep);
        status = written == FHEC_OK ? status : written;
    }
    return status;
}

static fhec_status manage(struct sweep *sweep) {
    fhec_status status = FHEC_OK;
    if (sweep->options.plan)
        status = fh_cli_sweep_plan_read(sweep->options.cli, sweep->options.plan, &sweep->plan);
    if (status == FHEC_OK)
        status = act(sweep);
    if (sweep->ranks)
        fh_cli_sweep_ranks_stop(sweep->ranks);
    fh_cli_sweep_store_close(sweep->store);
    fh_cli_output_discard(&sweep->outputs);
    fh_cli_sweep_plan_free(&sweep->plan);
    return status;
}

fhec_status fh_cli_sweep(struct fh_cli *cli, int argc, char **argv) {
    struct sweep sweep = {.outputs = {NULL, 0}};
    fh_cli_sweep_options_read(cli, argc, argv, &sweep.options);
    fhec_status status = FHEC_OK;
    if (fh_cli_sweep_ranks_there())
        status = fh_cli_sweep_ranks_open(cli, &sweep.ranks);
    if (status == FHEC_OK && sweep.ranks && fh_cli_sweep_ranks_own(sweep.ranks))
        status = fh_cli_sweep_ranks_work(sweep.ranks, sweep.options.jobs ? sweep.options.jobs : 1);
    else if (status == FHEC_OK)
        status = manage(&sweep);
    fh_cli_sweep_ranks_close(sweep.ranks, status);
    fh_cli_sweep_options_free(&sweep.options);
    return status;
}

#else
#include "message.h"
#include "sweep_options.h"

fhec_status fh_cli_sweep(struct fh_cli *cli, int argc, char **argv) {
    struct fh_cli_sweep_options options;
    fh_cli_sweep_options_read(cli, argc, argv, &options); /* --help and mistakes end here */
    fh_cli_sweep_options_free(&options);
    return fh_cli_error(cli, FHEC_HOST_ERROR,
                        "this fhec was built without SQLite, which keeps the results; install its "
                        "headers (Debian and Ubuntu: libsqlite3-dev) and make fhec again");
}
#endif
