# What builds and runs the tests of the other modes: with sanitizers, under libFuzzer, with coverage. Read
# by the Makefile, whose names are used here.

asan_folder = $(call folder,asan)
tsan_folder = $(call folder,tsan)
fuzz_folder = $(call folder,fuzz)
cov_folder = $(call folder,cov)
# With whole=1 AVX-512's loops and the lanes' of AVX2, too: more than a minute of two processors.
asan-tests:
	@$(MAKE) O=$O $(if $(whole),gen,lib)
	@$(MAKE) m=asan O=$(asan_folder) G=$O $(if $(whole),,W=$O) CC=clang all \
	    $(if $(units),$(units:%=$(call one_name,$(asan_folder))/tests/unit/%),tests)
tsan-tests:
	@$(MAKE) O=$O lib golden programs observe editor debug cli
	@$(MAKE) m=tsan O=$(tsan_folder) G=$O S=$O thread-tests
fuzz-tests:
	@$(MAKE) O=$O all
	@$(MAKE) m=asan O=$(asan_folder) G=$O CC=clang lib golden programs observe editor debug cli
	@$(MAKE) m=fuzz O=$(fuzz_folder) G=$O S=$(asan_folder) CC=clang seeds
# Without end; `make fuzz FUZZ_SECONDS=60` ends. Needs clang.
fuzz: fuzz-tests
	@$(MAKE) O=$O tests
	@O=$O FUZZ=$(fuzz_folder) sh tests/tools/fuzz.sh $(FUZZ_SECONDS)
# The tests that know what they expect, and what of the emulator they reach.
covered = vectors emu_atomic emu_barrier emu_call emu_constant emu_fault emu_flow emu_launch \
    emu_memory emu_observer emu_pairs emu_quads emu_special emu_spin_threads emu_threads emu_wait_threads \
    emu_warpsync isa_float isa_lanes isa_unsupported matrix_fhec matrix_fhec_warp matrix_imma \
    matrix_ldsm matrix_program cubin_lanes cubin_memory cubin_thread cubin_transform emu_address \
    emu_history_oom emu_inline_cache emu_modular emu_options_threads record session session_callback \
    session_cancel_threads session_code session_end_warp session_state session_watch snapshot_oom \
    snapshot_threads device_runtime
coverage:
	@$(MAKE) O=$O golden programs observe editor debug cli
	@$(MAKE) m=cov O=$(cov_folder) G=$O S=$O \
	    $(patsubst %,$(call one_name,$(cov_folder))/tests/unit/%_test,$(covered))
	@COV=$(cov_folder) bash tests/tools/coverage.sh $(covered)
