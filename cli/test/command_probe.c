/*
 * command_probe.c - fhec probe: a linear kernel as a matrix, by one-hot inputs, against the matrix
 * that it should be.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "children.h"
#include "data_file.h"
#include "matrix_pattern.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "runner.h"
#include "stores.h"
#include "test_golden.h"
#include "test_line.h"

static const char doc[] =
    "Runs a kernel of FILE, as `fhec run` with the same options does, once for each element of an "
    "input: that element is 1, all others are 0, and all other buffers are as they are given. The "
    "results are the columns of a matrix, which is compared with the right one: which outputs "
    "(rows) and which inputs (columns) are wrong, in which pattern, and where possible why: "
    "transposed, in another order, scaled, missing."
    "\vThe right matrix comes from a reference, written as in a `.test` line: --golden 'd matmul a "
    "b c shape 16,8,16 mod 97', or from a .npy file. Exit status: 0 if the matrices are equal, 1 "
    "if not.";

enum {
    OPTION_INPUT = 0x2700,
    OPTION_GOLDEN,
    OPTION_MATRIX,
    OPTION_COLUMNS,
    OPTION_ONE,
    OPTION_FORM,
};
/* Entries of a matrix that is looked at. */
enum { MOST_ENTRIES = 1 << 25, SHOWN = 16 };
/* Inputs from which on processes share them; fewer take less time than the processes do. */
enum { SHARED = 64, PARTS = 4 };

static const struct argp_option options[] = {
    {"input", OPTION_INPUT, "NAME", 0, "The buffer whose elements are tried", 20},
    {"golden", OPTION_GOLDEN, "OUT FUNCTION ...", 0, "The reference of buffer OUT, as in `.test`",
     20},
    {"expect-matrix", OPTION_MATRIX, "OUT=FILE", 0,
     "Or the matrix of buffer OUT, a .npy file: a row for each output", 20},
    {"columns", OPTION_COLUMNS, "FIRST,COUNT", 0, "Only so many inputs from one on", 20},
    {"jobs", 'j', "N", 0, "So many processes try them (default: one per core)", 20},
    {"one", OPTION_ONE, "V", 0, "What the element is set to (default 1)", 20},
    {"format", OPTION_FORM, "FORM", 0, "text or json", 20},
    {0},
};

struct probe {
    struct fh_cli *cli;
    struct fh_cli_run_options run;
    const char *input, *golden, *matrix;
    char *output; /* owned */
    uint64_t first, count, one;
    size_t format;
    unsigned jobs;
    /* Made of these: */
    struct fh_cli_runner *runner;
    struct fh_cli_memory *memory;
    struct fh_cli_buffer *in, *out;
    struct fh_cli_test_line line;
    struct fh_cli_test_value *values;
    struct fh_cli_data file;
    struct fh_probed probed;
    uint64_t *got, *want;
    struct fh_stores *stores; /* of the last run */
    fhec_machine *machine;    /* of that */
};

static void parse_columns(struct probe *p, const struct argp_state *state, const char *arg) {
    size_t count;
    uint64_t *list = fh_cli_list_option(state, "--columns", arg, 0, UINT32_MAX, &count);
    if (count != 2 || !list[1])
        argp_error(state, "--columns %s: expected FIRST,COUNT", arg);
    p->first = list[0];
    p->count = list[1];
    free(list);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", NULL};
    struct probe *p = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &p->run; return 0;
    case OPTION_INPUT: p->input = arg; return 0;
    case OPTION_GOLDEN: p->golden = arg; return 0;
    case OPTION_MATRIX:
        free(p->output);
        p->output = fh_cli_assignment_option(state, "--expect-matrix", arg, &p->matrix);
        return 0;
    case OPTION_COLUMNS: parse_columns(p, state, arg); return 0;
    case 'j': p->jobs = (unsigned)fh_cli_number_option(state, "--jobs", arg, 1, 1024); return 0;
    case OPTION_ONE: p->one = fh_cli_number_option(state, "--one", arg, 1, UINT64_MAX); return 0;
    case OPTION_FORM: p->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case ARGP_KEY_END:
        if (!p->input)
            argp_error(state, "--input is needed: whose elements are tried");
        if (!p->golden == !p->matrix)
            argp_error(state, "either --golden or --expect-matrix is needed: the right matrix");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse_option, "FILE", doc, fh_cli_run_children,
                                 NULL,    NULL};

/* ---------------------------------------------------------------- preparing */

static fhec_status find_buffer(const struct probe *p, const char *name,
                               struct fh_cli_buffer **buffer) {
    const size_t found = fh_cli_memory_find(p->memory, name);
    if (found == p->memory->buffer_count)
        return fh_cli_error(p->cli, FHEC_BAD_INPUT, "no buffer is called \"%s\"", name);
    *buffer = &p->memory->buffers[found];
    return FHEC_OK;
}

/* --golden as the line that it would be in a test. */
static fhec_status cut_golden(struct probe *p) {
    char *text, *space = strchr(p->golden, ' ');
    if (!space)
        return fh_cli_error(p->cli, FHEC_BAD_INPUT, "--golden %s: expected OUT FUNCTION ...",
                            p->golden);
    p->output = strndup(p->golden, (size_t)(space - p->golden));
    if (asprintf(&text, "expect %s golden %s", p->output, space) < 0)
        return fh_cli_no_memory(p->cli);
    const bool good = fh_cli_test_cut(text, "--golden", 1, &p->line);
    free(text);
    return good ? FHEC_OK : fh_cli_error(p->cli, FHEC_BAD_INPUT, "--golden: too many words");
}

/* The buffers as references see them. */
static fhec_status make_values(struct probe *p) {
    p->values = calloc(p->memory->buffer_count + 1, sizeof *p->values);
    for (size_t i = 0; p->values && i < p->memory->buffer_count; i++) {
        const struct fh_cli_buffer *buffer = &p->memory->buffers[i];
        struct fh_cli_test_value *value = &p->values[i];
        *value = (struct fh_cli_test_value){
            .name = buffer->name, .count = buffer->data.count, .width = buffer->data.width};
        value->elements = calloc(value->count + 1, sizeof *value->elements);
        if (!value->elements)
            return fh_cli_no_memory(p->cli);
        for (size_t k = 0; k < value->count; k++)
            value->elements[k] = fh_cli_data_get(&buffer->data, k);
    }
    return p->values ? FHEC_OK : fh_cli_no_memory(p->cli);
}

static fhec_status read_matrix(struct probe *p) {
    fhec_status status = fh_cli_data_read_any(p->cli, p->matrix, p->out->data.width, &p->file);
    if (status != FHEC_OK)
        return status;
    const struct fh_cli_data *f = &p->file;
    if (f->count != p->out->data.count * p->in->data.count ||
        (f->dims == 2 && f->shape[0] != p->out->data.count))
        return fh_cli_error(p->cli, FHEC_BAD_INPUT,
                            "%s has %zu elements; a matrix of %zu rows and %zu columns is expected",
                            p->matrix, f->count, p->out->data.count, p->in->data.count);
    return FHEC_OK;
}

static size_t matrix_bytes(const struct probe *p) {
    return p->count * p->out->data.count * sizeof *p->got + 1;
}

/* Zeros that all processes write to. NULL without memory. */
static uint64_t *shared_entries(const struct probe *p) {
    void *entries =
        mmap(NULL, matrix_bytes(p), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return entries == MAP_FAILED ? NULL : entries;
}

static fhec_status prepare(struct probe *p) {
    fhec_status status = fh_cli_runner_open_unwatched(p->cli, &p->run, &p->runner);
    if (status != FHEC_OK)
        return status;
    p->memory = fh_cli_runner_memory(p->runner);
    status = find_buffer(p, p->input, &p->in);
    if (status == FHEC_OK && p->golden)
        status = cut_golden(p);
    if (status == FHEC_OK)
        status = find_buffer(p, p->output, &p->out);
    if (status == FHEC_OK)
        status = make_values(p);
    if (status == FHEC_OK && p->matrix)
        status = read_matrix(p);
    if (status != FHEC_OK)
        return status;
    const size_t inputs = p->in->data.count;
    if (p->first >= inputs)
        return fh_cli_error(p->cli, FHEC_BAD_INPUT, "%s has %zu elements", p->input, inputs);
    if (!p->count || p->count > inputs - p->first)
        p->count = inputs - p->first;
    if (p->count * p->out->data.count > MOST_ENTRIES)
        return fh_cli_error(p->cli, FHEC_BAD_INPUT,
                            "a matrix of %zu x %zu is too large; --columns takes a part of it",
                            p->out->data.count, (size_t)p->count);
    p->got = shared_entries(p);
    p->want = shared_entries(p);
    return p->got && p->want ? FHEC_OK : fh_cli_no_memory(p->cli);
}

/* ---------------------------------------------------------------- columns */

/* Makes the input one-hot, where the guest gets it from and where the reference does. */
static void set_input(struct probe *p, size_t hot) {
    struct fh_cli_test_value *value = &p->values[p->in - p->memory->buffers];
    struct fh_cli_data before = p->in->data;
    before.bytes = p->in->before;
    for (size_t i = 0; i < value->count; i++) {
        value->elements[i] = i == hot ? p->one : 0;
        fh_cli_data_set(&p->in->data, i, value->elements[i]);
        if (before.bytes)
            fh_cli_data_set(&before, i, value->elements[i]);
    }
}

static fhec_status run_column(struct probe *p, size_t column) {
    const size_t rows = p->out->data.count;
    fh_stores_end(p->stores);
    p->stores = NULL;
    fhec_machine_free(p->machine);
    p->machine = NULL;
    fhec_status status = fh_cli_machine_new(p->cli, &p->run.machine, &p->machine);
    /* The last run tells who stores what; by then it is known where the buffer lies. */
    if (status == FHEC_OK && column && column + 1 == p->count)
        status = fh_stores_begin(p->machine, p->out->address, p->out->data.width, rows, &p->stores);
    set_input(p, p->first + column);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(p->runner, p->machine);
    for (size_t i = 0; i < rows && status == FHEC_OK; i++)
        p->got[column * rows + i] = fh_cli_data_get(&p->out->data, i);
    return status;
}

static fhec_status expect_column(struct probe *p, size_t column) {
    const size_t rows = p->out->data.count;
    uint64_t *result;
    if (p->matrix) {
        for (size_t i = 0; i < rows; i++)
            p->want[column * rows + i] =
                fh_cli_data_get(&p->file, i * p->in->data.count + p->first + column);
        return FHEC_OK;
    }
    fhec_status status =
        fh_cli_test_golden(p->cli, &p->line, p->values, p->memory->buffer_count, rows, &result);
    if (status != FHEC_OK)
        return status;
    memcpy(p->want + column * rows, result, rows * sizeof *result);
    free(result);
    return FHEC_OK;
}

static fhec_status try_column(struct probe *p, size_t column) {
    const fhec_status status = run_column(p, column);
    return status == FHEC_OK ? expect_column(p, column) : status;
}

/* ---------------------------------------------------------------- side by side */

/* Columns that processes try: all but the first, which finds what is wrong with all of them, and
 * the last, whose stores are watched. */
struct sharing {
    struct probe *probe;
    size_t parts;
    fhec_status status;
};

static size_t part_begin(const struct sharing *s, size_t part) {
    return 1 + (size_t)(s->probe->count - 2) * part / s->parts;
}

/* In its process. What it hands back is its status; the matrices are shared. */
static bool run_part(void *user, size_t part, FILE *out) {
    const struct sharing *s = user;
    struct probe *p = s->probe;
    const size_t end = part_begin(s, part + 1);
    fhec_status status = FHEC_OK;
    for (size_t column = part_begin(s, part); column < end && status == FHEC_OK; column++)
        status = try_column(p, column);
    fprintf(out, "%d", (int)status);
    return status != FHEC_OK;
}

static void part_done(void *user, const struct fh_cli_child_end *end) {
    struct sharing *s = user;
    const fhec_status status = *end->text[FH_CLI_CHILD_RESULT]
                                   ? (fhec_status)atoi(end->text[FH_CLI_CHILD_RESULT])
                                   : FHEC_HOST_ERROR;
    if (status == FHEC_OK || s->status != FHEC_OK)
        return;
    s->status = status;
    fputs(end->text[FH_CLI_CHILD_STDERR], stderr);
    if (end->signal && end->signal != SIGINT)
        (void)fh_cli_error(s->probe->cli, status, "a process ended by signal %d", end->signal);
}

static fhec_status try_all(struct probe *p) {
    const unsigned jobs = fh_cli_children_jobs(p->jobs);
    struct sharing s = {.probe = p, .parts = (size_t)PARTS * jobs};
    fhec_status status = try_column(p, 0);
    if (p->count < SHARED || jobs == 1) {
        for (size_t column = 1; column < p->count && status == FHEC_OK; column++)
            status = try_column(p, column);
        return status;
    }
    const struct fh_cli_children all = {
        .count = s.parts, .jobs = jobs, .run = run_part, .done = part_done, .user = &s};
    if (status == FHEC_OK)
        status = fh_cli_children_run(p->cli, &all);
    if (s.status != FHEC_OK)
        status = s.status;
    return status == FHEC_OK ? try_column(p, (size_t)p->count - 1) : status;
}

/* The only modulus of the reference; 0: none, or several. */
static uint64_t modulus_of(const struct probe *p) {
    const char *text = p->golden ? fh_cli_test_option(&p->line, 4, "mod") : NULL;
    uint64_t modulus;
    return text && fh_cli_number(text, &modulus) ? modulus : 0;
}

/* ---------------------------------------------------------------- saying it */

/* The lane that stored exactly the wrong rows; FHEC_WARP_LANES: none. */
static uint32_t wrong_lane(const struct probe *p, const struct fh_matrix_pattern *m) {
    uint32_t lane = FHEC_WARP_LANES;
    struct fh_store store;
    for (size_t i = 0, next = 0; p->stores && i < p->probed.rows; i++) {
        const bool wrong = next < m->row_count && m->row_list[next] == i;
        next += wrong;
        if (!fh_stores_get(p->stores, i, &store))
            return FHEC_WARP_LANES;
        if (wrong && lane == FHEC_WARP_LANES)
            lane = store.lane;
        if (wrong && store.lane != lane)
            return FHEC_WARP_LANES;
    }
    for (size_t i = 0, next = 0; lane < FHEC_WARP_LANES && i < p->probed.rows; i++) {
        const bool wrong = next < m->row_count && m->row_list[next] == i;
        next += wrong;
        if (!wrong && fh_stores_get(p->stores, i, &store) && store.lane == lane)
            return FHEC_WARP_LANES;
    }
    return lane;
}

static void print_text(const struct probe *p, const struct fh_matrix_pattern *m) {
    const size_t rows = p->probed.rows;
    const uint32_t lane = wrong_lane(p, m);
    printf("%s as a matrix of %zu rows (%s) and %zu columns (%s): ", p->out->name, rows,
           p->out->name, p->probed.columns, p->in->name);
    if (!m->wrong) {
        puts("as expected");
        return;
    }
    printf("%zu of %zu entries are wrong\n", m->wrong, rows * p->probed.columns);
    printf("  %zu rows: %s\n  %zu columns: %s\n", m->row_count, m->rows, m->column_count,
           m->columns);
    if (m->cause[0])
        printf("  %s\n", m->cause);
    if (lane < FHEC_WARP_LANES)
        printf("  the wrong rows are those that lane %u stores\n", lane);
    size_t shown = 0;
    for (size_t j = 0; j < p->probed.columns && shown < SHOWN; j++)
        for (size_t i = 0; i < rows && shown < SHOWN; i++) {
            const uint64_t got = p->got[j * rows + i], want = p->want[j * rows + i];
            if (got == want)
                continue;
            printf("  [%zu, %zu]: 0x%llx, expected 0x%llx\n", i, (size_t)p->first + j,
                   (unsigned long long)got, (unsigned long long)want);
            shown++;
        }
    if (m->wrong > SHOWN)
        printf("  and %zu more\n", m->wrong - SHOWN);
}

static json_t *numbers(const size_t *list, size_t count, size_t more) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer((json_int_t)(list[i] + more)));
    return array;
}

static bool print_json(const struct probe *p, const struct fh_matrix_pattern *m) {
    const uint32_t lane = wrong_lane(p, m);
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:s, s:s, s:s}", "output", p->out->name, "input",
        p->in->name, "rows", (json_int_t)p->probed.rows, "columns", (json_int_t)p->probed.columns,
        "wrong", (json_int_t)m->wrong, "wrong_rows", numbers(m->row_list, m->row_count, 0),
        "wrong_columns", numbers(m->column_list, m->column_count, p->first), "row_pattern", m->rows,
        "column_pattern", m->columns, "cause", m->cause);
    if (object && m->wrong && lane < FHEC_WARP_LANES)
        json_object_set_new(object, "lane", json_integer(lane));
    return fh_cli_print_json(stdout, object, JSON_COMPACT);
}

static fhec_status report(struct probe *p) {
    struct fh_matrix_pattern pattern;
    p->probed = (struct fh_probed){.rows = p->out->data.count,
                                   .columns = p->count,
                                   .first_column = p->first,
                                   .got = p->got,
                                   .want = p->want,
                                   .modulus = modulus_of(p)};
    bool fine = fh_matrix_describe(&p->probed, &pattern);
    if (fine && p->format == 0)
        print_text(p, &pattern);
    else if (fine)
        fine = print_json(p, &pattern);
    const bool wrong = pattern.wrong != 0;
    fh_matrix_pattern_free(&pattern);
    if (!fine)
        return fh_cli_no_memory(p->cli);
    return wrong ? FHEC_DIFFERS : FHEC_OK;
}

fhec_status fh_cli_probe(struct fh_cli *cli, int argc, char **argv) {
    struct probe p = {.cli = cli, .run = {.cli = cli}, .one = 1};
    fh_cli_parse(cli, &argp, argc, argv, &p);
    fhec_status status = prepare(&p);
    if (!p.run.machine.options.threads)
        p.run.machine.options.threads = 1; /* launches are many and small; what is shared is they */
    if (status == FHEC_OK)
        status = try_all(&p);
    if (status == FHEC_OK)
        status = report(&p);
    fh_stores_end(p.stores);
    fhec_machine_free(p.machine);
    for (size_t i = 0; p.values && i < p.memory->buffer_count; i++)
        free(p.values[i].elements);
    free(p.values);
    free(p.line.text);
    free(p.output);
    if (p.got)
        munmap(p.got, matrix_bytes(&p));
    if (p.want)
        munmap(p.want, matrix_bytes(&p));
    fh_cli_data_free(&p.file);
    fh_cli_runner_close(p.runner);
    fh_cli_run_options_free(&p.run);
    return status;
}
