/*
 * event_log.c - see event_log.h.
 */
#include "event_log.h"

#include <xxhash.h>

struct event_log *event_log_new(size_t wanted) {
    struct event_log *log = calloc(1, sizeof *log);
    assert_non_null(log);
    log->wanted = wanted;
    return log;
}

void event_log_free(struct event_log *log) {
    free(log->hashes);
    free(log);
}

static void append(struct event_log *log, uint64_t hash) {
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 1024;
        log->hashes = realloc(log->hashes, log->room * sizeof *log->hashes);
        assert_non_null(log->hashes);
    }
    log->hashes[log->count++] = hash;
}

size_t event_log_differ(const struct event_log *a, const struct event_log *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->hashes[i] != b->hashes[i])
            return i;
    return a->count == b->count ? SIZE_MAX : a->count < b->count ? a->count : b->count;
}

/* ---------------------------------------------------------------- as a number */

static void mix(uint64_t *hash, const void *bytes, size_t size) {
    *hash = XXH3_64bits_withSeed(bytes, size, *hash);
}

static void mix_numbers(uint64_t *hash, const uint64_t *numbers, size_t count) {
    mix(hash, numbers, count * sizeof *numbers);
}

static void mix_registers(uint64_t *hash, const fhec_event *event) {
    fhec_values v;
    for (size_t i = 0; fhec_event_registers(event, i, &v); i++) {
        const uint64_t what[] = {v.file, v.first, v.count};
        mix_numbers(hash, what, COUNT_OF(what));
        mix(hash, v.values, 4 * (size_t)v.count * (v.file == FHEC_FILE_R ? FHEC_WARP_LANES : 1));
    }
}

static void mix_access(uint64_t *hash, const fhec_event *event) {
    const fhec_access *a = &event->access;
    const uint64_t what[] = {a->space, a->access, a->bytes, a->bank};
    mix_numbers(hash, what, COUNT_OF(what));
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        fhec_object object;
        if (!(event->lanes >> lane & 1))
            continue;
        mix(hash, &a->address[lane], sizeof a->address[lane]);
        for (uint32_t i = 0; i < (a->bytes + 3) / 4; i++) {
            mix(hash, &a->value[FHEC_WARP_LANES * i + lane], 4);
            if (a->old)
                mix(hash, &a->old[FHEC_WARP_LANES * i + lane], 4);
        }
        if (fhec_event_object(event, lane, &object))
            mix(hash, &object.offset, sizeof object.offset);
    }
}

static uint64_t hash_of(const fhec_event *e) {
    const uint64_t head[] = {e->kind,  e->number, e->block[0], e->block[1], e->block[2], e->warp,
                             e->lanes, e->active, e->pc,       e->word.lo,  e->word.hi};
    uint64_t hash = 0;
    mix_numbers(&hash, head, COUNT_OF(head));
    switch (e->kind) {
    case FHEC_EVENT_LAUNCH_END: mix(&hash, &e->end, sizeof e->end); break;
    case FHEC_EVENT_ISSUE:
    case FHEC_EVENT_RETIRE: mix_registers(&hash, e); break;
    case FHEC_EVENT_ACCESS: mix_access(&hash, e); break;
    case FHEC_EVENT_ARRIVE:
    case FHEC_EVENT_RELEASE: mix(&hash, &e->barrier, sizeof e->barrier); break;
    case FHEC_EVENT_DIVERGE: mix(&hash, e->next, FHEC_WARP_LANES * sizeof *e->next); break;
    case FHEC_EVENT_CONVERGE: mix(&hash, &e->joined, sizeof e->joined); break;
    case FHEC_EVENT_COPY:
    case FHEC_EVENT_COPY_DONE: mix(&hash, &e->copy, sizeof e->copy); break;
    case FHEC_EVENT_FAULT: mix(&hash, e->fault->message, strlen(e->fault->message)); break;
    case FHEC_EVENT_HOST_WRITE:
    case FHEC_EVENT_HOST_READ: mix(&hash, e->host.data, e->host.bytes); break;
    default: break;
    }
    return hash;
}

/* ---------------------------------------------------------------- as text */

__attribute__((format(printf, 2, 3))) static void say(struct event_log *log, const char *format,
                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(log->text + log->used, sizeof log->text - log->used, format, arguments);
    va_end(arguments);
    log->used += (size_t)n;
    if (log->used >= sizeof log->text)
        fail_msg("the log is full");
}

/* Lanes 0, 1 and 31. */
static void say_registers(struct event_log *log, const fhec_event *e) {
    static const char *const files[] = {"R", "P", "UR", "UP"};
    fhec_values v;
    for (size_t i = 0; fhec_event_registers(e, i, &v); i++)
        for (uint32_t k = 0; k < v.count; k++) {
            const uint32_t *row = &v.values[v.file == FHEC_FILE_R ? 32 * k : k];
            say(log, "  %s%u = %x", files[v.file], v.first + k, row[0]);
            if (v.file == FHEC_FILE_R)
                say(log, " %x .. %x", row[1], row[31]);
            say(log, "\n");
        }
}

static void say_access(struct event_log *log, const fhec_event *e) {
    static const char *const what[] = {"", "load", "store", "atomic"};
    const fhec_access *a = &e->access;
    const uint32_t lane = (uint32_t)__builtin_ctz(e->lanes),
                   last = 31 - (uint32_t)__builtin_clz(e->lanes);
    fhec_object object;
    say(log, "  %s %s of %u, lanes %08x: %llx .. %llx", fhec_space_name(a->space), what[a->access],
        a->bytes, e->lanes, (unsigned long long)a->address[lane],
        (unsigned long long)a->address[last]);
    for (uint32_t i = (a->bytes + 3) / 4; i-- > 0;)
        say(log, "%s%08x", i + 1 == (a->bytes + 3) / 4 ? ", " : "", a->value[32 * i + lane]);
    if (a->old)
        say(log, " was %08x", a->old[lane]);
    say(log, " .. %08x", a->value[last]);
    if (fhec_event_object(e, last, &object))
        say(log, " %s+%llu", object.name, (unsigned long long)object.offset);
    say(log, "\n");
}

static void say_instruction(struct event_log *log, const fhec_event *e) {
    char text[100];
    if (fhec_disassemble(e->word, e->pc, 0, text, sizeof text) < 0)
        strcpy(text, "?");
    say(log, "%u,%u,%u w%u %03llx %08x %s\n", e->block[0], e->block[1], e->block[2], e->warp,
        (unsigned long long)e->pc, e->active, text);
}

static void say_flow(struct event_log *log, const fhec_event *e) {
    const uint32_t lane = (uint32_t)__builtin_ctz(e->lanes),
                   last = 31 - (uint32_t)__builtin_clz(e->lanes);
    if (e->kind == FHEC_EVENT_DIVERGE)
        say(log, "  lanes %08x part: %llx .. %llx\n", e->lanes, (unsigned long long)e->next[lane],
            (unsigned long long)e->next[last]);
    else
        say(log, "lanes %08x meet at %03llx, joined by %08x\n", e->lanes, (unsigned long long)e->pc,
            e->joined);
}

static void text_of(struct event_log *log, const fhec_event *e) {
    const char *name = fhec_event_name(e->kind);
    switch (e->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN: say(log, "launch %llu\n", (unsigned long long)e->number); break;
    case FHEC_EVENT_LAUNCH_END:
        say(log, "launch %llu ends with %d, %llu instructions\n", (unsigned long long)e->number,
            e->end.status, (unsigned long long)e->end.instructions);
        break;
    case FHEC_EVENT_BLOCK_BEGIN:
    case FHEC_EVENT_BLOCK_END:
        say(log, "%s %u,%u,%u\n", name, e->block[0], e->block[1], e->block[2]);
        break;
    case FHEC_EVENT_WARP_BEGIN:
    case FHEC_EVENT_WARP_END: say(log, "%s %u: %08x\n", name, e->warp, e->lanes); break;
    case FHEC_EVENT_ISSUE:
        say_instruction(log, e);
        say_registers(log, e);
        break;
    case FHEC_EVENT_RETIRE:
        say(log, "->\n");
        say_registers(log, e);
        break;
    case FHEC_EVENT_INSTRUCTION: say(log, "done %03llx\n", (unsigned long long)e->pc); break;
    case FHEC_EVENT_ACCESS: say_access(log, e); break;
    case FHEC_EVENT_ARRIVE:
    case FHEC_EVENT_RELEASE:
        say(log, "  %s at barrier %u: lanes %08x, %u of %u\n", name, e->barrier.number, e->lanes,
            e->barrier.lanes, e->barrier.expected);
        break;
    case FHEC_EVENT_DIVERGE:
    case FHEC_EVENT_CONVERGE: say_flow(log, e); break;
    case FHEC_EVENT_COPY:
    case FHEC_EVENT_COPY_DONE:
        say(log, "  %s %llu to %llu, lanes %08x\n", name, (unsigned long long)e->copy.first,
            (unsigned long long)e->copy.last, e->lanes);
        break;
    case FHEC_EVENT_FAULT:
        say(log, "fault %s at %03llx, w%u, lanes %08x\n", fhec_fault_name(e->fault->kind),
            (unsigned long long)e->pc, e->warp, e->lanes);
        break;
    default:
        say(log, "%s %s+%llu, %zu bytes\n", name, e->host.name, (unsigned long long)e->host.offset,
            e->host.bytes);
        break;
    }
}

/* ---------------------------------------------------------------- the observer */

static void tell(void *user, const fhec_event *event) {
    struct event_log *log = user;
    if (log->wanted == SIZE_MAX || log->wanted == log->count)
        text_of(log, event);
    append(log, hash_of(event));
}

static void *fork_log(void *user) {
    (void)user;
    return event_log_new(SIZE_MAX - 1);
}

static void join_log(void *user, void *part) {
    const struct event_log *log = part;
    for (size_t i = 0; i < log->count; i++)
        append(user, log->hashes[i]);
    event_log_free(part);
}

static void drop_log(void *user, void *part) {
    (void)user;
    event_log_free(part);
}

fhec_observer event_log_observer(struct event_log *log, bool threads) {
    fhec_observer observer = {.user = log, .event = tell};
    if (threads) {
        observer.fork = fork_log;
        observer.join = join_log;
        observer.drop = drop_log;
    }
    return observer;
}
