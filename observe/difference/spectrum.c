/*
 * spectrum.c - see spectrum.h. spectrum_matrix.c has what matrix instructions hand on.
 */
#include "spectrum.h"

#include <stdlib.h>
#include <string.h>

#include "spectrum_step.h"

/* ---------------------------------------------------------------- marks of a step */

static void add(struct fh_spectrum_marks *to, struct fh_spectrum_marks marks) {
    to->values |= marks.values;
    to->all |= marks.all;
}

static struct fh_spectrum_marks as_address(struct fh_spectrum_marks marks) {
    return (struct fh_spectrum_marks){0, marks.all};
}

/* Takes what the step's results are marked with; false: nothing is. */
static bool take_registers(struct fh_spectrum_step *s) {
    const fhec_instruction *instruction = s->instruction;
    bool any = false;
    for (uint32_t i = 0; i < instruction->use_count; i++) {
        const fhec_use *use = &instruction->uses[i];
        const bool uniform = use->file == FHEC_FILE_UR || use->file == FHEC_FILE_UP;
        if (!use->written || use->file == FHEC_FILE_B)
            continue;
        for (uint32_t k = 0; k < use->count; k++)
            for (uint32_t lane = 0; lane < (uniform ? 1 : FHEC_WARP_LANES); lane++) {
                struct fh_spectrum_marks *at =
                    fh_marked_register(s->state, s->warp, use->file, use->first + k, lane, false);
                if (!at)
                    break;
                if (!at->all || (!uniform && !(s->active & 1U << lane)) || !s->active)
                    continue;
                any = true;
                add(&s->whole, *at);
                add(&s->lanes[lane], *at);
                if (use->file == FHEC_FILE_R && k < FH_SPECTRUM_SLOTS)
                    add(&s->slots[k][lane], *at);
                *at = (struct fh_spectrum_marks){0};
            }
    }
    return any;
}

static uint64_t owner_of(const struct fh_spectrum_step *s, fhec_space space, uint32_t lane) {
    const struct fh_journal_warp *w = fh_journal_warp(s->journal, s->step);
    uint64_t owner = w->launch;
    for (unsigned i = 0; i < 3; i++)
        owner = owner * UINT64_C(1000003) + w->block[i];
    return space == FHEC_SPACE_LOCAL ? (owner * 1000003 + w->warp) * 32 + lane : owner;
}

static void give_word(struct fh_spectrum_step *s, fhec_space space, uint32_t lane, uint64_t address,
                      struct fh_spectrum_marks marks) {
    struct fh_spectrum_marks *to;
    if (marks.all &&
        (to = fh_marked_word(s->state, space, owner_of(s, space, lane), address, true)) != NULL)
        add(to, marks);
}

/* Takes what memory that the step wrote is marked with. */
static bool take_memory(struct fh_spectrum_step *s) {
    struct fh_journal_access access;
    bool any = false;
    for (size_t i = 0; fh_journal_access(s->journal, s->step, i, &access); i++)
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES && access.access & FHEC_ACCESS_WRITE;
             lane++) {
            const uint64_t first = access.address[lane], end = first + access.bytes;
            if (!(access.lanes & 1U << lane))
                continue;
            for (uint64_t at = first & ~UINT64_C(3); at < end; at += 4) {
                const size_t slot = at > first ? (size_t)(at - first) / 4 : 0;
                struct fh_spectrum_marks *marks = fh_marked_word(
                    s->state, access.space, owner_of(s, access.space, lane), at, false);
                if (!marks || !marks->all)
                    continue;
                any = true;
                add(&s->whole, *marks);
                add(&s->lanes[lane], *marks);
                add(&s->slots[slot % FH_SPECTRUM_SLOTS][lane], *marks);
                /* What is left of the word, or was there before, may be of another one. */
                if (at >= first && at + 4 <= end && !(access.access & FHEC_ACCESS_READ))
                    *marks = (struct fh_spectrum_marks){0};
            }
        }
    return any;
}

/* ---------------------------------------------------------------- handing on */

static bool begins(const fhec_instruction *instruction, const char *with) {
    return !strncmp(instruction->mnemonic, with, strlen(with));
}

/* LDSM: register i of lane l holds 32 bits of row l / 4 of matrix i, or, transposed, 16 bits of two
 * rows. */
static void give_matrix_load(struct fh_spectrum_step *s, const struct fh_journal_access *access) {
    const bool transposed = strstr(s->instruction->mnemonic, ".MT88") != NULL;
    for (uint32_t slot = 0; slot < 4; slot++)
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            for (uint32_t half = 0; half < (transposed ? 2 : 1); half++) {
                const uint32_t row = 8 * slot + (transposed ? 2 * (lane % 4) + half : lane / 4);
                const uint32_t offset = transposed ? 2 * (lane / 4) : 4 * (lane % 4);
                give_word(s, access->space, lane, access->address[row] + offset,
                          s->slots[slot][lane]);
                add(&s->addresses[row], as_address(s->slots[slot][lane]));
            }
}

/* What was read of memory: word k is in result k. */
static void give_memory(struct fh_spectrum_step *s) {
    struct fh_journal_access access;
    const bool uniform = s->instruction->mnemonic[0] == 'U';
    for (size_t i = 0; fh_journal_access(s->journal, s->step, i, &access); i++) {
        if (!(access.access & FHEC_ACCESS_READ) || access.space == FHEC_SPACE_CONSTANT)
            continue;
        s->loads = true;
        if (begins(s->instruction, "LDSM")) {
            give_matrix_load(s, &access);
            continue;
        }
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
            if (!(access.lanes & 1U << lane))
                continue;
            for (uint32_t k = 0; k < access.bytes; k += 4)
                give_word(s, access.space, lane, access.address[lane] + k,
                          uniform ? s->whole : s->slots[k / 4 % FH_SPECTRUM_SLOTS][lane]);
        }
    }
}

/* Whether the register belongs to an address, or is an index into constants. */
static bool addresses(const fhec_instruction *instruction, fhec_register_file file, uint32_t reg) {
    bool is = false;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        const bool place = o->kind == FHEC_OPERAND_ADDRESS || o->kind == FHEC_OPERAND_CONSTANT;
        if (!place && o->read && o->reg != FHEC_NO_REGISTER && reg >= o->reg &&
            reg < o->reg + (o->count ? o->count : 1U) &&
            (o->kind == FHEC_OPERAND_REGISTER  ? file == FHEC_FILE_R
             : o->kind == FHEC_OPERAND_UNIFORM ? file == FHEC_FILE_UR
                                               : false))
            return false;
        is |= place && file == FHEC_FILE_R && o->reg != FHEC_NO_REGISTER && reg >= o->reg &&
              reg < o->reg + (o->count ? o->count : 1U);
        is |= place && file == FHEC_FILE_UR && o->ureg != FHEC_NO_REGISTER && reg >= o->ureg &&
              reg < o->ureg + 2U;
    }
    return is;
}

static bool is_guard(const fhec_instruction *instruction, const fhec_use *use) {
    return instruction->guard != 7 && use->first == instruction->guard &&
           use->file == (instruction->guard_uniform ? FHEC_FILE_UP : FHEC_FILE_P);
}

/* What a register that lane `lane` read gets: of one result, or of all of them. */
static void give_register(struct fh_spectrum_step *s, const fhec_use *use, uint32_t k,
                          uint32_t lane) {
    struct fh_spectrum_marks marks = s->lanes[lane];
    const uint32_t reg = use->first + k;
    if (addresses(s->instruction, use->file, reg))
        marks = as_address(marks);
    else if (s->stores && !s->matrix_load && use->file == FHEC_FILE_R)
        marks = s->slots[k % FH_SPECTRUM_SLOTS][lane];
    else if (s->loads && !s->stores)
        marks = as_address(marks);
    if (is_guard(s->instruction, use))
        marks = as_address(marks);
    add(&marks, s->addresses[lane]);
    fh_marked_give(s->state, s->warp, use->file, reg, lane, marks);
}

/* Lanes take from each other: every one that was read gets what all results have, or, where it is
 * known who took from whom, what these have. */
static void exchange(struct fh_spectrum_step *s) {
    struct fh_spectrum_marks of[FHEC_WARP_LANES] = {{0, 0}};
    const struct fh_slicing slicing = {.journal = s->journal};
    const fhec_instruction *instruction = s->instruction;
    if (begins(instruction, "SHFL")) {
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            if (s->lanes[lane].all)
                add(&of[fh_slicing_shuffle(&slicing, s->step, lane)], s->lanes[lane]);
        memcpy(s->lanes, of, sizeof of);
    } else if (begins(instruction, "R2UR") || begins(instruction, "VOTEU") ||
               !strcmp(instruction->klass, "crosslane") || !strcmp(instruction->klass, "matrix")) {
        const uint32_t from = begins(instruction, "R2UR") ? s->active & -s->active : s->active;
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            s->lanes[lane] = from & 1U << lane ? s->whole : of[lane];
    }
}

static void hand_on(struct fh_spectrum_step *s) {
    const fhec_instruction *instruction = s->instruction;
    s->matrix_load = begins(instruction, "LDSM");
    give_memory(s);
    if (fh_spectrum_matrix(s))
        return;
    exchange(s);
    for (uint32_t i = 0; i < instruction->use_count; i++) {
        const fhec_use *use = &instruction->uses[i];
        if (use->written || use->file == FHEC_FILE_B)
            continue;
        for (uint32_t k = 0; k < use->count; k++)
            for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
                if (s->lanes[lane].all || s->addresses[lane].all)
                    give_register(s, use, k, lane);
    }
}

/* ---------------------------------------------------------------- the pass */

/* The elements to which no store of the journal goes. */
static uint64_t find_unstored(const struct fh_journal *journal,
                              const struct fh_spectrum_element *elements, size_t count) {
    struct fh_journal_access access;
    uint64_t unstored = 0;
    uint32_t lane;
    for (size_t i = 0; i < count && i < FH_SPECTRUM_MOST; i++)
        if (fh_journal_storer(journal, fh_journal_count(journal), FHEC_SPACE_GLOBAL, NULL, 0,
                              elements[i].address, elements[i].bytes, &access, &lane) == FH_NO_STEP)
            unstored |= UINT64_C(1) << i;
    return unstored;
}

/* Whether it decides what is stored: a store to global memory, or a branch with a guard. */
static bool decides(const fhec_instruction *instruction) {
    return begins(instruction, "STG") || begins(instruction, "ST.") || begins(instruction, "RED") ||
           begins(instruction, "ATOMG") ||
           (instruction->guard != 7 && (begins(instruction, "BRA") || begins(instruction, "EXIT")));
}

/* Marks addresses and guards of such an instruction with what nobody stored, and a branch's with
 * all that its warp went on to do. */
static void blame(struct fh_spectrum_step *s) {
    struct fh_spectrum_marks marks = {0, s->unstored};
    if (s->instruction->guard != 7 && begins(s->instruction, "BRA"))
        marks.all |= s->later[s->warp];
    if (!marks.all || !decides(s->instruction))
        return;
    s->dirty = true;
    add(&s->whole, marks);
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        if (fh_journal_active(s->journal, s->step) & 1U << lane)
            add(&s->addresses[lane], marks);
}

static void mark_elements(struct fh_marked_state *state, const struct fh_spectrum_element *elements,
                          size_t count) {
    for (size_t i = 0; i < count && i < FH_SPECTRUM_MOST; i++)
        for (uint64_t at = elements[i].address & ~UINT64_C(3);
             at < elements[i].address + elements[i].bytes; at += 4) {
            struct fh_spectrum_marks *marks = fh_marked_word(state, FHEC_SPACE_GLOBAL, 0, at, true);
            const uint64_t bit = UINT64_C(1) << i;
            if (marks)
                add(marks, (struct fh_spectrum_marks){bit, bit});
        }
}

static void one_step(struct fh_spectrum_step *s, uint32_t step, struct fh_spectrum_marks *sites) {
    const struct fh_journal_site *site = fh_journal_site(s->journal, step);
    s->step = step;
    s->instruction = &site->instruction;
    s->warp = fh_journal_warp_number(s->journal, step);
    s->active = fh_journal_active(s->journal, step);
    if (s->dirty) {
        memset(s->lanes, 0, sizeof s->lanes);
        memset(s->addresses, 0, sizeof s->addresses);
        memset(s->slots, 0, sizeof s->slots);
        s->whole = (struct fh_spectrum_marks){0, 0};
        s->loads = s->stores = s->dirty = false;
    }
    const bool registers = take_registers(s);
    s->stores = take_memory(s);
    s->dirty = registers || s->stores;
    blame(s);
    if (s->dirty) {
        add(&sites[fh_journal_site_number(s->journal, step)], s->whole);
        s->later[s->warp] |= s->whole.all;
        hand_on(s);
    }
    if (fh_journal_previous(s->journal, step) == FH_NO_STEP)
        fh_marked_warp_end(s->state, s->warp);
}

bool fh_spectrum_make(const struct fh_journal *journal, const struct fh_spectrum_element *elements,
                      size_t count, struct fh_spectrum_marks *marks) {
    struct fh_marked_state state;
    struct fh_spectrum_step *s = calloc(1, sizeof *s);
    if (s)
        s->later = calloc(fh_journal_warp_count(journal) + 1, sizeof *s->later);
    bool fine = fh_marked_begin(&state, fh_journal_warp_count(journal)) && s && s->later;
    if (fine) {
        s->journal = journal;
        s->state = &state;
        s->unstored = find_unstored(journal, elements, count);
        mark_elements(&state, elements, count);
        for (uint32_t step = fh_journal_count(journal); step-- > fh_journal_oldest(journal);)
            one_step(s, step, marks);
        fh_spectrum_matrix_end(s);
        fine = !state.failed;
    }
    fh_marked_end(&state);
    if (s)
        free(s->later);
    free(s);
    return fine;
}
