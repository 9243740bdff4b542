/*
 * race_oracle_program.c - who executes what, and programs as assembly. Registers:
 *
 *     R0 thread, R1 block, R2 lane, R3 warp      R20:R21 R22:R23  addresses
 *     R5 = 1    R6:R7 the buffer                 R24..R27 R28:R29 what is read
 *     R8..R11   the same in all threads          R30 masks
 *     R12..R15  by thread  R16..R19 by warp      R32..R35 accumulators
 *     R36:R37   an mbarrier's first state
 *     R40 + g   lanes of the warp for which predicate Pg holds, R48 + g the others
 */
#include "race_oracle.h"

enum { PREDICATES = OR_GUARDS - 1 };

bool or_is_access(enum or_kind kind) {
    return (kind >= OR_LOAD && kind <= OR_COPY) || (kind >= OR_INIT && kind <= OR_POLL);
}

bool or_is_arrival(enum or_kind kind) {
    return kind == OR_ARRIVE || kind == OR_COPY_ARRIVE;
}

bool or_guard_holds(enum or_guard guard, bool negated, uint32_t block, uint32_t thread) {
    const uint32_t lane = thread % FHEC_WARP_LANES, warp = thread / FHEC_WARP_LANES;
    switch (guard) {
    case OR_THREAD_0: return (thread == 0) != negated;
    case OR_LOW_HALF: return (lane < 16) != negated;
    case OR_ODD: return (lane % 2 == 1) != negated;
    case OR_WARP_0: return (warp == 0) != negated;
    case OR_BLOCK_0: return (block == 0) != negated;
    case OR_LANE_5: return (lane == 5) != negated;
    case OR_ALWAYS:
    case OR_GUARDS: break;
    }
    return true;
}

const char *or_atomic_name(unsigned how) {
    static const char *const names[] = {"ADD", "MAX", "EXCH", "AND", "OR", "XOR", "MIN", "INC"};
    return names[how % COUNT_OF(names)];
}

/* ---------------------------------------------------------------- who executes what */

static uint32_t guarded(const struct or_op *op, uint32_t block, uint32_t warp) {
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        if (or_guard_holds(op->guard, op->negated, block, warp * FHEC_WARP_LANES + l))
            lanes |= UINT32_C(1) << l;
    return lanes;
}

/* The lanes of one warp. */
static bool plan_warp(const struct or_program *p, uint32_t block, uint32_t warp,
                      struct or_plan *plan) {
    const uint32_t slot = block * OR_WARPS + warp, first = warp * FHEC_WARP_LANES;
    uint32_t there = 0, region = 0, now;
    const struct or_op *open = NULL;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        if (block < p->blocks && first + l < p->threads)
            there |= UINT32_C(1) << l;
    now = there;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct or_op *op = &p->ops[i];
        if (op->kind == OR_ELSE || op->kind == OR_ENDIF) {
            if (!open || (op->kind == OR_ELSE && open->kind == OR_ELSE))
                return false;
            now = op->kind == OR_ENDIF ? region : region & ~now;
        }
        plan->whole[i][slot] = now;
        plan->active[i][slot] = now & guarded(op, block, warp);
        if (op->kind == OR_ELSE || op->kind == OR_ENDIF) {
            plan->active[i][slot] = now;
            open = op->kind == OR_ELSE ? op : NULL;
        }
        if (op->kind == OR_IF) {
            if (open)
                return false;
            open = op;
            region = now;
            now &= guarded(op, block, warp);
        }
        if (op->kind == OR_EXIT) {
            if (open)
                return false;
            now &= ~guarded(op, block, warp);
        }
    }
    return !open;
}

bool or_plan(const struct or_program *program, struct or_plan *plan) {
    bool good = true;
    memset(plan, 0, sizeof *plan);
    for (uint32_t b = 0; b < OR_BLOCKS; b++)
        for (uint32_t w = 0; w < OR_WARPS; w++)
            good &= plan_warp(program, b, w, plan);
    return good;
}

/* ---------------------------------------------------------------- assembly */

struct writer {
    char *text;
    size_t length;
    uint8_t *ops;
    uint32_t instructions, op;
    const struct or_op *region; /* the IF or ELSE around */
    const struct or_op *region_if;
};

/* A line of one instruction; `of_op`: it is what the operation is about. */
static void line(struct writer *w, bool of_op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void line(struct writer *w, bool of_op, const char *format, ...) {
    va_list args;
    va_start(args, format);
    w->length += (size_t)vsnprintf(w->text + w->length, OR_TEXT - w->length, format, args);
    va_end(args);
    assert_true(w->length + 8 < OR_TEXT && w->instructions < OR_INSTRUCTIONS);
    w->text[w->length++] = '\n';
    w->text[w->length] = '\0';
    w->ops[w->instructions++] = of_op ? (uint8_t)w->op : UINT8_MAX;
}

static void write_head(struct writer *w) {
    static const char *const guards[PREDICATES] = {
        "ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;", "ISETP.LT.U32.AND P1, PT, R2, 0x10, PT ;",
        "ISETP.NE.U32.AND P2, PT, R4, RZ, PT ;", "ISETP.EQ.U32.AND P3, PT, R3, RZ, PT ;",
        "ISETP.EQ.U32.AND P4, PT, R1, RZ, PT ;", "ISETP.EQ.U32.AND P5, PT, R2, 0x5, PT ;",
    };
    static const char *const registers[] = {
        "S2R R0, SR_TID.X ;",
        "S2R R1, SR_CTAID.X ;",
        "LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT ;",
        "SHF.R.U32.HI R3, RZ, 0x5, R0 ;",
        "LOP3.LUT R4, R0, 0x1, RZ, 0xc0, !PT ;",
        "MOV R5, 0x1 ;",
        "MOV R6, c[0x0][0x160] ;",
        "MOV R7, c[0x0][0x164] ;",
        "IMAD R12, R1, 0x60, R0 ;",
        "IMAD R12, R12, 0x01010101, R5 ;",
        "IMAD R16, R3, 0x01010101, RZ ;",
    };
    const int head = snprintf(w->text, OR_TEXT,
                              ".target sm_80\n.kernel k\n.param x, 8\n.shared s, %d\n", OR_SHARED);
    w->length = (size_t)head;
    for (size_t i = 0; i < COUNT_OF(registers); i++)
        line(w, false, "%s", registers[i]);
    for (unsigned i = 0; i < 4; i++)
        line(w, false, "MOV R%u, 0x%x ;", 8 + i, 0x07070707u);
    for (unsigned i = 1; i < 4; i++) {
        line(w, false, "IADD3 R%u, R12, 0x%x, RZ ;", 12 + i, i * 0x10101010u);
        line(w, false, "IADD3 R%u, R16, 0x%x, RZ ;", 16 + i, i * 0x10101010u);
    }
    for (unsigned g = 0; g < PREDICATES; g++)
        line(w, false, "%s", guards[g]);
    for (unsigned g = 0; g < PREDICATES; g++) {
        line(w, false, "VOTE.ALL R%u, PT, P%u ;", 40 + g, g);
        line(w, false, "VOTE.ALL R%u, PT, !P%u ;", 48 + g, g);
    }
}

/* R`reg` = the lane's strides; then the text of the operand's inside. */
static void write_address(struct writer *w, const struct or_op *op, bool global, int32_t base,
                          unsigned reg, char text[48]) {
    const struct {
        unsigned of;
        int32_t stride;
    } parts[] = {{2, op->lane_stride}, {3, op->warp_stride}, {1, op->block_stride}};
    const char *sum = NULL;
    char name[8];
    snprintf(name, sizeof name, "R%u", reg);
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (!parts[i].stride)
            continue;
        line(w, false, "IMAD %s, R%u, 0x%x, %s ;", name, parts[i].of, (uint32_t)parts[i].stride,
             sum ? sum : "RZ");
        sum = name;
    }
    if (global && !sum && base > 0x7ff) { /* as far as LDGSTS reaches */
        line(w, false, "MOV %s, RZ ;", name);
        sum = name;
    }
    if (global && sum) {
        line(w, false, "IADD3 %s, %s, 0x%x, RZ ;", name, name, (uint32_t)base);
        line(w, false, "IMAD.WIDE.U32 %s, %s, R5, R6 ;", name, name);
        snprintf(text, 48, "%s.64", name);
    } else if (global) {
        snprintf(text, 48, "R6.64+0x%x", (uint32_t)base);
    } else if (op->generic) {
        line(w, false, "IADD3 %s, %s, 0x%x, RZ ;", name, sum ? sum : "RZ", (uint32_t)base);
        line(w, false, "MOV R%u, 0x1 ;", reg + 1);
        snprintf(text, 48, "%s.64", name);
    } else if (sum) {
        line(w, false, "IADD3 %s, %s, 0x%x, RZ ;", name, name, (uint32_t)base);
        snprintf(text, 48, "%s", name);
    } else {
        snprintf(text, 48, "RZ+0x%x", (uint32_t)base);
    }
}

static const char *size_name(uint32_t bytes) {
    return bytes == 1    ? ".U8"
           : bytes == 2  ? ".U16"
           : bytes == 8  ? ".64"
           : bytes == 16 ? ".128"
                         : "";
}

static const char *scope_name(enum or_scope scope) {
    static const char *const names[] = {"", ".STRONG.SM", ".STRONG.GPU", ".STRONG.SYS"};
    return names[scope];
}

static void write_access(struct writer *w, const struct or_op *op, const char *guard) {
    char to[48], from[48];
    const unsigned data = 8 + 4 * op->value;
    const char *wide = op->bytes == 8 ? ".64" : "", *scope = scope_name(op->scope);
    const bool plain = op->shared && !op->generic;
    write_address(w, op, !op->shared, op->base, 20, to);
    switch (op->kind) {
    case OR_LOAD:
        line(w, true, "%s%s%s%s R24, [%s] ;", guard,
             plain        ? "LDS"
             : op->shared ? "LD.E"
                          : "LDG.E",
             size_name(op->bytes), plain ? "" : scope, to);
        break;
    case OR_STORE:
        line(w, true, "%s%s%s%s [%s], R%u ;", guard,
             plain        ? "STS"
             : op->shared ? "ST.E"
                          : "STG.E",
             size_name(op->bytes), plain ? "" : scope, to, data);
        break;
    case OR_ATOM:
        if (plain)
            line(w, true, "%sATOMS.%s%s R28, [%s], R%u ;", guard, or_atomic_name(op->how), wide, to,
                 data);
        else
            line(w, true, "%s%s.E.%s%s%s PT, R28, [%s], R%u ;", guard,
                 op->shared ? "ATOM" : "ATOMG", or_atomic_name(op->how), wide, scope, to, data);
        break;
    case OR_RED:
        line(w, true, "%sRED.E.%s%s%s [%s], R%u ;", guard, or_atomic_name(op->how), wide, scope, to,
             data);
        break;
    case OR_CAS: /* has one form, whose address has 64 bits without a word */
        if (strstr(to, ".64"))
            memmove(strstr(to, ".64"), strstr(to, ".64") + 3, strlen(strstr(to, ".64") + 3) + 1);
        if (plain)
            line(w, true, "%sATOMS.CAS%s R28, [%s], R8, R%u ;", guard, wide, to, data);
        else
            line(w, true, "%s%s.E.CAS%s%s PT, R28, [%s], R8, R%u ;", guard,
                 op->shared ? "ATOM" : "ATOMG", wide, scope, to, data);
        break;
    case OR_COPY:
        write_address(w, op, true, op->source, 22, from);
        line(w, true, "%sLDGSTS.E%s%s [%s], [%s] ;", guard, op->bytes == 16 ? ".BYPASS" : "",
             size_name(op->bytes), to, from);
        break;
    default: fail_msg("no access");
    }
}

static uint32_t threads_for(const struct or_program *p, const struct or_op *op) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        count += or_guard_holds(op->guard, op->negated, 0, t);
    return count;
}

/* An mbarrier's low word is 2^30 - n, the high one 2^31 - n for n arrivals. */
static void write_mbarrier(struct writer *w, const struct or_program *p, const struct or_op *op,
                           const char *guard) {
    char at[48];
    uint32_t arrivals = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (or_is_arrival(p->ops[i].kind))
            arrivals += threads_for(p, &p->ops[i]);
    write_address(w, op, !op->shared, op->base, 20, at);
    switch (op->kind) {
    case OR_INIT:
        line(w, false, "MOV R36, 0x%x ;", (UINT32_C(1) << 30) - arrivals);
        line(w, false, "MOV R37, 0x%x ;", (UINT32_C(1) << 31) - arrivals);
        line(w, true, "%sSTS.64 [%s], R36 ;", guard, at);
        break;
    case OR_ARRIVE: line(w, true, "%sATOMS.ARRIVE.64 R28, [%s] ;", guard, at); break;
    case OR_COPY_ARRIVE: line(w, true, "%sARRIVES.LDGSTSBAR.64 [%s] ;", guard, at); break;
    default:
        w->length += (size_t)snprintf(w->text + w->length, OR_TEXT - w->length, "at%u:\n", w->op);
        line(w, true, "%s%s R24, [%s] ;", op->shared ? "LDS" : "LDG.E",
             op->shared ? "" : scope_name(op->scope), at);
        line(w, false, "ISETP.%s.AND P6, PT, R24, RZ, PT ;", op->number ? "GE" : "EQ.U32");
        line(w, false, "@P6 BRA at%u ;", w->op);
    }
}

/* R30 = the lanes of the warp that are here and for which the guard holds. */
static const char *write_mask(struct writer *w, const struct or_op *op) {
    const struct or_op *around[2] = {w->region_if, op};
    const char *sum = NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (!around[i] || around[i]->guard == OR_ALWAYS)
            continue;
        const bool other = around[i]->negated != (i == 0 && w->region->kind == OR_ELSE);
        const unsigned of = (other ? 48 : 40) + (unsigned)around[i]->guard - 1;
        if (sum)
            line(w, false, "LOP3.LUT R30, R30, R%u, RZ, 0xc0, !PT ;", of);
        else
            line(w, false, "MOV R30, R%u ;", of);
        sum = "R30";
    }
    return sum ? sum : "0xffffffff";
}

static void write_meeting(struct writer *w, const struct or_program *p, const struct or_op *op,
                          const char *guard, const char *other) {
    const unsigned g = op->guard ? (unsigned)op->guard - 1 : 0;
    const char *mask;
    switch (op->kind) {
    case OR_BAR: line(w, true, op->how ? "BAR.RED.OR 0x0, PT ;" : "BAR.SYNC 0x0 ;"); break;
    case OR_BAR_NAMED:
        line(w, true, "%sBAR.SYNC 0x%x, 0x%x ;", guard, op->number, threads_for(p, op));
        break;
    case OR_BAR_ARRIVE:
        line(w, true, "%sBAR.ARV 0x%x, 0x%x ;", guard, op->number, p->threads);
        line(w, true, "%sBAR.SYNC 0x%x, 0x%x ;", other, op->number, p->threads);
        break;
    case OR_WARPSYNC:
        mask = write_mask(w, op);
        line(w, true, "%sWARPSYNC %s ;", guard, mask);
        break;
    case OR_WARPSYNC_IN_TWO:
        line(w, false, "SEL R30, R%u, R%u, P%u ;", 40 + g, 48 + g, g);
        line(w, true, "WARPSYNC R30 ;");
        break;
    case OR_SHFL: line(w, true, "%sSHFL.IDX PT, R31, R12, R2, 0x1f ;", guard); break;
    case OR_VOTE: line(w, true, "%sVOTE.ANY R31, PT, PT ;", guard); break;
    case OR_VOTEU: line(w, true, "%sVOTEU.ANY UR6, UPT, PT ;", guard); break;
    case OR_MATCH: line(w, true, "%sMATCH.ANY R31, R12 ;", guard); break;
    case OR_REDUX: line(w, true, "%sREDUX.SUM UR6, R12 ;", guard); break;
    case OR_IMMA: line(w, true, "%sIMMA.8816.S8.S8 R32, R8.ROW, R9.COL, R32 ;", guard); break;
    default: fail_msg("no meeting");
    }
}

static void write_control(struct writer *w, const struct or_program *p, const struct or_op *op,
                          const char *guard, const char *other) {
    static const char *const membar[] = {"CTA", "CTA", "GPU", "SYS"};
    uint32_t next = w->op + 1;
    switch (op->kind) {
    case OR_COMMIT: line(w, true, "LDGDEPBAR ;"); break;
    case OR_WAIT: line(w, true, "DEPBAR.LE SB0, 0x%x ;", op->number); break;
    case OR_MEMBAR: line(w, true, "%sMEMBAR.SC.%s ;", guard, membar[op->scope]); break;
    case OR_EXIT: line(w, true, "%sEXIT ;", guard); break;
    case OR_IF:
        while (p->ops[next].kind != OR_ELSE && p->ops[next].kind != OR_ENDIF)
            next++;
        w->region = w->region_if = op;
        line(w, false, "BSSY B0, at%u ;", next);
        line(w, true, "%sBRA at%u ;", other, next);
        break;
    case OR_ELSE:
        while (p->ops[next].kind != OR_ENDIF)
            next++;
        w->region = op;
        line(w, false, "BRA at%u ;", next);
        w->length += (size_t)snprintf(w->text + w->length, OR_TEXT - w->length, "at%u:\n", w->op);
        break;
    case OR_ENDIF:
        w->region = w->region_if = NULL;
        line(w, true, "at%u: BSYNC B0 ;", w->op);
        break;
    default: write_meeting(w, p, op, guard, other);
    }
}

void or_text(const struct or_program *program, char text[OR_TEXT], uint8_t ops[OR_INSTRUCTIONS]) {
    struct writer w = {.text = text, .ops = ops};
    write_head(&w);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct or_op *op = &program->ops[i];
        char guard[16] = "", other[16] = "@!PT ";
        w.op = i;
        if (op->guard != OR_ALWAYS) {
            snprintf(guard, sizeof guard, "@%sP%u ", op->negated ? "!" : "",
                     (unsigned)op->guard - 1);
            snprintf(other, sizeof other, "@%sP%u ", op->negated ? "" : "!",
                     (unsigned)op->guard - 1);
        }
        if (op->kind <= OR_COPY)
            write_access(&w, op, guard);
        else if (or_is_access(op->kind))
            write_mbarrier(&w, program, op, guard);
        else
            write_control(&w, program, op, guard, other);
    }
    line(&w, false, "EXIT ;");
    w.length += (size_t)snprintf(text + w.length, OR_TEXT - w.length, ".end\n");
}
