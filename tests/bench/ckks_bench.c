/*
 * ckks_bench.c - CKKS primitives and bootstraps as `fhec ckks` executes them, each a process of its
 * own: seconds of the launches and of the whole, memory, warp instructions. The tool is the one
 * that FHEC names. Bootstraps at N = 2^16 take minutes and up to 12 GB: only a PATTERN that is not
 * * has them.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "bench.h"

extern char **environ;

enum { MOST_ARGUMENTS = 16, GIGABYTES = 12 };

/* What a run prints with --stats=json, and what the system says of it. */
struct result {
    double launches_s, whole_s, mbytes, warp_insts;
};

static double number(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value))
        bench_die("fhec ckks printed no statistics");
    return json_number_value(value);
}

/* `arguments` are words behind `fhec ckks`, one space apart. */
static struct result run(const char *arguments) {
    char words[256], *argv[MOST_ARGUMENTS] = {getenv("FHEC"), "ckks"}, *save = NULL;
    size_t count = 2;
    snprintf(words, sizeof words, "%s --stats=json", arguments);
    for (char *w = strtok_r(words, " ", &save); w && count + 1 < MOST_ARGUMENTS;
         w = strtok_r(NULL, " ", &save))
        argv[count++] = w;
    FILE *out = tmpfile();
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;
    struct rusage usage;
    if (!argv[0] || !out || posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0)
        bench_die("no process for fhec ckks");
    double started = bench_wall_clock();
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0 ||
        wait4(pid, &status, 0, &usage) != pid || status != 0)
        bench_die("fhec ckks failed");
    struct result r = {.whole_s = bench_wall_clock() - started,
                       .mbytes = (double)usage.ru_maxrss / 1024};
    posix_spawn_file_actions_destroy(&actions);
    rewind(out);
    json_t *object = json_loadf(out, 0, NULL);
    r.launches_s = number(object, "wall_s");
    r.warp_insts = number(object, "warp_insts");
    json_decref(object);
    fclose(out);
    return r;
}

/* Rows NAME.launches_s, .whole_s, .mbytes and .warp_insts; a target of 0 is none. */
static void measure(struct bench *b, const char *name, const char *arguments,
                    struct result targets) {
    struct result r;
    const struct {
        const char *end, *unit;
        double *value, *target;
    } rows[] = {
        {"launches_s", "s", &r.launches_s, &targets.launches_s},
        {"whole_s", "s", &r.whole_s, &targets.whole_s},
        {"mbytes", "MB", &r.mbytes, &targets.mbytes},
        {"warp_insts", "", &r.warp_insts, &targets.warp_insts},
    };
    bool wanted = false;
    char full[96];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(full, sizeof full, "%s.%s", name, rows[i].end);
        wanted = wanted || bench_wants(b, full);
    }
    if (!wanted)
        return;
    r = run(arguments);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(full, sizeof full, "%s.%s", name, rows[i].end);
        if (bench_wants(b, full))
            bench_row(b, full, *rows[i].value, rows[i].unit, *rows[i].target, NULL);
    }
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    measure(&b, "hemult44",
            "hemult --limbs 44 --alpha 12 --dnum 4 --bits 31 --map fhec16 --no-verify",
            (struct result){.launches_s = 0.4});
    measure(&b, "bootstrap.logn12", "bootstrap --preset fhec32 --map fhec16 --logn 12",
            (struct result){.whole_s = 10});
    if (strcmp(b.pattern, "*") != 0) {
        measure(&b, "bootstrap.fhec32.logn16", "bootstrap --preset fhec32 --map fhec16 --no-verify",
                (struct result){.launches_s = 60, .mbytes = 1024 * GIGABYTES, .warp_insts = 1.5e9});
        measure(&b, "bootstrap.fhec32.logn16.verified", "bootstrap --preset fhec32 --map fhec16",
                (struct result){.whole_s = 300, .mbytes = 1024 * GIGABYTES});
        measure(&b, "bootstrap.paper.logn16", "bootstrap --preset paper --map cuda64 --no-verify",
                (struct result){.warp_insts = 4.73e9});
    }
    return bench_end(&b);
}
