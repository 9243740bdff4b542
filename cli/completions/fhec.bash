# bash completion for fhec                                              -*- shell-script -*-

_fhec_options() {
    local common="--diag --help --usage"
    local machine="--engine --simd --threads --max-steps --seed-machine --patch --stats"
    local check="--check --suppress --sarif"
    local profile="--profile --profile-format"
    local timing="--time --time-format"
    local filter="--kernel --launch --block --warp --lane --pc --line --opcode --register --memory"
    local work="--map --in --out --seed --pattern --hash --no-verify --debug $check $profile $timing $machine"
    case $1 in
        as) echo "--output --list --words --include --define --arch --object $common" ;;
        lint) echo "--include --define --arch --object $common" ;;
        patch) echo "--output --include --define --arch --object $common" ;;
        dis) echo "--nvdisasm --control --lines --words --include --define --arch --object $common" ;;
        run | why | compare | probe | time | debug) echo "--kernel --grid --block --shared --arg --in --out --inout --hash --expect
            --define --include --arch --object --trace --trace-xz --trace-fhec --trace-file --trace-format --trace-kernel --trace-launch
            --trace-block --trace-warp --trace-lane --trace-pc --trace-line --trace-opcode --trace-register
            --trace-memory --set --get --stack --all --script --then --pointers --trap-unsupported --all-faults --debug-on-fault --order $check $profile $timing $machine $common" ;;&
        debug) echo "--execute --batch --keep-going --memory --test --tui" ;;
        why) echo "--depth --nodes --addresses --guards --format --memory" ;;
        compare) echo "--with --differences --format --memory" ;;
        time) echo "--machine --timeline --timeline-cycles --roofline --clock --change --steps --cycles --experiment --from --format" ;;
        blocks) echo "--machine --features --policy --loops --order --packed --format --gantt --clock --change ${machine% --stats} $common" ;;
        probe) echo "--input --golden --expect-matrix --columns --one --format --jobs" ;;
        trace) echo "--what --format --output --differences $filter $common" ;;
        ntt) echo "--n --q --psi --limbs --bits --inverse --order $work $common" ;;
        bconv) echo "--n --from --to --limbs --bits $work $common" ;;
        eltwise) echo "--n --q --limbs --bits --scalar --galois $work $common" ;;
        ckks) echo "--logn --limbs --alpha --dnum --bits --level --steps --rescale --drop --scalar --exponent
            --per-level --scale --transform --index --levels-cts --levels-stc --matrix --diagonals --first
            --hoist --range --degree --double-angles --correction --preset --message --continue --insecure --levels-left
            --secret --no-hoist --checkpoint --checkpoint-every --columns --iterations --channels --width --graph
            $work $common" ;;
        cuda) echo "--kernels --launches --ranges --plain --debug --replace --record --record-kernel --report --trace --trace-xz --trace-fhec --trace-file --trace-format --trace-kernel
            --trace-launch --trace-block --trace-warp --trace-lane --trace-pc --trace-line --trace-opcode
            --trace-register --trace-memory $check $profile $timing $machine $common" ;;
        bigint) echo "--words --count --modulus $work $common" ;;
        report) echo "--format --out --maps --logn --limbs --alpha --dnum --bits --wide-bits --words
            --seed --no-verify --time --sensitivity $machine $common" ;;
        origins) echo "--at --warp --register --lane $(_fhec_options run) --format" ;;
        layout) echo "--element --register --lane --bits --format $common" ;;
        isa) echo "--json --book $common" ;;
        lsp) echo "--include --define $common" ;;
        fmt) echo "--check $common" ;;
        dap) echo "--port $common" ;;
        sweep) echo "--db --jobs --timeout --attempts --retry --share --known --no-run --list --format --out
            --columns --where --plot --x --y --series --scale --merge --slurm --tasks $common" ;;
        mutate) echo "--limit --seed --jobs --timeout --kernel --check --format $common" ;;
        test) echo "--update --include --case --jobs --list --format --junit --timeout --lint --python
            $check $profile $machine $common" ;;
    esac
}

# The values of an option, when they are a short list.
_fhec_values() {
    case $1 in
        --diag) echo "text json" ;;
        --time-format) echo "text json callgrind" ;;
        --time) echo "a100 a100+fhecore a100+etc mi100 mi100+mod mi100+mod+wmac gtx580 gtx580+a gtx580+b" ;;
        --engine) echo "fast ref" ;;
        --seed-machine) echo "random off" ;;
        --simd) echo "best portable avx2 avx512" ;;
        --stats) echo "text json" ;;
        --trace | --what) echo "fetch regs mem reads constants sync flow blocks host" ;;
        --check) echo "init race sync async bounds operands fragments leaks" ;;
        --trace-format) echo "text wide json log" ;;
        --trace-fhec) echo "fhec imma" ;;
        --order) echo "bitrev natural" ;;
        --pattern) echo "random max one-hot alternating ramp" ;;
        --policy) echo "belady lru" ;;
        --loops) echo "digits limbs best" ;;
        --features) echo "cnoc cnoc,mod cnoc,mod,wmac cnoc,mod,wmac,labs" ;;
        --preset) echo "fhec32 small paper" ;;
        --transform) echo "cts stc" ;;
        --message) echo "random zero one-hot ones i 1+i" ;;
        --secret) echo "encapsulated sparse uniform" ;;
        --format) echo "text csv json svg" ;;
        --map) fhec ntt --map=help 2>/dev/null | cut -d' ' -f1 ;;
    esac
}

_fhec() {
    local commands="as dis lint patch run debug why compare probe time blocks trace ntt bconv eltwise ckks bigint report sweep cuda layout origins isa fmt lsp dap test mutate help"
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    # bash cuts --option=value at the equals sign: what counts is the word before it.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --version --help" -- "$current")
        return
    fi
    local values
    values=$(_fhec_values "$previous")
    [[ $command == why && $previous == --format ]] && values="text json dot"
    [[ $command =~ ^(compare|probe|blocks)$ && $previous == --format ]] && values="text json"
    [[ $command == time && $previous == --format ]] && values="text json callgrind"
    [[ $command == blocks && $previous == --order ]] && values="program path sequence best"
    [[ $command =~ ^(run|debug|why|compare|probe|time|origins)$ && $previous == --order ]] && values="default seed="
    [[ $command =~ ^(time|blocks)$ && $previous == --machine ]] &&
        values="a100 a100+fhecore a100+etc mi100 mi100+mod mi100+mod+wmac gtx580 gtx580+a gtx580+b"
    [[ $command == test && $previous == --format ]] && values="text tap json"
    [[ $command == mutate && $previous == --format ]] && values="text json"
    [[ $command == sweep && $previous == --format ]] && values="table csv json"
    [[ $command == sweep && $previous == --scale ]] && values="auto linear log"
    [[ $command == report && $previous == --format ]] && values="text markdown json svg"
    [[ $command == origins && $previous == --format ]] && values="text json svg"
    [[ $command == trace && $previous == --format ]] && values="text wide json"
    [[ $command == trace && $COMP_CWORD == 2 ]] && values="show filter diff"
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_fhec_options "$command")" -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
    elif [[ $command == layout ]]; then
        mapfile -t COMPREPLY < <(compgen -W \
            "$(fhec layout 2>/dev/null | awk '{print $1}' | sort -u) A B C D" -- "$current")
    elif [[ $command == eltwise ]]; then
        mapfile -t COMPREPLY < <(compgen -W "add sub mul mac add-scalar mul-scalar automorphism
            inverse-automorphism" -- "$current")
    elif [[ $command == ckks ]]; then
        mapfile -t COMPREPLY < <(compgen -W \
            "rescale keyswitch rotate hemult ptmult ptadd headd hesub conjugate scalarmult scalaradd
            monomial modraise hoist linear evalmod bootstrap lr resnet" -- "$current")
    elif [[ $command == report ]]; then
        mapfile -t COMPREPLY < <(compgen -f -W "kernels bootstrap lr resnet20 bert-tiny all" -- "$current")
    elif [[ $command == bigint ]]; then
        mapfile -t COMPREPLY < <(compgen -W "mul montmul" -- "$current")
    elif [[ $command == isa ]]; then
        mapfile -t COMPREPLY < <(compgen -W \
            "$(fhec isa 2>/dev/null | awk '{print $1}')" -- "${current^^}")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _fhec fhec
