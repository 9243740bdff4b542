/*
 * speculation.c - optimistic execution of blocks on several host threads, with in-order commit: no
 * result changes.
 *
 * The meaning of a launch is that its blocks run one after another, 0 to n-1, each to its end. Here
 * the grid is cut into chunks of consecutive blocks, and each chunk runs speculatively, as a
 * transaction (transaction.h).
 *
 *     blocks   0 ............ 99 | 100 ........... 149 | 150 ....... 199
 *              chunk A           | chunk B             | chunk C, stolen from B's end
 *
 * When all have ended, the chunks are committed in the order of their blocks. One that read no word
 * written by those before it, but as it was after them, did exactly what it would have done in
 * sequential order: everything that a block can see of the others is global memory. Its counts are
 * then added, and what it wrote stays. The first chunk for which this fails ends the parallel part:
 * it and later ones are squashed, and the launch goes on from its first block. By induction over
 * the chunks, all that can be seen of the launch is the same as in sequential order: memory,
 * counts, and the fault, which is the one of the first chunk that has one. How the blocks were cut,
 * and so the number of threads and their speed, decides only how much work is done twice.
 *
 * There are several modes, tried one after the other; what is left then runs sequentially.
 *
 *     BY_PAGE    in memory itself, on pages that the chunk owns (ownership.h): there is nothing to
 *                commit. It fails for chunks that share a page that one of them writes.
 *     BY_LINE    the same by the line.
 *     BUFFERED   with write buffers, and read and write sets by the word, compared in the end. It
 *                fails only where words go from block to block.
 *
 * In place, every piece that two chunks touched and one wrote made one of the two abort, so those
 * that did not are valid by themselves. A buffered chunk that read stale words may run for ever. So
 * it looks now and then whether all before it have ended, and if so, whether it is invalid already.
 */
#include "speculation.h"

#include "schedule.h"
#include "transaction.h"
#include "watch.h"
#include "worker_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS_PER_THREAD = 4,
    CHECK_STEPS = 1 << 15,   /* to the first look whether a chunk is invalid; then twice as many */
    WORTHWHILE_STEPS = 8192, /* shorter launches are over before the threads are awake */
    PROFILES = 32,
    UNITS_PER_THREAD = 8, /* at least; see unit_of */
    PART = 64,            /* of a chunk's blocks, of which a thread takes one at a time, ... */
    MOST_BLOCKS = 16,     /* ... but no more than these */
    COMMIT_LINES = 4096,  /* lines that a thread puts into memory at a time */
};

enum state { WAITING, RUNNING, ENDED };

enum mode { BY_PAGE = FH_PAGES, BY_LINE = FH_LINES, BUFFERED, SEQUENTIAL };

struct chunk {
    struct job *job;
    uint64_t first, next, end; /* blocks; next is the one to run next */
    enum state state;
    enum fh_outcome outcome;
    uint64_t next_check; /* steps at the next look */
    struct fh_launch_state launch;
    struct fh_transaction transaction;
    struct fh_inline_cache
        *caches; /* the launch's arrays, for kernels of up to `room` instructions */
    struct fh_op_count *counts;
    size_t room;
};

/* What is known of a kernel from its last launch. */
struct profile {
    const struct fhec_program *program;
    size_t kernel;
    uint64_t steps_per_block;
    enum mode mode;  /* the first that has not failed ... */
    uint64_t blocks; /* ... with so many; a larger launch tries all again */
};

struct fh_speculator {
    struct fh_worker_pool *pool;
    unsigned threads, capacity;
    struct chunk *chunks; /* room for `capacity`; their transactions and arrays are kept */
    struct fh_ownership ownership[FH_PIECE_KINDS]; /* for the ways in place */
    struct fh_undo_log **spare;                    /* for each thread */
    struct profile profiles[PROFILES];
    unsigned next_profile;
};

/* One launch, or what is left of it. The lock guards the chunks' next, end, state and outcome,
 * and count. */
struct job {
    struct fh_speculator *speculator;
    struct fh_launch_state *whole;
    struct fh_ownership *ownership; /* in place; NULL: with copies */
    uint64_t first, unit;           /* block; see unit_of */
    pthread_mutex_t lock;
    unsigned count;
    struct fh_block **blocks; /* for each thread; NULL: no host memory */
    _Atomic uint64_t last;    /* no chunk that begins behind this block is needed */
};

/* Putting the words of the first `count` chunks (in order) into memory. */
struct commit {
    struct chunk **order;
    unsigned count;
    struct fh_memory *memory;
    _Atomic size_t next; /* piece to do next; pieces of all allocations, one after another */
};

struct fh_speculator *fh_speculator_new(unsigned threads) {
    struct fh_speculator *speculator = calloc(1, sizeof *speculator);
    if (!speculator)
        return NULL;
    speculator->pool = fh_worker_pool_new(threads - 1);
    if (speculator->pool) {
        speculator->threads = fh_worker_pool_size(speculator->pool);
        speculator->capacity = speculator->threads * CHUNKS_PER_THREAD;
        speculator->chunks = calloc(speculator->capacity, sizeof *speculator->chunks);
        speculator->spare = calloc(speculator->threads, sizeof(*speculator->spare));
    }
    speculator->ownership[BY_PAGE].pieces = FH_PAGES;
    speculator->ownership[BY_LINE].pieces = FH_LINES;
    if (speculator->chunks && speculator->spare)
        return speculator;
    fh_speculator_free(speculator);
    return NULL;
}

void fh_speculator_free(struct fh_speculator *speculator) {
    if (!speculator)
        return;
    fh_worker_pool_free(speculator->pool);
    for (unsigned i = 0; speculator->chunks && i < speculator->capacity; i++) {
        fh_transaction_free(&speculator->chunks[i].transaction);
        free(speculator->chunks[i].caches);
        free(speculator->chunks[i].counts);
    }
    free(speculator->chunks);
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_ownership_free(&speculator->ownership[i]);
    for (unsigned i = 0; speculator->spare && i < speculator->threads; i++)
        fh_undo_log_free(speculator->spare[i]);
    free(speculator->spare);
    free(speculator);
}

void fh_speculator_forget(struct fh_speculator *speculator, size_t allocation) {
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_ownership_forget(&speculator->ownership[i], allocation);
    for (unsigned i = 0; i < speculator->capacity; i++)
        fh_transaction_forget(&speculator->chunks[i].transaction, allocation);
}

static struct profile *profile_of(const struct fh_speculator *speculator,
                                  const struct fh_launch_state *launch) {
    for (unsigned i = 0; i < PROFILES; i++) {
        const struct profile *m = &speculator->profiles[i];
        if (m->program == launch->image->program && m->kernel == launch->image->kernel)
            return (struct profile *)m;
    }
    return NULL;
}

bool fh_speculator_worthwhile(const struct fh_speculator *speculator,
                              const struct fh_launch_state *launch) {
    const struct profile *m = profile_of(speculator, launch);
    const uint64_t blocks = launch->image->blocks;
    return !m || ((m->mode != SEQUENTIAL || blocks > m->blocks) &&
                  m->steps_per_block * blocks >= WORTHWHILE_STEPS);
}

static struct profile *profile_for(struct fh_speculator *speculator,
                                   const struct fh_launch_state *launch) {
    struct profile *m = profile_of(speculator, launch);
    if (!m) {
        m = &speculator->profiles[speculator->next_profile++ % PROFILES];
        *m = (struct profile){.program = launch->image->program, .kernel = launch->image->kernel};
    }
    return m;
}

void fh_speculator_remember(struct fh_speculator *speculator,
                            const struct fh_launch_state *launch) {
    profile_for(speculator, launch)->steps_per_block = launch->steps / launch->image->blocks;
}

bool fh_launch_arrays(struct fh_launch_state *launch, bool counting) {
    size_t count = launch->image->count + 1u;
    launch->caches = calloc(count, sizeof *launch->caches);
    launch->counts = counting ? calloc(count, sizeof *launch->counts) : NULL;
    return launch->caches && (launch->counts || !counting);
}

void fh_launch_arrays_free(struct fh_launch_state *launch) {
    free(launch->caches);
    free(launch->counts);
    launch->caches = NULL;
    launch->counts = NULL;
}

/* ---------------------------------------------------------------- running */

/* With copies: whether all blocks before `s` have run, and one of them wrote a word that it read.
 */
static bool known_invalid(struct chunk *s) {
    struct job *job = s->job;
    bool all = true, conflict = false;
    pthread_mutex_lock(&job->lock);
    for (unsigned i = 0; i < job->count && all; i++) {
        const struct chunk *other = &job->speculator->chunks[i];
        all = other->first >= s->first || (other->state == ENDED && other->outcome == FH_DONE);
    }
    for (unsigned i = 0; i < job->count && all && !conflict; i++) {
        const struct chunk *other = &job->speculator->chunks[i];
        conflict = other->first < s->first &&
                   fh_transaction_conflict(&s->transaction, &other->transaction);
    }
    pthread_mutex_unlock(&job->lock);
    return conflict;
}

static bool watch(void *user) {
    struct chunk *s = user;
    if (s->transaction.failed || atomic_load(&s->job->last) < s->first)
        return true;
    if (s->job->ownership || s->launch.steps < s->next_check)
        return false;
    s->next_check = 2 * s->launch.steps;
    return known_invalid(s);
}

/* The next blocks of the chunk, [*block, *end): a small part of what is left of it, since others
 * can take no more of them from it. False at its end, or when it is not needed any more, which
 * *outcome then says. */
static bool next_blocks(struct chunk *s, uint64_t *block, uint64_t *end, enum fh_outcome *outcome) {
    struct job *job = s->job;
    pthread_mutex_lock(&job->lock);
    const uint64_t part = (s->end - s->next) / PART;
    const uint64_t count = part < 1 ? 1 : part > MOST_BLOCKS ? MOST_BLOCKS : part;
    bool there = s->next < s->end;
    if (there && atomic_load(&job->last) < s->first) {
        *outcome = FH_CANCELLED;
        there = false;
    }
    if (there) {
        *block = s->next;
        *end = s->next = s->next + count;
    }
    pthread_mutex_unlock(&job->lock);
    return there;
}

static enum fh_outcome run_chunk(struct chunk *s, struct fh_block *block) {
    enum fh_outcome outcome = FH_DONE;
    uint64_t index = 0, end = 0;
    block->launch = &s->launch;
    while (outcome == FH_DONE && (index < end || next_blocks(s, &index, &end, &outcome))) {
        fh_block_start(block, index++);
        outcome = fh_block_run(block, watch, s);
        if (s->transaction.failed || outcome == FH_WAITS || outcome == FH_NO_MEMORY)
            outcome = FH_CANCELLED;
    }
    return outcome;
}

/* Chunks are cut at multiples of so many blocks, so that fewer of them share pieces of memory:
 * where the last sides of the grid begin anew, since blocks that differ in those most often work on
 * different data, or else at powers of two. It is little enough to keep all threads busy. */
static uint64_t unit_of(const struct fh_image *image, unsigned threads, enum mode mode) {
    const uint64_t most = image->blocks / ((uint64_t)UNITS_PER_THREAD * threads);
    const uint64_t row = image->grid[0], plane = row * image->grid[1];
    uint64_t unit = 1;
    if (plane <= most)
        return plane;
    if (row <= most)
        return row;
    while (mode == BY_PAGE && unit <= most / 2)
        unit *= 2;
    return unit;
}

/* Where to cut a running chunk so that each part has blocks, those that have begun are in the
 * first, and about half of the others in the second: a multiple of the unit, or its end if there is
 * none. */
static uint64_t place_to_cut(const struct job *job, const struct chunk *s) {
    const uint64_t unit = job->unit, least = s->next > s->first ? s->next : s->first + 1;
    const uint64_t half = (s->end - (s->end - s->next) / 2) / unit * unit;
    const uint64_t last = (s->end - 1) / unit * unit;
    if (half >= least && half < s->end)
        return half;
    return last >= least ? last : s->end;
}

/* A chunk to run: one that nobody has begun, or about half of the one with most left. The
 * caller holds the lock. */
static struct chunk *take(struct job *job) {
    struct chunk *all = job->speculator->chunks, *longest = NULL;
    uint64_t last = atomic_load(&job->last);
    for (unsigned i = 0; i < job->count; i++) {
        struct chunk *s = &all[i];
        if (s->state == WAITING)
            return s;
        if (s->state == RUNNING && s->first <= last && place_to_cut(job, s) < s->end &&
            (!longest || s->end - s->next > longest->end - longest->next))
            longest = s;
    }
    if (!longest || job->count == job->speculator->capacity)
        return NULL;
    struct chunk *s = &all[job->count++];
    s->first = s->next = place_to_cut(job, longest);
    s->end = longest->end;
    longest->end = s->first;
    return s;
}

/* Gives the chunk's launch its arrays, cleared. False without host memory. */
static bool give_arrays(struct chunk *s, bool counting) {
    const size_t count = s->launch.image->count + 1u;
    if (s->room < count) {
        free(s->caches);
        free(s->counts);
        s->caches = malloc(count * sizeof *s->caches);
        s->counts = malloc(count * sizeof *s->counts);
        s->room = s->caches && s->counts ? count : 0;
    }
    if (!s->room)
        return false;
    memset(s->caches, 0, count * sizeof *s->caches);
    if (counting)
        memset(s->counts, 0, count * sizeof *s->counts);
    s->launch.caches = s->caches;
    s->launch.counts = counting ? s->counts : NULL;
    return true;
}

/* Gets the chunk ready, with nothing read or written. False without host memory. */
static bool prepare(struct chunk *s, struct job *job, unsigned thread) {
    const struct fh_launch_state *whole = job->whole;
    s->job = job;
    s->next_check = CHECK_STEPS;
    s->launch = (struct fh_launch_state){
        .image = whole->image,
        .memory = whole->memory,
        .transaction = &s->transaction,
        .max_steps = whole->max_steps,
        .cancel = whole->cancel,
        .progress = whole->progress,
    };
    if (job->ownership)
        fh_transaction_begin_in_place(&s->transaction, whole->memory, job->ownership,
                                      (unsigned)(s - job->speculator->chunks),
                                      &job->speculator->spare[thread]);
    else
        fh_transaction_begin(&s->transaction, whole->memory);
    if (s->transaction.failed || !give_arrays(s, whole->counts != NULL))
        return false;
    if (!whole->watch)
        return true;
    pthread_mutex_lock(&job->lock); /* observers are asked one at a time */
    s->launch.watch = whole->watch->fork(whole->watch);
    pthread_mutex_unlock(&job->lock);
    return s->launch.watch;
}

static void run_chunks(void *user, unsigned thread) {
    struct job *job = user;
    struct fh_block *block = job->blocks[thread];
    pthread_mutex_lock(&job->lock);
    for (struct chunk *s; (s = take(job)) != NULL;) {
        s->state = RUNNING;
        pthread_mutex_unlock(&job->lock);
        enum fh_outcome outcome = FH_CANCELLED;
        if (prepare(s, job, thread) && block)
            outcome = run_chunk(s, block);
        fh_undo_log_settle();
        pthread_mutex_lock(&job->lock);
        s->outcome = outcome;
        s->state = ENDED;
        if (s->outcome != FH_DONE && s->first < atomic_load(&job->last))
            atomic_store(&job->last, s->first);
    }
    pthread_mutex_unlock(&job->lock);
}

/* ---------------------------------------------------------------- taking over the results */

/* Lines of an allocation that any of the chunks touched. */
static void touched_lines(const struct commit *c, size_t allocation, size_t *low, size_t *high) {
    *low = SIZE_MAX;
    *high = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct fh_transaction *transaction = &c->order[i]->transaction;
        const struct fh_write_buffer *r =
            allocation < transaction->count ? transaction->buffers[allocation] : NULL;
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
                fh_transaction_commit(&c->order[i]->transaction, a, line,
                                      high - line < COMMIT_LINES ? high : line + COMMIT_LINES);
            mine = atomic_fetch_add(&c->next, 1);
        }
    }
}

static void add_results(struct fh_launch_state *whole, const struct chunk *s) {
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

/* Whether `s`, which follows the chunks that `c` holds, did what it would have done in sequential
 * order. */
static bool valid(const struct commit *c, const struct fh_launch_state *whole,
                  const struct chunk *s) {
    if (s->state != ENDED || s->outcome == FH_CANCELLED)
        return false;
    if (whole->max_steps && s->first) { /* its limit was that of the whole launch */
        bool limited = s->outcome == FH_FAULTED && s->launch.fault.kind == FHEC_FAULT_STEP_LIMIT;
        if (limited || s->launch.steps > whole->max_steps - whole->steps)
            return false;
    }
    for (unsigned i = 0; i < c->count && !s->job->ownership; i++)
        if (fh_transaction_conflict(&s->transaction, &c->order[i]->transaction))
            return false;
    return true;
}

/* Tells the history of memory what the chunks overwrite. False without host memory. */
static bool save(const struct commit *c) {
    fh_history_begin_late(c->memory->history);
    for (unsigned i = 0; i < c->count; i++)
        if (!fh_transaction_save(&c->order[i]->transaction))
            return false;
    return true;
}

static int by_first_block(const void *a, const void *b) {
    const struct chunk *const *x = a, *const *y = b;
    return (*x)->first < (*y)->first ? -1 : (*x)->first > (*y)->first;
}

/* Commits the chunks that did what they would have done in sequential order, and squashes the
 * others; returns the first block that has not run. */
static uint64_t take_over(struct job *job, struct chunk **order) {
    struct fh_launch_state *whole = job->whole;
    struct commit commit = {.order = order, .memory = whole->memory};
    uint64_t next = job->first;
    for (unsigned i = 0; i < job->count; i++)
        order[i] = &job->speculator->chunks[i];
    qsort(order, job->count, sizeof *order, by_first_block);
    while (commit.count < job->count && whole->fault.kind == FHEC_FAULT_NONE &&
           valid(&commit, whole, order[commit.count])) {
        add_results(whole, order[commit.count]);
        next = order[commit.count++]->end;
    }
    for (unsigned i = commit.count; i < job->count && job->ownership; i++)
        fh_owner_end(order[i]->transaction.owner, false);
    if (whole->memory->history && !save(&commit)) {
        fh_history_cancel_late(whole->memory->history);
        whole->no_memory = true;
    }
    for (unsigned i = 0; i < commit.count && job->ownership; i++)
        fh_owner_end(order[i]->transaction.owner, !whole->no_memory);
    for (unsigned i = 0; i < job->count; i++)
        if (order[i]->launch.watch)
            whole->watch->end(order[i]->launch.watch, i < commit.count && !whole->no_memory);
    if (commit.count && !job->ownership && !whole->no_memory)
        fh_worker_pool_run(job->speculator->pool, commit_pieces, &commit);
    return next;
}

/* Cuts the blocks from job->first on into one chunk for each thread. */
static void cut(struct job *job) {
    struct fh_speculator *speculator = job->speculator;
    const uint64_t end = job->whole->image->blocks, blocks = end - job->first;
    uint64_t next = job->first;
    job->count = blocks < speculator->threads ? (unsigned)blocks : speculator->threads;
    for (unsigned i = 0; i < speculator->capacity; i++) {
        struct chunk *s = &speculator->chunks[i];
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

/* Whether a chunk gave up because of others. */
static bool met_others(const struct job *job) {
    bool met = false;
    for (unsigned i = 0; i < job->count; i++)
        met |= job->speculator->chunks[i].transaction.failed;
    return met;
}

/* A thread's block, whose launch is over or was cancelled. */
static void leave(const struct fh_launch_state *launch, struct fh_block *block) {
    if (block && block->live && launch->leaves && fh_launch_cancelled(launch))
        launch->leaves(launch->leaves_user, block);
    fh_block_free(block);
}

/* Runs the blocks from `first` on in one of the ways; returns the first block that has not run.
 * If there is one, *mode becomes what to do with it. */
static uint64_t run_from(struct fh_speculator *speculator, struct fh_launch_state *launch,
                         uint64_t first, enum mode *mode) {
    struct job job = {.speculator = speculator,
                      .whole = launch,
                      .ownership = *mode < BUFFERED ? &speculator->ownership[*mode] : NULL,
                      .first = first,
                      .unit = unit_of(launch->image, speculator->threads, *mode),
                      .blocks = calloc(speculator->threads, sizeof(*job.blocks)),
                      .last = UINT64_MAX};
    struct chunk **order = calloc(speculator->capacity, sizeof(*order));
    uint64_t next = first;
    if (order && job.blocks &&
        (!job.ownership || (speculator->capacity <= FH_MOST_OWNERS &&
                            fh_ownership_begin(job.ownership, launch->memory)))) {
        pthread_mutex_init(&job.lock, NULL);
        cut(&job);
        /* Made and freed by one thread, so that the host's allocator can use the memory again. */
        for (unsigned i = 0; i < speculator->threads; i++)
            job.blocks[i] = fh_block_new(launch);
        fh_worker_pool_run(speculator->pool, run_chunks, &job);
        for (unsigned i = 0; i < speculator->threads; i++)
            leave(launch, job.blocks[i]);
        next = take_over(&job, order);
        pthread_mutex_destroy(&job.lock);
    }
    if (launch->no_memory)
        *mode = SEQUENTIAL;
    else if (next < launch->image->blocks && launch->fault.kind == FHEC_FAULT_NONE &&
             !fh_launch_cancelled(launch))
        *mode = job.ownership && met_others(&job) ? *mode + 1 : SEQUENTIAL;
    free(order);
    free(job.blocks);
    return next;
}

uint64_t fh_speculator_run(struct fh_speculator *speculator, struct fh_launch_state *launch) {
    const uint64_t blocks = launch->image->blocks;
    struct profile *m = profile_for(speculator, launch);
    uint64_t next = 0;
    if (blocks > m->blocks) {
        m->blocks = blocks;
        m->mode = BY_PAGE;
    }
    while (next < blocks && launch->fault.kind == FHEC_FAULT_NONE && m->mode != SEQUENTIAL &&
           !fh_launch_cancelled(launch))
        next = run_from(speculator, launch, next, &m->mode);
    return next;
}
