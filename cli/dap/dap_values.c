/*
 * dap_values.c - see dap_values.h.
 */
#include "dap_values.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_origins.h"
#include "dap_parts.h"
#include "literal.h"

enum { WORD = 4, PREDICATES = 7, UNIFORM = 63 };
enum { PARAMETERS = 0x160 }; /* in constant bank 0 */
static const char *const file_names[] = {"R", "P", "UR", "UP", "B"};

/* ---------------------------------------------------------------- how many */

static bool launch_info(struct fh_dap *dap, fhec_launch *launch, fhec_kernel_info *info) {
    return fh_debugger_launch(dap->debugger, fh_debugger_time(dap->debugger).launch, launch, info);
}

static bool operand_at(struct fh_dap *dap, uint64_t pc, uint32_t number, fhec_operand *operand,
                       fhec_layout *layout, uint32_t *count) {
    fhec_instruction instruction;
    fhec_session *session = fh_debugger_session(dap->debugger);
    *count = 0;
    if (!session || fhec_session_instruction(session, pc, &instruction) != FHEC_OK)
        return false;
    bool found = false;
    for (uint32_t i = 0; i < instruction.operand_count; i++) {
        if (!instruction.operands[i].has_layout)
            continue;
        if (*count == number && fhec_layout_get(instruction.operands[i].layout, layout)) {
            *operand = instruction.operands[i];
            found = true;
        }
        ++*count;
    }
    return found;
}

static uint64_t shared_bytes(struct fh_dap *dap, const uint32_t block[3]) {
    fhec_session *session = fh_debugger_session(dap->debugger);
    fhec_block_info info;
    for (size_t i = 0; session && fhec_session_block(session, i, &info) == FHEC_OK; i++)
        if (!memcmp(info.id, block, sizeof info.id))
            return info.shared_bytes;
    return 0;
}

struct fh_dap_size fh_dap_size_of(struct fh_dap *dap, const struct fh_dap_handle *holder) {
    struct fh_dap_size size = {0};
    struct fh_debug_buffer buffer;
    fhec_launch launch;
    fhec_kernel_info info;
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    if (!launch_info(dap, &launch, &info))
        return size;
    switch (holder->kind) {
    case FH_DAP_FRAME: break;
    case FH_DAP_REGISTERS: size.named = info.registers; break;
    case FH_DAP_PREDICATES: size.named = PREDICATES; break;
    case FH_DAP_UNIFORM: size.named = UNIFORM + PREDICATES; break;
    case FH_DAP_LANES:
    case FH_DAP_ROW: size.indexed = FHEC_WARP_LANES; break;
    case FH_DAP_PARAMETERS: size.named = info.param_count; break;
    case FH_DAP_BUFFERS:
        while (fh_debugger_buffer(dap->debugger, (size_t)size.named, &buffer))
            size.named++;
        break;
    case FH_DAP_SHARED: size.indexed = shared_bytes(dap, holder->block) / WORD; break;
    case FH_DAP_BUFFER:
        if (fh_debugger_buffer(dap->debugger, holder->number, &buffer) && !buffer.released)
            size.indexed = buffer.bytes / WORD;
        break;
    case FH_DAP_FRAGMENTS:
        (void)operand_at(dap, holder->pc, 0, &operand, &layout, &count);
        size.named = count;
        break;
    case FH_DAP_FRAGMENT:
        if (operand_at(dap, holder->pc, holder->number, &operand, &layout, &count))
            size.indexed = layout.rows;
        break;
    case FH_DAP_FRAGMENT_ROW:
        if (operand_at(dap, holder->pc, holder->number, &operand, &layout, &count))
            size.indexed = layout.columns;
        break;
    case FH_DAP_ORIGINS:
    case FH_DAP_ORIGIN_ROW:
    case FH_DAP_ORIGIN_FRAGMENT:
    case FH_DAP_ORIGIN_FRAGMENT_ROW: return fh_dap_origins_size(dap, holder);
    }
    return size;
}

/* ---------------------------------------------------------------- registers */

static bool read_row(struct fh_dap *dap, const struct fh_dap_handle *at, fhec_register_file file,
                     uint32_t reg, uint32_t values[FHEC_WARP_LANES]) {
    fhec_session *session = fh_debugger_session(dap->debugger);
    memset(values, 0, FHEC_WARP_LANES * sizeof *values);
    return session &&
           fhec_session_read_register(session, at->block, at->warp, file, reg, values) == FHEC_OK;
}

static void keep_register(struct fh_dap_value *value, const struct fh_dap_handle *at,
                          fhec_register_file file, uint32_t reg, uint32_t lanes) {
    value->store = FH_DAP_REGISTER;
    value->writable = true;
    memcpy(value->block, at->block, sizeof value->block);
    value->warp = at->warp;
    value->lanes = lanes;
    value->file = file;
    value->reg = reg;
    value->bytes = WORD;
}

/* A register as the holder's lane sees it; R and P hold those of all lanes. */
static bool register_value(struct fh_dap *dap, const struct fh_dap_handle *at,
                           fhec_register_file file, uint32_t reg, struct fh_dap_value *value) {
    uint32_t values[FHEC_WARP_LANES];
    const bool of_lanes = file == FHEC_FILE_R || file == FHEC_FILE_P;
    snprintf(value->name, sizeof value->name, "%s%u", file_names[file], reg);
    strcpy(value->expression, value->name);
    if (!read_row(dap, at, file, reg, values)) {
        strcpy(value->text, "the block has not begun");
        return true;
    }
    strcpy(value->type, file == FHEC_FILE_P || file == FHEC_FILE_UP ? "pred" : "u32");
    keep_register(value, at, file, reg, of_lanes ? UINT32_C(1) << at->lane : UINT32_MAX);
    value->is_word = file == FHEC_FILE_R || file == FHEC_FILE_UR;
    value->word = file == FHEC_FILE_R ? values[at->lane] : values[0];
    if (file == FHEC_FILE_P)
        snprintf(value->text, sizeof value->text, "%s (lanes 0x%08" PRIx32 ")",
                 values[0] >> at->lane & 1 ? "true" : "false", values[0]);
    else if (file == FHEC_FILE_UP)
        strcpy(value->text, values[0] ? "true" : "false");
    value->children = of_lanes;
    value->inner = *at;
    value->inner.kind = FH_DAP_ROW;
    value->inner.file = file;
    value->inner.number = reg;
    return true;
}

static bool row_value(struct fh_dap *dap, const struct fh_dap_handle *row, uint32_t lane,
                      struct fh_dap_value *value) {
    uint32_t values[FHEC_WARP_LANES];
    snprintf(value->name, sizeof value->name, "[%u]", lane);
    if (!read_row(dap, row, row->file, row->number, values))
        return false;
    keep_register(value, row, row->file, row->number, UINT32_C(1) << lane);
    value->is_word = row->file == FHEC_FILE_R;
    value->word = values[lane];
    strcpy(value->text, values[0] >> lane & 1 ? "true" : "false");
    return true;
}

static bool lane_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint32_t lane,
                       struct fh_dap_value *value) {
    fhec_warp_info info;
    fhec_session *session = fh_debugger_session(dap->debugger);
    const uint32_t bit = UINT32_C(1) << lane;
    snprintf(value->name, sizeof value->name, "[%u]", lane);
    if (!session || fhec_session_warp(session, at->block, at->warp, &info) != FHEC_OK ||
        !(info.lanes & bit))
        strcpy(value->text, session ? "not there" : "not begun");
    else if (info.exited & bit)
        strcpy(value->text, "ended");
    else
        for (uint32_t i = 0; i < info.group_count; i++)
            if (info.groups[i].lanes & bit)
                snprintf(value->text, sizeof value->text, "at 0x%04" PRIx64 "%s", info.groups[i].pc,
                         info.active & bit                          ? ", issues next"
                         : info.groups[i].wait == FHEC_WAIT_BARRIER ? ", waits at a barrier"
                         : info.groups[i].wait == FHEC_WAIT_NOTHING ? ""
                                                                    : ", waits for lanes");
    value->children = true;
    value->inner = *at;
    value->inner.kind = FH_DAP_REGISTERS;
    value->inner.lane = lane;
    return true;
}

/* ---------------------------------------------------------------- memory */

static bool memory_value(struct fh_dap *dap, const struct fh_dap_handle *at, fhec_space space,
                         uint64_t base, uint64_t index, struct fh_dap_value *value) {
    fhec_thread thread = {.warp = at->warp, .lane = at->lane};
    fhec_session *session = fh_debugger_session(dap->debugger);
    memcpy(thread.block, at->block, sizeof thread.block);
    snprintf(value->name, sizeof value->name, "[%" PRIu64 "]", index);
    value->address = base + index * WORD;
    if (!session || fhec_session_read(session, space, 0, &thread, value->address, &value->word,
                                      WORD) != FHEC_OK) {
        strcpy(value->text, "cannot be read");
        return true;
    }
    memcpy(value->block, at->block, sizeof value->block);
    value->is_word = value->writable = true;
    value->store = FH_DAP_MEMORY;
    value->space = space;
    value->bytes = WORD;
    strcpy(value->type, "u32");
    if (space == FHEC_SPACE_GLOBAL)
        snprintf(value->memory, sizeof value->memory, "0x%" PRIx64, value->address);
    return true;
}

static bool buffer_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint64_t index,
                         struct fh_dap_value *value) {
    struct fh_debug_buffer buffer;
    if (!fh_debugger_buffer(dap->debugger, (size_t)index, &buffer))
        return false;
    snprintf(value->name, sizeof value->name, "%s", buffer.name ? buffer.name : "?");
    snprintf(value->text, sizeof value->text, "0x%" PRIx64 ", %" PRIu64 " bytes%s%s",
             buffer.address, buffer.bytes, buffer.flags & FHEC_MEM_READ_ONLY ? ", read only" : "",
             buffer.released ? ", released" : "");
    snprintf(value->memory, sizeof value->memory, "0x%" PRIx64, buffer.address);
    value->children = !buffer.released;
    value->inner = *at;
    value->inner.kind = FH_DAP_BUFFER;
    value->inner.number = (uint32_t)index;
    return true;
}

/* A pointer is told with the buffer that it points into, and holds what that holds. */
static void point(struct fh_dap *dap, const struct fh_dap_handle *at, uint64_t pointer,
                  struct fh_dap_value *value) {
    struct fh_debug_buffer buffer;
    for (uint32_t i = 0; fh_debugger_buffer(dap->debugger, i, &buffer); i++) {
        const uint64_t offset = pointer - buffer.address;
        if (buffer.released || pointer < buffer.address || offset >= buffer.bytes)
            continue;
        const size_t length = strlen(value->text);
        snprintf(value->text + length, sizeof value->text - length, " = %.60s + %" PRIu64,
                 buffer.name ? buffer.name : "?", offset);
        snprintf(value->memory, sizeof value->memory, "0x%" PRIx64, pointer);
        value->children = true;
        value->inner = *at;
        value->inner.kind = FH_DAP_BUFFER;
        value->inner.number = i;
        return;
    }
}

static bool parameter_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint64_t index,
                            struct fh_dap_value *value) {
    fhec_launch launch;
    fhec_kernel_info info;
    if (!launch_info(dap, &launch, &info) || index >= info.param_count)
        return false;
    const fhec_param_info *param = &info.params[index];
    snprintf(value->name, sizeof value->name, "%s", param->name);
    const uint8_t *bytes = (const uint8_t *)launch.params + param->offset;
    if (!launch.params || param->offset + (uint64_t)param->size > launch.param_bytes) {
        strcpy(value->text, "not given");
        return true;
    }
    uint64_t number = 0;
    fhec_session *session = fh_debugger_session(dap->debugger);
    const size_t size = param->size < sizeof number ? param->size : sizeof number;
    value->address = PARAMETERS + param->offset;
    if (!session || fhec_session_read(session, FHEC_SPACE_CONSTANT, 0, NULL, value->address,
                                      &number, size) != FHEC_OK)
        memcpy(&number, bytes, size);
    if (session && param->size <= WORD) { /* it may be set for what this launch does from here on */
        memcpy(value->block, at->block, sizeof value->block);
        value->writable = true;
        value->store = FH_DAP_MEMORY;
        value->space = FHEC_SPACE_CONSTANT;
        value->bytes = param->size;
    }
    snprintf(value->text, sizeof value->text, "0x%" PRIx64, number);
    snprintf(value->type, sizeof value->type, "%u bytes", param->size);
    for (uint32_t i = 8; i < param->size && i < 64; i += 8) {
        const size_t length = strlen(value->text);
        const uint32_t left = param->size - i;
        number = 0;
        memcpy(&number, bytes + i, left < sizeof number ? left : sizeof number);
        snprintf(value->text + length, sizeof value->text - length, " 0x%" PRIx64, number);
    }
    if (param->size == sizeof number)
        point(dap, at, number, value);
    return true;
}

/* ---------------------------------------------------------------- fragments */

static bool fragment_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint64_t index,
                           struct fh_dap_value *value) {
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    if (!operand_at(dap, at->pc, (uint32_t)index, &operand, &layout, &count))
        return false;
    snprintf(value->name, sizeof value->name, "%s", operand.name);
    snprintf(value->text, sizeof value->text, "%u x %u of %u bits in R%u..R%u", layout.rows,
             layout.columns, layout.bits, operand.reg, operand.reg + layout.registers - 1);
    value->children = operand.reg != FHEC_NO_REGISTER;
    value->inner = *at;
    value->inner.kind = FH_DAP_FRAGMENT;
    value->inner.number = (uint32_t)index;
    return true;
}

static bool read_element(struct fh_dap *dap, const struct fh_dap_handle *at,
                         const fhec_operand *operand, const fhec_layout *layout,
                         const fhec_place *place, uint64_t *element) {
    uint32_t low[FHEC_WARP_LANES], high[FHEC_WARP_LANES] = {0};
    const uint32_t reg = operand->reg + place->reg;
    if (!read_row(dap, at, FHEC_FILE_R, reg, low) ||
        (layout->bits == 64 && !read_row(dap, at, FHEC_FILE_R, reg + 1, high)))
        return false;
    *element = (uint64_t)high[place->lane] << 32 | low[place->lane];
    if (layout->bits < 32)
        *element = *element >> (place->slot * layout->bits) & ((UINT64_C(1) << layout->bits) - 1);
    return true;
}

/* A row is a line of its elements, which it also holds. */
static bool fragment_row_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint32_t row,
                               struct fh_dap_value *value) {
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    if (!operand_at(dap, at->pc, at->number, &operand, &layout, &count))
        return false;
    snprintf(value->name, sizeof value->name, "[%u]", row);
    for (uint32_t column = 0; column < layout.columns; column++) {
        const size_t length = strlen(value->text);
        fhec_place place;
        uint64_t element;
        if (fhec_layout_place(operand.layout, (fhec_element){row, column}, &place) != FHEC_OK ||
            !read_element(dap, at, &operand, &layout, &place, &element))
            break;
        snprintf(value->text + length, sizeof value->text - length, "%s%" PRIu64, column ? " " : "",
                 element);
    }
    value->children = true;
    value->inner = *at;
    value->inner.kind = FH_DAP_FRAGMENT_ROW;
    value->inner.row = row;
    return true;
}

static bool element_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint32_t column,
                          struct fh_dap_value *value) {
    fhec_operand operand;
    fhec_layout layout;
    fhec_place place;
    uint32_t count;
    uint64_t element;
    snprintf(value->name, sizeof value->name, "[%u]", column);
    if (!operand_at(dap, at->pc, at->number, &operand, &layout, &count) ||
        fhec_layout_place(operand.layout, (fhec_element){at->row, column}, &place) != FHEC_OK ||
        !read_element(dap, at, &operand, &layout, &place, &element))
        return false;
    snprintf(value->text, sizeof value->text, "%" PRIu64 " (R%u of lane %u%s)", element,
             operand.reg + place.reg, place.lane, layout.slots > 1 ? ", a part" : "");
    if (layout.bits == 32)
        keep_register(value, at, FHEC_FILE_R, operand.reg + place.reg, UINT32_C(1) << place.lane);
    return true;
}

/* ---------------------------------------------------------------- all of them */

bool fh_dap_value_at(struct fh_dap *dap, const struct fh_dap_handle *holder, uint64_t index,
                     struct fh_dap_value *value) {
    struct fh_debug_buffer buffer;
    const uint32_t number = (uint32_t)index;
    memset(value, 0, sizeof *value);
    switch (holder->kind) {
    case FH_DAP_FRAME: return false;
    case FH_DAP_REGISTERS: return register_value(dap, holder, FHEC_FILE_R, number, value);
    case FH_DAP_PREDICATES: return register_value(dap, holder, FHEC_FILE_P, number, value);
    case FH_DAP_UNIFORM:
        return number < UNIFORM
                   ? register_value(dap, holder, FHEC_FILE_UR, number, value)
                   : register_value(dap, holder, FHEC_FILE_UP, number - UNIFORM, value);
    case FH_DAP_LANES: return lane_value(dap, holder, number, value);
    case FH_DAP_ROW: return row_value(dap, holder, number, value);
    case FH_DAP_PARAMETERS: return parameter_value(dap, holder, index, value);
    case FH_DAP_BUFFERS: return buffer_value(dap, holder, index, value);
    case FH_DAP_SHARED: return memory_value(dap, holder, FHEC_SPACE_SHARED, 0, index, value);
    case FH_DAP_BUFFER:
        return fh_debugger_buffer(dap->debugger, holder->number, &buffer) &&
               memory_value(dap, holder, FHEC_SPACE_GLOBAL, buffer.address, index, value);
    case FH_DAP_FRAGMENTS: return fragment_value(dap, holder, index, value);
    case FH_DAP_FRAGMENT: return fragment_row_value(dap, holder, number, value);
    case FH_DAP_FRAGMENT_ROW: return element_value(dap, holder, number, value);
    case FH_DAP_ORIGINS:
    case FH_DAP_ORIGIN_ROW:
    case FH_DAP_ORIGIN_FRAGMENT:
    case FH_DAP_ORIGIN_FRAGMENT_ROW: return fh_dap_origin_at(dap, holder, index, value);
    }
    return false;
}

bool fh_dap_value_register(struct fh_dap *dap, const char *name, struct fh_dap_value *value) {
    static const uint32_t counts[] = {255, PREDICATES, UNIFORM, PREDICATES};
    const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
    struct fh_dap_handle at;
    memset(&at, 0, sizeof at);
    memset(value, 0, sizeof *value);
    memcpy(at.block, focus->block, sizeof at.block);
    at.warp = focus->warp;
    at.lane = focus->lane;
    for (size_t file = 0; file < sizeof counts / sizeof *counts; file++) {
        const size_t length = strlen(file_names[file]);
        uint64_t number;
        if (strncmp(name, file_names[file], length) != 0 || !isdigit((unsigned char)name[length]))
            continue;
        const size_t digits = fh_parse_digits(name + length, 10, &number);
        return digits && !name[length + digits] && number < counts[file] &&
               register_value(dap, &at, (fhec_register_file)file, (uint32_t)number, value);
    }
    return false;
}

json_t *fh_dap_word_json(uint32_t value, bool hex) {
    return hex ? fh_dap_format("0x%08" PRIx32, value)
               : fh_dap_format("%" PRIu32 " (0x%08" PRIx32 ")", value, value);
}

/* ---------------------------------------------------------------- changing */

static bool read_number(const char *text, uint64_t *number) {
    const bool negative = *text == '-';
    text += negative;
    if (!strcmp(text, "true") || !strcmp(text, "false")) {
        *number = *text == 't';
        return !negative;
    }
    const size_t length = fh_take_number(text, number);
    const char *end = text + length + strspn(text + length, " ");
    if (!length || (negative && *number > UINT64_C(1) << 63))
        return false;
    if (*end == '(') /* as it was shown */
        end += strcspn(end, ")") + (strchr(end, ')') != NULL);
    if (negative)
        *number = 0 - *number;
    return !*end;
}

bool fh_dap_value_set(struct fh_dap *dap, const struct fh_dap_value *value, const char *text) {
    uint64_t number;
    uint32_t values[FHEC_WARP_LANES];
    if (!value->writable)
        return fh_dap_fail(dap, FH_DAP_REFUSED, "%s cannot be changed", value->name);
    if (!read_number(text, &number))
        return fh_dap_fail(dap, FH_DAP_EXPRESSION, "\"%.100s\" is no number", text);
    const uint64_t top = number >> 32;
    if (top && top != UINT32_MAX)
        return fh_dap_fail(dap, FH_DAP_EXPRESSION, "\"%.100s\" has more than 32 bits", text);
    for (size_t i = 0; i < FHEC_WARP_LANES; i++)
        values[i] = (uint32_t)number;
    if (value->file == FHEC_FILE_P && value->store == FH_DAP_REGISTER)
        values[0] = number ? UINT32_MAX : 0;
    const fhec_thread thread = {.block = {value->block[0], value->block[1], value->block[2]},
                                .warp = value->warp};
    const fhec_status status =
        value->store == FH_DAP_REGISTER
            ? fh_debugger_set_register(dap->debugger, value->block, value->warp, value->file,
                                       value->reg, value->lanes, values, NULL)
            : fh_debugger_set_memory(dap->debugger, value->space, 0, &thread, value->address,
                                     values, value->bytes, NULL);
    return status == FHEC_OK || fh_dap_model_fail(dap, FH_DAP_REFUSED);
}

void fh_dap_tell_changed(struct fh_dap *dap, const struct fh_dap_value *value) {
    if (dap->wants_memory_event && value->store == FH_DAP_MEMORY && value->memory[0])
        fh_dap_event(dap, "memory",
                     json_pack("{s:s, s:i, s:i}", "memoryReference", value->memory, "offset", 0,
                               "count", (int)value->bytes));
    if (dap->wants_invalidated)
        fh_dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
}
