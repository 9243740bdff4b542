#!/usr/bin/env python3
"""debug_terminal.py FHEC FOLDER [edits] [screen]: the line mode of `fhec debug` at a terminal, and
the full-screen mode in terminals of many kinds, and in none any more. With "edits" it was built
with libedit, with "screen" with ncurses. Prints TAP."""
import signal
import sys

from terminal import Terminal

FHEC, FOLDER = sys.argv[1], sys.argv[2]
EDITS, SCREEN = "edits" in sys.argv[3:], "screen" in sys.argv[3:]
UP, LEFT, HOME, CTRL_C, CTRL_D = "\x1b[A", "\x1b[D", "\x01", "\x03", "\x04"
SOURCE = """.target sm_80
.kernel endless
.param out, 8
    MOV R2, RZ ;
on:
    IADD3 R2, R2, 0x1, RZ ;
    BRA on ;
.end
.kernel wild
.param out, 8
    MOV R2, 0x5 ;
    LDG.E R2, [RZ] ;
    EXIT ;
.end
"""
count = bad = 0


def check(name, fine, terminal=None):
    global count, bad
    count += 1
    print(f"{'ok' if fine else 'not ok'} {count} - {name}")
    if not fine:
        bad = 1
        if terminal:
            print("\n".join("# " + line for line in terminal.text().split("\n")[-30:]))
    return fine


def debug(*options, kernel="endless", **more):
    command = [FHEC, "debug", f"{FOLDER}/k.sass", "-k", kernel, "--grid", "1", "--block", "32",
               "--out", "out=:16", *options]
    environment = {"TERM": "xterm-256color", **more.pop("environment", {})}
    return Terminal(command, environment=environment, **more)


def says(t, name, *texts):
    """Each of the texts comes, in this order."""
    check(name, all(t.expect(text) for text in texts), t)


def line_mode():
    t = debug()
    says(t, "a prompt", "MOV R2, RZ", "(fhec) ")
    t.send("step\n")
    says(t, "a command", "0x0010  IADD3", "(fhec) ")
    t.send("\n")
    says(t, "an empty line does it again", "0x0020  BRA", "(fhec) ")
    t.send("nonsense\n")
    says(t, "a command that is none is no end", 'no command is called "nonsense"', "(fhec) ")
    t.send("continue\n")
    t.compute()
    t.send(CTRL_C)
    says(t, "Ctrl-C stops what runs", "interrupted", "(fhec) ")
    t.send("break 7 if R2 == 0xffffffff\n")
    says(t, "a stop that is never reached", "break 7 if", "(fhec) ")
    t.send("where\n")
    t.expect("instruction ")
    place = t.text().split(",")[0]
    t.expect("(fhec) ")
    t.send("reverse-continue\n")
    t.compute()
    t.send(CTRL_C)
    says(t, "backwards, too", "interrupted")
    check("it is where it was", t.expect("instruction ") and t.text().split(",")[0] == place, t)
    t.expect("(fhec) ")
    if EDITS:
        t.reads_keys()
    t.send("print R2 == 0" + CTRL_C)
    if EDITS:
        says(t, "Ctrl-C at the prompt drops the line", "^C", "(fhec) ")
    else:
        t.send("\n")
    t.send("reverse-step\n")
    says(t, "and the session goes on", "launch 1 of 1", "(fhec) ")
    if EDITS:  # the terminal itself would take what comes before for the end of a line
        t.reads_keys()
    t.send(CTRL_D)
    check("Ctrl-D ends it", t.end() == 0, t)
    t = debug(kernel="wild")
    t.expect("(fhec) ")
    t.send("continue\nquit\n")
    says(t, "a fault", "out of bounds")
    check("is the status of the session", t.end() == 3, t)
    t = debug()
    t.expect("(fhec) ")
    t.send("continue\n")
    t.compute()
    t.send(CTRL_C)
    t.expect("interrupted")
    t.send("quit\n")
    check("and so is Ctrl-C", t.end() == 130, t)


def editing():
    t = debug()
    t.expect("(fhec) ")
    t.send("inf\t")
    says(t, "a command is completed", "info ")
    t.send("al\t\n")
    says(t, "and what follows it", "allocations", "16 bytes  out", "(fhec) ")
    t.send("reverse-\t")
    says(t, "what may follow is listed", "reverse-step", "reverse-next", "(fhec) reverse-")
    t.send("s\t\n")
    says(t, "and can be gone on with", "the beginning", "(fhec) ")
    t.send(UP + UP + "\n")
    says(t, "the line before the last one", "info allocations", "16 bytes  out", "(fhec) ")
    t.send("ep 3" + HOME + "st\n")
    says(t, "a line is edited", "instruction 3,", "(fhec) ")
    t.send("step 2" + LEFT + "1\n")
    says(t, "in the middle", "instruction 15,", "(fhec) ")
    t.send("x" * 600 + "\t\n")
    says(t, "a line that is long", "no command is called", "(fhec) ")
    t.send("print \xc3\xa4\t\n")
    says(t, "letters of other languages", "error: ", "(fhec) ")
    t.resize(10, 30)
    t.send("step\n")
    says(t, "a window that becomes small", "instruction 16,", "(fhec) ")
    t.send("quit\n")
    check("the end", t.end() == 0, t)


def kinds():
    """TERM is of another kind, of none, and not there."""
    for name in ("vt100", "dumb", "linux", "no-such-terminal", "", None):
        t = debug(environment={"TERM": name})
        t.expect("(fhec) ")
        t.send("step\n")
        says(t, f"line mode with TERM {name!r}", "0x0010  IADD3", "(fhec) ")
        t.send("quit\n")
        check("and its end", t.end() == 0, t)


def screens():
    for name in ("vt100", "xterm", "linux", "screen-256color"):
        t = debug("--tui", environment={"TERM": name})
        says(t, f"the full screen with TERM {name!r}", "launch 1 of 1", "MOV R2, RZ")
        t.send("s")
        says(t, "a step", "instruction 1")
        t.send("q")
        check("its end", t.end() == 0, t)
    for name in ("no-such-terminal", "", None):
        t = debug("--tui", environment={"TERM": name})
        says(t, f"no screen with TERM {name!r}", "this terminal is not known (TERM)")
        check("which is an error", t.end() == 4, t)
    t = debug("--tui", rows=5, columns=20)
    says(t, "a terminal that is too small", "the window is too")
    for rows, columns in ((1, 1), (2, 200), (200, 2), (24, 80)):
        t.resize(rows, columns)
        t.send("s")
    says(t, "sizes of all kinds", "instruction")
    t.send("c")
    t.compute()
    says(t, "it runs", "Ctrl-C stops it")
    t.resize(50, 140)
    t.send(CTRL_C)
    says(t, "a size that changes while it runs", "interrupted")
    t.send("q")
    check("and the end", t.end() == 130, t)


def closed():
    """The window is closed: at the prompt, and while the kernel runs."""
    for options in ((), ("--tui",)) if SCREEN else ((),):
        for ignored in ((), (signal.SIGHUP,)):
            for line in ("", "continue\n"):
                t = debug(*options, ignored=ignored)
                t.expect("MOV R2, RZ")
                if options and line:
                    line = "c"
                t.send(line)
                if line:
                    t.compute()
                # One that runs without end and hears of nothing has to be told.
                if ignored and line:
                    t.send(CTRL_C)
                    t.expect("interrupted")
                status = t.end(hang_up=True)
                name = " ".join([*options, "SIGHUP ignored," if ignored else "", line.strip()])
                check(f"a terminal that has gone: {name}: {status}", status is not None, t)


with open(f"{FOLDER}/k.sass", "w", encoding="ascii") as file:
    file.write(SOURCE)
line_mode()
if EDITS:
    editing()
kinds()
if SCREEN:
    screens()
closed()
print(f"1..{count}")
sys.exit(bad)
