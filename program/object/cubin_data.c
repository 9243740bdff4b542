/*
 * cubin_data.c - the data of an object: constant banks, shared memory, memory of variables.
 */
#include "cubin_reader.h"

#include "machines.h"

#include <stdlib.h>
#include <string.h>

/* Adds a bank to a list of a kernel or of the program. */
static void add_bank(struct fh_cubin_reader *r, struct fh_constant_bank **list, uint32_t *count,
                     uint8_t bank, const struct fh_elf_section *s) {
    for (uint32_t i = 0; i < *count; i++) {
        if ((*list)[i].bank == bank) {
            fh_cubin_report(r, FH_OBJECT_SECTION, "%s is there twice", s->name);
            return;
        }
    }
    if (!fh_cubin_grow(r, list, *count, sizeof **list))
        return;
    uint8_t *copy = fh_cubin_allocate(r, (size_t)s->size, 1);
    if (!copy)
        return;
    memcpy(copy, s->bytes, (size_t)s->size);
    (*list)[(*count)++] = (struct fh_constant_bank){bank, copy, (uint32_t)s->size};
}

/* ".nv.constant2.K", and ".nv.constant3" for all kernels. */
static void take_constants(struct fh_cubin_reader *r, uint32_t section, size_t prefix) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    fhec_program *p = r->program;
    char *end;
    unsigned long bank = strtoul(s->name + prefix, &end, 10);
    if (end == s->name + prefix || bank == 0 || s->size == 0)
        return; /* bank 0 is the launch's */
    if (bank >= FH_BANKS || s->size > FH_MAX_BANK) {
        fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", s->name,
                        (unsigned long long)s->size);
        return;
    }
    struct fh_kernel *k = *end == '.' ? fh_cubin_kernel(r, end + 1, strlen(end + 1)) : NULL;
    if ((*end && !k) || !fh_cubin_has_bytes(r, s) || !fh_cubin_count(r, s))
        return;
    struct fh_section_use *use = &r->use[section];
    *use = (struct fh_section_use){.kind = FH_IS_BANK, .bank = (uint8_t)bank, .own = k != NULL};
    if (k) {
        use->index = (uint32_t)(k - p->kernels);
        add_bank(r, &k->banks, &k->bank_count, (uint8_t)bank, s);
    } else {
        use->index = p->bank_count;
        add_bank(r, &p->banks, &p->bank_count, (uint8_t)bank, s);
    }
}

/* ".nv.global" and ".nv.global.init": memory of variables. */
static void take_segment(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    fhec_program *p = r->program;
    bool zeros = fh_cubin_no_bits(s);
    if (s->size == 0)
        return;
    if (s->size > FH_SEGMENT_MAX || p->segment_count >= FH_MAX_KERNELS) {
        fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", s->name,
                        (unsigned long long)s->size);
        return;
    }
    if ((!zeros && (!fh_cubin_has_bytes(r, s) || !fh_cubin_count(r, s))) ||
        !fh_cubin_grow(r, &p->segments, p->segment_count, sizeof *p->segments))
        return;
    uint64_t alignment = s->alignment;
    bool good = alignment && alignment <= FH_SEGMENT_ALIGN_MAX && !(alignment & (alignment - 1));
    struct fh_data_segment segment = {.size = s->size,
                                      .alignment = good ? (uint32_t)alignment : 1,
                                      .name = fh_cubin_text(r, s->name, strlen(s->name))};
    if (!zeros)
        segment.bytes = fh_cubin_allocate(r, (size_t)s->size, 1);
    if (segment.bytes)
        memcpy(segment.bytes, s->bytes, (size_t)s->size);
    r->use[section] = (struct fh_section_use){.kind = FH_IS_SEGMENT, .index = p->segment_count};
    p->segments[p->segment_count++] = segment;
}

void fh_cubin_take_data(struct fh_cubin_reader *r, uint32_t section) {
    static const char shared[] = ".nv.shared.", constant[] = ".nv.constant";
    const struct fh_elf_section *s = &r->elf.sections[section];
    struct fh_kernel *k = fh_cubin_about(r, s, shared);
    if (k && s->size > 1 << 20)
        fh_cubin_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", s->name,
                        (unsigned long long)s->size);
    else if (k)
        k->shared_bytes = (uint32_t)s->size;
    else if (strncmp(s->name, constant, sizeof constant - 1) == 0)
        take_constants(r, section, sizeof constant - 1);
    else if (strcmp(s->name, ".nv.global") == 0 || strncmp(s->name, ".nv.global.", 11) == 0)
        take_segment(r, section);
}
