# Fresh minimal Debian roots, for tests/matrix and tests/packages, as root and with debootstrap.
# Sourced with $dir set: it keeps the base roots, apt's downloads and a log for each row. The mirror
# is the one that this machine's apt uses.

mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' | grep -v security | head -n 1
}

# Make the base root of a suite and architecture once. An old copy of sid counts as valid.
base_root() { # base_root SUITE ARCH
    local root=$dir/base/$1-$2
    [ -d "$root/home" ] && return
    mkdir -p "$dir/base" && rm -rf "$root"
    debootstrap --variant=minbase --arch="$2" "$1" "$root.part" "$(mirror)" || return
    echo force-unsafe-io >"$root.part/etc/dpkg/dpkg.cfg.d/headlight" # a root is thrown away
    echo 'Acquire::Check-Valid-Until "false";' >"$root.part/etc/apt/apt.conf.d/headlight"
    mv "$root.part" "$root"
}

# Run a shell script in the root, with /proc and apt's cache mounted for as long as it runs.
inside() { # inside ROOT ARCH SCRIPT
    local root=$1 personality=
    [ "$2" = i386 ] && personality=linux32
    cache=$dir/cache/$(basename "$root")
    mkdir -p "$cache/partial" "$root/dev/shm"
    unshare --mount sh -c 'mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        mount --bind "$2" "$1/var/cache/apt/archives" && shift 2 && exec "$@"' sh "$root" "$cache" \
        $personality env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c "$3"
}
