#!/usr/bin/env bash
# Every wrong description of tests/isa_reject is refused with its messages at their lines, all in one
# run, and nothing is written. A file's first lines say `# expect LINE: TEXT`.
. "$(dirname "$0")/../tools/tap.sh"
isac=$O/isac

shopt -s extglob
mkdir "$tmp/written"
for file in tests/isa_reject/*.isa; do
    name=${file##*/} name=${name%.isa}
    said=$("$isac" -o "$tmp/written" "$file" 2>&1)
    status=$?
    missing=
    wanted=0
    while IFS= read -r expectation; do
        [[ $expectation = "# expect "* ]] || continue
        expectation=${expectation#"# expect "}
        wanted=$((wanted + 1))
        line=${expectation%%:*} text=${expectation#*: }
        [[ $said = *"$file:$line: "*([!$'\n'])"$text"* ]] || missing+="line $line: $text"$'\n'
    done <"$file"
    if [ "$status" != 1 ]; then
        not_ok "$name" "exit status $status, wanted 1; it said:" "$said"
    elif [ "$wanted" = 0 ]; then
        not_ok "$name" "$file expects nothing"
    elif [ -n "$missing" ]; then
        not_ok "$name" "missing:" "$missing" "it said:" "$said"
    elif compgen -G "$tmp/written/*" >"$tmp/names"; then
        not_ok "$name" "files were written: $(cat "$tmp/names")"
        rm -rf "$tmp"/written/*
    else
        ok "$name"
    fi
done

# A mistake in C is the C compiler's to find, which names the description's line.
cat >"$tmp/body.isa" <<'END'
insn FOO "Foo"
  kind    lane
  class   integer
  form    RR 0x0202
  syntax  FOO Rd, A
  check   "never": A.colour == 1
  does {
      d = a;
      d += undeclared;
  }
END
check "a description with a mistake in C is read" "$isac" -o "$tmp" "$tmp/body.isa"
compile() {
    ${CC:-gcc} -std=gnu17 -fsyntax-only -Iinclude -Ibase -Iisa_spec -Iprogram -Iemu/memory -Iemu/exec \
        -Iemu/access -Iemu/matrix -Iemu/simd -I"$tmp" "$1" 2>&1
}
said=$(compile "$tmp/ref_body.c")
same "the compiler names the line of the body" \
    "$(grep -o "body.isa:9:.*error" <<<"$said" | sed 's/:[0-9]*: error//')" body.isa:9
said=$(compile "$tmp/isa_tables.c")
same "the compiler names the line of the check" \
    "$(grep -o "body.isa:6:.*error" <<<"$said" | sed 's/:[0-9]*: error//')" body.isa:6

said=$("$isac" -o "$tmp" "$tmp/absent.isa" 2>&1)
same "a file that is not there: exit status" "$?" 4
same "a file that is not there: message" "$said" "isac: cannot read $tmp/absent.isa"
"$isac" -o "$tmp/absent" isa_spec/*.isa >/dev/null 2>&1
same "a folder that is not there: exit status" "$?" 4
"$isac" isa_spec/*.isa >/dev/null 2>&1
same "no folder given: exit status" "$?" 2
done_testing
