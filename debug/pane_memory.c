/*
 * pane_memory.c - words of buffers and of shared memory (pane.h).
 */
#include <inttypes.h>
#include <stdio.h>

#include "pane.h"

enum { NAME = 9, WIDTH = 9 };

struct shown {
    char name[80];
    bool shared;
    uint64_t address, words; /* of all of it */
};

static size_t buffer_count(const struct fh_debugger *debugger) {
    struct fh_debug_buffer buffer;
    size_t count = 0;
    while (fh_debugger_buffer(debugger, count, &buffer))
        count++;
    return count;
}

/* What the view is about: buffers that were released are passed over. */
static struct shown choose(struct fh_debugger *debugger, struct fh_pane_view *view) {
    const size_t count = buffer_count(debugger);
    const struct fh_focus *f = fh_debugger_focus(debugger);
    struct fh_debug_buffer buffer;
    fhec_block_info block;
    view->buffer %= count + 1;
    while (fh_debugger_buffer(debugger, view->buffer, &buffer) && buffer.released)
        view->buffer++;
    if (fh_debugger_buffer(debugger, view->buffer, &buffer)) {
        struct shown shown = {.address = buffer.address, .words = buffer.bytes / 4};
        snprintf(shown.name, sizeof shown.name, "%s", buffer.name ? buffer.name : "");
        return shown;
    }
    struct shown shown = {.shared = true};
    fhec_session *session = fh_debugger_session(debugger);
    snprintf(shown.name, sizeof shown.name, "shared memory of block (%u,%u,%u)", f->block[0],
             f->block[1], f->block[2]);
    for (size_t i = 0; session && fhec_session_block(session, i, &block) == FHEC_OK; i++)
        if (block.id[0] == f->block[0] && block.id[1] == f->block[1] && block.id[2] == f->block[2])
            shown.words = block.shared_bytes / 4;
    return shown;
}

static bool read_word(struct fh_debugger *debugger, const struct shown *shown, uint64_t address,
                      uint32_t *value) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const fhec_thread thread = {{f->block[0], f->block[1], f->block[2]}, f->warp, f->lane};
    fhec_session *session = fh_debugger_session(debugger);
    if (session)
        return fhec_session_read(session, shown->shared ? FHEC_SPACE_SHARED : FHEC_SPACE_GLOBAL, 0,
                                 &thread, address, value, 4) == FHEC_OK;
    return !shown->shared && fhec_read(fh_debugger_machine(debugger), address, value, 4) == FHEC_OK;
}

void fh_pane_memory(struct fh_pane *pane, struct fh_debugger *debugger,
                    const struct fh_pane_before *before, struct fh_pane_view *view) {
    const struct shown shown = choose(debugger, view);
    const unsigned fit = pane->columns > NAME + WIDTH ? (pane->columns - NAME) / WIDTH : 1;
    unsigned across = 1;
    while (2 * across <= fit)
        across *= 2;
    if (view->word >= shown.words)
        view->word = shown.words ? (shown.words - 1) / across * across : 0;
    view->word -= view->word % across;
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "memory: %s, %" PRIu64 " words", shown.name,
                        shown.words);
    for (unsigned row = 1; row < pane->rows; row++) {
        const uint64_t first = view->word + (uint64_t)(row - 1) * across;
        if (first >= shown.words)
            break;
        (void)fh_pane_print(pane, row, 0, FH_PANE_TITLE, "[%" PRIu64 "]", first);
        for (unsigned i = 0; i < across && first + i < shown.words; i++) {
            const uint64_t address = shown.address + 4 * (first + i);
            const uint64_t kept = (address - before->address) / 4;
            uint32_t value;
            if (!read_word(debugger, &shown, address, &value))
                continue;
            const bool changed = before->known && before->shared == shown.shared &&
                                 address >= before->address && kept < before->words &&
                                 before->memory[kept] != value;
            (void)fh_pane_print(pane, row, NAME + i * WIDTH,
                                changed ? FH_PANE_CHANGED : FH_PANE_PLAIN, "%08x%c", value,
                                changed ? '*' : ' ');
        }
    }
}
