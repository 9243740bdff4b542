/*
 * debug_difference.c - see debug_difference.h.
 */
#include "debug_difference.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_WORDS = 16 }; /* of memory that are told */

struct teller {
    const struct fh_cli_console *console;
    fhec_difference of; /* the register whose lanes are gathered; `lanes` 0: none */
    uint32_t lanes, old_values[FHEC_WARP_LANES], values[FHEC_WARP_LANES];
    unsigned words;
};

/* Whether all lanes that have changed are told by one of them. */
static bool is_uniform(const struct teller *t) {
    const unsigned first = (unsigned)__builtin_ctz(t->lanes);
    for (uint32_t rest = t->lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (t->old_values[lane] != t->old_values[first] || t->values[lane] != t->values[first])
            return false;
    }
    return true;
}

static void tell_register(struct teller *t) {
    static const char *const files[] = {"R", "P", "UR", "UP", "B"};
    FILE *out = t->console->out;
    if (!t->lanes)
        return;
    const unsigned first = (unsigned)__builtin_ctz(t->lanes);
    fprintf(out, "%s%u", files[t->of.file], t->of.number);
    if (t->of.file != FHEC_FILE_R) {
        fprintf(out, ": 0x%x -> 0x%x\n", t->old_values[first], t->values[first]);
    } else if (is_uniform(t)) {
        fprintf(out, " lanes 0x%08x: 0x%x -> 0x%x\n", t->lanes, t->old_values[first],
                t->values[first]);
    } else {
        fprintf(out, " lanes 0x%08x:\n", t->lanes);
        for (unsigned lane = 0, column = 0; lane < FHEC_WARP_LANES; lane++)
            if (t->lanes >> lane & 1)
                fprintf(out, "%s  %2u: 0x%x -> 0x%x",
                        column++ % 4 ? ""
                        : column > 1 ? "\n"
                                     : "",
                        lane, t->old_values[lane], t->values[lane]);
        fputc('\n', out);
    }
    t->lanes = 0;
}

static void gather(struct teller *t, const fhec_difference *d) {
    if (t->lanes && (t->of.file != d->file || t->of.number != d->number || t->of.warp != d->warp ||
                     memcmp(t->of.block, d->block, sizeof d->block) != 0))
        tell_register(t);
    t->of = *d;
    t->lanes |= UINT32_C(1) << d->lane;
    memcpy(&t->old_values[d->lane], d->a, 4);
    memcpy(&t->values[d->lane], d->b, 4);
}

/* Where in global memory: "x[5]", else the address. */
static void tell_place(const struct teller *t, const fhec_difference *d, uint64_t address) {
    struct fh_debug_buffer b;
    for (size_t i = 0;
         d->space == FHEC_SPACE_GLOBAL && fh_debugger_buffer(t->console->debugger, i, &b); i++) {
        if (b.released || address < b.address || address - b.address >= b.bytes ||
            (address - b.address) % 4)
            continue;
        fprintf(t->console->out, "%s[%" PRIu64 "]", b.name, (address - b.address) / 4);
        return;
    }
    fprintf(t->console->out, "%s 0x%" PRIx64, fhec_space_name(d->space), address);
}

static void tell_memory(struct teller *t, const fhec_difference *d) {
    for (uint64_t i = 0; i + 4 <= d->bytes && d->a && d->b; i += 4) {
        uint32_t old_word, word;
        memcpy(&old_word, (const uint8_t *)d->a + i, 4);
        memcpy(&word, (const uint8_t *)d->b + i, 4);
        if (old_word == word || t->words++ >= MOST_WORDS)
            continue;
        tell_place(t, d, d->address + i);
        fprintf(t->console->out, ": 0x%x -> 0x%x\n", old_word, word);
    }
}

static bool tell(void *user, const fhec_difference *d) {
    struct teller *t = user;
    if (d->kind == FHEC_DIFFERENCE_REGISTER) {
        gather(t, d);
        return true;
    }
    tell_register(t);
    if (d->kind == FHEC_DIFFERENCE_MEMORY)
        tell_memory(t, d);
    return true;
}

void fh_cli_debug_difference(const struct fh_cli_console *c, const fhec_snapshot *before) {
    struct teller t = {.console = c};
    (void)fhec_snapshot_compare(before, NULL, tell, &t);
    tell_register(&t);
    if (t.words > MOST_WORDS)
        fprintf(c->out, "and %u words more\n", t.words - MOST_WORDS);
}
