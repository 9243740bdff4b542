/* resources.c - see resources.h. */
#include "resources.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "names.h"
#include "open_code.h"

#include <string.h>

/* ---------------------------------------------------------------- target */

static const char target[] = "sm_80"; /* the one that there is */

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
    const char *list = fh_text(a, "known: %s", target);
    fh_nearest_begin(&n, name, length);
    fh_nearest_try(&n, target, strlen(target));
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
        bool base = length == strlen(target) && memcmp(name, target, length) == 0;
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
    if (a->code.open)
        a->code.features = features;
    else
        a->features = features;
}

const char *fh_target_text(struct fh_asm *a, uint32_t features) {
    const char *text = target;
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
    uint32_t size, alignment = 16, most = fhec_target_limits(target)->block_shared;
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

/* .maxntid: the largest block of a launch, as __launch_bounds__ gives it. */
void fh_act_max_threads(struct fh_asm *a) {
    uint32_t *sides = a->code.max_threads, product = 1;
    for (size_t i = 0; i < 3; i++) {
        sides[i] = 1;
        if (i < a->st.arg_count && !fh_size(a, &a->st.args[i], "a side of the block", 1,
                                            FH_MAX_THREADS / product, false, &sides[i]))
            return;
        product *= sides[i];
    }
}
