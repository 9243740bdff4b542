#!/usr/bin/env bash
# Signals while an output file is being made: no part of it stays, neither under its own name nor
# under a temporary one, and the process ends as signals end processes.
. "$(dirname "$0")/../tools/tap.sh"

# A kernel whose listing is longer than a pipe holds: as --list waits with its object file written,
# but not in place yet, for as long as nobody reads.
printf '.target sm_80\n.kernel long\n.rept 2000\nNOP ;\n.endr\nEXIT ;\n.end\n' >"$tmp/long.sass"
mkdir "$tmp/files"
cat >"$tmp/interrupt.py" <<'EOF'
"""interrupt.py TOOL SOURCE FOLDER SIGNAL [ignored]: sends the signal when a file of the folder has
been written; how the tool ended, and what is in the folder then."""
import os, signal, subprocess, sys, time
tool, source, folder, name = sys.argv[1:5]
number = getattr(signal, "SIG" + name)
out = os.path.join(folder, "out")

def prepare():
    signal.signal(number, signal.SIG_IGN if sys.argv[5:] else signal.SIG_DFL)

process = subprocess.Popen([tool, "as", source, "-o", out, "--list"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, preexec_fn=prepare)
end = time.monotonic() + 60
while not [f for f in os.listdir(folder) if os.path.getsize(os.path.join(folder, f)) > 30000]:
    if process.poll() is not None or time.monotonic() > end:
        sys.exit("no temporary file was seen")
    time.sleep(0.01)
before = os.listdir(folder)
if name == "PIPE":
    process.stdout.close()
else:
    process.send_signal(number)
    if sys.argv[5:]:
        process.stdout.read()
status = process.wait(60)
print("in place" if "out" in before else "temporary",
      signal.Signals(-status).name if status < 0 else status, *sorted(os.listdir(folder)))
EOF
interrupted() { # interrupted NAME WANTED SIGNAL [ignored]
    local name=$1 wanted=$2
    shift 2
    same "$name" "$(python3 "$tmp/interrupt.py" "$FHEC" "$tmp/long.sass" "$tmp/files" "$@" 2>&1)" \
        "$wanted"
    rm -f "$tmp/files"/*
}
ulimit -c 0
for name in INT TERM HUP QUIT PIPE XCPU; do
    interrupted "SIG$name" "temporary SIG$name" $name
done
interrupted "a signal that nohup ignores" "temporary 0 out" HUP ignored

# A limit on the size of files: an error of writing, not the end of the process.
(ulimit -f 8 && exec "$FHEC" as "$tmp/long.sass" -o "$tmp/files/out" >"$tmp/said" 2>&1)
same "a file that becomes too large" "$? $(cat "$tmp/said") $(ls -A "$tmp/files")" \
    "4 fhec as: error: cannot write $tmp/files/out: File too large "
done_testing
