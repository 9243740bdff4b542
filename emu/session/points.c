/*
 * points.c - the points of a session: where it stops. Which instructions a point is about is found
 * out once, when it is added.
 */
#include "array.h"
#include "session_state.h"
#include "watchpoints.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool fh_points_hit(fhec_session *s, uint32_t kinds, int64_t index, const struct fh_flow *f,
                   fhec_stop *stop) {
    const unsigned only = stop->point;
    unsigned first = 0;
    stop->instructions = s->launch.steps;
    for (size_t i = 0; s->kinds & kinds && i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        if (!p->on || !(kinds >> p->is.kind & 1) || (only && p->number != only) ||
            (index != FH_NO_OP && !fh_point_at(p, (uint32_t)index)) ||
            !fh_in_scope(&p->is.scope, f, stop->lanes))
            continue;
        stop->point = p->number;
        if (p->is.condition && !p->is.condition(p->is.user, s, stop))
            continue;
        if (p->hits++ >= p->is.skip && !first)
            first = p->number;
    }
    stop->point = first;
    return first;
}

/* After a change of the points. */
static void survey(fhec_session *s) {
    s->kinds = 0;
    for (size_t i = 0; i < s->point_count; i++)
        s->kinds |= s->points[i].on ? 1u << s->points[i].is.kind : 0;
    s->stale = true;
}

/* ---------------------------------------------------------------- instructions */

/* Whether the path is `file`, or ends with it behind a "/". */
static bool path_ends(const char *path, const char *file) {
    const size_t length = strlen(path), wanted = strlen(file);
    return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
           (length == wanted || path[length - wanted - 1] == '/');
}

static bool is_line(const fhec_session *s, const fhec_point *p, const struct fh_origin *at) {
    const struct fhec_program *program = s->image.program;
    return at->line == p->line && at->file < program->file_count &&
           (!p->file || path_ends(program->files[at->file], p->file));
}

/* Whether lanes come to the line with this instruction: it is the first one of those that were
 * written there, or that an expansion used there gave. Each expansion counts by itself. */
static bool begins_line(const fhec_session *s, const fhec_point *p, uint32_t index) {
    const struct fh_image *image = &s->image;
    const struct fh_expansion_step *steps = image->program->expansion_steps;
    const struct fh_origin *now = fh_code_origin(image->program, image->kernel, index);
    const struct fh_origin *before =
        index ? fh_code_origin(image->program, image->kernel, index - 1) : NULL;
    if (!now)
        return false;
    uint32_t i = now->expansion, other = before ? before->expansion : 0;
    if (is_line(s, p, now) && !(before && i == other && is_line(s, p, before)))
        return true;
    for (; i; i = steps[i - 1].at.expansion) { /* a step leads to earlier ones */
        while (other > i)
            other = steps[other - 1].at.expansion;
        if (i == other) /* the instruction before it stands in this one, and those further out */
            return false;
        if (is_line(s, p, &steps[i - 1].at))
            return true;
    }
    return false;
}

static bool has_opcode(const struct fh_inst *inst, const char *text) {
    char mnemonic[96];
    const size_t length = strlen(text);
    if (fh_print_mnemonic(inst, mnemonic, sizeof mnemonic) < 0)
        return false;
    return strncmp(mnemonic, text, length) == 0 &&
           (mnemonic[length] == '\0' || mnemonic[length] == '.');
}

/* Whether the point is about the instruction. */
static bool is_about(const fhec_session *s, const fhec_point *p, uint32_t index) {
    const struct fh_inst *inst = s->image.ops[index].inst;
    switch (p->kind) {
    case FHEC_POINT_PC: return p->pc == (uint64_t)index * FH_INST_BYTES;
    case FHEC_POINT_LINE: return begins_line(s, p, index);
    case FHEC_POINT_OPCODE: return inst && has_opcode(inst, p->text);
    case FHEC_POINT_CLASS: return inst && strcmp(fh_insns[inst->form->insn].klass, p->text) == 0;
    case FHEC_POINT_REGISTER: return inst && fh_watches_register(p, inst);
    case FHEC_POINT_MEMORY: return fh_watches_memory(p, &s->image.ops[index]);
    default: return false;
    }
}

static fhec_status never(const fhec_session *s, const fhec_point *p) {
    static const char *const files[] = {"R", "P", "UR", "UP"};
    fhec_machine *m = s->machine;
    const char *kernel = s->image.code->name;
    switch (p->kind) {
    case FHEC_POINT_PC:
        return fh_machine_fail(m, FHEC_BAD_INPUT, "kernel %s has no instruction at 0x%" PRIx64,
                               kernel, p->pc);
    case FHEC_POINT_LINE:
        return fh_machine_fail(m, FHEC_BAD_INPUT, "no instruction of kernel %s is of %s%sline %u",
                               kernel, p->file ? p->file : "", p->file ? ", " : "", p->line);
    case FHEC_POINT_OPCODE:
        return fh_machine_fail(m, FHEC_BAD_INPUT, "kernel %s has no instruction %s", kernel,
                               p->text);
    case FHEC_POINT_CLASS:
        return fh_machine_fail(m, FHEC_BAD_INPUT, "kernel %s has no instruction of class %s",
                               kernel, p->text);
    case FHEC_POINT_MEMORY:
        return fh_machine_fail(m, FHEC_BAD_INPUT,
                               "no instruction of kernel %s accesses %s memory in that way", kernel,
                               fhec_space_name(p->space));
    default:
        return fh_machine_fail(m, FHEC_BAD_INPUT,
                               "no instruction of kernel %s accesses %s%u in that way", kernel,
                               files[p->file_of], p->reg);
    }
}

/* Notes the instructions that the point is about; whether there are some. */
static bool note_instructions(const fhec_session *s, struct fh_point *p) {
    bool any = false;
    memset(p->at, 0, (s->image.count / 64 + 1) * sizeof *p->at);
    for (uint32_t i = 0; i < s->image.count; i++) {
        if (is_about(s, &p->is, i)) {
            p->at[i / 64] |= UINT64_C(1) << i % 64;
            any = true;
        }
    }
    return any;
}

void fh_points_renew(fhec_session *s) {
    for (size_t i = 0; i < s->point_count; i++)
        if (s->points[i].at)
            (void)note_instructions(s, &s->points[i]);
    s->stale = true;
}

/* Finds the instructions that the point is about. */
static fhec_status find_instructions(fhec_session *s, struct fh_point *p) {
    p->at = malloc((s->image.count / 64 + 1) * sizeof *p->at);
    if (!p->at)
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a point");
    return note_instructions(s, p) ? FHEC_OK : never(s, &p->is);
}

static void free_point(struct fh_point *p) {
    free(p->at);
    free((char *)p->is.file);
    free((char *)p->is.text);
}

/* Its strings become ours. */
static fhec_status copy_strings(const fhec_session *s, struct fh_point *p) {
    const char *file = p->is.file, *text = p->is.text;
    p->is.file = file ? strdup(file) : NULL;
    p->is.text = text ? strdup(text) : NULL;
    return (p->is.file || !file) && (p->is.text || !text)
               ? FHEC_OK
               : fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a point");
}

/* ---------------------------------------------------------------- points */

static fhec_status check_scope(const fhec_session *s, const fhec_scope *scope) {
    for (unsigned i = 0; scope->one_block && i < 3; i++)
        if (scope->block[i] >= s->image.grid[i])
            return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "the grid has no block (%u,%u,%u)",
                                   scope->block[0], scope->block[1], scope->block[2]);
    if (scope->one_warp && scope->warp >= s->image.warps)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "a block has %u warps: there is no number %u", s->image.warps,
                               scope->warp);
    return FHEC_OK;
}

static fhec_status check(const fhec_session *s, const fhec_point *p) {
    static const uint32_t registers[] = {FH_RZ, FH_PT, FH_URZ, FH_PT};
    const unsigned all = FHEC_ACCESS_READ | FHEC_ACCESS_WRITE | FHEC_ACCESS_CHANGE;
    fhec_machine *m = s->machine;
    if ((size_t)p->kind > FHEC_POINT_BLOCK_BEGIN)
        return fh_machine_fail(m, FHEC_BAD_INPUT, "no points are of kind %d", (int)p->kind);
    if (FH_WATCHPOINTS >> p->kind & 1 && (!p->access || p->access & ~all))
        return fh_machine_fail(m, FHEC_BAD_INPUT, "a watchpoint needs the accesses to wait for");
    switch (p->kind) {
    case FHEC_POINT_OPCODE:
    case FHEC_POINT_CLASS:
        if (!p->text || !*p->text)
            return fh_machine_fail(m, FHEC_BAD_INPUT, "a point needs the text that it is about");
        break;
    case FHEC_POINT_REGISTER:
        if ((size_t)p->file_of >= sizeof registers / sizeof *registers ||
            p->reg >= registers[p->file_of])
            return fh_machine_fail(m, FHEC_BAD_INPUT, "there is no such register to be watched");
        break;
    case FHEC_POINT_MEMORY:
        if ((size_t)p->space > FHEC_SPACE_CONSTANT || !p->bytes ||
            p->address > UINT64_MAX - p->bytes)
            return fh_machine_fail(m, FHEC_BAD_INPUT, "there is no such memory to be watched");
        break;
    default: break;
    }
    return check_scope(s, &p->scope);
}

fhec_status fhec_session_add(fhec_session *s, const fhec_point *point, unsigned *number) {
    struct fh_point p = {.is = *point, .number = s->last_number + 1, .on = true};
    *number = 0;
    fhec_status status = check(s, point);
    if (status != FHEC_OK)
        return status;
    if (!fh_grow(&s->points, &s->point_room, s->point_count + 1, sizeof *s->points))
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a point");
    status = copy_strings(s, &p);
    if (status == FHEC_OK && (FH_BREAKPOINTS | FH_WATCHPOINTS) >> point->kind & 1)
        status = find_instructions(s, &p);
    if (status != FHEC_OK) {
        free_point(&p);
        return status;
    }
    s->points[s->point_count++] = p;
    *number = s->last_number = p.number;
    survey(s);
    return FHEC_OK;
}

static struct fh_point *find(const fhec_session *s, unsigned number) {
    for (size_t i = 0; i < s->point_count; i++)
        if (s->points[i].number == number)
            return &s->points[i];
    fh_machine_fail(s->machine, FHEC_BAD_INPUT, "the session has no point number %u", number);
    return NULL;
}

fhec_status fhec_session_remove(fhec_session *s, unsigned number) {
    struct fh_point *p = find(s, number);
    if (!p)
        return FHEC_BAD_INPUT;
    free_point(p);
    s->point_count--;
    memmove(p, p + 1, (size_t)(s->points + s->point_count - p) * sizeof *p);
    survey(s);
    return FHEC_OK;
}

fhec_status fhec_session_enable(fhec_session *s, unsigned number, bool on) {
    struct fh_point *p = find(s, number);
    if (!p)
        return FHEC_BAD_INPUT;
    p->on = on;
    survey(s);
    return FHEC_OK;
}

fhec_status fhec_session_hits(const fhec_session *s, unsigned number, uint64_t *hits) {
    const struct fh_point *p = find(s, number);
    *hits = p ? p->hits : 0;
    return p ? FHEC_OK : FHEC_BAD_INPUT;
}

void fh_points_free(fhec_session *s) {
    for (size_t i = 0; i < s->point_count; i++)
        free_point(&s->points[i]);
    free(s->points);
    free(s->events);
}
