/*
 * cubin_reader.c - what the passes of reading an object share; see cubin_reader.h.
 */
#include "cubin_reader.h"

#include "array.h"
#include "diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fh_cubin_report(struct fh_cubin_reader *r, enum fh_object_error error, const char *format,
                     ...) {
    static const struct fh_diagnostic_row rows[] = {FH_OBJECT_DIAGNOSTICS(FH_DIAGNOSTIC_ROW)};
    char detail[256], message[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(detail, sizeof detail, format, list);
    va_end(list);
    const char *text = rows[error].text;
    const char *hole = strstr(text, "%s"); /* every row has one */
    (void)snprintf(message, sizeof message, "%.*s%s%s", (int)(hole - text), text, detail, hole + 2);
    fhec_diagnostic d = {.id = rows[error].id,
                         .severity = rows[error].severity,
                         .message = message,
                         .at = {.file = r->name}};
    if (r->diagnostic && !r->bad)
        r->diagnostic(r->user, &d);
    r->bad |= d.severity == FHEC_ERROR;
}

/* ---------------------------------------------------------------- memory */

void *fh_cubin_allocate(struct fh_cubin_reader *r, size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    r->no_memory |= !p;
    return p;
}

bool fh_cubin_grow(struct fh_cubin_reader *r, void *array, uint32_t count, size_t size) {
    bool good = fh_grow_by_one(array, count, size);
    r->no_memory |= !good;
    return good;
}

char *fh_cubin_text(struct fh_cubin_reader *r, const char *text, size_t length) {
    char *copy = fh_cubin_allocate(r, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

/* ---------------------------------------------------------------- sections */

bool fh_cubin_no_bits(const struct fh_elf_section *section) {
    return section->type == FH_SHT_NOBITS || section->type == FH_SHT_NV_GLOBAL;
}

bool fh_cubin_has_bytes(struct fh_cubin_reader *r, const struct fh_elf_section *section) {
    if (section->size == 0 || (section->bytes && !fh_cubin_no_bits(section)))
        return true;
    fh_cubin_report(r, FH_OBJECT_SECTION, "%s has no bytes in the file", section->name);
    return false;
}

bool fh_cubin_count(struct fh_cubin_reader *r, const struct fh_elf_section *section) {
    if (section->size > r->elf.file.left - r->copied) {
        fh_cubin_report(r, FH_OBJECT_SECTION, "%s overlaps other sections", section->name);
        return false;
    }
    r->copied += (size_t)section->size;
    return true;
}

/* ---------------------------------------------------------------- symbols and names */

bool fh_cubin_symbol(const struct fh_cubin_reader *r, uint64_t index,
                     struct fh_elf_symbol *symbol) {
    return r->symbols && fh_elf_symbol(&r->elf, r->symbols, index, symbol);
}

const struct fh_section_use *fh_cubin_symbol_use(const struct fh_cubin_reader *r,
                                                 const struct fh_elf_symbol *symbol) {
    bool inside = symbol->section != FH_SHN_UNDEF && symbol->section < r->elf.section_count;
    return inside ? &r->use[symbol->section] : NULL;
}

bool fh_cubin_good_name(const char *name) {
    if (!*name)
        return false;
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7f)
            return false;
    return true;
}

struct fh_kernel *fh_cubin_kernel(const struct fh_cubin_reader *r, const char *name,
                                  size_t length) {
    for (uint32_t i = 0; i < r->program->kernel_count; i++) {
        struct fh_kernel *k = &r->program->kernels[i];
        if (strlen(k->name) == length && memcmp(k->name, name, length) == 0)
            return k;
    }
    return NULL;
}

/* A local function may have a kernel's name, and sections about it are called alike: but they say
 * the number of its section. */
static bool is_about_function(const struct fh_cubin_reader *r, const struct fh_elf_section *section,
                              const char *name) {
    if (section->info >= r->elf.section_count)
        return false;
    const struct fh_section_use *use = &r->use[section->info];
    return use->kind == FH_IS_FUNCTION && strcmp(r->program->functions[use->index].name, name) == 0;
}

struct fh_kernel *fh_cubin_about(const struct fh_cubin_reader *r,
                                 const struct fh_elf_section *section, const char *prefix) {
    size_t n = strlen(prefix);
    const char *name = section->name + n;
    if (strncmp(section->name, prefix, n) != 0 || is_about_function(r, section, name))
        return NULL;
    return fh_cubin_kernel(r, name, strlen(name));
}
