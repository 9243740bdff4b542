/*
 * trace_names.c - see trace_names.h.
 */
#include "trace_names.h"

#include "trace_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { INST_BYTES = 16, FIRST_PLACES = 256 };

void fh_trace_names_free(struct fh_trace_names *names) {
    for (size_t i = 0; i < names->string_count; i++)
        free(names->strings[i]);
    for (size_t i = 0; i < names->kernel_count; i++) {
        struct fh_trace_kernel *k = &names->kernels[i];
        for (size_t j = 0; j < k->count; j++)
            free(k->code[j].steps);
        free(k->code);
    }
    free(names->strings);
    free(names->places);
    free(names->kernels);
    free(names->launches);
    free(names->objects);
    *names = (struct fh_trace_names){0};
}

/* ---------------------------------------------------------------- strings */

/* Where in the table the text is, or would be. */
static uint32_t *place_of(const struct fh_trace_names *names, const char *text, size_t length) {
    size_t i = (size_t)XXH3_64bits(text, length);
    for (;; i++) {
        uint32_t *place = &names->places[i & (names->place_count - 1)];
        const char *there = *place ? names->strings[*place - 1] : NULL;
        if (!there || (strncmp(there, text, length) == 0 && !there[length]))
            return place;
    }
}

static void note_string(const struct fh_trace_names *names, size_t index) {
    uint32_t *place = place_of(names, names->strings[index], strlen(names->strings[index]));
    if (!*place)
        *place = (uint32_t)index + 1;
}

/* Keeps the table at most half full, with room for one string more. */
static bool grow_places(struct fh_trace_names *names) {
    if (2 * (names->string_count + 1) <= names->place_count)
        return true;
    const size_t count = names->place_count ? 2 * names->place_count : FIRST_PLACES;
    uint32_t *places = names->string_count < UINT32_MAX / 2 ? calloc(count, sizeof *places) : NULL;
    if (!places)
        return false;
    free(names->places);
    names->places = places;
    names->place_count = count;
    for (size_t i = 0; i < names->string_count; i++)
        note_string(names, i);
    return true;
}

const char *fh_trace_string_append(struct fh_trace_names *names, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
    if (!copy || !grow_places(names) ||
        !fh_trace_room(&names->strings, &names->string_room, names->string_count + 1,
                       sizeof *names->strings)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    names->strings[names->string_count++] = copy;
    note_string(names, names->string_count - 1);
    return copy;
}

const char *fh_trace_string(struct fh_trace_names *names, const char *text, size_t length) {
    const uint32_t number = names->place_count ? *place_of(names, text, length) : 0;
    return number ? names->strings[number - 1] : fh_trace_string_append(names, text, length);
}

size_t fh_trace_string_number(const struct fh_trace_names *names, const char *text) {
    return text && names->place_count ? *place_of(names, text, strlen(text)) : 0;
}

/* ---------------------------------------------------------------- launches and their code */

static struct fh_trace_kernel *find_kernel(const struct fh_trace_names *names,
                                           const fhec_launch *launch, const char *name) {
    for (size_t i = 0; i < names->kernel_count; i++) {
        struct fh_trace_kernel *k = &names->kernels[i];
        if (k->program == launch->program && k->index == launch->kernel &&
            strcmp(k->name, name) == 0)
            return k;
    }
    return NULL;
}

static struct fh_trace_kernel *add_kernel(struct fh_trace_names *names, const fhec_launch *launch,
                                          const char *name) {
    const char *kept = fh_trace_string(names, name, strlen(name));
    if (!kept || !fh_trace_room(&names->kernels, &names->kernel_room, names->kernel_count + 1,
                                sizeof *names->kernels))
        return NULL;
    struct fh_trace_kernel *k = &names->kernels[names->kernel_count++];
    *k =
        (struct fh_trace_kernel){.name = kept, .program = launch->program, .index = launch->kernel};
    return k;
}

fhec_status fh_trace_launch_add(struct fh_trace_names *names, const fhec_launch *launch,
                                uint64_t number) {
    fhec_kernel_info info;
    if (fhec_kernel_get(launch->program, launch->kernel, &info) != FHEC_OK)
        return FHEC_BAD_INPUT;
    struct fh_trace_kernel *kernel = find_kernel(names, launch, info.name);
    if (!kernel)
        kernel = add_kernel(names, launch, info.name);
    if (!kernel || !fh_trace_room(&names->launches, &names->launch_room, names->launch_count + 1,
                                  sizeof *names->launches))
        return FHEC_HOST_ERROR;
    struct fh_trace_launch *added = &names->launches[names->launch_count++];
    *added =
        (struct fh_trace_launch){.number = number, .kernel = (size_t)(kernel - names->kernels)};
    memcpy(added->grid, launch->grid, sizeof added->grid);
    memcpy(added->block, launch->block, sizeof added->block);
    return FHEC_OK;
}

struct fh_trace_instruction *fh_trace_instruction_room(struct fh_trace_kernel *kernel,
                                                       uint64_t pc) {
    const uint64_t i = pc / INST_BYTES;
    if (i >= SIZE_MAX / sizeof *kernel->code ||
        !fh_trace_room(&kernel->code, &kernel->room, (size_t)i + 1, sizeof *kernel->code))
        return NULL;
    while (kernel->count <= i)
        kernel->code[kernel->count++] = (struct fh_trace_instruction){.known = false};
    return &kernel->code[i];
}

const struct fh_trace_kernel *fh_trace_kernel_of(const struct fh_trace_names *names,
                                                 uint32_t launch) {
    return &names->kernels[names->launches[launch].kernel];
}

const struct fh_trace_instruction *fh_trace_instruction_at(const struct fh_trace_names *names,
                                                           uint32_t launch, uint64_t pc) {
    if (launch >= names->launch_count)
        return NULL;
    const struct fh_trace_kernel *k = fh_trace_kernel_of(names, launch);
    const uint64_t i = pc / INST_BYTES;
    return i < k->count && k->code[i].known ? &k->code[i] : NULL;
}

/* How its line came to be read. */
static fhec_status add_steps(struct fh_trace_names *names, const struct fh_trace_kernel *kernel,
                             uint32_t word, struct fh_trace_instruction *to) {
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    const size_t count =
        fhec_kernel_expansions(kernel->program, kernel->index, word, list, FHEC_MAX_EXPANSIONS);
    to->steps = count ? calloc(count, sizeof *to->steps) : NULL;
    for (size_t i = 0; to->steps && i < count; i++) {
        char what[256];
        if (list[i].iteration) /* a string for each would be many */
            (void)snprintf(what, sizeof what, "%s", list[i].name);
        else
            (void)fhec_format_expansion(&list[i], what, sizeof what);
        struct fh_trace_step *step = &to->steps[to->step_count++];
        *step = (struct fh_trace_step){
            .what = fh_trace_string(names, what, strlen(what)),
            .file = fh_trace_string(names, list[i].at.file, strlen(list[i].at.file)),
            .iteration = list[i].iteration,
            .line = list[i].at.line};
        if (!step->what || !step->file)
            return FHEC_HOST_ERROR;
    }
    return to->steps || !count ? FHEC_OK : FHEC_HOST_ERROR;
}

/* Where it was written. */
static fhec_status add_source(struct fh_trace_names *names, const struct fh_trace_kernel *kernel,
                              uint32_t word, struct fh_trace_instruction *to) {
    const fhec_location at = fhec_kernel_location(kernel->program, kernel->index, word);
    if (!at.file)
        return FHEC_OK;
    to->file = fh_trace_string(names, at.file, strlen(at.file));
    to->line = at.line;
    to->column = at.column;
    return to->file ? add_steps(names, kernel, word, to) : FHEC_HOST_ERROR;
}

void fh_trace_step_text(const struct fh_trace_step *step, char *text, size_t size) {
    if (step->iteration)
        snprintf(text, size, "iteration %" PRIu32 " of %s", step->iteration, step->what);
    else
        snprintf(text, size, "%s", step->what);
}

fhec_status fh_trace_instruction_add(struct fh_trace_names *names, uint32_t launch, uint64_t pc,
                                     fhec_word word) {
    if (fh_trace_instruction_at(names, launch, pc))
        return FHEC_OK;
    struct fh_trace_kernel *kernel = &names->kernels[names->launches[launch].kernel];
    struct fh_trace_instruction *to = fh_trace_instruction_room(kernel, pc);
    if (!to || add_source(names, kernel, (uint32_t)(pc / INST_BYTES), to) != FHEC_OK)
        return FHEC_HOST_ERROR;
    to->word = word;
    to->known = true;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- objects */

fhec_status fh_trace_object_add(struct fh_trace_names *names,
                                const struct fh_trace_object *object) {
    if (!fh_trace_room(&names->objects, &names->object_room, names->object_count + 1,
                       sizeof *names->objects))
        return FHEC_HOST_ERROR;
    for (size_t i = 0; i < names->object_count; i++) { /* what was there before is gone */
        struct fh_trace_object *old = &names->objects[i];
        if (old->space == object->space && old->bank == object->bank &&
            old->launch == object->launch && object->base < old->base + old->size &&
            old->base < object->base + object->size)
            old->size = 0;
    }
    names->objects[names->object_count++] = *object;
    return FHEC_OK;
}

static bool holds(const struct fh_trace_object *o, fhec_space space, uint32_t bank, uint32_t launch,
                  uint64_t address) {
    return o->space == space && address - o->base < o->size &&
           (space != FHEC_SPACE_CONSTANT || (o->bank == bank && o->launch == launch));
}

const struct fh_trace_object *fh_trace_object_at(struct fh_trace_names *names, fhec_space space,
                                                 uint32_t bank, uint32_t launch, uint64_t address) {
    if (names->last_object < names->object_count &&
        holds(&names->objects[names->last_object], space, bank, launch, address))
        return &names->objects[names->last_object];
    for (size_t i = names->object_count; i-- > 0;) {
        if (!holds(&names->objects[i], space, bank, launch, address))
            continue;
        names->last_object = i;
        return &names->objects[i];
    }
    return NULL;
}
