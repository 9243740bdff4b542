/* Slices of small kernels as graphs, worked out by hand: nodes in order of their distance, with the
 * instruction, lane and value of each, and the roles and numbers of what it was made of. */
#include "emu_util.h"

#include "slice.h"

enum { WORDS = 64, TEXT = 6000 };

/* x[i] = 100 + i from the host, p = 7; y and out from nobody. */
static const char head[] =
    ".target sm_80, fhec\n.kernel k\n.param out, 8\n.param x, 8\n.param y, 8\n"
    ".param p, 4\n.shared s, 1024\n.local 64\n"
    "S2R R0, SR_TID.X ;\nMOV R4, 0x4 ;\nIMAD.WIDE.U32 R6, R0, R4, out ;\n"
    "IMAD.WIDE.U32 R8, R0, R4, x ;\n";

struct run {
    fhec_program *program;
    fhec_machine *machine;
    struct fh_journal *journal;
    uint64_t params[4];
};

static struct run run_body(const char *body) {
    char text[4096];
    struct run r;
    uint32_t words[WORDS];
    static const char *const names[] = {"out", "x", "y"};
    snprintf(text, sizeof text, "%s%sEXIT ;\n.end\n", head, body);
    r.program = emu_assemble(text);
    r.machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fh_journal_begin(r.machine, 1 << 24, &r.journal), FHEC_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fhec_alloc(r.machine, names[i], sizeof words, 0, &r.params[i]), FHEC_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 100 + i;
    assert_int_equal(fhec_write(r.machine, r.params[1], words, sizeof words), FHEC_OK);
    r.params[3] = 7;
    const fhec_launch launch = {.program = r.program,
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .params = r.params,
                                .param_bytes = 28};
    if (fhec_run(r.machine, &launch) != FHEC_OK)
        fail_msg("%s\n%s", body, fhec_machine_error(r.machine));
    return r;
}

static void run_end(struct run *r) {
    fh_journal_free(r->journal);
    fhec_machine_free(r->machine);
    fhec_program_free(r->program);
}

static void say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(char *text, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, TEXT - used, format, arguments);
    va_end(arguments);
}

static void say_memory(const struct fh_slice_node *n, char *text) {
    static const char *const spaces[] = {[FHEC_SPACE_GLOBAL] = "global",
                                         [FHEC_SPACE_SHARED] = "shared",
                                         [FHEC_SPACE_LOCAL] = "local",
                                         [FHEC_SPACE_CONSTANT] = "constant"};
    if (n->space == FHEC_SPACE_CONSTANT)
        say(text, "bank %u 0x%x:%u", n->bank, (unsigned)n->address, n->bytes);
    else if (n->range)
        say(text, "%s+%u:%u", n->range->name, (unsigned)(n->address - n->range->address), n->bytes);
    else
        say(text, "%s %u:%u", spaces[n->space], (unsigned)n->address, n->bytes);
}

/* "3 R12 @6.5=423 [R11>4 R4>5]": node 3, register 12 of lane 5 from instruction 6, of nodes 4, 5.
 */
static void say_node(const struct run *r, const struct fh_slice *slice, size_t i, char *text) {
    static const char *const kinds[] = {
        [FH_SLICE_ELEMENT] = "element",    [FH_SLICE_STORE] = "store",
        [FH_SLICE_REGISTER] = "",          [FH_SLICE_INPUT] = "input",
        [FH_SLICE_CONSTANT] = "constant",  [FH_SLICE_INITIAL] = "initial",
        [FH_SLICE_FORGOTTEN] = "forgotten"};
    static const char *const files[] = {
        [FHEC_FILE_R] = "R", [FHEC_FILE_P] = "P", [FHEC_FILE_UR] = "UR", [FHEC_FILE_UP] = "UP"};
    const struct fh_slice_node *n = &slice->nodes[i];
    say(text, "%zu %s", i, kinds[n->kind]);
    if (n->kind == FH_SLICE_ELEMENT && n->bytes)
        say(text, " %u", n->bytes);
    else if (n->kind == FH_SLICE_REGISTER || (n->kind == FH_SLICE_INITIAL && n->step != FH_NO_STEP))
        say(text, "%s%s%u", *kinds[n->kind] ? " " : "", files[n->file], n->reg);
    else if (n->kind != FH_SLICE_ELEMENT) {
        say(text, " ");
        say_memory(n, text);
    }
    if (n->step != FH_NO_STEP)
        say(text, " @%u", (unsigned)(fh_journal_site(r->journal, n->step)->instruction.pc / 16));
    if (n->kind == FH_SLICE_STORE || n->kind == FH_SLICE_REGISTER)
        say(text, ".%u", n->lane);
    if (n->has_value)
        say(text, "=%llu", (unsigned long long)n->value);
    if (n->is_matrix)
        say(text, " [%u][%u] of %u %s", n->element.row, n->element.column, n->inner,
            n->product == FH_PRODUCT_RIGHT   ? "right"
            : n->product == FH_PRODUCT_WRONG ? "wrong"
                                             : "unknown");
    if (n->cut)
        say(text, " ...");
    for (uint32_t e = 0; e < n->edge_count; e++)
        say(text, "%s%s>%u", e ? " " : " [", slice->edges[n->first_edge + e].role,
            slice->edges[n->first_edge + e].node);
    say(text, n->edge_count ? "]\n" : "\n");
}

static const struct fh_slice_limits values_only = {.depth = 100, .nodes = 1000};
static const struct fh_slice_limits all = {
    .depth = 100, .nodes = 1000, .addresses = true, .guards = true};
static const struct fh_slice_limits guards_only = {.depth = 100, .nodes = 1000, .guards = true};

static void is(const struct run *r, struct fh_slice *slice, const char *want) {
    char text[TEXT] = "";
    for (size_t i = 0; i < slice->node_count; i++) {
        const struct fh_slice_node *n = &slice->nodes[i];
        for (uint32_t e = 0; e < n->edge_count; e++)
            assert_true(slice->nodes[slice->edges[n->first_edge + e].node].depth <= n->depth + 1);
        say_node(r, slice, i, text);
    }
    assert_string_equal(text, want);
    fh_slice_free(slice);
}

/* Of `bytes` bytes of out from a place on. */
static void element_is(const char *body, uint32_t offset, uint32_t bytes,
                       const struct fh_slice_limits *limits, const char *want) {
    struct run r = run_body(body);
    struct fh_slice slice;
    assert_true(fh_slice_make(&slice, r.journal, r.params[0] + offset, bytes, NULL, limits));
    is(&r, &slice, want);
    run_end(&r);
}

#define STORE "STG.E [R6.64], R12 ;\n"

static void through_lanes(void **state) {
    (void)state;
    static const char body[] = "LDG.E R10, [R8.64] ;\nSHFL.BFLY PT, R11, R10, 0x1, 0x1f ;\n"
                               "IMAD R12, R11, R4, p ;\n" STORE;
    element_is(body, 20, 4, &values_only,
               "0 element 4 [>1]\n"
               "1 store out+20:4 @7.5=423 [R12>2]\n"
               "2 R12 @6.5=423 [>3 R11>4 R4>5]\n"
               "3 constant bank 0 0x178:4 @6\n"
               "4 R11 @5.5=104 [R10>6]\n"
               "5 R4 @1.5=4\n"
               "6 R10 @4.4=104 [>7]\n"
               "7 input x+16:4=104\n");
    element_is(body, 128, 4, &values_only, "0 element 4 [>1]\n1 initial out+128:4\n");
    const struct fh_slice_limits near = {.depth = 2, .nodes = 1000};
    element_is(body, 20, 4, &near,
               "0 element 4 [>1]\n1 store out+20:4 @7.5=423 [R12>2]\n2 R12 @6.5=423 ...\n");
    const struct fh_slice_limits few = {.depth = 100, .nodes = 3};
    element_is(body, 20, 4, &few,
               "0 element 4 [>1]\n1 store out+20:4 @7.5=423 [R12>2]\n2 R12 @6.5=423 ...\n");
    const struct fh_slice_limits four = {.depth = 100, .nodes = 4};
    element_is(body, 20, 4, &four,
               "0 element 4 [>1]\n1 store out+20:4 @7.5=423 [R12>2]\n"
               "2 R12 @6.5=423 [>3 R11>4 R4>5]\n3 constant bank 0 0x178:4 @6\n"
               "4 R11 @5.5=104 ...\n5 R4 @1.5=4 ...\n");
    static const struct {
        const char *mode;
        uint32_t lane, from;
    } modes[] = {
        {"SHFL.IDX PT, R12, R10, 0x3, 0x1f", 9, 3},
        {"SHFL.IDX PT, R12, R10, 0x3, 0x181f", 9, 11},
        {"SHFL.UP PT, R12, R10, 0x2, 0x0", 2, 0},
        {"SHFL.UP PT, R12, R10, 0x2, 0x0", 1, 1},
        {"SHFL.UP PT, R12, R10, 0x1, 0x1800", 8, 8},
        {"SHFL.UP PT, R12, R10, 0x1, 0x1800", 9, 8},
        {"SHFL.DOWN PT, R12, R10, 0x2, 0x1f", 29, 31},
        {"SHFL.DOWN PT, R12, R10, 0x2, 0x1f", 30, 30},
        {"SHFL.DOWN PT, R12, R10, 0x1, 0x1807", 7, 7},
        {"SHFL.DOWN PT, R12, R10, 0x1, 0x1807", 6, 7},
        {"SHFL.BFLY PT, R12, R10, 0x10, 0x1f", 3, 19},
        {"SHFL.BFLY PT, R12, R10, 0x6, 0x1803", 3, 3},
        {"SHFL.IDX PT, R12, R10, R0, 0x1f", 7, 7},
    };
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        char own[200], want[400];
        snprintf(own, sizeof own, "LDG.E R10, [R8.64] ;\n%s ;\n" STORE, modes[i].mode);
        const bool by_register = strstr(modes[i].mode, "R0,") != NULL;
        const uint32_t lane = modes[i].lane, from = modes[i].from;
        snprintf(want, sizeof want,
                 "0 element 4 [>1]\n1 store out+%u:4 @6.%u=%u [R12>2]\n2 R12 @5.%u=%u [R10>3%s]\n"
                 "3 R10 @4.%u=%u [>%d]\n%s%d input x+%u:4=%u\n",
                 4 * lane, lane, 100 + from, lane, 100 + from, by_register ? " R0>4" : "", from,
                 100 + from, 4 + by_register, by_register ? "4 R0 @0.7=7\n" : "", 4 + by_register,
                 4 * from, 100 + from);
        element_is(own, 4 * lane, 4, &values_only, want);
    }
}

static void addresses_and_guards(void **state) {
    (void)state;
    static const char body[] = "ISETP.LT.U32.AND P2, PT, R0, 0x4, PT ;\n@P2 MOV R12, 0x5 ;\n"
                               "@P2 " STORE;
    element_is(body, 8, 4, &values_only,
               "0 element 4 [>1]\n1 store out+8:4 @6.2=5 [R12>2]\n2 R12 @5.2=5\n");
    element_is(body, 8, 4, &guards_only,
               "0 element 4 [>1]\n1 store out+8:4 @6.2=5 [R12>2 guard P2>3]\n"
               "2 R12 @5.2=5 [guard P2>3]\n3 P2 @4.2=1 [R0>4]\n4 R0 @0.2=2\n");
    struct run r = run_body(body);
    const uint64_t at = r.params[0] + 8;
    char want[600];
    struct fh_slice slice;
    snprintf(want, sizeof want,
             "0 element 4 [>1]\n"
             "1 store out+8:4 @6.2=5 [address R6>2 address R7>3 R12>4 guard P2>5]\n"
             "2 R6 @2.2=%u [>6 R0>7 R4>8]\n3 R7 @2.2=%u [>6 R0>7 R4>8]\n"
             "4 R12 @5.2=5 [guard P2>5]\n5 P2 @4.2=1 [R0>7]\n"
             "6 constant bank 0 0x160:8 @2\n7 R0 @0.2=2\n8 R4 @1.2=4\n",
             (unsigned)(uint32_t)at, (unsigned)(at >> 32));
    assert_true(fh_slice_make(&slice, r.journal, at, 4, NULL, &all));
    is(&r, &slice, want);
    const uint64_t value = 5;
    assert_true(fh_slice_make(&slice, r.journal, at, 4, &value, &values_only));
    is(&r, &slice, "0 element 4=5 [>1]\n1 store out+8:4 @6.2=5 [R12>2]\n2 R12 @5.2=5\n");
    run_end(&r);
}

static void memory(void **state) {
    (void)state;
    /* of another lane */
    element_is("IMAD R9, R0, 0x4, RZ ;\nIADD3 R10, R0, 0x32, RZ ;\nSTS [R9], R10 ;\n"
               "LOP3.LUT R11, R9, 0x7c, RZ, 0x3c, !PT ;\nLDS R12, [R11] ;\n" STORE,
               0, 4, &values_only,
               "0 element 4 [>1]\n1 store out+0:4 @9.0=81 [R12>2]\n2 R12 @8.0=81 [>3]\n"
               "3 store shared 124:4 @6.31=81 [R10>4]\n4 R10 @5.31=81 [R0>5]\n5 R0 @0.31=31\n");
    /* a lane's own, of a pair the second word */
    element_is(
        "MOV R10, 0x5 ;\nMOV R11, 0x6 ;\nSTL.64 [RZ+0x8], R10 ;\nLDL R12, [RZ+0xc] ;\n" STORE, 4, 4,
        &values_only,
        "0 element 4 [>1]\n1 store out+4:4 @8.1=6 [R12>2]\n2 R12 @7.1=6 [>3]\n"
        "3 store local 12:4 @6.1=6 [R11>4]\n4 R11 @5.1=6\n");
    element_is("MOV R10, 0x5 ;\nMOV R11, 0x6 ;\nSTL [RZ+0x8], R10 ;\nSTL [RZ+0xc], R11 ;\n"
               "LDL.64 R20, [RZ+0x8] ;\nMOV R12, R21 ;\n" STORE,
               4, 4, &values_only,
               "0 element 4 [>1]\n1 store out+4:4 @10.1=6 [R12>2]\n2 R12 @9.1=6 [R21>3]\n"
               "3 R21 @8.1=6 [>4]\n4 store local 12:4 @7.1=6 [R11>5]\n5 R11 @5.1=6\n");
    /* bytes of several stores, one by one; the rest is of one */
    element_is("MOV R10, 0x11223344 ;\nMOV R11, 0x55 ;\nSTS [RZ], R10 ;\nSTS.U8 [RZ+0x1], R11 ;\n"
               "LDS R12, [RZ] ;\n@!PT NOP ;\n" STORE,
               0, 4, &values_only,
               "0 element 4 [>1]\n1 store out+0:4 @10.0=287462724 [R12>2]\n"
               "2 R12 @8.0=287462724 [>3 >4 >5]\n"
               "3 store shared 0:1 @6.31=68 [R10>6]\n4 store shared 1:1 @7.31=85 [R11>7]\n"
               "5 store shared 2:2 @6.31=4386 [R10>6]\n"
               "6 R10 @4.31=287454020\n7 R11 @5.31=85\n");
    /* what nobody wrote */
    element_is("LDS R12, [RZ+0x10] ;\n" STORE, 0, 4, &values_only,
               "0 element 4 [>1]\n1 store out+0:4 @5.0=0 [R12>2]\n2 R12 @4.0=0 [>3]\n"
               "3 initial shared 16:4=0\n");
    element_is("MOV R12, R30 ;\n" STORE, 0, 4, &values_only,
               "0 element 4 [>1]\n1 store out+0:4 @5.0=0 [R12>2]\n2 R12 @4.0=0 [R30>3]\n"
               "3 initial R30 @4\n");
    /* an atomic operation: what was there, and all that was added */
    element_is("ISETP.LT.U32.AND P2, PT, R0, 0x2, PT ;\nMOV R14, out ;\nMOV R15, c[0x0][0x164] ;\n"
               "IADD3 R12, R0, 0x8, RZ ;\n@P2 RED.E.ADD.STRONG.GPU [R14.64], R12 ;\n",
               0, 4, &values_only,
               "0 element 4 [>1]\n1 store out+0:4 @8.1 [before>2 R12>3 R12>4]\n"
               "2 initial out+0:4\n3 R12 @7.0=8 [R0>5]\n4 R12 @7.1=9 [R0>6]\n"
               "5 R0 @0.0=0\n6 R0 @0.1=1\n");
    /* an element of two words; a byte of a word */
    element_is("MOV R12, 0x11223344 ;\n" STORE, 4, 8, &values_only,
               "0 element 8 [>1 >2]\n1 store out+4:4 @5.1=287454020 [R12>3]\n"
               "2 store out+8:4 @5.2=287454020 [R12>4]\n3 R12 @4.1=287454020\n"
               "4 R12 @4.2=287454020\n");
    element_is("MOV R12, 0x11223344 ;\n" STORE, 6, 1, &values_only,
               "0 element 1 [>1]\n1 store out+6:1 @5.1=34 [R12>2]\n2 R12 @4.1=287454020\n");
    /* an asynchronous copy */
    element_is(
        "IMAD R20, R0, 0x4, RZ ;\nLDGSTS.E [R20], [R8.64] ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\n"
        "LDS R12, [R20] ;\n" STORE,
        12, 4, &values_only,
        "0 element 4 [>1]\n1 store out+12:4 @9.3=103 [R12>2]\n2 R12 @8.3=103 [>3]\n"
        "3 store shared 12:4 @5.3=103 [>4]\n4 input x+12:4=103\n");
}

static void uniform(void **state) {
    (void)state;
    element_is("UMOV UR4, 0x5 ;\nUIADD3 UR6, UR4, 0x3, URZ ;\nIADD3 R12, R0, UR6, RZ ;\n" STORE, 8,
               4, &values_only,
               "0 element 4 [>1]\n1 store out+8:4 @7.2=10 [R12>2]\n2 R12 @6.2=10 [R0>3 UR6>4]\n"
               "3 R0 @0.2=2\n4 UR6 @5.0=8 [UR4>5]\n5 UR4 @4.0=5\n");
    element_is("R2UR UR6, R0 ;\nIADD3 R12, R4, UR6, RZ ;\n" STORE, 8, 4, &values_only,
               "0 element 4 [>1]\n1 store out+8:4 @6.2=4 [R12>2]\n2 R12 @5.2=4 [R4>3 UR6>4]\n"
               "3 R4 @1.2=4\n4 UR6 @4.0=0 [R0>5]\n5 R0 @0.0=0\n");
    element_is("ISETP.EQ.U32.AND P1, PT, R0, 0x2, PT ;\nSEL R12, R4, 0x9, P1 ;\n" STORE, 8, 4,
               &values_only,
               "0 element 4 [>1]\n1 store out+8:4 @6.2=4 [R12>2]\n2 R12 @5.2=4 [R4>3 P1>4]\n"
               "3 R4 @1.2=4\n4 P1 @4.2=1 [R0>5]\n5 R0 @0.2=2\n");
    element_is("ULDC UR6, p ;\nMOV R12, UR6 ;\n" STORE, 8, 4, &values_only,
               "0 element 4 [>1]\n1 store out+8:4 @6.2=7 [R12>2]\n2 R12 @5.2=7 [UR6>3]\n"
               "3 UR6 @4.0=7 [>4]\n4 constant bank 0 0x178:4 @4\n");
    struct run r =
        run_body("ISETP.EQ.U32.AND P1, PT, R0, 0x2, PT ;\n@P1 IADD3 R12, R0, R4, RZ ;\n");
    struct fh_slice slice;
    assert_true(fh_slice_make_step(&slice, r.journal, 5, 2, &all));
    is(&r, &slice,
       "0 element @5 [R0>1 R4>2 guard P1>3]\n1 R0 @0.2=2\n2 R4 @1.2=4\n3 P1 @4.2=1 [R0>1]\n");
    assert_true(fh_slice_make_step(&slice, r.journal, 5, 3, &values_only));
    is(&r, &slice, "0 element @5 [R0>1 R4>2]\n1 R0 @0.3=3\n2 R4 @1.3=4\n");
    assert_true(fh_slice_make_register(&slice, r.journal, 5, FHEC_FILE_R, 12, 2, &values_only));
    is(&r, &slice, "0 R12 @5.2=6 [R0>1 R4>2]\n1 R0 @0.2=2\n2 R4 @1.2=4\n");
    run_end(&r);
}

/* The element of lane 5's first register of D, [1][2]: which value the operands give. */
static void products(void **state) {
    (void)state;
#define REGISTERS                                                                                  \
    "MOV R24, R20 ;\nMOV R25, R20 ;\nMOV R26, R21 ;\nMOV R36, R22 ;\nMOV R37, RZ ;\n"              \
    "MOV R38, RZ ;\nMOV R39, RZ ;\n"
#define FHEC_REGISTERS                                                                             \
    "MOV R24, 0x5 ;\nMOV R25, 0x5 ;\nMOV R26, 0x5 ;\nMOV R27, 0x5 ;\nMOV R28, 0x5 ;\n"             \
    "MOV R29, 0x5 ;\nMOV R30, 0x5 ;\nMOV R31, 0x5 ;\nMOV R32, 0x6 ;\nMOV R33, 0x6 ;\n"             \
    "MOV R34, 0x6 ;\nMOV R35, 0x6 ;\nMOV R36, 0x3 ;\nMOV R37, 0x3 ;\nMOV R38, 0x3 ;\n"             \
    "MOV R39, 0x3 ;\nUMOV UR9, 0x0 ;\nUMOV UR10, 0x92492492 ;\nUMOV UR11, 0x24924924 ;\n"
#define FHEC "FHEC.16816.U32.U32 R40, R24.ROW, R32.COL, R36, UR8 ;\n"
    static const struct {
        const char *body;
        enum fh_slice_product product;
        uint32_t right;
    } cases[] = {
        {"MOV R20, 0xffffffff ;\nMOV R21, 0x2020202 ;\nMOV R22, 0x7 ;\n" REGISTERS
         "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, 16 * 255 * 2 + 7},
        {"MOV R20, 0xffffffff ;\nMOV R21, 0x2020202 ;\nMOV R22, 0x7 ;\n" REGISTERS
         "IMMA.16816.S8.U8 R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, 7u - 32},
        {"MOV R20, 0x2020202 ;\nMOV R21, 0xffffffff ;\nMOV R22, 0x7 ;\n" REGISTERS
         "IMMA.16816.S8.U8 R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, 16 * 255 * 2 + 7},
        {"MOV R20, 0x80808080 ;\nMOV R21, 0x80808080 ;\nMOV R22, 0x7fffffff ;\n" REGISTERS
         "IMMA.16816.S8.S8.SAT R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, INT32_MAX},
        {"MOV R20, 0x80808080 ;\nMOV R21, 0x7f7f7f7f ;\nMOV R22, 0x80000000 ;\n" REGISTERS
         "IMMA.16816.S8.S8.SAT R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, 0x80000000},
        {"MOV R20, 0x80808080 ;\nMOV R21, 0x80808080 ;\nMOV R22, 0x7fffffff ;\n" REGISTERS
         "IMMA.16816.S8.S8 R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_RIGHT, 0x7fffffffu + 16 * 128 * 128},
        {"MOV R20, 0x1010101 ;\nMOV R21, 0x2020202 ;\nMOV R22, 0x7 ;\n" REGISTERS
         "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\n",
         FH_PRODUCT_RIGHT, 32},
        {"MOV R21, 0x2020202 ;\nMOV R24, 0x1 ;\nMOV R26, R21 ;\nMOV R25, RZ ;\n" /* C: nobody's */
         "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, R36 ;\n",
         FH_PRODUCT_UNKNOWN, 0},
        {FHEC_REGISTERS "UMOV UR8, 0x7 ;\n" FHEC, FH_PRODUCT_RIGHT, (16 * 30 + 3) % 7},
        {"MOV R24, RZ ;\nMOV R26, RZ ;\nMOV R36, RZ ;\n" /* of floating point numbers none is told
                                                          */
         "HMMA.1688.F32 R40, R24, R26, R36 ;\n",
         FH_PRODUCT_UNKNOWN, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char body[2000];
        struct fh_slice slice;
        snprintf(body, sizeof body, "%sMOV R12, R40 ;\n" STORE, cases[i].body);
        struct run r = run_body(body);
        assert_true(fh_slice_make(&slice, r.journal, r.params[0] + 20, 4, NULL, &values_only));
        const struct fh_slice_node *n = &slice.nodes[3];
        assert_int_equal(n->reg, 40);
        assert_int_equal(n->lane, 5);
        assert_int_equal(n->is_matrix, true);
        assert_int_equal(n->element.row, 1);
        assert_int_equal(n->element.column, 2);
        assert_int_equal(n->inner, strstr(body, "HMMA") ? 8 : 16);
        if (n->product != cases[i].product ||
            (n->product != FH_PRODUCT_UNKNOWN && n->right != cases[i].right))
            fail_msg("%s: %d, 0x%llx", body, (int)n->product, (unsigned long long)n->right);
        fh_slice_free(&slice);
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(through_lanes),
        cmocka_unit_test(addresses_and_guards),
        cmocka_unit_test(memory),
        cmocka_unit_test(uniform),
    };
    return cmocka_run_group_tests_name("difference_slice", tests, NULL, NULL);
}
