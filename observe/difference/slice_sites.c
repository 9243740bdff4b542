/*
 * slice_sites.c - the instructions of a slice, each once (slice.h).
 */
#include <string.h>

#include "slice.h"

struct site_list {
    const struct fh_journal *journal;
    const struct fh_journal_site **sites;
    size_t count, most;
};

/* First what the value was computed from, then what chose the places that it came from. */
static const struct fh_slice_limits value_limits = {.depth = 256, .nodes = 4000};
static const struct fh_slice_limits limits = {
    .depth = 64, .nodes = 600, .addresses = true, .guards = true};

/* What is written once, and repeated by .rept or a macro, is one place. */
static bool same_place(const struct fh_journal_site *a, const struct fh_journal_site *b) {
    return a == b || (a->file[0] && a->line == b->line && !strcmp(a->file, b->file));
}

static void add_site(struct site_list *list, uint32_t step) {
    const struct fh_journal_site *site = fh_journal_site(list->journal, step);
    for (size_t i = 0; i < list->count; i++)
        if (same_place(list->sites[i], site))
            return;
    if (list->count < list->most)
        list->sites[list->count++] = site;
}

static void add_slice(struct site_list *list, const struct fh_slice *slice) {
    for (size_t i = 0; i < slice->node_count; i++)
        if (slice->nodes[i].kind == FH_SLICE_STORE || slice->nodes[i].kind == FH_SLICE_REGISTER)
            add_site(list, slice->nodes[i].step);
}

static bool stores(const struct fh_journal *journal, uint32_t step) {
    const char *mnemonic = fh_journal_site(journal, step)->instruction.mnemonic;
    return !strncmp(mnemonic, "STG", 3) || !strncmp(mnemonic, "ST.", 3) ||
           !strncmp(mnemonic, "RED", 3) || !strncmp(mnemonic, "ATOMG", 5);
}

static bool branches(const struct fh_journal *journal, uint32_t step) {
    const fhec_instruction *i = &fh_journal_site(journal, step)->instruction;
    return i->guard != 7 && (!strncmp(i->mnemonic, "BRA", 3) || !strncmp(i->mnemonic, "EXIT", 4));
}

/* The newest step that is one of these, with what it read. */
static void add_newest(struct site_list *list,
                       bool (*is)(const struct fh_journal *journal, uint32_t step)) {
    uint32_t step = fh_journal_count(list->journal);
    struct fh_slice slice;
    while (step > fh_journal_oldest(list->journal) && !is(list->journal, step - 1))
        step--;
    if (step == fh_journal_oldest(list->journal))
        return;
    add_site(list, --step);
    const uint32_t active = fh_journal_active(list->journal, step);
    if (fh_slice_make_step(&slice, list->journal, step,
                           active ? (uint32_t)__builtin_ctz(active) : 0, &limits))
        add_slice(list, &slice);
    fh_slice_free(&slice);
}

size_t fh_slice_sites(const struct fh_journal *journal, uint64_t address, uint32_t bytes,
                      const struct fh_journal_site **sites, size_t most) {
    struct site_list list = {.journal = journal, .sites = sites, .most = most * 2 / 3};
    const struct fh_slice_limits *const both[] = {&value_limits, &limits};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        struct fh_slice slice;
        if (fh_slice_make(&slice, journal, address, bytes, NULL, both[i]))
            add_slice(&list, &slice);
        fh_slice_free(&slice);
        list.most = most;
    }
    if (list.count)
        return list.count;
    add_newest(&list, branches);
    add_newest(&list, stores);
    return list.count;
}
