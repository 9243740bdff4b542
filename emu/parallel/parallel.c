/*
 * parallel.c - blocks on several host threads without changing any result.
 *
 * The meaning of a launch is that its blocks run one after another, 0 to n-1, each to its end. Here
 * the grid is cut into stretches of consecutive blocks, and each stretch runs by itself, through a
 * view (view.h) that keeps what it writes apart and notes what it reads of memory as it was before.
 *
 *     blocks   0 ............ 99 | 100 ........... 149 | 150 ....... 199
 *              stretch A           stretch B             stretch C, stolen from B's end
 *
 * When all have ended, the stretches are taken in the order of their blocks. One that read no word
 * written by those before it, but as it was after them, did exactly what it would have done in its
 * turn: everything that a block can see of the others is global memory. Its counts are then added,
 * and what it wrote stays. The first stretch for which this fails ends the parallel part, and the
 * launch goes on from its first block; what it and later ones did is forgotten. By induction over
 * the stretches, all that can be seen of the launch is the same as in turn: memory, counts, and the
 * fault, which is the one of the first stretch that has one. How the blocks were cut, and so the
 * number of threads and their speed, decides only how much work is done twice.
 *
 * There are ways to run stretches, tried one after the other; what is left then goes in turn.
 *
 *     PAGES   in memory itself, on pages that the stretch has claimed (claim.h): nothing has to be
 *             put anywhere afterwards. It fails for stretches that share a page that one writes.
 *     LINES   the same by the line.
 *     COPIES  what a stretch writes is kept apart, and what it reads noted, word by word, and
 *             compared in the end (view.h). It fails only where words go from block to block.
 *
 * In place, every piece that two stretches touched and one wrote made one of the two give up, so
 * those that did not are right by themselves. With copies, a stretch that read stale words may run
 * forever. So it looks now and then whether all before it have ended, and if so, whether it is
 * already invalid.
 */
#include "parallel.h"

#include "schedule.h"
#include "team.h"
#include "view.h"
#include "watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRETCHES_PER_THREAD = 4,
    CHECK_STEPS = 1 << 15, /* to the first look whether a stretch is invalid; then twice as many */
    WORTHWHILE_STEPS = 8192, /* shorter launches are over before the threads are awake */
    MEMOS = 32,
    UNITS_PER_THREAD = 8, /* at least; see unit_of */
    COMMIT_LINES = 4096,  /* lines that a thread puts into memory at a time */
};

enum state { WAITING, RUNNING, ENDED };

enum way { PAGES = FH_PAGES, LINES = FH_LINES, COPIES, IN_TURN };

struct stretch {
    struct job *job;
    uint64_t first, next, end; /* blocks; next is the one to run next */
    enum state state;
    enum fh_outcome outcome;
    uint64_t next_check; /* steps at the next look */
    struct fh_launch_state launch;
    struct fh_view view;
    struct fh_site *sites; /* the launch's arrays, for kernels of up to `room` instructions */
    struct fh_op_count *counts;
    size_t room;
};

/* What is known of a kernel from its last launch. */
struct memo {
    const struct fhec_program *program;
    size_t kernel;
    uint64_t steps_per_block;
    enum way way;    /* the first that has not failed ... */
    uint64_t blocks; /* ... with so many; a larger launch tries all again */
};

struct fh_crew {
    struct fh_team *team;
    unsigned threads, capacity;
    struct stretch *stretches; /* room for `capacity`; their views and arrays are kept */
    struct fh_claims claims[FH_PIECE_KINDS]; /* for the ways in place */
    struct fh_undo **spare;                  /* for each thread */
    struct memo memos[MEMOS];
    unsigned next_memo;
};

/* One launch, or what is left of it. The lock guards the stretches' next, end, state and outcome,
 * and count. */
struct job {
    struct fh_crew *crew;
    struct fh_launch_state *whole;
    struct fh_claims *claims; /* in place; NULL: with copies */
    uint64_t first, unit;     /* block; see unit_of */
    pthread_mutex_t lock;
    unsigned count;
    struct fh_block **blocks; /* for each thread; NULL: no host memory */
    _Atomic uint64_t last;    /* no stretch that begins behind this block is needed */
};

/* Putting the words of the first `count` stretches (in order) into memory. */
struct commit {
    struct stretch **order;
    unsigned count;
    struct fh_memory *memory;
    _Atomic size_t next; /* piece to do next; pieces of all allocations, one after another */
};

struct fh_crew *fh_crew_new(unsigned threads) {
    struct fh_crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return NULL;
    crew->team = fh_team_new(threads - 1);
    if (crew->team) {
        crew->threads = fh_team_size(crew->team);
        crew->capacity = crew->threads * STRETCHES_PER_THREAD;
        crew->stretches = calloc(crew->capacity, sizeof *crew->stretches);
        crew->spare = calloc(crew->threads, sizeof(*crew->spare));
    }
    crew->claims[PAGES].pieces = FH_PAGES;
    crew->claims[LINES].pieces = FH_LINES;
    if (crew->stretches && crew->spare)
        return crew;
    fh_crew_free(crew);
    return NULL;
}

void fh_crew_free(struct fh_crew *crew) {
    if (!crew)
        return;
    fh_team_free(crew->team);
    for (unsigned i = 0; crew->stretches && i < crew->capacity; i++) {
        fh_view_free(&crew->stretches[i].view);
        free(crew->stretches[i].sites);
        free(crew->stretches[i].counts);
    }
    free(crew->stretches);
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_claims_free(&crew->claims[i]);
    for (unsigned i = 0; crew->spare && i < crew->threads; i++)
        fh_undo_free(crew->spare[i]);
    free(crew->spare);
    free(crew);
}

void fh_crew_forget(struct fh_crew *crew, size_t allocation) {
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_claims_forget(&crew->claims[i], allocation);
    for (unsigned i = 0; i < crew->capacity; i++)
        fh_view_forget(&crew->stretches[i].view, allocation);
}

static struct memo *memo_of(const struct fh_crew *crew, const struct fh_launch_state *launch) {
    for (unsigned i = 0; i < MEMOS; i++) {
        const struct memo *m = &crew->memos[i];
        if (m->program == launch->image->program && m->kernel == launch->image->kernel)
            return (struct memo *)m;
    }
    return NULL;
}

bool fh_crew_worthwhile(const struct fh_crew *crew, const struct fh_launch_state *launch) {
    const struct memo *m = memo_of(crew, launch);
    const uint64_t blocks = launch->image->blocks;
    return !m || ((m->way != IN_TURN || blocks > m->blocks) &&
                  m->steps_per_block * blocks >= WORTHWHILE_STEPS);
}

static struct memo *memo_for(struct fh_crew *crew, const struct fh_launch_state *launch) {
    struct memo *m = memo_of(crew, launch);
    if (!m) {
        m = &crew->memos[crew->next_memo++ % MEMOS];
        *m = (struct memo){.program = launch->image->program, .kernel = launch->image->kernel};
    }
    return m;
}

void fh_crew_remember(struct fh_crew *crew, const struct fh_launch_state *launch) {
    memo_for(crew, launch)->steps_per_block = launch->steps / launch->image->blocks;
}

bool fh_launch_arrays(struct fh_launch_state *launch, bool counting) {
    size_t count = launch->image->count + 1u;
    launch->sites = calloc(count, sizeof *launch->sites);
    launch->counts = counting ? calloc(count, sizeof *launch->counts) : NULL;
    return launch->sites && (launch->counts || !counting);
}

void fh_launch_arrays_free(struct fh_launch_state *launch) {
    free(launch->sites);
    free(launch->counts);
    launch->sites = NULL;
    launch->counts = NULL;
}

/* ---------------------------------------------------------------- running */

/* With copies: whether all blocks before `s` have run, and one of them wrote a word that it read.
 */
static bool known_invalid(struct stretch *s) {
    struct job *job = s->job;
    bool all = true, conflict = false;
    pthread_mutex_lock(&job->lock);
    for (unsigned i = 0; i < job->count && all; i++) {
        const struct stretch *other = &job->crew->stretches[i];
        all = other->first >= s->first || (other->state == ENDED && other->outcome == FH_DONE);
    }
    for (unsigned i = 0; i < job->count && all && !conflict; i++) {
        const struct stretch *other = &job->crew->stretches[i];
        conflict = other->first < s->first && fh_view_conflict(&s->view, &other->view);
    }
    pthread_mutex_unlock(&job->lock);
    return conflict;
}

static bool watch(void *user) {
    struct stretch *s = user;
    if (s->view.failed || atomic_load(&s->job->last) < s->first)
        return true;
    if (s->job->claims || s->launch.steps < s->next_check)
        return false;
    s->next_check = 2 * s->launch.steps;
    return known_invalid(s);
}

/* The next block of the stretch. False at its end, or when it is not needed any more, which
 * *outcome then says. */
static bool next_block(struct stretch *s, uint64_t *block, enum fh_outcome *outcome) {
    struct job *job = s->job;
    pthread_mutex_lock(&job->lock);
    bool there = s->next < s->end;
    if (there && atomic_load(&job->last) < s->first) {
        *outcome = FH_CANCELLED;
        there = false;
    }
    if (there)
        *block = s->next++;
    pthread_mutex_unlock(&job->lock);
    return there;
}

static enum fh_outcome run_stretch(struct stretch *s, struct fh_block *block) {
    enum fh_outcome outcome = FH_DONE;
    uint64_t index;
    block->launch = &s->launch;
    while (outcome == FH_DONE && next_block(s, &index, &outcome)) {
        fh_block_start(block, index);
        outcome = fh_block_run(block, watch, s);
        if (s->view.failed || outcome == FH_WAITS || outcome == FH_NO_MEMORY)
            outcome = FH_CANCELLED;
    }
    return outcome;
}

/* Stretches are cut at multiples of so many blocks, so that fewer of them share pieces of memory:
 * where the last sides of the grid begin anew, since blocks that differ in those most often work on
 * different data, or else at powers of two. It is little enough to keep all threads busy. */
static uint64_t unit_of(const struct fh_image *image, unsigned threads, enum way way) {
    const uint64_t most = image->blocks / ((uint64_t)UNITS_PER_THREAD * threads);
    const uint64_t row = image->grid[0], plane = row * image->grid[1];
    uint64_t unit = 1;
    if (plane <= most)
        return plane;
    if (row <= most)
        return row;
    while (way == PAGES && unit <= most / 2)
        unit *= 2;
    return unit;
}

/* Where to cut a running stretch so that each part has blocks, those that have begun are in the
 * first, and about half of the others in the second: a multiple of the unit, or its end if there is
 * none. */
static uint64_t place_to_cut(const struct job *job, const struct stretch *s) {
    const uint64_t unit = job->unit, least = s->next > s->first ? s->next : s->first + 1;
    const uint64_t half = (s->end - (s->end - s->next) / 2) / unit * unit;
    const uint64_t last = (s->end - 1) / unit * unit;
    if (half >= least && half < s->end)
        return half;
    return last >= least ? last : s->end;
}

/* A stretch to run: one that nobody has begun, or about half of the one with most left. The
 * caller holds the lock. */
static struct stretch *take(struct job *job) {
    struct stretch *all = job->crew->stretches, *longest = NULL;
    uint64_t last = atomic_load(&job->last);
    for (unsigned i = 0; i < job->count; i++) {
        struct stretch *s = &all[i];
        if (s->state == WAITING)
            return s;
        if (s->state == RUNNING && s->first <= last && place_to_cut(job, s) < s->end &&
            (!longest || s->end - s->next > longest->end - longest->next))
            longest = s;
    }
    if (!longest || job->count == job->crew->capacity)
        return NULL;
    struct stretch *s = &all[job->count++];
    s->first = s->next = place_to_cut(job, longest);
    s->end = longest->end;
    longest->end = s->first;
    return s;
}

/* Gives the stretch's launch its arrays, cleared. False without host memory. */
static bool give_arrays(struct stretch *s, bool counting) {
    const size_t count = s->launch.image->count + 1u;
    if (s->room < count) {
        free(s->sites);
        free(s->counts);
        s->sites = malloc(count * sizeof *s->sites);
        s->counts = malloc(count * sizeof *s->counts);
        s->room = s->sites && s->counts ? count : 0;
    }
    if (!s->room)
        return false;
    memset(s->sites, 0, count * sizeof *s->sites);
    if (counting)
        memset(s->counts, 0, count * sizeof *s->counts);
    s->launch.sites = s->sites;
    s->launch.counts = counting ? s->counts : NULL;
    return true;
}

/* Gets the stretch ready, with nothing read or written. False without host memory. */
static bool prepare(struct stretch *s, struct job *job, unsigned thread) {
    const struct fh_launch_state *whole = job->whole;
    s->job = job;
    s->next_check = CHECK_STEPS;
    s->launch = (struct fh_launch_state){
        .image = whole->image,
        .memory = whole->memory,
        .view = &s->view,
        .max_steps = whole->max_steps,
        .cancel = whole->cancel,
        .progress = whole->progress,
    };
    if (job->claims)
        fh_view_begin_in_place(&s->view, whole->memory, job->claims,
                               (unsigned)(s - job->crew->stretches), &job->crew->spare[thread]);
    else
        fh_view_begin(&s->view, whole->memory);
    if (s->view.failed || !give_arrays(s, whole->counts != NULL))
        return false;
    if (!whole->watch)
        return true;
    pthread_mutex_lock(&job->lock); /* observers are asked one at a time */
    s->launch.watch = whole->watch->fork(whole->watch);
    pthread_mutex_unlock(&job->lock);
    return s->launch.watch;
}

static void run_stretches(void *user, unsigned thread) {
    struct job *job = user;
    struct fh_block *block = job->blocks[thread];
    pthread_mutex_lock(&job->lock);
    for (struct stretch *s; (s = take(job)) != NULL;) {
        s->state = RUNNING;
        pthread_mutex_unlock(&job->lock);
        enum fh_outcome outcome = FH_CANCELLED;
        if (prepare(s, job, thread) && block)
            outcome = run_stretch(s, block);
        fh_undo_settle();
        pthread_mutex_lock(&job->lock);
        s->outcome = outcome;
        s->state = ENDED;
        if (s->outcome != FH_DONE && s->first < atomic_load(&job->last))
            atomic_store(&job->last, s->first);
    }
    pthread_mutex_unlock(&job->lock);
}

/* ---------------------------------------------------------------- taking over the results */

/* Lines of an allocation that any of the stretches touched. */
static void touched_lines(const struct commit *c, size_t allocation, size_t *low, size_t *high) {
    *low = SIZE_MAX;
    *high = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct fh_view *view = &c->order[i]->view;
        const struct fh_region *r = allocation < view->count ? view->regions[allocation] : NULL;
        if (r && r->low < r->high) {
            *low = r->low < *low ? r->low : *low;
            *high = r->high > *high ? r->high : *high;
        }
    }
}

/* Takes pieces until there are none left. Every thread walks over the same list of pieces. */
static void commit_pieces(void *user, unsigned thread) {
    struct commit *c = user;
    (void)thread;
    size_t mine = atomic_fetch_add(&c->next, 1), piece = 0;
    for (size_t a = 0; a < c->memory->count; a++) {
        size_t low, high;
        touched_lines(c, a, &low, &high);
        for (size_t line = low; line < high; line += COMMIT_LINES, piece++) {
            if (piece != mine)
                continue;
            for (unsigned i = 0; i < c->count; i++)
                fh_view_commit(&c->order[i]->view, a, line,
                               high - line < COMMIT_LINES ? high : line + COMMIT_LINES);
            mine = atomic_fetch_add(&c->next, 1);
        }
    }
}

static void add_results(struct fh_launch_state *whole, const struct stretch *s) {
    whole->steps += s->launch.steps;
    whole->array_cycles += s->launch.array_cycles;
    for (uint32_t i = 0; whole->counts && i < whole->image->count; i++) {
        whole->counts[i].warp += s->launch.counts[i].warp;
        whole->counts[i].thread += s->launch.counts[i].thread;
        whole->counts[i].entered += s->launch.counts[i].entered;
    }
    if (s->outcome == FH_FAULTED)
        whole->fault = s->launch.fault;
}

/* Whether `s`, which follows the stretches that `c` holds, did what it would have done in turn. */
static bool valid(const struct commit *c, const struct fh_launch_state *whole,
                  const struct stretch *s) {
    if (s->state != ENDED || s->outcome == FH_CANCELLED)
        return false;
    if (whole->max_steps && s->first) { /* its limit was that of the whole launch */
        bool limited = s->outcome == FH_FAULTED && s->launch.fault.kind == FHEC_FAULT_STEP_LIMIT;
        if (limited || s->launch.steps > whole->max_steps - whole->steps)
            return false;
    }
    for (unsigned i = 0; i < c->count && !s->job->claims; i++)
        if (fh_view_conflict(&s->view, &c->order[i]->view))
            return false;
    return true;
}

/* Tells the history of memory what the stretches overwrite. False without host memory. */
static bool save(const struct commit *c) {
    fh_history_begin_late(c->memory->history);
    for (unsigned i = 0; i < c->count; i++)
        if (!fh_view_save(&c->order[i]->view))
            return false;
    return true;
}

static int by_first_block(const void *a, const void *b) {
    const struct stretch *const *x = a, *const *y = b;
    return (*x)->first < (*y)->first ? -1 : (*x)->first > (*y)->first;
}

/* Takes over the stretches that did what they would have done in turn, and undoes the others;
 * returns the first block that has not run. */
static uint64_t take_over(struct job *job, struct stretch **order) {
    struct fh_launch_state *whole = job->whole;
    struct commit commit = {.order = order, .memory = whole->memory};
    uint64_t next = job->first;
    for (unsigned i = 0; i < job->count; i++)
        order[i] = &job->crew->stretches[i];
    qsort(order, job->count, sizeof *order, by_first_block);
    while (commit.count < job->count && whole->fault.kind == FHEC_FAULT_NONE &&
           valid(&commit, whole, order[commit.count])) {
        add_results(whole, order[commit.count]);
        next = order[commit.count++]->end;
    }
    for (unsigned i = commit.count; i < job->count && job->claims; i++)
        fh_claimant_end(order[i]->view.claimant, false);
    if (whole->memory->history && !save(&commit)) {
        fh_history_cancel_late(whole->memory->history);
        whole->no_memory = true;
    }
    for (unsigned i = 0; i < commit.count && job->claims; i++)
        fh_claimant_end(order[i]->view.claimant, !whole->no_memory);
    for (unsigned i = 0; i < job->count; i++)
        if (order[i]->launch.watch)
            whole->watch->end(order[i]->launch.watch, i < commit.count && !whole->no_memory);
    if (commit.count && !job->claims && !whole->no_memory)
        fh_team_run(job->crew->team, commit_pieces, &commit);
    return next;
}

/* Cuts the blocks from job->first on into one stretch for each thread. */
static void cut(struct job *job) {
    struct fh_crew *crew = job->crew;
    const uint64_t end = job->whole->image->blocks, blocks = end - job->first;
    uint64_t next = job->first;
    job->count = blocks < crew->threads ? (unsigned)blocks : crew->threads;
    for (unsigned i = 0; i < crew->capacity; i++) {
        struct stretch *s = &crew->stretches[i];
        s->state = WAITING;
        s->launch.watch = NULL;
        if (i >= job->count)
            continue;
        s->first = s->next = next;
        next =
            job->first + blocks / job->count * (i + 1) + blocks % job->count * (i + 1) / job->count;
        if (next < end && next / job->unit * job->unit > s->first)
            next = next / job->unit * job->unit;
        s->end = next;
    }
}

/* Whether a stretch gave up because of others. */
static bool met_others(const struct job *job) {
    bool met = false;
    for (unsigned i = 0; i < job->count; i++)
        met |= job->crew->stretches[i].view.failed;
    return met;
}

/* A thread's block, whose launch is over or was cancelled. */
static void leave(const struct fh_launch_state *launch, struct fh_block *block) {
    if (block && block->live && launch->leaves && fh_launch_cancelled(launch))
        launch->leaves(launch->leaves_user, block);
    fh_block_free(block);
}

/* Runs the blocks from `first` on in one of the ways; returns the first block that has not run.
 * If there is one, *way becomes what to do with it. */
static uint64_t run_from(struct fh_crew *crew, struct fh_launch_state *launch, uint64_t first,
                         enum way *way) {
    struct job job = {.crew = crew,
                      .whole = launch,
                      .claims = *way < COPIES ? &crew->claims[*way] : NULL,
                      .first = first,
                      .unit = unit_of(launch->image, crew->threads, *way),
                      .blocks = calloc(crew->threads, sizeof(*job.blocks)),
                      .last = UINT64_MAX};
    struct stretch **order = calloc(crew->capacity, sizeof(*order));
    uint64_t next = first;
    if (order && job.blocks &&
        (!job.claims ||
         (crew->capacity <= FH_MOST_CLAIMANTS && fh_claims_begin(job.claims, launch->memory)))) {
        pthread_mutex_init(&job.lock, NULL);
        cut(&job);
        /* Made and freed by one thread, so that the host's allocator can use the memory again. */
        for (unsigned i = 0; i < crew->threads; i++)
            job.blocks[i] = fh_block_new(launch);
        fh_team_run(crew->team, run_stretches, &job);
        for (unsigned i = 0; i < crew->threads; i++)
            leave(launch, job.blocks[i]);
        next = take_over(&job, order);
        pthread_mutex_destroy(&job.lock);
    }
    if (launch->no_memory)
        *way = IN_TURN;
    else if (next < launch->image->blocks && launch->fault.kind == FHEC_FAULT_NONE &&
             !fh_launch_cancelled(launch))
        *way = job.claims && met_others(&job) ? *way + 1 : IN_TURN;
    free(order);
    free(job.blocks);
    return next;
}

uint64_t fh_crew_run(struct fh_crew *crew, struct fh_launch_state *launch) {
    const uint64_t blocks = launch->image->blocks;
    struct memo *m = memo_for(crew, launch);
    uint64_t next = 0;
    if (blocks > m->blocks) {
        m->blocks = blocks;
        m->way = PAGES;
    }
    while (next < blocks && launch->fault.kind == FHEC_FAULT_NONE && m->way != IN_TURN &&
           !fh_launch_cancelled(launch))
        next = run_from(crew, launch, next, &m->way);
    return next;
}
