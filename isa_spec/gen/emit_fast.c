/*
 * emit_fast.c - fast_FAMILY.c: the bodies as loops over 32 lanes that the C compiler turns into
 * vector code; compiled once per SIMD level.
 *
 * Per distinct shape of operands one always-inline template `t_`: rows and scalars are fetched
 * before the loop, an iteration reads index `lane` of each row before it writes index `lane` of
 * another, so destinations may be sources. Whether all lanes are active is a constant of the
 * template; with inactive lanes an iteration writes back what was there. From it comes the function
 * `f_`, or one function per combination of the modifiers that `specialise` lists, which then are
 * constants; and beside each one its threaded functions `c`, which execute an op for all lanes and
 * go on to the next (emu/exec/threaded.h): one for rows in memory, and one for each source whose
 * row the one before has handed over. Predicate results that mostly nobody wants, carries above
 * all, are specialised without being listed. Which forms share functions, and along which axes
 * these differ: axes.h. Bodies that hold for lane masks are no loops. Calls of functions that
 * compilers do not vectorise well are made for all lanes before the loop (emit_rows.c).
 */
#include <string.h>

#include "axes.h"
#include "emit_lanes.h"

/* Whether all is done by functions that have their rows in memory. */
static bool calls_only(const struct form *form) {
    return body_is_rows(form->insn) || body_on_float_masks(form->insn);
}

/* Whether the row of operand i may be forwarded to the form. */
static bool may_be_forwarded(const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    return has_chain(form->insn) && !calls_only(form) && o->kind == FH_K_REG && !is_written(o) &&
           !is_fetched_scalar(o) && constant_regs(o) == 1;
}

static bool takes_forwarded(const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++)
        if (may_be_forwarded(form, i))
            return true;
    return false;
}

/* The operand whose row the form forwards: the first row that it writes;
 * operand_count, if there is none. */
static size_t result_row(const struct form *form) {
    size_t i = 0;
    while (i < form->operand_count &&
           !(form->operands[i].kind == FH_K_REG && is_written(&form->operands[i])))
        i++;
    return i;
}

static bool gives_result(const struct form *form) {
    return has_chain(form->insn) && !body_is_rows(form->insn) &&
           result_row(form) < form->operand_count;
}

/* A source row, which may be forwarded. */
static const char *source_row(const struct form *form, size_t i) {
    return print("%sfh_row_of(fh_w, fh_op, %zu, 0)",
                 may_be_forwarded(form, i) ? print("fh_from == %zu ? fh_forwarded : ", i) : "", i);
}

/* Name of the template's parameter for an axis. */
static const char *parameter(const struct axis *axis) {
    return axis->kind == RESULT  ? print("fh_want_%s", axis->name)
           : axis->kind == VALUE ? print("fh_value_%s", axis->name)
                                 : axis->name;
}

/* ---------------------------------------------------------------- the template */

/* Whether operand i is an immediate that the template gets as a parameter. */
static bool is_value_axis(const struct axis *axes, size_t n, size_t i) {
    for (size_t k = 0; k < n; k++)
        if (axes[k].kind == VALUE && axes[k].index == i)
            return true;
    return false;
}

static bool has_steady_axis(const struct axis *axes, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (axes[k].kind == STEADY)
            return true;
    return false;
}

/* A scalar: the immediate or constant, and the uniform register, of which one is 0. */
static void fetch_scalar(FILE *out, const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    size_t before = 0;
    for (size_t k = 0; k < i; k++)
        before += is_fetched_scalar(&form->operands[k]);
    const char *type = operand_type(o);
    fprintf(out, "    const %s %s = (%s)fh_scalar(fh_op, %zu, %zu)", type, o->var, type, i, before);
    if (may_be_uniform(form, i))
        fprintf(out, " + (%s)fh_uniform_of(fh_w, fh_op, %zu, %s)", type, i, count_of(o));
    fprintf(out, ";\n    (void)%s;\n", o->var);
}

static void fetch_before_loop(FILE *out, const struct form *form, size_t i, bool is_value) {
    const struct operand *o = &form->operands[i];
    bool wide = constant_regs(o) != 1;
    if (is_value) {
        fprintf(out, "    const u32 %s = fh_value_%s;\n    (void)%s;\n", o->var, o->var, o->var);
        return;
    }
    if (is_fetched_scalar(o)) {
        fetch_scalar(out, form, i);
    } else if (is_predicate(o) && is_written(o)) {
        fprintf(out, "    _Alignas(64) u32 fh_%s[FH_LANES];\n", o->var);
    } else if (o->kind == FH_K_PRED) {
        fprintf(out, "    const u32 fh_%s = fh_predicate(fh_w, fh_op, %zu);\n", o->var, i);
    } else if (o->kind == FH_K_REG && is_written(o)) {
        fprintf(out, "    u32 *const fh_%s = %sfh_row_of(fh_w, fh_op, %zu, 0);\n", o->var,
                gives_result(form) && i == result_row(form) ? "fh_result ? fh_result : " : "", i);
        if (wide)
            fprintf(out, "    u32 *const fh_%s_hi = fh_row_of(fh_w, fh_op, %zu, 1);\n", o->var, i);
    } else if (o->kind == FH_K_REG) {
        fprintf(out, "    const u32 *const fh_%s = %s;\n", o->var, source_row(form, i));
        if (wide && !body_is_rows(form->insn))
            fprintf(out, "    const u32 *const fh_%s_hi = fh_row_of(fh_w, fh_op, %zu, 1);\n",
                    o->var, i);
    } else if (o->kind == FH_K_UPRED) {
        fprintf(out, "    const u32 %s = fh_uniform_predicate(fh_w, fh_op, %zu);\n", o->var, i);
    } else {
        fprintf(out, "    const %s %s = (%s)fh_op->imm[%zu];\n    (void)%s;\n", operand_type(o),
                o->var, operand_type(o), i, o->var);
    }
}

/* `uniform`: a predicate that is the same in all lanes if fh_true. */
static void fetch_in_loop(FILE *out, const struct form *form, const struct operand *o,
                          bool uniform) {
    const char *v = o->var;
    if (in_words(form, o)) { /* compilers do not see them through 64 bits */
        if (o->kind == FH_K_REG && !is_written(o))
            fprintf(out, "        const u32 %s_low = fh_%s[lane], %s_high = fh_%s_hi[lane];\n", v,
                    v, v, v);
        else
            emit_words(out, o, "        ");
        return;
    }
    if (is_written(o)) {
        fprintf(out, "        %s %s = 0;\n", operand_type(o), o->var);
        return;
    }
    if (o->kind == FH_K_PRED)
        fprintf(out, "        const u32 %s = fh_%s >> %s & 1;\n", o->var, o->var,
                uniform ? "(fh_true ? 0 : lane)" : "lane");
    else if (o->kind == FH_K_REG && constant_regs(o) == 1)
        fprintf(out, "        const u32 %s = fh_%s[lane];\n", o->var, o->var);
    else if (o->kind == FH_K_REG)
        fprintf(out, "        const u64 %s = fh_%s[lane] | (u64)(%sfh_%s_hi[lane]) << 32;\n",
                o->var, o->var, constant_regs(o) ? "" : print("fh_n_%s != 2 ? 0 : ", o->var),
                o->var);
    else
        return;
    fprintf(out, "        (void)%s;\n", o->var);
}

static void store_in_loop(FILE *out, const struct form *form, const struct operand *o) {
    const char *v = o->var;
    bool words = in_words(form, o);
    const char *low = words ? print("%s_low", v) : print("(u32)%s", v);
    const char *high = words ? print("%s_high", v) : print("(u32)(%s >> 32)", v);
    if (is_predicate(o)) {
        fprintf(out, "        fh_%s[lane] = %s;\n", v, v);
        return;
    }
    fprintf(out, "        fh_%s[lane] = fh_writes ? %s : fh_%s[lane];\n", v, low, v);
    if (constant_regs(o) != 1)
        fprintf(out, "        fh_%s_hi[lane] = fh_writes%s ? %s : fh_%s_hi[lane];\n", v,
                constant_regs(o) ? "" : print(" && fh_n_%s == 2", v), high, v);
}

static void predicates_after_loop(FILE *out, const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_predicate(o) && is_written(o))
            fprintf(out,
                    "    if (fh_want_%s)\n        fh_predicate_write(fh_w, fh_op, %zu, "
                    "fh_all ? UINT32_MAX : active, fh_mask_of_row(fh_%s));\n",
                    o->var, i, o->var);
    }
}

/* The signs of a form that is specialised for having none. */
static void signs_if_any(FILE *out, const struct form *form, struct names *but) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const char *name = print("neg_%s", form->operands[i].var);
        if (!has_any_sign(form, i))
            continue;
        fprintf(out, "    const u32 %s = signs ? fh_negated(fh_op, %zu) : 0;\n    (void)%s;\n",
                name, i, name);
        add_name(but, name);
    }
}

static void template_head(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    struct names but = {0};
    fprintf(
        out,
        "\nstatic FH_ALWAYS_INLINE bool t_%s_%s(struct fh_warp *fh_w, const struct fh_op *fh_op,"
        "\n    u32 active, const bool fh_all",
        form->insn->c_name, form->name);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, ", const u32 %s", parameter(&axes[i]));
        add_name(&but, axes[i].name);
    }
    if (takes_forwarded(form))
        fputs(", const u32 fh_from, const u32 *const fh_forwarded", out);
    if (gives_result(form))
        fputs(", u32 *const fh_result", out);
    fputs(") {\n    (void)fh_w, (void)fh_op, (void)fh_all;\n", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    (void)%s;\n", parameter(&axes[i]));
    if (has_name(&but, "signs"))
        signs_if_any(out, form, &but);
    emit_modifiers(out, form, &but);
    emit_counts(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool listed = has_name(&but, o->var), spare = has_name(&but, "fh_spare");
        if (is_predicate(o) && is_written(o) && !listed && !body_on_masks(form->insn))
            fprintf(out, "    const bool fh_want_%s = %s;\n", o->var,
                    spare && spare_predicate(form, i) ? "fh_spare" : "true");
    }
}

static void vector_template(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    template_head(out, form, axes, n);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_before_loop(out, form, i, is_value_axis(axes, n, i));
    if (body_is_rows(form->insn)) {
        emit_row_body(out, form);
        fputs("    return true;\n}\n", out);
        return;
    }
    emit_row_calls(out, form);
    fputs("    FH_IVDEP\n    for (u32 lane = 0; lane < FH_LANES; lane++) {\n", out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_in_loop(out, form, &form->operands[i],
                          has_steady_axis(axes, n) && steady_predicate(form, i));
    emit_row_names(out, form, true);
    emit_body(out, form, "        ");
    emit_row_names(out, form, false);
    fputs("        const bool fh_writes = fh_all || (active >> lane & 1);\n"
          "        (void)fh_writes;\n",
          out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            store_in_loop(out, form, &form->operands[i]);
    fputs("    }\n", out);
    predicates_after_loop(out, form);
    fputs("    return true;\n}\n", out);
}

/* A body that may fault: active lanes only, and results stay aside until no lane has faulted. */
static void fault_template(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    template_head(out, form, axes, n);
    emit_fault_start(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_written(o) && !is_predicate(o))
            fprintf(out, "    %s fh_%s[FH_LANES] = {0};\n", operand_type(o), o->var);
        else if (is_written(o))
            fprintf(out, "    _Alignas(64) u32 fh_%s[FH_LANES] = {0};\n", o->var);
        else if (o->kind != FH_K_WORD)
            fetch_before_loop(out, form, i, is_value_axis(axes, n, i));
    }
    fputs("    for (u32 lane = 0; lane < FH_LANES; lane++) {\n"
          "        if (!(active >> lane & 1))\n            continue;\n"
          "        const u32 fh_guilty = 1U << lane;\n",
          out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_in_loop(out, form, &form->operands[i], false);
    emit_body(out, form, "        ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            fprintf(out, "        fh_%s[lane] = %s;\n", form->operands[i].var,
                    result_value(form, &form->operands[i]));
    fputs("    fh_next:;\n    }\n", out);
    emit_fault_end(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (!is_written(o) || is_predicate(o))
            continue;
        if (constant_regs(o) == 1)
            fprintf(out, "    fh_row_write(fh_w, fh_op->row[%zu], active, fh_%s);\n", i, o->var);
        else
            fprintf(out, "    fh_rows_write(fh_w, fh_op->row[%zu], %s, active, fh_%s);\n", i,
                    count_of(o), o->var);
    }
    predicates_after_loop(out, form);
    fputs("    return true;\n}\n", out);
}

/* A body on masks: all lanes at once, without a loop. */
static void mask_template(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    template_head(out, form, axes, n);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        const char *v = o->var;
        if (is_fetched_scalar(o)) {
            fetch_scalar(out, form, i);
        } else if (o->kind == FH_K_REG) {
            if (is_written(o) || constant_regs(o) == 0)
                error_at(form->at,
                         "%s form %s: a body on masks has predicates as results and always "
                         "the same number of registers as sources",
                         form->insn->name, form->name);
            fprintf(out, "    const u32 *const %s = %s;\n", v, source_row(form, i));
        } else if (is_written(o)) {
            fprintf(out, "    u32 %s = 0;\n", v);
        } else if (o->kind == FH_K_PRED) {
            fprintf(out, "    const u32 %s = fh_predicate(fh_w, fh_op, %zu);\n    (void)%s;\n", v,
                    i, v);
        } else if (o->kind == FH_K_UPRED) {
            fprintf(out, "    const u32 %s = 0U - fh_uniform_predicate(fh_w, fh_op, %zu);\n", v, i);
        }
    }
    for (size_t i = 0; mask_functions[i]; i++)
        fprintf(out, "#define %s fh_%s\n", mask_functions[i], mask_functions[i]);
    emit_body(out, form, "    ");
    for (size_t i = 0; mask_functions[i]; i++)
        fprintf(out, "#undef %s\n", mask_functions[i]);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            fprintf(out,
                    "    fh_predicate_write(fh_w, fh_op, %zu, fh_all ? UINT32_MAX : active, "
                    "%s);\n",
                    i, form->operands[i].var);
    fputs("    return true;\n}\n", out);
}

/* ---------------------------------------------------------------- functions from the template */

/* The template's function for any lanes. */
static void lanes_function(FILE *out, const struct form *form, const char *prefix,
                           const char *arguments) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    fprintf(out,
            "static bool %s_%s(struct fh_warp *w, const struct fh_op *op, u32 active) {\n"
            "    return t_%s(w, op, active, false%s%s);\n}\n",
            prefix, name, name, arguments,
            print("%s%s", takes_forwarded(form) ? ", FH_MAX_OPERANDS, NULL" : "",
                  gives_result(form) ? ", NULL" : ""));
}

/* What the form forwards: enum fh_forwards. */
static const char *forwards_of(const struct form *form) {
    return gives_result(form) ? print("FH_FORWARDS_RESULT + %zu", result_row(form))
           : calls_only(form) ? "FH_FORWARDS_NOTHING"
                              : "FH_FORWARDS_KEPT";
}

/* The threaded function for a whole warp; `from`: the operand whose row is forwarded, operand_count
 * for none. */
static void threaded_function(FILE *out, const struct form *form, const char *prefix,
                              const char *arguments, size_t from) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    bool forwarded = from < form->operand_count, forwards = gives_result(form);
    fprintf(out,
            "static const struct fh_op *c%s_%s%s(struct fh_warp *w, const struct fh_op *op "
            "FH_FORWARDED)"
            " {\n",
            prefix, name, forwarded ? print("_%s", form->operands[from].var) : "");
    fputs(forwarded ? "    _Alignas(64) u32 fh_forwarded[FH_LANES];\n    "
                      "FH_FORWARDED_STORE(fh_forwarded);\n"
                    : "    FH_FORWARDED_UNUSED;\n",
          out);
    if (forwards)
        fprintf(out, "    FH_RESULT(fh_result, fh_row_of(w, op, %zu, 0));\n", result_row(form));
    fprintf(out, "    t_%s(w, op, UINT32_MAX, true%s", name, arguments);
    if (takes_forwarded(form))
        fputs(forwarded ? print(", %zu, fh_forwarded", from) : ", FH_MAX_OPERANDS, NULL", out);
    fputs(forwards
              ? print(", fh_result);\n    FH_RESULT_KEEP(fh_result, fh_row_of(w, op, %zu, 0));\n",
                      result_row(form))
              : ");\n",
          out);
    fprintf(out, "    return FH_NEXT(w, op, %s);\n}\n",
            forwards           ? "FH_FORWARD_ROW(fh_result)"
            : calls_only(form) ? "FH_FORWARD_NONE"
                               : "FH_FORWARD_SAME");
}

/* Whether no predicate result is wanted in a combination's functions. */
static bool writes_no_predicate(const struct form *form, const struct axis *axes, size_t n,
                                const unsigned *values) {
    bool spare = true;
    for (size_t k = 0; k < n; k++)
        if (axes[k].kind == SPARE || axes[k].kind == RESULT)
            spare &= !values[k];
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool listed = has_name(&form->insn->specialise, o->var);
        if (is_predicate(o) && is_written(o) && !listed && !spare_predicate(form, i))
            return false;
    }
    return spare;
}

/* Whether ops with a guard have a threaded function: what it writes is one row, of which it keeps
 * what is there in the other lanes. */
static bool has_guarded(const struct form *form, const struct axis *axes, size_t n,
                        const unsigned *values) {
    size_t i = result_row(form), k = i + 1;
    if (body_is_rows(form->insn))
        return true;
    if (!gives_result(form) || constant_regs(&form->operands[i]) != 1)
        return false;
    while (k < form->operand_count &&
           !(form->operands[k].kind == FH_K_REG && is_written(&form->operands[k])))
        k++;
    return k == form->operand_count && writes_no_predicate(form, axes, n, values);
}

/* The threaded function of ops with a guard. It computes all lanes, which have no faults, and
 * chooses. */
static void guarded_function(FILE *out, const struct form *form, const char *prefix,
                             const char *arguments) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    if (body_is_rows(form->insn)) {
        fprintf(out,
                "static const struct fh_op *g%s_%s(struct fh_warp *w, const struct fh_op *op "
                "FH_FORWARDED) {\n    FH_FORWARDED_UNUSED;\n"
                "    const u32 active = fh_guard_lanes(w, op);\n"
                "    if (active)\n        t_%s(w, op, active, false%s);\n"
                "    fh_count_guarded(w, op, active);\n"
                "    return FH_NEXT(w, op, FH_FORWARD_NONE);\n}\n",
                prefix, name, name, arguments);
        return;
    }
    fprintf(
        out,
        "#ifdef FH_FORWARDED_STORE\n"
        "static const struct fh_op *g%s_%s(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) "
        "{\n    FH_FORWARDED_UNUSED;\n    const u32 active = fh_guard_lanes(w, op);\n"
        "    u32 *const row = fh_row_of(w, op, %zu, 0);\n"
        "    _Alignas(64) u32 fh_result[FH_LANES];\n"
        "    t_%s(w, op, UINT32_MAX, true%s%s, fh_result);\n"
        "    fh_count_guarded(w, op, active);\n    return fh_next_chosen(w, op, row, active, "
        "fh_result);\n"
        "}\n#else\n#define g%s_%s NULL\n#endif\n",
        prefix, name, result_row(form), name, arguments,
        takes_forwarded(form) ? ", FH_MAX_OPERANDS, NULL" : "", prefix, name);
}

/* The threaded functions, with nothing and with each source forwarded, and the list of the latter,
 * if the form has any. */
static void threaded_functions(FILE *out, const struct form *form, const char *prefix,
                               const char *arguments) {
    if (!has_chain(form->insn))
        return;
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    threaded_function(out, form, prefix, arguments, form->operand_count);
    if (!takes_forwarded(form))
        return;
    char *list = print("%s", "");
    fputs("#ifdef FH_FORWARDED_STORE\n", out);
    for (size_t i = 0; i < form->operand_count; i++) {
        bool can = may_be_forwarded(form, i);
        if (can)
            threaded_function(out, form, prefix, arguments, i);
        list = print("%s%s%s", list, i ? ", " : "",
                     can ? print("FH_THREADED(c%s_%s_%s)", prefix, name, form->operands[i].var)
                         : "NULL");
    }
    fprintf(out,
            "static fh_threaded_fn *const h%s_%s[] = {%s};\n#else\n#define h%s_%s NULL\n#endif\n",
            prefix, name, list, prefix, name);
}

/* All that as an initializer of struct fh_functions. */
static const char *functions_of(const struct form *form, const char *lanes, const char *threaded,
                                bool guarded) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    if (!has_chain(form->insn))
        return print("{%s_%s, NULL, NULL, NULL, 0, 0}", lanes, name);
    return print("{%s_%s, FH_THREADED(c%s_%s), %s, %s, %s, 0}", lanes, name, threaded, name,
                 takes_forwarded(form) ? print("h%s_%s", threaded, name) : "NULL",
                 guarded ? print("FH_THREADED(g%s_%s)", threaded, name) : "NULL",
                 forwards_of(form));
}

/* The functions of the combinations, and `pick_`, which chooses: NULL for a combination that no
 * word has. */
static void special_functions(FILE *out, const struct form *form, const struct axis *axes, size_t n,
                              unsigned total) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    char *list = print("%s", "");
    unsigned values[MAX_AXES];
    for (unsigned k = 0; k < total; k++) {
        if (!combination(axes, n, k, values)) {
            list = print("%s        {0},\n", list);
            continue;
        }
        char *arguments = print("%s", "");
        for (size_t i = 0; i < n; i++)
            arguments = print("%s, %s", arguments, axis_argument(&axes[i], values[i]));
        unsigned lanes = body_faults(form->insn) ? k : general(axes, n, k);
        if (lanes == k)
            lanes_function(out, form, print("s%u", k), arguments);
        threaded_functions(out, form, print("s%u", k), arguments);
        bool guarded = has_guarded(form, axes, n, values);
        if (guarded)
            guarded_function(out, form, print("s%u", k), arguments);
        list = print("%s        %s,\n", list,
                     functions_of(form, print("s%u", lanes), print("s%u", k), guarded));
    }
    fprintf(out,
            "static struct fh_functions pick_%s(const struct fh_op *op) {\n"
            "    static const struct fh_functions table[%u] = {\n%s    };\n    u32 index = 0;\n",
            name, total, list);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    index = index * %u + %s;\n", axes[i].size, axis_value(form, &axes[i]));
    fputs("    return table[index];\n}\n", out);
}

static void lane_functions(FILE *out, const struct form *form) {
    struct axis axes[MAX_AXES];
    size_t n = axes_of(form, axes);
    unsigned total = combinations(axes, n);
    if (total > MAX_COMBINATIONS)
        error_at(form->insn->specialise_at, "`specialise` makes more than %u functions",
                 MAX_COMBINATIONS);
    if (body_faults(form->insn))
        fault_template(out, form, axes, n);
    else if (body_on_masks(form->insn))
        mask_template(out, form, axes, n);
    else
        vector_template(out, form, axes, n);
    if (!n) {
        lanes_function(out, form, "f", "");
        threaded_functions(out, form, "f", "");
        if (has_guarded(form, axes, n, NULL))
            guarded_function(out, form, "f", "");
    } else if (total <= MAX_COMBINATIONS) {
        special_functions(out, form, axes, n, total);
    }
}

/* What the registry finds of a form: its functions, or who picks them. */
static void entry(FILE *out, const struct form *form, const char *functions, const char *pick) {
    fprintf(out, "const struct fh_fast_form FH_SIMD_SYMBOL(fh_fast_%s_%s_) = {%s, %s};\n",
            form->insn->c_name, form->name, functions, pick);
}

static void lane_entry(FILE *out, const struct form *form) {
    const struct form *owner = representative(form);
    struct axis axes[MAX_AXES];
    if (axes_of(form, axes))
        entry(out, form, "{0}", print("pick_%s_%s", owner->insn->c_name, owner->name));
    else
        entry(out, form, functions_of(owner, "f", "f", has_guarded(owner, NULL, 0, NULL)), "NULL");
}

/* A function per variant: layouts are compiled in. */
static void matrix_functions(FILE *out, const struct description *d, const struct form *form) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    const struct variants *list = &form->variants;
    for (size_t i = 0; i < list->n; i++)
        emit_matrix_function(out, d, form, &list->v[i], print("static bool f%zu_%s", i, name),
                             false);
    fprintf(out, "static struct fh_functions pick_%s(const struct fh_op *fh_op) {\n", name);
    for (size_t i = 0; i < list->n; i++)
        fprintf(out, "    %sreturn (struct fh_functions){.exec = f%zu_%s};\n",
                i + 1 == list->n ? "(void)fh_op;\n    "
                                 : print("if (%s)\n        ", variant_condition(form, &list->v[i])),
                i, name);
    fputs("}\n", out);
    entry(out, form, "{0}", print("pick_%s", name));
}

void emit_fast(FILE *out, struct description *d, const struct shard *shard) {
    emit_shard_head(out, d, shard, "bodies_fast.h");
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        if (form->insn->shard != shard || !has_body(form->insn) || is_kind(form->insn, "mem"))
            continue;
        const char *name = print("%s_%s", form->insn->c_name, form->name);
        if (is_kind(form->insn, "matrix")) {
            matrix_functions(out, d, form);
        } else if (is_kind(form->insn, "lane")) {
            if (representative(form) == form)
                lane_functions(out, form);
        } else {
            emit_whole_function(out, form, print("static bool f_%s", name));
            entry(out, form, print("{.exec = f_%s}", name), "NULL");
        }
    }
    for (size_t i = 0; i < d->form_count; i++)
        if (d->forms[i]->insn->shard == shard && has_body(d->forms[i]->insn) &&
            is_kind(d->forms[i]->insn, "lane"))
            lane_entry(out, d->forms[i]);
}
