/*
 * cubin_lines.c - .debug_line, which -lineinfo leaves in an object: the DWARF line program
 * (versions 2 to 4, which is what the compilers write) as the origin of each word. It is only a
 * help for people: a unit that makes no sense is passed over, and what fhec's own assembler noted
 * wins.
 */
#include "cubin_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_OPCODES = 256,
    MAX_FILES = 1 << 16, /* of a program */
    LINE_MAX_NUMBER = 1 << 30,
};

/* An address within the section, which a relocation fills in. */
struct address_field {
    uint64_t offset;
    uint32_t symbol;
};

/* One unit: its prologue and the state of its machine. */
struct unit {
    struct fh_cubin_reader *r;
    const struct address_field *fields; /* sorted */
    size_t field_count;
    const uint8_t *section; /* its first byte: offsets of relocations count from here */
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    uint8_t operands[MAX_OPCODES];
    uint32_t first_file, files; /* indices of the program's files */
    /* the code that the sequence is about, and its last row */
    struct fh_origin *origins;
    uint32_t words;
    uint64_t start; /* address of the symbol */
    uint64_t address, row_address;
    uint32_t file, line, row_file, row_line;
    bool row;
    uint64_t *budget; /* words that may still be filled: hostile programs repeat themselves */
};

/* A text that ends in NUL; NULL past the end. */
static const char *take_string(struct fh_cursor *c) {
    const uint8_t *end = c->bad ? NULL : memchr(c->at, 0, c->left);
    if (!end) {
        c->bad = true;
        return NULL;
    }
    return (const char *)fh_take(c, (size_t)(end - c->at) + 1);
}

/* ---------------------------------------------------------------- files */

static void add_file(struct unit *u, const char *directory, const char *name) {
    fhec_program *p = u->r->program;
    if (p->file_count >= MAX_FILES ||
        !fh_cubin_grow(u->r, &p->files, p->file_count, sizeof(char *)))
        return;
    bool beside = !directory || !*directory || name[0] == '/';
    size_t length = strlen(name) + (beside ? 0 : strlen(directory) + 1);
    char *path = fh_cubin_allocate(u->r, length + 1, 1);
    if (!path)
        return;
    (void)snprintf(path, length + 1, "%s%s%s", beside ? "" : directory, beside ? "" : "/", name);
    p->files[p->file_count++] = path;
    u->files++;
}

/* The tables of directories and files of versions 2 to 4. */
static bool take_files(struct unit *u, struct fh_cursor *c) {
    const char **directories = NULL;
    uint32_t count = 0;
    const char *text;
    while ((text = take_string(c)) && *text) {
        if (count >= MAX_FILES || !fh_cubin_grow(u->r, &directories, count, sizeof *directories))
            break;
        directories[count++] = text;
    }
    u->first_file = u->r->program->file_count;
    while (!u->r->no_memory && (text = take_string(c)) && *text) {
        uint64_t directory = fh_take_uleb(c);
        (void)fh_take_uleb(c);
        (void)fh_take_uleb(c);
        if (!c->bad)
            add_file(u, directory && directory <= count ? directories[directory - 1] : NULL, text);
    }
    free(directories);
    return !c->bad && !u->r->no_memory;
}

/* ---------------------------------------------------------------- rows */

/* The words from the last row up to `address` come from that row's line; line 0: from none. */
static void fill_to(struct unit *u, uint64_t address) {
    if (!u->row || !u->origins || address <= u->row_address || u->row_file == 0 ||
        u->row_file > u->files || u->row_line == 0)
        return;
    uint64_t from = (u->row_address + u->start) / FH_INST_BYTES,
             to = (address + u->start + FH_INST_BYTES - 1) / FH_INST_BYTES;
    to = to < u->words ? to : u->words;
    for (uint64_t w = from; w < to && *u->budget; w++, (*u->budget)--)
        u->origins[w] = (struct fh_origin){
            .file = u->first_file + u->row_file - 1, .line = u->row_line, .column = 1, .length = 1};
}

static void add_row(struct unit *u) {
    fill_to(u, u->address);
    u->row = true;
    u->row_address = u->address;
    u->row_file = u->file;
    u->row_line = u->line;
}

static void begin_sequence(struct unit *u) {
    u->address = u->row_address = u->start = 0;
    u->file = u->line = 1;
    u->row = false;
    u->origins = NULL;
    u->words = 0;
}

static void advance(struct unit *u, uint64_t operations) {
    u->address += operations * u->min_length;
    if (u->address > UINT32_MAX) /* no code is as long as that */
        u->address = UINT32_MAX;
}

static void advance_line(struct unit *u, int64_t lines) {
    int64_t line = lines > LINE_MAX_NUMBER || lines < -LINE_MAX_NUMBER ? 0 : u->line + lines;
    u->line = line < 0 || line > LINE_MAX_NUMBER ? 0 : (uint32_t)line;
}

/* ---------------------------------------------------------------- addresses */

static int by_offset(const void *a, const void *b) {
    const struct address_field *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Room for the origins of the code, all unknown; NULL if it has its origins already. */
static struct fh_origin *origins_of(struct unit *u, struct fh_origin **origins, uint32_t words) {
    if (!*origins) {
        *origins = fh_cubin_allocate(u->r, words, sizeof **origins);
        for (uint32_t w = 0; *origins && w < words; w++)
            (*origins)[w].file = UINT32_MAX;
    }
    return *origins;
}

/* The sequence is about the code whose symbol a relocation names for the address at `at`. */
static void set_code(struct unit *u, const uint8_t *at, uint64_t address) {
    struct address_field key = {.offset = (uint64_t)(at - u->section)};
    const struct address_field *field =
        u->field_count ? bsearch(&key, u->fields, u->field_count, sizeof key, by_offset) : NULL;
    struct fh_elf_symbol symbol;
    fhec_program *p = u->r->program;
    begin_sequence(u);
    u->address = address < UINT32_MAX ? address : UINT32_MAX;
    const struct fh_section_use *use = field && fh_cubin_symbol(u->r, field->symbol, &symbol)
                                           ? fh_cubin_symbol_use(u->r, &symbol)
                                           : NULL;
    if (!use || symbol.value > UINT32_MAX)
        return;
    u->start = symbol.value;
    if (use->kind == FH_IS_KERNEL) {
        u->words = p->kernels[use->index].word_count;
        u->origins = origins_of(u, &p->kernels[use->index].origins, u->words);
    } else if (use->kind == FH_IS_FUNCTION) {
        u->words = p->functions[use->index].word_count;
        u->origins = origins_of(u, &p->functions[use->index].origins, u->words);
    }
}

/* ---------------------------------------------------------------- the line program */

static void extended(struct unit *u, struct fh_cursor *c) {
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
    uint64_t length = fh_take_uleb(c);
    const uint8_t *body = length ? fh_take(c, length < SIZE_MAX ? (size_t)length : SIZE_MAX) : NULL;
    if (!body)
        return;
    if (body[0] == END_SEQUENCE) {
        fill_to(u, u->address);
        begin_sequence(u);
    } else if (body[0] == SET_ADDRESS && length == 9) {
        uint64_t address;
        memcpy(&address, body + 1, 8);
        set_code(u, body + 1, address);
    }
}

static void standard(struct unit *u, struct fh_cursor *c, uint8_t opcode) {
    enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC = 9 };
    switch (opcode) {
    case COPY: add_row(u); break;
    case ADVANCE_PC: advance(u, fh_take_uleb(c) & UINT32_MAX); break;
    case ADVANCE_LINE: advance_line(u, fh_take_sleb(c)); break;
    case SET_FILE: u->file = (uint32_t)(fh_take_uleb(c) & UINT32_MAX); break;
    case CONST_ADD_PC: advance(u, (255u - u->opcode_base) / u->line_range); break;
    case FIXED_ADVANCE_PC: u->address += fh_take_u16(c); break;
    default:
        for (unsigned i = 0; i < u->operands[opcode]; i++)
            (void)fh_take_uleb(c);
    }
}

static void run_program(struct unit *u, struct fh_cursor *c) {
    begin_sequence(u);
    while (c->left && !c->bad && !u->r->no_memory) {
        uint8_t opcode = *fh_take(c, 1);
        if (opcode == 0) {
            extended(u, c);
        } else if (opcode < u->opcode_base) {
            standard(u, c, opcode);
        } else {
            unsigned k = opcode - u->opcode_base;
            advance(u, k / u->line_range);
            advance_line(u, u->line_base + (int)(k % u->line_range));
            add_row(u);
        }
    }
}

/* One unit, whose bytes behind the length field are given. */
static void take_unit(struct unit *u, struct fh_cursor unit) {
    uint32_t version = fh_take_u16(&unit);
    uint32_t header = fh_take_u32(&unit);
    struct fh_cursor c = {fh_take(&unit, header), header, unit.bad};
    if (c.bad || version < 2 || version > 4)
        return;
    const uint8_t *fixed = fh_take(&c, version >= 4 ? 6 : 5);
    if (!fixed)
        return;
    u->min_length = fixed[0];
    fixed += version >= 4; /* operations of an instruction: one */
    u->line_base = (int8_t)fixed[2];
    u->line_range = fixed[3];
    u->opcode_base = fixed[4];
    if (!u->line_range || !u->opcode_base)
        return;
    const uint8_t *operands = fh_take(&c, u->opcode_base - 1u);
    u->files = 0;
    if (!operands)
        return;
    memcpy(u->operands + 1, operands, u->opcode_base - 1u);
    if (take_files(u, &c))
        run_program(u, &unit);
}

/* ---------------------------------------------------------------- the section */

/* The relocations of section `target`, sorted; NULL without any. */
static struct address_field *take_fields(struct fh_cubin_reader *r, uint32_t target,
                                         size_t *count) {
    struct address_field *fields = NULL;
    uint32_t used = 0;
    for (uint32_t i = 1; i < r->elf.section_count; i++) {
        const struct fh_elf_section *s = &r->elf.sections[i];
        struct fh_elf_relocation e;
        if (s->type != FH_SHT_REL || s->info != target)
            continue;
        for (uint64_t k = 0; fh_elf_relocation(s, k, &e); k++) {
            if (!fh_cubin_grow(r, &fields, used, sizeof *fields))
                break;
            fields[used++] = (struct address_field){e.offset, e.symbol};
        }
    }
    if (used)
        qsort(fields, used, sizeof *fields, by_offset);
    *count = used;
    return fields;
}

void fh_cubin_take_lines(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    const fhec_program *p = r->program;
    if (strcmp(s->name, ".debug_line") != 0 || p->file_count || s->size == 0 ||
        !fh_cubin_has_bytes(r, s))
        return;
    uint64_t budget = 1 << 20;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        budget += 2 * (uint64_t)p->kernels[i].word_count;
    for (uint32_t i = 0; i < p->function_count; i++)
        budget += 2 * (uint64_t)p->functions[i].word_count;
    struct unit u = {.r = r, .section = s->bytes, .budget = &budget};
    struct address_field *fields = take_fields(r, section, &u.field_count);
    u.fields = fields;
    struct fh_cursor c = {s->bytes, (size_t)s->size, false};
    while (c.left && !r->no_memory) {
        uint32_t length = fh_take_u32(&c);
        const uint8_t *unit = fh_take(&c, length);
        if (!unit)
            break;
        take_unit(&u, (struct fh_cursor){unit, length, false});
    }
    free(fields);
}
