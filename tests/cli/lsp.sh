#!/usr/bin/env bash
# fhec lsp without a client's library: frames as bytes, in whatever order and state; ends of streams;
# what is no message.
. "$(dirname "$0")/../tools/tap.sh"

message() { # message JSON: a frame
    local LC_ALL=C
    printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"
}
request() { message "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":${3:-{\}}}"; }
notify() { message "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":${2:-{\}}}"; }
start() { request 0 initialize '{"capabilities":{}}'; notify initialized; }
stop() { request 99 shutdown null; notify exit null; }
opened() { # opened NAME TEXT: both JSON without quotes around
    notify textDocument/didOpen "{\"textDocument\":{\"uri\":\"$1\",\"languageId\":\"sass\",\"version\":1,\"text\":\"$2\"}}"
}
about() { printf '{"textDocument":{"uri":"%s"},"position":{"line":%d,"character":%d}}' "$1" "$2" "$3"; }
# answers: what the server says to $tmp/in, a line each: "ID CODE", "ID ok", "METHOD"; its exit
# status last.
answers() {
    "$FHEC" lsp <"$tmp/in" 2>"$tmp/said" >"$tmp/out"
    local status=$?
    python3 - "$tmp/out" <<'PYTHON'
import json, sys
data = open(sys.argv[1], "rb").read()
while data:
    head, data = data.split(b"\r\n\r\n", 1)
    length = int(head.split(b":")[1])
    message, data = json.loads(data[:length]), data[length:]
    if "method" in message:
        print(message["method"], len(message["params"]["diagnostics"]))
    else:
        error = message.get("error")
        print(json.dumps(message["id"]), error["code"] if error else "ok")
PYTHON
    echo "status $status"
}
says() { # says NAME WANTED
    local name=$1
    same "$name" "$(answers)" "$2"
}

{ start; stop; } >"$tmp/in"
says "a short life" $'0 ok\n99 ok\nstatus 0'
true >"$tmp/in"
says "nothing at all" "status 1"
{ start; } >"$tmp/in"
says "a client that leaves without a word" $'0 ok\nstatus 1'
{ start; notify exit; } >"$tmp/in"
says "exit without shutdown" $'0 ok\nstatus 1'
{ request 1 textDocument/hover; notify exit; } >"$tmp/in"
says "not initialized" $'1 -32002\nstatus 1'
{ start; message '{"jsonrpc":'; message '[1]'; message '{}'; message '{"id":[]}'; stop; } >"$tmp/in"
says "messages that are none" \
        $'0 ok\nnull -32700\nnull -32700\nnull -32600\nnull -32600\n99 ok\nstatus 0'
{ start; request 5 nothing; request '"x"' '$/nothing'; notify '$/nothing'; stop; } >"$tmp/in"
says "unknown methods" $'0 ok\n5 -32601\n"x" -32601\n99 ok\nstatus 0'
{ start; message '{"id":4,"result":null}'; message '{"id":4,"error":{"code":1,"message":"x"}}'; stop; } >"$tmp/in"
says "answers to nothing" $'0 ok\n99 ok\nstatus 0'
{ start; printf 'Content-Length: x\r\n\r\n'; } >"$tmp/in"
says "a frame that is none" $'0 ok\nstatus 2'
{ start; printf 'Content-Length: 99\r\n\r\n{"a'; } >"$tmp/in"
says "a message that is cut off" $'0 ok\nstatus 2'
same "that is said" "$(grep -c 'fhec lsp: error' "$tmp/said")" 1
{ start; printf 'Content-Length: 67108864\r\n\r\n{'; } >"$tmp/in"
says "a long one that does not come" $'0 ok\nstatus 2'
{ start; printf 'Content-Length: 99999999999999999999\r\n\r\n{}'; } >"$tmp/in"
says "one that is too long" $'0 ok\nstatus 2'
deep() { # deep COUNT: so many lists in each other
    printf '[%.0s' $(seq "$1")
    printf ']%.0s' $(seq "$1")
}
{ start; message "{\"id\":1,\"method\":\"x\",\"params\":$(deep 3000)}"
  request 2 textDocument/hover "{\"textDocument\":$(deep 1500)}"; stop; } >"$tmp/in"
says "JSON that is deep" $'0 ok\nnull -32700\n2 -32602\n99 ok\nstatus 0'
{ start; message $'{"id":1,"method":"\xff\xfe"}'; message '{"id":1e999,"method":"x"}'
  message '{"id":2,"method":"textDocument/hover","params":"x"}'; stop; } >"$tmp/in"
says "bytes that are no text, numbers that are none" \
    $'0 ok\nnull -32700\nnull -32700\n2 -32602\n99 ok\nstatus 0'

k='file:///nowhere/k.sass'
text='.target sm_80\n.kernel k\nl: MOV R1, R2 ;\nBRA l ;\nEXIT ;\n.end\n'
{ start; opened "$k" "$text"; stop; } >"$tmp/in"
says "shutdown before anybody has looked" $'0 ok\n99 ok\nstatus 0'
{ start; opened "$k" "MOV R1"; } >"$tmp/in"
says "diagnostics when nothing else is to be done" \
    $'0 ok\ntextDocument/publishDiagnostics 1\nstatus 1'
{ start; opened "$k" "MOV R1"
  notify textDocument/didClose "{\"textDocument\":{\"uri\":\"$k\"}}"; } >"$tmp/in"
says "none for what is closed" $'0 ok\nstatus 1'
{ start; opened "$k" "$text"; request 7 textDocument/references "$(about "$k" 3 4)"
  request 8 textDocument/references "$(about "$k" 3 4)"; notify '$/cancelRequest' '{"id":8}'; stop; } >"$tmp/in"
says "a request that is cancelled before its turn" $'0 ok\n7 ok\n8 -32800\n99 ok\nstatus 0'
{ start; opened "$k" "$text"
  for method in hover completion definition references documentHighlight prepareRename rename \
      signatureHelp documentSymbol foldingRange formatting rangeFormatting inlayHint semanticTokens/full; do
      for params in null '[]' '{}' '5' '{"textDocument":{}}' '{"textDocument":{"uri":"file:///no"}}' \
          "{\"textDocument\":{\"uri\":\"$k\"},\"position\":{\"line\":-1,\"character\":0}}" \
          "{\"textDocument\":{\"uri\":\"$k\"},\"position\":{\"line\":99999999999,\"character\":99999999999},\"newName\":\"n\"}" \
          "{\"textDocument\":{\"uri\":\"$k\"},\"range\":{\"start\":{\"line\":9,\"character\":9},\"end\":{\"line\":0,\"character\":0}}}"; do
          request 3 "textDocument/$method" "$params"
      done
  done; stop; } >"$tmp/in"
got=$(answers)
same "params of every kind are answered" "$(grep -c '^3 ' <<<"$got")" $((14 * 9))
same "and it goes on" "$(tail -n 2 <<<"$got")" $'99 ok\nstatus 0'
same "as wrong ones, or with a result" "$(grep '^3 ' <<<"$got" | cut -d' ' -f2 | sort -u | xargs)" "-32602 -32803 ok"
# Changes that cannot be are left out; every prefix of a source is one that somebody types.
{ start; opened "$k" ""
  for ((i = 0; i < ${#text}; i += 3)); do
      part=${text:0:i}
      [[ $part != *\\ ]] || continue
      notify textDocument/didChange "{\"textDocument\":{\"uri\":\"$k\",\"version\":$i},\"contentChanges\":[{\"text\":\"$part\"}]}"
      request "$i" textDocument/completion "$(about "$k" 9 9)"
  done
  notify textDocument/didChange "{\"textDocument\":{\"uri\":\"$k\",\"version\":200},\"contentChanges\":[{\"range\":{\"start\":{\"line\":5,\"character\":0},\"end\":{\"line\":0,\"character\":0}},\"text\":\"x\"},{\"text\":5}]}"
  request 998 textDocument/documentSymbol "$(about "$k" 0 0)"; stop; } >"$tmp/in"
got=$(answers)
same "while it is typed" "$(grep -c ' ok$' <<<"$got") $(tail -n 1 <<<"$got")" \
    "$(($(grep -o '"method"' "$tmp/in" | wc -l) - $(grep -o didChange "$tmp/in" | wc -l) - 3)) status 0"
{ start; stop; } | "$FHEC" lsp -x 2>/dev/null >"$tmp/out"
same "an option that there is not" "$?" 2
{ start; for i in $(seq 3000); do request "$i" nothing; done; } 2>/dev/null |
    timeout 60 "$FHEC" lsp 2>/dev/null | head -c 20 >/dev/null
same "a client that does not read ends it" "${PIPESTATUS[1]}" 1
{ start; stop; } | timeout 60 "$FHEC" lsp >/dev/full 2>/dev/null
same "what it says has no room" "${PIPESTATUS[1]}" 4
{ start; stop; } | timeout 60 "$FHEC" lsp >&- 2>/dev/null
same "nor any place" "${PIPESTATUS[1]}" 4
done_testing
