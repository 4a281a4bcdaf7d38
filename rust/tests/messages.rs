// SPDX-License-Identifier: MIT
//! CCM and GCM: known answers, refusals, and random messages beside the crates `ccm` and `aes-gcm`.

mod common;

use aead::consts::*;
use aead::inout::InOutBuf;
use aead::{AeadInOut, KeyInit, Nonce};
use aesfit::{Aes128Ccm, Aes128Gcm, Aes192Ccm, Aes192Gcm, Aes256Ccm, Aes256Gcm, AesGcm};
use common::{Case, Random, records};

fn cases(mode: &str) -> Vec<Case> {
    records(include_str!("../../tests/vectors/aead.txt"), mode)
        .iter()
        .map(|one| Case {
            key: one.field("key"),
            nonce: one.field("nonce"),
            ad: one.field("ad"),
            plain: one.field("plain"),
            cipher: one.field("cipher"),
            tag: one.field("tag"),
            valid: true,
        })
        .collect()
}

/// The case with one bit changed of the tag, the ciphertext and the associated data in turn.
fn changed(case: &Case) -> Vec<Case> {
    let flipped = |bytes: &[u8]| -> &'static [u8] {
        let mut copy = bytes.to_vec();
        if let Some(last) = copy.last_mut() {
            *last ^= 0x80;
        }
        copy.leak()
    };
    let bad = Case { valid: false, ..case.clone() };
    let mut all = vec![Case { tag: flipped(case.tag), ..bad.clone() }];
    if !case.cipher.is_empty() {
        all.push(Case { cipher: flipped(case.cipher), ..bad.clone() });
    }
    if !case.ad.is_empty() {
        all.push(Case { ad: flipped(case.ad), ..bad });
    }
    all
}

fn check(mode: &str, check: impl Fn(&Case) -> bool) {
    for case in cases(mode) {
        assert!(check(&case), "no type for {} and {} bytes", case.nonce.len(), case.tag.len());
        for bad in changed(&case) {
            check(&bad);
        }
    }
}

#[test]
fn vectors_of_ccm() {
    check("ccm", Case::check_ccm);
}

#[test]
fn vectors_of_gcm() {
    check("gcm", Case::check_gcm);
}

/// Random messages, in place and apart, sealed by one crate and opened by the other.
fn beside<Ours, Theirs>()
where
    Ours: AeadInOut + KeyInit,
    Theirs: AeadInOut<NonceSize = Ours::NonceSize, TagSize = Ours::TagSize> + KeyInit,
{
    let mut random = Random(38);
    for bytes in (0..70).chain([255, 256, 257, 1504, 4099]) {
        let key = random.bytes(Ours::key_size());
        let (ours, theirs) =
            (Ours::new_from_slice(&key).unwrap(), Theirs::new_from_slice(&key).unwrap());
        let nonce = random.bytes(Nonce::<Ours>::default().len());
        let nonce = nonce.as_slice().try_into().unwrap();
        let ad_bytes = usize::try_from(random.next() % 48).unwrap();
        let (ad, plain) = (random.bytes(ad_bytes), random.bytes(bytes));

        let mut expected = plain.clone();
        let buffer = expected.as_mut_slice().into();
        let expected_tag = theirs.encrypt_inout_detached(nonce, &ad, buffer).unwrap();
        let mut apart = vec![0; bytes];
        let buffer = InOutBuf::new(&plain, &mut apart).unwrap();
        assert_eq!(ours.encrypt_inout_detached(nonce, &ad, buffer).unwrap(), expected_tag);
        let mut in_place = plain.clone();
        let buffer = in_place.as_mut_slice().into();
        assert_eq!(ours.encrypt_inout_detached(nonce, &ad, buffer).unwrap(), expected_tag);
        assert_eq!((&apart, &in_place), (&expected, &expected));

        let buffer = in_place.as_mut_slice().into();
        ours.decrypt_inout_detached(nonce, &ad, buffer, &expected_tag).unwrap();
        assert_eq!(in_place, plain);
    }
}

#[test]
fn random_messages_beside_the_crate_ccm() {
    beside::<Aes128Ccm<U4, U13>, ccm::Ccm<aes::Aes128, U4, U13>>();
    beside::<Aes128Ccm<U6, U12>, ccm::Ccm<aes::Aes128, U6, U12>>();
    beside::<Aes128Ccm<U8, U11>, ccm::Ccm<aes::Aes128, U8, U11>>();
    beside::<Aes192Ccm<U10, U10>, ccm::Ccm<aes::Aes192, U10, U10>>();
    beside::<Aes192Ccm<U12, U9>, ccm::Ccm<aes::Aes192, U12, U9>>();
    beside::<Aes256Ccm<U14, U8>, ccm::Ccm<aes::Aes256, U14, U8>>();
    beside::<Aes256Ccm<U16, U7>, ccm::Ccm<aes::Aes256, U16, U7>>();
}

#[test]
fn random_messages_beside_the_crate_aes_gcm() {
    type Theirs<A, N = U12, T = U16> = aes_gcm::AesGcm<A, N, T>;
    beside::<Aes128Gcm, Theirs<aes::Aes128>>();
    beside::<Aes192Gcm, Theirs<aes::Aes192>>();
    beside::<Aes256Gcm, Theirs<aes::Aes256>>();
    beside::<AesGcm<aesfit::Aes128, U8, U12>, Theirs<aes::Aes128, U8, U12>>();
    beside::<AesGcm<aesfit::Aes256, U16, U13>, Theirs<aes::Aes256, U16, U13>>();
}

/// 64 KiB do not fit a nonce of 13 bytes (SP 800-38C, A.1), and one byte less does.
#[test]
fn a_message_too_long_for_its_nonce_is_refused() {
    let cipher = Aes128Ccm::<U8, U13>::new(&[7; 16].into());
    let nonce = [1; 13].into();
    let mut data = vec![0x5a; 1 << 16];
    assert!(cipher.encrypt_inout_detached(&nonce, b"", data.as_mut_slice().into()).is_err());
    assert!(data.iter().all(|&byte| byte == 0x5a));
    let (shorter, _) = data.split_at_mut(0xffff);
    assert!(cipher.encrypt_inout_detached(&nonce, b"", shorter.into()).is_ok());
}

#[test]
fn debug_shows_no_key() {
    let cipher = Aes128Gcm::new(&[0xab; 16].into());
    assert_eq!(format!("{cipher:?}"), "AesGcm { .. }");
    let cipher = Aes128Ccm::<U8, U13>::from(aesfit::Aes128Enc::new(&[0xab; 16].into()));
    assert_eq!(format!("{cipher:?}"), "AesCcm { .. }");
}
