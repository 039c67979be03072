# SPDX-License-Identifier: GPL-3.0-or-later
# Kernel headers of Debian's other flavours and of bookworm-backports, for tests that only build.
# Sourced after scripts/setup.sh.

# Where this machine gets Debian 12 from: backports lie beside it.
debian_archive() {
	need_package_lists
	apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
		sed -n 's/ bookworm$//p' | head -n 1
}

# from_backports COMMAND...: runs it with bookworm-backports, and nothing else, as apt's sources;
# the machine's own settings stay as they are.
from_backports() {
	apt_folder=$cache/apt-backports
	archive=$(debian_archive)
	[ -n "$archive" ] || return 1
	if ! grep -qF "$archive" "$apt_folder/sources.list" 2>/dev/null; then
		mkdir -p "$apt_folder/lists/partial" "$apt_folder/cache/archives/partial"
		printf 'deb [signed-by=%s] %s bookworm-backports main\n' \
			/usr/share/keyrings/debian-archive-keyring.gpg "$archive" \
			>"$apt_folder/sources.list"
		printf '%s "%s";\n' Dir::Etc::SourceList "$apt_folder/sources.list" \
			Dir::Etc::SourceParts /dev/null Dir::State::Lists "$apt_folder/lists" \
			Dir::Cache "$apt_folder/cache" APT::Sandbox::User root >"$apt_folder/apt.conf"
	fi
	(
		export APT_CONFIG="$apt_folder/apt.conf"
		[ -n "$(apt-cache show --no-all-versions linux-headers-amd64 2>/dev/null)" ] ||
			apt-get update >/dev/null 2>&1 || exit 4
		"$@"
	)
}

# debian_headers FLAVOUR: gets the headers that linux-headers-FLAVOUR stands for into the cache.
# Prints the folder to build modules with.
debian_headers() {
	headers=$(package_field "linux-headers-$1" Depends | sed 's/ .*//')
	[ -n "$headers" ] || return 1
	place=$cache/debian/${headers#linux-headers-}-$(package_field "$headers" Version)-headers
	if ! unpacked_is_right "$place"; then
		others=$(package_field "$headers" Depends | tr ',|' '\n\n' |
			sed -n 's/^ *\(linux-headers-[^ ]*\|linux-kbuild-[^ ]*\|linux-compiler-[^ ]*\).*/\1/p')
		unpack_into "$place" './*' "$headers" $others
		relocate_headers "$place"
		mv "$place/.md5sums.new" "$place/.md5sums"
	fi
	printf '%s\n' "$place/usr/src/$headers"
}

# Names, in the environment, what tests/kernel/test_module_checks.py builds the module with. What
# cannot be fetched stays unnamed, and its test is skipped with that reason.
name_module_headers() {
	KREGRESS_KDIR_6_1_CLOUD_AMD64=$(debian_headers cloud-amd64) || say "no headers of cloud-amd64"
	KREGRESS_KDIR_6_12_AMD64=$(from_backports debian_headers amd64) ||
		say "no headers of bookworm-backports"
	KREGRESS_KDIR_6_12_CLOUD_AMD64=$(from_backports debian_headers cloud-amd64) || true
	KREGRESS_KDIR_6_12_RT_AMD64=$(from_backports debian_headers rt-amd64) || true
	export KREGRESS_KDIR_6_1_CLOUD_AMD64 KREGRESS_KDIR_6_12_AMD64 \
		KREGRESS_KDIR_6_12_CLOUD_AMD64 KREGRESS_KDIR_6_12_RT_AMD64
	name_checkpatch
}

# checkpatch.pl comes with the kernel's source only.
name_checkpatch() {
	KREGRESS_CHECKPATCH=$cache/checkpatch/checkpatch.pl
	if [ ! -f "$cache/checkpatch/.done" ]; then
		file=$(fetch_deb linux-source-6.1) || return 0
		rm -rf "$cache/checkpatch"
		mkdir -p "$cache/checkpatch"
		dpkg-deb --fsys-tarfile "$file" | tar -xO --wildcards '*/linux-source-6.1.tar.xz' |
			tar -xJ -C "$cache/checkpatch" --strip-components 2 \
				linux-source-6.1/scripts/checkpatch.pl linux-source-6.1/scripts/spelling.txt \
				linux-source-6.1/scripts/const_structs.checkpatch || return 0
		touch "$cache/checkpatch/.done"
	fi
	export KREGRESS_CHECKPATCH
}
