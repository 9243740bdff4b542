/*
 * program_text.c - a program as text that assembles back: what frames the code (kernels with their
 * parameters and resources, functions), names, and addresses. Code is in program_code.c, data in
 * program_data.c.
 */
#include "program_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- text */

__attribute__((format(printf, 2, 0))) static void print_list(struct fh_bytes *to,
                                                             const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        to->failed = true;
    fh_bytes_put(to, NULL, length < 0 ? 0 : (size_t)length + 1); /* vsnprintf ends it by a NUL */
    if (to->failed)
        return;
    to->count -= (size_t)length + 1;
    (void)vsnprintf((char *)to->data + to->count, (size_t)length + 1, format, list);
    to->count += (size_t)length;
}

void fh_print_to(struct fh_bytes *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_list(to, format, list);
    va_end(list);
}

void fh_write(struct fh_text_writer *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_list(&w->out, format, list);
    va_end(list);
}

void fh_write_problem(struct fh_text_writer *w, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    fhec_diagnostic d = {.id = "O011", .severity = FHEC_ERROR, .message = message};
    if (w->diagnostic)
        w->diagnostic(w->user, &d);
    w->bad = true;
}

/* R5, UP0, PT, c and the like, also with a suffix behind a dot: a source cannot define them. */
static bool is_machine_name(const char *name) {
    static const char *const whole[] = {"c", "cx", "desc"},
                             *const zero[] = {"RZ", "URZ", "PT", "UPT"},
                             *const numbered[] = {"R", "UR", "P", "UP", "B", "SB"};
    size_t head = strcspn(name + 1, ".") + 1; /* a first dot belongs to the name */
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (strlen(zero[i]) == head && memcmp(name, zero[i], head) == 0)
            return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        size_t prefix = strlen(numbered[i]);
        if (head > prefix && memcmp(name, numbered[i], prefix) == 0 &&
            prefix + strspn(name + prefix, "0123456789") == head)
            return true;
    }
    return false;
}

static bool check_name(struct fh_text_writer *w, const char *name, bool may_be_machines) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$.";
    static const char digits[] = "0123456789";
    size_t length = 0;
    while (name[length] && (strchr(letters, name[length]) || strchr(digits, name[length])))
        length++;
    bool good = length && !name[length] && strchr(letters, name[0]);
    if (good && (may_be_machines || !is_machine_name(name)))
        return true;
    fh_write_problem(w,
                     good ? "`%s` is the machine's own name and cannot be one in a source"
                          : "`%s` cannot be a name in a source",
                     name);
    return false;
}

bool fh_write_check_name(struct fh_text_writer *w, const char *name) {
    return check_name(w, name, false);
}

/* ---------------------------------------------------------------- patches and addresses */

static int compare(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_places(const struct fh_patch *a, const struct fh_patch *b) {
    int order = compare(a->place, b->place);
    order = order ? order : compare(a->index, b->index);
    return order ? order : compare(a->bank, b->bank);
}

static int by_place(const void *a, const void *b) {
    const struct fh_patch *x = *(const struct fh_patch *const *)a,
                          *y = *(const struct fh_patch *const *)b;
    int order = compare_places(x, y);
    order = order ? order : compare(x->offset, y->offset);
    return order ? order : compare((uintptr_t)x, (uintptr_t)y); /* as they came */
}

static int by_offset(const void *a, const void *b) {
    const struct fh_variable *x = *(const struct fh_variable *const *)a,
                             *y = *(const struct fh_variable *const *)b;
    int order = compare(x->constant, y->constant);
    order = order ? order : compare(x->index, y->index);
    order = order ? order : compare(x->offset, y->offset);
    return order ? order : compare((uintptr_t)x, (uintptr_t)y);
}

struct fh_patch_list fh_patches_of(const struct fh_text_writer *w, enum fh_patch_place place,
                                   uint32_t index, uint8_t bank) {
    const struct fh_patch key = {.place = (uint8_t)place, .index = index, .bank = bank};
    uint32_t low = 0, high = w->program->patch_count, end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_places(w->patches[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < w->program->patch_count; end++)
        if (compare_places(w->patches[end], &key) != 0)
            break;
    return (struct fh_patch_list){w->patches + low, end - low};
}

/* The variable that an address of data is counted from: the one that it lies in, else one of the
 * same memory. NULL: there is none. */
static const struct fh_variable *variable_at(const struct fh_text_writer *w,
                                             const struct fh_patch *patch) {
    const struct fh_variable *any = NULL;
    for (uint32_t i = 0; i < w->program->variable_count; i++) {
        const struct fh_variable *v = w->variables[i];
        if (v->constant != (patch->of == FH_OF_BANK) || v->index != patch->target)
            continue;
        if (patch->addend >= v->offset && patch->addend - v->offset < v->size)
            return v;
        if (!any || v->offset <= patch->addend)
            any = v;
    }
    return any;
}

/* What the address is counted from; *base is where that lies. */
static const char *symbol_of(struct fh_text_writer *w, const struct fh_patch *patch,
                             uint64_t *base) {
    const fhec_program *p = w->program;
    *base = 0;
    if (patch->of == FH_OF_KERNEL) {
        (void)fh_write_check_name(w, p->kernels[patch->target].name);
        return p->kernels[patch->target].name;
    }
    if (patch->of == FH_OF_FUNCTION)
        return p->functions[patch->target].name;
    if (patch->of == FH_OF_EXTERNAL)
        return p->externals[patch->target];
    const struct fh_variable *v = variable_at(w, patch);
    if (!v) {
        fh_write_problem(w, "an address is that of data without a name");
        return "?";
    }
    *base = v->offset;
    return v->name;
}

static struct fh_text_code text_kernel(const fhec_program *p, uint32_t index) {
    const struct fh_kernel *k = &p->kernels[index];
    return (struct fh_text_code){.name = k->name,
                                 .words = k->words,
                                 .origins = k->origins,
                                 .word_count = k->word_count,
                                 .entries = k->entries,
                                 .entry_count = k->entry_count,
                                 .index = index};
}

static struct fh_text_code text_function(const fhec_program *p, uint32_t index) {
    const struct fh_function *f = &p->functions[index];
    return (struct fh_text_code){.name = f->name,
                                 .words = f->words,
                                 .origins = f->origins,
                                 .word_count = f->word_count,
                                 .entries = f->entries,
                                 .entry_count = f->entry_count,
                                 .function = true,
                                 .index = index};
}

/* The code that the patch belongs to: where it is, or whose constants it is in. */
static struct fh_text_code code_with(const fhec_program *p, const struct fh_patch *patch) {
    return patch->place == FH_IN_FUNCTION ? text_function(p, patch->index)
                                          : text_kernel(p, patch->index);
}

bool fh_patch_label(const fhec_program *p, const struct fh_patch *patch, uint32_t *word) {
    bool function = patch->place == FH_IN_FUNCTION;
    if (!function && patch->place != FH_IN_KERNEL && patch->place != FH_IN_KERNEL_BANK)
        return false;
    const struct fh_text_code own = code_with(p, patch);
    *word = (uint32_t)(patch->addend / FH_INST_BYTES);
    return patch->of == (function ? FH_OF_FUNCTION : FH_OF_KERNEL) &&
           patch->target == patch->index && patch->addend != 0 &&
           patch->addend % FH_INST_BYTES == 0 && patch->addend / FH_INST_BYTES <= own.word_count;
}

void fh_print_label(struct fh_bytes *to, const struct fh_text_code *code, uint32_t word) {
    for (uint32_t i = 0; i < code->entry_count; i++) {
        if (code->entries[i].word == word) {
            fh_print_to(to, "%s", code->entries[i].name);
            return;
        }
    }
    fh_print_to(to, ".L_%u", word);
}

static void write_symbol(struct fh_text_writer *w, struct fh_bytes *to,
                         const struct fh_patch *patch) {
    uint64_t base;
    const char *name = symbol_of(w, patch, &base);
    uint64_t offset = patch->addend - base;
    fh_print_to(to, patch->generic ? "generic(%s" : "%s", name);
    if (offset > INT64_MAX)
        fh_print_to(to, "-0x%llx", (unsigned long long)(0 - offset));
    else if (offset)
        fh_print_to(to, "+0x%llx", (unsigned long long)offset);
    fh_print_to(to, patch->generic ? ")" : "");
}

void fh_write_address(struct fh_text_writer *w, struct fh_bytes *to, const struct fh_patch *patch) {
    uint32_t word;
    bool code = patch->place == FH_IN_KERNEL || patch->place == FH_IN_FUNCTION;
    bool low = patch->field == FH_FIELD_LOW && code && !patch->relative;
    bool high = patch->field == FH_FIELD_HIGH;
    bool call = patch->field == FH_FIELD_CALL && patch->addend == 0;
    fh_print_to(to, low ? "32@lo((" : high ? "32@hi((" : call ? "`(" : "");
    if (!fh_patch_label(w->program, patch, &word)) {
        write_symbol(w, to, patch);
    } else if (!patch->relative && !call) {
        const struct fh_text_code own = code_with(w->program, patch);
        (void)fh_write_check_name(w, own.name);
        fh_print_to(to, "%s + ", own.name);
        fh_print_label(to, &own, word);
        fh_print_to(to, "@srel");
    } else {
        const struct fh_text_code own = code_with(w->program, patch);
        fh_print_label(to, &own, word);
    }
    fh_print_to(to, low || high ? "))" : call ? ")" : "");
}

/* ---------------------------------------------------------------- code and its frame */

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
        if (feature && !names_feature((char *)text.data, feature))
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
        uint32_t count = fh_decode(code->words[i], &inst) ? fh_registers_used(&inst) : 0;
        used = count > used ? count : used;
    }
    if (used > registers)
        fh_write(w, ".registers %u // the object says %u\n", used, registers);
    else
        fh_write(w, ".registers %u\n", registers);
}

static void write_kernel(struct fh_text_writer *w, uint32_t index) {
    const struct fh_kernel *k = &w->program->kernels[index];
    const struct fh_text_code code = text_kernel(w->program, index);
    if (!check_name(w, k->name, true)) /* nothing but an address refers to it */
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
    for (uint32_t i = 0; i < k->bank_count; i++) {
        const struct fh_constant_bank *b = &k->banks[i];
        const struct fh_text_data data = {.bytes = b->bytes,
                                          .size = b->size,
                                          .place = FH_IN_KERNEL_BANK,
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
    const struct fh_text_code code = text_function(w->program, index);
    if (!fh_write_check_name(w, f->name))
        return;
    write_target(w, f->target, &code);
    fh_write(w, ".function %s\n", f->name);
    if (f->registers)
        write_registers(w, &code, f->registers);
    if (f->local_bytes)
        fh_write(w, ".local %u\n", f->local_bytes);
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
    for (uint32_t i = 0; i < p->patch_count; i++)
        w->patches[i] = &p->patches[i];
    for (uint32_t i = 0; i < p->variable_count; i++)
        w->variables[i] = &p->variables[i];
    if (p->patch_count)
        qsort(w->patches, p->patch_count, sizeof *w->patches, by_place);
    if (p->variable_count)
        qsort(w->variables, p->variable_count, sizeof *w->variables, by_offset);
    write_externals(w);
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        write_kernel(w, i);
    }
    for (uint32_t i = 0; i < p->function_count; i++) {
        write_function(w, i);
    }
    fh_write_sections(w);
}

fhec_status fhec_disassemble_program(const fhec_program *program, unsigned flags,
                                     fhec_diagnostic_fn *diagnostic, void *user, char **text,
                                     size_t *length) {
    struct fh_text_writer w = {
        .program = program, .flags = flags, .diagnostic = diagnostic, .user = user};
    *text = NULL;
    *length = 0;
    w.patches = calloc(program->patch_count + 1u, sizeof *w.patches);
    w.variables = calloc(program->variable_count + 1u, sizeof *w.variables);
    w.out.failed = !w.patches || !w.variables;
    if (!w.out.failed)
        write_program(&w);
    fh_bytes_u8(&w.out, 0);
    free(w.patches);
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
