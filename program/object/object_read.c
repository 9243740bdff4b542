/*
 * object_read.c - an ELF object (object.h) as a program. The bytes may be anything: libelf checks
 * the frame, and here nothing is used before its range, its size and its sense have been checked.
 * Objects of other tools may lack .fhec.info; parameters are then called param0, param1, ...
 */
#include "object_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fh_object_report(struct fh_reader *r, enum fh_object_error error, const char *format, ...) {
    static const struct {
        const char *id, *text;
        fhec_severity severity;
    } rows[] = {
#define X(name, id, text) {id, text, FHEC_ERROR},
        FH_OBJECT_ERRORS(X)
#undef X
#define X(name, id, text) {id, text, FHEC_WARNING},
            FH_OBJECT_WARNINGS(X)
#undef X
    };
    char detail[256], message[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(detail, sizeof detail, format, list);
    va_end(list);
    const char *text = rows[error].text;
    const char *place = strstr(text, "%s"); /* every row has one */
    (void)snprintf(message, sizeof message, "%.*s%s%s", (int)(place - text), text, detail,
                   place + 2);
    fhec_diagnostic d = {.id = rows[error].id,
                         .severity = rows[error].severity,
                         .message = message,
                         .at = {.file = r->name}};
    if (r->diagnostic && !r->bad)
        r->diagnostic(r->user, &d);
    r->bad |= d.severity == FHEC_ERROR;
}

void *fh_object_allocate(struct fh_reader *r, size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p)
        r->no_memory = true;
    return p;
}

/* Room for one more element: arrays grow to the next power of two. */
bool fh_object_grow(struct fh_reader *r, void *array, uint32_t count, size_t size) {
    if (count & (count + 1) && count)
        return true;
    void *old, *moved;
    memcpy(&old, array, sizeof old);
    moved = realloc(old, ((size_t)count * 2 + 1) * size);
    if (!moved) {
        r->no_memory = true;
        return false;
    }
    memcpy(array, &moved, sizeof moved);
    return true;
}

char *fh_object_text(struct fh_reader *r, const char *text, size_t length) {
    char *copy = fh_object_allocate(r, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

/* ---------------------------------------------------------------- sections */

bool fh_object_bytes(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                     const char *name, const uint8_t **bytes) {
    *bytes = NULL;
    if (header->sh_size == 0)
        return true;
    Elf_Data *data = fh_object_no_bits(header) ? NULL : elf_rawdata(section, NULL);
    if (!data || !data->d_buf || data->d_size != header->sh_size) {
        fh_object_report(r, FH_OBJECT_SECTION, "%s has no bytes in the file", name);
        return false;
    }
    *bytes = data->d_buf;
    return true;
}

bool fh_object_count(struct fh_reader *r, uint64_t bytes, const char *name) {
    if (bytes > r->length - r->copied) {
        fh_object_report(r, FH_OBJECT_SECTION, "%s overlaps other sections", name);
        return false;
    }
    r->copied += (size_t)bytes;
    return true;
}

struct fh_kernel *fh_object_kernel(struct fh_reader *r, const char *name, size_t length) {
    for (uint32_t i = 0; i < r->program->kernel_count; i++) {
        struct fh_kernel *k = &r->program->kernels[i];
        if (strlen(k->name) == length && memcmp(k->name, name, length) == 0)
            return k;
    }
    return NULL;
}

/* If `name` is `prefix` and the name of a kernel: that kernel. */
static struct fh_kernel *kernel_of(struct fh_reader *r, const char *name, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? fh_object_kernel(r, name + n, strlen(name + n)) : NULL;
}

void fh_object_each(struct fh_reader *r, fh_section_fn *act) {
    Elf_Scn *section = NULL;
    while (!r->bad && !r->no_memory && (section = elf_nextscn(r->elf, section))) {
        GElf_Shdr header;
        const char *name = NULL;
        if (gelf_getshdr(section, &header))
            name = elf_strptr(r->elf, r->names, header.sh_name);
        if (name)
            act(r, section, &header, name);
        else
            fh_object_report(r, FH_OBJECT_SECTION, "section %zu has no name", elf_ndxscn(section));
    }
}

/* ---------------------------------------------------------------- symbols */

static void take_symbols(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                         const char *name) {
    if (header->sh_type != SHT_SYMTAB || r->symbols)
        return;
    r->symbols = elf_getdata(section, NULL);
    r->symbol_names = header->sh_link;
    if (!r->symbols)
        fh_object_report(r, FH_OBJECT_SECTION, "%s has no bytes in the file", name);
}

bool fh_object_symbol(struct fh_reader *r, uint64_t index, GElf_Sym *symbol, const char **name) {
    if (!r->symbols || index > INT32_MAX || !gelf_getsym(r->symbols, (int)index, symbol))
        return false;
    *name = elf_strptr(r->elf, r->symbol_names, symbol->st_name);
    *name = *name ? *name : "";
    return true;
}

/* ---------------------------------------------------------------- code */

bool fh_object_good_name(const char *name) {
    if (!*name)
        return false;
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7f)
            return false;
    return true;
}

/* Whether the section's code is a function's, and no kernel's: it has a symbol of its own that is
 * no entry. */
static bool is_function(struct fh_reader *r, size_t section) {
    const char *name;
    bool function = false;
    GElf_Sym symbol;
    for (uint64_t i = 1; fh_object_symbol(r, i, &symbol, &name); i++) {
        if (symbol.st_shndx != section || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            symbol.st_value != 0)
            continue;
        if (symbol.st_other & FH_STO_ENTRY)
            return false;
        function = true;
    }
    return function;
}

static bool check_code(struct fh_reader *r, const GElf_Shdr *header, const char *name) {
    const char *own = name + 6;
    if (!fh_object_good_name(own) || fh_object_kernel(r, own, strlen(own)))
        fh_object_report(r, FH_OBJECT_CODE, "a kernel has no name of its own");
    else if (header->sh_size == 0 || header->sh_size % FH_INST_BYTES != 0 ||
             header->sh_size / FH_INST_BYTES > UINT32_MAX / FH_INST_BYTES)
        fh_object_report(r, FH_OBJECT_CODE, "%s has %llu bytes, which is no number of instructions",
                         name, (unsigned long long)header->sh_size);
    else if (r->program->kernel_count + r->program->function_count >= FH_MAX_KERNELS)
        fh_object_report(r, FH_OBJECT_LIMIT, "more than %d kernels", FH_MAX_KERNELS);
    return !r->bad;
}

static fhec_word *copy_code(struct fh_reader *r, const uint8_t *bytes, uint32_t count) {
    fhec_word *words = fh_object_allocate(r, count, sizeof *words);
    for (uint32_t w = 0; words && w < count; w++) {
        memcpy(&words[w].lo, bytes + (size_t)w * FH_INST_BYTES, 8);
        memcpy(&words[w].hi, bytes + (size_t)w * FH_INST_BYTES + 8, 8);
    }
    return words;
}

static void take_code(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                      const char *name) {
    fhec_program *p = r->program;
    const uint8_t *bytes;
    if (strncmp(name, ".text.", 6) != 0 || header->sh_type != SHT_PROGBITS)
        return;
    if (!check_code(r, header, name) || !fh_object_bytes(r, section, header, name, &bytes) ||
        !fh_object_count(r, header->sh_size, name))
        return;
    size_t index = elf_ndxscn(section);
    uint32_t count = (uint32_t)(header->sh_size / FH_INST_BYTES);
    char *own = fh_object_text(r, name + 6, strlen(name + 6));
    fhec_word *words = copy_code(r, bytes, count);
    bool function = is_function(r, index);
    if (!own || !words ||
        !(function ? fh_object_grow(r, &p->functions, p->function_count, sizeof *p->functions)
                   : fh_object_grow(r, &p->kernels, p->kernel_count, sizeof *p->kernels))) {
        free(own);
        free(words);
        return;
    }
    if (function) {
        r->use[index] = (struct fh_section_use){.kind = FH_IS_FUNCTION, .index = p->function_count};
        p->functions[p->function_count++] =
            (struct fh_function){.name = own,
                                 .words = words,
                                 .word_count = count,
                                 .registers = (uint32_t)header->sh_info >> 24};
        return;
    }
    r->use[index] = (struct fh_section_use){.kind = FH_IS_KERNEL, .index = p->kernel_count};
    p->kernels[p->kernel_count++] = (struct fh_kernel){
        .name = own,
        .words = words,
        .word_count = count,
        .registers = (uint32_t)header->sh_info >> 24,
        .barriers = (uint32_t)(header->sh_flags >> FH_BARRIER_SHIFT) & FH_BARRIER_MASK};
}

/* ---------------------------------------------------------------- .nv.info */

/* One parameter; the records come in any order and end up by ordinal. */
static void take_param(struct fh_reader *r, struct fh_kernel *k, struct fh_cursor *value,
                       bool large) {
    (void)fh_take_u32(value);
    uint32_t ordinal = fh_take_u16(value), offset = fh_take_u16(value), size = fh_take_u32(value);
    if (!large)
        size >>= 18;
    if (value->bad || ordinal >= FH_PARAM_BYTES_MAX || size == 0 || size > FH_PARAM_BYTES_MAX ||
        offset + size > FH_PARAM_BYTES_MAX) {
        fh_object_report(r, FH_OBJECT_INFO, "a parameter of %s", k->name);
        return;
    }
    if (ordinal >= k->param_count) {
        struct fh_param *params = realloc(k->params, (ordinal + 1) * sizeof *params);
        if (!params) {
            r->no_memory = true;
            return;
        }
        memset(params + k->param_count, 0, (ordinal + 1 - k->param_count) * sizeof *params);
        k->params = params;
        k->param_count = ordinal + 1;
    }
    k->params[ordinal].offset = offset;
    k->params[ordinal].size = size;
}

/* In the file offsets count from `start`, where the parameters begin; here always from 0x160. */
static void shift_params(struct fh_reader *r, struct fh_kernel *k, uint32_t start) {
    uint32_t shift = start - FH_PARAM_START;
    if (start < FH_PARAM_START || shift % 4 || shift > FH_PARAM_BYTES_MAX - k->param_bytes) {
        fh_object_report(r, FH_OBJECT_INFO, "the parameters of %s begin at 0x%x", k->name, start);
        return;
    }
    for (uint32_t p = 0; p < k->param_count; p++)
        k->params[p].offset += shift;
    k->param_bytes += shift;
}

static void function_record(struct fh_function *f, unsigned attribute, uint32_t number) {
    if (attribute == FH_NV_REGCOUNT && number <= UINT8_MAX)
        f->registers = number;
    else if (attribute == FH_NV_FRAME_SIZE && number > f->local_bytes && number != UINT32_MAX)
        f->local_bytes = number;
}

static void guess_stack(struct fh_kernel *k) {
    if (k->local_bytes < FH_STACK_UNKNOWN)
        k->local_bytes = FH_STACK_UNKNOWN;
    k->stack_unknown = true;
}

/* `first`: the record is about the kernel itself, not about a function in its code. */
static void kernel_record(struct fh_kernel *k, bool first, unsigned attribute, uint32_t number) {
    if (attribute == FH_NV_REGCOUNT && first)
        k->registers = number;
    if (attribute == FH_NV_REGCOUNT || number == 0)
        return;
    if (number == UINT32_MAX || !first) /* recursion, calls through pointers: how deep? */
        guess_stack(k);
    else if (number > k->local_bytes)
        k->local_bytes = number;
}

/* The frame of a function within code. */
static void entry_record(struct fh_entry *entries, uint32_t count, uint64_t address,
                         unsigned attribute, uint32_t number) {
    for (uint32_t i = 0; i < count && attribute == FH_NV_FRAME_SIZE; i++)
        if ((uint64_t)entries[i].word * FH_INST_BYTES == address && number <= FH_LOCAL_MAX)
            entries[i].local_bytes = number;
}

/* Records that name a kernel or a function by its symbol. */
static void symbol_record(struct fh_reader *r, unsigned attribute, struct fh_cursor *value) {
    if (attribute != FH_NV_REGCOUNT && attribute != FH_NV_FRAME_SIZE &&
        attribute != FH_NV_MIN_STACK_SIZE)
        return;
    uint32_t index = fh_take_u32(value), number = fh_take_u32(value);
    GElf_Sym symbol;
    const char *name;
    if (value->bad) {
        fh_object_report(r, FH_OBJECT_INFO, ".nv.info is cut off");
        return;
    }
    if (!fh_object_symbol(r, index, &symbol, &name) || symbol.st_shndx >= r->section_count)
        return;
    const struct fh_section_use *use = &r->use[symbol.st_shndx];
    if (use->kind == FH_IS_KERNEL) {
        struct fh_kernel *k = &r->program->kernels[use->index];
        kernel_record(k, symbol.st_value == 0, attribute, number);
        entry_record(k->entries, k->entry_count, symbol.st_value, attribute, number);
    } else if (use->kind == FH_IS_FUNCTION) {
        struct fh_function *f = &r->program->functions[use->index];
        if (symbol.st_value == 0)
            function_record(f, attribute, number);
        entry_record(f->entries, f->entry_count, symbol.st_value, attribute, number);
    }
}

static uint32_t param_start(struct fh_cursor *value) {
    (void)fh_take_u32(value);
    return fh_take_u16(value);
}

/* The most threads of a block, which a launch keeps to. */
static void take_max_threads(struct fh_reader *r, struct fh_kernel *k, struct fh_cursor *value) {
    uint32_t sides[3];
    for (unsigned i = 0; i < 3; i++)
        sides[i] = fh_take_u32(value);
    fh_max_threads(k->max_threads, sides);
    if (value->bad)
        fh_object_report(r, FH_OBJECT_INFO, "the bounds of %s are cut off", k->name);
}

static void take_records(struct fh_reader *r, struct fh_kernel *k, struct fh_cursor *c,
                         const char *name) {
    uint32_t start = FH_PARAM_START;
    while (c->left > 0 && !r->bad && !r->no_memory) {
        const uint8_t *head = fh_take(c, 2);
        uint32_t half = fh_take_u16(c);
        struct fh_cursor value = {0};
        if (head && head[0] == FH_NV_SIZED) {
            value.at = fh_take(c, half);
            value.left = half;
        }
        if (c->bad || !head) {
            fh_object_report(r, FH_OBJECT_INFO, "%s is cut off", name);
            return;
        }
        if (!k)
            symbol_record(r, head[1], &value);
        else if (head[1] == FH_NV_KPARAM_INFO && head[0] == FH_NV_SIZED)
            take_param(r, k, &value, false);
        else if (head[1] == FH_NV_KPARAM_INFO_LARGE && head[0] == FH_NV_SIZED)
            take_param(r, k, &value, true);
        else if (head[1] == FH_NV_MAX_THREADS && head[0] == FH_NV_SIZED)
            take_max_threads(r, k, &value);
        else if (head[1] == FH_NV_PARAM_CBANK && head[0] == FH_NV_SIZED)
            start = param_start(&value);
        else if (head[1] == FH_NV_CBANK_PARAM_SIZE && head[0] == FH_NV_HALF)
            k->param_bytes = half;
        else if (head[1] == FH_NV_NUM_BARRIERS && head[0] == FH_NV_BYTE)
            k->barriers = half & 0xff;
    }
    if (k && k->param_bytes <= FH_PARAM_BYTES_MAX && !r->bad && !r->no_memory)
        shift_params(r, k, start);
}

static void take_info(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                      const char *name) {
    bool whole = strcmp(name, ".nv.info") == 0;
    struct fh_kernel *k = whole ? NULL : kernel_of(r, name, ".nv.info.");
    const uint8_t *bytes;
    if ((!whole && !k) || !fh_object_bytes(r, section, header, name, &bytes))
        return;
    struct fh_cursor c = {bytes, header->sh_size, false};
    take_records(r, k, &c, name);
}

/* ---------------------------------------------------------------- the whole */

static void complete_params(struct fh_reader *r, struct fh_kernel *k) {
    uint32_t end = 0;
    for (uint32_t p = 0; p < k->param_count && !r->bad; p++) {
        struct fh_param *param = &k->params[p];
        char name[32];
        (void)snprintf(name, sizeof name, "param%u", p);
        if (!param->name)
            param->name = fh_object_text(r, name, strlen(name));
        if (param->size == 0)
            fh_object_report(r, FH_OBJECT_INFO, "parameter %u of %s is missing", p, k->name);
        else if (param->offset < FH_LARGE_PARAMS &&
                 param->offset + param->size > FH_SMALL_PARAMS_END)
            fh_object_report(r, FH_OBJECT_INFO, "parameter %u of %s ends at %u, behind %u", p,
                             k->name, param->offset + param->size, FH_SMALL_PARAMS_END);
        else if (param->offset + param->size > end)
            end = param->offset + param->size;
    }
    if (end > k->param_bytes || k->param_bytes > FH_PARAM_BYTES_MAX)
        fh_object_report(r, FH_OBJECT_INFO, "%s has %u bytes of parameters, but one ends at %u",
                         k->name, k->param_bytes, end);
}

static void complete_kernel(struct fh_reader *r, struct fh_kernel *k) {
    if (!k->target)
        k->target = fh_object_text(r, "sm_80", 5);
    complete_params(r, k);
    if (k->registers == 0 || k->registers > 255)
        fh_object_report(r, FH_OBJECT_INFO, "%s has %u registers", k->name, k->registers);
    if (!r->noted && fh_stack_moves(k->words, k->word_count, false))
        guess_stack(k);
    if (k->local_bytes > FH_LOCAL_MAX)
        fh_object_report(r, FH_OBJECT_LIMIT, "%s has %u bytes of local memory", k->name,
                         k->local_bytes);
    if (k->barriers > 16)
        fh_object_report(r, FH_OBJECT_LIMIT, "%s has %u barriers", k->name, k->barriers);
}

/* Functions of an object that is not fhec's may move the stack, too. */
static void complete_stacks(struct fh_reader *r) {
    fhec_program *p = r->program;
    bool moves = false;
    for (uint32_t i = 0; i < p->function_count && !r->noted; i++)
        moves |= fh_stack_moves(p->functions[i].words, p->functions[i].word_count, true);
    for (uint32_t i = 0; i < p->kernel_count && moves; i++)
        guess_stack(&p->kernels[i]);
}

/* What .fhec.info did not say, and what must hold for any program. */
static void complete(struct fh_reader *r) {
    fhec_program *p = r->program;
    for (uint32_t i = 0; i < p->function_count && !r->bad && !r->no_memory; i++) {
        struct fh_function *f = &p->functions[i];
        if (!f->target)
            f->target = fh_object_text(r, "sm_80", 5);
        if (f->local_bytes > FH_LOCAL_MAX)
            fh_object_report(r, FH_OBJECT_LIMIT, "%s has %u bytes of local memory", f->name,
                             f->local_bytes);
    }
    if (!r->bad && !r->no_memory && !fh_program_link(p))
        fh_object_report(r, FH_OBJECT_LIMIT, "the code is too long");
    complete_stacks(r);
    for (uint32_t i = 0; i < p->kernel_count && !r->bad && !r->no_memory; i++)
        complete_kernel(r, &p->kernels[i]);
}

static bool check_header(struct fh_reader *r) {
    GElf_Ehdr header;
    if (elf_kind(r->elf) != ELF_K_ELF || gelf_getclass(r->elf) != ELFCLASS64 ||
        !gelf_getehdr(r->elf, &header) || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        fh_object_report(r, FH_OBJECT_NOT_ELF, "it has no such header");
        return false;
    }
    if (header.e_machine != FH_EM_CUDA) {
        fh_object_report(
            r, FH_OBJECT_MACHINE,
            "its machine is %u, not %d (cuobjdump -xelf all takes objects out of host files)",
            header.e_machine, FH_EM_CUDA);
        return false;
    }
    unsigned architecture = header.e_ident[EI_OSABI] == FH_ELF_OSABI ? header.e_flags >> 8 & 0xff
                                                                     : header.e_flags & 0xff;
    if (architecture != 80) {
        char text[16];
        (void)snprintf(text, sizeof text, "sm_%u", architecture);
        fh_object_report(r, FH_OBJECT_ARCHITECTURE, "%s", text);
        return false;
    }
    if (header.e_shoff > r->length ||
        (r->length - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum) {
        fh_object_report(r, FH_OBJECT_SECTION,
                         "the file ends at byte %zu, before its table of sections does", r->length);
        return false;
    }
    if (elf_getshdrnum(r->elf, &r->section_count) != 0 ||
        elf_getshdrstrndx(r->elf, &r->names) != 0) {
        fh_object_report(r, FH_OBJECT_SECTION, "there is no table of sections");
        return false;
    }
    if (header.e_type != ET_EXEC && header.e_type != ET_REL) {
        fh_object_report(r, FH_OBJECT_NOT_LINKED, "its type is %u", header.e_type);
        return false;
    }
    r->unlinked = header.e_type == ET_REL;
    r->use = fh_object_allocate(r, r->section_count, sizeof *r->use);
    return r->use != NULL;
}

static void look_for_debug(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name) {
    (void)section;
    if (strcmp(name, ".debug_info") == 0 && header->sh_size)
        fh_object_report(r, FH_OBJECT_DEBUG, "it runs, but counts say nothing of optimised code");
}

static void read_object(struct fh_reader *r) {
    if (!check_header(r))
        return;
    fh_object_each(r, take_symbols);
    fh_object_each(r, take_code);
    if (r->program->kernel_count == 0 && !r->bad && !r->no_memory)
        fh_object_report(r, FH_OBJECT_NO_KERNEL, "%s", "");
    fh_object_each(r, fh_object_take_data);
    fh_object_take_names(r);
    fh_object_each(r, take_info);
    fh_object_each(r, fh_object_take_relocations);
    fh_object_take_externals(r);
    fh_object_each(r, fh_object_take_notes);
    fh_object_each(r, fh_object_take_tables);
    fh_object_take_pointers(r);
    fh_object_each(r, fh_object_take_lines);
    fh_object_each(r, look_for_debug);
    complete(r);
}

fhec_status fhec_program_read(const char *name, const uint8_t *bytes, size_t length,
                              fhec_diagnostic_fn *diagnostic, void *user, fhec_program **program) {
    struct fh_reader r = {.name = name, .diagnostic = diagnostic, .user = user, .length = length};
    *program = NULL;
    /* libelf works on the image itself, so it gets its own; malloc aligns it. */
    char *image = fh_object_allocate(&r, length + 1, 1);
    r.program = fh_object_allocate(&r, 1, sizeof *r.program);
    if (image && r.program) {
        if (length)
            memcpy(image, bytes, length);
        if (length < 64 || memcmp(image, "\177ELF", 4) != 0)
            fh_object_report(&r, FH_OBJECT_NOT_ELF, "it does not begin like one");
        else if (elf_version(EV_CURRENT) == EV_NONE || !(r.elf = elf_memory(image, length)))
            fh_object_report(&r, FH_OBJECT_NOT_ELF, "%s", elf_errmsg(-1));
        else
            read_object(&r);
    }
    (void)elf_end(r.elf);
    free(r.use);
    free(image);
    if (!r.no_memory && !r.bad) {
        *program = r.program;
        return FHEC_OK;
    }
    fhec_program_free(r.program);
    return r.no_memory ? FHEC_HOST_ERROR : FHEC_BAD_INPUT;
}
