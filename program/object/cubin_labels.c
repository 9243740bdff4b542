/*
 * cubin_labels.c - addresses of code that stand in a compiled object as plain numbers, in a
 * kernel's constant bank 2, so that its text has labels there. The numbers stay what they are.
 *
 * Tables of branch targets: .nv.info.K says where each indirect branch may go, and a run of words
 * that is such a list, target for target, is taken for its table. Pointers to functions within the
 * kernel: where it calls what a register holds, 8 bytes that are the address of such a function.
 */
#include "cubin_reader.h"

#include "isa_names.h"
#include "tables.h"

#include <string.h>

/* Where `count` words stand one after another in the bank; false if nowhere. */
static bool find_run(const struct fh_constant_bank *bank, const uint8_t *words, uint32_t count,
                     uint32_t *at) {
    for (*at = 0; bank->size - *at >= count * 4; *at += 4)
        if (memcmp(bank->bytes + *at, words, count * 4) == 0)
            return true;
    return false;
}

/* At `at` in the table bank the number of an instruction stands. */
static void add_label(struct fh_cubin_reader *r, uint32_t kernel, uint32_t at,
                      enum fh_relocation_field field, uint64_t number) {
    fhec_program *p = r->program;
    if (fh_cubin_grow(r, &p->relocations, p->relocation_count, sizeof *p->relocations))
        p->relocations[p->relocation_count++] = (struct fh_relocation){.holder = FH_IN_KERNEL_BANK,
                                                                       .field = (uint8_t)field,
                                                                       .bank = FH_TABLE_BANK,
                                                                       .of = FH_OF_KERNEL,
                                                                       .relative = true,
                                                                       .index = kernel,
                                                                       .offset = at,
                                                                       .target = kernel,
                                                                       .addend = number};
}

static void add_run(struct fh_cubin_reader *r, uint32_t kernel, uint32_t at, const uint8_t *words,
                    uint32_t count) {
    for (uint32_t i = 0; i < count && !r->no_memory; i++) {
        uint32_t target;
        memcpy(&target, words + 4 * i, 4);
        add_label(r, kernel, at + 4 * i, FH_FIELD_LOW, target);
    }
}

/* Whether all of them are instructions of the kernel. */
static bool are_targets(const struct fh_kernel *k, const uint8_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target;
        memcpy(&target, words + 4 * i, 4);
        if (target == 0 || target % FH_INST_BYTES || target / FH_INST_BYTES >= k->word_count)
            return false;
    }
    return true;
}

/* The lists of a record: u32 address of the branch, u32 0, u32 count, targets. */
static void take_lists(struct fh_cubin_reader *r, uint32_t kernel,
                       const struct fh_constant_bank *bank, struct fh_cursor *c) {
    enum { LEAST = 2, MOST = 1024 }; /* a single word may be anything; lists of a kernel */
    for (unsigned i = 0; i < MOST && c->left && !c->bad && !r->no_memory; i++) {
        (void)fh_take_u32(c);
        (void)fh_take_u32(c);
        uint32_t count = fh_take_u32(c), at;
        const uint8_t *words = count <= c->left / 4 ? fh_take(c, (size_t)count * 4) : NULL;
        if (!words)
            return;
        if (count >= LEAST && are_targets(&r->program->kernels[kernel], words, count) &&
            find_run(bank, words, count, &at))
            add_run(r, kernel, at, words, count);
    }
}

static const struct fh_constant_bank *table_bank(const struct fh_kernel *k) {
    for (uint32_t i = 0; k && i < k->bank_count; i++)
        if (k->banks[i].bank == FH_TABLE_BANK)
            return &k->banks[i];
    return NULL;
}

/* Whether the kernel calls what a register holds. */
static bool calls_register(const struct fh_kernel *k) {
    struct fh_inst inst;
    for (uint32_t w = 0; w < k->word_count; w++)
        if (fh_decode(k->words[w], &inst) && inst.form->insn == FH_INSN_CALL_REL &&
            inst.op[FH_CALL_REL_A].kind == FH_K_REG)
            return true;
    return false;
}

void fh_cubin_take_pointers(struct fh_cubin_reader *r) {
    for (uint32_t i = 0; i < r->program->kernel_count && !r->bad && !r->noted; i++) {
        const struct fh_kernel *k = &r->program->kernels[i];
        const struct fh_constant_bank *bank = table_bank(k);
        if (!bank || !k->entry_count || !calls_register(k))
            continue;
        for (uint32_t at = 0; bank->size - at >= 8 && !r->no_memory; at += 8) {
            uint64_t number;
            uint32_t e = 0;
            memcpy(&number, bank->bytes + at, 8);
            while (e < k->entry_count && (uint64_t)k->entries[e].word * FH_INST_BYTES != number)
                e++;
            if (e < k->entry_count)
                add_label(r, i, at, FH_FIELD_64, number);
        }
    }
}

void fh_cubin_take_tables(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    struct fh_kernel *k = r->noted ? NULL : fh_cubin_about(r, s, ".nv.info.");
    const struct fh_constant_bank *bank = table_bank(k);
    if (!bank || !fh_cubin_has_bytes(r, s))
        return;
    struct fh_cursor c = {s->bytes, (size_t)s->size, false};
    while (c.left && !c.bad) { /* the records have been checked (cubin_info.c) */
        const uint8_t *head = fh_take(&c, 2);
        uint32_t half = fh_take_u16(&c);
        if (!head || head[0] != FH_NV_SIZED)
            continue;
        struct fh_cursor value = {fh_take(&c, half), half, c.bad};
        if (head[1] == FH_NV_INDIRECT_BRANCHES && !c.bad)
            take_lists(r, (uint32_t)(k - r->program->kernels), bank, &value);
    }
}
