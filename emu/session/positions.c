/*
 * positions.c - where the warps of a launch stood when it was cancelled. All of it is a copy: the
 * launch and its program may be gone when somebody asks.
 */
#include "positions.h"

#include "array.h"
#include "location.h"
#include "machine.h"
#include "session_state.h"

#include <stdlib.h>
#include <string.h>

void fh_positions_free(struct fh_positions *p) {
    for (size_t i = 0; i < p->text_count; i++)
        free(p->texts[i]);
    for (size_t i = 0; i < p->source_count; i++)
        free(p->sources[i].expansions);
    free(p->sources);
    free(p->texts);
    free(p->list);
    *p = (struct fh_positions){0};
}

/* A copy of the text that is there once; NULL without host memory. */
static const char *text_of(struct fh_positions *p, const char *text) {
    for (size_t i = 0; text && i < p->text_count; i++)
        if (strcmp(p->texts[i], text) == 0)
            return p->texts[i];
    if (!text || !fh_grow(&p->texts, &p->text_room, p->text_count + 1, sizeof(*p->texts)))
        return NULL;
    char *copy = strdup(text);
    if (copy)
        p->texts[p->text_count++] = copy;
    return copy;
}

/* What led to the line of the position's instruction. */
static void add_expansions(struct fh_positions *p, const struct fh_image *image,
                           fhec_position *to) {
    const struct fh_position_source *found = NULL;
    for (size_t i = p->source_count; i-- > 0 && !found;)
        if (p->sources[i].pc == to->group.pc)
            found = &p->sources[i];
    if (!found) {
        fhec_expansion list[FHEC_MAX_EXPANSIONS];
        const size_t count = fhec_kernel_expansions(image->program, image->kernel,
                                                    (uint32_t)(to->group.pc / FH_INST_BYTES), list,
                                                    FHEC_MAX_EXPANSIONS);
        if (!count ||
            !fh_grow(&p->sources, &p->source_room, p->source_count + 1, sizeof *p->sources))
            return;
        fhec_expansion *copy = fh_expansions_copy(list, count);
        p->sources[p->source_count] =
            (struct fh_position_source){to->group.pc, copy, copy ? count : 0};
        found = &p->sources[p->source_count++];
    }
    to->expansions = found->expansions;
    to->expansion_count = found->count;
}

static void add(struct fh_positions *p, const struct fh_flow *f, const fhec_group *group) {
    const struct fh_image *image = f->w.launch->image;
    const struct fh_block *block = f->w.block;
    if (!fh_grow(&p->list, &p->room, p->count + 1, sizeof *p->list))
        return;
    fhec_position *to = &p->list[p->count++];
    *to = (fhec_position){.kernel = text_of(p, image->code->name),
                          .index = block->index,
                          .warp = f->w.index,
                          .group = *group};
    memcpy(to->block, block->id, sizeof to->block);
    to->source =
        fhec_kernel_location(image->program, image->kernel, (uint32_t)(group->pc / FH_INST_BYTES));
    to->source.file = text_of(p, to->source.file);
    add_expansions(p, image, to);
}

void fh_positions_add(struct fh_positions *p, const struct fh_block *block) {
    for (uint32_t i = 0; i < block->launch->image->warps; i++) {
        const struct fh_flow *f = &block->warps[i];
        fhec_warp_info info;
        fh_describe_warp(f, &info);
        for (uint32_t k = 0; k < info.group_count; k++)
            add(p, f, &info.groups[k]);
    }
}

static int by_block(const void *a, const void *b) {
    const fhec_position *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return x->group.pc < y->group.pc ? -1 : x->group.pc > y->group.pc;
}

void fh_positions_sort(struct fh_positions *p) {
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, by_block);
}

bool fhec_machine_position(const fhec_machine *machine, size_t index, fhec_position *position) {
    *position = (fhec_position){0};
    if (index >= machine->positions.count)
        return false;
    *position = machine->positions.list[index];
    return true;
}
