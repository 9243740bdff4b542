# fish completion for fhec

set -l commands as dis run ntt bconv bigint layout isa test help
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -f
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -l version -d "Show the version"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a as -d "Assemble a kernel source"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a dis -d "Disassemble an object"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a run -d "Run a kernel on data files"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a ntt -d "Number-theoretic transform"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a bconv -d "RNS base conversion"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a bigint -d "Products of multi-word integers"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a layout -d "Fragment layouts"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a isa -d "Pages of the ISA book"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a test -d "Kernels with expectations"
complete -c fhec -n "not __fish_seen_subcommand_from $commands" -a help -d "Help about a command"
complete -c fhec -n "__fish_seen_subcommand_from help" -f -a "as dis run ntt bconv bigint layout isa test"

# every command
complete -c fhec -n "__fish_seen_subcommand_from $commands" -l diag -x -a "text json" -d "Form of messages"
complete -c fhec -n "__fish_seen_subcommand_from $commands" -l help -d "Show help"
complete -c fhec -n "__fish_seen_subcommand_from $commands" -l usage -d "Show usage"

# commands that run kernels
set -l running "__fish_seen_subcommand_from run ntt bconv bigint test"
complete -c fhec -n $running -l engine -x -a "fast ref" -d "Execution engine"
complete -c fhec -n $running -l simd -x -a "best portable avx2 avx512" -d "Host instructions"
complete -c fhec -n $running -l threads -x -d "Host threads"
complete -c fhec -n $running -l max-steps -x -d "Limit of warp instructions"
complete -c fhec -n $running -l stats -a "text json" -d "Instruction counts"

# ntt, bconv and bigint
set -l work "__fish_seen_subcommand_from ntt bconv bigint"
set -l limbs "__fish_seen_subcommand_from ntt bconv"
complete -c fhec -n $limbs -l n -x -d "Points or coefficients"
complete -c fhec -n $limbs -l limbs -x -d "Number of limbs"
complete -c fhec -n $limbs -l bits -x -d "Size of the primes"
complete -c fhec -n $work -l map -x -a "(fhec ntt --map=help 2>/dev/null | cut -d' ' -f1)" -d "Unit"
complete -c fhec -n $work -l in -r -d "Input file"
complete -c fhec -n $work -l out -r -d "Output file"
complete -c fhec -n $work -l seed -x -d "Seed of a generated input"
complete -c fhec -n $work -l pattern -x -a "random max one-hot alternating ramp" -d "Generated input"
complete -c fhec -n $work -l hash -d "Print the result's hash"
complete -c fhec -n $work -l no-verify -d "Do not compare with the reference"
complete -c fhec -n "__fish_seen_subcommand_from ntt" -l q -x -d "Primes"
complete -c fhec -n "__fish_seen_subcommand_from ntt" -l psi -x -d "Roots"
complete -c fhec -n "__fish_seen_subcommand_from ntt" -l inverse -d "Inverse transform"
complete -c fhec -n "__fish_seen_subcommand_from ntt" -l order -x -a "bitrev natural" -d "Order of evaluations"
complete -c fhec -n "__fish_seen_subcommand_from bconv" -l from -x -d "Source moduli"
complete -c fhec -n "__fish_seen_subcommand_from bconv" -l to -x -d "Target moduli"
set -l bigint "__fish_seen_subcommand_from bigint"
complete -c fhec -n $bigint -f -a "mul montmul"
complete -c fhec -n $bigint -l words -x -d "32-bit words of an operand"
complete -c fhec -n $bigint -l count -x -d "Pairs of operands"
complete -c fhec -n $bigint -l modulus -x -d "Hexadecimal modulus"

# as, run, test: sources
set -l sources "__fish_seen_subcommand_from as run test"
complete -c fhec -n $sources -s I -l include -r -d "Folder of includes"
complete -c fhec -n "__fish_seen_subcommand_from as run" -s D -l define -x -d "NAME=VALUE"
complete -c fhec -n "__fish_seen_subcommand_from as" -s o -l output -r -d "Object file"
complete -c fhec -n "__fish_seen_subcommand_from as" -l list -d "Print a listing"
complete -c fhec -n "__fish_seen_subcommand_from test" -l update -d "Bring pinned hashes up to date"

# dis
complete -c fhec -n "__fish_seen_subcommand_from dis" -l nvdisasm -d "Exactly what nvdisasm prints"
complete -c fhec -n "__fish_seen_subcommand_from dis" -s c -l control -d "With scheduling prefix"
complete -c fhec -n "__fish_seen_subcommand_from dis" -l words -d "File of addresses and words"

# run
set -l run "__fish_seen_subcommand_from run"
complete -c fhec -n $run -s k -l kernel -x -d "Which kernel"
complete -c fhec -n $run -l grid -x -d "Blocks"
complete -c fhec -n $run -l block -x -d "Threads of a block"
complete -c fhec -n $run -l shared -x -d "Dynamic shared memory"
complete -c fhec -n $run -l arg -x -d "NAME=INT"
complete -c fhec -n $run -l in -r -d "NAME=FILE, read-only"
complete -c fhec -n $run -l out -r -d "NAME=FILE:BYTES"
complete -c fhec -n $run -l inout -r -d "NAME=FILE"
complete -c fhec -n $run -l hash -x -d "Hash of a buffer"
complete -c fhec -n $run -l expect -r -d "NAME=FILE or NAME=xxh3:HEX"
complete -c fhec -n $run -l trace -a "fetch regs mem fetch,regs,mem" -d "Commit log"
complete -c fhec -n $run -l trace-file -r -d "File of the log"
complete -c fhec -n $run -l trace-warp -x -d "One warp"
complete -c fhec -n $run -l trace-block -x -d "One block"

# layout, isa
complete -c fhec -n "__fish_seen_subcommand_from layout" -f -a "(fhec layout 2>/dev/null | cut -d' ' -f1 | sort -u)"
complete -c fhec -n "__fish_seen_subcommand_from layout" -l element -x -d "I,J: where is it"
complete -c fhec -n "__fish_seen_subcommand_from layout" -l register -x -d "What does it hold"
complete -c fhec -n "__fish_seen_subcommand_from layout" -l lane -x -d "What does it hold"
complete -c fhec -n "__fish_seen_subcommand_from layout" -l format -x -a "text csv json svg" -d "Output"
complete -c fhec -n "__fish_seen_subcommand_from isa" -f -a "(fhec isa 2>/dev/null | cut -d' ' -f1)"
complete -c fhec -n "__fish_seen_subcommand_from isa" -l json -d "The instruction set as JSON"
complete -c fhec -n "__fish_seen_subcommand_from isa" -l book -d "The whole book"
