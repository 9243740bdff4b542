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
static bool file_of(uint8_t kind, uint8_t *file) {
    switch (kind) {
    case FH_K_REG: *file = FHEC_FILE_R; return true;
    case FH_K_UREG: *file = FHEC_FILE_UR; return true;
    case FH_K_PRED: *file = FHEC_FILE_P; return true;
    case FH_K_UPRED: *file = FHEC_FILE_UP; return true;
    default: return false;
    }
}

static bool meaning_of(const struct fh_symbol *s, struct fh_meaning *m) {
    *m = (struct fh_meaning){.kind = FHEC_NAME_NUMBER, .value = s->value, .large = s->large};
    if (s->kind == FH_S_LABEL)
        m->kind = FHEC_NAME_LABEL;
    if (s->kind != FH_S_REGISTERS)
        return true;
    m->kind = FHEC_NAME_REGISTERS;
    m->first = s->first;
    m->count = (uint16_t)s->count;
    return file_of(s->reg_kind, &m->file);
}

void fh_name_list_add(struct fh_asm *a, struct fh_symbol *s) {
    struct fhec_program *p = a->program;
    struct fh_meaning m;
    if (a->single || !meaning_of(s, &m) || (!s->listed && !list_name(a, s)))
        return;
    m.name = s->listed - 1;
    m.word = (uint32_t)a->code.word_count;
    m.own = s->kind != FH_S_NUMBER && a->code.open;
    struct fh_meaning *last = p->meaning_count ? &p->meanings[p->meaning_count - 1] : NULL;
    if (!last || last->name != m.name || last->word != m.word)
        last = add(a); /* else it is set again before there is an instruction */
    if (last)
        *last = m;
}
