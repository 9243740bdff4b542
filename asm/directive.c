/*
 * directive.c - the table of directives, and those that only define names or keep texts.
 */
#include "asm.h"

#include <stdlib.h>
#include <string.h>

/* Sorted by name. Modes: R raw text, D a new name first, O operands. */
#define R      FH_MODE_RAW
#define D      FH_MODE_DEFINE
#define O      FH_MODE_OPERANDS
#define ANY    FH_ANYWHERE
#define IN     FH_INSIDE
#define KERNEL FH_IN_A_KERNEL
static const struct fh_directive directives[] = {
    {".align", O, ANY, 1, 1, false, fh_act_align, ".align BYTES"},
    {".barriers", O, KERNEL, 1, 1, false, fh_act_barriers, ".barriers COUNT"},
    {".byte", O, ANY, 1, FH_MANY, false, fh_act_data, ".byte NUMBER, ..."},
    {".constant", D, ANY, 1, 2, false, fh_act_constant, ".constant NAME[, ALIGNMENT]"},
    {".descbit", O, ANY, 1, 1, false, fh_act_descriptor_bit, ".descbit 0 or .descbit 1"},
    {".dword", O, ANY, 1, FH_MANY, false, fh_act_data, ".dword NUMBER, ..."},
    {".else", O, ANY, 0, 0, true, fh_act_else, ".else"},
    {".elseif", O, ANY, 1, 1, true, fh_act_else, ".elseif CONDITION"},
    {".end", O, ANY, 0, 0, false, fh_act_end, ".end"},
    {".endif", O, ANY, 0, 0, true, fh_act_endif, ".endif"},
    {".endm", O, ANY, 0, 1, false, fh_act_stray_end, ".endm"},
    {".endr", O, ANY, 0, 0, false, fh_act_stray_end, ".endr"},
    {".equ", D, ANY, 2, 2, false, fh_act_equ, ".equ NAME, NUMBER"},
    {".error", O, ANY, 1, 1, false, fh_act_message, ".error \"TEXT\""},
    {".extern", D, ANY, 1, 1, false, fh_act_extern, ".extern NAME"},
    {".frame", D, IN, 2, 2, false, fh_act_frame, ".frame NAME, BYTES"},
    {".function", D, ANY, 1, 1, true, fh_act_kernel, ".function NAME"},
    {".if", O, ANY, 1, 1, true, fh_act_if, ".if CONDITION"},
    {".ifdef", D, ANY, 1, 1, true, fh_act_ifdef, ".ifdef NAME"},
    {".ifndef", D, ANY, 1, 1, true, fh_act_ifdef, ".ifndef NAME"},
    {".include", O, ANY, 1, 1, false, fh_act_include, ".include \"FILE\""},
    {".inst", O, IN, 2, 2, false, fh_act_inst, ".inst LOW, HIGH"},
    {".irp", R, ANY, 0, 0, true, fh_act_irp, ".irp NAME, VALUE, ..."},
    {".kernel", D, ANY, 1, 1, true, fh_act_kernel, ".kernel NAME"},
    {".loc", O, IN, 2, 2, false, fh_act_loc, ".loc \"FILE\", LINE"},
    {".local", O, IN, 1, 1, false, fh_act_local, ".local BYTES"},
    {".macro", R, ANY, 0, 0, true, fh_act_macro, ".macro NAME PARAMETER, PARAMETER=DEFAULT"},
    {".maxntid", O, KERNEL, 1, 3, false, fh_act_max_threads, ".maxntid X[, Y[, Z]]"},
    {".param", D, KERNEL, 2, 4, false, fh_act_param, ".param NAME, BYTES[, ALIGNMENT[, OFFSET]]"},
    {".params", O, KERNEL, 1, 1, false, fh_act_params, ".params BYTES"},
    {".reg", D, ANY, 2, 2, false, fh_act_reg, ".reg NAME = R8 or .reg NAME[0:3] = R8"},
    {".registers", O, IN, 1, 1, false, fh_act_registers, ".registers COUNT"},
    {".rept", O, ANY, 1, 2, true, fh_act_rept, ".rept COUNT[, NAME]"},
    {".section", R, ANY, 0, 0, false, fh_act_section, ".section NAME"},
    {".set", D, ANY, 2, 2, false, fh_act_set, ".set NAME, NUMBER"},
    {".shared", D, KERNEL, 2, 3, false, fh_act_shared, ".shared NAME, BYTES[, ALIGNMENT]"},
    {".short", O, ANY, 1, FH_MANY, false, fh_act_data, ".short NUMBER, ..."},
    {".size", D, ANY, 2, 2, false, fh_act_size, ".size NAME, BYTES"},
    {".target", O, ANY, 1, FH_MANY, false, fh_act_target, ".target sm_80, FEATURE, ..."},
    {".test", R, ANY, 0, 0, false, fh_act_test, ".test TEXT"},
    {".type", R, ANY, 0, 0, false, fh_act_type, ".type NAME, @function or @object"},
    {".warning", O, ANY, 1, 1, false, fh_act_message, ".warning \"TEXT\""},
    {".word", O, ANY, 1, FH_MANY, false, fh_act_data, ".word NUMBER, ..."},
    {".zero", O, ANY, 1, 1, false, fh_act_zero, ".zero BYTES"},
};
#undef R
#undef D
#undef O
#undef ANY
#undef IN
#undef KERNEL

enum { COUNT = sizeof directives / sizeof *directives };

const struct fh_directive *fh_find_directive(const char *name, size_t length) {
    size_t low = 0, high = COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *candidate = directives[middle].name;
        int order = strncmp(candidate, name, length);
        if (order == 0 && candidate[length] == '\0')
            return &directives[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void fh_unknown_directive(struct fh_asm *a, const struct fh_lexeme *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name->text, name->length);
    for (size_t i = 0; i < COUNT; i++)
        fh_nearest_try(&n, directives[i].name, strlen(directives[i].name));
    fh_nearest_note(a, &n, "directive", "");
    fh_report(a, FH_D_UNKNOWN_DIRECTIVE, name->at, fh_text_of(a, name->text, name->length), NULL,
              NULL);
}

void fh_act_message(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    if (fh_usage(a, v->kind == FH_V_STRING))
        fh_report(a, a->st.directive->name[1] == 'e' ? FH_D_USER_ERROR : FH_D_USER_WARNING,
                  (struct fh_span){a->st.head.at.begin, a->st.end},
                  fh_text_of(a, v->text, v->length), NULL, NULL);
}

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
    s->at = v->at;
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
    static const char *const prefixes[] = {
        [FH_K_REG] = "R",    [FH_K_UREG] = "UR",   [FH_K_PRED] = "P",
        [FH_K_UPRED] = "UP", [FH_K_BARRIER] = "B", [FH_K_SCOREBOARD] = "SB"};
    if (count > 1) {
        const char *last = fh_text(a, "%s%u", prefixes[v->reg_kind], v->reg + count - 1);
        struct fh_value check = {.at = v->at};
        (void)fh_machine_register(a, last, strlen(last), &check);
        if (!fh_value_sound(a, &check))
            return;
    }
    struct fh_symbol *s = fh_define(a, name, FH_S_REGISTERS, a->draft.open);
    if (!s)
        return;
    s->reg_kind = v->reg_kind;
    s->first = v->reg;
    s->count = count;
    s->value = !name->bounds && v->symbol ? v->symbol->value : low;
}

/* What follows was compiled from that line, which faults and traces name. Line 0: from an unknown
 * one. */
void fh_act_loc(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    struct fh_origin loc = {.column = 1, .length = 1};
    if (!fh_usage(a, v->kind == FH_V_STRING) ||
        !fh_size(a, &v[1], "the line", 0, INT32_MAX, false, &loc.line))
        return;
    if (loc.line == 0)
        loc = (struct fh_origin){.file = UINT32_MAX};
    else if (!fh_source_name(&a->sources, fh_text_of(a, v->text, v->length), &loc.file))
        a->no_memory = true;
    a->loc = loc;
    a->has_loc = true;
}

/* A line of the file's own test, kept for `fhec test`, which reads it. */
void fh_act_test(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (!fh_usage(a, a->st.raw.length > 0) ||
        !fh_asm_grow(a, &p->tests, &a->test_capacity, p->test_count + 1, sizeof *p->tests))
        return;
    struct fh_test *t = &p->tests[p->test_count];
    t->text = malloc(a->st.raw.length + 1);
    if (!t->text || !fh_source_origin(&a->sources, (struct fh_span){a->st.head.at.begin, a->st.end},
                                      &t->origin, NULL)) {
        free(t->text);
        a->no_memory = true;
        return;
    }
    memcpy(t->text, a->st.raw.text, a->st.raw.length);
    t->text[a->st.raw.length] = '\0';
    p->test_count++;
}
