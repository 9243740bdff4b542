/*
 * children.c - see children.h. One loop waits for the ends of pipes: what children write, and that
 * they have closed them, which they do when they end.
 */
#include "children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "message.h"
#include "seconds.h"

enum { STOP_STATUS = 130, GRACE_SECONDS = 5, LOOK_MS = 250 };

struct child {
    struct fh_cli_child_end end;
    pid_t pid;
    int pipes[FH_CLI_CHILD_STREAMS]; /* -1: closed */
    size_t room[FH_CLI_CHILD_STREAMS];
    double started;
    bool killed, asked, complete;
};

struct pool {
    const struct fh_cli *cli;
    const struct fh_cli_children *what;
    struct child *children; /* by index */
    size_t next, told;      /* to be started; to be told of */
    unsigned running, jobs;
    bool stop;
    fhec_status status;
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

unsigned fh_cli_children_jobs(unsigned jobs) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return jobs ? jobs : processors > 0 ? (unsigned)processors : 1;
}

/* ---------------------------------------------------------------- in the child */

_Noreturn static void be_child(const struct pool *pool, size_t index,
                               int ends[FH_CLI_CHILD_STREAMS][2], pid_t parent) {
    static const int streams[] = {-1, STDOUT_FILENO, STDERR_FILENO};
    setpgid(0, 0); /* what it starts in turn ends with it */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(STOP_STATUS);
    for (int i = 0; i < FH_CLI_CHILD_STREAMS; i++) {
        close(ends[i][0]);
        if (streams[i] >= 0 && dup2(ends[i][1], streams[i]) < 0)
            _exit(FHEC_HOST_ERROR);
        if (streams[i] >= 0)
            close(ends[i][1]);
    }
    for (size_t i = 0; i < index; i++)
        for (int s = 0; s < FH_CLI_CHILD_STREAMS; s++)
            if (pool->children[i].pipes[s] >= 0 && pool->children[i].pid)
                close(pool->children[i].pipes[s]);
    signal(SIGINT, SIG_DFL);
    __fpurge(stdout); /* what the parent could not write is not to be written here, too */
    clearerr(stdout);
    FILE *result = fdopen(ends[FH_CLI_CHILD_RESULT][1], "w");
    if (!result)
        _exit(FHEC_HOST_ERROR);
    if (pool->what->seconds > 0)
        fh_cli_interrupt_after(pool->what->seconds);
    bool stop = pool->what->run(pool->what->user, index, result);
    bool written = fclose(result) == 0 && fflush(stdout) == 0;
    _exit(!written ? FHEC_HOST_ERROR : stop ? STOP_STATUS : 0);
}

/* ---------------------------------------------------------------- in the parent */

static bool start(struct pool *pool, size_t index) {
    struct child *child = &pool->children[index];
    int ends[FH_CLI_CHILD_STREAMS][2];
    int made = 0;
    while (made < FH_CLI_CHILD_STREAMS && pipe(ends[made]) == 0)
        made++;
    fflush(stdout);
    pid_t parent = getpid();
    pid_t pid = made == FH_CLI_CHILD_STREAMS ? fork() : -1;
    if (pid == 0)
        be_child(pool, index, ends, parent);
    int error = errno;
    for (int i = 0; i < made; i++) {
        close(ends[i][1]);
        if (pid < 0)
            close(ends[i][0]);
        else
            child->pipes[i] = ends[i][0];
    }
    if (pid > 0)
        setpgid(pid, pid);
    child->end.index = index;
    child->pid = pid;
    child->started = fh_cli_now();
    if (pid < 0) {
        pool->status =
            fh_cli_error(pool->cli, FHEC_HOST_ERROR, "cannot start a process: %s", strerror(error));
        return false;
    }
    pool->running++;
    return true;
}

/* Takes what there is to read; false at the end of the stream. */
static bool take(struct pool *pool, struct child *child, int stream) {
    struct fh_cli_child_end *end = &child->end;
    if (end->length[stream] + 4096 > child->room[stream]) {
        size_t room = 2 * child->room[stream] + 8192;
        char *larger = realloc(end->text[stream], room);
        if (!larger) {
            pool->status = fh_cli_no_memory(pool->cli);
            return false;
        }
        end->text[stream] = larger;
        child->room[stream] = room;
    }
    ssize_t got = read(child->pipes[stream], end->text[stream] + end->length[stream], 4095);
    if (got > 0)
        end->length[stream] += (size_t)got;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool is_open(const struct child *child) {
    for (int i = 0; i < FH_CLI_CHILD_STREAMS; i++)
        if (child->pipes[i] >= 0)
            return true;
    return false;
}

static void finish(struct pool *pool, struct child *child) {
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    child->end.seconds = fh_cli_now() - child->started;
    child->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    child->end.timed_out = child->killed && child->end.signal == SIGKILL;
    child->complete = true;
    pool->running--;
    if ((WIFEXITED(status) && WEXITSTATUS(status) == STOP_STATUS) || child->end.signal == SIGINT)
        pool->stop = true;
}

static void free_texts(struct child *child) {
    for (int i = 0; i < FH_CLI_CHILD_STREAMS; i++) {
        free(child->end.text[i]);
        child->end.text[i] = NULL;
    }
}

/* Tells of the children that have ended, as far as all before them have. */
static void tell(struct pool *pool) {
    static char nothing[] = "";
    for (; pool->told < pool->next && pool->children[pool->told].complete; pool->told++) {
        struct child *child = &pool->children[pool->told];
        struct fh_cli_child_end end = child->end;
        for (int i = 0; i < FH_CLI_CHILD_STREAMS; i++) {
            if (end.text[i])
                end.text[i][end.length[i]] = 0;
            else
                end.text[i] = nothing;
        }
        pool->what->done(pool->what->user, &end);
        free_texts(child);
    }
}

/* Ends what has run for too long, or is to stop. */
static void end_late_ones(struct pool *pool) {
    for (size_t i = pool->told; i < pool->next; i++) {
        struct child *child = &pool->children[i];
        if (child->complete)
            continue;
        if ((pool->stop || interrupted) && !child->asked) {
            child->asked = true;
            kill(-child->pid, SIGINT);
        }
        if (pool->what->seconds > 0 && !child->killed &&
            fh_cli_now() - child->started > pool->what->seconds + GRACE_SECONDS) {
            child->killed = true;
            kill(-child->pid, SIGKILL);
        }
    }
}

static void wait_and_read(struct pool *pool, struct pollfd *polled) {
    nfds_t count = 0;
    end_late_ones(pool);
    for (size_t i = pool->told; i < pool->next; i++)
        for (int s = 0; s < FH_CLI_CHILD_STREAMS && !pool->children[i].complete; s++)
            if (pool->children[i].pipes[s] >= 0)
                polled[count++] = (struct pollfd){pool->children[i].pipes[s], POLLIN, 0};
    int ready = poll(polled, count, LOOK_MS);
    nfds_t at = 0;
    for (size_t i = pool->told; i < pool->next && ready > 0; i++) {
        struct child *child = &pool->children[i];
        for (int s = 0; s < FH_CLI_CHILD_STREAMS && !child->complete; s++) {
            if (child->pipes[s] < 0)
                continue;
            if (polled[at++].revents && !take(pool, child, s)) {
                close(child->pipes[s]);
                child->pipes[s] = -1;
            }
        }
        if (!child->complete && !is_open(child))
            finish(pool, child);
    }
}

static void run_pool(struct pool *pool, struct pollfd *polled) {
    size_t count = pool->what->count;
    for (;;) {
        bool more = !pool->stop && !interrupted && pool->status == FHEC_OK;
        /* Results are kept until those before them are there; so are the pipes to read. */
        while (more && pool->next < count && pool->running < pool->jobs)
            if (!start(pool, pool->next))
                more = false;
            else
                pool->next++;
        if (!pool->running)
            break;
        wait_and_read(pool, polled);
        tell(pool);
    }
    for (size_t i = pool->told; i < pool->next; i++)
        free_texts(&pool->children[i]);
}

fhec_status fh_cli_children_run(const struct fh_cli *cli, const struct fh_cli_children *children) {
    struct pool pool = {.cli = cli, .what = children, .jobs = fh_cli_children_jobs(children->jobs)};
    struct sigaction ours = {.sa_handler = note_interrupt}, before;
    struct pollfd *polled = calloc((size_t)pool.jobs * FH_CLI_CHILD_STREAMS, sizeof *polled);
    pool.children = calloc(children->count + 1, sizeof *pool.children);
    if (!polled || !pool.children) {
        free(polled);
        free(pool.children);
        return fh_cli_no_memory(cli);
    }
    for (size_t i = 0; i < children->count; i++)
        for (int s = 0; s < FH_CLI_CHILD_STREAMS; s++)
            pool.children[i].pipes[s] = -1;
    interrupted = 0;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, &before);
    run_pool(&pool, polled);
    sigaction(SIGINT, &before, NULL);
    free(polled);
    free(pool.children);
    if (pool.status != FHEC_OK)
        return pool.status;
    return pool.stop || interrupted ? FHEC_CANCELLED : FHEC_OK;
}
