/*
 * cuda_record.c - see cuda_record.h. Memory is written in pieces, each called by its hash, so that
 * what does not change from launch to launch is there once.
 */
#include "cuda_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays.h"
#include "fhec_allocations.h"
#include "golden.h"
#include "kernel_names.h"
#include "message.h"

enum { PIECE = 1 << 20, SHORT = 32, MOST = 1000 };

struct fh_cli_cuda_object {
    const fhec_program *program;
    char hash[FH_GOLDEN_HASH_CHARS]; /* of its file, which is there */
};

static void fail(struct fh_cli_cuda_record *r, const char *what, const char *path) {
    if (!r->failed)
        (void)fh_cli_error(r->cli, FHEC_HOST_ERROR, "--record: cannot %s %s: %s", what, path,
                           strerror(errno));
    r->failed = true;
}

/* ---------------------------------------------------------------- files */

static void make_folder(struct fh_cli_cuda_record *r, const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        fail(r, "make the folder", path);
}

static void write_file(struct fh_cli_cuda_record *r, const char *path, const void *bytes,
                       size_t length) {
    FILE *to = fopen(path, "we");
    bool good = to && fwrite(bytes, 1, length, to) == length;
    if (to && fclose(to) != 0)
        good = false;
    if (!good)
        fail(r, "write", path);
}

/* Keeps the bytes under their hash. */
static void keep(struct fh_cli_cuda_record *r, const void *bytes, size_t length, const char *end,
                 char hash[FH_GOLDEN_HASH_CHARS]) {
    char *path, *beside = NULL;
    fh_golden_hash_bytes(bytes, length, hash);
    if (asprintf(&path, "%s/data/%s.%s", r->options->record, hash, end) < 0 ||
        asprintf(&beside, "%s.new", path) < 0) {
        fail(r, "write", r->options->record);
        return;
    }
    if (access(path, F_OK) != 0) { /* it appears whole or not at all */
        write_file(r, beside, bytes, length);
        if (!r->failed && rename(beside, path) != 0)
            fail(r, "write", path);
    }
    free(beside);
    free(path);
}

static void make_folders(struct fh_cli_cuda_record *r) {
    char *path;
    make_folder(r, r->options->record);
    if (asprintf(&path, "%s/data", r->options->record) < 0)
        return;
    make_folder(r, path);
    free(path);
}

/* ---------------------------------------------------------------- programs */

static void add_object(struct fh_cli_cuda_record *r, const fhec_program *program,
                       const uint8_t *bytes, size_t length) {
    struct fh_cli_cuda_object *list = fh_cli_more(r->objects, r->object_count, sizeof *list);
    if (!list) {
        fail(r, "keep", "a program");
        return;
    }
    r->objects = list;
    list[r->object_count] = (struct fh_cli_cuda_object){.program = program};
    keep(r, bytes, length, "cubin", list[r->object_count++].hash);
}

void fh_cli_cuda_record_module(struct fh_cli_cuda_record *r, const fhec_program *program,
                               const uint8_t *image, size_t length) {
    if (!r->options || !r->options->record || r->failed)
        return;
    make_folders(r);
    for (size_t i = 0; i < r->object_count; i++) /* one that is gone had the same address */
        if (r->objects[i].program == program)
            r->objects[i--] = r->objects[--r->object_count];
    if (image)
        add_object(r, program, image, length);
}

/* The file of a program; one that was not the CUDA program's is written as an object. */
static const char *object_of(struct fh_cli_cuda_record *r, const fhec_program *program) {
    uint8_t *bytes;
    size_t length;
    for (size_t i = 0; i < r->object_count; i++)
        if (r->objects[i].program == program)
            return r->objects[i].hash;
    if (fhec_program_write(program, &bytes, &length) != FHEC_OK) {
        fail(r, "write", "a program");
        return "";
    }
    add_object(r, program, bytes, length);
    free(bytes);
    return r->failed ? "" : r->objects[r->object_count - 1].hash;
}

/* ---------------------------------------------------------------- memory */

static bool of_program(const fhec_machine *machine, const fhec_program *program, uint64_t address) {
    uint64_t at;
    for (size_t i = 0; fhec_load_address(machine, program, i, &at); i++)
        if (at == address)
            return true;
    return false;
}

static bool is_zero(const uint8_t *bytes, size_t count) {
    return !count || (!bytes[0] && !memcmp(bytes, bytes + 1, count - 1));
}

/* A value of the script with these bytes. */
static void put_bytes(struct fh_cli_cuda_record *r, FILE *to, const uint8_t *bytes, size_t count) {
    char hash[FH_GOLDEN_HASH_CHARS];
    if (count > SHORT) {
        keep(r, bytes, count, "bin", hash);
        fprintf(to, "@../data/%s.bin\n", hash);
        return;
    }
    fputs("bytes:", to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%02x", bytes[i]);
    fputc('\n', to);
}

/* `verb` for every piece of the allocation; without the zeros, or with those behind each other as
 * one. */
static void put_memory(struct fh_cli_cuda_record *r, FILE *to, const char *verb, const char *name,
                       const fhec_allocation *a, bool zeros) {
    uint8_t *piece = malloc(PIECE);
    uint64_t empty = 0; /* zero bytes right before */
    for (uint64_t at = 0; piece && !r->failed && at < a->bytes; at += PIECE) {
        const size_t count = a->bytes - at < PIECE ? (size_t)(a->bytes - at) : PIECE;
        if (fhec_read(r->machine, a->address + at, piece, count) != FHEC_OK)
            break;
        if (is_zero(piece, count)) {
            empty += count;
            continue;
        }
        if (empty && zeros)
            fprintf(to, "%s %s+%llu fill u8:0 %llu\n", verb, name, (unsigned long long)(at - empty),
                    (unsigned long long)empty);
        empty = 0;
        fprintf(to, "%s %s+%llu ", verb, name, (unsigned long long)at);
        put_bytes(r, to, piece, count);
    }
    if (empty && zeros)
        fprintf(to, "%s %s+%llu fill u8:0 %llu\n", verb, name,
                (unsigned long long)(a->bytes - empty), (unsigned long long)empty);
    if (!piece)
        fail(r, "read", "memory");
    free(piece);
}

/* What has been printed is the host's to fetch: when it does is no matter of the launch. */
static bool is_printed(const fhec_allocation *a) {
    return strcmp(a->name, "the printf buffer") == 0;
}

/* What the script calls the index-th allocation: those of the program by their addresses. */
static void name_of(const struct fh_cli_cuda_record *r, const fhec_launch *launch, size_t index,
                    const fhec_allocation *a, char name[32]) {
    if (of_program(r->machine, launch->program, a->address))
        snprintf(name, 32, "0x%llx", (unsigned long long)a->address);
    else
        snprintf(name, 32, "m%zu", index);
}

static void put_allocation(struct fh_cli_cuda_record *r, FILE *to, const fhec_launch *launch,
                           size_t index, const fhec_allocation *a) {
    char name[32];
    name_of(r, launch, index, a, name);
    fprintf(to, "# %s\n", a->name);
    if (name[0] == 'm')
        fprintf(to, "buffer %s %llu at 0x%llx%s\n", name, (unsigned long long)a->bytes,
                (unsigned long long)a->address, a->flags & FHEC_MEM_READ_ONLY ? " read-only" : "");
    else /* it begins with what the program has there */
        fprintf(to, "fill %s u8:0 %llu\n", name, (unsigned long long)a->bytes);
    if (!is_printed(a))
        put_memory(r, to, "set", name, a, false);
}

static void put_runtime(const struct fh_cli_cuda_record *r, FILE *to) {
    fhec_allocation a;
    size_t ring = SIZE_MAX, heap = SIZE_MAX;
    for (size_t i = 0; fhec_allocation_get(r->machine, i, &a); i++) {
        if (a.live && is_printed(&a))
            ring = i;
        if (a.live && strcmp(a.name, "the heap") == 0)
            heap = i;
    }
    if (ring != SIZE_MAX && heap != SIZE_MAX)
        fprintf(to, "device printf m%zu heap m%zu\n", ring, heap);
}

/* ---------------------------------------------------------------- launches */

/* Whether the launch is one that the options ask for. */
static bool is_wanted(struct fh_cli_cuda_record *r, const char *name) {
    const struct fh_cli_cuda_options *o = r->options;
    if (!o || !o->record || r->failed)
        return false;
    if (o->record_kernel && !fh_cli_names_kernel(name, o->record_kernel))
        return false;
    if (o->record_number && ++r->kernels != o->record_number)
        return false;
    if (r->count == MOST) {
        fh_cli_note(r->cli, "--record: no more than %d launches are recorded", MOST);
        r->failed = true;
        return false;
    }
    return true;
}

/* A folder for the case: its number and as much of the kernel's name as a file's can have. */
static char *case_folder(struct fh_cli_cuda_record *r, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%04llu-%.100s", r->options->record, (unsigned long long)++r->count,
                 name) < 0)
        return NULL;
    make_folder(r, path);
    return path;
}

void fh_cli_cuda_record_before(struct fh_cli_cuda_record *r, const fhec_launch *launch) {
    fhec_kernel_info info;
    fhec_allocation a;
    uint64_t address;
    size_t length;
    fhec_kernel_get(launch->program, launch->kernel, &info);
    if (!is_wanted(r, info.name))
        return;
    make_folders(r);
    r->folder = case_folder(r, info.name);
    FILE *to = open_memstream(&r->text, &length);
    if (!to || !r->folder) {
        fail(r, "record", info.name);
        return;
    }
    fprintf(to, "# A launch that `fhec cuda --record` has taken down%s.\n",
            r->options->machine.seeded ? ", on a machine by seed" : "");
    if (r->options->machine.seeded)
        fprintf(to, "# Registers and shared memory began as --seed-machine %llu has them.\n",
                (unsigned long long)r->options->machine.seed);
    fprintf(to, "load ../data/%s.cubin", object_of(r, launch->program));
    for (size_t i = 0; fhec_load_address(r->machine, launch->program, i, &address); i++)
        fprintf(to, "%s0x%llx", i ? "," : " at ", (unsigned long long)address);
    fputc('\n', to);
    for (size_t i = 0; fhec_allocation_get(r->machine, i, &a) && !r->failed; i++)
        if (a.live && a.bytes)
            put_allocation(r, to, launch, i, &a);
    put_runtime(r, to);
    if (fclose(to) != 0)
        fail(r, "record", info.name);
}

static void put_launch(const struct fh_cli_cuda_record *r, FILE *to, const fhec_launch *launch,
                       fhec_status status) {
    fhec_kernel_info info;
    const fhec_fault *fault = fhec_machine_fault(r->machine);
    fhec_kernel_get(launch->program, launch->kernel, &info);
    fprintf(to, "launch '%s' grid %u,%u,%u block %u,%u,%u shared %u stack %u", info.name,
            launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
            launch->block[2], launch->dynamic_shared, launch->stack_bytes);
    if (status == FHEC_GUEST_FAULT && fault)
        fprintf(to, " faults '%s'", fhec_fault_name(fault->kind));
    if (info.param_count)
        fputs(" with", to);
    for (uint32_t i = 0; i < info.param_count; i++) {
        const fhec_param_info *p = &info.params[i];
        const uint8_t *bytes = (const uint8_t *)launch->params + p->offset;
        uint64_t number = 0;
        memcpy(&number, bytes, p->size < sizeof number ? p->size : sizeof number);
        fprintf(to, " %s=", p->name);
        if (p->size <= sizeof number)
            fprintf(to, "0x%llx", (unsigned long long)number);
        for (uint32_t k = 0; p->size > sizeof number && k < p->size; k++)
            fprintf(to, "%s%02x", k ? "" : "bytes:", bytes[k]);
    }
    fputc('\n', to);
}

/* The script as it began, the launch, and what it left. */
static void finish(struct fh_cli_cuda_record *r, const fhec_launch *launch, fhec_status status) {
    char *path = NULL, name[32];
    fhec_allocation a;
    if (asprintf(&path, "%s/launch.fhec", r->folder) < 0)
        path = NULL;
    FILE *to = path ? fopen(path, "we") : NULL;
    if (!to) {
        fail(r, "write", r->folder);
        free(path);
        return;
    }
    fputs(r->text, to);
    put_launch(r, to, launch, status);
    for (size_t i = 0; status == FHEC_OK && fhec_allocation_get(r->machine, i, &a); i++) {
        if (!a.live || !a.bytes || (a.flags & FHEC_MEM_READ_ONLY) || is_printed(&a))
            continue;
        name_of(r, launch, i, &a, name);
        put_memory(r, to, "expect", name, &a, true);
    }
    const bool written = !ferror(to);
    if (fclose(to) != 0 || !written)
        fail(r, "write", path);
    free(path);
}

void fh_cli_cuda_record_after(struct fh_cli_cuda_record *r, const fhec_launch *launch,
                              fhec_status status) {
    if (r->folder && r->text && !r->failed)
        finish(r, launch, status);
    free(r->folder);
    free(r->text);
    r->folder = r->text = NULL;
}
