/*
 * listing.c - see listing.h: the line of a statement, the word beside it, and the parameters and
 * memory of a kernel.
 */
#include "listing.h"
#include "asm.h"
#include "asm_memory.h"
#include "code.h"
#include "cubin.h"
#include "flowgraph.h"
#include "open_code.h"
#include "resources.h"

#include <stdlib.h>
#include <string.h>

void fh_listing_free(struct fh_listing *listing) {
    if (!listing)
        return;
    for (size_t i = 0; i < listing->kernel_count; i++) {
        struct fh_listing_kernel *k = listing->kernels[i];
        free(k->name);
        fh_bytes_free(&k->parameters);
        fh_bytes_free(&k->shared);
        fh_bytes_free(&k->constants);
        free(k->params);
        free(k);
    }
    free(listing->kernels);
    free(listing->lines);
    free(listing);
}

static struct fh_span span_of(const struct fh_buffer *file, const char *begin, const char *end) {
    uint32_t at = file->base + (uint32_t)(begin - file->text);
    return (struct fh_span){at, at + (uint32_t)(end - begin)};
}

void fh_listing_foreign(struct fh_asm *a, const struct fh_buffer *file, const char *begin,
                        const char *end) {
    const char *name = fh_text_of(a, begin, (size_t)(end - begin));
    fh_report(a, FH_D_OTHER_TARGET, span_of(file, begin, end), name,
              fhec_target_limits(name) ? "there is code for an earlier one"
                                       : "fhec assembles sm_80, sm_86, sm_87 and sm_89",
              NULL);
}

void fh_listing_machine(struct fh_asm *a, const struct fh_buffer *file, const char *begin,
                        const char *end, const fhec_limits *machine) {
    fh_take_machine(a, machine, span_of(file, begin, end));
}

/* ---------------------------------------------------------------- lines */

const struct fh_listed *fh_listing_line(struct fh_asm *a) {
    struct fh_listing *l = a->texts.top ? a->texts.top->listing : NULL;
    if (!l || a->st.begin < a->texts.top->buffer->base)
        return NULL;
    uint32_t offset = a->st.begin - a->texts.top->buffer->base;
    while (l->at < l->line_count && l->lines[l->at].end <= offset)
        l->at++;
    const struct fh_listed *line = l->at < l->line_count ? &l->lines[l->at] : NULL;
    return line && line->begin <= offset ? line : NULL;
}

static const char *word_text(struct fh_asm *a, fhec_word word) {
    return fh_text(a, "0x%016llx%016llx", (unsigned long long)word.hi, (unsigned long long)word.lo);
}

/* The instruction as the text beside its word has it: where the word hides the default descriptor,
 * an address without one has it, too. */
static struct fh_inst as_listed(const struct fh_inst *inst, const struct fh_inst *listed) {
    struct fh_inst same = *inst;
    for (unsigned i = 0; listed->form == inst->form && i < inst->form->operand_count; i++)
        if (listed->op[i].desc && !listed->show_desc && !same.op[i].desc && same.op[i].has_ureg &&
            same.op[i].ureg == FH_URZ) {
            same.op[i].desc = true;
            same.op[i].ureg = listed->op[i].ureg;
        }
    return same;
}

void fh_listing_compare(struct fh_asm *a, const struct fh_listed *line, uint32_t named,
                        struct fh_inst *inst) {
    char ours[512], theirs[512];
    struct fh_inst listed;
    if (!line->has_word)
        return;
    bool known = fh_decode(line->word, &listed);
    for (unsigned i = 0; known && listed.form == inst->form && i < inst->form->operand_count; i++)
        if (named >> i & 1)
            inst->op[i].value = listed.op[i].value;
    if (known && fh_has_descriptor(inst) && fh_has_descriptor(&listed))
        inst->show_desc = listed.show_desc; /* our listings show all descriptors */
    const struct fh_inst shown = known ? as_listed(inst, &listed) : *inst;
    if (fh_print(&shown, line->address, FHEC_DIS_NVDISASM, ours, sizeof ours) < 0)
        return; /* it has been checked: this does not happen */
    if (known && fh_print(&listed, line->address, FHEC_DIS_NVDISASM, theirs, sizeof theirs) >= 0) {
        if (strcmp(ours, theirs) == 0) {
            if (a->st.has_sched)
                listed.sched = inst->sched;
            *inst = listed;
            return;
        }
        fh_note(a, fh_text(a, "the listing's word is `%s`", theirs));
    }
    fh_note(a, fh_text(a, "assembled: %s", word_text(a, fh_encode(inst))));
    fh_note(a, fh_text(a, "listing:   %s", word_text(a, line->word)));
    if (!a->st.has_sched && known) {
        uint8_t reuse = inst->sched.reuse; /* that is in the text */
        inst->sched = listed.sched;
        inst->sched.reuse = reuse;
    }
    fh_report(a, FH_D_LISTING_DIFFERS, (struct fh_span){a->st.begin, a->st.end}, NULL, NULL, NULL);
}

/* ---------------------------------------------------------------- kernels */

static uint32_t get(const uint8_t *p, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned b = 0; b < bytes; b++)
        value |= (uint32_t)p[b] << (8 * b);
    return value;
}

/* One parameter. */
static void take_param(struct fh_asm *a, const uint8_t *p, bool large,
                       struct fh_listing_kernel *k) {
    uint32_t size = get(p + 8, 4);
    if (!fh_asm_grow(a, &k->params, &k->param_capacity, k->param_count + 1, sizeof *k->params))
        return;
    k->params[k->param_count++] = (struct fh_listing_param){
        .ordinal = get(p + 4, 2), .offset = get(p + 6, 2), .size = large ? size : size >> 18};
}

/* The records are those of a cubin's .nv.info sections: 4 bytes {format, attribute, length}, then
 * the payload. */
void fh_attribute_apply(struct fh_asm *a, const struct fh_attribute *at,
                        struct fh_listing_kernel *k) {
    if (at->payload.count < 12) /* what is of interest here has 8 bytes or more */
        return;
    const uint8_t *p = at->payload.data + 4;
    uint8_t attribute = at->payload.data[1];
    bool three = at->payload.count >= 16;
    uint32_t number = get(p + 4, 4);
    switch (attribute) {
    case FH_NV_KPARAM_INFO:
    case FH_NV_KPARAM_INFO_LARGE:
        if (three)
            take_param(a, p, attribute == FH_NV_KPARAM_INFO_LARGE, k);
        break;
    case FH_NV_PARAM_CBANK: k->param_start = get(p + 4, 2); break;
    case FH_NV_REGCOUNT: k->registers = number; break;
    case FH_NV_FRAME_SIZE:
    case FH_NV_MIN_STACK_SIZE: k->frame = number > k->frame ? number : k->frame; break;
    case FH_NV_MAX_THREADS:
    case FH_NV_REQUIRED_THREADS:
        for (unsigned i = 0; three && i < 3; i++)
            (attribute == FH_NV_MAX_THREADS ? k->max_threads : k->required)[i] = get(p + 4 * i, 4);
        break;
    default: break;
    }
}

static void add_param(struct fh_asm *a, const char *name, uint32_t offset, uint32_t size) {
    (void)fh_add_param(a, name, strlen(name), offset, size);
}

/* In the order of the source, which may be any in the listing. */
static void add_params(struct fh_asm *a, const struct fh_listing_kernel *k) {
    uint32_t shift = k->param_start > FH_PARAM_START ? k->param_start - FH_PARAM_START : 0;
    for (uint32_t ordinal = 0; ordinal < k->param_count; ordinal++)
        for (size_t i = 0; i < k->param_count; i++) {
            const struct fh_listing_param *p = &k->params[i];
            if (p->ordinal == ordinal && p->size && p->size <= FH_PARAM_BYTES_MAX &&
                p->offset + shift + p->size <= FH_PARAM_BYTES_MAX)
                add_param(a, fh_text(a, "param%u", ordinal), p->offset + shift, p->size);
        }
}

static void guess_stack(struct fh_open_code *code) {
    if (code->local_bytes < FH_STACK_UNKNOWN)
        code->local_bytes = FH_STACK_UNKNOWN;
    code->stack_unknown = true;
}

static void take_kernel(struct fh_asm *a, const struct fh_listing_kernel *k) {
    struct fh_open_code *code = &a->code;
    struct fh_bytes *bank = &code->banks[FH_BANK_KERNEL];
    add_params(a, k);
    if (k->parameters.count > FH_PARAM_START + code->param_bytes)
        code->param_bytes = (uint32_t)k->parameters.count - FH_PARAM_START;
    code->shared_bytes = (uint32_t)k->shared.count;
    code->local_bytes = k->frame <= FH_MAX_LOCAL ? k->frame : 0;
    if (k->frame == UINT32_MAX)
        guess_stack(code);
    fh_max_threads(code->max_threads, k->max_threads);
    memcpy(code->required, k->required, sizeof code->required);
    code->registers_asked = k->registers <= FH_MAX_REGISTERS ? k->registers : 0;
    code->registers_at = code->at;
    if (bank->count == 0)
        fh_bytes_put(bank, k->constants.data, k->constants.count);
    a->no_memory |= bank->failed;
}

void fh_listing_open_kernel(struct fh_asm *a) {
    const struct fh_listing *l = a->texts.top ? a->texts.top->listing : NULL;
    for (size_t i = 0; l && i < l->kernel_count; i++)
        if (fh_is_own_name(a, l->kernels[i]->name, l->kernels[i]->name_length))
            take_kernel(a, l->kernels[i]);
}

/* Which words of bank 0 the code reads, and where an access of 8 bytes or more begins. */
struct reads {
    bool used[FH_PARAM_BYTES_MAX / 4 + 4], wide[FH_PARAM_BYTES_MAX / 4 + 4];
};

/* Whether a parameter can begin there: those of large kernels begin behind a gap. */
static bool holds_params(int64_t offset) {
    return (offset >= 0 && offset < FH_SMALL_PARAMS_END) ||
           (offset >= FH_LARGE_PARAMS && offset < FH_PARAM_BYTES_MAX);
}

static void note_reads(struct reads *r, const struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *op = &inst->op[i];
        int64_t offset = op->value - FH_PARAM_START;
        if (op->kind != FH_K_CONST || op->bank != 0 || op->indexed || !holds_params(offset))
            continue;
        unsigned words = fh_operand_registers(inst, i);
        r->wide[offset / 4] |= words > 1 && holds_params(offset + 4);
        for (unsigned w = 0; w < words && w < 4 && holds_params(offset + 4 * w); w++)
            r->used[offset / 4 + w] = true;
    }
}

/* cuobjdump tells nothing of parameters: every word of bank 0 that the code reads belongs to one,
 * and two words that make up an aligned 8 bytes are taken for one of 8. */
static void infer_params(struct fh_asm *a, const struct reads *r) {
    for (uint32_t w = 0; w < FH_PARAM_BYTES_MAX / 4; w++) {
        if (!r->used[w])
            continue;
        uint32_t size = w % 2 == 0 && (r->wide[w] || r->used[w + 1]) ? 8 : 4;
        add_param(a, fh_text(a, "param_0x%x", FH_PARAM_START + 4 * w), 4 * w, size);
        w += size / 4 - 1;
    }
}

void fh_listing_close_kernel(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    struct reads *reads = code->listed ? fh_asm_alloc(a, sizeof *reads) : NULL;
    if (!reads)
        return;
    memset(reads, 0, sizeof *reads);
    uint32_t frame = 0, count = (uint32_t)code->word_count;
    bool calls = false;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_inst inst;
        if (!code->notes[i].known || !fh_decode(code->words[i], &inst))
            continue;
        note_reads(reads, &inst);
        frame += fh_stack_frame(&inst);
        calls |= fh_exit_of(&inst, i, count).calls;
    }
    if (code->param_bytes == 0)
        infer_params(a, reads);
    bool inferred = code->local_bytes == 0 && frame <= FH_MAX_LOCAL;
    if (inferred)
        code->local_bytes = frame;
    if (!code->function && ((inferred && frame && calls) /* it may recurse */
                            || fh_stack_moves(code->words, count, false)))
        guess_stack(code);
}
