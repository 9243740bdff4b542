/*
 * codec.c - words to decoded instructions and back, over the generated tables.
 *
 * Does: fields, encode, decode, register counts and alignment, checks of a decoded instruction.
 * Does not: text (disasm.c), meaning (emu/).
 *
 * A word is the form's fixed bits, the form's fields, and what every instruction has: the guard in
 * 15:12 and the scheduling fields in 124:105. Decoding is strict: a word whose other bits no field
 * explains is no instruction.
 */
#include "codec.h"

#include "sched_fields.h"
#include "tables.h"

#include <string.h>

/* The fields that every instruction has. From REUSE_BITS on are the reuse flags of A, B and C; that
 * of another operand is among its form's own bits. */
enum { GUARD_BITS = 12, GUARD_NEG_BIT = 15, SHOW_DESC_BIT = 101, REUSE_BITS = 122 };

static inline uint64_t low_bits(unsigned n) {
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* `len` bits of the word from bit `lo`; a run may cross the middle of the word. */
static inline uint64_t run_get(fhec_word word, unsigned lo, unsigned len) {
    uint64_t value;
    if (lo >= 64)
        value = word.hi >> (lo - 64);
    else
        value = word.lo >> lo | (lo == 0 ? 0 : word.hi << (64 - lo));
    return value & low_bits(len);
}

static inline void run_set(fhec_word *word, unsigned lo, unsigned len, uint64_t value) {
    uint64_t mask = low_bits(len);
    value &= mask;
    if (lo >= 64) {
        word->hi = (word->hi & ~(mask << (lo - 64))) | value << (lo - 64);
        return;
    }
    word->lo = (word->lo & ~(mask << lo)) | value << lo;
    if (lo + len > 64) {
        unsigned done = 64 - lo;
        word->hi = (word->hi & ~(mask >> done)) | value >> done;
    }
}

static unsigned field_width(const struct fh_field *field) {
    unsigned width = 0;
    for (unsigned i = 0; i < field->pieces; i++)
        width += field->piece[i].len;
    return width;
}

uint64_t fh_field_get(const struct fh_field *field, fhec_word word) {
    uint64_t value = 0;
    for (unsigned i = 0; i < field->pieces; i++) {
        unsigned len = field->piece[i].len;
        value = (len >= 64 ? 0 : value << len) | run_get(word, field->piece[i].lo, len);
    }
    unsigned width = field_width(field);
    if (field->inverted)
        value = ~value & low_bits(width);
    if (field->is_signed && width < 64 && value >> (width - 1) & 1)
        value |= ~low_bits(width);
    return value << field->shift;
}

void fh_field_set(const struct fh_field *field, fhec_word *word, uint64_t value) {
    value >>= field->shift;
    if (field->inverted)
        value = ~value;
    for (unsigned i = field->pieces; i-- > 0;) {
        unsigned len = field->piece[i].len;
        run_set(word, field->piece[i].lo, len, value);
        value = len >= 64 ? 0 : value >> len;
    }
}

/* A field of 32 bits or more takes signed and unsigned values alike: both are the same bits. */
bool fh_field_fits(const struct fh_field *field, int64_t value) {
    unsigned width = field_width(field);
    if (width == 0)
        return value == 0;
    if (((uint64_t)value & low_bits(field->shift)) != 0)
        return false;
    unsigned total = width + field->shift;
    if (total >= 63)
        return true;
    int64_t limit = INT64_C(1) << total;
    if (field->is_signed)
        return value >= -(limit >> 1) && value < limit >> 1;
    return value >= (total == 32 ? -(limit >> 1) : 0) && value < limit;
}

/* ---------------------------------------------------------------- operands */

/* Fields as fh_field_get and fh_field_set have them. This is where decoding and encoding spend
 * their time: most fields of an operand are not there, and most of the others are one run of bits.
 */
static inline uint64_t get(const struct fh_field *field, fhec_word word) {
    if (field->pieces == 0)
        return 0;
    if (field->pieces == 1 && !field->inverted && !field->is_signed)
        return run_get(word, field->piece[0].lo, field->piece[0].len) << field->shift;
    return fh_field_get(field, word);
}

/* Into bits that are 0: no two fields of a form have a bit in common. */
static inline void put(const struct fh_field *field, fhec_word *word, uint64_t value) {
    if (field->pieces == 0 || (value == 0 && !field->inverted))
        return;
    if (field->pieces != 1 || field->inverted) {
        fh_field_set(field, word, value);
        return;
    }
    const unsigned lo = field->piece[0].lo, len = field->piece[0].len;
    value = value >> field->shift & low_bits(len);
    if (lo >= 64) {
        word->hi |= value << (lo - 64);
        return;
    }
    word->lo |= value << lo;
    if (lo + len > 64)
        word->hi |= value >> (64 - lo);
}

/* What only addresses and constants have. */
static void memory_operand_decode(const struct fh_operand_spec *spec, fhec_word word,
                                  struct fh_operand *op) {
    op->bank = (uint8_t)get(&spec->bank, word);
    op->scale = (uint8_t)get(&spec->scale, word);
    op->wide = get(&spec->wide, word) != 0;
    op->desc = get(&spec->desc, word) != 0;
    op->ureg = FH_URZ;
    if (spec->ureg.pieces) {
        op->ureg = (uint8_t)get(&spec->ureg, word);
        op->has_ureg = true;
    }
    if (spec->ureg_next) {
        op->has_ureg = op->desc;
        if (!op->desc || op->ureg == FH_URZ)
            op->ureg = FH_URZ;
        else
            op->ureg++;
    }
    if (spec->kind == FH_K_CONST)
        op->indexed = spec->ureg.pieces != 0 || op->reg != FH_RZ;
}

static bool is_memory_operand(const struct fh_operand_spec *spec) {
    return spec->kind == FH_K_ADDR || spec->kind == FH_K_CONST;
}

/* All bits that the operand's value has in a word. */
static uint64_t value_bits(const struct fh_operand_spec *spec) {
    return low_bits(field_width(&spec->value) + spec->value.shift);
}

int64_t fh_operand_value(const struct fh_operand_spec *spec, fhec_word word) {
    const uint64_t raw = get(&spec->value, word);
    if (spec->absolute && get(&spec->reg, word) == FH_RZ)
        return (int64_t)(raw & value_bits(spec));
    const bool extend =
        spec->kind == FH_K_IMM && spec->print_signed && spec->bits == 32 && raw >> 31 == 1;
    return extend ? (int64_t)(raw | ~UINT64_C(0xffffffff)) : (int64_t)raw;
}

static inline uint64_t half_run_get(fhec_word word, const struct fh_field *field) {
    const unsigned lo = field->piece[0].lo;
    return (lo < 64 ? word.lo : word.hi) >> lo % 64 & low_bits(field->piece[0].len);
}

static inline void plain_decode(const struct fh_operand_spec *spec, fhec_word word,
                                struct fh_operand *op) {
    *op = (struct fh_operand){
        .kind = spec->kind,
        .reg = (uint8_t)half_run_get(word, &spec->reg),
        .neg = spec->modified && half_run_get(word, &spec->neg) != 0,
        .reuse = spec->reuse_bit && run_get(word, spec->reuse_bit, 1) != 0,
    };
}

/* Parts that the form has no field for become what "absent" is. The operand is written as a whole:
 * its bits share a byte, which hosts are slow to write one after the other. */
static void operand_decode(const struct fh_operand_spec *spec, fhec_word word,
                           struct fh_operand *op) {
    const bool memory = is_memory_operand(spec), modified = spec->modified;
    uint64_t reg = memory ? FH_RZ : 0;
    if (spec->reg.pieces)
        reg = get(&spec->reg, word);
    *op = (struct fh_operand){
        .kind = spec->kind,
        .reg = (uint8_t)reg,
        .part = modified ? (uint8_t)get(&spec->part, word) : 0,
        .neg = modified && get(&spec->neg, word) != 0,
        .abs = modified && get(&spec->abs, word) != 0,
        .reuse = spec->reuse_bit && run_get(word, spec->reuse_bit, 1) != 0,
        .value = spec->value.pieces ? fh_operand_value(spec, word) : 0,
    };
    if (memory)
        memory_operand_decode(spec, word, op);
}

static inline void operand_encode(const struct fh_operand_spec *spec, const struct fh_operand *op,
                                  fhec_word *word) {
    put(&spec->reg, word, op->reg);
    put(&spec->neg, word, op->neg);
    if (spec->reuse_bit && op->reuse)
        run_set(word, spec->reuse_bit, 1, 1);
    if (spec->plain)
        return;
    put(&spec->value, word, (uint64_t)op->value);
    put(&spec->abs, word, op->abs);
    put(&spec->part, word, op->part);
    if (is_memory_operand(spec)) {
        put(&spec->bank, word, op->bank);
        put(&spec->scale, word, op->scale);
        if (!spec->ureg_next) /* else the other address says it, as a check of the instruction
                                 sees to */
            put(&spec->ureg, word, op->ureg);
        put(&spec->wide, word, op->wide);
        put(&spec->desc, word, op->desc);
    }
}

bool fh_operand_is_fallback(const struct fh_operand_spec *spec, const struct fh_operand *op) {
    const struct fh_operand *fallback = &spec->fallback;
    return spec->has_fallback && op->reg == fallback->reg && op->neg == fallback->neg &&
           op->value == fallback->value;
}

bool fh_operand_present(const struct fh_inst *inst, unsigned i) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    return !spec->present || spec->present(inst);
}

unsigned fh_operand_alignment(const struct fh_inst *inst, unsigned i) {
    unsigned align = inst->form->operands[i].align;
    return align ? align : fh_operand_registers(inst, i);
}

const struct fh_pipe *fh_pipe_of(const struct fh_inst *inst) {
    const struct fh_form *form = inst->form;
    return &fh_pipes[form->issue ? form->issue(inst) : form->pipe];
}

static bool is_name(const char *name, char letter) {
    return name[0] == letter && name[1] == '\0';
}

bool fh_has_descriptor(const struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->op[i].desc)
            return true;
    return false;
}

static bool has_one_address(const struct fh_form *form) {
    unsigned addresses = 0;
    for (unsigned i = 0; i < form->operand_count; i++)
        addresses += form->operands[i].kind == FH_K_ADDR;
    return addresses == 1;
}

bool fh_extended(const struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        if (is_name(inst->form->mods[i].name, 'E'))
            return inst->mod[i] != 0 ||
                   (!inst->form->mods[i].field.pieces && has_one_address(inst->form));
    return false;
}

/* A form that cannot say `.64` has a 64-bit base with .E. */
unsigned fh_address_registers(const struct fh_inst *inst, unsigned i) {
    bool says_width = inst->form->operands[i].wide.pieces != 0;
    return inst->op[i].wide || (!says_width && fh_extended(inst)) ? 2 : 1;
}

bool fh_default_wide(const struct fh_inst *inst, unsigned i) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    return spec->wide.pieces && !spec->narrow && fh_extended(inst);
}

/* ---------------------------------------------------------------- encode and decode */

fhec_word fh_encode(const struct fh_inst *inst) {
    const struct fh_form *form = inst->form;
    fhec_word word = form->fixed_value;
    word.hi = fh_sched_bits(&inst->sched) | word.hi;
    for (unsigned i = 0; i < form->mod_count; i++)
        put(&form->mods[i].field, &word, inst->mod[i]);
    for (unsigned i = 0; i < form->operand_count; i++)
        operand_encode(&form->operands[i], &inst->op[i], &word);
    word.lo |= (uint64_t)(inst->guard & 7) << GUARD_BITS | (uint64_t)inst->guard_neg
                                                               << GUARD_NEG_BIT;
    if (inst->show_desc)
        run_set(&word, SHOW_DESC_BIT, 1, 1);
    return word;
}

static bool mod_has_value(const struct fh_mod_spec *mod, uint32_t value) {
    for (unsigned i = 0; i < mod->value_count; i++)
        if (mod->values[i].value == value)
            return true;
    return false;
}

const char *fh_part_text(const struct fh_operand_spec *spec, unsigned part) {
    for (unsigned i = 0; i < spec->part_count; i++)
        if (spec->parts[i].value == part)
            return spec->parts[i].text;
    return NULL;
}

/* Reads the fields of `form`; false if one of them has a value that the form does not give it. */
static bool form_decode(const struct fh_form *form, fhec_word word, struct fh_inst *inst) {
    inst->form = form;
    fh_sched_get(word, &inst->sched);
    memset(inst->mod, 0, sizeof inst->mod);
    for (unsigned i = 0; i < form->mod_count; i++) {
        const struct fh_mod_spec *mod = &form->mods[i];
        inst->mod[i] = (uint8_t)get(&mod->field, word);
        if (mod->field.pieces && !mod->complete && mod->value_count &&
            !mod_has_value(mod, inst->mod[i]))
            return false;
    }
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct fh_operand_spec *spec = &form->operands[i];
        if (spec->plain)
            plain_decode(spec, word, &inst->op[i]);
        else
            operand_decode(spec, word, &inst->op[i]);
        if (spec->present && !spec->present(inst) && !fh_operand_is_fallback(spec, &inst->op[i]))
            return false;
        if (spec->part.pieces && !fh_part_text(spec, inst->op[i].part))
            return false;
        if (inst->op[i].reuse && spec->reuse_bit >= REUSE_BITS)
            inst->sched.reuse &= (uint8_t) ~(1U << (spec->reuse_bit - REUSE_BITS));
    }
    return true;
}

/* Bit 101 is a plain display flag where an operand can be a descriptor; elsewhere it belongs to
 * what the form says. */
static bool form_has_descriptor(const struct fh_form *form) {
    for (unsigned i = 0; i < form->operand_count; i++)
        if (form->operands[i].desc.pieces)
            return true;
    return false;
}

bool fh_may_control(fhec_word word) {
    unsigned opcode = (unsigned)run_get(word, 0, 12) | (unsigned)run_get(word, 91, 1) << 12;
    for (unsigned i = fh_opcode_index[opcode]; i < fh_opcode_index[opcode + 1]; i++)
        if (fh_form_control[fh_opcode_forms[i]])
            return true;
    return false;
}

/* Clears what the form has no operands for. */
static void clear_behind(struct fh_inst *inst) {
    for (unsigned i = inst->form->operand_count; i < FH_MAX_OPERANDS; i++)
        inst->op[i] = (struct fh_operand){.kind = FH_K_NONE};
}

bool fh_decode(fhec_word word, struct fh_inst *inst) {
    inst->guard = (uint8_t)run_get(word, GUARD_BITS, 3);
    inst->guard_neg = run_get(word, GUARD_NEG_BIT, 1) != 0;
    const bool bit101 = run_get(word, SHOW_DESC_BIT, 1) != 0;
    unsigned opcode = (unsigned)run_get(word, 0, 12) | (unsigned)run_get(word, 91, 1) << 12;
    for (unsigned i = fh_opcode_index[opcode]; i < fh_opcode_index[opcode + 1]; i++) {
        const struct fh_form *form = &fh_forms[fh_opcode_forms[i]];
        if ((word.lo & form->fixed_mask.lo) != form->fixed_value.lo ||
            (word.hi & form->fixed_mask.hi) != form->fixed_value.hi)
            continue;
        inst->show_desc = bit101 && form_has_descriptor(form);
        if (form_decode(form, word, inst)) {
            clear_behind(inst);
            return true;
        }
    }
    memset(inst, 0, sizeof *inst);
    return false;
}

bool fh_form_alone(const struct fh_form *form, fhec_word word, fhec_word varying) {
    for (unsigned i = fh_opcode_index[form->opcode]; i < fh_opcode_index[form->opcode + 1]; i++) {
        const struct fh_form *other = &fh_forms[fh_opcode_forms[i]];
        if (other != form &&
            ((word.lo ^ other->fixed_value.lo) & other->fixed_mask.lo & ~varying.lo) == 0 &&
            ((word.hi ^ other->fixed_value.hi) & other->fixed_mask.hi & ~varying.hi) == 0)
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- checks */

/* fh_field_fits; most values of most operands are 0, in no field. */
static inline bool fits(const struct fh_field *field, int64_t value) {
    return (field->pieces == 0 && value == 0) || fh_field_fits(field, value);
}

static enum fh_problem operand_check(const struct fh_inst *inst, unsigned i, bool decoded) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    const struct fh_operand *op = &inst->op[i];
    bool uniform = spec->kind == FH_K_UREG;
    if (spec->kind == FH_K_REG || uniform) {
        unsigned zero = uniform ? FH_URZ : FH_RZ;
        if (op->reg == zero || (!spec->registers && spec->align <= 1))
            return op->reg > zero ? FH_BAD_RANGE : FH_FINE;
        if (op->reg % fh_operand_alignment(inst, i) != 0)
            return FH_BAD_ALIGNMENT;
        return op->reg + fh_operand_registers(inst, i) > zero ? FH_BAD_RANGE : FH_FINE;
    }
    if (!decoded && spec->value.pieces && !fh_operand_value_fits(spec, op->reg, op->value))
        return FH_BAD_VALUE;
    if (!decoded && (!fits(&spec->bank, op->bank) || !fits(&spec->scale, op->scale)))
        return FH_BAD_VALUE;
    if (spec->kind == FH_K_ADDR && op->reg != FH_RZ && op->reg % fh_address_registers(inst, i) != 0)
        return FH_BAD_ALIGNMENT;
    return FH_FINE;
}

bool fh_operand_value_fits(const struct fh_operand_spec *spec, unsigned reg, int64_t value) {
    if (spec->absolute && reg == FH_RZ)
        return ((uint64_t)value & ~value_bits(spec)) == 0;
    return fh_field_fits(&spec->value, value);
}

/* One register or predicate, any of those that there are. */
static inline bool takes_any(const struct fh_operand_spec *spec) {
    return spec->plain && !spec->registers && !spec->align && spec->kind != FH_K_UREG;
}

static inline enum fh_problem check(const struct fh_inst *inst, unsigned *operand, bool decoded) {
    const struct fh_form *form = inst->form;
    const unsigned count = decoded && form->single ? 0 : form->operand_count;
    for (unsigned i = 0; i < count; i++) {
        if (takes_any(&form->operands[i]) && !(inst->op[i].bank | inst->op[i].scale))
            continue;
        enum fh_problem problem = operand_check(inst, i, decoded);
        if (problem != FH_FINE) {
            *operand = i;
            return problem;
        }
    }
    const struct fh_insn *insn = &fh_insns[form->insn];
    for (unsigned i = 0; i < insn->check_count; i++) {
        if (!insn->checks[i].holds(inst)) {
            *operand = i;
            return FH_BAD_COMBINATION;
        }
    }
    *operand = 0;
    return FH_FINE;
}

enum fh_problem fh_inst_check(const struct fh_inst *inst, unsigned *operand) {
    return check(inst, operand, false);
}

enum fh_problem fh_decoded_check(const struct fh_inst *inst, unsigned *operand) {
    return check(inst, operand, true);
}

unsigned fh_insns_of_root(const char *root, size_t length, unsigned *first) {
    unsigned low = 0, high = fh_insn_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = strncmp(fh_insn_by_root(middle)->root, root, length);
        if (order == 0 && fh_insn_by_root(middle)->root[length] != '\0')
            order = 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    unsigned count = 0;
    while (low + count < fh_insn_count && strlen(fh_insn_by_root(low + count)->root) == length &&
           memcmp(fh_insn_by_root(low + count)->root, root, length) == 0)
        count++;
    return count;
}

const struct fh_outside *fh_outside_of_root(const char *root, size_t length) {
    for (unsigned i = 0; i < fh_outside_count; i++)
        if (strlen(fh_outsides[i].root) == length && memcmp(fh_outsides[i].root, root, length) == 0)
            return &fh_outsides[i];
    return NULL;
}

/* An instruction whose constant is cx[URn][offset]: bit 91 and the register make the difference. */
static bool is_described_constant(fhec_word word) {
    const uint64_t bit91 = UINT64_C(1) << (91 - 64), registers = UINT64_C(0x3f) << 32;
    struct fh_inst inst;
    if (!(word.hi & bit91))
        return false;
    word.hi &= ~bit91;
    word.lo &= ~registers;
    if (!fh_decode(word, &inst))
        return false;
    for (unsigned i = 0; i < inst.form->operand_count; i++)
        if (inst.op[i].kind == FH_K_CONST)
            return true;
    return false;
}

const struct fh_outside *fh_outside_of_word(fhec_word word) {
    if (is_described_constant(word))
        return fh_outside_of_root("cx", 2);
    unsigned opcode = (unsigned)(word.lo & 0xfff) | (unsigned)(word.hi >> 27 & 1) << 12;
    for (unsigned i = 0; i < fh_outside_count; i++)
        if (fh_outsides[i].opcode &&
            (fh_outsides[i].opcode == opcode || fh_outsides[i].opcode == (opcode & 0xfff)))
            return &fh_outsides[i];
    return NULL;
}
