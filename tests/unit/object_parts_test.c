/*
 * object_parts_test.c - parts of objects and of what is read from them: segments, fields of
 * addresses, uses of variables, lines of compiled code.
 */
#include "asm_util.h"

#include "cubin.h"
#include "object_bytes.h"
#include "program.h"

/* The segment that holds a section: code and constants are loaded to be read and executed, shared
 * memory and variables to be written. */
static void segments_hold_their_sections(void **state) {
    (void)state;
    static const char text[] = ".kernel k\n.shared s, 512\n  MOV R2, 32@lo(v) ;\n  EXIT ;\n.end\n"
                               ".section .nv.global.init\nv: .word 1, 2, 3\n";
    struct said said = {0};
    fhec_program *p;
    uint8_t *bytes;
    size_t length;
    unsigned index, loaded = 0;
    assert_int_equal(assemble(text, &said, &p), FHEC_OK);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    const Elf64_Ehdr *header = (const void *)bytes;
    const Elf64_Phdr *segments = (const void *)(bytes + header->e_phoff);
    const Elf64_Shdr *code = find_section(bytes, ".text.k", &index);
    const Elf64_Shdr *constants = find_section(bytes, ".nv.constant0.k", &index);
    const Elf64_Shdr *variables = find_section(bytes, ".nv.global.init", &index);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *s = &segments[i];
        if (s->p_type != PT_LOAD || s->p_offset == header->e_phoff)
            continue;
        loaded++;
        const uint64_t end = s->p_offset + s->p_filesz;
        if (s->p_flags == (PF_R | PF_X)) {
            assert_true(s->p_offset <= code->sh_offset && code->sh_offset + code->sh_size <= end);
            assert_true(s->p_offset <= constants->sh_offset &&
                        constants->sh_offset + constants->sh_size <= end);
            assert_true(end <= variables->sh_offset);
        } else {
            assert_int_equal(s->p_flags, PF_R | PF_W);
            assert_int_equal(s->p_offset, variables->sh_offset);
            assert_int_equal(s->p_filesz, 12);
            assert_int_equal(s->p_memsz, 16 + 512); /* s has an alignment of 16 */
        }
    }
    assert_int_equal(loaded, 2);
    free(bytes);
    fhec_program_free(p);
}

/* Bit by bit: an absolute call has its target's address, in units of 4 bytes, in bits 80:34. */
static void addresses_fill_their_fields(void **state) {
    (void)state;
    static const uint64_t addresses[] = {0, UINT64_C(0x1fffffffffffc), UINT64_C(0x123456789abc),
                                         UINT64_C(0xedcba9876540), UINT64_C(0xfff00010)};
    for (unsigned i = 0; i < 2 * sizeof addresses / sizeof *addresses; i++) {
        const uint64_t address = addresses[i / 2], was = i % 2 ? UINT64_MAX : 0;
        fhec_word word = {was, was};
        uint8_t *bytes = (uint8_t *)&word;
        const struct fh_relocation call = {.field = FH_FIELD_CALL};
        fh_relocation_apply(&call, bytes + 4, address);
        for (unsigned bit = 0; bit < 128; bit++) {
            const uint64_t is = (bit < 64 ? word.lo : word.hi) >> bit % 64 & 1;
            const bool in = bit >= 34 && bit <= 80;
            assert_int_equal(is, in ? address >> (bit - 34 + 2) & 1 : was & 1);
        }
        const struct fh_relocation low = {.field = FH_FIELD_LOW}, high = {.field = FH_FIELD_HIGH};
        const struct fh_relocation whole = {.field = FH_FIELD_64};
        word = (fhec_word){was, was};
        fh_relocation_apply(&whole, bytes, ~address);
        assert_true(word.lo == ~address && word.hi == was);
        word = (fhec_word){was, was};
        fh_relocation_apply(&low, bytes + 4, address);
        assert_true(word.lo == (address << 32 | (was & UINT32_MAX)) && word.hi == was);
        fh_relocation_apply(&high, bytes + 4, address);
        assert_true(word.lo == (address >> 32 << 32 | (was & UINT32_MAX)) && word.hi == was);
    }
}

/* Where a kernel sees the address of a variable: in its own code, not in another's. */
static void uses_of_variables(void **state) {
    (void)state;
    static const char text[] = ".kernel k\n  NOP ;\n  MOV R2, 32@lo(v) ;\n  EXIT ;\n.end\n"
                               ".kernel l\n  MOV R2, 32@lo(v) ;\n  EXIT ;\n.end\n"
                               ".kernel none\n  EXIT ;\n.end\n"
                               ".section .nv.global\nu: .zero 8\nv: .zero 8\n";
    struct said said = {0};
    fhec_program *p;
    fhec_variable_use uses[4];
    assert_int_equal(assemble(text, &said, &p), FHEC_OK);
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        assert_int_equal(fhec_kernel_variable_uses(p, kernel, uses, 4), 1);
        assert_true(uses[0].in_code && !uses[0].shared);
        assert_int_equal(uses[0].word, kernel == 0 ? 1 : 0);
        assert_string_equal(p->variables[uses[0].variable].name, "v");
    }
    assert_int_equal(fhec_kernel_variable_uses(p, 2, uses, 4), 0);
    assert_int_equal(fhec_kernel_variable_uses(p, 3, uses, 4), 0);
    fhec_program_free(p);
}

/* The lines of tests/cuda/bits.O3.cubin, whose only unit is of DWARF 2, with the header of DWARF 4,
 * which has one byte more, behind the length of an instruction; they go behind all else. */
static size_t with_a_longer_header(uint8_t *bytes, size_t length) {
    unsigned index;
    enum { VERSION = 4, HEADER_LENGTH = 6, MIN_LENGTH = 10 };
    Elf64_Shdr *lines = (Elf64_Shdr *)(uintptr_t)find_section(bytes, ".debug_line", &index);
    const Elf64_Shdr *rel = find_section(bytes, ".rel.debug_line", &index);
    const uint8_t *was = bytes + lines->sh_offset;
    uint8_t *is = bytes + length;
    uint32_t unit, header;
    memcpy(&unit, was, sizeof unit);
    memcpy(&header, was + HEADER_LENGTH, sizeof header);
    assert_int_equal(unit + sizeof unit, lines->sh_size);
    assert_in_range(was[VERSION], 2, 3);
    memcpy(is, was, MIN_LENGTH + 1);
    is[MIN_LENGTH + 1] = 1; /* operations of an instruction */
    memcpy(is + MIN_LENGTH + 2, was + MIN_LENGTH + 1, lines->sh_size - MIN_LENGTH - 1);
    is[VERSION] = 4;
    memcpy(is, &(uint32_t){unit + 1}, sizeof unit);
    memcpy(is + HEADER_LENGTH, &(uint32_t){header + 1}, sizeof header);
    Elf64_Rel *address = (void *)(bytes + rel->sh_offset);
    for (size_t i = 0; i < rel->sh_size / sizeof *address; i++)
        address[i].r_offset++;
    lines->sh_offset = length;
    lines->sh_size++;
    return length + lines->sh_size;
}

/* Of DWARF 5, which has another header again, no line is taken. */
static void lines_of_each_version(void **state) {
    (void)state;
    FILE *file = fopen("tests/cuda/bits.O3.cubin", "rb");
    assert_non_null(file);
    static uint8_t bytes[1 << 20];
    size_t length = fread(bytes, 1, sizeof bytes / 2, file);
    fclose(file);
    uint32_t line = 0;
    char name[256] = "";
    unsigned index;
    for (unsigned version = 2; version <= 5; version++) {
        struct said said = {0};
        fhec_program *p;
        if (version == 4)
            length = with_a_longer_header(bytes, length);
        bytes[find_section(bytes, ".debug_line", &index)->sh_offset + 4] = (uint8_t)version;
        assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &p), FHEC_OK);
        const fhec_location at = fhec_kernel_location(p, 0, 0);
        assert_int_equal(at.file != NULL, version < 5);
        if (version == 2)
            line = at.line;
        if (version < 5) {
            assert_int_equal(at.line, line);
            assert_string_equal(at.file + strlen(at.file) - strlen("bits.cu"), "bits.cu");
            if (version == 2)
                snprintf(name, sizeof name, "%s", at.file);
            assert_string_equal(at.file, name);
        }
        fhec_program_free(p);
    }
}

/* ---------------------------------------------------------------- sections in another order */

static uint32_t other_index(uint32_t index, uint32_t a, uint32_t b) {
    return index == a ? b : index == b ? a : index;
}

/* Sections a and b in each other's place of the table. */
static void swap_sections(uint8_t *bytes, uint32_t a, uint32_t b) {
    Elf64_Ehdr *header = (void *)bytes;
    Elf64_Shdr *sections = (void *)(bytes + header->e_shoff);
    const Elf64_Shdr was = sections[a];
    sections[a] = sections[b];
    sections[b] = was;
    header->e_shstrndx = (Elf64_Half)other_index(header->e_shstrndx, a, b);
    for (unsigned i = 1; i < header->e_shnum; i++) {
        Elf64_Shdr *s = &sections[i];
        s->sh_link = other_index(s->sh_link, a, b);
        if (s->sh_type == SHT_REL || s->sh_type == SHT_RELA || s->sh_type == SHT_NOBITS)
            s->sh_info = other_index(s->sh_info, a, b);
        Elf64_Sym *symbols = (void *)(bytes + s->sh_offset);
        for (size_t k = 0; s->sh_type == SHT_SYMTAB && k < s->sh_size / sizeof *symbols; k++)
            symbols[k].st_shndx = (Elf64_Section)other_index(symbols[k].st_shndx, a, b);
    }
}

/* The table of symbols may be any section, the first one too. */
static void symbols_come_first(void **state) {
    (void)state;
    struct said said = {0};
    fhec_program *p;
    uint8_t *bytes;
    size_t length;
    unsigned index = 0;
    assert_int_equal(assemble(".kernel k\n  CALL.ABS.NOINC f ;\n  EXIT ;\n.end\n"
                              ".function f\n  RET.ABS.NODEC R20 0x0 ;\n.end\n",
                              &said, &p),
                     FHEC_OK);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    fhec_program_free(p);
    (void)find_section(bytes, ".symtab", &index);
    assert_true(index > 1);
    swap_sections(bytes, 1, index);
    (void)find_section(bytes, ".symtab", &index);
    assert_int_equal(index, 1);
    assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &p), FHEC_OK);
    assert_int_equal(said.count, 0);
    assert_int_equal(p->kernel_count, 1);
    assert_int_equal(p->function_count, 1);
    assert_int_equal(p->relocation_count, 1);
    fhec_program_free(p);
    free(bytes);
}

/* ---------------------------------------------------------------- versions */

/* .fhec.info has the least version that can say all, and all comes back. */
static void versions_of_notes(void **state) {
    static const struct {
        const char *shared, *line;
        uint32_t version, count;
        fhec_contract contract;
    } all[] = {
        {"", "", FH_INFO_PLAIN, 0, FHEC_CONTRACT_OPERAND},
        {"", ".expect R4 = 5\n", FH_INFO_EXPECTATIONS, 1, FHEC_CONTRACT_OPERAND},
        {".shared s, 16\n", "", FH_INFO_SHARED, 0, FHEC_CONTRACT_OPERAND},
        {".shared s, 16\n", ".expect R4 = 5\n", FH_INFO_SHARED, 1, FHEC_CONTRACT_OPERAND},
        {"", ".expect R4 = 5 mod 7\n", FH_INFO_CONTRACTS, 1, FHEC_CONTRACT_EXPECT},
        {".shared s, 16\n", ".let v = R4\n", FH_INFO_CONTRACTS, 1, FHEC_CONTRACT_LET},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct said said = {0};
        fhec_program *p;
        fhec_expectation e;
        uint8_t *bytes;
        size_t length;
        unsigned index = 0;
        uint32_t version;
        char text[256];
        snprintf(text, sizeof text, ".target sm_80\n.kernel k\n%s%s  EXIT ;\n.end\n", all[i].shared,
                 all[i].line);
        assert_int_equal(assemble(text, &said, &p), FHEC_OK);
        assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
        fhec_program_free(p);
        const uint8_t *info = bytes + find_section(bytes, ".fhec.info", &index)->sh_offset;
        assert_memory_equal(info, "fhec", 4);
        memcpy(&version, info + 4, sizeof version);
        assert_int_equal(version, all[i].version);
        assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &p), FHEC_OK);
        assert_int_equal(p->expectation_count, all[i].count);
        if (all[i].count) {
            assert_true(fhec_kernel_expectation(p, 0, 0, &e));
            assert_int_equal(e.contract, all[i].contract);
        }
        fhec_program_free(p);
        free(bytes);
    }
}

/* ---------------------------------------------------------------- limits */

/* As many kernels as there may be, and one more: a bank of constants, which becomes code. */
static void most_kernels(void **state) {
    (void)state;
    static char text[FH_MAX_KERNELS * 40];
    struct said said = {0};
    fhec_program *p;
    uint8_t *bytes;
    size_t length, used = 0;
    unsigned index = 0;
    for (unsigned i = 0; i < FH_MAX_KERNELS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ".kernel k%u\nEXIT ;\n.end\n", i);
    assert_int_equal(assemble(text, &said, &p), FHEC_OK);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    fhec_program_free(p);
    assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &p), FHEC_OK);
    assert_int_equal(p->kernel_count, FH_MAX_KERNELS);
    fhec_program_free(p);
    const Elf64_Ehdr *header = (const void *)bytes;
    Elf64_Shdr *sections = (void *)(bytes + header->e_shoff);
    (void)find_section(bytes, ".nv.constant0.k0", &index);
    char *name = (char *)bytes + sections[header->e_shstrndx].sh_offset + sections[index].sh_name;
    memcpy(name, ".text.one_more", sizeof ".text.one_more");
    sections[index].sh_flags |= SHF_EXECINSTR;
    sections[index].sh_size = 16;
    refuse(bytes, length, "O007", "more than 4096 kernels");
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_hold_their_sections),
        cmocka_unit_test(addresses_fill_their_fields),
        cmocka_unit_test(uses_of_variables),
        cmocka_unit_test(lines_of_each_version),
        cmocka_unit_test(symbols_come_first),
        cmocka_unit_test(versions_of_notes),
        cmocka_unit_test(most_kernels),
    };
    return cmocka_run_group_tests_name("parts of objects", tests, NULL, NULL);
}
