#!/usr/bin/env bash
# Kernels by the names that people write: mangled, as in the source, without namespaces, template
# arguments or parameters; what is said where none or several are meant; what is PTX.
. "$(dirname "$0")/../tools/tap.sh"

names=(_Z7reduce0IiEvPT_S1_j _Z7reduce0IfEvPT_S1_j _ZN2ns4deep4scanILj4EEEvPj _ZN2ns5plainEPj
    _Z5plainPi other)
for name in "${names[@]}"; do printf '.kernel %s\n    EXIT ;\n.end\n' "$name"; done >"$tmp/k.sass"
run=(run "$tmp/k.sass" --grid 1 --block 1 --stats -k)
for good in other _Z5plainPi 'plain(int*)' 'reduce0<int>' 'reduce0<float>' scan 'scan<4u>' 'deep::scan' \
    'ns::deep::scan<4u>' 'ns::plain' 'void reduce0<int>(int*, int*, unsigned int)' 'reduce0< int >'; do
    fhec "one kernel: $good" 0 "EXIT" "${run[@]}" "$good"
done
fhec "several, by a name that says too little" 2 'has 2 kernels "reduce0"; write more of the name
kernel _Z7reduce0IiEvPT_S1_j, void reduce0<int>(int*, int*, unsigned int): no parameters
kernel _Z7reduce0IfEvPT_S1_j, void reduce0<float>(' "${run[@]}" reduce0
fhec "several, in two namespaces" 2 'has 2 kernels "plain"' "${run[@]}" plain
fhec "a misspelt one" 2 'no kernel "reduze0<int>"; did you mean "reduce0<int>"?' \
    "${run[@]}" 'reduze0<int>'
fhec "a misspelt one without arguments" 2 'no kernel "scam"; did you mean "scan"?' "${run[@]}" scam
for i in {1..60}; do printf '.kernel k%d\n    EXIT ;\n.end\n' "$i"; done >"$tmp/many.sass"
fhec "of many, none is listed" 2 'it has 60 kernels: `fhec run FILE` lists them' run "$tmp/many.sass" \
    --grid 1 --block 1 -k nothing_like_it
same "but the note" "$(grep -c kernel <<<"$said")" 2
fhec "or some" 2 'choose one with --kernel
and 50 more' run "$tmp/many.sass" --grid 1 --block 1

printf '//\n// made by a compiler\n//\n\n.version 9.0\n.target sm_80\n.entry k() { ret; }\n' >"$tmp/k.ptx"
for command in run as dis lint; do
    fhec "PTX: $command" 2 'k.ptx is PTX, which is no machine code: `ptxas -arch=sm_80' $command "$tmp/k.ptx"
done

"$FHEC" as "$tmp/many.sass" -o "$tmp/many.cubin"
LC_ALL=C sed 's/\.text\.k/.tuxt.k/g' "$tmp/many.cubin" >"$tmp/none.cubin"
for command in dis run lint; do
    fhec "an object without kernels: $command" 0 'none.cubin has no kernels' $command "$tmp/none.cubin"
done
fhec "cannot be launched" 2 'error[O008]: there is no kernel' run "$tmp/none.cubin" --grid 1 --block 1
done_testing
