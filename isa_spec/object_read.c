/*
 * object_read.c - an ELF object (object.h) as a program. The bytes may be anything: libelf checks
 * the frame, and here nothing is used before its range, its size and its sense have been checked.
 * Objects of other tools may lack .fhec.info; parameters are then called param0, param1, ...
 */
#include "object.h"

#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SHARED_CONSTANTS = 1 << 28, /* bytes of bank 3 over all kernels, which each have a copy */
};

enum object_error {
#define X(name, id, text) ERROR_##name,
    FH_OBJECT_ERRORS(X)
#undef X
};

struct reader {
    const char *name;
    fhec_diagnostic_fn *diagnostic;
    void *user;
    bool no_memory, bad;
    Elf *elf;
    size_t names; /* section of the sections' names */
    size_t section_count;
    uint32_t *kernel_at; /* by section: index of the kernel whose code it is, plus 1; 0 none */
    Elf_Data *symbols;   /* of the symbol table, once it has been looked for */
    fhec_program *program;
    size_t copied; /* bytes of code and data so far; no more than the file has */
    size_t length;
};

static void report(struct reader *r, enum object_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void report(struct reader *r, enum object_error error, const char *format, ...) {
    static const struct {
        const char *id, *text;
    } rows[] = {
#define X(name, id, text) {id, text},
        FH_OBJECT_ERRORS(X)
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
    fhec_diagnostic d = {
        .id = rows[error].id, .severity = FHEC_ERROR, .message = message, .at = {.file = r->name}};
    if (r->diagnostic && !r->bad)
        r->diagnostic(r->user, &d);
    r->bad = true;
}

static void *allocate(struct reader *r, size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p)
        r->no_memory = true;
    return p;
}

static char *copy_text(struct reader *r, const char *text, size_t length) {
    char *copy = allocate(r, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

/* ---------------------------------------------------------------- sections */

/* The bytes of a section as they are in the file. False after a report. */
static bool section_bytes(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                          const char *name, const uint8_t **bytes) {
    *bytes = NULL;
    if (header->sh_size == 0)
        return true;
    Elf_Data *data = header->sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
    if (!data || !data->d_buf || data->d_size != header->sh_size) {
        report(r, ERROR_SECTION, "%s has no bytes in the file", name);
        return false;
    }
    *bytes = data->d_buf;
    return true;
}

/* Sections do not overlap in a sound object, so all copies together are no larger than it. */
static bool count_copy(struct reader *r, uint64_t bytes, const char *name) {
    if (bytes > r->length - r->copied) {
        report(r, ERROR_SECTION, "%s overlaps other sections", name);
        return false;
    }
    r->copied += (size_t)bytes;
    return true;
}

static struct fh_kernel *find_kernel(struct reader *r, const char *name, size_t length) {
    for (uint32_t i = 0; i < r->program->kernel_count; i++) {
        struct fh_kernel *k = &r->program->kernels[i];
        if (strlen(k->name) == length && memcmp(k->name, name, length) == 0)
            return k;
    }
    return NULL;
}

/* If `name` is `prefix` and the name of a kernel: that kernel. */
static struct fh_kernel *kernel_of(struct reader *r, const char *name, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? find_kernel(r, name + n, strlen(name + n)) : NULL;
}

/* Calls `act` for every section until one of the calls reports. */
static void each_section(struct reader *r, void (*act)(struct reader *r, Elf_Scn *section,
                                                       const GElf_Shdr *header, const char *name)) {
    Elf_Scn *section = NULL;
    while (!r->bad && !r->no_memory && (section = elf_nextscn(r->elf, section))) {
        GElf_Shdr header;
        const char *name = NULL;
        if (gelf_getshdr(section, &header))
            name = elf_strptr(r->elf, r->names, header.sh_name);
        if (name)
            act(r, section, &header, name);
        else
            report(r, ERROR_SECTION, "section %zu has no name", elf_ndxscn(section));
    }
}

/* ---------------------------------------------------------------- code */

static bool good_name(const char *name) {
    if (!*name)
        return false;
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7f)
            return false;
    return true;
}

static void take_code(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                      const char *name) {
    fhec_program *p = r->program;
    if (strncmp(name, ".text.", 6) != 0 || header->sh_type != SHT_PROGBITS)
        return;
    const char *kernel = name + 6;
    const uint8_t *bytes;
    if (!good_name(kernel) || find_kernel(r, kernel, strlen(kernel))) {
        report(r, ERROR_CODE, "a kernel has no name of its own");
    } else if (header->sh_size == 0 || header->sh_size % FH_INST_BYTES != 0 ||
               header->sh_size / FH_INST_BYTES > UINT32_MAX / FH_INST_BYTES) {
        report(r, ERROR_CODE, "%s has %llu bytes, which is no number of instructions", name,
               (unsigned long long)header->sh_size);
    } else if (p->kernel_count == FH_MAX_KERNELS) {
        report(r, ERROR_LIMIT, "more than %d kernels", FH_MAX_KERNELS);
    }
    if (r->bad || !section_bytes(r, section, header, name, &bytes) ||
        !count_copy(r, header->sh_size, name))
        return;
    if ((p->kernel_count & (p->kernel_count + 1)) == 0) { /* room for the next power of two */
        size_t room = (size_t)p->kernel_count * 2 + 1;
        struct fh_kernel *kernels = realloc(p->kernels, room * sizeof *kernels);
        if (!kernels) {
            r->no_memory = true;
            return;
        }
        p->kernels = kernels;
    }
    struct fh_kernel *k = &p->kernels[p->kernel_count++];
    r->kernel_at[elf_ndxscn(section)] = p->kernel_count;
    *k = (struct fh_kernel){.word_count = (uint32_t)(header->sh_size / FH_INST_BYTES),
                            .registers = (uint32_t)header->sh_info >> 24,
                            .barriers =
                                (uint32_t)(header->sh_flags >> FH_BARRIER_SHIFT) & FH_BARRIER_MASK};
    k->name = copy_text(r, kernel, strlen(kernel));
    k->words = allocate(r, k->word_count, sizeof *k->words);
    if (!k->name || !k->words || !bytes)
        return;
    for (uint32_t w = 0; w < k->word_count; w++) {
        memcpy(&k->words[w].lo, bytes + (size_t)w * FH_INST_BYTES, 8);
        memcpy(&k->words[w].hi, bytes + (size_t)w * FH_INST_BYTES + 8, 8);
    }
}

/* ---------------------------------------------------------------- memory of kernels */

static void add_bank(struct reader *r, struct fh_kernel *k, uint8_t bank, const uint8_t *bytes,
                     uint32_t size) {
    for (uint32_t i = 0; i < k->bank_count; i++) {
        if (k->banks[i].bank == bank) {
            report(r, ERROR_SECTION, "bank %u of %s is there twice", bank, k->name);
            return;
        }
    }
    struct fh_constant_bank *banks = realloc(k->banks, (k->bank_count + 1) * sizeof *banks);
    if (!banks) {
        r->no_memory = true;
        return;
    }
    k->banks = banks;
    uint8_t *copy = allocate(r, size, 1);
    if (!copy)
        return;
    memcpy(copy, bytes, size);
    banks[k->bank_count++] = (struct fh_constant_bank){bank, copy, size};
}

/* ".nv.constant2.K", and ".nv.constant3" for all kernels. */
static void take_constants(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name) {
    char *end;
    unsigned long bank = strtoul(name + strlen(".nv.constant"), &end, 10);
    struct fh_kernel *k = *end == '.' ? find_kernel(r, end + 1, strlen(end + 1)) : NULL;
    const uint8_t *bytes;
    fhec_program *p = r->program;
    if (end == name + strlen(".nv.constant") || bank == 0 || header->sh_size == 0)
        return; /* bank 0 is the launch's */
    if (bank > 31 || header->sh_size > FH_BANK_MAX) {
        report(r, ERROR_LIMIT, "%s has %llu bytes", name, (unsigned long long)header->sh_size);
        return;
    }
    if ((*end && !k) || !section_bytes(r, section, header, name, &bytes))
        return;
    uint32_t size = (uint32_t)header->sh_size;
    if (!count_copy(r, size, name))
        return;
    if (k) {
        add_bank(r, k, (uint8_t)bank, bytes, size);
        return;
    }
    if ((uint64_t)size * p->kernel_count > MAX_SHARED_CONSTANTS) {
        report(r, ERROR_LIMIT, "%s is too much for so many kernels", name);
        return;
    }
    for (uint32_t i = 0; i < p->kernel_count && !r->bad && !r->no_memory; i++)
        add_bank(r, &p->kernels[i], (uint8_t)bank, bytes, size);
}

static void take_memory(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                        const char *name) {
    struct fh_kernel *k = kernel_of(r, name, ".nv.shared.");
    if (k && header->sh_size > 1 << 20)
        report(r, ERROR_LIMIT, "%s has %llu bytes", name, (unsigned long long)header->sh_size);
    else if (k)
        k->shared_bytes = (uint32_t)header->sh_size;
    else if (strncmp(name, ".nv.constant", 12) == 0)
        take_constants(r, section, header, name);
}

/* ---------------------------------------------------------------- .nv.info */

/* Bytes being taken apart; `bad` once something ran past the end. */
struct cursor {
    const uint8_t *at;
    size_t left;
    bool bad;
};

static const uint8_t *take(struct cursor *c, size_t count) {
    if (count > c->left || c->bad) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *p = c->at;
    c->at += count;
    c->left -= count;
    return p;
}

static uint32_t take_u16(struct cursor *c) {
    const uint8_t *p = take(c, 2);
    return p ? (uint32_t)(p[0] | p[1] << 8) : 0;
}

static uint32_t take_u32(struct cursor *c) {
    uint32_t low = take_u16(c);
    return low | take_u16(c) << 16;
}

/* Which kernel a symbol stands for: the one whose code its section is. */
static struct fh_kernel *kernel_of_symbol(struct reader *r, uint32_t index) {
    GElf_Sym symbol;
    if (!r->symbols || index > INT32_MAX || !gelf_getsym(r->symbols, (int)index, &symbol) ||
        symbol.st_shndx >= r->section_count)
        return NULL;
    uint32_t kernel = r->kernel_at[symbol.st_shndx];
    return kernel ? &r->program->kernels[kernel - 1] : NULL;
}

static void take_symbols(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                         const char *name) {
    if (header->sh_type != SHT_SYMTAB || r->symbols)
        return;
    r->symbols = elf_getdata(section, NULL);
    if (!r->symbols)
        report(r, ERROR_SECTION, "%s has no bytes in the file", name);
}

/* One parameter; the records come in any order and end up by ordinal. */
static void take_param(struct reader *r, struct fh_kernel *k, struct cursor *value) {
    (void)take_u32(value);
    uint32_t ordinal = take_u16(value), offset = take_u16(value), size = take_u32(value) >> 18;
    if (value->bad || ordinal >= FH_PARAM_BYTES_MAX || size == 0 ||
        offset + size > FH_PARAM_BYTES_MAX) {
        report(r, ERROR_INFO, "a parameter of %s", k->name);
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

/* Records that name a kernel by its symbol. */
static void symbol_record(struct reader *r, unsigned attribute, struct cursor *value) {
    if (attribute != FH_NV_REGCOUNT && attribute != FH_NV_FRAME_SIZE)
        return;
    struct fh_kernel *k = kernel_of_symbol(r, take_u32(value));
    uint32_t number = take_u32(value);
    if (value->bad)
        report(r, ERROR_INFO, ".nv.info is cut off");
    if (!k || value->bad)
        return;
    if (attribute == FH_NV_REGCOUNT)
        k->registers = number;
    else
        k->local_bytes = number;
}

static void take_records(struct reader *r, struct fh_kernel *k, struct cursor *c,
                         const char *name) {
    while (c->left > 0 && !r->bad && !r->no_memory) {
        const uint8_t *head = take(c, 2);
        uint32_t half = take_u16(c);
        struct cursor value = {0};
        if (head && head[0] == FH_NV_SIZED) {
            value.at = take(c, half);
            value.left = half;
        }
        if (c->bad || !head) {
            report(r, ERROR_INFO, "%s is cut off", name);
            return;
        }
        if (!k)
            symbol_record(r, head[1], &value);
        else if (head[1] == FH_NV_KPARAM_INFO && head[0] == FH_NV_SIZED)
            take_param(r, k, &value);
        else if (head[1] == FH_NV_CBANK_PARAM_SIZE && head[0] == FH_NV_HALF)
            k->param_bytes = half;
        else if (head[1] == FH_NV_NUM_BARRIERS && head[0] == FH_NV_BYTE)
            k->barriers = half & 0xff;
    }
}

static void take_info(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                      const char *name) {
    bool whole = strcmp(name, ".nv.info") == 0;
    struct fh_kernel *k = whole ? NULL : kernel_of(r, name, ".nv.info.");
    const uint8_t *bytes;
    if ((!whole && !k) || !section_bytes(r, section, header, name, &bytes))
        return;
    struct cursor c = {bytes, header->sh_size, false};
    take_records(r, k, &c, name);
}

/* ---------------------------------------------------------------- .fhec.info */

/* A text of the section, copied; NULL if it runs past the end or there is no memory. */
static char *take_text(struct reader *r, struct cursor *c) {
    uint32_t length = take_u32(c);
    const uint8_t *p = take(c, length);
    if (!p || memchr(p, '\0', length)) {
        c->bad = true;
        return NULL;
    }
    return copy_text(r, (const char *)p, length);
}

/* A count of things that take at least `least` bytes each. */
static uint32_t take_count(struct cursor *c, size_t least) {
    uint32_t count = take_u32(c);
    if (count > c->left / least)
        c->bad = true;
    return c->bad ? 0 : count;
}

static void take_origin(struct cursor *c, struct fh_origin *origin) {
    origin->file = take_u32(c);
    origin->line = take_u32(c);
    origin->column = take_u32(c);
    origin->length = take_u32(c);
}

/* Names of parameters and origins of one kernel, which the ELF sections have made already. */
static void take_kernel_notes(struct reader *r, struct cursor *c) {
    uint32_t length = take_u32(c);
    const uint8_t *name = take(c, length);
    struct fh_kernel *k = name ? find_kernel(r, (const char *)name, length) : NULL;
    if (!k || k->target) {
        c->bad = true;
        return;
    }
    k->target = take_text(r, c);
    uint32_t params = take_count(c, 4);
    c->bad |= params != k->param_count;
    for (uint32_t i = 0; i < params && !c->bad && !r->no_memory; i++)
        k->params[i].name = take_text(r, c);
    uint32_t origins = take_count(c, 16);
    c->bad |= origins != 0 && origins != k->word_count;
    if (c->bad || !origins || r->no_memory)
        return;
    k->origins = allocate(r, origins, sizeof *k->origins);
    for (uint32_t w = 0; k->origins && w < origins; w++)
        take_origin(c, &k->origins[w]);
}

static void take_notes(struct reader *r, struct cursor *c) {
    fhec_program *p = r->program;
    const uint8_t *magic = take(c, 4);
    c->bad |= !magic || memcmp(magic, "fhec", 4) != 0 || take_u32(c) != FH_INFO_VERSION;
    uint32_t files = take_count(c, 4);
    p->files = allocate(r, files, sizeof *p->files);
    while (p->files && p->file_count < files && !c->bad && !r->no_memory) {
        p->files[p->file_count] = take_text(r, c);
        p->file_count += p->files[p->file_count] != NULL;
    }
    uint32_t kernels = take_count(c, 16);
    for (uint32_t i = 0; i < kernels && !c->bad && !r->no_memory; i++)
        take_kernel_notes(r, c);
    uint32_t tests = take_count(c, 20);
    p->tests = allocate(r, tests, sizeof *p->tests);
    while (p->tests && p->test_count < tests && !c->bad && !r->no_memory) {
        struct fh_test *t = &p->tests[p->test_count];
        t->text = take_text(r, c);
        take_origin(c, &t->origin);
        p->test_count += t->text != NULL;
    }
    if ((c->bad || c->left) && !r->no_memory)
        report(r, ERROR_INFO, ".fhec.info");
}

static void take_private(struct reader *r, Elf_Scn *section, const GElf_Shdr *header,
                         const char *name) {
    const uint8_t *bytes;
    if (strcmp(name, ".fhec.info") != 0)
        return;
    if (r->program->files) {
        report(r, ERROR_SECTION, "%s is there twice", name);
        return;
    }
    if (!section_bytes(r, section, header, name, &bytes) || !count_copy(r, header->sh_size, name))
        return;
    struct cursor c = {bytes, header->sh_size, false};
    take_notes(r, &c);
}

/* ---------------------------------------------------------------- the whole */

/* What .fhec.info did not say, and what must hold for any kernel. */
static void complete(struct reader *r) {
    for (uint32_t i = 0; i < r->program->kernel_count && !r->bad && !r->no_memory; i++) {
        struct fh_kernel *k = &r->program->kernels[i];
        uint32_t end = 0;
        if (!k->target)
            k->target = copy_text(r, "sm_80", 5);
        for (uint32_t p = 0; p < k->param_count && !r->bad; p++) {
            struct fh_param *param = &k->params[p];
            char name[32];
            (void)snprintf(name, sizeof name, "param%u", p);
            if (!param->name)
                param->name = copy_text(r, name, strlen(name));
            if (param->size == 0)
                report(r, ERROR_INFO, "parameter %u of %s is missing", p, k->name);
            else if (param->offset + param->size > end)
                end = param->offset + param->size;
        }
        if (end > k->param_bytes || k->param_bytes > FH_PARAM_BYTES_MAX)
            report(r, ERROR_INFO, "%s has %u bytes of parameters, but one ends at %u", k->name,
                   k->param_bytes, end);
        if (k->registers == 0 || k->registers > 255)
            report(r, ERROR_INFO, "%s has %u registers", k->name, k->registers);
        if (k->local_bytes > 512 * 1024)
            report(r, ERROR_LIMIT, "%s has %u bytes of local memory", k->name, k->local_bytes);
        if (k->barriers > 16)
            report(r, ERROR_LIMIT, "%s has %u barriers", k->name, k->barriers);
    }
}

static bool check_header(struct reader *r) {
    GElf_Ehdr header;
    if (elf_kind(r->elf) != ELF_K_ELF || gelf_getclass(r->elf) != ELFCLASS64 ||
        !gelf_getehdr(r->elf, &header) || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        report(r, ERROR_NOT_ELF, "it has no such header");
        return false;
    }
    if (header.e_machine != FH_EM_CUDA) {
        report(r, ERROR_MACHINE, "its machine is %u, not %d", header.e_machine, FH_EM_CUDA);
        return false;
    }
    unsigned architecture = header.e_ident[EI_OSABI] == FH_ELF_OSABI ? header.e_flags >> 8 & 0xff
                                                                     : header.e_flags & 0xff;
    if (architecture != 80) {
        char text[16];
        (void)snprintf(text, sizeof text, "sm_%u", architecture);
        report(r, ERROR_ARCHITECTURE, "%s", text);
        return false;
    }
    if (header.e_shoff > r->length ||
        (r->length - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum) {
        report(r, ERROR_SECTION, "the file ends at byte %zu, before its table of sections does",
               r->length);
        return false;
    }
    if (elf_getshdrnum(r->elf, &r->section_count) != 0 ||
        elf_getshdrstrndx(r->elf, &r->names) != 0) {
        report(r, ERROR_SECTION, "there is no table of sections");
        return false;
    }
    r->kernel_at = allocate(r, r->section_count, sizeof *r->kernel_at);
    return r->kernel_at != NULL;
}

static void read_object(struct reader *r) {
    if (!check_header(r))
        return;
    each_section(r, take_code);
    if (r->program->kernel_count == 0 && !r->bad && !r->no_memory)
        report(r, ERROR_NO_KERNEL, "%s", "");
    each_section(r, take_symbols);
    each_section(r, take_info);
    each_section(r, take_memory);
    each_section(r, take_private);
    complete(r);
}

fhec_status fhec_program_read(const char *name, const uint8_t *bytes, size_t length,
                              fhec_diagnostic_fn *diagnostic, void *user, fhec_program **program) {
    struct reader r = {.name = name, .diagnostic = diagnostic, .user = user, .length = length};
    *program = NULL;
    /* libelf works on the image itself, so it gets its own; malloc aligns it. */
    char *image = allocate(&r, length + 1, 1);
    r.program = allocate(&r, 1, sizeof *r.program);
    if (image && r.program) {
        if (length)
            memcpy(image, bytes, length);
        if (length < 64 || memcmp(image, "\177ELF", 4) != 0)
            report(&r, ERROR_NOT_ELF, "it does not begin like one");
        else if (elf_version(EV_CURRENT) == EV_NONE || !(r.elf = elf_memory(image, length)))
            report(&r, ERROR_NOT_ELF, "%s", elf_errmsg(-1));
        else
            read_object(&r);
    }
    (void)elf_end(r.elf);
    free(r.kernel_at);
    free(image);
    if (!r.no_memory && !r.bad) {
        *program = r.program;
        return FHEC_OK;
    }
    fhec_program_free(r.program);
    return r.no_memory ? FHEC_HOST_ERROR : FHEC_BAD_INPUT;
}
