/* section.c - see section.h. */
#include "section.h"
#include "array.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "inner_functions.h"
#include "kernel.h"
#include "labels.h"
#include "linkage.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

uint64_t fh_section_here(const struct fh_section *section) {
    return section->zeros ? section->size : section->bytes.count;
}

static bool begins(const char *text, size_t length, const char *prefix) {
    size_t n = strlen(prefix);
    return length >= n && memcmp(text, prefix, n) == 0;
}

/* The number of the bank in ".nv.constantN" or, of the open kernel K, ".nv.constantN.K"; 0 if it
 * is not that. */
static uint8_t bank_of_name(const struct fh_asm *a, const char *text, size_t length) {
    static const char prefix[] = ".nv.constant";
    const struct fh_open_code *code = &a->code;
    unsigned bank = 0;
    size_t i = sizeof prefix - 1;
    if (!begins(text, length, prefix))
        return 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && bank < FH_BANKS; i++)
        bank = bank * 10 + (unsigned)(text[i] - '0');
    bool own = code->open && length - i == code->name_length + 1 && text[i] == '.' &&
               memcmp(text + i + 1, code->name, code->name_length) == 0;
    return (i == length || own) && bank < FH_BANKS ? (uint8_t)bank : 0;
}

static struct fh_section *add_section(struct fh_asm *a, const char *name, size_t length) {
    struct fh_section *s = fh_asm_alloc(a, sizeof *s);
    if (!s || !fh_asm_grow(a, &a->data.sections, &a->data.section_capacity,
                           a->data.section_count + 1, sizeof(struct fh_section *)))
        return NULL;
    *s = (struct fh_section){.name = name,
                             .name_length = length,
                             .bank = bank_of_name(a, name, length),
                             .zeros = length == strlen(".nv.global"),
                             .alignment = 1};
    s->zeros &= s->bank == 0;
    return a->data.sections[a->data.section_count++] = s;
}

/* A section of the open kernel, or, going on where it was left, of the program. */
void fh_act_section(struct fh_asm *a) {
    const char *text = a->st.raw.text;
    size_t length = 0;
    while (length < a->st.raw.length && !strchr(", \t\r", text[length]))
        length++;
    if (!fh_usage(a, length > 0))
        return;
    if (a->code.open && a->code.in_listing) /* nvdisasm does not end its sections */
        fh_end_code(a);
    uint8_t bank = bank_of_name(a, text, length);
    a->data.name = NULL;
    a->data.section = NULL;
    a->data.open = NULL;
    a->data.open_bank = 0;
    if (a->code.open) {
        if (bank && !a->code.function) {
            a->data.open = &a->code.banks[bank];
            a->data.open_bank = bank;
            return;
        }
        fh_report(a, FH_D_BAD_SECTION, a->st.raw.at, fh_text_of(a, text, length),
                  "inside a kernel there are .nv.constant1 to .nv.constant31", NULL);
        return;
    }
    if (!bank && !begins(text, length, ".nv.global.") &&
        !(length == strlen(".nv.global") && begins(text, length, ".nv.global"))) {
        fh_report(a, FH_D_BAD_SECTION, a->st.raw.at, fh_text_of(a, text, length),
                  ".nv.global, .nv.global.init and .nv.constant1 to .nv.constant31 are known",
                  NULL);
        return;
    }
    for (size_t i = 0; i < a->data.section_count && !a->data.section; i++)
        if (a->data.sections[i]->name_length == length &&
            memcmp(a->data.sections[i]->name, text, length) == 0)
            a->data.section = a->data.sections[i];
    if (!a->data.section)
        a->data.section = add_section(a, text, length);
    if (a->data.section)
        a->data.open = &a->data.section->bytes;
}

void fh_section_zeros(struct fh_asm *a, uint64_t count) {
    struct fh_section *s = a->data.section;
    if (count > FH_MAX_SEGMENT - s->size) {
        fh_report(a, FH_D_TOO_MUCH, fh_statement_span(&a->st), "memory",
                  fh_text(a, "%llu", (unsigned long long)(s->size + count)),
                  fh_text(a, "%d", FH_MAX_SEGMENT));
        return;
    }
    s->size += count;
}

/* ---------------------------------------------------------------- variables */

/* A variable without .size goes up to the next one. */
static void end_variable(struct fh_section *section) {
    struct fh_symbol *s = section->last;
    if (s)
        s->count = (uint32_t)(fh_section_here(section) - (uint64_t)s->value);
    section->last = NULL;
}

/* A label in the open section; false: none is open. */
static bool section_label(struct fh_asm *a, const struct fh_value *label) {
    struct fh_section *section = a->data.section;
    if (!section)
        return false;
    /* nvdisasm repeats the section's name, and marks ends for .size. */
    if ((label->length == section->name_length &&
         memcmp(label->text, section->name, label->length) == 0) ||
        begins(label->text, label->length, ".L_"))
        return true;
    struct fh_symbol *s = fh_table_find(&a->globals, label->text, label->length);
    if (!fh_may_define(a, label))
        return true;
    if (!s || s->kind != FH_S_VARIABLE || s->defined)
        s = fh_define_global(a, label, FH_D_TWO_NAMES);
    end_variable(section);
    if (!s || !fh_asm_grow(a, &a->variables, &a->variable_capacity, a->variable_count + 1,
                           sizeof(struct fh_symbol *)))
        return true;
    if (s->kind != FH_S_VARIABLE) /* no .size before it */
        section->last = s;
    s->kind = FH_S_VARIABLE;
    s->defined = true;
    s->value = (int64_t)fh_section_here(section);
    s->more = section;
    s->at = label->at;
    a->variables[a->variable_count++] = s;
    return true;
}

void fh_label_here(struct fh_asm *a, const struct fh_value *label) {
    if (a->code.open || !section_label(a, label))
        fh_label_define(a, label);
}

/* Of a variable, before or behind its label, or of a function within the open code. */
void fh_act_size(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    uint32_t size;
    if (!fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) ||
        !fh_size(a, &name[1], "the size", 0, FH_MAX_SEGMENT, false, &size))
        return;
    if (a->code.open) {
        fh_inner_function_size(a, name, size);
        return;
    }
    struct fh_symbol *s = fh_table_find(&a->globals, name->text, name->length);
    if (!s && (s = fh_define_global(a, name, FH_D_TWO_NAMES)))
        s->kind = FH_S_VARIABLE;
    if (!s)
        return;
    if (s->kind != FH_S_VARIABLE) {
        fh_report(a, FH_D_TWO_NAMES, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
        return;
    }
    struct fh_section *section = s->more;
    if (section && section->last == s)
        section->last = NULL;
    s->count = size;
}

/* ---------------------------------------------------------------- into the program */

static bool add_shared_bank(struct fh_asm *a, struct fh_section *s) {
    struct fhec_program *p = a->program;
    if (!fh_grow_by_one(&p->banks, p->bank_count, sizeof *p->banks))
        return false;
    s->index = p->bank_count;
    p->banks[p->bank_count++] = (struct fh_constant_bank){
        .bank = s->bank, .bytes = s->bytes.data, .size = (uint32_t)s->bytes.count};
    s->bytes.data = NULL; /* the program's now */
    return true;
}

static bool add_segment(struct fh_asm *a, struct fh_section *s) {
    struct fhec_program *p = a->program;
    char *name = fh_copy_text(a, s->name, s->name_length);
    if (!name || !fh_grow_by_one(&p->segments, p->segment_count, sizeof *p->segments)) {
        free(name);
        return false;
    }
    s->index = p->segment_count;
    p->segments[p->segment_count++] = (struct fh_data_segment){.name = name,
                                                               .bytes = s->bytes.data,
                                                               .size = fh_section_here(s),
                                                               .alignment = s->alignment};
    s->bytes.data = NULL;
    return true;
}

static bool add_variable(struct fh_asm *a, const struct fh_symbol *s) {
    struct fhec_program *p = a->program;
    const struct fh_section *section = s->more;
    uint64_t size = section->zeros  ? section->size
                    : section->bank ? p->banks[section->index].size
                                    : p->segments[section->index].size;
    uint64_t offset = (uint64_t)s->value;
    if (s->count > size - offset) {
        fh_report(
            a, FH_D_BAD_SIZE, s->at, "the variable's size",
            fh_text(a, "at most %llu, which is what is there", (unsigned long long)(size - offset)),
            fh_text(a, "%u", s->count));
        return true;
    }
    char *name = fh_copy_text(a, s->name, s->length);
    if (!name)
        return false;
    p->variables[p->variable_count++] = (struct fh_variable){.name = name,
                                                             .constant = section->bank != 0,
                                                             .index = section->index,
                                                             .offset = offset,
                                                             .size = s->count};
    return true;
}

void fh_sections_finish(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    bool good = !a->no_memory;
    for (size_t i = 0; i < a->data.section_count && good; i++) {
        struct fh_section *s = a->data.sections[i];
        end_variable(s);
        if (s->bank == FH_BANK_DATA && a->data.bank.count)
            fh_report(a, FH_D_BAD_SECTION, (struct fh_span){1, 2},
                      fh_text_of(a, s->name, s->name_length),
                      "`.constant` outside of kernels has made that bank", NULL);
        if (s->bank && s->bytes.count == 0) /* a bank without bytes is none */
            fh_report(a, FH_D_BAD_SECTION, (struct fh_span){1, 2},
                      fh_text_of(a, s->name, s->name_length), "it is empty", NULL);
        else
            good = s->bank ? add_shared_bank(a, s) : add_segment(a, s);
    }
    if (good && a->variable_count)
        good = (p->variables = calloc(a->variable_count, sizeof *p->variables)) != NULL;
    for (size_t i = 0; i < a->variable_count && good && !a->reports.errors; i++)
        good = add_variable(a, a->variables[i]);
    a->no_memory |= !good;
}

void fh_sections_free(struct fh_asm *a) {
    for (size_t i = 0; i < a->data.section_count; i++)
        fh_bytes_free(&a->data.sections[i]->bytes);
    free(a->data.sections);
}
