# The libraries that stand for CUDA's (docs/cuda.md): their files, rules and installation. Read by the
# Makefile, whose names are used here.

# One for each version of the runtime.
# What the tool does in a program's own process goes into the library, and nowhere else.
cuda_core_o = $(call objects,cuda/core) $B/cli/cuda/cuda_tools.o
cudart_o = $(filter-out %/abi.o,$(call objects,cuda/runtime))
cudart_versions = 11.0 12 13
libcuda_o = $(call objects,cuda/driver)
cuda_libs = $(addprefix $O/cuda/,libfhec_cuda.so $(cudart_versions:%=libcudart.so.%) libcudart.so \
              libcuda.so.1 libcuda.so)

.PHONY: install-cuda
.SECONDARY: $(cudart_versions:%=$O/cuda/runtime/abi_%.o) \
    $O/cuda/runtime/unsupported.c $O/cuda/driver/unsupported.c

$O/cuda/%.o: cuda/%.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM),$(INC.cuda))
$O/cuda/runtime/abi_%.o: cuda/runtime/abi.c $O/flags
	@mkdir -p $(@D)
	$(call compile,$<,$(WARN) $(CALM) -DFH_CUDART_VERSION=$(firstword $(subst ., ,$*)),$(INC.cuda))
$O/cuda/runtime/unsupported.c: cuda/runtime/calls.txt cuda/unsupported.sh $(cudart_o)
	@NM=$(NM) sh cuda/unsupported.sh C cudart.h $< $(cudart_o) > $@
$O/cuda/driver/unsupported.c: cuda/driver/calls.txt cuda/unsupported.sh $(libcuda_o)
	@NM=$(NM) sh cuda/unsupported.sh C driver.h $< $(libcuda_o) > $@
$O/cuda/%/unsupported.o: $O/cuda/%/unsupported.c
	$(call compile,$<,$(WARN) $(CALM),$(INC.cuda))

# The emulated device, once in a process; what is exported is the faces' own.
$O/cuda/libfhec_cuda.so: $(cuda_core_o) $(cli) $(libs)
	$(call say,LD   )$(CC) -shared -Wl,-soname,$(@F) $(DEFINED) $(link_flags) -o $@ $^ $(LDLIBS) $(TOOL_LIBS)
$O/cuda/libcudart.so.%: $(cudart_o) $O/cuda/runtime/abi_%.o $O/cuda/runtime/unsupported.o $O/cuda/libfhec_cuda.so
	@printf 'libcudart.so.$* { global: cuda*; __cuda*; local: *; };\n' > $O/cuda/runtime/$*.map
	$(call say,LD   )$(CC) -shared -Wl,-soname,$(@F) $(DEFINED) $(link_flags) '-Wl,-rpath,$$ORIGIN' \
	    -Wl,--version-script=$O/cuda/runtime/$*.map \
	    $$(NM=$(NM) sh cuda/unsupported.sh LINK cudart.h cuda/runtime/calls.txt $(cudart_o)) -o $@ $^
$O/cuda/libcuda.so.1: $(libcuda_o) $O/cuda/driver/unsupported.o $O/cuda/libfhec_cuda.so
	@printf '{ global: cu*; local: *; };\n' > $O/cuda/driver/names.map
	$(call say,LD   )$(CC) -shared -Wl,-soname,$(@F) $(DEFINED) $(link_flags) '-Wl,-rpath,$$ORIGIN' \
	    -Wl,--version-script=$O/cuda/driver/names.map \
	    $$(NM=$(NM) sh cuda/unsupported.sh LINK driver.h cuda/driver/calls.txt $(libcuda_o)) -o $@ $^ -ldl
$O/cuda/libcudart.so: $O/cuda/libcudart.so.13
	@ln -sf $(<F) $@
$O/cuda/libcuda.so: $O/cuda/libcuda.so.1
	@ln -sf $(<F) $@

# A fhec with instructions of one's own has none of them.
install-cuda: all
ifeq ($B,$O)
	for f in $(filter-out %libcudart.so %libcuda.so,$(cuda_libs)); do \
	    install -Dm755 $$f $(moduledir)/cuda/$$(basename $$f) || exit 1; done
	ln -sf libcudart.so.13 $(moduledir)/cuda/libcudart.so
	ln -sf libcuda.so.1 $(moduledir)/cuda/libcuda.so
endif
	install -Dm644 cuda/fhec.cuh $(DESTDIR)$(PREFIX)/include/fhec.cuh
