/* linkage.c - see linkage.h. */
#include "linkage.h"
#include "asm.h"
#include "asm_memory.h"
#include "names.h"

#include <stdlib.h>

struct fh_symbol *fh_define_global(struct fh_asm *a, const struct fh_value *name,
                                   enum fh_diagnostic twice) {
    if (fh_table_find(&a->globals, name->text, name->length)) {
        fh_report(a, twice, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
        return NULL;
    }
    struct fh_symbol *s = fh_add_symbol(a, &a->globals, name->text, name->length);
    if (s)
        s->at = name->at;
    return s;
}

bool fh_define_code(struct fh_asm *a, const struct fh_value *name, bool function, uint32_t index) {
    struct fh_symbol *s = fh_define_global(a, name, FH_D_TWO_KERNELS);
    if (!s)
        return false;
    s->kind = FH_S_CODE;
    s->function = function;
    s->value = index;
    return true;
}

/* A new function that is not in the file; NULL after a report. */
static const struct fh_symbol *add_external(struct fh_asm *a, const struct fh_value *name) {
    struct fhec_program *p = a->program;
    if (p->external_count == FH_MAX_EXTERNALS) {
        fh_report(a, FH_D_BAD_SIZE, name->at, "the number of functions of `.extern`",
                  fh_text(a, "at most %d", FH_MAX_EXTERNALS), "more");
        return NULL;
    }
    struct fh_symbol *s = fh_define_global(a, name, FH_D_TWO_NAMES);
    char *copy = s ? fh_copy_text(a, name->text, name->length) : NULL;
    if (!copy || !fh_asm_grow(a, &p->externals, &a->external_capacity, p->external_count + 1,
                              sizeof *p->externals)) {
        free(copy);
        return NULL;
    }
    s->kind = FH_S_EXTERNAL;
    s->value = p->external_count;
    p->externals[p->external_count++] = copy;
    return s;
}

/* A function that the file calls and does not hold, such as vprintf. */
void fh_act_extern(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    if (fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) && fh_may_define(a, name))
        (void)add_external(a, name);
}

/* ---------------------------------------------------------------- addresses */

void fh_refer(struct fh_asm *a, const struct fh_reference *reference) {
    if (fh_asm_grow(a, &a->references, &a->reference_capacity, a->reference_count + 1,
                    sizeof *a->references))
        a->references[a->reference_count++] = *reference;
}

void fh_add_relocation(struct fh_asm *a, const struct fh_relocation *relocation) {
    struct fhec_program *p = a->program;
    if (fh_asm_grow(a, &p->relocations, &a->relocation_capacity, p->relocation_count + 1,
                    sizeof *p->relocations))
        p->relocations[p->relocation_count++] = *relocation;
}

static void unknown_global(struct fh_asm *a, const struct fh_reference *r) {
    struct fh_nearest n = r->name;
    fh_try_global_names(a, &n);
    fh_nearest_note(a, &n, "name", "");
    fh_report(a, FH_D_NO_NAME, r->at, fh_text_of(a, n.wanted, n.length), NULL, NULL);
}

/* The symbol of the name. A listing does not declare what it calls of the device runtime: that is
 * declared here, with a warning. NULL after a report. */
static const struct fh_symbol *symbol_of(struct fh_asm *a, const struct fh_reference *r) {
    const struct fh_symbol *s = fh_table_find(&a->globals, r->name.wanted, r->name.length);
    if (!s && r->listed) {
        const struct fh_value name = {
            .text = r->name.wanted, .length = (uint32_t)r->name.length, .at = r->at};
        fh_report(a, FH_D_EXTERNAL, r->at, fh_text_of(a, name.text, name.length), NULL, NULL);
        return add_external(a, &name);
    }
    if (s && (s->kind != FH_S_VARIABLE || s->defined))
        return s;
    unknown_global(a, r);
    return NULL;
}

/* The relocation is that of a variable's address; false after a report. */
static bool refer_to_data(struct fh_asm *a, const struct fh_reference *r, const struct fh_symbol *s,
                          struct fh_relocation *relocation) {
    const struct fh_section *to = s->more;
    const char *why = NULL;
    if (relocation->field == FH_FIELD_CALL)
        why = "it is no code";
    else if (relocation->holder == FH_IN_KERNEL_BANK)
        why = "a kernel's own constants are the same in all machines";
    if (why) {
        fh_report(a, FH_D_NO_ADDRESS, r->at, fh_text_of(a, r->name.wanted, r->name.length), why,
                  NULL);
        return false;
    }
    relocation->of = to->bank ? FH_OF_BANK : FH_OF_SEGMENT;
    relocation->target = to->index;
    relocation->addend += (uint64_t)s->value;
    relocation->from = (uint64_t)s->value;
    return true;
}

static void resolve(struct fh_asm *a, const struct fh_reference *r) {
    const struct fh_symbol *s = symbol_of(a, r);
    struct fh_relocation relocation = r->relocation;
    if (!s)
        return;
    if (r->section) {
        relocation.holder = r->section->bank ? FH_IN_BANK : FH_IN_SEGMENT;
        relocation.index = r->section->index;
    }
    if (s->kind == FH_S_VARIABLE) {
        if (!refer_to_data(a, r, s, &relocation))
            return;
    } else {
        relocation.of = s->kind == FH_S_EXTERNAL ? FH_OF_EXTERNAL
                        : s->function            ? FH_OF_FUNCTION
                                                 : FH_OF_KERNEL;
        relocation.target = (uint32_t)s->value;
    }
    fh_add_relocation(a, &relocation);
}

void fh_references_resolve(struct fh_asm *a) {
    for (size_t i = 0; i < a->reference_count && !a->stop; i++)
        resolve(a, &a->references[i]);
}
