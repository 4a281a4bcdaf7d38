// SPDX-License-Identifier: MIT
//! AES-GCM behind the traits of `aead` (NIST SP 800-38D).

use crate::block::Encrypts;
use crate::ffi::{GcmKey, Message};
use aead::array::ArraySize;
use aead::consts::{U12, U13, U14, U15, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::typenum::NonZero;
use core::fmt;
use core::marker::PhantomData;

/// Sizes in bytes that a tag of GCM may have: 12 to 16.
pub trait TagSize: ArraySize + sealed::OfTag {}
impl<T: ArraySize + sealed::OfTag> TagSize for T {}

mod sealed {
    use super::{U12, U13, U14, U15, U16};

    pub trait OfTag {}
    impl OfTag for U12 {}
    impl OfTag for U13 {}
    impl OfTag for U14 {}
    impl OfTag for U15 {}
    impl OfTag for U16 {}
}

/// AES-GCM over `A`, with nonces of `N` bytes (best 12) and tags of `T`: the parameters of the crate
/// `aes-gcm`.
///
/// GHASH is the C library's `shift32`: shifts and masks, constant-time on every processor.
pub struct AesGcm<A, N = U12, T = U16> {
    key: GcmKey,
    sizes: PhantomData<(A, N, T)>,
}

/// AES-GCM with a 128-bit key and a 96-bit nonce.
#[cfg(feature = "aes128")]
pub type Aes128Gcm = AesGcm<crate::Aes128Enc>;
/// AES-GCM with a 192-bit key and a 96-bit nonce.
#[cfg(feature = "aes192")]
pub type Aes192Gcm = AesGcm<crate::Aes192Enc>;
/// AES-GCM with a 256-bit key and a 96-bit nonce.
#[cfg(feature = "aes256")]
pub type Aes256Gcm = AesGcm<crate::Aes256Enc>;

impl<A, N, T> Clone for AesGcm<A, N, T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), sizes: PhantomData }
    }
}

impl<A: Encrypts, N, T> KeySizeUser for AesGcm<A, N, T> {
    type KeySize = A::KeySize;
}

impl<A: Encrypts, N, T> KeyInit for AesGcm<A, N, T> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self { key: GcmKey::expand(key), sizes: PhantomData }
    }
}

impl<A, N: ArraySize + NonZero, T: TagSize> AeadCore for AesGcm<A, N, T> {
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<A, N: ArraySize + NonZero, T: TagSize> AeadInOut for AesGcm<A, N, T> {
    /// # Errors
    /// The message is longer than `2^36 - 32` bytes; its buffer is as it was.
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let mut tag = Tag::<Self>::default();
        let message = Message { nonce, ad: associated_data, data: buffer };
        self.key.encrypt(message, &mut tag).map_err(|_| Error)?;
        Ok(tag)
    }

    /// # Errors
    /// The tag is wrong, and the output is zero; or the message is longer than `2^36 - 32` bytes.
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let message = Message { nonce, ad: associated_data, data: buffer };
        self.key.decrypt(message, tag).map_err(|_| Error)
    }
}

/// Without the key.
impl<A, N, T> fmt::Debug for AesGcm<A, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AesGcm").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<A, N, T> zeroize::ZeroizeOnDrop for AesGcm<A, N, T> {}
