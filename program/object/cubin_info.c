/*
 * cubin_info.c - .nv.info, which says of every kernel and function by its symbol what registers and
 * stack it has, and .nv.info.K, the parameters, barriers and bounds of a kernel.
 */
#include "cubin_reader.h"

#include "machines.h"

#include <string.h>

/* ---------------------------------------------------------------- of a kernel */

/* One parameter; the records come in any order and end up by ordinal. */
static void take_param(struct fh_cubin_reader *r, struct fh_kernel *k, struct fh_cursor *value,
                       bool large) {
    (void)fh_take_u32(value);
    uint32_t ordinal = fh_take_u16(value), offset = fh_take_u16(value), size = fh_take_u32(value);
    if (!large)
        size >>= 18;
    if (value->bad || ordinal >= FH_PARAM_BYTES_MAX || size == 0 || size > FH_PARAM_BYTES_MAX ||
        offset + size > FH_PARAM_BYTES_MAX) {
        fh_cubin_report(r, FH_OBJECT_INFO, "a parameter of %s", k->name);
        return;
    }
    while (k->param_count <= ordinal) {
        if (!fh_cubin_grow(r, &k->params, k->param_count, sizeof *k->params))
            return;
        k->params[k->param_count++] = (struct fh_param){0};
    }
    k->params[ordinal].offset = offset;
    k->params[ordinal].size = size;
}

/* In the file offsets count from `start`, where the parameters begin; here always from 0x160. */
static void shift_params(struct fh_cubin_reader *r, struct fh_kernel *k, uint32_t start) {
    uint32_t shift = start - FH_PARAM_START;
    if (start < FH_PARAM_START || shift % 4 || shift > FH_PARAM_BYTES_MAX - k->param_bytes) {
        fh_cubin_report(r, FH_OBJECT_INFO, "the parameters of %s begin at 0x%x", k->name, start);
        return;
    }
    for (uint32_t p = 0; p < k->param_count; p++)
        k->params[p].offset += shift;
    k->param_bytes += shift;
}

static uint32_t param_start(struct fh_cursor *value) {
    (void)fh_take_u32(value);
    return fh_take_u16(value);
}

/* The most threads of a block, which a launch keeps to. */
static void take_max_threads(struct fh_cubin_reader *r, struct fh_kernel *k,
                             struct fh_cursor *value) {
    uint32_t sides[3];
    for (unsigned i = 0; i < 3; i++)
        sides[i] = fh_take_u32(value);
    fh_max_threads(k->max_threads, sides);
    if (value->bad)
        fh_cubin_report(r, FH_OBJECT_INFO, "the bounds of %s are cut off", k->name);
}

/* The sides of every block. */
static void take_required(struct fh_cubin_reader *r, struct fh_kernel *k, struct fh_cursor *value) {
    for (unsigned i = 0; i < 3; i++)
        k->required[i] = fh_take_u32(value);
    if (value->bad)
        fh_cubin_report(r, FH_OBJECT_INFO, "the block of %s is cut off", k->name);
}

/* `half` is the value of a record without bytes of its own. */
static void kernel_record(struct fh_cubin_reader *r, struct fh_kernel *k, const uint8_t *head,
                          uint32_t half, struct fh_cursor *value, uint32_t *start) {
    bool sized = head[0] == FH_NV_SIZED;
    if (head[1] == FH_NV_KPARAM_INFO && sized)
        take_param(r, k, value, false);
    else if (head[1] == FH_NV_KPARAM_INFO_LARGE && sized)
        take_param(r, k, value, true);
    else if (head[1] == FH_NV_MAX_THREADS && sized)
        take_max_threads(r, k, value);
    else if (head[1] == FH_NV_PARAM_CBANK && sized)
        *start = param_start(value);
    else if (head[1] == FH_NV_CBANK_PARAM_SIZE && head[0] == FH_NV_HALF)
        k->param_bytes = half;
    else if (head[1] == FH_NV_NUM_BARRIERS && head[0] == FH_NV_BYTE)
        k->barriers = half & 0xff;
    else if (head[1] == FH_NV_REQUIRED_THREADS && sized)
        take_required(r, k, value);
    else
        fh_cubin_keep(r, &k->info, head, half, value);
}

/* ---------------------------------------------------------------- of a symbol */

static void describe_function(struct fh_function *f, unsigned attribute, uint32_t number) {
    if (attribute == FH_NV_REGCOUNT && number <= UINT8_MAX)
        f->registers = number;
    else if (attribute == FH_NV_FRAME_SIZE && number > f->local_bytes && number != UINT32_MAX)
        f->local_bytes = number;
}

/* `first`: the record is about the kernel itself, not about a function in its code. */
static void describe_kernel(struct fh_kernel *k, bool first, unsigned attribute, uint32_t number) {
    if (attribute == FH_NV_REGCOUNT && first)
        k->registers = number;
    if (attribute == FH_NV_REGCOUNT || number == 0)
        return;
    if (number == UINT32_MAX || !first) /* recursion, calls through pointers: how deep? */
        fh_guess_stack(k);
    else if (number > k->local_bytes)
        k->local_bytes = number;
}

/* The frame of a function within code. */
static void describe_entry(struct fh_entry *entries, uint32_t count, uint64_t address,
                           unsigned attribute, uint32_t number) {
    for (uint32_t i = 0; i < count && attribute == FH_NV_FRAME_SIZE; i++)
        if ((uint64_t)entries[i].word * FH_INST_BYTES == address && number <= FH_MAX_LOCAL)
            entries[i].local_bytes = number;
}

/* Records of .nv.info: those that name a kernel or a function by its symbol, and those of the whole
 * that have no bytes of their own. */
static void whole_record(struct fh_cubin_reader *r, const uint8_t *head, uint32_t half,
                         struct fh_cursor *value) {
    const unsigned attribute = head[1];
    const bool kept = attribute == FH_NV_MAX_STACK_SIZE;
    if (head[0] != FH_NV_SIZED) {
        fh_cubin_keep(r, &r->program->info, head, half, value);
        return;
    }
    if (attribute != FH_NV_REGCOUNT && attribute != FH_NV_FRAME_SIZE &&
        attribute != FH_NV_MIN_STACK_SIZE && !kept)
        return;
    const uint32_t index = fh_take_u32(value);
    struct fh_cursor numbers = *value;
    const uint32_t number = fh_take_u32(value);
    struct fh_elf_symbol symbol;
    if (value->bad) {
        fh_cubin_report(r, FH_OBJECT_INFO, ".nv.info is cut off");
        return;
    }
    const struct fh_section_use *use =
        fh_cubin_symbol(r, index, &symbol) ? fh_cubin_symbol_use(r, &symbol) : NULL;
    struct fh_info *info = use && use->kind == FH_IS_KERNEL ? &r->program->kernels[use->index].info
                           : use && use->kind == FH_IS_FUNCTION
                               ? &r->program->functions[use->index].info
                               : NULL;
    if (kept) {
        if (info && symbol.value == 0)
            fh_cubin_keep(r, info, head, half, &numbers);
    } else if (use && use->kind == FH_IS_KERNEL) {
        struct fh_kernel *k = &r->program->kernels[use->index];
        describe_kernel(k, symbol.value == 0, attribute, number);
        describe_entry(k->entries, k->entry_count, symbol.value, attribute, number);
    } else if (use && use->kind == FH_IS_FUNCTION) {
        struct fh_function *f = &r->program->functions[use->index];
        if (symbol.value == 0)
            describe_function(f, attribute, number);
        describe_entry(f->entries, f->entry_count, symbol.value, attribute, number);
    }
}

/* ---------------------------------------------------------------- records */

/* The function that the section is about, by the number of its code's; NULL: none. */
static struct fh_function *function_about(struct fh_cubin_reader *r,
                                          const struct fh_elf_section *section) {
    if (strncmp(section->name, ".nv.info.", 9) != 0 || section->info >= r->elf.section_count)
        return NULL;
    const struct fh_section_use *use = &r->use[section->info];
    return use->kind == FH_IS_FUNCTION ? &r->program->functions[use->index] : NULL;
}

void fh_cubin_take_info(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    bool whole = strcmp(s->name, ".nv.info") == 0;
    struct fh_kernel *k = whole ? NULL : fh_cubin_about(r, s, ".nv.info.");
    struct fh_function *f = whole || k ? NULL : function_about(r, s);
    if ((!whole && !k && !f) || !fh_cubin_has_bytes(r, s))
        return;
    struct fh_cursor c = {s->bytes, (size_t)s->size, false};
    uint32_t start = FH_PARAM_START;
    while (c.left > 0 && !fh_cubin_ended(r)) {
        const uint8_t *head = fh_take(&c, 2);
        uint32_t half = fh_take_u16(&c);
        struct fh_cursor value = {0};
        if (head && head[0] == FH_NV_SIZED)
            value = (struct fh_cursor){fh_take(&c, half), half, false};
        if (c.bad)
            fh_cubin_report(r, FH_OBJECT_INFO, "%s is cut off", s->name);
        else if (k)
            kernel_record(r, k, head, half, &value, &start);
        else if (f)
            fh_cubin_keep(r, &f->info, head, half, &value);
        else
            whole_record(r, head, half, &value);
    }
    if (k && k->param_bytes <= FH_PARAM_BYTES_MAX && !fh_cubin_ended(r))
        shift_params(r, k, start);
}
