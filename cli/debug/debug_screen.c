/*
 * debug_screen.c - see debug_screen.h: keys and what they do.
 */
#include "debug_screen.h"

#include "message.h"

#ifndef FH_HAS_NCURSES

bool fh_cli_debug_has_screen(void) {
    return false;
}

fhec_status fh_cli_debug_screen(void *line, struct fh_cli *cli, struct fh_debugger *debugger) {
    (void)line;
    (void)debugger;
    return fh_cli_error(
        cli, FHEC_HOST_ERROR,
        "--tui: this fhec was built without ncurses (Debian and Ubuntu: libncurses-dev)");
}

#else

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug_findings.h"
#include "debug_line.h"
#include "screen_state.h"

bool fh_cli_debug_has_screen(void) {
    return true;
}

/* ---------------------------------------------------------------- Ctrl-C */

static struct fh_debugger *volatile moving; /* NULL: nothing runs, and Ctrl-C does nothing */

static void interrupt(int number) {
    (void)number;
    if (moving)
        fh_debugger_cancel(moving);
}

/* ---------------------------------------------------------------- commands */

/* Runs a line of the console, whose answers go to the log. */
static fhec_status run_line(struct fh_screen *s, const char *line) {
    struct fh_cli_console *c = &s->console;
    const struct fh_debug_time then = fh_debugger_time(s->debugger);
    char *said = NULL;
    size_t length;
    FILE *to = open_memstream(&said, &length);
    if (!to)
        return FHEC_HOST_ERROR;
    fh_pane_keep(s->next, s->debugger, &s->view);
    c->out = c->errors = to;
    s->running = true;
    fh_screen_draw(s);
    moving = s->debugger;
    const fhec_status status = fh_cli_console_run(c, line);
    moving = NULL;
    s->running = false;
    if (fh_debug_time_compare(then, fh_debugger_time(s->debugger)) != 0) {
        struct fh_pane_before *before = s->before;
        s->before = s->next;
        s->next = before;
        s->scroll = 0;
    }
    if (fclose(to) == 0)
        fh_screen_log_add(&s->log, said);
    free(said);
    c->out = stdout; /* nothing writes there until the next line */
    c->errors = stderr;
    s->log_scroll = 0;
    return status;
}

static void run_typed(struct fh_screen *s) {
    char echo[sizeof s->input + 4];
    (void)snprintf(echo, sizeof echo, "> %s", s->input);
    fh_screen_log_add(&s->log, echo);
    s->typing = false;
    (void)run_line(s, s->input);
    s->length = 0;
    s->input[0] = 0;
}

/* Completes the last word, if there is but one way to; else tells the ways. */
static void complete(struct fh_screen *s) {
    enum { MOST = 64 };
    const char *words[MOST];
    const size_t count = fh_cli_console_complete(&s->console, s->input, words, MOST);
    const char *space = strrchr(s->input, ' ');
    const size_t begin = space ? (size_t)(space + 1 - s->input) : 0;
    if (count == 1 && begin + strlen(words[0]) + 2 < sizeof s->input) {
        s->length = begin + (size_t)sprintf(s->input + begin, "%s ", words[0]);
        return;
    }
    for (size_t i = 0; i < count; i++)
        fh_screen_log_add(&s->log, words[i]);
}

static void type_key(struct fh_screen *s, int key) {
    switch (key) {
    case '\n':
    case '\r':
    case KEY_ENTER: run_typed(s); break;
    case 27: /* Esc */ s->typing = false; break;
    case '\t': complete(s); break;
    case 'U' - 64: s->input[s->length = 0] = 0; break;
    case KEY_UP:
        if (s->console.last)
            s->length = (size_t)snprintf(s->input, sizeof s->input, "%.*s",
                                         (int)sizeof s->input - 1, s->console.last);
        break;
    case KEY_BACKSPACE:
    case 127:
    case '\b':
        if (s->length)
            s->input[--s->length] = 0;
        else
            s->typing = false;
        break;
    default:
        if (key >= ' ' && key <= '~' && s->length + 1 < sizeof s->input) {
            s->input[s->length++] = (char)key;
            s->input[s->length] = 0;
        }
        break;
    }
}

/* ---------------------------------------------------------------- keys */

static const struct {
    int key;
    const char *command;
} moves[] = {
    {'s', "step"},
    {'n', "next"},
    {'c', "continue"},
    {'f', "finish"},
    {'S', "reverse-step"},
    {'N', "reverse-next"},
    {'C', "reverse-continue"},
    {'F', "reverse-finish"},
    {KEY_F(11), "step"},
    {KEY_F(10), "next"},
    {KEY_F(5), "continue"},
    {KEY_F(7), "reverse-step"},
    {KEY_F(8), "reverse-next"},
    {KEY_F(9), "reverse-continue"},
};

static const char help[] =
    "s n c f   step, next, continue, finish; S N C F the same backwards (F11 F10 F5, F7 F8 F9)\n"
    "1 2 3 Tab registers, fragments, memory; arrows and pages scroll it; j k scroll the source\n"
    "[ ] { }   the lane or warp before and behind; < > and arrows show other lanes; b the next "
    "buffer\n"
    "o p m     fragments: operand; values, origins or lanes; marks what is not where it belongs\n"
    ": Enter   a command of the console, the last one again; - + scroll the console; q quit\n"
    ":help     lists commands; Ctrl-C stops what runs";

/* Scrolls the data that is shown by so many rows. */
static void scroll_data(struct fh_screen *s, int rows) {
    struct fh_pane_view *v = &s->view;
    if (s->data == FH_SCREEN_REGISTERS)
        v->reg = rows < 0 && v->reg < (unsigned)-rows ? 0 : v->reg + (unsigned)rows;
    else if (s->data == FH_SCREEN_FRAGMENTS)
        v->row = rows < 0 && v->row < (unsigned)-rows ? 0 : v->row + (unsigned)rows;
    else
        v->word = rows < 0 && v->word < (uint64_t)(8 * -rows)
                      ? 0
                      : v->word + (uint64_t)(int64_t)(8 * rows);
}

/* Hexadecimal, signed, unsigned, floats, pairs of hexadecimal ones. */
static void next_format(struct fh_pane_view *view) {
    const bool pairs = view->format == FH_SHOW_FLOAT;
    view->format = pairs || view->pairs ? FH_SHOW_HEX : view->format + 1;
    view->pairs = pairs;
}

/* Shows other lanes of the registers: so many further. */
static void scroll_lanes(struct fh_screen *s, int lanes) {
    const int lane = (int)s->view.lane + lanes;
    s->view.lane = lane < 0 ? 0 : (unsigned)lane; /* the pane mends what is too far */
}

static void move_focus(struct fh_screen *s, int lanes, int warps) {
    struct fh_focus f = *fh_debugger_focus(s->debugger);
    f.lane = (f.lane + (uint32_t)(lanes + FHEC_WARP_LANES)) % FHEC_WARP_LANES;
    f.warp += (uint32_t)warps;
    if (fh_debugger_set_focus(s->debugger, &f) != FHEC_OK)
        fh_screen_log_add(&s->log, fh_debugger_error(s->debugger));
}

/* Keys that change what is shown; false: it is none of them. */
static bool view_key(struct fh_screen *s, int key) {
    enum { PAGE = 8 };
    switch (key) {
    case '1':
    case '2':
    case '3': s->data = (enum fh_screen_data)(key - '1'); break;
    case '\t': s->data = (enum fh_screen_data)((s->data + 1) % FH_SCREEN_DATA); break;
    case KEY_DOWN: scroll_data(s, 1); break;
    case KEY_UP: scroll_data(s, -1); break;
    case KEY_NPAGE: scroll_data(s, PAGE); break;
    case KEY_PPAGE: scroll_data(s, -PAGE); break;
    case 'j': s->scroll++; break;
    case 'k': s->scroll--; break;
    case '[': move_focus(s, -1, 0); break;
    case ']': move_focus(s, 1, 0); break;
    case '{': move_focus(s, 0, -1); break;
    case '}': move_focus(s, 0, 1); break;
    case 'o': s->view.operand++; break;
    case 'p':
        s->view.element = s->view.element == FH_SHOW_LANES ? FH_SHOW_VALUES : s->view.element + 1;
        break;
    case 'x': next_format(&s->view); break;
    case 'm': s->view.check = !s->view.check; break;
    case KEY_LEFT: scroll_lanes(s, -1); break;
    case KEY_RIGHT: scroll_lanes(s, 1); break;
    case '<': scroll_lanes(s, -(int)s->view.lanes); break;
    case '>': scroll_lanes(s, (int)s->view.lanes); break;
    case 'b':
        s->view.buffer++;
        s->view.word = 0;
        break;
    case '+': s->log_scroll += s->log_scroll + 1 < s->log.count; break;
    case '-': s->log_scroll -= s->log_scroll > 0; break;
    default: return false;
    }
    return true;
}

static void plain_key(struct fh_screen *s, int key) {
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].key == key) {
            (void)run_line(s, moves[i].command);
            return;
        }
    if (view_key(s, key))
        return;
    switch (key) {
    case ':': s->typing = true; break;
    case '\n':
    case '\r':
    case KEY_ENTER: (void)run_line(s, ""); break;
    case '?':
    case KEY_F(1): fh_screen_log_add(&s->log, help); break;
    case 'q': s->console.quit = true; break;
    case 'L' - 64: (void)clearok(stdscr, TRUE); break;
    default: break;
    }
}

/* ---------------------------------------------------------------- the screen */

static fhec_status run_script(struct fh_screen *s, const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL, why[600];
    size_t size = 0;
    if (!file) {
        (void)snprintf(why, sizeof why, "error: cannot read %s: %s", path, strerror(errno));
        fh_screen_log_add(&s->log, why);
        return FHEC_HOST_ERROR;
    }
    while (!s->console.quit && getline(&text, &size, file) >= 0) {
        text[strcspn(text, "\r\n")] = 0;
        (void)run_line(s, text);
    }
    free(text);
    (void)fclose(file);
    return FHEC_OK;
}

static void read_keys(struct fh_screen *s, const struct fh_cli_debug_line *line) {
    fh_screen_draw(s);
    for (size_t i = 0; i < line->script_count && !s->console.quit; i++)
        (void)run_script(s, line->scripts[i]);
    while (!s->console.quit) {
        fh_screen_draw(s);
        const int key = getch();
        if (key == ERR && errno != EINTR)
            break; /* the terminal is gone */
        if (key == ERR || key == KEY_RESIZE)
            continue;
        if (s->typing)
            type_key(s, key);
        else
            plain_key(s, key);
    }
}

static void begin_colors(void) {
    const char *no_color = getenv("NO_COLOR");
    if (no_color && *no_color)
        return;
    (void)start_color();
    (void)use_default_colors();
    (void)init_pair(1, COLOR_RED, -1);
    (void)init_pair(2, COLOR_YELLOW, -1);
}

static fhec_status show(struct fh_screen *s, struct fh_cli *cli,
                        const struct fh_cli_debug_line *line) {
    struct sigaction ours = {.sa_handler = interrupt, .sa_flags = SA_RESTART}, before;
    (void)setlocale(LC_CTYPE, "");
    SCREEN *terminal = newterm(NULL, stdout, stdin);
    if (!terminal)
        return fh_cli_error(cli, FHEC_HOST_ERROR, "--tui: this terminal is not known (TERM)");
    (void)set_term(terminal);
    begin_colors();
    (void)cbreak();
    (void)noecho();
    (void)keypad(stdscr, TRUE);
    (void)set_escdelay(50);
    sigemptyset(&ours.sa_mask);
    (void)sigaction(SIGINT, &ours, &before);
    read_keys(s, line);
    (void)sigaction(SIGINT, &before, NULL);
    (void)endwin();
    delscreen(terminal);
    return s->console.status;
}

fhec_status fh_cli_debug_screen(void *user, struct fh_cli *cli, struct fh_debugger *debugger) {
    struct fh_screen *s = calloc(1, sizeof *s);
    fhec_status status;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        free(s);
        return fh_cli_error(cli, FHEC_HOST_ERROR,
                            "--tui needs a terminal as standard input and output");
    }
    if (s) {
        s->debugger = debugger;
        s->before = calloc(1, sizeof *s->before);
        s->next = calloc(1, sizeof *s->next);
    }
    if (s && s->before && s->next) {
        fh_cli_console_open(&s->console, cli, debugger, stdout, stderr);
        status = fh_cli_debug_found(&s->console, show(s, cli, user));
        fh_cli_console_close(&s->console);
    } else {
        status = fh_cli_no_memory(cli);
    }
    if (s) {
        fh_pane_free(&s->pane);
        fh_screen_log_free(&s->log);
        free(s->before);
        free(s->next);
    }
    free(s);
    return status;
}

#endif
