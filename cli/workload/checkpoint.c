/*
 * checkpoint.c - see checkpoint.h.
 *
 * The file: a line that says what it is; a line of JSON; the values, little-endian words, in the
 * order of the line; and in 32 digits the XXH3-128 of all before them, with the end of a line.
 */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "message.h"

static const char title[] = "fhec checkpoint 1\n";
enum { DIGITS = 33, CHUNK = 1 << 16 }; /* hash and the end of its line; bytes at a time */

struct fh_cli_checkpoint {
    const struct fh_cli *cli;
    const char *folder, *what, *fingerprint;
    char *path, *fresh; /* the file, and beside it the one that is being written */
    int lock;           /* the folder */
};

/* ---------------------------------------------------------------- the folder */

static fhec_status host_error(const struct fh_cli_checkpoint *c, const char *doing,
                              const char *path) {
    return fh_cli_error(c->cli, FHEC_HOST_ERROR, "cannot %s %s: %s", doing, path, strerror(errno));
}

static char *join(const char *folder, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static fhec_status lock_folder(struct fh_cli_checkpoint *c) {
    if (mkdir(c->folder, 0777) != 0 && errno != EEXIST)
        return host_error(c, "make the folder", c->folder);
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->lock < 0)
        return host_error(c, "open the folder", c->folder);
    if (flock(c->lock, LOCK_EX | LOCK_NB) == 0)
        return FHEC_OK;
    if (errno == EWOULDBLOCK)
        return fh_cli_error(c->cli, FHEC_BAD_INPUT, "%s: another process has its checkpoints here",
                            c->folder);
    return host_error(c, "lock the folder", c->folder);
}

fhec_status fh_cli_checkpoint_open(const struct fh_cli *cli, const char *folder, const char *what,
                                   const char *fingerprint, struct fh_cli_checkpoint **checkpoint) {
    struct fh_cli_checkpoint *c = *checkpoint = calloc(1, sizeof *c);
    if (!c)
        return fh_cli_no_memory(cli);
    *c = (struct fh_cli_checkpoint){cli, folder, what, fingerprint, NULL, NULL, -1};
    c->path = join(folder, "checkpoint");
    c->fresh = join(folder, "checkpoint.new");
    fhec_status status = c->path && c->fresh ? lock_folder(c) : fh_cli_no_memory(cli);
    if (status != FHEC_OK) {
        fh_cli_checkpoint_close(c);
        *checkpoint = NULL;
    }
    return status;
}

void fh_cli_checkpoint_close(struct fh_cli_checkpoint *checkpoint) {
    if (!checkpoint)
        return;
    if (checkpoint->lock >= 0)
        (void)close(checkpoint->lock);
    free(checkpoint->path);
    free(checkpoint->fresh);
    free(checkpoint);
}

void fh_cli_checkpoint_remove(struct fh_cli_checkpoint *checkpoint) {
    (void)unlink(checkpoint->path);
    (void)unlink(checkpoint->fresh);
}

static void print_hash(const XXH3_state_t *state, char digits[DIGITS + 1]) {
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    (void)snprintf(digits, DIGITS + 1, "%016llx%016llx\n", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

/* Bytes of an element: those of the largest prime's word. */
static size_t word_of(const struct fh_cli_client *client) {
    size_t word = 4;
    for (size_t j = 0; j < client->chain.limbs; j++)
        word = client->chain.moduli[j] >> 32 ? 8 : word;
    return word;
}

static size_t elements_of(const struct fh_cli_client *client, size_t value) {
    return fh_golden_ckks_value_elements(client->circuit, client->ckks, value);
}

/* ---------------------------------------------------------------- saving */

/* A file with the hash of what has been written. */
struct writer {
    FILE *file;
    XXH3_state_t *hash;
    bool failed;
};

static void put(struct writer *w, const void *bytes, size_t length) {
    XXH3_128bits_update(w->hash, bytes, length);
    w->failed = w->failed || fwrite(bytes, 1, length, w->file) != length;
}

static void put_elements(struct writer *w, size_t word, size_t count, const uint64_t *elements) {
    unsigned char bytes[CHUNK];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < word; b++)
            bytes[used++] = (unsigned char)(elements[i] >> 8 * b & 255);
        if (used == CHUNK || i + 1 == count) {
            put(w, bytes, used);
            used = 0;
        }
    }
}

/* Values that are there before step `next`, as an array; NULL without memory. */
static json_t *list_values(const struct fh_ckks_steps *steps, size_t next) {
    json_t *values = json_array();
    for (size_t v = 0; v <= next; v++)
        if (fh_ckks_steps_has(steps, v) &&
            json_array_append_new(values, json_integer((json_int_t)v)) != 0) {
            json_decref(values);
            return NULL;
        }
    return values;
}

/* The line of JSON, the caller's to free; NULL without memory. */
static char *describe(const struct fh_cli_checkpoint *c, const struct fh_cli_run_state *state,
                      json_t *values) {
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:f, s:o, s:O}", "what", c->what, "of",
                               c->fingerprint, "next", (json_int_t)state->next, "primitives",
                               (json_int_t)state->primitives, "seconds", state->seconds, "counts",
                               fh_cli_counts_json(&state->counts), "values", values);
    char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return line;
}

static fhec_status put_values(struct fh_cli_checkpoint *c, const struct fh_cli_client *client,
                              struct fh_ckks_steps *steps, const json_t *values, uint64_t *room,
                              struct writer *w) {
    const size_t word = word_of(client);
    for (size_t i = 0; i < json_array_size(values); i++) {
        const size_t v = (size_t)json_integer_value(json_array_get(values, i));
        if (fh_ckks_steps_read(steps, v, room) != FHEC_OK)
            return fh_cli_error(c->cli, FHEC_HOST_ERROR, "%s", fh_ckks_steps_error(steps)->text);
        put_elements(w, word, elements_of(client, v), room);
    }
    return FHEC_OK;
}

/* All of the file, to the disk. */
static fhec_status write_all(struct fh_cli_checkpoint *c, const struct fh_cli_client *client,
                             const char *line, struct fh_ckks_steps *steps, const json_t *values,
                             uint64_t *room) {
    struct writer w = {.hash = XXH3_createState()};
    char digits[DIGITS + 1];
    if (!w.hash)
        return fh_cli_no_memory(c->cli);
    w.file = fopen(c->fresh, "we");
    if (!w.file) {
        XXH3_freeState(w.hash);
        return host_error(c, "write", c->fresh);
    }
    XXH3_128bits_reset(w.hash);
    put(&w, title, strlen(title));
    put(&w, line, strlen(line));
    put(&w, "\n", 1);
    fhec_status status = put_values(c, client, steps, values, room, &w);
    print_hash(w.hash, digits);
    put(&w, digits, DIGITS);
    XXH3_freeState(w.hash);
    const bool synchronised = fflush(w.file) == 0 && fsync(fileno(w.file)) == 0;
    const bool closed = fclose(w.file) == 0;
    if (status == FHEC_OK && (w.failed || !synchronised || !closed))
        status = host_error(c, "write", c->fresh);
    return status;
}

fhec_status fh_cli_checkpoint_save(struct fh_cli_checkpoint *checkpoint,
                                   const struct fh_cli_client *client,
                                   const struct fh_cli_run_state *state,
                                   struct fh_ckks_steps *steps, uint64_t *room) {
    struct fh_cli_checkpoint *c = checkpoint;
    json_t *values = list_values(steps, state->next);
    char *line = values ? describe(c, state, values) : NULL;
    fhec_status status =
        line ? write_all(c, client, line, steps, values, room) : fh_cli_no_memory(c->cli);
    if (status == FHEC_OK && rename(c->fresh, c->path) != 0)
        status = host_error(c, "rename", c->fresh);
    if (status == FHEC_OK)
        (void)fsync(c->lock); /* the folder's entry */
    free(line);
    json_decref(values);
    return status;
}

/* ---------------------------------------------------------------- loading */

static fhec_status damaged(const struct fh_cli_checkpoint *c, const char *how) {
    return fh_cli_error(c->cli, FHEC_BAD_INPUT,
                        "%s is damaged: %s; without it the execution begins anew", c->path, how);
}

/* The hash of the next `length` bytes; false when there are fewer. */
static bool hash_of(FILE *file, off_t length, XXH3_state_t *hash) {
    unsigned char bytes[CHUNK];
    XXH3_128bits_reset(hash);
    for (off_t left = length; left > 0;) {
        const size_t part = left < CHUNK ? (size_t)left : CHUNK;
        if (fread(bytes, 1, part, file) != part)
            return false;
        XXH3_128bits_update(hash, bytes, part);
        left -= (off_t)part;
    }
    return true;
}

/* Whether the file's hash is that of its contents; leaves it at its beginning. */
static fhec_status check_hash(const struct fh_cli_checkpoint *c, FILE *file) {
    char digits[DIGITS + 1], end[DIGITS];
    struct stat about;
    if (fstat(fileno(file), &about) != 0)
        return host_error(c, "read", c->path);
    if (about.st_size < (off_t)(DIGITS + strlen(title)))
        return damaged(c, "it is too short");
    XXH3_state_t *hash = XXH3_createState();
    if (!hash)
        return fh_cli_no_memory(c->cli);
    const bool whole =
        hash_of(file, about.st_size - DIGITS, hash) && fread(end, 1, DIGITS, file) == DIGITS;
    print_hash(hash, digits);
    XXH3_freeState(hash);
    rewind(file);
    if (!whole)
        return host_error(c, "read", c->path);
    return memcmp(end, digits, DIGITS) == 0
               ? FHEC_OK
               : damaged(c, "its contents do not have the hash at its end");
}

/* What the line says; *values is borrowed from it. */
static fhec_status read_state(const struct fh_cli_checkpoint *c, json_t *line,
                              struct fh_cli_run_state *state, json_t **values) {
    const char *what, *of;
    json_int_t next, primitives;
    json_t *counts;
    if (json_unpack(line, "{s:s, s:s, s:I, s:I, s:F, s:o, s:o}", "what", &what, "of", &of, "next",
                    &next, "primitives", &primitives, "seconds", &state->seconds, "counts", &counts,
                    "values", values) != 0 ||
        !json_is_array(*values))
        return damaged(c, "its second line is another one");
    if (strcmp(of, c->fingerprint) != 0)
        return fh_cli_error(c->cli, FHEC_BAD_INPUT,
                            "%s is of something else: %s, with other parameters, another seed or "
                            "another fhec",
                            c->path, what);
    state->next = (size_t)next;
    state->primitives = (size_t)primitives;
    return fh_cli_counts_read(counts, &state->counts) ? FHEC_OK : damaged(c, "its counts are none");
}

static fhec_status read_value(const struct fh_cli_checkpoint *c, FILE *file, size_t word,
                              size_t count, uint64_t **value) {
    uint64_t *elements = *value = malloc(count * sizeof *elements);
    if (!elements)
        return fh_cli_no_memory(c->cli);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        if (fread(bytes, 1, word, file) != word)
            return damaged(c, "values are missing");
        elements[i] = 0;
        for (size_t b = 0; b < word; b++)
            elements[i] |= (uint64_t)bytes[b] << 8 * b;
    }
    return FHEC_OK;
}

static fhec_status read_values(const struct fh_cli_checkpoint *c, FILE *file,
                               const struct fh_cli_client *client, const json_t *list,
                               uint64_t **values) {
    const size_t word = word_of(client);
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < json_array_size(list) && status == FHEC_OK; i++) {
        const json_int_t v = json_integer_value(json_array_get(list, i));
        if (v < 0 || (size_t)v > client->circuit->step_count || values[v])
            return damaged(c, "it has a value that there is not");
        status = read_value(c, file, word, elements_of(client, (size_t)v), &values[v]);
    }
    return status;
}

static fhec_status read_all(const struct fh_cli_checkpoint *c, FILE *file,
                            const struct fh_cli_client *client, struct fh_cli_run_state *state,
                            uint64_t **values) {
    char *text = NULL;
    size_t size = 0;
    json_t *list = NULL, *line = NULL;
    fhec_status status = check_hash(c, file);
    if (status == FHEC_OK && (getline(&text, &size, file) < 0 || strcmp(text, title) != 0))
        status = damaged(c, "it is no checkpoint of this version");
    if (status == FHEC_OK && getline(&text, &size, file) >= 0)
        line = json_loads(text, 0, NULL);
    if (status == FHEC_OK)
        status = line ? read_state(c, line, state, &list) : damaged(c, "its second line is none");
    if (status == FHEC_OK)
        status = read_values(c, file, client, list, values);
    json_decref(line);
    free(text);
    return status;
}

fhec_status fh_cli_checkpoint_load(struct fh_cli_checkpoint *checkpoint,
                                   const struct fh_cli_client *client,
                                   struct fh_cli_run_state *state, uint64_t **values, bool *found) {
    FILE *file = fopen(checkpoint->path, "re");
    *found = file != NULL;
    if (!file)
        return errno == ENOENT ? FHEC_OK : host_error(checkpoint, "read", checkpoint->path);
    fhec_status status = read_all(checkpoint, file, client, state, values);
    (void)fclose(file);
    return status;
}
