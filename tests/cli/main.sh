#!/usr/bin/env bash
# The tool itself: help, version, unknown commands and options, lost output.
. "$(dirname "$0")/../tools/tap.sh"

fhec "no command" 2 "Usage: fhec COMMAND"
fhec "help" 0 "Usage: fhec COMMAND" help
fhec "--help" 0 "Exit status: 0 ok" --help
fhec "--version" 0 "fhec $(sed -n 's/.*FHEC_VERSION "\(.*\)"/\1/p' include/fhec.h)" --version
fhec "unknown command" 2 'no command is called "xyzzy"' xyzzy
fhec "misspelt command" 2 'did you mean "layout"?' layuot
fhec "help about nothing known" 2 'no command is called "xyzzy"' help xyzzy
for command in as dis lint run ntt bconv eltwise ckks bigint report sweep layout isa test mutate; do
    fhec "$command --help" 0 "Usage: fhec $command" $command --help
    fhec "help $command" 0 "Usage: fhec $command" help $command
    fhec "$command with an unknown option" 2 "unrecognized option '--xyzzy'" $command --xyzzy
done
for command in as dis lint run test; do
    fhec "$command without a file" 2 "fhec $command: which" $command
    fhec "$command of a missing file" $([ $command = test ] && echo 2 || echo 4) \
        "cannot read no/such.sass: No such file or directory" \
        $command no/such.sass $([ $command = run ] && echo --grid 1 --block 1)
done
fhec "--diag=json" 4 '{"severity":"error","message":"cannot read no/such.sass: No such file or directory"}' \
    as --diag=json no/such.sass
fhec "--diag=xml" 2 "--diag=xml: expected one of text, json" as --diag=xml x
if [ -e /dev/full ]; then
    "$FHEC" isa >/dev/full 2>"$tmp/said"
    same "a full disk: exit status" "$?" 4
    grep -q "cannot write to standard output: No space left" "$tmp/said" &&
        ok "a full disk: message" || not_ok "a full disk: message" "$(cat "$tmp/said")"
fi
done_testing
