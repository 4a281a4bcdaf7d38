/* SPDX-License-Identifier: MIT */
/* GHASH under interrupts before every instruction: GCM messages sealed and opened with the answers
 * of undisturbed calls.  The build says at how many addresses within a word (-DPLACES=...), and by
 * how many instructions the first interrupt comes later each time (-DSTEP=1). */
#include "fitaes.h"
#include "harness.h"

enum { BYTES = 80, AD_BYTES = 37, TAG = 16 };

typedef struct {
    fitaes_gcm_key key;
    uint8_t nonce[12];
    uint8_t ad[AD_BYTES];
} message;

/* Test case 4 of McGrew and Viega, The Galois/Counter Mode of Operation (GCM), appendix B. */
static const uint8_t secret[16] = {0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c,
                                   0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
static const uint8_t nonce[12] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce,
                                  0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};
static const uint8_t ad[20] = {0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed,
                               0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xab, 0xad, 0xda, 0xd2};
static const uint8_t plain[60] = {
    0xd9, 0x31, 0x32, 0x25, 0xf8, 0x84, 0x06, 0xe5, 0xa5, 0x59, 0x09, 0xc5, 0xaf, 0xf5, 0x26,
    0x9a, 0x86, 0xa7, 0xa9, 0x53, 0x15, 0x34, 0xf7, 0xda, 0x2e, 0x4c, 0x30, 0x3d, 0x8a, 0x31,
    0x8a, 0x72, 0x1c, 0x3c, 0x0c, 0x95, 0x95, 0x68, 0x09, 0x53, 0x2f, 0xcf, 0x0e, 0x24, 0x49,
    0xa6, 0xb5, 0x25, 0xb1, 0x6a, 0xed, 0xf5, 0xaa, 0x0d, 0xe6, 0x57, 0xba, 0x63, 0x7b, 0x39};
static const uint8_t known[TAG] = {0x5b, 0xc9, 0x4f, 0xbc, 0x32, 0x21, 0xa5, 0xdb,
                                   0x94, 0xfa, 0xe9, 0x5a, 0xe7, 0x12, 0x1a, 0x47};

static int published_tag_comes_out(const fitaes_gcm_key *key)
{
    uint8_t text[sizeof plain], tag[TAG];
    fitaes_gcm_encrypt(key, nonce, sizeof nonce, ad, sizeof ad, text, plain, sizeof plain, tag,
                       TAG);
    return equal(tag, known, TAG);
}

static void fill(uint8_t *text, size_t bytes, unsigned round)
{
    for (unsigned i = 0; i < bytes; i++)
        text[i] = (uint8_t)(i * round + (i >> 3));
}

static void sealed(const message *m, uint8_t *text, uint8_t *tag)
{
    fitaes_gcm_encrypt(&m->key, m->nonce, sizeof m->nonce, m->ad, AD_BYTES, text, text, BYTES, tag,
                       TAG);
}

/* Seals in place, interrupted; how many interrupts came inside. */
static unsigned sealed_disturbed(const message *m, uint8_t *text, uint8_t *tag, unsigned first)
{
    unsigned before = inside();
    disturb_begin(first);
    sealed(m, text, tag);
    disturb_end();
    return inside() - before;
}

static unsigned opened_disturbed(const message *m, uint8_t *text, const uint8_t *tag, int *status,
                                 unsigned first)
{
    unsigned before = inside();
    disturb_begin(first);
    *status = fitaes_gcm_decrypt(&m->key, m->nonce, sizeof m->nonce, m->ad, AD_BYTES, text, text,
                                 BYTES, tag, TAG);
    disturb_end();
    return inside() - before;
}

/* Interrupts inside encryption and decryption. */
static unsigned came[2];

static int message_is_right(const message *m, uint8_t *text, unsigned place, unsigned first)
{
    static uint8_t start[BYTES], undisturbed[BYTES], tag[TAG], wanted[TAG];
    int status;
    fill(start, BYTES, place);
    fill(undisturbed, BYTES, place);
    fill(text, BYTES, place);
    sealed(m, undisturbed, wanted);
    came[0] += sealed_disturbed(m, text, tag, first);
    if (!equal(text, undisturbed, BYTES) || !equal(tag, wanted, TAG))
        return 0;
    came[1] += opened_disturbed(m, text, wanted, &status, first);
    return status == FITAES_OK && equal(text, start, BYTES);
}

int main(void)
{
    static uint8_t room[BYTES + 3];
    static message m;
    fitaes_gcm_expand_key(&m.key, NULL, NULL, secret, sizeof secret);
    if (!published_tag_comes_out(&m.key))
        return 4;
    fill(m.nonce, sizeof m.nonce, 3);
    fill(m.ad, AD_BYTES, 5);
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned first = 1; first <= PERIOD; first += STEP)
            if (!message_is_right(&m, room + place, place, first))
                return 1;
    print("interrupts inside encryption\n", came[0]);
    print("interrupts inside decryption\n", came[1]);
    print_addresses();
    return came[0] > 0 && came[1] > 0 ? 0 : 2;
}
