/* What is said of races, copies and barriers: which lane of which warp and block did what to what
 * another one did, where both are, what lies there, and what would have made an order. */
#include "race_util.h"

static void say_place(const struct fh_place *place, char *text, size_t size) {
    snprintf(text, size, "@%d %u,%u/%u %08x", race_instruction(place), place->block[0],
             place->block[1], place->warp, place->lanes);
}

/* All findings, one a line: "C021 @1 0,0/1 00000001, was written here @0 0,0/0 00000001, x+4: ...".
 */
static void said(uint32_t grid, uint32_t block, const char *ids, const char *body,
                 const char *want) {
    const struct race_case c = {body, grid, block, body, ids};
    struct fh_findings *findings = race_findings(&c);
    char text[4096] = "";
    for (size_t i = 0; i < fh_findings_count(findings); i++) {
        const struct fh_finding *f = fh_findings_get(findings, i);
        char at[64], other[64];
        size_t used = strlen(text);
        say_place(&f->at, at, sizeof at);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s %s", fh_finding_id(f->kind), at);
        if (f->other.program) {
            say_place(&f->other, other, sizeof other);
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s %s", f->role, other);
        }
        assert_non_null(strstr(body, f->source.text)); /* and the word is that of the place */
        if (f->other.program)
            assert_non_null(strstr(body, f->other_source.text));
        if (f->has_memory)
            used += (size_t)snprintf(
                text + used, sizeof text - used, ", %s %s+%u", fhec_space_name(f->space),
                f->object.name ? f->object.name : "?", (unsigned)f->object.offset);
        snprintf(text + used, sizeof text - used, ": %s\n", f->message);
    }
    fh_findings_free(findings);
    assert_string_equal(text, want);
}

#define WARP0 "warp 0 of block 0,0,0 "

static void races(void **state) {
    (void)state;
    said(1, 32, "C020", "STG.E [R2.64+0x8], R7 ;\n",
         "C020 @0 0,0/0 00000002, was written here @0 0,0/0 00000001, global x+8: lane 1 of " WARP0
         "writes what lane 0 of " WARP0
         "wrote: lanes of one instruction come in no order; expected "
         "one of them, a place for each, or an atomic operation\n");
    said(1, 32, "C020", "@P0 STG.E [R2.64], R11 ;\n@!P0 LDG.E R9, [R2.64] ;\n",
         "C020 @1 0,0/0 00000002, was written here @0 0,0/0 00000001, global x+0: lane 1 of " WARP0
         "reads what lane 0 of " WARP0 "wrote: lanes of a warp come in no order of their own; a "
         "WARPSYNC is missing between the two\n");
    said(1, 32, "C020", "@!P0 LDG.E R9, [R2.64] ;\n@P0 STG.E [R2.64], R11 ;\n",
         "C020 @1 0,0/0 00000001, was read here @0 0,0/0 fffffffe, global x+0: lane 0 of " WARP0
         "writes what lane 1 of " WARP0 "read: lanes of a warp come in no order of their own; a "
         "WARPSYNC is missing between the two\n");
    said(1, 64, "C021", "@P4 STS [R10+0x10], R11 ;\n@!P1 LDS R9, [R10+0x10] ;\n",
         "C021 @1 0,0/1 00000001, was written here @0 0,0/0 00000001, shared s+16: lane 0 of warp "
         "1 of block 0,0,0 reads what lane 0 of " WARP0
         "wrote: a BAR.SYNC is missing between the two\n");
    said(1, 64, "C021", "@P4 STG.E [R2.64], R11 ;\n@!P1 RED.E.ADD.STRONG.GPU [R2.64], R11 ;\n",
         "C021 @1 0,0/1 00000001, was written here @0 0,0/0 00000001, global x+0: lane 0 of warp 1 "
         "of block 0,0,0 writes what lane 0 of " WARP0
         "wrote: one of them is atomic or .STRONG, and the other one is not; expected both, or a "
         "BAR.SYNC between the two\n");
    said(
        3, 32, "C022", "IADD3 R9, R1, 0x1, RZ ;\n@P4 STG.E [R2.64], R9 ;\n",
        "C022 @1 1,0/0 00000001, was written here @1 0,0/0 00000001, global x+0: lane 0 of warp 0 "
        "of block 1,0,0 writes what lane 0 of " WARP0
        "wrote: blocks of a launch come in no order; expected two launches, or MEMBAR.SC.GPU and a "
        "strong write, which the other block reads before\n");
}

static void scopes(void **state) {
    (void)state;
    said(2, 32, "C023", "@P4 RED.E.ADD.STRONG.SM [R2.64], R11 ;\n",
         "C023 @0 1,0/0 00000001, was written here @0 0,0/0 00000001, global x+0: lane 0 of warp 0 "
         "of block 1,0,0 writes what lane 0 of " WARP0
         "wrote: an operation that says .SM holds within its block only; expected .GPU in both\n");
    said(2, 32, "C022",
         "@P4 RED.E.ADD.STRONG.GPU [R2.64], R11 ;\nISETP.GT.U32.AND P5, PT, R1, RZ, P4 "
         ";\n@P5 LDG.E R9, [R2.64] ;\n",
         "C022 @2 1,0/0 00000001, was written here @0 0,0/0 00000001, global x+0: lane 0 of warp 0 "
         "of block 1,0,0 reads what lane 0 of " WARP0
         "wrote: one of them is atomic or .STRONG, and the other one is not; expected both, or two "
         "launches\n");
}

static void copies(void **state) {
    (void)state;
    said(
        1, 32, "C040", "LDGSTS.E [R6], [R4.64] ;\nLDS R9, [R6] ;\n",
        "C040 @1 0,0/0 00000001, was copied to here @0 0,0/0 00000001, shared s+0: lane 0 of " WARP0
        "reads what lane 0 of " WARP0 "copies: a DEPBAR that waits for the copy is missing between "
        "the two\n");
    said(
        1, 32, "C041", "LDGSTS.E [R6], [R4.64] ;\nSTS [R6], R11 ;\n",
        "C041 @1 0,0/0 00000001, was copied to here @0 0,0/0 00000001, shared s+0: lane 0 of " WARP0
        "writes what lane 0 of " WARP0
        "copies: a DEPBAR that waits for the copy is missing between "
        "the two\n");
    said(1, 64, "C040",
         "@P1 LDGSTS.E [R6], [R4.64] ;\n"
         "@!P1 LDS R9, [R6+-0x80] ;\n",
         "C040 @1 0,0/1 00000001, was copied to here @0 0,0/0 00000001, shared s+0: lane 0 of warp "
         "1 "
         "of block 0,0,0 reads what lane 0 of " WARP0
         "copies: a DEPBAR that waits for the copy, in the warp that copies, and a BAR.SYNC behind "
         "it are missing between the two\n");
    said(1, 32, "C042", "@P0 LDS R9, [R10+0x4] ;\nLDGSTS.E [R6], [R4.64] ;\n",
         "C042 @1 0,0/0 00000002, was read here @0 0,0/0 00000001, shared s+4: lane 1 of " WARP0
         "copies to what lane 0 of " WARP0 "read: a WARPSYNC is missing between the two\n");
    said(1, 64, "C042", "@P4 STS [R10+0x80], R11 ;\n@!P1 LDGSTS.E [R6], [R4.64] ;\n",
         "C042 @1 0,0/1 00000001, was written here @0 0,0/0 00000001, shared s+128: lane 0 of warp "
         "1 "
         "of block 0,0,0 copies to what lane 0 of " WARP0
         "wrote: a BAR.SYNC is missing between the two\n");
}

static void barriers(void **state) {
    (void)state;
    said(1, 32, "C030", "@P3 BAR.SYNC 0x0 ;\n@!P3 BAR.SYNC 0x0 ;\n",
         "C030 @0 0,0/0 0000ffff: lanes 0x0000ffff of warp 0 come to the barrier without lanes "
         "0xffff0000; expected all lanes of the warp together\n"
         "C030 @1 0,0/0 ffff0000: lanes 0xffff0000 of warp 0 come to the barrier without lanes "
         "0x0000ffff; expected all lanes of the warp together\n");
    said(1, 40, "C031", "@P0 EXIT ;\nBAR.SYNC 0x0 ;\n",
         "C031 @1 0,0/0 fffffffe, ended here @0 0,0/0 00000001: lanes 0x00000001 of warp 0 have "
         "ended "
         "before the barrier that lanes 0xfffffffe come to; expected all lanes of the warp\n");
    said(1, 32, "C031", "@!P0 EXIT ;\nBAR.SYNC 0x0 ;\n",
         "C031 @1 0,0/0 00000001, ended here @0 0,0/0 fffffffe: lanes 0xfffffffe of warp 0 have "
         "ended "
         "before the barrier that lanes 0x00000001 come to; expected all lanes of the warp\n");
    said(1, 64, "C032", "@P1 BAR.ARV 0x1, 0x30 ;\n@!P1 BAR.SYNC 0x1, 0x30 ;\n",
         "C032 @0 0,0/0 ffffffff: barrier 1 expects 48 threads, which is no multiple of 32\n"
         "C032 @1 0,0/1 ffffffff: barrier 1 expects 48 threads, which is no multiple of 32\n");
    said(1, 64, "C032", "@P1 BAR.SYNC 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x1 ;\n",
         "C032 @1 0,0/1 ffffffff, came first here @0 0,0/0 ffffffff: barrier 1 has no count here, "
         "and "
         "one where others came to it first\n");
    said(1, 64, "C032 C036", "BAR.SYNC 0x1, 0x60 ;\n",
         "C032 @0 0,0/0 ffffffff: barrier 1 expects 96 threads, and the block has 64\n"
         "C036 @0 0,0/0 ffffffff: lane 0 of warp 0 waits at barrier 1, where 64 of 96 threads have "
         "come, and is never let go: nobody else is awaited\n");
    said(
        1, 96, "C036", "@P1 BAR.SYNC 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x2, 0x60 ;\n",
        "C036 @0 0,0/0 ffffffff, does not come from here @1 0,0/1 00000001: lane 0 of warp 0 waits "
        "at barrier 1, where 32 of 64 threads have come, and is never let go: lane 0 of warp 1 "
        "waits "
        "at barrier 2\n"
        "C036 @1 0,0/1 ffffffff, does not come from here @0 0,0/0 00000001: lane 0 of warp 1 waits "
        "at barrier 2, where 64 of 96 threads have come, and is never let go: lane 0 of warp 0 "
        "waits "
        "at barrier 1\n");

    said(
        1, 64, "C036", "@!P1 EXIT ;\nBAR.SYNC 0x1, 0x40 ;\n",
        "C036 @1 0,0/0 ffffffff, does not come from here @0 0,0/1 00000001: lane 0 of warp 0 waits "
        "at barrier 1, where 32 of 64 threads have come, and is never let go: lane 0 of warp 1 has "
        "ended\n");
    said(
        1, 64, "C031 C032 C036", "@P1 BRA all ;\n@!P0 EXIT ;\nall: BAR.SYNC 0x1, 0x60 ;\n",
        "C031 @2 0,0/1 00000001, ended here @1 0,0/1 fffffffe: lanes 0xfffffffe of warp 1 have "
        "ended before the barrier that lanes 0x00000001 come to; expected all lanes of the warp\n"
        "C032 @2 0,0/0 ffffffff: barrier 1 expects 96 threads, and the block has 64\n"
        "C036 @2 0,0/0 ffffffff, does not come from here @1 0,0/1 00000002: lane 0 of warp 0 waits "
        "at barrier 1, where 33 of 96 threads have come, and is never let go: lane 1 of warp 1 has "
        "ended\n");
}

static void warpsyncs(void **state) {
    (void)state;
    said(1, 32, "C033", "WARPSYNC 0xffff ;\n",
         "C033 @0 0,0/0 ffff0000: lane 16 waits for the lanes 0x0000ffff, of which it is none; "
         "expected it in its own mask\n");
    said(
        1, 32, "C033", "MOV R9, 0x1ffff ;\n@!P3 MOV R9, 0xffff0000 ;\nWARPSYNC R9 ;\n",
        "C033 @2 0,0/0 ffffffff: lane 0 waits for the lanes 0x0001ffff and lane 16 for 0xffff0000; "
        "expected the same mask in all lanes that it names\n");
    said(1, 32, "", "MOV R9, 0xffff ;\n@!P3 MOV R9, 0xffff0000 ;\nWARPSYNC R9 ;\n", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races),    cmocka_unit_test(scopes),    cmocka_unit_test(copies),
        cmocka_unit_test(barriers), cmocka_unit_test(warpsyncs),
    };
    return cmocka_run_group_tests_name("race_messages", tests, NULL, NULL);
}
