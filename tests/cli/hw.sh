#!/usr/bin/env bash
# The hardware vectors' tools: what writes a file, what replays it, and the script around them.
. "$(dirname "$0")/../tools/tap.sh"

hw=tests/hw
measure=$O/tests/hw/measure
replay=$O/tests/unit/hw_replay_test
export CMOCKA_MESSAGE_OUTPUT=STDOUT

check "the model's vectors are written" "$measure" --model 9 "$tmp/model.hwv"
check "and replayed" "$replay" "$tmp/model.hwv"
same "a file says who computed it" "$(head -n 5 "$tmp/model.hwv")" "fhec-hw 1
seed 9
origin model
sm 0
driver 0"
check "a seed gives the same file again" "$measure" --model 9 "$tmp/again.hwv"
check "to the byte" cmp "$tmp/model.hwv" "$tmp/again.hwv"

# One result changed, the last line made anew: 41 is the low byte of some row's first element.
python3 - "$tmp" <<'PY'
import re, sys
data = open(f"{sys.argv[1]}/model.hwv", "rb").read()
at = data.index(b"row mul_lo 4\n") + len(b"row mul_lo 4\n")
body = data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1:data.rindex(b"end ")]
digest = 0xcbf29ce484222325
for byte in body:
    digest = (digest ^ byte) * 0x100000001b3 & (1 << 64) - 1
open(f"{sys.argv[1]}/wrong.hwv", "wb").write(body + b"end %016x\n" % digest)
open(f"{sys.argv[1]}/silent.hwv", "wb").write(body + data[data.rindex(b"end "):])
PY
"$replay" "$tmp/wrong.hwv" >"$tmp/said" 2>&1
same "a wrong result fails" "$?" 1
check "and is named" grep -q "row mul_lo, element 0 (.*: emulator 0x.*, expected 0x" "$tmp/said"
"$replay" "$tmp/silent.hwv" >"$tmp/said" 2>&1
same "a changed byte fails" "$?" 1
check "and is said" grep -q "its bytes are not those that were written" "$tmp/said"

"$measure" 9 "$tmp/none" $hw/kernels.cubin "$tmp/out.hwv" >/dev/null 2>&1
same "a file that is not there" "$?" 1
"$measure" nine a b c 2>"$tmp/said"
same "a seed that is no number" "$?" 1
absent "no file is left" "$tmp/out.hwv"

# With a driver whose GPU is the emulator: all that measuring on a GPU is, but for the GPU.
check "silicon.sass assembles" "$FHEC" as $hw/silicon.sass -o "$tmp/silicon.cubin"
LD_LIBRARY_PATH=$(realpath "$O/cuda") "$measure" 7 $hw/kernels.cubin "$tmp/silicon.cubin" \
    "$tmp/emulated.hwv" >"$tmp/said" 2>&1
same "measured on an emulated GPU" "$? $(grep -c 'emulated.hwv: fhec (emulated A100), sm_80' "$tmp/said")" "0 1"
same "the file's header" "$(head -n 5 "$tmp/emulated.hwv" | tail -n 4)" "seed 7
origin fhec (emulated A100)
sm 80
driver 13000"
"$replay" "$tmp/emulated.hwv" >"$tmp/said" 2>&1
same "and replayed" "$?" 0
same "with a line for every choice that was measured" \
    "$(grep -c '^# .*" is right, 0 ulps apart$' "$tmp/said")" \
    "$(sed -n 's/^CHOICE(\([a-z0-9_]*\),.*/^row \1 /p' $hw/choices.def |
        grep -a -c -f - "$tmp/emulated.hwv")"
"$measure" --model 7 "$tmp/model.hwv"
LD_LIBRARY_PATH=$(realpath "$O/cuda") "$measure" 7 "$tmp/silicon.cubin" "$tmp/silicon.cubin" \
    "$tmp/refused.hwv" >/dev/null 2>&1
same "kernels that a module has not are refused, the others measured" \
    "$(grep -a -c '^none .* finding the kernel: named symbol not found' "$tmp/refused.hwv") \
$(grep -a -c '^row ' "$tmp/refused.hwv")" \
    "$(grep -a -c '^row ' "$tmp/model.hwv") $(grep -c '^SILICON' $hw/silicon.def)"

missing=
while read -r row; do
    grep -q "\`$row\`" $hw/README.md || missing+=" $row"
done < <(sed -n 's/^CHOICE(\([a-z0-9_]*\),.*/\1/p' $hw/choices.def)
same "README.md lists every choice" "$missing" ""

if command -v "${NVCC:-/usr/local/cuda/bin/nvcc}" >/dev/null 2>&1; then
    mkdir -p "$tmp/build/tests/hw"
    ln -s "$(realpath "$FHEC")" "$tmp/build/fhec"
    check "the kernels compile for sm_80 and sm_90" env O="$tmp/build" sh $hw/make.sh build
    "$measure" 1 "$tmp/build/hw/kernels.fatbin" "$tmp/build/hw/silicon.cubin" "$tmp/gpu.hwv" \
        >"$tmp/said" 2>&1
    case $? in
        77) skip "measured on the GPU and replayed" "$(head -n 1 "$tmp/said")" ;;
        0) check "measured on the GPU and replayed" "$replay" "$tmp/gpu.hwv" ;;
        *) not_ok "measured on the GPU and replayed" "$(cat "$tmp/said")" ;;
    esac
else
    for name in "the kernels compile for sm_80 and sm_90" "measured on the GPU and replayed"; do
        skip "$name" "there is no nvcc"
    done
fi
done_testing
