/* listing_read.c - see listing_read.h. */
#include "listing_read.h"
#include "asm.h"
#include "asm_memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of the text. */
struct piece {
    char *begin, *end;
};

/* The section that a line is in: code; data or information about a kernel; data of the whole
 * program, which the assembler reads itself; FOREIGN: of another architecture. */
struct reader {
    struct fh_asm *a;
    struct fh_buffer *file;
    struct fh_listing *listing;
    const fhec_limits *machine; /* whose code is taken; NULL: none of those that the file names */
    enum { ANYWHERE, CODE, DATA, INFO, PROGRAM, FOREIGN } section;
    bool fatbin;                      /* in the paragraph that describes a fatbin's member */
    bool function;                    /* cuobjdump's, not yet ended */
    bool found;                       /* something that only a listing has */
    struct fh_listing_kernel *kernel; /* that CODE, DATA and INFO are about; NULL: all */
    struct fh_bytes *data;            /* where DATA goes; NULL: nowhere */
    struct fh_attribute attribute;    /* of INFO: what is being read */
};

static bool starts(struct piece p, const char *text) {
    size_t length = strlen(text);
    return (size_t)(p.end - p.begin) >= length && memcmp(p.begin, text, length) == 0;
}

static struct piece skip(struct piece p, size_t count) {
    p.begin += count;
    while (p.begin < p.end && isspace((unsigned char)*p.begin))
        p.begin++;
    return p;
}

static void blank(struct piece p) {
    memset(p.begin, ' ', (size_t)(p.end - p.begin));
}

/* The line says `directive name` instead; there is room (the frame's own words are longer). */
static void replace(struct piece line, const char *directive, struct piece name) {
    size_t length = strlen(directive), gap = (size_t)(name.begin - line.begin);
    if (gap <= length)
        return;
    memset(line.begin, ' ', gap);
    memcpy(line.begin, directive, length);
    memset(name.end, ' ', (size_t)(line.end - name.end));
}

/* Where `key` stands in p, or NULL. */
static char *find(struct piece p, const char *key) {
    size_t length = strlen(key);
    for (; p.end - p.begin >= (ptrdiff_t)length; p.begin++)
        if (memcmp(p.begin, key, length) == 0)
            return p.begin;
    return NULL;
}

/* Letters up to a comma or blank. */
static struct piece word_of(struct piece p) {
    struct piece word = {p.begin, p.begin};
    while (word.end < p.end && *word.end != ',' && !isspace((unsigned char)*word.end))
        word.end++;
    return word;
}

/* A comment of hexadecimal digits, "/ *0010* /" or "/ * 0x0000... * /", which p then stands behind.
 */
static bool hex_comment(struct piece *p, uint64_t *value, unsigned *digits) {
    struct piece in = *p;
    if (!starts(in, "/*"))
        return false;
    in = skip(in, 2);
    if (starts(in, "0x"))
        in.begin += 2;
    *value = 0;
    for (*digits = 0; in.begin < in.end && isxdigit((unsigned char)*in.begin); in.begin++) {
        int c = tolower((unsigned char)*in.begin);
        *value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        if (++*digits > 16)
            return false;
    }
    in = skip(in, 0);
    if (*digits == 0 || !starts(in, "*/"))
        return false;
    *p = skip(in, 2);
    return true;
}

/* The word's half behind the instruction's semicolon. */
static bool low_half(struct piece line, uint64_t *value) {
    unsigned digits;
    for (struct piece p = line; (p.begin = memchr(p.begin, ';', (size_t)(p.end - p.begin)));) {
        p = skip(p, 1);
        struct piece comment = p;
        if (hex_comment(&comment, value, &digits) && digits == 16)
            return true;
    }
    return false;
}

/* The line at `at`, without the blanks at its ends; *after is the next one. */
static struct piece line_at(const struct fh_buffer *file, char *at, char **after) {
    char *end = file->text + file->length;
    struct piece line = {at, memchr(at, '\n', (size_t)(end - at))};
    if (!line.end)
        line.end = end;
    *after = line.end < end ? line.end + 1 : end;
    while (line.end > line.begin && isspace((unsigned char)line.end[-1]))
        line.end--;
    return skip(line, 0);
}

/* ---------------------------------------------------------------- what is about a kernel */

static struct fh_listing_kernel *kernel_of(struct reader *r, struct piece name) {
    struct fh_listing *l = r->listing;
    size_t length = (size_t)(name.end - name.begin);
    for (size_t i = 0; i < l->kernel_count; i++)
        if (l->kernels[i]->name_length == length &&
            memcmp(l->kernels[i]->name, name.begin, length) == 0)
            return l->kernels[i];
    if (!fh_asm_grow(r->a, &l->kernels, &l->kernel_capacity, l->kernel_count + 1,
                     sizeof *l->kernels))
        return NULL;
    struct fh_listing_kernel *k = calloc(1, sizeof *k);
    char *copy = malloc(length + 1);
    if (!k || !copy) {
        free(k);
        free(copy);
        r->a->no_memory = true;
        return NULL;
    }
    memcpy(copy, name.begin, length);
    copy[length] = '\0';
    k->name = copy;
    k->name_length = length;
    return l->kernels[l->kernel_count++] = k;
}

/* The attribute that has been read, if it is one that is wanted. */
static void end_attribute(struct reader *r) {
    struct fh_attribute *at = &r->attribute;
    struct fh_listing_kernel *k = at->about ? at->about : r->kernel;
    if (at->open && k)
        fh_attribute_apply(r->a, at, k);
    *at = (struct fh_attribute){
        .payload = {.data = at->payload.data, .capacity = at->payload.capacity}};
}

/* Sections that the assembler itself knows (section.c): data of no kernel in particular. */
static bool is_whole_program(struct piece name) {
    static const char constant[] = ".nv.constant";
    struct piece number = name;
    if (starts(name, ".nv.global"))
        return true;
    if (!starts(name, constant))
        return false;
    for (number.begin += sizeof constant - 1; number.begin < number.end; number.begin++)
        if (!isdigit((unsigned char)*number.begin))
            return false;
    return true;
}

/* .section, and not .sectioninfo */
static bool is_section(struct piece p) {
    return starts(p, ".section") && p.end - p.begin > 8 && isspace((unsigned char)p.begin[8]);
}

/* Whether the section of code that begins at `line` is a kernel's, which is said behind it:
 * .other k,@"STO_CUDA_ENTRY STV_DEFAULT". */
static bool is_entry(const struct reader *r, struct piece line) {
    char *after, *end = r->file->text + r->file->length;
    bool symbols = false;
    (void)line_at(r->file, line.begin, &after);
    for (char *at = after; at < end; at = after) {
        struct piece p = line_at(r->file, at, &after);
        if (is_section(p))
            break;
        if (starts(p, ".other") && find(p, "STO_CUDA_ENTRY"))
            return true;
        symbols |= starts(p, ".type") && find(p, "@function");
    }
    return !symbols; /* a section cut out of a listing, without its symbols */
}

/* Sections by name; the part of the name that is a kernel's follows its prefix. */
static void begin_section(struct reader *r, struct piece line) {
    static const struct {
        const char *prefix;
        uint8_t section, data;
    } kinds[] = {
        {".text.", CODE, 0},
        {".nv.info.", INFO, 0},
        {".nv.constant0.", DATA, 1},
        {".nv.constant2.", DATA, 3},
        {".nv.shared.", DATA, 2},
        {".nv.info", INFO, 0},
        {"", DATA, 0},
    };
    struct piece name = word_of(skip(line, strlen(".section")));
    end_attribute(r);
    if (is_whole_program(name)) {
        r->section = PROGRAM;
        r->function = false;
        return;
    }
    r->found = true;
    size_t i = 0;
    while (!starts(name, kinds[i].prefix))
        i++;
    r->section = kinds[i].section;
    r->kernel = NULL;
    r->data = NULL;
    r->function = false;
    struct piece about = {name.begin + strlen(kinds[i].prefix), name.end};
    if (about.begin < about.end && strlen(kinds[i].prefix) > 0 &&
        kinds[i].prefix[strlen(kinds[i].prefix) - 1] == '.')
        r->kernel = kernel_of(r, about);
    switch (kinds[i].data) {
    case 1: r->data = r->kernel ? &r->kernel->parameters : NULL; break;
    case 2: r->data = r->kernel ? &r->kernel->shared : NULL; break;
    case 3: r->data = r->kernel ? &r->kernel->constants : NULL; break;
    default: break;
    }
    if (r->section == CODE && r->kernel)
        replace(line, is_entry(r, line) ? ".kernel" : ".function", about);
    else
        blank(line);
}

/* ---------------------------------------------------------------- lines */

/* The kernel of index@(NAME), or that of its bank 0, index@(.nv.constant0.NAME). */
static void take_index(struct reader *r, struct piece p) {
    static const char bank[] = ".nv.constant0.";
    char *close = memchr(p.begin, ')', (size_t)(p.end - p.begin));
    struct piece name = {p.begin + strlen("index@("), close};
    if (!close)
        return;
    if (starts(name, bank))
        name.begin += strlen(bank);
    r->attribute.about = kernel_of(r, name);
}

/* One value of a data directive: a number, or the name in index@(NAME); other expressions are 0. */
static uint64_t data_value(struct reader *r, struct piece p) {
    if (starts(p, "index@(")) {
        take_index(r, p);
        return 0;
    }
    char digits[32] = {0};
    size_t length = (size_t)(p.end - p.begin);
    memcpy(digits, p.begin, length < sizeof digits - 1 ? length : sizeof digits - 1);
    return strtoull(digits, NULL, 0);
}

static void add_data(struct reader *r, struct fh_bytes *to, uint64_t value, unsigned bytes) {
    uint8_t little[8];
    if (!to || to->count + bytes > FH_MAX_BANK)
        return;
    for (unsigned b = 0; b < bytes; b++)
        little[b] = (uint8_t)(value >> (8 * b));
    fh_bytes_put(to, little, bytes);
    r->a->no_memory |= to->failed;
}

/* .byte, .short, .word, .dword, .zero in a section that holds no code. */
static void data_line(struct reader *r, struct piece p) {
    static const struct {
        const char *name;
        unsigned bytes;
    } kinds[] = {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".zero", 0}};
    unsigned digits;
    uint64_t address;
    (void)hex_comment(&p, &address, &digits);
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    while (i < count && !starts(p, kinds[i].name))
        i++;
    if (i == count)
        return;
    struct fh_bytes *to = r->section == INFO ? &r->attribute.payload : r->data;
    if (r->section == INFO && !r->attribute.open)
        return;
    p = skip(p, strlen(kinds[i].name));
    while (p.begin < p.end) {
        char *comma = memchr(p.begin, ',', (size_t)(p.end - p.begin));
        uint64_t value = data_value(r, (struct piece){p.begin, comma ? comma : p.end});
        if (kinds[i].bytes)
            add_data(r, to, value, kinds[i].bytes);
        else
            for (; value && to && to->count < FH_MAX_BANK && !r->a->no_memory; value--)
                add_data(r, to, 0, 1);
        if (!comma)
            break;
        p = skip((struct piece){comma, p.end}, 1);
    }
}

/* "sm_86" and what may follow: the machine, or NULL. */
static const fhec_limits *machine_of(struct piece name) {
    char text[16];
    size_t length = (size_t)(name.end - name.begin);
    if (length >= sizeof text)
        return NULL;
    memcpy(text, name.begin, length);
    text[length] = '\0';
    return fhec_target_limits(text);
}

static const char code_for[] = "code for ";

/* The earliest machine that the lines `code for` name. */
static const fhec_limits *best_machine(struct fh_buffer *file) {
    const fhec_limits *best = NULL;
    char *after, *end = file->text + file->length;
    for (char *at = file->text; (at = strstr(at, code_for)) != NULL; at = after) {
        struct piece line = line_at(file, at, &after);
        const fhec_limits *m = machine_of(word_of(skip(line, strlen(code_for))));
        if (m && (!best || m->architecture < best->architecture))
            best = m;
        if (after == end)
            break;
    }
    return best;
}

/* .headerflags @"... EF_CUDA_SM86 ...". */
static void take_flags(struct reader *r, struct piece p) {
    static const char flag[] = "EF_CUDA_SM";
    char *at = find(p, flag), name[16];
    const size_t digits = at ? strspn(at + strlen(flag), "0123456789") : 0;
    if (!digits || digits > 3 || r->section == FOREIGN)
        return;
    char *number = at + strlen(flag);
    (void)snprintf(name, sizeof name, "sm_%.*s", (int)digits, number);
    const fhec_limits *machine = fhec_target_limits(name);
    if (machine)
        fh_listing_machine(r->a, r->file, number, number + digits, machine);
}

/* A line of another architecture's code, or the frame's. Returns whether it has been dealt with. */
static bool frame_line(struct reader *r, struct piece p) {
    static const char *const nothing[] = {".headerflags", ".elftype"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (starts(p, nothing[i])) {
            r->found = true;
            take_flags(r, p);
            blank(p);
            return true;
        }
    if (starts(p, "Fatbin ")) {
        r->fatbin = r->found = true;
        r->section = ANYWHERE;
        blank(p);
    } else if (starts(p, "code for sm_")) {
        struct piece name = word_of(skip(p, strlen(code_for)));
        const fhec_limits *machine = machine_of(name);
        if (!r->machine)
            r->machine = best_machine(r->file);
        bool ours = machine && machine == r->machine;
        r->section = ours ? ANYWHERE : FOREIGN;
        r->found = true;
        if (ours)
            fh_listing_machine(r->a, r->file, name.begin, name.end, machine);
        else
            fh_listing_foreign(r->a, r->file, name.begin, name.end);
        blank(p);
    } else if (starts(p, "Function : ") && r->section != FOREIGN) {
        struct piece name = word_of(skip(p, strlen("Function :")));
        r->section = CODE;
        r->kernel = kernel_of(r, name);
        r->function = r->found = true;
        replace(p, ".kernel", name);
    } else if (is_section(p)) {
        begin_section(r, p);
    } else {
        return false;
    }
    return true;
}

/* What stands in a code section beside the code: symbols, sizes, the kernel's own labels. */
static bool symbol_line(struct reader *r, struct piece p) {
    static const char *const nothing[] = {".align", ".global", ".weak",        ".type",
                                          ".size",  ".other",  ".sectionflags"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        size_t length = strlen(nothing[i]);
        if (starts(p, nothing[i]) && isspace((unsigned char)p.begin[length])) {
            blank(p);
            return true;
        }
    }
    if (starts(p, ".sectioninfo")) {
        static const char key[] = "SHI_REGISTERS=";
        char *at = find(p, key);
        if (at)
            r->kernel->registers =
                (uint32_t)data_value(r, (struct piece){at + sizeof key - 1, p.end});
        blank(p);
        return true;
    }
    size_t length = r->kernel->name_length;
    struct piece own = starts(p, ".text.") ? skip(p, 6) : p;
    if (p.end[-1] == ':' && (size_t)(own.end - own.begin) == length + 1 &&
        memcmp(own.begin, r->kernel->name, length) == 0) {
        blank(p);
        return true;
    }
    return false;
}

/* `line` without blanks at its ends; `next` is the line after it. */
static void code_line(struct reader *r, struct piece line, struct piece next) {
    struct fh_listing *l = r->listing;
    struct piece p = line;
    struct fh_listed listed = {.begin = (uint32_t)(line.begin - r->file->text),
                               .end = (uint32_t)(line.end - r->file->text)};
    unsigned digits;
    /* As the tools print it: no blanks, at least four digits. Other comments are only comments. */
    if (!starts(p, "/*") || p.end - p.begin < 8 || !isxdigit((unsigned char)p.begin[2]) ||
        !hex_comment(&p, &listed.address, &digits) || digits < 4 || p.begin == p.end)
        return;
    if (low_half(line, &listed.word.lo) && hex_comment(&next, &listed.word.hi, &digits))
        listed.has_word = digits == 16 && next.begin == next.end;
    r->found = true;
    if (fh_asm_grow(r->a, &l->lines, &l->line_capacity, l->line_count + 1, sizeof *l->lines))
        l->lines[l->line_count++] = listed;
}

/* Whether the line at `at` can say anything to read_line; most of a source that is no listing do
 * not. */
static bool may_matter(const struct reader *r, const char *at) {
    if (r->section != ANYWHERE || r->fatbin)
        return true;
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f' || *at == '\v')
        at++; /* the text ends with a NUL */
    switch (*at) {
    case '/': /* an address */
    case '.': /* .section, .headerflags, the end of a function */
    case 'F': /* Function, Fatbin */
    case 'c': /* code for */ return true;
    default: return false;
    }
}

static void read_line(struct reader *r, struct piece line, struct piece next) {
    if (line.begin == line.end) {
        r->fatbin = false;
        return;
    }
    if (starts(line, "//")) {
        if (r->section == INFO && find(line, "EIATTR_")) {
            end_attribute(r);
            r->attribute.open = true;
        }
        return;
    }
    if (frame_line(r, line))
        return;
    bool dots = line.end - line.begin > 4;
    for (char *c = line.begin; dots && c < line.end; c++)
        dots = *c == '.';
    if (dots && r->function) {
        blank(line);
        memcpy(line.begin, ".end", 4);
        r->function = false;
        r->section = ANYWHERE;
    } else if (dots || r->fatbin || r->section == FOREIGN) {
        blank(line);
    } else if (r->section == DATA || r->section == INFO) {
        data_line(r, line);
        blank(line);
    } else if (r->section == PROGRAM && starts(line, ".size") && find(line, "(")) {
        blank(line); /* nvdisasm's are differences of labels */
    } else if (r->section != CODE || r->function || !r->kernel || !symbol_line(r, line)) {
        code_line(r, line, next);
    }
}

struct fh_listing *fh_listing_read(struct fh_asm *a, struct fh_buffer *file) {
    struct fh_listing *listing = calloc(1, sizeof *listing);
    struct reader r = {.a = a, .file = file, .listing = listing};
    a->no_memory |= !listing;
    char *after, *end = file->text + file->length;
    for (uint32_t i = 0; i < file->lines.count && !a->no_memory; i++) {
        char *at = file->text + file->lines.offsets[i];
        if (at == end || !may_matter(&r, at))
            continue;
        struct piece line = line_at(file, at, &after), next = {end, end};
        if (after < end)
            next = line_at(file, after, &after);
        read_line(&r, line, next);
    }
    if (!a->no_memory)
        end_attribute(&r);
    fh_bytes_free(&r.attribute.payload);
    if (!a->no_memory && r.found)
        return listing;
    fh_listing_free(listing);
    return NULL;
}
