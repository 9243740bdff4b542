/*
 * file.c - sets of results in memory and in files. The format is in README.md.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"

#define MAGIC "fhec-hw 1\n"
#define FIRST UINT64_C(0xcbf29ce484222325)

struct hw_vectors *hw_vectors_new(uint64_t seed) {
    struct hw_vectors *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->header.seed = seed;
    const struct hw_family *family;
    for (unsigned f = 0; (family = hw_family(f)); f++)
        for (unsigned row = 0; row < family->count; row++) {
            if (v->count == HW_MAX_ROWS) {
                hw_vectors_free(v);
                return NULL;
            }
            v->record[v->count++].row = &family->rows[row];
        }
    return v;
}

void hw_vectors_free(struct hw_vectors *v) {
    for (unsigned i = 0; v && i < v->count; i++)
        free(v->record[i].results);
    free(v);
}

struct hw_record *hw_find(struct hw_vectors *v, const struct hw_family *family, unsigned row) {
    for (unsigned i = 0; i < v->count; i++)
        if (v->record[i].row == &family->rows[row])
            return &v->record[i];
    return NULL;
}

bool hw_take(struct hw_vectors *v, const struct hw_family *family, const uint64_t *out) {
    for (unsigned row = 0; row < family->count; row++) {
        struct hw_record *r = hw_find(v, family, row);
        if (!r->results && !(r->results = calloc(HW_ELEMENTS, sizeof *r->results)))
            return false;
        for (unsigned i = 0; i < HW_ELEMENTS; i++) {
            uint64_t x = out[row * HW_ELEMENTS + i];
            r->results[i] = r->row->bytes == 4 ? (uint32_t)x : x;
        }
    }
    return true;
}

void hw_refuse(struct hw_vectors *v, const struct hw_family *family, const char *reason) {
    for (unsigned row = 0; row < family->count; row++) {
        struct hw_record *r = hw_find(v, family, row);
        size_t length = strcspn(reason, "\n"); /* the format has lines */
        snprintf(r->reason, sizeof r->reason, "%.*s", (int)length, reason);
    }
}

/* ---------------------------------------------------------------- writing and reading */

/* FNV-1a over all bytes before the last line. */
static void digest(uint64_t *sum, const void *bytes, size_t count) {
    const uint8_t *b = bytes;
    for (size_t i = 0; i < count; i++)
        *sum = (*sum ^ b[i]) * UINT64_C(0x100000001b3);
}

static bool put(FILE *file, uint64_t *sum, const void *bytes, size_t count) {
    digest(sum, bytes, count);
    return fwrite(bytes, 1, count, file) == count;
}

static bool put_record(FILE *file, uint64_t *sum, const struct hw_record *r) {
    char line[2 * HW_TEXT];
    uint8_t bytes[8 * HW_ELEMENTS + 1];
    if (!r->results) {
        int length = snprintf(line, sizeof line, "none %s %s\n", r->row->name, r->reason);
        return put(file, sum, line, (size_t)length);
    }
    int length = snprintf(line, sizeof line, "row %s %u\n", r->row->name, r->row->bytes);
    size_t count = 0;
    for (unsigned i = 0; i < HW_ELEMENTS; i++)
        for (unsigned b = 0; b < r->row->bytes; b++)
            bytes[count++] = (uint8_t)(r->results[i] >> 8 * b);
    bytes[count++] = '\n';
    return put(file, sum, line, (size_t)length) && put(file, sum, bytes, count);
}

bool hw_write(const struct hw_vectors *v, FILE *file, char *why) {
    const struct hw_header *h = &v->header;
    char line[4 * HW_TEXT];
    uint64_t sum = FIRST;
    int length = snprintf(line, sizeof line,
                          MAGIC "seed %" PRIu64 "\norigin %s\nsm %u\ndriver %u\nelements %d\n",
                          h->seed, h->origin, h->sm, h->driver, HW_ELEMENTS);
    bool good = put(file, &sum, line, (size_t)length);
    for (unsigned i = 0; good && i < v->count; i++)
        good = put_record(file, &sum, &v->record[i]);
    good = good && fprintf(file, "end %016" PRIx64 "\n", sum) > 0 && fflush(file) == 0;
    snprintf(why, HW_TEXT, "%s", good ? "" : "cannot write it");
    return good;
}

/* A file that is being read, and how far it is right. */
struct reader {
    FILE *file;
    uint64_t sum;
    char line[4 * HW_TEXT];
    char *why;
};

static bool fail(struct reader *r, const char *why, const char *what) {
    snprintf(r->why, HW_TEXT, "%s%.64s", why, what);
    return false;
}

/* The next line, without its newline; its bytes do not count in the sum yet. */
static bool next_line(struct reader *r) {
    if (!fgets(r->line, sizeof r->line, r->file))
        return fail(r, "it ends before its last line", "");
    size_t length = strlen(r->line);
    if (length == 0 || r->line[length - 1] != '\n')
        return fail(r, "a line has no end", "");
    r->line[length - 1] = 0;
    return true;
}

static void count_line(struct reader *r) {
    digest(&r->sum, r->line, strlen(r->line));
    digest(&r->sum, "\n", 1);
}

static bool read_header(struct reader *r, struct hw_header *h) {
    unsigned elements = 0;
    char magic[sizeof MAGIC] = "";
    if (fread(magic, 1, sizeof MAGIC - 1, r->file) != sizeof MAGIC - 1 || strcmp(magic, MAGIC) != 0)
        return fail(r, "it does not begin with " MAGIC, "");
    digest(&r->sum, magic, sizeof MAGIC - 1);
    for (int k = 0; k < 5; k++) {
        if (!next_line(r))
            return false;
        bool good = k == 0   ? sscanf(r->line, "seed %" SCNu64, &h->seed) == 1
                    : k == 1 ? sscanf(r->line, "origin %127[^\n]", h->origin) == 1
                    : k == 2 ? sscanf(r->line, "sm %u", &h->sm) == 1
                    : k == 3 ? sscanf(r->line, "driver %u", &h->driver) == 1
                             : sscanf(r->line, "elements %u", &elements) == 1;
        if (!good)
            return fail(r, "a line of the header is wrong: ", r->line);
        count_line(r);
    }
    return elements == HW_ELEMENTS || fail(r, "it has another number of elements", "");
}

static struct hw_record *named(struct hw_vectors *v, const char *name) {
    for (unsigned i = 0; i < v->count; i++)
        if (!strcmp(v->record[i].row->name, name))
            return &v->record[i];
    return NULL;
}

static bool read_results(struct reader *r, struct hw_record *record) {
    uint8_t bytes[8 * HW_ELEMENTS + 1];
    size_t width = record->row->bytes, count = width * HW_ELEMENTS + 1;
    if (fread(bytes, 1, count, r->file) != count || bytes[count - 1] != '\n')
        return fail(r, "too few results in the row ", record->row->name);
    digest(&r->sum, bytes, count);
    record->results = calloc(HW_ELEMENTS, sizeof *record->results);
    if (!record->results)
        return fail(r, "no memory", "");
    for (size_t i = 0; i < count - 1; i++)
        record->results[i / width] |= (uint64_t)bytes[i] << 8 * (i % width);
    return true;
}

static bool read_record(struct reader *r, struct hw_vectors *v) {
    char name[HW_TEXT] = "", reason[HW_TEXT] = "";
    unsigned width = 0;
    bool none = sscanf(r->line, "none %127s %127[^\n]", name, reason) == 2;
    if (!none && sscanf(r->line, "row %127s %u", name, &width) != 2)
        return fail(r, "no row: ", r->line);
    struct hw_record *record = named(v, name);
    if (!record)
        return fail(r, "a row that there is not: ", name);
    if (record->results || record->reason[0])
        return fail(r, "a row twice: ", name);
    count_line(r);
    if (none) {
        snprintf(record->reason, sizeof record->reason, "%s", reason);
        return true;
    }
    return width == record->row->bytes ? read_results(r, record)
                                       : fail(r, "another width in the row ", name);
}

struct hw_vectors *hw_read(FILE *file, char *why) {
    struct reader r = {.file = file, .sum = FIRST, .why = why};
    struct hw_vectors *v = hw_vectors_new(0);
    if (!v) {
        fail(&r, "no memory", "");
        return NULL;
    }
    bool good = read_header(&r, &v->header);
    while (good && (good = next_line(&r)) && strncmp(r.line, "end ", 4) != 0)
        good = read_record(&r, v);
    uint64_t sum = 0;
    if (good && (sscanf(r.line, "end %" SCNx64, &sum) != 1 || sum != r.sum))
        good = fail(&r, "its bytes are not those that were written", "");
    if (good && fgetc(file) != EOF)
        good = fail(&r, "there is something behind its end", "");
    if (!good) {
        hw_vectors_free(v);
        return NULL;
    }
    return v;
}
