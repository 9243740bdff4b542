#!/bin/sh
# installed.sh PREFIX: after `make install`, where the loader and pkg-config find the library.
set -u
prefix=$1

ldconfig 2>/dev/null || /sbin/ldconfig 2>/dev/null # of the system's own folders; root's alone
if { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "=> $prefix/lib/libfhec.so.0\$"; then
    exit 0
fi
cat <<END
The tool needs nothing more: $prefix/bin/fhec. Programs with -lfhec are compiled and run with
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
or linked with -Wl,-rpath,$prefix/lib, or with $prefix/lib/libfhec.a -ljansson -lpthread -lm.
END
