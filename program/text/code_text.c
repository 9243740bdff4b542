/*
 * code_text.c - the instructions of a kernel or function as text: labels where something goes,
 * names where an address stands, and on request the source lines that they came from.
 */
#include "expectation.h"
#include "text_writer.h"

#include "isa_names.h"
#include "machines.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

/* The operand of the instruction whose field a relocation fills; false if there is none. */
static bool relocated_operand(const struct fh_inst *inst, const struct fh_relocation *relocation,
                              unsigned *i) {
    unsigned lo = relocation->field == FH_FIELD_CALL ? 34 : 32,
             length = relocation->field == FH_FIELD_CALL ? 47 : 32;
    for (*i = 0; *i < inst->form->operand_count; ++*i) {
        const struct fh_operand_spec *spec = &inst->form->operands[*i];
        if (spec->kind == FH_K_IMM && spec->number == FH_N_INT && spec->value.pieces == 1 &&
            spec->value.piece[0].lo == lo && spec->value.piece[0].len == length)
            return true;
    }
    return false;
}

enum { NEAR = 32 }; /* words between the move of an address and what it is for */

/* What is known about each word of the code. */
struct marks {
    bool *labels; /* something goes there; one more than there are words */
    bool *moved;  /* its immediate is the address of such a label, as a plain number */
};

/* The word that operand i of word `at` goes to; false if it is no target within the code. What is
 * added to a register counts, too: tables hold distances from the code's beginning. */
static bool target_of(const struct fh_text_code *code, const struct fh_inst *inst, unsigned i,
                      uint32_t at, uint32_t *word) {
    bool branch = fh_form_control[inst->form->id] == FH_CTRL_branch_register;
    uint8_t kind = inst->form->operands[i].kind;
    if (kind != FH_K_TARGET && !(branch && kind == FH_K_IMM))
        return false;
    uint64_t address = ((uint64_t)at + 1) * FH_INST_BYTES + (uint64_t)inst->op[i].value;
    *word = (uint32_t)(address / FH_INST_BYTES);
    return address % FH_INST_BYTES == 0 && address / FH_INST_BYTES <= code->word_count;
}

/* The operand that an instruction does nothing with but to move it, as compilers write it; of
 * `kind`, register or immediate. NULL if it is another instruction. */
static const struct fh_operand *moved_operand(const struct fh_inst *inst, uint8_t kind) {
    const struct fh_operand *op = inst->op;
    bool multiply = inst->form->insn == FH_INSN_IMAD;
    if (!multiply && inst->form->insn != FH_INSN_MOV)
        return NULL;
    if (multiply && (op[FH_IMAD_A].reg != FH_RZ || op[FH_IMAD_B].kind != FH_K_REG ||
                     op[FH_IMAD_B].reg != FH_RZ))
        return NULL;
    op += multiply ? FH_IMAD_C : FH_MOV_B;
    return op->kind == kind && !op->neg ? op : NULL;
}

/* The registers that a RET.REL of the code adds, and those that are moved into them. */
static void find_return_registers(const struct fh_text_code *code, bool found[256]) {
    enum { MOVES = 3 }; /* from one register to the next */
    struct fh_inst inst;
    for (unsigned pass = 0; pass <= MOVES; pass++) {
        for (uint32_t at = 0; at < code->word_count; at++) {
            if (!fh_decode(code->words[at], &inst))
                continue;
            const struct fh_operand *from = moved_operand(&inst, FH_K_REG);
            if (inst.form->insn == FH_INSN_RET_REL)
                found[inst.op[FH_RET_REL_A].reg] = true;
            else if (from && found[inst.op[0].reg])
                found[from->reg] = true;
        }
    }
}

/* Where calls return to: compilers put it into a register as a plain number, shortly before the
 * call. It is taken for that if it is the address behind the call and may come to a RET.REL of the
 * same code. */
static void mark_returns(const struct fh_text_code *code, struct marks *marks) {
    bool by_return[256] = {false};
    struct fh_inst inst;
    find_return_registers(code, by_return);
    for (uint32_t call = 0; call < code->word_count; call++) {
        if (!fh_decode(code->words[call], &inst) || fh_form_control[inst.form->id] != FH_CTRL_call)
            continue;
        for (uint32_t at = call > NEAR ? call - NEAR : 0; at < call; at++) {
            const struct fh_operand *number =
                fh_decode(code->words[at], &inst) ? moved_operand(&inst, FH_K_IMM) : NULL;
            if (number && by_return[inst.op[0].reg] &&
                (uint32_t)number->value == (call + 1) * FH_INST_BYTES)
                marks->moved[at] = marks->labels[call + 1] = true;
        }
    }
}

/* The word before `end` that moves a plain number into the register, which is the address of word
 * *target; `end` if there is none near. */
static uint32_t find_move(const struct fh_text_code *code, uint32_t end, uint8_t reg,
                          uint32_t *target) {
    struct fh_inst inst;
    for (uint32_t at = end; at-- > 0 && end - at <= NEAR;) {
        const struct fh_operand *number =
            fh_decode(code->words[at], &inst) ? moved_operand(&inst, FH_K_IMM) : NULL;
        if (!number || inst.op[0].reg != reg)
            continue;
        *target = (uint32_t)number->value / FH_INST_BYTES;
        return (uint32_t)number->value % FH_INST_BYTES == 0 && *target <= code->word_count ? at
                                                                                           : end;
    }
    return end;
}

/* If the sum at word `at` is base + to - from, where `from` is the address of the LEPC and `to` of
 * any word, both plain numbers: marks them. */
static void mark_sum(const struct fh_text_code *code, const struct fh_inst *sum, uint32_t at,
                     uint32_t lepc, uint8_t base, struct marks *marks) {
    const struct fh_operand *op = &sum->op[FH_IADD3_A];
    _Static_assert(FH_IADD3_B == FH_IADD3_A + 1 && FH_IADD3_C == FH_IADD3_A + 2, "side by side");
    uint32_t from = at, to = at, origin = UINT32_MAX, target = 0;
    bool has_base = false;
    for (unsigned i = 0; i < 3; i++) {
        if (op[i].kind != FH_K_REG)
            return;
        if (op[i].reg == base && !op[i].neg)
            has_base = true;
        else if (op[i].neg)
            from = find_move(code, at, op[i].reg, &origin);
        else
            to = find_move(code, at, op[i].reg, &target);
    }
    if (!has_base || from == at || to == at || origin != lepc)
        return;
    marks->moved[from] = marks->labels[lepc] = true;
    marks->moved[to] = marks->labels[target] = true;
}

/* Where calls of what a register holds return to: compilers add the distance from an LEPC to what
 * that gives, and the distance is the difference of two plain numbers. */
static void mark_counted_returns(const struct fh_text_code *code, struct marks *marks) {
    struct fh_inst inst;
    for (uint32_t lepc = 0; lepc < code->word_count; lepc++) {
        if (!fh_decode(code->words[lepc], &inst) || inst.form->insn != FH_INSN_LEPC)
            continue;
        uint8_t base = inst.op[0].reg;
        for (uint32_t at = lepc + 1; at < code->word_count && at - lepc <= NEAR; at++)
            if (fh_decode(code->words[at], &inst) && inst.form->insn == FH_INSN_IADD3)
                mark_sum(code, &inst, at, lepc, base, marks);
    }
}

static void mark_relocations(const struct fh_text_writer *w, struct fh_relocation_list relocations,
                             bool *labels) {
    uint32_t word;
    for (uint32_t i = 0; i < relocations.count; i++)
        if (fh_relocation_label(w->program, relocations.list[i], &word))
            labels[word] = true;
}

static const struct fh_info *info_of(const struct fh_text_writer *w,
                                     const struct fh_text_code *code) {
    return code->function ? &w->program->functions[code->index].info
                          : &w->program->kernels[code->index].info;
}

static void find_marks(const struct fh_text_writer *w, const struct fh_text_code *code,
                       struct fh_relocation_list relocations, struct marks *marks) {
    bool *labels = marks->labels;
    struct fh_inst inst;
    uint32_t word;
    for (uint32_t at = 0; at < code->word_count; at++) {
        if (!fh_decode(code->words[at], &inst))
            continue;
        for (unsigned i = 0; i < inst.form->operand_count; i++)
            if (target_of(code, &inst, i, at, &word))
                labels[word] = true;
    }
    fh_mark_records(info_of(w, code), code->word_count, labels);
    mark_relocations(w, relocations, labels);
    for (uint8_t bank = 1; bank < 32 && !code->function; bank++)
        mark_relocations(w, fh_relocations_of(w, FH_IN_KERNEL_BANK, code->index, bank), labels);
    mark_returns(code, marks);
    mark_counted_returns(code, marks);
}

/* The label of a word: the functions that begin there, or a number. */
static void write_label(struct fh_text_writer *w, const struct fh_text_code *code, uint32_t word,
                        bool wanted) {
    for (uint32_t i = 0; i < code->entry_count; i++) {
        const struct fh_entry *e = &code->entries[i];
        if (e->word != word || !fh_write_check_name(w, e->name))
            continue;
        fh_write(w, ".type %s, @function\n.size %s, %u\n", e->name, e->name,
                 e->word_count * FH_INST_BYTES);
        if (e->local_bytes)
            fh_write(w, ".frame %s, %u\n", e->name, e->local_bytes);
        fh_write(w, "%s:\n", e->name);
        wanted = false;
    }
    if (wanted)
        fh_write(w, ".L_%u:\n", word);
}

/* The macros, repetitions and includes that led to the line, as a comment. */
static void write_expansions(struct fh_text_writer *w, const struct fh_origin *origin) {
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    const fhec_location at = fh_origin_location(w->program, origin);
    const size_t count = fh_origin_expansions(w->program, origin, list, FHEC_MAX_EXPANSIONS);
    if (!count)
        return;
    const size_t skip = fhec_format_location(&at, NULL, 0, NULL, 0);
    const size_t size = fhec_format_location(&at, list, count, NULL, 0) + 1;
    char *text = malloc(size);
    w->out.failed |= !text;
    if (!text)
        return;
    (void)fhec_format_location(&at, list, count, text, size);
    for (char *p = text; *p; p++) /* names of files may be anything; the comment is one line */
        if ((unsigned char)*p < ' ')
            *p = '?';
    fh_write(w, " //%s", text + skip);
    free(text);
}

/* `.loc` where the line changes. */
static void write_line(struct fh_text_writer *w, const struct fh_text_code *code, uint32_t word) {
    const struct fh_origin *now = &code->origins[word], *before = word ? now - 1 : NULL;
    bool known = now->file < w->program->file_count;
    if (before && before->file == now->file && before->line == now->line &&
        before->expansion == now->expansion)
        return;
    if (!known && (!before || before->file >= w->program->file_count))
        return;
    const char *file = known ? w->program->files[now->file] : "";
    if (strpbrk(file, "\"\\\n"))
        fh_write_problem(w, "`%s` cannot be the name of a file in a source", file);
    fh_write(w, ".loc \"%s\", %u", file, known ? now->line : 0);
    write_expansions(w, now);
    fh_write(w, "\n");
}

/* Behind a register without a comma a label would read as the register's suffix. */
static void write_target(struct fh_bytes *to, const struct fh_text_code *code, bool glued,
                         uint32_t word) {
    fh_print_to(to, glued ? "`(" : "");
    fh_print_label(to, code, word);
    fh_print_to(to, glued ? ")" : "");
}

/* Texts for the operands that are addresses; `scratch` holds them. */
static void name_operands(struct fh_text_writer *w, const struct fh_text_code *code,
                          const struct fh_inst *inst, uint32_t at,
                          const struct fh_relocation *relocation, bool moves,
                          struct fh_bytes *scratch, const char *names[FH_MAX_OPERANDS]) {
    size_t begin[FH_MAX_OPERANDS];
    const struct fh_operand *moved = moves && !relocation ? moved_operand(inst, FH_K_IMM) : NULL;
    unsigned relocated = FH_MAX_OPERANDS;
    uint32_t word;
    scratch->count = 0;
    if (relocation && !relocated_operand(inst, relocation, &relocated))
        fh_write_problem(w, "%s, address 0x%x: an address in an instruction that takes none",
                         code->name, at * FH_INST_BYTES);
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        begin[i] = scratch->count;
        if (i == relocated)
            fh_write_address(w, scratch, relocation);
        else if (&inst->op[i] == moved)
            fh_print_label(scratch, code, (uint32_t)moved->value / FH_INST_BYTES);
        else if (target_of(code, inst, i, at, &word))
            write_target(scratch, code, inst->form->operands[i].glued, word);
        fh_bytes_u8(scratch, 0);
    }
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const char *text = scratch->failed ? "" : (const char *)scratch->data + begin[i];
        names[i] = *text ? text : NULL;
    }
}

static bool has_instruction(const struct fh_text_writer *w, const struct fh_inst *inst) {
    return fh_machine_has(w->program->machine, fh_insns[inst->form->insn].feature);
}

/* What is no known instruction, or one whose text would not give the word back, as it is. */
static void write_raw_word(struct fh_text_writer *w, fhec_word word, uint64_t pc) {
    char text[TEXT_MAX];
    struct fh_inst inst;
    const bool elsewhere = fh_decode(word, &inst) && !has_instruction(w, &inst);
    if (!elsewhere && fhec_disassemble(word, pc, (w->flags & FHEC_DIS_CONTROL) | FHEC_DIS_EXACT,
                                       text, sizeof text) >= 0) {
        fh_write(w, "    %s\n", text);
        return;
    }
    const struct fh_outside *outside = fh_outside_of_word(word);
    const char *what = outside     ? outside->root
                       : elsewhere ? fh_insns[inst.form->insn].name
                                   : "no instruction that fhec knows";
    fh_write(w, "    .inst 0x%016llx, 0x%016llx // %s%s%s%s\n", (unsigned long long)word.lo,
             (unsigned long long)word.hi, what, outside ? ": " : "", outside ? outside->why : "",
             elsewhere ? ": not of this machine" : "");
}

/* Bit 101 asks nvdisasm to print the descriptor. Compilers do not set it; the assembler does, where
 * the text has a descriptor, unless it is told otherwise. */
static void write_descriptor_bit(struct fh_text_writer *w, const struct fh_inst *inst) {
    if (w->flags & FHEC_DIS_NVDISASM || !fh_has_descriptor(inst) ||
        inst->show_desc != w->no_descriptor_bit)
        return;
    w->no_descriptor_bit = !inst->show_desc;
    fh_write(w, ".descbit %d\n", inst->show_desc);
}

/* What is said of a word, of what stands above it or, `behind`, below. */
static void write_expectations(struct fh_text_writer *w, const struct fh_text_code *code,
                               uint32_t word, bool behind) {
    for (uint32_t i = 0; i < w->program->expectation_count; i++) {
        const struct fh_expectation *e = &w->program->expectations[i];
        if (!code->function && e->kernel == code->index && e->word == word &&
            (e->contract == FHEC_CONTRACT_ENSURE) == behind)
            fh_write(w, "%s %s\n", fh_contract_directive(e->contract), e->text);
    }
}

static void write_instruction(struct fh_text_writer *w, const struct fh_text_code *code,
                              uint32_t at, const struct fh_relocation *relocation, bool moves,
                              struct fh_bytes *scratch) {
    const char *names[FH_MAX_OPERANDS];
    struct fh_inst inst;
    char fixed[TEXT_MAX], *text = fixed;
    fhec_word word = code->words[at];
    uint64_t pc = (uint64_t)at * FH_INST_BYTES;
    bool known = fh_decode(word, &inst) && has_instruction(w, &inst);
    if (known)
        write_descriptor_bit(w, &inst);
    if (!known || !(w->flags & FHEC_DIS_NVDISASM ||
                    fh_print_is_exact(&inst, w->flags, !w->no_descriptor_bit))) {
        if (relocation)
            fh_write_problem(w, "%s, address 0x%llx: an address in a word that is no instruction",
                             code->name, (unsigned long long)pc);
        write_raw_word(w, word, pc);
        return;
    }
    name_operands(w, code, &inst, at, relocation, moves, scratch, names);
    int length = fh_print_named(&inst, pc, w->flags, names, fixed, sizeof fixed);
    if (length >= TEXT_MAX) { /* names may be of any length */
        text = malloc((size_t)length + 1);
        if (text)
            (void)fh_print_named(&inst, pc, w->flags, names, text, (size_t)length + 1);
    }
    w->out.failed |= !text || scratch->failed;
    if (text)
        fh_write(w, "    %s ;\n", text);
    if (text != fixed)
        free(text);
}

/* What .nv.info says of the instruction; *mark: the first mark that has not been written. */
static void write_marks(struct fh_text_writer *w, const struct fh_text_code *code, uint32_t word,
                        uint32_t *mark) {
    const struct fh_info *info = info_of(w, code);
    for (; *mark < info->mark_count && info->marks[*mark].word <= word; ++*mark)
        if (info->marks[*mark].word == word)
            fh_write(w, ".mark 0x%x\n", info->marks[*mark].attribute);
}

void fh_write_code(struct fh_text_writer *w, const struct fh_text_code *code) {
    struct fh_relocation_list relocations =
        fh_relocations_of(w, code->function ? FH_IN_FUNCTION : FH_IN_KERNEL, code->index, 0);
    struct fh_bytes scratch = {0};
    struct marks marks = {.labels = calloc((size_t)code->word_count + 1, sizeof *marks.labels),
                          .moved = calloc((size_t)code->word_count + 1, sizeof *marks.moved)};
    uint32_t next = 0, mark = 0;
    w->out.failed |= !marks.labels || !marks.moved;
    if (!w->out.failed)
        find_marks(w, code, relocations, &marks);
    for (uint32_t at = 0; at <= code->word_count && !w->out.failed; at++) {
        write_label(w, code, at, marks.labels[at]);
        if (at == code->word_count)
            break;
        while (next < relocations.count && relocations.list[next]->offset / FH_INST_BYTES < at)
            next++;
        bool relocated =
            next < relocations.count && relocations.list[next]->offset / FH_INST_BYTES == at;
        if (w->flags & FHEC_DIS_LINES && code->origins)
            write_line(w, code, at);
        write_marks(w, code, at, &mark);
        if (!(w->flags & FHEC_DIS_NVDISASM))
            write_expectations(w, code, at, false);
        write_instruction(w, code, at, relocated ? relocations.list[next] : NULL, marks.moved[at],
                          &scratch);
        if (!(w->flags & FHEC_DIS_NVDISASM))
            write_expectations(w, code, at, true);
    }
    free(marks.labels);
    free(marks.moved);
    free(scratch.data);
}
