/*
 * emit_memory.c - functions of bodies of kind `mem`, which have an `access` line: one active lane
 * after another, each with the value at its address. Both engines have the same one, but where
 * the fast one has a hand-written function (`handler`).
 *
 * All lanes are looked up before anything changes, so that a fault leaves everything as it was.
 * Where the body itself may fault, results wait until all lanes are done, and stores are undone.
 */
#include <string.h>

#include "emit_lanes.h"

/* u32, u64 or u128: as wide as it can be for any values of the modifiers. */
static const char *value_type(const struct form *form, const char *count, int64_t unit) {
    int64_t most = most_of(form, count) * unit;
    return most <= 4 ? "u32" : most <= 8 ? "u64" : "u128";
}

static const char *type_of(const struct form *form, const struct operand *o) {
    return value_type(form, o->regs.s ? o->regs.s : "1", 4);
}

/* What faults call it. */
static const char *called(const struct access *a) {
    return strcmp(a->how, "load") == 0    ? "a load"
           : strcmp(a->how, "store") == 0 ? "a store"
                                          : "an atomic operation";
}

static bool loads(const struct access *a) {
    return strcmp(a->how, "store") != 0;
}

static bool stores(const struct access *a) {
    return strcmp(a->how, "load") != 0;
}

static void source(FILE *out, const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    const char *v = o->var;
    if (is_written(o))
        fprintf(out, "        %s %s = 0;\n", type_of(form, o), v);
    else if (o->kind == FH_K_ADDR)
        fprintf(out, "        const u64 %s = fh_at[lane];\n        (void)%s;\n", v, v);
    else if (o->kind == FH_K_REG)
        fprintf(out,
                "        const %s %s = (%s)fh_lane_read(fh_w, fh_op, %zu, %s, lane);\n"
                "        (void)%s;\n",
                type_of(form, o), v, type_of(form, o), i, count_of(o), v);
    else
        fprintf(out,
                "        const %s %s = (%s)fh_ref_read(fh_w, fh_op, %zu, %s, lane);\n"
                "        (void)%s;\n",
                operand_type(o), v, operand_type(o), i, count_of(o), v);
}

static void store_result(FILE *out, const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    if (is_predicate(o))
        fprintf(out, "        fh_%s |= (u32)(%s != 0) << lane;\n", o->var, o->var);
    else if (body_faults(form->insn))
        fprintf(out, "        fh_%s[lane] = %s;\n", o->var, o->var);
    else
        fprintf(out, "        fh_lane_write(fh_w, fh_op, %zu, %s, lane, %s);\n", i, count_of(o),
                o->var);
}

/* The lanes that access memory: those for which `if` holds, which is about predicates. */
static void accessing_lanes(FILE *out, const struct form *form, const struct access *a) {
    fputs("    u32 fh_lanes = active;\n", out);
    if (!a->when.s)
        return;
    fputs("    for (u32 lane = 0; lane < FH_LANES; lane++) {\n", out);
    struct names names = expr_names(a->when.s);
    for (size_t i = 0; i < form->operand_count; i++)
        if (has_name(&names, form->operands[i].var))
            source(out, form, i);
    write_line_directive(out, a->when.at);
    fprintf(out, "        if (!(%s))\n            fh_lanes &= ~(1U << lane);\n@@LINE@@\n    }\n",
            a->when.s);
}

static void look_up(FILE *out, const struct form *form, const struct access *a) {
    if (!a->how)
        return;
    fprintf(out, "    const struct fh_request fh_request = {FH_%s, (u32)(\n", upper_case(a->space));
    write_line_directive(out, a->bytes.at);
    fprintf(out, "        %s\n@@LINE@@\n    ), %s, \"%s\"};\n", a->bytes.s,
            stores(a) ? "true" : "false", called(a));
    fputs("    struct fh_location fh_place[FH_LANES];\n", out);
    accessing_lanes(out, form, a);
    fputs("    if (!fh_translate_lanes(fh_w, fh_op, fh_lanes, fh_at, &fh_request, fh_place))\n"
          "        return false;\n",
          out);
    fprintf(out, "    const bool fh_record = fh_record_begins(fh_w, %s, %s, fh_request.bytes);\n",
            loads(a) ? "true" : "false", stores(a) ? "true" : "false");
}

/* A lane that is refused: its predicate results stay 0, its registers as they are. */
static void refuse(FILE *out, const struct access *a) {
    if (!a->unless.s)
        return;
    fputs("        const bool global = fh_place[lane].space == FH_GLOBAL;\n"
          "        (void)global;\n",
          out);
    write_line_directive(out, a->unless.at);
    fprintf(out, "        if (%s)\n            continue;\n@@LINE@@\n", a->unless.s);
}

/* `wanted_pu`: whether the result is not thrown away. */
static void wanted(FILE *out, const struct form *form, const struct access *a) {
    struct names names = {0};
    if (a->unless.s)
        add_names(&names, expr_names(a->unless.s));
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        const char *name = print("wanted_%s", o->var);
        if (is_predicate(o) && is_written(o) && has_name(&names, name))
            fprintf(out, "    const bool %s = fh_op->row[%zu] != FH_SINK_PRED;\n", name, i);
    }
}

/* Somebody who watches is told what each lane found and left. */
static void keep_record(FILE *out, const struct access *a) {
    fprintf(out,
            "        if (fh_record && fh_lanes >> lane & 1)\n"
            "            fh_location_record(fh_w, &fh_place[lane], lane, %s);\n",
            stores(a) ? "&memory" : "NULL");
}

static void each_lane(FILE *out, const struct form *form, const struct access *a) {
    fputs("    for (u32 lane = 0; lane < FH_LANES; lane++) {\n"
          "        if (!(active >> lane & 1))\n            continue;\n",
          out);
    refuse(out, a);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            source(out, form, i);
    if (a->how)
        fprintf(out, "        %s memory = 0;\n        (void)memory;\n",
                value_type(form, a->bytes.s, 1));
    if (a->how && loads(a))
        fputs("        if (fh_lanes >> lane & 1)\n"
              "            fh_location_read(fh_w, &fh_place[lane], fh_request.bytes, &memory);\n",
              out);
    const bool faults = body_faults(form->insn), undoes = faults && a->how && stores(a);
    if (faults)
        fputs("        const u32 fh_guilty = 1U << lane;\n", out);
    bool compares = a->how && strcmp(a->how, "swap") == 0;
    if (compares)
        fprintf(out, "        const %s fh_before = memory;\n", value_type(form, a->bytes.s, 1));
    emit_body(out, form, "        ");
    if (a->how)
        keep_record(out, a);
    if (undoes)
        fputs("        if (fh_lanes >> lane & 1) {\n"
              "            fh_location_read(fh_w, &fh_place[lane], fh_request.bytes, "
              "fh_undo[lane]);\n"
              "            fh_stored |= 1U << lane;\n        }\n",
              out);
    if (a->how && stores(a))
        fprintf(
            out,
            "        if (fh_lanes >> lane & 1%s)\n"
            "            fh_location_write(fh_w, &fh_place[lane], fh_request.bytes, &memory);\n",
            compares ? " && memory != fh_before" : "");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            store_result(out, form, i);
    fputs(faults ? "        fh_done |= 1U << lane;\n    fh_next:;\n    }\n" : "    }\n", out);
}

/* What a body that may fault needs around the lanes: room for its register results, and for what
 * stores replace. */
static void fault_room(FILE *out, const struct form *form, const struct access *a) {
    if (!body_faults(form->insn))
        return;
    emit_fault_start(out, form);
    fputs("    u32 fh_done = 0;\n", out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]) && !is_predicate(&form->operands[i]))
            fprintf(out, "    %s fh_%s[FH_LANES] = {0};\n", type_of(form, &form->operands[i]),
                    form->operands[i].var);
    if (a->how && stores(a))
        fputs("    uint8_t fh_undo[FH_LANES][16];\n    u32 fh_stored = 0;\n", out);
}

static void fault_end(FILE *out, const struct form *form, const struct access *a) {
    if (!body_faults(form->insn))
        return;
    if (a->how && stores(a))
        fputs("    for (u32 lane = FH_LANES; fh_bad && lane-- > 0;)\n"
              "        if (fh_stored >> lane & 1)\n"
              "            fh_location_write(fh_w, &fh_place[lane], fh_request.bytes, "
              "fh_undo[lane]);\n",
              out);
    emit_fault_end(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_written(o) && !is_predicate(o))
            fprintf(out,
                    "    for (u32 lane = 0; lane < FH_LANES; lane++)\n"
                    "        if (fh_done >> lane & 1)\n"
                    "            fh_lane_write(fh_w, fh_op, %zu, %s, lane, fh_%s[lane]);\n",
                    i, count_of(o), o->var);
    }
}

void emit_memory_function(FILE *out, const struct form *form) {
    static const struct names none;
    const struct access *a = &form->insn->access;
    fprintf(out,
            "\nbool fh_ref_%s_%s(struct fh_warp *fh_w, const struct fh_op *fh_op, u32 active) {\n"
            "    u64 fh_at[FH_LANES];\n",
            form->insn->c_name, form->name);
    if (body_uses(form->insn, "fault_lanes"))
        error_at(form->insn->body_owner->body.at,
                 "%s: fault_lanes() is for bodies that see all lanes; here a lane says fault()",
                 form->insn->name);
    emit_modifiers(out, form, &none);
    emit_counts(out, form);
    wanted(out, form, a);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_predicate(&form->operands[i]) && is_written(&form->operands[i]))
            fprintf(out, "    u32 fh_%s = 0;\n", form->operands[i].var);
    fputs("    fh_address_lanes(fh_w, &fh_op->address, fh_at);\n", out);
    look_up(out, form, a);
    fault_room(out, form, a);
    each_lane(out, form, a);
    fault_end(out, form, a);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_predicate(&form->operands[i]) && is_written(&form->operands[i]))
            fprintf(out, "    fh_predicate_write(fh_w, fh_op, %zu, active, fh_%s);\n", i,
                    form->operands[i].var);
    fputs("    return true;\n}\n", out);
}
