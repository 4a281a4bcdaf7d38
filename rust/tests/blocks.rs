// SPDX-License-Identifier: MIT
//! Blocks: the tests of `cipher` on NIST's vectors, and random blocks beside the crate `aes`.

mod common;

use aesfit::{Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc};
use aesfit::{Aes256, Aes256Dec, Aes256Enc};
use cipher::consts::U16;
use cipher::dev::block_cipher::{TestVector, decrypt_test, encrypt_decrypt_test, encrypt_test};
use cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use common::{Random, records};

/// SP 800-38A, F.1: each block of the ECB vectors by itself.
fn vectors(key_bytes: usize) -> Vec<TestVector> {
    let records = records(include_str!("../../tests/vectors/modes.txt"), "ecb");
    let found: Vec<TestVector> = records
        .iter()
        .filter(|one| one.field("key").len() == key_bytes)
        .flat_map(|one| {
            let blocks = one.field("plain").chunks(16).zip(one.field("cipher").chunks(16));
            blocks.map(|(plaintext, ciphertext)| TestVector {
                key: one.field("key"),
                plaintext,
                ciphertext,
            })
        })
        .collect();
    assert!(found.len() >= 4, "{} vectors of {key_bytes} bytes", found.len());
    found
}

fn check<Both, Enc, Dec>(key_bytes: usize)
where
    Both: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit,
    Enc: BlockCipherEncrypt + KeyInit,
    Dec: BlockCipherDecrypt + KeyInit,
{
    for vector in vectors(key_bytes) {
        encrypt_decrypt_test::<Both>(&vector).unwrap();
        encrypt_test::<Enc>(&vector).unwrap();
        decrypt_test::<Dec>(&vector).unwrap();
    }
}

#[test]
fn vectors_of_nist() {
    check::<Aes128, Aes128Enc, Aes128Dec>(16);
    check::<Aes192, Aes192Enc, Aes192Dec>(24);
    check::<Aes256, Aes256Enc, Aes256Dec>(32);
}

/// Every count of blocks up to four pairs, in place and apart, beside the crate `aes`.
fn beside<Ours, Theirs>(key_bytes: usize)
where
    Ours: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit,
    Theirs: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit,
{
    let mut random = Random(162);
    for count in (0..=9).cycle().take(200) {
        let key = random.bytes(key_bytes);
        let ours = Ours::new_from_slice(&key).unwrap();
        let theirs = Theirs::new_from_slice(&key).unwrap();
        let plain: Vec<Array<u8, U16>> =
            (0..count).map(|_| random.bytes(16).as_slice().try_into().unwrap()).collect();
        let mut expected = plain.clone();
        theirs.encrypt_blocks(&mut expected);
        let mut apart = vec![Array::default(); count];
        ours.encrypt_blocks_b2b(&plain, &mut apart).unwrap();
        assert_eq!(apart, expected);
        let mut in_place = plain.clone();
        ours.encrypt_blocks(&mut in_place);
        assert_eq!(in_place, expected);
        ours.decrypt_blocks_b2b(&expected, &mut apart).unwrap();
        ours.decrypt_blocks(&mut in_place);
        assert_eq!((&apart, &in_place), (&plain, &plain));
    }
}

#[test]
fn random_blocks_beside_the_crate_aes() {
    beside::<Aes128, aes::Aes128>(16);
    beside::<Aes192, aes::Aes192>(24);
    beside::<Aes256, aes::Aes256>(32);
}

/// The crate `ccm` over these blocks: the traits serve others' modes.
#[test]
fn the_crate_ccm_takes_these_blocks() {
    use aead::consts::{U8, U13};
    use aead::{AeadInOut, KeyInit};

    let mut random = Random(4944);
    let (key, nonce) = (random.bytes(16), random.bytes(13));
    let nonce = nonce.as_slice().try_into().unwrap();
    let over_blocks = ccm::Ccm::<Aes128Enc, U8, U13>::new_from_slice(&key).unwrap();
    let in_c = aesfit::Aes128Ccm::<U8, U13>::new_from_slice(&key).unwrap();
    for bytes in [0, 1, 16, 17, 100] {
        let mut first = random.bytes(bytes);
        let mut second = first.clone();
        let tags = [
            over_blocks.encrypt_inout_detached(nonce, b"ad", first.as_mut_slice().into()),
            in_c.encrypt_inout_detached(nonce, b"ad", second.as_mut_slice().into()),
        ];
        assert_eq!(first, second);
        assert_eq!(tags[0].unwrap(), tags[1].unwrap());
    }
}
