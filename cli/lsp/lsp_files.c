/* lsp_files.c - see lsp_files.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays.h"
#include "input.h"
#include "lsp_files.h"

enum { MAX_FILES = 1024 /* of a set: more includes than a source has */ };

/* A file as it was read: again when it has changed. */
struct fh_lsp_disk_file {
    struct stat status;
    struct fh_source_file *file;
    uint64_t seen; /* the message for which it was looked at; its file stays until the next one */
};

/* ---------------------------------------------------------------- URIs */

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The path of a file's URI, all links followed if it exists; of other URIs themselves. */
static char *path_of(const char *uri) {
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return strdup(uri);
    const char *from = strchr(uri + sizeof scheme - 1, '/');
    char *path = strdup(from ? from : "/"), *to = path;
    if (!path)
        return NULL;
    for (const char *p = path; *p;) {
        bool coded = p[0] == '%' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0;
        char c = coded ? (char)(hex_digit(p[1]) * 16 + hex_digit(p[2])) : *p;
        p += coded ? 3 : 1;
        if (c)
            *to++ = c;
    }
    *to = '\0';
    char *real = realpath(path, NULL);
    if (!real)
        return path;
    free(path);
    return real;
}

char *fh_lsp_uri(struct fh_lsp *lsp, const char *path) {
    static const char plain[] = "/-._~";
    for (size_t i = 0; i < lsp->document_count; i++)
        if (strcmp(lsp->documents[i].file->path, path) == 0)
            return strdup(lsp->documents[i].uri);
    char *uri = malloc(3 * strlen(path) + sizeof "file://");
    if (!uri)
        return NULL;
    char *to = stpcpy(uri, "file://");
    for (const char *p = path; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                      (*p >= '0' && *p <= '9') || strchr(plain, *p);
        if (letter)
            *to++ = *p;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*p);
    }
    *to = '\0';
    return uri;
}

/* ---------------------------------------------------------------- documents */

struct fh_lsp_document *fh_lsp_find_document(struct fh_lsp *lsp, const char *uri) {
    for (size_t i = 0; i < lsp->document_count; i++)
        if (strcmp(lsp->documents[i].uri, uri) == 0)
            return &lsp->documents[i];
    return NULL;
}

static char *copy_of(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

bool fh_lsp_set_text(struct fh_lsp *lsp, const char *uri, json_int_t version, const char *text,
                     size_t length) {
    struct fh_source_file *file = fh_source_file_new(path_of(uri), copy_of(text, length), length);
    struct fh_lsp_document *document = fh_lsp_find_document(lsp, uri);
    if (!file)
        return false;
    if (!document) {
        char *name = strdup(uri);
        struct fh_lsp_document *more =
            name ? fh_cli_more(lsp->documents, lsp->document_count, sizeof *more) : NULL;
        if (!more) {
            free(name);
            fh_source_file_free(file);
            return false;
        }
        lsp->documents = more;
        document = &lsp->documents[lsp->document_count++];
        *document = (struct fh_lsp_document){.uri = name};
    }
    fh_source_file_free(document->file);
    document->file = file;
    document->version = version;
    lsp->changed = true;
    return true;
}

void fh_lsp_close(struct fh_lsp *lsp, const char *uri) {
    struct fh_lsp_document *document = fh_lsp_find_document(lsp, uri);
    if (!document)
        return;
    free(document->uri);
    fh_source_file_free(document->file);
    *document = lsp->documents[--lsp->document_count];
    lsp->changed = true;
}

void fh_lsp_files_free(struct fh_lsp *lsp) {
    for (size_t i = 0; i < lsp->document_count; i++) {
        free(lsp->documents[i].uri);
        fh_source_file_free(lsp->documents[i].file);
    }
    for (size_t i = 0; i < lsp->disk_count; i++)
        fh_source_file_free(lsp->disk[i].file);
    free(lsp->documents);
    free(lsp->disk);
}

/* ---------------------------------------------------------------- files */

static bool same_status(const struct stat *x, const struct stat *y) {
    return x->st_dev == y->st_dev && x->st_ino == y->st_ino && x->st_size == y->st_size &&
           x->st_mtim.tv_sec == y->st_mtim.tv_sec && x->st_mtim.tv_nsec == y->st_mtim.tv_nsec;
}

static struct fh_source_file *read_source(const char *path) {
    char *text, why[FH_CLI_WHY];
    size_t length;
    if (!fh_cli_try_read(path, FH_CLI_MAX_TEXT, &text, &length, why))
        return NULL;
    return fh_source_file_new(strdup(path), text, length);
}

static struct fh_source_file *disk_file(struct fh_lsp *lsp, const char *path,
                                        const struct stat *status) {
    size_t i = 0;
    while (i < lsp->disk_count && strcmp(lsp->disk[i].file->path, path) != 0)
        i++;
    if (i < lsp->disk_count &&
        (lsp->disk[i].seen == lsp->message || same_status(&lsp->disk[i].status, status))) {
        lsp->disk[i].seen = lsp->message;
        return lsp->disk[i].file;
    }
    struct fh_source_file *file = read_source(path);
    if (!file)
        return NULL;
    if (i == lsp->disk_count) {
        struct fh_lsp_disk_file *more = fh_cli_more(lsp->disk, i, sizeof *more);
        if (!more) {
            fh_source_file_free(file);
            return NULL;
        }
        lsp->disk = more;
        lsp->disk[lsp->disk_count++].file = NULL;
    }
    fh_source_file_free(lsp->disk[i].file);
    lsp->disk[i] = (struct fh_lsp_disk_file){*status, file, lsp->message};
    return file;
}

/* The file at a path: a document that is open, or one on the disk. */
static struct fh_source_file *file_at(struct fh_lsp *lsp, const char *path) {
    char *real = realpath(path, NULL);
    const char *known = real ? real : path;
    struct fh_source_file *file = NULL;
    struct stat status;
    for (size_t i = 0; i < lsp->document_count && !file; i++)
        if (strcmp(lsp->documents[i].file->path, known) == 0)
            file = lsp->documents[i].file;
    if (!file && real && stat(real, &status) == 0 && S_ISREG(status.st_mode))
        file = disk_file(lsp, real, &status);
    free(real);
    return file;
}

struct fh_source_file *fh_lsp_included(struct fh_lsp *lsp, const char *name, const char *from) {
    const char *slash = name[0] != '/' ? strrchr(from, '/') : NULL;
    struct fh_source_file *file = NULL;
    for (size_t i = 0; i <= lsp->include_count && !file; i++) {
        char *path;
        int made = i ? asprintf(&path, "%s/%s", lsp->include_dirs[i - 1], name)
                     : asprintf(&path, "%.*s%s", slash ? (int)(slash - from) + 1 : 0,
                                slash ? from : "", name);
        if (made < 0)
            return NULL;
        file = file_at(lsp, path);
        free(path);
        if (name[0] == '/')
            break;
    }
    return file;
}

/* ---------------------------------------------------------------- sets */

struct file_list {
    struct fh_source_file **files;
    size_t count;
    bool failed;
};

static bool has(const struct file_list *list, const struct fh_source_file *file) {
    for (size_t i = 0; i < list->count; i++)
        if (list->files[i] == file)
            return true;
    return false;
}

static void add_file(struct file_list *list, struct fh_source_file *file) {
    if (list->count == MAX_FILES || list->failed || has(list, file))
        return;
    struct fh_source_file **more = fh_cli_more(list->files, list->count, sizeof *more);
    list->failed = !more;
    if (more) {
        list->files = more;
        list->files[list->count++] = file;
    }
}

/* Adds a file and all that it includes, whatever conditions say. */
static void add_with_includes(struct fh_lsp *lsp, struct file_list *list,
                              struct fh_source_file *root) {
    size_t at = list->count;
    add_file(list, root);
    for (; at < list->count && !list->failed; at++) {
        const struct fh_source_file *file = list->files[at];
        for (size_t i = 0; i < file->index.use_count; i++) {
            const struct fh_name_use *use = &file->index.uses[i];
            if (use->kind != FH_NAME_FILE)
                continue;
            char *name = strndup(file->text + use->begin, use->end - use->begin);
            struct fh_source_file *included = name ? fh_lsp_included(lsp, name, file->path) : NULL;
            list->failed |= !name;
            free(name);
            if (included)
                add_file(list, included);
        }
    }
}

bool fh_lsp_set_of(struct fh_lsp *lsp, const struct fh_lsp_document *document,
                   struct fh_source_set *set) {
    struct file_list all = {0};
    add_with_includes(lsp, &all, document->file);
    for (size_t i = 0; i < lsp->document_count && !all.failed; i++) {
        struct file_list other = {0};
        add_with_includes(lsp, &other, lsp->documents[i].file);
        if (has(&other, document->file))
            for (size_t k = 0; k < other.count; k++)
                add_file(&all, other.files[k]);
        all.failed |= other.failed;
        free(other.files);
    }
    if (all.failed)
        free(all.files);
    *set = (struct fh_source_set){all.failed ? NULL : all.files, all.failed ? 0 : all.count};
    return !all.failed;
}

bool fh_lsp_is_included(struct fh_lsp *lsp, const struct fh_lsp_document *document) {
    struct file_list mine = {0};
    bool found = false;
    add_with_includes(lsp, &mine, document->file);
    for (size_t i = 0; i < lsp->document_count && !found; i++) {
        struct file_list other = {0};
        if (has(&mine, lsp->documents[i].file)) /* itself, or both include each other */
            continue;
        add_with_includes(lsp, &other, lsp->documents[i].file);
        found = has(&other, document->file);
        free(other.files);
    }
    free(mine.files);
    return found;
}
