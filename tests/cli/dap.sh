#!/usr/bin/env bash
# fhec dap: sessions of the protocol's own test client, in node, and bytes that are no session.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/node_tap.sh"

# hostile NAME STATUS TEXT: what comes back for the bytes of standard input contains TEXT, and the
# process ends by itself.
hostile() {
    local got
    said=$(timeout 20 "$FHEC" dap 2>&1)
    got=$?
    if [ "$got" = "$2" ] && [[ $said == *"$3"* ]]; then
        ok "$1"
    else
        not_ok "$1" "exit status $got, wanted $2; it said:" "$said" "wanted:" "$3"
    fi
}
message() { printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"; }
request() { # request SEQ COMMAND ARGUMENTS
    message "{\"seq\":$1,\"type\":\"request\",\"command\":\"$2\",\"arguments\":${3:-{\}}}"
}
start='{"adapterID":"x"}'

hostile "nothing at all" 0 "" </dev/null
message '{"seq":1,' | hostile "JSON that is cut off" 0 'no JSON'
message '[]' | hostile "a list" 0 'no JSON object'
message '{}' | hostile "an empty message" 0 'no request'
message '{"seq":"1","type":"request","command":"initialize"}' | hostile "seq is a text" 0 'no request'
message '{"seq":3,"type":"request","command":7}' | hostile "command is a number" 0 '"request_seq":3,"success":false'
message '{"seq":3,"type":"event","event":"x"}' | hostile "an event" 0 '"request_seq":3,"success":false'
message '{"seq":1,"type":"request","command":"initialize","arguments":[1]}' |
    hostile "arguments are a list" 0 'arguments is not an object'
printf 'Content-Length: 99999999999999999999\r\n\r\n{}' | hostile "a huge length" 0 '67108864 bytes at most'
printf 'Content-Length: 50\r\n\r\n{"seq":1}' | hostile "a frame that is cut off" 0 'after 9 of 50 bytes'
printf 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' | hostile "another protocol" 0 'no header field'
head -c 100000 /dev/zero | tr '\0' 'x' | hostile "a header without end" 0 '4096 bytes'
{ message '{"seq":1,'; request 2 initialize "$start"; } | hostile "a good request behind a bad one" 0 'supportsStepBack'
request 1 "$(printf 'x%.0s' {1..5000})" | hostile "a long command" 0 '"id":2'
request 1 stackTrace '{"threadId":1}' | hostile "before initialize" 0 'before initialize'
{ request 1 initialize "$start"; request 2 launch '{"program":5}'; } | hostile "program is a number" 0 'program is not a text'
{ request 1 initialize "$start"; request 2 launch '{"program":"none.sass"}'; } | hostile "no such file" 0 '"id":6'
{ request 1 initialize "$start"; request 2 launch '{"command":"ntt","args":["--gird"]}'; } | hostile "a wrong option" 2 '"event":"terminated"'
{ request 1 initialize "$start"; message '{"seq":2,"type":"request","command":"disconnect"}'; } |
    hostile "disconnect" 0 '"command":"disconnect"'

# A client that has gone, while a guest runs that never ends.
printf '.target sm_80\n.kernel k\non:\n    BRA on ;\n.end\n' >"$tmp/on.sass"
{ request 1 initialize "$start"
  request 2 launch "{\"program\":\"$tmp/on.sass\",\"args\":[\"--grid\",\"1\",\"--block\",\"32\"]}"
  request 3 configurationDone
  sleep 1; } | hostile "a client that has gone" 0 '"request_seq":3,"success":true'

node_tap tests/dap/session.js "$tmp"
done_testing
