/*
 * time_machine.c - what follows from a machine's description.
 */
#include "time_machine.h"

#include <string.h>

/* Length of the rule's mnemonic if it is that of `mnemonic`, or its beginning up to a dot. */
static size_t fits(const struct fh_time_rule *rule, const char *mnemonic) {
    const size_t length = strlen(rule->name);
    const bool same = !rule->pipe && strncmp(rule->name, mnemonic, length) == 0;
    return same && (!mnemonic[length] || mnemonic[length] == '.') ? length : 0;
}

const struct fh_time_rule *fh_time_rule_of(const struct fh_time_machine *machine,
                                           const char *mnemonic, const char *pipe) {
    const struct fh_time_rule *best = NULL;
    size_t most = 0;
    for (uint32_t i = 0; i < machine->rule_count; i++) {
        const struct fh_time_rule *rule = &machine->rules[i];
        const size_t length = fits(rule, mnemonic);
        if (length > most) {
            best = rule;
            most = length;
        } else if (!best && rule->pipe && strcmp(rule->name, pipe) == 0) {
            best = rule;
        }
    }
    return best;
}
