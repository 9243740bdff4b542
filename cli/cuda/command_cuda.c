/*
 * command_cuda.c - fhec cuda: a CUDA program on the emulated device. The program runs in a process
 * of its own, which finds our libraries in the place of CUDA's; what is asked for here travels in
 * its environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_debug.h"
#include "cuda_options.h"
#include "cuda_report.h"
#include "cuda_reporter.h"
#include "message.h"
#include "options.h"
#include "shell_words.h"

static const char args_doc[] = "-- PROGRAM [ARGUMENT...]";
static const char doc[] =
    "Runs a CUDA program, as nvcc made it, on the emulated device: an A100 with the instructions "
    "of "
    "fhec. The program needs code for sm_80 and the shared runtime (nvcc -arch=sm_80 -cudart "
    "shared), or uses the driver's API."
    "\vExit status: that of the program, but 3 if a kernel faulted, or a check found something, "
    "and "
    "the program ended with 0. Without this command, LD_LIBRARY_PATH with the folder of the "
    "libraries (lib/fhec/cuda where fhec is installed) runs a program likewise, with the options "
    "in "
    "FHEC_CUDA_OPTIONS.";

static struct argp_child children[] = {
    {&fh_cli_cuda_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};

struct command {
    struct fh_cli *cli;
    struct fh_cli_cuda_options options;
    char **program; /* with its arguments */
    int behind;     /* index of the first word behind "--" */
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct command *c = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &c->options;
        state->child_inputs[1] = c->cli;
        return 0;
    case ARGP_KEY_ARG:
        c->behind = state->next - 1;
        c->program = state->argv + c->behind;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "PROGRAM is missing: fhec cuda [OPTION...] -- PROGRAM [ARGUMENT...]");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Where the libraries are: beside fhec as it is built, or where it is installed. The program's
 * process gets to know where fhec is. */
static bool find_libraries(char *folder, size_t size) {
    static const char *const places[] = {"/cuda", "/../lib/fhec/cuda"};
    char self[PATH_MAX], name[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    if (setenv(FH_CLI_CUDA_TOOL, self, 1) != 0)
        return false;
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(name, sizeof name, "%s%s/libfhec_cuda.so", self, places[i]);
        if (access(name, R_OK) != 0)
            continue;
        snprintf(folder, size, "%s%s", self, places[i]);
        return true;
    }
    return false;
}

static bool put_first(const char *variable, const char *folder) {
    const char *before = getenv(variable);
    char *value;
    if (asprintf(&value, "%s%s%s", folder, before && *before ? ":" : "", before ? before : "") < 0)
        return false;
    const bool put = setenv(variable, value, 1) == 0;
    free(value);
    return put;
}

/* In the child. Comes back only if the program cannot be started. */
static fhec_status become(const struct command *c, int argc, char **argv, const char *folder,
                          int faults, int tally) {
    char number[16], tally_number[16], nvtx[PATH_MAX + 64];
    snprintf(number, sizeof number, "%d", faults);
    snprintf(tally_number, sizeof tally_number, "%d", tally);
    snprintf(nvtx, sizeof nvtx, "%s/libfhec_cuda.so", folder);
    const int words = c->behind - 1 - (strcmp(argv[c->behind - 1], "--") == 0);
    char *options = fh_cli_words_join(argv + 1, words > 0 ? (size_t)words : 0);
    (void)argc;
    if (!options || setenv(FH_CLI_CUDA_OPTIONS, options, 1) != 0 ||
        setenv(FH_CLI_CUDA_FAULTS, number, 1) != 0 ||
        setenv(FH_CLI_CUDA_TALLY, tally_number, 1) != 0 ||
        setenv("NVTX_INJECTION64_PATH", nvtx, 0) != 0 || !put_first("LD_LIBRARY_PATH", folder))
        return fh_cli_no_memory(c->cli);
    execvp(c->program[0], c->program);
    return fh_cli_error(c->cli, errno == ENOENT ? FHEC_BAD_INPUT : FHEC_HOST_ERROR,
                        "cannot run %s: %s", c->program[0], strerror(errno));
}

/* What a shell would make of how the program ended. */
static int ended(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void say_how_it_ended(const struct command *c, const struct fh_cli_cuda_tally *tally,
                             int status) {
    if (WIFSIGNALED(status))
        fh_cli_note(c->cli, "%s was ended by signal %d (%s); until then:", c->program[0],
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fh_cli_note(c->cli, "%s has ended by %s; until then:", c->program[0],
                    tally->exits ? "exit during a launch" : "_exit");
}

/* What observers keep in the program's memory until it ends. */
static void say_what_is_lost(const struct command *c) {
    const struct fh_cli_cuda_options *o = &c->options;
    const struct {
        bool wanted;
        const char *what;
    } all[] = {{fh_cli_trace_is_wanted(&o->trace), "the end of the trace"},
               {o->profile.path != NULL, "the profile"},
               {o->time.wanted, "the result of --time"},
               {o->check.sarif != NULL, "the file of --sarif"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].wanted)
            fh_cli_note(c->cli, "%s is lost with the program's memory", all[i].what);
}

/* What a program that has not come to its own end, by exit, has not told: its reporter does, or, if
 * that has no luck, we do with what the tally has. */
static void report_unfinished(const struct command *c, struct fh_cli_cuda_tally *tally,
                              int status) {
    const bool checks = c->options.check.wanted; /* which alone has nothing to tell but findings */
    const bool tells = checks ? fh_cli_cuda_reports(&c->options) : fh_cli_cuda_tells(&c->options);
    if (tally->process && (tally->finding_bytes || tells))
        say_how_it_ended(c, tally, status);
    tally->announced = true;
    fh_cli_cuda_reporters_wait(tally);
    if (!tally->process)
        return;
    fwrite(tally->findings, 1, tally->finding_bytes, stderr);
    (void)fh_cli_cuda_report_write(c->cli, &c->options, tally, NULL);
    if (tally->begun)
        say_what_is_lost(c);
}

/* In a process of its own. Its number; negative: errno says why not. */
static pid_t start(const struct command *c, int argc, char **argv, const char *folder,
                   const int ends[2], int file) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit((int)become(c, argc, argv, folder, ends[1], file));
    }
    close(ends[1]);
    return child;
}

/* Until it has ended and all of it is told; how it ended. */
static int wait_for(const struct command *c, pid_t child, int file) {
    struct fh_cli_cuda_tally *tally = file < 0 ? NULL : fh_cli_cuda_tally_open(file);
    int status = 0;
    if (tally)
        tally->program = child;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (tally)
        report_unfinished(c, tally, status);
    fh_cli_cuda_tally_close(tally);
    return ended(status);
}

static fhec_status run(struct command *c, int argc, char **argv) {
    char folder[PATH_MAX + 32];
    int ends[2];
    if (!find_libraries(folder, sizeof folder))
        return fh_cli_error(c->cli, FHEC_HOST_ERROR,
                            "the libraries that stand for CUDA's are not beside this fhec");
    if (pipe(ends) != 0)
        return fh_cli_error(c->cli, FHEC_HOST_ERROR, "no pipe: %s", strerror(errno));
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const int file = fh_cli_cuda_tally_file(); /* without it the program has its own (-1) */
    const pid_t child = start(c, argc, argv, folder, ends, file);
    if (child < 0)
        return fh_cli_error(c->cli, FHEC_HOST_ERROR, "cannot start a process: %s", strerror(errno));
    signal(SIGINT, SIG_IGN); /* the program's business, which has the terminal, too */
    signal(SIGQUIT, SIG_IGN);
    const int end = wait_for(c, child, file);
    if (file >= 0)
        close(file);
    char byte;
    /* A process that the program has left behind may hold the other end. */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const bool faulted = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    return (fhec_status)(end == 0 && faulted ? FHEC_GUEST_FAULT : end);
}

fhec_status fh_cli_cuda(struct fh_cli *cli, int argc, char **argv) {
    static const struct argp argp = {NULL, parse, args_doc, doc, children, NULL, NULL};
    struct command command = {.cli = cli};
    fh_cli_parse_in_order(cli, &argp, argc, argv, &command);
    const fhec_status status = run(&command, argc, argv);
    fh_cli_cuda_options_free(&command.options);
    return status;
}
