"""Which files know each other in a circle, and which folders do.

    circles.py BUILD LEAST < allowed

A file knows another one if it includes it, or if its object uses a symbol that the other's
object defines (by nm). Prints each circle on a line, "folder: file file ...", or "folders: folder
..." for those between folders or their rooms, and each line of `allowed` that is no circle any
more. LEAST is the number of objects that must be there, since without objects nothing is proven.
"""
import collections
import os
import re
import subprocess
import sys

# Whose headers the files of a folder may include, as tests/checks/includes.sh says it.
VISIBLE = {
    "base": ["base"],
    "isa_spec": ["isa_spec", "base"],
    "program": ["program", "isa_spec", "base"],
    "asm": ["asm", "program", "isa_spec", "base"],
    "emu": ["emu", "program", "isa_spec", "base"],
    "golden": ["golden"],
    "programs": ["programs", "golden"],
    "observe": ["observe"],
    "editor": ["editor", "asm", "program", "isa_spec", "base"],
    "debug": ["debug", "observe"],
    "cli": ["cli", "debug", "editor", "observe", "programs", "golden", "base"],
}
SOURCES = (".c", ".h", ".l", ".y", ".inc")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def sources():
    for folder in VISIBLE:
        for path, _, names in os.walk(folder):
            for name in names:
                if name.endswith(SOURCES):
                    yield os.path.join(path, name)


def included(files):
    """Edges from includes: a name is looked for beside the file, then in the visible folders."""
    by_name = collections.defaultdict(list)
    for file in files:
        by_name[os.path.basename(file)].append(file)
    for file in files:
        with open(file, encoding="utf-8") as text:
            names = INCLUDE.findall(text.read())
        for name in names:
            beside = os.path.normpath(os.path.join(os.path.dirname(file), name))
            for folder in [None] if beside in files else VISIBLE[folder_of(file)]:
                found = [beside] if folder is None else [
                    other for other in by_name[os.path.basename(name)]
                    if folder_of(other) == folder and other.endswith("/" + name)]
                if found:
                    yield from ((file, other) for other in found)
                    break


def object_of(build, file):
    stem = os.path.splitext(file)[0]
    if stem.startswith("isa_spec/gen/"):
        return os.path.join(build, "isac.o", os.path.basename(stem) + ".o")
    return os.path.join(build, stem + ".o")


def used(build, least, files):
    """Edges from symbols. The ISA compiler is a program of its own, with names of its own."""
    defines, uses = {}, collections.defaultdict(set)
    paths = {object_of(build, file): file for file in files if file.endswith((".c", ".l", ".y"))}
    objects = [path for path in paths if os.path.exists(path)]
    if len(objects) < least:
        sys.exit(f"only {len(objects)} objects in {build}")
    table = subprocess.run(["nm", "-A", "-P", "-g", *objects], capture_output=True, text=True,
                           check=True).stdout
    for line in table.splitlines():
        path, name, kind = line.split()[:3]
        file = paths[path.rstrip(":")]
        program = file.startswith("isa_spec/gen/")
        if kind == "U":
            uses[file].add((program, name))
        elif kind.isupper():
            defines[program, name] = file
    for file, names in uses.items():
        for name in names & defines.keys():
            if defines[name] != file:
                yield file, defines[name]


def circles(edges):
    """Strongly connected components of more than one node (Tarjan's algorithm)."""
    graph = collections.defaultdict(set)
    for a, b in edges:
        graph[a].add(b)
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on_stack.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    for node in list(graph):
        if node not in index:
            visit(node)
    return found


def folder_of(file):
    return file.split("/")[0]


def main():
    sys.setrecursionlimit(10000)
    files = set(sources())
    edges = set(included(files)) | set(used(sys.argv[1], int(sys.argv[2]), files))
    got = {f"{folder_of(part[0])}: {' '.join(part)}" for part in circles(edges)}
    for place in folder_of, os.path.dirname:
        between = {(place(a), place(b)) for a, b in edges if place(a) != place(b)}
        got |= {"folders: " + " ".join(part) for part in circles(between)}
    allowed = {line.strip() for line in sys.stdin if line.strip() and line[0] != "#"}
    for line in sorted(got - allowed):
        print(line)
    for line in sorted(allowed - got):
        print("no circle any more: " + line)


main()
