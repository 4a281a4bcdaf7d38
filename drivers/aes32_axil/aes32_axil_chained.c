/* SPDX-License-Identifier: MIT */
/* Driver of aes32_axil: modes in which a block waits for the one before it, CBC encryption and CCM.
 * Source of CCM: NIST SP 800-38C, 6.1, 6.2 and appendix A. */
#include "aes32_axil_access.h"

AES32_AXIL_NOINLINE static int cbc_encrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                                           const uint8_t *in, size_t blocks)
{
    aes32_axil_words chain = aes32_axil_load(iv);
    int status = aes32_axil_begin(device, 0);
    for (; status == AES32_AXIL_OK && blocks > 0; blocks--) {
        aes32_axil_put_block(device, aes32_axil_xor(chain, aes32_axil_load(in)));
        status = aes32_axil_wait_results(device, AES32_AXIL_BLOCK_WORDS);
        if (status != AES32_AXIL_OK)
            return status;
        chain = aes32_axil_get_block(device);
        aes32_axil_store(out, chain);
        in += AES32_AXIL_BLOCK;
        out += AES32_AXIL_BLOCK;
    }
    if (status == AES32_AXIL_OK)
        status = aes32_axil_end(device);
    if (status == AES32_AXIL_OK)
        aes32_axil_store(iv, chain);
    return status;
}

int aes32_axil_cbc_encrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t blocks)
{
    if (iv == NULL || (blocks > 0 && (out == NULL || in == NULL)) ||
        blocks > SIZE_MAX / AES32_AXIL_BLOCK)
        return AES32_AXIL_ERR_ARGUMENT;
    int status = cbc_encrypt(device, iv, out, in, blocks);
    return aes32_axil_leave(status, out, AES32_AXIL_BLOCK * blocks);
}

enum { MAC = 1, STREAM = 2 };

/* A packet of CCM: the core does a block of the MAC and one of the key stream at once. */
typedef struct packet {
    const aes32_axil *device;
    aes32_axil_words mac;    /* X of CBC-MAC */
    aes32_axil_words stream; /* of the next block of text */
    aes32_axil_words counter;
    int status;
    unsigned waits; /* MAC, STREAM: what the core works on, in this order */
} packet;

/* X := E(X ^ block) begins. */
static void start_mac(packet *p, aes32_axil_words block)
{
    p->waits = MAC;
    if (p->status == AES32_AXIL_OK)
        aes32_axil_put_block(p->device, aes32_axil_xor(p->mac, block));
}

/* The next block of key stream begins, too. */
static void start_stream(packet *p)
{
    p->waits |= STREAM;
    if (p->status == AES32_AXIL_OK)
        aes32_axil_put_block(p->device, p->counter);
    aes32_axil_count(&p->counter);
}

static void finish(packet *p)
{
    uint32_t blocks = p->waits == (MAC | STREAM) ? 2 : 1;
    if (p->status == AES32_AXIL_OK)
        p->status = aes32_axil_wait_results(p->device, AES32_AXIL_BLOCK_WORDS * blocks);
    if (p->status == AES32_AXIL_OK && (p->waits & MAC))
        p->mac = aes32_axil_get_block(p->device);
    if (p->status == AES32_AXIL_OK && (p->waits & STREAM))
        p->stream = aes32_axil_get_block(p->device);
    p->waits = 0;
}

/* Two bytes of length, the data, zeros (A.2.2). */
static void authenticate(packet *p, const uint8_t *ad, size_t bytes)
{
    uint8_t block[16] = {(uint8_t)(bytes >> 8), (uint8_t)bytes};
    for (size_t used = 2; bytes > 0; used = 0) {
        size_t more = bytes < sizeof block - used ? bytes : sizeof block - used;
        memcpy(block + used, ad, more);
        ad += more;
        bytes -= more;
        start_mac(p, aes32_axil_load(block));
        finish(p);
        memset(block, 0, sizeof block);
    }
}

/* 1 to 16 bytes of text; the key stream for the next block of it comes with their MAC. */
static void crypt_block(packet *p, int decrypt, uint8_t *out, const uint8_t *in, size_t bytes,
                        int more)
{
    int whole = bytes == AES32_AXIL_BLOCK;
    aes32_axil_words text = whole ? aes32_axil_load(in) : aes32_axil_load_bytes(in, bytes);
    aes32_axil_words other = aes32_axil_xor(text, p->stream);
    if (!whole) { /* zeros behind the text for the MAC */
        uint8_t part[AES32_AXIL_BLOCK];
        aes32_axil_store_bytes(part, other, bytes);
        other = aes32_axil_load_bytes(part, bytes);
    }
    start_mac(p, decrypt ? other : text);
    if (more)
        start_stream(p);
    if (whole) /* while the core works */
        aes32_axil_store(out, other);
    else
        aes32_axil_store_bytes(out, other, bytes);
    finish(p);
}

/* Nonce and lengths as A.2.1 and A.3 format them. */
static aes32_axil_words format(unsigned flags, const uint8_t *nonce, size_t nonce_bytes,
                               size_t length)
{
    uint8_t block[AES32_AXIL_BLOCK];
    block[0] = (uint8_t)(flags | (AES32_AXIL_BLOCK - 2 - nonce_bytes));
    memcpy(block + 1, nonce, nonce_bytes);
    for (size_t i = AES32_AXIL_BLOCK - 1; i > nonce_bytes; i--, length >>= 8)
        block[i] = (uint8_t)length;
    return aes32_axil_load(block);
}

typedef struct lengths {
    size_t nonce, ad, text, tag;
} lengths;

static int possible(lengths n)
{
    size_t field = AES32_AXIL_BLOCK - 1 - n.nonce; /* bytes of the text's length */
    return n.nonce >= 7 && n.nonce <= 13 && n.tag >= 4 && n.tag <= 16 && n.tag % 2 == 0 &&
           n.ad < 0xff00 && (field >= sizeof n.text || n.text >> 8 * field == 0);
}

/* Text and tag; `tag` has 16 bytes.  No text is written if the core cannot begin, and no more of
 * it once the core fails, since there is no further key stream. */
static int crypt_packet(const aes32_axil *device, int decrypt, lengths n, const uint8_t *nonce,
                        const uint8_t *ad, uint8_t *out, const uint8_t *in, uint8_t tag[16])
{
    packet p = {.device = device, .status = aes32_axil_begin(device, 0)};
    unsigned flags = (n.ad > 0 ? 0x40u : 0u) | (unsigned)(n.tag - 2) / 2 << 3;
    p.counter = format(0, nonce, n.nonce, 0);
    start_mac(&p, format(flags, nonce, n.nonce, n.text));
    start_stream(&p);
    finish(&p);
    aes32_axil_words mask = p.stream; /* of the tag */
    if (n.ad > 0)
        authenticate(&p, ad, n.ad);
    if (n.text > 0) {
        start_stream(&p);
        finish(&p);
    }
    for (size_t left = n.text; left > 0 && p.status == AES32_AXIL_OK;) {
        size_t bytes = left < AES32_AXIL_BLOCK ? left : AES32_AXIL_BLOCK;
        left -= bytes;
        crypt_block(&p, decrypt, out, in, bytes, left > 0);
        in += bytes;
        out += bytes;
    }
    aes32_axil_store(tag, aes32_axil_xor(p.mac, mask));
    return p.status == AES32_AXIL_OK ? aes32_axil_end(device) : p.status;
}

AES32_AXIL_NOINLINE static int seal(const aes32_axil *device, lengths n, const uint8_t *nonce,
                                    const uint8_t *ad, uint8_t *out, const uint8_t *in,
                                    uint8_t *tag)
{
    uint8_t whole[16];
    int status = crypt_packet(device, 0, n, nonce, ad, out, in, whole);
    if (status == AES32_AXIL_OK)
        memcpy(tag, whole, n.tag);
    return status;
}

AES32_AXIL_NOINLINE static int unseal(const aes32_axil *device, lengths n, const uint8_t *nonce,
                                      const uint8_t *ad, uint8_t *out, const uint8_t *in,
                                      const uint8_t *tag)
{
    uint8_t whole[16], differences = 0;
    int status = crypt_packet(device, 1, n, nonce, ad, out, in, whole);
    for (size_t i = 0; i < n.tag; i++) /* as long for every tag */
        differences |= (uint8_t)(whole[i] ^ tag[i]);
    return status == AES32_AXIL_OK && differences != 0 ? AES32_AXIL_ERR_AUTHENTICATION : status;
}

static int texts(const void *out, const void *in, size_t bytes)
{
    return bytes == 0 || (out != NULL && in != NULL);
}

int aes32_axil_ccm_encrypt(const aes32_axil *device, const uint8_t *nonce, size_t nonce_bytes,
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    lengths n = {nonce_bytes, ad_bytes, bytes, tag_bytes};
    if (nonce == NULL || tag == NULL || !texts(out, in, bytes) || !texts(ad, ad, ad_bytes) ||
        !possible(n))
        return AES32_AXIL_ERR_ARGUMENT;
    return aes32_axil_leave(seal(device, n, nonce, ad, out, in, tag), out, bytes);
}

int aes32_axil_ccm_decrypt(const aes32_axil *device, const uint8_t *nonce, size_t nonce_bytes,
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    lengths n = {nonce_bytes, ad_bytes, bytes, tag_bytes};
    if (nonce == NULL || tag == NULL || !texts(out, in, bytes) || !texts(ad, ad, ad_bytes) ||
        !possible(n))
        return AES32_AXIL_ERR_ARGUMENT;
    return aes32_axil_leave(unseal(device, n, nonce, ad, out, in, tag), out, bytes);
}
