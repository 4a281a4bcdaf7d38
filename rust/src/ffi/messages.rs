// SPDX-License-Identifier: MIT
//! CCM and GCM of the C library, behind safe functions; the module above says what calls rely on.

use super::facts::{GCM_KEY_BYTES, GHASH_WORDS, KEY_BYTES};
use super::{Key, Words, succeed};
use cipher::InOutBuf;
use core::ffi::{c_int, c_void};
use core::mem::{offset_of, size_of};
use core::ptr::null;

const _: () = assert!(size_of::<GcmKey>() == GCM_KEY_BYTES);
const _: () = assert!(offset_of!(GcmKey, h) == KEY_BYTES);

/// `aesfit_gcm_key` of a bound build.
#[derive(Clone)]
#[repr(C)]
pub struct GcmKey {
    aes: Key,
    h: Words<GHASH_WORDS>,
}

/// A message under an AEAD, without its tag.
pub struct Message<'m, 'inp, 'out> {
    pub nonce: &'m [u8],
    pub ad: &'m [u8],
    pub data: InOutBuf<'inp, 'out, u8>,
}

/// The C library returned an error: a wrong tag, or more data than the nonce allows.
pub struct Refused;

unsafe extern "C" {
    fn aesfit_gcm_expand_key(
        key: *mut GcmKey,
        core: *const c_void,
        ghash: *const c_void,
        raw_key: *const u8,
        key_bytes: usize,
    ) -> c_int;
}

/// Declares a function in C that seals or opens messages, and the safe function over it.
macro_rules! over_c {
    ($(#[$doc:meta])* $safe:ident: $c_name:ident, $key:ty, $tag:ty, $pointer:ty, $as_pointer:ident) => {
        impl $key {
            $(#[$doc])*
            ///
            /// # Errors
            /// The C library refused the message; of decrypted data nothing is left.
            pub fn $safe(&self, message: Message<'_, '_, '_>, tag: $tag) -> Result<(), Refused> {
                unsafe extern "C" {
                    fn $c_name(
                        key: *const $key,
                        nonce: *const u8,
                        nonce_bytes: usize,
                        ad: *const u8,
                        ad_bytes: usize,
                        out: *mut u8,
                        input: *const u8,
                        bytes: usize,
                        tag: $pointer,
                        tag_bytes: usize,
                    ) -> c_int;
                }
                let Message { nonce, ad, data } = message;
                let bytes = data.len();
                let (input, out) = data.into_raw();
                // SAFETY: every pointer goes with the length of its slice; input and output have
                // the same, and are equal or disjoint.
                let status = unsafe {
                    $c_name(
                        self,
                        nonce.as_ptr(),
                        nonce.len(),
                        ad.as_ptr(),
                        ad.len(),
                        out,
                        input,
                        bytes,
                        tag.$as_pointer(),
                        tag.len(),
                    )
                };
                if status == 0 { Ok(()) } else { Err(Refused) }
            }
        }
    };
}

over_c!(
    /// Encrypts a message by CCM and writes its tag.
    ccm_encrypt: aesfit_ccm_encrypt, Key, &mut [u8], *mut u8, as_mut_ptr
);
over_c!(
    /// Decrypts a message by CCM if its tag is right; if not, the output is zero.
    ccm_decrypt: aesfit_ccm_decrypt, Key, &[u8], *const u8, as_ptr
);
over_c!(
    /// Encrypts a message by GCM and writes its tag.
    encrypt: aesfit_gcm_encrypt, GcmKey, &mut [u8], *mut u8, as_mut_ptr
);
over_c!(
    /// Decrypts a message by GCM if its tag is right; if not, the output is zero.
    decrypt: aesfit_gcm_decrypt, GcmKey, &[u8], *const u8, as_ptr
);

impl GcmKey {
    /// Expands a key of 16, 24 or 32 bytes, which the features allow.
    pub fn expand(raw: &[u8]) -> Self {
        let mut key = Self { aes: Key::EMPTY, h: Words([0; GHASH_WORDS]) };
        // SAFETY: C writes within the context and reads the slice; a bound build ignores core and
        // multiplier.
        succeed(unsafe {
            aesfit_gcm_expand_key(&raw mut key, null(), null(), raw.as_ptr(), raw.len())
        });
        key.clone() // as in Key::expand
    }
}
