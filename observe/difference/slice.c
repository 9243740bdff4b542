/*
 * slice.c - see slice.h. Nodes are expanded in the order in which they were made.
 */
#include <stdlib.h>
#include <string.h>

#include "slicing.h"

/* How many registers of a file the instruction reads from one on. */
static uint32_t run_length(const fhec_instruction *instruction, fhec_register_file file,
                           uint32_t first) {
    for (uint32_t i = 0; i < instruction->use_count; i++) {
        const fhec_use *use = &instruction->uses[i];
        if (!use->written && use->file == file && use->first == first)
            return use->count;
    }
    return 1;
}

static void add_run(struct fh_slicing *s, uint32_t step, fhec_register_file file, uint32_t first,
                    uint32_t lanes, const char *role) {
    const struct fh_journal_site *site = fh_journal_site(s->journal, step);
    uint32_t value;
    if (first == FHEC_NO_REGISTER)
        return;
    const uint32_t count = run_length(&site->instruction, file, first);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            if (lanes & 1U << lane)
                (void)fh_slicing_register(s, step, file, first + i, lane, role, &value);
}

static void add_operand(struct fh_slicing *s, uint32_t step, const fhec_operand *operand,
                        uint32_t lanes) {
    switch (operand->kind) {
    case FHEC_OPERAND_REGISTER: add_run(s, step, FHEC_FILE_R, operand->reg, lanes, ""); break;
    case FHEC_OPERAND_PREDICATE: add_run(s, step, FHEC_FILE_P, operand->reg, lanes, ""); break;
    case FHEC_OPERAND_UNIFORM: add_run(s, step, FHEC_FILE_UR, operand->reg, 1, ""); break;
    case FHEC_OPERAND_UNIFORM_PREDICATE: add_run(s, step, FHEC_FILE_UP, operand->reg, 1, ""); break;
    case FHEC_OPERAND_CONSTANT:
    case FHEC_OPERAND_ADDRESS:
        if (!s->limits->addresses)
            break;
        add_run(s, step, FHEC_FILE_R, operand->reg, lanes, "address");
        add_run(s, step, FHEC_FILE_UR, operand->ureg, 1, "address");
        break;
    default: break;
    }
}

/* ---------------------------------------------------------------- memory */

/* Bytes of memory as a step finds them, or, `before` being the number of all steps, as they are at
 * the end. `from` tells the warp and lane of shared and local memory. */
struct place {
    uint32_t before;
    fhec_space space;
    const struct fh_journal_warp *warp;
    uint32_t lane;
    uint64_t address;
    uint32_t bytes;
    bool has_value;
    uint64_t value;
};

/* A node of some of the bytes. */
static struct fh_slice_node memory_node(const struct fh_slicing *s, const struct place *p,
                                        enum fh_slice_kind kind, uint64_t address, uint32_t bytes) {
    struct fh_slice_node node = {
        .kind = kind, .space = p->space, .address = address, .bytes = bytes, .step = FH_NO_STEP};
    if (p->space == FHEC_SPACE_GLOBAL)
        node.range = fh_journal_allocation(s->journal, p->before, address);
    if (p->has_value && bytes <= 8) {
        node.has_value = true;
        node.value = p->value >> (8 * (address - p->address));
        if (bytes < 8)
            node.value &= (UINT64_C(1) << (8 * bytes)) - 1;
    }
    return node;
}

static void add_unstored(struct fh_slicing *s, const struct place *p, uint64_t address,
                         uint32_t bytes, const char *role) {
    struct fh_slice_node node = memory_node(s, p, FH_SLICE_INITIAL, address, bytes);
    const uint32_t since = node.range ? node.range->before : 0,
                   oldest = fh_journal_oldest(s->journal);
    const bool forgotten = oldest > since && !(node.range && !node.range->forgotten);
    const struct fh_journal_range *host =
        p->space == FHEC_SPACE_GLOBAL ? fh_journal_host_write(s->journal, p->before, address)
                                      : NULL;
    if (host && host->before >= since && (host->before >= oldest || !forgotten))
        node.kind = FH_SLICE_INPUT;
    else if (forgotten)
        node.kind = FH_SLICE_FORGOTTEN;
    fh_slicing_edge(s, &node, role);
}

/* Finds who wrote the bytes: all of a word, or one by one where several did. */
static void add_memory(struct fh_slicing *s, const struct place *p, const char *role) {
    for (uint32_t done = 0; done < p->bytes;) {
        struct fh_journal_access access;
        uint32_t lane;
        uint32_t bytes = p->bytes - done > 4 ? 4 : p->bytes - done;
        uint64_t address = p->address + done;
        uint32_t step = fh_journal_storer(s->journal, p->before, p->space, p->warp, p->lane,
                                          address, bytes, &access, &lane);
        if (step != FH_NO_STEP && (access.address[lane] > address ||
                                   access.address[lane] + access.bytes < address + bytes)) {
            bytes = 1;
            step = fh_journal_storer(s->journal, p->before, p->space, p->warp, p->lane, address,
                                     bytes, &access, &lane);
        }
        if (step != FH_NO_STEP && p->space == FHEC_SPACE_GLOBAL) {
            const struct fh_journal_range *host =
                fh_journal_host_write(s->journal, p->before, address);
            const struct fh_journal_range *of =
                fh_journal_allocation(s->journal, p->before, address);
            if ((host && host->before > step) || (of && of->before > step))
                step = FH_NO_STEP; /* the host has written it, or made the memory, since then */
        }
        if (step == FH_NO_STEP) {
            add_unstored(s, p, address, bytes, role);
        } else {
            struct fh_slice_node node = memory_node(s, p, FH_SLICE_STORE, address, bytes);
            node.step = step;
            node.lane = lane;
            fh_slicing_edge(s, &node, role);
        }
        done += bytes;
    }
}

/* ---------------------------------------------------------------- instructions */

uint32_t fh_slicing_shuffle(const struct fh_slicing *s, uint32_t step, uint32_t lane) {
    const fhec_instruction *instruction = &fh_journal_site(s->journal, step)->instruction;
    uint32_t of[2] = {0, 0};
    static const char *const names[] = {"B", "C"};
    for (unsigned i = 0; i < 2; i++) {
        const fhec_operand *operand = fh_slicing_operand(instruction, names[i]);
        if (operand && operand->kind == FHEC_OPERAND_IMMEDIATE)
            of[i] = (uint32_t)operand->value;
        else if (operand && operand->reg != FHEC_NO_REGISTER)
            (void)fh_slicing_value(s, step, FHEC_FILE_R, operand->reg, lane, &of[i]);
    }
    const uint32_t n = of[0] & 31, clamp = of[1] & 31, segment = of[1] >> 8 & 31;
    const int last = (int)((lane & segment) | (clamp & ~segment));
    const char *mode = instruction->mnemonic;
    int source = (int)((lane & segment) | (n & ~segment));
    if (strstr(mode, ".UP"))
        source = (int)lane - (int)n;
    else if (strstr(mode, ".DOWN"))
        source = (int)(lane + n);
    else if (strstr(mode, ".BFLY"))
        source = (int)(lane ^ n);
    const bool fits = strstr(mode, ".UP") ? source >= last : source <= last;
    return fits && source >= 0 && source < FHEC_WARP_LANES ? (uint32_t)source : lane;
}

/* Lanes in which an instruction reads an operand to make the value of one. */
static uint32_t lanes_read(const struct fh_slicing *s, const struct fh_slice_node *node,
                           const fhec_operand *operand) {
    const fhec_instruction *instruction = &fh_journal_site(s->journal, node->step)->instruction;
    const uint32_t active = fh_journal_active(s->journal, node->step);
    if (!strncmp(instruction->mnemonic, "SHFL", 4)) /* the lane says itself from where it takes */
        return 1U << (operand == fh_slicing_operand(instruction, "A")
                          ? fh_slicing_shuffle(s, node->step, node->lane)
                          : node->lane);
    if (!strncmp(instruction->mnemonic, "R2UR", 4))
        return active & (0U - active);
    if (!strcmp(instruction->klass, "crosslane") || !strcmp(instruction->klass, "matrix") ||
        !strncmp(instruction->mnemonic, "VOTEU", 5))
        return active;
    return 1U << node->lane;
}

/* LDSM: register i of lane l holds two elements of 16 bits of matrix i, whose rows' addresses lanes
 * 8i to 8i + 7 have. */
static void add_matrix_load(struct fh_slicing *s, struct place place, uint32_t index, uint32_t lane,
                            bool transposed, const uint64_t *address) {
    const uint32_t row = 8 * index;
    place.has_value &= !transposed;
    if (!transposed) {
        place.address = address[row + lane / 4] + 4 * (lane % 4);
        place.bytes = 4;
        add_memory(s, &place, "");
        return;
    }
    for (uint32_t half = 0; half < 2; half++) {
        place.address = address[row + 2 * (lane % 4) + half] + 2 * (lane / 4);
        place.bytes = 2;
        add_memory(s, &place, "");
    }
}

static void add_constant(struct fh_slicing *s, const struct fh_slice_node *node,
                         const struct fh_journal_access *access) {
    struct fh_slice_node constant = {.kind = FH_SLICE_CONSTANT,
                                     .step = node->step,
                                     .space = FHEC_SPACE_CONSTANT,
                                     .bank = access->bank,
                                     .address = access->address[node->lane],
                                     .bytes = access->bytes};
    fh_slicing_edge(s, &constant, "");
}

/* What a load, or an atomic operation with a result, read of memory. */
static void add_loads(struct fh_slicing *s, const struct fh_slice_node *node) {
    const struct fh_journal_site *site = fh_journal_site(s->journal, node->step);
    const fhec_operand *result = fh_slicing_operand(&site->instruction, "Rd");
    const uint32_t active = fh_journal_active(s->journal, node->step);
    struct fh_journal_access access;
    uint32_t lane = node->lane;
    if (node->file != FHEC_FILE_R && active) /* uniform loads have no lanes */
        lane = (uint32_t)__builtin_ctz(active);
    for (size_t i = 0; fh_journal_access(s->journal, node->step, i, &access); i++) {
        if (!(access.access & FHEC_ACCESS_READ))
            continue;
        if (access.space == FHEC_SPACE_CONSTANT) {
            add_constant(s, node, &access);
            continue;
        }
        const uint32_t index = result && result->reg != FHEC_NO_REGISTER && node->reg >= result->reg
                                   ? node->reg - result->reg
                                   : 0;
        struct place place = {.before = node->step,
                              .space = access.space,
                              .warp = fh_journal_warp(s->journal, node->step),
                              .lane = lane,
                              .address = access.address[lane] + 4 * index,
                              .bytes = access.bytes < 4 ? access.bytes : 4,
                              .has_value = node->has_value,
                              .value = node->value};
        if (!strncmp(site->instruction.mnemonic, "LDSM", 4))
            add_matrix_load(s, place, index, lane,
                            strstr(site->instruction.mnemonic, ".MT88") != NULL, access.address);
        else if (access.lanes & 1U << lane)
            add_memory(s, &place, "");
    }
}

static void add_guard(struct fh_slicing *s, uint32_t step, uint32_t lane) {
    const fhec_instruction *instruction = &fh_journal_site(s->journal, step)->instruction;
    uint32_t value;
    if (s->limits->guards && instruction->guard != 7)
        (void)fh_slicing_register(s, step, instruction->guard_uniform ? FHEC_FILE_UP : FHEC_FILE_P,
                                  instruction->guard, lane, "guard", &value);
}

static void expand_register(struct fh_slicing *s, const struct fh_slice_node *node) {
    const fhec_instruction *instruction = &fh_journal_site(s->journal, node->step)->instruction;
    if (!fh_slicing_matrix(s)) {
        add_loads(s, node);
        for (uint32_t i = 0; i < instruction->operand_count; i++) {
            const fhec_operand *operand = &instruction->operands[i];
            if (operand->read)
                add_operand(s, node->step, operand, lanes_read(s, node, operand));
        }
    }
    add_guard(s, node->step, node->lane);
}

/* What a plain store left, where nobody has said it yet. */
static void set_stored(struct fh_slice_node *node, uint64_t value) {
    if (node->has_value)
        return;
    node->has_value = true;
    node->value = value & (UINT64_MAX >> (64 - 8 * node->bytes));
}

/* The part of a store's data that lies there. */
static void add_data(struct fh_slicing *s, const struct fh_slice_node *node, uint32_t lane,
                     uint64_t offset) {
    const fhec_instruction *instruction = &fh_journal_site(s->journal, node->step)->instruction;
    uint32_t value;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *operand = &instruction->operands[i];
        if (operand->kind == FHEC_OPERAND_REGISTER && operand->read && !operand->written &&
            operand->reg != FHEC_NO_REGISTER) {
            if (fh_slicing_register(s, node->step, FHEC_FILE_R, operand->reg + (uint32_t)offset / 4,
                                    lane, "", &value) &&
                !strncmp(instruction->mnemonic, "ST", 2))
                set_stored(&s->slice->nodes[s->parent], value >> (8 * (offset % 4)));
        } else if (operand->kind == FHEC_OPERAND_ADDRESS)
            add_operand(s, node->step, operand, 1U << lane);
    }
}

static void expand_store(struct fh_slicing *s, const struct fh_slice_node *node) {
    struct fh_journal_access written, read;
    const uint64_t end = node->address + node->bytes;
    bool copies = false;
    for (size_t i = 0; fh_journal_access(s->journal, node->step, i, &read); i++)
        copies |= read.access == FHEC_ACCESS_READ && read.space == FHEC_SPACE_GLOBAL;
    for (size_t i = 0; fh_journal_access(s->journal, node->step, i, &written); i++) {
        const bool both = (written.access & FHEC_ACCESS_READ) != 0;
        if (written.space != node->space || !(written.access & FHEC_ACCESS_WRITE))
            continue;
        struct place place = {.before = node->step,
                              .space = node->space,
                              .warp = fh_journal_warp(s->journal, node->step),
                              .lane = node->lane,
                              .address = node->address,
                              .bytes = node->bytes};
        if (both)
            add_memory(s, &place, "before");
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
            const uint64_t at = written.address[lane];
            if (!(written.lanes & 1U << lane) || at >= end || at + written.bytes <= node->address ||
                (!both && lane != node->lane))
                continue;
            if (!copies)
                add_data(s, node, lane, node->address > at ? node->address - at : 0);
            place.address = node->address - at;
        }
        if (!copies || both)
            continue;
        /* An asynchronous copy: the same place of what it read. */
        for (size_t k = 0; fh_journal_access(s->journal, node->step, k, &read); k++)
            if (read.space == FHEC_SPACE_GLOBAL) {
                place.space = FHEC_SPACE_GLOBAL;
                place.address += read.address[node->lane];
                place.has_value = node->has_value;
                place.value = node->value;
                add_memory(s, &place, "");
                break;
            }
    }
    add_guard(s, node->step, node->lane);
}

/* What the first node is about. */
struct beginning {
    uint32_t step; /* FH_NO_STEP: bytes of memory at the end */
    uint32_t lane;
};

static void expand_first(struct fh_slicing *s, const struct fh_slice_node *node,
                         const struct beginning *from) {
    if (from->step == FH_NO_STEP) {
        add_memory(s,
                   &(struct place){.before = fh_journal_count(s->journal),
                                   .space = FHEC_SPACE_GLOBAL,
                                   .address = node->address,
                                   .bytes = node->bytes,
                                   .has_value = node->has_value,
                                   .value = node->value},
                   "");
        return;
    }
    const fhec_instruction *instruction = &fh_journal_site(s->journal, from->step)->instruction;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].read)
            add_operand(s, from->step, &instruction->operands[i], 1U << from->lane);
    add_guard(s, from->step, from->lane);
}

static bool make(struct fh_slicing *s, const struct fh_slice_node *first,
                 const struct beginning *from) {
    struct fh_slice *slice = s->slice;
    *slice = (struct fh_slice){0};
    if (fh_slicing_node(slice, first) == UINT32_MAX)
        return false;
    for (size_t i = 0; i < slice->node_count && !slice->failed; i++) {
        const struct fh_slice_node node = slice->nodes[i]; /* the array may move */
        s->parent = (uint32_t)i;
        slice->nodes[i].first_edge = (uint32_t)slice->edge_count;
        const bool leads_on = node.kind <= FH_SLICE_REGISTER;
        if (leads_on && (node.depth >= s->limits->depth || slice->node_count >= s->limits->nodes)) {
            slice->nodes[i].cut = true;
            continue;
        }
        if (node.kind == FH_SLICE_ELEMENT)
            expand_first(s, &node, from);
        else if (node.kind == FH_SLICE_STORE)
            expand_store(s, &node);
        else if (node.kind == FH_SLICE_REGISTER)
            expand_register(s, &node);
    }
    return !slice->failed;
}

bool fh_slice_make(struct fh_slice *slice, const struct fh_journal *journal, uint64_t address,
                   uint32_t bytes, const uint64_t *value, const struct fh_slice_limits *limits) {
    struct fh_slicing s = {.slice = slice, .journal = journal, .limits = limits};
    const struct fh_slice_node first = {.kind = FH_SLICE_ELEMENT,
                                        .step = FH_NO_STEP,
                                        .address = address,
                                        .bytes = bytes,
                                        .has_value = value != NULL,
                                        .value = value ? *value : 0};
    return make(&s, &first, &(struct beginning){.step = FH_NO_STEP});
}

bool fh_slice_make_step(struct fh_slice *slice, const struct fh_journal *journal, uint32_t step,
                        uint32_t lane, const struct fh_slice_limits *limits) {
    struct fh_slicing s = {.slice = slice, .journal = journal, .limits = limits};
    const struct fh_slice_node first = {.kind = FH_SLICE_ELEMENT, .step = step, .lane = lane};
    return make(&s, &first, &(struct beginning){step, lane});
}

bool fh_slice_make_register(struct fh_slice *slice, const struct fh_journal *journal, uint32_t step,
                            fhec_register_file file, uint32_t reg, uint32_t lane,
                            const struct fh_slice_limits *limits) {
    struct fh_slicing s = {.slice = slice, .journal = journal, .limits = limits};
    struct fh_slice_node first = {
        .kind = FH_SLICE_REGISTER, .step = step, .file = file, .reg = reg, .lane = lane};
    uint32_t value;
    first.has_value = fh_journal_value(journal, step, file, reg, lane, &value);
    first.value = first.has_value ? value : 0;
    return make(&s, &first, &(struct beginning){step, lane});
}

void fh_slice_free(struct fh_slice *slice) {
    free(slice->nodes);
    free(slice->edges);
    free(slice->places);
    *slice = (struct fh_slice){0};
}
