/*
 * cuda_reporter.c - see cuda_reporter.h.
 *
 * The C library wants thread-local storage of whoever calls it. The reporter has that of a thread,
 * its parent, which does nothing from then on but wait for it. Without an exit signal the program's
 * own calls of wait do not see it.
 */
#include "cuda_reporter.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 8 << 20, LONGEST = 60 /* seconds of a report */ };

static struct {
    void (*report)(void);
    struct fh_cli_cuda_tally *shared;
    pid_t program;
    _Atomic pid_t process;
    char *stack;
    pthread_t parent;
    atomic_bool watches, stops; /* it is told of the program's end; it shall end */
} reporter;

/* The kernel's signal for the end of the parent thread comes before other threads have ended. With
 * the last of them the parent is another process; after exec it stays the same. */
static void wait_for_the_end(const sigset_t *signals) {
    static const struct timespec moment = {.tv_nsec = 1000000};
    while (sigwaitinfo(signals, NULL) < 0 && !reporter.stops && getppid() == reporter.program)
        ;
    for (int i = 0; i < 1000 && !reporter.stops && getppid() == reporter.program; i++)
        nanosleep(&moment, NULL);
}

static int serve(void *unused) {
    (void)unused;
    sigset_t ends, alarms;
    sigemptyset(&ends);
    sigaddset(&ends, SIGUSR1);
    prctl(PR_SET_NAME, "fhec-reporter");
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    reporter.watches = true;
    wait_for_the_end(&ends);
    if (!reporter.stops) {
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        signal(SIGALRM, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        alarm(LONGEST);
        reporter.report();
    }
    _exit(0); /* what the program has not flushed stays so */
}

/* The parent, all of whose signals are blocked. System calls without the C library's wrappers,
 * which use the storage that is the reporter's now. */
static void *wait_for_reporter(void *unused) {
    (void)unused;
    const pid_t process =
        clone(serve, reporter.stack + STACK_BYTES, CLONE_VM | CLONE_FILES | CLONE_FS, NULL);
    reporter.process = process;
    if (process < 0) {
        reporter.watches = true;
        return NULL;
    }
    while (syscall(SYS_wait4, process, NULL, __WALL, NULL) < 0 && errno == EINTR)
        ;
    return NULL;
}

static void put_down(pid_t process) {
    struct fh_cli_cuda_tally *t = reporter.shared;
    for (size_t i = 0; t && i < FH_CLI_CUDA_REPORTERS; i++) {
        int32_t nobody = 0;
        if (atomic_compare_exchange_strong(&t->reporters[i], &nobody, (int32_t)process))
            return;
    }
}

bool fh_cli_cuda_reporter_start(struct fh_cli_cuda_tally *shared, void (*report)(void)) {
    static const struct timespec moment = {.tv_nsec = 100000};
    sigset_t all, before;
    reporter.report = report;
    reporter.shared = shared;
    reporter.program = getpid();
    reporter.stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reporter.stack == MAP_FAILED)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = pthread_create(&reporter.parent, NULL, wait_for_reporter, NULL);
    const bool started = errno == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (started && (!reporter.watches || !reporter.process))
        nanosleep(&moment, NULL);
    if (started && reporter.process > 0) {
        put_down(reporter.process);
        return true;
    }
    if (started)
        pthread_join(reporter.parent, NULL);
    munmap(reporter.stack, STACK_BYTES);
    reporter.process = 0;
    return false;
}

bool fh_cli_cuda_reporter_runs(void) {
    return reporter.process > 0 && reporter.program == getpid();
}

void fh_cli_cuda_reporter_stop(void) {
    struct fh_cli_cuda_tally *t = reporter.shared;
    if (!fh_cli_cuda_reporter_runs())
        return;
    int32_t process = reporter.process;
    reporter.stops = true;
    kill(process, SIGUSR1);
    pthread_join(reporter.parent, NULL);
    for (size_t i = 0; t && i < FH_CLI_CUDA_REPORTERS; i++)
        if (atomic_compare_exchange_strong(&t->reporters[i], &process, 0))
            break;
        else
            process = reporter.process;
    munmap(reporter.stack, STACK_BYTES);
    reporter.process = 0;
}

void fh_cli_cuda_reporters_wait(struct fh_cli_cuda_tally *shared) {
    for (size_t i = 0; i < FH_CLI_CUDA_REPORTERS; i++) {
        const pid_t process = shared->reporters[i];
        while (process && waitpid(process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}
