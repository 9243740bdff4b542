/*
 * test_reference.c - references of the user's own: shared objects and Python files.
 */
#include "test_reference.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elements.h"
#include "fhec_reference.h"
#include "message.h"
#include "options.h"
#include "test_line.h"

extern char **environ;

enum { FIRST_ARGUMENT = 5, MOST_ARGUMENTS = FH_CLI_TEST_WORDS - FIRST_ARGUMENT };

/* The arguments of a line: buffers by name, and numbers. */
struct call {
    const struct fh_cli *cli;
    const struct fh_cli_test_line *line;
    const struct fh_cli_test_value *values[MOST_ARGUMENTS]; /* NULL: a number */
    uint64_t numbers[MOST_ARGUMENTS];
    size_t count;
    char *path;
    const char *function;
};

static fhec_status read_arguments(struct call *call, const struct fh_cli_test_value *values,
                                  size_t value_count) {
    size_t end = call->line->count;
    if (end > FIRST_ARGUMENT + 1 && !strcmp(call->line->words[end - 2], "hash"))
        end -= 2;
    for (size_t i = FIRST_ARGUMENT; i < end; i++) {
        const char *word = call->line->words[i];
        const size_t at = call->count++;
        call->values[at] = fh_cli_test_find(values, value_count, word);
        if (call->values[at] || fh_cli_number(word, &call->numbers[at]))
            continue;
        const char *names[FH_CLI_TEST_WORDS + 1] = {NULL};
        for (size_t v = 0; v < value_count && v < FH_CLI_TEST_WORDS; v++)
            names[v] = values[v].name;
        return fh_cli_test_unknown(call->cli, call->line, "buffer", word, names);
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- shared objects */

/* Elements in their own width; malloc'd. */
static uint8_t *packed(const uint64_t *elements, size_t count, unsigned width) {
    struct fh_cli_data data = {.bytes = calloc(count + 1, width), .count = count, .width = width};
    for (size_t i = 0; data.bytes && i < count; i++)
        fh_cli_data_set(&data, i, elements[i]);
    return data.bytes;
}

static fhec_status call_function(const struct call *call, fhec_reference_fn *function,
                                 const struct fh_cli_test_value *like, uint64_t *result) {
    fhec_reference_argument arguments[MOST_ARGUMENTS];
    char message[256] = "";
    struct fh_cli_data out = {
        .bytes = calloc(like->count + 1, like->width), .count = like->count, .width = like->width};
    fhec_status status = out.bytes ? FHEC_OK : fh_cli_no_memory(call->cli);
    for (size_t i = 0; i < call->count; i++) {
        const struct fh_cli_test_value *value = call->values[i];
        arguments[i] =
            (fhec_reference_argument){call->line->words[FIRST_ARGUMENT + i], NULL,
                                      value ? value->count : 1, value ? value->width : 8, 0};
        arguments[i].data = value ? packed(value->elements, value->count, value->width)
                                  : packed(&call->numbers[i], 1, 8);
        if (!arguments[i].data && status == FHEC_OK)
            status = fh_cli_no_memory(call->cli);
    }
    const fhec_reference asked = {arguments,   call->count, out.bytes,     like->count,
                                  like->width, message,     sizeof message};
    int answer = status == FHEC_OK ? function(&asked) : 0;
    message[sizeof message - 1] = 0;
    if (answer)
        status = fh_cli_test_error(call->cli, call->line, "%s failed with %d%s%s", call->function,
                                   answer, *message ? ": " : "", message);
    for (size_t i = 0; i < like->count && status == FHEC_OK; i++)
        result[i] = fh_cli_data_get(&out, i);
    for (size_t i = 0; i < call->count; i++)
        free((void *)arguments[i].data);
    free(out.bytes);
    return status;
}

static fhec_status from_object(const struct call *call, const struct fh_cli_test_value *like,
                               uint64_t *result) {
    char *path = NULL;
    if (asprintf(&path, "%s%s", strchr(call->path, '/') ? "" : "./", call->path) < 0)
        return fh_cli_no_memory(call->cli);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    void *symbol = object ? dlsym(object, call->function) : NULL;
    if (!symbol) {
        const char *why = dlerror();
        fhec_status status = fh_cli_test_error(call->cli, call->line, "%s",
                                               why ? why : "the function is at address 0");
        if (object)
            dlclose(object);
        return status;
    }
    fhec_reference_fn *function;
    memcpy(&function, &symbol, sizeof function); /* what ISO C does not let a cast do */
    fhec_status status = call_function(call, function, like, result);
    dlclose(object);
    return status;
}

/* ---------------------------------------------------------------- Python */

/* Reads everything before it answers, so that neither side waits for the other; what the function
 * prints goes to standard error, and does not come between the numbers. */
static const char driver[] =
    "import importlib.util, json, os, sys\n"
    "asked = json.load(sys.stdin)\n"
    "out = os.fdopen(os.dup(1), 'w')\n"
    "os.dup2(2, 1)\n"
    "path, name = sys.argv[1:3]\n"
    "spec = importlib.util.spec_from_file_location('reference', path)\n"
    "module = importlib.util.module_from_spec(spec)\n"
    "sys.dont_write_bytecode = True\n"
    "spec.loader.exec_module(module)\n"
    "function = getattr(module, name, None)\n"
    "if function is None: sys.exit(f'{path} has no function {name}')\n"
    "result = [int(x) for x in function(*asked['arguments'])]\n"
    "count, width = asked['count'], asked['width']\n"
    "if len(result) != count: sys.exit(f'{name} returned {len(result)} elements, not {count}')\n"
    "for i, x in enumerate(result):\n"
    "    if not 0 <= x < 256 ** width: sys.exit(f'{name} returned {x} as element {i}: no u{8 * "
    "width}')\n"
    "print(*result, file=out)\n"
    "out.close()\n";

static void write_elements(FILE *to, const uint64_t *elements, size_t count) {
    fputc('[', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)elements[i]);
    fputc(']', to);
}

static bool send_arguments(const struct call *call, const struct fh_cli_test_value *like, int end) {
    FILE *to = fdopen(end, "w");
    if (!to) {
        close(end);
        return false;
    }
    fprintf(to, "{\"count\":%zu,\"width\":%u,\"arguments\":[", like->count, like->width);
    for (size_t i = 0; i < call->count; i++) {
        if (i)
            fputc(',', to);
        if (call->values[i])
            write_elements(to, call->values[i]->elements, call->values[i]->count);
        else
            fprintf(to, "%llu", (unsigned long long)call->numbers[i]);
    }
    fputs("]}", to);
    return fclose(to) == 0;
}

static bool receive(uint64_t *result, size_t count, int end) {
    FILE *from = fdopen(end, "r");
    size_t got = 0;
    unsigned long long value;
    if (!from) {
        close(end);
        return false;
    }
    while (got < count && fscanf(from, "%llu", &value) == 1)
        result[got++] = value;
    fclose(from);
    return got == count;
}

static int spawn_python(const struct call *call, const char *python, int in[2], int out[2],
                        pid_t *pid) {
    char *arguments[] = {(char *)python, (char *)"-c",           (char *)driver,
                         call->path,     (char *)call->function, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, in[i]);
        posix_spawn_file_actions_addclose(&actions, out[i]);
    }
    int error = posix_spawnp(pid, python, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    return error;
}

static fhec_status from_python(const struct call *call, const char *python,
                               const struct fh_cli_test_value *like, uint64_t *result) {
    int in[2], out[2], ended = 0;
    pid_t pid;
    if (access(call->path, R_OK) != 0)
        return fh_cli_test_error(call->cli, call->line, "cannot read %s: %s", call->path,
                                 strerror(errno));
    if (pipe(in) != 0)
        return fh_cli_error(call->cli, FHEC_HOST_ERROR, "%s", strerror(errno));
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return fh_cli_error(call->cli, FHEC_HOST_ERROR, "%s", strerror(errno));
    }
    int error = spawn_python(call, python, in, out, &pid);
    if (error) {
        close(in[1]);
        close(out[0]);
        return fh_cli_test_error(call->cli, call->line, "cannot start %s: %s", python,
                                 strerror(error));
    }
    /* It may end before it has read everything: that is told by its exit status. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    bool sent = send_arguments(call, like, in[1]);
    sigaction(SIGPIPE, &before, NULL);
    bool got = receive(result, like->count, out[0]);
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    if (!sent || !got || !WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return fh_cli_test_error(call->cli, call->line, "%s of %s failed", call->function,
                                 call->path);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- both */

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && !strcmp(path + length - tail, end);
}

fhec_status fh_cli_test_reference(const struct fh_cli *cli, const char *python,
                                  const struct fh_cli_test_line *line,
                                  const struct fh_cli_test_value *values, size_t value_count,
                                  const struct fh_cli_test_value *like, uint64_t **result) {
    struct call call = {.cli = cli, .line = line};
    *result = NULL;
    if (line->count < FIRST_ARGUMENT)
        return fh_cli_test_error(cli, line,
                                 "expected `expect NAME reference FILE FUNCTION ARGUMENT...`");
    call.function = line->words[4];
    bool is_python = ends_in(line->words[3], ".py");
    if (!is_python && !ends_in(line->words[3], ".so"))
        return fh_cli_test_error(cli, line, "a reference is a file .so or .py, not %s",
                                 line->words[3]);
    fhec_status status = read_arguments(&call, values, value_count);
    if (status != FHEC_OK)
        return status;
    call.path = fh_cli_test_path(line, line->words[3]);
    uint64_t *elements = calloc(like->count + 1, sizeof *elements);
    if (!call.path || !elements)
        status = fh_cli_no_memory(cli);
    else
        status = is_python ? from_python(&call, python, like, elements)
                           : from_object(&call, like, elements);
    free(call.path);
    if (status == FHEC_OK)
        *result = elements;
    else
        free(elements);
    return status;
}
