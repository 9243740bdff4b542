/*
 * cubin_notes.c - .fhec.info, the section of an object in which fhec's assembler leaves what a
 * cubin has no place for. Its layout is in cubin.h.
 */
#include "cubin_reader.h"

#include "expectation.h"

#include <stdlib.h>
#include <string.h>

/* A text of the section, copied; NULL if it runs past the end or there is no memory. */
static char *take_text(struct fh_cubin_reader *r, struct fh_cursor *c) {
    uint32_t length = fh_take_u32(c);
    const uint8_t *p = fh_take(c, length);
    if (!p || memchr(p, '\0', length)) {
        c->bad = true;
        return NULL;
    }
    return fh_cubin_text(r, (const char *)p, length);
}

/* A count of things that take at least `least` bytes each. */
static uint32_t take_count(struct fh_cursor *c, size_t least) {
    uint32_t count = fh_take_u32(c);
    if (count > c->left / least)
        c->bad = true;
    return c->bad ? 0 : count;
}

/* A number that is told as the difference from the one before. */
static void take_difference(struct fh_cursor *c, uint32_t *number) {
    const int64_t difference = fh_take_sleb(c);
    c->bad |= difference < INT32_MIN || difference > INT32_MAX;
    *number += (uint32_t)difference;
}

/* Makes the origin before in the list, zeros if there is none, the next one. `steps`: how many
 * expansions there are so far, one of which it may stand in. */
static void take_origin(struct fh_cubin_reader *r, struct fh_cursor *c, uint32_t steps,
                        struct fh_origin *origin) {
    if (!r->expanded) {
        origin->file = fh_take_u32(c);
        origin->line = fh_take_u32(c);
        origin->column = fh_take_u32(c);
        origin->length = fh_take_u32(c);
        return;
    }
    take_difference(c, &origin->file);
    take_difference(c, &origin->line);
    take_difference(c, &origin->column);
    take_difference(c, &origin->length);
    take_difference(c, &origin->expansion);
    if (!c->bad && origin->expansion > steps)
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info: a line stands in expansion %u, of %u",
                        origin->expansion, steps);
}

/* At least. */
static uint32_t origin_bytes(const struct fh_cubin_reader *r) {
    return r->expanded ? 5 : 16;
}

/* Where each of the code's words was written, if that is known. */
static void take_origins(struct fh_cubin_reader *r, struct fh_cursor *c, struct fh_origin **origins,
                         uint32_t words) {
    uint32_t count = take_count(c, origin_bytes(r));
    c->bad |= count != 0 && count != words;
    if (c->bad || !count || r->no_memory)
        return;
    *origins = fh_cubin_allocate(r, count, sizeof **origins);
    struct fh_origin origin = {0};
    for (uint32_t w = 0; *origins && w < count && !r->bad; w++) {
        take_origin(r, c, r->program->expansion_step_count, &origin);
        (*origins)[w] = origin;
    }
}

/* Names of parameters and origins of one kernel, which the ELF sections have made already. */
static void take_kernel_notes(struct fh_cubin_reader *r, struct fh_cursor *c) {
    uint32_t length = fh_take_u32(c);
    const uint8_t *name = fh_take(c, length);
    struct fh_kernel *k = name ? fh_cubin_kernel(r, (const char *)name, length) : NULL;
    if (!k || k->target) {
        c->bad = true;
        return;
    }
    k->target = take_text(r, c);
    uint32_t params = take_count(c, 4);
    c->bad |= params != k->param_count;
    for (uint32_t i = 0; i < params && !c->bad && !r->no_memory; i++)
        k->params[i].name = take_text(r, c);
    take_origins(r, c, &k->origins, k->word_count);
}

static void take_function_notes(struct fh_cubin_reader *r, struct fh_cursor *c) {
    uint32_t length = fh_take_u32(c);
    const uint8_t *name = fh_take(c, length);
    for (uint32_t i = 0; name && i < r->program->function_count; i++) {
        struct fh_function *f = &r->program->functions[i];
        if (f->target || strlen(f->name) != length || memcmp(f->name, name, length) != 0)
            continue;
        f->target = take_text(r, c);
        take_origins(r, c, &f->origins, f->word_count);
        return;
    }
    c->bad = true;
}

/* How many bytes the holder of a label has; 0 if there is no such. */
static uint64_t holder_size(const fhec_program *p, const struct fh_relocation *relocation) {
    if (relocation->holder == FH_IN_FUNCTION)
        return relocation->index < p->function_count
                   ? (uint64_t)p->functions[relocation->index].word_count * FH_INST_BYTES
                   : 0;
    if ((relocation->holder != FH_IN_KERNEL && relocation->holder != FH_IN_KERNEL_BANK) ||
        relocation->index >= p->kernel_count)
        return 0;
    const struct fh_kernel *k = &p->kernels[relocation->index];
    if (relocation->holder == FH_IN_KERNEL)
        return (uint64_t)k->word_count * FH_INST_BYTES;
    for (uint32_t i = 0; i < k->bank_count; i++)
        if (k->banks[i].bank == relocation->bank)
            return k->banks[i].size;
    return 0;
}

/* A label that stands somewhere as a plain number. */
static void take_label(struct fh_cubin_reader *r, struct fh_cursor *c) {
    fhec_program *p = r->program;
    uint32_t n[6];
    for (unsigned i = 0; i < 6; i++)
        n[i] = fh_take_u32(c);
    struct fh_relocation relocation = {.holder = (uint8_t)n[0],
                                       .index = n[1],
                                       .bank = (uint8_t)n[2],
                                       .field = (uint8_t)n[3],
                                       .offset = n[4],
                                       .addend = n[5],
                                       .of = n[0] == FH_IN_FUNCTION ? FH_OF_FUNCTION : FH_OF_KERNEL,
                                       .relative = true,
                                       .target = n[1]};
    bool code = n[0] != FH_IN_KERNEL_BANK;
    bool known = n[0] <= FH_IN_SEGMENT && n[2] < 32 && (!code || n[2] == 0) &&
                 (n[3] == FH_FIELD_LOW || (n[3] == FH_FIELD_64 && !code));
    uint64_t size = known ? holder_size(p, &relocation) : 0, bytes = n[3] == FH_FIELD_64 ? 8 : 4;
    c->bad |= n[4] > size || size - n[4] < bytes || (code && n[4] % FH_INST_BYTES != 4);
    if (!c->bad && fh_cubin_grow(r, &p->relocations, p->relocation_count, sizeof *p->relocations))
        p->relocations[p->relocation_count++] = relocation;
}

/* ---------------------------------------------------------------- expansions */

/* Whether the step names something that is there. */
static bool has_sense(const fhec_program *p, const struct fh_expansion_step *step) {
    if (step->at.file >= p->file_count || step->at.line == 0)
        return false;
    switch (step->kind) {
    case FH_FROM_MACRO: return step->number < p->macro_count;
    case FH_FROM_INCLUDE: return step->number < p->file_count;
    case FH_FROM_REPT:
    case FH_FROM_IRP: return step->number != 0;
    default: return false;
    }
}

/* Step `index`. They lead to earlier ones only, so their depths are found on the way. */
static void take_step(struct fh_cubin_reader *r, struct fh_cursor *c, uint32_t index,
                      uint8_t *depths) {
    struct fh_expansion_step *step = &r->program->expansion_steps[index];
    if (index)
        *step = step[-1];
    uint32_t kind = step->kind, number = step->number;
    take_origin(r, c, index, &step->at);
    take_difference(c, &kind);
    take_difference(c, &number);
    if (c->bad || fh_cubin_ended(r))
        return;
    const bool fits = kind < FH_EXPANSION_KINDS && number < FH_EXPANSION_NUMBERS;
    step->kind = kind % FH_EXPANSION_KINDS;
    step->number = number % FH_EXPANSION_NUMBERS;
    depths[index] = 1;
    if (step->at.expansion)
        depths[index] = (uint8_t)(depths[step->at.expansion - 1] + 1);
    if (!fits || !has_sense(r->program, step))
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info: expansion %u makes no sense", index + 1);
    else if (depths[index] > FH_MAX_NESTING)
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info: expansion %u is more than %d deep",
                        index + 1, FH_MAX_NESTING);
}

static void take_expansions(struct fh_cubin_reader *r, struct fh_cursor *c) {
    fhec_program *p = r->program;
    uint32_t macros = take_count(c, 4);
    p->macros = fh_cubin_allocate(r, macros, sizeof *p->macros);
    while (p->macros && p->macro_count < macros && !c->bad && !fh_cubin_ended(r)) {
        char *name = p->macros[p->macro_count] = take_text(r, c);
        p->macro_count += name != NULL;
        if (name && !fh_cubin_good_name(name))
            fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info: macro %u has no name", p->macro_count);
    }
    uint32_t steps = take_count(c, 7);
    uint8_t *depths = fh_cubin_allocate(r, steps, sizeof *depths);
    p->expansion_steps = fh_cubin_allocate(r, steps, sizeof *p->expansion_steps);
    while (p->expansion_step_count < steps && !c->bad && !fh_cubin_ended(r))
        take_step(r, c, p->expansion_step_count++, depths);
    free(depths);
}

/* Whether it is fhec's section, of a version that is known. */
static bool take_version(struct fh_cubin_reader *r, struct fh_cursor *c) {
    const uint8_t *magic = fh_take(c, 4);
    uint32_t version = fh_take_u32(c);
    c->bad |= !magic || memcmp(magic, "fhec", 4) != 0;
    if (!c->bad && (version < FH_INFO_PLAIN || version > FH_INFO_CONTRACTS))
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info is of version %u, not %d to %d", version,
                        FH_INFO_PLAIN, FH_INFO_CONTRACTS);
    r->expanded = version >= FH_INFO_EXPANSIONS;
    r->expected = version >= FH_INFO_EXPECTATIONS;
    r->shared = version >= FH_INFO_SHARED;
    r->contracts = version >= FH_INFO_CONTRACTS;
    return !c->bad && !r->bad;
}

/* One expectation: its text says all that is in it but where it stands. */
static void take_expectation(struct fh_cubin_reader *r, struct fh_cursor *c,
                             struct fh_origin *origin) {
    fhec_program *p = r->program;
    struct fh_expectation e = {.kernel = fh_take_u32(c), .word = fh_take_u32(c)};
    const uint32_t contract = r->contracts ? fh_take_u32(c) : FHEC_CONTRACT_OPERAND;
    char *text = take_text(r, c);
    struct fh_expectation_wrong wrong;
    take_origin(r, c, p->expansion_step_count, origin);
    const struct fh_expectation *before =
        p->expectation_count ? &p->expectations[p->expectation_count - 1] : NULL;
    c->bad |= contract > FHEC_CONTRACT_ENSURE;
    c->bad |= before &&
              (before->kernel > e.kernel || (before->kernel == e.kernel && before->word > e.word));
    if (text && !c->bad && !fh_cubin_ended(r)) {
        const enum fh_expectation_problem found =
            fh_expectation_parse(&e, (fhec_contract)contract, text, &wrong);
        r->no_memory |= found == FH_EXPECTATION_NO_MEMORY;
        if (found == FH_EXPECTATION_WRONG)
            fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info: the expectation `%.80s`: %s", text,
                            wrong.what);
        e.origin = *origin;
        if (found == FH_EXPECTATION_FINE)
            p->expectations[p->expectation_count++] = e;
        c->bad |= found == FH_EXPECTATION_FINE &&
                  (e.kernel >= p->kernel_count || e.word >= p->kernels[e.kernel].word_count ||
                   !fh_expectation_fits(&e, p->kernels[e.kernel].words[e.word]));
    }
    free(text);
}

/* The kernel of the next variable or use, which are by kernels. */
static struct fh_kernel *take_owner(struct fh_cubin_reader *r, struct fh_cursor *c,
                                    uint32_t *before) {
    const uint32_t kernel = fh_take_u32(c);
    c->bad |= kernel >= r->program->kernel_count || kernel < *before;
    *before = kernel;
    return c->bad ? NULL : &r->program->kernels[kernel];
}

/* Of shared memory. */
static void take_variables(struct fh_cubin_reader *r, struct fh_cursor *c) {
    uint32_t kernel = 0, count = take_count(c, 16);
    for (uint32_t i = 0; i < count && !c->bad && !fh_cubin_ended(r); i++) {
        struct fh_kernel *k = take_owner(r, c, &kernel);
        char *name = take_text(r, c);
        const struct fh_shared v = {name, fh_take_u32(c), fh_take_u32(c)};
        c->bad |= !k || v.offset > k->shared_bytes || v.size > k->shared_bytes - v.offset;
        if (c->bad || !name || !fh_cubin_grow(r, &k->shared, k->shared_count, sizeof v))
            free(name);
        else
            k->shared[k->shared_count++] = v;
    }
    kernel = 0;
    count = take_count(c, 12);
    for (uint32_t i = 0; i < count && !c->bad && !fh_cubin_ended(r); i++) {
        struct fh_kernel *k = take_owner(r, c, &kernel);
        const struct fh_shared_use use = {fh_take_u32(c), fh_take_u32(c)};
        c->bad |= !k || use.word >= k->word_count || use.variable >= k->shared_count ||
                  (k->shared_use_count && use.word <= k->shared_uses[k->shared_use_count - 1].word);
        if (!c->bad && fh_cubin_grow(r, &k->shared_uses, k->shared_use_count, sizeof use))
            k->shared_uses[k->shared_use_count++] = use;
    }
}

static void take_notes(struct fh_cubin_reader *r, struct fh_cursor *c) {
    fhec_program *p = r->program;
    if (!take_version(r, c)) {
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info");
        return;
    }
    uint32_t files = take_count(c, 4);
    p->files = fh_cubin_allocate(r, files, sizeof *p->files);
    while (p->files && p->file_count < files && !c->bad && !r->no_memory) {
        p->files[p->file_count] = take_text(r, c);
        p->file_count += p->files[p->file_count] != NULL;
    }
    if (r->expanded)
        take_expansions(r, c);
    uint32_t kernels = take_count(c, 16);
    for (uint32_t i = 0; i < kernels && !c->bad && !r->no_memory; i++)
        take_kernel_notes(r, c);
    uint32_t functions = take_count(c, 12);
    for (uint32_t i = 0; i < functions && !c->bad && !r->no_memory; i++)
        take_function_notes(r, c);
    uint32_t labels = take_count(c, 24);
    for (uint32_t i = 0; i < labels && !c->bad && !r->no_memory; i++)
        take_label(r, c);
    uint32_t tests = take_count(c, 4 + origin_bytes(r));
    p->tests = fh_cubin_allocate(r, tests, sizeof *p->tests);
    struct fh_origin origin = {0};
    while (p->tests && p->test_count < tests && !c->bad && !r->no_memory) {
        struct fh_test *t = &p->tests[p->test_count];
        t->text = take_text(r, c);
        take_origin(r, c, p->expansion_step_count, &origin);
        t->origin = origin;
        p->test_count += t->text != NULL;
    }
    const uint32_t expectations = r->expected ? take_count(c, 12 + origin_bytes(r)) : 0;
    p->expectations = fh_cubin_allocate(r, expectations, sizeof *p->expectations);
    origin = (struct fh_origin){0};
    for (uint32_t i = 0; p->expectations && i < expectations && !c->bad && !fh_cubin_ended(r); i++)
        take_expectation(r, c, &origin);
    if (r->shared)
        take_variables(r, c);
    if ((c->bad || c->left) && !r->no_memory)
        fh_cubin_report(r, FH_OBJECT_INFO, ".fhec.info");
}

void fh_cubin_take_notes(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    if (strcmp(s->name, ".fhec.info") != 0)
        return;
    if (r->program->files) {
        fh_cubin_report(r, FH_OBJECT_SECTION, "%s is there twice", s->name);
        return;
    }
    if (!fh_cubin_has_bytes(r, s) || !fh_cubin_count(r, s))
        return;
    struct fh_cursor c = {s->bytes, (size_t)s->size, false};
    r->noted = true;
    take_notes(r, &c);
}
