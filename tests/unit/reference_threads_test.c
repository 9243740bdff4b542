/*
 * The reference beside the machine: a bootstrap whose steps run in a thread of their own while
 * another execution, with the same plaintexts and keys, runs in this one; every value that is
 * waited for is what a plain execution has, whatever the distance, also from the middle on.
 */
#include "reference.h"

#include "ckks_boot_client.h"
#include "golden_util.h"

enum { LOG2_N = 5, SEED = 15 };

/* All values of a plain execution. */
typedef struct history {
    uint64_t **values;
    size_t *elements;
    size_t count;
} history;

static fh_golden_status remember(void *context, const fh_golden_ckks_circuit *circuit, size_t step,
                                 const uint64_t *value) {
    history *h = context;
    (void)circuit;
    memcpy(h->values[step + 1], value, h->elements[step + 1] * sizeof *value);
    return FH_GOLDEN_OK;
}

static history make_history(const fh_boot_client *client) {
    const fh_golden_ckks_circuit *c = client->circuit;
    history h = {calloc(c->step_count + 1, sizeof *h.values),
                 calloc(c->step_count + 1, sizeof *h.elements), c->step_count + 1};
    for (size_t v = 0; v < h.count; v++) {
        h.elements[v] = fh_golden_ckks_value_elements(c, client->ckks, v);
        h.values[v] = make_array(h.elements[v]);
    }
    require_ok("input", fh_golden_ckks_generate(client->ckks, FH_GOLDEN_RANDOM, 1, 2, false, 2,
                                                h.values[0]));
    uint64_t *output = make_array(h.elements[c->output]);
    require_ok("execute",
               fh_golden_ckks_execute(c, &client->environment, h.values[0], remember, &h, output));
    free(output);
    return h;
}

static void free_history(history *h) {
    for (size_t v = 0; v < h->count; v++) {
        free(h->values[v]);
    }
    free(h->values);
    free(h->elements);
}

/* From step `next` on, waiting for every `stride`th value. */
static void follow(const fh_boot_client *client, const history *h, size_t next, size_t ahead,
                   size_t stride) {
    fh_golden_ckks_boot_reader reader = {.keys = client->keys};
    fh_golden_ckks_environment own = client->environment;
    own.context = &reader;
    own.key = fh_golden_ckks_boot_read;
    struct fh_cli_reference *reference = NULL;
    require_ok("start",
               fh_cli_reference_start(&reference, client->circuit, &own, h->values, next, ahead));
    fh_golden_ckks_execution beside; /* in place of the machine */
    require_ok("begin", fh_golden_ckks_execution_begin(&beside, client->circuit,
                                                       &client->environment, h->values[0]));
    for (size_t v = next + 1; v < h->count; v++) {
        const uint64_t *got = NULL;
        if (next == 0) {
            require_ok("step", fh_golden_ckks_execution_step(&beside));
            require_array("beside", v, SEED, h->elements[v], beside.values[v], h->values[v]);
        }
        if (v % stride != 0 && v + 1 != h->count) {
            continue;
        }
        require_ok("wait", fh_cli_reference_wait(reference, v, &got));
        require_array("reference", v, SEED, h->elements[v], got, h->values[v]);
        fh_cli_reference_done(reference, v);
    }
    assert_true(fh_cli_reference_seconds(reference) > 0);
    fh_golden_ckks_execution_end(&beside);
    fh_cli_reference_end(reference);
    fh_golden_ckks_boot_reader_end(&reader);
}

static void beside(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    params.hoist = true;
    fh_boot_client client = fh_boot_client_make(&params, SEED);
    fh_golden_ckks_boot_keys_free(client.keys); /* few places: keys come and go in both threads */
    require_ok("keys", fh_golden_ckks_boot_keys_create(&client.keys, &params, client.ckks,
                                                       client.base, SEED, 3));
    client.environment.context = client.keys;
    history h = make_history(&client);
    require_ok("plaintexts", fh_golden_ckks_plains_create(&client.environment.plains,
                                                          client.circuit, client.ckks, 2));
    follow(&client, &h, 0, 8, 1);
    follow(&client, &h, 0, 1, 13);
    follow(&client, &h, h.count / 2, 3, 5);
    fh_golden_ckks_plains_free(client.environment.plains);
    free_history(&h);
    fh_boot_client_free(&client);
}

/* Ended before its end, or before its first step. */
static void cut_short(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    fh_boot_client client = fh_boot_client_make(&params, SEED);
    uint64_t *input = make_array(fh_golden_ckks_value_elements(client.circuit, client.ckks, 0));
    for (size_t wait = 0; wait <= 4; wait += 2) {
        const uint64_t *got = NULL;
        struct fh_cli_reference *reference = NULL;
        require_ok("start", fh_cli_reference_start(&reference, client.circuit, &client.environment,
                                                   &input, 0, 2));
        if (wait != 0) {
            require_ok("wait", fh_cli_reference_wait(reference, wait, &got));
        }
        fh_cli_reference_end(reference);
    }
    fh_cli_reference_end(NULL);
    free(input);
    fh_boot_client_free(&client);
}

/* A plaintext stays while somebody has it, and is made once for two who ask at about the same
 * time. */
static void plaintexts(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    fh_boot_client client = fh_boot_client_make(&params, SEED);
    const fh_golden_ckks_circuit *c = client.circuit;
    fh_golden_ckks_plains *plains = NULL;
    require_ok("create", fh_golden_ckks_plains_create(&plains, c, client.ckks, 2));
    const uint64_t *held = NULL, *other = NULL;
    size_t first = c->step_count, asked = 0;
    uint64_t *copy = make_array(c->limbs * client.ckks->n);
    for (size_t i = 0; i < c->step_count; i++) {
        if (c->steps[i].kind != FH_GOLDEN_CKKS_PTMULT) {
            require_status("kind", fh_golden_ckks_plains_take(plains, i, &other),
                           FH_GOLDEN_ERR_ARGUMENT);
            continue;
        }
        require_ok("take", fh_golden_ckks_plains_take(plains, i, &other));
        if (first == c->step_count) {
            first = i;
            held = other;
            memcpy(copy, held, c->steps[i].level * client.ckks->n * sizeof *copy);
        } else {
            require_ok("again", fh_golden_ckks_plains_take(plains, i, &held));
            assert_ptr_equal(held, other);
            fh_golden_ckks_plains_give(plains, i);
            fh_golden_ckks_plains_give(plains, i);
        }
        asked++;
    }
    assert_int_equal(fh_golden_ckks_plains_made(plains), asked);
    require_ok("the first", fh_golden_ckks_plains_take(plains, first, &other));
    assert_int_equal(fh_golden_ckks_plains_made(plains), asked);
    require_array("held", 0, SEED, c->steps[first].level * client.ckks->n, other, copy);
    require_status("step", fh_golden_ckks_plains_take(plains, c->step_count, &other),
                   FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_plains_free(plains);
    require_status("places", fh_golden_ckks_plains_create(&plains, c, client.ckks, 0),
                   FH_GOLDEN_ERR_ARGUMENT);
    free(copy);
    fh_boot_client_free(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plaintexts),
        cmocka_unit_test(beside),
        cmocka_unit_test(cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
