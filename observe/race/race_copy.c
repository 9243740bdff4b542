/*
 * race_copy.c - asynchronous copies, from their issue to the end of the wait: see race_engine.h.
 */
#include <stdlib.h>

#include "race_engine.h"

void fh_race_copy(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    if (warp->copy_count == warp->copy_capacity) {
        const size_t capacity = warp->copy_capacity ? 2 * warp->copy_capacity : 16;
        struct fh_copy *more = realloc(warp->copies, capacity * sizeof *more);
        race->time.failed |= !more;
        if (!more)
            return;
        warp->copies = more;
        warp->copy_capacity = capacity;
    }
    warp->copies[warp->copy_count++] = (struct fh_copy){.number = event->copy.first};
}

/* Where a copy goes is kept until the program has waited for it. */
void fh_race_copies_to(struct fh_block_clocks *block, const fhec_event *event, uint32_t number) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    if (!warp->copy_count)
        return;
    struct fh_copy *copy = &warp->copies[warp->copy_count - 1];
    copy->code = number;
    copy->lanes = event->lanes;
    copy->bytes = event->access.bytes;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        copy->address[l] = (uint32_t)event->access.address[l];
}

/* ---------------------------------------------------------------- waits */

/* If it is the copy that a lane has waited for it is a store from then on. */
static void finish(struct fh_past *past, const struct fh_past *copy) {
    if (past->warp != copy->warp || past->lanes != copy->lanes ||
        fh_code_related(past->code, FH_APART) != copy->code)
        return;
    past->code = fh_code(past->code, FH_PLAIN_STORE);
    past->time = copy->time;
}

static void finish_in_list(struct fh_list *list, const struct fh_past *copy) {
    for (uint32_t i = 0; i < list->count; i++)
        finish(&list->kept[i].past, copy);
    list->kinds |= FH_KIND_BIT(FH_PLAIN_STORE);
    if (!(list->table_kinds & FH_KIND_BIT(FH_COPYING)))
        return;
    for (uint32_t i = 0; i < list->capacity; i++)
        finish(&list->table[i].past, copy);
    list->table_kinds |= FH_KIND_BIT(FH_PLAIN_STORE);
    list->newest[FH_PLAIN_STORE] = UINT32_MAX; /* as long as the table is there */
    list->differs = true;
}

static void finish_in_cell(struct fh_touched *shadow, struct fh_cell *cell,
                           const struct fh_past *copy) {
    finish(&cell->write, copy);
    if (!cell->other.time)
        return;
    if (cell->other.warp == FH_IN_LIST)
        finish_in_list(&shadow->lists[cell->other.lanes], copy);
    else
        finish(&cell->other, copy);
}

/* The bytes have been written now, by those of the lanes that copied them. */
static void copy_done(const struct fh_race *race, struct fh_block_clocks *block, uint32_t warp,
                      uint32_t lanes, const struct fh_copy *copy) {
    for (uint32_t rest = copy->lanes & lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint64_t end = (uint64_t)copy->address[lane] + copy->bytes;
        const struct fh_past past = {.time = block->warp[warp].lane[lane].time,
                                     .warp = (uint32_t)(block->index * race->warps + warp),
                                     .lanes = UINT32_C(1) << lane,
                                     .code = fh_code(copy->code, FH_COPYING)};
        for (uint64_t address = copy->address[lane]; address < end;) {
            struct fh_cell_page *page = fh_touched_page(&block->shared, address, 4);
            if (!page)
                return;
            finish_in_cell(&block->shared, &page->cells[address % FH_PAGE_BYTES >> page->shift],
                           &past);
            address += UINT64_C(1) << page->shift;
        }
    }
}

void fh_race_copies_done(struct fh_race *race, struct fh_block_clocks *block,
                         const fhec_event *event) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    size_t kept = 0;
    for (size_t i = 0; i < warp->copy_count; i++) {
        struct fh_copy copy = warp->copies[i];
        if (copy.number <= event->copy.last) {
            copy_done(race, block, event->warp, event->lanes, &copy);
            copy.lanes &= ~event->lanes;
        }
        if (copy.lanes || copy.number > event->copy.last)
            warp->copies[kept++] = copy;
    }
    warp->copy_count = kept;
}
