/* SPDX-License-Identifier: MIT */
/* The registers of aes32_axil, made by tools/make_register_map.py from rtl/aes32_axil.toml.
 * Offsets are in bytes, from the base. */
#ifndef AES32_AXIL_REGISTERS_H
#define AES32_AXIL_REGISTERS_H

/* words that DATA takes ahead of the core, and words of results that wait: two blocks each */
#define AES32_AXIL_FIFO_WORDS 8u

/* constant: the letters "AES3", the first in the highest byte */
#define AES32_AXIL_ID 0x00u
#define AES32_AXIL_ID_RESET 0x41455333u

/* constant: version of this map; a driver works with every core of the same major version */
#define AES32_AXIL_VERSION 0x04u
#define AES32_AXIL_VERSION_RESET 0x00020100u
/* changes when a driver for the version before no longer works */
#define AES32_AXIL_VERSION_MAJOR 0xffff0000u
#define AES32_AXIL_VERSION_MAJOR_SHIFT 16
/* changes when something is added */
#define AES32_AXIL_VERSION_MINOR 0x0000ff00u
#define AES32_AXIL_VERSION_MINOR_SHIFT 8
/* changes when a fault is mended */
#define AES32_AXIL_VERSION_PATCH 0x000000ffu
#define AES32_AXIL_VERSION_PATCH_SHIFT 0

/* both: what the next key and the next block are; other bits are ignored and read 0 */
#define AES32_AXIL_CONTROL 0x08u
#define AES32_AXIL_CONTROL_RESET 0x00000000u
/* 1: blocks are decrypted; sampled with each block's first word */
#define AES32_AXIL_CONTROL_DECRYPT 0x00000001u
/* 0, 1, 2: keys have 128, 192, 256 bits; sampled with each key's first word; 3 is refused */
#define AES32_AXIL_CONTROL_KEY_SIZE 0x00000006u
#define AES32_AXIL_CONTROL_KEY_SIZE_SHIFT 1
/* drops the key and all blocks, and writes zeros over every round key, state and waiting word */
#define AES32_AXIL_CONTROL_ERASE 0x00000008u
/* 1: the port irq is high while RESULT has a block */
#define AES32_AXIL_CONTROL_INTERRUPT 0x00000010u

/* both: what can be done now; only bits of access "clear" can be written */
#define AES32_AXIL_STATUS 0x0cu
#define AES32_AXIL_STATUS_RESET 0x00000004u
/* KEY takes a word: no block is in work, no key is in expansion, and erasing is complete */
#define AES32_AXIL_STATUS_KEY_READY 0x00000001u
/* all words of a key were written; the key may still be in expansion */
#define AES32_AXIL_STATUS_KEYED 0x00000002u
/* erasing is not complete; so it is after a reset too, for 66 cycles */
#define AES32_AXIL_STATUS_ERASING 0x00000004u
/* an access was answered with SLVERR or DECERR */
#define AES32_AXIL_STATUS_REFUSED 0x00000008u
/* words that DATA takes, 0 to 8; 0 without a key */
#define AES32_AXIL_STATUS_DATA_SPACE 0x00000f00u
#define AES32_AXIL_STATUS_DATA_SPACE_SHIFT 8
/* words that can be read from RESULT, 0 to 8 */
#define AES32_AXIL_STATUS_RESULT_WORDS 0x000f0000u
#define AES32_AXIL_STATUS_RESULT_WORDS_SHIFT 16

/* write: next word of the key: 4, 6 or 8 words; refused unless KEY_READY is 1 */
#define AES32_AXIL_KEY 0x10u

/* write: next word of a block: 4 words; refused while DATA_SPACE is 0 */
#define AES32_AXIL_DATA 0x14u

/* read: next word of a result: 4 words a block, in the order of the blocks; refused while
 * RESULT_WORDS is 0 */
#define AES32_AXIL_RESULT 0x18u

#endif
