/*
 * cubin_read.c - an object (cubin.h) as a program: the order of the passes, and what must hold of
 * the whole. Objects of other tools may lack .fhec.info; parameters are then called param0, param1,
 * ...
 */
#include "cubin_reader.h"

#include "code.h"
#include "machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complete_params(struct fh_cubin_reader *r, struct fh_kernel *k) {
    uint32_t end = 0;
    for (uint32_t p = 0; p < k->param_count && !r->bad; p++) {
        struct fh_param *param = &k->params[p];
        char name[32];
        (void)snprintf(name, sizeof name, "param%u", p);
        if (!param->name)
            param->name = fh_cubin_text(r, name, strlen(name));
        if (param->size == 0)
            fh_cubin_report(r, FH_OBJECT_INFO, "parameter %u of %s is missing", p, k->name);
        else if (param->offset < FH_LARGE_PARAMS &&
                 param->offset + param->size > FH_SMALL_PARAMS_END)
            fh_cubin_report(r, FH_OBJECT_INFO, "parameter %u of %s ends at %u, behind %u", p,
                            k->name, param->offset + param->size, FH_SMALL_PARAMS_END);
        else if (param->offset + param->size > end)
            end = param->offset + param->size;
    }
    if (end > k->param_bytes || k->param_bytes > FH_PARAM_BYTES_MAX)
        fh_cubin_report(r, FH_OBJECT_INFO, "%s has %u bytes of parameters, but one ends at %u",
                        k->name, k->param_bytes, end);
}

/* All code of an object is for one machine. */
static void complete_target(struct fh_cubin_reader *r, char **target, const char *name) {
    const fhec_limits *machine = r->program->machine;
    if (!*target)
        *target = fh_cubin_text(r, machine->target, strlen(machine->target));
    if (*target && fhec_target_limits(*target) != machine)
        fh_cubin_report(r, FH_OBJECT_INFO, "%s is for %s, and the object for %s", name, *target,
                        machine->target);
}

static void complete_kernel(struct fh_cubin_reader *r, struct fh_kernel *k) {
    complete_target(r, &k->target, k->name);
    complete_params(r, k);
    if (k->registers == 0 || k->registers > FH_MAX_REGISTERS)
        fh_cubin_report(r, FH_OBJECT_INFO, "%s has %u registers", k->name, k->registers);
    if (!r->noted && fh_stack_moves(k->words, k->word_count, false))
        fh_guess_stack(k);
    if (k->local_bytes > FH_MAX_LOCAL)
        fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %u bytes of local memory", k->name,
                        k->local_bytes);
    if (k->barriers > FH_BARRIERS)
        fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %u barriers", k->name, k->barriers);
}

/* Functions of an object that is not fhec's may move the stack, too. */
static void complete_stacks(struct fh_cubin_reader *r) {
    fhec_program *p = r->program;
    bool moves = false;
    for (uint32_t i = 0; i < p->function_count && !r->noted; i++)
        moves |= fh_stack_moves(p->functions[i].words, p->functions[i].word_count, true);
    for (uint32_t i = 0; i < p->kernel_count && moves; i++)
        fh_guess_stack(&p->kernels[i]);
}

/* What .fhec.info did not say, and what must hold for any program. */
static void complete(struct fh_cubin_reader *r) {
    fhec_program *p = r->program;
    for (uint32_t i = 0; i < p->function_count && !fh_cubin_ended(r); i++) {
        struct fh_function *f = &p->functions[i];
        complete_target(r, &f->target, f->name);
        if (f->local_bytes > FH_MAX_LOCAL)
            fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %u bytes of local memory", f->name,
                            f->local_bytes);
    }
    if (!fh_cubin_ended(r) && !fh_program_relocate(p))
        fh_cubin_report(r, FH_OBJECT_LIMIT, "the code is too long");
    complete_stacks(r);
    for (uint32_t i = 0; i < p->kernel_count && !fh_cubin_ended(r); i++)
        complete_kernel(r, &p->kernels[i]);
}

/* What comes before the table of sections. */
static bool check_header(struct fh_cubin_reader *r) {
    const struct fh_elf *elf = &r->elf;
    if (elf->machine != FH_EM_CUDA) {
        fh_cubin_report(r, FH_OBJECT_MACHINE,
                        "its machine is %u, not %d (nor does it hold objects for a GPU)",
                        elf->machine, FH_EM_CUDA);
        return false;
    }
    unsigned architecture = elf->osabi == FH_ELF_OSABI ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
    r->program->machine = fh_machine_of(architecture);
    if (!r->program->machine) {
        char text[16];
        (void)snprintf(text, sizeof text, "sm_%u", architecture);
        fh_cubin_report(r, FH_OBJECT_ARCHITECTURE, "%s", text);
        return false;
    }
    if (elf->type != FH_ELF_EXEC_FILE && elf->type != FH_ELF_REL_FILE) {
        fh_cubin_report(r, FH_OBJECT_NOT_LINKED, "its type is %u", elf->type);
        return false;
    }
    r->unlinked = elf->type == FH_ELF_REL_FILE;
    return true;
}

static bool read_sections(struct fh_cubin_reader *r) {
    uint32_t section;
    switch (fh_elf_read_sections(&r->elf, &section)) {
    case FH_ELF_FINE: break;
    case FH_ELF_NO_MEMORY: r->no_memory = true; return false;
    case FH_ELF_CUT_OFF:
        fh_cubin_report(r, FH_OBJECT_SECTION,
                        "the file ends at byte %zu, before its table of sections does",
                        r->elf.file.left);
        return false;
    case FH_ELF_NO_NAME:
        fh_cubin_report(r, FH_OBJECT_SECTION, "section %u has no name", section);
        return false;
    default: fh_cubin_report(r, FH_OBJECT_SECTION, "there is no table of sections"); return false;
    }
    for (uint32_t i = 1; i < r->elf.section_count && !r->symbols; i++)
        if (r->elf.sections[i].type == FH_SHT_SYMTAB)
            r->symbols = &r->elf.sections[i];
    r->use = fh_cubin_allocate(r, r->elf.section_count, sizeof *r->use);
    return r->use && (!r->symbols || fh_cubin_has_bytes(r, r->symbols));
}

static void each_section(struct fh_cubin_reader *r, fh_section_fn *act) {
    for (uint32_t i = 1; i < r->elf.section_count && !fh_cubin_ended(r); i++)
        act(r, i);
}

static void look_for_debug(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    if (strcmp(s->name, ".debug_info") == 0 && s->size)
        fh_cubin_report(r, FH_OBJECT_DEBUG, "it runs, but counts say nothing of optimised code");
}

static void read_object(struct fh_cubin_reader *r) {
    if (!check_header(r) || !read_sections(r))
        return;
    each_section(r, fh_cubin_take_code);
    if (r->program->kernel_count == 0 && !fh_cubin_ended(r))
        fh_cubin_report(r, FH_OBJECT_NO_KERNEL, "%s", "");
    each_section(r, fh_cubin_take_data);
    fh_cubin_take_names(r);
    each_section(r, fh_cubin_take_info);
    each_section(r, fh_cubin_take_relocations);
    fh_cubin_take_externals(r);
    if (!fh_cubin_ended(r))
        fh_cubin_name_externs(r);
    each_section(r, fh_cubin_take_notes);
    each_section(r, fh_cubin_take_tables);
    fh_cubin_take_pointers(r);
    each_section(r, fh_cubin_take_lines);
    each_section(r, look_for_debug);
    if (!fh_cubin_ended(r))
        fh_cubin_make_names_unique(r);
    complete(r);
}

fhec_status fhec_program_read(const char *name, const uint8_t *bytes, size_t length,
                              fhec_diagnostic_fn *diagnostic, void *user, fhec_program **program) {
    struct fh_cubin_reader r = {.name = name, .diagnostic = diagnostic, .user = user};
    *program = NULL;
    r.program = fh_cubin_allocate(&r, 1, sizeof *r.program);
    if (r.program && (length < FH_ELF_HEADER_BYTES || memcmp(bytes, "\177ELF", 4) != 0))
        fh_cubin_report(&r, FH_OBJECT_NOT_ELF, "it does not begin like one");
    else if (r.program && !fh_elf_open(&r.elf, bytes, length))
        fh_cubin_report(&r, FH_OBJECT_NOT_ELF, "it has no such header");
    else if (r.program)
        read_object(&r);
    fh_elf_close(&r.elf);
    free(r.use);
    if (!fh_cubin_ended(&r)) {
        *program = r.program;
        return FHEC_OK;
    }
    fhec_program_free(r.program);
    return r.no_memory ? FHEC_HOST_ERROR : FHEC_BAD_INPUT;
}
