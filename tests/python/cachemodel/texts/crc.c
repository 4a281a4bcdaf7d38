/* SPDX-License-Identifier: MIT */
/* CRC-32 of whole groups of 8 bytes by eight tables (Kounavis and Berry, A Systematic Approach to
 * Building High Performance Software-based CRC Generators, 2005). */
#include <stdint.h>

#include "tables.h" /* crc_words[8][256]: of a byte with 0 to 7 zero bytes behind it */

uint32_t crc_slice8(uint32_t crc, const uint8_t *in, uint32_t bytes);

uint32_t crc_slice8(uint32_t crc, const uint8_t *in, uint32_t bytes)
{
    const uint32_t *words = (const uint32_t *)(const void *)in;
    for (; bytes >= 8; bytes -= 8) {
        const uint32_t a = *words++ ^ crc, b = *words++;
        crc = crc_words[7][a & 255] ^ crc_words[6][a >> 8 & 255] ^ crc_words[5][a >> 16 & 255] ^
              crc_words[4][a >> 24] ^ crc_words[3][b & 255] ^ crc_words[2][b >> 8 & 255] ^
              crc_words[1][b >> 16 & 255] ^ crc_words[0][b >> 24];
    }
    return crc;
}
