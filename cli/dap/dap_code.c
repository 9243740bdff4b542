/*
 * dap_code.c - see dap_code.h.
 */
#include "dap_code.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

enum { WORD = 16 }; /* bytes of an instruction */

/* The kernels of all launches count from 0 in the order of their first launch. */
static bool is_first(struct fh_dap *dap, size_t index, const fhec_launch *launch) {
    for (size_t i = 0; i < index; i++) {
        fhec_launch before;
        fh_debugger_launch(dap->debugger, i, &before, NULL);
        if (before.program == launch->program && before.kernel == launch->kernel)
            return false;
    }
    return true;
}

bool fh_dap_code_number(struct fh_dap *dap, size_t number, struct fh_dap_code *code) {
    fhec_launch launch;
    fhec_kernel_info info;
    size_t kernels = 0;
    for (size_t i = 0; fh_debugger_launch(dap->debugger, i, &launch, &info); i++) {
        if (!is_first(dap, i, &launch) || kernels++ != number)
            continue;
        *code = (struct fh_dap_code){launch.program, launch.kernel, number, 0, info};
        return true;
    }
    return false;
}

bool fh_dap_code_at(struct fh_dap *dap, size_t launch, uint64_t pc, struct fh_dap_code *code) {
    fhec_launch wanted;
    if (!fh_debugger_launch(dap->debugger, launch, &wanted, NULL))
        return false;
    for (size_t number = 0; fh_dap_code_number(dap, number, code); number++) {
        code->pc = pc;
        if (code->program == wanted.program && code->kernel == wanted.kernel)
            return true;
    }
    return false;
}

bool fh_dap_code_of(struct fh_dap *dap, const char *reference, json_int_t offset,
                    struct fh_dap_code *code) {
    uint64_t address = 0;
    const bool good = fh_cli_number(reference, &address);
    address += (uint64_t)offset;
    if (!good || address < FH_DAP_CODE)
        return false;
    if (!fh_dap_code_number(dap, (size_t)((address - FH_DAP_CODE) >> 32), code))
        return false;
    code->pc = address & UINT32_MAX;
    return code->pc % WORD == 0 && code->pc / WORD < code->info.word_count;
}

json_t *fh_dap_code_json(const struct fh_dap_code *code) {
    return fh_dap_format("0x%016" PRIx64, FH_DAP_CODE + ((uint64_t)code->number << 32) + code->pc);
}

/* Whether a line of assembly begins with the label `name`. */
static bool is_label(const char *line, const char *end, const char *name) {
    const size_t length = strlen(name);
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return (size_t)(end - line) > length && !memcmp(line, name, length) && line[length] == ':';
}

/* The first instruction of `code` at or behind line `line` of the file. */
static bool find_line(const struct fh_dap_code *code, const char *file, uint32_t line,
                      uint64_t *pc) {
    uint32_t best = UINT32_MAX;
    for (uint32_t word = 0; word < code->info.word_count; word++) {
        const fhec_location at = fhec_kernel_location(code->program, code->kernel, word);
        if (at.file && at.line >= line && at.line < best && !strcmp(at.file, file)) {
            best = at.line;
            *pc = (uint64_t)word * WORD;
        }
    }
    return best != UINT32_MAX;
}

/* A label is in no table of the program: it is looked for in the source of the kernel. */
static bool find_label(struct fh_dap *dap, const struct fh_dap_code *code, const char *name,
                       uint64_t *pc) {
    const fhec_location first = fhec_kernel_location(code->program, code->kernel, 0);
    size_t length;
    const char *text = first.file ? fh_debugger_source(dap->debugger, first.file, &length) : NULL;
    if (!text)
        return false;
    const char *end = text + length;
    uint32_t line = 1;
    while (text < end) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        next = next ? next : end;
        if (is_label(text, next, name))
            return find_line(code, first.file, line, pc);
        text = next + 1;
        line++;
    }
    return false;
}

bool fh_dap_code_named(struct fh_dap *dap, const char *name, char *kernel, size_t size,
                       uint64_t *pc) {
    struct fh_dap_code code;
    const char *plus = strchr(name, '+');
    for (size_t number = 0; fh_dap_code_number(dap, number, &code); number++) {
        const size_t length = plus ? (size_t)(plus - name) : 0;
        bool found = false;
        if (plus && strlen(code.info.name) == length && !memcmp(code.info.name, name, length)) {
            found =
                fh_cli_number(plus + 1, pc) && *pc % WORD == 0 && *pc / WORD < code.info.word_count;
        } else if (!plus) {
            found = find_label(dap, &code, name, pc);
        }
        if (found) {
            snprintf(kernel, size, "%s", code.info.name);
            return true;
        }
    }
    return false;
}
