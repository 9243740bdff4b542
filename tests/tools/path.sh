#!/bin/sh
# path.sh FOLDER: fills the folder with links to the programs that tests may call: those that each Debian
# has, those of the packages that deps.sh names, and those that tests are skipped without. With it as
# PATH a test that calls another one fails on every machine, not on a stranger's alone.
set -u
folder=$1

# Of packages that are essential: coreutils, findutils, grep, sed, mawk, diffutils, util-linux, ...
essential="sh bash cat chgrp chmod chown cp date dd df dir echo env expr false head id install join ln ls mkdir
mkfifo mktemp mv nice nohup nproc od paste printf pwd readlink realpath rm rmdir seq sha256sum sleep sort split stat
stdbuf stty sync tac tail tee test timeout touch tr true tsort tty uname uniq wc who yes [ basename comm cut dirname
cksum md5sum shuf numfmt chroot truncate find xargs grep egrep fgrep sed awk mawk gawk cmp diff tar gzip gunzip
flock getopt prlimit script setpriv setsid taskset unshare mount umount mountpoint runuser su renice hostname which
getconf getent iconv ldd ldconfig clear infocmp tput perl dpkg dpkg-query apt-get apt-cache sudo useradd"
# What comes with the packages of deps.sh beside the program that it looks for.
companions="c++ cc cpp g++ as ld ranlib strip objcopy objdump readelf clang++ valgrind ps kill pkill xzcat lcov geninfo
npx gcov git-upload-pack"
# What tests are skipped without.
optional="nvcc ptxas nvlink cuobjdump nvdisasm code zsh fish mpicc mpirun mpiexec xmllint debootstrap dpkg-deb
lintian sbatch qemu-aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-ar aarch64-linux-gnu-nm"

rm -rf "$folder" && mkdir -p "$folder" || exit
# As a file: `command -v` would answer with what the shell has built in, of echo and its like.
file_of() {
    case $1 in /*) echo "$1"; return ;; esac
    rest=$PATH:
    while [ -n "$rest" ]; do
        file=${rest%%:*}/$1
        rest=${rest#*:}
        if [ -f "$file" ] && [ -x "$file" ]; then
            echo "$file"
            return
        fi
    done
}
for name in $essential $companions $optional \
    $(sh "$(dirname "$0")/deps.sh" --list | sed -n 's/.* command //p') ${CC:-} ${MAKE:-}; do
    program=$(file_of "$name")
    [ -z "$program" ] || ln -sf "$program" "$folder/${name##*/}"
done

# Where python3 is a script that looks for the interpreter, as pyenv's is, each call takes a second.
interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$interpreter" ]; then
    rm -f "$folder/python3"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$interpreter" >"$folder/python3" && chmod +x "$folder/python3"
fi
