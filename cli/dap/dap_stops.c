/*
 * dap_stops.c - see dap_stops.h.
 */
#include "dap_stops.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_code.h"
#include "literal.h"

/* ---------------------------------------------------------------- hit conditions */

bool fh_dap_hits_read(const char *text, struct fh_dap_hits *hits) {
    *hits = (struct fh_dap_hits){0};
    if (!text)
        return true;
    text += strspn(text, " \t");
    if (!*text)
        return true;
    const size_t length = strspn(text, "<>=%");
    if (length > 2)
        return false;
    memcpy(hits->how, text, length);
    if (!length)
        strcpy(hits->how, ">=");
    text += length;
    text += strspn(text, " \t");
    const size_t digits = fh_take_number(text, &hits->number);
    static const char *const known[] = {">=", "<=", "==", "=", "<", ">", "%"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= !strcmp(hits->how, known[i]);
    return is_known && digits && !text[digits + strspn(text + digits, " \t")] &&
           (hits->how[0] != '%' || hits->number);
}

bool fh_dap_hits_hold(const struct fh_dap_hits *hits, uint64_t count) {
    switch (hits->how[0]) {
    case '>': return hits->how[1] ? count >= hits->number : count > hits->number;
    case '<': return hits->how[1] ? count <= hits->number : count < hits->number;
    case '=': return count == hits->number;
    case '%': return count % hits->number == 0;
    default: return true;
    }
}

/* ---------------------------------------------------------------- functions and instructions */

static bool fail(struct fh_dap_stop *stop, const char *format, const char *name) {
    snprintf(stop->why, sizeof stop->why, format, name);
    return false;
}

/* Takes a copy of a text into a slot of the stop. */
static const char *keep(struct fh_dap_stop *stop, size_t slot, const char *text) {
    stop->texts[slot] = strdup(text);
    return stop->texts[slot];
}

/* "op FHEC" and "class matrix" are breakpoints of the line mode; other names are a kernel's, or
 * "KERNEL+0x40", or a label's. */
bool fh_dap_stop_function(struct fh_dap *dap, struct fh_dap_stop *stop, const char *name) {
    struct fh_breakpoint *wanted = &stop->wanted;
    const char *rest = strchr(name, ' ');
    char kernel[256];
    if (rest && (!strncmp(name, "op ", 3) || !strncmp(name, "class ", 6))) {
        wanted->kind = *name == 'o' ? FH_BREAK_OPCODE : FH_BREAK_CLASS;
        wanted->text = keep(stop, 1, rest + 1 + strspn(rest + 1, " "));
        return true;
    }
    for (size_t i = 0;; i++) {
        fhec_kernel_info info;
        if (!fh_debugger_launch(dap->debugger, i, NULL, &info))
            break;
        if (!strcmp(info.name, name)) {
            wanted->kind = FH_BREAK_KERNEL;
            wanted->text = keep(stop, 1, name);
            return true;
        }
    }
    if (!fh_dap_code_named(dap, name, kernel, sizeof kernel, &wanted->pc))
        return fail(stop, "no launch so far has a kernel, a function or a label \"%.100s\"", name);
    wanted->kind = FH_BREAK_PC;
    wanted->kernel = keep(stop, 2, kernel);
    return true;
}

bool fh_dap_stop_instruction(struct fh_dap *dap, struct fh_dap_stop *stop, const char *reference,
                             json_int_t offset) {
    struct fh_dap_code code;
    if (!fh_dap_code_of(dap, reference, offset, &code))
        return fail(stop, "no instruction is at %.100s", reference);
    stop->wanted.kind = FH_BREAK_PC;
    stop->wanted.pc = code.pc;
    stop->wanted.kernel = keep(stop, 2, code.info.name);
    return true;
}

/* ---------------------------------------------------------------- data */

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text_of(const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    return text;
}

char *fh_dap_data_register(const uint32_t block[3], uint32_t warp, fhec_register_file file,
                           uint32_t reg) {
    return text_of("register %u %u block %u %u %u warp %u", (unsigned)file, reg, block[0], block[1],
                   block[2], warp);
}

char *fh_dap_data_memory(fhec_space space, const fhec_thread *thread, uint64_t address,
                         uint64_t bytes) {
    static const fhec_thread nobody;
    if (!thread)
        thread = &nobody;
    return text_of("memory %u 0x%" PRIx64 " %" PRIu64 " block %u %u %u warp %u lane %u",
                   (unsigned)space, address, bytes, thread->block[0], thread->block[1],
                   thread->block[2], thread->warp, thread->lane);
}

static bool read_register(struct fh_breakpoint *wanted, const char *id) {
    unsigned file;
    fhec_scope *scope = &wanted->scope;
    int end = 0;
    if (sscanf(id,
               "register %u %" SCNu32 " block %" SCNu32 " %" SCNu32 " %" SCNu32 " warp %" SCNu32
               "%n",
               &file, &wanted->reg, &scope->block[0], &scope->block[1], &scope->block[2],
               &scope->warp, &end) != 6 ||
        id[end] || file > FHEC_FILE_B)
        return false;
    wanted->kind = FH_WATCH_REGISTER;
    wanted->file_of = (fhec_register_file)file;
    scope->one_block = scope->one_warp = true;
    return true;
}

static bool read_memory(struct fh_breakpoint *wanted, const char *id) {
    unsigned space;
    uint32_t lane;
    fhec_scope *scope = &wanted->scope;
    int end = 0;
    if (sscanf(id,
               "memory %u %" SCNx64 " %" SCNu64 " block %" SCNu32 " %" SCNu32 " %" SCNu32
               " warp %" SCNu32 " lane %" SCNu32 "%n",
               &space, &wanted->address, &wanted->bytes, &scope->block[0], &scope->block[1],
               &scope->block[2], &scope->warp, &lane, &end) != 8 ||
        id[end] || space > FHEC_SPACE_LOCAL || lane >= FHEC_WARP_LANES)
        return false;
    wanted->kind = FH_WATCH_MEMORY;
    wanted->space = (fhec_space)space;
    scope->one_block = wanted->space != FHEC_SPACE_GLOBAL;
    scope->one_warp = wanted->space == FHEC_SPACE_LOCAL;
    scope->lanes = scope->one_warp ? UINT32_C(1) << lane : 0;
    return true;
}

bool fh_dap_stop_data(struct fh_dap *dap, struct fh_dap_stop *stop, const char *id,
                      const char *access) {
    (void)dap;
    if (!read_register(&stop->wanted, id) && !read_memory(&stop->wanted, id))
        return fail(stop, "no data id: \"%.100s\"", id);
    if (access && strcmp(access, "read") != 0 && strcmp(access, "write") != 0 &&
        strcmp(access, "readWrite") != 0)
        return fail(stop, "no kind of access: \"%.100s\"", access);
    stop->wanted.access = FHEC_ACCESS_CHANGE;
    if (access && *access == 'r')
        stop->wanted.access = access[4] ? FHEC_ACCESS_READ | FHEC_ACCESS_WRITE : FHEC_ACCESS_READ;
    return true;
}
