#!/usr/bin/env python3
"""Runs the commands of a Markdown page and compares what they print with what the page says.

    page.py PAGE FOLDER              one line of TAP for each command; exit status 1 if one differs
    page.py --update PAGE FOLDER     writes the page again with what the commands print

Commands are the lines that begin with "$ " in fenced blocks of the language `console`; what follows
up to the next one is what they print, both streams together. A line that ends in a backslash goes
on in the next one. All run in one shell, in FOLDER, in order. After a command `# needs NAME` in the
line before it (shown on the page as a comment of the shell) it is skipped where there is no program
NAME.
"""
import shutil
import subprocess
import sys

MARK = "\x1e"


class Command:
    """One command: its lines in the page, what it needs, and what the page says it prints."""

    def __init__(self, text, needs):
        self.text, self.needs, self.said, self.got = text, needs, [], None


def parse(lines):
    """The page as a list of lines and commands."""
    parts, inside, needs = [], False, None
    for line in lines:
        if line.startswith("```"):
            inside = line == "```console"
            parts.append(line)
        elif not inside:
            parts.append(line)
        elif line.startswith("# needs "):
            needs = line.split()[2]
            parts.append(line)
        elif line.startswith("$ "):
            parts.append(Command([line], needs))
            needs = None
        elif isinstance(parts[-1], Command) and parts[-1].text[-1].endswith("\\"):
            parts[-1].text.append(line)
        elif isinstance(parts[-1], Command):
            parts[-1].said.append(line)
        else:
            sys.exit(f"page.py: a block begins with something printed: {line}")
    return parts


def run(commands, folder):
    """Runs the commands in one shell; sets what each one printed."""
    script = "exec 2>&1 </dev/null\n"
    for command in commands:
        script += "\n".join(command.text)[2:] + f"\nprintf '{MARK}'\n"
    done = subprocess.run(["bash", "-c", script], cwd=folder, timeout=240, text=True,
                          stdout=subprocess.PIPE, check=False)
    outputs = done.stdout.split(MARK)
    for command, output in zip(commands, outputs):
        command.got = output.rstrip("\n").split("\n") if output else []


def report(commands):
    """TAP without its plan; whether a command differs."""
    bad = False
    for command in commands:
        name = " ".join(command.text)[2:].replace("#", "")
        if command.got is None:
            print(f"ok # SKIP {name}: there is no {command.needs}")
        elif command.got == command.said:
            print(f"ok - {name}")
        else:
            bad = True
            print(f"not ok - {name}")
            for what, lines in ("page", command.said), ("now", command.got):
                print("\n".join(f"# {what}: {line}" for line in lines))
    return bad


def main():
    """Reads the arguments."""
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    page, folder = arguments
    with open(page, encoding="utf-8") as file:
        parts = parse(file.read().split("\n"))
    commands = [part for part in parts if isinstance(part, Command)]
    run([c for c in commands if not c.needs or shutil.which(c.needs)], folder)
    if "--update" not in sys.argv:
        sys.exit(report(commands))
    out = []
    for part in parts:
        if isinstance(part, Command):
            out += part.text + (part.said if part.got is None else part.got)
        else:
            out.append(part)
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


main()
