/*
 * sweep_ranks.c - see sweep_ranks.h. MPI itself is in a module (sweep_mpi.h) that is loaded when it
 * is needed: so fhec is the same file with and without it, and starts as fast.
 *
 * Messages are JSON texts, their kind is the tag. The manager answers; it is never blocked by a
 * message to a rank, since they are small and a rank always comes to receive.
 *
 *     READY    to the manager     {"jobs": 1}, once
 *     RUN      to a rank          {"task": 12, "build": PATH or "", "hash": HASH, "arguments":
 * TEXT, ...} RESULT   to the manager     {"task": 12, "status": 0, ...} ALIVE    to the manager
 * nothing, when it has not heard of the rank for a while STOP     to a rank          nothing
 */
#include "sweep_ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "seconds.h"
#include "sweep_arguments.h"
#include "sweep_mpi.h"

enum tag { READY = 1, RUN, RESULT, ALIVE, STOP };
static const double alive_seconds = 5, lost_seconds = 60, wait_seconds = 0.0005;

struct rank {
    unsigned jobs, running; /* 0 jobs: it has not reported yet, or is lost */
    double heard;           /* when */
    bool lost;
};

struct fh_cli_sweep_ranks {
    const struct fh_cli *cli;
    void *module;
    const struct fh_cli_sweep_mpi *mpi;
    int own, count;
    struct rank *ranks;
    size_t *tasks; /* under way elsewhere, `running` of them, and where */
    int *places;
    size_t running, room;
    bool stopped, any_lost;
};

/* ---------------------------------------------------------------- opening */

static int environment_number(const char *const *names) {
    for (; *names; names++) {
        const char *text = getenv(*names);
        if (text)
            return atoi(text);
    }
    return 0;
}

bool fh_cli_sweep_ranks_there(void) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS",
                                        NULL};
    return environment_number(sizes) > 1;
}

/* Beside fhec, as it is built, or where it is installed. */
static void *load(void) {
    static const char *const places[] = {"/fhec_mpi.so", "/../lib/fhec/fhec_mpi.so"};
    char name[PATH_MAX + 64] = "";
    void *module = NULL;
    const ssize_t length = readlink("/proc/self/exe", name, PATH_MAX - 1);
    char *slash = length > 0 ? strrchr(name, '/') : NULL;
    for (size_t i = 0; slash && !module && i < 2; i++) {
        strcpy(slash, places[i]);
        module = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    }
    return module;
}

static fhec_status no_module(const struct fh_cli *cli) {
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL};
    const char *why = dlerror();
    if (environment_number(ranks) == 0)
        fh_cli_error(cli, FHEC_BAD_INPUT,
                     "this is one of several ranks, and this fhec has no MPI: build it with `make "
                     "MPI=1` (Debian and Ubuntu: libopenmpi-dev), or use --jobs on one machine%s%s",
                     why ? "; " : "", why ? why : "");
    return FHEC_BAD_INPUT;
}

fhec_status fh_cli_sweep_ranks_open(const struct fh_cli *cli, struct fh_cli_sweep_ranks **made) {
    void *module = load();
    const struct fh_cli_sweep_mpi *mpi = module ? dlsym(module, "fh_cli_sweep_mpi") : NULL;
    struct fh_cli_sweep_ranks *ranks = calloc(1, sizeof *ranks);
    *made = NULL;
    if (!mpi) {
        free(ranks);
        return no_module(cli);
    }
    if (!ranks)
        return fh_cli_no_memory(cli);
    *ranks = (struct fh_cli_sweep_ranks){.cli = cli, .module = module, .mpi = mpi};
    *made = ranks;
    if (!mpi->begin(&ranks->own, &ranks->count))
        return fh_cli_error(cli, FHEC_HOST_ERROR, "MPI does not start");
    ranks->ranks = calloc((size_t)ranks->count, sizeof *ranks->ranks);
    if (!ranks->ranks)
        return fh_cli_no_memory(cli);
    for (int i = 0; i < ranks->count; i++)
        ranks->ranks[i].heard = fh_cli_now();
    return FHEC_OK;
}

void fh_cli_sweep_ranks_close(struct fh_cli_sweep_ranks *ranks, fhec_status status) {
    if (!ranks)
        return;
    if (ranks->any_lost || (!ranks->stopped && status != FHEC_OK))
        ranks->mpi->abandon((int)status); /* a rank that is no more cannot take part in the end */
    else
        ranks->mpi->end();
    free(ranks->ranks);
    free(ranks->tasks);
    free(ranks->places);
    free(ranks);
}

unsigned fh_cli_sweep_ranks_own(const struct fh_cli_sweep_ranks *ranks) {
    return (unsigned)ranks->own;
}

/* Sends an object, and releases it; NULL: no memory. */
static fhec_status send_object(const struct fh_cli_sweep_ranks *ranks, int to, enum tag tag,
                               json_t *object) {
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    fhec_status status = text ? FHEC_OK : fh_cli_no_memory(ranks->cli);
    if (text && !ranks->mpi->send(to, (int)tag, text, strlen(text)))
        status = fh_cli_error(ranks->cli, FHEC_HOST_ERROR, "rank %d cannot be reached", to);
    free(text);
    json_decref(object);
    return status;
}

/* ---------------------------------------------------------------- the manager's */

size_t fh_cli_sweep_ranks_running(const struct fh_cli_sweep_ranks *ranks) {
    return ranks->running;
}

static int idle_rank(const struct fh_cli_sweep_ranks *ranks) {
    for (int i = 1; i < ranks->count; i++)
        if (ranks->ranks[i].running < ranks->ranks[i].jobs)
            return i;
    return 0;
}

bool fh_cli_sweep_ranks_idle(struct fh_cli_sweep_ranks *ranks) {
    return idle_rank(ranks) != 0;
}

static bool remember(struct fh_cli_sweep_ranks *ranks, size_t task, int rank) {
    if (ranks->running == ranks->room) {
        const size_t room = 2 * ranks->room + 64;
        size_t *tasks = realloc(ranks->tasks, room * sizeof *tasks);
        ranks->tasks = tasks ? tasks : ranks->tasks;
        int *places = tasks ? realloc(ranks->places, room * sizeof *places) : NULL;
        ranks->places = places ? places : ranks->places;
        if (!places)
            return false;
        ranks->room = room;
    }
    ranks->tasks[ranks->running] = task;
    ranks->places[ranks->running++] = rank;
    ranks->ranks[rank].running++;
    return true;
}

/* False: it is not under way there, as that of a rank that was given up is not. */
static bool forget(struct fh_cli_sweep_ranks *ranks, size_t task, int rank) {
    for (size_t i = 0; i < ranks->running; i++)
        if (ranks->tasks[i] == task && ranks->places[i] == rank) {
            ranks->tasks[i] = ranks->tasks[--ranks->running];
            ranks->places[i] = ranks->places[ranks->running];
            ranks->ranks[rank].running--;
            return true;
        }
    return false;
}

fhec_status fh_cli_sweep_ranks_give(struct fh_cli_sweep_ranks *ranks, size_t task,
                                    const struct fh_cli_sweep_build *build, const char *arguments,
                                    double seconds) {
    const int rank = idle_rank(ranks);
    if (!remember(ranks, task, rank))
        return fh_cli_no_memory(ranks->cli);
    return send_object(ranks, rank, RUN,
                       json_pack("{s:I, s:s, s:s, s:s, s:f}", "task", (json_int_t)task, "build",
                                 build->path ? build->path : "", "hash", build->hash, "arguments",
                                 arguments, "seconds", seconds));
}

/* The result in a message; false: a rank sent something else. */
static bool read_result(const json_t *object, struct fh_cli_sweep_end *end, char **host) {
    json_int_t task = 0, peak = 0;
    const char *out = NULL, *err = NULL, *name = NULL;
    int timed_out = 0;
    *end = (struct fh_cli_sweep_end){0};
    if (json_unpack((json_t *)object, "{s:I, s:i, s:i, s:b, s:F, s:F, s:F, s:I, s:s, s:s, s:s}",
                    "task", &task, "status", &end->status, "signal", &end->signal, "timed_out",
                    &timed_out, "seconds", &end->seconds, "user_s", &end->user_s, "system_s",
                    &end->system_s, "peak_kib", &peak, "out", &out, "err", &err, "host",
                    &name) != 0)
        return false;
    end->task = (size_t)task;
    end->peak_kib = (uint64_t)peak;
    end->timed_out = timed_out;
    end->out = strdup(out);
    end->err = strdup(err);
    end->out_length = strlen(out);
    end->err_length = strlen(err);
    *host = strdup(name);
    return end->out && end->err && *host;
}

/* Takes a message that is there; true if it is a result. */
static bool take_message(struct fh_cli_sweep_ranks *ranks, int from, int tag, size_t length,
                         struct fh_cli_sweep_end *end, char **host) {
    struct rank *rank = &ranks->ranks[from];
    char *text = calloc(length + 1, 1);
    bool result = false;
    if (!text || !ranks->mpi->receive(from, tag, text, length)) {
        free(text);
        return false;
    }
    rank->heard = fh_cli_now();
    json_t *object = length ? json_loadb(text, length, 0, NULL) : NULL;
    if (tag == READY && !rank->lost)
        rank->jobs = (unsigned)json_integer_value(json_object_get(object, "jobs"));
    else if (tag == RESULT)
        result = read_result(object, end, host) && forget(ranks, end->task, from);
    if (tag == RESULT && !result) {
        fh_cli_sweep_end_free(end);
        free(*host);
        *host = NULL;
    }
    json_decref(object);
    free(text);
    return result;
}

/* A task of a rank that has not been heard of. */
static bool find_lost(struct fh_cli_sweep_ranks *ranks, struct fh_cli_sweep_end *end) {
    const double now = fh_cli_now();
    for (size_t i = 0; i < ranks->running; i++) {
        struct rank *rank = &ranks->ranks[ranks->places[i]];
        if (now - rank->heard < lost_seconds)
            continue;
        if (!rank->lost)
            fh_cli_note(ranks->cli, "rank %d has not been heard of for %g s; others run its points",
                        ranks->places[i], lost_seconds);
        rank->lost = ranks->any_lost = true;
        rank->jobs = 0;
        *end = (struct fh_cli_sweep_end){.task = ranks->tasks[i]};
        return forget(ranks, ranks->tasks[i], ranks->places[i]);
    }
    return false;
}

bool fh_cli_sweep_ranks_take(struct fh_cli_sweep_ranks *ranks, struct fh_cli_sweep_end *end,
                             char **host, bool *lost) {
    int from, tag;
    size_t length;
    *host = NULL;
    *lost = false;
    while (ranks->mpi->look(&from, &tag, &length))
        if (take_message(ranks, from, tag, length, end, host))
            return true;
    *lost = find_lost(ranks, end);
    return *lost;
}

void fh_cli_sweep_ranks_stop(struct fh_cli_sweep_ranks *ranks) {
    for (int i = 1; i < ranks->count && !ranks->stopped && !ranks->own; i++)
        if (!ranks->ranks[i].lost)
            (void)ranks->mpi->send(i, STOP, "", 0);
    ranks->stopped = true;
}

/* ---------------------------------------------------------------- the others' */

struct worker {
    struct fh_cli_sweep_ranks *ranks;
    struct fh_cli_sweep_children *children;
    struct fh_cli_sweep_build build; /* the last one that was asked for */
    double said;                     /* when the manager was last sent something */
    char host[256];
};

static fhec_status choose_build(struct worker *worker, const char *path, const char *hash) {
    struct fh_cli_sweep_build *build = &worker->build;
    char why[FH_CLI_SWEEP_WHY] = "it is another executable than the manager's";
    if (build->file >= 0 && !strcmp(build->hash, hash))
        return FHEC_OK;
    fh_cli_sweep_build_close(build);
    *build = (struct fh_cli_sweep_build){.file = -1};
    if (fh_cli_sweep_build_open(build, path, why) && !strcmp(build->hash, hash))
        return FHEC_OK;
    return fh_cli_error(worker->ranks->cli, FHEC_HOST_ERROR, "on %s: %s: %s", worker->host,
                        path ? path : "fhec", why);
}

static fhec_status start_run(struct worker *worker, const char *text, size_t length) {
    json_t *object = json_loadb(text, length, 0, NULL);
    struct fh_cli_sweep_arguments arguments = {NULL, NULL};
    const char *path = "", *hash = "", *words = "";
    json_int_t task = 0;
    double seconds = 0;
    fhec_status status = FHEC_OK;
    if (json_unpack(object, "{s:I, s:s, s:s, s:s, s:F}", "task", &task, "build", &path, "hash",
                    &hash, "arguments", &words, "seconds", &seconds) != 0 ||
        !fh_cli_sweep_arguments_read(&arguments, words))
        status = fh_cli_no_memory(worker->ranks->cli);
    if (status == FHEC_OK)
        status = choose_build(worker, *path ? path : NULL, hash);
    fh_cli_sweep_children_limit(worker->children, seconds);
    if (status == FHEC_OK && !fh_cli_sweep_children_start(worker->children, (size_t)task,
                                                          worker->build.file, arguments.words))
        status = fh_cli_error(worker->ranks->cli, FHEC_HOST_ERROR, "cannot start a run: %s",
                              strerror(errno));
    if (arguments.list)
        fh_cli_sweep_arguments_free(&arguments);
    json_decref(object);
    return status;
}

static fhec_status send_results(struct worker *worker) {
    struct fh_cli_sweep_end end;
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK && fh_cli_sweep_children_ended(worker->children, &end)) {
        status = send_object(
            worker->ranks, 0, RESULT,
            json_pack("{s:I, s:i, s:i, s:b, s:f, s:f, s:f, s:I, s:s, s:s, s:s}", "task",
                      (json_int_t)end.task, "status", end.status, "signal", end.signal, "timed_out",
                      (int)end.timed_out, "seconds", end.seconds, "user_s", end.user_s, "system_s",
                      end.system_s, "peak_kib", (json_int_t)end.peak_kib, "out",
                      end.out ? end.out : "", "err", end.err ? end.err : "", "host", worker->host));
        fh_cli_sweep_end_free(&end);
        worker->said = fh_cli_now();
    }
    if (fh_cli_now() - worker->said > alive_seconds) {
        (void)worker->ranks->mpi->send(0, ALIVE, "", 0);
        worker->said = fh_cli_now();
    }
    return status;
}

/* Takes the messages that are there; *stop: no more will come. */
static fhec_status take_orders(struct worker *worker, bool *stop) {
    struct fh_cli_sweep_ranks *ranks = worker->ranks;
    fhec_status status = FHEC_OK;
    int from, tag;
    size_t length;
    while (status == FHEC_OK && !*stop && ranks->mpi->look(&from, &tag, &length)) {
        char *text = calloc(length + 1, 1);
        if (!text || !ranks->mpi->receive(from, tag, text, length))
            status = fh_cli_no_memory(ranks->cli);
        else if (tag == RUN)
            status = start_run(worker, text, length);
        *stop = tag == STOP;
        free(text);
    }
    return status;
}

fhec_status fh_cli_sweep_ranks_work(struct fh_cli_sweep_ranks *ranks, unsigned jobs) {
    struct worker worker = {.ranks = ranks,
                            .children = fh_cli_sweep_children_new(jobs, 0),
                            .build = {.file = -1},
                            .said = fh_cli_now()};
    bool stop = false;
    if (!worker.children)
        return fh_cli_no_memory(ranks->cli);
    gethostname(worker.host, sizeof worker.host - 1);
    signal(SIGINT, SIG_IGN); /* the manager stops all, or mpirun does */
    fhec_status status = send_object(ranks, 0, READY, json_pack("{s:i}", "jobs", (int)jobs));
    while (status == FHEC_OK && !stop) {
        status = take_orders(&worker, &stop);
        if (status == FHEC_OK && !stop)
            fh_cli_sweep_children_wait(worker.children, wait_seconds);
        if (status == FHEC_OK && !stop)
            status = send_results(&worker);
    }
    fh_cli_sweep_children_free(worker.children);
    fh_cli_sweep_build_close(&worker.build);
    ranks->stopped = status == FHEC_OK;
    return status;
}
