# SPDX-License-Identifier: MIT
# Sourced by tests/run and gui/demo: takes a fresh Debian machine to a build. Expects the checkout's root as the
# current folder, `work` as a folder for logs, and `me` as the name of the caller for its messages.

# The window is drawn with a font, and a bare Debian has none.
readonly build_packages=(g++ cmake ninja-build qt6-base-dev qt6-tools-dev qt6-l10n-tools fonts-dejavu-core)

# fail STATUS MESSAGE
fail() {
    echo "$me: $2" >&2
    exit "$1"
}

# install_missing [PACKAGE ...]: what a build needs, and these.
install_missing() {
    local packages=("${build_packages[@]}" "$@")
    type -P dpkg-query >/dev/null || return 0 # Elsewhere than on Debian, CMake says what is missing.
    local installed missing=() package
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
    for package in "${packages[@]}"; do
        grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    ((EUID == 0)) || fail 69 "these packages are missing, and only root can install them: ${missing[*]}"
    echo "Installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get -qq update && apt-get -qq -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"; } \
        >"$work/apt" 2>&1 || { cat "$work/apt" >&2; fail 69 "apt cannot install ${missing[*]}"; }
}

# build PRESET [TARGET ...]
build() {
    local launcher preset=$1 targets=()
    shift
    (($#)) && targets=(--target "$@")
    launcher=$(type -P ccache || true)
    cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" >"$work/configure" 2>&1 \
        || { cat "$work/configure" >&2; fail 1 "preset $preset does not configure"; }
    cmake --build --preset "$preset" "${targets[@]}" || fail 1 "preset $preset does not build"
}
