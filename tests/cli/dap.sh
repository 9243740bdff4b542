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
hostile "JSON that is cut off" 0 'no JSON' < <(message '{"seq":1,')
hostile "a list" 0 'no JSON object' < <(message '[]')
hostile "an empty message" 0 'no request' < <(message '{}')
hostile "seq is a text" 0 'no request' \
    < <(message '{"seq":"1","type":"request","command":"initialize"}')
hostile "command is a number" 0 '"request_seq":3,"success":false' \
    < <(message '{"seq":3,"type":"request","command":7}')
hostile "an event" 0 '"request_seq":3,"success":false' \
    < <(message '{"seq":3,"type":"event","event":"x"}')
hostile "arguments are a list" 0 'arguments is not an object' \
    < <(message '{"seq":1,"type":"request","command":"initialize","arguments":[1]}')
hostile "a huge length" 0 '67108864 bytes at most' \
    < <(printf 'Content-Length: 99999999999999999999\r\n\r\n{}')
hostile "a frame that is cut off" 0 'after 9 of 50 bytes' \
    < <(printf 'Content-Length: 50\r\n\r\n{"seq":1}')
hostile "another protocol" 0 'no header field' < <(printf 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
deep() { # deep COUNT: so many lists in each other
    printf '[%.0s' $(seq "$1")
    printf ']%.0s' $(seq "$1")
}
hostile "JSON that is too deep" 0 'no JSON' < <(message "{\"seq\":1,\"a\":$(deep 3000)}")
hostile "arguments that are deep" 0 'supportsStepBack' \
    < <(request 1 initialize "{\"adapterID\":\"x\",\"a\":$(deep 1500)}")
hostile "a length and nothing" 0 'after 0 of 67108864 bytes' < <(printf 'Content-Length: 67108864\r\n\r\n')
hostile "bytes that are no text" 0 'no JSON' < <(message $'{"seq":1,"command":"\xff\xfe"}')
hostile "a number that is none" 0 'no JSON' < <(message '{"seq":1e999}')
hostile "a number that is large" 0 '"id":3' \
    < <(request 1 initialize "$start"; request 2 cancel '{"requestId":1e300}')
hostile "what the protocol has and this does not" 0 '"id":11' \
    < <(request 1 initialize "$start"; request 2 restartFrame '{"frameId":1}')
hostile "a header without end" 0 '4096 bytes' < <(head -c 100000 /dev/zero | tr '\0' 'x')
hostile "a good request behind a bad one" 0 'supportsStepBack' \
    < <(message '{"seq":1,'; request 2 initialize "$start")
hostile "a long command" 0 '"id":2' < <(request 1 "$(printf 'x%.0s' {1..5000})")
hostile "before initialize" 0 'before initialize' < <(request 1 stackTrace '{"threadId":1}')
hostile "program is a number" 0 'program is not a text' \
    < <(request 1 initialize "$start"; request 2 launch '{"program":5}')
hostile "no such file" 0 '"id":6' \
    < <(request 1 initialize "$start"; request 2 launch '{"program":"none.sass"}')
hostile "a wrong option" 2 '"event":"terminated"' \
    < <(request 1 initialize "$start"; request 2 launch '{"command":"ntt","args":["--gird"]}')
hostile "disconnect" 0 '"command":"disconnect"' \
    < <(request 1 initialize "$start"; message '{"seq":2,"type":"request","command":"disconnect"}')

# A client that has gone, while a guest runs that never ends.
printf '.target sm_80\n.kernel k\non:\n    BRA on ;\n.end\n' >"$tmp/on.sass"
hostile "a client that has gone" 0 '"request_seq":3,"success":true' \
    < <(request 1 initialize "$start"
  request 2 launch "{\"program\":\"$tmp/on.sass\",\"args\":[\"--grid\",\"1\",\"--block\",\"32\"]}"
  request 3 configurationDone
  sleep 1)

# Nobody reads what it says.
request 1 initialize "$start" | timeout 20 "$FHEC" dap >&- 2>/dev/null
same "no standard output" "${PIPESTATUS[1]}" 4
{ request 1 initialize "$start"; request 2 threads; } | timeout 20 "$FHEC" dap >/dev/full 2>/dev/null
same "standard output is full" "${PIPESTATUS[1]}" 4
{ for i in $(seq 2000); do request "$i" initialize "$start"; done; } 2>/dev/null |
    timeout 20 "$FHEC" dap 2>/dev/null | head -c 1 >/dev/null
same "a reader that goes away" "${PIPESTATUS[1]}" 0

node_tap tests/dap/session.js "$tmp"
node_tap tests/dap/moves.js "$tmp"
node_tap tests/dap/again.js "$tmp"
node_tap tests/dap/changes.js "$tmp"
done_testing
