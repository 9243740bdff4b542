/* kernel.c - see kernel.h. */
#include "kernel.h"
#include "array.h"
#include "asm.h"
#include "asm_memory.h"
#include "code.h"
#include "expect.h"
#include "fixup.h"
#include "linkage.h"
#include "listing.h"
#include "name_list.h"
#include "names.h"
#include "open_code.h"
#include "resources.h"
#include "schedule_fields.h"

#include <stdlib.h>
#include <string.h>

/* What belongs to the open code alone ends with it. */
static void close_code(struct fh_asm *a) {
    fh_open_code_free(&a->code);
    fh_table_clear(&a->inside);
    fh_table_clear(&a->labels);
    if (a->data.open != &a->data.bank)
        a->data.name = NULL;
    a->data.open = NULL;
    a->data.open_bank = 0;
    a->has_loc = false;
}

static void report_no_end(struct fh_asm *a) {
    const struct fh_open_code *code = &a->code;
    fh_report(a, FH_D_NO_END, code->at, fh_text_of(a, code->name, code->name_length), NULL, NULL);
}

/* The directive's name without its dot. */
static bool begins_function(const struct fh_asm *a) {
    return a->st.directive->name[1] == 'f';
}

void fh_act_kernel(struct fh_asm *a) {
    const struct fh_value unnamed = {.text = "?", .length = 1, .at = a->st.head.at};
    struct fh_open_code *code = &a->code;
    const struct fh_value *v = a->st.args;
    bool bad = a->st.bad;
    if (code->open && code->in_listing) { /* nvdisasm does not end its sections */
        fh_end_code(a);
    } else if (code->open) {
        report_no_end(a);
        close_code(a);
        a->st.bad = bad; /* that was not this statement's fault */
    }
    /* A kernel may have a name of the machine's: only an address needs it within the source. */
    if (a->st.bad || !fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        (begins_function(a) && !fh_may_define(a, v)))
        v = &unnamed; /* opened all the same, so that its instructions are no errors */
    *code = (struct fh_open_code){.open = true,
                                  .function = begins_function(a),
                                  .name = v->text,
                                  .name_length = v->length,
                                  .at = v->at,
                                  .in_listing = a->texts.top->listing != NULL,
                                  .features = a->features};
    if (v != &unnamed)
        (void)fh_define_code(a, v, code->function, fh_open_code_index(a));
    fh_name_list_begin(a);
    a->data.open = NULL;
    a->data.section = NULL;
    fh_listing_open_kernel(a);
}

/* ---------------------------------------------------------------- into the program */

/* The kernel's own constant data, and the file's when all is read. */
static bool add_bank(struct fh_asm *a, struct fh_kernel *k, uint8_t bank,
                     const struct fh_bytes *data) {
    if (data->count == 0)
        return true;
    uint8_t *bytes = malloc(data->count);
    if (!bytes || !fh_grow_by_one(&k->banks, k->bank_count, sizeof *k->banks)) {
        free(bytes);
        a->no_memory = true;
        return false;
    }
    memcpy(bytes, data->data, data->count);
    k->banks[k->bank_count++] =
        (struct fh_constant_bank){.bank = bank, .bytes = bytes, .size = (uint32_t)data->count};
    return true;
}

static uint32_t register_count(struct fh_asm *a) {
    const struct fh_open_code *code = &a->code;
    unsigned asked = code->registers_asked, used = code->registers_used;
    if (asked && asked < used)
        fh_report(a, FH_D_TOO_FEW_REGISTERS, code->registers_at, fh_text(a, "%u", asked),
                  fh_text(a, "%u", used), NULL);
    if (asked)
        return asked;
    return used ? used : 1;
}

static bool room_for_code(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (p->kernel_count + p->function_count == FH_MAX_KERNELS) {
        fh_report(a, FH_D_TOO_MANY_KERNELS, a->code.at, fh_text(a, "%d", FH_MAX_KERNELS), NULL,
                  NULL);
        a->stop = true;
        return false;
    }
    return a->code.function ? fh_asm_grow(a, &p->functions, &a->function_capacity,
                                          p->function_count + 1, sizeof *p->functions)
                            : fh_asm_grow(a, &p->kernels, &a->kernel_capacity, p->kernel_count + 1,
                                          sizeof *p->kernels);
}

/* What functions and kernels have in common. */
#define COMMON_FIELDS(X)                                                                           \
    X(name)                                                                                        \
    X(target)                                                                                      \
    X(words)                                                                                       \
    X(origins)                                                                                     \
    X(word_count)                                                                                  \
    X(entries)                                                                                     \
    X(entry_count)                                                                                 \
    X(registers)                                                                                   \
    X(local_bytes)                                                                                 \
    X(info)

/* Takes that out of the open code. */
static struct fh_function take_code(struct fh_asm *a, uint32_t registers) {
    struct fh_open_code *code = &a->code;
    const char *target = fh_target_text(a, code->features);
    struct fh_function common = {.name = fh_copy_text(a, code->name, code->name_length),
                                 .target = fh_copy_text(a, target, strlen(target)),
                                 .words = code->words,
                                 .origins = code->origins,
                                 .word_count = (uint32_t)code->word_count,
                                 .entries = code->entries,
                                 .entry_count = (uint32_t)code->entry_count,
                                 .registers = registers,
                                 .local_bytes = code->local_bytes,
                                 .info = code->info};
    code->words = NULL;
    code->origins = NULL;
    code->entries = NULL;
    code->entry_count = 0;
    code->info = (struct fh_info){0};
    return common;
}

/* The rest of a kernel. */
static void take_kernel(struct fh_asm *a, struct fh_kernel *k) {
    struct fh_open_code *code = &a->code;
    k->shared_bytes = code->shared_bytes;
    k->barriers = code->barriers;
    k->stack_unknown = code->stack_unknown;
    memcpy(k->max_threads, code->max_threads, sizeof k->max_threads);
    memcpy(k->required, code->required, sizeof k->required);
    k->params = code->params;
    k->param_count = (uint32_t)code->param_count;
    k->param_bytes = code->param_bytes;
    code->params = NULL;
    code->param_count = 0;
    k->shared = code->shared;
    k->shared_count = (uint32_t)code->shared_count;
    k->shared_uses = code->shared_uses;
    k->shared_use_count = (uint32_t)code->shared_use_count;
    code->shared = NULL;
    code->shared_count = 0;
    code->shared_uses = NULL;
    for (uint8_t bank = 1; bank < FH_BANKS; bank++)
        if (!add_bank(a, k, bank, &code->banks[bank]))
            return;
}

/* Moves the open code into the program, which from then on frees what it has. */
static void add_code(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    uint32_t registers = register_count(a);
    if (!room_for_code(a))
        return;
    if (!a->code.function)
        fh_expectations_take(a, p->kernel_count);
    struct fh_function common = take_code(a, registers);
    if (a->code.function) {
        p->functions[p->function_count++] = common;
        return;
    }
    struct fh_kernel *k = &p->kernels[p->kernel_count++];
    *k = (struct fh_kernel){0};
#define TAKE(field) k->field = common.field;
    COMMON_FIELDS(TAKE)
#undef TAKE
    take_kernel(a, k);
}

void fh_end_code(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    fh_fixups_resolve(a);
    fh_listing_close_kernel(a);
    if (a->reports.errors == 0)
        fh_schedule(a);
    const char *name = fh_text_of(a, code->name, code->name_length);
    if (code->word_count == 0 && a->reports.errors == 0)
        fh_report(a, FH_D_EMPTY_KERNEL, code->at, name, NULL, NULL);
    else if (a->reports.errors == 0 && fh_runs_out(code->words, code->word_count))
        fh_report(a, FH_D_RUNS_OUT, a->st.head.at, name, NULL, NULL);
    if (!a->stop && !a->no_memory)
        add_code(a);
    close_code(a);
}

void fh_act_end(struct fh_asm *a) {
    if (a->code.open)
        fh_end_code(a);
    else
        fh_report(a, FH_D_STRAY_END, a->st.head.at, ".end", "`.kernel`", NULL);
}

void fh_kernels_finish(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (a->code.open && a->code.in_listing && !a->stop)
        fh_end_code(a);
    if (a->code.open && !a->stop) {
        report_no_end(a);
        fh_fixups_resolve(a);
    } else if (p->kernel_count == 0 && a->reports.errors == 0 && !a->no_memory) {
        fh_report(a, FH_D_NO_KERNEL, (struct fh_span){1, 2}, NULL, NULL, NULL);
    }
    for (uint32_t i = 0; i < p->kernel_count && !a->no_memory; i++)
        (void)add_bank(a, &p->kernels[i], FH_BANK_DATA, &a->data.bank);
}
