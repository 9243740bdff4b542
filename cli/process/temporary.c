/*
 * temporary.c - temporary files, known to the signal handler.
 *
 * The handler may run in any thread at any time, so it shares with the rest only atomic pointers: a
 * list of slots that is only ever added to, each empty or with the path of a file. Whoever takes a
 * path out of its slot frees it; the handler takes all of them and frees none.
 */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

struct slot {
    _Atomic(char *) path;
    struct slot *next;
};
static _Atomic(struct slot *) slots;

/* FREE, HELD, or the number of the signal that arrived while it was held. */
enum { FREE = 0, HELD = -1 };
static atomic_int held = FREE;

void fh_cli_end_by_signal(int number) {
    int expected = HELD;
    if (atomic_compare_exchange_strong(&held, &expected, number) || expected != FREE)
        return;
    for (struct slot *slot = atomic_load(&slots); slot; slot = slot->next) {
        char *path = atomic_exchange(&slot->path, NULL);
        if (path)
            unlink(path);
    }
    /* The signal is blocked in its own handler: it takes effect at the end of this one. */
    signal(number, SIG_DFL);
    raise(number);
}

void fh_cli_signals_begin(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, ours = {.sa_handler = fh_cli_end_by_signal, .sa_flags = SA_RESTART};
        sigfillset(&ours.sa_mask);
        /* nohup and its like have them ignored: that stays. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
}

void fh_cli_signals_hold(void) {
    atomic_store(&held, HELD);
}

void fh_cli_signals_release(void) {
    int number = atomic_exchange(&held, FREE);
    if (number > 0)
        raise(number);
}

static bool remember(char *path) {
    struct slot *slot = atomic_load(&slots);
    for (; slot; slot = slot->next) {
        char *expected = NULL;
        if (atomic_compare_exchange_strong(&slot->path, &expected, path))
            return true;
    }
    slot = malloc(sizeof *slot);
    if (!slot)
        return false;
    atomic_init(&slot->path, path);
    slot->next = atomic_load(&slots);
    atomic_store(&slots, slot);
    return true;
}

/* Takes the path out of the list and frees it, unless the handler was faster. */
static void forget(char *path) {
    for (struct slot *slot = atomic_load(&slots); slot; slot = slot->next) {
        char *expected = path;
        if (atomic_compare_exchange_strong(&slot->path, &expected, NULL)) {
            free(path);
            return;
        }
    }
}

/* "FOLDER/NAME.0123456789ab": long names lose their end, which has to fit with the digits. */
static char *random_name(const char *target) {
    enum { NAME = 200 };
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    uint64_t digits;
    char *path;
    if (getrandom(&digits, sizeof digits, 0) != sizeof digits)
        return NULL;
    if (asprintf(&path, "%.*s%.*s.%012llx", (int)(name - target), target, NAME, name,
                 (unsigned long long)(digits >> 16)) < 0)
        return NULL;
    return path;
}

int fh_cli_temporary_make(const char *target, mode_t mode, char **path) {
    int file = -1;
    do {
        *path = random_name(target);
        if (!*path || !remember(*path)) {
            free(*path);
            *path = NULL;
            errno = ENOMEM;
            return -1;
        }
        file = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0) {
            int error = errno;
            forget(*path);
            *path = NULL;
            errno = error;
        }
    } while (file < 0 && errno == EEXIST);
    return file;
}

bool fh_cli_temporary_move(char *path, const char *target) {
    bool moved = rename(path, target) == 0;
    int error = errno;
    if (!moved)
        unlink(path);
    forget(path);
    errno = error;
    return moved;
}

void fh_cli_temporary_remove(char *path) {
    unlink(path);
    forget(path);
}
