/*
 * kernel.c - kernels: their target, parameters, memory and registers, and how an open one becomes
 * part of the program.
 */
#include "asm.h"

#include "code.h"

#include <stdlib.h>
#include <string.h>

bool fh_size(struct fh_asm *a, const struct fh_value *v, const char *what, int64_t low,
             int64_t high, bool power, uint32_t *size) {
    int64_t n;
    *size = 0;
    if (!fh_value_number(a, v, &n))
        return false;
    if (v->large || n < low || n > high || (power && (n & (n - 1)) != 0)) {
        fh_report(a, FH_D_BAD_SIZE, v->at, what,
                  fh_text(a, "%s%lld to %lld", power ? "a power of two from " : "from ",
                          (long long)low, (long long)high),
                  fh_number_written(a, v));
        return false;
    }
    *size = (uint32_t)n;
    return true;
}

char *fh_copy_text(struct fh_asm *a, const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) {
        a->no_memory = true;
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void fh_draft_free(struct fh_draft *d) {
    for (size_t i = 0; i < d->param_count; i++)
        free(d->params[i].name);
    free(d->params);
    free(d->words);
    free(d->origins);
    free(d->fixups);
    free(d->outlines);
    free(d->uses);
    for (size_t i = 0; i < FH_BANK_COUNT; i++)
        fh_bytes_free(&d->banks[i]);
    for (size_t i = 0; i < d->entry_count; i++)
        free(d->entries[i].name);
    free(d->entries);
    *d = (struct fh_draft){0};
}

/* ---------------------------------------------------------------- target */

static bool feature_bit(const char *name, size_t length, uint32_t *bit) {
    for (unsigned i = 0; i < fh_feature_count; i++) {
        if (strlen(fh_features[i]) == length && memcmp(fh_features[i], name, length) == 0) {
            *bit = 1u << i;
            return true;
        }
    }
    return false;
}

static void unknown_target(struct fh_asm *a, const char *name, size_t length, struct fh_span at) {
    struct fh_nearest n;
    const char *list = "known: sm_80";
    fh_nearest_begin(&n, name, length);
    fh_nearest_try(&n, "sm_80", 5);
    for (unsigned i = 0; i < fh_feature_count; i++) {
        fh_nearest_try(&n, fh_features[i], strlen(fh_features[i]));
        list = fh_text(a, "%s, %s", list, fh_features[i]);
    }
    fh_nearest_note(a, &n, "target", "");
    fh_note(a, list);
    fh_report(a, FH_D_UNKNOWN_TARGET, at, fh_text_of(a, name, length), NULL, NULL);
}

/* .target sm_80, fhec: for the open kernel, or for those that follow. */
void fh_act_target(struct fh_asm *a) {
    uint32_t features = 0;
    for (size_t i = 0; i < a->st.arg_count; i++) {
        struct fh_span at = a->st.args[i].at;
        const char *name = fh_source_text(&a->sources, at);
        size_t length = at.end - at.begin;
        bool base = length == 5 && memcmp(name, "sm_80", 5) == 0;
        uint32_t bit = 0;
        if (i == 0 ? !base : !base && !feature_bit(name, length, &bit)) {
            if (i == 0 && feature_bit(name, length, &bit))
                (void)fh_usage(a, false);
            else
                unknown_target(a, name, length, at);
            return;
        }
        features |= bit;
    }
    if (a->draft.open)
        a->draft.features = features;
    else
        a->features = features;
}

static char *target_text(struct fh_asm *a, uint32_t features) {
    const char *text = "sm_80";
    for (unsigned i = 0; i < fh_feature_count; i++)
        if (features >> i & 1)
            text = fh_text(a, "%s, %s", text, fh_features[i]);
    return fh_copy_text(a, text, strlen(text));
}

/* ---------------------------------------------------------------- resources */

void fh_act_param(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    const struct fh_value *v = a->st.args;
    uint32_t size, alignment;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        !fh_size(a, &v[1], "a parameter's size", 1, FH_PARAM_BYTES_MAX, false, &size))
        return;
    alignment = fh_param_alignment(size);
    if (a->st.arg_count > 2 && !fh_size(a, &v[2], "an alignment", 1, 256, true, &alignment))
        return;
    uint32_t offset = (d->param_bytes + alignment - 1) & ~(alignment - 1);
    if (a->st.arg_count > 3 &&
        !fh_size(a, &v[3], "the offset", d->param_bytes, FH_PARAM_BYTES_MAX, false, &offset))
        return;
    uint32_t end = offset < FH_LARGE_PARAMS ? FH_SMALL_PARAMS_END : FH_PARAM_BYTES_MAX;
    if (offset + size > end) {
        fh_report(a, FH_D_TOO_MUCH, v->at, "parameters", fh_text(a, "%u", offset + size),
                  fh_text(a, "%u", end));
        return;
    }
    struct fh_symbol *s = fh_define(a, v, FH_S_CONSTANT, true);
    if (!s ||
        !fh_asm_grow(a, &d->params, &d->param_capacity, d->param_count + 1, sizeof *d->params))
        return;
    s->bank = 0;
    s->value = FH_PARAM_START + (int64_t)offset;
    s->count = size;
    char *name = fh_copy_text(a, v->text, v->length);
    if (!name)
        return;
    d->params[d->param_count++] = (struct fh_param){.name = name, .offset = offset, .size = size};
    d->param_bytes = offset + size;
}

void fh_act_params(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    (void)fh_size(a, a->st.args, "the size", d->param_bytes, FH_PARAM_BYTES_MAX, false,
                  &d->param_bytes);
}

void fh_act_shared(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    const struct fh_value *v = a->st.args;
    const uint32_t most = fhec_target_limits("sm_80")->block_shared;
    uint32_t size, alignment = 16;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        !fh_size(a, &v[1], "the size", 0, most, false, &size) ||
        (a->st.arg_count > 2 && !fh_size(a, &v[2], "an alignment", 1, 4096, true, &alignment)))
        return;
    uint32_t offset = (d->shared_bytes + alignment - 1) & ~(alignment - 1);
    if (offset + size > most) {
        fh_report(a, FH_D_TOO_MUCH, v->at, "shared memory", fh_text(a, "%u", offset + size),
                  fh_text(a, "%u", most));
        return;
    }
    struct fh_symbol *s = fh_define(a, v, FH_S_NUMBER, true);
    if (!s)
        return;
    s->value = offset;
    d->shared_bytes = offset + size;
}

void fh_act_local(struct fh_asm *a) {
    uint32_t size;
    if (fh_size(a, a->st.args, "the size", 0, FH_MAX_LOCAL, false, &size))
        a->draft.local_bytes = size;
}

void fh_act_registers(struct fh_asm *a) {
    uint32_t count;
    if (!fh_size(a, a->st.args, "the number of registers", 1, FH_MAX_REGISTERS, false, &count))
        return;
    a->draft.registers_asked = count;
    a->draft.registers_at = (struct fh_span){a->st.head.at.begin, a->st.end};
}

void fh_act_barriers(struct fh_asm *a) {
    uint32_t count;
    if (fh_size(a, a->st.args, "the number of barriers", 0, 16, false, &count) &&
        count > a->draft.barriers)
        a->draft.barriers = count;
}

/* .maxntid: the largest block of a launch, as __launch_bounds__ gives it. */
void fh_act_max_threads(struct fh_asm *a) {
    uint32_t *sides = a->draft.max_threads, product = 1;
    for (size_t i = 0; i < 3; i++) {
        sides[i] = 1;
        if (i < a->st.arg_count && !fh_size(a, &a->st.args[i], "a side of the block", 1,
                                            FH_MAX_THREADS / product, false, &sides[i]))
            return;
        product *= sides[i];
    }
}

/* ---------------------------------------------------------------- begin and end */

/* What a kernel has for itself goes with it. */
static void close_kernel(struct fh_asm *a) {
    fh_draft_free(&a->draft);
    fh_table_clear(&a->inside);
    fh_table_clear(&a->labels);
    if (a->data != &a->bank)
        a->data_name = NULL;
    a->data = NULL;
    a->data_bank = 0;
    a->has_loc = false;
}

/* The directive's name without its dot. */
static bool begins_function(const struct fh_asm *a) {
    return a->st.directive->name[1] == 'f';
}

void fh_act_kernel(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    const struct fh_value *v = a->st.args;
    bool bad = a->st.bad;
    if (d->open && d->in_listing) { /* nvdisasm does not end its sections */
        fh_act_end(a);
    } else if (d->open) {
        fh_report(a, FH_D_NO_END, d->at, fh_text_of(a, d->name, d->name_length), NULL, NULL);
        close_kernel(a);
        a->st.bad = bad; /* that was the other kernel's fault */
    }
    static const struct fh_value unnamed = {.text = "?", .length = 1};
    /* A kernel may have a name of the machine's: only an address needs it within the source. */
    if (a->st.bad || !fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        (begins_function(a) && !fh_may_define(a, v)))
        v = &unnamed; /* go on as if, so that its instructions are no errors */
    *d = (struct fh_draft){.open = true,
                           .function = begins_function(a),
                           .name = v->text,
                           .name_length = v->length,
                           .at = v->at,
                           .in_listing = a->frame->listing != NULL,
                           .features = a->features};
    if (v != &unnamed)
        (void)fh_code_define(a, v, d->function, fh_draft_index(a));
    a->data = NULL;
    a->section = NULL;
    fh_listing_open_kernel(a);
}

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
    struct fh_draft *d = &a->draft;
    if (d->registers_asked && d->registers_asked < d->registers_used)
        fh_report(a, FH_D_TOO_FEW_REGISTERS, d->registers_at, fh_text(a, "%u", d->registers_asked),
                  fh_text(a, "%u", d->registers_used), NULL);
    if (d->registers_asked)
        return d->registers_asked;
    return d->registers_used ? d->registers_used : 1;
}

static bool room_for_code(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (p->kernel_count + p->function_count == FH_MAX_KERNELS) {
        fh_report(a, FH_D_TOO_MANY_KERNELS, a->draft.at, fh_text(a, "%d", FH_MAX_KERNELS), NULL,
                  NULL);
        a->stop = true;
        return false;
    }
    return a->draft.function ? fh_asm_grow(a, &p->functions, &a->function_capacity,
                                           p->function_count + 1, sizeof *p->functions)
                             : fh_asm_grow(a, &p->kernels, &a->kernel_capacity, p->kernel_count + 1,
                                           sizeof *p->kernels);
}

static void add_function(struct fh_asm *a, uint32_t registers) {
    struct fh_draft *d = &a->draft;
    a->program->functions[a->program->function_count++] =
        (struct fh_function){.name = fh_copy_text(a, d->name, d->name_length),
                             .target = target_text(a, d->features),
                             .words = d->words,
                             .origins = d->origins,
                             .word_count = (uint32_t)d->word_count,
                             .entries = d->entries,
                             .entry_count = (uint32_t)d->entry_count,
                             .registers = registers,
                             .local_bytes = d->local_bytes};
}

static void add_kernel(struct fh_asm *a, uint32_t registers) {
    struct fh_draft *d = &a->draft;
    struct fh_kernel *k = &a->program->kernels[a->program->kernel_count++];
    *k =
        (struct fh_kernel){.name = fh_copy_text(a, d->name, d->name_length),
                           .target = target_text(a, d->features),
                           .words = d->words,
                           .origins = d->origins,
                           .word_count = (uint32_t)d->word_count,
                           .entries = d->entries,
                           .entry_count = (uint32_t)d->entry_count,
                           .registers = registers,
                           .shared_bytes = d->shared_bytes,
                           .local_bytes = d->local_bytes,
                           .barriers = d->barriers,
                           .stack_unknown = d->stack_unknown,
                           .max_threads = {d->max_threads[0], d->max_threads[1], d->max_threads[2]},
                           .params = d->params,
                           .param_count = (uint32_t)d->param_count,
                           .param_bytes = d->param_bytes};
    d->params = NULL;
    d->param_count = 0;
    for (uint8_t bank = 1; bank < FH_BANK_COUNT; bank++)
        if (!add_bank(a, k, bank, &d->banks[bank]))
            return;
}

/* Moves the draft into the program, which from then on frees what it has. */
static void add_code(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    uint32_t registers = register_count(a);
    if (!room_for_code(a))
        return;
    if (d->function)
        add_function(a, registers);
    else
        add_kernel(a, registers);
    d->words = NULL;
    d->origins = NULL;
    d->entries = NULL;
    d->entry_count = 0;
}

void fh_act_end(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    if (!d->open) {
        fh_report(a, FH_D_STRAY_END, a->st.head.at, ".end", "`.kernel`", NULL);
        return;
    }
    fh_labels_resolve(a);
    fh_listing_close_kernel(a);
    if (a->errors == 0)
        fh_schedule(a);
    const char *name = fh_text_of(a, d->name, d->name_length);
    if (d->word_count == 0 && a->errors == 0)
        fh_report(a, FH_D_EMPTY_KERNEL, d->at, name, NULL, NULL);
    else if (a->errors == 0 && fh_runs_out(d->words, d->word_count))
        fh_report(a, FH_D_RUNS_OUT, a->st.head.at, name, NULL, NULL);
    if (!a->stop && !a->no_memory)
        add_code(a);
    close_kernel(a);
}

void fh_finish(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (a->no_memory) /* the draft may be half made */
        return;
    if (a->draft.open && a->draft.in_listing && !a->stop)
        fh_act_end(a);
    if (a->draft.open && !a->stop) {
        fh_report(a, FH_D_NO_END, a->draft.at, fh_text_of(a, a->draft.name, a->draft.name_length),
                  NULL, NULL);
        fh_labels_resolve(a);
    } else if (p->kernel_count == 0 && a->errors == 0 && !a->no_memory) {
        fh_report(a, FH_D_NO_KERNEL, (struct fh_span){1, 2}, NULL, NULL, NULL);
    }
    for (uint32_t i = 0; i < p->kernel_count && !a->no_memory; i++)
        (void)add_bank(a, &p->kernels[i], FH_BANK_DATA, &a->bank);
    fh_sections_finish(a);
    if (!a->no_memory && a->errors == 0 && !fh_program_relocate(p))
        fh_report(a, FH_D_TOO_MANY_WORDS, (struct fh_span){1, 2}, "the program", "2^28", NULL);
}

uint32_t fh_draft_index(const struct fh_asm *a) {
    return a->draft.function ? a->program->function_count : a->program->kernel_count;
}
