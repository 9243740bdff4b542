/*
 * calls.c - in which functions a lane is. The machine keeps no stack of calls; what compiled code
 * keeps of it is a return address in a pair of registers, put on the stack (R1, local memory) where
 * the function calls another one.
 *
 * So from the place of the lane the code is followed in a straight line up to its RET, with R1 and
 * the pair of registers that the RET names: what is loaded into them from the stack on the way is
 * read there now. The address is believed if it is that behind a CALL; the lane of the caller
 * stands at this CALL, and the same is done from there. Where an EXIT comes first, nobody called.
 */
#include "code.h"
#include "session_state.h"

#include <string.h>

enum { MOST_FRAMES = 64, SLOTS = 16, STACK = 1, NONE = UINT32_MAX };

/* A register as far as it is known. */
struct known {
    bool is;
    uint32_t value;
};

struct walk {
    const fhec_session *s;
    const uint8_t *local; /* of the lane */
    uint32_t at;          /* index of the instruction */
    uint32_t reg;         /* the pair that the RET names */
    struct known stack, low, high;
    struct {
        uint32_t address;
        struct known value;
    } slot[SLOTS]; /* stored on the way */
    unsigned slots;
};

static bool is_root(const struct fh_inst *inst, const char *root) {
    return inst && strcmp(fh_insns[inst->form->insn].root, root) == 0;
}

static bool always(const struct fh_inst *inst) {
    return inst->guard == FH_PT && !inst->guard_neg;
}

static const struct fh_inst *inst_at(const struct walk *w, uint32_t index) {
    return index < w->s->image.count ? w->s->image.ops[index].inst : NULL;
}

/* The RET that straight code leads to; NONE: it ends before, or is none. */
static uint32_t find_return(const struct walk *w) {
    for (uint32_t i = w->at; i < w->s->image.count; i++) {
        const struct fh_inst *inst = inst_at(w, i);
        if (!inst || (is_root(inst, "EXIT") && always(inst)))
            return NONE;
        if (is_root(inst, "RET"))
            return i;
    }
    return NONE;
}

/* The operand of that kind; NULL: there is none. */
static const struct fh_operand *operand_of(const struct fh_inst *inst, uint8_t kind) {
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->op[i].kind == kind)
            return &inst->op[i];
    return NULL;
}

static struct known *tracked(struct walk *w, uint32_t reg) {
    return reg == STACK ? &w->stack : reg == w->reg ? &w->low : reg == w->reg + 1 ? &w->high : NULL;
}

static struct known load(const struct walk *w, uint32_t address) {
    struct known value = {false, 0};
    for (unsigned i = w->slots; i-- > 0;)
        if (w->slot[i].address == address)
            return w->slot[i].value;
    if (address <= w->s->image.local_bytes && w->s->image.local_bytes - address >= 4) {
        memcpy(&value.value, w->local + address, 4);
        value.is = true;
    }
    return value;
}

static void keep(struct walk *w, uint32_t address, struct known value) {
    if (w->slots == SLOTS)
        return;
    w->slot[w->slots].address = address;
    w->slot[w->slots++].value = value;
}

/* A load or store of the stack: of one register, or of several behind one another. */
static void access_stack(struct walk *w, const struct fh_op *op, bool stores) {
    const struct fh_address *a = &op->address;
    const uint32_t address = w->stack.value + (uint32_t)a->offset;
    for (uint32_t i = 0; i < (a->bytes + 3u) / 4u; i++) {
        struct known *reg = tracked(w, (uint32_t)a->data + i), unknown = {false, 0};
        const bool there = w->stack.is && a->base == STACK;
        if (stores && reg && there)
            keep(w, address + 4 * i, *reg);
        else if (!stores && reg)
            *reg = there && a->bytes >= 4 ? load(w, address + 4 * i) : unknown;
    }
}

/* IADD3 R1, R1, NUMBER, RZ and MOV REGISTER, NUMBER are followed; else what is written is not known
 * any more. */
static void follow(struct walk *w) {
    const struct fh_op *op = &w->s->image.ops[w->at];
    const struct fh_inst *inst = op->inst;
    if (is_root(inst, "LDL") || is_root(inst, "STL")) {
        access_stack(w, op, is_root(inst, "STL"));
        return;
    }
    const struct fh_operand *number = operand_of(inst, FH_K_IMM);
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        for (unsigned k = 0; o->kind == FH_K_REG && k < fh_operand_registers(inst, i); k++) {
            struct known *reg = tracked(w, (uint32_t)o->reg + k);
            if (!reg || !(inst->form->operands[i].access & FH_WRITE))
                continue;
            if (reg == &w->stack && fh_stack_frame(inst))
                reg->value -= fh_stack_frame(inst);
            else if (reg == &w->stack && is_root(inst, "IADD3") && number && number->value > 0)
                reg->value += (uint32_t)number->value;
            else if (is_root(inst, "MOV") && number)
                *reg = (struct known){true, (uint32_t)number->value};
            else
                reg->is = false;
        }
    }
}

/* Follows the code to the RET at `end`; the index of the CALL behind which it leads, or NONE. */
static uint32_t caller(struct walk *w, uint32_t end) {
    for (; w->at < end; w->at++)
        follow(w);
    const struct fh_inst *inst = inst_at(w, end);
    const struct fh_operand *target = operand_of(inst, FH_K_TARGET),
                            *offset = operand_of(inst, FH_K_IMM);
    uint64_t address = (uint64_t)w->high.value << 32 | w->low.value;
    if (!w->low.is || !w->high.is)
        return NONE;
    if (target)
        address += (uint64_t)end * FH_INST_BYTES + FH_INST_BYTES + (uint64_t)target->value;
    address += offset ? (uint64_t)offset->value : 0;
    if (address % FH_INST_BYTES || address < FH_INST_BYTES ||
        address / FH_INST_BYTES > w->s->image.count)
        return NONE;
    const uint32_t call = (uint32_t)(address / FH_INST_BYTES) - 1;
    return is_root(inst_at(w, call), "CALL") ? call : NONE;
}

/* ---------------------------------------------------------------- frames */

/* The name of the code that the word is in, and the index of its first word. */
static const char *name_of(const fhec_session *s, uint32_t word, uint32_t *first) {
    const struct fh_function *f = fh_code_function(s->image.program, word);
    const struct fh_kernel *kernel = s->image.code;
    const struct fh_entry *entries = f ? f->entries : kernel->entries;
    const uint32_t count = f ? f->entry_count : kernel->entry_count, base = f ? f->first : 0;
    *first = base;
    for (uint32_t i = 0; i < count; i++) {
        if (word - base < entries[i].word || word - base - entries[i].word >= entries[i].word_count)
            continue;
        *first = base + entries[i].word;
        return entries[i].name;
    }
    return f ? f->name : word < kernel->word_count ? kernel->name : NULL;
}

static fhec_frame frame_of(const fhec_session *s, uint32_t word, bool guess) {
    uint32_t first;
    fhec_frame frame = {.pc = (uint64_t)word * FH_INST_BYTES, .guess = guess};
    frame.function = name_of(s, word, &first);
    frame.offset = (uint64_t)(word - first) * FH_INST_BYTES;
    return frame;
}

fhec_status fhec_session_calls(const fhec_session *s, const uint32_t block[3], uint32_t warp,
                               uint32_t lane, fhec_frame *frames, size_t capacity, size_t *count) {
    fhec_warp_info info;
    *count = 0;
    fhec_status status = fhec_session_warp(s, block, warp, &info);
    if (status != FHEC_OK)
        return status;
    if (lane >= FH_LANES || (info.exited | ~info.lanes) >> lane & 1)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "lane %u has ended, or is none", lane);
    const struct fh_block *b = fh_session_find(s, block);
    const struct fh_flow *f = &b->warps[warp];
    const size_t thread = (size_t)warp * FH_LANES + lane;
    struct walk w = {.s = s, .local = b->local + thread * s->image.local_bytes};
    w.stack = (struct known){true, f->w.r[STACK][lane]};
    uint32_t place = w.at = f->group >> lane & 1 ? f->pc : f->lane_pc[lane];
    for (bool live = true; place != NONE && *count < MOST_FRAMES; live = false) {
        if (*count < capacity)
            frames[*count] = frame_of(s, place, !live);
        ++*count;
        const uint32_t end = find_return(&w);
        const struct fh_operand *pair = end == NONE ? NULL : operand_of(inst_at(&w, end), FH_K_REG);
        if (!pair || pair->reg >= FH_RZ)
            break;
        w.reg = pair->reg;
        w.low = (struct known){live, f->w.r[w.reg][lane]};
        w.high = (struct known){live, f->w.r[w.reg + 1][lane]};
        place = caller(&w, end); /* where the caller's lane stands; its code goes on behind it */
        w.at = place + 1;
    }
    return FHEC_OK;
}
