/*
 * object_damage_test.c - an object in which one number is another one: what is said of it, and
 * what is still fine. The object is that of tests/outcome/object_parts.sass, whose .out shows all
 * of its bytes.
 */
#include "asm_util.h"

#include "object_bytes.h"

enum { HEADER = 1 << 20 }; /* added to an offset: in the section's header, not in its bytes */
enum { TYPE = HEADER + 4, FILE_OFFSET = HEADER + 24, SIZE = HEADER + 32, ALIGN = HEADER + 48 };

struct damage {
    const char *section; /* NULL: of the file */
    uint32_t at, bytes;
    uint64_t value;
    const char *said; /* NULL: nothing */
};

static uint8_t *object;
static size_t object_length;

static void write_object(const char *text) {
    static struct said said;
    fhec_program *p;
    assert_int_equal(assemble(text, &said, &p), FHEC_OK);
    assert_int_equal(fhec_program_write(p, &object, &object_length), FHEC_OK);
    fhec_program_free(p);
}

static int make_object(void **state) {
    static char text[1 << 14];
    (void)state;
    FILE *file = fopen("tests/outcome/object_parts.sass", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    write_object(text);
    return 0;
}

static int free_object(void **state) {
    (void)state;
    free(object);
    return 0;
}

static void put(uint8_t *bytes, const struct damage *d) {
    unsigned index;
    uint64_t at = d->at;
    if (d->section) {
        const Elf64_Shdr *s = find_section(bytes, d->section, &index);
        at = d->at >= HEADER ? (uint64_t)((const uint8_t *)s - bytes) + d->at - HEADER
                             : s->sh_offset + d->at;
    }
    assert_true(at + d->bytes <= object_length);
    memcpy(bytes + at, &d->value, d->bytes);
}

/* Whether that is said; that vprintf is in no object always is. */
static bool is_said(const struct damage *d) {
    static struct said said;
    char got[1024] = "";
    uint8_t *bytes = malloc(object_length);
    fhec_program *p;
    assert_non_null(bytes);
    memcpy(bytes, object, object_length);
    put(bytes, d);
    said.count = 0;
    const fhec_status status = fhec_program_read("x", bytes, object_length, hear, &said, &p);
    assert_int_equal(status, p ? FHEC_OK : FHEC_BAD_INPUT);
    if (p) { /* what its text cannot say */
        char *text;
        size_t length;
        (void)fhec_disassemble_program(p, FHEC_DIS_PARTIAL, hear, &said, &text, &length);
        free(text);
    }
    for (size_t i = 0; i < said.count; i++) {
        if (*said.d[i].file)
            assert_string_equal(said.d[i].file, "x");
        if (strcmp(said.d[i].id, "O102") != 0)
            (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s %s", said.d[i].id,
                           said.d[i].message);
    }
    fhec_program_free(p);
    free(bytes);
    const bool same = strcmp(got, d->said ? d->said : "") == 0;
    if (!same)
        print_message("%s, 0x%x = 0x%llx\n  is:     %s\n  wanted: %s\n",
                      d->section ? d->section : "file", d->at, (unsigned long long)d->value, got,
                      d->said ? d->said : "");
    return same;
}

#define EACH(list)                                                                                 \
    bool good = true;                                                                              \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                     \
        good &= is_said(&(list)[i]);                                                               \
    assert_true(good)

#define SECTION  "O004 a section cannot be read: "
#define CODE     "O005 the code of a kernel cannot be used: "
#define INFO     "O006 a section of information is malformed: "
#define LIMIT    "O007 the object asks for more than there can be: "
#define RELOCATE "O009 an address cannot be filled in: "
#define NOTES    INFO ".fhec.info"

static void headers(void **state) {
    static const struct damage all[] = {
        {NULL, 0, 1, 0x7e, "O001 this is no ELF file of 64 bits: it does not begin like one"},
        {NULL, 4, 1, 1, "O001 this is no ELF file of 64 bits: it has no such header"},
        {NULL, 5, 1, 2, "O001 this is no ELF file of 64 bits: it has no such header"},
        {NULL, 18, 2, 62,
         "O002 this is no object for a CUDA device: its machine is 62, not 190 (nor does it hold "
         "objects for a GPU)"},
        {NULL, 49, 1, 90, "O003 the object is for sm_90; fhec reads those for sm_80, 86, 87, 89"},
        {NULL, 49, 1, 75, "O003 the object is for sm_75; fhec reads those for sm_80, 86, 87, 89"},
        {NULL, 49, 1, 80, INFO "f is for sm_86, fhec, and the object for sm_80"},
        {NULL, 48, 1, 80, NULL}, /* looked at in older objects only */
        {NULL, 7, 1, 0x33, "O003 the object is for sm_4; fhec reads those for sm_80, 86, 87, 89"},
        {NULL, 16, 2, 1, NULL},
        {NULL, 16, 2, 3, "O010 the object is not linked: its type is 3"},
        {NULL, 16, 2, 0, "O010 the object is not linked: its type is 0"},
        {NULL, 60, 2, 0, SECTION "there is no table of sections"},
        {NULL, 62, 2, 24, SECTION "there is no table of sections"},
    };
    (void)state;
    EACH(all);
}

static void sections(void **state) {
    static const struct damage all[] = {
        {".text.first", SIZE, 8, 0,
         CODE ".text.first has 0 bytes, which is no number of instructions"},
        {".text.first", SIZE, 8, 225,
         CODE ".text.first has 225 bytes, which is no number of instructions"},
        {".text.first", SIZE, 8, 16ull * 0x10000000,
         CODE ".text.first has 4294967296 bytes, which is no number of instructions"},
        {".text.first", FILE_OFFSET, 8, 1 << 30, SECTION ".text.first has no bytes in the file"},
        {".text.first", HEADER, 4, 1 << 20, SECTION "section 15 has no name"},
        {".nv.constant3", SIZE, 8, 65537, LIMIT ".nv.constant3 has 65537 bytes"},
        {".nv.constant3", SIZE, 8, 65536, SECTION ".nv.constant3 has no bytes in the file"},
        {".nv.constant3", SIZE, 8, 16, NULL},
        {".nv.constant3", FILE_OFFSET, 8, 1 << 30,
         SECTION ".nv.constant3 has no bytes in the file"},
        {".nv.global", SIZE, 8, 0x40000001, LIMIT ".nv.global has 1073741825 bytes"},
        {".nv.global", SIZE, 8, 0x40000000, NULL},
        {".nv.global", SIZE, 8, 19, SECTION "the variable other is not in its section"},
        {".nv.global", ALIGN, 8, 3, NULL},
        {".nv.global.init", SIZE, 8, 26, SECTION "the variable name is not in its section"},
        {".nv.global.init", FILE_OFFSET, 8, 1 << 30,
         SECTION ".nv.global.init has no bytes in the file"},
        {".nv.shared.first", SIZE, 8, 1048577, LIMIT ".nv.shared.first has 1048577 bytes"},
        {".nv.shared.first", SIZE, 8, 1048576, NULL},
        {".nv.shared.first", SIZE, 8, 72, NULL},
        {".nv.shared.first", SIZE, 8, 71, NOTES}, /* t is behind it */
        {".fhec.info", SIZE, 8, 421, NOTES},
        {".fhec.info", SIZE, 8, 423, NOTES},
        {".fhec.info", FILE_OFFSET, 8, 1 << 30, SECTION ".fhec.info has no bytes in the file"},
        {".symtab", FILE_OFFSET, 8, 1 << 30, SECTION ".symtab has no bytes in the file"},
        {".nv.info", FILE_OFFSET, 8, 1 << 30, SECTION ".nv.info has no bytes in the file"},
        {".rela.text.first", FILE_OFFSET, 8, 1 << 30,
         SECTION ".rela.text.first has no bytes in the file"},
    };
    (void)state;
    EACH(all);
}

static void records(void **state) {
    static const struct damage all[] = {
        {".nv.info.first", 2, 2, 0xffff, INFO ".nv.info.first is cut off"},
        {".nv.info.first", 16, 2, 0x15c, INFO "the parameters of first begin at 0x15c"},
        {".nv.info.first", 16, 2, 0x161, INFO "the parameters of first begin at 0x161"},
        {".nv.info.first", 16, 2, 0x164, NULL},
        {".nv.info.first", 22, 2, 40, NULL},
        {".nv.info.first", 22, 2, 39, INFO "first has 39 bytes of parameters, but one ends at 40"},
        {".nv.info.first", 22, 2, 39196, NULL},
        {".nv.info.first", 22, 2, 39197,
         INFO "first has 39197 bytes of parameters, but one ends at 40"},
        {".nv.info.first", 32, 2, 3, NOTES},
        {".nv.info.first", 32, 2, 39196, INFO "a parameter of first"},
        {".nv.info.first", 34, 2, 39196 - 24,
         INFO "first has 48 bytes of parameters, but one ends "
              "at 39196"},
        {".nv.info.first", 34, 2, 39196 - 23, INFO "a parameter of first"},
        {".nv.info.first", 36, 4, 0x3ffff, INFO "a parameter of first"}, /* no bytes */
        {".nv.info.first", 36, 4, 0xffffffff,
         INFO "parameter 2 of first ends at 16399, behind 4352"},
        {".nv.info.first", 26, 2, 11, INFO "a parameter of first"},
        {".nv.info.first", 78, 1, 16, NULL},
        {".nv.info.first", 78, 1, 17, LIMIT "first has 17 barriers"},
        {".nv.info.first", 96, 4, 2000, NULL},
        {".nv.info.first", 110, 2, 3, INFO ".nv.info.first is cut off"},
        {".nv.info.first", 110, 2, 5, INFO ".nv.info.first is cut off"},
        {".nv.info", 10, 2, 7, INFO ".nv.info is cut off"},
        {".nv.info", 12, 4, 99, NULL},
        {".nv.info", 16, 4, 0, NULL}, /* as many as f has */
        {".nv.info", 16, 4, 255, NULL},
        {".nv.info", 16, 4, 256, INFO "first has 256 registers"},
        {".nv.info", 28, 4, 524288, NULL},
        {".nv.info", 28, 4, 524289, LIMIT "first has 524289 bytes of local memory"},
        {".nv.info", 100, 4, 524289, LIMIT "f has 524289 bytes of local memory"},
    };
    (void)state;
    EACH(all);
}

/* Symbol `n`, of 24 bytes: name, info, other, section, value, size. */
#define SYMBOL(n, field) ".symtab", 24 * (n) + (field)

static void symbols(void **state) {
    static const struct damage all[] = {
        {SYMBOL(12, 16), 8, 27, NULL},
        {SYMBOL(12, 16), 8, 28, SECTION "the variable here is not in its section"},
        {SYMBOL(12, 8), 8, 28, SECTION "the variable here is not in its section"},
        {SYMBOL(12, 8), 8, 3, "O011 the variable here begins within an address"},
        {SYMBOL(13, 8), 8, 7, "O011 the variable name begins within an address"},
        {SYMBOL(13, 8), 8, 8, NULL},
        {SYMBOL(13, 8), 8, 25, SECTION "the variable name is not in its section"},
        {SYMBOL(6, 8), 8, 33, NULL},
        {SYMBOL(6, 8), 8, 64, NULL},
        {SYMBOL(6, 16), 8, 64, NULL},
        {SYMBOL(14, 0), 4, 0, RELOCATE "a symbol that is defined nowhere has no name"},
        {SYMBOL(9, 6), 2, 0, NOTES}, /* f is no function then, but a kernel */
        {SYMBOL(10, 6), 2, 12,
         RELOCATE ".rela.text.first asks for the address of `counter`, which has none"},
    };
    (void)state;
    EACH(all);
}

/* The name of the variable `name`, of 4 letters, becomes another one. */
static void names(void **state) {
    static const struct {
        const char *name;
        const char *problem; /* NULL: it is a name */
    } all[] = {{"R5\0\0", "machine's"}, {"UR3", "machine's"},
               {"PT\0\0", "machine's"}, {"UPT", "machine's"},
               {"RZ\0\0", "machine's"}, {"URZ", "machine's"},
               {"P6\0\0", "machine's"}, {"UP1", "machine's"},
               {"B3\0\0", "machine's"}, {"SB0", "machine's"},
               {"cx\0\0", "machine's"}, {"desc", "machine's"},
               {"R5.x", "machine's"},   {"c\0\0\0", "machine's"},
               {"R999", "machine's"},   {"RX\0\0", NULL},
               {"R\0\0\0", NULL},       {"cy\0\0", NULL},
               {"desk", NULL},          {".R5", NULL},
               {"_$.5", NULL},          {"5x\0\0", "none"},
               {"a-b", "none"},         {"a\"b", "none"}};
    bool good = true;
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char said[128];
        uint32_t letters;
        memcpy(&letters, all[i].name, 4);
        const bool none = all[i].problem && *all[i].problem == 'n';
        (void)snprintf(said, sizeof said,
                       none ? "O011 `%.4s` cannot be a name in a source"
                            : "O011 `%.4s` is the machine's own name and cannot be one in a source",
                       all[i].name);
        const struct damage d = {".strtab", 37, 4, letters, all[i].problem ? said : NULL};
        good &= is_said(&d);
    }
    assert_true(good);
}

/* Entry `n` of a section of relocations: offset, type, symbol, addend. */
#define ENTRY(section, n, field) section, 24 * (n) + (field)

static void relocations(void **state) {
    static const struct damage all[] = {
        {ENTRY(".rela.text.first", 0, 8), 4, 99,
         RELOCATE ".rela.text.first has a relocation of type 99"},
        {ENTRY(".rela.text.first", 0, 8), 4, 1,
         RELOCATE ".rela.text.first has a relocation of type 1"},
        {ENTRY(".rela.text.first", 0, 8), 4, 0, NULL},
        {ENTRY(".rela.text.first", 0, 8), 4, 61, NULL},
        {ENTRY(".rela.text.first", 0, 12), 4, 15,
         RELOCATE "a symbol of .rela.text.first is missing"},
        {ENTRY(".rela.text.first", 0, 0), 8, 113,
         RELOCATE ".rela.text.first has none of its bytes at 0x71"},
        {ENTRY(".rela.text.first", 0, 0), 8, 224,
         RELOCATE ".rela.text.first has none of its bytes at 0xe0"},
        {ENTRY(".rela.text.first", 0, 0), 8, 208,
         "O011 first, address 0xd0: an address in a word that is no instruction"},
        {ENTRY(".rela.text.first", 0, 0), 8, 96, NULL},
        {ENTRY(".rela.text.first", 0, 0), 8, UINT64_MAX,
         RELOCATE ".rela.text.first has none of its bytes at 0xffffffffffffffff"},
        {ENTRY(".rela.text.first", 3, 8), 4, 58,
         RELOCATE "the address of a variable in .rela.text.first"},
        {ENTRY(".rela.text.first", 3, 12), 4, 1,
         RELOCATE ".rela.text.first asks for the address of ``, which has none"},
        {ENTRY(".rela.nv.global.init", 0, 8), 4, 56,
         RELOCATE ".rela.nv.global.init has a relocation of type 56"},
        {ENTRY(".rela.nv.global.init", 0, 8), 4, 71, NULL},
        {ENTRY(".rela.nv.global.init", 0, 0), 8, 19, NULL},
        {ENTRY(".rela.nv.global.init", 0, 0), 8, 20,
         RELOCATE ".rela.nv.global.init has none of its bytes at 0x14"},
        {ENTRY(".rela.nv.constant4", 0, 0), 8, 9,
         RELOCATE ".rela.nv.constant4 has none of its bytes at 0x9"},
    };
    (void)state;
    EACH(all);
}

/* Offsets are 11 less than object_parts.out shows, whose file has a longer name. */
static void notes(void **state) {
    static const struct damage all[] = {
        {".fhec.info", 0, 1, 'x', NOTES},
        {".fhec.info", 4, 4, 1, INFO ".fhec.info is of version 1, not 2 to 6"},
        {".fhec.info", 4, 4, 7, INFO ".fhec.info is of version 7, not 2 to 6"},
        {".fhec.info", 8, 4, 1, NOTES},
        {".fhec.info", 8, 4, 0xffffffff, NOTES},
        {".fhec.info", 12, 4, 0xffffffff, NOTES},
        {".fhec.info", 16, 1, 0, NOTES},     /* a NUL in a file's name */
        {".fhec.info", 0x2a, 4, 1, NOTES},   /* kernels */
        {".fhec.info", 0x32, 1, 'g', NOTES}, /* no kernel `girst` */
        {".fhec.info", 0x3b, 1, 'x', INFO "first is for xm_86, fhec, and the object for sm_86"},
        {".fhec.info", 0x3b, 1, 0, NOTES},
        {".fhec.info", 0x46, 4, 2, NOTES}, /* parameters */
        {".fhec.info", 0x46, 4, 4, NOTES},
        {".fhec.info", 0x5d, 4, 13, NOTES}, /* words */
        {".fhec.info", 0x5d, 4, 15, NOTES},
        {".fhec.info", 0x10a, 4, 2, NOTES}, /* expectations */
        {".fhec.info", 0x10e, 4, 1, NOTES}, /* of a kernel behind that of the next */
        {".fhec.info", 0x10e, 4, 9, NOTES},
        {".fhec.info", 0x112, 4, 0, NULL}, /* words: the next is of 7 */
        {".fhec.info", 0x112, 4, 6, NULL},
        {".fhec.info", 0x112, 4, 8, NOTES},
        {".fhec.info", 0x112, 4, 14, NOTES},
        {".fhec.info", 0x116, 4, 4, NOTES}, /* enum fhec_contract */
        {".fhec.info", 0x116, 4, 1, NULL},
        {".fhec.info", 0x121, 1, '?',
         INFO ".fhec.info: the expectation `R4 ? 5`: =, < or <= stands behind the operand or "
              "register"},
    };
    (void)state;
    EACH(all);
}

/* Of another object: a macro, then a repetition. From 0x23 and from 0x2a on differences of file,
 * line, column, length, expansion, kind and number, a byte each. */
static void expansions(void **state) {
    static const char text[] =
        ".macro M\nNOP ;\n.endm\n.kernel k\n M\n.rept 1\nEXIT ;\n.endr\n.end\n";
    static const struct damage all[] = {
        {".fhec.info", 0x23, 1, 0, NULL},
        {".fhec.info", 0x23, 1, 1, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x24, 1, 0, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x24, 1, 9, NULL},
        {".fhec.info", 0x27, 1, 1, INFO ".fhec.info: a line stands in expansion 1, of 0"},
        {".fhec.info", 0x28, 1, 1, NULL}, /* an include, and .irp */
        {".fhec.info", 0x28, 1, 2, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x28, 1, 3, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x28, 1, 4, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x29, 1, 1, INFO ".fhec.info: expansion 1 makes no sense"},
        {".fhec.info", 0x2b, 1, 0x7b, INFO ".fhec.info: expansion 2 makes no sense"}, /* line 0 */
        {".fhec.info", 0x2e, 1, 1, NULL},
        {".fhec.info", 0x2e, 1, 2, INFO ".fhec.info: a line stands in expansion 2, of 1"},
        {".fhec.info", 0x2f, 1, 3, NULL},
        {".fhec.info", 0x2f, 1, 4, INFO ".fhec.info: expansion 2 makes no sense"},
        {".fhec.info", 0x30, 1, 0, INFO ".fhec.info: expansion 2 makes no sense"},
        {".fhec.info", 0x30, 1, 0x3f, NULL},
        {".fhec.info", 0x1e, 1, ' ', INFO ".fhec.info: macro 1 has no name"},
        {".fhec.info", 0x16, 4, 0x7fffffff, NOTES},
        {".fhec.info", 0x1f, 4, 9999, NOTES},
    };
    uint8_t *other = object;
    const size_t length = object_length;
    (void)state;
    write_object(text);
    unsigned index;
    static const uint8_t steps[] = {0, 5, 2, 1, 0, 0, 0, 0, 1, 0x7f, 6, 0, 2, 1};
    assert_memory_equal(object + find_section(object, ".fhec.info", &index)->sh_offset + 0x23,
                        steps, sizeof steps);
    EACH(all);
    free(object);
    object = other;
    object_length = length;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers), cmocka_unit_test(sections),   cmocka_unit_test(records),
        cmocka_unit_test(symbols), cmocka_unit_test(names),      cmocka_unit_test(relocations),
        cmocka_unit_test(notes),   cmocka_unit_test(expansions),
    };
    return cmocka_run_group_tests(tests, make_object, free_object);
}
