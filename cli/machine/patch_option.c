/*
 * patch_option.c - see patch_option.h.
 */
#include "patch_option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fhec_patch.h"
#include "message.h"
#include "options.h"

static void trim(char *text) {
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = '\0';
}

uint64_t fh_cli_patch_launch(char *text) {
    static const char key[] = " launch ";
    char *at = NULL, *next = text;
    uint64_t launch = 0;
    trim(text);
    while ((next = strstr(next, key)) != NULL)
        at = next++;
    if (!at || !fh_cli_number(at + strlen(key), &launch) || !launch)
        return 0;
    *at = '\0';
    trim(text);
    return launch;
}

bool fh_cli_patch_place(const char *word, struct fh_cli_patch *patch) {
    const char *plus = strchr(word, '+');
    const size_t length = plus ? (size_t)(plus - word) : 0;
    if (!length || length >= sizeof patch->kernel || !isdigit((unsigned char)plus[1]) ||
        !fh_cli_number(plus + 1, &patch->pc))
        return false;
    memcpy(patch->kernel, word, length);
    patch->kernel[length] = '\0';
    return true;
}

bool fh_cli_patch_word(const char *text, fhec_word *word) {
    static const char key[] = ".inst ";
    char low[24], high[24];
    if (strncmp(text, key, strlen(key)) != 0 ||
        sscanf(text + strlen(key), " %23[0-9a-fA-Fx] , %23[0-9a-fA-Fx]", low, high) != 2)
        return false;
    return fh_cli_number(low, &word->lo) && fh_cli_number(high, &word->hi);
}

/* ---------------------------------------------------------------- the option */

static void say(void *user, const fhec_diagnostic *d) {
    argp_error(user, "--patch: %s", d->message);
}

void fh_cli_patch_option(const struct argp_state *state, const char *arg,
                         struct fh_cli_patches *patches) {
    struct fh_cli_patch p = {.launch = 0};
    const size_t place = strcspn(arg, " \t");
    char where[sizeof p.kernel + 24];
    if (patches->count == FH_CLI_PATCHES)
        argp_error(state, "--patch: more than %d", FH_CLI_PATCHES);
    (void)snprintf(where, sizeof where, "%.*s", (int)place, arg);
    (void)snprintf(p.instruction, sizeof p.instruction, "%s",
                   arg + place + strspn(arg + place, " \t"));
    p.launch = fh_cli_patch_launch(p.instruction);
    if (!fh_cli_patch_place(where, &p) || !*p.instruction ||
        strlen(arg + place) >= sizeof p.instruction)
        argp_error(state, "--patch: \"%s\" is not KERNEL+PC INSTRUCTION [launch N]", arg);
    else if (!fh_cli_patch_word(p.instruction, &p.word) &&
             fhec_assemble_word(p.instruction, p.pc, say, (void *)state, &p.word) != FHEC_OK)
        argp_error(state, "--patch: \"%s\" is no instruction", p.instruction);
    patches->list[patches->count++] = p;
}

fhec_status fh_cli_patches_apply(const struct fh_cli *cli, const struct fh_cli_patches *patches,
                                 fhec_machine *machine) {
    for (size_t i = 0; i < patches->count; i++) {
        const struct fh_cli_patch *p = &patches->list[i];
        const fhec_status status =
            fhec_machine_patch_launch(machine, p->launch, p->kernel, p->pc, p->word);
        if (status != FHEC_OK)
            return fh_cli_error(cli, status, "--patch: %s", fhec_machine_error(machine));
    }
    return FHEC_OK;
}

fhec_status fh_cli_patches_check(const struct fh_cli *cli, const struct fh_cli_patches *patches,
                                 const fhec_machine *machine) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < patches->count; i++) {
        const struct fh_cli_patch *p = &patches->list[i];
        if (fhec_machine_patch_uses(machine, i))
            continue;
        char only[40] = "";
        if (p->launch)
            (void)snprintf(only, sizeof only, " and number %llu", (unsigned long long)p->launch);
        status =
            fh_cli_error(cli, FHEC_BAD_INPUT,
                         "--patch: no launch is of a kernel %s with an instruction at 0x%llx%s",
                         p->kernel, (unsigned long long)p->pc, only);
    }
    return status;
}
