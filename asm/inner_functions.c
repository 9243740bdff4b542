/* inner_functions.c - see inner_functions.h. */
#include "inner_functions.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"

#include <stdlib.h>
#include <string.h>

static struct fh_entry *find(struct fh_open_code *code, const struct fh_value *name) {
    for (size_t i = 0; i < code->entry_count; i++)
        if (strlen(code->entries[i].name) == name->length &&
            memcmp(code->entries[i].name, name->text, name->length) == 0)
            return &code->entries[i];
    return NULL;
}

static struct fh_entry *find_or_report(struct fh_asm *a, const struct fh_value *name) {
    struct fh_entry *entry = find(&a->code, name);
    if (entry)
        return entry;
    const char *text = fh_text_of(a, name->text, name->length);
    fh_note(a, fh_text(a, "a function within the code needs `.type %s, @function` before", text));
    fh_report(a, FH_D_NO_NAME, name->at, text, NULL, NULL);
    return NULL;
}

void fh_inner_function_size(struct fh_asm *a, const struct fh_value *name, uint32_t bytes) {
    struct fh_entry *entry = find_or_report(a, name);
    if (entry)
        entry->word_count = bytes / FH_INST_BYTES;
}

/* .frame: its stack. */
void fh_act_frame(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    uint32_t size;
    if (!fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) ||
        !fh_size(a, &name[1], "the size", 0, FH_MAX_LOCAL, false, &size))
        return;
    struct fh_entry *entry = find_or_report(a, name);
    if (entry)
        entry->local_bytes = size;
}

/* .type NAME, @function. What is data needs no type. */
void fh_act_type(struct fh_asm *a) {
    static const char function[] = "@function";
    const char *text = a->st.raw.text;
    struct fh_value name = {.kind = FH_V_DEFINES, .text = text, .at = a->st.raw.at};
    size_t kind = sizeof function - 1, total = a->st.raw.length;
    while (name.length < total && !strchr(", \t", text[name.length]))
        name.length++;
    name.at.end = name.at.begin + name.length;
    bool is_function = total > kind && memcmp(text + total - kind, function, kind) == 0;
    struct fh_open_code *code = &a->code;
    if (!fh_usage(a, name.length > 0 && total > name.length) || !is_function)
        return;
    if (!code->open) {
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, ".type NAME, @function", NULL, NULL);
        return;
    }
    if (find(code, &name)) {
        fh_report(a, FH_D_TWO_NAMES, name.at, fh_text_of(a, name.text, name.length), NULL, NULL);
        return;
    }
    if (!fh_asm_grow(a, &code->entries, &code->entry_capacity, code->entry_count + 1,
                     sizeof *code->entries))
        return;
    char *copy = fh_copy_text(a, name.text, name.length);
    if (copy)
        code->entries[code->entry_count++] = (struct fh_entry){.name = copy};
}
