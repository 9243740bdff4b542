/*
 * command_time.c - fhec time: how long a kernel takes on a machine.
 */
#include <string.h>

#include "experiment.h"
#include "time_measure.h"
#include "time_replay.h"

fhec_status fh_cli_time(struct fh_cli *cli, int argc, char **argv) {
    double cycles, expected;
    if (argc > 1 && strcmp(argv[1], "--experiment") == 0)
        return fh_cli_experiments(cli, argc - 2, argv + 2);
    if (argc > 1 && strncmp(argv[1], "--from", 6) == 0 && (!argv[1][6] || argv[1][6] == '='))
        return fh_cli_time_replay(cli, argc, argv);
    return fh_cli_time_measure(cli, argc, argv, false, &cycles, &expected);
}
