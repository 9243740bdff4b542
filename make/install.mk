# What `make install` puts where, and archives and packages of it. Read by the Makefile, whose names are used
# here.

PREFIX = /usr/local
override PREFIX := $(abspath $(patsubst ~/%,$(HOME)/%,$(PREFIX)))
LIBDIR = $(PREFIX)/lib
version = $(shell sed -n 's/.*FHEC_VERSION *"\(.*\)".*/\1/p' include/fhec.h)
bindir = $(DESTDIR)$(PREFIX)/bin
libdir = $(DESTDIR)$(LIBDIR)
# Libraries that are not linked with but loaded, found from the tool.
moduledir = $(DESTDIR)$(PREFIX)/lib/fhec
sharedir = $(DESTDIR)$(PREFIX)/share
installed_sass = $(patsubst programs/%,$(sharedir)/fhec/programs/%,$(sass))
installed_man = $(patsubst docs/man/%,$(sharedir)/man/man1/%,$(wildcard docs/man/*.1))
# The README and all that it leads to, as they lie here: its links and commands work there, too.
documents = README.md LICENSE isa_spec/README.md \
    $(shell find docs tests/kernels -type f -not -path 'docs/man/*')
installed_documents = $(addprefix $(sharedir)/doc/fhec/,$(documents))
completions = cli/completions
public_headers = $(wildcard include/*.h)
install: all install-cuda
	install -Dm755 $O/fhec $(bindir)/fhec
	install -Dm755 $O/libfhec.so $(libdir)/libfhec.so.0
	ln -sf libfhec.so.0 $(libdir)/libfhec.so
	install -Dm644 $O/libfhec.a $(libdir)/libfhec.a
	$(if $(MPI),install -Dm755 $O/fhec_mpi.so $(moduledir)/fhec_mpi.so)
	for f in $(notdir $(public_headers)); do \
	    install -Dm644 include/$$f $(DESTDIR)$(PREFIX)/include/$$f || exit 1; done
	mkdir -p $(libdir)/pkgconfig
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: fhec' 'Version: $(version)' \
	    'Description: assembler and emulator for GPU machine code with FHE instructions' \
	    'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -lfhec' \
	    'Libs.private: $(LIB_LIBS)' > $(libdir)/pkgconfig/fhec.pc
	for f in $(notdir $(installed_man)); do \
	    install -Dm644 docs/man/$$f $(sharedir)/man/man1/$$f || exit 1; done
	for f in $(patsubst programs/%,%,$(sass)); do \
	    install -Dm644 programs/$$f $(sharedir)/fhec/programs/$$f || exit 1; done
	for f in $(documents); do \
	    install -Dm644 $$f $(sharedir)/doc/fhec/$$f || exit 1; done
	install -Dm644 $(completions)/fhec.bash $(sharedir)/bash-completion/completions/fhec
	install -Dm644 $(completions)/_fhec $(sharedir)/zsh/site-functions/_fhec
	install -Dm644 $(completions)/fhec.fish $(sharedir)/fish/vendor_completions.d/fhec.fish
	install -Dm644 $G/gen/ISA.md $(sharedir)/doc/fhec/ISA.md
	install -Dm644 $G/gen/isa.json $(sharedir)/doc/fhec/isa.json
	@[ -n "$(DESTDIR)" ] || sh tests/tools/installed.sh $(PREFIX) $(LIBDIR)
uninstall:
	rm -rf $(moduledir)/cuda $(DESTDIR)$(PREFIX)/include/fhec.cuh
	rm -f $(bindir)/fhec $(moduledir)/fhec_mpi.so $(libdir)/libfhec.so.0 $(libdir)/libfhec.so $(libdir)/libfhec.a \
	    $(public_headers:%=$(DESTDIR)$(PREFIX)/%) $(libdir)/pkgconfig/fhec.pc $(installed_man) \
	    $(installed_sass) $(sharedir)/bash-completion/completions/fhec \
	    $(sharedir)/zsh/site-functions/_fhec $(sharedir)/fish/vendor_completions.d/fhec.fish \
	    $(sharedir)/doc/fhec/ISA.md $(sharedir)/doc/fhec/isa.json $(installed_documents)

# The sources as an archive that builds without git, of the commit that is checked out.
archive_name = fhec-$(version)
dist:
	@mkdir -p $O
	@git archive --format=tar --prefix=$(archive_name)/ HEAD | xz -T0 > $O/$(archive_name).tar.xz
	@echo $O/$(archive_name).tar.xz
# Packages for Debian and what is made of it, from that archive: packaging/debian.
deb: dist
	@sh packaging/deb.sh $O/$(archive_name).tar.xz $O/deb
