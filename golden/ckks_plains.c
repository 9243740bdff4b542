/*
 * ckks_plains.c - the plaintexts of a circuit's products and sums with diagonals and vectors, made
 * once for all who execute it side by side.
 */
#include "ckks_circuit.h"
#include "room.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct entry {
    size_t step;
    size_t users;
    uint64_t asked; /* when: a running number; 0 while there is no plaintext in it */
    uint64_t *plain;
} entry;

struct fh_golden_ckks_plains {
    const fh_golden_ckks_circuit *circuit;
    const fh_golden_ckks *ckks;
    pthread_mutex_t lock; /* of all that follows */
    fh_golden_ckks_encoder *encoder;
    fh_golden_i128 *coefficients;
    size_t places;
    size_t count;
    entry *entries;
    uint64_t asked;
    uint64_t made;
};

fh_golden_status fh_golden_ckks_plains_create(fh_golden_ckks_plains **plains,
                                              const fh_golden_ckks_circuit *circuit,
                                              const fh_golden_ckks *ckks, size_t places) {
    *plains = NULL;
    if (places < 1 || ckks->n != (size_t)1 << circuit->log2_n || ckks->limbs != circuit->limbs) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    fh_golden_ckks_plains *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->circuit = circuit;
    made->ckks = ckks;
    made->places = places;
    made->coefficients = malloc(ckks->n * sizeof *made->coefficients);
    fh_golden_status status = made->coefficients == NULL
                                  ? FH_GOLDEN_ERR_NO_MEMORY
                                  : fh_golden_ckks_encoder_create(&made->encoder, ckks->n);
    if (status == FH_GOLDEN_OK && pthread_mutex_init(&made->lock, NULL) != 0) {
        status = FH_GOLDEN_ERR_NO_MEMORY;
    }
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_encoder_free(made->encoder);
        free(made->coefficients);
        free(made);
        return status;
    }
    *plains = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_plains_free(fh_golden_ckks_plains *plains) {
    if (plains == NULL) {
        return;
    }
    for (size_t i = 0; i < plains->count; i++) {
        free(plains->entries[i].plain);
    }
    free(plains->entries);
    fh_golden_ckks_encoder_free(plains->encoder);
    free(plains->coefficients);
    (void)pthread_mutex_destroy(&plains->lock);
    free(plains);
}

uint64_t fh_golden_ckks_plains_made(const fh_golden_ckks_plains *plains) {
    return plains->made;
}

static entry *find(const fh_golden_ckks_plains *plains, size_t step) {
    for (size_t i = 0; i < plains->count; i++) {
        if (plains->entries[i].asked != 0 && plains->entries[i].step == step) {
            return &plains->entries[i];
        }
    }
    return NULL;
}

/* The entry that nobody uses and that was asked for longest ago, when there are as many as places;
 * otherwise another one. NULL: no memory. */
static entry *find_room(fh_golden_ckks_plains *plains) {
    entry *oldest = NULL;
    for (size_t i = 0; i < plains->count; i++) {
        entry *e = &plains->entries[i];
        if (e->users == 0 && (oldest == NULL || e->asked < oldest->asked)) {
            oldest = e;
        }
    }
    if (oldest != NULL && (plains->count >= plains->places || oldest->asked == 0)) {
        return oldest;
    }
    entry *entries = realloc(plains->entries, (plains->count + 1) * sizeof *entries);
    if (entries == NULL) {
        return NULL;
    }
    plains->entries = entries;
    entry *added = &entries[plains->count];
    *added = (entry){0};
    added->plain = fh_golden_room(plains->circuit->limbs * plains->ckks->n, sizeof *added->plain);
    if (added->plain == NULL) {
        return NULL;
    }
    plains->count++;
    return added;
}

static fh_golden_status make(fh_golden_ckks_plains *plains, size_t index, entry *e) {
    const fh_golden_ckks_step *step = &plains->circuit->steps[index];
    e->asked = 0;
    fh_golden_status status =
        fh_golden_ckks_encode_step(plains->encoder, plains->circuit, index, plains->coefficients);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_plain(plains->ckks, step->level, plains->coefficients, e->plain);
        plains->made++;
    }
    e->step = index;
    return status;
}

fh_golden_status fh_golden_ckks_plains_take(fh_golden_ckks_plains *plains, size_t step,
                                            const uint64_t **plain) {
    *plain = NULL;
    if (step >= plains->circuit->step_count ||
        (plains->circuit->steps[step].kind != FH_GOLDEN_CKKS_PTMULT &&
         plains->circuit->steps[step].kind != FH_GOLDEN_CKKS_PTADD)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    (void)pthread_mutex_lock(&plains->lock);
    fh_golden_status status = FH_GOLDEN_OK;
    entry *e = find(plains, step);
    if (e == NULL) {
        e = find_room(plains);
        status = e == NULL ? FH_GOLDEN_ERR_NO_MEMORY : make(plains, step, e);
    }
    if (status == FH_GOLDEN_OK) {
        e->asked = ++plains->asked;
        e->users++;
        *plain = e->plain;
    }
    (void)pthread_mutex_unlock(&plains->lock);
    return status;
}

void fh_golden_ckks_plains_give(fh_golden_ckks_plains *plains, size_t step) {
    (void)pthread_mutex_lock(&plains->lock);
    entry *e = find(plains, step);
    if (e != NULL && e->users > 0) {
        e->users--;
    }
    (void)pthread_mutex_unlock(&plains->lock);
}
