/*
 * stores.c - see stores.h.
 */
#include "stores.h"

#include <stdlib.h>
#include <string.h>

/* A static instruction in a launch. */
struct site {
    struct fh_store_site of;
    uint32_t grid[2];
    uint16_t data; /* the first register of what it stores */
};

/* What is kept for each element. */
struct last {
    uint32_t site; /* number + 1; 0: nobody has stored it, or none knows who */
    uint32_t block;
    uint8_t warp, lane, part; /* part: which of the data's registers */
};

struct fh_stores {
    fhec_machine *machine;
    unsigned observer;
    uint64_t address;
    uint32_t bytes;
    size_t count;
    struct last *last;
    struct site *sites;
    size_t site_count, site_room;
};

bool fh_writes_memory(const fhec_instruction *instruction) {
    const bool load = !strncmp(instruction->mnemonic, "LD", 2) &&
                      strncmp(instruction->mnemonic, "LDGSTS", 6) != 0;
    for (uint32_t i = 0; i < instruction->operand_count && !load; i++)
        if (instruction->operands[i].kind == FHEC_OPERAND_ADDRESS)
            return true;
    return false;
}

static bool wanted(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    fhec_instruction instruction;
    (void)user;
    (void)launch;
    return fhec_instruction_get(word, pc, &instruction) == FHEC_OK &&
           fh_writes_memory(&instruction);
}

/* The first register of the data: an operand that is read and is no address. */
static uint16_t data_register(fhec_word word, uint64_t pc) {
    fhec_instruction instruction;
    uint16_t reg = FHEC_NO_REGISTER;
    if (fhec_instruction_get(word, pc, &instruction) == FHEC_OK)
        for (uint32_t i = 0; i < instruction.operand_count; i++) {
            const fhec_operand *operand = &instruction.operands[i];
            if (operand->kind == FHEC_OPERAND_REGISTER && operand->read && !operand->written)
                reg = operand->reg;
        }
    return reg;
}

static bool site_make(struct site *site, const fhec_event *event) {
    const fhec_program *program = event->launch->program;
    const size_t kernel = event->launch->kernel;
    const uint32_t word = (uint32_t)(event->pc / sizeof event->word);
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    const fhec_location at = fhec_kernel_location(program, kernel, word);
    const size_t count =
        fhec_kernel_expansions(program, kernel, word, expansions, FHEC_MAX_EXPANSIONS);
    char text[256] = "", where[600] = "";
    fhec_kernel_info info;
    (void)fhec_disassemble(event->word, event->pc, 0, text, sizeof text);
    (void)fhec_format_location(&at, expansions, count, where, sizeof where);
    *site = (struct site){.data = data_register(event->word, event->pc)};
    memcpy(site->grid, event->launch->grid, sizeof site->grid);
    site->of = (struct fh_store_site){
        .launch = event->number,
        .pc = event->pc,
        .kernel = strdup(fhec_kernel_get(program, kernel, &info) == FHEC_OK ? info.name : ""),
        .text = strdup(text),
        .where = strdup(where),
        .file = strdup(at.file ? at.file : ""),
        .line = at.line,
    };
    return site->of.kernel && site->of.text && site->of.where && site->of.file;
}

static void site_free(struct site *site) {
    free(site->of.kernel);
    free(site->of.text);
    free(site->of.where);
    free(site->of.file);
}

/* The number of the event's instruction, counted from 1; 0 without host memory. */
static uint32_t site_of(struct fh_stores *s, const fhec_event *event) {
    for (size_t i = s->site_count; i-- > 0;)
        if (s->sites[i].of.pc == event->pc && s->sites[i].of.launch == event->number)
            return (uint32_t)i + 1;
    if (s->site_count == s->site_room) {
        const size_t room = 2 * s->site_room + 16;
        struct site *more = realloc(s->sites, room * sizeof *more);
        if (!more)
            return 0;
        s->sites = more;
        s->site_room = room;
    }
    struct site *site = &s->sites[s->site_count];
    if (site_make(site, event))
        return (uint32_t)++s->site_count;
    site_free(site);
    return 0;
}

static void on_access(void *user, const fhec_event *event) {
    struct fh_stores *s = user;
    const fhec_access *access = &event->access;
    const uint64_t end = s->address + s->bytes * s->count;
    if (access->space != FHEC_SPACE_GLOBAL || !(access->access & FHEC_ACCESS_WRITE))
        return;
    uint32_t site = 0;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const uint64_t at = access->address[lane];
        if (!(event->active & event->lanes & 1U << lane) || at >= end ||
            at + access->bytes <= s->address)
            continue;
        site = site ? site : site_of(s, event);
        const uint32_t *grid = event->launch->grid, *block = event->block;
        const uint64_t begin = at < s->address ? s->address : at;
        for (uint64_t b = begin; b < at + access->bytes && b < end;) {
            const size_t index = (size_t)((b - s->address) / s->bytes);
            s->last[index] = (struct last){
                .site = site,
                .block = block[0] + grid[0] * (block[1] + grid[1] * block[2]),
                .warp = (uint8_t)event->warp,
                .lane = (uint8_t)lane,
                .part = (uint8_t)((b - at) / 4),
            };
            b = s->address + (index + 1) * s->bytes;
        }
    }
}

fhec_status fh_stores_begin(fhec_machine *machine, uint64_t address, uint32_t bytes, size_t count,
                            struct fh_stores **stores) {
    struct fh_stores *s = calloc(1, sizeof *s);
    *stores = NULL;
    if (s)
        *s = (struct fh_stores){.machine = machine,
                                .address = address,
                                .bytes = bytes,
                                .count = count,
                                .last = calloc(count + 1, sizeof *s->last)};
    const fhec_observer observer = {
        .user = s,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS), .instruction = wanted},
        .event = on_access,
    };
    if (!s || !s->last || fhec_observe(machine, &observer, &s->observer) != FHEC_OK) {
        if (s)
            free(s->last);
        free(s);
        return FHEC_HOST_ERROR;
    }
    *stores = s;
    return FHEC_OK;
}

bool fh_stores_get(const struct fh_stores *s, size_t index, struct fh_store *store) {
    const struct last *last = &s->last[index];
    if (!last->site)
        return false;
    const struct site *site = &s->sites[last->site - 1];
    const uint32_t *grid = site->grid;
    *store = (struct fh_store){
        .site = &site->of,
        .block = {last->block % grid[0], last->block / grid[0] % grid[1],
                  last->block / grid[0] / grid[1]},
        .warp = last->warp,
        .lane = last->lane,
        .reg = site->data,
    };
    if (store->reg != FHEC_NO_REGISTER)
        store->reg = (uint16_t)(store->reg + last->part);
    return true;
}

void fh_stores_end(struct fh_stores *stores) {
    if (!stores)
        return;
    (void)fhec_unobserve(stores->machine, stores->observer);
    for (size_t i = 0; i < stores->site_count; i++)
        site_free(&stores->sites[i]);
    free(stores->sites);
    free(stores->last);
    free(stores);
}
