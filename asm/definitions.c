/* definitions.c - see definitions.h. */
#include "definitions.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "name_list.h"
#include "names.h"
#include "register_names.h"

#include <string.h>

void fh_act_equ(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    int64_t number;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) || !fh_value_number(a, &v[1], &number))
        return;
    struct fh_symbol *s = fh_define(a, v, FH_S_NUMBER, false);
    if (!s)
        return;
    s->value = number;
    s->large = v[1].large;
    s->shared = v[1].shared;
    fh_name_list_add(a, s);
}

void fh_act_set(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    int64_t number;
    if (!fh_usage(a, v->kind == FH_V_DEFINES && !v->bounds) || !fh_value_number(a, &v[1], &number))
        return;
    struct fh_symbol *s = fh_find_name(a, v->text, v->length);
    if (!s || !s->variable)
        s = fh_define(a, v, FH_S_NUMBER, false);
    if (!s)
        return;
    s->variable = true;
    s->value = number;
    s->large = v[1].large;
    s->shared = v[1].shared;
    s->at = v->at;
    fh_name_list_add(a, s);
}

void fh_act_reg(struct fh_asm *a) {
    const struct fh_value *name = &a->st.args[0], *v = &a->st.args[1];
    if (!fh_usage(a, name->kind == FH_V_DEFINES && v->kind == FH_V_REGISTER && !v->sign &&
                         !v->suffix && !v->abs))
        return;
    int64_t low = name->bounds ? name->number : 0, high = name->bounds ? name->last : 0;
    if (low < 0 || high < low || high - low > 254) {
        fh_report(a, FH_D_BAD_SIZE, name->at, "a range of registers",
                  "[LOW:HIGH], 0 <= LOW <= HIGH",
                  fh_text(a, "[%lld:%lld]", (long long)low, (long long)high));
        return;
    }
    uint32_t count = (uint32_t)(high - low) + 1;
    if (!name->bounds && v->symbol) /* another name for a whole range */
        count = v->symbol->count;
    /* The last register of a range must exist: spelt out, it would have to be one. */
    if (count > 1) {
        const char *last = fh_register_name(a, v->reg_kind, v->reg + count - 1);
        struct fh_value check = {.at = v->at};
        (void)fh_machine_register(a, last, strlen(last), &check);
        if (!fh_value_sound(a, &check))
            return;
    }
    struct fh_symbol *s = fh_define(a, name, FH_S_REGISTERS, a->code.open);
    if (!s)
        return;
    s->reg_kind = v->reg_kind;
    s->first = v->reg;
    s->count = count;
    s->value = !name->bounds && v->symbol ? v->symbol->value : low;
    fh_name_list_add(a, s);
}
