/*
 * origin_survey.c - see origin_survey.h. The constants of the maps that executions have are kept
 * beside their warp, block and number; at the end, one map is looked for that gives all of them.
 */
#include "origin_survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 4096, VARIABLES = 5, MOST_WARPS = 64 };

/* The constant of a map, in bits from the buffer's beginning, and where it was found. */
struct sample {
    int64_t at[VARIABLES]; /* warp, block, n */
    int64_t first;
};

struct collected {
    struct fh_survey_row row;
    const fhec_program *program;
    size_t kernel;
    char *name; /* of the kernel */
    char *file;
    struct fh_fragment_shape *shape; /* NULL: of a register */
    char *buffer;                    /* of all samples */
    struct fh_fragment_map map;      /* of the first; the steps of all */
    bool various;                    /* other executions have other steps or buffers */
    bool shown, has_misfits;         /* of the elements that are kept */
    struct sample *samples;
    size_t sample_count;
    uint64_t visits[MOST_WARPS]; /* of the warps of the block below, so far */
    uint32_t block[3];
};

struct fh_survey {
    struct fh_survey_select select;
    struct fh_origins *origins;
    struct collected **rows;
    size_t count;
    bool failed;
};

/* ---------------------------------------------------------------- which instructions */

/* Whether the line is where the instruction stands, or one that led there. */
static bool is_at_line(const fhec_launch *launch, uint64_t pc, uint32_t line) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    const uint32_t word = (uint32_t)(pc / sizeof(fhec_word));
    if (fhec_kernel_location(launch->program, launch->kernel, word).line == line)
        return true;
    const size_t count =
        fhec_kernel_expansions(launch->program, launch->kernel, word, steps, FHEC_MAX_EXPANSIONS);
    for (size_t i = 0; i < count; i++)
        if (steps[i].at.line == line)
            return true;
    return false;
}

static bool is_fragment(const fhec_operand *o) {
    return o->has_layout && o->kind == FHEC_OPERAND_REGISTER && o->reg != FHEC_NO_REGISTER;
}

static unsigned wants(void *user, const fhec_launch *launch, const fhec_instruction *in) {
    const struct fh_survey *s = user;
    unsigned wanted = 0;
    if ((s->select.one_pc && in->pc != s->select.pc) ||
        (s->select.line && !is_at_line(launch, in->pc, s->select.line)))
        return 0;
    if (s->select.registers)
        return FH_ORIGIN_BEFORE;
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (is_fragment(&in->operands[i]))
            wanted |= in->operands[i].read ? FH_ORIGIN_BEFORE : FH_ORIGIN_AFTER;
    return wanted;
}

/* ---------------------------------------------------------------- rows */

static char *copied(struct fh_survey *s, const char *text) {
    char *copy = strdup(text);
    s->failed |= !copy;
    return copy;
}

static struct collected *add_row(struct fh_survey *s, const struct fh_origin_view *view,
                                 const char *operand, const fhec_operand *o) {
    const fhec_launch *launch = view->event->launch;
    struct collected **rows = realloc((void *)s->rows, (s->count + 1) * sizeof *rows);
    struct collected *c = calloc(1, sizeof *c);
    fhec_kernel_info kernel;
    if (rows)
        s->rows = rows;
    if (!rows || !c || fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK) {
        free(c);
        s->failed = true;
        return NULL;
    }
    s->rows[s->count++] = c;
    c->program = launch->program;
    c->kernel = launch->kernel;
    c->row.pc = view->event->pc;
    c->row.at = fhec_kernel_location(launch->program, launch->kernel,
                                     (uint32_t)(view->event->pc / sizeof(fhec_word)));
    c->row.kernel = c->name = copied(s, kernel.name);
    c->row.at.file = c->file = c->row.at.file ? copied(s, c->row.at.file) : NULL;
    c->row.text = copied(s, view->instruction->text);
    c->row.operand = copied(s, operand);
    if (o) {
        c->shape = fh_fragment_shape_new(o->layout);
        s->failed |= !c->shape;
        if (c->shape)
            c->row.layout = c->shape->layout;
    }
    return c;
}

static struct collected *row_of(struct fh_survey *s, const struct fh_origin_view *view,
                                const char *operand, const fhec_operand *o) {
    const fhec_launch *launch = view->event->launch;
    for (size_t i = 0; i < s->count; i++) {
        struct collected *c = s->rows[i];
        if (c->program == launch->program && c->kernel == launch->kernel &&
            c->row.pc == view->event->pc && c->row.operand && strcmp(c->row.operand, operand) == 0)
            return c;
    }
    return add_row(s, view, operand, o);
}

/* How often the warp has executed it, of those that run now. */
static int64_t visit(struct collected *c, const fhec_event *event) {
    if (memcmp(c->block, event->block, sizeof c->block) != 0) {
        memset(c->visits, 0, sizeof c->visits);
        memcpy(c->block, event->block, sizeof c->block);
    }
    return (int64_t)c->visits[event->warp % MOST_WARPS]++;
}

/* ---------------------------------------------------------------- elements */

static void forget_elements(struct fh_survey_row *row) {
    for (size_t i = 0; i < row->element_count; i++)
        free(row->elements[i].origin);
    free(row->elements);
    row->elements = NULL;
    row->element_count = 0;
}

static bool room_for(struct fh_survey *s, struct fh_survey_row *row, size_t count,
                     const fhec_event *event) {
    forget_elements(row);
    row->elements = calloc(count, sizeof *row->elements);
    row->element_count = row->elements ? count : 0;
    s->failed |= !row->elements;
    memcpy(row->block, event->block, sizeof row->block);
    row->warp = event->warp;
    return row->elements;
}

static void keep_elements(struct fh_survey *s, const struct fh_origin_view *view,
                          struct collected *c, const struct fh_fragment *f,
                          const struct fh_fragment_map *map) {
    const fhec_layout *layout = &c->shape->layout;
    uint32_t lanes[FHEC_WARP_LANES];
    if (!room_for(s, &c->row, c->shape->count, view->event))
        return;
    for (uint32_t i = 0; i < c->shape->count; i++) {
        const struct fh_fragment_place place = c->shape->place[i];
        struct fh_survey_element *e = &c->row.elements[i];
        char text[96];
        fh_origin_text(s->origins, f->elements[i].origin, layout->bits, f->elements[i].bit, text,
                       sizeof text);
        e->row = i / layout->columns;
        e->column = i % layout->columns;
        e->lane = place.lane;
        e->reg = f->reg + place.reg;
        e->origin = copied(s, text);
        e->misfit = map->found && fh_element_differs(f, map, e->row, e->column);
        if (fhec_event_register(view->event, FHEC_FILE_R, e->reg, lanes))
            e->value = lanes[place.lane] >> place.bit;
        if (layout->bits < 32)
            e->value &= (1u << layout->bits) - 1;
    }
    c->shown = true;
    c->has_misfits = map->found && map->others;
}

/* ---------------------------------------------------------------- one execution */

static void add_sample(struct fh_survey *s, struct collected *c, const fhec_event *event, int64_t n,
                       const struct fh_fragment_map *map) {
    const struct fh_origin_buffer *buffer = fh_origins_buffer(s->origins, map->any);
    static const char *const spaces[] = {"", "global", "shared", "local", "constant"};
    const char *name = buffer ? buffer->name : spaces[fh_origin_kind_of(map->any)];
    if (!c->buffer) {
        c->buffer = copied(s, name);
        c->map = *map;
    }
    c->row.fitting++;
    c->various |= !c->buffer || strcmp(c->buffer, name) != 0 || c->map.row != map->row ||
                  c->map.column != map->column;
    if (c->sample_count == MOST_SAMPLES)
        return;
    if (!c->samples)
        c->samples = malloc(MOST_SAMPLES * sizeof *c->samples);
    s->failed |= !c->samples;
    if (c->samples)
        c->samples[c->sample_count++] =
            (struct sample){{event->warp, event->block[0], event->block[1], event->block[2], n},
                            map->first - (buffer ? (int64_t)(8 * buffer->base) : 0)};
}

static void survey_fragment(struct fh_survey *s, const struct fh_origin_view *view,
                            const fhec_operand *o) {
    fhec_layout layout;
    struct fh_fragment f = {0};
    struct fh_fragment_map map;
    if (!fhec_layout_get(o->layout, &layout))
        return;
    struct collected *c = row_of(s, view, layout.operand, o);
    if (!c || !c->shape)
        return;
    const int64_t n = visit(c, view->event);
    c->row.executions++;
    bool fine = fh_fragment_make(&f, c->shape);
    if (fine) {
        fh_fragment_gather(&f, view->warp, o->reg);
        fine = fh_fragment_fit(&f, &map);
    }
    s->failed |= !fine;
    if (fine && map.found)
        add_sample(s, c, view->event, n, &map);
    if (fine && (!c->shown || (map.found && map.others && !c->has_misfits)))
        keep_elements(s, view, c, &f, &map);
    fh_fragment_free(&f);
}

/* A register in all lanes, the first time. */
static void survey_register(struct fh_survey *s, const struct fh_origin_view *view) {
    char name[16], text[96];
    uint32_t values[FHEC_WARP_LANES];
    const bool uniform = s->select.uniform;
    const uint32_t reg = s->select.reg;
    snprintf(name, sizeof name, "%sR%u", uniform ? "U" : "", reg);
    struct collected *c = row_of(s, view, name, NULL);
    if (!c || c->row.executions++ ||
        !fhec_event_register(view->event, uniform ? FHEC_FILE_UR : FHEC_FILE_R, reg, values) ||
        !room_for(s, &c->row, uniform ? 1 : FHEC_WARP_LANES, view->event))
        return;
    for (uint32_t l = 0; l < c->row.element_count; l++) {
        const fh_origin origin = uniform ? view->warp->ur[reg] : view->warp->r[reg][l];
        fh_origin_text(s->origins, origin, 32, 0, text, sizeof text);
        c->row.elements[l] = (struct fh_survey_element){
            .lane = l, .reg = reg, .origin = copied(s, text), .value = values[l]};
    }
}

static void look(struct fh_survey *s, const struct fh_origin_view *view, bool results) {
    if (s->select.one_warp && view->event->warp != s->select.warp)
        return;
    if (s->select.registers) {
        survey_register(s, view);
        return;
    }
    for (uint32_t i = 0; i < view->instruction->operand_count; i++) {
        const fhec_operand *o = &view->instruction->operands[i];
        if (is_fragment(o) && o->read == !results)
            survey_fragment(s, view, o);
    }
}

static void before(void *user, const struct fh_origin_view *view) {
    look(user, view, false);
}

static void after(void *user, const struct fh_origin_view *view) {
    look(user, view, true);
}

/* ---------------------------------------------------------------- the map of all */

/* What one more of variable v adds to the constant: from a sample that differs from the first one
 * in that alone. */
static int64_t step_of(const struct collected *c, unsigned v) {
    const struct sample *a = &c->samples[0];
    for (size_t k = 1; k < c->sample_count; k++) {
        const struct sample *b = &c->samples[k];
        bool alone = b->at[v] != a->at[v];
        for (unsigned w = 0; w < VARIABLES; w++)
            alone &= w == v || b->at[w] == a->at[w];
        if (alone)
            return (b->first - a->first) / (b->at[v] - a->at[v]);
    }
    return 0;
}

/* The constant and its steps; false if no such map gives all samples. */
static bool find_steps(const struct collected *c, int64_t steps[VARIABLES], int64_t *first) {
    *first = c->samples[0].first;
    for (unsigned v = 0; v < VARIABLES; v++) {
        steps[v] = step_of(c, v);
        *first -= steps[v] * c->samples[0].at[v];
    }
    for (size_t k = 0; k < c->sample_count; k++) {
        int64_t is = *first;
        for (unsigned v = 0; v < VARIABLES; v++)
            is += steps[v] * c->samples[k].at[v];
        if (is != c->samples[k].first)
            return false;
    }
    return true;
}

static void make_map(struct fh_survey *s, struct collected *c) {
    static const char *const names[] = {"warp", "block", "block.y", "block.z", "n"};
    int64_t steps[VARIABLES] = {0}, first = 0, unit = c->row.layout.bits;
    char index[256], text[320];
    const char *more = "", *of = "";
    if (!c->sample_count || c->various || c->row.fitting != c->row.executions)
        return;
    if (!find_steps(c, steps, &first)) {
        memset(steps, 0, sizeof steps);
        first = c->samples[0].first;
        more = " + ...";
    }
    bool whole = c->map.row % unit == 0 && c->map.column % unit == 0 && first % unit == 0;
    for (unsigned v = 0; v < VARIABLES; v++)
        whole &= steps[v] % unit == 0;
    if (!whole) {
        of = "bits of ";
        unit = 1;
    }
    struct fh_index_term terms[VARIABLES + 3] = {{c->map.row / unit, "i"},
                                                 {c->map.column / unit, "j"}};
    for (unsigned v = 0; v < VARIABLES; v++)
        terms[2 + v] = (struct fh_index_term){steps[v] / unit, names[v]};
    terms[VARIABLES + 2] = (struct fh_index_term){*more ? 0 : first / unit, NULL};
    fh_index_text(terms, VARIABLES + 3, index, sizeof index);
    snprintf(text, sizeof text, "%s%.40s[%s%s]", of, c->buffer ? c->buffer : "", index, more);
    c->row.map = copied(s, text);
}

/* ---------------------------------------------------------------- begin and end */

struct fh_survey *fh_survey_begin(fhec_machine *machine, const struct fh_survey_select *select) {
    struct fh_survey *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->select = *select;
    const struct fh_origin_watcher watcher = {
        .user = s, .wants = wants, .before = before, .after = after};
    if (fh_origins_begin(machine, &watcher, &s->origins) == FHEC_OK)
        return s;
    free(s);
    return NULL;
}

static int by_place(const void *a, const void *b) {
    const struct collected *x = *(struct collected *const *)a, *y = *(struct collected *const *)b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->row.pc != y->row.pc)
        return x->row.pc < y->row.pc ? -1 : 1;
    return x->row.operand && y->row.operand ? strcmp(x->row.operand, y->row.operand) : 0;
}

fhec_status fh_survey_end(struct fh_survey *s) {
    s->failed |= fh_origins_end(s->origins) != FHEC_OK;
    s->origins = NULL;
    for (size_t i = 0; i < s->count; i++)
        make_map(s, s->rows[i]);
    if (s->count)
        qsort((void *)s->rows, s->count, sizeof *s->rows, by_place);
    return s->failed ? FHEC_HOST_ERROR : FHEC_OK;
}

size_t fh_survey_count(const struct fh_survey *s) {
    return s->count;
}

const struct fh_survey_row *fh_survey_get(const struct fh_survey *s, size_t index) {
    return index < s->count ? &s->rows[index]->row : NULL;
}

void fh_survey_free(struct fh_survey *s) {
    if (!s)
        return;
    (void)fh_origins_end(s->origins);
    for (size_t i = 0; i < s->count; i++) {
        struct collected *c = s->rows[i];
        forget_elements(&c->row);
        fh_fragment_shape_free(c->shape);
        free(c->row.map);
        free(c->row.text);
        free(c->row.operand);
        free(c->name);
        free(c->file);
        free(c->buffer);
        free(c->samples);
        free(c);
    }
    free((void *)s->rows);
    free(s);
}
