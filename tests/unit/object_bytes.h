/*
 * object_bytes.h - what the tests of damaged objects share: where a section is among the bytes, and
 * that the bytes are refused.
 */
#ifndef OBJECT_BYTES_H
#define OBJECT_BYTES_H

#include "asm_util.h"

#include <elf.h>

static inline const Elf64_Shdr *find_section(const uint8_t *bytes, const char *name,
                                             unsigned *index) {
    const Elf64_Ehdr *header = (const void *)bytes;
    const Elf64_Shdr *sections = (const void *)(bytes + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const char *text =
            (const char *)bytes + sections[header->e_shstrndx].sh_offset + sections[i].sh_name;
        if (strcmp(text, name) == 0) {
            *index = i;
            return &sections[i];
        }
    }
    fail_msg("no section %s", name);
    return NULL;
}

/* Fails unless the object is refused with one error, whose text has `part` in it. */
static inline void refuse(const uint8_t *bytes, size_t length, const char *id, const char *part) {
    struct said said = {0};
    fhec_program *p;
    assert_int_equal(fhec_program_read("x.cubin", bytes, length, hear, &said, &p), FHEC_BAD_INPUT);
    assert_null(p);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.d[0].id, id);
    assert_string_equal(said.d[0].file, "x.cubin");
    if (!strstr(said.d[0].message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, said.d[0].message);
}

#endif
