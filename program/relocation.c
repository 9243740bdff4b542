/*
 * program_link.c - addresses in a program: where the functions lie in the code space, and the
 * addresses of code that code and data hold. Addresses of data are a machine's
 * (emu/decode/loader.c).
 */
#include "program.h"

#include "fhec_patch.h"

#include <string.h>

void fh_relocation_apply(const struct fh_relocation *relocation, uint8_t *field, uint64_t address) {
    uint64_t lo, hi, quarter = address >> 2;
    uint32_t half = (uint32_t)(relocation->field == FH_FIELD_HIGH ? address >> 32 : address);
    switch (relocation->field) {
    case FH_FIELD_64: memcpy(field, &address, 8); break;
    case FH_FIELD_CALL:
        memcpy(&lo, field - 4, 8);
        memcpy(&hi, field + 4, 8);
        lo = (lo & UINT64_C(0x3ffffffff)) | quarter << 34;
        hi = (hi & ~UINT64_C(0x1ffff)) | (quarter >> 30 & 0x1ffff);
        memcpy(field - 4, &lo, 8);
        memcpy(field + 4, &hi, 8);
        break;
    default: memcpy(field, &half, 4);
    }
}

/* Functions come behind the longest kernel. */
static bool lay_out_functions(struct fhec_program *p) {
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
static uint8_t *field_of(const struct fhec_program *p, const struct fh_relocation *relocation) {
    uint8_t *bytes = NULL;
    switch (relocation->holder) {
    case FH_IN_KERNEL: bytes = (uint8_t *)p->kernels[relocation->index].words; break;
    case FH_IN_FUNCTION: bytes = (uint8_t *)p->functions[relocation->index].words; break;
    case FH_IN_BANK: bytes = p->banks[relocation->index].bytes; break;
    case FH_IN_KERNEL_BANK:
        bytes = kernel_bank(&p->kernels[relocation->index], relocation->bank);
        break;
    case FH_IN_SEGMENT: bytes = p->segments[relocation->index].bytes; break;
    default: break;
    }
    return bytes ? bytes + relocation->offset : NULL;
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

bool fh_program_relocate(struct fhec_program *p) {
    if (!lay_out_functions(p))
        return false;
    share_resources(p);
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const struct fh_relocation *relocation = &p->relocations[i];
        uint64_t address = 0;
        if (relocation->of == FH_OF_KERNEL || relocation->relative)
            address = relocation->addend;
        else if (relocation->of == FH_OF_FUNCTION)
            address = (uint64_t)p->functions[relocation->target].first * FH_INST_BYTES +
                      relocation->addend;
        else if (relocation->of == FH_OF_EXTERNAL)
            address = FH_EXTERNAL_CODE + (uint64_t)relocation->target * FH_INST_BYTES +
                      relocation->addend;
        uint8_t *field = field_of(p, relocation);
        if (field)
            fh_relocation_apply(relocation, field, address);
    }
    return true;
}

/* Whether the field holds an address in the memory of the variable, wherever it is counted from. */
static bool is_in(const struct fh_relocation *r, const struct fh_variable *v) {
    return r->of == FH_OF_SEGMENT && r->target == v->index &&
           (r->from == v->offset || (r->from == r->addend && r->addend - v->offset < v->size));
}

fhec_status fhec_patch_variable(fhec_program *p, size_t index, uint64_t address) {
    if (index >= p->variable_count || p->variables[index].constant)
        return FHEC_BAD_INPUT;
    const struct fh_variable *v = &p->variables[index];
    for (uint32_t i = 0; v->size && i < p->relocation_count; i++)
        if (is_in(&p->relocations[i], v) &&
            fh_relocation_variable(p, &p->relocations[i]) != index + 1)
            return FHEC_BAD_INPUT;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const struct fh_relocation *r = &p->relocations[i];
        uint8_t *field = field_of(p, r);
        if (field && fh_relocation_variable(p, r) == index + 1)
            fh_relocation_apply(r, field, address + (r->addend - r->from));
        else
            p->relocations[kept++] = *r;
    }
    p->relocation_count = kept;
    return FHEC_OK;
}
