/*
 * time_stream.h - what a warp is going to do, as far as the emulator has run ahead of the timing
 * engine: instructions, and of those that need it what they access and which barriers they come to.
 */
#ifndef FH_TIME_STREAM_H
#define FH_TIME_STREAM_H

#include "fhec_observe.h"

enum {
    FH_TIME_AHEAD = 48,  /* instructions that a warp runs ahead at most */
    FH_TIME_LINES = 128, /* lines that one access goes to at most */
    FH_TIME_LINE_BYTES = 128,
    FH_TIME_SECTORS = 4, /* of a line */
    FH_TIME_SECTOR_BYTES = 32,
};

enum fh_time_note_kind { FH_TIME_GLOBAL, FH_TIME_SHARED, FH_TIME_BARRIER };

/* Something about an instruction: an access to a space, or a barrier. It is told before the
 * instruction is, which may be together with others behind it. */
struct fh_time_note {
    uint32_t word; /* the instruction's number in the code */
    uint32_t at;   /* and in the stream, once it has been told */
    uint8_t kind;
    uint8_t access; /* FHEC_ACCESS_READ, FHEC_ACCESS_WRITE, or both */
    uint8_t width;  /* 0, 1, 2: 32 bits a lane or less, 64, 128 */
    bool uniform;   /* all lanes have one address */
    uint32_t count; /* GLOBAL: lines; SHARED: passes; BARRIER: which one of those of its number */
    uint32_t least; /* SHARED: passes without conflicts; BARRIER: its number */
};

struct fh_time_stream {
    uint32_t word[FH_TIME_AHEAD];
    bool idle[FH_TIME_AHEAD]; /* the guard holds for no lane */
    struct fh_time_note notes[3 * FH_TIME_AHEAD];
    /* A line's number and, in the low bits, its sectors. */
    uint64_t lines[FH_TIME_AHEAD * FH_TIME_LINES];
    uint32_t words, note_count, line_count; /* told so far */
    uint32_t placed;                        /* notes whose instruction has been told */
    uint32_t at, note_at, line_at;          /* taken so far */
    bool ended;                             /* behind these, the warp ends */
};
_Static_assert(sizeof(struct fh_time_stream) <= 64 * 1024, "what is buffered of a warp is bounded");

/* All has been taken; there is room for FH_TIME_AHEAD more instructions. */
static inline void fh_time_stream_restart(struct fh_time_stream *s) {
    s->words = s->note_count = s->line_count = s->placed = s->at = s->note_at = s->line_at = 0;
}
static inline bool fh_time_stream_empty(const struct fh_time_stream *s) {
    return s->at == s->words;
}

/* Appends what the event tells: FHEC_EVENT_INSTRUCTION, FHEC_EVENT_ACCESS to a space other than
 * constants. Accesses and barriers of an instruction come before it. */
void fh_time_stream_instruction(struct fh_time_stream *s, const fhec_event *event);
void fh_time_stream_access(struct fh_time_stream *s, const fhec_event *event, bool matrices);
void fh_time_stream_barrier(struct fh_time_stream *s, uint32_t word, uint32_t number,
                            uint32_t which);

/* The lines that lanes go to, at most FH_TIME_LINES, as in a stream. Returns how many. */
uint32_t fh_time_lines(const fhec_access *access, uint32_t lanes, uint64_t *lines);

#endif
