/*
 * ckks_boot_keys.c - secrets of a bootstrap and a source of its switching keys.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_bootstrap.h"
#include "room.h"

/* A kept key, in words of 32 or 64 bits. */
typedef struct place {
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    uint64_t asked; /* when: a running number; 0 for an empty place */
    uint32_t *words;
    uint64_t *wide;
} place;

struct fh_golden_ckks_boot_store {
    pthread_mutex_t lock; /* of all that follows, and of keys->made */
    bool words;           /* all primes are below 2^32 */
    uint64_t asked;
    size_t count;
    place places[];
};

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

static bool fit_words(const fh_golden_ckks *ckks) {
    bool fit = true;
    for (size_t j = 0; j < ckks->limbs + ckks->alpha; j++) {
        fit = fit && ckks->moduli[j] >> 32 == 0;
    }
    return fit;
}

/* keys->store. */
static fh_golden_status make_store(fh_golden_ckks_boot_keys *keys, size_t places) {
    fh_golden_ckks_boot_store *store = calloc(1, sizeof *store + places * sizeof store->places[0]);
    if (store == NULL || pthread_mutex_init(&store->lock, NULL) != 0) {
        free(store);
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    store->count = places;
    store->words = fit_words(keys->ckks) && (keys->base == NULL || fit_words(keys->base));
    keys->store = store;
    return FH_GOLDEN_OK;
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
    made->reader.keys = made;
    fh_golden_status status = make_store(made, places);
    if (status == FH_GOLDEN_OK) {
        status = make_secrets(made, params);
    }
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
    for (size_t i = 0; keys->store != NULL && i < keys->store->count; i++) {
        free(keys->store->places[i].words);
        free(keys->store->places[i].wide);
    }
    if (keys->store != NULL) {
        (void)pthread_mutex_destroy(&keys->store->lock);
    }
    free(keys->store);
    fh_golden_ckks_boot_reader_end(&keys->reader);
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
static place *find_place(fh_golden_ckks_boot_store *store, fh_golden_ckks_key_kind kind,
                         uint64_t element) {
    place *oldest = &store->places[0];
    for (size_t i = 0; i < store->count; i++) {
        place *p = &store->places[i];
        if (p->asked != 0 && p->kind == kind && p->element == element) {
            return p;
        }
        oldest = p->asked < oldest->asked ? p : oldest;
    }
    return oldest;
}

/* The key of `elements` elements into the place, which has room for all keys then; a key of the
 * base chain takes fewer than one of the long chain. */
static fh_golden_status keep(const fh_golden_ckks_boot_keys *keys, size_t elements,
                             const uint64_t *key, place *p) {
    size_t room = fh_golden_ckks_key_elements(keys->ckks);
    if (keys->store->words && p->words == NULL) {
        p->words = malloc(room * sizeof *p->words);
    } else if (!keys->store->words && p->wide == NULL) {
        p->wide = malloc(room * sizeof *p->wide);
    }
    if (p->words == NULL && p->wide == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < elements && p->words != NULL; i++) {
        p->words[i] = (uint32_t)key[i];
    }
    if (p->wide != NULL) {
        memcpy(p->wide, key, elements * sizeof *key);
    }
    return FH_GOLDEN_OK;
}

static void copy_out(const place *p, size_t elements, uint64_t *key) {
    for (size_t i = 0; i < elements && p->words != NULL; i++) {
        key[i] = p->words[i];
    }
    if (p->wide != NULL) {
        memcpy(key, p->wide, elements * sizeof *key);
    }
}

/* reader->key = the key, from its place or made. */
static fh_golden_status fetch(fh_golden_ckks_boot_reader *reader, fh_golden_ckks_key_kind kind,
                              uint64_t element) {
    fh_golden_ckks_boot_keys *keys = reader->keys;
    place *p = find_place(keys->store, kind, element);
    const fh_golden_ckks *of = kind == FH_GOLDEN_CKKS_ENCAPSULATE_KEY ? keys->base : keys->ckks;
    size_t elements = of == NULL ? 0 : fh_golden_ckks_key_elements(of);
    fh_golden_status status = FH_GOLDEN_OK;
    if (p->asked != 0 && p->kind == kind && p->element == element) {
        copy_out(p, elements, reader->key);
    } else {
        p->asked = 0;
        status = make_key(keys, kind, element, reader->key);
        if (status == FH_GOLDEN_OK) {
            status = keep(keys, elements, reader->key, p);
            keys->made++;
        }
        p->kind = kind;
        p->element = element;
    }
    if (status == FH_GOLDEN_OK) {
        p->asked = ++keys->store->asked;
    }
    return status;
}

fh_golden_status fh_golden_ckks_boot_read(void *reader, fh_golden_ckks_key_kind kind,
                                          uint64_t element, const uint64_t **key) {
    fh_golden_ckks_boot_reader *r = reader;
    fh_golden_ckks_boot_keys *keys = r->keys;
    if (r->key == NULL) {
        r->key = fh_golden_room(fh_golden_ckks_key_elements(keys->ckks), sizeof *r->key);
        if (r->key == NULL) {
            return FH_GOLDEN_ERR_NO_MEMORY;
        }
    }
    if (!r->holds || r->kind != kind || r->element != element) {
        (void)pthread_mutex_lock(&keys->store->lock);
        fh_golden_status status = fetch(r, kind, element);
        (void)pthread_mutex_unlock(&keys->store->lock);
        r->holds = status == FH_GOLDEN_OK;
        r->kind = kind;
        r->element = element;
        if (status != FH_GOLDEN_OK) {
            return status;
        }
    }
    *key = r->key;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_boot_reader_end(fh_golden_ckks_boot_reader *reader) {
    free(reader->key);
    reader->key = NULL;
    reader->holds = false;
}

fh_golden_status fh_golden_ckks_boot_key(void *keys, fh_golden_ckks_key_kind kind, uint64_t element,
                                         const uint64_t **key) {
    fh_golden_ckks_boot_keys *all = keys;
    return fh_golden_ckks_boot_read(&all->reader, kind, element, key);
}

size_t fh_golden_ckks_boot_key_bytes(const fh_golden_ckks_params *chain) {
    size_t limbs = chain->limbs + chain->alpha;
    size_t word = sizeof(uint32_t);
    for (size_t j = 0; j < limbs && chain->moduli != NULL; j++) {
        word = chain->moduli[j] >> 32 != 0 ? sizeof(uint64_t) : word;
    }
    return (2 * chain->dnum * limbs << chain->log2_n) * word;
}
