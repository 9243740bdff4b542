/*
 * debug_commands.c - the table of commands, which help, completion and the manual are made of.
 */
#include "debug_commands.h"

#include <string.h>

#include "golden_table.h"

static fhec_status quit(struct fh_cli_console *c, char *text) {
    if (*text)
        return fh_cli_console_error(c, "`quit` takes no arguments");
    c->quit = true;
    return FHEC_OK;
}

static fhec_status echo(struct fh_cli_console *c, char *text) {
    fprintf(c->out, "%s\n", text);
    return FHEC_OK;
}

static fhec_status help(struct fh_cli_console *c, char *text);

#define COMMAND(name, alias, usage, text, group, repeats, run)                                     \
    { name, alias, usage, text, FH_DEBUG_##group, repeats, run }
const struct fh_cli_debug_command fh_cli_debug_commands[] = {
    COMMAND("step", "s", "[N]", "issue an instruction of the focus' lanes", MOVING, true,
            fh_cli_debug_step),
    COMMAND("next", "n", "[N]", "the same, over calls and macros", MOVING, true, fh_cli_debug_next),
    COMMAND("finish", NULL, "", "out of the function, the macro, or to the end of the warp", MOVING,
            true, fh_cli_debug_finish),
    COMMAND("until", NULL, "LOCATION", "to a place, in the focus' warp", MOVING, false,
            fh_cli_debug_until),
    COMMAND("run-to", NULL, "LOCATION", "to a place, in any warp", MOVING, false,
            fh_cli_debug_run_to),
    COMMAND("continue", "c", "[N]", "to the next stop", MOVING, true, fh_cli_debug_continue),
    COMMAND("count", NULL, "[N]", "so many instructions of any warp", MOVING, true,
            fh_cli_debug_count),
    COMMAND("reverse-step", "rs", "[N]", "take back an instruction of the focus' lanes", MOVING,
            true, fh_cli_debug_reverse_step),
    COMMAND("reverse-next", "rn", "[N]", "the same, over calls and macros", MOVING, true,
            fh_cli_debug_reverse_next),
    COMMAND("reverse-finish", NULL, "", "back to the call of the function", MOVING, true,
            fh_cli_debug_reverse_finish),
    COMMAND("reverse-continue", "rc", "[N]", "back to the last stop, or the beginning", MOVING,
            true, fh_cli_debug_reverse_continue),
    COMMAND("reverse-count", NULL, "[N]", "take back so many instructions of any warp", MOVING,
            true, fh_cli_debug_reverse_count),
    COMMAND("goto", NULL, "[LAUNCH:]COUNT|begin|end",
            "to where a launch has issued so many instructions", MOVING, false, fh_cli_debug_goto),
    COMMAND("run", NULL, "", "from the beginning to the first stop, with all changes", MOVING,
            false, fh_cli_debug_run_again),
    COMMAND("restart", NULL, "", "back to the beginning of the launch", MOVING, false,
            fh_cli_debug_restart),
    COMMAND("last", NULL, "write|change|use|origin TARGET",
            "back to before what wrote or used it last", MOVING, true, fh_cli_debug_last),
    COMMAND("first", NULL, "write|change|use|origin TARGET",
            "on to behind what writes or uses it next", MOVING, true, fh_cli_debug_first),
    COMMAND("break", "b", "LOCATION [in FOCUS] [if CONDITION]", "stop before an instruction", STOPS,
            false, fh_cli_debug_break),
    COMMAND("tbreak", "tb", "LOCATION [in FOCUS] [if CONDITION]", "the same, once", STOPS, false,
            fh_cli_debug_tbreak),
    COMMAND("watch", NULL, "[read|write|change|access|origin] TARGET [in FOCUS] [if CONDITION]",
            "stop behind an access, or when a register's value comes from elsewhere", STOPS, false,
            fh_cli_debug_watch),
    COMMAND("catch", NULL, "fault|finding|barrier|warp|block",
            "stop at faults, findings of --check, releases of barriers, ends of warps or blocks",
            STOPS, false, fh_cli_debug_catch),
    COMMAND("delete", "d", "[NUMBER...]", "forget stops", STOPS, false, fh_cli_debug_delete),
    COMMAND("enable", NULL, "[NUMBER...]", "stops that were disabled count again", STOPS, false,
            fh_cli_debug_enable),
    COMMAND("disable", NULL, "[NUMBER...]", "stops do not count", STOPS, false,
            fh_cli_debug_disable),
    COMMAND("ignore", NULL, "NUMBER HITS", "the next hits do not stop", STOPS, false,
            fh_cli_debug_ignore),
    COMMAND("condition", NULL, "NUMBER [CONDITION]", "stop only if it holds", STOPS, false,
            fh_cli_debug_condition),
    COMMAND("commands", NULL, "NUMBER [COMMAND; ...]",
            "what to do at a stop: here, or in the lines up to `end`", STOPS, false,
            fh_cli_debug_commands_of),
    COMMAND("save", NULL, "FILE", "write the stops and patches to a file, as commands", STOPS,
            false, fh_cli_debug_save),
    COMMAND("source", NULL, "FILE", "run the commands of a file", OTHER, false,
            fh_cli_debug_source),
    COMMAND("focus", "f", "[b(X,Y,Z)] [wN] [lN] | * | launch N", "what commands are about", LOOKING,
            false, fh_cli_debug_focus),
    COMMAND("where", "w", "", "where the focus is", LOOKING, false, fh_cli_debug_where),
    COMMAND("list", "l", "[LINE]", "the source around the focus", LOOKING, false,
            fh_cli_debug_list),
    COMMAND("info", "i",
            "launches|blocks|warps|barriers|allocations|breakpoints|findings|patches|macros",
            "a list of them; of the macros that the focus is in, what they were given", LOOKING,
            false, fh_cli_debug_info),
    COMMAND("print", "p", "[/FORMAT] EXPRESSION [FOCUS]", "its value, in the focus' lanes", LOOKING,
            false, fh_cli_debug_print),
    COMMAND("x", NULL, "[/FORMAT] BUFFER|ADDRESS[, COUNT]", "memory as a table", LOOKING, false,
            fh_cli_debug_examine),
    COMMAND("registers", NULL, "[/FORMAT] [pairs] [R8 R10-R15 ...]",
            "lanes across, those of the instruction; what has changed since is marked", LOOKING,
            false, fh_cli_debug_registers),
    COMMAND("masks", NULL, "[/FORMAT]", "predicates and uniform registers", LOOKING, false,
            fh_cli_debug_masks),
    COMMAND("fragments", NULL, "[/FORMAT|/origin|/lane] [/check] [OPERAND]",
            "the matrices of the instruction: values, where they came from, or which lane has them",
            LOOKING, false, fh_cli_debug_fragments),
    COMMAND("origins", NULL, "[REGISTER|R8-R11|BUFFER|BUFFER[I] ...] [FOCUS]",
            "where the operands' values came from, or registers', or which register has an element",
            LOOKING, false, fh_cli_debug_origins),
    COMMAND("banks", NULL, "[/FORMAT] [WORD [COUNT]]", "shared memory by banks", LOOKING, false,
            fh_cli_debug_banks),
    COMMAND("calls", "bt", "", "the functions that the lane is in", LOOKING, false,
            fh_cli_debug_calls),
    COMMAND("why", NULL, "TARGET [DEPTH]", "what a register or an element of a buffer was made of",
            LOOKING, false, fh_cli_debug_why),
    COMMAND("compare", NULL, "", "on to the first launch that does other than golden does", LOOKING,
            false, fh_cli_debug_compare),
    COMMAND("check", NULL, "[LIST]",
            "switch checkers on: init, race, sync, async, bounds, operands, fragments", LOOKING,
            false, fh_cli_debug_check),
    COMMAND("profile", NULL, "[LAUNCH]",
            "how often instructions of the launch are issued, sectors, conflicts, divergence",
            LOOKING, false, fh_cli_debug_profile),
    COMMAND("set", NULL, "TARGET [FOCUS] = EXPRESSION | BUFFER from FILE",
            "change a register, memory or a parameter", CHANGING, false, fh_cli_debug_set),
    COMMAND("asm", NULL, "INSTRUCTION", "the lanes of the focus execute it, where they stand",
            CHANGING, false, fh_cli_debug_asm),
    COMMAND("patch", NULL, "[KERNEL+PC|pc ADDRESS|LINE] INSTRUCTION [launch N] | undo [N]",
            "another instruction in the kernel, from here on or in one launch", CHANGING, false,
            fh_cli_debug_patch),
    COMMAND("echo", NULL, "TEXT", "print it", OTHER, false, echo),
    COMMAND("help", "h", "[COMMAND]", "what there is, or what it does", OTHER, false, help),
    COMMAND("quit", "q", "", "end the debugger", OTHER, false, quit),
    {0},
};

static fhec_status help_one(struct fh_cli_console *c, const char *name) {
    for (const struct fh_cli_debug_command *k = c->commands; k->name; k++) {
        if (strcmp(k->name, name) != 0 && (!k->alias || strcmp(k->alias, name) != 0))
            continue;
        fprintf(c->out, "%s%s%s\n    %s\n", k->name, *k->usage ? " " : "", k->usage, k->help);
        if (k->alias)
            fprintf(c->out, "    short: %s\n", k->alias);
        if (strstr(k->usage, "LOCATION"))
            fprintf(c->out, "LOCATION: LINE, FILE:LINE, pc ADDRESS, label NAME, kernel NAME, "
                            "launch N, op MNEMONIC,\n    class NAME; a name alone is a label's or "
                            "a kernel's\n");
        if (strstr(k->usage, "FORMAT"))
            fprintf(c->out, "FORMAT: hex, signed, unsigned, binary, float, halves, centred:Q (or "
                            "mod:Q), address\n");
        if (strstr(k->usage, "EXPRESSION") || strstr(k->usage, "CONDITION"))
            fprintf(c->out,
                    "EXPRESSION: R4, R4:R5, P0, UR6, R4@13, R4@* (all lanes), x[3][5], x[2:7], "
                    "&x[3], param.n,\n    shared[R6], global.u64[R2:R3], c[0x0][0x160], lane, "
                    "warp, names of .equ, .reg\n    (acc[2], acc[0:3]), .shared and labels, "
                    "\\x and x in a macro, s32(R4), f32(R4), f16x2(R4),\n    [17, 97], "
                    "golden.ntt(x, q)[17] (`help golden`); operators as in C, and `R4 * R5 mod "
                    "q`\n");
        if (strstr(k->usage, "TARGET"))
            fprintf(c->out, "TARGET: a register (R12, P0, UR4), BUFFER[I] or BUFFER[I..J] "
                            "(:u64, :u16, :u8 for other than\n    words), or "
                            "global|shared|local|constant ADDRESS BYTES\n");
        return FHEC_OK;
    }
    return fh_cli_console_error(c, "no command is called \"%s\"", name);
}

static fhec_status help_golden(struct fh_cli_console *c) {
    fprintf(c->out,
            "golden.NAME(...), references: arrays, limb after limb; q is a modulus or a list "
            "of them, [q0, q1]\n");
    fh_cli_golden_help(c->out);
    return FHEC_OK;
}

static fhec_status help(struct fh_cli_console *c, char *text) {
    static const char *const groups[] = {"Moving", "Stops", "Looking", "Changing", "Others"};
    if (strcmp(text, "golden") == 0)
        return help_golden(c);
    if (*text)
        return help_one(c, text);
    for (unsigned g = 0; g < sizeof groups / sizeof *groups; g++) {
        fprintf(c->out, "%s:\n", groups[g]);
        for (const struct fh_cli_debug_command *k = c->commands; k->name; k++)
            if ((unsigned)k->group == g)
                fprintf(c->out, "  %-17s %-5s %s\n", k->name, k->alias ? k->alias : "", k->help);
    }
    return FHEC_OK;
}

void fh_cli_console_open(struct fh_cli_console *console, struct fh_cli *cli,
                         struct fh_debugger *debugger, FILE *out, FILE *errors) {
    *console = (struct fh_cli_console){.cli = cli,
                                       .commands = fh_cli_debug_commands,
                                       .debugger = debugger,
                                       .out = out,
                                       .errors = errors};
}
