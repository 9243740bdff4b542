/*
 * elf64_test.c - ELF files of 64 bits by hand, as the System V ABI has them, and what is wrong with
 * some; what the writer makes is read again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h> /* the system's, which knows nothing of ours */

#include "elf64.h"
#include "elf64_writer.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A file of four sections: none, names, symbols, relocations. */
struct image {
    Elf64_Ehdr header;
    char names[32];
    Elf64_Sym symbols[3];
    Elf64_Rela rela[2];
    Elf64_Rel rel[1];
    Elf64_Shdr sections[5];
};

static struct image sound(void) {
    struct image m = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 0x33},
                   .e_type = ET_REL,
                   .e_machine = 190,
                   .e_flags = 0x12345678,
                   .e_shoff = offsetof(struct image, sections),
                   .e_shnum = 5,
                   .e_shstrndx = 1},
        .names = "\0.names\0.symtab\0.rela\0.rel\0f\0",
        .symbols = {{0},
                    {.st_name = 27,
                     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                     .st_other = 0x10,
                     .st_shndx = 3,
                     .st_value = UINT64_C(0x123456789abc),
                     .st_size = 32},
                    {.st_name = 500, .st_shndx = SHN_ABS}},
        .rela = {{16, ELF64_R_INFO(UINT64_C(7), 2), -4}, {32, ELF64_R_INFO(UINT64_C(1), 57), 8}},
        .rel = {{64, ELF64_R_INFO(UINT64_C(2), 1)}},
        .sections = {{0},
                     {.sh_name = 1,
                      .sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct image, names),
                      .sh_size = 32},
                     {.sh_name = 8,
                      .sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(struct image, symbols),
                      .sh_size = 3 * sizeof(Elf64_Sym),
                      .sh_link = 1,
                      .sh_addralign = 8},
                     {.sh_name = 16,
                      .sh_type = SHT_RELA,
                      .sh_offset = offsetof(struct image, rela),
                      .sh_size = 2 * sizeof(Elf64_Rela) + 5,
                      .sh_info = 2},
                     {.sh_name = 22,
                      .sh_type = SHT_REL,
                      .sh_offset = offsetof(struct image, rel),
                      .sh_size = sizeof(Elf64_Rel)}}};
    return m;
}

static enum fh_elf_problem read_image(const struct image *m, size_t length, struct fh_elf *elf,
                                      uint32_t *section) {
    assert_true(fh_elf_open(elf, (const uint8_t *)m, length));
    return fh_elf_read_sections(elf, section);
}

static void a_sound_file(void **state) {
    (void)state;
    struct image m = sound();
    struct fh_elf elf;
    struct fh_elf_symbol symbol;
    struct fh_elf_relocation e;
    uint32_t section;
    assert_int_equal(read_image(&m, sizeof m, &elf, &section), FH_ELF_FINE);
    assert_int_equal(elf.type, 1);
    assert_int_equal(elf.machine, 190);
    assert_int_equal(elf.flags, 0x12345678);
    assert_int_equal(elf.osabi, 0x33);
    assert_int_equal(elf.section_count, 5);
    assert_string_equal(elf.sections[2].name, ".symtab");
    assert_true(elf.sections[2].bytes == (const uint8_t *)m.symbols);
    assert_int_equal(elf.sections[2].alignment, 8);
    assert_true(fh_elf_symbol(&elf, &elf.sections[2], 1, &symbol));
    assert_string_equal(symbol.name, "f");
    assert_int_equal(symbol.binding, 1);
    assert_int_equal(symbol.type, 2);
    assert_int_equal(symbol.other, 0x10);
    assert_int_equal(symbol.section, 3);
    assert_true(symbol.value == UINT64_C(0x123456789abc) && symbol.size == 32);
    assert_true(fh_elf_symbol(&elf, &elf.sections[2], 2, &symbol));
    assert_string_equal(symbol.name, ""); /* outside of the table */
    assert_true(symbol.section == UINT32_MAX);
    assert_false(fh_elf_symbol(&elf, &elf.sections[2], 3, &symbol));
    assert_true(fh_elf_relocation(&elf.sections[3], 0, &e));
    assert_true(e.offset == 16 && e.symbol == 7 && e.type == 2 && e.has_addend);
    assert_true(e.addend == UINT64_MAX - 3);
    assert_true(fh_elf_relocation(&elf.sections[3], 1, &e));
    assert_false(fh_elf_relocation(&elf.sections[3], 2, &e)); /* five bytes are no entry */
    assert_true(fh_elf_relocation(&elf.sections[4], 0, &e));
    assert_true(e.offset == 64 && e.symbol == 2 && e.type == 1 && !e.has_addend && e.addend == 0);
    fh_elf_close(&elf);
}

static void headers_that_are_none(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{0, 0x7e}, {3, 'f'}, {4, ELFCLASS32}, {5, ELFDATA2MSB}, {6, 0}};
    struct fh_elf elf;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct image m = sound();
        m.header.e_ident[wrong[i].at] = wrong[i].value;
        assert_false(fh_elf_open(&elf, (const uint8_t *)&m, sizeof m));
    }
    struct image m = sound();
    for (size_t length = 0; length < sizeof m.header; length++)
        assert_false(fh_elf_open(&elf, (const uint8_t *)&m, length));
}

/* A change to a sound file, and what is said of it. */
struct change {
    void (*make)(struct image *m);
    enum fh_elf_problem problem;
    uint32_t section;
};
static void table_far_away(struct image *m) {
    m->header.e_shoff = UINT64_MAX - 63;
}
static void table_behind(struct image *m) {
    m->header.e_shoff += 1;
}
static void no_table(struct image *m) {
    m->header.e_shoff = m->header.e_shnum = 0;
}
static void many(struct image *m) {
    m->header.e_shnum = 0;
    m->sections[0].sh_size = UINT64_C(1) << 58;
}
static void names_nowhere(struct image *m) {
    m->header.e_shstrndx = 5;
}
static void names_no_table(struct image *m) {
    m->sections[1].sh_type = SHT_PROGBITS;
}
static void name_outside(struct image *m) {
    m->sections[3].sh_name = 32;
}
static void name_without_end(struct image *m) {
    m->sections[1].sh_size = 30;
    m->sections[4].sh_name = 29;
    m->names[29] = 'x';
}

static void tables_that_are_wrong(void **state) {
    (void)state;
    static const struct change changes[] = {
        {table_far_away, FH_ELF_CUT_OFF, 0}, {table_behind, FH_ELF_CUT_OFF, 0},
        {no_table, FH_ELF_NO_TABLE, 0},      {many, FH_ELF_CUT_OFF, 0},
        {names_nowhere, FH_ELF_NO_TABLE, 0}, {names_no_table, FH_ELF_NO_NAME, 1},
        {name_outside, FH_ELF_NO_NAME, 3},   {name_without_end, FH_ELF_NO_NAME, 4}};
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        struct image m = sound();
        struct fh_elf elf;
        uint32_t section;
        changes[i].make(&m);
        assert_int_equal(read_image(&m, sizeof m, &elf, &section), changes[i].problem);
        assert_int_equal(section, changes[i].section);
        fh_elf_close(&elf);
    }
}

/* What does not fit 16 bits stands in section 0. */
static void counts_of_section_0(void **state) {
    (void)state;
    struct image m = sound();
    struct fh_elf elf;
    uint32_t section;
    m.header.e_shnum = 0;
    m.header.e_shstrndx = SHN_XINDEX;
    m.sections[0].sh_size = 5;
    m.sections[0].sh_link = 1;
    assert_int_equal(read_image(&m, sizeof m, &elf, &section), FH_ELF_FINE);
    assert_int_equal(elf.section_count, 5);
    assert_string_equal(elf.sections[4].name, ".rel");
    fh_elf_close(&elf);
}

/* Bytes are there only if all of them are within the file. */
static void sections_outside(void **state) {
    (void)state;
    struct image m = sound();
    struct fh_elf elf;
    uint32_t section;
    struct fh_elf_relocation e;
    struct fh_elf_symbol symbol;
    m.sections[2].sh_offset = sizeof m - 8;
    m.sections[3].sh_offset = UINT64_MAX - 8;
    m.sections[4].sh_type = SHT_NOBITS;
    assert_int_equal(read_image(&m, sizeof m, &elf, &section), FH_ELF_FINE);
    for (unsigned i = 2; i <= 4; i++)
        assert_true(!elf.sections[i].bytes && elf.sections[i].size);
    assert_false(fh_elf_symbol(&elf, &elf.sections[2], 0, &symbol));
    assert_false(fh_elf_relocation(&elf.sections[3], 0, &e));
    fh_elf_close(&elf);
}

static void what_is_written_is_read(void **state) {
    (void)state;
    static const struct fh_elf_identity identity = {
        .osabi = 0x41, .abi_version = 8, .type = FH_ELF_EXEC_FILE, .machine = 190, .flags = 7};
    struct fh_elf_writer w;
    struct fh_bytes file = {0};
    assert_true(fh_elf_writer_new(&w, FH_ELF_FIRST_OWN + 3));
    unsigned code = fh_elf_add_section(&w, ".text.", "k", FH_SHT_PROGBITS, FH_SHF_ALLOC, 128);
    fh_bytes_put(&w.sections[code].content, "0123456789", 10);
    unsigned zeros = fh_elf_add_section(&w, "", ".bss", FH_SHT_NOBITS, FH_SHF_WRITE, 16);
    w.sections[zeros].size = 1000;
    unsigned rela = fh_elf_add_section(&w, ".rela", ".text.k", FH_SHT_RELA, 0, 8);
    const struct fh_elf_relocation e = {.offset = 4, .symbol = 2, .type = 57, .addend = 3};
    fh_elf_put_rela(&w.sections[rela].content, &e);
    const struct fh_elf_symbol local = {.type = FH_STT_SECTION, .section = code},
                               global = {.binding = FH_STB_GLOBAL,
                                         .type = FH_STT_FUNC,
                                         .section = code,
                                         .value = 2,
                                         .size = 8};
    fh_elf_add_symbol(&w, NULL, &local);
    fh_elf_locals_end(&w);
    fh_elf_add_symbol(&w, "k", &global);
    const struct fh_elf_segment segment = {code, zeros + 1, FH_PF_R};
    assert_true(fh_elf_write(&w, &identity, &segment, 1, &file));
    fh_elf_writer_free(&w);

    const Elf64_Ehdr *header = (const void *)file.data;
    const Elf64_Shdr *text = (const Elf64_Shdr *)(const void *)(file.data + header->e_shoff) + code;
    const Elf64_Phdr *loaded = (const Elf64_Phdr *)(const void *)(file.data + header->e_phoff) + 1;
    assert_int_equal(header->e_phnum, 3);
    assert_int_equal(text->sh_offset % 128, 0);
    assert_memory_equal(file.data + text->sh_offset, "0123456789", 10);
    assert_int_equal(loaded->p_type, PT_LOAD);
    assert_int_equal(loaded->p_offset, text->sh_offset);
    assert_int_equal(loaded->p_filesz, 10);
    assert_int_equal(loaded->p_memsz, 16 + 1000);

    struct fh_elf elf;
    struct fh_elf_symbol symbol;
    struct fh_elf_relocation back;
    uint32_t section;
    assert_true(fh_elf_open(&elf, file.data, file.count));
    assert_int_equal(fh_elf_read_sections(&elf, &section), FH_ELF_FINE);
    assert_int_equal(elf.section_count, FH_ELF_FIRST_OWN + 3);
    assert_string_equal(elf.sections[rela].name, ".rela.text.k");
    assert_int_equal(elf.sections[FH_ELF_SYMBOLS].info, 2);
    assert_true(fh_elf_symbol(&elf, &elf.sections[FH_ELF_SYMBOLS], 2, &symbol));
    assert_string_equal(symbol.name, "k");
    assert_true(symbol.section == code && symbol.value == 2 && symbol.size == 8);
    assert_true(fh_elf_relocation(&elf.sections[rela], 0, &back));
    assert_true(back.offset == 4 && back.symbol == 2 && back.type == 57 && back.addend == 3);
    fh_elf_close(&elf);
    fh_bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_file),          cmocka_unit_test(headers_that_are_none),
        cmocka_unit_test(tables_that_are_wrong), cmocka_unit_test(counts_of_section_0),
        cmocka_unit_test(sections_outside),      cmocka_unit_test(what_is_written_is_read),
    };
    return cmocka_run_group_tests_name("ELF files", tests, NULL, NULL);
}
