/* SPDX-License-Identifier: MIT */
/* CCMP: the standard's test vector over every core; every kind of header against associated data
 * and nonce assembled here by hand; what must and must not change the MIC; refusals. */
#include "records.h"

enum { DATA = 33 };

/* One kind of frame: Frame Control, the header's length, and where QoS Control stands (0: none). */
typedef struct frame_kind {
    uint8_t control[2];
    uint8_t header_bytes, qos_at, has_a4;
} frame_kind;

static const frame_kind kinds[] = {
    {{0x08, 0x01}, 24, 0, 0},  /* data to the DS */
    {{0x08, 0x03}, 30, 0, 1},  /* data, four addresses */
    {{0x88, 0x02}, 26, 24, 0}, /* QoS data */
    {{0x88, 0x82}, 30, 24, 0}, /* QoS data with HT Control */
    {{0x88, 0x03}, 32, 30, 1}, /* QoS data, four addresses */
    {{0x88, 0x83}, 36, 30, 1}, /* QoS data, four addresses, HT Control */
    {{0x08, 0x80}, 24, 0, 0},  /* data, strictly ordered */
    {{0xa8, 0x00}, 26, 24, 0}, /* QoS data + CF-Poll */
    {{0xd0, 0x00}, 24, 0, 0},  /* action */
    {{0xd0, 0x80}, 28, 0, 0},  /* action with HT Control */
};

static aesfit_key key;
static uint8_t mpdu[36 + DATA], sealed[36 + DATA + 16], text[36 + DATA + 16];

static void check_vector(const record *r, size_t number)
{
    uint64_t pn = 0, found = 0;
    uint8_t plain[128];
    size_t n = 0, header = r->ad.length, bytes = r->plain.length;
    (void)number;
    if (strcmp(r->mode, "ccmp") != 0)
        return;
    for (size_t i = 0; i < 6; i++)
        pn = pn << 8 | r->nonce.bytes[i];
    memcpy(plain, r->ad.bytes, header);
    memcpy(plain + header, r->plain.bytes, bytes);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        test_context("vector, %s", aesfit_core_name(core));
        CHECK_STATUS(aesfit_expand_key(&key, core, r->key.bytes, 16, AESFIT_ENCRYPT), AESFIT_OK);
        CHECK_STATUS(aesfit_ccmp_encapsulate(&key, pn, 0, sealed, sizeof sealed, &n, plain, header,
                                             header + bytes),
                     AESFIT_OK);
        CHECK(n == header + bytes + 16);
        CHECK_BYTES(sealed, r->ad.bytes, header);
        CHECK_BYTES(sealed + header, r->cipher.bytes, r->cipher.length);
        CHECK_BYTES(sealed + header + r->cipher.length, r->tag.bytes, 8);
        CHECK_STATUS(
            aesfit_ccmp_decapsulate(&key, &found, text, sizeof text, &n, sealed, header, n),
            AESFIT_OK);
        CHECK(found == pn && n == header + bytes);
        CHECK(text[1] == (r->ad.bytes[1] & 0xbf)); /* the reverse clears Protected */
        text[1] = plain[1];
        CHECK_BYTES(text, plain, n);
    }
}

/* Seals `mpdu` by CCM, with nonce and associated data of 11.4.3.3.3 and 11.4.3.3.4. */
static void seal_by_hand(const frame_kind *kind, uint64_t pn, size_t bytes, uint8_t *want)
{
    uint8_t nonce[13] = {0}, ad[30] = {0};
    size_t ad_bytes = 22;
    int management = (mpdu[0] & 0x0c) == 0;
    ad[0] = management ? mpdu[0] : mpdu[0] & 0x8f;
    ad[1] = (uint8_t)((kind->control[1] & (kind->qos_at != 0 ? 0x07 : 0x87)) | 0x40);
    memcpy(ad + 2, mpdu + 4, 18);
    ad[20] = mpdu[22] & 0x0f;
    if (kind->has_a4) {
        memcpy(ad + 22, mpdu + 24, 6);
        ad_bytes += 6;
    }
    if (kind->qos_at != 0) {
        ad[ad_bytes] = nonce[0] = mpdu[kind->qos_at] & 0x0f;
        ad_bytes += 2;
    }
    if (management)
        nonce[0] = 0x10;
    memcpy(nonce + 1, mpdu + 10, 6);
    for (int i = 0; i < 6; i++)
        nonce[12 - i] = (uint8_t)(pn >> (8 * i));
    CHECK_STATUS(aesfit_ccm_encrypt(&key, nonce, 13, ad, ad_bytes, want, mpdu + kind->header_bytes,
                                    bytes, want + bytes, 8),
                 AESFIT_OK);
}

/* A random frame of a kind, there and back, apart and in place. */
static void check_kind(const frame_kind *kind, unsigned key_id)
{
    uint8_t want[DATA + 8];
    uint64_t pn = random_u64() >> 16, found;
    size_t header = kind->header_bytes, bytes = random_below(DATA + 1), n;
    random_fill(mpdu, sizeof mpdu);
    memcpy(mpdu, kind->control, 2);
    mpdu[1] |= (uint8_t)(random_below(8) << 3); /* Retry, Power Management, More Data */
    seal_by_hand(kind, pn, bytes, want);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, pn, key_id, sealed, header + bytes + 16, &n, mpdu,
                                         header, header + bytes),
                 AESFIT_OK);
    CHECK(n == header + bytes + 16);
    CHECK_BYTES(sealed + 2, mpdu + 2, header - 2);
    CHECK(sealed[1] == (mpdu[1] | 0x40));
    CHECK(sealed[header + 2] == 0 && sealed[header + 3] == (key_id << 6 | 0x20));
    CHECK_BYTES(sealed + header + 8, want, bytes + 8);
    memcpy(text, mpdu, header + bytes);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, pn, key_id, text, sizeof text, &n, text, header,
                                         header + bytes),
                 AESFIT_OK);
    CHECK_BYTES(text, sealed, n);
    CHECK_STATUS(aesfit_ccmp_decapsulate(&key, &found, text, header + bytes, &n, text, header, n),
                 AESFIT_OK);
    CHECK(n == header + bytes && found == pn);
    CHECK_BYTES(text, mpdu, n);
}

/* Decapsulates `sealed` with bit `bit` of its byte `at` changed. */
static int decapsulate_changed(size_t at, unsigned bit, size_t header, size_t bytes)
{
    size_t n;
    uint64_t pn;
    int status;
    sealed[at] ^= (uint8_t)(1u << bit);
    status = aesfit_ccmp_decapsulate(&key, &pn, text, sizeof text, &n, sealed, header, bytes);
    sealed[at] ^= (uint8_t)(1u << bit);
    CHECK(status == AESFIT_OK || n == 0);
    return status;
}

/* Which header bits are protected: those of a QoS data frame, one by one. */
static void check_protected_bits(void)
{
    static const uint8_t free_bits[26] = {
        [1] = 0x38, [2] = 0xff, [3] = 0xff, [22] = 0xf0, [23] = 0xff, [24] = 0xf0, [25] = 0xff};
    size_t n;
    test_context("protected bits");
    memset(mpdu, 0, sizeof mpdu);
    mpdu[0] = 0x88;
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, 7, 1, sealed, sizeof sealed, &n, mpdu, 26, 36),
                 AESFIT_OK);
    for (size_t at = 1; at < 26; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            int status = decapsulate_changed(at, bit, 26, n);
            if (free_bits[at] >> bit & 1)
                CHECK_STATUS(status, AESFIT_OK);
            else if (at == 1 && bit >= 6) /* not Protected; HT Control is missing */
                CHECK_STATUS(status, AESFIT_ERR_HEADER);
            else
                CHECK_STATUS(status, AESFIT_ERR_AUTHENTICATION);
        }
    for (size_t at = 26 + 8; at < n; at++) /* data and MIC */
        CHECK_STATUS(decapsulate_changed(at, at % 8, 26, n), AESFIT_ERR_AUTHENTICATION);
    CHECK_STATUS(decapsulate_changed(26 + 0, 3, 26, n), AESFIT_ERR_AUTHENTICATION); /* PN0 */
    CHECK_STATUS(decapsulate_changed(26 + 7, 3, 26, n), AESFIT_ERR_AUTHENTICATION); /* PN5 */
    CHECK_STATUS(decapsulate_changed(26 + 3, 5, 26, n), AESFIT_ERR_HEADER);         /* ExtIV */
}

static int encapsulate(uint8_t control0, uint8_t control1, size_t header, size_t bytes)
{
    size_t n;
    mpdu[0] = control0;
    mpdu[1] = control1;
    return aesfit_ccmp_encapsulate(&key, 1, 0, sealed, sizeof sealed, &n, mpdu, header, bytes);
}

static void check_refusals(void)
{
    aesfit_key long_key;
    size_t n;
    test_context("refusals");
    for (size_t header = 0; header <= 40; header++)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (header != kinds[i].header_bytes)
                CHECK_STATUS(encapsulate(kinds[i].control[0], kinds[i].control[1], header, 48),
                             AESFIT_ERR_HEADER);
    CHECK_STATUS(encapsulate(0x09, 0, 24, 48), AESFIT_ERR_HEADER); /* protocol version 1 */
    CHECK_STATUS(encapsulate(0xb4, 0, 24, 48), AESFIT_ERR_HEADER); /* RTS */
    CHECK_STATUS(encapsulate(0x48, 0, 24, 48), AESFIT_ERR_HEADER); /* Null */
    CHECK_STATUS(encapsulate(0x0c, 0, 24, 48), AESFIT_ERR_HEADER); /* extension */
    CHECK_STATUS(encapsulate(0x08, 0, 24, 23), AESFIT_ERR_LENGTH);
    CHECK_STATUS(encapsulate(0x08, 0, 24, 24 + 0x10000), AESFIT_ERR_LIMIT);
    CHECK_STATUS(
        aesfit_ccmp_decapsulate(&key, NULL, sealed, sizeof sealed, &n, mpdu, 24, 24 + 16 + 0x10000),
        AESFIT_ERR_LIMIT);
    CHECK_STATUS(encapsulate(0x08, 0, 24, 24), AESFIT_OK);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, UINT64_C(1) << 48, 0, sealed, sizeof sealed, &n,
                                         mpdu, 24, 48),
                 AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, 1, 4, sealed, sizeof sealed, &n, mpdu, 24, 48),
                 AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, 1, 0, sealed, 63, &n, mpdu, 24, 48),
                 AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, 1, 0, sealed, 64, NULL, mpdu, 24, 48),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&key, 1, 0, sealed, 64, &n, NULL, 24, 48),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccmp_decapsulate(&key, NULL, text, 64, &n, sealed, 24, 39),
                 AESFIT_ERR_LENGTH);
    CHECK_STATUS(
        aesfit_expand_key(&long_key, aesfit_core_by_name("bytewise"), mpdu, 32, AESFIT_ENCRYPT),
        AESFIT_OK);
    CHECK_STATUS(aesfit_ccmp_encapsulate(&long_key, 1, 0, sealed, 64, &n, mpdu, 24, 48),
                 AESFIT_ERR_KEY_LENGTH);
}

int main(int argc, char **argv)
{
    uint8_t bytes[16];
    test_begin(argc, argv);
    CHECK(for_each_record("aead.txt", check_vector) > 0);
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(
        aesfit_expand_key(&key, aesfit_core_by_name("bytewise"), bytes, 16, AESFIT_ENCRYPT),
        AESFIT_OK);
    for (unsigned i = 0; i < 200; i++) {
        const frame_kind *kind = &kinds[i % (sizeof kinds / sizeof kinds[0])];
        test_context("frame control %02x %02x", kind->control[0], kind->control[1]);
        check_kind(kind, i % 4);
    }
    check_protected_bits();
    check_refusals();
    return test_end();
}
