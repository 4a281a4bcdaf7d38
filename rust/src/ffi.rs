// SPDX-License-Identifier: MIT
//! The C library: its contexts, and its functions behind safe ones.
//!
//! What the calls below rely on (lib/include/aesfit.h):
//! - contexts have the C library's layout: both compilers check the same numbers;
//! - pointers come from references and slices that outlive the call, and no C function keeps one;
//! - what C writes comes from a unique borrow, so it overlaps nothing else; an `InOutBuf` promises
//!   that input and output are the same bytes or disjoint, which the C library allows.
#![allow(unsafe_code)]

use cipher::InOut;
use cipher::array::Array;
use cipher::consts::U16;
use core::ffi::{c_int, c_uint, c_void};
use core::mem::{offset_of, size_of};
use core::ptr::null;

#[cfg(feature = "aead")]
mod messages;
#[cfg(feature = "aead")]
pub use messages::{GcmKey, Message};

/// What build.rs found out about the C.
#[allow(dead_code)] // without the feature `aead` some are
mod facts {
    include!(concat!(env!("OUT_DIR"), "/facts.rs"));
}
pub use facts::{CORE, Lanes};
use facts::{KEY_BYTES, KEY_WORDS, SCHEDULE_AT};

const _: () = assert!(size_of::<Key>() == KEY_BYTES);
const _: () = assert!(offset_of!(Key, schedule) == SCHEDULE_AT);

/// Words of a key, aligned as `AESFIT_ALIGNED` says; wiped when dropped.
#[derive(Clone)]
#[repr(C)]
#[cfg_attr(any(target_arch = "x86", target_arch = "x86_64"), repr(align(16)))]
pub struct Words<const N: usize>([u32; N]);

impl<const N: usize> Drop for Words<N> {
    fn drop(&mut self) {
        // SAFETY: C writes exactly the array, which is uniquely borrowed.
        unsafe { aesfit_wipe(self.0.as_mut_ptr().cast(), size_of::<[u32; N]>()) }
    }
}

/// `aesfit_key` of a bound build.
#[derive(Clone)]
#[repr(C)]
#[allow(clippy::struct_field_names)] // the names of the C library
pub struct Key {
    rounds: u8,
    key_words: u8,
    directions: u8,
    features: u8,
    schedule: Words<KEY_WORDS>,
}

/// One block, or as many as the core works on at once.
///
/// # Safety
/// The type is whole blocks of bytes and nothing else.
pub unsafe trait Blocks {}
// SAFETY: an array of 16 bytes is a block.
unsafe impl Blocks for Array<u8, U16> {}
// SAFETY: an array of blocks has nothing between them.
unsafe impl Blocks for Array<Array<u8, U16>, Lanes> {}

/// `AESFIT_ENCRYPT` and so on: the directions that a key is expanded for.
pub const ENCRYPT: c_uint = 1;
pub const DECRYPT: c_uint = 2;
pub const BOTH: c_uint = 3;

unsafe extern "C" {
    fn aesfit_wipe(memory: *mut c_void, bytes: usize);
    fn aesfit_expand_key(
        key: *mut Key,
        core: *const c_void,
        raw_key: *const u8,
        key_bytes: usize,
        directions: c_uint,
    ) -> c_int;
    fn aesfit_ecb_encrypt(key: *const Key, out: *mut u8, input: *const u8, bytes: usize) -> c_int;
    fn aesfit_ecb_decrypt(key: *const Key, out: *mut u8, input: *const u8, bytes: usize) -> c_int;
}

/// A call must succeed: its arguments are right by their types.
///
/// # Panics
/// If it did not, for what `out` holds then is no ciphertext.
fn succeed(status: c_int) {
    assert!(status == 0, "aesfit: the C library refused a call that it must take");
}

impl Key {
    const EMPTY: Self = Self {
        rounds: 0,
        key_words: 0,
        directions: 0,
        features: 0,
        schedule: Words([0; KEY_WORDS]),
    };

    /// Expands a key of 16, 24 or 32 bytes, which the features allow.
    pub fn expand(raw: &[u8], directions: c_uint) -> Self {
        let mut key = Self::EMPTY;
        // SAFETY: C writes within the context and reads the slice; a bound build ignores the core.
        succeed(unsafe {
            aesfit_expand_key(&raw mut key, null(), raw.as_ptr(), raw.len(), directions)
        });
        key.clone() // a move would leave the bytes here; now they are wiped
    }

    /// Encrypts blocks, by a key that was expanded for it.
    #[inline]
    pub fn encrypt<T: Blocks>(&self, blocks: InOut<'_, '_, T>) {
        let (input, out) = blocks.into_raw();
        // SAFETY: both point to as many bytes as a `T` has, equal or disjoint.
        succeed(unsafe { aesfit_ecb_encrypt(self, out.cast(), input.cast(), size_of::<T>()) });
    }

    /// Decrypts blocks, by a key that was expanded for it.
    #[inline]
    pub fn decrypt<T: Blocks>(&self, blocks: InOut<'_, '_, T>) {
        let (input, out) = blocks.into_raw();
        // SAFETY: both point to as many bytes as a `T` has, equal or disjoint.
        succeed(unsafe { aesfit_ecb_decrypt(self, out.cast(), input.cast(), size_of::<T>()) });
    }
}

#[cfg(test)]
mod tests {
    use super::{BOTH, Key};
    use core::mem::ManuallyDrop;

    /// By the C library's own function, which is what `Words` calls.
    #[test]
    fn a_dropped_key_is_wiped() {
        let mut key = ManuallyDrop::new(Key::expand(&[7; 16], BOTH));
        let words = &raw const key.schedule.0;
        // SAFETY: the memory lives to the end of the test, and holds plain numbers at any time.
        unsafe {
            assert!(words.read_volatile().iter().any(|&word| word != 0));
            ManuallyDrop::drop(&mut key);
            assert!(words.read_volatile().iter().all(|&word| word == 0));
        }
    }
}
