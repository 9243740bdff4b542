/*
 * cli_output_test.c - output files: all of them appear at commit, none before; what a signal does
 * before and during that.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "output.h"
#include "temporary.h"

static const struct fh_cli quiet = {.command = "test", .silent = true};

/* Files in a folder of their own. */
static int make_folder(void **state) {
    static char folder[64];
    strcpy(folder, "/tmp/fhec-cli-XXXXXX");
    *state = mkdtemp(folder);
    return *state ? chdir(folder) : -1;
}

/* Fails if the test leaves a file there. */
static int remove_folder(void **state) {
    return chdir("/") || rmdir(*state);
}

static fhec_status put(struct fh_cli_outputs *outputs, const char *path, const char *text) {
    fhec_status status = fh_cli_output_add(&quiet, outputs, path);
    if (status == FHEC_OK)
        status = fh_cli_output_write(&quiet, outputs, path, text, strlen(text));
    return status;
}

static off_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void outputs_appear_together(void **state) {
    (void)state;
    struct fh_cli_outputs outputs = {NULL, 0};
    assert_int_equal(put(&outputs, "one", "111"), FHEC_OK);
    assert_int_equal(size_of("one"), -1);
    assert_int_equal(put(&outputs, "no/two", "2"), FHEC_HOST_ERROR);
    fh_cli_output_discard(&outputs);
    assert_int_equal(size_of("one"), -1);
    assert_int_equal(put(&outputs, "one", "111"), FHEC_OK);
    assert_int_equal(put(&outputs, "two", ""), FHEC_OK);
    assert_int_equal(fh_cli_output_commit(&quiet, &outputs), FHEC_OK);
    assert_int_equal(size_of("one"), 3);
    assert_int_equal(size_of("two"), 0);
    assert_int_equal(unlink("one") | unlink("two"), 0);
}

/* More files than the handler's list had places at first, removed and made in turns. */
static void many_outputs(void **state) {
    (void)state;
    enum { FILES = 20 };
    char name[8];
    for (unsigned turn = 0; turn < 3; turn++) {
        struct fh_cli_outputs outputs = {NULL, 0};
        for (unsigned i = 0; i < FILES; i++) {
            snprintf(name, sizeof name, "%u", i);
            assert_int_equal(put(&outputs, name, name), FHEC_OK);
        }
        if (turn % 2)
            fh_cli_output_discard(&outputs);
        else
            assert_int_equal(fh_cli_output_commit(&quiet, &outputs), FHEC_OK);
    }
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(size_of(name), (off_t)strlen(name));
        assert_int_equal(unlink(name), 0);
    }
}

/* Runs `child` in a process of its own; how that ended, as wait says it. */
static int in_child(void (*child)(void)) {
    int ended = -1;
    pid_t process = fork();
    if (process == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        fh_cli_signals_begin();
        child();
        _exit(7);
    }
    assert_int_equal(waitpid(process, &ended, 0), process);
    return ended;
}

static void end_while_written(void) {
    struct fh_cli_outputs outputs = {NULL, 0};
    if (put(&outputs, "one", "1") == FHEC_OK && put(&outputs, "two", "2") == FHEC_OK)
        raise(SIGTERM);
}

/* The signal takes effect when the file has all of its new contents. */
static void end_while_held(void) {
    fh_cli_signals_hold();
    raise(SIGTERM);
    raise(SIGINT); /* one is enough */
    if (symlink("held", "reached") == 0)
        fh_cli_signals_release();
}

static void signals_remove_files(void **state) {
    (void)state;
    int ended = in_child(end_while_written);
    assert_true(WIFSIGNALED(ended));
    assert_int_equal(WTERMSIG(ended), SIGTERM);
}

static void signals_wait_while_held(void **state) {
    (void)state;
    int ended = in_child(end_while_held);
    assert_true(WIFSIGNALED(ended));
    assert_int_equal(WTERMSIG(ended), SIGTERM);
    assert_int_equal(unlink("reached"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(outputs_appear_together, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(many_outputs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(signals_remove_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(signals_wait_while_held, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
