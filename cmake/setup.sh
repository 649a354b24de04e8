# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Sourced by ./check and ./demo in the repository's root.

# missing_packages LIST...: the packages of these files of cmake/apt-packages that are not installed.
missing_packages() {
	local package
	cat "${@/#/cmake/apt-packages/}" | while read -r package; do
		case $package in '' | '#'*) continue ;; esac
		if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
			echo "$package"
		fi
	done
}

# install_packages LIST...: installs what is missing, as root or through sudo; asks apt nothing when everything is there.
install_packages() {
	local missing as_root=()
	if ! command -v dpkg-query >/dev/null; then
		echo "$0: no Debian packages on this system; install the equivalents of what is in cmake/apt-packages yourself:" \
			"$*" >&2
		return 0
	fi
	mapfile -t missing < <(missing_packages "$@")
	if [ ${#missing[@]} -eq 0 ]; then
		return 0
	fi
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
			echo "$0: these Debian packages are missing, and there is neither root nor a usable sudo to install them:" >&2
			echo "  ${missing[*]}" >&2
			echo "Have them installed: apt-get install ${missing[*]}" >&2
			return 1
		fi
		as_root=(sudo)
	fi
	echo "Installing ${missing[*]}"
	if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
		"${missing[@]}" >/dev/null 2>&1; then
		# Package lists that are absent or old are the usual reason.
		"${as_root[@]}" apt-get -qq update &&
			"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
				"${missing[@]}" >/dev/null || {
			echo "$0: apt-get could not install: ${missing[*]}" >&2
			return 1
		}
	fi
}

# build_preset NAME [TARGET...]: quiet unless it fails.
build_preset() {
	local preset=$1 log
	shift
	mkdir -p build
	log=build/$preset.log
	if ! { cmake --preset "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
		grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)|^-- ' "$log" | tail -n 60 >&2
		echo "$0: building preset $preset failed; everything is in $log" >&2
		return 1
	fi
}
