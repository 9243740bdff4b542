/*
 * sweep_child.c - see sweep_child.h.
 */
#include "sweep_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seconds.h"
#include "sweep_text.h"

enum { STREAMS = 2, PIECE = 65536 };
static const size_t most_kept[STREAMS] = {(size_t)1 << 28, (size_t)1 << 16}; /* bytes */
static const double grace_seconds = 2;

struct stream {
    int pipe; /* -1: closed */
    char *text;
    size_t length, room;
};

struct child {
    pid_t pid; /* 0: nothing runs here */
    bool ended, killed;
    double started;
    struct stream streams[STREAMS];
    struct fh_cli_sweep_end end;
};

struct fh_cli_sweep_children {
    unsigned jobs;
    double seconds;
    struct child *slots;
    struct pollfd *polled;
};

void fh_cli_sweep_end_free(struct fh_cli_sweep_end *end) {
    free(end->out);
    free(end->err);
    end->out = end->err = NULL;
}

struct fh_cli_sweep_children *fh_cli_sweep_children_new(unsigned jobs, double seconds) {
    struct fh_cli_sweep_children *children = calloc(1, sizeof *children);
    if (!children)
        return NULL;
    children->jobs = jobs;
    children->seconds = seconds;
    children->slots = calloc((size_t)jobs + 1, sizeof *children->slots);
    children->polled = calloc((size_t)jobs * STREAMS + 1, sizeof *children->polled);
    if (children->slots && children->polled)
        return children;
    fh_cli_sweep_children_free(children);
    return NULL;
}

void fh_cli_sweep_children_limit(struct fh_cli_sweep_children *children, double seconds) {
    children->seconds = seconds;
}

unsigned fh_cli_sweep_children_running(const struct fh_cli_sweep_children *children) {
    unsigned running = 0;
    for (unsigned i = 0; i < children->jobs; i++)
        running += children->slots[i].pid != 0;
    return running;
}

unsigned fh_cli_sweep_children_free_slots(const struct fh_cli_sweep_children *children) {
    return children->jobs - fh_cli_sweep_children_running(children);
}

/* ---------------------------------------------------------------- starting */

/* In the child, which may only call what signal handlers may. */
_Noreturn static void be_child(int ends[STREAMS][2], int file, char *const *arguments,
                               pid_t parent) {
    setpgid(0, 0); /* what it starts in turn ends with it, and Ctrl-C is ours */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(ends[0][1], STDOUT_FILENO) >= 0 && dup2(ends[1][1], STDERR_FILENO) >= 0)
        fexecve(file, arguments, environ);
    _exit(FHEC_HOST_ERROR);
}

static struct child *free_slot(struct fh_cli_sweep_children *children) {
    for (unsigned i = 0; i < children->jobs; i++)
        if (!children->slots[i].pid)
            return &children->slots[i];
    errno = EAGAIN;
    return NULL;
}

bool fh_cli_sweep_children_start(struct fh_cli_sweep_children *children, size_t task, int file,
                                 char *const *arguments) {
    struct child *child = free_slot(children);
    int ends[STREAMS][2], made = 0;
    if (!child)
        return false;
    while (made < STREAMS && pipe2(ends[made], O_CLOEXEC) == 0)
        made++;
    const pid_t parent = getpid(), pid = made == STREAMS ? fork() : -1;
    if (pid == 0)
        be_child(ends, file, arguments, parent);
    const int error = errno;
    for (int s = 0; s < made; s++) {
        close(ends[s][1]);
        if (pid < 0)
            close(ends[s][0]);
    }
    errno = error;
    if (pid < 0)
        return false;
    setpgid(pid, pid);
    *child = (struct child){.pid = pid, .started = fh_cli_now(), .end = {.task = task}};
    for (int s = 0; s < STREAMS; s++) {
        fcntl(ends[s][0], F_SETFL, O_NONBLOCK);
        child->streams[s].pipe = ends[s][0];
    }
    return true;
}

/* ---------------------------------------------------------------- reading */

/* Room for another piece; beyond what is kept, or without memory, pieces replace one another. */
static char *room_for_piece(struct stream *stream, size_t most) {
    if (stream->length + PIECE > stream->room && stream->room < most) {
        const size_t room = 2 * stream->room + 2 * PIECE;
        char *larger = realloc(stream->text, room + 1);
        if (larger) {
            stream->text = larger;
            stream->room = room;
        }
    }
    return stream->length + PIECE <= stream->room ? stream->text + stream->length : NULL;
}

/* False at the end of the stream. */
static bool take(struct stream *stream, size_t most) {
    char lost[4096], *room = room_for_piece(stream, most);
    const ssize_t got = read(stream->pipe, room ? room : lost, room ? PIECE : sizeof lost);
    if (got > 0 && room)
        stream->length += (size_t)got;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool is_open(const struct child *child) {
    return child->streams[0].pipe >= 0 || child->streams[1].pipe >= 0;
}

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static void give_text(struct stream *stream, char **text, size_t *length) {
    if (!stream->text)
        stream->text = calloc(1, 1);
    if (stream->text) {
        stream->text[stream->length] = 0;
        fh_cli_sweep_clean_text(stream->text, stream->length);
    }
    *text = stream->text;
    *length = stream->length;
    *stream = (struct stream){.pipe = -1};
}

/* Both pipes are closed: it has ended, or is about to. */
static void finish(struct child *child) {
    struct fh_cli_sweep_end *end = &child->end;
    struct rusage usage = {0};
    int status = 0;
    while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    end->seconds = fh_cli_now() - child->started;
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->timed_out = child->killed && end->signal == SIGKILL;
    end->user_s = seconds_of(&usage.ru_utime);
    end->system_s = seconds_of(&usage.ru_stime);
    end->peak_kib = (uint64_t)usage.ru_maxrss;
    give_text(&child->streams[0], &end->out, &end->out_length);
    give_text(&child->streams[1], &end->err, &end->err_length);
    child->ended = true;
}

static void end_late_ones(struct fh_cli_sweep_children *children) {
    const double now = fh_cli_now();
    for (unsigned i = 0; i < children->jobs && children->seconds > 0; i++) {
        struct child *child = &children->slots[i];
        if (!child->pid || child->ended || child->killed ||
            now - child->started < children->seconds)
            continue;
        child->killed = true;
        kill(-child->pid, SIGKILL);
    }
}

/* How long may be waited: a late one is to be ended in time. */
static double until_late(const struct fh_cli_sweep_children *children, double seconds) {
    const double now = fh_cli_now();
    for (unsigned i = 0; i < children->jobs && children->seconds > 0; i++) {
        const struct child *child = &children->slots[i];
        const double left = child->started + children->seconds - now;
        if (child->pid && !child->ended && !child->killed && left < seconds)
            seconds = left > 0 ? left : 0;
    }
    return seconds;
}

static bool any_ended(const struct fh_cli_sweep_children *children) {
    for (unsigned i = 0; i < children->jobs; i++)
        if (children->slots[i].pid && children->slots[i].ended)
            return true;
    return false;
}

static void read_ready(struct fh_cli_sweep_children *children) {
    nfds_t at = 0;
    for (unsigned i = 0; i < children->jobs; i++) {
        struct child *child = &children->slots[i];
        if (!child->pid || child->ended)
            continue;
        for (int s = 0; s < STREAMS; s++) {
            struct stream *stream = &child->streams[s];
            if (stream->pipe < 0 || !children->polled[at++].revents)
                continue;
            if (!take(stream, most_kept[s])) {
                close(stream->pipe);
                stream->pipe = -1;
            }
        }
        if (!is_open(child))
            finish(child);
    }
}

void fh_cli_sweep_children_wait(struct fh_cli_sweep_children *children, double seconds) {
    const double deadline = fh_cli_now() + seconds;
    while (!any_ended(children)) {
        nfds_t count = 0;
        for (unsigned i = 0; i < children->jobs; i++)
            for (int s = 0; s < STREAMS && children->slots[i].pid; s++)
                if (children->slots[i].streams[s].pipe >= 0)
                    children->polled[count++] =
                        (struct pollfd){children->slots[i].streams[s].pipe, POLLIN, 0};
        const double left = deadline - fh_cli_now();
        const double most = until_late(children, left > 0 ? left : 0);
        const struct timespec wait = {(time_t)most, (long)((most - (double)(time_t)most) * 1e9)};
        const int ready = ppoll(children->polled, count, &wait, NULL);
        if (ready > 0)
            read_ready(children);
        end_late_ones(children);
        if (ready < 0 || left <= 0)
            return; /* a signal: the caller looks at it */
    }
}

bool fh_cli_sweep_children_ended(struct fh_cli_sweep_children *children,
                                 struct fh_cli_sweep_end *end) {
    for (unsigned i = 0; i < children->jobs; i++) {
        struct child *child = &children->slots[i];
        if (!child->pid || !child->ended)
            continue;
        *end = child->end;
        *child = (struct child){.pid = 0};
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- ending */

static void signal_all(const struct fh_cli_sweep_children *children, int number) {
    for (unsigned i = 0; i < children->jobs; i++)
        if (children->slots[i].pid && !children->slots[i].ended)
            kill(-children->slots[i].pid, number);
}

void fh_cli_sweep_children_stop(struct fh_cli_sweep_children *children) {
    struct fh_cli_sweep_end end;
    const double asked = fh_cli_now();
    bool killed = false;
    children->seconds = 0;
    signal_all(children, SIGTERM);
    while (fh_cli_sweep_children_running(children)) {
        fh_cli_sweep_children_wait(children, 0.1);
        while (fh_cli_sweep_children_ended(children, &end))
            fh_cli_sweep_end_free(&end);
        if (!killed && fh_cli_now() - asked > grace_seconds) {
            signal_all(children, SIGKILL);
            killed = true;
        }
    }
}

void fh_cli_sweep_children_free(struct fh_cli_sweep_children *children) {
    if (!children)
        return;
    if (children->slots && children->polled)
        fh_cli_sweep_children_stop(children);
    free(children->slots);
    free(children->polled);
    free(children);
}
