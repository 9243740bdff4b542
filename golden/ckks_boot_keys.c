/*
 * ckks_boot_keys.c - secrets of a bootstrap and a source of its switching keys.
 */
#include <stdlib.h>

#include "ckks_bootstrap.h"

/* secret (allocated here) of a chain: of this weight, or ternary for weight 0. */
static fh_golden_status make(const fh_golden_ckks *ckks, uint64_t seed, size_t weight,
                             uint64_t **secret) {
    *secret = malloc((ckks->limbs + ckks->alpha) * ckks->n * sizeof **secret);
    if (*secret == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    return weight == 0 ? fh_golden_ckks_make_secret(ckks, seed, *secret)
                       : fh_golden_ckks_make_sparse_secret(ckks, seed, weight, *secret);
}

static fh_golden_status make_secrets(fh_golden_ckks_boot_keys *keys,
                                     const fh_golden_ckks_boot_params *params) {
    uint64_t seed = keys->seed;
    uint64_t other = fh_golden_random_word(seed, 0, 0); /* the sparse secret must be another one */
    fh_golden_status status = make(keys->ckks, seed, params->secret_weight, &keys->secret);
    if (status != FH_GOLDEN_OK || params->weight == 0) {
        return status;
    }
    status = make(keys->ckks, other, params->weight, &keys->sparse);
    if (status == FH_GOLDEN_OK) {
        status = make(keys->base, seed, params->secret_weight, &keys->base_secret);
    }
    if (status == FH_GOLDEN_OK) {
        status = make(keys->base, other, params->weight, &keys->base_sparse);
    }
    return status;
}

fh_golden_status fh_golden_ckks_boot_keys_create(fh_golden_ckks_boot_keys **keys,
                                                 const fh_golden_ckks_boot_params *params,
                                                 const fh_golden_ckks *ckks,
                                                 const fh_golden_ckks *base, uint64_t seed,
                                                 size_t places) {
    *keys = NULL;
    if (places < 1) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    fh_golden_ckks_boot_keys *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->ckks = ckks;
    made->base = base;
    made->seed = seed;
    made->place_count = places;
    made->places = calloc(places, sizeof *made->places);
    fh_golden_status status =
        made->places == NULL ? FH_GOLDEN_ERR_NO_MEMORY : make_secrets(made, params);
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_boot_keys_free(made);
        return status;
    }
    *keys = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_boot_keys_free(fh_golden_ckks_boot_keys *keys) {
    if (keys == NULL) {
        return;
    }
    for (size_t i = 0; keys->places != NULL && i < keys->place_count; i++) {
        free(keys->places[i].key);
    }
    free(keys->places);
    free(keys->secret);
    free(keys->sparse);
    free(keys->base_secret);
    free(keys->base_sparse);
    free(keys);
}

static fh_golden_status make_key(const fh_golden_ckks_boot_keys *keys, fh_golden_ckks_key_kind kind,
                                 uint64_t element, uint64_t *key) {
    switch (kind) {
    case FH_GOLDEN_CKKS_RELIN_KEY:
        return fh_golden_ckks_make_relin_key(keys->ckks, keys->seed, keys->secret, key);
    case FH_GOLDEN_CKKS_GALOIS_KEY:
        return fh_golden_ckks_make_galois_key(keys->ckks, keys->seed, keys->secret, element, key);
    case FH_GOLDEN_CKKS_ENCAPSULATE_KEY:
        return keys->sparse == NULL
                   ? FH_GOLDEN_ERR_ARGUMENT
                   : fh_golden_ckks_make_encapsulate_key(keys->base, keys->seed, keys->base_secret,
                                                         keys->base_sparse, key);
    case FH_GOLDEN_CKKS_RELEASE_KEY:
        return keys->sparse == NULL ? FH_GOLDEN_ERR_ARGUMENT
                                    : fh_golden_ckks_make_release_key(
                                          keys->ckks, keys->seed, keys->secret, keys->sparse, key);
    }
    return FH_GOLDEN_ERR_ARGUMENT;
}

/* The place of this key, or the one that was asked for longest ago. */
static fh_golden_ckks_boot_place *find_place(fh_golden_ckks_boot_keys *keys,
                                             fh_golden_ckks_key_kind kind, uint64_t element) {
    fh_golden_ckks_boot_place *oldest = &keys->places[0];
    for (size_t i = 0; i < keys->place_count; i++) {
        fh_golden_ckks_boot_place *place = &keys->places[i];
        if (place->asked != 0 && place->kind == kind && place->element == element) {
            return place;
        }
        oldest = place->asked < oldest->asked ? place : oldest;
    }
    return oldest;
}

fh_golden_status fh_golden_ckks_boot_key(void *keys, fh_golden_ckks_key_kind kind, uint64_t element,
                                         const uint64_t **key) {
    fh_golden_ckks_boot_keys *all = keys;
    fh_golden_ckks_boot_place *place = find_place(all, kind, element);
    if (place->asked == 0 || place->kind != kind || place->element != element) {
        /* A key of the base chain takes fewer elements than one of the long chain. */
        size_t elements = fh_golden_ckks_key_elements(all->ckks);
        place->asked = 0;
        if (place->key == NULL) {
            place->key = malloc(elements * sizeof *place->key);
        }
        fh_golden_status status =
            place->key == NULL ? FH_GOLDEN_ERR_NO_MEMORY : make_key(all, kind, element, place->key);
        if (status != FH_GOLDEN_OK) {
            return status;
        }
        place->kind = kind;
        place->element = element;
        all->made++;
    }
    place->asked = ++all->asked;
    *key = place->key;
    return FH_GOLDEN_OK;
}
