/*
 * cuda_tally.c - see cuda_tally.h.
 */
#include "cuda_tally.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int fh_cli_cuda_tally_file(void) {
    const int file = memfd_create("fhec-cuda-tally", 0);
    if (file >= 0 && ftruncate(file, sizeof(struct fh_cli_cuda_tally)) != 0) {
        close(file);
        return -1;
    }
    return file;
}

struct fh_cli_cuda_tally *fh_cli_cuda_tally_open(int file) {
    const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
    struct fh_cli_cuda_tally *tally =
        mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, flags, file, 0);
    if (tally == MAP_FAILED)
        return NULL;
    tally->name_bytes += !tally->name_bytes; /* place 0 is the empty name */
    return tally;
}

void fh_cli_cuda_tally_close(struct fh_cli_cuda_tally *tally) {
    if (tally)
        munmap(tally, sizeof *tally);
}

/* What a process before has told. */
static void forget(struct fh_cli_cuda_tally *t) {
    t->kernel_count = t->opcode_count = t->range_count = t->launch_count = 0;
    t->name_bytes = 1;
    t->finding_bytes = 0;
    t->lost = false;
    t->begun = false;
    t->exits = false;
}

struct fh_cli_cuda_tally *fh_cli_cuda_tally_claim(struct fh_cli_cuda_tally **shared) {
    const char *number = getenv(FH_CLI_CUDA_TALLY);
    *shared = number && *number ? fh_cli_cuda_tally_open(atoi(number)) : NULL;
    int32_t nobody = 0;
    if (*shared &&
        atomic_compare_exchange_strong(&(*shared)->process, &nobody, (int32_t)getpid())) {
        forget(*shared);
        return *shared;
    }
    return fh_cli_cuda_tally_open(-1);
}

/* The place of a text among the names, a new one. */
static uint32_t add_name(struct fh_cli_cuda_tally *t, const char *name) {
    const size_t bytes = strlen(name) + 1;
    if (bytes > FH_CLI_CUDA_NAME_BYTES - t->name_bytes) {
        t->lost = true;
        return 0;
    }
    const uint32_t place = t->name_bytes;
    memcpy(t->names + place, name, bytes);
    t->name_bytes += (uint32_t)bytes;
    return place;
}

static struct fh_cli_cuda_kernel *kernel_of(struct fh_cli_cuda_tally *t, const char *name) {
    for (uint32_t i = 0; i < t->kernel_count; i++)
        if (strcmp(t->names + t->kernels[i].name, name) == 0)
            return &t->kernels[i];
    if (t->kernel_count == FH_CLI_CUDA_KERNELS)
        return NULL;
    struct fh_cli_cuda_kernel *k = &t->kernels[t->kernel_count];
    *k = (struct fh_cli_cuda_kernel){.name = add_name(t, name)};
    t->kernel_count++;
    return k;
}

static struct fh_cli_cuda_opcode *opcode_of(struct fh_cli_cuda_tally *t,
                                            struct fh_cli_cuda_kernel *k, const char *mnemonic) {
    for (uint32_t i = k->first_opcode; i; i = t->opcodes[i - 1].next)
        if (strcmp(t->names + t->opcodes[i - 1].name, mnemonic) == 0)
            return &t->opcodes[i - 1];
    if (t->opcode_count == FH_CLI_CUDA_OPCODES)
        return NULL;
    struct fh_cli_cuda_opcode *o = &t->opcodes[t->opcode_count++];
    *o = (struct fh_cli_cuda_opcode){.name = add_name(t, mnemonic)};
    *(k->last_opcode ? &t->opcodes[k->last_opcode - 1].next : &k->first_opcode) = t->opcode_count;
    k->last_opcode = t->opcode_count;
    return o;
}

static void add_opcodes(struct fh_cli_cuda_tally *t, struct fh_cli_cuda_kernel *k,
                        const fhec_stats *stats) {
    for (size_t i = 0; i < stats->count_count; i++) {
        const fhec_count *c = &stats->counts[i];
        struct fh_cli_cuda_opcode *o = opcode_of(t, k, c->mnemonic);
        if (!o) {
            t->lost = true;
            return;
        }
        o->warp += c->warp;
        o->thread += c->thread;
    }
}

static void add_amount(struct fh_cli_cuda_amount *to, const struct fh_cli_cuda_launched *one) {
    to->launches++;
    to->warp += one->warp;
    to->thread += one->thread;
    to->seconds += one->seconds;
}

void fh_cli_cuda_tally_add(struct fh_cli_cuda_tally *t, const fhec_launch *launch,
                           const fhec_stats *stats, uint32_t range, double seconds) {
    fhec_kernel_info info;
    fhec_kernel_get(launch->program, launch->kernel, &info);
    struct fh_cli_cuda_kernel *k = kernel_of(t, info.name);
    if (!k) {
        t->lost = true;
        return;
    }
    struct fh_cli_cuda_launched one = {.kernel = (uint32_t)(k - t->kernels),
                                       .range = range <= t->range_count ? range : 0,
                                       .shared = launch->dynamic_shared,
                                       .warp = stats->warp_insts,
                                       .thread = stats->thread_insts,
                                       .seconds = seconds};
    memcpy(one.grid, launch->grid, sizeof one.grid);
    memcpy(one.block, launch->block, sizeof one.block);
    add_amount(&k->amount, &one);
    if (one.range)
        add_amount(&t->ranges[one.range - 1].amount, &one);
    add_opcodes(t, k, stats);
    if (t->launch_count == FH_CLI_CUDA_LAUNCHES) {
        t->lost = true;
        return;
    }
    t->launches[t->launch_count] = one;
    t->launch_count++; /* after what it counts, if the process ends here */
}

void fh_cli_cuda_tally_range(struct fh_cli_cuda_tally *t, uint32_t range, uint32_t parent,
                             const char *domain, const char *name, uint64_t entered) {
    if (range > FH_CLI_CUDA_RANGES) {
        t->lost = true;
        return;
    }
    struct fh_cli_cuda_range *r = &t->ranges[range - 1];
    if (range > t->range_count) {
        *r = (struct fh_cli_cuda_range){.parent = parent};
        r->name = add_name(t, name);
        r->domain = *domain ? add_name(t, domain) : 0;
        t->range_count = range;
    }
    r->entered = entered;
}

void fh_cli_cuda_tally_findings(struct fh_cli_cuda_tally *t, const char *text, size_t length) {
    if (length > FH_CLI_CUDA_FINDING_BYTES)
        length = FH_CLI_CUDA_FINDING_BYTES;
    memcpy(t->findings, text, length);
    t->finding_bytes = (uint32_t)length;
}
