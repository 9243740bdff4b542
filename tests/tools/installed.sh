#!/bin/sh
# installed.sh PREFIX LIBDIR: after `make install`, where the loader and pkg-config find the library.
set -u
prefix=$1 libdir=$2

ldconfig 2>/dev/null || /sbin/ldconfig 2>/dev/null # of the system's own folders; root's alone
if { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "=> $libdir/libfhec.so.0\$"; then
    exit 0
fi
cat <<END
The tool needs nothing more: $prefix/bin/fhec. Programs with -lfhec are compiled and run with
    export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
or linked with -Wl,-rpath,$libdir, or with $libdir/libfhec.a -ljansson -lpthread -lm.
END
