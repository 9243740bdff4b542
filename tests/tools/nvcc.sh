# shellcheck shell=sh
# Sourced by the scripts that compile CUDA. They end with 77 where they cannot: what calls them then
# skips what it wanted.
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

compiler() { # there is one
    [ -x "$nvcc" ] || { echo "skipped: there is no nvcc; NVCC names it" >&2; exit 77; }
}

made_by_it() { # made_by_it CUBIN: this compiler is the one that made it
    version=$("$nvcc" --version | sed -n 's/.*release.*, \(V[0-9.]*\)$/\1/p')
    grep -qF "$version" "$1" ||
        { echo "skipped: $nvcc is $version, and another made $1" >&2; exit 77; }
}
