/* control_prefix.c - see control_prefix.h. */
#include "control_prefix.h"
#include "asm.h"
#include "asm_memory.h"

#include <string.h>

/* One field of the prefix: '-' or a digit from 0 to 7. */
static bool scoreboard(char c, uint8_t *value) {
    *value = c == '-' ? 7 : (uint8_t)(c - '0');
    return c == '-' || (c >= '0' && c <= '5');
}

void fh_control_prefix(struct fh_asm *a, const struct fh_value *v) {
    static const char form[] = "[B------:R-:W-:-:S00]";
    const char *t = v->text;
    struct fh_sched sched = {0};
    const char *why = NULL;
    if (v->length != sizeof form - 1 || t[1] != 'B' || memcmp(t + 8, ":R", 2) != 0 ||
        memcmp(t + 11, ":W", 2) != 0 || t[14] != ':' || memcmp(t + 16, ":S", 2) != 0) {
        why = "its form is [B------:R-:W-:-:S00]";
    } else {
        for (unsigned i = 0; i < 6 && !why; i++) {
            if (t[2 + i] == '0' + (char)i)
                sched.wait_mask |= (uint8_t)(1u << i);
            else if (t[2 + i] != '-')
                why = "B takes the digits 012345 in this order, or - instead";
        }
        if (!scoreboard(t[10], &sched.read_barrier) || !scoreboard(t[13], &sched.write_barrier))
            why = "R and W take 0 to 5 or -";
        /* The flag's bit is 0 where the warp yields. */
        sched.yield = t[15] != 'Y';
        if (t[15] != 'Y' && t[15] != '-')
            why = "the fourth field is Y or -";
        unsigned tens = (unsigned)(t[18] - '0'), ones = (unsigned)(t[19] - '0');
        sched.stall = (uint8_t)(tens * 10 + ones);
        if (tens > 9 || ones > 9 || sched.stall > 15)
            why = "S takes 00 to 15";
    }
    if (why) {
        fh_report(a, FH_D_BAD_CONTROL, v->at, fh_text_of(a, v->text, v->length), why, NULL);
        a->st.bad = true;
        return;
    }
    a->st.sched = sched;
    a->st.has_sched = true;
}
