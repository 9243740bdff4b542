/*
 * machine_text.c - reads descriptions of machines: a statement a line, words and numbers, # begins
 * a comment. All errors of a file are told in one run.
 */
#include "time_machine.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"

enum { MOST_WORDS = 32, MOST_LIKE = 8, MESSAGE = 240, LINE = 400 };

struct reader {
    const struct fh_time_reading *reading;
    struct fh_time_machine *to;
    const char *file;
    uint32_t number; /* of the line */
    unsigned depth;  /* of files that are like others */
    bool failed, named, begun;
    char line[LINE]; /* as it was written */
    char copy[LINE]; /* cut into words */
    char *words[MOST_WORDS];
    unsigned count, at;
};

static const char *const policies[] = {"greedy-youngest", "greedy-oldest", "oldest", "behind"};
static const char *const dependences[] = {"control", "scoreboard"};
static const char *const accesses[] = {"load.shared", "store.shared", "atomic.shared", "matrices",
                                       "load.global", "store.global", "atomic.global", "copy"};

const char *fh_time_policy_name(enum fh_time_policy policy) {
    return policies[policy];
}

/* About a word of the line; NULL: its end. */
static void tell(const struct reader *r, fhec_severity severity, const char *word,
                 const char *format, va_list args) {
    char message[MESSAGE];
    vsnprintf(message, sizeof message, format, args);
    const uint32_t column = word ? (uint32_t)(word - r->copy) + 1 : (uint32_t)strlen(r->line) + 1;
    const fhec_diagnostic d = {
        .severity = severity,
        .message = message,
        .at = {r->file, r->number, column, word ? (uint32_t)strlen(word) : 1},
        .source_line = r->line,
    };
    if (r->reading->diagnostic)
        r->reading->diagnostic(r->reading->user, &d);
}

static __attribute__((format(printf, 3, 4))) bool fail(struct reader *r, const char *word,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    tell(r, FHEC_ERROR, word, format, args);
    va_end(args);
    r->failed = true;
    return false;
}

static __attribute__((format(printf, 3, 4))) void warn(const struct reader *r, const char *word,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    tell(r, FHEC_WARNING, word, format, args);
    va_end(args);
}

/* ---------------------------------------------------------------- words */

/* The next word, which stays; NULL at the line's end. */
static const char *peek(const struct reader *r) {
    return r->at < r->count ? r->words[r->at] : NULL;
}

static bool take(struct reader *r, const char *what, const char **word) {
    *word = peek(r);
    if (!*word)
        return fail(r, NULL, "%s is missing", what);
    r->at++;
    return true;
}

static bool take_if(struct reader *r, const char *word) {
    const bool is = peek(r) && strcmp(peek(r), word) == 0;
    r->at += is;
    return is;
}

/* A number, which may end in K, M or G. */
static bool take_number(struct reader *r, const char *what, double least, double most,
                        double *value) {
    const char *word;
    char digits[64];
    if (!take(r, what, &word))
        return false;
    const size_t length = strlen(word);
    const char unit = length ? word[length - 1] : 0;
    const bool scaled = unit == 'K' || unit == 'M' || unit == 'G';
    snprintf(digits, sizeof digits, "%.*s", (int)(length - scaled), word);
    const bool good = length < sizeof digits && fh_parse_real(digits, value);
    if (scaled)
        *value *= unit == 'K' ? 1024.0 : unit == 'M' ? 1048576.0 : 1073741824.0;
    if (!good)
        return fail(r, word, "%s is a number, not \"%s\"", what, word);
    if (*value < least || *value > most)
        return fail(r, word, "%s is from %.10g to %.10g", what, least, most);
    return true;
}

static bool take_count(struct reader *r, const char *what, uint32_t least, uint32_t most,
                       uint32_t *value) {
    const char *word = peek(r);
    double number;
    if (!take_number(r, what, least, most, &number))
        return false;
    *value = (uint32_t)number;
    return *value == number || fail(r, word, "%s is a whole number", what);
}

static bool take_choice(struct reader *r, const char *what, const char *const *names,
                        unsigned count, unsigned *choice) {
    const char *word;
    if (!take(r, what, &word))
        return false;
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(names[*choice], word) == 0)
            return true;
    char list[MESSAGE / 2] = "";
    for (unsigned i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    return fail(r, word, "%s is one of %s, not \"%s\"", what, list, word);
}

static bool take_name(struct reader *r, const char *what, char name[FH_TIME_NAME]) {
    const char *word;
    if (!take(r, what, &word))
        return false;
    if (strlen(word) >= FH_TIME_NAME)
        return fail(r, word, "%s has at most %d characters", what, FH_TIME_NAME - 1);
    strcpy(name, word);
    return true;
}

/* ---------------------------------------------------------------- numbers of the machine */

/* Number `key` of a statement, or the first one, which has no key. */
struct field {
    const char *statement, *key;
    size_t offset;
    enum { COUNT, BYTES, REAL } kind;
    double least, most;
    bool needed;
};
#define FIELD(member) offsetof(struct fh_time_machine, member)
static const struct field fields[] = {
    {"clock", NULL, FIELD(clock_mhz), REAL, 1, 1e5, true},
    {"sms", NULL, FIELD(sms), COUNT, 1, 4096, true},
    {"schedulers", NULL, FIELD(schedulers), COUNT, 1, FH_TIME_SCHEDULERS, true},
    {"slot", NULL, FIELD(slot), COUNT, 1, 64, true},
    {"warps", NULL, FIELD(warps), COUNT, 1, FH_TIME_WARPS, true},
    {"blocks", NULL, FIELD(blocks), COUNT, 1, FH_TIME_WARPS, true},
    {"registers", NULL, FIELD(registers), COUNT, 1, 1 << 24, true},
    {"registers", "unit", FIELD(register_unit), COUNT, 1, 65536, true},
    {"shared", NULL, FIELD(shared), COUNT, 0, 1 << 30, false},
    {"shared", "unit", FIELD(shared_unit), COUNT, 1, 65536, true},
    {"shared", "reserved", FIELD(shared_reserved), COUNT, 0, 65536, false},
    {"launch", NULL, FIELD(launch), COUNT, 0, 1e9, false},
    {"banks", NULL, FIELD(banks), COUNT, 0, FH_TIME_BANKS, false},
    {"banks", "window", FIELD(window), COUNT, 1, 64, false},
    {"queue", NULL, FIELD(queue), COUNT, 1, FH_TIME_QUEUE, true},
    {"queue", "depth", FIELD(queue_depth), COUNT, 0, 1000, false},
    {"queue", "interval", FIELD(queue_interval), COUNT, 1, 1000, true},
    {"queue", "shared", FIELD(queue_shared), COUNT, 1, 1000, true},
    {"pass", NULL, FIELD(pass), COUNT, 1, 64, true},
    {"l1", NULL, FIELD(l1_bytes), COUNT, 0, 1 << 30, false},
    {"l1", "width", FIELD(l1_width), COUNT, 32, 4096, true},
    {"l2", NULL, FIELD(l2_bytes), BYTES, 0, 1e12, false},
    {"l2", "latency", FIELD(l2_latency), COUNT, 1, 1e6, true},
    {"l2", "bandwidth", FIELD(l2_bandwidth), COUNT, 1, 1e6, true},
    {"hbm", NULL, FIELD(hbm_bandwidth), REAL, 0.001, 1e6, true},
    {"hbm", "latency", FIELD(hbm_latency), COUNT, 1, 1e6, true},
    {"hbm", "efficiency", FIELD(hbm_efficiency), REAL, 0.001, 1, false},
    {"overlap", NULL, FIELD(overlap), REAL, 0, 1, false},
    {"onchip", NULL, FIELD(onchip_bytes), BYTES, 1, 1e12, false},
    {"cnoc", "x", FIELD(torus_x), COUNT, 1, 16, false},
    {"cnoc", "y", FIELD(torus_y), COUNT, 1, 16, false},
    {"cnoc", "per", FIELD(per_router), COUNT, 1, 4096, false},
    {"cnoc", "link", FIELD(link_bytes), COUNT, 1, 65536, false},
    {"cnoc", "hop", FIELD(hop_cycles), COUNT, 0, 1000, false},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static double field_value(const struct fh_time_machine *m, const struct field *f) {
    const char *at = (const char *)m + f->offset;
    return f->kind == REAL    ? *(const double *)at
           : f->kind == BYTES ? (double)*(const uint64_t *)at
                              : (double)*(const uint32_t *)at;
}

static bool read_field(struct reader *r, const struct field *f) {
    char what[2 * FH_TIME_NAME];
    char *to = (char *)r->to + f->offset;
    double value;
    snprintf(what, sizeof what, "%s%s%s", f->statement, f->key ? " " : "", f->key ? f->key : "");
    if (f->kind == COUNT)
        return take_count(r, what, (uint32_t)f->least, (uint32_t)f->most, (uint32_t *)to);
    if (!take_number(r, what, f->least, f->most, &value))
        return false;
    if (f->kind == REAL)
        *(double *)to = value;
    else
        *(uint64_t *)to = (uint64_t)value;
    return true;
}

static const struct field *find_field(const char *statement, const char *key) {
    for (unsigned i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].statement, statement) == 0 &&
            (key && fields[i].key ? strcmp(fields[i].key, key) == 0 : key == fields[i].key))
            return &fields[i];
    return NULL;
}

static bool is_statement(const char *statement) {
    for (unsigned i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].statement, statement) == 0)
            return true;
    return false;
}

/* "registers 65536 unit 256": the number without a key may be left out. */
static bool read_fields(struct reader *r, const char *statement) {
    if (!peek(r))
        return fail(r, NULL, "%s needs a number", statement);
    const struct field *first = find_field(statement, NULL);
    if (first && !find_field(statement, peek(r)) && !read_field(r, first))
        return false;
    for (const char *key; (key = peek(r));) {
        const struct field *f = find_field(statement, key);
        if (!f)
            return fail(r, key, "%s has no \"%s\"", statement, key);
        r->at++;
        if (!read_field(r, f))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- units and instructions */

static bool read_unit(struct reader *r) {
    static const char *const whose[] = {"each", "shared"};
    struct fh_time_machine *m = r->to;
    char name[FH_TIME_NAME];
    unsigned choice;
    const char *word = peek(r);
    if (!take_name(r, "the unit's name", name) || !take_choice(r, "whose it is", whose, 2, &choice))
        return false;
    uint32_t i = 0;
    while (i < m->unit_count && strcmp(m->units[i].name, name) != 0)
        i++;
    if (i == FH_TIME_UNITS)
        return fail(r, word, "there are at most %d units", FH_TIME_UNITS);
    strcpy(m->units[i].name, name);
    m->units[i].shared = choice;
    m->unit_count += i == m->unit_count;
    return true;
}

static bool take_units(struct reader *r, struct fh_time_rule *rule) {
    const char *word;
    rule->unit_count = 0;
    do {
        if (!take(r, "the unit", &word))
            return false;
        uint32_t i = 0;
        while (i < r->to->unit_count && strcmp(r->to->units[i].name, word) != 0)
            i++;
        if (i == r->to->unit_count)
            return fail(r, word, "there is no unit \"%s\" above", word);
        if (rule->unit_count == FH_TIME_CHOICES)
            return fail(r, word, "an instruction has at most %d units to go to", FH_TIME_CHOICES);
        rule->units[rule->unit_count++] = i;
    } while (take_if(r, "or"));
    return true;
}

static bool is_pipe(const char *name) {
    const char *mnemonic, *title, *pipe;
    for (size_t i = 0; fhec_isa_entry(i, &mnemonic, &title); i++)
        if ((pipe = fhec_isa_pipe(mnemonic)) && strcmp(pipe, name) == 0)
            return true;
    return false;
}

/* Also the beginning of mnemonics, up to a dot. */
static bool is_mnemonic(const char *name) {
    const char *mnemonic, *title;
    const size_t length = strlen(name);
    for (size_t i = 0; fhec_isa_entry(i, &mnemonic, &title); i++)
        if (strncmp(mnemonic, name, length) == 0 && mnemonic[length] == '.')
            return true;
    return fhec_isa_pipe(name);
}

/* A trace of another tool may have an instruction that nobody here knows. */
static void check_name(const struct reader *r, bool pipe, const char *word, const char *name) {
    if (pipe ? !fhec_pipe_latency(name) && !is_pipe(name) : !is_mnemonic(name))
        warn(r, word, "no %s is called \"%s\"", pipe ? "pipe" : "instruction", name);
}

/* The rule of that name, or a new one; what it does not say stays. */
static bool read_rule(struct reader *r, bool pipe) {
    struct fh_time_machine *m = r->to;
    char name[FH_TIME_NAME];
    const char *word = peek(r);
    if (!take_name(r, pipe ? "the pipe" : "the mnemonic", name))
        return false;
    check_name(r, pipe, word, name);
    uint32_t i = 0;
    while (i < m->rule_count && (m->rules[i].pipe != pipe || strcmp(m->rules[i].name, name) != 0))
        i++;
    if (i == FH_TIME_RULES)
        return fail(r, word, "there are at most %d of op and pipe", FH_TIME_RULES);
    struct fh_time_rule rule = m->rules[i];
    if (i == m->rule_count)
        rule = (struct fh_time_rule){.pipe = pipe, .latency = 1, .interval = 1};
    strcpy(rule.name, name);
    for (const char *key; (key = peek(r));) {
        r->at++;
        const bool fine =
            strcmp(key, "on") == 0         ? take_units(r, &rule)
            : strcmp(key, "latency") == 0  ? take_count(r, key, 1, 100000, &rule.latency)
            : strcmp(key, "interval") == 0 ? take_count(r, key, 1, 100000, &rule.interval)
            : strcmp(key, "read") == 0
                ? take_count(r, key, 0, 100000, &rule.read)
                : fail(r, key, "on, latency, interval or read, not \"%s\"", key);
        if (!fine)
            return false;
    }
    if (!rule.unit_count)
        return fail(r, NULL, "\"on UNIT\" is missing");
    m->rules[i] = rule;
    m->rule_count += i == m->rule_count;
    return true;
}

static bool take_widths(struct reader *r, const char *what, uint32_t to[FH_TIME_WIDTHS]) {
    for (unsigned i = 0; i < FH_TIME_WIDTHS; i++)
        if (!take_count(r, what, 0, 100000, &to[i]))
            return false;
    return true;
}

static bool read_latency(struct reader *r) {
    unsigned access;
    if (!take_choice(r, "an access", accesses, FH_TIME_ACCESSES, &access))
        return false;
    struct fh_time_latency l = r->to->latency[access];
    if (!take_widths(r, "the latency of 32, 64 and 128 bits", l.cycles))
        return false;
    memcpy(l.uniform, l.cycles, sizeof l.uniform);
    for (const char *key; (key = peek(r));) {
        r->at++;
        const bool fine = strcmp(key, "uniform") == 0 ? take_widths(r, key, l.uniform)
                          : strcmp(key, "read") == 0
                              ? take_widths(r, key, l.read)
                              : fail(r, key, "uniform or read, not \"%s\"", key);
        if (!fine)
            return false;
    }
    r->to->latency[access] = l;
    return true;
}

/* ---------------------------------------------------------------- lines */

static void read_text(struct reader *r, const char *text);

static bool read_like(struct reader *r, bool first) {
    const char *name, *text, *file;
    if (!take(r, "the machine's name", &name))
        return false;
    if (!first)
        return fail(r, name, "like comes first, behind machine");
    if (r->depth == MOST_LIKE)
        return fail(r, name, "a machine is like another one %d times at most", MOST_LIKE);
    if (!r->reading->find || !r->reading->find(r->reading->user, name, &text, &file))
        return fail(r, name, "there is no machine \"%s\"", name);
    struct reader *base = malloc(sizeof *base);
    char own[FH_TIME_NAME], title[sizeof r->to->title];
    if (!base)
        return fail(r, name, "no host memory");
    strcpy(own, r->to->name);
    strcpy(title, r->to->title);
    *base =
        (struct reader){.reading = r->reading, .to = r->to, .file = file, .depth = r->depth + 1};
    read_text(base, text);
    r->failed |= base->failed;
    free(base);
    snprintf(r->to->like, sizeof r->to->like, "%s", name);
    strcpy(r->to->name, own);
    strcpy(r->to->title, title);
    return true;
}

static bool read_machine(struct reader *r) {
    if (!take_name(r, "the machine's name", r->to->name))
        return false;
    r->named = true;
    r->to->title[0] = 0;
    for (const char *word; (word = peek(r)); r->at++)
        snprintf(r->to->title + strlen(r->to->title), sizeof r->to->title - strlen(r->to->title),
                 "%s%s", *r->to->title ? " " : "", word);
    return true;
}

static bool read_statement(struct reader *r) {
    const char *statement = r->words[0];
    unsigned choice;
    r->at = 1;
    if (strcmp(statement, "machine") == 0)
        return read_machine(r);
    const bool first = !r->begun;
    r->begun = true;
    if (strcmp(statement, "like") == 0)
        return read_like(r, first);
    if (strcmp(statement, "unit") == 0)
        return read_unit(r);
    if (strcmp(statement, "op") == 0 || strcmp(statement, "pipe") == 0)
        return read_rule(r, *statement == 'p');
    if (strcmp(statement, "latency") == 0)
        return read_latency(r);
    if (strcmp(statement, "policy") == 0) {
        if (!take_choice(r, "the policy", policies, 4, &choice))
            return false;
        r->to->policy = (enum fh_time_policy)choice;
        return true;
    }
    if (strcmp(statement, "dependences") == 0) {
        if (!take_choice(r, "who waits", dependences, 2, &choice))
            return false;
        r->to->dependences = (enum fh_time_dependences)choice;
        return true;
    }
    if (!is_statement(statement))
        return fail(r, statement, "there is no statement \"%s\"", statement);
    return read_fields(r, statement);
}

/* Cuts the line into words, each where it stands in the copy. */
static bool split(struct reader *r) {
    strcpy(r->copy, r->line);
    r->count = 0;
    r->copy[strcspn(r->copy, "#")] = 0;
    for (char *p = r->copy; *p;) {
        while (isspace((unsigned char)*p))
            *p++ = 0;
        if (!*p)
            break;
        if (r->count == MOST_WORDS)
            return fail(r, p, "a line has at most %d words", MOST_WORDS);
        r->words[r->count++] = p;
        while (*p && !isspace((unsigned char)*p))
            p++;
    }
    return true;
}

static void read_line(struct reader *r, const char *text, size_t length) {
    const size_t kept = length < LINE ? length : LINE - 1;
    memcpy(r->line, text, kept);
    r->line[kept] = 0;
    if (length >= LINE) {
        strcpy(r->copy, "");
        fail(r, NULL, "a line has at most %d characters", LINE - 1);
        return;
    }
    if (split(r) && r->count && read_statement(r) && peek(r))
        fail(r, peek(r), "\"%s\" is too much", peek(r));
}

static void read_text(struct reader *r, const char *text) {
    if (r->depth == 0)
        *r->to = (struct fh_time_machine){.units = {{"memory", false}}, .unit_count = 1};
    while (*text) {
        const size_t length = strcspn(text, "\n");
        r->number++;
        read_line(r, text, length);
        text += length + (text[length] == '\n');
    }
    r->line[0] = r->copy[0] = 0;
    if (!r->named)
        fail(r, NULL, "the file does not say \"machine NAME\"");
}

/* Engines of block graphs, all or nothing of them. */
static void check_torus(struct reader *r) {
    const struct fh_time_machine *m = r->to;
    if (!m->torus_x && !m->torus_y && !m->per_router && !m->link_bytes)
        return;
    if (!m->torus_x || !m->torus_y || !m->per_router || !m->link_bytes)
        fail(r, NULL, "machine %s does not say its cnoc%s%s%s%s", m->name, m->torus_x ? "" : " x",
             m->torus_y ? "" : " y", m->per_router ? "" : " per", m->link_bytes ? "" : " link");
}

/* What no machine can do without. */
static void check_complete(struct reader *r) {
    for (unsigned i = 0; i < FIELDS && !r->failed; i++)
        if (fields[i].needed && field_value(r->to, &fields[i]) == 0)
            fail(r, NULL, "machine %s does not say its %s%s%s", r->to->name, fields[i].statement,
                 fields[i].key ? " " : "", fields[i].key ? fields[i].key : "");
    if (!r->failed && !r->to->rule_count)
        fail(r, NULL, "machine %s has no op and no pipe", r->to->name);
    if (!r->failed && r->to->banks && !r->to->window)
        fail(r, NULL, "machine %s does not say its banks window", r->to->name);
    if (!r->failed)
        check_torus(r);
}

fhec_status fh_time_machine_read(const char *file, const char *text,
                                 const struct fh_time_reading *reading,
                                 struct fh_time_machine *machine) {
    struct reader *r = malloc(sizeof *r);
    if (!r)
        return FHEC_HOST_ERROR;
    *r = (struct reader){.reading = reading, .to = machine, .file = file};
    read_text(r, text);
    check_complete(r);
    const bool failed = r->failed;
    free(r);
    return failed ? FHEC_BAD_INPUT : FHEC_OK;
}

fhec_status fh_time_machine_set(const char *text, const struct fh_time_reading *reading,
                                struct fh_time_machine *machine) {
    struct reader *r = malloc(sizeof *r);
    if (!r)
        return FHEC_HOST_ERROR;
    *r = (struct reader){
        .reading = reading, .to = machine, .file = "--change", .number = 1, .begun = true};
    read_line(r, text, strcspn(text, "\n"));
    check_complete(r);
    const bool failed = r->failed;
    free(r);
    return failed ? FHEC_BAD_INPUT : FHEC_OK;
}
