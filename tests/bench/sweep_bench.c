/*
 * sweep_bench.c - fhec sweep: two jobs, and two ranks, beside one on 200 equal runs, and how many
 * of the shortest runs end in a second. The tool is the one that FHEC names.
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { RUNS = 200, TURNS = 3 };

extern char **environ;

struct sweep {
    const char *fhec;
    char folder[64], plan[96], db[96];
};

static void write_plan(struct sweep *sweep, const char *options) {
    snprintf(sweep->folder, sizeof sweep->folder, "/tmp/fhec-sweep-bench-XXXXXX");
    if (!mkdtemp(sweep->folder))
        bench_die("no folder for a sweep");
    snprintf(sweep->plan, sizeof sweep->plan, "%s/plan.json", sweep->folder);
    snprintf(sweep->db, sizeof sweep->db, "%s/out.db", sweep->folder);
    FILE *to = fopen(sweep->plan, "w");
    if (!to)
        bench_die("no plan of a sweep");
    fprintf(to,
            "{\"command\": [\"ntt\"], \"options\": {%s, \"no-verify\": true},"
            " \"grid\": {\"seed\": {\"from\": 1, \"to\": %d}}}\n",
            options, RUNS);
    fclose(to);
}

/* Seconds of a sweep from nothing; 0: it failed. */
static double seconds_of(const struct sweep *sweep, char **arguments) {
    pid_t pid;
    int status = 1;
    unlink(sweep->db);
    const double begun = bench_wall_clock();
    if (posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ) != 0 ||
        waitpid(pid, &status, 0) < 0 || status != 0)
        return 0;
    return bench_wall_clock() - begun;
}

static double with_jobs(const struct sweep *sweep, const char *jobs) {
    char *arguments[] = {(char *)sweep->fhec, "sweep",  (char *)sweep->plan, "--diag=json", "--db",
                         (char *)sweep->db,   "--jobs", (char *)jobs,        NULL};
    return seconds_of(sweep, arguments);
}

static double with_ranks(const struct sweep *sweep, const char *ranks) {
    char *arguments[] = {"mpirun", "--allow-run-as-root", "--oversubscribe",
                         "-n",     (char *)ranks,         (char *)sweep->fhec,
                         "sweep",  (char *)sweep->plan,   "--diag=json",
                         "--db",   (char *)sweep->db,     NULL};
    return seconds_of(sweep, arguments);
}

/* Whether the module that the tool loads under mpirun lies beside it. */
static bool has_mpi(const struct sweep *sweep) {
    char module[4096];
    const char *slash = strrchr(sweep->fhec, '/');
    const int folder = slash ? (int)(slash + 1 - sweep->fhec) : 0;
    snprintf(module, sizeof module, "%.*sfhec_mpi.so", folder, sweep->fhec);
    return access(module, R_OK) == 0;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One job over two of `other`, in turns. */
static void measure(struct bench *b, const char *name, const struct sweep *sweep,
                    double (*other)(const struct sweep *, const char *)) {
    double ratios[TURNS];
    for (int i = 0; i < TURNS; i++) {
        const double one = with_jobs(sweep, "1"), two = other(sweep, "2");
        if (one <= 0 || two <= 0) {
            fprintf(stderr, "%s: skipped, the sweep fails\n", name);
            return;
        }
        ratios[i] = one / two;
    }
    qsort(ratios, TURNS, sizeof *ratios, compare);
    const struct bench_timing timing = {ratios[1], ratios[0], ratios[2], TURNS};
    bench_row(b, name, timing.median, "x", 1.9, &timing);
}

static void remove_files(const struct sweep *sweep) {
    unlink(sweep->db);
    unlink(sweep->plan);
    rmdir(sweep->folder);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    struct sweep sweep = {.fhec = getenv("FHEC")};
    if (!sweep.fhec)
        bench_die("FHEC names no tool");
    if (bench_wants(&b, "sweep.2jobs") || bench_wants(&b, "sweep.2ranks")) {
        write_plan(&sweep, "\"n\": 65536, \"limbs\": 4, \"map\": \"cuda32\"");
        if (bench_wants(&b, "sweep.2jobs"))
            measure(&b, "sweep.2jobs", &sweep, with_jobs);
        if (bench_wants(&b, "sweep.2ranks") && !has_mpi(&sweep))
            fprintf(stderr, "sweep.2ranks: skipped, the tool is built without MPI=1\n");
        else if (bench_wants(&b, "sweep.2ranks"))
            measure(&b, "sweep.2ranks", &sweep, with_ranks);
        remove_files(&sweep);
    }
    if (bench_wants(&b, "sweep.runs_per_s")) {
        write_plan(&sweep, "\"n\": 256");
        const double seconds = with_jobs(&sweep, "1");
        if (seconds > 0)
            bench_row(&b, "sweep.runs_per_s", RUNS / seconds, "runs/s", 0, NULL);
        remove_files(&sweep);
    }
    return bench_end(&b);
}
