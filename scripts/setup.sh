# SPDX-License-Identifier: GPL-3.0-or-later
# What ./quickstart and ./check share: Debian packages, the build, and Debian kernels to test.
# Sourced from the source tree's top; needs $top. Everything can be done again at any time.

cache=${KREGRESS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/kregress}
build_packages="gcc libc6-dev make meson ninja-build pkg-config libgsl-dev libgit2-dev libxml2-dev
	libsqlite3-dev libpq-dev libjansson-dev libarchive-dev libelf-dev libcmocka-dev"
# gcc-12 builds modules for Debian's 6.1 kernels, QEMU runs them.
kernel_packages="gcc-12 qemu-system-x86"

say() {
	printf '%s\n' "$*" >&2
}

# A line that says what happens; on a terminal the next one takes its place.
step_line() {
	if [ -t 2 ]; then
		printf '\r\033[K%s' "$*" >&2
	else
		say "$*"
	fi
}

step_done() {
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

die() {
	step_done
	say "error: $*"
	exit 4
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "'$*' needs root: run as root or install sudo"
	fi
}

missing_packages() {
	for package in "$@"; do
		dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
			printf '%s ' "$package"
	done
}

# Installs those of the packages that are missing.
install_packages() {
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	step_line "installing packages: $missing"
	log=$(mktemp)
	if ! as_root apt-get update >"$log" 2>&1 ||
		! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
			--no-install-recommends $missing >>"$log" 2>&1; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		die "apt-get could not install: $missing"
	fi
	rm -f "$log"
	step_done
}

# Package lists are needed to find kernels even when every package is there already.
need_package_lists() {
	[ -n "$(apt-cache show --no-all-versions linux-image-amd64 2>/dev/null)" ] ||
		as_root apt-get update >/dev/null 2>&1 || die "apt-get update failed"
}

# build FOLDER [MESON-OPTION...]: configures once, compiles what changed.
build() {
	folder=$1
	shift
	step_line "building in ${folder#"$top"/}"
	log=$folder.log
	if [ ! -f "$folder/build.ninja" ]; then
		rm -rf "$folder"
		meson setup "$folder" "$top" "$@" >"$log" 2>&1 ||
			{ tail -n 30 "$log" >&2; die "meson setup failed, see $log"; }
	fi
	ninja -C "$folder" >"$log" 2>&1 ||
		{ grep -E -A6 'error|FAILED' "$log" | head -n 60 >&2; die "the build failed, see $log"; }
	step_done
}

# The package's field, as the signed package lists have it.
package_field() {
	apt-cache show --no-all-versions "$1" | sed -n "s/^$2: //p" | head -n 1
}

deb_is_right() {
	[ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]
}

# fetch_deb PACKAGE: prints the path of the package's file in the cache. The checksum comes from
# the signed package lists; a file that does not match it, wrong or half, is fetched again.
fetch_deb() {
	sum=$(package_field "$1" SHA256)
	[ -n "$sum" ] || die "no package $1: is Debian 12 (bookworm) among apt's sources?"
	file=$cache/debian/$1.deb
	if ! deb_is_right "$file" "$sum"; then
		step_line "fetching $1"
		rm -rf "$file" "$cache/debian/fetch.$1"
		mkdir -p "$cache/debian/fetch.$1"
		options=
		[ "$(id -u)" != 0 ] || options="-o APT::Sandbox::User=root"
		(cd "$cache/debian/fetch.$1" && apt-get $options download "$1" >log 2>&1) ||
			{ cat "$cache/debian/fetch.$1/log" >&2; die "could not fetch $1"; }
		mv "$cache/debian/fetch.$1/"*.deb "$file"
		rm -rf "$cache/debian/fetch.$1"
		deb_is_right "$file" "$sum" || die "$1: the checksum of the fetched package is wrong"
	fi
	printf '%s\n' "$file"
}

# unpacked_is_right FOLDER: every file is as the packages' own checksums say.
unpacked_is_right() {
	[ -f "$1/.md5sums" ] && (cd "$1" && md5sum --quiet -c .md5sums >/dev/null 2>&1)
}

# unpack_into FOLDER PATH-PATTERN PACKAGE...: unpacks the packages' files that match.
unpack_into() {
	folder=$1
	pattern=$2
	shift 2
	rm -rf "$folder"
	mkdir -p "$folder"
	for package in "$@"; do
		file=$(fetch_deb "$package") || exit 4
		step_line "unpacking $package"
		dpkg-deb --fsys-tarfile "$file" | tar -C "$folder" -x --wildcards "$pattern" ||
			die "could not unpack $file"
		dpkg-deb --ctrl-tarfile "$file" | tar -xO ./md5sums >>"$folder/.md5sums.all"
	done
	(cd "$folder" && while read -r sum name; do
		[ ! -f "$name" ] || printf '%s  %s\n' "$sum" "$name"
	done <.md5sums.all >.md5sums.new && rm .md5sums.all)
}

# Headers name each other by /usr/src paths: made to point into the folder. Their Makefiles then
# differ from the package's and get checksums of their own.
relocate_headers() {
	for makefile in "$1"/usr/src/linux-headers-*/Makefile; do
		grep -q '/usr/src/linux-headers' "$makefile" || continue
		sed -i "s#/usr/src/linux-headers#$1/usr/src/linux-headers#" "$makefile"
		name=${makefile#"$1"/}
		grep -v "  $name\$" "$1/.md5sums.new" >"$1/.md5sums.kept"
		(cd "$1" && md5sum "$name") >>"$1/.md5sums.kept"
		mv "$1/.md5sums.kept" "$1/.md5sums.new"
	done
}

# debian_kernel FLAVOUR: gets Debian's current kernel image and headers of that flavour (amd64,
# rt-amd64) into the cache, without installing a kernel. Sets kernel_release, kernel_image, kernel_kdir.
debian_kernel() {
	flavour=$1
	need_package_lists
	image=$(package_field "linux-image-$flavour" Depends | sed 's/ .*//')
	[ -n "$image" ] || die "linux-image-$flavour names no kernel package"
	kernel_release=${image#linux-image-}
	version=$(package_field "$image" Version)
	place=$cache/debian/$kernel_release-$version
	case $flavour in
	rt-*) common=linux-headers-${kernel_release%-"$flavour"}-common-rt ;;
	*) common=linux-headers-${kernel_release%-"$flavour"}-common ;;
	esac
	if ! unpacked_is_right "$place/image"; then
		unpack_into "$place/image" './boot/*' "$image"
		mv "$place/image/.md5sums.new" "$place/image/.md5sums"
	fi
	if ! unpacked_is_right "$place/headers"; then
		kbuild=$(package_field "linux-headers-$kernel_release" Depends |
			tr ',' '\n' | sed -n 's/^ *\(linux-kbuild-[^ ]*\).*/\1/p')
		compiler=$(package_field "linux-headers-$kernel_release" Depends |
			tr ',' '\n' | sed -n 's/^ *\(linux-compiler-[^ ]*\).*/\1/p')
		unpack_into "$place/headers" './*' "linux-headers-$kernel_release" "$common" \
			"$kbuild" "$compiler"
		relocate_headers "$place/headers"
		mv "$place/headers/.md5sums.new" "$place/headers/.md5sums"
	fi
	kernel_image=$place/image/boot/vmlinuz-$kernel_release
	kernel_kdir=$place/headers/usr/src/linux-headers-$kernel_release
	step_done
}
