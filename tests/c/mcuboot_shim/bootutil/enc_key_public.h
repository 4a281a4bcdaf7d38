/* SPDX-License-Identifier: MIT */
/* What the interface reads of MCUboot's header of this name: bytes of an image's key, which are 32
 * with MCUBOOT_AES_256. */
#define BOOT_ENC_KEY_SIZE 16
