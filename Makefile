# fhec: make · make demo · make test · make test-long · make bench · make fuzz
#       make coverage · make fmt
#       make ISA=my.isa O=build/mine: fhec with instructions of one's own
#       make MPI=1: `fhec sweep` under mpirun
#
# m=rel|dbg|asan|ubsan|tsan|cov|fuzz chooses the mode; each mode builds in its own folder build/$m, and
# O= names another one. Generated code lives in the build folder only. New files in a folder are
# picked up by themselves; nothing has to be listed here. V=1 shows the commands.

ifneq ($(words $(CURDIR)),1)
$(error make splits names at spaces: put fhec into a folder without one; this is `$(CURDIR)')
endif
m ?= rel
O ?= build/$m
# Where the ISA compiler and what it generates are; another mode's folder serves as well.
G ?= $O
# The folders of other modes: beside $O or in it.
folder = $(if $(filter build/%,$O),build/$1,$O/$1)
# Files of instructions that are not fhec's own: docs/your-own-instruction.md. What they do not
# change, which is nearly everything, is built in $B and shared with the fhec that has none of them.
ISA =
B = $(if $(ISA),$(call folder,$m),$O)
# Where the objects are that this mode need not see inside; another mode's folder serves as well.
S = $B
# Where AVX-512's objects and the lane loops of AVX2 are: `make test` takes the release's, so that its
# sanitizers see these loops at the portable level, and what is written by hand for AVX2; see asan-tests.
W = $B
# A folder has one name, whichever one it was given: below this folder its path from here, elsewhere
# the absolute one. Dependency files name objects by it, so a second name would hide changed headers.
one_name = $(patsubst $(CURDIR)/%,%,$(abspath $1))
override O := $(call one_name,$O)
override G := $(call one_name,$G)
override B := $(call one_name,$B)
override S := $(call one_name,$S)
override W := $(call one_name,$W)
$(foreach f,$(ISA),$(if $(wildcard $f),,$(error ISA=$f: there is no such file)))
CC = gcc
# What runs while it is built is compiled for this machine, whatever CC compiles for.
HOSTCC = $(if $(findstring $(shell uname -m),$(subst amd64,x86_64,$(machine))),$(CC),gcc)
AR = ar
NM = nm
FLEX = flex
BISON = bison

modes = rel dbg asan ubsan tsan cov fuzz
ifeq ($(filter $m,$(modes)),)
$(error m=$m is no mode; one of: $(modes))
endif
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifneq ($V,1)
say = @echo '  $1 $(@:$O/%=%)';
endif
.SUFFIXES:
.DELETE_ON_ERROR:

# ---------------------------------------------------------------- flags

include make/found.mk

# Functions begin at cache lines, so that how fast one is does not hang on what stands before it. Profilers
# need lines; for variables, too, there is m=dbg: they are a tenth of the time of compiling.
MODE.rel = -O2 -g1 -falign-functions=64
MODE.dbg = -O0 -g -DFH_DEBUG
# The address sanitizer sees what `null` and `object-size` see, which are a sixth of compiling.
MODE.asan = -O1 -g1 -fsanitize=address,undefined -fno-sanitize=null,object-size \
            -fno-sanitize-recover=all -fno-omit-frame-pointer
MODE.ubsan = -O1 -g1 -fsanitize=undefined -fno-sanitize-recover=all
MODE.tsan = -O1 -g1 -fsanitize=thread
MODE.cov = -O0 -g --coverage
# clang only: libFuzzer's instrumentation with the sanitizers of asan.
MODE.fuzz = -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
            -fno-omit-frame-pointer

# The sources are free of warnings with these compilers. A warning of another one, or with flags of one's
# own, stops nobody but CI.
known_compilers = gcc-12 gcc-14 clang-14 clang-19
WERROR = $(if $(or $(CI),$(if $(CFLAGS),,$(filter $(known_compilers),$(compiler)))),-Werror)
# Names of integers (`enum { WIDTH = 80 }`) are used with doubles, too.
WARN = -Wall -Wextra -Wshadow -Wconversion -Wno-enum-float-conversion $(WERROR)
# Folders whose running time a sanitizer's tests do not feel: without optimization they compile in a third of
# the time. The unit tests' own code takes no time in the release either.
CALM.asan = -O0
CALM = $(CALM.$m)
CALM_TESTS.rel = -O1 -g0
busy = observe/blocks/% observe/timing/%
# What flex and bison write is not ours to mend.
WARN_GENERATED = -w
# A product is rounded before it is added to anything, on all machines: results are the same on all.
COMMON = -std=gnu17 $(MODE.$m) -ffp-contract=off -fvisibility=hidden -fPIC -MMD -MP
# There are hundreds of programs to link; lld, where it is installed, takes half the time.
LLD := $(shell $(CC) -fuse-ld=lld -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=lld)
link_flags = $(filter -fsanitize=% -fno-sanitize% --coverage,$(MODE.$m)) -Wl,--as-needed $(LLD) $(LDFLAGS)
# Two hundred programs of tests with the library's line numbers are much to write: m=dbg has them.
NO_LINES.rel = -Wl,--strip-debug
# Symbols that nobody defines are errors, but for a sanitizer's, which programs bring.
DEFINED = $(if $(findstring -fsanitize,$(MODE.$m)),,-Wl,-z,defs)
# At a fixed address the tool need not mend its tables of functions, 0.8 MB, each time it starts.
FIXED.rel = -no-pie
TOOL_LIBS = -lstdc++ # whose __cxa_demangle names kernels of C++
# What the library needs, and whoever links its archive; what the tool has besides.
LIB_LIBS = -ljansson -lpthread -lm
REQUIRED_LIBS = -lxxhash -lzstd $(LIB_LIBS) -ldl
LDLIBS = $(if $(SQLITE),-lsqlite3) $(if $(LZMA),-llzma) $(if $(LIBEDIT),-ledit) $(NCURSES) $(REQUIRED_LIBS)

# Each library to load makes the tool's start longer by 5 to 10 first touches of memory, half of all: it
# takes archives where the compiler finds some. Debian's of libedit needs two more.
# Packages of a distribution say ARCHIVES= and share its libraries.
ARCHIVES = yes
needs_of_edit = $(foreach l,bsd md,$(if $(call has_archive,$l),-l:lib$l.a))
from_archives = $(foreach l,$(patsubst -l%,%,$1),$(if $(filter m dl pthread,$l),-l$l,$(if \
    $(and $(ARCHIVES),$(call has_archive,$l)),-l:lib$l.a $(needs_of_$l),-l$l)))

# Per-file flags. Only the release mode asks for -O3: the others build for checking. The lane loops,
# fast_FAMILY.c, are most of all code: line numbers have to do for them, and those that run only when
# they are asked for are compiled in a hurry. gcc would make memcpy of a loop that only copies a row,
# in pieces of 128 bits, which loads of whole vectors then wait for.
HOT.rel = -O3
LANES = -g1 $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)
ifneq ($(filter x86_64%,$(machine)),)
AVX2 = -mavx2 -mbmi2
AVX2_FLOAT = -mfma -mf16c
COLD = portable $(if $(filter-out rel,$m),avx2)
COLD.rel = -O1
COLD.asan = -O0
COLD.ubsan = -O0
COLD.tsan = -O0
COLD.fuzz = -O0
AVX512 = $(AVX2) -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512ifma -mavx512vnni -mavx512cd \
         -mavx512vpopcntdq -mavx512vbmi
endif
extra = $(if $(filter emu/%_avx512.c,$1),$(HOT.$m) $(AVX512))\
        $(if $(filter emu/%_avx2.c golden/ntt_levels.c golden/residues.c,$1),$(HOT.$m) $(AVX2))\
        $(if $(filter emu/%_portable.c golden/ntt_scalar.c tests/bench/compiled/%,$1),$(HOT.$m))\
        $(if $(filter golden/ntt_scalar.c,$1),-fno-tree-vectorize -fno-tree-slp-vectorize)\
        $(if $(filter %/float_rows_avx2.c,$1),$(AVX2_FLOAT))\
        $(if $(filter %/space_avx2.c %/space_avx512.c,$1),$(NO_UB))\
        $(if $(filter emu/session/% emu/parallel/% %/space_portable.c,$1),$(CALM))\
        $(if $(filter emu/access/% emu/matrix/% emu/simd/%,$1),$(ASK))

level.avx2 = $(AVX2)
level.avx512 = $(AVX512)
# Where functions are long, the address sanitizer asks at each access by a call: a third less to compile.
ASK = $(if $(findstring address,$(MODE.$m)),$(if $(findstring clang,$(CC)),-mllvm -asan,--param \
      asan)-instrumentation-with-call-threshold=0)
# The same loops at three levels: undefined behaviour is looked for at two of them, so that the third,
# at which the tests run, compiles in half the time and runs faster. Of the ways to memory
# (space_fast.inc), in those of the portable level.
NO_UB = $(if $(findstring undefined,$(MODE.$m)),-fno-sanitize=undefined)
lanes = $(HOT.$m) $(LANES) $(ASK) $(level.$1) $(if $(filter $(COLD),$1),$(COLD.$m),$(NO_UB)) \
        -DFH_SIMD_LEVEL=$1

# The folders that have rooms; files are found by their names alone, which are different everywhere.
program_rooms = program program/text program/object program/lint
emu_rooms = $(addprefix emu/,memory exec access matrix simd decode parallel session)
observe_rooms = $(addprefix observe/,finding trace definedness race origin check profile difference uses accelsim timing blocks)
cuda_rooms = $(addprefix cuda/,image device core runtime driver)
cli_rooms = $(addprefix cli/,process data program check mutate machine trace difference run why layout \
              debug blocks workload test report time start sweep cuda lsp dap)

# Who may include what; tests/checks/includes.sh checks the directives themselves.
INC.base = -Iinclude -Ibase
INC.isa_spec = $(INC.base) -Iisa_spec -I$G/gen
INC.program = $(INC.isa_spec) $(program_rooms:%=-I%)
INC.asm = $(INC.program) -Iasm
INC.emu = $(INC.program) $(emu_rooms:%=-I%)
INC.golden = -Igolden
INC.programs = -Iinclude -Igolden -Iprograms
INC.observe = -Iinclude -Ibase $(observe_rooms:%=-I%)
INC.editor = $(INC.asm) -Ieditor
INC.debug = -Iinclude -Ibase $(observe_rooms:%=-I%) -Idebug
INC.cuda = -D_GNU_SOURCE -Iinclude -Ibase $(cuda_rooms:%=-I%)
INC.cli = -D_GNU_SOURCE $(found) -Iinclude -Ibase -Igolden -Iprograms $(observe_rooms:%=-I%) -Ieditor -Idebug \
          -Icuda/image -Icuda/device $(cli_rooms:%=-I%)
INC.tests = -D_GNU_SOURCE $(INC.asm) $(emu_rooms:%=-I%) -Igolden -Iprograms $(observe_rooms:%=-I%) \
            -Ieditor -Idebug -Icuda/image -Icuda/device $(cli_rooms:%=-I%) -Itests -Itests/unit -Itests/fuzz -Itests/bench \
            -Itests/bench/compiled

# ---------------------------------------------------------------- files

objects = $(patsubst %.c,$B/%.o,$(wildcard $(addsuffix /*.c,$1)))
generated = $(patsubst %.l,$B/%.o,$(wildcard $1/*.l)) $(patsubst %.y,$B/%.o,$(wildcard $1/*.y))

isa = $(wildcard isa_spec/*.isa)
gen_c = $G/gen/isa_tables.c $G/gen/isa_book.c
gen_other = $(addprefix $G/gen/,isa_names.h handlers.h ISA.md isa.json)
# The bodies: a file of functions for each .isa file and engine, and who finds them.
families = $(notdir $(basename $(isa)))
own_families = $(addprefix own_,$(notdir $(basename $(ISA))))
simd = portable $(if $(AVX2),avx2 avx512)
bodies_c = $(foreach f,$(families) $(own_families) table,$G/gen/ref_$f.c $G/gen/fast_$f.c)
isac = $(if $(filter $O,$B),$G,$B)/isac
isac_o = $(patsubst isa_spec/gen/%,$G/isac.o/%.o,$(basename $(wildcard isa_spec/gen/*.[cly]))) \
         $(patsubst %,$G/isac.o/base/%.o,array expression_text large_pages literal nearest \
                                operators wide_number)

# The lane loops take long to compile: all that they touch is their warp's own registers, which says
# nothing to tsan, nor do their branches to a fuzzer.
L = $(if $(filter fuzz tsan,$m),$S,$B)
# Coverage is counted of the reference's bodies, of which the others are made.
loops_in = $(if $(filter cov,$m),$S,$(if $(filter avx2 avx512,$2),$(patsubst $B,$W,$1),$1))
bodies_o = $1/gen/ref_$2.o $(foreach l,$(simd),$(call loops_in,$1,$l)/gen/fast_$2.$l.o)
own_o = $(foreach f,$(own_families),$(call bodies_o,$O,$f))
lanes_o = $(foreach f,$(families),$(call bodies_o,$L,$f)) $(own_o) \
          $(call bodies_o,$(if $(filter $O,$B),$L,$O),table)
# Vector code has few branches that a fuzzer would find its way by.
vectors = %_portable.o %_avx2.o %_avx512.o
emu_files = $(call objects,$(emu_rooms))
emu_o = $(filter-out $(vectors),$(emu_files)) \
        $(patsubst $B/%_avx512.o,$W/%_avx512.o,\
            $(patsubst $B/%,$(if $(filter fuzz,$m),$S,$B)/%,$(filter $(vectors),$(emu_files))))
lib_o = $(call objects,base isa_spec $(program_rooms)) $(gen_c:$G/%.c=$O/%.o) $(call objects,asm) \
        $(call generated,asm) $(emu_o) $(lanes_o)
golden_o = $(call objects,golden)
sass = $(wildcard programs/*.sass programs/*/*.sass)
apps = $(wildcard programs/apps/*.json)
programs_o = $(call objects,programs) $(if $(sass),$O/programs/sass_files.o) $O/programs/app_files.o
machine_files = $(wildcard observe/timing/machines/*.machine)
observe_o = $(call objects,$(observe_rooms)) $O/observe/machine_files.o
editor_o = $(call objects,editor)
debug_o = $(call objects,debug)
cli_o = $(filter-out $B/cli/main.o $B/cli/cuda/cuda_tools.o,$(call objects,cli $(cli_rooms) cuda/image cuda/device))
fuzz_tools = $(addprefix $O/tests/fuzz/,entry.o dictionary.o)
fuzz_o = $(filter-out $(fuzz_tools),$(call objects,tests/fuzz))
# tests/hw: the table, files and model of hardware vectors. The tool is what talks to a
# GPU, or to cuda/libcuda.so.1.
hw_tools = $O/tests/hw/measure.o
hw_o = $(filter-out $(hw_tools),$(call objects,tests/hw))
# Kernels that nvcc made, with twins in C, for tests and benchmarks.
compiled_o = $(call objects,tests/bench/compiled)
helper_o = $(filter-out %_test.o,$(call objects,tests/unit)) $(fuzz_o) $(hw_o)

libs = $S/libfhecdebug.a $S/libfhecprograms.a $S/libfhecobserve.a $O/libfheceditor.a \
       $S/libfhecgolden.a $O/libfhec.a
cli = $S/libfheccli.a
tests = $(patsubst %.c,$O/%,$(wildcard tests/unit/*_test.c))
thread_tests = $(filter %_threads_test,$(tests))
fuzzers = $(patsubst %,$O/tests/fuzz/%_fuzz,asm cubin dap data fat format lsp message query trace word)
benches = $(patsubst %.c,$O/%,$(wildcard tests/bench/*_bench.c))

.DEFAULT_GOAL = all
include cuda/cuda.mk

.PHONY: all lib golden programs observe editor debug cli gen tests thread-tests fuzzers benches \
        deps found hidden demo test test-long asan-tests tsan-tests fuzz-tests bench bench-compare fidelity seeds fuzz \
        coverage hw fmt fmt-check tidy vsix dist deb install install-cuda uninstall clean
all: $O/fhec $(if $(filter rel dbg,$m),$O/libfhec.so) $(if $(filter $O,$B),$(cuda_libs)) $(if $(MPI),$O/fhec_mpi.so)
lib: $O/libfhec.a
golden: $O/libfhecgolden.a
programs: $O/libfhecprograms.a
observe: $O/libfhecobserve.a
editor: $O/libfheceditor.a
debug: $O/libfhecdebug.a
cli: $O/libfheccli.a
gen: $G/gen/stamp
tests: $(tests) $O/tests/hw/measure
thread-tests: $(thread_tests)
fuzzers: $(fuzzers) $O/tests/fuzz/dictionary
benches: $(benches)

# A file that holds a text and keeps its time while the text stays. Lines with + run under `make -n`,
# too: make then sees that nothing has changed.
keep = +@printf '%s\n' $(call quoted,$1) | cmp -s - $@ || printf '%s\n' $(call quoted,$1) > $@
# Everything is built again when the compiler or its flags change.
flags = $(CC) $(compiler) $(machine) $(CPPFLAGS) $(CFLAGS) $(filter-out -Werror,$(WARN)) $(COMMON) $(HOT.$m) $(AVX512) $(LANES) $(COLD.$m)
$O/flags: FORCE
	+@mkdir -p $O
	$(call keep,$(flags))
FORCE:

# ---------------------------------------------------------------- the ISA compiler, built first

$G/isac.o/%.c: isa_spec/gen/%.l
	@mkdir -p $(@D)
	$(call say,FLEX )$(FLEX) -o $@ --header-file=$(@:.c=.h) $<
$G/isac.o/%.c: isa_spec/gen/%.y
	@mkdir -p $(@D)
	$(call say,BISON)$(BISON) -Wall -Werror -o $@ --header=$(@:.c=.h) $<
isac_headers = $(patsubst isa_spec/gen/%,$G/isac.o/%.c,$(basename $(wildcard isa_spec/gen/*.[ly])))
ISAC_CFLAGS = -std=gnu17 -O1 -g -MMD -MP $(INC.base) -Iisa_spec -Iisa_spec/gen -I$G/isac.o
$G/isac.o/base/%.o: base/%.c
	@mkdir -p $(@D)
	$(call say,HOST )$(HOSTCC) $(ISAC_CFLAGS) $(WARN) -c -o $@ $<
$G/isac.o/%.o: isa_spec/gen/%.c | $(isac_headers)
	@mkdir -p $(@D)
	$(call say,HOST )$(HOSTCC) $(ISAC_CFLAGS) $(WARN) -c -o $@ $<
$G/isac.o/%.o: $G/isac.o/%.c | $(isac_headers)
	$(call say,HOST )$(HOSTCC) $(ISAC_CFLAGS) $(WARN_GENERATED) -c -o $@ $<
$G/isac: $(isac_o)
	$(call say,HOST )$(HOSTCC) -o $@ $^

# Files that come out as before keep their time, so nothing that reads them is built again.
$G/gen/list: FORCE
	+@mkdir -p $(@D)
	$(call keep,$(isa) $(ISA))
$G/gen/stamp: $(isac) $(isa) $(ISA) $G/gen/list
	$(call say,ISA  )$(isac) -o $G/gen $(isa) $(if $(ISA),--own $(ISA))
	@touch $@
$(gen_c) $(gen_other) $(bodies_c): $G/gen/stamp
	+@:

# ---------------------------------------------------------------- objects

compile = $(call say,CC   )$(CC) $(COMMON) $2 $3 $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
asm_generated = $(patsubst %,$O/%.c,$(basename $(wildcard asm/*.[ly])))

$O/base/%.o: base/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.base))
$O/program/%.o: program/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.program))
$O/isa_spec/%.o: isa_spec/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.isa_spec))
$O/gen/isa_%.o: $G/gen/isa_%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.isa_spec))
# A mistake in a body is told once: by the compiler of the reference engine's functions.
$O/gen/ref_%.o: $G/gen/ref_%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.emu))
define fast_rule
$O/gen/fast_%.$1.o: $G/gen/fast_%.c $O/flags | $O/gen/ref_%.o
	@mkdir -p $$(@D)
	$$(call compile,$$<,$$(WARN) $$(call lanes,$1),$$(INC.emu))
endef
$(foreach l,$(simd),$(eval $(call fast_rule,$l)))
# Whose own instructions they are need not cast every number; an array is none.
$(own_o): WARN = -Wall -Wextra -Werror=int-conversion -Werror=incompatible-pointer-types \
              -Werror=implicit-function-declaration
$O/asm/%.o: asm/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.asm))
$O/asm/%.c: asm/%.l
	@mkdir -p $(@D)
	$(call say,FLEX )$(FLEX) -o $@ $<
$O/asm/%.c: asm/%.y
	@mkdir -p $(@D)
	$(call say,BISON)$(BISON) -Wall -Werror -o $@ $<
$O/asm/%.o: $O/asm/%.c $O/flags | $G/gen/stamp
	$(call compile,$<,$(WARN_GENERATED),$(INC.asm))
$O/emu/%.o: emu/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(call extra,$<),$(INC.emu))
$O/golden/%.o: golden/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM) $(call extra,$<),$(INC.golden))
$O/programs/%.o: programs/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.programs))
$O/programs/%.o: $O/programs/%.c $O/flags
	$(call compile,$<,$(WARN),$(INC.programs))
$O/observe/%.o: observe/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(if $(filter $(busy),$<),,$(CALM)),$(INC.observe))
$O/editor/%.o: editor/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.editor))
$O/debug/%.o: debug/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.debug))
$O/cli/cuda/cuda_tools.o: INC.cli += -Icuda/core
$O/cli/%.o: cli/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.cli))
# What optional libraries are for is compiled again when these come or go.
$(found_c:%.c=$O/%.o): $O/found
$O/found: FORCE
	+@mkdir -p $O
	$(call keep,$(found))
# The tool without any of them, otherwise of the same objects.
hidden_o = $(found_c:%.c=$O/hidden/%.o)
$O/hidden/%.o: found =
$O/hidden/%.o: %.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.cli))
$O/hidden/fhec: $B/cli/main.o $(hidden_o) $(cli) $(libs)
	$(call say,LD   )$(CC) $(link_flags) $(FIXED.$m) -o $@ $^ $(call from_archives,$(REQUIRED_LIBS) $(TOOL_LIBS))
hidden: $O/hidden/fhec
found:
	@printf '%-8s %s\n' compiler '$(compiler) for $(machine)' \
	    $(foreach f,NCURSES LIBEDIT SQLITE METIS LZMA,$f '$(if $($f),yes,no)')
$O/tests/%.o: tests/%.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(if $(filter tests/unit/%_test.c,$<),$(CALM_TESTS.$m)) $(CALM) $(call extra,$<),$(INC.tests))

# The kernels travel inside the tool: one string each (programs/sass_files.h).
$O/programs/sass_files.c: $(sass) tests/tools/embed.sh
	@mkdir -p $(@D)
	$(call say,EMBED)sh tests/tools/embed.sh $(sass) > $@
# The descriptions of machines likewise.
$O/observe/machine_files.c: $(machine_files) tests/tools/embed.sh
	@mkdir -p $(@D)
	$(call say,EMBED)sh tests/tools/embed.sh --machines $(machine_files) > $@
$O/observe/machine_files.o: $O/observe/machine_files.c $O/flags
	$(call compile,$<,$(WARN),$(INC.observe))
# And the applications.
$O/programs/app_files.c: $(apps) tests/tools/embed.sh
	@mkdir -p $(@D)
	$(call say,EMBED)sh tests/tools/embed.sh --apps $(apps) > $@

# ---------------------------------------------------------------- libraries and programs

archive = $(call say,AR   )mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$O/libfhec.a: $(lib_o) $O/loops
	$(archive)
# Made again when it takes them from elsewhere, older though they may be.
$O/loops: FORCE
	+@mkdir -p $O
	$(call keep,$W)
$O/libfhecgolden.a: $(golden_o)
	$(archive)
$O/libfhecprograms.a: $(programs_o)
	$(archive)
$O/libfhecobserve.a: $(observe_o)
	$(archive)
$O/libfheceditor.a: $(editor_o)
	$(archive)
$O/libfhecdebug.a: $(debug_o)
	$(archive)
$O/libfheccli.a: $(cli_o)
	$(archive)
$O/libfhectest.a: $(helper_o)
	$(archive)
$O/libfheccompiled.a: $(compiled_o)
	$(archive)
$O/libfhec.so: $(lib_o)
	$(call say,LD   )$(CC) -shared -Wl,-soname,libfhec.so.0 -Wl,-z,defs $(link_flags) -o $@ $^ $(LDLIBS)
$O/fhec: $B/cli/main.o $(cli) $(libs)
	$(call say,LD   )$(CC) $(link_flags) $(FIXED.$m) -o $@ $^ $(call from_archives,$(LDLIBS) $(TOOL_LIBS))
# Loaded by `fhec sweep` when mpirun has started it (cli/sweep/sweep_mpi.h).
$O/fhec_mpi.so: cli/sweep/mpi/sweep_mpi.c cli/sweep/sweep_mpi.h
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPICC) -std=gnu17 -O2 -g $(WARN) -fvisibility=hidden -fPIC -shared -Icli/sweep -o $@ $<
# A test whose name ends in _oom_test sees every allocation: __wrap_malloc and its like; that of
# kernels in sessions, every launch.
comma := ,
wrapped = $(if $(filter %_oom_test,$1),$(foreach f,malloc calloc realloc aligned_alloc,-Wl$(comma)--wrap=$f))\
          $(if $(filter %/session_kernels_test,$1),-Wl$(comma)--wrap=fhec_run)
$O/tests/unit/%_test: $B/tests/unit/%_test.o $B/libfhectest.a $B/libfheccompiled.a $(cli) $(libs)
	@mkdir -p $(@D)
	$(call say,LD   )$(CC) $(link_flags) $(NO_LINES.$m) $(call wrapped,$@) -o $@ $^ -lcmocka $(LDLIBS) $(TOOL_LIBS)
# One target under libFuzzer: the entry is compiled with its name. Of the tool it sees the readers of
# data files and messages, the debug adapter and the language server.
fuzzed = $(addprefix $O/cli/,data/data_file.o data/elements.o data/npy.o process/message_stream.o) \
         $(addprefix $O/cuda/image/,fat_binary.o lz4_block.o) \
         $(patsubst %.c,$O/%.o,$(wildcard cli/dap/dap_*.c cli/lsp/lsp_*.c \
                                      cli/debug/golden_*.c debug/query*.c))
$O/tests/fuzz/%_entry.o: tests/fuzz/entry.c $O/flags | $G/gen/stamp
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN),$(INC.tests) -DFUZZ_TARGET=fuzz_$*)
$O/tests/fuzz/%_fuzz: $O/tests/fuzz/%_entry.o $(fuzz_o) $(fuzzed) $(cli) $(libs)
	$(call say,LD   )$(CC) $(link_flags) -fsanitize=fuzzer -o $@ $^ $(LDLIBS) $(TOOL_LIBS)
seeds: fuzzers
	@FHEC=$G/fhec DICTIONARY=$O/tests/fuzz/dictionary bash tests/fuzz/seeds.sh $O/corpus
$O/tests/fuzz/dictionary: $O/tests/fuzz/dictionary.o $O/libfhec.a
	$(call say,LD   )$(CC) $(link_flags) -o $@ $^ $(LDLIBS)
$O/tests/hw/measure: $O/tests/hw/measure.o $O/libfhectest.a
	$(call say,LD   )$(CC) $(link_flags) -o $@ $^ -ldl -lm
$O/tests/bench/%_bench: $O/tests/bench/%_bench.o $O/tests/bench/bench.o $B/libfheccompiled.a $(cli) $(libs)
	$(call say,LD   )$(CC) $(link_flags) -o $@ $^ $(LDLIBS) $(TOOL_LIBS)

# Made on the way by chains of rules, and kept.
.SECONDARY: $(isac_headers) $(asm_generated) $O/programs/sass_files.c $O/programs/app_files.c \
    $O/observe/machine_files.c \
    $O/tests/bench/bench.o $(hw_tools) $(addsuffix .o,$(tests) $(benches)) \
    $(patsubst %_fuzz,%_entry.o,$(fuzzers))

-include $(filter $O/% $G/%,$(patsubst %.o,%.d,$(lib_o) $(golden_o) $(programs_o) $(observe_o) $(editor_o) \
    $(debug_o) $(cli_o) $(cuda_core_o) $(cudart_o) $(libcuda_o) $(helper_o) $(compiled_o) $(isac_o) $O/cli/main.o $(hw_tools) $(fuzz_tools) $(addsuffix .o,$(tests) $(benches)) \
    $O/tests/bench/bench.o $(patsubst %_fuzz,%_entry.o,$(fuzzers))))

# ---------------------------------------------------------------- instructions of one's own

# The tests that are about all instructions there are, whosever they are.
isa_tests = isa_codec isa_layout isa_lanes isa_dataflow asm_roundtrip emu_differential vectors
.PHONY: isa-test shared shareable shareable-tests
isa-test: $O/fhec $(isa_tests:%=$O/tests/unit/%_test)
	@O=$O VECTORS="$(VECTORS)" sh tests/tools/isa_test.sh $(isa_tests)
# What $B has for a build with instructions of one's own.
shareable: lib golden programs observe editor debug cli $O/cli/main.o
	@:
shareable-tests: $O/libfhectest.a $O/libfheccompiled.a $(isa_tests:%=$O/tests/unit/%_test.o)
	@:
ifneq ($B,$O)
shared:
	+@$(MAKE) ISA= O=$B B=$B S=$B G=$B shareable \
	    $(if $(filter isa-test,$(MAKECMDGOALS)),shareable-tests)
$B/%: shared
	+@:
endif

# ---------------------------------------------------------------- what people call

deps:
	@$(look_for) test
demo:
	@$(look_for) demo
	@$(MAKE) O=$O all
	@FHEC=$O/fhec sh tests/tools/demo.sh
test: deps
	+@O=$O MAKE="$(MAKE)" tests/run $(TESTS:%='%')
# All tests, those of tests/later too; those of tests/long do more of the same: hours, not minutes.
test-long: deps
	+@O=$O MAKE="$(MAKE)" FHEC_TEST_LONG=1 FHEC_TEST_LIMIT=0 FHEC_COVERAGE=1 tests/run '*'
include tests/modes.mk
bench:
	@$(MAKE) O=$O all benches
	@O=$O CC="$(CC)" sh tests/tools/bench.sh
# What puts blocks of memory elsewhere in each run of a benchmark; glibc's hosts only.
$O/tests/bench/placement.so: tests/bench/placement.c
	@mkdir -p $(@D)
	$(call say,LD   )$(CC) -std=gnu17 -O2 $(WARN) -fPIC -shared -o $@ $<

# docs/fidelity.md, from the commands that it names: some minutes.
fidelity:
	@$(MAKE) O=$O all
	python3 docs/fidelity/fidelity.py $O/fhec docs/fidelity.md
# Beside an older commit: make bench-compare BASE=HEAD~3 [PATTERN='ntt*'] [RUNS=5]
bench-compare:
	@$(MAKE) O=$O all benches
	@$(MAKE) O=$O $O/tests/bench/placement.so || echo 'placements are not varied here'
	@O=$O MAKE="$(MAKE)" BASE="$(BASE)" RUNS="$(RUNS)" sh tests/tools/bench_compare.sh

# Vectors of the GPU of this machine: tests/hw/README.md.
hw: $O/fhec $O/tests/hw/measure $O/tests/unit/hw_replay_test
	@O=$O sh tests/hw/make.sh run || [ $$? = 77 ] # it has said why it was skipped

CLANG_FORMAT = $(shell command -v clang-format-14 || echo clang-format)
sources = base isa_spec $(program_rooms) asm $(emu_rooms) golden programs $(observe_rooms) editor debug \
          $(cuda_rooms) cli $(cli_rooms)
formatted = $(foreach d,include $(sources) cli/sweep/mpi isa_spec/gen tests/unit tests/fuzz tests/hw tests/bench tests/bench/compiled,\
    $(wildcard $d/*.[ch]))
fmt:
	$(CLANG_FORMAT) -i $(formatted)
# Deeper checks of the sources, for people: slow, and not without false alarms.
tidied = $(foreach d,$(sources),$(wildcard $d/*.c))
tidy: $G/gen/stamp
	@printf '%s\n' $(tidied) | xargs -P $(shell nproc) -n 1 sh -c 'clang-tidy --quiet $$0 -- \
	    -std=gnu17 $(INC.emu) $(INC.asm) $(INC.cli) -mavx2 2>/dev/null' | grep -E '(warning|error):' || true
fmt-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(formatted)

# The extension of Visual Studio Code, with the ordinary packer.
vsix:
	@mkdir -p $O
	@sh editors/vscode/pack.sh $O/vscode $O/fhec.vsix
	@echo $O/fhec.vsix

include make/install.mk

# Only the folders that fhec makes: O= may name a folder that holds other things too.
clean:
	rm -rf build $(addprefix $O/,isac.o isac gen own base isa_spec program asm emu golden programs observe \
	    editor debug cuda cli hidden tests flags found loops fhec fhec_mpi.so libfhec.a libfhec.so libfhecgolden.a libfhecprograms.a libfhecobserve.a libfheceditor.a libfhecdebug.a libfheccli.a \
	    libfhectest.a libfheccompiled.a)
