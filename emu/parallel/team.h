/*
 * team.h - host threads that wait for work.
 */
#ifndef FH_TEAM_H
#define FH_TEAM_H

struct fh_team;

/* `helpers` threads beside the caller's. NULL if the host gives none at all; there may be fewer. */
struct fh_team *fh_team_new(unsigned helpers);
void fh_team_free(struct fh_team *team);
/* Calls work(user, i) once on each thread, i from 0 (the caller) up; returns when all have. */
void fh_team_run(struct fh_team *team, void (*work)(void *user, unsigned thread), void *user);
/* Threads, the caller's one included. */
unsigned fh_team_size(const struct fh_team *team);

#endif
