/*
 * circuit_run.c - see circuit_run.h.
 */
#include "circuit_run.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_memory.h"
#include "graph_file.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "seconds.h"
#include "security.h"
#include "statistics.h"
#include "workload.h"

enum {
    OPTION_LOGN = 0x1500,
    OPTION_MAP,
    OPTION_SEED,
    OPTION_NO_VERIFY,
    OPTION_CHECKPOINT,
    OPTION_CHECKPOINT_EVERY,
    OPTION_GRAPH,
};
enum { LEAST_LOGN = 10, MOST_LOGN = 16 };

static const struct argp_option options[] = {
    {"logn", OPTION_LOGN, "LOGN", 0, "N = 2^LOGN coefficients, 10 to 16", 0},
    {"map", OPTION_MAP, "MAP", 0,
     "What executes the modular products; --map=help lists what there is", 0},
    {"seed", OPTION_SEED, "S", 0, "Secrets, keys and message follow from it (default 1)", 0},
    {"no-verify", OPTION_NO_VERIFY, NULL, 0, "Do not compare with the C reference", 0},
    {"checkpoint", OPTION_CHECKPOINT, "DIR", 0,
     "Save what has been computed there, and go on from it after an interruption", 0},
    {"checkpoint-every", OPTION_CHECKPOINT_EVERY, "SECONDS", 0,
     "At least so long from one save to the next (default 30)", 0},
    {"graph", OPTION_GRAPH, "FILE", 0,
     "Write the graph of blocks for `fhec blocks`, and execute nothing", 0},
    {0},
};

/* At most so many bytes of keys are kept on the host and in the guest; and at least so many keys.
 */
enum { LEAST_PLACES = 2, MOST_PLACES = 128 };
static const size_t host_bytes = (size_t)5 << 30, guest_bytes = (size_t)3 << 29;

/* Steps that the reference may be ahead of the machine: with the largest parameters a step's value
 * has 46 MB. */
enum { AHEAD = 12 };

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_circuit_run *run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->machine;
        state->child_inputs[1] = run->cli;
        return 0;
    case OPTION_LOGN:
        run->logn = fh_cli_number_option(state, "--logn", arg, LEAST_LOGN, MOST_LOGN);
        return 0;
    case OPTION_MAP:
        run->map = arg;
        if (!strcmp(arg, "help")) {
            fh_cli_list_maps(stdout);
            exit((int)fh_cli_flush(run->cli));
        }
        return 0;
    case OPTION_SEED:
        run->seed = fh_cli_number_option(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case OPTION_NO_VERIFY: run->no_verify = true; return 0;
    case OPTION_CHECKPOINT: run->folder = arg; return 0;
    case OPTION_GRAPH: run->graph = arg; return 0;
    case OPTION_CHECKPOINT_EVERY:
        run->every = fh_cli_number_option(state, "--checkpoint-every", arg, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument: %s", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_machine_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
const struct argp fh_cli_circuit_argp = {options, parse_option, NULL, NULL, children, NULL, NULL};

/* ---------------------------------------------------------------- before any work */

/* A circuit is many launches: what looks at a single one cannot show it. */
static fhec_status check_caller(const struct fh_cli *cli) {
    const char *who = cli->debug      ? "fhec debug"
                      : cli->question ? "fhec why"
                      : cli->mutation ? "fhec mutate"
                                      : NULL;
    if (!who)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT,
                        "%s takes one primitive (hemult, rotate, ...), not a whole circuit as "
                        "%s executes it",
                        who, cli->command);
}

static fhec_status check_map(const struct fh_cli_circuit_run *run) {
    if (!strcmp(run->map, "golden"))
        return fh_cli_error(run->cli, FHEC_BAD_INPUT,
                            "--map golden: the C reference runs beside every other map");
    return FHEC_OK;
}

/* How many keys fit. */
static size_t places(const fh_golden_ckks_params *chain, size_t bytes) {
    const size_t fit = bytes / fh_golden_ckks_boot_key_bytes(chain);
    return fit < LEAST_PLACES ? LEAST_PLACES : fit > MOST_PLACES ? MOST_PLACES : fit;
}

/* The reference and the machine read the host's keys; without a reference what the guest keeps need
 * not be kept on the host, too. */
static size_t host_places(const struct fh_cli_circuit_run *run) {
    return places(&run->client.chain, run->no_verify ? 0 : host_bytes);
}

/* Whether what all of it takes, by estimate, is there. */
static fhec_status check_memory(const struct fh_cli_circuit_run *run) {
    const struct fh_cli_memory_use use = {
        .host_keys = host_places(run),
        .ahead = run->no_verify ? 0 : AHEAD,
    };
    return fh_cli_memory_check(run->cli, &run->steps_params, &use);
}

/* Parameters, chain and circuit, and whether the map can do it. */
static fhec_status plan(struct fh_cli_circuit_run *run, const struct fh_cli_circuit_kind *kind) {
    struct fh_cli_client *client = &run->client;
    struct fh_error error = {""};
    fhec_status status = kind->plan(run);
    if (status != FHEC_OK)
        return status;
    fh_golden_status made = fh_cli_client_chain(client);
    if (made == FH_GOLDEN_OK)
        made = kind->circuit(run, &client->params, client->moduli, &client->circuit);
    status = fh_cli_golden_error(run->cli, made, "the plan");
    if (status == FHEC_OK && run->secure)
        status = fh_cli_security_check(run->cli, &client->chain);
    if (status != FHEC_OK)
        return status;
    fh_cli_security_note(run->cli, &client->chain);
    run->steps_params = (struct fh_ckks_steps_params){
        .map = run->map,
        .circuit = client->circuit,
        .chain = &client->chain,
        .base = &client->base_chain,
        .environment = &client->environment,
        .options = {.max_steps = run->machine.max_steps,
                    .diagnostic = fh_cli_diagnostic,
                    .user = run->cli},
    };
    run->steps_params.key_places =
        places(&client->chain, run->no_verify ? host_bytes : guest_bytes);
    status = fh_cli_program_error(run->cli, NULL, fh_ckks_steps_check(&run->steps_params, &error),
                                  &error);
    return status == FHEC_OK && !run->graph ? check_memory(run) : status;
}

/* ---------------------------------------------------------------- the steps */

/* What is freed is kept for the next step instead of being given back and faulted in again, and
 * the reference's thread has no heap of its own. */
static void keep_memory(void) {
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    (void)mallopt(M_ARENA_MAX, 1);
}

static fhec_status make_client(struct fh_cli_circuit_run *run,
                               const struct fh_cli_circuit_kind *kind) {
    struct fh_cli_client *client = &run->client;
    fhec_status status = fh_cli_golden_error(
        run->cli, fh_cli_client_make(client, run->seed, host_places(run)), "keys");
    if (status == FHEC_OK)
        status = kind->inputs(run, client->slots);
    if (status == FHEC_OK)
        status =
            fh_cli_golden_error(run->cli, fh_cli_client_encrypt(client, run->seed), "encryption");
    return status;
}

/* The inputs as values of the circuit, which they stay parts of. */
static void find_inputs(const struct fh_cli_client *client, uint64_t **values) {
    const size_t n = (size_t)1 << client->chain.log2_n;
    uint64_t *at = client->input;
    for (size_t i = 0; i < client->circuit->input_count; i++) {
        values[i] = at;
        at += 2 * fh_golden_ckks_circuit_level(client->circuit, i) * n;
    }
}

/* Opens the checkpoints and goes on from what is there: values of earlier processes, malloc'd. */
static fhec_status resume(struct fh_cli_circuit_run *run, uint64_t **values, bool *found) {
    struct fh_cli_client *client = &run->client;
    snprintf(run->title, sizeof run->title, "%s, N = 2^%u, map %s, seed %llu", run->what,
             client->chain.log2_n, run->map, (unsigned long long)run->seed);
    if (!fh_cli_fingerprint(client, &run->steps_params, run->seed, !run->no_verify,
                            run->fingerprint))
        return fh_cli_no_memory(run->cli);
    fhec_status status = fh_cli_checkpoint_open(run->cli, run->folder, run->title, run->fingerprint,
                                                &run->checkpoint);
    if (status == FHEC_OK)
        status = fh_cli_checkpoint_load(run->checkpoint, client, &run->state, values, found);
    if (status != FHEC_OK || !*found)
        return status;
    fh_cli_note(run->cli, "%s: goes on before step %zu of %zu", run->folder, run->state.next + 1,
                client->circuit->step_count);
    if (!fh_cli_counts_add(&run->before, &run->state.counts.stats))
        return fh_cli_no_memory(run->cli);
    if (fh_ckks_steps_restore(run->steps, run->state.next, values) != FHEC_OK)
        return fh_cli_error(run->cli, FHEC_BAD_INPUT, "%s: %s", run->folder,
                            fh_ckks_steps_error(run->steps)->text);
    return FHEC_OK;
}

/* The machine and the reference before the first step, or where a checkpoint is. */
static fhec_status start(struct fh_cli_circuit_run *run) {
    const struct fh_cli_client *client = &run->client;
    const size_t count = client->circuit->step_count + 1;
    uint64_t **values = calloc(count, sizeof *values);
    bool found = false;
    if (!values)
        return fh_cli_no_memory(run->cli);
    run->state.next = client->circuit->input_count - 1;
    run->due = fh_cli_now() + (double)run->every;
    fhec_status status = run->folder ? resume(run, values, &found) : FHEC_OK;
    if (!found)
        find_inputs(client, values);
    if (status == FHEC_OK && !run->no_verify)
        status = fh_cli_golden_error(run->cli,
                                     fh_cli_reference_start(&run->reference, client->circuit,
                                                            &client->reference, values,
                                                            run->state.next, AHEAD),
                                     "the reference");
    for (size_t v = 0; v < count && found; v++)
        free(values[v]);
    free(values);
    return status;
}

/* Keys and operands on the host, the circuit on the machine, golden's execution beside it. */
static fhec_status prepare(struct fh_cli_circuit_run *run, const struct fh_cli_circuit_kind *kind,
                           fhec_machine *machine) {
    struct fh_error error = {""};
    const fh_golden_ckks_params *chain = &run->client.chain;
    size_t n = (size_t)1 << chain->log2_n;
    /* Raised digits are larger than a ciphertext. */
    run->result =
        calloc((2 + chain->dnum) * (chain->limbs + chain->alpha) * n, sizeof *run->result);
    if (!run->result)
        return fh_cli_no_memory(run->cli);
    fhec_status status = make_client(run, kind);
    if (status == FHEC_OK)
        status = fh_cli_program_error(run->cli, machine,
                                      fh_ckks_steps_begin(machine, &run->steps_params,
                                                          run->client.input, &run->steps, &error),
                                      &error);
    return status == FHEC_OK ? start(run) : status;
}

/* The value of step `index` on the machine against golden's. */
static fhec_status verify(struct fh_cli_circuit_run *run, size_t index) {
    const fh_golden_ckks_circuit *circuit = run->client.circuit;
    const fh_golden_ckks_step *step = &circuit->steps[index];
    size_t n = (size_t)1 << circuit->log2_n, level = step->result_level;
    size_t count = fh_golden_ckks_value_elements(circuit, run->client.ckks, index + 1);
    const uint64_t *want;
    fhec_status status = FHEC_OK;
    if (fh_ckks_steps_read(run->steps, index + 1, run->result) != FHEC_OK)
        return fh_cli_error(run->cli, FHEC_HOST_ERROR, "%s", fh_ckks_steps_error(run->steps)->text);
    status = fh_cli_golden_error(run->cli, fh_cli_reference_wait(run->reference, index + 1, &want),
                                 step->name);
    if (status != FHEC_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (run->result[i] != want[i])
            return fh_cli_error(
                run->cli, FHEC_DIFFERS,
                "step %zu of %zu (%s, %s): element %zu of limb %zu of c%zu is %llu; the C "
                "reference has %llu",
                index + 1, circuit->step_count, step->name, fh_golden_ckks_kind_name(step->kind),
                i % n, i / n % level, i / n / level, (unsigned long long)run->result[i],
                (unsigned long long)want[i]);
    fh_cli_reference_done(run->reference, index + 1);
    return FHEC_OK;
}

static fhec_status save(struct fh_cli_circuit_run *run) {
    const double started = fh_cli_now(), share = 9; /* a tenth of the time at most */
    fhec_status status =
        fh_cli_checkpoint_save(run->checkpoint, &run->client, &run->state, run->steps, run->result);
    const double ended = fh_cli_now(), pause = share * (ended - started);
    run->due = ended + (pause > (double)run->every ? pause : (double)run->every);
    return status;
}

/* What is known behind a primitive: how many there were, what they took. */
static fhec_status keep_state(struct fh_cli_circuit_run *run, fhec_machine *machine) {
    fhec_stats now = {0};
    run->state.next = fh_ckks_steps_done(run->steps);
    run->state.primitives++;
    if (!run->checkpoint)
        return FHEC_OK;
    fhec_status status = fhec_machine_stats(machine, &now);
    if (status != FHEC_OK)
        return fh_cli_machine_error(run->cli, machine, status);
    fh_cli_counts_free(&run->state.counts);
    return fh_cli_counts_add(&run->state.counts, &run->before.stats) &&
                   fh_cli_counts_add(&run->state.counts, &now)
               ? FHEC_OK
               : fh_cli_no_memory(run->cli);
}

/* The steps of one part, from *index on, under its name. */
static fhec_status run_part(struct fh_cli_circuit_run *run, fhec_machine *machine, size_t *index) {
    const fh_golden_ckks_circuit *circuit = run->client.circuit;
    const char *name = circuit->steps[*index].name;
    fhec_status status = FHEC_OK;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(run->cli, machine, "%s: %s, from step %zu of %zu", run->cli->command,
                              name, *index + 1, circuit->step_count);
    while (*index < circuit->step_count && !strcmp(circuit->steps[*index].name, name) &&
           status == FHEC_OK) {
        double started = fh_cli_now();
        status = fh_ckks_steps_next(run->steps);
        double seconds = fh_cli_now() - started;
        status = fh_cli_program_error(run->cli, machine, status, fh_ckks_steps_error(run->steps));
        *index = fh_ckks_steps_done(run->steps);
        if (status == FHEC_OK && !run->no_verify)
            status = verify(run, *index - 1);
        if (status == FHEC_OK) {
            run->state.seconds += seconds;
            status = keep_state(run, machine);
        }
        if (status == FHEC_OK && run->checkpoint && fh_cli_now() >= run->due)
            status = save(run);
    }
    fh_cli_progress_stop(progress);
    return status;
}

/* A value that is there at the end, decrypted. */
static fhec_status decrypt(struct fh_cli_circuit_run *run, size_t value, fh_golden_complex *slots) {
    if (fh_ckks_steps_read(run->steps, value, run->result) != FHEC_OK)
        return fh_cli_error(run->cli, FHEC_HOST_ERROR, "%s", fh_ckks_steps_error(run->steps)->text);
    return fh_cli_golden_error(
        run->cli, fh_cli_client_decrypt(&run->client, value, run->result, slots), "decryption");
}

static fhec_status read_outputs(struct fh_cli_circuit_run *run,
                                const struct fh_cli_circuit_kind *kind) {
    const fh_golden_ckks_circuit *circuit = run->client.circuit;
    size_t half = (size_t)1 << (circuit->log2_n - 1);
    fh_golden_complex *slots = calloc((1 + circuit->kept_count) * half, sizeof *slots);
    if (!slots)
        return fh_cli_no_memory(run->cli);
    fhec_status status = decrypt(run, circuit->output, slots);
    for (size_t i = 0; i < circuit->kept_count && status == FHEC_OK; i++)
        status = decrypt(run, circuit->kept[i], slots + (i + 1) * half);
    if (status == FHEC_OK)
        status = kind->outputs(run, slots);
    free(slots);
    return status;
}

static fhec_status run_steps(struct fh_cli_circuit_run *run, const struct fh_cli_circuit_kind *kind,
                             fhec_machine *machine) {
    const fh_golden_ckks_circuit *circuit = run->client.circuit;
    fhec_status status = FHEC_OK;
    fh_cli_interrupt_begin(machine);
    for (size_t index = run->state.next; index < circuit->step_count && status == FHEC_OK;)
        status = run_part(run, machine, &index);
    fh_cli_interrupt_end();
    if (status == FHEC_CANCELLED && run->checkpoint)
        (void)save(run); /* it has said what is wrong, and there is the one before */
    return status == FHEC_OK ? read_outputs(run, kind) : status;
}

/* ---------------------------------------------------------------- all of it */

/* What both plans take by the counts of their primitives, each measured once on another machine. */
static fhec_status compose(struct fh_cli_circuit_run *run,
                           const struct fh_ckks_steps_params plans[2]) {
    struct fh_error error = {""};
    fhec_machine *machine = NULL;
    uint64_t counts[2] = {0};
    fhec_status status = fh_cli_machine_new(run->cli, &run->machine, &machine);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(run->cli, machine, "%s: counting each primitive", run->cli->command);
    fh_cli_interrupt_begin(machine);
    status = fh_cli_program_error(
        run->cli, machine, fh_ckks_steps_compose_all(machine, plans, 2, counts, &error), &error);
    fh_cli_interrupt_end();
    fh_cli_progress_stop(progress);
    fhec_machine_free(machine);
    run->composed = counts[0];
    run->unfused = counts[1];
    return status;
}

/* The counts of this plan, and of the one that does each step by itself and hoists nothing. */
static fhec_status compose_both(struct fh_cli_circuit_run *run,
                                const struct fh_cli_circuit_kind *kind) {
    struct fh_ckks_steps_params plans[2] = {run->steps_params, run->steps_params};
    fh_golden_ckks_boot_params plain = run->client.params;
    fh_golden_ckks_circuit *circuit = NULL;
    plain.hoist = false;
    fhec_status status = fh_cli_golden_error(
        run->cli, kind->circuit(run, &plain, run->client.moduli, &circuit), "the plan");
    plans[1].circuit = circuit;
    plans[1].unfused = true;
    if (status == FHEC_OK)
        status = compose(run, plans);
    fh_golden_ckks_circuit_free(circuit);
    return status;
}

static fhec_status print_json(const struct fh_cli_circuit_run *run,
                              const struct fh_cli_circuit_kind *kind, fhec_machine *machine) {
    fhec_stats stats = run->state.counts.stats;
    fhec_status status = run->checkpoint ? FHEC_OK : fhec_machine_stats(machine, &stats);
    if (status != FHEC_OK)
        return fh_cli_machine_error(run->cli, machine, status);
    json_t *members = kind->members(run);
    json_t *own =
        json_pack("{s:I, s:I, s:I, s:I}", "steps", (json_int_t)run->client.circuit->step_count,
                  "primitives", (json_int_t)run->state.primitives, "composed_warp_insts",
                  (json_int_t)run->composed, "unfused_warp_insts", (json_int_t)run->unfused);
    status = members && own && json_object_update(members, own) == 0
                 ? fh_cli_print_statistics_and(run->cli, &run->machine, &stats, run->state.seconds,
                                               members)
                 : fh_cli_no_memory(run->cli);
    json_decref(own);
    json_decref(members);
    return status;
}

static fhec_status print_result(const struct fh_cli_circuit_run *run,
                                const struct fh_cli_circuit_kind *kind, fhec_machine *machine) {
    fh_cli_note(
        run->cli, "%s, N = 2^%u, map %s: %zu steps by %zu primitives, %s, %.3f s", run->what,
        run->client.chain.log2_n, run->map, run->client.circuit->step_count, run->state.primitives,
        run->no_verify ? "not verified" : "each equal to the C reference", run->state.seconds);
    if (run->machine.stats != FH_CLI_STATS_JSON)
        kind->print(run);
    if (run->machine.stats == FH_CLI_STATS_TEXT)
        printf("%llu warp instructions by the counts of the primitives; %llu with each step by "
               "itself\n",
               (unsigned long long)run->composed, (unsigned long long)run->unfused);
    return print_json(run, kind, machine);
}

static fhec_status write_graph(const struct fh_cli_circuit_run *run) {
    const struct fh_cli_client *client = &run->client;
    const struct fh_map *map = fh_map_find(run->map);
    struct fh_block_graph graph = {.block_count = 0};
    fhec_status status =
        fh_cli_graph_of_circuit(client->circuit, &client->chain, &client->base_chain, map->name,
                                map->word_bits / 8, &graph);
    status = status == FHEC_OK ? fh_cli_graph_write(run->cli, run->graph, &graph)
                               : fh_cli_no_memory(run->cli);
    fh_block_graph_free(&graph);
    return status;
}

static fhec_status run_all(struct fh_cli_circuit_run *run, const struct fh_cli_circuit_kind *kind) {
    fhec_machine *machine = NULL;
    fhec_status status = check_caller(run->cli);
    if (status == FHEC_OK)
        status = check_map(run);
    if (status == FHEC_OK)
        status = plan(run, kind);
    if (status == FHEC_OK && run->graph)
        return write_graph(run);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(run->cli, &run->machine, &machine);
    if (status == FHEC_OK && run->folder)
        fhec_machine_count(machine, true); /* who goes on may want statistics */
    if (status == FHEC_OK)
        status = prepare(run, kind, machine);
    if (status == FHEC_OK)
        status = run_steps(run, kind, machine);
    if (status == FHEC_OK)
        status = fh_cli_patches_check(run->cli, &run->machine.patches, machine);
    if (status == FHEC_OK && run->machine.stats != FH_CLI_STATS_NONE)
        status = compose_both(run, kind);
    if (status == FHEC_OK)
        status = print_result(run, kind, machine);
    if (status == FHEC_OK && run->checkpoint)
        fh_cli_checkpoint_remove(run->checkpoint);
    fh_cli_reference_end(run->reference);
    fh_ckks_steps_end(run->steps);
    fhec_machine_free(machine);
    return status;
}

fhec_status fh_cli_circuit_main(struct fh_cli *cli, int argc, char **argv,
                                struct fh_cli_circuit_run *command,
                                const struct fh_cli_circuit_kind *kind) {
    command->cli = cli;
    command->seed = 1;
    command->every = 30;
    command->map = fh_map_default(FH_WORKLOAD_CKKS);
    fh_cli_parse(cli, kind->argp, argc, argv, command);
    keep_memory();
    fhec_status status = run_all(command, kind);
    fh_cli_checkpoint_close(command->checkpoint);
    fh_cli_counts_free(&command->before);
    fh_cli_counts_free(&command->state.counts);
    fh_cli_client_free(&command->client);
    free(command->result);
    return status;
}
