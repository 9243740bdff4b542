/*
 * debug_patch.c - commands that run what a kernel does not say: `asm` and `patch`.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_assemble.h"
#include "debug_commands.h"
#include "debug_difference.h"
#include "debug_location.h"
#include "patch_option.h"

static void say_branched(const struct fh_cli_console *c, bool branched) {
    if (branched)
        fprintf(c->out, "what had been run behind here is forgotten: it would come out another\n");
}

/* What the text of an instruction was understood as, if it is written otherwise. */
static void say_meaning(const struct fh_cli_console *c, const char *text, fhec_word word,
                        uint64_t pc) {
    fhec_instruction instruction;
    if (fhec_instruction_get(word, pc, &instruction) == FHEC_OK &&
        strcmp(instruction.text, text) != 0)
        fprintf(c->out, "which is %s\n", instruction.text);
}

/* ---------------------------------------------------------------- asm */

/* What an instruction at fault says; nothing has changed. */
static fhec_status at_fault(const struct fh_cli_console *c) {
    const fhec_fault *fault = fhec_machine_fault(fh_debugger_machine(c->debugger));
    char text[2048] = "";
    if (fault)
        (void)fhec_format_fault(fault, text, sizeof text);
    for (size_t n = strlen(text); n && text[n - 1] == '\n'; n--)
        text[n - 1] = '\0';
    return fh_cli_console_error(c, "it changes nothing, since it faults:\n%s", text);
}

/* "INSTRUCTION" */
fhec_status fh_cli_debug_asm(struct fh_cli_console *c, char *text) {
    fhec_word word;
    fhec_snapshot *before = NULL;
    uint64_t pc;
    uint32_t lanes = 0;
    bool branched = false;
    if (!*text)
        return fh_cli_console_error(c, "which instruction? asm INSTRUCTION");
    if (!fh_debugger_pc(c->debugger, &pc))
        return fh_cli_console_error(c, "the focus is on no lane that runs");
    fhec_status status =
        fh_cli_debug_assemble(c, text, fh_debugger_time(c->debugger).launch, pc, &word);
    if (status != FHEC_OK)
        return status;
    fhec_machine *machine = fh_debugger_machine(c->debugger);
    if (fhec_snapshot_take(machine, &before) != FHEC_OK)
        return fh_cli_console_error(c, "no host memory for a snapshot");
    status = fh_debugger_execute(c->debugger, word, &lanes, &branched);
    if (status == FHEC_GUEST_FAULT) {
        status = at_fault(c);
    } else if (status != FHEC_OK) {
        status = fh_cli_console_failed(c, status);
    } else {
        say_meaning(c, text, word, pc);
        fprintf(c->out, "executed by lanes 0x%08x\n", lanes);
        fh_cli_debug_difference(c, before);
        say_branched(c, branched);
    }
    fhec_snapshot_free(before);
    return status;
}

/* ---------------------------------------------------------------- where a patch is */

/* Takes " from LAUNCH[:COUNT]" off the end. */
static bool take_from(char *text, struct fh_debug_time *from) {
    static const char key[] = " from ";
    char *at = NULL, *next = text;
    while ((next = strstr(next, key)) != NULL)
        at = next++;
    if (!at)
        return false;
    char number[40];
    uint64_t launch, count = 0;
    if (snprintf(number, sizeof number, "%s", at + strlen(key)) >= (int)sizeof number)
        return false;
    char *colon = strchr(number, ':');
    if (colon)
        *colon++ = '\0';
    if (!fh_cli_debug_number(number, &launch) || !launch ||
        (colon && !fh_cli_debug_number(colon, &count)))
        return false;
    *from = (struct fh_debug_time){(size_t)launch - 1, count};
    *at = '\0';
    return true;
}

/* The only instruction of a line in the launch's kernel. */
static fhec_status find_line(const struct fh_cli_console *c, size_t launch, const char *file,
                             uint64_t line, uint64_t *pc) {
    fhec_launch of;
    fhec_kernel_info info;
    unsigned count = 0;
    if (!fh_debugger_launch(c->debugger, launch, &of, &info))
        return fh_cli_console_error(c, "there are %zu launches",
                                    fh_debugger_launch_count(c->debugger));
    for (uint32_t i = 0; i < info.word_count; i++) {
        const fhec_location at = fhec_kernel_location(of.program, of.kernel, i);
        if (at.line != line || !at.file || (file && strcmp(at.file, file) != 0) || count++)
            continue;
        *pc = (uint64_t)i * sizeof(fhec_word);
    }
    if (!count)
        return fh_cli_console_error(c, "no instruction of kernel %s is of line %" PRIu64, info.name,
                                    line);
    return count == 1 ? FHEC_OK
                      : fh_cli_console_error(c,
                                             "%u instructions of kernel %s are of line %" PRIu64
                                             ", the first at 0x%" PRIx64 ": say which one by pc",
                                             count, info.name, line, *pc);
}

/* Whether the word is a line, "12" or "FILE:12", which is cut. */
static bool is_line(char *word, const char **file, uint64_t *line) {
    char *colon = strrchr(word, ':');
    if (!fh_cli_debug_number(colon ? colon + 1 : word, line))
        return false;
    *file = colon ? word : NULL;
    if (colon)
        *colon = '\0';
    return true;
}

/* "[KERNEL+PC | pc ADDRESS | [FILE:]LINE] INSTRUCTION": *text is the instruction then. `given`: the
 * launch whose kernel is meant. */
static fhec_status read_place(struct fh_cli_console *c, char **text, size_t given,
                              struct fh_cli_patch *p) {
    fhec_kernel_info info;
    const char *file;
    char first[240];
    uint64_t line;
    const size_t columns = strcspn(*text, " \t");
    (void)snprintf(first, sizeof first, "%.*s", (int)columns, *text);
    if (fh_cli_patch_place(first, p)) {
        (void)fh_cli_debug_word(text);
        return FHEC_OK;
    }
    if (!fh_debugger_launch(c->debugger, given, NULL, &info))
        return fh_cli_console_error(c, "there are %zu launches",
                                    fh_debugger_launch_count(c->debugger));
    (void)snprintf(p->kernel, sizeof p->kernel, "%s", info.name);
    if (!strcmp(first, "pc")) {
        (void)fh_cli_debug_word(text);
        const char *number = fh_cli_debug_word(text);
        return fh_cli_debug_number(number, &p->pc)
                   ? FHEC_OK
                   : fh_cli_console_error(c, "\"%s\" is no address", number);
    }
    if (is_line(first, &file, &line)) {
        (void)fh_cli_debug_word(text);
        return find_line(c, given, file, line, &p->pc);
    }
    return fh_debugger_pc(c->debugger, &p->pc)
               ? FHEC_OK
               : fh_cli_console_error(c, "the focus is on no lane that runs: at which place?");
}

/* A launch of the kernel, for its names: this one, or the next of it. */
static size_t launch_of(const struct fh_cli_console *c, const char *kernel, size_t launch) {
    const size_t count = fh_debugger_launch_count(c->debugger);
    fhec_kernel_info info;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (launch + i) % count;
        if (fh_debugger_launch(c->debugger, at, NULL, &info) && !strcmp(info.name, kernel))
            return at;
    }
    return launch;
}

/* ---------------------------------------------------------------- patch */

static void print_when(FILE *out, const struct fh_debug_patch *p) {
    if (p->only && !p->from.count)
        fprintf(out, "launch %zu", p->from.launch + 1);
    else
        fprintf(out, "from %zu:%" PRIu64, p->from.launch + 1, p->from.count);
}

/* As a command makes it again. */
static void print_patch(FILE *out, const struct fh_debug_patch *p) {
    fprintf(out, "%s+0x%" PRIx64 " %s ", p->kernel, p->pc, p->shown);
    print_when(out, p);
}

static fhec_status undo(struct fh_cli_console *c, const char *text) {
    const struct fh_debug_patch *p;
    const struct fh_debug_time before = fh_debugger_time(c->debugger);
    uint64_t number = 0;
    for (size_t i = 0; (p = fh_debugger_patch_get(c->debugger, i)) != NULL; i++)
        number = p->number > number ? p->number : number;
    if (!number)
        return fh_cli_console_error(c, "nothing is patched");
    if (*text && (!fh_cli_debug_number(text, &number) || number > UINT32_MAX))
        return fh_cli_console_error(c, "\"%s\" is no number of a patch", text);
    const fhec_status status = fh_debugger_unpatch(c->debugger, (unsigned)number);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    if (fh_debug_time_compare(before, fh_debugger_time(c->debugger)) != 0)
        fprintf(c->out, "back to where patch %" PRIu64 " began\n", number);
    fh_cli_console_place(c);
    return FHEC_OK;
}

fhec_status fh_cli_debug_patches(struct fh_cli_console *c, char *text) {
    const struct fh_debug_patch *p;
    if (*text)
        return fh_cli_console_error(c, "\"%s\" is too much", text);
    for (size_t i = 0; (p = fh_debugger_patch_get(c->debugger, i)) != NULL; i++) {
        fprintf(c->out, "%3u  ", p->number);
        print_patch(c->out, p);
        fputc('\n', c->out);
    }
    return FHEC_OK;
}

void fh_cli_debug_save_patches(const struct fh_cli_console *c, FILE *file) {
    const struct fh_debug_patch *p;
    for (size_t i = 0; (p = fh_debugger_patch_get(c->debugger, i)) != NULL; i++) {
        fprintf(file, "patch ");
        print_patch(file, p);
        fputc('\n', file);
    }
}

/* What stands there, by itself or patched before, in the launch where the patch begins. */
static void print_old(const struct fh_cli_console *c, const struct fh_debug_patch *p) {
    struct fh_debug_time from = p->from;
    fhec_kernel_info info;
    fhec_instruction old;
    if (fh_debugger_launch(c->debugger, from.launch, NULL, &info) && strcmp(info.name, p->kernel))
        from = (struct fh_debug_time){launch_of(c, p->kernel, from.launch), 0};
    const struct fh_debug_patch *patch = fh_debugger_patched(c->debugger, from, p->pc);
    const uint64_t index = p->pc / sizeof(fhec_word);
    if (fh_debugger_launch(c->debugger, from.launch, NULL, &info) && index < info.word_count &&
        fhec_instruction_get(patch ? patch->word : info.words[index], p->pc, &old) == FHEC_OK)
        fprintf(c->out, "in place of %s\n", old.text);
}

static fhec_status add(struct fh_cli_console *c, const struct fh_debug_patch *patch) {
    const struct fh_debug_time before = fh_debugger_time(c->debugger);
    unsigned number;
    bool branched = false;
    print_old(c, patch);
    const fhec_status status = fh_debugger_patch(c->debugger, patch, &number, &branched);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fprintf(c->out, "patch %u: ", number);
    for (size_t i = 0; fh_debugger_patch_get(c->debugger, i); i++)
        if (fh_debugger_patch_get(c->debugger, i)->number == number)
            print_patch(c->out, fh_debugger_patch_get(c->debugger, i));
    fputc('\n', c->out);
    say_meaning(c, patch->shown, patch->word, patch->pc);
    say_branched(c, branched);
    if (fh_debug_time_compare(before, fh_debugger_time(c->debugger)) != 0)
        fh_cli_console_place(c);
    return FHEC_OK;
}

/* "[PLACE] INSTRUCTION [launch N | from N[:COUNT]]", "undo [N]", or nothing for a list. */
fhec_status fh_cli_debug_patch(struct fh_cli_console *c, char *text) {
    struct fh_cli_patch p = {.launch = 0};
    struct fh_debug_time from = fh_debugger_time(c->debugger);
    if (!*text)
        return fh_cli_debug_patches(c, text);
    if (!strcmp(text, "undo") || !strncmp(text, "undo ", 5))
        return undo(c, text[4] ? text + 5 : "");
    const uint64_t only = fh_cli_patch_launch(text);
    const bool given = only || take_from(text, &from);
    if (only)
        from = (struct fh_debug_time){(size_t)only - 1, 0};
    fhec_status status = read_place(c, &text, from.launch, &p);
    if (status == FHEC_OK && !*text)
        status = fh_cli_console_error(c, "which instruction is to stand there?");
    if (status != FHEC_OK)
        return status;
    const size_t launch = given ? from.launch : launch_of(c, p.kernel, from.launch);
    status = fh_cli_debug_assemble(c, text, launch, p.pc, &p.word);
    const struct fh_debug_patch patch = {.kernel = p.kernel,
                                         .pc = p.pc,
                                         .word = p.word,
                                         .from = from,
                                         .only = only != 0,
                                         .shown = text};
    return status == FHEC_OK ? add(c, &patch) : status;
}
