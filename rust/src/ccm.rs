// SPDX-License-Identifier: MIT
//! AES-CCM behind the traits of `aead` (NIST SP 800-38C, RFC 3610).

use crate::block::Encrypts;
use crate::ffi::Message;
use aead::array::ArraySize;
use aead::consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use core::fmt;
use core::marker::PhantomData;

/// Sizes in bytes that a tag of CCM may have: 4, 6, 8, 10, 12, 14 and 16.
pub trait TagSize: ArraySize + sealed::OfTag {}
impl<T: ArraySize + sealed::OfTag> TagSize for T {}

/// Sizes in bytes that a nonce of CCM may have: 7 to 13.
///
/// A message is shorter than `2^(8 (15 - size))` bytes: 64 KiB with 13 bytes, 16 MiB with 12.
pub trait NonceSize: ArraySize + sealed::OfNonce {}
impl<T: ArraySize + sealed::OfNonce> NonceSize for T {}

mod sealed {
    pub trait OfTag {}
    pub trait OfNonce {}
}

macro_rules! sizes {
    ($of:ident: $($size:ty),*) => { $(impl sealed::$of for $size {})* };
}
sizes!(OfTag: U4, U6, U8, U10, U12, U14, U16);
sizes!(OfNonce: U7, U8, U9, U10, U11, U12, U13);

/// AES-CCM over `A`, with tags of `M` and nonces of `N` bytes: the parameters of the crate `ccm`.
///
/// The C library takes the next counter block through the core together with the block of the MAC,
/// so that a core of two lanes needs the time of one block where CCM over block calls needs two.
#[derive(Clone)]
pub struct AesCcm<A, M, N> {
    cipher: A,
    sizes: PhantomData<(M, N)>,
}

/// AES-CCM with a 128-bit key.
#[cfg(feature = "aes128")]
pub type Aes128Ccm<M, N> = AesCcm<crate::Aes128Enc, M, N>;
/// AES-CCM with a 192-bit key.
#[cfg(feature = "aes192")]
pub type Aes192Ccm<M, N> = AesCcm<crate::Aes192Enc, M, N>;
/// AES-CCM with a 256-bit key.
#[cfg(feature = "aes256")]
pub type Aes256Ccm<M, N> = AesCcm<crate::Aes256Enc, M, N>;

impl<A: Encrypts, M: TagSize, N: NonceSize> From<A> for AesCcm<A, M, N> {
    #[inline]
    fn from(cipher: A) -> Self {
        Self { cipher, sizes: PhantomData }
    }
}

impl<A: Encrypts, M, N> KeySizeUser for AesCcm<A, M, N> {
    type KeySize = A::KeySize;
}

impl<A: Encrypts, M: TagSize, N: NonceSize> KeyInit for AesCcm<A, M, N> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::from(A::new(key))
    }
}

impl<A, M: TagSize, N: NonceSize> AeadCore for AesCcm<A, M, N> {
    type NonceSize = N;
    type TagSize = M;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<A: Encrypts, M: TagSize, N: NonceSize> AeadInOut for AesCcm<A, M, N> {
    /// # Errors
    /// The message is too long for the nonce; its buffer is as it was.
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let mut tag = Tag::<Self>::default();
        let message = Message { nonce, ad: associated_data, data: buffer };
        self.cipher.key().ccm_encrypt(message, &mut tag).map_err(|_| Error)?;
        Ok(tag)
    }

    /// # Errors
    /// The tag is wrong, and the output is zero; or the message is too long for the nonce.
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let message = Message { nonce, ad: associated_data, data: buffer };
        self.cipher.key().ccm_decrypt(message, tag).map_err(|_| Error)
    }
}

/// Without the key.
impl<A, M, N> fmt::Debug for AesCcm<A, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AesCcm").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<A: zeroize::ZeroizeOnDrop, M, N> zeroize::ZeroizeOnDrop for AesCcm<A, M, N> {}
