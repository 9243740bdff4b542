/*
 * sweep_store.c - see sweep_store.h. Nothing where there is no SQLite; then nobody asks for it.
 */
#ifdef FH_HAS_SQLITE
#include "sweep_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

enum {
    APPLICATION = 0x66686563, /* "fhec", so that `file` and this know the file */
    VERSION = 1,
    BUSY_MS = 30000, /* readers see the file locked for moments only */
};

static const char schema[] =
    "CREATE TABLE builds (hash TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE runs ("
    " build TEXT NOT NULL REFERENCES builds, command TEXT NOT NULL, options TEXT NOT NULL,"
    " files TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('ok', 'failed')), reason TEXT,"
    " status INTEGER NOT NULL, signal INTEGER NOT NULL, attempts INTEGER NOT NULL,"
    " seconds REAL NOT NULL, user_s REAL NOT NULL, system_s REAL NOT NULL,"
    " peak_kib INTEGER NOT NULL, host TEXT, ended TEXT, stats TEXT, output TEXT, stderr TEXT,"
    " UNIQUE (build, command, options, files));"
    "CREATE TABLE writer (only INTEGER PRIMARY KEY CHECK (only = 1), who TEXT NOT NULL);"
    "PRAGMA application_id = 1718117731; PRAGMA user_version = 1;";

#define KEY "runs.build = ?1 AND command = ?2 AND options = ?3 AND files = ?4"
static const char known_sql[] = "SELECT state FROM runs WHERE " KEY;
#define ROW                                                                                        \
    "SELECT build, name, command, options, files, state, reason, status, signal, attempts, "       \
    "seconds, user_s, system_s, peak_kib, host, ended, stats, output, stderr "                     \
    "FROM runs JOIN builds ON builds.hash = runs.build "
static const char get_sql[] = ROW "WHERE " KEY;
static const char each_sql[] = ROW "ORDER BY name, build, command, options, files";
static const char build_sql[] = "INSERT INTO builds VALUES (?1, ?2) "
                                "ON CONFLICT DO UPDATE SET name = ?2 WHERE name <> ?2";
static const char put_sql[] =
    "INSERT OR REPLACE INTO runs VALUES "
    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";

struct fh_cli_sweep_store {
    const struct fh_cli *cli;
    char *path;
    sqlite3 *db;
    int lock; /* -1: only reads */
    sqlite3_stmt *known, *get, *build, *put;
};

/* Says what SQLite says. It does not tell a limit of sizes from other failures to write. */
static fhec_status failed(const struct fh_cli_sweep_store *store, const char *what) {
    const char *why = sqlite3_errmsg(store->db);
    switch (sqlite3_extended_errcode(store->db)) {
    case SQLITE_FULL: why = "no room for it on the disk"; break;
    case SQLITE_IOERR_WRITE:
    case SQLITE_IOERR_SHMSIZE:
        why = "writing fails; no room for it on the disk, or more than a file may have?";
        break;
    default: break;
    }
    return fh_cli_error(store->cli, FHEC_HOST_ERROR, "cannot %s %s: %s", what, store->path, why);
}

/* ---------------------------------------------------------------- opening */

static bool execute(struct fh_cli_sweep_store *store, const char *sql) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* A lock of the whole file that ends with the process; SQLite's are of ranges and of another kind.
 */
static fhec_status lock_file(struct fh_cli_sweep_store *store, bool *busy) {
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return fh_cli_error(store->cli, FHEC_HOST_ERROR, "cannot write %s: %s", store->path,
                            strerror(errno));
    *busy = flock(store->lock, LOCK_EX | LOCK_NB) != 0;
    return FHEC_OK;
}

static bool number_of(struct fh_cli_sweep_store *store, const char *sql, int *number) {
    sqlite3_stmt *statement = NULL;
    const bool good = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                      sqlite3_step(statement) == SQLITE_ROW;
    *number = good ? sqlite3_column_int(statement, 0) : 0;
    return sqlite3_finalize(statement) == SQLITE_OK && good;
}

/* Who writes, as he has said; the text is to be freed. */
static char *writer_of(struct fh_cli_sweep_store *store) {
    sqlite3_stmt *statement = NULL;
    char *who = NULL;
    if (sqlite3_prepare_v2(store->db, "SELECT who FROM writer", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        who = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return who;
}

static fhec_status say_busy(struct fh_cli_sweep_store *store) {
    char *who = writer_of(store);
    fh_cli_error(store->cli, FHEC_HOST_ERROR,
                 "another sweep writes %s%s%s; wait for it, or give this one a file of its own and "
                 "merge them",
                 store->path, who ? ": " : "", who ? who : "");
    free(who);
    return FHEC_HOST_ERROR;
}

static bool sign_in(struct fh_cli_sweep_store *store) {
    char host[256] = "", time_text[32], *sql;
    time_t now = time(NULL);
    struct tm parts;
    gethostname(host, sizeof host - 1);
    strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    sql = sqlite3_mprintf("INSERT OR REPLACE INTO writer VALUES (1, 'process %d of %q, since %s')",
                          (int)getpid(), host, time_text);
    const bool good = sql && sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    return good;
}

/* Makes the tables of a new file, and looks whether an old one is of this kind. */
static fhec_status check_schema(struct fh_cli_sweep_store *store) {
    int application, version, tables;
    if (!number_of(store, "PRAGMA application_id", &application) ||
        !number_of(store, "PRAGMA user_version", &version) ||
        !number_of(store, "SELECT count(*) FROM sqlite_master", &tables))
        return failed(store, "open");
    if (!application && !tables && store->lock >= 0) {
        if (!execute(store, "BEGIN IMMEDIATE") || !execute(store, schema) ||
            !execute(store, "COMMIT"))
            return failed(store, "write");
        return FHEC_OK;
    }
    if (application != APPLICATION)
        return fh_cli_error(store->cli, FHEC_HOST_ERROR,
                            "%s holds no results of a sweep, but something else", store->path);
    if (version != VERSION)
        return fh_cli_error(store->cli, FHEC_HOST_ERROR,
                            "%s is of another fhec: its format is %d, not %d", store->path, version,
                            VERSION);
    return FHEC_OK;
}

static fhec_status prepare(struct fh_cli_sweep_store *store) {
    const bool write = store->lock >= 0;
    const struct {
        const char *sql;
        sqlite3_stmt **statement;
    } all[] = {{known_sql, &store->known},
               {get_sql, &store->get},
               {write ? build_sql : NULL, &store->build},
               {write ? put_sql : NULL, &store->put}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].sql && sqlite3_prepare_v3(store->db, all[i].sql, -1, SQLITE_PREPARE_PERSISTENT,
                                             all[i].statement, NULL) != SQLITE_OK)
            return failed(store, "open");
    return FHEC_OK;
}

static fhec_status open_db(struct fh_cli_sweep_store *store, bool busy) {
    const bool write = store->lock >= 0;
    if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK &&
        (write || sqlite3_close(store->db) != SQLITE_OK ||
         sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK))
        return failed(store, "open");
    sqlite3_busy_timeout(store->db, BUSY_MS);
    if (busy)
        return say_busy(store);
    /* With WAL, where the file system can do it, readers do not wait; NORMAL: a commit survives
     * the end of any process at once, and the end of the machine a moment later. */
    if (write && sqlite3_exec(store->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
                              NULL, NULL, NULL) != SQLITE_OK)
        return failed(store, "open");
    fhec_status status = check_schema(store);
    if (status == FHEC_OK && write && !sign_in(store))
        status = failed(store, "write");
    return status == FHEC_OK ? prepare(store) : status;
}

fhec_status fh_cli_sweep_store_open(const struct fh_cli *cli, const char *path, bool write,
                                    struct fh_cli_sweep_store **made) {
    struct fh_cli_sweep_store *store = calloc(1, sizeof *store);
    bool busy = false;
    *made = store;
    if (!store)
        return fh_cli_no_memory(cli);
    *store = (struct fh_cli_sweep_store){.cli = cli, .path = strdup(path), .lock = -1};
    if (!store->path)
        return fh_cli_no_memory(cli);
    if (!write && access(path, F_OK) != 0)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    fhec_status status = write ? lock_file(store, &busy) : FHEC_OK;
    return status == FHEC_OK ? open_db(store, busy) : status;
}

void fh_cli_sweep_store_close(struct fh_cli_sweep_store *store) {
    if (!store)
        return;
    sqlite3_finalize(store->known);
    sqlite3_finalize(store->get);
    sqlite3_finalize(store->build);
    sqlite3_finalize(store->put);
    sqlite3_close(store->db);
    if (store->lock >= 0) /* behind SQLite's own, whose locks closing a file would end */
        close(store->lock);
    free(store->path);
    free(store);
}

/* ---------------------------------------------------------------- rows */

static void bind(sqlite3_stmt *statement, int at, const char *text) {
    if (text)
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, at);
}

static void bind_key(sqlite3_stmt *statement, const char *build,
                     const struct fh_cli_sweep_key *key) {
    sqlite3_reset(statement);
    bind(statement, 1, build);
    bind(statement, 2, key->command);
    bind(statement, 3, key->options);
    bind(statement, 4, key->files);
}

fhec_status fh_cli_sweep_store_known(struct fh_cli_sweep_store *store, const char *build,
                                     const struct fh_cli_sweep_key *key,
                                     enum fh_cli_sweep_known *known) {
    bind_key(store->known, build, key);
    const int step = sqlite3_step(store->known);
    *known = FH_CLI_SWEEP_NEW;
    if (step == SQLITE_ROW)
        *known = !strcmp((const char *)sqlite3_column_text(store->known, 0), "ok")
                     ? FH_CLI_SWEEP_GOOD
                     : FH_CLI_SWEEP_FAILED;
    sqlite3_reset(store->known);
    return step == SQLITE_ROW || step == SQLITE_DONE ? FHEC_OK : failed(store, "read");
}

static void bind_result(sqlite3_stmt *statement, const struct fh_cli_sweep_result *result) {
    bind(statement, 5, result->good ? "ok" : "failed");
    bind(statement, 6, result->reason);
    sqlite3_bind_int(statement, 7, result->status);
    sqlite3_bind_int(statement, 8, result->signal);
    sqlite3_bind_int(statement, 9, (int)result->attempts);
    sqlite3_bind_double(statement, 10, result->seconds);
    sqlite3_bind_double(statement, 11, result->user_s);
    sqlite3_bind_double(statement, 12, result->system_s);
    sqlite3_bind_int64(statement, 13, (sqlite3_int64)result->peak_kib);
    bind(statement, 14, result->host);
    bind(statement, 15, result->ended);
    bind(statement, 16, result->stats);
    bind(statement, 17, result->output);
    bind(statement, 18, result->err);
}

fhec_status fh_cli_sweep_store_begin(struct fh_cli_sweep_store *store) {
    return execute(store, "BEGIN IMMEDIATE") ? FHEC_OK : failed(store, "write");
}

fhec_status fh_cli_sweep_store_end(struct fh_cli_sweep_store *store) {
    const fhec_status status = execute(store, "COMMIT") ? FHEC_OK : failed(store, "write");
    if (!sqlite3_get_autocommit(store->db))
        (void)execute(store, "ROLLBACK");
    return status;
}

fhec_status fh_cli_sweep_store_put(struct fh_cli_sweep_store *store, const char *build,
                                   const char *build_name, const struct fh_cli_sweep_key *key,
                                   const struct fh_cli_sweep_result *result) {
    const bool alone = sqlite3_get_autocommit(store->db);
    sqlite3_reset(store->build);
    bind(store->build, 1, build);
    bind(store->build, 2, build_name);
    bind_key(store->put, build, key);
    bind_result(store->put, result);
    const bool good = (!alone || execute(store, "BEGIN IMMEDIATE")) &&
                      sqlite3_step(store->build) == SQLITE_DONE &&
                      sqlite3_step(store->put) == SQLITE_DONE &&
                      (!alone || execute(store, "COMMIT"));
    const fhec_status status = good ? FHEC_OK : failed(store, "write");
    sqlite3_reset(store->build);
    sqlite3_reset(store->put);
    if (!good && !sqlite3_get_autocommit(store->db))
        (void)execute(store, "ROLLBACK");
    return status;
}

static const char *text(sqlite3_stmt *statement, int column) {
    return (const char *)sqlite3_column_text(statement, column);
}

static fhec_status give(sqlite3_stmt *statement, fh_cli_sweep_row_fn *fn, void *user) {
    const struct fh_cli_sweep_row row = {
        .build = text(statement, 0),
        .build_name = text(statement, 1),
        .key = {(char *)text(statement, 2), (char *)text(statement, 3), (char *)text(statement, 4)},
        .result = {.good = !strcmp(text(statement, 5), "ok"),
                   .reason = text(statement, 6),
                   .status = sqlite3_column_int(statement, 7),
                   .signal = sqlite3_column_int(statement, 8),
                   .attempts = (unsigned)sqlite3_column_int(statement, 9),
                   .seconds = sqlite3_column_double(statement, 10),
                   .user_s = sqlite3_column_double(statement, 11),
                   .system_s = sqlite3_column_double(statement, 12),
                   .peak_kib = (uint64_t)sqlite3_column_int64(statement, 13),
                   .host = text(statement, 14),
                   .ended = text(statement, 15),
                   .stats = text(statement, 16),
                   .output = text(statement, 17),
                   .err = text(statement, 18)}};
    return fn(user, &row);
}

fhec_status fh_cli_sweep_store_get(struct fh_cli_sweep_store *store, const char *build,
                                   const struct fh_cli_sweep_key *key, fh_cli_sweep_row_fn *row,
                                   void *user) {
    bind_key(store->get, build, key);
    const int step = sqlite3_step(store->get);
    fhec_status status = step == SQLITE_ROW    ? give(store->get, row, user)
                         : step == SQLITE_DONE ? FHEC_OK
                                               : failed(store, "read");
    sqlite3_reset(store->get);
    return status;
}

fhec_status fh_cli_sweep_store_each(struct fh_cli_sweep_store *store, fh_cli_sweep_row_fn *row,
                                    void *user) {
    sqlite3_stmt *statement = NULL;
    fhec_status status = FHEC_OK;
    int step = SQLITE_ERROR;
    if (sqlite3_prepare_v2(store->db, each_sql, -1, &statement, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(statement)) == SQLITE_ROW && status == FHEC_OK)
            status = give(statement, row, user);
    if (status == FHEC_OK && step != SQLITE_DONE)
        status = failed(store, "read");
    sqlite3_finalize(statement);
    return status;
}

#endif
