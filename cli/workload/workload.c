/*
 * workload.c - limbs of residues on their way in, through the check, and out.
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "data_file.h"
#include "debug_line.h"
#include "debug_target.h"
#include "elements.h"
#include "first_difference.h"
#include "host_reads.h"
#include "interrupt.h"
#include "machine_options.h"
#include "message.h"
#include "mutation.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "room.h"
#include "sass_files.h"
#include "seconds.h"
#include "statistics.h"
#include "why_run.h"

enum {
    OPTION_MAP = 0x1200,
    OPTION_IN,
    OPTION_OUT,
    OPTION_SEED,
    OPTION_PATTERN,
    OPTION_HASH,
    OPTION_NO_VERIFY,
    OPTION_DEBUG,
};

static const struct argp_option workload_options[] = {
    {"map", OPTION_MAP, "MAP", 0,
     "What executes the modular products; golden is the C reference. --map=help lists them", 2},
    {"in", OPTION_IN, "FILE", 0,
     "Input, limb after limb: raw little-endian u32 (u64 in 64-bit maps, and with golden where a "
     "modulus has more than 32 bits), or .npy",
     3},
    {"out", OPTION_OUT, "FILE", 0, "Write the result to FILE", 3},
    {"seed", OPTION_SEED, "S", 0, "Without --in: the seed of a random input (default 1)", 3},
    {"pattern", OPTION_PATTERN, "NAME", 0,
     "Without --in: random, max, one-hot (at index S mod N), alternating or ramp", 3},
    {"hash", OPTION_HASH, NULL, 0, "Print the result's XXH3-128", 4},
    {"no-verify", OPTION_NO_VERIFY, NULL, 0, "Do not compare with the C reference", 4},
    {"debug", OPTION_DEBUG, NULL, 0,
     "Look at the launches in the debugger instead, with commands from standard input", 4},
    {0},
};

void fh_cli_list_maps(FILE *to) {
    const struct fh_map *map;
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        fprintf(to, "%-12s %s (%s%s%s%s%s%s%u-bit)\n", map->name, map->title,
                map->workloads & FH_WORKLOAD_NTT ? "ntt, " : "",
                map->workloads & FH_WORKLOAD_BCONV ? "bconv, " : "",
                map->workloads & FH_WORKLOAD_CKKS ? "ckks, " : "",
                map->workloads & FH_WORKLOAD_ELTWISE ? "element-wise, " : "",
                map->workloads & FH_WORKLOAD_BIGMUL ? "bigint mul, " : "",
                map->workloads & FH_WORKLOAD_MONTMUL ? "bigint montmul, " : "", map->word_bits);
    fprintf(to, "%-12s the C reference (up to 61-bit)\n", "golden");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_workload *work = state->input;
    static const char *const patterns[] = {"random", "max", "one-hot", "alternating", "ramp", NULL};
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &work->machine;
        state->child_inputs[1] = work->cli;
        state->child_inputs[2] = &work->check;
        state->child_inputs[3] = &work->profile;
        state->child_inputs[4] = &work->time;
        return 0;
    case OPTION_MAP:
        work->map = arg;
        if (!strcmp(arg, "help")) {
            fh_cli_list_maps(stdout);
            exit((int)fh_cli_flush(work->cli));
        }
        return 0;
    case OPTION_IN: work->in = arg; return 0;
    case OPTION_OUT: work->out = arg; return 0;
    case OPTION_SEED:
        work->seed = fh_cli_number_option(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case OPTION_PATTERN:
        work->pattern = (fh_golden_pattern)fh_cli_choice_option(state, "--pattern", arg, patterns);
        return 0;
    case OPTION_HASH: work->hash = true; return 0;
    case OPTION_NO_VERIFY: work->no_verify = true; return 0;
    case OPTION_DEBUG: work->debug = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_machine_argp, 0, NULL, 0},  {&fh_cli_common_argp, 0, NULL, 0},
    {&fh_cli_check_argp, 0, NULL, 0},    {&fh_cli_profile_argp, 0, NULL, 0},
    {&fh_cli_time_run_argp, 0, NULL, 0}, {0}};
const struct argp fh_cli_workload_argp = {workload_options, parse_option, NULL, NULL,
                                          children,         NULL,         NULL};

bool fh_cli_workload_is_golden(const struct fh_cli_workload *work) {
    return !strcmp(work->map, "golden");
}

/* Whether the map's name is known and can do the workload; says so if not. */
static fhec_status find_map(struct fh_cli_workload *work) {
    const struct fh_map *map;
    if (!work->map)
        work->map = fh_map_default(work->workload);
    work->width = 4;
    if (fh_cli_workload_is_golden(work))
        return FHEC_OK;
    map = fh_map_find(work->map);
    if (map && map->workloads & (unsigned)work->workload) {
        work->width = map->word_bits / 8;
        return FHEC_OK;
    }
    fh_cli_error(work->cli, FHEC_BAD_INPUT,
                 map ? "the map %s cannot do this; the maps are:"
                     : "there is no map \"%s\"; the maps are:",
                 work->map);
    fh_cli_list_maps(stderr);
    return FHEC_BAD_INPUT;
}

fhec_status fh_cli_program_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status, const struct fh_error *error) {
    if (status == FHEC_OK || !error->text[0] || status == FHEC_GUEST_FAULT ||
        status == FHEC_CANCELLED)
        return status == FHEC_OK ? status : fh_cli_machine_error(cli, machine, status);
    return fh_cli_error(cli, status, "%s", error->text);
}

fhec_status fh_cli_golden_error(const struct fh_cli *cli, fh_golden_status status,
                                const char *what) {
    if (status == FH_GOLDEN_OK)
        return FHEC_OK;
    return fh_cli_error(cli, status == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                        "%s: %s", what, fh_golden_status_text(status));
}

/* Takes limbs x n elements from the file; any other number or shape is an error. */
static fhec_status read_input(struct fh_cli_workload *work) {
    struct fh_cli_data data;
    size_t count = work->in_limbs * work->n;
    bool npy_any = strlen(work->in) > 4 && !strcmp(work->in + strlen(work->in) - 4, ".npy");
    fhec_status status = fh_cli_data_read(work->cli, work->in, npy_any ? 0 : work->width, &data);
    if (status != FHEC_OK)
        return status;
    bool flat = data.dims == 1 && data.count == count;
    bool limbs = data.dims == 2 && data.shape[0] == work->in_limbs && data.shape[1] == work->n;
    if (!flat && !limbs)
        status = fh_cli_error(work->cli, FHEC_BAD_INPUT,
                              "%s has %zu elements%s; expected %zu: %zu limb%s of %zu", work->in,
                              data.count, data.dims == 1 ? "" : " in another shape", count,
                              work->in_limbs, work->in_limbs == 1 ? "" : "s", work->n);
    for (size_t i = 0; i < count && status == FHEC_OK; i++) {
        work->input[i] = fh_cli_data_get(&data, i);
        if (work->width == 4 && work->input[i] > UINT32_MAX)
            status = fh_cli_error(work->cli, FHEC_BAD_INPUT,
                                  "%s: element %zu is 0x%llx; this map has 32-bit elements",
                                  work->in, i, (unsigned long long)work->input[i]);
    }
    work->file = data;
    work->file.bytes = NULL;
    free(data.bytes);
    return status;
}

fhec_status fh_cli_workload_primes(const struct fh_cli_workload *work, size_t n, size_t count,
                                   uint64_t **primes) {
    char what[96];
    *primes = calloc(count, sizeof **primes);
    if (!*primes)
        return fh_cli_no_memory(work->cli);
    snprintf(what, sizeof what, "%zu primes = 1 mod %zu below 2^%llu", count, 2 * n,
             (unsigned long long)work->bits);
    return fh_cli_golden_error(
        work->cli, fh_golden_prime_chain(n, (unsigned)work->bits, count, *primes), what);
}

fhec_status fh_cli_workload_operands(struct fh_cli_workload *work, const uint64_t *q, size_t n,
                                     size_t in_limbs, size_t out_limbs) {
    size_t most = in_limbs > out_limbs ? in_limbs : out_limbs;
    work->n = n;
    work->in_limbs = in_limbs;
    work->out_limbs = out_limbs;
    work->file = (struct fh_cli_data){.width = work->width, .dims = out_limbs > 1 ? 2 : 1};
    work->input = fh_golden_zeros(in_limbs * n, sizeof *work->input);
    work->result = fh_golden_zeros(out_limbs * n, sizeof *work->result);
    work->golden = fh_golden_zeros(out_limbs * n, sizeof *work->golden);
    work->packed = fh_golden_zeros(most * n, work->width);
    if (!work->input || !work->result || !work->golden || !work->packed)
        return fh_cli_no_memory(work->cli);
    fhec_status status =
        work->out ? fh_cli_output_add(work->cli, &work->outputs, work->out) : FHEC_OK;
    if (status == FHEC_OK && work->profile.path)
        status = fh_cli_output_add(work->cli, &work->outputs, work->profile.path);
    if (status != FHEC_OK)
        return status;
    if (work->in)
        return read_input(work);
    if (!q)
        return FHEC_OK;
    return fh_cli_golden_error(
        work->cli, fh_golden_generate_limbs(work->pattern, work->seed, in_limbs, q, n, work->input),
        "input");
}

/* The input as bytes of `width`; their number. */
static size_t pack(const struct fh_cli_workload *work) {
    struct fh_cli_data data = {.bytes = work->packed, .width = work->width};
    size_t count = work->in_limbs * work->n;
    for (size_t i = 0; i < count; i++)
        fh_cli_data_set(&data, i, work->input[i]);
    return count * work->width;
}

static void unpack(const struct fh_cli_workload *work) {
    struct fh_cli_data data = {.bytes = work->packed, .width = work->width};
    for (size_t i = 0; i < work->out_limbs * work->n; i++)
        work->result[i] = fh_cli_data_get(&data, i);
}

/* The file has the input file's width and, as far as the number of limbs allows, its shape. */
static fhec_status write_result(struct fh_cli_workload *work) {
    size_t count = work->out_limbs * work->n;
    struct fh_cli_data data = {.width = work->file.npy ? work->file.width : work->width,
                               .count = count,
                               .dims = work->file.dims};
    data.bytes = malloc(count * data.width + 1);
    if (!data.bytes)
        return fh_cli_no_memory(work->cli);
    data.shape[0] = data.dims == 2 ? work->out_limbs : count;
    data.shape[1] = work->n;
    for (size_t i = 0; i < count; i++)
        fh_cli_data_set(&data, i, work->result[i]);
    fhec_status status = fh_cli_data_write(work->cli, &work->outputs, work->out, &data);
    free(data.bytes);
    return status;
}

/* Writes the file, prints hash and statistics. */
static fhec_status finish(struct fh_cli_workload *work, fhec_machine *machine, double seconds) {
    struct fh_cli_hash hash = {0};
    bool golden = fh_cli_workload_is_golden(work), verified = !golden && !work->no_verify;
    fhec_status status = work->out ? write_result(work) : FHEC_OK;
    if (status == FHEC_OK && work->hash)
        status = fh_cli_golden_error(
            work->cli,
            fh_golden_hash_elements(work->width, work->out_limbs * work->n, work->result, hash.hex),
            "hash");
    if (status != FHEC_OK)
        return status;
    fh_cli_note(work->cli, "%s, map %s: %s, %.3f s", work->what, work->map,
                golden     ? "by the C reference"
                : verified ? "equal to the C reference"
                           : "not verified",
                seconds);
    status = fh_cli_print_statistics(work->cli, &work->machine, machine, seconds, &hash, work->hash,
                                     NULL);
    return status == FHEC_OK ? fh_cli_output_commit(work->cli, &work->outputs) : status;
}

static fhec_status reference(const struct fh_cli_workload *work,
                             const struct fh_cli_workload_kind *kind, uint64_t *out) {
    struct fh_cli_progress *progress =
        fh_cli_progress_start(work->cli, NULL, "%s: computing the reference", work->cli->command);
    fh_golden_status status = kind->reference(work, out);
    fh_cli_progress_stop(progress);
    return fh_cli_golden_error(work->cli, status, "reference");
}

static fhec_status run_packed(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind,
                              fhec_machine *machine, double *seconds, struct fh_error *error) {
    size_t bytes = pack(work);
    double started = fh_cli_now();
    fhec_status status = kind->run(work, machine, bytes, error);
    *seconds = fh_cli_now() - started;
    unpack(work);
    return status;
}

static fhec_status emulate(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind,
                           fhec_machine *machine, double *seconds) {
    struct fh_error error = {""};
    struct fh_cli_progress *progress = fh_cli_progress_start(
        work->cli, machine, "%s: %s on the emulator", work->cli->command, work->doing);
    fh_cli_interrupt_begin(machine);
    fhec_status status = kind->emulate ? kind->emulate(work, machine, seconds, &error)
                                       : run_packed(work, kind, machine, seconds, &error);
    fh_cli_interrupt_end();
    fh_cli_progress_stop(progress);
    return fh_cli_program_error(work->cli, machine, status, &error);
}

/* The profile is written at its end; the timer may be NULL. */
static fhec_status emulate_profiled(struct fh_cli_workload *work,
                                    const struct fh_cli_workload_kind *kind, fhec_machine *machine,
                                    struct fh_timer *timer, double *seconds) {
    struct fh_cli_profile *profile;
    fhec_status status = fh_cli_profile_open(work->cli, &work->profile, &profile);
    if (status == FHEC_OK)
        status = fh_cli_profile_attach(profile, machine);
    if (status == FHEC_OK)
        status = fh_cli_timing_attach(work->cli, timer, machine);
    if (status == FHEC_OK)
        status = emulate(work, kind, machine, seconds);
    return fh_cli_profile_close(profile, status);
}

/* ---------------------------------------------------------------- the comparison */

enum { READS_BESIDE = 1 << 20 }; /* bytes of what the host reads beside the result: padding */

struct repetition {
    struct fh_cli_workload *work;
    const struct fh_cli_workload_kind *kind;
};

/* The same run once more, on a machine that says who stores what. */
static fhec_status emulate_again(void *user, fhec_machine *machine) {
    const struct repetition *r = user;
    struct fh_error error = {""};
    double seconds;
    fh_cli_mutation_again(r->work->cli);
    fh_cli_interrupt_begin(machine);
    fhec_status status = r->kind->emulate ? r->kind->emulate(r->work, machine, &seconds, &error)
                                          : run_packed(r->work, r->kind, machine, &seconds, &error);
    fh_cli_interrupt_end();
    return status;
}

/* Elements as the guest has them. */
static uint8_t *packed_copy(const uint64_t *elements, size_t count, unsigned width) {
    struct fh_cli_data data = {.bytes = malloc(count * width + 1), .width = width};
    for (size_t i = 0; i < count && data.bytes; i++)
        fh_cli_data_set(&data, i, elements[i]);
    return data.bytes;
}

/* The emulator's result against golden's. */
static fhec_status verify(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind,
                          const struct fh_cli_host_reads *reads) {
    const size_t count = work->out_limbs * work->n;
    size_t first = 0;
    while (first < count && work->result[first] == work->golden[first])
        first++;
    if (first == count)
        return FHEC_OK;
    struct fh_cli_data got = {.count = count, .width = work->width, .dims = 1}, want = got;
    got.bytes = packed_copy(work->result, count, work->width);
    want.bytes = packed_copy(work->golden, count, work->width);
    struct fh_cli_difference difference = {.what = "the result",
                                           .buffer = "result",
                                           .got = &got,
                                           .want = &want,
                                           .columns = work->n,
                                           .row = "limb",
                                           .why = work->cli->command + strlen("fhec")};
    struct repetition repetition = {work, kind};
    const struct fh_cli_again again = {&work->machine, &repetition, emulate_again};
    if (reads)
        (void)fh_cli_host_reads_find(reads, work->result, count, work->width, first,
                                     &difference.address, &difference.first, &difference.count);
    fhec_status status = got.bytes && want.bytes
                             ? fh_cli_compare_closely(work->cli, &difference, &again)
                             : fh_cli_no_memory(work->cli);
    free(got.bytes);
    free(want.bytes);
    return status;
}

/* The checks that were asked for; the comments of the kernels may suppress findings. */
static fhec_status open_check(const struct fh_cli_workload *work, fhec_machine *machine,
                              struct fh_cli_check **check) {
    fhec_status status = fh_cli_check_open(work->cli, &work->check, machine, check);
    for (size_t i = 0; i < fh_sass_file_count && *check && status == FHEC_OK; i++)
        status = fh_cli_check_source(*check, fh_sass_files[i].name, fh_sass_files[i].text);
    return status;
}

/* Computes the result by the reference or by the emulator, compares the second with the first
 * unless told not to. */
static fhec_status compute(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind) {
    fhec_machine *machine = NULL;
    struct fh_cli_host_reads *reads = NULL;
    struct fh_cli_check *check = NULL;
    struct fh_timer *timer = NULL;
    fhec_status status = FHEC_OK;
    double seconds = 0;
    if (fh_cli_workload_is_golden(work)) {
        double started = fh_cli_now();
        status = reference(work, kind, work->result);
        seconds = fh_cli_now() - started;
    } else {
        status = fh_cli_timing_open(work->cli, &work->time, &work->machine.options, &timer);
        if (status == FHEC_OK)
            status = fh_cli_machine_new(work->cli, &work->machine, &machine);
        if (status == FHEC_OK && !work->no_verify)
            reads = fh_cli_host_reads_begin(machine,
                                            READS_BESIDE + work->out_limbs * work->n * work->width);
        if (status == FHEC_OK)
            status = open_check(work, machine, &check);
        if (status == FHEC_OK)
            status = emulate_profiled(work, kind, machine, timer, &seconds);
        if (status == FHEC_OK)
            status = fh_cli_patches_check(work->cli, &work->machine.patches, machine);
        if (status == FHEC_OK && !work->no_verify)
            status = reference(work, kind, work->golden);
        if (status == FHEC_OK && !work->no_verify)
            status = verify(work, kind, reads);
    }
    if (status == FHEC_OK)
        status = finish(work, machine, seconds);
    status = fh_cli_check_close(check, NULL, status);
    status = fh_cli_timing_close(work->cli, &work->time, timer, stdout, status);
    fhec_machine_free(machine);
    fh_cli_host_reads_free(reads);
    return status;
}

/* What `fhec why` asks, instead of all that. */
static fhec_status explain(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind) {
    const size_t count = work->out_limbs * work->n;
    fhec_machine *machine = NULL;
    struct fh_cli_host_reads *reads = NULL;
    struct fh_journal *journal = NULL;
    double seconds;
    fhec_status status = fh_cli_machine_new(work->cli, &work->machine, &machine);
    if (status == FHEC_OK) {
        reads = fh_cli_host_reads_begin(machine, READS_BESIDE + count * work->width);
        status =
            reads ? fh_cli_why_begin(work->cli, machine, &journal) : fh_cli_no_memory(work->cli);
    }
    if (status == FHEC_OK)
        status = emulate(work, kind, machine, &seconds);
    if (status == FHEC_OK)
        status = fh_cli_why_plan(
            work->cli, journal,
            &(struct fh_cli_why_plan){work->result, count, work->n, work->width, reads});
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fh_cli_host_reads_free(reads);
    return status;
}

/* What debugging a workload ends with. */
struct debugged {
    struct fh_cli *cli;
    struct fh_cli_debug_target *target;
    bool shown;
    fhec_status status;
};

/* The host wants the result, so all launches are known, and what they are about is still there: the
 * time to debug them. The host's own work is over then. */
static fhec_status show(void *user, uint64_t address, void *out, size_t bytes) {
    struct debugged *d = user;
    (void)address;
    memset(out, 0, bytes);
    if (!d->shown)
        d->status = fh_cli_debug_show(d->cli, d->target);
    d->shown = true;
    return FHEC_CANCELLED;
}

/* `fhec debug` of it. */
static fhec_status debug(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind) {
    struct debugged d = {.cli = work->cli};
    struct fh_error error = {""};
    double seconds;
    fhec_status status = fh_cli_debug_begin(work->cli, &work->machine, &work->check, &d.target);
    if (status != FHEC_OK)
        return status;
    fhec_machine *host = fh_cli_debug_host(d.target);
    fh_cli_debug_options(d.target, work->options);
    work->options->read = show;
    work->options->read_user = &d;
    status = kind->emulate ? kind->emulate(work, host, &seconds, &error)
                           : run_packed(work, kind, host, &seconds, &error);
    status = d.shown ? d.status : fh_cli_program_error(work->cli, host, status, &error);
    fh_cli_debug_close(d.target);
    return status;
}

static fhec_status edit(void *user, fhec_program **program) {
    return fh_cli_mutation_program(user, program);
}

/* The parameters, once the map is known; the planner does not check them again. */
static fhec_status prepare(struct fh_cli_workload *work, const struct fh_cli_workload_kind *kind) {
    struct fh_error error = {""};
    if (!work->bits)
        work->bits = work->width == 8 ? 60 : 30;
    fhec_status status = kind->prepare(work);
    if (status != FHEC_OK)
        return status;
    if (fh_cli_workload_is_golden(work) && work->cli->debug)
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "fhec debug: --map golden runs no kernel that could be debugged");
    if (fh_cli_workload_is_golden(work) && work->cli->question)
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "fhec why: --map golden runs no kernel that could be followed");
    if (work->cli->question && (work->check.wanted || work->profile.path || work->time.wanted))
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "fhec why follows an element, and neither checks, profiles nor times");
    if (fh_cli_workload_is_golden(work) && work->profile.path)
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "--profile: --map golden runs no kernel that could be profiled");
    if (fh_cli_workload_is_golden(work) && work->time.wanted)
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "--time: --map golden runs no kernel that could be timed");
    if (fh_cli_workload_is_golden(work) && work->check.wanted)
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "--check: --map golden runs no kernel that could be checked");
    if (fh_cli_workload_is_golden(work))
        return kind->check_golden(work);
    work->kernels = fh_kernel_cache_new(); /* without it runs take longer */
    *work->options =
        (struct fh_run_options){.max_steps = work->machine.max_steps,
                                .diagnostic = fh_cli_diagnostic,
                                .user = work->cli,
                                .kernels = work->kernels,
                                .contracts = work->check.wanted || work->cli->question ||
                                             work->cli->debug || work->cli->mutation};
    if (work->cli->mutation) {
        work->options->edit = edit;
        work->options->edit_user = work->cli;
    }
    status = fh_cli_program_error(work->cli, NULL, kind->check(work, &error), &error);
    work->options->checked = status == FHEC_OK;
    return status;
}

fhec_status fh_cli_workload_main(struct fh_cli *cli, int argc, char **argv,
                                 struct fh_cli_workload *command,
                                 const struct fh_cli_workload_kind *kind) {
    command->cli = cli;
    command->seed = 1;
    command->check.own_memory = true;
    fh_cli_parse(cli, kind->argp, argc, argv, command);
    if (command->debug && !cli->debug)
        cli->debug = &fh_cli_debug_terminal;
    fhec_status status = find_map(command);
    if (status == FHEC_OK)
        status = prepare(command, kind);
    if (status == FHEC_OK && command->graph)
        status = kind->graph(command);
    else if (status == FHEC_OK)
        status = kind->operands(command);
    if (status == FHEC_OK && !command->graph)
        status = cli->question ? explain(command, kind)
                 : cli->debug  ? debug(command, kind)
                               : compute(command, kind);
    fh_cli_output_discard(&command->outputs);
    free(command->input);
    free(command->golden);
    free(command->result);
    free(command->packed);
    fh_kernel_cache_free(command->kernels);
    fh_cli_check_options_free(&command->check);
    return status;
}
