/*
 * program_text.c - a program as text that assembles back: kernels with their parameters and
 * resources, functions, and what they frame.
 */
#include "text_writer.h"

#include "code.h"

#include <stdlib.h>
#include <string.h>

/* A parameter whose offset is not the next aligned one says where it is. */
static void write_params(struct fh_text_writer *w, const struct fh_kernel *k) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < k->param_count; i++) {
        const struct fh_param *p = &k->params[i];
        uint32_t alignment = fh_param_alignment(p->size);
        if (!fh_write_check_name(w, p->name))
            continue;
        fh_write(w, ".param %s, %u", p->name, p->size);
        if ((end + alignment - 1) / alignment * alignment != p->offset)
            fh_write(w, ", 1, %u", p->offset);
        fh_write(w, "\n");
        if (p->offset < end)
            fh_write_problem(w, "the parameters of %s overlap", k->name);
        end = p->offset + p->size;
    }
    if (k->param_bytes > end)
        fh_write(w, ".params %u\n", k->param_bytes);
}

static bool names_feature(const char *target, const char *feature) {
    size_t length = strlen(feature);
    for (const char *at = target; (at = strstr(at, feature)) != NULL; at += length)
        if (at > target && at[-1] == ' ' && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* The target with all features that the code uses: an object of another tool names none. */
static void write_target(struct fh_text_writer *w, const char *target,
                         const struct fh_text_code *code) {
    struct fh_bytes text = {0}; /* fh_print_to leaves a NUL behind it */
    struct fh_inst inst;
    fh_print_to(&text, "%s", target);
    for (uint32_t i = 0; i < code->word_count && !text.failed; i++) {
        const char *feature =
            fh_decode(code->words[i], &inst) ? fh_insns[inst.form->insn].feature : NULL;
        if (feature && !fhec_target_limits(feature) && !names_feature((char *)text.data, feature))
            fh_print_to(&text, ", %s", feature);
    }
    w->out.failed |= text.failed;
    if (text.failed || (w->target && strcmp((char *)text.data, w->target) == 0)) {
        free(text.data);
        return;
    }
    fh_write(w, ".target %s\n", (char *)text.data);
    free(w->target);
    w->target = (char *)text.data;
}

/* An object may say less than its code uses, which a source may not. */
static void write_registers(struct fh_text_writer *w, const struct fh_text_code *code,
                            uint32_t registers) {
    uint32_t used = 0;
    struct fh_inst inst;
    for (uint32_t i = 0; i < code->word_count; i++) {
        struct fh_uses uses = {.count = 0};
        if (fh_decode(code->words[i], &inst))
            fh_uses_of(&inst, &uses);
        uint32_t count = fh_registers_used(&uses);
        used = count > used ? count : used;
    }
    if (used > registers)
        fh_write(w, ".registers %u // the object says %u\n", used, registers);
    else
        fh_write(w, ".registers %u\n", registers);
}

static void write_kernel(struct fh_text_writer *w, uint32_t index) {
    const struct fh_kernel *k = &w->program->kernels[index];
    const struct fh_text_code code = fh_text_of_kernel(w->program, index);
    if (!fh_write_check_kernel(w, k->name)) /* nothing but an address refers to it */
        return;
    write_target(w, k->target, &code);
    fh_write(w, ".kernel %s\n", k->name);
    write_params(w, k);
    write_registers(w, &code, k->registers);
    if (k->barriers)
        fh_write(w, ".barriers %u\n", k->barriers);
    if (k->shared_bytes)
        fh_write(w, ".shared shared_, %u\n", k->shared_bytes);
    if (k->local_bytes)
        fh_write(w, ".local %u\n", k->local_bytes);
    if (k->max_threads[0])
        fh_write(w, ".maxntid %u, %u, %u\n", k->max_threads[0], k->max_threads[1],
                 k->max_threads[2]);
    if (k->required[0])
        fh_write(w, ".reqntid %u, %u, %u\n", k->required[0], k->required[1], k->required[2]);
    fh_write_records(w, &k->info, &code);
    for (uint32_t i = 0; i < k->bank_count; i++) {
        const struct fh_constant_bank *b = &k->banks[i];
        const struct fh_text_data data = {.bytes = b->bytes,
                                          .size = b->size,
                                          .holder = FH_IN_KERNEL_BANK,
                                          .index = index,
                                          .bank = b->bank};
        fh_write(w, ".section .nv.constant%u\n", b->bank);
        fh_write_data(w, &data);
    }
    fh_write_code(w, &code);
    fh_write(w, ".end\n\n");
}

static void write_function(struct fh_text_writer *w, uint32_t index) {
    const struct fh_function *f = &w->program->functions[index];
    const struct fh_text_code code = fh_text_of_function(w->program, index);
    if (!fh_write_check_name(w, f->name))
        return;
    write_target(w, f->target, &code);
    fh_write(w, ".function %s\n", f->name);
    if (f->registers)
        write_registers(w, &code, f->registers);
    if (f->local_bytes)
        fh_write(w, ".local %u\n", f->local_bytes);
    fh_write_records(w, &f->info, &code);
    fh_write_code(w, &code);
    fh_write(w, ".end\n\n");
}

/* ---------------------------------------------------------------- the whole */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* By name: an object has them in the order of its relocations. */
static void write_externals(struct fh_text_writer *w) {
    const fhec_program *p = w->program;
    const char **names = calloc(p->external_count + 1u, sizeof *names);
    w->out.failed |= !names;
    for (uint32_t i = 0; names && i < p->external_count; i++)
        names[i] = p->externals[i];
    if (names)
        qsort(names, p->external_count, sizeof *names, by_name);
    for (uint32_t i = 0; names && i < p->external_count; i++)
        if (fh_write_check_name(w, names[i]))
            fh_write(w, ".extern %s\n", names[i]);
    free(names);
}

static void write_program(struct fh_text_writer *w) {
    const fhec_program *p = w->program;
    write_externals(w);
    fh_write_records(w, &p->info, NULL);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        write_kernel(w, i);
    for (uint32_t i = 0; i < p->function_count; i++)
        write_function(w, i);
    fh_write_sections(w);
}

fhec_status fhec_disassemble_program(const fhec_program *program, unsigned flags,
                                     fhec_diagnostic_fn *diagnostic, void *user, char **text,
                                     size_t *length) {
    struct fh_text_writer w = {
        .program = program, .flags = flags, .diagnostic = diagnostic, .user = user};
    *text = NULL;
    *length = 0;
    w.out.failed = !fh_text_index(&w);
    if (!w.out.failed)
        write_program(&w);
    fh_bytes_u8(&w.out, 0);
    free(w.relocations);
    free(w.variables);
    free(w.target);
    if (w.out.failed || (w.bad && !(flags & FHEC_DIS_PARTIAL))) {
        free(w.out.data);
        return w.out.failed ? FHEC_HOST_ERROR : FHEC_BAD_INPUT;
    }
    *text = (char *)w.out.data;
    *length = w.out.count - 1;
    return FHEC_OK;
}
