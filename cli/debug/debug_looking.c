/*
 * debug_looking.c - commands that show where things are: lists, the focus, the source.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_findings.h"
#include "debug_location.h"
#include "debug_names.h"
#include "macro_arguments.h"

/* ---------------------------------------------------------------- lists */

static fhec_status show_launches(struct fh_cli_console *c) {
    fhec_launch launch;
    fhec_kernel_info info;
    const struct fh_debug_time time = fh_debugger_time(c->debugger);
    for (size_t i = 0; fh_debugger_launch(c->debugger, i, &launch, &info); i++)
        fprintf(c->out, "%c %3zu  %-24s grid %u,%u,%u block %u,%u,%u\n",
                i == time.launch ? '>' : ' ', i + 1, info.name, launch.grid[0], launch.grid[1],
                launch.grid[2], launch.block[0], launch.block[1], launch.block[2]);
    return FHEC_OK;
}

static fhec_session *session_of(const struct fh_cli_console *c) {
    fhec_session *session = fh_debugger_session(c->debugger);
    if (!session)
        (void)fh_cli_console_error(c, "no launch is under way");
    return session;
}

static fhec_status show_blocks(struct fh_cli_console *c) {
    const fhec_session *session = session_of(c);
    fhec_block_info info;
    if (!session)
        return FHEC_BAD_INPUT;
    for (size_t i = 0; i < fhec_session_block_count(session); i++)
        if (fhec_session_block(session, i, &info) == FHEC_OK)
            fprintf(c->out, "b(%u,%u,%u)  %u warps, %u lanes have not ended, %u bytes shared\n",
                    info.id[0], info.id[1], info.id[2], info.warps, info.live, info.shared_bytes);
    return FHEC_OK;
}

static void show_wait(const struct fh_cli_console *c, const fhec_group *g) {
    static const char *const waits[] = {"", "waits at BSYNC B", "waits at WARPSYNC",
                                        "waits at barrier "};
    if (g->wait == FHEC_WAIT_NOTHING)
        return;
    fprintf(c->out, "  %s", waits[g->wait]);
    if (g->wait != FHEC_WAIT_MASK)
        fprintf(c->out, "%u", g->number);
    if (g->wait == FHEC_WAIT_BARRIER)
        fprintf(c->out, " for %u lanes", g->awaited);
    else
        fprintf(c->out, " for lanes 0x%08x", g->awaited);
}

static void show_group(const struct fh_cli_console *c, const fhec_session *session,
                       const char *name, const fhec_group *g, bool next) {
    fhec_instruction instruction;
    const fhec_location at = fhec_session_location(session, g->pc);
    if (fhec_session_instruction(session, g->pc, &instruction) != FHEC_OK)
        *instruction.text = '\0';
    fprintf(c->out, "%c %-16s 0x%08x  0x%04" PRIx64, next ? '>' : ' ', name, g->lanes, g->pc);
    if (at.file)
        fprintf(c->out, "  %s:%u", at.file, at.line);
    fprintf(c->out, "  %s", instruction.text);
    show_wait(c, g);
    fputc('\n', c->out);
}

static fhec_status show_warps(struct fh_cli_console *c) {
    const fhec_session *session = session_of(c);
    fhec_block_info block;
    fhec_warp_info warp;
    uint32_t next[3], next_warp = 0;
    uint64_t pc;
    if (!session)
        return FHEC_BAD_INPUT;
    const bool known = fhec_session_next(session, next, &next_warp, &pc);
    for (size_t i = 0; i < fhec_session_block_count(session); i++) {
        if (fhec_session_block(session, i, &block) != FHEC_OK)
            continue;
        for (uint32_t w = 0; w < block.warps; w++) {
            char name[80];
            if (fhec_session_warp(session, block.id, w, &warp) != FHEC_OK)
                continue;
            (void)snprintf(name, sizeof name, "b(%u,%u,%u) w%u", block.id[0], block.id[1],
                           block.id[2], w);
            if (!warp.group_count)
                fprintf(c->out, "  %-16s has ended\n", name);
            for (uint32_t g = 0; g < warp.group_count; g++)
                show_group(c, session, g ? "" : name, &warp.groups[g],
                           known && !g && w == next_warp && !memcmp(next, block.id, sizeof next));
        }
    }
    return FHEC_OK;
}

static fhec_status show_barriers(struct fh_cli_console *c) {
    const fhec_session *session = session_of(c);
    fhec_block_info block;
    if (!session)
        return FHEC_BAD_INPUT;
    for (size_t i = 0; i < fhec_session_block_count(session); i++) {
        if (fhec_session_block(session, i, &block) != FHEC_OK)
            continue;
        for (uint32_t n = 0; n < 16; n++) {
            uint32_t arrived, count;
            if (fhec_session_read_barrier(session, block.id, n, &arrived, &count) != FHEC_OK ||
                !arrived)
                continue;
            fprintf(c->out, "b(%u,%u,%u)  barrier %u: %u lanes have arrived", block.id[0],
                    block.id[1], block.id[2], n, arrived);
            if (count)
                fprintf(c->out, " of %u\n", count);
            else
                fprintf(c->out, ", for all that have not ended\n");
        }
    }
    return FHEC_OK;
}

static fhec_status show_allocations(struct fh_cli_console *c) {
    struct fh_debug_buffer b;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &b); i++)
        fprintf(c->out, "0x%010" PRIx64 "  %10" PRIu64 " bytes  %s%s%s\n", b.address, b.bytes,
                b.name, b.flags & FHEC_MEM_READ_ONLY ? ", read-only" : "",
                b.released ? ", released" : "");
    return FHEC_OK;
}

static fhec_status show_breakpoints(struct fh_cli_console *c) {
    const struct fh_breakpoint *b;
    for (size_t i = 0; (b = fh_debugger_breakpoint(c->debugger, i)) != NULL; i++) {
        fprintf(c->out, "%3u  %s%s%s", b->number, b->shown ? b->shown : "",
                b->condition ? " if " : "", b->condition ? b->condition : "");
        fprintf(c->out, ", %" PRIu64 " hits%s", b->hits, b->disabled ? ", disabled" : "");
        if (b->ignore)
            fprintf(c->out, ", the next %" PRIu64 " are ignored", b->ignore);
        fputc('\n', c->out);
    }
    return FHEC_OK;
}

static fhec_status show_findings(struct fh_cli_console *c) {
    const struct fh_cli_debug_user *user = fh_debugger_user(c->debugger);
    if (!user->checks.on)
        return fh_cli_console_error(c, "no checkers are on: `check` switches them on");
    fh_cli_debug_tell_findings(c);
    return FHEC_OK;
}

static fhec_status show_patches(struct fh_cli_console *c) {
    char nothing[1] = "";
    return fh_cli_debug_patches(c, nothing);
}

/* What the macros and repetitions that made the instruction were given, innermost first. */
static fhec_status show_macros(struct fh_cli_console *c) {
    struct fh_query_names names;
    fhec_launch launch;
    struct fh_macro_local local;
    char last[sizeof local.of + 300] = "", of[sizeof last];
    const struct fh_query_place place =
        fh_cli_debug_place(c->debugger, fh_debugger_focus(c->debugger), &launch, &names);
    for (size_t i = 0; fh_macro_local(c->debugger, &place, i, &local); i++) {
        (void)snprintf(of, sizeof of, "%s, %s:%u", local.of, local.at.file, local.at.line);
        if (strcmp(of, last) != 0)
            fprintf(c->out, "%s\n", of);
        fprintf(c->out, "  %s = %s\n", local.name, local.value);
        memcpy(last, of, sizeof last);
    }
    return FHEC_OK;
}

fhec_status fh_cli_debug_info(struct fh_cli_console *c, char *text) {
    static const struct {
        const char *name;
        fhec_status (*show)(struct fh_cli_console *console);
    } lists[] = {{"launches", show_launches},
                 {"blocks", show_blocks},
                 {"warps", show_warps},
                 {"barriers", show_barriers},
                 {"allocations", show_allocations},
                 {"breakpoints", show_breakpoints},
                 {"findings", show_findings},
                 {"patches", show_patches},
                 {"macros", show_macros}};
    const size_t length = strlen(text);
    for (size_t i = 0; length && i < sizeof lists / sizeof *lists; i++)
        if (!strncmp(lists[i].name, text, length))
            return lists[i].show(c);
    return fh_cli_console_error(
        c, "about what? launches, blocks, warps, barriers, allocations, breakpoints, findings, "
           "patches or macros");
}

/* ---------------------------------------------------------------- focus */

fhec_status fh_cli_debug_where(struct fh_cli_console *c, char *text) {
    if (*text)
        return fh_cli_console_error(c, "`where` takes no arguments");
    fh_cli_console_place(c);
    return FHEC_OK;
}

/* "launch N" is a place, not part of what is looked at there. */
static fhec_status focus_launch(struct fh_cli_console *c, const char *word) {
    uint64_t launch;
    struct fh_debug_stop stop;
    if (!fh_cli_debug_number(word, &launch) || !launch ||
        launch > fh_debugger_launch_count(c->debugger))
        return fh_cli_console_error(c, "there are %zu launches",
                                    fh_debugger_launch_count(c->debugger));
    const struct fh_move move = {.kind = FH_MOVE_GOTO, .to = {(size_t)launch - 1, 0}};
    const fhec_status status = fh_debugger_move(c->debugger, &move, &stop);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fh_cli_console_stopped(c, &stop);
    return FHEC_OK;
}

fhec_status fh_cli_debug_focus(struct fh_cli_console *c, char *text) {
    struct fh_focus focus = *fh_debugger_focus(c->debugger);
    if (!strncmp(text, "launch ", 7))
        return focus_launch(c, text + 7);
    if (*text && strcmp(text, "*") != 0) /* what is named is one again */
        focus.all_lanes = focus.all_warps = focus.all_blocks = false;
    fhec_status status = fh_cli_debug_read_focus(c, text, &focus);
    if (status == FHEC_OK)
        status = fh_cli_console_failed(c, fh_debugger_set_focus(c->debugger, &focus));
    if (status == FHEC_OK)
        fh_cli_console_place(c);
    return status;
}

/* ---------------------------------------------------------------- the source */

enum { AROUND = 5 }; /* lines of source before and behind */

fhec_status fh_cli_debug_list(struct fh_cli_console *c, char *text) {
    fhec_session *session = session_of(c);
    uint64_t pc, wanted;
    size_t length;
    if (!session)
        return FHEC_BAD_INPUT;
    if (!fh_debugger_pc(c->debugger, &pc))
        return fh_cli_console_error(c, "the focus is on no lane that runs");
    const fhec_location at = fhec_session_location(session, pc);
    const char *source = fh_debugger_source(c->debugger, at.file, &length);
    if (!source)
        return fh_cli_console_error(c, "the source is not known");
    wanted = at.line;
    if (*text && !fh_cli_debug_number(text, &wanted))
        return fh_cli_console_error(c, "\"%s\" is no line", text);
    uint64_t number = 1;
    for (const char *line = source; *line; number++) {
        const size_t columns = strcspn(line, "\n");
        if (number + AROUND >= wanted && number <= wanted + AROUND)
            fprintf(c->out, "%c%5" PRIu64 "  %.*s\n", number == at.line ? '>' : ' ', number,
                    (int)columns, line);
        line += columns + (line[columns] != '\0');
    }
    return FHEC_OK;
}
