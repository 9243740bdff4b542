#!/bin/sh
# What docs/blocks.md says of the GME paper's Tables 7 and 8, Figure 8 and T_AS, made anew:
#     FHEC=build/rel/fhec sh docs/blocks/gme.sh [table7] [figure8] [table8] [tas]
# Without words all of it, some minutes. N = 2^16, 24 + 8 primes of 54 bits, 3 digits, map gme64.
set -eu
FHEC=${FHEC:-fhec}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

graph() { # graph PRIMITIVE
    [ -e "$folder/$1.json" ] ||
        "$FHEC" ckks "$1" --map gme64 --limbs 24 --alpha 8 --dnum 3 --bits 54 --graph "$folder/$1.json" 2>/dev/null
}

# The number behind the first "KEY" of a plan.
value() { # value KEY < JSON
    tr ',' '\n' | sed -n "s/.*\"$1\": \([0-9.e+]*\).*/\1/p" | head -n 1
}

plan() { # plan KEY GRAPH FEATURES ARGUMENTS...
    key=$1 of=$2 features=$3
    shift 3
    "$FHEC" blocks "$folder/$of.json" --features "$features" --format json "$@" | value "$key"
}

difference() { awk -v ours="$1" -v theirs="$2" 'BEGIN { printf "%+.0f %%", 100 * (ours / theirs - 1) }'; }

# Ours beside the paper's, in us. All engines on one limb after the other is the last column.
table7() {
    echo "| us | MI100: paper | ours | | GME without LABS: paper | ours | | 15.5 MiB, packed | LABS | one engine |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    while read -r primitive name mi100 gme; do
        graph "$primitive"
        plain=$(plan us "$primitive" "")
        ours=$(plan us "$primitive" cnoc,mod,wmac --loops best)
        large=$(plan us "$primitive" cnoc,mod,wmac --loops best --packed --change "onchip 15.5M")
        labs=$(plan us "$primitive" cnoc,mod,wmac,labs --loops best --packed --change "onchip 15.5M")
        one=$(plan us "$primitive" cnoc,mod,wmac --loops best --packed --change "onchip 15.5M" \
            --change "cnoc x 1 y 1 per 120")
        printf '| %s | %s | %.0f | %s | %s | %.0f | %s | %.0f | %.0f | %.0f |\n' "$name" "$mi100" "$plain" \
            "$(difference "$plain" "$mi100")" "$gme" "$ours" "$(difference "$ours" "$gme")" \
            "$large" "$labs" "$one"
    done <<END
ptmult CMult 178 22
headd HEAdd 217 28
hemult HEMult 4012 464
rotate Rotate 3473 364
rescale Rescale 681 69
END
}

# Bytes of a HEMult by the size of on-chip memory, limbs of 54 bits: one tile after the other, and
# fifteen at once.
figure8() {
    graph hemult
    echo "| MiB | one limb at a time, by digits | by limbs | 15 engines, by digits | by limbs |"
    echo "|---|---|---|---|---|"
    for size in 7.5 15.5 23.5; do
        printf '| %s |' "$size"
        for order in sequence best; do
            for loops in digits limbs; do
                printf ' %.0f |' "$(plan bytes hemult cnoc,mod,wmac --packed --change "onchip ${size}M" \
                    --order $order --loops $loops | awk '{ print $1 / 1e6 }')"
            done
        done
        echo
    done
}

table8() {
    "$FHEC" ckks bootstrap --preset paper --map gme64 --limbs 24 --alpha 8 --dnum 3 --bits 54 \
        --levels-cts 4 --levels-stc 4 --graph "$folder/boot.json" 2>/dev/null
    echo "| Boot, ms | paper | ours |"
    echo "|---|---|---|"
    echo "| MI100 | 413 | $(plan us boot "" | awk '{ printf "%.0f", $1 / 1e3 }') |"
    for size in 7.5 15.5 23.5; do
        for features in cnoc,mod,wmac cnoc,mod,wmac,labs; do
            echo "| $features, $size MiB | $([ $features = cnoc,mod,wmac ] || echo 33.6) | $(plan us boot $features \
                --loops limbs --packed --change "onchip ${size}M" | awk '{ printf "%.0f", $1 / 1e3 }') |"
        done
    done
}

# T_AS = (T_boot + levels x T_mult) / levels / slots, in ns.
tas() {
    awk 'function as(boot, mult, levels) { return (boot * 1e6 + levels * mult * 1e3) / levels / 32768 }
    BEGIN {
        print "| T_AS, ns | paper | 17 levels | 6 levels |"
        print "|---|---|---|---|"
        printf "| MI100 | 863 | %.1f | %.0f |\n", as(413, 4012, 17), as(413, 4012, 6)
        printf "| GME | 74.5 | %.2f | %.0f |\n", as(33.63, 464, 17), as(33.63, 464, 6)
    }'
}

[ $# -gt 0 ] || set -- table7 figure8 table8 tas
for part; do
    case $part in
        table7 | figure8 | table8 | tas) "$part" ;;
        *) echo "gme.sh: table7, figure8, table8 or tas, not $part" >&2; exit 2 ;;
    esac
    echo
done
