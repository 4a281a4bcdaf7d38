// SPDX-License-Identifier: MIT
//! Seals a packet with AES-CCM, opens it, and has a changed one refused; prints by semihosting.
//!
//! `cargo run --release --target thumbv7em-none-eabi` runs it in QEMU; so do thumbv6m-none-eabi and
//! thumbv7m-none-eabi.
#![no_std]
#![no_main]

use aesfit::aead::consts::{U8, U13};
use aesfit::aead::{AeadInOut, Error, KeyInit};
use core::fmt::Write;
use core::panic::PanicInfo;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hio};

#[cfg(not(feature = "rustcrypto"))]
type Cipher = aesfit::Aes128Ccm<U8, U13>;
#[cfg(feature = "rustcrypto")]
type Cipher = ccm::Ccm<aes::Aes128Enc, U8, U13>;

#[cfg(not(feature = "rustcrypto"))]
const CORE: &str = aesfit::CORE;
#[cfg(feature = "rustcrypto")]
const CORE: &str = "the crate aes";

/// A payload of IEEE 802.11 and others: 94 blocks.
type Packet = [u8; 1504];

/// Sealing by the traits, from the key on, under a name that `aesfit count` can call.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn seal(key: &[u8; 16], nonce: &[u8; 13], packet: &mut Packet, tag: &mut [u8; 8]) {
    let cipher = Cipher::new(key.into());
    let sealed = cipher.encrypt_inout_detached(nonce.into(), &[], packet.as_mut_slice().into());
    *tag = sealed.expect("the packet is short enough").into();
}

fn open(key: &[u8; 16], nonce: &[u8; 13], packet: &mut Packet, tag: [u8; 8]) -> Result<(), Error> {
    let cipher = Cipher::new(key.into());
    cipher.decrypt_inout_detached(nonce.into(), &[], packet.as_mut_slice().into(), &tag.into())
}

#[entry]
fn main() -> ! {
    let (key, nonce, mut tag) = ([7; 16], [1; 13], [0; 8]);
    let mut packet = [0x2a; 1504];
    seal(&key, &nonce, &mut packet, &mut tag);
    let mut changed = packet;
    changed[0] ^= 1;
    let opened = open(&key, &nonce, &mut packet, tag).is_ok() && packet == [0x2a; 1504];
    let refused = open(&key, &nonce, &mut changed, tag).is_err() && changed == [0; 1504];
    let mut out = hio::hstdout().expect("semihosting");
    let _ = writeln!(out, "core {CORE}, tag {tag:02x?}, opened {opened}, refused {refused}");
    debug::exit(if opened && refused { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    unreachable!("QEMU has ended")
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
