/* name_list.c - see name_list.h. */
#include "name_list.h"
#include "asm.h"
#include "asm_memory.h"
#include "names.h"
#include "open_code.h"

#include <stdlib.h>

static struct fh_meaning *add(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (!fh_asm_grow(a, &p->meanings, &a->meaning_capacity, p->meaning_count + 1,
                     sizeof *p->meanings))
        return NULL;
    return &p->meanings[p->meaning_count++];
}

void fh_name_list_begin(struct fh_asm *a) {
    struct fh_meaning *m = add(a);
    if (m)
        *m = (struct fh_meaning){
            .name = FH_NO_NAME, .word = fh_open_code_index(a), .function = a->code.function};
}

/* The index of the name, which is the same for all symbols that are called so. */
static bool list_name(struct fh_asm *a, struct fh_symbol *s) {
    struct fhec_program *p = a->program;
    struct fh_symbol *same = fh_table_find(&a->listed_names, s->name, s->length);
    if (!same) {
        same = fh_add_symbol(a, &a->listed_names, s->name, s->length);
        char *copy = same ? fh_copy_text(a, s->name, s->length) : NULL;
        if (!copy ||
            !fh_asm_grow(a, &p->names, &a->name_capacity, p->name_count + 1, sizeof *p->names)) {
            free(copy);
            return false;
        }
        p->names[p->name_count++] = copy;
        same->listed = p->name_count;
    }
    s->listed = same->listed;
    return true;
}

/* Files of registers that a debugger can read. */
static bool file_of(uint8_t kind, fhec_register_file *file) {
    switch (kind) {
    case FH_K_REG: *file = FHEC_FILE_R; return true;
    case FH_K_UREG: *file = FHEC_FILE_UR; return true;
    case FH_K_PRED: *file = FHEC_FILE_P; return true;
    case FH_K_UPRED: *file = FHEC_FILE_UP; return true;
    default: return false;
    }
}

static bool meaning_of(const struct fh_symbol *s, fhec_name *is) {
    *is = (fhec_name){.kind = FHEC_NAME_NUMBER, .value = s->value, .large = s->large};
    if (s->kind == FH_S_LABEL)
        *is = (fhec_name){.kind = FHEC_NAME_LABEL, .value = s->value};
    if (s->kind != FH_S_REGISTERS)
        return true;
    *is = (fhec_name){.kind = FHEC_NAME_REGISTERS,
                      .first = s->first,
                      .low = (uint32_t)s->value,
                      .count = s->count};
    return file_of(s->reg_kind, &is->file);
}

void fh_name_list_add(struct fh_asm *a, struct fh_symbol *s) {
    struct fhec_program *p = a->program;
    const uint32_t word = (uint32_t)a->code.word_count;
    fhec_name is;
    if (a->single || !meaning_of(s, &is) || (!s->listed && !list_name(a, s)))
        return;
    struct fh_meaning *last = p->meaning_count ? &p->meanings[p->meaning_count - 1] : NULL;
    if (!last || last->name != s->listed - 1 || last->word != word)
        last = add(a); /* else it is set again before there is an instruction */
    if (last)
        *last = (struct fh_meaning){.name = s->listed - 1,
                                    .word = word,
                                    .own = s->kind != FH_S_NUMBER && a->code.open,
                                    .is = is};
}
