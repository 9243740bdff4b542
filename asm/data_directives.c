/*
 * data_directives.c - see data_directives.h. Outside of kernels .constant opens bank 3, of which
 * each kernel of the file has a copy; inside of a kernel its own bank 2. Behind .section the
 * numbers go into the section.
 */
#include "data_directives.h"
#include "address.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "names.h"
#include "section.h"

#include <string.h>

/* `count` bytes for what is open, to be filled; NULL after a report. */
static uint8_t *more_data(struct fh_asm *a, size_t count) {
    struct fh_bytes *data = a->data.open;
    if (!data) {
        fh_report(a, FH_D_DATA_OUTSIDE, a->st.head.at, NULL, NULL, NULL);
        return NULL;
    }
    if (a->data.section && a->data.section->zeros) {
        fh_report(a, FH_D_BAD_SECTION, fh_statement_span(&a->st),
                  fh_text_of(a, a->data.section->name, a->data.section->name_length),
                  "it has no bytes, only `.zero`; .nv.global.init has them", NULL);
        return NULL;
    }
    bool constant = !a->data.section || a->data.section->bank;
    size_t limit = constant ? FH_MAX_BANK : FH_MAX_SEGMENT;
    if (count > limit - data->count) {
        fh_report(a, FH_D_TOO_MUCH, fh_statement_span(&a->st), constant ? "constant data" : "data",
                  fh_text(a, "%zu", data->count + count), fh_text(a, "%zu", limit));
        return NULL;
    }
    if (!fh_asm_grow(a, &data->data, &data->capacity, data->count + count, 1))
        return NULL;
    uint8_t *p = data->data + data->count;
    data->count += count;
    if (a->data.name)
        a->data.name->count = (uint32_t)(data->count - (size_t)a->data.name->value);
    return p;
}

static bool add_zeros(struct fh_asm *a, size_t count) {
    if (a->data.section && a->data.section->zeros) {
        fh_section_zeros(a, count);
        return !a->st.bad;
    }
    uint8_t *p = more_data(a, count);
    if (p)
        memset(p, 0, count);
    return p != NULL;
}

/* Zeros up to a multiple of `alignment`. */
static bool align_data(struct fh_asm *a, uint32_t alignment) {
    size_t here = a->data.section ? fh_section_here(a->data.section)
                  : a->data.open  ? a->data.open->count
                                  : 0;
    if (a->data.section && alignment > a->data.section->alignment)
        a->data.section->alignment = alignment;
    if (a->data.open && here % alignment == 0)
        return true;
    return add_zeros(a, alignment - here % alignment);
}

void fh_act_constant(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    uint32_t alignment = 8;
    if (!fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds))
        return;
    if (a->st.arg_count > 1 && !fh_size(a, &name[1], "an alignment", 1, 4096, true, &alignment))
        return;
    bool kernel = a->code.open;
    if (a->code.function) {
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, a->st.directive->name, NULL, NULL);
        return;
    }
    a->data.section = NULL;
    a->data.open_bank = kernel ? FH_BANK_KERNEL : 0;
    a->data.open = kernel ? &a->code.banks[FH_BANK_KERNEL] : &a->data.bank;
    a->data.name = NULL; /* what fills the gap belongs to no name */
    if (!align_data(a, alignment))
        return;
    struct fh_symbol *s = fh_define(a, name, FH_S_CONSTANT, kernel);
    if (!s)
        return;
    s->bank = kernel ? FH_BANK_KERNEL : FH_BANK_DATA;
    s->value = (int64_t)a->data.open->count;
    s->count = 0;
    a->data.name = s;
}

/* .byte .short .word .dword: each number little-endian; it fits signed or unsigned. Names are
 * addresses. */
void fh_act_data(struct fh_asm *a) {
    char letter = a->st.directive->name[1];
    unsigned bytes = letter == 'b' ? 1 : letter == 's' ? 2 : letter == 'w' ? 4 : 8;
    for (size_t i = 0; i < a->st.arg_count && !a->no_memory; i++) {
        const struct fh_value *v = &a->st.args[i];
        int64_t number = 0;
        bool address = v->kind == FH_V_NAME && a->data.open;
        if (address ? !fh_address_data(a, v, bytes) : !fh_value_number(a, v, &number))
            continue;
        int64_t limit = bytes < 8 ? INT64_C(1) << (8 * bytes) : 0;
        if (limit && (v->large || number < -(limit / 2) || number >= limit)) {
            fh_report(a, FH_D_BAD_SIZE, v->at, "the number",
                      fh_text(a, "-0x%llx to 0x%llx", (unsigned long long)limit / 2,
                              (unsigned long long)limit - 1),
                      fh_number_written(a, v));
            continue;
        }
        uint8_t *p = more_data(a, bytes);
        if (!p)
            return;
        for (unsigned b = 0; b < bytes; b++)
            p[b] = (uint8_t)((uint64_t)number >> (8 * b));
    }
}

void fh_act_zero(struct fh_asm *a) {
    uint32_t count;
    int64_t most = a->data.section ? FH_MAX_SEGMENT : FH_MAX_BANK;
    if (fh_size(a, a->st.args, "the size", 0, most, false, &count) && (count || !a->data.open))
        (void)add_zeros(a, count);
}

void fh_act_align(struct fh_asm *a) {
    uint32_t alignment;
    if (fh_size(a, a->st.args, "an alignment", 1, 4096, true, &alignment))
        (void)align_data(a, alignment);
}
