#!/usr/bin/env bash
# fhec blocks: wrong graphs, wrong options and wrong machines are refused where they are wrong.
. "$(dirname "$0")/../tools/tap.sh"

g=$tmp/hemult.json
fhec "a graph is written" 0 "" ckks hemult --logn 10 --limbs 6 --alpha 2 --dnum 3 --bits 54 --map gme64 \
    --rescale --graph "$g"

# Each case is a file of its own, which one script makes.
cases=0
wrong() { # wrong NAME TEXT PYTHON: of the graph d, its buffers b, its blocks k
    names[++cases]=$1
    texts[cases]=$2
    printf '%s\n' "d = json.load(open(sys.argv[1])); b, k = d['buffers'], d['blocks']; $3" \
        "json.dump(d, open(sys.argv[2] + '/w$cases.json', 'w'))" >>"$tmp/wrong.py"
}
echo "import json, sys" >"$tmp/wrong.py"
wrong "a cycle" 'blocks[0].reads: there is a cycle: block "hemult" waits' \
    "k[0]['reads'][0] = 'out'; k[0]['level'] = 5; k[1]['op'] = 'scalarmult'; k[1]['level'] = 5; del k[1]['drop']"
wrong "negative bytes" 'buffers[1]: member "bytes": expected a whole number from 1' "b[1]['bytes'] = -5"
wrong "bytes that are no whole number" 'buffers[1]: member "bytes"' "b[1]['bytes'] = 1.5"
wrong "an unknown buffer" 'blocks[1].reads[0]: there is no buffer "nothing"' "k[1]['reads'] = ['nothing']"
wrong "an unknown op" 'blocks[0]: no op is called "hemul"; did you mean "hemult"?' "k[0]['op'] = 'hemul'"
wrong "an unknown kind" 'buffers[0]: no kind of buffer is called "kei"; did you mean "key"?' "b[0]['kind'] = 'kei'"
wrong "an unknown map" 'blocks[0]: there is no map "gme" of CKKS' "k[0]['map'] = 'gme'"
wrong "an unknown member" 'blocks[0]: unknown member "read"; did you mean "reads"?' "k[0]['read'] = []"
wrong "a missing member" 'blocks[0]: missing member "level"' "del k[0]['level']"
wrong "two blocks of one id" 'blocks[1]: id "hemult" is that of number 0, too' "k[1]['id'] = 'hemult'"
wrong "two buffers of one id" 'buffers[2]: id "a" is that of number 0, too' "b[2]['id'] = 'a'"
wrong "a buffer written twice" 'blocks[1].writes: block "hemult" writes "product", too' \
    "k[1]['reads'] = ['a']; k[1]['writes'] = ['product']"
wrong "a level that the chain lacks" 'blocks[0].level: level 7; the chain has 6 limbs' "k[0]['level'] = 7"
wrong "operands of the wrong kind" 'blocks[0].reads: hemult reads 2 ciphertexts, or one twice, not 0' \
    "k[0]['reads'] = ['key']"
wrong "two results" 'blocks[0]: member "writes": a block writes one buffer' "k[0]['writes'] = ['product', 'out']"
wrong "digits that do not divide" 'chain: 6 limbs cannot be cut into 4 digits' "d['chain']['dnum'] = 4"
wrong "no blocks" 'member "blocks": there is none' "d['blocks'] = []"
wrong "a number for an id" 'blocks[0].reads[1]: expected the id of a buffer' "k[0]['reads'][1] = 7"
wrong "primes that the map cannot have" "blocks[0]: " "k[0]['map'] = k[1]['map'] = 'fhec16'"
wrong "fewer bytes than are written" \
    'buffers[3].bytes: 1; blocks use 2 x 6 limbs of it, which have 82944 bytes at least' "b[3]['bytes'] = 1"
wrong "fewer bytes than are read" \
    'buffers[2].bytes: 331775; blocks use 6 x 8 limbs of it, which have 331776 bytes at least' "b[2]['bytes'] = 331775"
wrong "more bytes than there can be" 'buffers[0].bytes: 1073741824; a ct of this chain has 196608 bytes at most' \
    "b[0]['bytes'] = 1 << 30"
raising="b.append(dict(id='t', kind='tmp', bytes=24 << 13)); b.append(dict(id='r', kind='ct', bytes=12 << 13))"
rotating="k.append(dict(id='r', op='rotate-raised', level=6, reads=['a', 't'], writes=['r']))"
wrong "a ciphertext instead of raised digits" \
    'blocks[2].reads[1]: "a" is a ciphertext; raised digits are expected' \
    "$raising; $rotating; k[2]['reads'] = ['a', 'a']"
wrong "raised digits instead of a ciphertext" 'blocks[0].reads[1]: "t" is raised digits, no ciphertext' \
    "$raising; k[0]['reads'][1] = 't'; k.append(dict(id='d', op='raise-digits', level=6, reads=['a'], writes=['t']))"
wrong "what is both" 'blocks[3].reads[0]: "t" is raised digits, no ciphertext' \
    "$raising; $rotating; b.append(dict(id='s', kind='ct', bytes=12 << 13))
k.append(dict(id='s', op='scalaradd', level=6, reads=['t'], writes=['s']))"
wrong "digits of another level" 'blocks[2].reads[1]: level 5; "t" has digits of level 6' \
    "$raising; $rotating; k[2]['level'] = 5
k.append(dict(id='d', op='raise-digits', level=6, reads=['a'], writes=['t']))"
wrong "a key of two shapes" \
    'blocks[2].reads[1]: a key of 2 x 2 limbs; to another block "key" has 6 x 8' \
    "$raising; k.append(dict(id='r', op='encapsulate', level=1, reads=['a', 'key'], writes=['r']))"
python3 "$tmp/wrong.py" "$g" "$tmp"
for ((i = 1; i <= cases; i++)); do
    fhec "${names[i]}" 2 "$tmp/w$i.json: ${texts[i]}" blocks "$tmp/w$i.json"
done
head -c 300 "$g" >"$tmp/cut.json"
fhec "a graph that is cut off" 2 "$tmp/cut.json:" blocks "$tmp/cut.json"
printf '{"buffers": [], "buffers": [], "blocks": []}' >"$tmp/twice.json"
fhec "a member twice" 2 "$tmp/twice.json:1:" blocks "$tmp/twice.json"
echo '[1]' >"$tmp/array.json"
fhec "no object" 2 "$tmp/array.json: expected an object" blocks "$tmp/array.json"
fhec "no file" 4 "$tmp/none.json" blocks "$tmp/none.json"

fhec "features of several lists" 0 "with cnoc, mod, wmac at" blocks "$g" --features wmac --features cnoc \
    --features mod
fhec "counts that it has not" 2 "unrecognized option '--stats'" blocks "$g" --stats
fhec "an unknown feature" 2 'there is no feature "cnok"; did you mean "cnoc"?' blocks "$g" --features cnok
fhec "wmac without mod" 2 "wmac goes with mod" blocks "$g" --features cnoc,wmac
fhec "labs without cnoc" 2 "labs goes with cnoc" blocks "$g" --features labs
fhec "cnoc of a machine that has none" 2 "machine a100 does not say its cnoc" \
    blocks "$g" --machine a100 --features cnoc
fhec "a torus of other SMs" 2 "machine mi100 has 120 sms; its cnoc of 4 x 5 routers with 8 each has 160" \
    blocks "$g" --features cnoc --change "cnoc x 4"
cat >"$tmp/m.machine" <<'MACHINE'
machine m
like mi100
cnoc link 0
cnoc z 3
overlap 2
cnoc
hbm efficiency 1.5
onchip -1
onchip 0
MACHINE
fhec "wrong keys of a machine" 2 "$tmp/m.machine:3:11: error: cnoc link is from 1 to 65536
$tmp/m.machine:4:6: error: cnoc has no \"z\"
$tmp/m.machine:5:9: error: overlap is from 0 to 1
$tmp/m.machine:6:5: error: cnoc needs a number
$tmp/m.machine:7:16: error: hbm efficiency is from 0.001 to 1
$tmp/m.machine:8:8: error: onchip is a number, not \"-1\"
$tmp/m.machine:9:8: error: onchip is from 1 to 1e+12" blocks "$g" --machine "$tmp/m.machine"
printf 'machine m\nlike mi100\n' >"$tmp/m.machine"
got=$("$FHEC" blocks "$g" --machine "$tmp/m.machine" --features cnoc,mod,wmac --format json |
    sed 's/"machine": "m"/"machine": "mi100"/')
same "features of a machine that is like one of the tool's" "$got" "$("$FHEC" blocks "$g" --features cnoc,mod,wmac --format json)"
printf 'machine m\nlike a100\n' >"$tmp/m.machine"
fhec "features that it has not" 2 "machine m is not, and is not like, one of the tool that has a variant +mod" \
    blocks "$g" --machine "$tmp/m.machine" --features mod

done_testing
