/*
 * script_memory.c - commands of launch scripts that make, fill, copy and compare memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "data_file.h"
#include "fhec_allocations.h"
#include "first_difference.h"
#include "golden.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "run_device.h"
#include "script_parts.h"
#include "value.h"
#include "variables.h"

enum { PIECE = 1 << 20 }; /* bytes that are filled and copied at a time */

static fhec_status done(const struct fh_cli_script_run *run, fhec_status status) {
    return status == FHEC_OK ? FHEC_OK : fh_cli_machine_error(run->cli, run->machine, status);
}

/* ---------------------------------------------------------------- places */

/* The live allocation that holds the address. */
static bool find_allocation(const fhec_machine *machine, uint64_t address, fhec_allocation *a) {
    for (size_t i = 0; fhec_allocation_get(machine, i, a); i++)
        if (a->live && address >= a->address && address - a->address < a->bytes)
            return true;
    return false;
}

static bool find_variable(const struct fh_cli_script_run *run, const char *name,
                          struct fh_cli_variable *v) {
    struct fh_cli cli = *run->cli;
    cli.silent = true; /* an unknown name may be a buffer's, too */
    return fh_cli_find_variable(&cli, &run->programs, name, v) == FHEC_OK;
}

static fhec_status unknown_place(const struct fh_cli_script_run *run, const char *name) {
    struct fh_nearest n;
    fhec_variable_info info;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t i = 0; i < run->memory.buffer_count; i++)
        fh_nearest_try(&n, run->memory.buffers[i].name, strlen(run->memory.buffers[i].name));
    for (size_t p = 0; p < run->programs.count; p++)
        for (size_t i = 0; fhec_variable_get(run->programs.list[p], i, &info) == FHEC_OK; i++)
            fh_nearest_try(&n, info.name, strlen(info.name));
    return fh_cli_script_wrong(run, "no buffer or variable is called \"%s\"%s", name,
                               fh_cli_hint(n.best).text);
}

/* What the name without its offset stands for. */
static fhec_status find_place(struct fh_cli_script_run *run, const char *name,
                              struct fh_cli_script_place *place) {
    const size_t buffer = fh_cli_memory_find(&run->memory, name);
    struct fh_cli_variable v;
    fhec_allocation a;
    uint64_t number;
    place->type = (struct fh_cli_data){.width = 0};
    place->buffer = NULL;
    if (buffer < run->memory.buffer_count) {
        const struct fh_cli_buffer *b = &run->memory.buffers[buffer];
        place->type = b->data;
        place->buffer = b->name;
        place->address = b->address;
        place->bytes = (uint64_t)b->data.count * b->data.width;
        return FHEC_OK;
    }
    if (fh_cli_number(name, &number)) {
        if (!find_allocation(run->machine, number, &a))
            return fh_cli_script_wrong(run, "nothing is at the address %s", name);
        place->address = number;
        place->bytes = a.bytes - (number - a.address);
        return FHEC_OK;
    }
    if (!find_variable(run, name, &v))
        return unknown_place(run, name);
    place->bytes = v.info.bytes;
    return done(run, fhec_variable_address(run->machine, v.program, v.index, &place->address));
}

fhec_status fh_cli_script_place(struct fh_cli_script_run *run, const char *text,
                                struct fh_cli_script_place *place) {
    uint64_t offset;
    bool part;
    char *name = strdup(text);
    if (!name)
        return fh_cli_no_memory(run->cli);
    fhec_status status = FHEC_OK;
    if (!fh_cli_cut_offset(name, &offset, &part))
        status = fh_cli_script_wrong(run, "%s: expected NAME or NAME+OFFSET", text);
    if (status == FHEC_OK)
        status = find_place(run, name, place);
    if (status == FHEC_OK && offset > place->bytes)
        status = fh_cli_script_wrong(run, "%s has %llu bytes; there is none at %llu", name,
                                     (unsigned long long)place->bytes, (unsigned long long)offset);
    if (part)
        snprintf(place->label, sizeof place->label, "%.100s from byte %llu on", name,
                 (unsigned long long)offset);
    else
        snprintf(place->label, sizeof place->label, "%.150s", name);
    free(name);
    if (status != FHEC_OK || !part)
        return status;
    place->address += offset;
    place->bytes -= offset;
    place->type.count = 0; /* the shape is that of the whole */
    place->type.dims = 1;
    return FHEC_OK;
}

static fhec_status check_room(const struct fh_cli_script_run *run,
                              const struct fh_cli_script_place *place, uint64_t bytes) {
    return bytes <= place->bytes
               ? FHEC_OK
               : fh_cli_script_wrong(run, "%s: there are %llu bytes; %llu are wanted", place->label,
                                     (unsigned long long)place->bytes, (unsigned long long)bytes);
}

/* ---------------------------------------------------------------- values */

fhec_status fh_cli_script_value(struct fh_cli_script_run *run, const char *what, const char *text,
                                uint64_t most, uint8_t **bytes, uint64_t *count) {
    char *path = text[0] == '@' ? fh_cli_script_path(run, text + 1) : NULL, *at = NULL;
    if (text[0] == '@' && (!path || asprintf(&at, "@%s", path) < 0))
        at = NULL;
    free(path);
    struct fh_cli_destination to = {what, calloc(1, most + 1), most, false, 0};
    *bytes = to.bytes;
    fhec_status status = to.bytes && (at || text[0] != '@') ? FHEC_OK : fh_cli_no_memory(run->cli);
    if (status == FHEC_OK)
        status = fh_cli_put_value(run->cli, &run->memory, at ? at : text, &to, true);
    if (status == FHEC_OK)
        fh_cli_memory_fill_in(&run->memory);
    run->memory.fixup_count = 0;
    free(at);
    *count = to.used;
    if (status != FHEC_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

fhec_status fh_cli_script_set(struct fh_cli_script_run *run,
                              const struct fh_cli_script_words *words) {
    struct fh_cli_script_place place;
    fhec_status status = fh_cli_script_expect_words(run, words, 2, SIZE_MAX, "set PLACE VALUE ...");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &place);
    for (size_t i = 1; i < words->count && status == FHEC_OK; i++) {
        uint8_t *bytes;
        uint64_t count;
        status = fh_cli_script_value(run, place.label, words->list[i], place.bytes, &bytes, &count);
        if (status != FHEC_OK)
            break;
        status = done(run, fhec_write(run->machine, place.address, bytes, count));
        free(bytes);
        place.address += count;
        place.bytes -= count;
    }
    return status;
}

/* `bytes` bytes of the value over and over, malloc'd. */
static fhec_status repeated(struct fh_cli_script_run *run, const char *value, const char *text,
                            const struct fh_cli_script_place *place, uint8_t **bytes,
                            uint64_t *count) {
    uint8_t *one;
    uint64_t length;
    *bytes = NULL;
    fhec_status status = fh_cli_script_bytes(run, "BYTES", text, count);
    if (status == FHEC_OK)
        status = check_room(run, place, *count);
    if (status == FHEC_OK)
        status = fh_cli_script_value(run, place->label, value, place->bytes, &one, &length);
    if (status != FHEC_OK)
        return status;
    *bytes = malloc(*count + 1);
    for (uint64_t i = 0; *bytes && length && i < *count; i++)
        (*bytes)[i] = one[i % length];
    free(one);
    return *bytes ? FHEC_OK : fh_cli_no_memory(run->cli);
}

fhec_status fh_cli_script_fill(struct fh_cli_script_run *run,
                               const struct fh_cli_script_words *words) {
    struct fh_cli_script_place place;
    uint8_t *bytes;
    uint64_t count;
    fhec_status status = fh_cli_script_expect_words(run, words, 3, 3, "fill PLACE VALUE BYTES");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &place);
    if (status == FHEC_OK)
        status = repeated(run, words->list[1], words->list[2], &place, &bytes, &count);
    if (status != FHEC_OK)
        return status;
    status = done(run, fhec_write(run->machine, place.address, bytes, count));
    free(bytes);
    return status;
}

fhec_status fh_cli_script_copy(struct fh_cli_script_run *run,
                               const struct fh_cli_script_words *words) {
    static const char form[] = "copy FROM to TO [BYTES]";
    struct fh_cli_script_place from, to;
    fhec_status status = fh_cli_script_expect_words(run, words, 3, 4, form);
    if (status == FHEC_OK && strcmp(words->list[1], "to") != 0)
        status = fh_cli_script_wrong(run, "expected `%s`", form);
    if (status == FHEC_OK && run->settings->deferred && run->checked_count)
        status = fh_cli_script_wrong(run, "a copy behind a launch cannot be debugged: nothing has "
                                          "run yet when it is made");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &from);
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[2], &to);
    uint64_t count = status == FHEC_OK ? from.bytes : 0;
    if (status == FHEC_OK && words->count == 4)
        status = fh_cli_script_bytes(run, "BYTES", words->list[3], &count);
    if (status == FHEC_OK)
        status = check_room(run, &from, count);
    if (status == FHEC_OK)
        status = check_room(run, &to, count);
    if (status != FHEC_OK)
        return status;
    uint8_t *bytes = malloc(count + 1); /* all of it: the two may overlap */
    if (!bytes)
        return fh_cli_no_memory(run->cli);
    status = done(run, fhec_read(run->machine, from.address, bytes, count));
    if (status == FHEC_OK)
        status = done(run, fhec_write(run->machine, to.address, bytes, count));
    free(bytes);
    return status;
}

/* ---------------------------------------------------------------- buffers */

struct wanted {
    const char *name, *contents;
    struct fh_cli_data data;
    uint64_t address; /* 0: anywhere */
    bool read_only;
};

/* The type, the address, and what is in the buffer, or how much. */
static fhec_status read_wanted(struct fh_cli_script_run *run, struct wanted *w, const char *type,
                               const char *at) {
    struct fh_cli_data elements = {.width = 0};
    if (type && !fh_cli_data_named_type(type, &elements))
        return fh_cli_script_wrong(run,
                                   "\"%s\" is no type, which are u8, u16, u32, u64, i8, i16, "
                                   "i32, i64, f16, f32 and f64",
                                   type);
    if (at && (!fh_cli_number(at, &w->address) || !w->address))
        return fh_cli_script_wrong(run, "at %s: expected an address", at);
    if (w->contents[0] == '@') {
        char *path = fh_cli_script_path(run, w->contents + 1);
        fhec_status status = path ? fh_cli_data_read_any(run->cli, path, elements.width, &w->data)
                                  : fh_cli_no_memory(run->cli);
        free(path);
        if (status == FHEC_OK && type && !w->data.npy)
            w->data.kind = elements.kind;
        if (status == FHEC_OK && !w->data.count)
            status = fh_cli_script_wrong(run, "%s has no elements; a buffer needs at least one",
                                         w->contents + 1);
        return status;
    }
    uint64_t bytes;
    fhec_status status = fh_cli_script_bytes(run, w->name, w->contents, &bytes);
    if (status != FHEC_OK)
        return status;
    w->data = elements;
    w->data.width = elements.width ? elements.width : bytes % 4 ? 1 : 4;
    w->data.dims = 1;
    w->data.count = w->data.shape[0] = (size_t)(bytes / w->data.width);
    if (!bytes || bytes % w->data.width)
        return fh_cli_script_wrong(run, "%s: %s is no number of elements of %u bytes", w->name,
                                   w->contents, w->data.width);
    return FHEC_OK;
}

/* Memory of this process, which has as much of its address as lines of caches see in common with
 * the machine's; *base is what is to be freed. */
static uint8_t *host_memory(uint64_t address, uint64_t bytes, void **base) {
    enum { LINE = 64 };
    uint8_t *memory = *base = bytes < SIZE_MAX - LINE ? calloc(1, bytes + LINE) : NULL;
    return memory ? memory + (address - (uintptr_t)memory) % LINE : NULL;
}

static fhec_status make_buffer(struct fh_cli_script_run *run, const struct wanted *w) {
    struct fh_cli_memory *m = &run->memory;
    struct fh_cli_buffer *buffers = fh_cli_more(m->buffers, m->buffer_count, sizeof *buffers);
    m->buffers = buffers ? buffers : m->buffers;
    void **hosts = fh_cli_more(run->hosts, m->buffer_count, sizeof(void *));
    run->hosts = hosts ? hosts : run->hosts;
    char *name = strdup(w->name);
    if (!buffers || !hosts || !name) {
        free(name);
        return fh_cli_no_memory(run->cli);
    }
    const uint64_t bytes = (uint64_t)w->data.count * w->data.width;
    const unsigned flags = w->read_only ? FHEC_MEM_READ_ONLY : 0;
    struct fh_cli_buffer *b = &buffers[m->buffer_count];
    *b = (struct fh_cli_buffer){.name = name, .data = w->data, .read_only = w->read_only};
    b->data.bytes = NULL;
    b->address = w->address;
    hosts[m->buffer_count++] = NULL;
    if (!w->address)
        return done(run, fhec_alloc(run->machine, name, bytes, flags, &b->address));
    uint8_t *host = host_memory(w->address, bytes, &hosts[m->buffer_count - 1]);
    return host ? done(run, fhec_map(run->machine, name, w->address, host, bytes, flags))
                : fh_cli_no_memory(run->cli);
}

fhec_status fh_cli_script_buffer(struct fh_cli_script_run *run,
                                 const struct fh_cli_script_words *words) {
    struct fh_cli_script_option options[] = {
        {"type", NULL, false}, {"at", NULL, false}, {"read-only", NULL, true}};
    fhec_status status = fh_cli_script_expect_words(
        run, words, 2, 7, "buffer NAME BYTES|@FILE [type TYPE] [at ADDRESS] [read-only]");
    if (status == FHEC_OK)
        status = fh_cli_script_options(run, words, 2, options, 3);
    if (status != FHEC_OK)
        return status;
    struct wanted w = {
        .name = words->list[0], .contents = words->list[1], .read_only = options[2].value != NULL};
    if (fh_cli_memory_find(&run->memory, w.name) < run->memory.buffer_count)
        return fh_cli_script_wrong(run, "a buffer called %s is there already", w.name);
    status = read_wanted(run, &w, options[0].value, options[1].value);
    if (status == FHEC_OK)
        status = make_buffer(run, &w);
    if (status == FHEC_OK && w.data.bytes)
        status = done(run, fhec_write(run->machine,
                                      run->memory.buffers[run->memory.buffer_count - 1].address,
                                      w.data.bytes, w.data.count * w.data.width));
    free(w.data.bytes);
    return status;
}

fhec_status fh_cli_script_device(struct fh_cli_script_run *run,
                                 const struct fh_cli_script_words *words) {
    static const char form[] = "device printf PLACE heap PLACE";
    struct fh_cli_script_option options[] = {{"printf", NULL, false}, {"heap", NULL, false}};
    struct fh_cli_script_place print, heap;
    fhec_status status = fh_cli_script_expect_words(run, words, 4, 4, form);
    if (status == FHEC_OK)
        status = fh_cli_script_options(run, words, 0, options, 2);
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, options[0].value, &print);
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, options[1].value, &heap);
    if (status != FHEC_OK)
        return status;
    status =
        fh_cli_device_adopt(run->machine, print.address, print.bytes, heap.address, heap.bytes);
    return status == FHEC_BAD_INPUT
               ? fh_cli_script_wrong(run,
                                     "this is not the memory of printf and malloc, or they have "
                                     "theirs already")
               : done(run, status);
}

/* ---------------------------------------------------------------- results */

/* `bytes` bytes of the place, malloc'd. */
static fhec_status read_place(const struct fh_cli_script_run *run,
                              const struct fh_cli_script_place *place, uint64_t count,
                              uint8_t **bytes) {
    *bytes = NULL;
    fhec_status status = check_room(run, place, count);
    if (status != FHEC_OK)
        return status;
    *bytes = malloc(count + 1);
    status = *bytes ? done(run, fhec_read(run->machine, place->address, *bytes, count))
                    : fh_cli_no_memory(run->cli);
    if (status == FHEC_OK)
        return FHEC_OK;
    free(*bytes);
    *bytes = NULL;
    return status;
}

/* So many bytes as elements of the place's type. */
static struct fh_cli_data as_data(const struct fh_cli_script_place *place, uint8_t *bytes,
                                  uint64_t count) {
    struct fh_cli_data data = place->type;
    if (!data.width || count % data.width)
        data = (struct fh_cli_data){.width = count % 4 ? 1 : 4};
    data.bytes = bytes;
    if (data.count != count / data.width) { /* not all of it */
        data.count = data.shape[0] = (size_t)(count / data.width);
        data.dims = 1;
    }
    return data;
}

fhec_status fh_cli_script_save(struct fh_cli_script_run *run,
                               const struct fh_cli_script_words *words) {
    struct fh_cli_script_place place;
    uint8_t *bytes = NULL;
    fhec_status status = fh_cli_script_expect_words(run, words, 2, 3, "save PLACE FILE [BYTES]");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &place);
    uint64_t count = status == FHEC_OK ? place.bytes : 0;
    if (status == FHEC_OK && words->count == 3)
        status = fh_cli_script_bytes(run, "BYTES", words->list[2], &count);
    if (status != FHEC_OK || run->last) /* the first run saves */
        return status;
    char *path =
        strcmp(words->list[1], "-") == 0 ? strdup("-") : fh_cli_script_path(run, words->list[1]);
    status = path ? fh_cli_output_add(run->cli, &run->outputs, path) : fh_cli_no_memory(run->cli);
    if (status == FHEC_OK)
        status = fh_cli_output_spare(run->cli, &run->outputs, run->script->path);
    if (status == FHEC_OK)
        status = read_place(run, &place, count, &bytes);
    if (status == FHEC_OK) {
        const struct fh_cli_data data = as_data(&place, bytes, count);
        status = fh_cli_data_write(run->cli, &run->outputs, path, &data);
    }
    free(bytes);
    free(path);
    return status;
}

fhec_status fh_cli_script_hash(struct fh_cli_script_run *run,
                               const struct fh_cli_script_words *words) {
    struct fh_cli_script_place place;
    uint8_t *bytes;
    fhec_status status = fh_cli_script_expect_words(run, words, 1, 1, "hash PLACE");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &place);
    if (status == FHEC_OK)
        status = read_place(run, &place, place.bytes, &bytes);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_hash *hashes = fh_cli_more(run->hashes, run->hash_count, sizeof *hashes);
    char *name = strdup(words->list[0]);
    if (hashes && name) {
        run->hashes = hashes;
        hashes[run->hash_count].name = name;
        fh_golden_hash_bytes(bytes, place.bytes, hashes[run->hash_count++].hex);
    } else {
        free(name);
        status = fh_cli_no_memory(run->cli);
    }
    free(bytes);
    return status;
}

static fhec_status compare(struct fh_cli_script_run *run, const struct fh_cli_script_place *place,
                           const struct fh_cli_data *want) {
    uint8_t *bytes;
    fhec_status status = read_place(run, place, want->count * want->width, &bytes);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_data got = *want;
    got.bytes = bytes;
    const struct fh_cli_difference difference = {.what = place->label,
                                                 .buffer = place->label,
                                                 .got = &got,
                                                 .want = want,
                                                 .address = place->address};
    const struct fh_cli_again again = {run->settings->machine, run, run->again_on};
    status = fh_cli_compare_closely(run->cli, &difference, run->last ? NULL : &again);
    while (run->again) {
        struct fh_cli_script_run *next = run->again->next;
        fh_cli_script_end(run->again);
        run->again = next;
    }
    free(bytes);
    if (status != FHEC_DIFFERS)
        return status;
    run->differs = true; /* and goes on */
    return FHEC_OK;
}

static fhec_status expect_file(struct fh_cli_script_run *run,
                               const struct fh_cli_script_place *place, const char *file,
                               bool whole) {
    struct fh_cli_data want = {.width = 0};
    char *path = fh_cli_script_path(run, file);
    fhec_status status = path ? fh_cli_data_read_any(run->cli, path, place->type.width, &want)
                              : fh_cli_no_memory(run->cli);
    free(path);
    if (status == FHEC_OK && !want.npy)
        want.kind = place->type.kind;
    const uint64_t bytes = (uint64_t)want.count * want.width;
    if (status == FHEC_OK && whole && bytes != place->bytes)
        status =
            fh_cli_script_wrong(run, "%s has %llu bytes; %s has %llu", place->label,
                                (unsigned long long)place->bytes, file, (unsigned long long)bytes);
    if (status == FHEC_OK)
        status = compare(run, place, &want);
    fh_cli_data_free(&want);
    return status;
}

static fhec_status expect_hash(struct fh_cli_script_run *run,
                               const struct fh_cli_script_place *place, const char *hex) {
    uint8_t *bytes;
    char got[FH_GOLDEN_HASH_CHARS];
    if (strspn(hex, "0123456789abcdefABCDEF") != 32 || strlen(hex) != 32)
        return fh_cli_script_wrong(run, "expected 32 hexadecimal digits behind xxh3:");
    fhec_status status = read_place(run, place, place->bytes, &bytes);
    if (status != FHEC_OK)
        return status;
    fh_golden_hash_bytes(bytes, place->bytes, got);
    free(bytes);
    if (strcasecmp(got, hex) == 0)
        return FHEC_OK;
    (void)fh_cli_error(run->cli, FHEC_DIFFERS, "%s has the hash %s; expected %s", place->label, got,
                       hex);
    run->differs = true;
    return FHEC_OK;
}

static fhec_status expect_values(struct fh_cli_script_run *run, struct fh_cli_script_place place,
                                 const struct fh_cli_script_words *words) {
    fhec_status status = FHEC_OK;
    for (size_t i = 1; i < words->count && status == FHEC_OK; i++) {
        uint8_t *bytes;
        uint64_t count;
        status = fh_cli_script_value(run, place.label, words->list[i], place.bytes, &bytes, &count);
        if (status != FHEC_OK)
            break;
        const struct fh_cli_data want = as_data(&place, bytes, count);
        status = compare(run, &place, &want);
        free(bytes);
        place.address += count;
        place.bytes -= count;
        place.type = (struct fh_cli_data){.width = place.type.width, .kind = place.type.kind};
        snprintf(place.label, sizeof place.label, "%.100s behind %zu value%s", words->list[0], i,
                 i == 1 ? "" : "s");
    }
    return status;
}

fhec_status fh_cli_script_expect(struct fh_cli_script_run *run,
                                 const struct fh_cli_script_words *words) {
    static const char prefix[] = "xxh3:";
    struct fh_cli_script_place place;
    fhec_status status = fh_cli_script_expect_words(
        run, words, 2, SIZE_MAX, "expect PLACE @FILE|xxh3:HEX|fill VALUE BYTES|VALUE ...");
    if (status == FHEC_OK)
        status = fh_cli_script_place(run, words->list[0], &place);
    if (status != FHEC_OK)
        return status;
    const char *value = words->list[1];
    if (words->count == 2 && value[0] == '@')
        return expect_file(run, &place, value + 1, !strchr(words->list[0], '+'));
    if (words->count == 2 && strncmp(value, prefix, sizeof prefix - 1) == 0)
        return expect_hash(run, &place, value + sizeof prefix - 1);
    if (words->count != 4 || strcmp(value, "fill") != 0)
        return expect_values(run, place, words);
    uint8_t *bytes;
    uint64_t count;
    status = repeated(run, words->list[2], words->list[3], &place, &bytes, &count);
    if (status != FHEC_OK)
        return status;
    const struct fh_cli_data want = as_data(&place, bytes, count);
    status = compare(run, &place, &want);
    free(bytes);
    return status;
}
