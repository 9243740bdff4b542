# shellcheck shell=bash
# node_tap SCRIPT [ARGUMENT...]: results of a script that runs in node and prints TAP, as this test's
# own, with the packages of tests/dap; skipped where they cannot be had. Sourced behind tap.sh.
node_tap() {
    local packages=$O/node/dap said line status
    said=$(sh tests/dap/install.sh "$packages")
    case $? in
        0) ;;
        77) skip "$1" "$said"; return ;;
        *) not_ok "packages for $1" "$said"; return ;;
    esac
    NODE_PATH=$packages/node_modules FHEC=$FHEC timeout 120 node "$@" >"$tmp/node.tap" 2>&1
    status=$?
    while IFS= read -r line; do
        case $line in
            "ok "*) ok "${line#ok * - }" ;;
            "not ok "*) not_ok "${line#not ok * - }" ;;
            1..*) ;;
            *) echo "# ${line#\# }" ;;
        esac
    done <"$tmp/node.tap"
    same "$1 came to its end" "$status" 0
}
