// SPDX-License-Identifier: MIT
//! What the tests share: files of vectors, random bytes, and the AEAD type of given sizes.
#![allow(dead_code)] // each test uses a part

use aead::consts::*;
use aead::dev::{TestVector, fail_test, pass_test};
use aead::inout::InOutBuf;
use aead::{AeadInOut, KeyInit};
use aesfit::ccm::{AesCcm, NonceSize, TagSize};
use aesfit::gcm::AesGcm;
use aesfit::{Aes128Enc, Aes192Enc, Aes256Enc, Encrypts};
use std::collections::HashMap;

/// A record of tests/vectors: bytes by name, and its mode.
pub struct Record {
    pub mode: String,
    fields: HashMap<String, Vec<u8>>,
}

impl Record {
    /// A field that lives as long as the program, which the tests of `cipher` and `aead` want;
    /// empty if it is left out.
    pub fn field(&self, name: &str) -> &'static [u8] {
        self.fields.get(name).cloned().unwrap_or_default().leak()
    }
}

/// The records of such a file with one mode, of which there must be some.
pub fn records(text: &str, mode: &str) -> Vec<Record> {
    let found: Vec<Record> =
        text.split("\n\n").map(record).filter(|one| one.mode == mode).collect();
    assert!(!found.is_empty(), "no vector of {mode}");
    found
}

fn record(text: &str) -> Record {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut mode = String::new();
    let mut fields = HashMap::new();
    for (name, value) in lines.filter_map(|line| line.split_once(' ')) {
        if name == "mode" {
            value.clone_into(&mut mode);
        } else if let Some(bytes) = from_hex(value) {
            fields.insert(name.to_owned(), bytes);
        }
    }
    Record { mode, fields }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
        .collect()
}

/// `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014): the same bytes from the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

/// A vector of an AEAD and whether it is a message that must be accepted.
#[derive(Clone)]
pub struct Case {
    pub key: &'static [u8],
    pub nonce: &'static [u8],
    pub ad: &'static [u8],
    pub plain: &'static [u8],
    pub cipher: &'static [u8],
    pub tag: &'static [u8],
    pub valid: bool,
}

impl Case {
    /// By the tests of `aead`; and that nothing is left of what was decrypted in vain.
    fn check<C: AeadInOut + KeyInit>(&self) {
        let sealed = [self.cipher, self.tag].concat().leak();
        let vector = TestVector {
            key: self.key,
            nonce: self.nonce,
            aad: self.ad,
            plaintext: self.plain,
            ciphertext: sealed,
        };
        if self.valid {
            pass_test::<C>(&vector).expect("a valid message");
        } else {
            fail_test::<C>(&vector).expect("an invalid message");
            self.leaves_nothing::<C>();
        }
    }

    fn leaves_nothing<C: AeadInOut + KeyInit>(&self) {
        let aead = C::new_from_slice(self.key).expect("a key of this size");
        let (nonce, tag) = (self.nonce.try_into().unwrap(), self.tag.try_into().unwrap());
        let mut apart = vec![0xa5; self.cipher.len()];
        let buffer = InOutBuf::new(self.cipher, &mut apart).unwrap();
        assert!(aead.decrypt_inout_detached(nonce, self.ad, buffer, tag).is_err());
        let mut in_place = self.cipher.to_vec();
        let buffer = in_place.as_mut_slice().into();
        assert!(aead.decrypt_inout_detached(nonce, self.ad, buffer, tag).is_err());
        assert!(apart.iter().chain(&in_place).all(|&byte| byte == 0));
    }

    /// Whether there is a type for CCM of these sizes, by which the case was then checked.
    pub fn check_ccm(&self) -> bool {
        match self.key.len() {
            16 => self.ccm_of_nonce::<Aes128Enc>(),
            24 => self.ccm_of_nonce::<Aes192Enc>(),
            32 => self.ccm_of_nonce::<Aes256Enc>(),
            _ => false,
        }
    }

    fn ccm_of_nonce<A: Encrypts>(&self) -> bool {
        match self.nonce.len() {
            7 => self.ccm_of_tag::<A, U7>(),
            8 => self.ccm_of_tag::<A, U8>(),
            9 => self.ccm_of_tag::<A, U9>(),
            10 => self.ccm_of_tag::<A, U10>(),
            11 => self.ccm_of_tag::<A, U11>(),
            12 => self.ccm_of_tag::<A, U12>(),
            13 => self.ccm_of_tag::<A, U13>(),
            _ => false,
        }
    }

    fn ccm_of_tag<A: Encrypts, N: NonceSize>(&self) -> bool {
        match self.tag.len() {
            4 => self.ccm_of::<A, U4, N>(),
            6 => self.ccm_of::<A, U6, N>(),
            8 => self.ccm_of::<A, U8, N>(),
            10 => self.ccm_of::<A, U10, N>(),
            12 => self.ccm_of::<A, U12, N>(),
            14 => self.ccm_of::<A, U14, N>(),
            16 => self.ccm_of::<A, U16, N>(),
            _ => return false,
        }
        true
    }

    fn ccm_of<A: Encrypts, M: TagSize, N: NonceSize>(&self) {
        self.check::<AesCcm<A, M, N>>();
    }

    /// The same for GCM; shorter tags with nonces of 12 bytes alone.
    pub fn check_gcm(&self) -> bool {
        match self.key.len() {
            16 => self.gcm_of::<Aes128Enc>(),
            24 => self.gcm_of::<Aes192Enc>(),
            32 => self.gcm_of::<Aes256Enc>(),
            _ => false,
        }
    }

    fn gcm_of<A: Encrypts>(&self) -> bool {
        match (self.nonce.len(), self.tag.len()) {
            (1, 16) => self.check::<AesGcm<A, U1>>(),
            (2, 16) => self.check::<AesGcm<A, U2>>(),
            (4, 16) => self.check::<AesGcm<A, U4>>(),
            (6, 16) => self.check::<AesGcm<A, U6>>(),
            (8, 16) => self.check::<AesGcm<A, U8>>(),
            (10, 16) => self.check::<AesGcm<A, U10>>(),
            (12, 12) => self.check::<AesGcm<A, U12, U12>>(),
            (12, 13) => self.check::<AesGcm<A, U12, U13>>(),
            (12, 14) => self.check::<AesGcm<A, U12, U14>>(),
            (12, 15) => self.check::<AesGcm<A, U12, U15>>(),
            (12, 16) => self.check::<AesGcm<A>>(),
            (15, 16) => self.check::<AesGcm<A, U15>>(),
            (16, 16) => self.check::<AesGcm<A, U16>>(),
            (20, 16) => self.check::<AesGcm<A, U20>>(),
            (32, 16) => self.check::<AesGcm<A, U32>>(),
            (60, 16) => self.check::<AesGcm<A, U60>>(),
            (64, 16) => self.check::<AesGcm<A, U64>>(),
            (128, 16) => self.check::<AesGcm<A, U128>>(),
            _ => return false,
        }
        true
    }
}
