/*
 * dap_tell.c - events about the guest as a whole: it stands, or has ended.
 */
#include "dap_parts.h"

void fh_dap_tell_stopped(struct fh_dap *dap, const char *reason, const char *text) {
    const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
    json_t *body =
        json_pack("{s:s, s:I, s:b}", "reason", reason, "threadId",
                  fh_dap_thread_id(dap, focus->block, focus->warp), "allThreadsStopped", 1);
    if (text) {
        json_object_set_new(body, "description", fh_dap_text(text));
        json_object_set_new(body, "text", fh_dap_text(text));
    }
    dap->phase = FH_DAP_STOPPED;
    dap->pause = false;
    fh_dap_event(dap, "stopped", body);
}

void fh_dap_end(struct fh_dap *dap, int status) {
    if (dap->phase == FH_DAP_ENDED)
        return;
    dap->phase = FH_DAP_ENDED;
    fh_dap_event(dap, "exited", json_pack("{s:i}", "exitCode", status));
    fh_dap_event(dap, "terminated", NULL);
}
