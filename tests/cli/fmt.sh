#!/usr/bin/env bash
# fhec fmt: how a source is laid out; --check, standard input, files in place; what does not change.
. "$(dirname "$0")/../tools/tap.sh"

laid_out() { # laid_out NAME TEXT WANTED: both for printf %b
    local got
    got=$(printf '%b' "$2" | "$FHEC" fmt - && echo .)
    same "$1" "$got" "$(printf '%b' "$3" && echo .)"
    got=$(printf '%b' "$3" | "$FHEC" fmt - && echo .)
    same "$1: once is enough" "$got" "$(printf '%b' "$3" && echo .)"
}

laid_out "instructions, labels, directives" \
    '  .target   sm_80 ,gme\n\t.kernel k\n  again : \nloop:IADD3\tR4,R4 ,  1,RZ;\n@!P0  BRA loop;MOV R1,R2;\nEXIT;\n .end\n' \
    '.target sm_80, gme\n.kernel k\nagain :\nloop: IADD3 R4, R4, 1, RZ ;\n    @!P0 BRA loop ; MOV R1, R2 ;\n    EXIT ;\n.end\n'
laid_out "a macro and its calls; what is in brackets keeps its spelling" \
    '.macro M a,b = RZ\nL\\@:\nBRA L\\@;\nIADD3 \\a,\\b\\(),R[1,2+ 3],  RZ;\n.endm\nM R1,( 2,3 ) ,x\n .rept 2 ,i\n.irp v,1,2\n.endr\n.endr' \
    '.macro M a, b = RZ\nL\\@:\n    BRA L\\@ ;\n    IADD3 \\a, \\b\\(), R[1,2+ 3], RZ ;\n.endm\n    M R1, ( 2,3 ), x\n.rept 2, i\n.irp v, 1, 2\n.endr\n.endr\n'
laid_out "strings and comments stay; tables keep their columns" \
    '.error  "a ,  b;"   /* c ,d */\n.word   1,   22,333\n.test  expect  x  1,2\nMOV /* a  , b */ R1,R2;\n' \
    '.error "a ,  b;"    /* c ,d */\n.word   1,   22,333\n.test  expect  x  1,2\n    MOV /* a  , b */ R1, R2 ;\n'
laid_out "comments in a column: where most stand, or one that all reach" \
    'MOV R1, R2;           // a\n    EXIT ;            // b\n  NOP ; # c\n\nNOP;//d\nEXIT ;  // e  \n\nNOP ; //f\n' \
    '    MOV R1, R2 ;      // a\n    EXIT ;            // b\n    NOP ;             # c\n\n    NOP ;   //d\n    EXIT ;  // e\n\n    NOP ;   //f\n'
laid_out "comments alone: first column, code, behind the comment above" \
    '// a\n  // b\nNOP ;       // c\n            // d\n\n            // e\n' \
    '// a\n    // b\n    NOP ;   // c\n            // d\n\n            // e\n'
laid_out "a comment of several lines, and all it touches" \
    'NOP;/* a\n  b  \n c */  MOV R1,R2;\nNOP;\n' 'NOP;/* a\n  b  \n c */  MOV R1,R2;\n    NOP ;\n'
laid_out "lines that are no statements" \
    "  1 ,  MOV R1,R2;\nMOV R1 'x,y;\n.error \"open ,x\nNOP;\n" \
    "  1 ,  MOV R1,R2;\nMOV R1 'x,y;\n.error \"open ,x\n    NOP ;\n"
laid_out "what is open at the end" 'NOP;\n /* open  ,\n x ' '    NOP ;\n /* open  ,\n x '
laid_out "ends of lines, blank lines" 'NOP;\r\nEXIT ;  \r\n\r\n\t\r\n' '    NOP ;\r\n    EXIT ;\r\n'
laid_out "the last line ends as the first one" 'NOP;\r\n.end' '    NOP ;\r\n.end\r\n'
laid_out "nothing, blanks, empty lines" '\n \n\n' ''
laid_out "UTF-8: columns are characters; a mark of the byte order stays" \
    '\xef\xbb\xbf.error "\xc3\xa4\xc3\xb6"     // a\n.error "ao"     // b\n' \
    '\xef\xbb\xbf.error "\xc3\xa4\xc3\xb6"     // a\n.error "ao"     // b\n'
laid_out "a listing is more than its blanks" \
    '\tFunction : k\n        /*0000*/                   EXIT ;   /* 0x000000000000794d */\n' \
    '\tFunction : k\n        /*0000*/                   EXIT ;   /* 0x000000000000794d */\n'

printf 'NOP;\n' >"$tmp/a.sass"
printf '    NOP ;\n' >"$tmp/b.sass"
fhec "--check names what would change" 1 "$tmp/a.sass" fmt --check "$tmp/a.sass" "$tmp/b.sass"
same "and nothing else" "$said" "$tmp/a.sass"
same "and changes nothing" "$(cat "$tmp/a.sass")" "NOP;"
fhec "a file that is missing" 4 "missing.sass" fmt "$tmp/a.sass" "$tmp/missing.sass"
same "no file is changed then" "$(cat "$tmp/a.sass")" "NOP;"
chmod 640 "$tmp/a.sass"
ln -s a.sass "$tmp/link.sass"
fhec "in place, by a link" 0 "" fmt "$tmp/link.sass" "$tmp/b.sass"
same "it says nothing" "$said" ""
same "the file is laid out, the link stays, and the mode" \
    "$(cat "$tmp/a.sass")$(readlink "$tmp/link.sass")$(stat -c %a "$tmp/a.sass")" "    NOP ;a.sass640"
fhec "--check is satisfied" 0 "" fmt --check "$tmp/a.sass" "$tmp/b.sass"
printf 'a\0b' >"$tmp/binary"
fhec "no text" 2 "NUL bytes" fmt "$tmp/binary"
fhec "no file" 2 "FILE is missing" fmt

# The kernels of the repository, made worse and laid out again, have the same words.
tool=$(realpath "$FHEC")
mkdir "$tmp/before" "$tmp/after"
cp -r programs tests/kernels tests/planted tests/lint "$tmp/before"
mapfile -t files < <(cd "$tmp/before" && find . -name '*.sass' | sort)
# As bad as blanks can be: none before code, two behind every comma in it.
for file in "${files[@]}"; do
    sed -E '/^[^"]*$/{/^ *\.(test|word)/!{s/^ +//;:a;s/^([^/]*[^ /]), ([^ ])/\1,  \2/;ta}}' \
        "$tmp/before/$file" >"$tmp/worse" && mkdir -p "$tmp/after/$(dirname "$file")" &&
        cp "$tmp/worse" "$tmp/after/$file"
done
(cd "$tmp/after" && "$tool" fmt "${files[@]}") || not_ok "all files are laid out"
(cd "$tmp/after" && "$tool" fmt --check "${files[@]}") || not_ok "all files are laid out once"
differs='' objects=0
for file in "${files[@]}"; do
    for side in before after; do # words and data, in order, and how it ended
        (cd "$tmp/$side" && "$tool" as --list "$file" && "$tool" as "$file" -o - |
            "$tool" dis - && echo good) >"$tmp/$side.said" 2>/dev/null
    done
    cmp -s "$tmp/before.said" "$tmp/after.said" || differs+=" $file"
    [ "$(tail -n 1 "$tmp/before.said")" != good ] || objects=$((objects + 1))
done
same "the words and data of $objects files are the same" "$differs" ""
if [ "$objects" -ge 20 ]; then ok "many of them assemble alone"; else not_ok "only $objects files do"; fi
done_testing
