/*
 * read.c - reads a file of the description.
 */
#include <stdlib.h>
#include <string.h>

#include "isa_parser.h"
#include "parse.h"

#define YYSTYPE ISA_STYPE
#define YYLTYPE ISA_LTYPE
#include "isa_lexer.h"

/* Of files of one name the functions would go into the same files. */
static const struct shard *add_shard(struct description *d, const char *path, bool own) {
    const char *slash = strrchr(path, '/');
    const char *name = print("%s%s", own ? "own_" : "", slash ? slash + 1 : path);
    const char *dot = strrchr(name, '.');
    struct shard *shard = more(NULL, 0, sizeof *shard);
    *shard = (struct shard){
        .name = copy(name, dot ? (size_t)(dot - name) : strlen(name)), .file = path, .own = own};
    for (size_t i = 0; i < d->shard_count; i++)
        if (strcmp(d->shards[i]->name, shard->name) == 0)
            error_at((struct at){path, 1}, "there is another file of this name: %s",
                     d->shards[i]->file);
    d->shards = more(d->shards, d->shard_count, sizeof *d->shards);
    return d->shards[d->shard_count++] = shard;
}

bool parse_file(struct description *d, const char *path, bool own) {
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "isac: cannot read %s\n", path);
        error_count++;
        return false;
    }
    struct parse p = {.d = d, .file = path, .shard = add_shard(d, path, own)};
    yyscan_t scanner;
    if (isa_lex_init_extra(&p, &scanner) != 0) {
        fputs("isac: out of memory\n", stderr);
        exit(4);
    }
    isa_set_in(in, scanner);
    isa_parse(scanner, &p);
    isa_lex_destroy(scanner);
    fclose(in);
    free(p.text);
    return true;
}
