#!/usr/bin/env bash
# The README's first kernel and commands do what the README says.
. "$(dirname "$0")/../tools/tap.sh"

# block LANGUAGE: the first fenced block of that language
block() { awk -v fence="\`\`\`$1" '$0 == fence {on = 1; next} /^```/ {if (on) exit} on' README.md; }

# The line that puts the tool on the path, with this build in the place of the one it names.
path=$(sed -n 's/^    make && \(export PATH=.*\)/\1/p' README.md)
mkdir -p "$tmp/built/build/rel"
ln -s "$(realpath "$FHEC")" "$tmp/built/build/rel/fhec"
same "the tool is on the path" "$(cd "$tmp/built" && eval "$path" && type -P fhec)" \
    "$tmp/built/build/rel/fhec"

block sass >"$tmp/square.sass"
same "the first kernel has ten lines" "$(wc -l <"$tmp/square.sass")" 10
block sh >"$tmp/commands.sh"
mkdir "$tmp/bin"
ln -s "$(realpath "$FHEC")" "$tmp/bin/fhec"
# Keep what the first command makes and what the second one leaves.
sed -i -e '1s/$/; cp x.bin before.bin/' -e '2s/$/; cp x.bin after.bin/' "$tmp/commands.sh"
(cd "$tmp" && PATH=$tmp/bin:$PATH bash -e commands.sh) >"$tmp/said" 2>&1
same "its commands succeed" "$?" 0
check "it squares" python3 - "$tmp" <<'EOF'
import struct, sys
read = lambda name: struct.unpack("<64I", open(f"{sys.argv[1]}/{name}", "rb").read())
assert [x * x % 998244353 for x in read("before.bin")] == list(read("after.bin"))
assert [x * x % 7 for x in read("after.bin")] == list(read("x.bin"))
EOF
for text in "MODMUL.U32" "Function : square" "R4 = " "14 warp instructions"; do
    check "it shows \"$text\"" grep -qF "$text" "$tmp/said"
done
sed -i 's/, gme//' "$tmp/square.sass"
fhec "without gme the assembler names the feature" 2 "\`gme\`" as "$tmp/square.sass" -o "$tmp/none"
block sass >"$tmp/square.sass"
head -c 252 "$tmp/before.bin" >"$tmp/short.bin"
fhec "a short buffer is a located fault" 3 "square.sass:7:5
out of bounds" run "$tmp/square.sass" --grid 1 --block 64 --arg q=7 --inout "x=$tmp/short.bin"
while read -r command; do
    # With a sanitizer the longest would take minutes, as two of them do with the published parameters.
    case $command in 'ckks '* | 'report '* | 'mutate '*) grep -qa __asan_init "$FHEC" && continue ;; esac
    if [ -z "${FHEC_TEST_LONG:-}" ]; then
        case $command in
            'report bootstrap resnet20') command+=' --logn 8 --maps fhec16' ;;
            'report '*'--logn 12') command=${command/%12/9} ;;
            'mutate tests/kernels') command+=/square.sass ;;
        esac
    fi
    # shellcheck disable=SC2086 # the words of a command
    fhec "\`fhec $command\`" 0 "" $command
done < <(sed -n 's/^| `fhec \([^`]*\)`[ |].*/\1/p' README.md | grep -vE 'FILE|PROGRAM')
done_testing
