/*
 * kinship.c - see kinship.h.
 */
#include "kinship.h"

#include "trace_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256 + 8 + 64 + 8, MOST_STEPS = 1 << 20 };

/* What is known of a site; the set of (site, fact) keeps facts from being counted twice. */
struct facts {
    uint64_t text, numbers, producers, sharing;
    uint32_t fanout;
    bool writes;
};

/* A site reads what another one wrote. */
struct flow {
    uint64_t shared; /* the same for readers of one line that take it as the same operand */
    uint32_t reader, slot;
};

struct finding_kin {
    const struct fh_journal *journal;
    struct fh_kin *kin;
    size_t count; /* sites */
    struct facts *facts;
    uint32_t **writers; /* of each warp: site + 1 of each register */
    uint64_t *set;
    size_t set_count, set_room;
    struct flow *flows;
    size_t flow_count, flow_room;
    bool failed;
};

/* ---------------------------------------------------------------- facts */

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 29) * UINT64_C(0x94d049bb133111eb);
    return (h ^ h >> 32) | 1;
}

static uint64_t hash_text(const char *text) {
    uint64_t h = 1469598103934665603U;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211U;
    return h;
}

static bool put(uint64_t *set, size_t room, uint64_t key) {
    size_t at = (size_t)(key >> 7) & (room - 1);
    for (; set[at]; at = (at + 1) & (room - 1))
        if (set[at] == key)
            return false;
    set[at] = key;
    return true;
}

/* Whether the fact is new. */
static bool learn(struct finding_kin *f, uint64_t key) {
    if (2 * (f->set_count + 1) > f->set_room) {
        const size_t room = f->set_room ? 2 * f->set_room : 4096;
        uint64_t *more = calloc(room, sizeof *more);
        if (!more) {
            f->failed = true;
            return false;
        }
        for (size_t i = 0; i < f->set_room; i++)
            if (f->set[i])
                (void)put(more, room, f->set[i]);
        free(f->set);
        f->set = more;
        f->set_room = room;
    }
    const bool is_new = put(f->set, f->set_room, key);
    f->set_count += is_new;
    return is_new;
}

/* The line; without one, what the instruction is called. */
static uint64_t place_of(const struct fh_journal_site *site) {
    const uint64_t kernel = hash_text(site->kernel);
    return site->file[0] ? mix(kernel ^ hash_text(site->file), site->line)
                         : mix(kernel, hash_text(site->instruction.mnemonic));
}

static size_t index_of(fhec_register_file file, uint32_t reg) {
    switch (file) {
    case FHEC_FILE_R: return reg < 255 ? reg : REGISTERS;
    case FHEC_FILE_P: return reg < 7 ? 256 + reg : REGISTERS;
    case FHEC_FILE_UR: return reg < 63 ? 264 + reg : REGISTERS;
    case FHEC_FILE_UP: return reg < 7 ? 328 + reg : REGISTERS;
    default: return REGISTERS;
    }
}

static void note_flow(struct finding_kin *f, struct flow flow) {
    if (!fh_trace_room(&f->flows, &f->flow_room, f->flow_count + 1, sizeof *f->flows)) {
        f->failed = true;
        return;
    }
    f->flows[f->flow_count++] = flow;
}

static void note_read(struct finding_kin *f, uint32_t reader, uint32_t slot, uint32_t writer,
                      size_t reg) {
    const struct fh_journal_site *to = fh_journal_site_get(f->journal, reader);
    const uint64_t from = writer ? place_of(fh_journal_site_get(f->journal, writer - 1)) : 1;
    if (!learn(f, mix(mix(1 + ((uint64_t)reader << 32), slot), writer)))
        return;
    const uint64_t value = mix(mix(writer, reg), slot);
    note_flow(f, (struct flow){mix(place_of(to), value), reader, slot});
    const uint64_t operand = mix(from, slot);
    if (learn(f, mix(mix(2, reader), operand)))
        f->facts[reader].producers += operand;
    if (!writer)
        return;
    f->facts[writer - 1].fanout += learn(f, mix(mix(4, writer), reader));
}

static void one_step(struct finding_kin *f, uint32_t step) {
    const struct fh_journal_site *site = fh_journal_site(f->journal, step);
    const uint32_t number = (uint32_t)fh_journal_site_number(f->journal, step);
    const size_t warp = fh_journal_warp_number(f->journal, step);
    uint32_t **writers = &f->writers[warp], slot = 0;
    if (!*writers && !(*writers = calloc(REGISTERS, sizeof **writers))) {
        f->failed = true;
        return;
    }
    for (int written = 0; written < 2; written++)
        for (uint32_t i = 0; i < site->instruction.use_count; i++) {
            const fhec_use *use = &site->instruction.uses[i];
            for (uint32_t k = 0; use->written == written && k < use->count; k++) {
                const size_t at = index_of(use->file, use->first + k);
                if (at == REGISTERS)
                    continue;
                if (!written)
                    note_read(f, number, slot++, (*writers)[at], at);
                else if (fh_journal_active(f->journal, step)) {
                    f->facts[number].writes = true;
                    (*writers)[at] = number + 1;
                }
            }
        }
    if (fh_journal_last_step(f->journal, warp) == step) {
        free(*writers);
        *writers = NULL;
    }
}

static void read_text(struct finding_kin *f, size_t number) {
    const fhec_instruction *instruction = &fh_journal_site_get(f->journal, number)->instruction;
    struct facts *facts = &f->facts[number];
    facts->text = mix(hash_text(instruction->mnemonic),
                      instruction->guard == 7 ? 0 : 1 + instruction->guard_negated);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        facts->text = mix(facts->text,
                          (uint64_t)o->kind * 4 + o->negated * 2u + (o->reg == FHEC_NO_REGISTER));
        if (o->kind == FHEC_OPERAND_IMMEDIATE || o->kind == FHEC_OPERAND_CONSTANT ||
            o->kind == FHEC_OPERAND_ADDRESS)
            facts->numbers = mix(facts->numbers, (uint64_t)o->value);
    }
}

static int by_value(const void *left, const void *right) {
    const struct flow *a = left, *b = right;
    return a->shared < b->shared ? -1 : a->shared > b->shared;
}

static void count_sharers(struct finding_kin *f) {
    if (f->flow_count)
        qsort(f->flows, f->flow_count, sizeof *f->flows, by_value);
    for (size_t from = 0, to; from < f->flow_count; from = to) {
        for (to = from; to < f->flow_count && f->flows[to].shared == f->flows[from].shared;)
            to++;
        for (size_t i = from; i < to; i++)
            f->facts[f->flows[i].reader].sharing += mix(f->flows[i].slot, to - from);
    }
}

/* ---------------------------------------------------------------- comparing */

struct ordered_site {
    const struct finding_kin *f;
    uint64_t place, pc;
    uint32_t site;
};

static int by_place(const void *left, const void *right) {
    const struct ordered_site *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static uint64_t value_of(const struct facts *facts, enum fh_kin_feature feature) {
    switch (feature) {
    case FH_KIN_TEXT: return facts->text;
    case FH_KIN_NUMBERS: return facts->numbers;
    case FH_KIN_PRODUCERS: return facts->producers;
    case FH_KIN_SHARING: return facts->sharing;
    default: return facts->fanout;
    }
}

/* How much rarer what a site has is than what most have, as a part of all. */
static void compare_values(struct finding_kin *f, const struct ordered_site *group, size_t count,
                           enum fh_kin_feature feature) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < count; j++)
            same += value_of(&f->facts[group[j].site], feature) ==
                    value_of(&f->facts[group[i].site], feature);
        most = same > most ? same : most;
        f->kin[group[i].site].odd[feature] = (double)same;
    }
    for (size_t i = 0; i < count; i++) {
        double *odd = &f->kin[group[i].site].odd[feature];
        *odd = most > 1 ? ((double)most - *odd) / (double)(count - 1) : 0;
    }
}

static void compare(struct finding_kin *f, struct ordered_site *sites) {
    for (size_t from = 0, to; from < f->count; from = to) {
        for (to = from; to < f->count && sites[to].place == sites[from].place;)
            to++;
        const size_t count = to - from;
        for (size_t i = from; i < to; i++)
            f->kin[sites[i].site].relatives = (uint32_t)count;
        if (count < 3 || count > 1024)
            continue;
        for (enum fh_kin_feature k = FH_KIN_TEXT; k < FH_KIN_FEATURES; k++)
            compare_values(f, sites + from, count, k);
    }
}

/* ---------------------------------------------------------------- all of it */

static bool changes_its_operand(const fhec_instruction *instruction) {
    for (uint32_t i = 0; i < instruction->use_count; i++)
        for (uint32_t k = 0; k < instruction->use_count; k++) {
            const fhec_use *w = &instruction->uses[i], *r = &instruction->uses[k];
            if (w->written && !r->written && w->file == r->file && w->first < r->first + r->count &&
                r->first < w->first + w->count && w->file != FHEC_FILE_B)
                return true;
        }
    return false;
}

static void find_twins(struct finding_kin *f) {
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < f->count; j++) {
            const struct fh_journal_site *a = fh_journal_site_get(f->journal, i);
            const struct fh_journal_site *b = fh_journal_site_get(f->journal, j);
            if (b->instruction.pc == a->instruction.pc + sizeof(fhec_word) &&
                !strcmp(a->instruction.text, b->instruction.text) &&
                !strcmp(a->kernel, b->kernel) && changes_its_operand(&a->instruction))
                f->kin[i].twice = f->kin[j].twice = true;
        }
}

static void find_all(struct finding_kin *f, struct ordered_site *sites) {
    for (uint32_t step = fh_journal_oldest(f->journal), left = MOST_STEPS;
         step < fh_journal_count(f->journal) && left && !f->failed; step++, left--)
        one_step(f, step);
    count_sharers(f);
    for (size_t i = 0; i < f->count; i++) {
        const struct fh_journal_site *site = fh_journal_site_get(f->journal, i);
        read_text(f, i);
        f->kin[i] = (struct fh_kin){.unread = f->facts[i].writes && !f->facts[i].fanout};
        sites[i] = (struct ordered_site){f, place_of(site), site->instruction.pc, (uint32_t)i};
    }
    qsort(sites, f->count, sizeof *sites, by_place);
    compare(f, sites);
    find_twins(f);
}

bool fh_kin_find(const struct fh_journal *journal, struct fh_kin *kin) {
    struct finding_kin f = {
        .journal = journal, .kin = kin, .count = fh_journal_site_count(journal)};
    const size_t warps = fh_journal_warp_count(journal);
    struct ordered_site *sites = calloc(f.count + 1, sizeof *sites);
    f.facts = calloc(f.count + 1, sizeof *f.facts);
    f.writers = calloc(warps + 1, sizeof *f.writers);
    f.failed = !sites || !f.facts || !f.writers;
    if (!f.failed)
        find_all(&f, sites);
    for (size_t i = 0; f.writers && i < warps; i++)
        free(f.writers[i]);
    free(f.writers);
    free(f.facts);
    free(f.set);
    free(f.flows);
    free(sites);
    return !f.failed;
}
