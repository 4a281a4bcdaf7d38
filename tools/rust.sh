#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the Rust crate: style, tests with each core, documentation, package, targets without an
# operating system, and the example in QEMU.  What is not installed is skipped, with a sentence.
set -euo pipefail
cd "$(dirname "$0")/../rust"
export CARGO_TERM_QUIET=true RUSTDOCFLAGS="-D warnings"

skip() {
    echo "== Rust, skipped: $*"
}

say() {
    echo "== Rust: $*"
}

has() { # has CARGO-COMMAND
    cargo "$1" --version >/dev/null 2>&1 || {
        skip "cargo $1 is not installed (rustup component add)"
        return 1
    }
}

check_style() {
    say "style"
    local folder size
    for folder in . examples/packet; do
        ! has fmt || (cd $folder && cargo fmt --check)
    done
    ! has clippy || {
        cargo clippy --locked --all-targets -- -D warnings
        for size in aes128 aes192 aes256; do # each key size alone, without AEAD
            cargo clippy --locked --no-default-features --features "$size,zeroize" -- -D warnings
        done
    }
}

# The default core, then each that a feature names.  On this computer the cores in assembly for
# others are C; the example runs those of Cortex-M.
run_tests() {
    local feature
    say "tests, the default core"
    cargo test --locked
    for feature in $(sed -nE 's/^(core-[a-z0-9-]+) =.*/\1/p' Cargo.toml); do
        say "tests, $feature"
        cargo test --locked --tests --features "$feature"
    done
    cargo doc --locked --no-deps
}

# The package holds every file of the library's sources, and builds by itself.  It is built apart: in
# one folder cargo takes its build script and that of the crate for the same.
check_package() {
    say "package"
    cargo package --locked --allow-dirty --target-dir ../build/rust-package
    diff <(cd .. && find lib/LICENSE lib/include lib/src -type f | sort) \
        <(cargo package --locked --allow-dirty --list | grep ^lib/ | sort)
}

has_target() {
    rustc --print target-libdir --target "$1" 2>/dev/null | xargs -I{} test -d {} || {
        skip "$1 is not installed (rustup target add)"
        return 1
    }
}

build_for() { # build_for TARGET
    ! has_target "$1" || { say "build for $1" && cargo build --locked --target "$1"; }
}

run_example() { # run_example TARGET: in the QEMU that its .cargo/config.toml names
    ! has_target "$1" || {
        say "example for $1 in QEMU"
        (
            cd examples/packet
            ! has clippy || cargo clippy --locked --release --target "$1" -- -D warnings
            cargo run --locked --release --target "$1"
        )
    }
}

check_oldest() { # the Rust that Cargo.toml promises
    local oldest
    oldest=$(sed -nE 's/^rust-version = "([0-9.]+)".*/\1/p' Cargo.toml)
    if cargo "+$oldest.0" --version >/dev/null 2>&1; then
        say "Rust $oldest"
        cargo "+$oldest.0" check --locked --lib --features zeroize
    else
        skip "Rust $oldest is not installed (rustup toolchain install $oldest.0)"
    fi
}

command -v cargo >/dev/null || {
    skip "cargo is not installed, so the crate in rust/ is not checked"
    exit 0
}
check_style
run_tests
check_package
check_oldest
build_for riscv32imc-unknown-none-elf
for target in thumbv6m-none-eabi thumbv7m-none-eabi thumbv7em-none-eabi; do
    build_for $target
    run_example $target
done
