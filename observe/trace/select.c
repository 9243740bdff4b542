/*
 * select.c - what a selection holds; how it is written: select_parse.c.
 */
#include "select.h"

#include <string.h>

bool fh_trace_select_holds(const struct fh_trace_select *select, enum fh_trace_subject subject,
                           uint64_t number) {
    const size_t count = select->counts[subject];
    bool holds = !count;
    for (size_t i = 0; i < count && !holds; i++) {
        const struct fh_trace_range *r = &select->ranges[subject][i];
        holds = number >= r->first && number <= r->last;
    }
    return holds;
}

uint32_t fh_trace_select_lanes(const struct fh_trace_select *select) {
    uint32_t lanes = 0;
    if (!select->counts[FH_TRACE_BY_LANE])
        return UINT32_MAX;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        lanes |= (uint32_t)fh_trace_select_holds(select, FH_TRACE_BY_LANE, lane) << lane;
    return lanes;
}

/* ---------------------------------------------------------------- what follows from the place */

/* Whether the path is the file, or ends with it behind a slash. */
static bool is_file(const char *path, const char *file) {
    const size_t length = strlen(path), wanted = strlen(file);
    return !wanted || (length >= wanted && strcmp(path + length - wanted, file) == 0 &&
                       (length == wanted || path[length - wanted - 1] == '/'));
}

static bool holds_line(const struct fh_trace_select *select, const char *file, uint32_t line) {
    bool holds = false;
    for (size_t i = 0; file && i < select->counts[FH_TRACE_BY_LINE]; i++) {
        const struct fh_trace_range *r = &select->ranges[FH_TRACE_BY_LINE][i];
        holds |= is_file(file, r->file) && line >= r->first && line <= r->last;
    }
    return holds;
}

/* Whether the mnemonic is one of those asked for, or goes on with a dot behind one. */
static bool holds_opcode(const struct fh_trace_select *select, fhec_word word) {
    char mnemonic[96];
    bool holds = !select->counts[FH_TRACE_BY_OPCODE];
    if (holds || fhec_mnemonic(word, mnemonic, sizeof mnemonic) < 0)
        return holds;
    for (size_t i = 0; i < select->counts[FH_TRACE_BY_OPCODE]; i++) {
        const char *name = select->ranges[FH_TRACE_BY_OPCODE][i].name;
        const size_t length = strlen(name);
        holds |=
            strncmp(mnemonic, name, length) == 0 && (!mnemonic[length] || mnemonic[length] == '.');
    }
    return holds;
}

static bool holds_kernel(const struct fh_trace_select *select, const char *kernel) {
    bool holds = !select->counts[FH_TRACE_BY_KERNEL];
    for (size_t i = 0; i < select->counts[FH_TRACE_BY_KERNEL] && !holds; i++)
        holds = strcmp(select->ranges[FH_TRACE_BY_KERNEL][i].name, kernel) == 0;
    return holds;
}

/* Whether the word is of one of the lines: written there, or in an expansion used there. */
static bool of_line(const struct fh_trace_select *select, const fhec_launch *launch,
                    uint32_t word) {
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    const fhec_location at = fhec_kernel_location(launch->program, launch->kernel, word);
    const size_t count =
        fhec_kernel_expansions(launch->program, launch->kernel, word, list, FHEC_MAX_EXPANSIONS);
    bool holds = holds_line(select, at.file, at.line);
    for (size_t i = 0; i < count && !holds; i++)
        holds = holds_line(select, list[i].at.file, list[i].at.line);
    return holds;
}

bool fh_trace_select_launch(const struct fh_trace_select *select,
                            const struct fh_trace_names *names, uint32_t launch) {
    return holds_kernel(select, fh_trace_kernel_of(names, launch)->name) &&
           fh_trace_select_holds(select, FH_TRACE_BY_LAUNCH, names->launches[launch].number);
}

bool fh_trace_select_instruction(const struct fh_trace_select *select, const fhec_launch *launch,
                                 uint64_t pc, fhec_word word) {
    fhec_kernel_info info;
    if (!fh_trace_select_holds(select, FH_TRACE_BY_PC, pc) || !holds_opcode(select, word))
        return false;
    if (select->counts[FH_TRACE_BY_KERNEL] &&
        (fhec_kernel_get(launch->program, launch->kernel, &info) != FHEC_OK ||
         !holds_kernel(select, info.name)))
        return false;
    return !select->counts[FH_TRACE_BY_LINE] || of_line(select, launch, (uint32_t)(pc / 16));
}

/* ---------------------------------------------------------------- what the record says */

static bool holds_place(const struct fh_trace_select *select, const struct fh_trace_names *names,
                        const struct fh_trace_record *record) {
    const struct fh_trace_instruction *at =
        fh_trace_instruction_at(names, record->launch, record->pc);
    const bool of_code = select->counts[FH_TRACE_BY_LINE] || select->counts[FH_TRACE_BY_OPCODE];
    if (!fh_trace_select_holds(select, FH_TRACE_BY_PC, record->pc))
        return false;
    if (!of_code || !at)
        return !of_code;
    bool line = !select->counts[FH_TRACE_BY_LINE] || holds_line(select, at->file, at->line);
    for (size_t i = 0; i < at->step_count; i++)
        line |= holds_line(select, at->steps[i].file, at->steps[i].line);
    return line && holds_opcode(select, at->word);
}

static bool holds_registers(const struct fh_trace_select *select,
                            const struct fh_trace_record *record) {
    bool holds = !select->counts[FH_TRACE_BY_REGISTER];
    for (size_t i = 0; i < select->counts[FH_TRACE_BY_REGISTER] && !holds; i++) {
        const struct fh_trace_range *r = &select->ranges[FH_TRACE_BY_REGISTER][i];
        for (size_t k = 0; k < record->register_count; k++) {
            const struct fh_trace_register *reg = &record->registers[k];
            holds |= reg->file == r->of && reg->number >= r->first && reg->number <= r->last;
        }
    }
    return holds;
}

/* Whether the lane's access touches what is asked for. */
static bool touches(const struct fh_trace_range *r, struct fh_trace_names *names,
                    const struct fh_trace_record *record, const struct fh_trace_access *access,
                    uint32_t lane) {
    uint64_t first = access->address[lane];
    if (!*r->name) { /* addresses */
        if (access->space != FHEC_SPACE_GLOBAL)
            return false;
    } else if (strcmp(r->name, fhec_space_name(access->space)) != 0) {
        const struct fh_trace_object *object =
            fh_trace_object_at(names, access->space, access->bank, record->launch, first);
        if (!object || strcmp(object->name, r->name) != 0)
            return false;
        first -= object->base;
    }
    const uint64_t width = r->width ? r->width : 1;
    return !r->width || (first + access->bytes > r->first * width && first / width <= r->last);
}

static bool holds_memory(const struct fh_trace_select *select, struct fh_trace_names *names,
                         const struct fh_trace_record *record, uint32_t lanes) {
    const size_t count = select->counts[FH_TRACE_BY_MEMORY];
    for (size_t k = 0; k < record->access_count && count; k++) {
        const struct fh_trace_access *access = &record->accesses[k];
        for (uint32_t rest = access->lanes & lanes; rest; rest &= rest - 1)
            for (size_t i = 0; i < count; i++)
                if (touches(&select->ranges[FH_TRACE_BY_MEMORY][i], names, record, access,
                            (uint32_t)__builtin_ctz(rest)))
                    return true;
    }
    return !count;
}

static bool holds_block(const struct fh_trace_select *select, const struct fh_trace_names *names,
                        const struct fh_trace_record *record) {
    const uint32_t *grid = names->launches[record->launch].grid, *block = record->block;
    return fh_trace_select_holds(select, FH_TRACE_BY_BLOCK,
                                 ((uint64_t)block[2] * grid[1] + block[1]) * grid[0] + block[0]);
}

bool fh_trace_select_warp(const struct fh_trace_select *select, const struct fh_trace_names *names,
                          const struct fh_trace_record *record) {
    return holds_block(select, names, record) &&
           fh_trace_select_holds(select, FH_TRACE_BY_WARP, record->warp) &&
           (!select->counts[FH_TRACE_BY_LANE] || record->active & fh_trace_select_lanes(select));
}

/* Of what is neither an instruction nor the launch's as a whole. */
static bool holds_other(const struct fh_trace_select *select, const struct fh_trace_names *names,
                        const struct fh_trace_record *record) {
    const bool of_block = record->kind == FHEC_EVENT_BLOCK_BEGIN ||
                          record->kind == FHEC_EVENT_BLOCK_END ||
                          record->kind == FHEC_EVENT_RELEASE;
    const bool of_code = record->kind == FHEC_EVENT_ARRIVE || record->kind == FHEC_EVENT_COPY ||
                         record->kind == FHEC_EVENT_COPY_DONE ||
                         record->kind == FHEC_EVENT_DIVERGE || record->kind == FHEC_EVENT_CONVERGE;
    if (select->counts[FH_TRACE_BY_REGISTER] || select->counts[FH_TRACE_BY_MEMORY])
        return false;
    return holds_block(select, names, record) && (!of_code || holds_place(select, names, record)) &&
           (of_block || (fh_trace_select_holds(select, FH_TRACE_BY_WARP, record->warp) &&
                         record->lanes & fh_trace_select_lanes(select)));
}

bool fh_trace_selected(const struct fh_trace_select *select, struct fh_trace_names *names,
                       const struct fh_trace_record *record) {
    if (record->kind >= FHEC_EVENT_ALLOC || record->launch >= names->launch_count)
        return true;
    if (!fh_trace_select_launch(select, names, record->launch))
        return false;
    if (record->kind == FHEC_EVENT_LAUNCH_BEGIN || record->kind == FHEC_EVENT_LAUNCH_END ||
        record->kind == FHEC_EVENT_FAULT)
        return true;
    if (!fh_trace_is_instruction(record))
        return holds_other(select, names, record);
    return fh_trace_select_warp(select, names, record) && holds_place(select, names, record) &&
           holds_registers(select, record) &&
           holds_memory(select, names, record, fh_trace_select_lanes(select));
}
