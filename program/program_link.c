/*
 * program_link.c - addresses in a program: where the functions lie in the code space, and the
 * addresses of code that code and data hold. Addresses of data are a machine's
 * (emu/decode/loader.c).
 */
#include "program.h"

#include <string.h>

void fh_patch_put(const struct fh_patch *patch, uint8_t *place, uint64_t address) {
    uint64_t lo, hi, quarter = address >> 2;
    uint32_t half = (uint32_t)(patch->field == FH_FIELD_HIGH ? address >> 32 : address);
    switch (patch->field) {
    case FH_FIELD_64: memcpy(place, &address, 8); break;
    case FH_FIELD_CALL:
        memcpy(&lo, place - 4, 8);
        memcpy(&hi, place + 4, 8);
        lo = (lo & UINT64_C(0x3ffffffff)) | quarter << 34;
        hi = (hi & ~UINT64_C(0x1ffff)) | (quarter >> 30 & 0x1ffff);
        memcpy(place - 4, &lo, 8);
        memcpy(place + 4, &hi, 8);
        break;
    default: memcpy(place, &half, 4);
    }
}

/* Functions come behind the longest kernel. */
static bool place_functions(struct fhec_program *p) {
    enum { ALIGN = 128 / FH_INST_BYTES }; /* as code is aligned in an object */
    uint64_t at = 0;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        at = p->kernels[i].word_count > at ? p->kernels[i].word_count : at;
    for (uint32_t i = 0; i < p->function_count; i++) {
        at = (at + ALIGN - 1) / ALIGN * ALIGN;
        if (at + p->functions[i].word_count > UINT32_MAX / FH_INST_BYTES)
            return false;
        p->functions[i].first = (uint32_t)at;
        at += p->functions[i].word_count;
    }
    return true;
}

static uint8_t *kernel_bank(const struct fh_kernel *k, uint8_t bank) {
    for (uint32_t i = 0; i < k->bank_count; i++)
        if (k->banks[i].bank == bank)
            return k->banks[i].bytes;
    return NULL;
}

/* The bytes that hold the field; NULL for memory without bytes. */
static uint8_t *place_of(const struct fhec_program *p, const struct fh_patch *patch) {
    uint8_t *bytes = NULL;
    switch (patch->place) {
    case FH_IN_KERNEL: bytes = (uint8_t *)p->kernels[patch->index].words; break;
    case FH_IN_FUNCTION: bytes = (uint8_t *)p->functions[patch->index].words; break;
    case FH_IN_BANK: bytes = p->banks[patch->index].bytes; break;
    case FH_IN_KERNEL_BANK: bytes = kernel_bank(&p->kernels[patch->index], patch->bank); break;
    case FH_IN_SEGMENT: bytes = p->segments[patch->index].bytes; break;
    default: break;
    }
    return bytes ? bytes + patch->offset : NULL;
}

/* The threads of a kernel have the registers and the stack that the functions need, too. */
static void share_resources(struct fhec_program *p) {
    for (uint32_t f = 0; f < p->function_count; f++) {
        const struct fh_function *function = &p->functions[f];
        for (uint32_t i = 0; i < p->kernel_count; i++) {
            struct fh_kernel *k = &p->kernels[i];
            if (function->registers > k->registers)
                k->registers = function->registers;
            if (function->local_bytes && k->local_bytes < FH_STACK_UNKNOWN)
                fh_guess_stack(k);
        }
    }
}

bool fh_program_link(struct fhec_program *p) {
    if (!place_functions(p))
        return false;
    share_resources(p);
    for (uint32_t i = 0; i < p->patch_count; i++) {
        const struct fh_patch *patch = &p->patches[i];
        uint64_t address = 0;
        if (patch->of == FH_OF_KERNEL || patch->relative)
            address = patch->addend;
        else if (patch->of == FH_OF_FUNCTION)
            address = (uint64_t)p->functions[patch->target].first * FH_INST_BYTES + patch->addend;
        else if (patch->of == FH_OF_EXTERNAL)
            address = FH_EXTERNAL_CODE + (uint64_t)patch->target * FH_INST_BYTES + patch->addend;
        uint8_t *place = place_of(p, patch);
        if (place)
            fh_patch_put(patch, place, address);
    }
    return true;
}
