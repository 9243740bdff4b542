/*
 * time_warp.c - see time_warp.h.
 */
#include "time_warp.h"

#include <string.h>

void fh_time_warp_begin(struct fh_time_warp *w, uint64_t now) {
    w->live = true;
    w->known = w->waits = false;
    w->issued = 0;
    w->base = w->end = now;
    w->base_why = FH_TIME_NO_WARP;
    w->copied = 0;
    for (unsigned i = 0; i < FH_TIME_SCOREBOARDS; i++)
        w->boards[i].count = 0;
    if (w->registers)
        memset(w->registers, 0, FH_TIME_FLAT * sizeof *w->registers);
    fh_time_stream_restart(&w->stream);
    w->stream.ended = false;
}

static void wait_until(struct fh_time_warp *w, uint64_t time, uint8_t why) {
    if (time <= w->ready)
        return;
    w->ready = time;
    w->why = why;
}

/* Until at most `most` operations are outstanding. */
static void wait_for(struct fh_time_warp *w, unsigned board, uint32_t most) {
    const struct fh_time_board *b = &w->boards[board];
    if (b->count > most)
        wait_until(w, b->done[b->count - most - 1], b->why);
}

static void wait_for_registers(struct fh_time_warp *w) {
    for (unsigned i = 0; i < w->op->run_count; i++) {
        const unsigned end = w->op->runs[i].first + w->op->runs[i].count;
        for (unsigned r = w->op->runs[i].first; r < end && r < FH_TIME_FLAT; r++)
            wait_until(w, w->registers[r], w->whys[r]);
    }
}

/* The notes that are about the instruction. */
static void take_notes(struct fh_time_warp *w) {
    struct fh_time_stream *s = &w->stream;
    w->notes = s->notes + s->note_at;
    w->lines = s->lines + s->line_at;
    w->note_count = 0;
    while (s->note_at < s->placed && s->notes[s->note_at].at == s->at) {
        const struct fh_time_note *note = &s->notes[s->note_at];
        s->line_at += note->kind == FH_TIME_GLOBAL ? note->count : 0;
        s->note_at++;
        w->note_count++;
    }
}

void fh_time_warp_take(struct fh_time_warp *w, const struct fh_time_op *ops) {
    struct fh_time_stream *s = &w->stream;
    w->word = s->word[s->at];
    w->idle = s->idle[s->at];
    w->op = &ops[w->word];
    w->known = true;
    w->ready = w->base;
    w->why = w->base_why;
    take_notes(w);
    s->at++;
    if (w->registers) {
        wait_for_registers(w);
        if (w->op->depbar && w->op->board == 0)
            wait_for(w, 0, w->op->most);
        return;
    }
    for (unsigned i = 0; i < FH_TIME_SCOREBOARDS; i++)
        if (w->op->wait_mask >> i & 1)
            wait_for(w, i, 0);
    if (w->op->depbar) {
        wait_for(w, w->op->board, w->op->most);
        for (unsigned i = 0; i < FH_TIME_SCOREBOARDS; i++)
            if (w->op->others >> i & 1)
                wait_for(w, i, 0);
    }
    /* A scoreboard that is full takes no more. */
    if (w->op->write_board < FH_TIME_SCOREBOARDS)
        wait_for(w, w->op->write_board, FH_TIME_OUTSTANDING - 1);
    if (w->op->read_board < FH_TIME_SCOREBOARDS)
        wait_for(w, w->op->read_board, FH_TIME_OUTSTANDING - 1);
}

static void count_on(struct fh_time_board *b, uint64_t now, uint64_t done,
                     enum fh_time_reason why) {
    uint32_t gone = 0;
    while (gone < b->count && b->done[gone] <= now)
        gone++;
    b->count -= gone;
    memmove(b->done, b->done + gone, b->count * sizeof *b->done);
    if (b->count == FH_TIME_OUTSTANDING)
        return; /* cannot be: it waited */
    uint32_t at = b->count++;
    for (; at && b->done[at - 1] > done; at--)
        b->done[at] = b->done[at - 1];
    b->done[at] = done;
    b->why = (uint8_t)why;
}

/* Of a machine that watches registers: those that are written, and groups of copies. */
static void note_results(struct fh_time_warp *w, uint64_t now, uint64_t result,
                         enum fh_time_reason why) {
    const struct fh_time_op *op = w->op;
    for (unsigned i = 0; i < op->run_count; i++)
        for (unsigned r = op->runs[i].first, n = 0;
             op->runs[i].written && n < op->runs[i].count && r < FH_TIME_FLAT; r++, n++) {
            w->registers[r] = result;
            w->whys[r] = (uint8_t)why;
        }
    if (op->copies && result > w->copied)
        w->copied = result;
    if (op->closes)
        count_on(&w->boards[0], now, w->copied, FH_TIME_WAIT_GLOBAL);
}

void fh_time_warp_issued(struct fh_time_warp *w, uint64_t now, struct fh_time_done done,
                         enum fh_time_reason why, uint64_t next) {
    const struct fh_time_op *op = w->op;
    w->known = false;
    w->issued++;
    w->base = next;
    w->base_why = FH_TIME_STALL;
    if (done.result > w->end)
        w->end = done.result;
    if (w->registers) {
        note_results(w, now, done.result, why);
        return;
    }
    if (op->write_board < FH_TIME_SCOREBOARDS)
        count_on(&w->boards[op->write_board], now, done.result, why);
    if (op->read_board < FH_TIME_SCOREBOARDS)
        count_on(&w->boards[op->read_board], now, done.read, why);
}
