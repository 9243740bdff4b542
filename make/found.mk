# What this machine has: the compiler's kind, optional headers and libraries. Read by the Makefile.
#
# A probe asks the compiler, never the file system: CFLAGS and CPPFLAGS may name other folders. It takes no
# text with `#`, which makes differ in how they read. `make found` prints the answers; a header that is not
# to be found is hidden with, for example, `make LZMA_H=none.h` (tests/checks/hidden.sh).

PKG_CONFIG = pkg-config
quoted = '$(subst ','\'',$1)'
has_header = $(shell $(or $2,$(CC)) $(CPPFLAGS) $(CFLAGS) -E -include $1 -x c /dev/null >/dev/null 2>&1 && echo yes)
# A library as the linker would find it: an archive, or a shared object.
has_archive = $(filter /%,$(shell $(CC) -print-file-name=lib$1.a))
has_library = $(or $(call has_archive,$1),$(filter /%,$(shell $(CC) -print-file-name=lib$1.so)))
# Both: a compiler for another machine may find this one's headers.
optional = $(if $(call has_header,$1),$(if $(call has_library,$2),yes))

machine := $(shell $(CC) -dumpmachine 2>/dev/null)
compiler := $(if $(findstring clang,$(CC)),clang,gcc)-$(firstword $(subst ., ,$(shell $(CC) -dumpversion 2>/dev/null)))

# The full-screen mode of the debugger, where ncurses is there: its libraries or nothing.
CURSES_H = ncurses.h
NCURSES := $(if $(call optional,$(CURSES_H),ncursesw),$(or $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null),-lncursesw))
# A terminal's lines are edited where libedit is installed.
LIBEDIT_H = histedit.h
LIBEDIT := $(call optional,$(LIBEDIT_H),edit)
# `fhec sweep` keeps its results with SQLite.
SQLITE_H = sqlite3.h
SQLITE := $(call optional,$(SQLITE_H),sqlite3)
# Block graphs are cut into parts by METIS, which is loaded when it is needed: the header is enough.
METIS_H = metis.h
METIS := $(call has_header,$(METIS_H))
# Traces are packed by xz where liblzma's headers are.
LZMA_H = lzma.h
LZMA := $(call optional,$(LZMA_H),lzma)
found = $(foreach f,NCURSES LIBEDIT SQLITE METIS LZMA,$(if $($f),-DFH_HAS_$f))
# What is compiled otherwise where one of them is there.
found_c := $(shell grep -rl --include='*.c' FH_HAS_ cli)

MPI =
MPICC = mpicc
ifneq ($(MPI),)
$(if $(call has_header,mpi.h,$(MPICC)),,$(error \
    MPI=1: $(MPICC) finds no mpi.h; Debian and Ubuntu have it in libopenmpi-dev))
endif

# Who calls make alone is told, too, which packages are missing; `make missing=` goes on without them.
look_for = CC=$(call quoted,$(CC)) CFLAGS=$(call quoted,$(CPPFLAGS) $(CFLAGS)) FLEX=$(call quoted,$(FLEX)) \
    BISON=$(call quoted,$(BISON)) sh tests/tools/deps.sh
installs = deps demo test test-long
needs_nothing = clean uninstall found dist
ifeq ($(MAKELEVEL)$(filter $(installs) $(needs_nothing),$(MAKECMDGOALS)),0)
missing := $(shell $(look_for) build --name 2>&1)
$(if $(missing),$(error $(missing)))
endif
