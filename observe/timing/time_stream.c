/*
 * time_stream.c - see time_stream.h.
 */
#include "time_stream.h"

#include "footprint.h"

enum { WORD = 4, LANES = FHEC_WARP_LANES };

void fh_time_stream_instruction(struct fh_time_stream *s, const fhec_event *event) {
    const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
    if (s->words == FH_TIME_AHEAD)
        return;
    while (s->placed < s->note_count && s->notes[s->placed].word == word)
        s->notes[s->placed++].at = s->words;
    s->word[s->words] = word;
    s->idle[s->words++] = !event->active;
}

/* Adds the sectors of [address, address + bytes) to lines; those of neighbours are mostly the last
 * one's. */
static uint32_t add_bytes(uint64_t *lines, uint32_t count, uint64_t address, uint32_t bytes) {
    const uint64_t line = address / FH_TIME_LINE_BYTES;
    const uint32_t first = (uint32_t)(address % FH_TIME_LINE_BYTES) / FH_SECTOR_BYTES;
    const uint32_t last = (uint32_t)(address % FH_TIME_LINE_BYTES + bytes - 1) / FH_SECTOR_BYTES;
    const uint64_t sectors = ((UINT64_C(2) << last) - (UINT64_C(1) << first)) & 0xf;
    for (uint32_t i = count; i--;)
        if (lines[i] >> FH_TIME_SECTORS == line) {
            lines[i] |= sectors;
            return count;
        }
    if (count < FH_TIME_LINES)
        lines[count++] = line << FH_TIME_SECTORS | sectors;
    return count;
}

uint32_t fh_time_lines(const fhec_access *access, uint32_t lanes, uint64_t *lines) {
    uint32_t count = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        const uint64_t address = access->address[l];
        if (access->space != FHEC_SPACE_LOCAL) {
            count = add_bytes(lines, count, address, access->bytes);
            continue;
        }
        /* Words of one address lie side by side, lane by lane. */
        for (uint32_t done = 0; done < access->bytes; done += WORD)
            count = add_bytes(lines, count, ((address + done) / WORD * LANES + l) * WORD, WORD);
    }
    return count;
}

static bool is_uniform(const fhec_access *access, uint32_t lanes) {
    const uint64_t first = access->address[__builtin_ctz(lanes)];
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (access->address[__builtin_ctz(rest)] != first)
            return false;
    return true;
}

void fh_time_stream_access(struct fh_time_stream *s, const fhec_event *event, bool matrices) {
    const fhec_access *access = &event->access;
    if (s->note_count == sizeof s->notes / sizeof s->notes[0] || !event->lanes)
        return;
    struct fh_time_note *note = &s->notes[s->note_count];
    *note = (struct fh_time_note){
        .word = (uint32_t)(event->pc / sizeof(fhec_word)),
        .access = (uint8_t)access->access,
        .width = (uint8_t)(access->bytes <= WORD       ? 0
                           : access->bytes <= 2 * WORD ? 1
                                                       : 2),
        .uniform = is_uniform(access, event->lanes),
    };
    if (access->space == FHEC_SPACE_SHARED) {
        struct fh_footprint f;
        const bool both = access->access == (FHEC_ACCESS_READ | FHEC_ACCESS_WRITE);
        fh_footprint_shared(matrices                              ? FH_SHARED_MATRICES
                            : both                                ? FH_SHARED_ATOMIC
                            : access->access == FHEC_ACCESS_WRITE ? FH_SHARED_STORE
                                                                  : FH_SHARED_LOAD,
                            event->lanes, access->address, access->bytes, &f);
        note->kind = FH_TIME_SHARED;
        note->count = f.passes;
        note->least = f.minimum;
    } else {
        if (s->line_count + FH_TIME_LINES > FH_TIME_AHEAD * FH_TIME_LINES)
            return;
        note->kind = FH_TIME_GLOBAL;
        note->count = fh_time_lines(access, event->lanes, s->lines + s->line_count);
        s->line_count += note->count;
    }
    s->note_count++;
}

void fh_time_stream_barrier(struct fh_time_stream *s, uint32_t word, uint32_t number,
                            uint32_t which) {
    if (s->note_count < sizeof s->notes / sizeof s->notes[0])
        s->notes[s->note_count++] = (struct fh_time_note){
            .word = word, .kind = FH_TIME_BARRIER, .count = which, .least = number};
}
