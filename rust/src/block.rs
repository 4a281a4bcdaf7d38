// SPDX-License-Identifier: MIT
//! The block cipher behind the traits of `cipher` (FIPS 197).

use crate::ffi::{BOTH, DECRYPT, ENCRYPT, Key, Lanes};
use cipher::consts::U16;
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;

/// The types of this crate that encrypt blocks: the first parameter of `AesCcm` and `AesGcm`.
pub trait Encrypts: BlockCipherEncrypt + KeyInit + sealed::Keyed {}

pub(crate) mod sealed {
    /// What an implementation outside this crate cannot have.
    pub trait Keyed {
        /// The expanded key.
        fn key(&self) -> &crate::ffi::Key;
    }
}

/// Blocks under an expanded key, as many at once as the core works on.
struct Backend<'key>(&'key Key);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = Lanes;
}

impl BlockCipherEncBackend for Backend<'_> {
    #[inline]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.0.encrypt(block);
    }

    #[inline]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.encrypt(blocks);
    }
}

impl BlockCipherDecBackend for Backend<'_> {
    #[inline]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.0.decrypt(block);
    }

    #[inline]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.decrypt(blocks);
    }
}

macro_rules! common {
    ($name:ident, $key_size:ty, $directions:expr) => {
        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl KeyInit for $name {
            #[inline]
            fn new(key: &cipher::Key<Self>) -> Self {
                Self(Key::expand(key, $directions))
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = U16;
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        /// Without the key.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}
    };
}

macro_rules! encrypts {
    ($name:ident) => {
        impl BlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
                f.call(&Backend(&self.0));
            }
        }

        impl Encrypts for $name {}

        impl sealed::Keyed for $name {
            #[inline]
            fn key(&self) -> &Key {
                &self.0
            }
        }
    };
}

macro_rules! decrypts {
    ($name:ident) => {
        impl BlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
                f.call(&Backend(&self.0));
            }
        }
    };
}

macro_rules! aes {
    ($bits:literal, $key_size:ty, $feature:literal, $both:ident, $enc:ident, $dec:ident) => {
        #[doc = concat!("AES with a ", $bits, "-bit key.")]
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $both(Key);

        #[doc = concat!("AES with a ", $bits, "-bit key, for encryption alone.")]
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $enc(Key);

        #[doc = concat!("AES with a ", $bits, "-bit key, for decryption alone.")]
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $dec(Key);

        #[cfg(feature = $feature)]
        const _: () = {
            common!($both, $key_size, BOTH);
            common!($enc, $key_size, ENCRYPT);
            common!($dec, $key_size, DECRYPT);
            encrypts!($both);
            encrypts!($enc);
            decrypts!($both);
            decrypts!($dec);
        };
    };
}

aes!("128", U16, "aes128", Aes128, Aes128Enc, Aes128Dec);
aes!("192", cipher::consts::U24, "aes192", Aes192, Aes192Enc, Aes192Dec);
aes!("256", cipher::consts::U32, "aes256", Aes256, Aes256Enc, Aes256Dec);
