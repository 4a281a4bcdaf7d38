#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up what a target needs; does nothing if it is there already.
#
#   tools/setup.sh fit     the main job: compilers of the host and of Arm, .venv, the package built and
#                          installed editable; the other platforms' compilers are the user's choice
#   tools/setup.sh test    the same, and what the tests need
#   tools/setup.sh bench   the same
#   tools/setup.sh slow    what the tests need, and cross-compilers with their emulators
#
# A stamp over the inputs shows whether anything changed; if not, neither apt nor uv is called.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:?"say what to set up: fit, test, bench or slow"}
packages="gcc g++ make cmake ninja-build binutils python3 python3-dev python3-venv
    gcc-arm-none-eabi"
requirements=fit
case $profile in
fit) ;;
test | bench | slow)
    packages="$packages gcc-riscv64-unknown-elf gcc-aarch64-linux-gnu gcc-powerpc-linux-gnu gcc-mips-linux-gnu
        gcc-xtensa-lx106 clang clang-format libclang-rt-dev valgrind libssl-dev git pkg-config
        gcc-12-multilib g++-12-multilib libmgba-dev iverilog lld llvm opensta openssl qemu-user
        qflow-tech-osu018 chromium qemu-system-arm qemu-system-misc yosys"
    requirements=test
    ;;
*)
    echo "setup: there is no profile \"$profile\"; choose fit, test, bench or slow" >&2
    exit 2
    ;;
esac
if [ "$profile" = slow ]; then
    requirements=slow
    packages="$packages cppcheck libnewlib-arm-none-eabi gcc-arm-linux-gnueabi libc6-dev-armel-cross
        g++-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
        g++-powerpc-linux-gnu libc6-dev-powerpc-cross g++-mips-linux-gnu libc6-dev-mips-cross"
fi

# --- Debian packages
missing_packages() {
    local package
    for package in $packages; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}

install_packages() {
    local missing sudo=""
    missing=$(missing_packages | xargs)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        sudo=sudo
        command -v sudo >/dev/null || {
            echo "setup: run as root, or install sudo, to install: $missing" >&2
            exit 1
        }
    fi
    echo "setup: installing Debian packages: $missing"
    $sudo apt-get -qq update
    # shellcheck disable=SC2086  # one word for each package
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        $missing >/dev/null
}

# On other systems: name what is missing and stop; other package managers are not used.
check_tools() {
    local tool missing="" wanted="cc c++ make cmake ninja nm python3 arm-none-eabi-gcc"
    [ "$requirements" = fit ] || wanted="$wanted riscv64-unknown-elf-gcc aarch64-linux-gnu-gcc
        powerpc-linux-gnu-gcc mips-linux-gnu-gcc xtensa-lx106-elf-gcc clang clang-format valgrind git pkg-config
        qemu-system-arm qemu-system-riscv32 qemu-arm qemu-riscv32 qemu-riscv64 qemu-aarch64 qemu-ppc qemu-mips"
    [ "$profile" != slow ] || wanted="$wanted arm-linux-gnueabi-gcc riscv64-linux-gnu-gcc"
    for tool in $wanted; do
        command -v "$tool" >/dev/null || missing="$missing $tool"
    done
    [ -z "$missing" ] || {
        echo "setup: this is not Debian; install these tools yourself and run again:$missing" >&2
        exit 1
    }
}

# --- Python
# A Python 3.11 or later that can make environments and compile extensions.
find_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" - 2>/dev/null <<'PY'; then
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(0 if sys.version_info >= (3, 11) and os.path.exists(header) else 1)
PY
            command -v "$python"
            return
        fi
    done
    echo "setup: Python 3.11 or later with venv and headers is needed; none was found" >&2
    exit 1
}

# Makes .venv, again if it is incomplete or was moved here from another path.
make_environment() {
    local python
    if [ -x .venv/bin/python ] && stamped venv "$PWD"; then
        return
    fi
    python=$(find_python)
    rm -rf .venv
    "$python" -m venv --without-pip .venv
    stamp venv "$PWD"
}

digest() { # of the files named on standard input, one a line
    sort | xargs -d '\n' sha256sum | sha256sum | cut -d ' ' -f 1
}

stamped() { # stamped NAME DIGEST: nothing changed since NAME was stamped
    [ "$(cat ".venv/stamps/$1" 2>/dev/null)" = "$2" ]
}

stamp() { # stamp NAME DIGEST
    mkdir -p .venv/stamps
    echo "$2" >".venv/stamps/$1"
}

unstamp() { # unstamp NAME: from here to stamp() nothing is sure, should we be interrupted
    rm -f ".venv/stamps/$1"
}

install_by_pip() { # install_by_pip PINS PIP..: the packages of a file, by this pip and its options
    local pins=$1
    shift
    # Not compiled now: Python compiles modules on first import, and most are never imported.
    "$@" install --quiet --disable-pip-version-check --no-compile --require-hashes -r "$pins"
}

# uv, which takes a fifth of pip's time for all other packages, and pip.  The pip beside Python
# installs them, if there is one that can: to make one takes longer than all that it installs here.
install_installers() {
    local pins=requirements/installers.txt python
    have_installers && return
    python=$(find_python)
    export PIP_ONLY_BINARY=uv # its source wants a compiler of Rust
    if install_by_pip "$pins" "$python" -m pip --python .venv/bin/python 2>/dev/null ||
        { .venv/bin/python -m ensurepip >/dev/null && install_by_pip "$pins" .venv/bin/python -m pip; }; then
        stamp installers "$(echo "$pins" | digest)"
    else
        echo "setup: uv cannot be installed here; pip installs the packages, which takes longer"
    fi
}

have_installers() {
    stamped installers "$(echo requirements/installers.txt | digest)"
}

install_packages_of() { # install_packages_of REQUIREMENTS, a file of pins
    if have_installers; then
        .venv/bin/python tools/run_uv.py pip install --quiet --python .venv/bin/python \
            --require-hashes -r "$1"
    else
        install_by_pip "$1" .venv/bin/python -m pip
    fi
}

install_requirements() {
    local pins=requirements/$requirements.txt sum
    sum=$(printf '%s\n' requirements/*.txt | digest) # they include one another
    if ! stamped "$requirements" "$sum"; then
        echo "setup: installing Python packages of $pins"
        unstamp "$requirements"
        install_installers
        install_packages_of "$pins"
        stamp "$requirements" "$sum"
    fi
}

install_project() {
    local sum
    sum=$(find lib aesfit/native tools/code_bytes.py CMakeLists.txt pyproject.toml -type f ! -name '*.pyc' | digest)
    if ! stamped project "$sum"; then
        echo "setup: building aesfit"
        unstamp project
        . tools/compiler_cache.sh
        install_editable . --config-settings=build-dir=build/python \
            --config-settings=cmake.define.AESFIT_WARNINGS_ARE_ERRORS=ON
        echo "$sum" >.venv/stamps/project
    fi
}

# The papers' package is the project's own test bench: their verbs come with the tests' profile.
install_papers() {
    local sum
    sum=$(echo papers/pyproject.toml | digest)
    if ! stamped papers "$sum"; then
        echo "setup: installing aesfit-papers"
        unstamp papers
        install_editable ./papers
        stamp papers "$sum"
    fi
}

install_editable() { # install_editable FOLDER PIP..: nothing is downloaded for it
    local folder=$1
    shift
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation "$@" --editable "$folder"
}

if [ -e /etc/debian_version ] && command -v apt-get >/dev/null; then
    install_packages
else
    check_tools
fi
make_environment
install_requirements
install_project
[ "$requirements" = fit ] || install_papers
