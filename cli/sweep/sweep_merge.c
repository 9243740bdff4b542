/*
 * sweep_merge.c - see sweep_merge.h.
 */
#include "sweep_merge.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

struct merging {
    struct fh_cli_sweep_store *store;
    size_t added, had;
};

static fhec_status merge_row(void *user, const struct fh_cli_sweep_row *row) {
    struct merging *merging = user;
    enum fh_cli_sweep_known known;
    fhec_status status = fh_cli_sweep_store_known(merging->store, row->build, &row->key, &known);
    if (status != FHEC_OK)
        return status;
    if (known == FH_CLI_SWEEP_GOOD || (known == FH_CLI_SWEEP_FAILED && !row->result.good)) {
        merging->had++;
        return FHEC_OK;
    }
    merging->added++;
    return fh_cli_sweep_store_put(merging->store, row->build, row->build_name, &row->key,
                                  &row->result);
}

fhec_status fh_cli_sweep_merge(const struct fh_cli *cli, struct fh_cli_sweep_store *store,
                               char *const *paths, size_t count) {
    struct merging merging = {store, 0, 0};
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < count && status == FHEC_OK; i++) {
        struct fh_cli_sweep_store *other = NULL;
        /* Opened to write, so that nobody else does while it is read. */
        status = access(paths[i], F_OK) == 0
                     ? fh_cli_sweep_store_open(cli, paths[i], true, &other)
                     : fh_cli_error(cli, FHEC_BAD_INPUT, "cannot read %s: %s", paths[i],
                                    strerror(errno));
        if (status == FHEC_OK)
            status = fh_cli_sweep_store_begin(store);
        if (status == FHEC_OK)
            status = fh_cli_sweep_store_each(other, merge_row, &merging);
        if (status == FHEC_OK)
            status = fh_cli_sweep_store_end(store);
        fh_cli_sweep_store_close(other);
    }
    if (status == FHEC_OK)
        fh_cli_note(cli, "%zu results added, %zu were there", merging.added, merging.had);
    return status;
}
