/* What is kept of a word of global memory at the end of a launch: its last write, and of what was
 * before it and behind it only that with which something to come could race, and not with what came
 * later (race_cell.c). */
#include "race_util.h"

#include "check_race.h"
#include "race_engine.h"

enum { MOST = 200 };

struct looking {
    struct fh_race *race;
    uint64_t x;
    char text[2000];
};

static void say_past(struct looking *l, const struct fh_past *past) {
    static const char *const kinds[FH_ACCESS_KINDS] = {
        "read",    "read.sm",  "read.gpu", "store",    "store.sm", "store.gpu",
        "atom.sm", "atom.gpu", "swap.sm",  "swap.gpu", "copy"};
    static const char *const relations[] = {"", " before", " behind"};
    const size_t used = strlen(l->text);
    snprintf(l->text + used, sizeof l->text - used, "%s%s w%u %x%s",
             used && l->text[used - 1] != ' ' ? ", " : "", kinds[fh_code_kind(past->code)],
             past->warp, past->lanes, relations[fh_code_relation(past->code)]);
}

static int by_kind(const void *left, const void *right) {
    const struct fh_past *a = left, *b = right;
    const uint64_t x = (uint64_t)fh_code_kind(a->code) << 32 | a->warp;
    const uint64_t y = (uint64_t)fh_code_kind(b->code) << 32 | b->warp;
    return x < y ? -1 : x > y;
}

/* Before the checker forgets it: "last write | others, by kind and warp". */
static void look(void *user, const fhec_event *event) {
    struct looking *l = user;
    struct fh_past others[MOST];
    size_t count = 0;
    if (event->kind != FHEC_EVENT_LAUNCH_END)
        return;
    struct fh_cell_page *page = fh_touched_page(&l->race->global, l->x, 4);
    const struct fh_cell *cell = &page->cells[l->x % FH_PAGE_BYTES >> page->shift];
    const struct fh_past *other = &cell->other;
    if (cell->write.time)
        say_past(l, &cell->write);
    strcat(l->text, *l->text ? " | " : "| ");
    if (other->time && other->warp != FH_IN_LIST)
        others[count++] = *other;
    if (other->time && other->warp == FH_IN_LIST) {
        const struct fh_list *list = &l->race->global.lists[other->lanes];
        for (uint32_t i = 0; i < list->count; i++)
            others[count++] = list->kept[i].past;
        for (uint32_t i = 0; i < list->capacity; i++)
            if (list->table[i].past.lanes) /* what stands there for all of the table */
                others[count++] =
                    list->before
                        ? (struct fh_past){1, list->table[i].past.warp, list->table[i].past.lanes,
                                           fh_code_related(list->table[i].past.code, FH_BEFORE)}
                        : list->table[i].past;
    }
    qsort(others, count, sizeof *others, by_kind);
    for (size_t i = 0; i < count; i++)
        say_past(l, &others[i]);
}

static bool failed; /* shows all that is wrong */

static void kept(uint32_t block, const char *body, const char *want) {
    char text[4096];
    struct looking l = {.text = ""};
    unsigned number;
    void *state = NULL;
    fhec_program *program;
    fhec_machine *machine;
    const fhec_machine_options options = {.threads = 1};
    const fhec_observer observer = {
        .user = &l, .filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END), .event = look};
    struct fh_findings *findings = fh_findings_new();
    const int length = snprintf(
        text, sizeof text,
        ".target sm_80\n.kernel k\n.param x, 8\nS2R R0, SR_TID.X ;\nMOV R2, x ;\n"
        "MOV R3, c[0x0][0x164] ;\nISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\n"
        "ISETP.EQ.U32.AND P1, PT, R0, 0x20, PT ;\nISETP.EQ.U32.AND P2, PT, R0, 0x40, PT ;\n"
        "%sEXIT ;\n.end\n",
        body);
    assert_int_equal(fhec_assemble("k", text, (size_t)length, NULL, &program), FHEC_OK);
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fhec_observe(machine, &observer, &number), FHEC_OK);
    assert_int_equal(fh_check_race.begin(machine, findings, &state), FHEC_OK);
    l.race = state;
    assert_int_equal(fhec_alloc(machine, "x", 256, 0, &l.x), FHEC_OK);
    const fhec_launch launch = {.program = program,
                                .grid = {1, 1, 1},
                                .block = {block, 1, 1},
                                .params = &l.x,
                                .param_bytes = 8};
    assert_int_equal(fhec_run(machine, &launch), FHEC_OK);
    if (strcmp(l.text, want) != 0)
        print_error("%s\n   -> %s\n not %s\n", body, l.text, want);
    failed |= strcmp(l.text, want) != 0;
    assert_int_equal(fh_check_race.end(state), FHEC_OK);
    fh_findings_free(findings);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

#define BAR  "BAR.SYNC 0x0 ;\n"
#define LD   "LDG.E R9, [R2.64] ;\n"
#define ST   "STG.E [R2.64], R0 ;\n"
#define ZERO "STG.E [R2.64], RZ ;\n"
#define ADD  "RED.E.ADD.STRONG.GPU [R2.64], R0 ;\n"
#define ALL  " ffffffff"

/* Reads of all warps; those of eight are more than stand in the list. */
#define READS(how) "read w0" ALL how ", read w1" ALL how ", read w2" ALL how
#define MORE(how)                                                                                  \
    ", read w3" ALL how ", read w4" ALL how ", read w5" ALL how ", read w6" ALL how                \
    ", read w7" ALL how

static void reads(void **state) {
    (void)state;
    kept(96, "@P0 " LD, "| read w0 1 behind");
    kept(96, LD, "| " READS(" behind"));
    kept(96, LD BAR LD, "| " READS(" behind")); /* whoever races with the first ones ... */
    kept(96, LD BAR "@P1 " LD, "| read w1 1 behind");
    kept(256, LD, "| " READS(" behind") MORE(" behind"));
    kept(256, LD BAR LD, "| " READS(" behind") MORE(" behind"));
    kept(96, "@P0 " ST BAR LD, "store w0 1 | " READS(" behind"));
    kept(96, "@P0 " ST BAR LD BAR "@P1 " LD, "store w0 1 | read w1 1 behind");
    kept(256, "@P0 " ST BAR LD, "store w0 1 | " READS(" behind") MORE(" behind"));
}

static void writes(void **state) {
    (void)state;
    kept(96, "@P0 " ST, "store w0 1 | ");
    /* a store of what the first one left would race with that alone */
    kept(96, "@P0 " ST BAR "@P1 " ST, "store w1 1 | store w0 1 before");
    kept(96, "@P0 " ZERO BAR "@P1 " ZERO, "store w1 1 | "); /* both left the same */
    kept(96, LD BAR "@P1 " ST, "store w1 1 | " READS(" before"));
    kept(96, LD BAR "@P1 " ZERO, "store w1 1 | " READS(" before"));
    kept(256, LD BAR "@P1 " ST, "store w1 1 | " READS(" before") MORE(" before"));
    /* whatever stores races with the read between the two */
    kept(96, "@P0 " ST BAR LD BAR "@P1 " ST, "store w1 1 | " READS(" before"));
    kept(96, "@P0 " ST BAR "@P1 " ST BAR "@P2 " LD, "store w1 1 | read w2 1 behind");
    kept(96, LD BAR "@P1 " ST BAR LD, "store w1 1 | " READS(" behind"));
    kept(256, LD BAR "@P1 " ST BAR LD, "store w1 1 | " READS(" behind") MORE(" behind"));
    /* an order that is none: all stay, and it is a race */
    kept(96, "@P0 " ST "@P1 " LD, "store w0 1 | read w1 1");
}

#define ADDS "atom.gpu w0" ALL ", atom.gpu w1" ALL

static void atomics(void **state) {
    (void)state;
    kept(96, ADD, "atom.gpu w2" ALL " | " ADDS);
    kept(96, ADD BAR ADD, "atom.gpu w2" ALL " | " ADDS);
    kept(96, ADD BAR "@P1 " ST,
         "store w1 1 | atom.gpu w0" ALL " before, atom.gpu w1" ALL " before, atom.gpu w2" ALL
         " before");
    /* what is plain races with atomics that are in no order behind it, but for the atomics' own */
    kept(96, "@P0 " ST BAR ADD, "atom.gpu w2" ALL " | store w0 1, " ADDS);
    kept(96, LD BAR ADD, "atom.gpu w2" ALL " | " READS("") ", " ADDS);
}

static void all_as_wanted(void **state) {
    (void)state;
    assert_false(failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(writes),
                                       cmocka_unit_test(atomics), cmocka_unit_test(all_as_wanted)};
    return cmocka_run_group_tests_name("race_kept", tests, NULL, NULL);
}
