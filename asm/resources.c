/* resources.c - see resources.h. */
#include "resources.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "names.h"
#include "open_code.h"

#include <string.h>

/* ---------------------------------------------------------------- target */

/* The bit of a feature. Those that machines have by themselves are not named. */
static bool feature_bit(const char *name, size_t length, uint32_t *bit) {
    for (unsigned i = 0; i < fh_feature_count; i++) {
        if (strlen(fh_features[i]) == length && memcmp(fh_features[i], name, length) == 0) {
            *bit = 1u << i;
            return !fhec_target_limits(fh_features[i]);
        }
    }
    return false;
}

static const fhec_limits *machine_named(const char *name, size_t length) {
    const fhec_limits *m;
    for (size_t i = 0; (m = fhec_limits_get(i)) != NULL; i++)
        if (strlen(m->target) == length && memcmp(m->target, name, length) == 0)
            return m;
    return NULL;
}

/* Adds a known name to the list of them and to those that a misspelt one may have meant. */
static void know(struct fh_asm *a, struct fh_nearest *n, const char **list, const char *name) {
    fh_nearest_try(n, name, strlen(name));
    *list = fh_text(a, "%s%s%s", *list ? *list : "known: ", *list ? ", " : "", name);
}

static void unknown_target(struct fh_asm *a, const char *name, size_t length, struct fh_span at) {
    struct fh_nearest n;
    const char *list = NULL;
    const fhec_limits *m;
    fh_nearest_begin(&n, name, length);
    for (size_t i = 0; (m = fhec_limits_get(i)) != NULL; i++)
        know(a, &n, &list, m->target);
    for (unsigned i = 0; i < fh_feature_count; i++)
        if (!fhec_target_limits(fh_features[i]))
            know(a, &n, &list, fh_features[i]);
    fh_nearest_note(a, &n, "target", "");
    fh_note(a, list);
    fh_report(a, FH_D_UNKNOWN_TARGET, at, fh_text_of(a, name, length), NULL, NULL);
}

void fh_take_machine(struct fh_asm *a, const fhec_limits *machine, struct fh_span at) {
    const struct fhec_program *p = a->program;
    const bool has_code =
        p && (p->kernel_count || p->function_count || a->code.word_count); /* the editor has none */
    if (machine != a->machine && (a->has_machine || has_code))
        fh_report(a, FH_D_OTHER_MACHINE, at, machine->target, a->machine->target, NULL);
    else
        a->machine = machine;
    a->has_machine = true;
}

/* .target sm_80, fhec: for the open kernel, or for those that follow. */
void fh_act_target(struct fh_asm *a) {
    uint32_t features = 0;
    for (size_t i = 0; i < a->st.arg_count; i++) {
        struct fh_span at = a->st.args[i].at;
        const char *name = fh_source_text(&a->sources, at);
        size_t length = at.end - at.begin;
        const fhec_limits *machine = machine_named(name, length);
        uint32_t bit = 0;
        if (i == 0 ? !machine : !machine && !feature_bit(name, length, &bit)) {
            if (i == 0 && feature_bit(name, length, &bit))
                (void)fh_usage(a, false);
            else
                unknown_target(a, name, length, at);
            return;
        }
        if (machine)
            fh_take_machine(a, machine, at);
        features |= bit;
    }
    if (a->code.open)
        a->code.features = features;
    else
        a->features = features;
}

const char *fh_target_text(struct fh_asm *a, uint32_t features) {
    const char *text = a->machine->target;
    for (unsigned i = 0; i < fh_feature_count; i++)
        if (features >> i & 1)
            text = fh_text(a, "%s, %s", text, fh_features[i]);
    return text;
}

/* ---------------------------------------------------------------- memory, registers, threads */

void fh_act_param(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    const struct fh_value *v = a->st.args;
    uint32_t size, alignment;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        !fh_size(a, &v[1], "a parameter's size", 1, FH_PARAM_BYTES_MAX, false, &size))
        return;
    alignment = fh_param_alignment(size);
    if (a->st.arg_count > 2 && !fh_size(a, &v[2], "an alignment", 1, 256, true, &alignment))
        return;
    uint32_t offset = (code->param_bytes + alignment - 1) & ~(alignment - 1);
    if (a->st.arg_count > 3 &&
        !fh_size(a, &v[3], "the offset", code->param_bytes, FH_PARAM_BYTES_MAX, false, &offset))
        return;
    uint32_t end = offset < FH_LARGE_PARAMS ? FH_SMALL_PARAMS_END : FH_PARAM_BYTES_MAX;
    if (offset + size > end) {
        fh_report(a, FH_D_TOO_MUCH, v->at, "parameters", fh_text(a, "%u", offset + size),
                  fh_text(a, "%u", end));
        return;
    }
    struct fh_symbol *s = fh_define(a, v, FH_S_CONSTANT, true);
    if (!s || !fh_add_param(a, v->text, v->length, offset, size))
        return;
    s->bank = 0;
    s->value = FH_PARAM_START + (int64_t)offset;
    s->count = size;
}

void fh_act_params(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    (void)fh_size(a, a->st.args, "the size", code->param_bytes, FH_PARAM_BYTES_MAX, false,
                  &code->param_bytes);
}

void fh_act_shared(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    const struct fh_value *v = a->st.args;
    uint32_t size, alignment = 16, most = a->machine->block_shared;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) ||
        !fh_size(a, &v[1], "the size", 0, most, false, &size) ||
        (a->st.arg_count > 2 && !fh_size(a, &v[2], "an alignment", 1, 4096, true, &alignment)))
        return;
    uint32_t offset = (code->shared_bytes + alignment - 1) & ~(alignment - 1);
    if (offset + size > most) {
        fh_report(a, FH_D_TOO_MUCH, v->at, "shared memory", fh_text(a, "%u", offset + size),
                  fh_text(a, "%u", most));
        return;
    }
    struct fh_symbol *s = fh_define(a, v, FH_S_NUMBER, true);
    if (!s)
        return;
    s->value = offset;
    s->shared = fh_add_shared(a, v->text, v->length, offset, size);
    code->shared_bytes = offset + size;
}

void fh_act_local(struct fh_asm *a) {
    uint32_t size;
    if (fh_size(a, a->st.args, "the size", 0, FH_MAX_LOCAL, false, &size))
        a->code.local_bytes = size;
}

void fh_act_registers(struct fh_asm *a) {
    uint32_t count;
    if (!fh_size(a, a->st.args, "the number of registers", 1, FH_MAX_REGISTERS, false, &count))
        return;
    a->code.registers_asked = count;
    a->code.registers_at = fh_statement_span(&a->st);
}

void fh_act_barriers(struct fh_asm *a) {
    uint32_t count;
    if (fh_size(a, a->st.args, "the number of barriers", 0, FH_BARRIERS, false, &count) &&
        count > a->code.barriers)
        a->code.barriers = count;
}

static void take_block(struct fh_asm *a, uint32_t sides[3]) {
    uint32_t product = 1;
    for (size_t i = 0; i < 3; i++) {
        sides[i] = 1;
        if (i < a->st.arg_count && !fh_size(a, &a->st.args[i], "a side of the block", 1,
                                            FH_MAX_THREADS / product, false, &sides[i]))
            return;
        product *= sides[i];
    }
}

/* .maxntid: the largest block of a launch, as __launch_bounds__ gives it. */
void fh_act_max_threads(struct fh_asm *a) {
    take_block(a, a->code.max_threads);
}

/* .reqntid: the sides of every block. */
void fh_act_required(struct fh_asm *a) {
    take_block(a, a->code.required);
}
