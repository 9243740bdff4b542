/*
 * object_test.c - programs as object files: what is written reads back the same, the ELF frame is
 * what the layout says, and bytes that are damaged in any way end in a diagnostic, never in a
 * crash or a program that does not hold together.
 */
#include "asm_util.h"

#include <inttypes.h>

#include "cubin.h"
#include "object_bytes.h"
#include "object_util.h"

static const char source[] = ".target sm_80, fhec, gme\n"
                             ".test run grid=2 block=32\n"
                             ".constant table\n"
                             "  .word 0x11223344, -2\n"
                             ".kernel first\n"
                             ".param out, 8\n"
                             ".param n, 4\n"
                             ".shared buffer, 1000\n"
                             ".local 24\n"
                             ".constant own\n"
                             "  .dword 0x0102030405060708\n"
                             "  STS [R3+buffer+4], R4 ;\n"
                             "  MOV R77, table[4] ;\n"
                             "  MOV R2, own ;\n"
                             "  BAR.SYNC 0x3 ;\n"
                             "  MODADD.U32 R4, R5, R6, R7 ;\n"
                             "  @P0 EXIT ;\n"
                             "  EXIT ;\n"
                             ".end\n"
                             ".target sm_80\n"
                             ".kernel second\n"
                             ".param only, 16\n"
                             ".constant hers\n"
                             "  .dword 5\n"
                             "  MOV R2, hers ;\n"
                             "  EXIT ;\n"
                             ".end\n"
                             ".test expect out=none\n";

static fhec_program *assembled(void) {
    static struct said said;
    said.count = 0;
    fhec_program *program;
    fhec_status status = assemble(source, &said, &program);
    if (status != FHEC_OK)
        fail_msg("%s %s", said.d[0].id, said.d[0].message);
    return program;
}

static void same_origin(const struct fh_origin *a, const struct fh_origin *b) {
    assert_memory_equal(a, b, sizeof *a);
}

/* Banks that no kernel has to itself are read as the program's. */
static const struct fh_constant_bank *bank_of(const fhec_program *p, const struct fh_kernel *k,
                                              unsigned bank) {
    for (uint32_t i = 0; i < k->bank_count; i++)
        if (k->banks[i].bank == bank)
            return &k->banks[i];
    for (uint32_t i = 0; i < p->bank_count; i++)
        if (p->banks[i].bank == bank)
            return &p->banks[i];
    return NULL;
}

static void same_kernel(const struct fh_kernel *a, const fhec_program *p,
                        const struct fh_kernel *b) {
    same_resources(a, b);
    same_shared(a, b);
    assert_string_equal(a->target, b->target);
    assert_int_equal(a->word_count, b->word_count);
    assert_memory_equal(a->words, b->words, a->word_count * sizeof *a->words);
    for (uint32_t w = 0; w < a->word_count; w++)
        same_origin(&a->origins[w], &b->origins[w]);
    assert_int_equal(a->bank_count, b->bank_count + p->bank_count);
    for (uint32_t i = 0; i < a->bank_count; i++) { /* in any order */
        const struct fh_constant_bank *x = &a->banks[i], *y = bank_of(p, b, x->bank);
        assert_non_null(y);
        assert_int_equal(x->size, y->size);
        assert_memory_equal(x->bytes, y->bytes, x->size);
    }
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    fhec_program *a = assembled(), *b = NULL;
    uint8_t *bytes;
    size_t length;
    struct said said = {0};
    assert_int_equal(fhec_program_write(a, &bytes, &length), FHEC_OK);
    fhec_status status = fhec_program_read("t.cubin", bytes, length, hear, &said, &b);
    if (status != FHEC_OK)
        fail_msg("%s: %s", said.d[0].id, said.d[0].message);
    assert_int_equal(a->file_count, b->file_count);
    assert_string_equal(a->files[0], b->files[0]);
    assert_int_equal(a->kernel_count, 2);
    assert_int_equal(b->kernel_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        same_kernel(&a->kernels[i], b, &b->kernels[i]);
    assert_int_equal(a->test_count, 2);
    assert_int_equal(b->test_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(a->tests[i].text, b->tests[i].text);
        same_origin(&a->tests[i].origin, &b->tests[i].origin);
    }
    fhec_program_free(a);
    fhec_program_free(b);
    free(bytes);
}

/* Literals from the source above, by hand. */
static void the_kernel_is_what_its_source_says(void **state) {
    (void)state;
    fhec_program *p = assembled();
    fhec_kernel_info info;
    size_t index;
    assert_int_equal(fhec_kernel_count(p), 2);
    assert_int_equal(fhec_kernel_find(p, "second", &index), FHEC_OK);
    assert_int_equal(index, 1);
    assert_int_equal(fhec_kernel_find(p, "third", &index), FHEC_BAD_INPUT);
    assert_int_equal(fhec_kernel_get(p, 2, &info), FHEC_BAD_INPUT);
    assert_int_equal(fhec_kernel_get(p, 0, &info), FHEC_OK);
    assert_string_equal(info.target, "sm_80, fhec, gme");
    assert_int_equal(info.registers, 78);
    assert_int_equal(info.shared_bytes, 1000);
    assert_int_equal(info.local_bytes, 24);
    assert_int_equal(info.param_bytes, 12);
    assert_string_equal(info.params[1].name, "n");
    assert_int_equal(info.params[1].offset, 8);
    assert_int_equal(info.params[1].size, 4);
    const struct fh_kernel *k = &p->kernels[0];
    assert_int_equal(k->barriers, 4);
    assert_int_equal(k->bank_count, 2);
    assert_int_equal(k->banks[0].bank, 2);
    assert_memory_equal(k->banks[0].bytes, "\x08\x07\x06\x05\x04\x03\x02\x01", 8);
    assert_int_equal(k->banks[1].bank, 3);
    assert_memory_equal(k->banks[1].bytes, "\x44\x33\x22\x11\xfe\xff\xff\xff", 8);
    fhec_location at = fhec_kernel_location(p, 0, 3);
    assert_string_equal(at.file, "t.sass");
    assert_int_equal(at.line, 15);
    assert_int_equal(at.column, 3);
    assert_null(fhec_kernel_location(p, 0, 7).file);
    assert_string_equal(fhec_program_test(p, 1, &at), "expect out=none");
    assert_int_equal(at.line, 28);
    assert_null(fhec_program_test(p, 2, NULL));
    fhec_program_free(p);
}

static void the_elf_frame_is_a_cubin(void **state) {
    (void)state;
    fhec_program *p = assembled();
    uint8_t *bytes;
    size_t length;
    unsigned index, text;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    const Elf64_Ehdr *header = (const void *)bytes;
    assert_memory_equal(header->e_ident, "\177ELF\2\1\1\x41\x08", 9);
    assert_int_equal(header->e_machine, 190);
    assert_int_equal(header->e_type, ET_EXEC);
    assert_int_equal(header->e_flags, 0x06005004);
    const Elf64_Shdr *s = find_section(bytes, ".text.first", &text);
    assert_int_equal(s->sh_addralign, 128);
    assert_int_equal(s->sh_offset % 128, 0);
    assert_int_equal(s->sh_size, 7 * 16);
    assert_int_equal(s->sh_info >> 24, 78);
    assert_int_equal(s->sh_flags >> 20 & 0x7f, 4);
    assert_memory_equal(bytes + s->sh_offset, &p->kernels[0].words[0].lo, 8);
    const Elf64_Shdr *symtab = find_section(bytes, ".symtab", &index);
    const Elf64_Sym *symbol =
        (const Elf64_Sym *)(const void *)(bytes + symtab->sh_offset) + (s->sh_info & 0xffffff);
    assert_int_equal(symbol->st_shndx, text);
    assert_int_equal(symbol->st_other, 0x10);
    assert_int_equal(ELF64_ST_TYPE(symbol->st_info), STT_FUNC);
    assert_int_equal(symbol->st_size, 7 * 16);
    s = find_section(bytes, ".nv.shared.first", &index);
    assert_int_equal(s->sh_type, SHT_NOBITS);
    assert_int_equal(s->sh_size, 1000);
    s = find_section(bytes, ".nv.constant0.second", &index);
    assert_int_equal(s->sh_size, 0x160 + 16);
    /* .nv.info.first: toolkit, bank, bytes, parameters n and out, the limit of registers,
     * barriers, exits at 0x50 and 0x60 */
    static const uint8_t info[] = {
        4, 0x37, 4,   0, 130,  0, 0, 0,                                   /* CUDA_API_VERSION */
        4, 0x0a, 8,   0, 1,    0, 0, 0, 0x60, 1, 12, 0,                   /* PARAM_CBANK */
        3, 0x19, 12,  0,                                                  /* CBANK_PARAM_SIZE */
        4, 0x17, 12,  0, 0,    0, 0, 0, 1,    0, 8,  0, 0, 0xf0, 0x11, 0, /* n: 4 << 18 */
        4, 0x17, 12,  0, 0,    0, 0, 0, 0,    0, 0,  0, 0, 0xf0, 0x21, 0, /* out: 8 << 18 */
        3, 0x1b, 255, 0,                                                  /* MAXREG_COUNT */
        2, 0x4c, 4,   0,                                                  /* NUM_BARRIERS */
        4, 0x1c, 8,   0, 0x50, 0, 0, 0, 0x60, 0, 0,  0,                   /* EXIT_OFFSETS */
    };
    s = find_section(bytes, ".nv.info.first", &index);
    assert_int_equal(s->sh_type, 0x70000000);
    assert_int_equal(s->sh_size, sizeof info);
    assert_memory_equal(bytes + s->sh_offset, info, sizeof info);
    free(bytes);
    fhec_program_free(p);
}

static void wrong_objects_are_refused(void **state) {
    (void)state;
    fhec_program *p = assembled();
    uint8_t *bytes;
    size_t length;
    unsigned index;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    uint8_t *bad = malloc(length);
    assert_non_null(bad);
#define FRESH()       memcpy(bad, bytes, length)
#define SECTION(name) ((Elf64_Shdr *)(uintptr_t)find_section(bad, name, &index))
    refuse(bytes, 0, "O001", "begin");
    refuse((const uint8_t *)"not an object, not at all, but long enough to be the header of one.",
           67, "O001", "begin");
    FRESH();
    bad[4] = 1; /* 32 bits */
    refuse(bad, length, "O001", "64 bits");
    FRESH();
    bad[18] = 62; /* x86-64 */
    refuse(bad, length, "O002", "62");
    FRESH();
    bad[49] = 90;
    refuse(bad, length, "O003", "sm_90");
    FRESH();
    SECTION(".text.first")->sh_size = 7 * 16 - 4;
    refuse(bad, length, "O005", "number of instructions");
    FRESH();
    SECTION(".text.first")->sh_offset = length - 16;
    refuse(bad, length, "O004", ".text.first");
    FRESH();
    SECTION(".nv.info")->sh_size -= 2;
    refuse(bad, length, "O006", ".nv.info");
    FRESH();
    SECTION(".nv.shared.first")->sh_size = 1 << 30;
    refuse(bad, length, "O007", ".nv.shared.first");
    FRESH();
    bad[SECTION(".fhec.info")->sh_offset + 4] = 99; /* its version */
    refuse(bad, length, "O006", ".fhec.info");
    for (unsigned field = 0; field < 3;
         field += 2) { /* the last one: kernel 0, word 0, variable 0 */
        FRESH();
        const Elf64_Shdr *info = SECTION(".fhec.info");
        bad[info->sh_offset + info->sh_size - 12 + 4 * field] += 2;
        refuse(bad, length, "O006", ".fhec.info");
    }
    FRESH(); /* both kernels' */
    SECTION(".nv.constant2.second")->sh_name = SECTION(".nv.constant2.first")->sh_name;
    refuse(bad, length, "O004", ".nv.constant2.first is there twice");
    FRESH(); /* names that are no kernel's any more */
    SECTION(".text.first")->sh_type = SHT_NOTE;
    SECTION(".text.second")->sh_type = SHT_NOTE;
    refuse(bad, length, "O008", "no kernel");
    free(bad);
    free(bytes);
    fhec_program_free(p);
}

static const char linked_source[] = ".kernel k\n  MOV R2, 32@lo(counter) ;\nhere: MOV R3, here ;\n"
                                    "  CALL.ABS.NOINC f ;\n  EXIT ;\n.end\n"
                                    ".function f\n.local 64\n  RET.ABS.NODEC R20 0x0 ;\n.end\n"
                                    ".section .nv.global\ncounter: .zero 8\n";

static Elf64_Sym *find_symbol(uint8_t *bytes, const char *name) {
    unsigned index;
    const Elf64_Shdr *names = find_section(bytes, ".strtab", &index);
    const Elf64_Shdr *symbols = find_section(bytes, ".symtab", &index);
    Elf64_Sym *s = (void *)(bytes + symbols->sh_offset);
    for (size_t i = 0; i < symbols->sh_size / sizeof *s; i++)
        if (strcmp((const char *)bytes + names->sh_offset + s[i].st_name, name) == 0)
            return &s[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

/* Relocations, symbols and labels that lead nowhere. */
static void wrong_addresses_are_refused(void **state) {
    (void)state;
    struct said said = {0};
    fhec_program *p;
    uint8_t *bytes;
    size_t length;
    unsigned index;
    assert_int_equal(assemble(linked_source, &said, &p), FHEC_OK);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    uint8_t *bad = malloc(length);
    assert_non_null(bad);
    /* 0: of the MOV, 1: of the CALL, in the order of struct fh_relocation */
    Elf64_Rela *rela = (void *)(bad + find_section(bytes, ".rela.text.k", &index)->sh_offset);
    FRESH();
    unsigned call = ELF64_R_TYPE(rela[1].r_info) == FH_R_ABS47_34 ? 1 : 0;
    uint64_t variable = ELF64_R_SYM(rela[1 - call].r_info);
    rela[0].r_info = ELF64_R_INFO(variable, 99);
    refuse(bad, length, "O009", ".rela.text.k has a relocation of type 99");
    FRESH();
    rela[0].r_info = ELF64_R_INFO(UINT64_C(0x7ffffff), FH_R_ABS32_LO_32);
    refuse(bad, length, "O009", "a symbol of .rela.text.k is missing");
    FRESH();
    rela[0].r_offset = 4 * 16;
    refuse(bad, length, "O009", "none of its bytes at 0x40");
    FRESH();
    rela[0].r_offset = 8;
    refuse(bad, length, "O009", "none of its bytes at 0x8");
    FRESH();
    rela[call].r_info = ELF64_R_INFO(variable, FH_R_ABS47_34);
    refuse(bad, length, "O009", "the address of a variable in .rela.text.k");
    FRESH();
    find_symbol(bad, "counter")->st_size = 9;
    refuse(bad, length, "O004", "the variable counter is not in its section");
    FRESH(); /* the last record of .nv.info is the function's frame */
    const Elf64_Shdr *info = find_section(bad, ".nv.info", &index);
    memcpy(bad + info->sh_offset + info->sh_size - 4, &(uint32_t){512 * 1024 + 16}, 4);
    refuse(bad, length, "O007", "f has 524304 bytes of local memory");
    FRESH(); /* the last label of .fhec.info, before the count of tests: its offset, its field */
    const Elf64_Shdr *notes = find_section(bad, ".fhec.info", &index);
    uint8_t *end = bad + notes->sh_offset + notes->sh_size;
    memcpy(end - 12, &(uint32_t){4 * 16 + 4}, 4);
    refuse(bad, length, "O006", ".fhec.info");
    FRESH();
    memcpy(end - 16, &(uint32_t){FH_FIELD_CALL}, 4);
    refuse(bad, length, "O006", ".fhec.info");
    free(bad);
    free(bytes);
    fhec_program_free(p);
}

/* Functions within a kernel that are called like another, or like the kernel: the first keeps its
 * name, the others get NAME.1, NAME.2, ... */
static void equal_names_become_different(void **state) {
    (void)state;
    static const char text[] =
        ".kernel outer\n  EXIT ;\n"
        ".type one, @function\n.size one, 16\none:\n  RET.REL.NODEC R20 0x0 ;\n"
        ".type two, @function\n.size two, 16\ntwo:\n  RET.REL.NODEC R20 0x0 ;\n"
        ".type three, @function\n.size three, 16\nthree:\n  RET.REL.NODEC R20 0x0 ;\n"
        ".end\n";
    static const char *const want[] = {"one", "one.1", "outer.1"};
    struct said said = {0};
    fhec_program *p, *q;
    uint8_t *bytes;
    size_t length;
    assert_int_equal(assemble(text, &said, &p), FHEC_OK);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    find_symbol(bytes, "two")->st_name = find_symbol(bytes, "one")->st_name;
    find_symbol(bytes, "three")->st_name = find_symbol(bytes, "outer")->st_name;
    assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &q), FHEC_OK);
    assert_int_equal(q->kernels[0].entry_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(q->kernels[0].entries[i].name, want[i]);
    fhec_program_free(q);
    fhec_program_free(p);
    free(bytes);
}

/* Without .fhec.info, as compilers write objects. */
static void a_foreign_object_reads(void **state) {
    (void)state;
    fhec_program *p = assembled(), *q;
    uint8_t *bytes;
    size_t length;
    unsigned index;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    const Elf64_Shdr *s = find_section(bytes, ".fhec.info", &index);
    const Elf64_Shdr *names = find_section(bytes, ".shstrtab", &index);
    bytes[names->sh_offset + s->sh_name + 1] = 'x'; /* ".xhec.info" */
    bytes[7] = 0x33; /* an older OSABI keeps the architecture in the low byte */
    bytes[48] = 80;
    struct said said = {0};
    assert_int_equal(fhec_program_read("x", bytes, length, hear, &said, &q), FHEC_OK);
    assert_string_equal(q->kernels[0].params[1].name, "param1");
    assert_string_equal(q->kernels[0].target, "sm_80");
    assert_null(fhec_kernel_location(q, 0, 0).file);
    assert_int_equal(q->kernels[0].registers, 78);
    assert_int_equal(q->kernels[0].local_bytes, 24);
    fhec_program_free(q);
    fhec_program_free(p);
    free(bytes);
}

/* A program that was accepted can be used: everything that the interface hands out is there. */
static void walk(const fhec_program *p) {
    for (size_t i = 0; i < fhec_kernel_count(p); i++) {
        fhec_kernel_info info;
        assert_int_equal(fhec_kernel_get(p, i, &info), FHEC_OK);
        assert_true(strlen(info.name) > 0 && strlen(info.target) > 0);
        assert_true(info.registers >= 1 && info.registers <= 255);
        uint64_t sum = 0;
        for (uint32_t w = 0; w < info.word_count; w++) {
            sum += info.words[w].lo ^ info.words[w].hi;
            (void)fhec_kernel_location(p, i, w);
        }
        for (uint32_t k = 0; k < info.param_count; k++)
            assert_true(strlen(info.params[k].name) + sum + 1 != 0 &&
                        info.params[k].offset + info.params[k].size <= info.param_bytes);
    }
    for (size_t i = 0; fhec_program_test(p, i, NULL); i++)
        continue;
}

static void damaged_bytes_never_crash(void **state) {
    (void)state;
    enum { ITERATIONS = 20000, SEED = 77 };
    fhec_program *p = assembled(), *q;
    uint8_t *bytes;
    size_t length;
    uint64_t random = SEED;
    unsigned accepted = 0;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    uint8_t *bad = malloc(length);
    assert_non_null(bad);
    for (unsigned i = 0; i < ITERATIONS; i++) {
        FRESH();
        unsigned changes = 1 + i % 7;
        for (unsigned c = 0; c < changes; c++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint64_t r = random >> 20;
            size_t at = r % length;
            if (i % 3 == 0) /* the headers of sections */
                at = length - 1 - r % (26 * 64);
            else if (i % 3 == 1)
                at = r % 64;
            bad[at] = (uint8_t)(random >> 7 & 1 ? random >> 50 : (random >> 60 & 1 ? 0 : 255));
        }
        size_t end = i % 11 == 0 ? (random >> 30) % length : length;
        struct said said = {0};
        fhec_status status = fhec_program_read("d", bad, end, hear, &said, &q);
        if ((status == FHEC_OK) != (q != NULL) || (status == FHEC_BAD_INPUT) != (said.count == 1))
            fail_msg("seed %d, iteration %u: status %d, %zu diagnostics", SEED, i, (int)status,
                     said.count);
        if (q) {
            walk(q);
            accepted++;
        }
        fhec_program_free(q);
    }
    print_message("# %u of %u damaged objects were still sound\n", accepted, ITERATIONS);
    free(bad);
    free(bytes);
    fhec_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(the_kernel_is_what_its_source_says),
        cmocka_unit_test(the_elf_frame_is_a_cubin),
        cmocka_unit_test(wrong_objects_are_refused),
        cmocka_unit_test(wrong_addresses_are_refused),
        cmocka_unit_test(equal_names_become_different),
        cmocka_unit_test(a_foreign_object_reads),
        cmocka_unit_test(damaged_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
