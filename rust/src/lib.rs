// SPDX-License-Identifier: MIT
//! AES for embedded processors: the C library aesfit behind the traits of [`cipher`] and `aead`.
//!
//! The crate allocates nothing and needs no standard library.
//! It compiles the C library bound to one core: the library's own default for the target
//! (constant-time, in assembly on Cortex-M and RV32), or the one that a feature `core-...` names.
//! [`CORE`] says which.
//!
//! ```
//! use aesfit::aead::{AeadInOut, KeyInit, consts::{U8, U13}};
//!
//! let key = [7; 16];
//! let nonce = [1; 13]; // never twice under one key
//! let mut packet = *b"23.5 degrees";
//!
//! let cipher = aesfit::Aes128Ccm::<U8, U13>::new(&key.into());
//! let tag = cipher.encrypt_inout_detached(&nonce.into(), b"header", packet.as_mut_slice().into())?;
//! cipher.decrypt_inout_detached(&nonce.into(), b"header", packet.as_mut_slice().into(), &tag)?;
//! assert_eq!(&packet, b"23.5 degrees");
//! # Ok::<(), aesfit::aead::Error>(())
//! ```
//!
//! # Secrets
//!
//! Expanded keys are wiped when they are dropped, by the library's own function.
//! A Rust value that is moved leaves its old bytes behind, which nothing wipes: create a key where
//! it stays, and optimise.
//! Where a tag is wrong, the output buffer is zero.
//! `core-sbox-columns-dsp`, `core-tiny` and `core-ttable1` read tables at secret indices: choose
//! them only where nobody can time the device.
#![no_std]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod block;
#[cfg(feature = "aead")]
pub mod ccm;
mod ffi;
#[cfg(feature = "aead")]
pub mod gcm;

#[cfg(feature = "aead")]
pub use aead;
pub use cipher;

pub use block::Encrypts;
#[cfg(feature = "aes128")]
pub use block::{Aes128, Aes128Dec, Aes128Enc};
#[cfg(feature = "aes192")]
pub use block::{Aes192, Aes192Dec, Aes192Enc};
#[cfg(feature = "aes256")]
pub use block::{Aes256, Aes256Dec, Aes256Enc};
#[cfg(all(feature = "aead", feature = "aes128"))]
pub use {ccm::Aes128Ccm, gcm::Aes128Gcm};
#[cfg(all(feature = "aead", feature = "aes192"))]
pub use {ccm::Aes192Ccm, gcm::Aes192Gcm};
#[cfg(all(feature = "aead", feature = "aes256"))]
pub use {ccm::Aes256Ccm, gcm::Aes256Gcm};
#[cfg(feature = "aead")]
pub use {ccm::AesCcm, gcm::AesGcm};

/// The core of the C library that this build has, by its name there (docs/cores.md of aesfit).
pub const CORE: &str = ffi::CORE;
