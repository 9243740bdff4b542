/*
 * compiled.c - what all compiled kernels share: files, buffers, launches, comparison.
 */
#include "compiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void compiled_fail(const char *kernel, const char *what) {
    fprintf(stderr, "compiled kernel %s: %s\n", kernel, what);
    exit(1);
}

static void *room(const struct compiled_run *r, size_t bytes) {
    void *p = calloc(bytes, 1);
    if (!p)
        compiled_fail(r->kernel->name, "out of memory");
    return p;
}

static void must(const struct compiled_run *r, fhec_status status) {
    char text[2048];
    if (status == FHEC_OK)
        return;
    if (status == FHEC_GUEST_FAULT) {
        fhec_format_fault(fhec_machine_fault(r->machine), text, sizeof text);
        compiled_fail(r->kernel->name, text);
    }
    compiled_fail(r->kernel->name, r->machine ? fhec_machine_error(r->machine) : "no machine");
}

/* ---------------------------------------------------------------- numbers */

uint64_t compiled_random(uint64_t *seed) { /* splitmix64 */
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t compiled_hostile(uint64_t *seed) {
    const uint64_t x = compiled_random(seed);
    const unsigned shift = (unsigned)(x & 63);
    switch (x >> 60) {
    case 0: return 0;
    case 1: return UINT64_MAX >> (x >> 8 & 1 ? 32 : 0);
    case 2: return UINT64_C(1) << shift;
    case 3: return (UINT64_C(1) << shift) - 1;
    case 4: return 0 - (UINT64_C(1) << shift);
    case 5: return x >> 8 & 15;
    case 6: return compiled_random(seed) >> shift;
    default: return compiled_random(seed);
    }
}

void compiled_hostile_words(uint32_t *words, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)compiled_hostile(&seed);
}

uint64_t compiled_residue(uint64_t *seed, uint64_t q) {
    const uint64_t x = compiled_random(seed);
    switch (x >> 60) {
    case 0: return x >> 8 & 1;
    case 1: return q - 1 - (x >> 8 & 1);
    case 2: return q / 2 + (x >> 8 & 1);
    case 3: return (UINT64_C(1) << (x & 63)) % q;
    default: return compiled_random(seed) % q;
    }
}

/* ---------------------------------------------------------------- runs */

void *compiled_buffer(struct compiled_run *r, const char *name, size_t bytes) {
    struct compiled_buffer *b = &r->buffers[r->buffer_count++];
    if (r->buffer_count > COMPILED_BUFFERS)
        compiled_fail(r->kernel->name, "too many buffers");
    *b = (struct compiled_buffer){
        .name = name, .bytes = bytes, .first = room(r, bytes), .twin = room(r, bytes)};
    must(r, fhec_alloc(r->machine, name, bytes, 0, &b->guest));
    return b->first;
}

void compiled_launch(struct compiled_run *r, const char *kernel, const uint32_t grid[3],
                     const uint32_t block[3], const void *params, size_t param_bytes) {
    fhec_launch launch = {.program = r->program,
                          .grid = {grid[0], grid[1], grid[2]},
                          .block = {block[0], block[1], block[2]},
                          .params = params};
    fhec_kernel_info info;
    if (fhec_kernel_find(r->program, kernel, &launch.kernel) != FHEC_OK ||
        fhec_kernel_get(r->program, launch.kernel, &info) != FHEC_OK)
        compiled_fail(kernel, "its cubin has no such kernel");
    if ((info.param_bytes + 7) / 8 != (param_bytes + 7) / 8)
        compiled_fail(kernel, "it has other parameters");
    launch.param_bytes = info.param_bytes;
    must(r, fhec_run(r->machine, &launch));
}

static fhec_program *load(const struct compiled_kernel *kernel) {
    enum { CAPACITY = 1 << 20 };
    char path[128];
    fhec_program *program;
    uint8_t *bytes = malloc(CAPACITY);
    snprintf(path, sizeof path, "tests/bench/compiled/%s.cubin", kernel->cubin);
    FILE *file = fopen(path, "rb");
    if (!file || !bytes)
        compiled_fail(kernel->name,
                      "the cubin cannot be read; the folder must be the repository's");
    const size_t length = fread(bytes, 1, CAPACITY, file);
    fclose(file);
    if (fhec_program_read(kernel->cubin, bytes, length, NULL, NULL, &program) != FHEC_OK)
        compiled_fail(kernel->name, "the cubin cannot be loaded");
    free(bytes);
    return program;
}

void compiled_open(struct compiled_run *r, const struct compiled_kernel *kernel, bool large,
                   const fhec_machine_options *options) {
    *r = (struct compiled_run){.kernel = kernel, .size = large ? kernel->large : kernel->small};
    must(r, fhec_machine_new(options, &r->machine));
    r->program = load(kernel);
    kernel->fill(r);
    compiled_reset(r);
}

void compiled_close(struct compiled_run *r) {
    fhec_machine_free(r->machine);
    fhec_program_free(r->program);
    for (unsigned i = 0; i < r->buffer_count; i++) {
        free(r->buffers[i].first);
        free(r->buffers[i].twin);
    }
}

void compiled_reset(struct compiled_run *r) {
    for (unsigned i = 0; i < r->buffer_count; i++) {
        const struct compiled_buffer *b = &r->buffers[i];
        memcpy(b->twin, b->first, b->bytes);
        must(r, fhec_write(r->machine, b->guest, b->first, b->bytes));
    }
}

const char *compiled_difference(const struct compiled_run *r) {
    for (unsigned i = 0; i < r->buffer_count; i++) {
        const struct compiled_buffer *b = &r->buffers[i];
        uint8_t *guest = room(r, b->bytes);
        must(r, fhec_read(r->machine, b->guest, guest, b->bytes));
        const bool same =
            r->kernel->same ? r->kernel->same(r, i, guest) : memcmp(guest, b->twin, b->bytes) == 0;
        free(guest);
        if (!same)
            return b->name;
    }
    return NULL;
}
