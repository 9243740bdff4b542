/*
 * time_replay.h - `fhec time --from DIR`: times of launches that traces for Accel-Sim tell of.
 */
#ifndef FH_CLI_TIME_REPLAY_H
#define FH_CLI_TIME_REPLAY_H

#include "cli.h"

fhec_status fh_cli_time_replay(struct fh_cli *cli, int argc, char **argv);

#endif
