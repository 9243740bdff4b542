#!/usr/bin/env bash
# What the built library shows and what it calls: names by their prefixes, no printing, no exit, no
# files, no environment, no state of its own.
. "$(dirname "$0")/../tools/tap.sh"

bad=$("${NM:-nm}" -D --defined-only "$O/libfhec.so" | awk '$2 ~ /[A-Z]/ && $3 !~ /^fhec_/ {print $3}')
same "libfhec.so exports fhec_ names only" "$bad" ""
exported=$("${NM:-nm}" -D --defined-only "$O/libfhec.so" | awk '$2 == "T" { print $3 }' | sort)
declared=$(cat include/*.h | "${CC:-gcc}" -E -P -Iinclude -x c - | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*[ *]\(fhec_[a-z_]*\)(.*/\1/p' | grep -v 'typedef' | grep -v '^fhec_.*_fn$' | sort -u)
missing=$(comm -23 <(echo "$declared") <(echo "$exported"))
same "libfhec.so exports all that the public headers declare" "$missing" ""
[ -n "$declared" ] || not_ok "the public headers declare something"

for lib in libfhec libfhecgolden libfhecprograms libfhecobserve libfheceditor libfhecdebug; do
    bad=$("${NM:-nm}" -A --defined-only "$O/$lib.a" 2>/dev/null |
        awk '$2 ~ /^[A-TV-Z]$/ && $3 !~ /^fh(ec)?_/ {print $1, $3}' | sed 's/^[^:]*://')
    same "$lib.a: names across files begin with fhec_ or fh_" "$bad" ""
done

# printf family on streams, process end, files, environment; snprintf into a buffer is fine.
# flex's skeleton in lexer.o holds a fatal-error exit that the assembler must have replaced.
banned='^(printf|puts|putchar|fprintf|vprintf|vfprintf|fputs|fputc|putc|fwrite|perror|exit|_exit'
banned+='|_Exit|abort|quick_exit|fopen|open|open64|fopen64|freopen|creat|tmpfile|getenv|secure_getenv'
banned+='|setenv|setlocale|rand|srand|strtok|localtime|signal|stdout|stderr|stdin)$'
for lib in libfhec libfhecgolden libfhecprograms libfhecobserve libfheceditor libfhecdebug; do
    bad=$("${NM:-nm}" -A --undefined-only "$O/$lib.a" 2>/dev/null | awk '{print $1, $NF}' |
        sed 's/^[^:]*://; s/__\([a-z]*\)_chk/\1/; s/@.*//' | awk -v banned="$banned" '$2 ~ banned')
    same "$lib.a prints nothing, ends nothing, opens nothing" "$bad" ""
done

# Objects in writable sections. Tables with pointers are relocated once and then read-only: those
# are in .data.rel.ro.
mutable() {
    objdump -t "$1" 2>/dev/null | awk '
        /file format/ { object = $1 }
        / O / {
            for (i = 1; i <= NF; i++)
                if ($i ~ /^\.(data|bss|tdata|tbss)/ && $i !~ /^\.data\.rel\.ro/) print object, $NF
        }'
}
printf 'static int a = 1, b, *c = &b; const int *const d[] = {&a}; int *f(void) { return c + a++ + b++; }' |
    "${CC:-gcc}" -fPIC -x c -c -o "$tmp/control.o" - 2>/dev/null
same "the check itself sees mutable state" "$(mutable "$tmp/control.o" | sed 's/.* //' | sort | tr '\n' ' ')" "a b c "
for lib in libfhec libfhecgolden libfhecprograms libfhecobserve libfheceditor libfhecdebug; do
    same "$lib.a keeps no mutable state" "$(mutable "$O/$lib.a")" ""
done
done_testing
