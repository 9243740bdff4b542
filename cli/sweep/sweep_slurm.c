/*
 * sweep_slurm.c - see sweep_slurm.h. Names in the script are absolute and quoted: where a task runs
 * is the folder that the sweep was written in, whose files the plan may name.
 */
#include "sweep_slurm.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "output.h"
#include "sweep_arguments.h"

static void print_setting(FILE *to, const char *name, const char *folder, const char *value) {
    char *whole = NULL;
    const bool relative = folder && value[0] != '/';
    if (relative && asprintf(&whole, "%s/%s", folder, value) < 0)
        whole = NULL;
    fprintf(to, "%s=", name);
    fh_cli_sweep_print_word(to, whole ? whole : value);
    fputc('\n', to);
    free(whole);
}

static const char body[] =
    "here=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd)/$(basename -- \"$0\")\n"
    "cd \"$folder\" || exit 4\n"
    "\n"
    "merge() { # what the tasks have, into one file; files of tasks stay\n"
    "    \"$fhec\" sweep --merge --db \"$db\" \"$db\".task-*\n"
    "}\n"
    "\n"
    "if [ \"${1:-}\" = merge ]; then\n"
    "    merge\n"
    "elif [ -n \"${SLURM_ARRAY_TASK_ID:-}\" ]; then\n"
    "    # A task that is started again goes on with its own file. What is known in the common "
    "file is\n"
    "    # not run again; nobody writes that one before all tasks have ended.\n"
    "    if [ -e \"$db\" ]; then set -- --known \"$db\"; else set --; fi\n"
    "    # shellcheck disable=SC2086 # options are words\n"
    "    exec \"$fhec\" sweep \"$plan\" --db \"$db.task-$SLURM_ARRAY_TASK_ID\" \"$@\" $options \\\n"
    "        --share \"$SLURM_ARRAY_TASK_ID/$tasks\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n"
    "else\n"
    "    # Options of sbatch, --partition or --time, may be given to this script.\n"
    "    job=$(sbatch --parsable \"$@\" \"$here\") || exit 4\n"
    "    job=${job%%;*} # of several clusters it is told, too\n"
    "    # For another shell: within apostrophes, whose own ones stand outside of them.\n"
    "    merging=\"sh '$(printf '%s' \"$here\" | sed \"s/'/'\\\\\\\\''/g\")' merge\"\n"
    "    sbatch --job-name fhec-merge --dependency \"afterany:$job\" --output fhec-merge-%j.out "
    "\\\n"
    "        --wrap \"$merging\" || {\n"
    "        echo \"job $job runs; when it has ended: $merging\" >&2\n"
    "        exit 4\n"
    "    }\n"
    "    echo \"submitted job $job and the merge behind it\"\n"
    "fi\n";

static void print_script(const struct fh_cli_sweep_script *script, const char *folder,
                         const char *fhec, FILE *to) {
    fprintf(to,
            "#!/bin/sh\n"
            "# A sweep of %zu points as a job array of Slurm, written by `fhec sweep --slurm`.\n"
            "#     sh THIS            submits the array and, behind it, the merge\n"
            "#     sh THIS merge      merges by hand, also what there is so far of a job that was\n"
            "#                        cancelled; then submit again for the rest\n"
            "#SBATCH --job-name=fhec-sweep\n"
            "#SBATCH --array=0-%zu\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=%u\n"
            "#SBATCH --output=fhec-sweep-%%A-%%a.out\n\n",
            script->points, script->tasks - 1, script->jobs ? script->jobs : 1);
    print_setting(to, "fhec", NULL, fhec);
    print_setting(to, "folder", NULL, folder);
    print_setting(to, "plan", folder, script->plan);
    print_setting(to, "db", folder, script->db);
    fprintf(to, "tasks=%zu\noptions='--attempts %u", script->tasks, script->attempts);
    if (script->seconds > 0)
        fprintf(to, " --timeout %g", script->seconds);
    fprintf(to, "%s'\n", script->retry ? " --retry" : "");
    fputs(body, to);
}

/* The command is for a shell, too. */
static void say_how(const struct fh_cli *cli, const struct fh_cli_sweep_script *script,
                    const char *path) {
    char *word = NULL;
    size_t length;
    FILE *to = open_memstream(&word, &length);
    if (to)
        fh_cli_sweep_print_word(to, path);
    if (to && fclose(to) == 0)
        fh_cli_note(cli, "%zu points in %zu tasks; submit them with `sh %s`", script->points,
                    script->tasks, word);
    free(word);
}

fhec_status fh_cli_sweep_slurm(const struct fh_cli *cli, const struct fh_cli_sweep_script *script,
                               const char *path) {
    char fhec[PATH_MAX] = "", *folder = getcwd(NULL, 0), *text = NULL;
    size_t length = 0;
    if (!folder || readlink("/proc/self/exe", fhec, sizeof fhec - 1) < 0)
        return fh_cli_error(cli, FHEC_HOST_ERROR, "where am I? %s", strerror(errno));
    if (!strcmp(script->plan, "-"))
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--slurm: the tasks read the plan, which cannot be standard input");
    FILE *to = open_memstream(&text, &length);
    if (to)
        print_script(script, folder, fhec, to);
    free(folder);
    if (!to || fclose(to) != 0)
        return fh_cli_no_memory(cli);
    const fhec_status status = fh_cli_output_file(cli, path, text, length);
    free(text);
    if (status == FHEC_OK)
        say_how(cli, script, path);
    return status;
}
