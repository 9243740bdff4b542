/*
 * base_nearest_test.c - the one matcher of names: what is near, what is not, and which of several
 * near ones is taken. Expected edits are counted by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "nearest.h"

static const char *const mnemonics[] = {"BAR",   "DADD", "FADD", "IADD3",
                                        "ISETP", "LOP3", "MOV",  "UMOV"};
static const char *const commands[] = {"layout", "isa", "run", "bconv", "ntt", "as", "dis"};
static const char *const names[] = {"a", "q", "loop", "twiddle_table", "keyswitch", "SR_TID.X"};

#define NEAR(wanted, list) fh_nearest_of(wanted, list, sizeof(list) / sizeof *(list))

static void what_is_near(void **state) {
    (void)state;
    assert_string_equal(NEAR("IADD4", mnemonics), "IADD3"); /* changed */
    assert_string_equal(NEAR("IADD", mnemonics), "IADD3");  /* left out */
    assert_string_equal(NEAR("MOVE", mnemonics), "MOV");    /* inserted */
    assert_string_equal(NEAR("OMV", mnemonics), "MOV");     /* swapped, at the beginning */
    assert_string_equal(NEAR("ISTEP", mnemonics), "ISETP"); /* swapped */
    assert_string_equal(NEAR("layuot", commands), "layout");
    assert_string_equal(NEAR("bcon", commands), "bconv");
    assert_string_equal(NEAR("rum", commands), "run");
    assert_string_equal(NEAR("twidle_tabel", names), "twiddle_table");
    assert_string_equal(NEAR("SR_TDI.X", names), "SR_TID.X");
}

/* The first three are those that the old matchers took. */
static void what_is_not(void **state) {
    (void)state;
    assert_null(NEAR("AND", mnemonics));
    assert_null(NEAR("loop", mnemonics));
    static const char *const only_a[] = {"a"};
    assert_null(NEAR("Q", only_a));
    assert_null(NEAR("XOV", mnemonics)); /* one edit of three letters, and another beginning */
    assert_null(NEAR("FHEC.17", mnemonics));
    assert_null(NEAR("xyzzy", commands));
    assert_null(NEAR("ax", commands));     /* one edit of two letters */
    assert_null(NEAR("kexyzitch", names)); /* three edits of nine letters */
    assert_null(NEAR("", names));
    assert_null(fh_nearest_of("run", commands, 0));
}

static void case_comes_first(void **state) {
    (void)state;
    assert_string_equal(NEAR("Q", names), "q");
    assert_string_equal(NEAR("LOOP", names), "loop");
    assert_string_equal(NEAR("iadd4", mnemonics), "IADD3");
    static const char *const both[] = {"STEP1", "step", "steps"};
    assert_string_equal(NEAR("STEPS", both), "steps");
}

/* Fewer edits, then the longer common beginning, then the first that was tried. */
static void which_of_several(void **state) {
    (void)state;
    static const char *const edits[] = {"counters", "countre", "counter"};
    assert_string_equal(NEAR("counterx", edits), "counters");
    assert_string_equal(fh_nearest_of("counter_", edits + 1, 2), "counter");
    static const char *const beginnings[] = {"xalue", "valux", "valuy"};
    assert_string_equal(NEAR("value", beginnings), "valux");
}

static void lengths_are_bounded(void **state) {
    (void)state;
    char huge[4096];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    const char *const one[] = {huge};
    assert_null(fh_nearest_of("run", one, 1));
    assert_null(fh_nearest_of(huge, commands, 7));
    assert_null(fh_nearest_of(huge, one, 1));
    huge[64] = '\0';
    assert_ptr_equal(fh_nearest_of(huge, one, 1), huge);
    /* No NUL is needed. */
    struct fh_nearest n;
    fh_nearest_begin(&n, "MOVING", 3);
    fh_nearest_try(&n, "MOVER", 3);
    assert_int_equal(n.best_length, 3);
    assert_int_equal(n.edits, 0);
}

/* Of what a hash table has the same name is taken, whatever the order in the table. */
static void order_does_not_matter(void **state) {
    static const char *const labels[] = {"loop3", "loop1", "loop2"};
    (void)state;
    for (size_t first = 0; first < 3; first++) {
        struct fh_nearest n;
        fh_nearest_begin(&n, "loop", 4);
        for (size_t i = 0; i < 3; i++)
            fh_nearest_try_unordered(&n, labels[(first + i) % 3], 5);
        assert_memory_equal(n.best, "loop1", 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near),          cmocka_unit_test(what_is_not),
        cmocka_unit_test(order_does_not_matter), cmocka_unit_test(case_comes_first),
        cmocka_unit_test(which_of_several),      cmocka_unit_test(lengths_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
