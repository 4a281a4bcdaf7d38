/* SPDX-License-Identifier: MIT */
/* memcpy, memset and memmove of a small firmware: words where both ends are aligned, otherwise
 * bytes. What nobody calls is not linked; gcc makes memmove of some loops for x86. */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) memory_word;

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes)
{
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
            *(memory_word *)(void *)t = *(const memory_word *)(const void *)f;
    }
    for (; bytes > 0; bytes--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int byte, size_t bytes)
{
    uint8_t *t = (uint8_t *)to;
    uint32_t word = (uint8_t)byte * UINT32_C(0x01010101);
    if (((uintptr_t)t & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, t += 4)
            *(memory_word *)(void *)t = word;
    }
    for (; bytes > 0; bytes--)
        *t++ = (uint8_t)byte;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    if ((uintptr_t)t - (uintptr_t)f >= bytes) /* forwards unless `to` lies within `from` */
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        t[bytes] = f[bytes];
    return to;
}
