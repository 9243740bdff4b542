#!/usr/bin/env bash
# The man pages are well formed, and say something about every option that --help knows; it knows
# each of them once.
. "$(dirname "$0")/../tools/tap.sh"

for page in docs/man/*.1; do
    if command -v mandoc >/dev/null 2>&1; then
        said=$(mandoc -T lint -W warning "$page" 2>&1)
        same "mandoc passes $page" "$said" ""
    else
        skip "$page" "mandoc is not installed"
    fi
done

bash=$(cat cli/completions/fhec.bash) zsh=$(cat cli/completions/_fhec)
fish=$(cat cli/completions/fhec.fish)$'\n'
word_end='[^a-z0-9_]|$'
for command in as dis lint run debug why compare probe time blocks "trace show" "trace filter" "trace diff" ntt bconv eltwise ckks "ckks bootstrap" "ckks lr" "ckks resnet" bigint \
    report sweep cuda layout origins isa fmt lsp dap test mutate; do
    pages=(docs/man/fhec.1 docs/man/fhec-run.1 "docs/man/fhec-${command%% *}.1")
    [[ $command =~ ^(bconv|eltwise|ckks|bigint)$ ]] && pages+=(docs/man/fhec-ntt.1)
    manual=$(cat "${pages[@]}")
    missing=
    # shellcheck disable=SC2086 # the words of a command
    mapfile -t options < <("$FHEC" $command --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    same "fhec $command --help: no option twice" "$(printf '%s\n' "${options[@]}" | sort | uniq -d)" ""
    for option in "${options[@]}"; do
        case $option in --help | --usage | --version) continue ;; esac
        # mdoc writes --name as `Fl -name`, several in one line as `Fl -name , -other`.
        [[ $manual =~ (Fl|,)\ -${option#--}( |$'\n') ]] || missing+=" $option"
        [[ $bash =~ $option($word_end) ]] || missing+=" $option(bash)"
        [[ $zsh =~ $option($word_end) ]] || missing+=" $option(zsh)"
        [[ $fish =~ -l\ ${option#--}( |$'\n') ]] || missing+=" $option(fish)"
    done
    same "fhec $command: every option is in the manual and the completions" "$missing" ""
done
done_testing
